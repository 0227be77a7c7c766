//! Builds one paragraph: collapses white space, keeps line breaks, emphasis, code and links, and writes all of it as
//! Markdown that reads back as the page shows it.
//!
//! While a paragraph is built, its text is literal, with a character of [`marks`] for each mark. `finish` writes the
//! Markdown, once it is known what is before and after each character. Raised and lowered text are exponents, marks of
//! footnotes, cents, ordinals and chemical formulas.

use text::sanitise;
use url::Url;

use super::address::{self, Target};
use super::block::BlockKind;
use super::content_filter::ContentFilter;
use super::image;
use super::marks::{self, BREAK, Mark};
use super::tree::{Attr, Id, Tag};

/// So much of the text after a raised one says whether it is a price, in bytes.
const MAX_AFTER_BYTES: usize = 16;
/// A longer raised text is small print, in bytes.
const MAX_SCRIPT_BYTES: usize = 16;

/// A paragraph.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Literal text, with marks.
    text: String,
    /// The code and links that the marks stand for, in their order.
    codes: Vec<String>,
    targets: Vec<Option<String>>,
    /// White space was read and not yet written.
    space: bool,
    /// The emphasis that is open: marks inside marks of their kind say nothing.
    open: Vec<Mark>,
    /// Links with text, and how many of the text's characters are theirs.
    links: usize,
    link_chars: usize,
    /// Characters of the page in the text, without white space and marks.
    chars: usize,
    /// The line breaks in the text.
    breaks: usize,
    /// Images as Markdown, and the line that each is in; none before the text.
    images: Vec<(Option<usize>, String)>,
}

impl Line {
    /// An element's text without markup, on one line, without links to itself.
    pub(super) fn plain(kept: &ContentFilter<'_>, id: Id) -> String {
        let mut line = Self::default();
        line.add_plain(kept, id);
        line.text.trim().to_owned()
    }

    fn add_plain(&mut self, kept: &ContentFilter<'_>, id: Id) {
        for child in kept.children(id) {
            if let Some(text) = kept.tree.text(child) {
                self.text(text);
                continue;
            }
            let tag = kept.tree.tag(child).unwrap_or(Tag::Other);
            match tag {
                _ if self.hidden_email(kept, child) => {}
                Tag::A if is_anchor(kept, child) => {}
                Tag::Br => self.space = true,
                Tag::Sup => self.script(kept, None, child, Script::Super),
                Tag::Sub => self.script(kept, None, child, Script::Sub),
                _ => {
                    self.space |= tag.is_block() || self.is_apart(kept, child);
                    self.add_plain(kept, child);
                    self.space |= tag.is_block();
                }
            }
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        for c in text.chars().filter(|c| !marks::is_mark(*c)) {
            if c.is_whitespace() {
                self.space = true;
            } else {
                self.begin_word();
                self.text.push(c);
                self.chars += 1;
            }
        }
    }

    pub(super) fn newline(&mut self) {
        self.space = false;
        if !self.text.is_empty() {
            self.text.push(BREAK);
            self.breaks += 1;
        }
    }

    /// Writes the space before a word; one inside emphasis that has just begun is before the emphasis.
    fn begin_word(&mut self) {
        if !std::mem::take(&mut self.space) {
            return;
        }
        let begun = self.text.trim_end_matches(marks::opens).len();
        if self.text.get(..begun).is_some_and(|before| !before.is_empty() && !before.ends_with(BREAK)) {
            self.text.insert(begun, ' ');
        }
    }

    /// Adds an inline element that holds no block.
    pub(super) fn element(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id, tag: Tag) {
        self.space |= self.is_apart(kept, id);
        match tag {
            _ if tag != Tag::A && self.hidden_email(kept, id) => {}
            Tag::Br => self.newline(),
            Tag::Img => {
                let line = (self.chars > 0).then_some(self.breaks);
                self.images.extend(image::markdown(kept, base, id).map(|image| (line, image)));
            }
            Tag::Wbr => {}
            Tag::Strong | Tag::B => self.marked(kept, base, id, Mark::Strong),
            Tag::Em | Tag::I => self.marked(kept, base, id, Mark::Emphasis),
            Tag::Del | Tag::S | Tag::Strike => self.marked(kept, base, id, Mark::Strike),
            Tag::Code | Tag::Samp | Tag::Tt | Tag::Kbd => self.code(kept, id),
            Tag::A => self.link(kept, base, id),
            Tag::Sup => self.script(kept, base, id, Script::Super),
            Tag::Sub => self.script(kept, base, id, Script::Sub),
            _ => self.nested(kept, base, id),
        }
    }
    fn nested(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) {
        for child in kept.children(id) {
            match kept.tree.text(child) {
                Some(text) => self.text(text),
                None => self.element(kept, base, child, kept.tree.tag(child).unwrap_or(Tag::Other)),
            }
        }
    }

    /// Adds the mail address that an element hides; whether it does.
    fn hidden_email(&mut self, kept: &ContentFilter<'_>, id: Id) -> bool {
        let email = address::hidden_email(kept.tree, id);
        self.text(email.as_deref().unwrap_or_default());
        email.is_some()
    }

    /// Whether nothing is said but where links lead.
    pub(super) const fn is_links(&self) -> bool {
        self.links > 0 && self.link_chars * 10 >= self.chars * 9
    }

    /// Links with text.
    pub(super) const fn links(&self) -> usize {
        self.links
    }

    /// Whether an element follows another without a space between that a style sheet sets apart: `3 months ago` and
    /// `Updated`.
    fn is_apart(&self, kept: &ContentFilter<'_>, id: Id) -> bool {
        let is_part = |id: Id| matches!(kept.tree.tag(id), Some(Tag::Span | Tag::Time | Tag::Small | Tag::Label));
        let follows = is_part(id) && kept.tree.before(id).next().is_some_and(is_part);
        let begins_word = follows
            && self.text.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
            && kept.tree.text_up_to(id, 0).starts_with(char::is_uppercase);
        begins_word || follows_its_like(kept, id)
    }

    fn marked(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id, mark: Mark) {
        if self.open.contains(&mark) {
            return self.nested(kept, base, id);
        }
        self.open.push(mark);
        // Bold text right after bold text goes on.
        if !self.space && self.text.ends_with(mark.closing()) {
            self.text.pop();
        } else {
            self.put(mark.opening());
        }
        self.nested(kept, base, id);
        self.open.pop();
        self.close(mark);
    }

    /// Ends a mark, or takes it back if nothing is in it.
    fn close(&mut self, mark: Mark) {
        if self.text.ends_with(mark.opening()) {
            self.text.pop();
        } else {
            self.text.push(mark.closing());
        }
    }

    /// Adds a mark that begins something, with the space before it.
    fn put(&mut self, mark: char) {
        self.begin_word();
        self.text.push(mark);
    }

    fn code(&mut self, kept: &ContentFilter<'_>, id: Id) {
        let whole = kept.tree.whole_text(id);
        let text = whole.split_whitespace().collect::<Vec<_>>().join(" ");
        self.space |= whole.starts_with(char::is_whitespace);
        if !text.is_empty() {
            self.chars += text.chars().filter(|c| !c.is_whitespace()).count();
            // Code right after code would be no two spans in Markdown.
            match self.codes.last_mut() {
                Some(before) if !self.space && self.text.ends_with(Mark::Code.opening()) => before.push_str(&text),
                _ => {
                    self.put(Mark::Code.opening());
                    self.codes.push(text);
                }
            }
        }
        self.space |= whole.ends_with(char::is_whitespace);
    }

    /// Raised and lowered text; digits stay apart from those before them.
    fn script(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id, kind: Script) {
        // Not the plain text, which would read each of nested raised texts twice as often as the one around it.
        let text = kept.tree.text_up_to(id, MAX_SCRIPT_BYTES).split_whitespace().collect::<Vec<_>>().join(" ");
        if text.len() > MAX_SCRIPT_BYTES || kept.facts(id).links > 0 && !text.contains(|c: char| c.is_ascii_digit()) {
            return self.nested(kept, base, id);
        }
        let after =
            kept.tree.after(id).next().map(|next| kept.tree.text_up_to(next, MAX_AFTER_BYTES)).unwrap_or_default();
        let written = write_moved(self.text.trim_end_matches(marks::is_mark), &text, kind, &after);
        self.text(&written);
    }

    fn link(&mut self, kept: &ContentFilter<'_>, base: Option<&Url>, id: Id) {
        let (chars, breaks, at, codes) = (self.chars, self.breaks, self.targets.len(), self.codes.len());
        self.put(Mark::Link.opening());
        self.targets.push(None);
        if !self.hidden_email(kept, id) {
            self.nested(kept, base, id);
        }
        let start = self.text.rfind(Mark::Link.opening()).map_or(0, |at| at + Mark::Link.opening().len_utf8());
        let inner = self.text.get(start..).unwrap_or_default();
        let says = inner.chars().any(|c| !marks::is_mark(c) && c != BREAK || c == Mark::Code.opening());
        if !says || is_anchor(kept, id) {
            self.text.truncate(start);
            self.text.pop();
            self.targets.truncate(at);
            self.codes.truncate(codes);
            (self.chars, self.breaks) = (chars, breaks);
            return;
        }
        if kept.tree.attr(id, Attr::Href).is_some() {
            self.links += 1;
            self.link_chars += self.chars - chars;
        }
        match address::target(kept, base, id) {
            Target::Link(target) if !address::same_address(&marks::literal(inner), &target) => {
                self.targets.get_mut(at).into_iter().for_each(|known| *known = Some(target.clone()));
            }
            Target::Contact(contact) if !sanitise::says_contact(inner, &contact) => self.text(&format!(" ({contact})")),
            _ => {}
        }
        self.text.push(Mark::Link.closing());
    }

    /// The paragraphs, parted by two line breaks in a row, and the images, each behind the paragraph that it is in: as
    /// Markdown.
    pub(super) fn finish(self) -> Vec<(BlockKind, String)> {
        let parts = self.text.trim_matches(BREAK);
        let mut writer = marks::Writer::new(&self.codes, &self.targets);
        let mut images = self.images.into_iter().peekable();
        let mut written = Vec::new();
        let mut add_images = |written: &mut Vec<_>, before: Option<usize>| {
            while let Some((_, image)) =
                images.next_if(|(line, _)| before.is_none_or(|before| line.is_none_or(|line| line < before)))
            {
                written.push((BlockKind::Image, image));
            }
        };
        add_images(&mut written, Some(0));
        let mut line = 0;
        for part in marks::paragraphs(parts) {
            written.push((BlockKind::Prose, writer.write(part.trim_matches(BREAK))));
            line += part.matches(BREAK).count() + 2;
            add_images(&mut written, Some(line));
        }
        add_images(&mut written, None);
        written.retain(|(_, text)| !text.is_empty());
        written
    }

    /// The question that the paragraph is, all of it in bold.
    pub(super) fn bold_question(&self) -> Option<String> {
        let inner = self.text.trim().strip_prefix(Mark::Strong.opening())?.strip_suffix(Mark::Strong.closing())?;
        let asks = inner.ends_with(['?', '？', '؟']);
        let is_one = !inner.contains([Mark::Strong.closing(), Mark::Code.opening(), BREAK]);
        (asks && is_one && inner.chars().count() <= 200).then(|| marks::literal(inner))
    }
}

/// `#`, `¶`, and the like next to a heading: a link to the heading itself.
fn is_anchor(kept: &ContentFilter<'_>, id: Id) -> bool {
    let local = kept.tree.attr(id, Attr::Href).is_some_and(|href| href.contains('#'));
    let text = kept.tree.text_up_to(id, 20);
    let text = text.trim();
    local
        && (text.is_empty()
            || matches!(text, "#" | "¶" | "§" | "🔗" | "\u{200B}" | "[link]" | "Link" | "Anchor" | "link"))
}

/// Whether a button is right behind a button, or a span behind one of its class, each with more than a letter: labels
/// that a style sets apart.
fn follows_its_like(kept: &ContentFilter<'_>, id: Id) -> bool {
    let label = |id: Id| match kept.tree.tag(id)? {
        Tag::Button => Some("button"),
        Tag::Span if kept.facts(id).chars > 1 => kept.tree.attr(id, Attr::Class)?.split_whitespace().next(),
        _ => None,
    };
    label(id).is_some_and(|class| kept.tree.before(id).next().and_then(label) == Some(class))
}

/// The way in which a text is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Super,
    Sub,
}

/// Abbreviations of currencies next to amounts.
const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "kr", "zł", "Kč", "Ft", "lei"];
/// Raised and lowered digits and signs.
const FORMS: [&str; 2] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"];
/// The most letters of an ordinal's ending or an abbreviation: `1st`, `Mme`.
const MAX_ENDING_CHARS: usize = 3;

/// A moved text as it is written between `before` and `after`, so that no digit joins a number that it is no part of.
fn write_moved(before: &str, text: &str, script: Script, after: &str) -> String {
    let digits = text.chars().all(|c| c.is_ascii_digit());
    let last = before.chars().next_back();
    match script {
        _ if text.is_empty() => String::new(),
        Script::Super if digits && text.len() == 2 && is_price(before, after) => format!(".{text}"),
        Script::Sub if digits && !last.is_some_and(|c| c.is_ascii_digit()) => text.to_owned(),
        Script::Super | Script::Sub if text.chars().all(|c| moved(c, script).is_some()) => {
            // Two marks of footnotes side by side are no number.
            let apart = last.is_some_and(|c| FORMS.iter().any(|forms| forms.contains(c)));
            apart.then_some(' ').into_iter().chain(text.chars().filter_map(|c| moved(c, script))).collect()
        }
        Script::Super if matches!(text, "TM" | "tm") => "™".to_owned(),
        Script::Super if text == "R" && last.is_some_and(char::is_alphabetic) => "®".to_owned(),
        Script::Super if joins_words(last, text) => format!(" {text}"),
        Script::Super | Script::Sub => text.to_owned(),
    }
}

/// Whether a number before cents belongs to a currency before or after it.
fn is_price(before: &str, after: &str) -> bool {
    let amount = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.');
    let is_sign = |c: char| matches!(c, '$' | '¢' | '£' | '¥' | '\u{20A0}'..='\u{20CF}');
    let (ahead, behind) = (amount.trim_end(), after.trim_start());
    amount.len() < before.len()
        && before.ends_with(|c: char| c.is_ascii_digit())
        && (ahead.ends_with(is_sign)
            || behind.starts_with(is_sign)
            || CURRENCIES.iter().any(|name| ahead.ends_with(name) || behind.starts_with(name)))
}

/// Whether a raised word stands behind another word of which it is no ending.
fn joins_words(last: Option<char>, text: &str) -> bool {
    let is_ending = text.chars().count() <= MAX_ENDING_CHARS && text.chars().all(char::is_lowercase);
    last.is_some_and(char::is_alphanumeric) && text.starts_with(char::is_alphanumeric) && !is_ending
}

/// The raised or lowered form of a character of a number.
fn moved(c: char, script: Script) -> Option<char> {
    let [raised, lowered] = FORMS;
    let forms = if script == Script::Super { raised } else { lowered };
    match c {
        '−' | '–' => moved('-', script),
        'n' if script == Script::Super => Some('ⁿ'),
        ',' | ' ' => Some(c),
        c => "0123456789+-=()".chars().zip(forms.chars()).find(|(from, _)| *from == c).map(|(_, to)| to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_digits_join_no_number() {
        for (before, text, after, expected) in [
            ("5", "1", " devices", "¹"),
            ("5¹", "2", " devices", " ²"),
            ("10", "-3", "", "⁻³"),
            ("m", "2", "", "²"),
            ("x", "n", "", "ⁿ"),
            ("€19", "99", "", ".99"),
            ("now 19", "99", " €", ".99"),
            ("1,299", "00", " EUR", ".00"),
            ("page 19", "99", "", "⁹⁹"),
            ("word", "1, 2", "", "¹, ²"),
            ("1", "st", "", "st"),
            ("M", "me", "", "me"),
            ("Acme", "TM", "", "™"),
            ("Export", "beta", "", " beta"),
            ("free", "*", "", "*"),
        ] {
            assert_eq!(write_moved(before, text, Script::Super, after), expected, "{before} {text}");
        }
        for (before, text, expected) in [("CO", "2", "2"), ("10", "2", "₂"), ("V", "max", "max")] {
            assert_eq!(write_moved(before, text, Script::Sub, ""), expected, "{before} {text}");
        }
    }
}
