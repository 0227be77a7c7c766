//! Hints that `class` and `id` names give about an element: `class="cookie-banner"`, `id="sidebarLeft"`; tabs and their
//! panels, by role or by the names that makers of sites use.

use super::tree::{Attr, Id, Tag, Tree};

/// A list of words that are written as names.
macro_rules! words {
    ($($word:ident)+) => { &[$(stringify!($word)),+] };
}

/// The words of a class attribute or an id, in lower case: split at anything but letters and digits, and before a
/// capital. A negated word (`no-sidebar`, `has-toc`) is left out, because it means another element.
pub(super) fn words(names: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for name in names.split_whitespace() {
        let mut denied = false;
        for word in pieces(name) {
            if !denied {
                words.push(word.clone());
            }
            denied = matches!(word.as_str(), "no" | "not" | "has" | "with" | "without" | "is" | "hide" | "show");
        }
    }
    words
}

fn pieces(name: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            pieces.push(String::new());
        } else {
            if c.is_uppercase() && lower_before {
                pieces.push(String::new());
            }
            if let Some(piece) = pieces.last_mut() {
                piece.extend(c.to_lowercase());
            }
        }
        lower_before = c.is_lowercase();
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// Makers of consent dialogs: nothing else of a page is called so.
pub(super) const CONSENT_VENDORS: &[&str] = words![onetrust didomi usercentrics osano truste trustarc
    cybotcookiebotdialog iubenda klaro borlabs];

/// Beginnings of words about consent: of a dialog, and of a page about cookies.
pub(super) const CONSENT_TOPICS: &[&str] = &["cookie", "consent", "gdpr", "ccpa"];

/// Places around the text of a page.
pub(super) const PLACES: &[&str] = words![ads advertisement breadcrumb breadcrumbs catlinks crumbs footer masthead
    modal nav navbar navbox navigation overlay pager pagination popup printfooter sidebar sidenav tableofcontents toc
    topbar];

/// Uses of a page that are offered next to its text; a page may also be about one of them.
pub(super) const OFFERS: &[&str] = words![comments disqus editsection feedback helpful menu newsletter promo rating
    recent recommended related share sharing social sponsored submenu subscribe vote votes];

/// The author of a page or a post, and its date.
pub(super) const AUTHORSHIP: &[&str] = &["author", "avatar", "byline", "postprofile"];
/// A page's own data are called so with one of [`PAGE_NAMES`] in front.
pub(super) const META: &[&str] = &["meta", "metadata"];
/// See [`META`].
pub(super) const PAGE_NAMES: &[&str] = &["article", "entry", "page", "post"];

/// Line numbers next to code.
pub(super) const LINE_NUMBER_WORDS: &[&str] =
    &["gutter", "lineno", "linenos", "linenumber", "linenumbers", "lnt", "ln"];

/// Shown when a reader asks for it: part of the page, however it is hidden.
pub(super) const COLLAPSIBLE_WORDS: &[&str] = words![accordion accordions answer answers collapse collapsed
    collapsible expand expandable expander faq faqs panel tab tabpanel tabs toggle];

/// A note in documentation: part of the text.
pub(super) const CALLOUT: &[&str] = words![admonition alert callout caution danger example hint important info note
    notice tip warning];

/// For people who do not see the page.
pub(super) const HIDDEN_WORDS: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "u-hiddenVisually",
    "a11y-hidden",
];

/// A mark that says yes, or no, in a table of features.
pub(super) const YES: &[&str] = &["check", "checked", "checkmark", "tick", "yes", "included", "available"];
/// See [`YES`].
pub(super) const NO: &[&str] = &["cross", "times", "no", "x", "xmark", "minus", "unavailable"];

/// Whether any of `words` is in `list`.
pub(super) fn any(words: &[String], list: &[&str]) -> bool {
    words.iter().any(|word| list.contains(&word.as_str()))
}

/// So many tabs are looked at for a panel.
const MAX_TABS: usize = 20;

/// The content of a tab: Bootstrap's `tab-pane` and Material for MkDocs' `tabbed-block`, too.
pub(super) fn is_tab_panel(tree: &Tree, id: Id) -> bool {
    tree.attr(id, Attr::Role) == Some("tabpanel")
        || is_called(tree, id, &[["tab", "pane"], ["tab", "panel"], ["tabbed", "block"]])
}

/// The names of tabs: Material for MkDocs' `tabbed-labels`, too.
pub(super) fn is_tab_list(tree: &Tree, id: Id) -> bool {
    tree.attr(id, Attr::Role) == Some("tablist") || is_called(tree, id, &[["tabbed", "labels"]])
}

fn is_called(tree: &Tree, id: Id, names: &[[&str; 2]]) -> bool {
    let words = words(tree.attr(id, Attr::Class).unwrap_or_default());
    words.windows(2).any(|pair| names.iter().any(|name| pair == *name))
}

/// The tab of a panel that names none: the list of tabs is before the panels or what holds them, in the same order.
pub(super) fn tab_at_the_same_place(tree: &Tree, id: Id) -> Option<Id> {
    let place = tree.before(id).take(MAX_TABS).filter(|before| is_tab_panel(tree, *before)).count();
    let list_before = |at: Id| tree.before(at).take(MAX_TABS).find(|before| is_tab_list(tree, *before));
    let list = list_before(id).or_else(|| list_before(tree.parent(id)?))?;
    let tabs = tree.children(list).flat_map(|child| std::iter::once(child).chain(tree.children(child)));
    let is_tab = |tab: &Id| tree.attr(*tab, Attr::Role) == Some("tab") || tree.tag(*tab) == Some(Tag::Label);
    tabs.take(MAX_TABS * MAX_TABS).filter(is_tab).nth(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(
            words("site-nav navLinks tocCollapsible_ETCw"),
            ["site", "nav", "nav", "links", "toc", "collapsible", "etcw"]
        );
        assert_eq!(words("layout no-sidebar has-toc"), ["layout", "no", "has"]);
        assert!(any(&words("siteFooter"), PLACES) && !any(&words("canvas navajo"), PLACES));
    }
}
