//! Renders the kept part of a page as headings and Markdown blocks.
//!
//! Everything that opens a section is a heading: `h1`-`h6`, the summary of `details`, the term of a definition list
//! that asks a question, the button of an accordion.

use url::Url;

use super::block::{Block, BlockKind, Piece};
use super::escape::escaped;
use super::inline::Line;
use super::kept::Kept;
use super::names::{Attr, Tag};
use super::tree::Id;
use super::words::{any, words};
use super::{code, list, table};

/// The longest heading that is made of another element, in characters.
const TRIGGER_CHARS: usize = 200;

/// Renders what is under `root`; links are made absolute by `base`.
pub(super) fn render(kept: &Kept<'_>, root: Id, base: Option<&Url>) -> Vec<Piece> {
    let mut writer = Writer::new(kept, base);
    writer.children(root);
    writer.finish()
}

/// Writes pieces, one element after the other.
pub(super) struct Writer<'a> {
    pub(super) kept: &'a Kept<'a>,
    pub(super) base: Option<&'a Url>,
    pieces: Vec<Piece>,
    line: Line,
    /// The level of the last heading that is one by name.
    level: u8,
}

impl<'a> Writer<'a> {
    pub(super) fn new(kept: &'a Kept<'a>, base: Option<&'a Url>) -> Self {
        Self { kept, base, pieces: Vec::new(), line: Line::default(), level: 1 }
    }

    /// A renderer for a part of this text, to wrap its result.
    pub(super) fn part(&self) -> Self {
        Self { level: self.level, ..Self::new(self.kept, self.base) }
    }

    /// Everything that was written.
    pub(super) fn finish(mut self) -> Vec<Piece> {
        self.end_paragraph();
        self.pieces
    }

    /// The same as Markdown text.
    pub(super) fn into_markdown(self) -> String {
        let texts: Vec<String> = self
            .finish()
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Heading { text, .. } => Some(format!("**{}**", escaped(&text))),
                Piece::Block(block) => Some(block.text),
                Piece::End { .. } | Piece::Links => None,
            })
            .collect();
        texts.join("\n\n")
    }

    pub(super) fn children(&mut self, id: Id) {
        let kept = self.kept;
        for child in kept.children(id) {
            self.node(child);
        }
    }

    pub(super) fn node(&mut self, id: Id) {
        if let Some(text) = self.kept.tree.text(id) {
            self.line.text(text);
            return;
        }
        let Some(tag) = self.kept.tree.tag(id) else { return };
        if let Some(level) = self.heading_level(id, tag) {
            self.level = level;
            self.heading(id, level);
        } else if self.opens_a_section(id, tag) {
            self.heading(id, self.level.saturating_add(1).min(6));
        } else if tag.is_inline() && !self.kept.facts(id).has_block {
            self.line.element(self.kept, self.base, id, tag);
        } else {
            self.block(id, tag);
        }
    }

    fn block(&mut self, id: Id, tag: Tag) {
        match tag {
            Tag::Br => self.line.newline(),
            Tag::Button | Tag::Input | Tag::Title => {}
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir if !self.kept.facts(id).has_heading => {
                let block = Block::of(BlockKind::Lines, list::render(self, id, tag));
                let left_out = block.is_none() && self.kept.facts(id).links > 0;
                self.push(block);
                self.pieces.extend(left_out.then_some(Piece::Links));
            }
            Tag::Dl => self.definitions(id),
            Tag::Pre => self.push(code::render(self.kept.tree, id)),
            Tag::Table => self.table(id),
            Tag::Blockquote => {
                let mut part = self.part();
                part.children(id);
                let quoted = part.into_markdown();
                let mark = |line: &str| if self.kept.affords(2) { format!("> {line}") } else { line.to_owned() };
                let quoted: Vec<String> = quoted.lines().map(|line| mark(line).trim_end().to_owned()).collect();
                self.push(Block::of(BlockKind::Lines, quoted.join("\n")));
            }
            Tag::Details => {
                let level = self.level;
                self.container(id);
                self.pieces.push(Piece::End { level: level.saturating_add(1).min(6) });
                self.level = level;
            }
            Tag::Div | Tag::Section if self.is_tab_panel(id) => {
                if let Some(label) = self.label_of(id) {
                    self.push(Block::of(BlockKind::Prose, format!("**{}**", escaped(&label))));
                }
                self.container(id);
            }
            _ if tag.is_block() => self.container(id),
            // An unknown element, and an inline one with blocks in it: its children decide.
            _ if self.kept.facts(id).has_block => self.container(id),
            _ => self.children(id),
        }
    }

    fn container(&mut self, id: Id) {
        self.end_paragraph();
        self.children(id);
        self.end_paragraph();
    }

    /// Ends the paragraph that is being written; one that is a question in bold alone is a heading.
    fn end_paragraph(&mut self) {
        let line = std::mem::take(&mut self.line);
        if let Some(question) = line.bold_question() {
            let level = self.level.saturating_add(1).min(6);
            self.pieces.push(Piece::Heading { level, text: question });
            return;
        }
        // Several links in a row and nothing else lead away from the text.
        let (links_only, links) = (line.is_links(), line.links());
        if !links_only || links == 1 {
            let block = Block::of(BlockKind::Prose, line.finish());
            self.pieces.extend(block.map(|block| Piece::Block(Block { links_only, ..block })));
        } else {
            self.pieces.push(Piece::Links);
        }
    }

    pub(super) fn push(&mut self, block: Option<Block>) {
        self.end_paragraph();
        self.pieces.extend(block.map(Piece::Block));
    }

    fn heading(&mut self, id: Id, level: u8) {
        self.end_paragraph();
        let text = Line::plain(self.kept, id);
        if !text.is_empty() {
            self.pieces.push(Piece::Heading { level, text });
        }
    }

    fn heading_level(&self, id: Id, tag: Tag) -> Option<u8> {
        let by_role = || {
            let level = self.kept.tree.attr(id, Attr::AriaLevel).and_then(|level| level.parse().ok());
            (self.kept.tree.attr(id, Attr::Role) == Some("heading")).then(|| level.unwrap_or(2_u8).clamp(1, 6))
        };
        tag.heading_level().or_else(by_role)
    }

    /// Something at whose click text unfolds, or that asks what the text after it answers.
    fn opens_a_section(&self, id: Id, tag: Tag) -> bool {
        let chars = self.kept.facts(id).chars;
        if chars == 0 || chars > TRIGGER_CHARS {
            return false;
        }
        let tree = self.kept.tree;
        let controls = || {
            let names = [Attr::AriaControls, Attr::DataTarget, Attr::DataBsTarget];
            names.into_iter().any(|name| tree.attr(id, name).is_some())
        };
        match tag {
            Tag::Summary => true,
            Tag::Button => controls() && tree.attr(id, Attr::Role) != Some("tab"),
            _ if tree.attr(id, Attr::Role) == Some("button") => controls(),
            Tag::Dt => Line::plain(self.kept, id).ends_with(['?', '？', '؟']),
            Tag::Div | Tag::P | Tag::Span | Tag::Strong | Tag::Other => self.asks_by_name(id),
            _ => false,
        }
    }

    /// Called a question, by its author or by schema.org.
    fn asks_by_name(&self, id: Id) -> bool {
        let tree = self.kept.tree;
        let facts = self.kept.facts(id);
        if facts.has_heading || tree.children(id).any(|child| self.kept.facts(child).has_block) {
            return false;
        }
        let of_question = || {
            tree.parent(id)
                .is_some_and(|parent| tree.attr(parent, Attr::Itemtype).is_some_and(|kind| kind.ends_with("/Question")))
        };
        if tree.attr(id, Attr::Itemprop) == Some("name") && of_question() {
            return true;
        }
        let class = words(tree.attr(id, Attr::Class).unwrap_or_default());
        let unfolds = any(&class, &["accordion", "faq", "collapsible", "faqs"]);
        any(&class, &["question"]) && Line::plain(self.kept, id).ends_with(['?', '？', '؟'])
            || (unfolds && any(&class, &["title", "header", "heading", "trigger", "question", "toggle", "summary"]))
    }

    /// A definition list: a term that asks a question is a heading, every other term is before its definition.
    fn definitions(&mut self, id: Id) {
        self.end_paragraph();
        let level = self.level;
        let mut terms: Vec<String> = Vec::new();
        for child in self.kept.children(id).collect::<Vec<_>>() {
            match self.kept.tree.tag(child) {
                Some(Tag::Dt) if !self.opens_a_section(child, Tag::Dt) && !self.kept.facts(child).has_heading => {
                    terms.extend(Some(escaped(&Line::plain(self.kept, child))).filter(|term| !term.is_empty()));
                }
                Some(Tag::Dd) if !terms.is_empty() => self.definition(&std::mem::take(&mut terms), child),
                Some(Tag::Div) => self.definitions(child),
                _ => self.node(child),
            }
        }
        self.end_paragraph();
        self.pieces.push(Piece::End { level: level.saturating_add(1).min(6) });
    }

    fn definition(&mut self, terms: &[String], id: Id) {
        if self.kept.facts(id).has_heading {
            self.push(Block::of(BlockKind::Prose, format!("**{}**", terms.join(", "))));
            return self.container(id);
        }
        let mut part = self.part();
        part.children(id);
        let meaning = part.into_markdown();
        let between = if meaning.contains('\n') { "\n\n" } else { " " };
        self.push(Block::of(BlockKind::Lines, format!("**{}**:{between}{meaning}", terms.join(", "))));
    }

    fn table(&mut self, id: Id) {
        self.end_paragraph();
        match table::render(self, id) {
            Some(block) => self.pieces.push(Piece::Block(block)),
            None => self.container(id),
        }
    }

    fn is_tab_panel(&self, id: Id) -> bool {
        self.kept.tree.attr(id, Attr::Role) == Some("tabpanel")
    }

    /// What a tab panel's tab says.
    fn label_of(&self, id: Id) -> Option<String> {
        let tree = self.kept.tree;
        let by = tree.attr(id, Attr::AriaLabelledby)?;
        let label = self.kept.named(by)?;
        let text = tree.text_up_to(label, TRIGGER_CHARS).split_whitespace().collect::<Vec<_>>().join(" ");
        let says = !text.is_empty() && text.len() <= TRIGGER_CHARS && !self.is_heading_before(label);
        (says && self.kept.affords(text.len())).then_some(text)
    }

    fn is_heading_before(&self, label: Id) -> bool {
        self.kept.is(label)
            && std::iter::once(label).chain(self.kept.tree.ancestors(label)).any(|at| {
                self.kept.tree.tag(at).is_some_and(|tag| tag.heading_level().is_some() || self.opens_a_section(at, tag))
            })
    }
}
