//! Tables: a line for each row, with a head that names the columns.
//!
//! `model` is the grid, and tells tables that only lay out a page; `writer` finds what the columns are called, and writes the
//! rows. A row is read alone: what is said once for several rows or columns stands in each of them.

mod model;
mod writer;

use text::markdown::escape;

use super::block::{Block, BlockKind};
use super::content_filter::{ContentFilter, icon_text};
use super::tree::{Id, Tag};
use model::{Cell, Model, Part, is_layout};
use writer::{Text, Writer, bold, count_heads, one_line};

/// The longest text of an icon, in characters.
const MAX_ICON_CHARS: usize = 40;

/// The table as Markdown, with its caption before and its notes behind; `text_of` is the text of an element. `None` if
/// the table only lays out a page, and its cells are to be read one after the other.
pub(super) fn render(kept: &ContentFilter<'_>, id: Id, text_of: impl Fn(Id) -> String) -> Option<Vec<Block>> {
    let mut model = Model::of(kept, id);
    if is_layout(kept, id, &model) {
        return None;
    }
    let texts = texts(kept, &model, &text_of);
    let says = |slot: &Option<usize>| slot.and_then(|cell| texts.get(cell)).is_some_and(|text| !text.line.is_empty());
    let has_empty_head = model.rows.first().is_some_and(|row| row.part == Part::Head && !row.slots.iter().any(says));
    model.rows.retain(|row| row.slots.iter().any(says));
    let mut writer = Writer::new(kept, &model, &texts);
    let heads = if has_empty_head { 0 } else { count_heads(&writer) };
    let body = writer.body(heads);
    let mut blocks = outside(kept, id, &text_of);
    blocks.extend(caption(kept, id, &text_of));
    blocks.append(&mut writer.before);
    blocks.extend(body);
    blocks.append(&mut writer.after);
    Some(blocks)
}

fn texts(kept: &ContentFilter<'_>, model: &Model, text_of: &impl Fn(Id) -> String) -> Vec<Text> {
    let text = |cell: &Cell| {
        let markdown = text_of(cell.id);
        Text { line: one_line(&markdown, holds_table(kept, cell.id)), markdown }
    };
    let mut texts: Vec<Text> = model.cells.iter().map(text).collect();
    for row in &model.rows {
        // A picture across the table says nothing of its columns.
        let is_across = row.own.len() == 1 && row.slots.first() == Some(&Some(row.own.start));
        for at in row.own.clone().filter(|_| !is_across) {
            let (Some(cell), Some(text)) = (model.cells.get(at), texts.get_mut(at)) else { continue };
            if text.line.is_empty() {
                let icon = icon_text(kept.tree, cell.id).filter(|icon| is_label(icon));
                text.line = icon.map_or_else(String::new, |icon| escape(&icon));
            }
        }
    }
    texts
}

/// Whether the text of an icon is what a reader takes from it, and no description or file of a picture.
fn is_label(icon: &str) -> bool {
    let is_file = icon.rsplit_once('.').is_some_and(|(_, end)| end.len() > 2 && !end.contains(char::is_whitespace));
    icon.chars().count() <= MAX_ICON_CHARS && !is_file
}

fn holds_table(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.facts(id).has_block
        && kept.children(id).any(|child| kept.tree.tag(child) == Some(Tag::Table) || holds_table(kept, child))
}

/// Content of the table that is in no cell; browsers show it before the table (HTML, 13.2.6.1, foster parenting).
fn outside(kept: &ContentFilter<'_>, id: Id, text_of: &impl Fn(Id) -> String) -> Vec<Block> {
    let text = |child| match kept.tree.tag(child) {
        Some(Tag::Caption | Tag::Colgroup | Tag::Col | Tag::Thead | Tag::Tbody | Tag::Tfoot | Tag::Tr) => None,
        Some(_) => Block::of(BlockKind::Lines, text_of(child)),
        None => Block::of(BlockKind::Prose, escape(kept.tree.text(child)?.trim())),
    };
    kept.children(id).filter_map(text).collect()
}

fn caption(kept: &ContentFilter<'_>, id: Id, text_of: &impl Fn(Id) -> String) -> Option<Block> {
    let caption = kept.children(id).find(|child| kept.tree.tag(*child) == Some(Tag::Caption))?;
    bold(&one_line(&text_of(caption), false))
}

#[cfg(test)]
mod tests;
