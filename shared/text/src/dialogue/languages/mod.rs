//! Phrases of customers and fixed sentences of the service, one file for each language.
//!
//! To add a language: add it to [`CustomerLanguage`], copy the file of a similar one, translate it, name it in
//! `languages!` and in the detection of languages, and add examples to the tests. `build.rs` makes the tables of small
//! talk and of the words of requests from [`ALL`]. Of the phrasebooks, a binary contains [`HUMAN`] and the
//! [`sentences`].

use super::phrasebook::{HumanRequestPhrases, Phrasebook, Sentences};
use crate::CustomerLanguage;

mod ar;
mod bn;
mod da;
mod de;
mod el;
mod en;
mod es;
mod fi;
mod fr;
mod hi;
mod hu;
mod id;
mod it;
mod ja;
mod nl;
mod no;
mod pt;
mod ro;
mod ru;
mod sv;
mod ta;
mod tr;
mod ur;
mod zh;

macro_rules! languages {
    ($($file:ident),+ $(,)?) => {
        /// Every language.
        #[allow(dead_code, reason = "`build.rs` and tests read it")]
        pub(crate) const ALL: &[Phrasebook] = &[$($file::PHRASEBOOK),+];

        /// How a human is asked for, in the order of [`ALL`].
        pub(crate) static HUMAN: &[(CustomerLanguage, HumanRequestPhrases)] =
            &[$(($file::PHRASEBOOK.language, $file::PHRASEBOOK.human)),+];

        static SENTENCES: &[(CustomerLanguage, Sentences)] =
            &[$(($file::PHRASEBOOK.language, $file::PHRASEBOOK.sentences)),+];
    };
}

languages![en, de, es, fr, pt, it, nl, da, sv, no, fi, hu, ro, ru, el, tr, ar, ta, hi, bn, ur, id, ja, zh];

static ENGLISH: Sentences = en::PHRASEBOOK.sentences;

/// The fixed sentences in `language`.
pub(crate) fn sentences(language: CustomerLanguage) -> &'static Sentences {
    SENTENCES.iter().find(|(its, _)| *its == language).map_or(&ENGLISH, |(_, sentences)| sentences)
}
