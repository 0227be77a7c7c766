//! Code, kept line by line.

use super::block::{Block, BlockKind};
use super::class_names::{HIDDEN_WORDS, LINE_NUMBER_WORDS, any, words};
use super::names::{Attr, Tag};
use super::tree::{Id, Tree};

/// A `pre` element, fenced, with its language if its class names one.
pub(super) fn render(tree: &Tree, id: Id) -> Option<Block> {
    let mut text = String::new();
    add(tree, id, &mut text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    let text = text.trim_matches('\n');
    if text.trim().is_empty() {
        return None;
    }
    fenced(text, &language(tree, id).unwrap_or_default())
}

/// Code between fences that it does not contain.
pub(super) fn fenced(text: &str, language: &str) -> Option<Block> {
    let mut fence = "```".to_owned();
    while text.contains(&fence) && fence.len() < 16 {
        fence.push('`');
    }
    Block::of(BlockKind::Code, format!("{fence}{language}\n{text}\n{fence}"))
}

fn add(tree: &Tree, id: Id, out: &mut String) {
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
                add(tree, child, out);
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
