//! Directives and marks inside a line; a tag may take several lines.

use super::directive::{self, Form, literal};
use super::line::{attribute_list, head, icon, keys, tail};
use super::marks::is_expression;
use super::state::Reader;

/// The characters that begin a directive or a mark.
const SPECIAL: [char; 13] = ['\n', '\\', '`', '<', '{', '[', ']', ')', ':', '+', '=', '^', '!'];
/// A longer name of a page is text, in bytes.
const MAX_PAGE_BYTES: usize = 300;
/// The names under which Jekyll and MkDocs know a site.
const SITE: [&str; 6] = ["site.", "page.", "layout.", "include.", "config.", "$"];

impl<'t> Reader<'t> {
    /// Reads up to the end of the line.
    pub(super) fn scan(&mut self) {
        loop {
            let rest = tail(self.text, self.at);
            let plain = head(rest, rest.find(SPECIAL).unwrap_or(rest.len()));
            self.copy_bytes(plain.len());
            let Some(c) = tail(rest, plain.len()).chars().next().filter(|c| *c != '\n') else { return };
            if !self.special(c) {
                self.copy_bytes(c.len_utf8());
            }
        }
    }

    /// Reads what begins with a special character. False if it is text.
    fn special(&mut self, c: char) -> bool {
        let rest = tail(self.text, self.at);
        if self.is_literal {
            let end = directive::liquid(rest).filter(|tag| tag.form == Form::Close && tag.name == "raw");
            self.is_literal = end.is_none();
            return end.is_some_and(|end| self.replace(end.len, ""));
        }
        match c {
            '`' => self.code(),
            '\\' => {
                self.copy_bytes(1 + usize::from(tail(rest, 1).starts_with(|c: char| c.is_ascii_punctuation())));
                true
            }
            ']' => {
                self.in_target = rest.starts_with("](");
                false
            }
            ')' => {
                self.in_target = false;
                false
            }
            '{' => self.braces(rest),
            _ if self.in_target => false,
            '<' => self.angle(rest),
            '[' | '!' => self.page_link(rest),
            ':' => self.icon(rest),
            _ => self.mark(rest),
        }
    }

    /// Copies a code span, or marks that open none.
    fn code(&mut self) -> bool {
        let rest = tail(self.text, self.at);
        let run = rest.bytes().take_while(|b| *b == b'`').count();
        let end = self.code_end(run).unwrap_or(run);
        self.copy_bytes(end);
        true
    }

    /// The length of the code span that begins here with so many marks.
    fn code_end(&mut self, run: usize) -> Option<usize> {
        if self.paragraph_end <= self.at {
            self.paragraph_end = self.at + paragraph(tail(self.text, self.at));
        }
        let known = self.open_code.get_mut(run)?;
        if *known > self.at {
            return None;
        }
        let rest = head(tail(self.text, self.at), self.paragraph_end - self.at);
        let mut at = run;
        while let Some(next) = tail(rest, at).find('`') {
            let from = at + next;
            let length = tail(rest, from).bytes().take_while(|b| *b == b'`').count();
            at = from + length;
            if length == run {
                return Some(at);
            }
        }
        *known = self.paragraph_end;
        None
    }

    fn braces(&mut self, rest: &'t str) -> bool {
        if rest.starts_with("{{") {
            return self.double_braces(rest);
        }
        if rest.starts_with("{%") {
            return directive::liquid(rest).is_some_and(|directive| self.directive(directive));
        }
        if self.in_target {
            return false;
        }
        if rest.starts_with("{/*") {
            return self.find_end("*/}").is_some_and(|end| self.replace(end, ""));
        }
        self.critic(rest) || self.attribute_list(rest) || (self.marks.is_mdx && self.expression(rest))
    }

    /// A shortcode, or a variable. One of the site is not known here.
    fn double_braces(&mut self, rest: &'t str) -> bool {
        for (open, close) in [("{{</*", "*/>}}"), ("{{%/*", "*/%}}")] {
            if let Some(inner) = directive::between(rest, open, close) {
                let shown = format!("{}{}{}", head(open, 3), inner, tail(close, 2));
                return self.replace(inner.len() + 10, &shown);
            }
        }
        if let Some(directive) = directive::shortcode(rest) {
            return self.directive(directive);
        }
        let Some(inner) = directive::between(rest, "{{", "}}").filter(|inner| !inner.contains('\n')) else {
            return false;
        };
        let name = inner.trim_matches('-').trim();
        let is_comment = name.starts_with("/*");
        let text = literal(name.split('|').next().unwrap_or_default().trim());
        let is_object = self.marks.is_mdx && name.contains(": ");
        if text.is_none()
            && !is_comment
            && !is_object
            && !self.marks.is_liquid
            && !SITE.iter().any(|site| name.starts_with(site))
        {
            self.copy_bytes(inner.len() + 4);
            return true;
        }
        self.replace(inner.len() + 4, &text.unwrap_or_default())
    }

    fn attribute_list(&mut self, rest: &'t str) -> bool {
        let attached = self.line.ends_with([')', ']', '`', '*', '>']);
        let Some(length) = attribute_list(rest, attached, self.line.is_empty()) else { return false };
        let line_end = tail(rest, length);
        let ends = head(line_end, line_end.find('\n').unwrap_or(line_end.len())).trim().is_empty();
        let of_heading = ends && self.line.starts_with('#') && !rest.starts_with("{:");
        !of_heading && self.replace(length, "")
    }

    /// An expression of MDX. A string is its text.
    fn expression(&mut self, rest: &'t str) -> bool {
        let Some(length) = directive::braces(rest) else { return false };
        let inner = head(rest, length - 1).get(1..).unwrap_or_default().trim();
        match literal(inner) {
            Some(text) => self.replace(length, &text),
            None if is_expression(inner) => self.replace(length, ""),
            None => false,
        }
    }

    /// `{++new++}`, `{--old--}`, `{~~old~>new~~}`, `{==marked==}`, `{>>comment<<}`.
    fn critic(&mut self, rest: &'t str) -> bool {
        let marks = [("{++", "++}"), ("{--", "--}"), ("{~~", "~~}"), ("{==", "==}"), ("{>>", "<<}")];
        let Some((open, close)) = marks.into_iter().find(|(open, _)| rest.starts_with(open)) else { return false };
        let Some(inner) = directive::between(rest, open, close).filter(|inner| !inner.contains('\n')) else {
            return false;
        };
        let shown = match open {
            "{++" | "{==" => inner,
            "{~~" => inner.split_once("~>").map_or("", |(_, new)| new),
            _ => "",
        };
        self.replace(inner.len() + 6, shown)
    }

    /// `[[Page|text]]`; an embedded page is not known here.
    fn page_link(&mut self, rest: &'t str) -> bool {
        let embeds = rest.starts_with('!');
        let Some(inner) = rest.trim_start_matches('!').strip_prefix("[[") else { return false };
        let inner = head(inner, MAX_PAGE_BYTES);
        let Some(end) = inner.find([']', '[', '\n']) else { return false };
        let (page, after) = (head(inner, end), tail(inner, end));
        if !after.starts_with("]]") || after.starts_with("]](") || page.trim() != page || page.is_empty() {
            return false;
        }
        let text = page
            .rsplit_once('|')
            .map_or_else(|| page.trim_start_matches('#').replace('#', " > "), |(_, t)| t.to_owned());
        let length = page.len() + 4 + usize::from(embeds);
        self.replace(length, if embeds || text == "toc" { "" } else { text.trim() })
    }

    fn icon(&mut self, rest: &'t str) -> bool {
        let Some((length, shown)) = icon(rest, self.is_inline && !self.line.starts_with(['#', '>'])) else {
            return false;
        };
        let attribute = attribute_list(tail(rest, length), true, false).unwrap_or_default();
        self.replace(length + attribute, shown)
    }

    /// `++ctrl+c++`, `==marked==`, `^^inserted^^`.
    fn mark(&mut self, rest: &'t str) -> bool {
        if self.line.ends_with(|c: char| c.is_alphanumeric() || "+=^/&?".contains(c)) {
            return false;
        }
        if let Some((length, shown)) = keys(rest) {
            return self.replace(length, &shown);
        }
        let Some(mark) = ["==", "^^"].into_iter().find(|mark| rest.starts_with(mark)) else { return false };
        let inner = head(tail(rest, 2), MAX_PAGE_BYTES);
        let inner = head(inner, inner.find('\n').unwrap_or(inner.len()));
        let Some(inner) = inner.find(mark).map(|end| head(inner, end)) else { return false };
        let after = tail(rest, inner.len() + 4);
        let clear = !inner.is_empty() && inner.trim() == inner && !inner.starts_with(['=', '^']);
        clear
            && !after.starts_with(|c: char| c == '=' || c == '^' || c.is_alphanumeric())
            && self.replace(inner.len() + 4, inner)
    }
}

/// The length of the paragraph at the start of the text: a blank line ends it, or one that begins with a mark.
fn paragraph(text: &str) -> usize {
    let mut length = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let start = line.trim_start();
        let goes_on = start.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '`' | '(' | '"'))
            && !start.starts_with("```");
        if number > 0 && !goes_on {
            break;
        }
        length += line.len();
    }
    length
}
