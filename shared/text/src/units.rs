//! Splits Markdown into units that can be quoted alone: sentences, list items, steps, table rows, blocks of code.
//!
//! Each unit names the one that it needs to be understood: its heading, the line that introduces it, the head of its
//! table, the item that it is part of. A parser reads the blocks, [`crate::sentences()`] the sentences of a paragraph.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::sentences::{sentences, word_count};

/// Items of a deeper list count as items of this level, so that no unit needs many others.
const MAX_DEPTH: usize = 4;
/// A line of more words that ends in a colon may say more than what comes next.
const MAX_LEAD_WORDS: usize = 15;
/// An item of more words is one unit for each of its sentences.
const MAX_ITEM_WORDS: usize = 60;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit<'a> {
    /// In Markdown, with the mark of a list item; a heading without its marks.
    pub text: Cow<'a, str>,
    /// The kind of the unit.
    pub kind: UnitKind,
    /// The number of its paragraph, list, table or block of code.
    pub block: usize,
    /// The place of the unit without which it cannot be understood, always before it.
    pub needs: Option<usize>,
    /// The spaces before each of its lines, so that it stays part of the item that it needs.
    pub indent: usize,
    /// Its words; a list mark is one, and so is each bar of a table.
    pub words: usize,
    /// It ends in a colon, and another unit needs it or it is short: alone it says nothing.
    pub introduces: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitKind {
    /// Never quoted alone.
    Heading,
    /// A sentence of a paragraph.
    Sentence,
    /// An item of a list without an order.
    Item,
    /// An item of a numbered list.
    Step,
    /// The head of a table and the line under it; never quoted alone.
    TableHead,
    /// A row of a table.
    Row,
    /// A block of code.
    Code,
}

impl Unit<'_> {
    /// Whether it only says what others are about.
    #[must_use]
    pub const fn is_context(&self) -> bool {
        self.introduces || matches!(self.kind, UnitKind::Heading | UnitKind::TableHead)
    }

    /// Whether it is read on from the one before it: rows and items of a list without an order are not.
    #[must_use]
    pub const fn is_text(&self) -> bool {
        !self.is_context() && !matches!(self.kind, UnitKind::Row | UnitKind::Item)
    }

    const fn is_item(&self) -> bool {
        matches!(self.kind, UnitKind::Item | UnitKind::Step)
    }
}

/// The units of `text`, in order. The work is linear.
#[must_use]
pub fn units(text: &str) -> Vec<Unit<'_>> {
    let mut reader = Reader { source: text, ..Reader::default() };
    let dialect = Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH);
    for (event, range) in Parser::new_ext(text, dialect).into_offset_iter() {
        reader.event(event, range);
    }
    reader.end_of_line();
    reader.units
}

#[derive(Default)]
struct Reader<'a> {
    source: &'a str,
    units: Vec<Unit<'a>>,
    block: usize,
    heading: Option<usize>,
    /// The last unit of the paragraph just before.
    last: Option<usize>,
    quotes: usize,
    /// The lists that are open, and the number of the next item of each that is numbered.
    lists: Vec<Option<u64>>,
    items: Vec<OpenItem>,
    /// The source of a paragraph, an item, a heading or a cell that is being read.
    line: Option<Range<usize>>,
    in_heading: bool,
    cells: Option<Cells<'a>>,
    head: Option<usize>,
    /// The language and the text of a block of code that is being read.
    code: Option<(CowStr<'a>, String)>,
}

/// An item of a list that is being read.
struct OpenItem {
    start: usize,
    /// Its number in a numbered list.
    number: Option<u64>,
    /// Its unit, once its first line is read.
    unit: Option<usize>,
    /// The unit of the item around it.
    parent: Option<usize>,
}

impl<'a> Reader<'a> {
    fn event(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Rule => self.end_of_block(),
            Event::Text(text) if self.code.is_some() => self.code.iter_mut().for_each(|(_, code)| code.push_str(&text)),
            _ => self.extend(range),
        }
    }

    fn extend(&mut self, range: Range<usize>) {
        let line = self.line.get_or_insert(range.clone());
        line.end = line.end.max(range.end);
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. } | Tag::Image { .. } => {
                return self.extend(range);
            }
            Tag::TableCell => self.line = None,
            Tag::TableRow => self.cells = Some(Cells::default()),
            _ => self.end_of_line(),
        }
        match tag {
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::Heading { .. } => self.in_heading = true,
            Tag::List(first) => {
                if self.lists.is_empty() {
                    self.block += 1;
                }
                self.lists.push(first);
            }
            Tag::Item => {
                let deep = self.items.len() >= MAX_DEPTH;
                let parent = if deep { self.items.last().and_then(|item| item.parent) } else { self.item() };
                let number = self.lists.last_mut().and_then(Option::as_mut).map(|next| {
                    let number = *next;
                    *next = next.saturating_add(1);
                    number
                });
                self.items.push(OpenItem { start: range.start, number, unit: None, parent });
            }
            Tag::CodeBlock(kind) => {
                self.block += usize::from(self.lists.is_empty());
                let language = if let CodeBlockKind::Fenced(language) = kind { language } else { "".into() };
                self.code = Some((language, String::new()));
            }
            Tag::Table(_) => {
                self.block += 1;
                self.cells = Some(Cells::default());
                self.head = None;
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link | TagEnd::Image => {}
            TagEnd::TableCell => {
                let cell = self.line.take().and_then(|range| self.source.get(range)).unwrap_or_default();
                self.cells.iter_mut().for_each(|cells| cells.push(cell));
            }
            TagEnd::TableHead | TagEnd::TableRow => self.end_of_row(),
            TagEnd::CodeBlock => self.end_of_code(),
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::Heading(_) => self.end_of_line(),
            TagEnd::Item => {
                self.end_of_line();
                self.items.pop();
            }
            TagEnd::List(_) => {
                self.lists.pop();
                self.end_of_block();
            }
            TagEnd::BlockQuote(_) => self.quotes = self.quotes.saturating_sub(1),
            TagEnd::Table => {
                self.head = None;
                self.end_of_block();
            }
            _ => self.end_of_line(),
        }
    }

    /// The text before is no introduction to the next block.
    fn end_of_block(&mut self) {
        self.end_of_line();
        self.last = None;
    }

    /// The unit of the item that is being read, or of one around it.
    fn item(&self) -> Option<usize> {
        self.items.last().and_then(|item| item.unit.or(item.parent))
    }

    /// The sentence just before, if it introduces what follows.
    fn lead(&self) -> Option<usize> {
        self.last.filter(|at| self.units.get(*at).is_some_and(|unit| ends_in_colon(&unit.text) || is_label(&unit.text)))
    }

    fn end_of_line(&mut self) {
        let in_heading = std::mem::take(&mut self.in_heading);
        let Some(line) = self.line.take() else { return };
        if in_heading {
            return self.add_heading(line);
        }
        match self.items.last() {
            Some(OpenItem { unit: None, start, number, parent }) => {
                let (start, number, parent) = (*start, *number, *parent);
                self.add_item(start..line.end, number, parent);
            }
            Some(_) => self.add_sentences(line, self.item()),
            None => {
                self.block += 1;
                self.add_sentences(line, None);
            }
        }
    }

    fn add_heading(&mut self, line: Range<usize>) {
        let text = self.cleaned(line);
        self.block += 1;
        self.last = None;
        self.heading = self.push(text, UnitKind::Heading, None);
    }

    fn add_item(&mut self, range: Range<usize>, number: Option<u64>, parent: Option<usize>) {
        let text = self.cleaned(range);
        let (kind, text) = match number {
            Some(number) => (UnitKind::Step, numbered(text, number)),
            None => (UnitKind::Item, text),
        };
        let needs = parent.or_else(|| self.lead()).or(self.heading);
        let unit = if word_count(&text) <= MAX_ITEM_WORDS {
            self.push(text, kind, needs)
        } else {
            let parts = sentences(&text);
            let mut parts = parts.into_iter().map(|part| Cow::Owned(part.to_owned()));
            let unit = parts.next().and_then(|first| self.push(first, kind, needs));
            for part in parts {
                self.push(part, UnitKind::Sentence, unit);
            }
            unit
        };
        if let Some(item) = self.items.last_mut() {
            item.unit = unit;
        }
    }

    fn add_sentences(&mut self, range: Range<usize>, item: Option<usize>) {
        match self.cleaned(range) {
            Cow::Borrowed(text) => sentences(text).into_iter().for_each(|part| self.add_sentence(part.into(), item)),
            Cow::Owned(text) => {
                sentences(&text).into_iter().for_each(|part| self.add_sentence(part.to_owned().into(), item));
            }
        }
    }

    fn add_sentence(&mut self, text: Cow<'a, str>, item: Option<usize>) {
        // Marks of lists that are none in Markdown.
        let is_item = is_item(&text);
        let kind = if is_item { UnitKind::Item } else { UnitKind::Sentence };
        // A sentence needs the line just before it, an item also one before other items.
        let is_short = |lead: &usize| self.units.get(*lead).is_some_and(|unit| unit.words <= MAX_LEAD_WORDS);
        let lead = self.lead().filter(|lead| is_item || (lead + 1 == self.units.len() && is_short(lead)));
        // Labels one below the other are a list.
        let is_below = |lead: &usize| is_label(&text) && self.units.get(*lead).is_some_and(|unit| is_label(&unit.text));
        let lead = lead.filter(|lead| !is_below(lead));
        let needs = item.or(lead).or(self.heading);
        let unit = self.push(text, kind, needs);
        if !is_item {
            self.last = unit;
        }
    }

    fn end_of_row(&mut self) {
        let Some(cells) = self.cells.take() else { return };
        match self.head {
            None => {
                let needs = self.item().or_else(|| self.lead()).or(self.heading);
                self.head = self.push(Cow::Owned(cells.head()), UnitKind::TableHead, needs);
            }
            Some(_) if cells.are_empty() => {}
            head => {
                self.push(Cow::Owned(cells.row()), UnitKind::Row, head);
            }
        }
    }

    fn end_of_code(&mut self) {
        let Some((language, code)) = self.code.take() else { return };
        let needs = self.item().or(self.last).or(self.heading);
        self.push(Cow::Owned(fenced(&language, &code)), UnitKind::Code, needs);
        self.last = None;
    }

    /// A part of the source without the marks of the quotation around it, and without the indentation of its lines.
    fn cleaned(&self, range: Range<usize>) -> Cow<'a, str> {
        without_quotation_marks(self.source.get(range).unwrap_or_default().trim_end(), self.quotes > 0)
    }

    fn push(&mut self, text: Cow<'a, str>, kind: UnitKind, needs: Option<usize>) -> Option<usize> {
        if text.trim().is_empty() {
            return None;
        }
        let mut indent = 0;
        if let Some(needed) = needs.and_then(|at| self.units.get_mut(at)) {
            needed.introduces |= ends_in_colon(&needed.text) || is_label(&needed.text);
            if needed.is_item() {
                indent = needed.indent + needed.text.find(' ').map_or(2, |at| at + 1);
            }
        }
        let words = word_count(&text);
        let introduces = kind == UnitKind::Sentence && words <= MAX_LEAD_WORDS && ends_in_colon(&text);
        self.units.push(Unit { text, kind, block: self.block, needs, indent, words, introduces });
        Some(self.units.len() - 1)
    }
}

/// The lines without the marks of a quotation that begin the second and later ones, and without indentation.
fn without_quotation_marks(text: &str, in_quotation: bool) -> Cow<'_, str> {
    if !text.contains('\n') {
        return Cow::Borrowed(text);
    }
    let marks: &[char] = if in_quotation { &[' ', '\t', '>'] } else { &[' ', '\t'] };
    Cow::Owned(text.lines().map(|line| line.trim_start_matches(marks)).collect::<Vec<_>>().join("\n"))
}

/// A step with its number in its list: Markdown numbers a list by its first item, whatever the others say.
fn numbered(text: Cow<'_, str>, number: u64) -> Cow<'_, str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let said = text.get(..text.len() - rest.len()).unwrap_or_default();
    if said.is_empty() || said.parse() == Ok(number) { text } else { Cow::Owned(format!("{number}{rest}")) }
}

/// A line that its writer meant as a list item, though Markdown has another mark for it.
fn is_item(text: &str) -> bool {
    let after_number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered =
        after_number.len() < text.len() && (after_number.starts_with(". ") || after_number.starts_with(") "));
    numbered || text.starts_with(['\u{2022}', '|'])
}

/// A line of more words in bold may say something itself.
const MAX_LABEL_WORDS: usize = 3;
/// The same in bytes, for questions, too: longer lines are not looked at.
const MAX_LABEL_BYTES: usize = 200;

fn ends_in_colon(text: &str) -> bool {
    text.ends_with([':', '：'])
}

/// The text of a line of which all is in bold.
#[must_use]
pub fn in_bold(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("**")?.strip_suffix("**")?.trim();
    (!inner.is_empty() && !inner.contains("**")).then_some(inner)
}

/// Whether a line in bold is about what comes next: a question, or up to three words without a number or an address, as
/// the title of a box ("Note"). A longer one may be what was asked for.
#[must_use]
pub fn is_label(text: &str) -> bool {
    if text.len() > MAX_LABEL_BYTES {
        return false;
    }
    let Some(inner) = in_bold(text) else { return false };
    let says = |c: char| c.is_numeric() || "@€$£".contains(c);
    let is_sentence = inner.ends_with(['.', '!', '。', '！']);
    inner.ends_with(['?', '？']) || (word_count(inner) <= MAX_LABEL_WORDS && !is_sentence && !inner.contains(says))
}

/// The cells of a row, quoted with bars between them only, because each bar counts as a word.
#[derive(Debug, Default)]
struct Cells<'a>(Vec<&'a str>);

impl<'a> Cells<'a> {
    fn push(&mut self, cell: &'a str) {
        self.0.push(cell.trim());
    }

    fn are_empty(&self) -> bool {
        self.0.iter().all(|cell| cell.is_empty())
    }

    /// The head of a table, and the line that separates it from the rows.
    fn head(&self) -> String {
        let line = vec!["---"; self.0.len()].join("|");
        if self.needs_outer_bars() || self.0.len() == 1 {
            return format!("| {} |\n|{line}|", self.0.join(" | "));
        }
        format!("{}\n{line}", self.0.join(" | "))
    }

    /// A row under the head.
    fn row(&self) -> String {
        let cells = self.0.join(" | ");
        if self.needs_outer_bars() { format!("| {cells} |") } else { cells }
    }

    /// Whether the row would be something else without a bar before it: an item of a list, a heading, or a row whose
    /// first cell is missing.
    fn needs_outer_bars(&self) -> bool {
        let first = self.0.first().copied().unwrap_or_default();
        let after_number = first.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = after_number.len() < first.len() && after_number.starts_with(['.', ')']);
        first.is_empty() || numbered || first.starts_with(['-', '+', '*', '#', '>', '`', '~', '=', '|', '<', '_', '['])
    }
}

/// A block of code between fences that are longer than any in it; empty if the block is.
fn fenced(language: &str, code: &str) -> String {
    if code.trim().is_empty() {
        return String::new();
    }
    let longest = code.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}", code.trim_end_matches(['\n', '\r']))
}

#[cfg(test)]
mod tests;
