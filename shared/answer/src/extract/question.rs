//! The question that a quotation is to answer.

use crate::rank::Scorer;
use text::{Analyzer, Opposites, QueryTerms};

/// The most words of a short question.
pub(super) const SHORT_QUESTION_WORDS: usize = 8;

/// The question that a quotation is to answer.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The analysis of the wiki's language.
    pub(crate) analyzer: &'a Analyzer,
    /// As written.
    pub(crate) text: &'a str,
    /// Its terms, with those of earlier questions.
    pub(crate) query: &'a QueryTerms,
    /// The sides of opposites that it is on.
    pub(crate) opposites: &'a Opposites,
    /// The weights of the terms in the wiki.
    pub(crate) scorer: &'a Scorer<'a>,
    /// The passage that is nearest to the question by its vector, if there is one.
    pub(crate) near: Option<&'a str>,
}

impl Question<'_> {
    pub(super) const fn is_short(&self) -> bool {
        self.query.words <= SHORT_QUESTION_WORDS
    }
}
