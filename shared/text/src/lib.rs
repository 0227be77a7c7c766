//! Pure functions on text, without knowledge of this service's domain.
//!
//! [`dialogue`] classifies messages, [`privacy`] masks personal data, [`sanitise`] makes text safe to show, [`markdown`]
//! writes literal text. The rest is
//! the one text analysis: words, folding, stop words, Snowball stems by language, passages, highlights.
//!
//! Both indexes store the terms made here, and questions are sent as terms. So every index sees the same words.
//! [`Analyzer`] is the entry point; [`highlight()`] marks where a stored text matches; [`units()`],
//! [`sentences()`] and [`paragraphs()`] are for quoting.

#[macro_use]
mod wire_enum;
#[macro_use]
mod language;

mod accents;
mod analyzer;
pub mod dialogue;
pub mod images;
mod inflection;
mod invisible;
pub mod markdown;
mod opposites;
mod parts;
pub mod privacy;
mod query;
mod repair;
pub mod sanitise;
mod sentences;
mod spelling;
mod synonyms;
mod units;
mod words;

#[cfg(test)]
pub(crate) mod tests;

pub use accents::slug;
pub use analyzer::{Analyzer, Passage, bigrams};
pub use invisible::{BLANK, is_bidi, is_blank, is_invisible};
pub use language::{ByLanguage, CustomerLanguage, Language};
pub use opposites::Opposites;
pub use parts::without_parts;
pub use query::{Form, MAX_BIGRAMS, MAX_DISTINCT_TERMS, OtherWord, Place, QueryTerms, Segment, highlight};
pub use repair::{MAX_REPAIRS, Repair, can_be_repaired, max_edits, nearest};
#[doc(hidden)]
pub use schemars;
pub use sentences::{paragraphs, sentences, word_count};
pub use spelling::Spelling;
pub use synonyms::{Meaning, Synonyms, names_nothing, translations};
pub use units::{Unit, UnitKind, in_bold, is_label, units};
pub use wire_enum::{WireEnum, enum_schema};
pub use words::section;

/// Stands between the title of a page and the headings of its section in the title of an entry.
pub const TITLE_SEPARATOR: &str = " › ";
