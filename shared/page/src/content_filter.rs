//! Which parts of a page are kept: everything but scripts and controls, hidden parts, and navigation around the text.
//!
//! Parts that unfold at a click (`aria-controls`, tab panels, accordions) are hidden by design and kept.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::class_names::{
    self, BOILERPLATE_WORDS, CALLOUT, COLLAPSIBLE_WORDS, CONSENT_WORDS, HIDDEN_WORDS, LINE_NUMBER_WORDS, any, words,
};
use super::names::{Attr, Tag};
use super::tree::{Id, Tree};

/// Surroundings of the main text are dropped only if they contain less than this share of all text, in percent.
const BOILERPLATE_PERCENT: usize = 35;

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
    has_main: bool,
    /// First headings here and below.
    first_headings: u32,
}

impl NodeFacts {
    const fn has_landmark(self) -> bool {
        self.has_main || self.first_headings > 0
    }
}

impl<'a> ContentFilter<'a> {
    /// Classifies every node of a page, to which this many bytes may be added (see [`ContentFilter::within_budget`]).
    pub(super) fn of(tree: &'a Tree, additions: usize) -> Self {
        let count = tree.ids().count();
        let mut kept = Self {
            tree,
            dropped: vec![false; count],
            facts: vec![NodeFacts::default(); count],
            by_id: HashMap::new(),
            additions: Cell::new(additions),
        };
        kept.by_id = tree.ids().rev().filter_map(|id| Some((tree.attr(id, Attr::Id)?, id))).collect();
        let unfolding = expands(tree);
        kept.measure();
        let page = kept.facts(Tree::ROOT);
        kept.drop_where(|kept, id, tag| kept.is_hidden(id, tag, &unfolding, page) || kept.is_consent(id, tag, page));
        kept.measure();
        let page = kept.facts(Tree::ROOT);
        kept.drop_where(|kept, id, tag| kept.is_boilerplate(id, tag, page.chars));
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

    /// The kept children of a node.
    pub(super) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        self.tree.children(id).filter(|child| self.is(*child))
    }

    fn drop_where(&mut self, predicate: impl Fn(&Self, Id, Tag) -> bool) {
        for id in self.tree.ids() {
            let above = self.tree.parent(id).is_some_and(|parent| !self.is(parent));
            let drop = above || !self.is(id) || self.tree.tag(id).is_some_and(|tag| predicate(self, id, tag));
            if let Some(dropped) = self.dropped.get_mut(id as usize) {
                *dropped = drop;
            }
        }
    }

    /// Counts from the last node to the first, so that every node is done before its parent.
    fn measure(&mut self) {
        self.facts.fill(NodeFacts::default());
        for id in self.tree.ids().rev() {
            if !self.is(id) {
                continue;
            }
            let own = self.own_facts(id);
            if let Some(facts) = self.facts.get_mut(id as usize) {
                *facts = own;
            }
            let parent = self.tree.parent(id).and_then(|parent| self.facts.get_mut(parent as usize));
            if let Some(above) = parent {
                above.add(own, self.tree.tag(id));
            }
        }
    }

    fn own_facts(&self, id: Id) -> NodeFacts {
        let mut facts = self.facts(id);
        if let Some(text) = self.tree.text(id) {
            facts.chars = text.chars().filter(|c| !c.is_whitespace()).count();
            return facts;
        }
        match self.tree.tag(id) {
            Some(Tag::A) if self.tree.attr(id, Attr::Href).is_some() && facts.chars > 0 => {
                facts.link_chars = facts.chars;
                facts.links = 1;
            }
            Some(Tag::Main | Tag::Article) => facts.has_main = true,
            Some(Tag::H1) => facts.first_headings += 1,
            Some(_) if self.tree.attr(id, Attr::Role) == Some("main") => facts.has_main = true,
            _ => {}
        }
        facts
    }

    fn is_hidden(&self, id: Id, tag: Tag, unfolding: &HashSet<&str>, page: NodeFacts) -> bool {
        if tag.is_non_content_element() && !(tag == Tag::Template && self.tree.attr(id, Attr::ShadowRootMode).is_some())
        {
            return true;
        }
        let attr = |name| self.tree.attr(id, name);
        let class = attr(Attr::Class).unwrap_or_default();
        let in_cell = || self.tree.ancestors(id).any(|above| matches!(self.tree.tag(above), Some(Tag::Td | Tag::Th)));
        if class.split_whitespace().any(|name| HIDDEN_WORDS.contains(&name)) && !in_cell() {
            return tag != Tag::H1;
        }
        let hidden = attr(Attr::Hidden).is_some_and(|value| value != "until-found")
            || attr(Attr::AriaHidden) == Some("true")
            || attr(Attr::Style).is_some_and(is_hidden_class);
        // Hidden content that is most of the page waits for a script to show it.
        let facts = self.facts(id);
        if !hidden || facts.has_main || facts.chars * 2 > page.chars {
            return false;
        }
        let unfolds = attr(Attr::Id).is_some_and(|id| unfolding.contains(id))
            || attr(Attr::Role) == Some("tabpanel")
            || any(&words(class), COLLAPSIBLE_WORDS);
        !unfolds || attr(Attr::Style).is_some_and(|style| style.contains("font-size"))
    }

    fn is_consent(&self, id: Id, tag: Tag, page: NodeFacts) -> bool {
        let facts = self.facts(id);
        let role = self.tree.attr(id, Attr::Role).unwrap_or_default();
        if matches!(role, "dialog" | "alertdialog") && !facts.has_main {
            return true;
        }
        // The first heading of a page about cookies is the page's only one.
        let only_heading = facts.first_headings > 0 && facts.first_headings == page.first_headings;
        if facts.has_main || only_heading || is_of_the_text(tag) {
            return false;
        }
        let named = |name| any(&words(self.tree.attr(id, name).unwrap_or_default()), CONSENT_WORDS);
        named(Attr::Class) || (named(Attr::Id) && !self.is_named_by_its_heading(id))
    }

    fn is_boilerplate(&self, id: Id, tag: Tag, all: usize) -> bool {
        let facts = self.facts(id);
        let role = self.tree.attr(id, Attr::Role).unwrap_or_default();
        let class = words(self.tree.attr(id, Attr::Class).unwrap_or_default());
        let small = facts.chars * 100 <= all * BOILERPLATE_PERCENT && !facts.has_landmark();
        match tag {
            Tag::Nav | Tag::Search => return true,
            Tag::Footer => return small,
            Tag::Header if !self.is_in_text(id) => return small,
            Tag::Aside if !any(&class, CALLOUT) => {
                return small && (!self.is_in_text(id) || facts.link_chars * 10 > facts.chars * 3);
            }
            Tag::Form => return small && !facts.has_heading,
            _ => {}
        }
        match role {
            "navigation" | "menu" | "menubar" | "tablist" | "toolbar" => return true,
            "banner" | "contentinfo" | "search" => return small,
            "complementary" => return small && !any(&class, CALLOUT),
            _ => {}
        }
        if any(&class, LINE_NUMBER_WORDS)
            && !matches!(tag, Tag::Pre | Tag::Code)
            && is_numbers(&self.tree.whole_text(id))
        {
            return true;
        }
        if is_of_the_text(tag) || !small {
            return false;
        }
        let by_id = words(self.tree.attr(id, Attr::Id).unwrap_or_default());
        any(&class, BOILERPLATE_WORDS) || (any(&by_id, BOILERPLATE_WORDS) && !self.is_named_by_its_heading(id))
    }

    fn is_in_text(&self, id: Id) -> bool {
        self.tree.ancestors(id).any(|above| {
            matches!(self.tree.tag(above), Some(Tag::Main | Tag::Article | Tag::Section))
                || self.tree.attr(above, Attr::Role) == Some("main")
        })
    }

    /// A section whose id was made from its heading: `<section id="related"><h2>Related</h2>`.
    fn is_named_by_its_heading(&self, id: Id) -> bool {
        let first = self.tree.children(id).find_map(|child| self.tree.tag(child));
        first.is_some_and(|tag| tag.heading_level().is_some())
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
    }
}

/// Ids of what a button or a tab opens.
fn expands(tree: &Tree) -> HashSet<&str> {
    let mut ids = HashSet::new();
    for id in tree.ids() {
        for name in [Attr::AriaControls, Attr::DataTarget, Attr::DataBsTarget] {
            let named = tree.attr(id, name).unwrap_or_default();
            ids.extend(named.split_whitespace().map(|id| id.trim_start_matches('#')));
        }
        let opens = matches!(tree.attr(id, Attr::Role), Some("tab" | "button"))
            || any(&words(tree.attr(id, Attr::Class).unwrap_or_default()), COLLAPSIBLE_WORDS);
        if let Some(target) = tree.attr(id, Attr::Href).and_then(|href| href.strip_prefix('#')).filter(|_| opens) {
            ids.insert(target);
        }
    }
    ids
}

/// Elements that carry text whatever they are called.
const fn is_of_the_text(tag: Tag) -> bool {
    tag.heading_level().is_some()
        || matches!(
            tag,
            Tag::Html
                | Tag::Body
                | Tag::Main
                | Tag::Article
                | Tag::Pre
                | Tag::Code
                | Tag::Table
                | Tag::Tbody
                | Tag::Tr
                | Tag::Td
                | Tag::Th
                | Tag::Details
                | Tag::Summary
                | Tag::Dl
                | Tag::Dt
                | Tag::Dd
        )
}

fn is_hidden_class(style: &str) -> bool {
    let style: String = style.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    style.split(';').any(|rule| {
        matches!(
            rule.trim_end_matches("!important"),
            "display:none" | "visibility:hidden" | "opacity:0" | "font-size:0" | "font-size:0px"
        )
    })
}

fn is_numbers(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace())
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
