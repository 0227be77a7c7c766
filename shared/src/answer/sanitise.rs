//! What may be shown of a text that a model wrote: no hidden characters, no images, no HTML, known web links only.
//!
//! [`visible`] takes out what a reader cannot see and is used on the way in as well; [`answer`] is the whole cleaning
//! of an answer. [`characters`], [`html`] and [`links`] do one part each. Whatever is left renders as plain text and
//! simple Markdown, in a chat widget and in a terminal.

mod characters;
mod html;
mod links;

use std::collections::HashSet;

pub use characters::visible;
pub use links::web_links;

/// Cleans an answer; of its links only those in `known` stay links, the rest is shown as text.
#[must_use]
pub fn answer(text: &str, known: &HashSet<String>) -> String {
    let text = visible(text);
    let text = html::without_tags(&text);
    let text = links::without_images(&text);
    let text = links::known_only(&text, known);
    html::inert(&text).trim().to_owned()
}
