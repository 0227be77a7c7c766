//! Temporary.
use super::content_filter::ContentFilter;
use super::names::Attr;
use super::tree::{Id, Tree};
use url::Url;
const MAX_LINK_BYTES: usize = 500;
pub(super) enum Target {
    Link(String),
    #[allow(dead_code)]
    Contact(String),
    None,
}
pub(super) fn target(kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) -> Target {
    match kept.tree.attr(id, Attr::Href).and_then(|href| absolute(base, href)) {
        Some(t) => Target::Link(t),
        None => Target::None,
    }
}
pub(super) fn hidden_email(_: &Tree, _: Id) -> Option<String> {
    None
}
pub(super) fn base_of(_: &Tree, page: Option<&Url>) -> Option<Url> {
    page.cloned()
}
fn absolute(base: Option<&Url>, href: &str) -> Option<String> {
    let href = href.trim();
    if href.is_empty() || href.starts_with('#') || href.len() > MAX_LINK_BYTES {
        return None;
    }
    let url = match base {
        Some(base) => base.join(href).ok()?,
        None => Url::parse(href).ok()?,
    };
    let readable = matches!(url.scheme(), "http" | "https" | "mailto" | "tel");
    let text = url.as_str().replace('(', "%28").replace(')', "%29");
    (readable && text.len() <= MAX_LINK_BYTES).then_some(text)
}
pub(super) fn same_address(text: &str, target: &str) -> bool {
    let bare = |address: &str| address.trim_start_matches("mailto:").trim_end_matches('/').to_owned();
    bare(text) == bare(target)
}
