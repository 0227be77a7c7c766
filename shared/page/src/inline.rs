//! Builds one paragraph: collapses white space, and writes emphasis, code and links as Markdown.

use text::sanitise;
use url::Url;

use super::address::{Target, hidden_email, same_address, target};
use super::content_filter::ContentFilter;
use super::escape;
use super::names::{Attr, Tag};
use super::tree::Id;

/// A paragraph.
#[derive(Debug, Default)]
pub(super) struct Line {
    text: String,
    /// The text is not Markdown, so nothing in it is escaped.
    plain: bool,
    /// White space was read and not yet written.
    space: bool,
    /// Links with text, and how many of the text's characters are theirs.
    links: usize,
    link_chars: usize,
    /// Characters of the page in the text, without white space and marks.
    chars: usize,
}

impl Line {
    /// An element's text without markup, on one line, without links to itself and without buttons next to other text.
    pub(super) fn plain(kept: &ContentFilter<'_>, id: Id) -> String {
        let mut line = Self { plain: true, ..Self::default() };
        line.add_plain(kept, id, kept.facts(id).chars);
        line.text.replace('\n', " ").trim().to_owned()
    }

    fn add_plain(&mut self, kept: &ContentFilter<'_>, id: Id, all: usize) {
        for child in kept.children(id) {
            if let Some(text) = kept.tree.text(child) {
                self.text(text);
                continue;
            }
            let tag = kept.tree.tag(child).unwrap_or(Tag::Other);
            match tag {
                _ if self.hidden_email(kept, child) => {}
                Tag::A if is_anchor(kept, child) => {}
                Tag::Button if kept.facts(child).chars < all => {}
                Tag::Br => self.space = true,
                _ => {
                    self.space |= tag.is_block();
                    self.add_plain(kept, child, all);
                    self.space |= tag.is_block();
                }
            }
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars() {
            if c.is_whitespace() {
                self.space = true;
            } else {
                self.begin_word();
                self.push(c);
                self.chars += 1;
            }
        }
    }

    pub(super) fn newline(&mut self) {
        self.space = false;
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    fn push(&mut self, c: char) {
        if self.plain {
            self.text.push(c);
        } else {
            escape::push(&mut self.text, c);
        }
    }

    fn begin_word(&mut self) {
        if self.space && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.space = false;
    }

    /// Adds an inline element that holds no block.
    pub(super) fn element(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id, tag: Tag) {
        match tag {
            _ if tag != Tag::A && self.hidden_email(kept, id) => {}
            Tag::Br => self.newline(),
            Tag::Img | Tag::Button | Tag::Wbr => {}
            Tag::Strong | Tag::B => self.marked(kept, base, id, "**"),
            Tag::Em | Tag::I => self.marked(kept, base, id, "*"),
            Tag::Code | Tag::Samp | Tag::Tt | Tag::Kbd => self.code(kept, id),
            Tag::A => self.link(kept, base, id),
            Tag::Del | Tag::S | Tag::Strike => self.marked(kept, base, id, "~~"),
            _ => self.nested(kept, base, id),
        }
    }

    fn hidden_email(&mut self, kept: &ContentFilter<'_>, id: Id) -> bool {
        let email = hidden_email(kept.tree, id);
        self.text(email.as_deref().unwrap_or_default());
        email.is_some()
    }

    pub(super) fn nested(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) {
        for child in kept.children(id) {
            match kept.tree.text(child) {
                Some(text) => self.text(text),
                None => self.element(kept, base, child, kept.tree.tag(child).unwrap_or(Tag::Other)),
            }
        }
    }

    /// Whether nothing is said but where links lead.
    pub(super) const fn is_links(&self) -> bool {
        self.links > 0 && self.link_chars * 10 >= self.chars * 9
    }

    /// Links with text.
    pub(super) const fn links(&self) -> usize {
        self.links
    }

    /// The content of an element as Markdown, and whether it begins and ends with white space.
    fn inner(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) -> (bool, String, bool) {
        let mut inner = Self::default();
        if !inner.hidden_email(kept, id) {
            inner.nested(kept, base, id);
        }
        self.links += inner.links;
        self.link_chars += inner.link_chars;
        self.chars += inner.chars;
        let (before, after) = kept.tree.edges(id);
        (before, inner.text.trim().to_owned(), after)
    }

    fn put(&mut self, (before, text, after): (bool, String, bool)) {
        self.space |= before;
        if !text.is_empty() {
            self.begin_word();
            let mut chars = text.chars();
            chars.next().into_iter().for_each(|first| self.push(first));
            self.text.push_str(chars.as_str());
        }
        self.space |= after;
    }

    fn marked(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id, mark: &str) {
        let (before, text, after) = self.inner(kept, base, id);
        // Marks inside marks, and around lines, read worse than none.
        let plain = text.is_empty() || text.contains(mark) || text.contains('\n') || self.text.ends_with(mark);
        let text = if plain { text } else { format!("{mark}{text}{mark}") };
        self.put((before, text, after));
    }

    fn code(&mut self, kept: &ContentFilter<'_>, id: Id) {
        let whole = kept.tree.whole_text(id);
        let text = whole.split_whitespace().collect::<Vec<_>>().join(" ");
        self.chars += text.chars().filter(|c| !c.is_whitespace()).count();
        let text = match (text.is_empty(), text.contains('`')) {
            (true, _) => text,
            (false, true) => format!("`` {text} ``"),
            (false, false) => format!("`{text}`"),
        };
        self.put((whole.starts_with(char::is_whitespace), text, whole.ends_with(char::is_whitespace)));
    }

    fn link(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) {
        let (before, text, after) = self.inner(kept, base, id);
        if kept.tree.attr(id, Attr::Href).is_some() && !text.is_empty() {
            self.links += 1;
            self.link_chars += kept.facts(id).chars;
        }
        let text = match target(kept, base, id) {
            Target::Link(target) if !text.is_empty() && !text.contains(['[', ']', '\n']) => {
                if same_address(&text, &target) { text } else { format!("[{text}]({target})") }
            }
            Target::Contact(contact) if !sanitise::says_contact(&text, &contact) => {
                format!("{text} ({})", escape::escaped(&contact))
            }
            _ if is_anchor(kept, id) => String::new(),
            _ => text,
        };
        self.put((before, text, after));
    }

    /// The paragraph.
    pub(super) fn finish(self) -> String {
        let lines: Vec<&str> = self.text.lines().map(str::trim).collect();
        lines.join("\n").trim().to_owned()
    }

    /// The question that the paragraph is, all of it in bold.
    pub(super) fn bold_question(&self) -> Option<String> {
        let inner = self.text.trim().strip_prefix("**")?.strip_suffix("**")?;
        let asks = inner.ends_with(['?', '？', '؟']) && !inner.contains("**") && !inner.contains('\n');
        (asks && inner.chars().count() <= 200).then(|| inner.replace("&lt;", "<").replace("&amp;", "&"))
    }
}

/// `#`, `
///
/// ` and the like next to a heading: a link to the heading itself.
fn is_anchor(kept: &ContentFilter<'_>, id: Id) -> bool {
    let local = kept.tree.attr(id, Attr::Href).is_some_and(|href| href.starts_with('#') || href.contains('#'));
    let text = kept.tree.text_up_to(id, 20);
    let text = text.trim();
    local
        && (text.is_empty()
            || matches!(text, "#" | "¶" | "§" | "🔗" | "\u{200B}" | "[link]" | "Link" | "Anchor" | "link"))
}
