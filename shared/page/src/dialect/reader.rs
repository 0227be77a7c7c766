//! Writes a text again line by line, with a stack of the directives that are open.

use std::borrow::Cow;

use super::line::{columns, marker, spaces, without_columns};
use super::marks::Marks;
use super::tag::{self, Directive, Syntax};
use super::{head, tail};

/// The most directives around a place. Deeper ones only leave their labels.
const MAX_DEPTH: usize = 20;
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

/// The state of a text that is written again.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    /// The next byte.
    pub(super) at: usize,
    pub(super) marks: Marks<'t>,
    pub(super) out: String,
    pub(super) stack: Vec<Container<'t>>,
    /// The columns at which the open list items have their content.
    list: Vec<usize>,
    pub(super) fence: Option<Fence>,
    /// The line that is written, without what is before it.
    pub(super) line: String,
    /// The indentation and the list marker that the next line gets.
    prefix: Option<Cow<'t, str>>,
    has_marker: bool,
    /// Columns before the current line in the source.
    pub(super) column: usize,
    /// Columns before the current line as it is written.
    pub(super) place: usize,
    /// The current line cannot hold a block.
    pub(super) is_inline: bool,
    /// A blank line was written for a block.
    is_separated: bool,
    /// The last line was blank.
    after_blank: bool,
    in_indented_code: bool,
    in_html: bool,
    /// Liquid is text.
    pub(super) is_literal: bool,
    /// The line is inside the target of a link.
    pub(super) in_target: bool,
    /// Marks that do not occur any more.
    pub(super) missing: Vec<&'static str>,
    /// Where a paragraph ends up to which there is no end of code, by the length of its marks.
    pub(super) open_code: [usize; 16],
    pub(super) paragraph_end: usize,
}

impl<'t> Reader<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            marks: Marks::of(text),
            out: String::with_capacity(text.len()),
            stack: Vec::new(),
            list: Vec::new(),
            fence: None,
            line: String::new(),
            prefix: None,
            has_marker: false,
            column: 0,
            place: 0,
            is_inline: false,
            is_separated: false,
            after_blank: true,
            in_indented_code: false,
            in_html: false,
            is_literal: false,
            in_target: false,
            missing: Vec::new(),
            open_code: [0; 16],
            paragraph_end: 0,
        }
    }

    pub(super) fn read(mut self) -> String {
        while self.at < self.text.len() {
            self.read_line();
        }
        self.close_to(0);
        let is_extra = self.is_separated && !self.text.ends_with("\n\n") && self.out.ends_with("\n\n");
        for _ in 0..usize::from(is_extra) + usize::from(!self.text.ends_with('\n')) {
            self.out.pop();
        }
        self.out
    }

    /// The line at a byte, without its end.
    pub(super) fn line_at(&self, at: usize) -> &'t str {
        let rest = tail(self.text, at);
        head(rest, rest.find('\n').unwrap_or(rest.len()))
    }

    fn read_line(&mut self) {
        let line = self.line_at(self.at);
        if line.trim().is_empty() {
            return self.read_blank(line);
        }
        self.column = columns(line);
        self.close_outdented();
        for container in self.stack.iter_mut().rev().take_while(|container| container.content.is_none()) {
            container.content = Some(self.column);
        }
        if self.fence.is_some() && self.read_fenced(line) {
            return;
        }
        let start = line.trim_start();
        self.set_place(start);
        let indent = head(line, line.len() - start.len());
        self.set_prefix(if self.place == self.column { Cow::Borrowed(indent) } else { spaces(self.place) }, false);
        if self.is_indented_code() {
            self.in_indented_code = true;
            return self.copy(line);
        }
        self.in_indented_code = false;
        self.read_start(start, indent.len());
    }

    /// A line without its indentation: a list marker, a directive of whole lines, or text.
    fn read_start(&mut self, start: &'t str, indent: usize) {
        let base = self.item().max(self.base());
        let marker = if self.place <= base + 3 { marker(start) } else { "" };
        let rest = tail(start, marker.len());
        if !marker.is_empty() {
            let item =
                if marker.starts_with(':') { Cow::Owned(marker.replacen(':', "-", 1)) } else { Cow::Borrowed(marker) };
            let prefix = self.prefix.take().unwrap_or_default() + item;
            self.set_prefix(prefix, true);
            self.column += marker.chars().count();
            self.place += marker.chars().count();
            self.list.push(self.place);
        }
        self.is_inline = rest.starts_with(['>', '|', '#']);
        let next = self.at + start.len() + indent;
        if self.directive_line(rest) {
            self.at = self.at.max(next + 1);
        } else {
            self.at += indent + marker.len();
            self.text_line();
        }
        self.after_blank = self.is_separated;
        self.prefix = None;
    }

    fn read_blank(&mut self, line: &'t str) {
        if self.fence.is_some() || !self.is_separated {
            self.out.push_str(line);
            self.out.push('\n');
        }
        self.after_blank = true;
        self.in_html = false;
        self.at += line.len() + 1;
    }

    fn text_line(&mut self) {
        let before = self.out.len();
        self.in_target = false;
        self.scan();
        if !self.flush() && self.has_marker && self.prefix.is_some() {
            self.push("");
        } else if self.out.len() == before && !self.in_html {
            self.separate();
        }
        self.at += 1;
    }

    fn read_fenced(&mut self, line: &'t str) -> bool {
        let Some(Fence { mark, run, columns: (from, to), item }) = self.fence else { return false };
        if item > self.base() && (self.column + to).saturating_sub(from) < item {
            self.fence = None;
            return false;
        }
        let text = line.trim();
        if text.len() >= run && text.chars().all(|c| c == mark) {
            self.fence = None;
        }
        let lost = from.saturating_sub(to);
        let prefix = if self.column < lost { self.base() } else { to.saturating_sub(from) };
        self.set_prefix(spaces(prefix), false);
        self.copy_text(without_columns(line, lost));
        self.after_blank = false;
        true
    }

    /// Copies a line of code.
    fn copy(&mut self, line: &'t str) {
        self.copy_text(line.trim_start());
        self.after_blank = false;
    }

    fn copy_text(&mut self, text: &'t str) {
        let next = self.at + self.line_at(self.at).len() + 1;
        self.push(text);
        self.prefix = None;
        self.at = next;
    }

    pub(super) fn set_prefix(&mut self, prefix: Cow<'t, str>, has_marker: bool) {
        self.prefix = Some(prefix);
        self.has_marker = has_marker;
    }

    /// The columns before the innermost directive.
    fn base(&self) -> usize {
        self.stack.last().map_or(0, |container| container.place)
    }

    /// Where the current line is written: the content of a directive begins at the column of its tags.
    fn set_place(&mut self, start: &'t str) {
        self.place = match self.stack.last() {
            Some(Container { place, content: Some(content), .. }) => place + self.column.saturating_sub(*content),
            _ => self.column,
        };
        self.leave_items(self.place);
        let base = self.item().max(self.base());
        if self.place > base + 3 && (self.marks.is_mdx || self.is_paired(start)) {
            self.place = base;
        }
    }

    fn leave_items(&mut self, place: usize) {
        while self.list.last().is_some_and(|item| *item > place) {
            self.list.pop();
        }
    }

    /// The first column of the innermost list item.
    pub(super) fn item(&self) -> usize {
        self.list.last().copied().unwrap_or_default()
    }

    fn is_indented_code(&self) -> bool {
        let base = self.item().max(self.base());
        self.place >= base + 4 && (self.after_blank || self.in_indented_code)
    }

    /// Whether a line begins with a tag that has content, which is a directive wherever it stands.
    fn is_paired(&self, start: &'t str) -> bool {
        tag::liquid(start).or_else(|| tag::shortcode(start)).is_some_and(|tag| self.marks.is_closed(&tag))
    }

    /// Ends the directives of MkDocs whose content ends before this line.
    fn close_outdented(&mut self) {
        let column = self.column;
        let ends = |container: &Container<'_>| {
            let least = container.content.map_or(container.open + 2, |content| content.min(container.open + 4));
            container.syntax == Syntax::Indented && column < least
        };
        if let Some(first) = self.stack.iter().position(ends) {
            self.fence = None;
            self.close_to(first);
        }
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
}
