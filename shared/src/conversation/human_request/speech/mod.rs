//! How people ask for a human: the ten most used languages (English, Mandarin Chinese, Hindi, Spanish, French, Arabic,
//! Bengali, Portuguese, Russian, Urdu), and German, Indonesian and Japanese.
//!
//! Each table is data; `tests.rs` beside it holds what it must find and what it must leave alone. Fields are lists of
//! expressions as [`super::pattern`] reads them.

mod asian;
mod european;
mod latin;

/// What one language says.
#[derive(Debug)]
pub(super) struct Speech {
    /// Words for a human in a team; alone they are a request.
    pub(super) who: &'static str,
    /// Words that are also used for others.
    pub(super) some: &'static str,
    /// Words without either that a request may still hold.
    pub(super) other_words: &'static str,
    /// What may stand before such a word.
    pub(super) a: &'static str,
    /// The requests.
    pub(super) phrases: &'static [&'static str],
    /// What may stand beside a word for a human that is a request alone.
    pub(super) alone: &'static str,
    /// What goes on after a request (`$`): the matter, courtesies.
    pub(super) leads_on: &'static str,
    /// What makes a request none when it stands before it.
    pub(super) not: &'static str,
    /// And after it.
    pub(super) not_after: &'static str,
    /// What may stand between that and the request.
    pub(super) links: &'static str,
    /// Of whom it is said, where not of the customer.
    pub(super) others: &'static str,
    /// What makes a word for a human one for something else.
    pub(super) not_followed: &'static str,
    /// The reply.
    pub(super) reply: &'static str,
}

/// Every language.
pub(super) const ALL: &[&Speech] = &[
    &latin::ENGLISH,
    &latin::SPANISH,
    &latin::FRENCH,
    &latin::PORTUGUESE,
    &european::GERMAN,
    &european::RUSSIAN,
    &latin::INDONESIAN,
    &asian::CHINESE,
    &asian::JAPANESE,
    &asian::HINDI,
    &asian::BENGALI,
    &asian::URDU,
    &asian::ARABIC,
];
