//! Tabs and their panels, by role or by the names that makers of sites use.

use super::class_names::words;
use super::names::{Attr, Tag};
use super::tree::{Id, Tree};

/// So many tabs are looked at for a panel.
const MAX_TABS: usize = 20;

/// The content of a tab: Bootstrap's `tab-pane` and Material for MkDocs' `tabbed-block`, too.
pub(super) fn is_panel(tree: &Tree, id: Id) -> bool {
    tree.attr(id, Attr::Role) == Some("tabpanel")
        || is_called(tree, id, &[["tab", "pane"], ["tab", "panel"], ["tabbed", "block"]])
}

/// The names of tabs: Material for MkDocs' `tabbed-labels`, too.
pub(super) fn is_list(tree: &Tree, id: Id) -> bool {
    tree.attr(id, Attr::Role) == Some("tablist") || is_called(tree, id, &[["tabbed", "labels"]])
}

fn is_called(tree: &Tree, id: Id, names: &[[&str; 2]]) -> bool {
    let words = words(tree.attr(id, Attr::Class).unwrap_or_default());
    words.windows(2).any(|pair| names.iter().any(|name| pair == *name))
}

/// The tab of a panel that names none: the list of tabs is before the panels or what holds them, in the same order.
pub(super) fn at_the_same_place(tree: &Tree, id: Id) -> Option<Id> {
    let place = tree.before(id).take(MAX_TABS).filter(|before| is_panel(tree, *before)).count();
    let list_before = |at: Id| tree.before(at).take(MAX_TABS).find(|before| is_list(tree, *before));
    let list = list_before(id).or_else(|| list_before(tree.parent(id)?))?;
    let tabs = tree.children(list).flat_map(|child| std::iter::once(child).chain(tree.children(child)));
    let is_tab = |tab: &Id| tree.attr(*tab, Attr::Role) == Some("tab") || tree.tag(*tab) == Some(Tag::Label);
    tabs.take(MAX_TABS * MAX_TABS).filter(is_tab).nth(place)
}
