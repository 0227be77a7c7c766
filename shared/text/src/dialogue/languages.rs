//! Phrases of customers and fixed sentences of the service, one file for each language in `languages/`.
//!
//! To add a language: add it to [`CustomerLanguage`] and to `LANGUAGES` of `build.rs`, copy the file of a similar one,
//! translate it, name it in the detection of languages, and add examples to the tests. A field of a [`phrasebook`] says
//! what its section holds. `build.rs` also makes the tables of small talk, of the words of requests and of function words;
//! a binary contains these, and of the phrasebooks only [`HUMAN`], the [`sentences`],
//! pronouns and generic words.
//!
//! [`phrasebook`]: super::phrasebook

use super::phrasebook::{HumanRequestPhrases, Sentences};
#[cfg(test)]
use super::phrasebook::{Phrasebook, SmallTalkPhrases};
// The tables name languages as `Debug` does.
use crate::CustomerLanguage::{self, *};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));
