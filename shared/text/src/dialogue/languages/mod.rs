//! Phrases of customers and fixed sentences of the service, one file for each language.
//!
//! To add a language: add it to [`CustomerLanguage`], copy the file of a similar one, translate it, name it in [`ALL`]
//! and in the detection of languages, and add examples to the tests.

use super::phrasebook::Phrasebook;
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

/// Every language.
pub(super) const ALL: &[&Phrasebook] = &[
    &en::PHRASEBOOK,
    &de::PHRASEBOOK,
    &es::PHRASEBOOK,
    &fr::PHRASEBOOK,
    &pt::PHRASEBOOK,
    &it::PHRASEBOOK,
    &nl::PHRASEBOOK,
    &da::PHRASEBOOK,
    &sv::PHRASEBOOK,
    &no::PHRASEBOOK,
    &fi::PHRASEBOOK,
    &hu::PHRASEBOOK,
    &ro::PHRASEBOOK,
    &ru::PHRASEBOOK,
    &el::PHRASEBOOK,
    &tr::PHRASEBOOK,
    &ar::PHRASEBOOK,
    &ta::PHRASEBOOK,
    &hi::PHRASEBOOK,
    &bn::PHRASEBOOK,
    &ur::PHRASEBOOK,
    &id::PHRASEBOOK,
    &ja::PHRASEBOOK,
    &zh::PHRASEBOOK,
];

/// The phrasebook of a language.
pub(super) fn of(language: CustomerLanguage) -> &'static Phrasebook {
    ALL.iter().find(|book| book.language == language).copied().unwrap_or(&en::PHRASEBOOK)
}
