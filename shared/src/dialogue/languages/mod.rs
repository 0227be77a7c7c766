//! What people write and what we answer, one file for each language.
//!
//! To add a language: copy the file of a similar one, translate it, name it in [`ALL`], and add examples to the tests.

use super::human_request::Tables;

mod ar;
mod bn;
mod de;
mod en;
mod es;
mod fr;
mod hi;
mod id;
mod ja;
mod pt;
mod ru;
mod ur;
mod zh;

/// One language.
#[derive(Debug)]
pub(super) struct Phrasebook {
    /// How a human is asked for.
    pub(super) human: Tables,
    /// Says that a person takes over.
    pub(super) handover: &'static str,
}

/// Every language.
pub(super) const ALL: &[&Phrasebook] = &[
    &en::PHRASEBOOK,
    &es::PHRASEBOOK,
    &fr::PHRASEBOOK,
    &pt::PHRASEBOOK,
    &de::PHRASEBOOK,
    &ru::PHRASEBOOK,
    &id::PHRASEBOOK,
    &zh::PHRASEBOOK,
    &ja::PHRASEBOOK,
    &hi::PHRASEBOOK,
    &bn::PHRASEBOOK,
    &ur::PHRASEBOOK,
    &ar::PHRASEBOOK,
];
