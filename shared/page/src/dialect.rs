//! From the Markdown of a documentation site to CommonMark with blocks of HTML.
//!
//! Docusaurus and other MDX, VitePress, MkDocs, GitBook, Hugo, Jekyll, and Obsidian add directives of their own:
//! tabs, hints, what folds, attributes, includes. `tag` and `block` find them, `role` says what each means, and
//! `reader` writes the text again, line by line, with a stack of what is open. Code stays as it is.

mod arguments;
mod attributes;
mod block;
mod element;
mod inline;
mod line;
mod marks;
mod reader;
mod role;
mod script;
mod state;
mod tag;
mod write;

use std::borrow::Cow;

/// The text with its directives as HTML: a tab is a labelled `section`, a hint a `div` that begins with its title, and
/// what folds is `details`. Labels, titles and kinds stay; other directives go, and what they hold stays.
pub(super) fn to_commonmark(text: &str) -> Cow<'_, str> {
    let out = state::Reader::new(text).read();
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

#[cfg(test)]
mod tests;
