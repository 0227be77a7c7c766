//! Leaves out what is no text: of a page everything is kept that a browser shows of its main part, and what unfolds at a
//! click.
//!
//! Left out on purpose, each with its reason:
//! - scripts, styles, templates, frames, media, fields: nothing in them is text of the page;
//! - content that is hidden, unless it unfolds (accordions, tabs, what is right behind a button): no reader sees it;
//! - text for screen readers alone: it repeats or names what is shown;
//! - dialogs and notices of consent: they are about the site and not about the page's subject;
//! - `nav`, `search`, menus, toolbars: they lead elsewhere; the names in a row of tabs: each stands at its panel;
//! - header, footer and sidebar around the text, forms without headings: they are the same on every page;
//! - containers called by a place or an offer (breadcrumbs, share links, related articles, votes, comments) that are
//!   mostly links or controls, or beside the main text: they are the site's and not the text's;
//! - the author and the date of a page next to its heading: they are about the text;
//! - the contents of a page as links to its own headings, with their label: they repeat the headings;
//! - links to the top or past the navigation: they move the reader;
//! - buttons that only work the page ("Copy", "Yes" and "No" under a question): nothing happens at them in an entry;
//! - the copyright at the end of a page: it is the site's;
//! - the last question of a page that only leads to a contact form: the desk itself is where to ask;
//! - line numbers next to code: they are not code.

use std::collections::HashSet;

use super::buttons::Buttons;
use super::class_names::{COLLAPSIBLE_WORDS, CONSENT_TOPICS, CONSENT_VENDORS, HIDDEN_WORDS, any, words};
use super::content_filter::{ContentFilter, NodeFacts};
use super::frame::{Frame, Position, is_container, is_named_by_its_heading, names_of};
use super::page_links;
use super::tree::{Attr, Id, Tag, Tree};

/// The nodes that are kept, to which this many bytes may be added (see [`ContentFilter::within_budget`]). Only a page has
/// a frame around its text; of Markdown just what is hidden is left out.
pub(super) fn filter(tree: &Tree, additions: usize, is_page: bool) -> ContentFilter<'_> {
    let mut kept = ContentFilter::new(tree, additions);
    let unfolding = expands(tree);
    let (page, buttons, frame) = (kept.facts(Tree::ROOT), Buttons::of(&kept), Frame::of(&kept));
    kept.drop_where(|kept, id, tag| {
        is_hidden(kept, id, tag, &unfolding, page, || buttons.answers(kept, id, tag))
            || (is_page && is_consent(&frame, kept, id, tag))
    });
    if !is_page {
        return kept;
    }
    let frame = Frame::of(&kept);
    kept.drop_where(|kept, id, tag| frame.is_around(kept, id, tag));
    let (openers, controls) = buttons.sorted(&kept);
    kept.openers = openers;
    let links = page_links::found(&kept);
    kept.drop_where(|_, id, _| controls.contains(&id) || links.contains(&id));
    kept
}

/// Whether a reader never sees an element: it is no text, it is for screen readers, or it is hidden and does not
/// unfold. `answers` says whether a button before it opens it.
fn is_hidden(
    kept: &ContentFilter<'_>,
    id: Id,
    tag: Tag,
    unfolding: &HashSet<&str>,
    page: NodeFacts,
    answers: impl Fn() -> bool,
) -> bool {
    if tag.is_non_content_element() && !(tag == Tag::Template && kept.tree.attr(id, Attr::ShadowRootMode).is_some()) {
        return true;
    }
    let attr = |name| kept.tree.attr(id, name);
    let class = attr(Attr::Class).unwrap_or_default();
    let in_cell = || kept.tree.ancestors(id).any(|above| matches!(kept.tree.tag(above), Some(Tag::Td | Tag::Th)));
    if class.split_whitespace().any(|name| HIDDEN_WORDS.contains(&name)) && !in_cell() {
        return tag != Tag::H1;
    }
    let hidden = kept.tree.is_hidden(id);
    // Hidden content that is most of the page waits for a script to show it.
    let facts = kept.facts(id);
    if !hidden || facts.has_main || facts.chars * 2 > page.chars {
        return false;
    }
    let unfolds = attr(Attr::Id).is_some_and(|id| unfolding.contains(id))
        || attr(Attr::Role) == Some("tabpanel")
        || any(&words(class), COLLAPSIBLE_WORDS)
        || answers();
    !unfolds || attr(Attr::Style).is_some_and(|style| style.contains("font-size"))
}

/// Ids of what a button or a tab opens.
fn expands(tree: &Tree) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for id in tree.ids() {
        for name in [Attr::AriaControls, Attr::DataTarget, Attr::DataBsTarget] {
            let named = tree.attr(id, name).unwrap_or_default();
            ids.extend(named.split_whitespace().map(|id| id.trim_start_matches('#')));
        }
        let opens = matches!(tree.attr(id, Attr::Role), Some("tab" | "button"))
            || any(&words(tree.attr(id, Attr::Class).unwrap_or_default()), COLLAPSIBLE_WORDS);
        if let Some(target) = tree.attr(id, Attr::Href).and_then(|href| href.strip_prefix('#')).filter(|_| opens) {
            ids.insert(target);
        }
    }
    ids
}

/// Asks for consent: a dialog, or a notice called so that has buttons or is beside the text.
fn is_consent(frame: &Frame<'_>, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
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
