//! Any table, read back by GFM.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::super::render;
use crate::left_out;
use crate::parse;
use crate::tree::Tag as Element;

/// The rows of the first table as GFM shows them.
fn gfm(markdown: &str) -> Vec<Vec<String>> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::TableHead | Tag::TableRow) => rows.push(Vec::new()),
            Event::Start(Tag::TableCell) => rows.last_mut().unwrap().push(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(cell) = rows.last_mut().and_then(|row| row.last_mut()) {
                    cell.push_str(&text);
                }
            }
            Event::End(TagEnd::Table) => break,
            _ => {}
        }
    }
    rows
}

fn shown(markdown: &str) -> String {
    let text = |event| match event {
        Event::Text(text) | Event::Code(text) => text.into_string(),
        _ => String::new(),
    };
    Parser::new(markdown).map(text).collect()
}

/// The content of cells, as Markdown.
const CONTENTS: [&str; 14] = [
    "a",
    "b|c",
    "||",
    "`d|e`",
    "`f\\|g`",
    "*h* **i|j**",
    "C:\\\\new\\\\k",
    "l \\|",
    "m\\\\|n",
    "o\\\\",
    "\\*p\\*",
    "[q|r](https://x.example/?a|b)",
    "`` s`|t ``",
    "\\---",
];

/// A cell: its content, and the columns and rows that it spans.
type Spec = (usize, usize, usize);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn read_back_by_gfm_every_row_has_its_cells(
        columns in 2..5_usize,
        rows in prop::collection::vec(prop::collection::vec((0..CONTENTS.len(), 1..4_usize, 0..4_usize), 5), 1..6),
    ) {
        let (html, grid) = table(columns, &rows);
        let tree = parse::parse(&html).unwrap();
        let kept = left_out::filter(&tree, usize::MAX, true);
        let table = tree.ids().find(|id| tree.tag(*id) == Some(Element::Table)).unwrap();
        let content = |cell| match tree.whole_text(cell).parse::<usize>() {
            Ok(at) => CONTENTS[at].to_owned(),
            Err(_) => tree.whole_text(cell),
        };
        let blocks = render(&kept, table, content).unwrap();
        prop_assert_eq!(blocks.len(), 1);
        let rows = gfm(&blocks[0].text);
        prop_assert!(rows[0].iter().all(|cell| cell.starts_with("Head")));
        prop_assert_eq!(&rows[1..], &grid, "{}\n{}", html, blocks[0].text);
    }
}

/// A table of which every row begins with a cell of one column, and what GFM is to show of it.
fn table(columns: usize, rows: &[Vec<Spec>]) -> (String, Vec<Vec<String>>) {
    let heads: String = (0..columns).map(|at| format!("<th>Head {at}")).collect();
    let mut html = format!("<table><thead><tr>{heads}<tbody>");
    let mut grid = vec![vec![None; columns]; rows.len()];
    for (at, row) in rows.iter().enumerate() {
        html.push_str("<tr>");
        for (content, right, down) in row {
            let Some(column) = grid[at].iter().position(Option::is_none) else { break };
            let free = grid[at][column..].iter().take_while(|slot| slot.is_none()).count();
            let right = if column == 0 { 1 } else { (*right).min(free) };
            let end = if *down == 0 { rows.len() } else { rows.len().min(at + down) };
            html.push_str(&format!("<td colspan={right} rowspan={down}>{content}"));
            for below in &mut grid[at..end] {
                below[column..column + right].fill(Some(shown(CONTENTS[*content])));
            }
        }
    }
    (html, grid.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default).collect()).collect())
}
