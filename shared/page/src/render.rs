//! Renders the kept part of a page as headings and Markdown blocks. `headings` says what opens a section.

use url::Url;

use super::block::{Block, BlockKind, Piece};
use super::content_filter::ContentFilter;
use super::escape::escaped;
use super::headings::{heading_level, starts_section, tab_label};
use super::inline::Line;
use super::names::{Attr, Tag};
use super::tree::Id;
use super::{code, list, table};

/// Renders what is under `root`; links are made absolute by `base`.
pub(super) fn render(kept: &ContentFilter<'_>, root: Id, base: Option<&Url>) -> Vec<Piece> {
    let mut writer = Writer::new(kept, base);
    writer.children(root);
    writer.finish()
}

/// Writes pieces, one element after the other.
struct Writer<'a> {
    kept: &'a ContentFilter<'a>,
    base: Option<&'a Url>,
    pieces: Vec<Piece>,
    line: Line,
    /// The level of the last heading that is one by name.
    level: u8,
}

impl<'a> Writer<'a> {
    fn new(kept: &'a ContentFilter<'a>, base: Option<&'a Url>) -> Self {
        Self { kept, base, pieces: Vec::new(), line: Line::default(), level: 1 }
    }

    /// The content of an element as Markdown text, for whoever puts something around it.
    fn markdown(&self, id: Id) -> String {
        let mut part = self.part();
        part.children(id);
        part.into_markdown()
    }

    /// The same of an item of a list; an element that is none is an item by itself.
    fn item(&self, id: Id) -> String {
        if self.kept.tree.tag(id) == Some(Tag::Li) {
            return self.markdown(id);
        }
        let mut part = self.part();
        part.node(id);
        part.into_markdown()
    }

    fn part(&self) -> Self {
        Self { level: self.level, ..Self::new(self.kept, self.base) }
    }

    /// Everything that was written.
    fn finish(mut self) -> Vec<Piece> {
        self.end_paragraph();
        self.pieces
    }

    /// Everything that was written, as Markdown text.
    fn into_markdown(self) -> String {
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

    fn children(&mut self, id: Id) {
        let kept = self.kept;
        for child in kept.children(id) {
            self.node(child);
        }
    }

    fn node(&mut self, id: Id) {
        if let Some(text) = self.kept.tree.text(id) {
            self.line.text(text);
            return;
        }
        let Some(tag) = self.kept.tree.tag(id) else { return };
        if let Some(level) = heading_level(self.kept, id, tag) {
            self.level = level;
            self.heading(id, level);
        } else if starts_section(self.kept, id, tag) {
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
                let block = Block::of(BlockKind::Lines, list::render(self.kept, id, tag, |item| self.item(item)));
                let left_out = block.is_none() && self.kept.facts(id).links > 0;
                self.push(block);
                self.pieces.extend(left_out.then_some(Piece::Links));
            }
            Tag::Dl => self.definitions(id),
            Tag::Pre => self.push(code::render(self.kept.tree, id)),
            Tag::Table => self.table(id),
            Tag::Blockquote => {
                let quoted = self.markdown(id);
                let mark = |line: &str| if self.kept.within_budget(2) { format!("> {line}") } else { line.to_owned() };
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
                if let Some(label) = tab_label(self.kept, id) {
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

    fn push(&mut self, block: Option<Block>) {
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

    /// A definition list: a term that asks a question is a heading, every other term is before its definition.
    fn definitions(&mut self, id: Id) {
        self.end_paragraph();
        let level = self.level;
        let mut terms: Vec<String> = Vec::new();
        for child in self.kept.children(id).collect::<Vec<_>>() {
            match self.kept.tree.tag(child) {
                Some(Tag::Dt) if !starts_section(self.kept, child, Tag::Dt) && !self.kept.facts(child).has_heading => {
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
        let meaning = self.markdown(id);
        let between = if meaning.contains('\n') { "\n\n" } else { " " };
        self.push(Block::of(BlockKind::Lines, format!("**{}**:{between}{meaning}", terms.join(", "))));
    }

    fn table(&mut self, id: Id) {
        self.end_paragraph();
        match table::render(self.kept, id, |cell| self.markdown(cell)) {
            Some(blocks) => self.pieces.extend(blocks.into_iter().map(Piece::Block)),
            None => self.container(id),
        }
    }

    fn is_tab_panel(&self, id: Id) -> bool {
        self.kept.tree.attr(id, Attr::Role) == Some("tabpanel")
    }
}
