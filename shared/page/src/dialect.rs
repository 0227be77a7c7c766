//! From the Markdown of a documentation site to CommonMark with blocks of HTML.
//!
//! Docusaurus and other MDX, VitePress, MkDocs, GitBook, Hugo, Jekyll, and Obsidian add directives of their own:
//! tabs, hints, what folds, attributes, includes. `directive` finds tags and says what each means, `block`, `element` and
//! `inline` read them where they stand, and the text is written again here, line by line, with a stack of what is open
//! (`state`). Code stays as it is.

mod block;
mod directive;
mod element;
mod inline;
mod line;
mod marks;
mod state;

use std::borrow::Cow;

use directive::Syntax;
use line::{columns, head, marker, spaces, tail, without_columns};
use state::{Container, Fence, Reader};

/// The text with its directives as HTML: a tab is a labelled `section`, a hint a `div` that begins with its title, and
/// what folds is `details`. Labels, titles and kinds stay; other directives go, and what they hold stays.
pub(super) fn to_commonmark(text: &str) -> Cow<'_, str> {
    let out = Reader::new(text).read();
    if out == text { Cow::Borrowed(text) } else { Cow::Owned(out) }
}

impl<'t> Reader<'t> {
    fn read(mut self) -> String {
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

    fn is_indented_code(&self) -> bool {
        let base = self.item().max(self.base());
        self.place >= base + 4 && (self.after_blank || self.in_indented_code)
    }

    /// Whether a line begins with a tag that has content, which is a directive wherever it stands.
    fn is_paired(&self, start: &'t str) -> bool {
        directive::liquid(start).or_else(|| directive::shortcode(start)).is_some_and(|tag| self.marks.is_closed(&tag))
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
}

#[cfg(test)]
mod tests;
