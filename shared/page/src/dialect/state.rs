//! The state of a text that is written again, and what is written of it: lines, and what a directive stands for.

use std::borrow::Cow;

use super::directive::{Directive, Role, Syntax};
use super::line::{self, head, spaces, tail};
use super::marks::Marks;
use crate::block::fence;

/// The most directives around a place. Deeper ones only leave their labels.
const MAX_DEPTH: usize = 20;
/// A longer address between angle brackets is text, in bytes.
const MAX_ADDRESS_BYTES: usize = 2_000;
/// The most columns before a directive: each line in it gets as many.
const MAX_COLUMNS: usize = 48;

/// A directive that is open.
#[derive(Debug)]
pub(super) struct Container<'t> {
    pub(super) syntax: Syntax,
    pub(super) name: &'t str,
    /// The HTML that ends it.
    pub(super) close: Cow<'t, str>,
    /// Columns before its tags as they are written here.
    pub(super) place: usize,
    /// Columns before its start tag in the source.
    pub(super) open: usize,
    /// Columns before its content in the source, once there is some.
    pub(super) content: Option<usize>,
    pub(super) arguments: &'t str,
}

/// A fence that is open.
#[derive(Debug)]
pub(super) struct Fence {
    pub(super) mark: char,
    pub(super) run: usize,
    /// Columns before its first line in the source, and as it is written.
    pub(super) columns: (usize, usize),
    /// The first column of the list item that holds it.
    pub(super) item: usize,
}

/// A text that is written again.
#[derive(Debug, Default)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The next byte.
    pub(super) at: usize,
    pub(super) marks: Marks<'t>,
    pub(super) out: String,
    pub(super) stack: Vec<Container<'t>>,
    /// The columns at which the open list items have their content.
    pub(super) list: Vec<usize>,
    pub(super) fence: Option<Fence>,
    /// The line that is written, without what is before it.
    pub(super) line: String,
    /// The indentation and the list marker that the next line gets.
    pub(super) prefix: Option<Cow<'t, str>>,
    pub(super) has_marker: bool,
    /// Columns before the current line in the source.
    pub(super) column: usize,
    /// Columns before the current line as it is written.
    pub(super) place: usize,
    /// The current line cannot hold a block.
    pub(super) is_inline: bool,
    /// A blank line was written for a block.
    pub(super) is_separated: bool,
    /// The last line was blank.
    pub(super) after_blank: bool,
    pub(super) in_indented_code: bool,
    pub(super) in_html: bool,
    /// Liquid is text.
    pub(super) is_literal: bool,
    /// The line is inside the target of a link.
    pub(super) in_target: bool,
    /// Marks that do not occur any more.
    missing: Vec<&'static str>,
    /// Where a paragraph ends up to which there is no end of code, by the length of its marks.
    pub(super) open_code: [usize; 16],
    pub(super) paragraph_end: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            marks: Marks::of(text),
            out: String::with_capacity(text.len()),
            after_blank: true,
            ..Self::default()
        }
    }

    /// The line at a byte, without its end.
    pub(super) fn line_at(&self, at: usize) -> &'t str {
        let rest = tail(self.text, at);
        head(rest, rest.find('\n').unwrap_or(rest.len()))
    }

    pub(super) fn set_prefix(&mut self, prefix: Cow<'t, str>, has_marker: bool) {
        self.prefix = Some(prefix);
        self.has_marker = has_marker;
    }

    /// The first column of the innermost list item.
    pub(super) fn item(&self) -> usize {
        self.list.last().copied().unwrap_or_default()
    }

    /// Ends the directives from one on.
    pub(super) fn close_to(&mut self, depth: usize) {
        while self.stack.len() > depth {
            let Some(container) = self.stack.pop() else { return };
            self.flush();
            self.prefix = None;
            self.place = container.place;
            self.leave_items(container.place);
            self.separate();
            if !container.close.is_empty() {
                self.push_block(&container.close);
            }
        }
    }

    /// Begins a directive with the HTML `start`, which `close` ends.
    pub(super) fn open(&mut self, directive: &Directive<'t>, start: &str, close: impl Into<Cow<'t, str>>) {
        self.flush();
        let Directive { syntax, name, arguments, .. } = *directive;
        if start.is_empty() {
            self.separate()
        } else {
            self.push_block(start)
        }
        if self.stack.len() < MAX_DEPTH && self.place <= MAX_COLUMNS {
            let (place, open) = (self.place, self.column);
            let close = close.into();
            self.stack.push(Container { syntax, name, close, place, open, content: None, arguments });
        } else if !start.is_empty() {
            self.push_block(&close.into());
        }
    }

    /// Writes lines with blank lines around.
    pub(super) fn push_block(&mut self, text: &str) {
        self.flush();
        self.separate();
        let indented =
            if self.place == 0 { text.to_owned() } else { text.replace('\n', &format!("\n{}", spaces(self.place))) };
        self.push(&indented);
        self.separate();
    }

    /// Writes the current line. False if there is nothing in it.
    pub(super) fn flush(&mut self) -> bool {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_start_matches([' ', '\t']);
        if text.trim().is_empty() {
            return false;
        }
        let is_tag =
            text.strip_prefix('<').is_some_and(|tag| tag.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/'));
        self.in_html |= self.after_blank && is_tag;
        self.push(text);
        self.after_blank = false;
        true
    }

    pub(super) fn push(&mut self, text: &str) {
        match self.prefix.take() {
            Some(prefix) => self.out.push_str(&prefix),
            None => self.out.push_str(&spaces(self.place)),
        }
        self.out.push_str(text);
        self.out.push('\n');
        self.is_separated = false;
    }

    /// Ends the block before with a blank line.
    pub(super) fn separate(&mut self) {
        if (self.has_marker && self.prefix.is_some()) || self.is_separated {
            return;
        }
        if !self.out.is_empty() && !self.out.ends_with("\n\n") && !self.out.ends_with("\n\r\n") {
            self.out.push('\n');
        }
        self.is_separated = true;
        self.after_blank = true;
        self.in_html = false;
    }

    pub(super) fn copy_bytes(&mut self, length: usize) {
        self.line.push_str(head(tail(self.text, self.at), length));
        self.at += length;
    }

    /// Leaves out so many bytes, and writes `shown` for them.
    pub(super) fn replace(&mut self, length: usize, shown: &str) -> bool {
        self.at += length;
        let is_space = self.line.ends_with(' ') && shown.trim().is_empty();
        self.line.push_str(if is_space { "" } else { shown });
        if shown.is_empty() {
            self.drop_space();
        }
        true
    }

    /// Leaves one space of those before and behind what was left out.
    pub(super) fn drop_space(&mut self) {
        if tail(self.text, self.at).chars().next().is_none_or(char::is_whitespace) {
            self.line.truncate(self.line.trim_end_matches([' ', '\t']).len());
        }
    }

    pub(super) fn copy_all(&mut self, length: usize) -> bool {
        self.copy_bytes(length);
        true
    }

    /// An address between angle brackets.
    pub(super) fn address(&mut self, rest: &'t str) -> bool {
        let inner = head(rest, MAX_ADDRESS_BYTES);
        let end = tail(inner, 1).find(['>', '<', ' ', '\n']).unwrap_or_default();
        head(inner, end).contains("://") && self.copy_all(end + 1)
    }

    /// The length up to the end of `mark`, wherever it is.
    pub(super) fn find_end(&mut self, mark: &'static str) -> Option<usize> {
        if self.missing.contains(&mark) {
            return None;
        }
        let found = tail(self.text, self.at).find(mark);
        if found.is_none() {
            self.missing.push(mark);
        }
        found.map(|at| at + mark.len())
    }

    pub(super) fn leave_items(&mut self, place: usize) {
        while self.list.last().is_some_and(|item| *item > place) {
            self.list.pop();
        }
    }
}

impl<'t> Reader<'t> {
    /// Opens what a directive stands for.
    pub(super) fn open_role(&mut self, directive: &Directive<'t>, role: Role) {
        match role {
            Role::Panel(label) => {
                let start = format!("<section role=\"tabpanel\" aria-label=\"{}\">", line::escaped(&label));
                self.open(directive, &start, "</section>");
            }
            Role::Note(title) => {
                self.open(directive, "<div class=\"admonition\">", "</div>");
                self.title(&title);
            }
            Role::Fold(title) if title.is_empty() => self.open(directive, "<details>", "</details>"),
            Role::Fold(title) => {
                let start = format!("<details>\n<summary>{}</summary>", line::escaped(&title));
                self.open(directive, &start, "</details>");
            }
            Role::Group(title) => {
                self.open(directive, "", "");
                self.title(&title);
            }
            Role::Text(_) | Role::Target(_) | Role::Code(_) | Role::Comment | Role::Literal => {}
        }
    }

    /// Writes a title in bold, if there is one.
    pub(super) fn title(&mut self, title: &str) {
        let title = bold(title);
        if !title.is_empty() {
            self.push_block(&title);
        }
    }

    /// Writes code between fences.
    pub(super) fn push_code(&mut self, code: &str, language: &str) {
        let fence = fence(code);
        let code = code.trim_matches(['\n', '\r']).trim_end();
        let indent = spaces(self.place);
        let lines: Vec<String> = code.lines().map(|line| format!("\n{indent}{line}")).collect();
        self.separate();
        self.push(&format!("{fence}{language}{}\n{indent}{fence}", lines.concat()));
        self.separate();
    }
}

/// A label in bold, or nothing.
pub(super) fn bold(label: &str) -> String {
    let label = line::without_icons(label).replace("**", "");
    let label = label.trim();
    if label.is_empty() { String::new() } else { format!("**{label}**") }
}
