//! The nodes of a text that are kept, and how much text there is under each of them. `left_out` decides.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::class_names::{self, any, is_tab_panel};
use super::tree::{Attr, Tag};
use super::tree::{Id, Tree};

/// A paragraph of fewer characters outside links says nothing.
const PARAGRAPH_CHARS: usize = 10;

/// So many bytes may be added to a page's own text, for each of its bytes: addresses of links, repeated cells,
/// indentation.
pub(super) const EXPANSION_PER_BYTE: usize = 4;
/// The least that may be added to a page, in bytes: the links of a short one have long addresses.
pub(super) const MIN_EXPANSION: usize = 64 * 1024;

/// For each node: whether it is kept, and how much text there is under it.
#[derive(Debug)]
pub(super) struct ContentFilter<'a> {
    pub(super) tree: &'a Tree,
    dropped: Vec<bool>,
    facts: Vec<NodeFacts>,
    by_id: HashMap<&'a str, Id>,
    /// Tabs by the id of their panel.
    tabs: HashMap<&'a str, Id>,
    /// Buttons at whose click text unfolds.
    pub(super) openers: HashSet<Id>,
    /// How many more bytes may be written that the text does not hold itself.
    additions: Cell<usize>,
}

/// The kept content under a node, counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NodeFacts {
    /// Characters that are not white space.
    pub(super) chars: usize,
    /// Those of them in links.
    pub(super) link_chars: usize,
    /// Links with text.
    pub(super) links: usize,
    /// Whether an element that begins a block is below.
    pub(super) has_block: bool,
    /// Whether a heading is below, or something that opens its section.
    pub(super) has_heading: bool,
    /// Whether a list is here or below.
    pub(super) has_list: bool,
    /// Whether the page's own landmark, `main` or `article`, is here or below.
    pub(super) has_main: bool,
    /// First headings here and below.
    pub(super) first_headings: u32,
    /// Characters that are neither in links nor in buttons nor in headings.
    pub(super) prose: usize,
    /// Links with text to an element of the page.
    pub(super) local_links: usize,
    /// Buttons with text, and their characters.
    pub(super) buttons: usize,
    pub(super) button_chars: usize,
    /// Fields of forms.
    pub(super) fields: usize,
    /// Characters in `time`.
    pub(super) time_chars: usize,
    /// Paragraphs of prose, and cells.
    pub(super) paragraphs: usize,
    /// Paragraphs, items, cells, headings and the like with text.
    pub(super) text_blocks: usize,
    /// Headings and paragraphs among the children.
    pub(super) flow: usize,
}

impl<'a> ContentFilter<'a> {
    /// Everything of a text, to which this many bytes may be added (see [`ContentFilter::within_budget`]).
    pub(super) fn new(tree: &'a Tree, additions: usize) -> Self {
        let count = tree.ids().count();
        let mut kept = Self {
            tree,
            dropped: vec![false; count],
            facts: vec![NodeFacts::default(); count],
            by_id: HashMap::new(),
            tabs: HashMap::new(),
            openers: HashSet::new(),
            additions: Cell::new(additions),
        };
        kept.by_id = tree.ids().rev().filter_map(|id| Some((tree.attr(id, Attr::Id)?, id))).collect();
        kept.tabs = tree.ids().rev().filter_map(|id| Some((kept.panel_of(id)?, id))).collect();
        kept.measure();
        kept
    }

    pub(super) fn is(&self, id: Id) -> bool {
        self.dropped.get(id as usize).is_some_and(|dropped| !dropped)
    }

    pub(super) fn facts(&self, id: Id) -> NodeFacts {
        self.facts.get(id as usize).copied().unwrap_or_default()
    }

    /// Whether `bytes` may be written that the page's text does not hold: a repeated cell, the rest of a link's
    /// address, an indentation. All of them share one budget, so that the entries stay in proportion to their page.
    pub(super) fn within_budget(&self, bytes: usize) -> bool {
        let left = self.additions.get().checked_sub(bytes);
        self.additions.set(left.unwrap_or(self.additions.get()));
        left.is_some()
    }

    /// The first element of an id, kept or not.
    pub(super) fn named(&self, id: &str) -> Option<Id> {
        self.by_id.get(id).copied()
    }

    /// The first tab that opens the panel of an id, kept or not.
    pub(super) fn tab_of(&self, panel: &str) -> Option<Id> {
        self.tabs.get(panel).copied()
    }

    /// Whether it is a button at whose click text unfolds.
    pub(super) fn opens(&self, id: Id) -> bool {
        self.openers.contains(&id)
    }

    /// The kept children of a node.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.tree.children(id).filter(|child| self.is(*child))
    }

    /// Leaves out the nodes of which `predicate` is true, with what is in them, and counts the rest.
    pub(super) fn drop_where(&mut self, predicate: impl Fn(&Self, Id, Tag) -> bool) {
        for id in self.tree.ids() {
            let above = self.tree.parent(id).is_some_and(|parent| !self.is(parent));
            let tag = self.tree.tag(id).unwrap_or(Tag::Other);
            let drop = above || !self.is(id) || predicate(self, id, tag);
            if let Some(dropped) = self.dropped.get_mut(id as usize) {
                *dropped = drop;
            }
        }
        self.measure();
    }

    /// Counts from the last node to the first, so that every node is done before its parent.
    fn measure(&mut self) {
        self.facts.fill(NodeFacts::default());
        for id in self.tree.ids().rev() {
            let tag = self.tree.tag(id);
            let parent = self.tree.parent(id);
            if !self.is(id) {
                let field = tag.is_some_and(|tag| matches!(tag, Tag::Input | Tag::Select | Tag::Textarea));
                let above = parent.and_then(|parent| self.facts.get_mut(parent as usize));
                above.into_iter().for_each(|above| above.fields += usize::from(field));
                continue;
            }
            let own = self.own_facts(id);
            if let Some(facts) = self.facts.get_mut(id as usize) {
                *facts = own;
            }
            if let Some(above) = parent.and_then(|parent| self.facts.get_mut(parent as usize)) {
                above.add(own, tag);
            }
        }
    }

    fn own_facts(&self, id: Id) -> NodeFacts {
        let mut facts = self.facts(id);
        let Some(tag) = self.tree.tag(id) else {
            facts.chars = self.tree.text(id).unwrap_or_default().chars().filter(|c| !c.is_whitespace()).count();
            facts.prose = facts.chars;
            return facts;
        };
        let role = self.tree.attr(id, Attr::Role).unwrap_or_default();
        let href = self.tree.attr(id, Attr::Href);
        match tag {
            Tag::A if href.is_some() && facts.chars > 0 => {
                let local = href.and_then(|href| href.strip_prefix('#')).and_then(|name| self.named(name));
                (facts.link_chars, facts.links, facts.prose) = (facts.chars, 1, 0);
                facts.local_links = usize::from(local.is_some());
            }
            _ if is_button(self.tree, id, tag) && facts.chars > 0 => {
                (facts.button_chars, facts.buttons, facts.prose) = (facts.chars, 1, 0);
                facts.has_heading |= self.opens(id);
            }
            Tag::Main | Tag::Article => facts.has_main = true,
            Tag::Input | Tag::Select | Tag::Textarea => facts.fields = 1,
            Tag::Time => facts.time_chars = facts.chars,
            Tag::P if facts.prose >= PARAGRAPH_CHARS => facts.paragraphs += 1,
            Tag::Td | Tag::Th => facts.paragraphs += usize::from(facts.chars > 0),
            _ if tag.heading_level().is_some() => {
                facts.prose = 0;
                facts.first_headings += u32::from(tag == Tag::H1);
            }
            _ => {}
        }
        facts.has_main |= role == "main";
        facts.paragraphs += usize::from(role == "cell" && facts.chars > 0);
        facts.text_blocks += usize::from(facts.chars > 0 && is_text_block(tag));
        facts
    }

    /// The id of the panel that a tab opens.
    fn panel_of(&self, id: Id) -> Option<&'a str> {
        let tree = self.tree;
        let local = || tree.attr(id, Attr::Href).and_then(|href| href.strip_prefix('#'));
        let is_tab = tree.attr(id, Attr::Role) == Some("tab")
            || local().and_then(|name| self.named(name)).is_some_and(|panel| is_tab_panel(tree, panel));
        let named =
            || tree.attr(id, Attr::AriaControls).or_else(|| tree.attr(id, Attr::DataBsTarget)?.strip_prefix('#'));
        if is_tab { local().or_else(named) } else { None }
    }
}

impl NodeFacts {
    fn add(&mut self, below: Self, tag: Option<Tag>) {
        self.chars += below.chars;
        self.link_chars += below.link_chars;
        self.links += below.links;
        self.has_block |= below.has_block || tag.is_some_and(Tag::is_block);
        let heads =
            matches!(tag, Some(Tag::Summary | Tag::Details)) || tag.is_some_and(|t| t.heading_level().is_some());
        self.has_heading |= below.has_heading || heads;
        self.has_list |= below.has_list || matches!(tag, Some(Tag::Ol | Tag::Ul));
        self.has_main |= below.has_main;
        self.first_headings += below.first_headings;
        self.prose += below.prose;
        self.local_links += below.local_links;
        self.buttons += below.buttons;
        self.button_chars += below.button_chars;
        self.fields += below.fields;
        self.time_chars += below.time_chars;
        self.paragraphs += below.paragraphs;
        self.text_blocks += below.text_blocks;
        let flows = tag.is_some_and(|tag| tag.heading_level().is_some()) || tag == Some(Tag::P) && below.paragraphs > 0;
        self.flow += usize::from(flows);
    }

    /// Whether nearly all of it is links, at least two.
    pub(super) const fn is_links(self) -> bool {
        self.links >= 2 && self.link_chars * 10 >= self.chars * 9
    }
}

/// Elements that hold one text of their own.
const fn is_text_block(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::P | Tag::Li | Tag::Td | Tag::Th | Tag::Dt | Tag::Dd | Tag::Pre | Tag::Blockquote | Tag::Summary
        )
}

/// Whether an element's empty cell says yes or no by an icon: its label, its picture's text, or its class.
pub(super) fn icon_text(tree: &Tree, id: Id) -> Option<String> {
    let spoken = [Attr::AriaLabel, Attr::Alt].into_iter().find_map(|name| tree.attr(id, name));
    if let Some(text) = spoken.map(str::trim).filter(|text| !text.is_empty()) {
        return Some(text.to_owned());
    }
    let class = class_names::words(tree.attr(id, Attr::Class).unwrap_or_default());
    if any(&class, class_names::YES) {
        return Some("✓".to_owned());
    }
    if any(&class, class_names::NO) {
        return Some("✗".to_owned());
    }
    tree.children(id).find_map(|child| icon_text(tree, child))
}

/// A button by name, or by a role that a link with an address does not have.
pub(super) fn is_button(tree: &Tree, id: Id, tag: Tag) -> bool {
    let leads = || tree.attr(id, Attr::Href).is_some_and(|href| !href.starts_with('#'));
    tag == Tag::Button
        || (tree.attr(id, Attr::Role) == Some("button") && tag.heading_level().is_none() && !(tag == Tag::A && leads()))
}
