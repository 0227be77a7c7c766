//! Dialogs and notices that ask for consent, wherever they stand.

use super::class_names::{CONSENT_TOPICS, CONSENT_VENDORS, any, words};
use super::content_filter::ContentFilter;
use super::frame::{Frame, Position, is_container, is_named_by_its_heading, names_of};
use super::names::{Attr, Tag};
use super::tree::Id;

/// Asks for consent: a dialog, or a notice called so that has buttons or is beside the text.
pub(super) fn is_consent(frame: &Frame<'_>, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
    let facts = kept.facts(id);
    let role = kept.tree.attr(id, Attr::Role).unwrap_or_default();
    if matches!(role, "dialog" | "alertdialog") && !facts.has_main {
        return true;
    }
    // The first heading of a page about cookies is the page's only one.
    let only_heading = facts.first_headings > 0 && facts.first_headings == frame.page.first_headings;
    if facts.has_main || only_heading || !is_container(kept, id, tag) {
        return false;
    }
    let names = match is_named_by_its_heading(kept, id) {
        true => words(kept.tree.attr(id, Attr::Class).unwrap_or_default()),
        false => names_of(kept, id),
    };
    let topics = || CONSENT_TOPICS.iter().copied().filter(|topic| names.iter().any(|name| name.starts_with(topic)));
    if any(&names, CONSENT_VENDORS) && !any(&names, &["policy"]) {
        return true;
    }
    if topics().next().is_none() || frame.repeats(kept, id) {
        return false;
    }
    let style = kept.tree.attr(id, Attr::Style).unwrap_or_default();
    let floats = style.contains("fixed") || style.contains("sticky");
    let works = facts.buttons + facts.fields > 0 || has_link_that_acts(kept, id);
    match (frame.is_about(topics()), frame.around(kept, id)) {
        (true, Position::Main) => floats,
        (true, Position::Flow) => floats,
        (false, Position::Beside) => true,
        (_, _) => works || floats,
    }
}

/// A link among the children that goes nowhere: a script closes the notice.
fn has_link_that_acts(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.tree.children(id).flat_map(|child| std::iter::once(child).chain(kept.tree.children(child))).any(|at| {
        let href = kept.tree.attr(at, Attr::Href);
        href.is_some_and(|href| href == "#" || href.starts_with("javascript:"))
    })
}
