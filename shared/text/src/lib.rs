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

mod accents;
mod analyzer;
mod by_language;
mod compounds;
pub mod dialogue;
mod highlight;
pub mod images;
mod invisible;
mod language;
pub mod markdown;
mod numbered;
mod opposites;
mod parts;
mod passages;
pub mod privacy;
mod query;
mod repair;
pub mod sanitise;
mod sentences;
mod slug;
mod spellings;
mod stop_words;
mod synonyms;
mod translations;
mod units;
mod words;

#[cfg(test)]
pub(crate) mod tests;

pub use analyzer::{Analyzer, bigrams};
pub use by_language::ByLanguage;
pub use highlight::{Segment, highlight};
pub use invisible::{BLANK, is_bidi, is_blank, is_invisible};
pub use language::{CustomerLanguage, Language};
pub use opposites::Opposites;
pub use parts::without_parts;
pub use query::{Form, MAX_BIGRAMS, MAX_DISTINCT_TERMS, OtherWord, Place, QueryTerms, Spelling};
pub use repair::{MAX_REPAIRS, Repair, can_be_repaired, max_edits, nearest};
#[doc(hidden)]
pub use schemars;
pub use sentences::{paragraphs, sentences, word_count};
pub use slug::slug;
pub use synonyms::{Meaning, Synonyms};
pub use translations::{names_nothing, translations};
pub use units::{Unit, UnitKind, in_bold, is_label, units};
pub use wire_enum::{WireEnum, enum_schema};

/// Stands between the title of a page and the headings of its section in the title of an entry.
pub const TITLE_SEPARATOR: &str = " › ";

/// One passage of an entry: about 90 words of whole sentences.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Passage {
    /// The sentences, without the title.
    pub text: String,
    /// The title's words, then the text's; bigrams are adjacent words of this sequence. Then the parts of both
    /// ([`without_parts`]).
    pub terms: Vec<String>,
}
