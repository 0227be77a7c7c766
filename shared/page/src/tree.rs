//! A page as a tree in one vector: parents before children, built and dropped without recursion.
//!
//! It is never deeper than [`MAX_DEPTH`] or larger than [`MAX_NODES`], so code that walks it may recurse, and it fits a
//! small machine.

use super::names::{Attr, Tag};

/// The deepest element: browsers stop nesting at 512, and no page written for readers comes near this.
pub(super) const MAX_DEPTH: usize = 200;
/// The most elements and texts that are read; a page with more is not for readers.
pub(super) const MAX_NODES: usize = 400_000;

/// A place in [`Tree`].
pub(super) type Id = u32;

/// An element or a text.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) parent: Option<Id>,
    first: Option<Id>,
    last: Option<Id>,
    prev: Option<Id>,
    next: Option<Id>,
    pub(super) content: Content,
}

/// The kind of a node.
#[derive(Debug)]
pub(super) enum Content {
    Element(Tag, Box<[(Attr, Box<str>)]>),
    Text(Box<str>),
}

/// The tree. Node 0 is the document.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(super) const ROOT: Id = 0;

    pub(super) fn new() -> Self {
        let mut tree = Self { nodes: Vec::new() };
        tree.nodes.push(Node::new(None, Content::Element(Tag::Html, Box::default())));
        tree
    }

    /// Adds the last child of `parent`; nothing when the tree is full.
    pub(super) fn append(&mut self, parent: Id, content: Content) -> Option<Id> {
        let id = Id::try_from(self.nodes.len()).ok().filter(|_| self.nodes.len() < MAX_NODES)?;
        self.nodes.push(Node::new(Some(parent), content));
        let last = {
            let parent = self.nodes.get_mut(parent as usize)?;
            if parent.first.is_none() {
                parent.first = Some(id);
            }
            parent.last.replace(id)
        };
        if let Some(last) = last.and_then(|last| self.nodes.get_mut(last as usize)) {
            last.next = Some(id);
        }
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.prev = last;
        }
        Some(id)
    }

    /// Every place, parents before children, in the order of the page.
    pub(super) fn ids(&self) -> impl DoubleEndedIterator<Item = Id> + use<> {
        0..Id::try_from(self.nodes.len()).unwrap_or(Id::MAX)
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        self.nodes.get(id as usize)?.parent
    }

    pub(super) fn children(&self, id: Id) -> Children<'_> {
        Children { tree: self, next: self.nodes.get(id as usize).and_then(|node| node.first) }
    }

    /// The siblings before, nearest first.
    pub(super) fn before(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let prev = |id: Id| self.nodes.get(id as usize).and_then(|node| node.prev);
        std::iter::successors(prev(id), move |before| prev(*before))
    }

    /// The siblings after, nearest first.
    pub(super) fn after(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let next = |id: Id| self.nodes.get(id as usize).and_then(|node| node.next);
        std::iter::successors(next(id), move |after| next(*after))
    }

    /// The elements above, nearest first.
    pub(super) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.parent(id), |above| self.parent(*above))
    }

    /// The element's name; nothing for a text.
    pub(super) fn tag(&self, id: Id) -> Option<Tag> {
        match &self.nodes.get(id as usize)?.content {
            Content::Element(tag, _) => Some(*tag),
            Content::Text(_) => None,
        }
    }

    pub(super) fn text(&self, id: Id) -> Option<&str> {
        match &self.nodes.get(id as usize)?.content {
            Content::Text(text) => Some(text),
            Content::Element(..) => None,
        }
    }

    pub(super) fn attr(&self, id: Id, name: Attr) -> Option<&str> {
        match &self.nodes.get(id as usize)?.content {
            Content::Element(_, attrs) => attrs.iter().find(|(attr, _)| *attr == name).map(|(_, value)| &**value),
            Content::Text(_) => None,
        }
    }

    /// All text under a node, as written.
    pub(super) fn whole_text(&self, id: Id) -> String {
        self.text_up_to(id, usize::MAX)
    }

    /// The text under a node, as written; what comes after `max_bytes` may be left out.
    pub(super) fn text_up_to(&self, id: Id, max_bytes: usize) -> String {
        let mut out = String::new();
        self.add_text(id, max_bytes, &mut out);
        out
    }

    fn add_text(&self, id: Id, max_bytes: usize, out: &mut String) {
        if let Some(text) = self.text(id) {
            out.push_str(text);
        }
        for child in self.children(id) {
            if out.len() > max_bytes {
                return;
            }
            self.add_text(child, max_bytes, out);
        }
    }

    /// Whether the text under a node ends with white space.
    pub(super) fn ends_with_space(&self, id: Id) -> bool {
        let last = |at: &Id| self.nodes.get(*at as usize).and_then(|node| node.last);
        let end = std::iter::successors(Some(id), last).last();
        end.and_then(|end| self.text(end)).is_some_and(|text| text.ends_with(char::is_whitespace))
    }
}

impl Node {
    const fn new(parent: Option<Id>, content: Content) -> Self {
        Self { parent, first: None, last: None, prev: None, next: None, content }
    }
}

/// A node's children, in order.
#[derive(Debug, Clone)]
pub(super) struct Children<'a> {
    tree: &'a Tree,
    next: Option<Id>,
}

impl Iterator for Children<'_> {
    type Item = Id;

    fn next(&mut self) -> Option<Id> {
        let id = self.next?;
        self.next = self.tree.nodes.get(id as usize).and_then(|node| node.next);
        Some(id)
    }
}
