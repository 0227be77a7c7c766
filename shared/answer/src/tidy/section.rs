//! The input of tidying: a section of a page.

use domain::models::Language;

/// A section of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section<'a> {
    /// Its heading, with what that is part of.
    pub title: &'a str,
    /// Its text, in Markdown.
    pub content: &'a str,
    /// The language that the wiki is analysed in.
    pub language: Language,
}
