//! The open elements while a page is parsed, and which of them a tag closes.

use super::names::Tag;
use super::tree::{Id, Tree};

/// How many kinds of elements there are, at most.
const ELEMENT_KINDS: usize = 256;

/// The stack of open elements. The document itself is always open.
#[derive(Debug)]
pub(super) struct Open {
    stack: Vec<(Tag, Id)>,
    /// How often each kind is on the stack, so that most searches end before they begin.
    counts: [u16; ELEMENT_KINDS],
    /// How many of each kind were too deep to be opened: their end tags close nothing.
    unopened: [u32; ELEMENT_KINDS],
}

/// How far up an end tag may look for what it closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Up to the table that contains the tag.
    Cell,
    /// Past inline elements only.
    Line,
    /// Up to a list of its own.
    List,
    /// Up to a table of its own.
    Table,
}

impl Open {
    pub(super) const fn new() -> Self {
        Self { stack: Vec::new(), counts: [0; ELEMENT_KINDS], unopened: [0; ELEMENT_KINDS] }
    }

    pub(super) fn current(&self) -> Id {
        self.stack.last().map_or(Tree::ROOT, |(_, id)| *id)
    }

    /// Opens an element, unless `max` are open already.
    pub(super) fn push(&mut self, tag: Tag, id: Id, max: usize) {
        if self.stack.len() >= max {
            if let Some(count) = self.unopened.get_mut(tag as usize) {
                *count += 1;
            }
            return;
        }
        self.stack.push((tag, id));
        if let Some(count) = self.counts.get_mut(tag as usize) {
            *count += 1;
        }
    }

    /// Closes what the start tag of `tag` closes (HTML, 13.1.2.4, optional tags).
    pub(super) fn close_before(&mut self, tag: Tag) {
        use Tag as T;
        if self.counts.get(T::Head as usize).is_some_and(|open| *open > 0) && !belongs_in_head(tag) {
            self.close(T::Head);
        }
        match tag {
            T::Li => self.close_nearest(&[T::Li], Scope::List),
            T::Dt | T::Dd => self.close_nearest(&[T::Dt, T::Dd], Scope::List),
            T::Td | T::Th => self.close_nearest(&[T::Td, T::Th, T::Caption], Scope::Table),
            T::Tr => self.close_nearest(&[T::Tr, T::Caption], Scope::Table),
            T::Tbody | T::Thead | T::Tfoot => {
                // A row outside a group is in one that is not written.
                self.close_nearest(&[T::Tr], Scope::Table);
                self.close_nearest(&[T::Tbody, T::Thead, T::Tfoot, T::Caption], Scope::Table);
            }
            T::A => self.close_nearest(&[T::A], Scope::Cell),
            _ => {}
        }
        if tag.is_block() && tag != T::Br {
            self.close_nearest(&[T::P], Scope::Cell);
        }
        if tag.heading_level().is_some() && self.stack.last().is_some_and(|(top, _)| top.heading_level().is_some()) {
            self.pop();
        }
    }

    /// Closes what the end tag of `tag` closes: the nearest of its kind, or nothing.
    pub(super) fn close(&mut self, tag: Tag) {
        use Tag as T;
        if let Some(count) = self.unopened.get_mut(tag as usize).filter(|count| **count > 0) {
            *count -= 1;
            return;
        }
        const HEADINGS: [Tag; 6] = [T::H1, T::H2, T::H3, T::H4, T::H5, T::H6];
        match tag {
            _ if tag.heading_level().is_some() => self.close_nearest(&HEADINGS, Scope::Cell),
            T::Td | T::Th | T::Tr | T::Tbody | T::Thead | T::Tfoot | T::Caption => {
                self.close_nearest(&[tag], Scope::Table);
            }
            T::Table => self.close_nearest(&[tag], Scope::Table),
            T::Li => self.close_nearest(&[tag], Scope::List),
            T::A => self.close_nearest(&[tag], Scope::Cell),
            _ if tag.is_inline() => self.close_nearest(&[tag], Scope::Line),
            // The page ends when the text ends, because some pages continue after `</html>`.
            T::Body | T::Html => {}
            _ => self.close_nearest(&[tag], Scope::Cell),
        }
    }

    fn close_nearest(&mut self, kinds: &[Tag], reach: Scope) {
        if kinds.iter().all(|kind| self.counts.get(*kind as usize).is_none_or(|open| *open == 0)) {
            return;
        }
        let mut depth = self.stack.len();
        for (tag, _) in self.stack.iter().rev() {
            if kinds.contains(tag) {
                while self.stack.len() >= depth {
                    self.pop();
                }
                return;
            }
            if reach.is_scope_boundary(*tag) {
                return;
            }
            depth -= 1;
        }
    }

    fn pop(&mut self) {
        if let Some((tag, _)) = self.stack.pop()
            && let Some(count) = self.counts.get_mut(tag as usize)
        {
            *count -= 1;
        }
    }
}

impl Scope {
    const fn is_scope_boundary(self, tag: Tag) -> bool {
        let cell = matches!(tag, Tag::Td | Tag::Th | Tag::Caption);
        match self {
            Self::Cell => cell,
            Self::Line => cell || tag.is_block() || matches!(tag, Tag::Other),
            Self::List => cell || matches!(tag, Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl),
            Self::Table => matches!(tag, Tag::Table),
        }
    }
}

const fn belongs_in_head(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Base | Tag::Link | Tag::Meta | Tag::Noscript | Tag::Script | Tag::Style | Tag::Template | Tag::Title
    )
}
