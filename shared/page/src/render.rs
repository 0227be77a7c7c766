//! Renders the kept part of a page as headings and Markdown blocks.
//!
//! A section is opened by `h1`-`h6`, the summary of `details`, the term of a definition list that asks a question, the button
//! of an accordion, a tab. Code is kept line by line.

use text::images;
use text::markdown::escape;
use url::Url;

use super::block::{Block, BlockKind, Piece, fence};
use super::class_names::{self, HIDDEN_WORDS, LINE_NUMBER_WORDS, any, words};
use super::content_filter::ContentFilter;
use super::inline::Line;
use super::tree::{Attr, Id, Tag, Tree};
use super::{list, table};

/// A tab's text of more characters is a section of its own; a shorter one has its label in bold above it.
const MIN_TAB_CHARS: usize = 200;

/// So many nodes before and after a tab's panel may be panels of the same tabs.
const MAX_TABS: usize = 16;

/// A text that is rendered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) kept: &'a ContentFilter<'a>,
    /// Makes links absolute.
    pub(super) base: Option<&'a Url>,
    /// Lines and lists of links alone are left out, because nothing says that they belong to the text.
    pub(super) drops_links: bool,
}

/// Renders what is under `root`.
pub(super) fn render(source: Source<'_>, root: Id) -> Vec<Piece> {
    let mut writer = Writer::new(source);
    writer.children(root);
    writer.finish()
}

/// Writes pieces, one element after the other.
struct Writer<'a> {
    source: Source<'a>,
    kept: &'a ContentFilter<'a>,
    pieces: Vec<Piece>,
    line: Line,
    /// The level of the last heading that is one by name.
    level: u8,
    /// The outermost level that a heading may have here: those in a tab's panel are below the tab's.
    floor: u8,
    /// The end of the last piece, if it is a list with numbers.
    list: Option<list::End>,
}

impl<'a> Writer<'a> {
    fn new(source: Source<'a>) -> Self {
        Self { source, kept: source.kept, pieces: Vec::new(), line: Line::default(), level: 1, floor: 1, list: None }
    }

    /// The content of an element as blocks, for whoever puts something around it; headings are in bold.
    fn blocks(&self, id: Id) -> Vec<Block> {
        let mut part = self.part();
        part.children(id);
        part.into_blocks()
    }

    /// The same of an item of a list; an element that is none is an item by itself.
    fn item(&self, id: Id) -> Vec<Block> {
        if self.kept.tree.tag(id) == Some(Tag::Li) {
            return self.blocks(id);
        }
        let mut part = self.part();
        part.node(id);
        part.into_blocks()
    }

    /// The content of an element as Markdown.
    fn markdown(&self, id: Id) -> String {
        let texts: Vec<String> = self.blocks(id).into_iter().map(|block| block.text).collect();
        texts.join("\n\n")
    }

    fn part(&self) -> Self {
        // Links in an item or a cell are what it says.
        let source = Source { drops_links: false, ..self.source };
        Self { level: self.level, floor: self.floor, ..Self::new(source) }
    }

    /// Everything that was written.
    fn finish(mut self) -> Vec<Piece> {
        self.end_paragraph();
        self.pieces
    }

    fn into_blocks(self) -> Vec<Block> {
        let block = |piece| match piece {
            Piece::Heading { text, .. } => bold(&text),
            Piece::Block(block) => Some(block),
            Piece::End { .. } | Piece::Links => None,
        };
        self.finish().into_iter().filter_map(block).collect()
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
            self.level = level.max(self.floor);
            self.heading(id, self.level);
        } else if starts_section(self.kept, id, tag) {
            self.heading(id, self.level.saturating_add(1).min(6));
        } else if tag.is_inline() && !self.kept.facts(id).has_block {
            self.line.element(self.kept, self.source.base, id, tag);
        } else {
            self.block(id, tag);
        }
    }

    fn block(&mut self, id: Id, tag: Tag) {
        match tag {
            Tag::Br => self.line.newline(),
            Tag::Input | Tag::Title => {}
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir if !self.kept.facts(id).has_heading => self.list(id),
            Tag::Dl => self.definitions(id),
            Tag::Pre => self.push(code(self.kept.tree, id)),
            Tag::Table => self.table(id),
            Tag::Blockquote => {
                let mark = |line: &str| if self.kept.within_budget(2) { format!("> {line}") } else { line.to_owned() };
                let quoted: Vec<String> =
                    self.markdown(id).lines().map(|line| mark(line).trim_end().to_owned()).collect();
                self.push(Block::of(BlockKind::Lines, quoted.join("\n")));
            }
            Tag::Details => {
                let level = self.level;
                self.container(id);
                self.add(Piece::End { level: level.saturating_add(1).min(6) });
                self.level = level;
            }
            Tag::Div | Tag::Section if self.is_tab_panel(id) => self.tab(id),
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
            self.add(Piece::Heading { level, text: question });
            let images = line.finish().into_iter().filter(|(kind, _)| *kind == BlockKind::Image);
            return images
                .filter_map(|(kind, text)| Block::of(kind, text))
                .for_each(|image| self.add(Piece::Block(image)));
        }
        // Several links in a row and nothing else lead away from the text.
        let (links_only, links) = (self.source.drops_links && line.is_links(), line.links());
        if links_only && links > 1 {
            return self.add(Piece::Links);
        }
        for (kind, text) in line.finish() {
            if let Some(block) = Block::of(kind, text) {
                self.add(Piece::Block(Block { links_only, ..block }));
            }
        }
    }

    fn add(&mut self, piece: Piece) {
        self.pieces.push(piece);
        self.list = None;
    }

    fn list(&mut self, id: Id) {
        self.end_paragraph();
        if list::is_directory(self.kept, id, self.source.drops_links) {
            // "In this article:" says nothing without its list.
            let is_label = |piece: &mut Piece| matches!(piece, Piece::Block(block) if block.is_label());
            self.pieces.pop_if(is_label);
            return self.add(Piece::Links);
        }
        let (block, end) = list::render(self.kept, id, self.list, |item| self.item(item));
        if let Some(block) = block {
            self.add(Piece::Block(block));
            self.list = end;
        }
    }

    /// A panel with steps or much text is a section, because what it says is true for its tab alone.
    fn tab(&mut self, id: Id) {
        let label = tab_label(self.kept, id);
        // Tabs beside each other are all sections or none, so that they stay in their order.
        let is_long = |id: Id| {
            let facts = self.kept.facts(id);
            self.is_tab_panel(id) && (facts.has_list || facts.chars >= MIN_TAB_CHARS)
        };
        let (before, after) = (self.kept.tree.before(id), self.kept.tree.after(id));
        let is_section = is_long(id) || before.take(MAX_TABS).chain(after.take(MAX_TABS)).any(is_long);
        let level = self.level.saturating_add(1);
        match label {
            Some(label) if is_section => {
                let before = (self.level, self.floor);
                (self.level, self.floor) = (level, level.saturating_add(1));
                self.end_paragraph();
                self.add(Piece::Heading { level, text: label });
                self.container(id);
                self.add(Piece::End { level });
                (self.level, self.floor) = before;
            }
            label => {
                self.push(label.and_then(|label| bold(&label)));
                self.container(id);
            }
        }
    }

    fn push(&mut self, block: Option<Block>) {
        self.end_paragraph();
        if let Some(block) = block {
            self.add(Piece::Block(block));
        }
    }

    fn heading(&mut self, id: Id, level: u8) {
        self.end_paragraph();
        let text = Line::plain(self.kept, id);
        if !text.is_empty() {
            self.add(Piece::Heading { level, text });
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
                    terms.extend(Some(escape(&Line::plain(self.kept, child))).filter(|term| !term.is_empty()));
                }
                Some(Tag::Dd) if !terms.is_empty() => self.definition(&std::mem::take(&mut terms), child),
                Some(Tag::Div) => self.definitions(child),
                _ => self.node(child),
            }
        }
        self.end_paragraph();
        self.add(Piece::End { level: level.saturating_add(1).min(6) });
    }

    fn definition(&mut self, terms: &[String], id: Id) {
        if self.kept.facts(id).has_heading {
            self.push(Block::of(BlockKind::Prose, format!("**{}**", terms.join(", "))));
            return self.container(id);
        }
        let terms = terms.join(", ");
        match self.blocks(id).as_slice() {
            [only] if only.kind == BlockKind::Prose => {
                self.push(Block::of(BlockKind::Prose, format!("**{terms}**: {}", only.text)));
            }
            meaning => {
                let texts = meaning.iter().map(|block| block.text.as_str());
                let text =
                    std::iter::once(format!("**{terms}**:").as_str()).chain(texts).collect::<Vec<_>>().join("\n\n");
                self.push(Block::of(BlockKind::Lines, text));
            }
        }
    }

    fn table(&mut self, id: Id) {
        self.end_paragraph();
        // A picture in a row says what the row says, and an icon is read as its word.
        match table::render(self.kept, id, |cell| images::without(&self.markdown(cell)).into_owned()) {
            Some(blocks) => blocks.into_iter().for_each(|block| self.add(Piece::Block(block))),
            None => self.container(id),
        }
    }

    fn is_tab_panel(&self, id: Id) -> bool {
        class_names::is_tab_panel(self.kept.tree, id)
    }
}

/// A line in bold.
fn bold(text: &str) -> Option<Block> {
    Block::of(BlockKind::Prose, format!("**{}**", escape(text)))
}

/// The longest heading that is made of another element, in characters.
const TRIGGER_CHARS: usize = 200;

/// The level of a heading by name or by role; 1 is the outermost.
fn heading_level(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> Option<u8> {
    let by_role = || {
        let level = kept.tree.attr(id, Attr::AriaLevel).and_then(|level| level.parse().ok());
        (kept.tree.attr(id, Attr::Role) == Some("heading")).then(|| level.unwrap_or(2_u8).clamp(1, 6))
    };
    tag.heading_level().or_else(by_role)
}

/// Something at whose click text unfolds, or that asks what the text after it answers.
fn starts_section(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
    let chars = kept.facts(id).chars;
    if chars == 0 || chars > TRIGGER_CHARS {
        return false;
    }
    match tag {
        Tag::Summary => true,
        _ if kept.opens(id) => true,
        Tag::Dt => Line::plain(kept, id).ends_with(['?', '？', '؟']),
        Tag::Div | Tag::P | Tag::Span | Tag::Strong | Tag::Other => is_question_class(kept, id),
        _ => false,
    }
}

/// Called a question, by its author or by schema.org.
fn is_question_class(kept: &ContentFilter<'_>, id: Id) -> bool {
    let tree = kept.tree;
    let facts = kept.facts(id);
    if facts.has_heading || tree.children(id).any(|child| kept.facts(child).has_block) {
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
    any(&class, &["question"]) && Line::plain(kept, id).ends_with(['?', '？', '؟'])
        || (unfolds && any(&class, &["title", "header", "heading", "trigger", "question", "toggle", "summary"]))
        || class.starts_with(&["expand".to_owned(), "control".to_owned()])
}

/// The name of a tab panel: the text of the tab that labels it, its own `aria-label`, or the text of the tab that
/// opens it.
fn tab_label(kept: &ContentFilter<'_>, id: Id) -> Option<String> {
    let tree = kept.tree;
    let text_of = |tab: Id| tree.text_up_to(tab, TRIGGER_CHARS);
    let named = tree.attr(id, Attr::AriaLabelledby).and_then(|by| kept.named(by.split_whitespace().next()?));
    let tab = || tree.attr(id, Attr::Id).and_then(|id| kept.tab_of(id));
    let own = || tree.attr(id, Attr::AriaLabel).map(str::to_owned).filter(|label| !label.trim().is_empty());
    let heads = |label: &Id| is_heading_before(kept, *label);
    let by_tab = |tab: Id| (!heads(&tab)).then(|| text_of(tab));
    let label = match named {
        Some(tab) => by_tab(tab)?,
        None => own().or_else(|| tab().or_else(|| class_names::tab_at_the_same_place(tree, id)).and_then(by_tab))?,
    };
    let text = label.split_whitespace().collect::<Vec<_>>().join(" ");
    let says = !text.is_empty() && text.len() <= TRIGGER_CHARS;
    (says && kept.within_budget(text.len())).then_some(text)
}

fn is_heading_before(kept: &ContentFilter<'_>, label: Id) -> bool {
    kept.is(label)
        && std::iter::once(label).chain(kept.tree.ancestors(label)).any(|at| {
            kept.tree.tag(at).is_some_and(|tag| tag.heading_level().is_some() || starts_section(kept, at, tag))
        })
}

/// A `pre` element, fenced, with its language if its class names one.
fn code(tree: &Tree, id: Id) -> Option<Block> {
    let mut text = String::new();
    add_code(tree, id, &mut text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return None;
    }
    let (fence, language) = (fence(text), language(tree, id).unwrap_or_default());
    Block::of(BlockKind::Code, format!("{fence}{language}\n{text}\n{fence}"))
}

fn add_code(tree: &Tree, id: Id, out: &mut String) {
    for child in tree.children(id) {
        if let Some(text) = tree.text(child) {
            out.push_str(text);
            continue;
        }
        let class = tree.attr(child, Attr::Class).unwrap_or_default();
        match tree.tag(child) {
            Some(Tag::Br) => out.push('\n'),
            Some(tag) if tag.is_non_content_element() || matches!(tag, Tag::Button | Tag::Svg) => {}
            _ if class.split_whitespace().any(|name| HIDDEN_WORDS.contains(&name))
                || any(&words(class), LINE_NUMBER_WORDS) => {}
            Some(tag) => {
                let line = tag.is_block() && !out.is_empty() && !out.ends_with('\n');
                if line {
                    out.push('\n');
                }
                add_code(tree, child, out);
            }
            None => {}
        }
    }
}

/// From `language-rust`, `lang-rust` or `highlight-source-rust`, on the element, in it or just above it.
fn language(tree: &Tree, id: Id) -> Option<String> {
    let around = tree.children(id).chain([id]).chain(tree.ancestors(id).take(2));
    around.filter_map(|at| tree.attr(at, Attr::Class)).flat_map(str::split_whitespace).find_map(|class| {
        let name = ["language-", "lang-", "highlight-source-"].iter().find_map(|prefix| class.strip_prefix(prefix))?;
        let sound =
            (1..=20).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"+#-.".contains(&b));
        (sound && !matches!(name, "none" | "plaintext" | "text")).then(|| name.to_owned())
    })
}
