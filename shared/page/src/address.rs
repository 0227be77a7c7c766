//! Where links lead: addresses that readers are shown, numbers and names of other links, and hidden mail addresses.

use text::sanitise;
use url::Url;

use super::content_filter::ContentFilter;
use super::tree::{Attr, Id, Tag, Tree};

/// Links longer than this are shown as their text alone, in bytes.
const MAX_LINK_BYTES: usize = 500;
/// The path of the links by which Cloudflare hides mail addresses.
const HIDING_PATH: &str = "/cdn-cgi/l/email-protection";

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// A web, mail or telephone address, as it stands in Markdown.
    Link(String),
    /// The number or name of a link that is not shown as one.
    Contact(String),
    /// Nowhere that a reader is told.
    None,
}

/// The target of a link. Links within the page, relative ones without a base, and scripts have none.
pub(super) fn target(kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) -> Target {
    let Some(href) = kept.tree.attr(id, Attr::Href).map(str::trim) else { return Target::None };
    if is_hidden(href) || kept.tree.attr(id, Attr::DataCfemail).is_some() {
        let hidden = code(kept.tree, id).and_then(decoded).or_else(|| hidden_below(kept.tree, id));
        return hidden
            .and_then(|address| absolute(None, &format!("mailto:{address}")))
            .map_or(Target::None, Target::Link);
    }
    match absolute(base, href) {
        Some(link) if kept.within_budget(link.len().saturating_sub(href.len())) => Target::Link(link),
        Some(_) => Target::None,
        None => sanitise::contact(href).map_or(Target::None, Target::Contact),
    }
}

/// Whether a link's text is its address.
pub(super) fn same_address(text: &str, target: &str) -> bool {
    let bare = |address: &str| address.trim_start_matches("mailto:").trim_end_matches('/').replace('\\', "");
    bare(text) == bare(target)
}

/// The address by which relative links of the page are resolved: that of its first `base` with an address, which may
/// be relative to the page's own (HTML, 4.2.3).
pub(super) fn base_of(tree: &Tree, page: Option<&Url>) -> Option<Url> {
    let first = tree.ids().filter(|id| tree.tag(*id) == Some(Tag::Base)).find_map(|id| tree.attr(id, Attr::Href));
    let base = first.and_then(|href| Url::options().base_url(page).parse(href.trim()).ok());
    base.filter(|base| matches!(base.scheme(), "http" | "https")).or_else(|| page.cloned())
}

/// The text of an element that hides a mail address: the address, or nothing if it cannot be read. None for others.
pub(super) fn hidden_email(tree: &Tree, id: Id) -> Option<String> {
    let tag = tree.tag(id)?;
    let is_link = tag == Tag::A && tree.attr(id, Attr::Href).is_some_and(is_hidden);
    if tree.attr(id, Attr::DataCfemail).is_none() && !(is_link && is_placeholder(&tree.text_up_to(id, 100))) {
        return None;
    }
    let address = code(tree, id).and_then(decoded).or_else(|| hidden_below(tree, id));
    Some(address.map_or_else(String::new, |address| address.split('?').next().unwrap_or_default().to_owned()))
}

fn is_hidden(href: &str) -> bool {
    href.split('#').next().is_some_and(|path| path.ends_with(HIDING_PATH))
}

/// Text in the place of the address if no script reads it.
fn is_placeholder(text: &str) -> bool {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    matches!(text.as_str(), "" | "[email protected]" | "email protected")
}

/// The hexadecimal code of an element: its own, or that of its address.
fn code(tree: &Tree, id: Id) -> Option<&str> {
    let of_address = || tree.attr(id, Attr::Href).filter(|href| is_hidden(href))?.split_once('#').map(|(_, code)| code);
    tree.attr(id, Attr::DataCfemail).or_else(of_address)
}

/// The address that an element right below hides.
fn hidden_below(tree: &Tree, id: Id) -> Option<String> {
    tree.children(id).find_map(|child| decoded(code(tree, child)?))
}

/// A mail address, with the parameters that follow it, from the bytes of a code: the first is the key of the others.
fn decoded(code: &str) -> Option<String> {
    let code = code.trim().as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    if code.len() > 2 * MAX_LINK_BYTES || code.len() % 2 == 1 || !code.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let bytes: Vec<u8> = code.chunks_exact(2).filter_map(byte).collect();
    let (key, hidden) = bytes.split_first()?;
    let text = String::from_utf8(hidden.iter().map(|byte| byte ^ key).collect()).ok()?;
    is_email(text.split('?').next().unwrap_or_default()).then_some(text)
}

fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let is_name = |c: char| c.is_alphanumeric() || "._%+-'&=~!#$*/^{}".contains(c);
    let is_label = |label: &str| !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || c == '-');
    !name.is_empty() && name.chars().all(is_name) && host.contains('.') && host.split('.').all(is_label)
}

/// A web, mail or telephone address; none for links within the page and for scripts.
fn absolute(base: Option<&Url>, href: &str) -> Option<String> {
    let url = Url::options().base_url(base).parse(href).ok().filter(|_| !href.is_empty() && !href.starts_with('#'))?;
    let text = match url.scheme() {
        "http" | "https" => destination(url.as_str()),
        "mailto" => mail(&url)?,
        "tel" => telephone(url.as_str())?,
        _ => return None,
    };
    (href.len() <= 4 * MAX_LINK_BYTES && text.len() <= MAX_LINK_BYTES).then_some(text)
}

/// A mail address, without what is to be written if that is long.
fn mail(url: &Url) -> Option<String> {
    let whole = destination(url.as_str());
    let address = if whole.len() <= MAX_LINK_BYTES { whole } else { destination(&format!("mailto:{}", url.path())) };
    url.path().contains('@').then_some(address)
}

/// A telephone number, without the spaces and brackets that only people write (RFC 3966, 5.1.1).
fn telephone(address: &str) -> Option<String> {
    let number = address.replace("%20", "").replace(|c: char| c.is_whitespace() || "()".contains(c), "");
    number.contains(|c: char| c.is_ascii_digit()).then(|| destination(&number))
}

/// An address as the destination of a link in Markdown.
fn destination(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '\\' | '`' => out.push_str(&format!("%{:02X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::left_out;
    use super::super::parse::parse;
    use super::super::{Kind, Page, drafts};
    use super::*;

    const PAGE: &str = "https://help.example.com/articles/page";

    fn base() -> Option<Url> {
        Url::parse(PAGE).ok()
    }

    fn link(html: &str, base: Option<&Url>) -> Target {
        let tree = parse(html).unwrap();
        let kept = left_out::filter(&tree, 10_000, true);
        target(&kept, base, tree.ids().find(|id| tree.tag(*id) == Some(Tag::A)).unwrap())
    }

    /// As Cloudflare writes it.
    fn hidden(address: &str, key: u8) -> String {
        std::iter::once(key).chain(address.bytes().map(|byte| byte ^ key)).map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn a_link_leads_to_an_absolute_address_that_readers_may_follow() {
        for (href, expected) in [
            ("https://x.example/a_(b)?c=d e", Some("https://x.example/a_%28b%29?c=d%20e")),
            ("../b#c", Some("https://help.example.com/b#c")),
            ("//x.example", Some("https://x.example/")),
            (" HTTP://x.example\\a ", Some("http://x.example/a")),
            ("?q=`", Some("https://help.example.com/articles/page?q=%60")),
            ("mailto:help@x.example?subject=Hi there", Some("mailto:help@x.example?subject=Hi%20there")),
            ("tel:+49 (0)30 / 1234-5", Some("tel:+49030/1234-5")),
            ("tel:*21%23", Some("tel:*21%23")),
            ("TEL:+49301234", Some("tel:+49301234")),
            ("#part", None),
            ("", None),
            ("tel:", None),
            ("mailto:?subject=Share", None),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("ftp://x.example", None),
            ("blob:https://x.example/1", None),
        ] {
            let found = link(&format!("<a href=\"{href}\">x</a>"), base().as_ref());
            assert_eq!(found, expected.map_or(Target::None, |link| Target::Link(link.to_owned())), "{href}");
        }
        let long = format!("<a href=\"mailto:help@x.example?body={}\">x</a>", "y".repeat(600));
        assert_eq!(link(&long, None), Target::Link("mailto:help@x.example".to_owned()));
        assert_eq!(link(&format!("<a href='/{}'>x</a>", "y".repeat(600)), base().as_ref()), Target::None);
        assert_eq!(link("<a href='/b'>x</a>", None), Target::None, "relative to nothing");
    }

    #[test]
    fn of_other_links_the_number_or_name_is_told() {
        for (href, expected) in
            [("sms:+49123", "+49123"), ("whatsapp://send?phone=49123&amp;text=a", "49123"), ("skype:bob?call", "bob")]
        {
            let found = link(&format!("<a href='{href}'>x</a>"), base().as_ref());
            assert_eq!(found, Target::Contact(expected.to_owned()), "{href}");
        }
    }

    #[test]
    fn the_first_base_counts_and_is_resolved_by_the_page() {
        for (html, expected) in [
            ("<base target=_blank><base href=/docs/><base href=/other/>", "https://help.example.com/docs/"),
            ("<head><base href='https://x.example/a/'></head>", "https://x.example/a/"),
            ("<base href='data:text/html,x'>", PAGE),
            ("<base href='https://'>", PAGE),
            ("<p>none", PAGE),
        ] {
            assert_eq!(base_of(&parse(html).unwrap(), base().as_ref()).unwrap().as_str(), expected, "{html}");
        }
        let alone = |html| base_of(&parse(html).unwrap(), None).map(String::from);
        assert_eq!(alone("<base href='https://x.example/a'>").as_deref(), Some("https://x.example/a"));
        assert_eq!(alone("<base href=/a>"), None);
    }

    #[test]
    fn a_hidden_mail_address_is_read_in_every_form() {
        let (code, more) = (hidden("help@x.example", 0x42), hidden("help@x.example?subject=a b", 7));
        for (html, text, address) in [
            (
                format!("<a href={HIDING_PATH}#{code}>[email&#160;protected]</a>"),
                Some("help@x.example"),
                "help@x.example",
            ),
            (format!("<a href={HIDING_PATH}#{more}>Write</a>"), None, "help@x.example?subject=a%20b"),
            (
                format!("<a href={HIDING_PATH} class=x data-cfemail={code}>[email&#160;protected]</a>"),
                Some("help@x.example"),
                "help@x.example",
            ),
            (
                format!(
                    "<a href=//x.example{HIDING_PATH}#{more}><i data-cfemail={code}>[email&#160;protected]</i></a>"
                ),
                Some("help@x.example"),
                "help@x.example?subject=a%20b",
            ),
            (
                format!("<a href={HIDING_PATH}><span data-cfemail={code}>[email protected]</span></a>"),
                Some("help@x.example"),
                "help@x.example",
            ),
        ] {
            let tree = parse(&html).unwrap();
            let id = tree.ids().find(|id| tree.tag(*id) == Some(Tag::A)).unwrap();
            assert_eq!(hidden_email(&tree, id).as_deref(), text, "{html}");
            assert_eq!(link(&html, base().as_ref()), Target::Link(format!("mailto:{address}")), "{html}");
        }
    }

    #[test]
    fn what_hides_no_mail_address_says_nothing() {
        for code in [
            "",
            "4",
            "42",
            "zz12",
            "42e",
            &hidden("<b>@x.example", 1),
            &hidden("javascript:x", 2),
            &hidden("a@b", 3),
            "ééé",
        ] {
            let html =
                format!("<a href='{HIDING_PATH}#{code}'><span data-cfemail='{code}'>[email&#160;protected]</span></a>");
            let tree = parse(&html).unwrap();
            let span = tree.ids().find(|id| tree.tag(*id) == Some(Tag::Span)).unwrap();
            assert_eq!(hidden_email(&tree, span).as_deref(), Some(""), "{code}");
            assert_eq!(link(&html, base().as_ref()), Target::None, "{code}");
        }
    }

    #[test]
    fn a_page_tells_the_numbers_and_addresses_behind_its_links() {
        let code = hidden("help@x.example", 9);
        for (html, expected) in [
            ("<a href=tel:+49301234>Call us</a> now.", "[Call us](tel:+49301234) now."),
            ("<a href=sms:+49301234>Text us</a> now.", "Text us (+49301234) now."),
            ("<a href=callto:+49301234>030 1234</a> or skype.", "030 1234 or skype."),
            ("<a href=whatsapp:+49301234>Chat</a>, <a href='#top'>top</a>.", "Chat (+49301234), top."),
            ("<a href='javascript:x()'>Print</a> <a href=data:x>this</a>.", "Print this."),
            ("<base href=/b/><a href=c>More</a> on this.", "[More](https://help.example.com/b/c) on this."),
            (&format!("Write to <a href={HIDING_PATH}#{code}>[email&#160;protected]</a>."), "Write to help@x.example."),
            (&format!("<a href={HIDING_PATH}#{code}>Write</a> to us."), "[Write](mailto:help@x.example) to us."),
            (
                &format!("At <span class=__cf_email__ data-cfemail={code}>[email&#160;protected]</span> too."),
                "At help@x.example too.",
            ),
            ("At <span data-cfemail=123>[email&#160;protected]</span> we read.", "At we read."),
            ("At <a href=/cdn-cgi/l/email-protection#>[email&#160;protected]</a> we read.", "At we read."),
        ] {
            let (text, url) = (format!("<p>This is our page. {html}"), base());
            let page = Page { text: &text, kind: Some(Kind::Html), url: url.as_ref(), name: "Page" };
            assert_eq!(drafts(&page).unwrap()[0].content, format!("This is our page. {expected}"), "{html}");
        }
    }
}
