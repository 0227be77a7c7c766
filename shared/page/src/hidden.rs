//! Text that readers never see, and text that they see after a click.

use std::collections::HashSet;

use super::class_names::{COLLAPSIBLE_WORDS, HIDDEN_WORDS, any, words};
use super::content_filter::{ContentFilter, NodeFacts};
use super::names::{Attr, Tag};
use super::tree::{Id, Tree};

/// Whether a reader never sees an element: it is no text, it is for screen readers, or it is hidden and does not
/// unfold. `answers` says whether a button before it opens it.
pub(super) fn is_hidden(
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
    let hidden = is_marked(kept.tree, id);
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

/// Hidden by an attribute or its own style.
pub(super) fn is_marked(tree: &Tree, id: Id) -> bool {
    tree.attr(id, Attr::Hidden).is_some_and(|value| value != "until-found")
        || tree.attr(id, Attr::AriaHidden) == Some("true")
        || tree.attr(id, Attr::Style).is_some_and(is_hidden_class)
}

/// Ids of what a button or a tab opens.
pub(super) fn expands(tree: &Tree) -> HashSet<&str> {
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

fn is_hidden_class(style: &str) -> bool {
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.split(';').any(|rule| {
        matches!(
            rule.trim_end_matches("!important"),
            "display:none" | "visibility:hidden" | "opacity:0" | "font-size:0" | "font-size:0px"
        )
    })
}
