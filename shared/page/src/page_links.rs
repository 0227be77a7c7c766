//! Links that work the page instead of leading from it: its contents, to its top, past its navigation; and the last
//! question of a page, which only leads to a form.

use std::collections::HashSet;

use super::content;
use super::content_filter::ContentFilter;
use super::frame;
use super::tree::{Attr, Id, Tag, Tree};

/// The longest label of a table of contents, and so much is next to its links, in characters.
const LABEL_CHARS: usize = 40;
/// So many siblings are looked at, so that a row of many takes no longer than a row of few for each.
const NEIGHBOURS: usize = 20;
/// The longest question at the end of a page, in characters.
const QUESTION_CHARS: usize = 100;

/// All of them.
pub(super) fn found(kept: &ContentFilter<'_>) -> HashSet<Id> {
    let mut found = HashSet::new();
    for id in kept.tree.ids().filter(|id| kept.is(*id)) {
        if kept.facts(id).local_links >= 2 {
            contents_under(kept, id, &mut found);
        }
        if kept.tree.tag(id) == Some(Tag::A)
            && let Some(block) = top_link(kept, id)
        {
            found.insert(block);
        }
    }
    skip_links(kept, &mut found);
    last_questions(kept, &mut found);
    found
}

/// Tables of contents among the children of an element, with the label before them.
fn contents_under(kept: &ContentFilter<'_>, parent: Id, found: &mut HashSet<Id>) {
    let children: Vec<Id> = kept.children(parent).filter(|id| kept.facts(*id).chars > 0).collect();
    for (at, id) in children.iter().enumerate().filter(|(_, id)| is_contents(kept, **id)) {
        found.insert(*id);
        let label = at.checked_sub(1).and_then(|before| children.get(before));
        let next = children.get(at + 1).is_none_or(|next| kept.facts(*next).has_heading || kept.tree.is_heading(*next));
        found.extend(label.filter(|label| is_label(kept, **label) && (next || !kept.tree.is_heading(**label))));
    }
}

/// Links to elements of the page, and at most a label.
fn is_contents(kept: &ContentFilter<'_>, id: Id) -> bool {
    let facts = kept.facts(id);
    let rest = facts.chars.saturating_sub(facts.link_chars);
    matches!(kept.tree.tag(id), Some(Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Aside | Tag::Details))
        && facts.links >= 2
        && facts.local_links == facts.links
        && rest <= LABEL_CHARS
        && rest * 2 <= facts.chars
        && !ends_sentence(&kept.tree.whole_text(id))
}

fn is_label(kept: &ContentFilter<'_>, id: Id) -> bool {
    let (facts, tag) = (kept.facts(id), kept.tree.tag(id));
    facts.chars <= LABEL_CHARS
        && facts.links == 0
        && tag != Some(Tag::H1)
        && facts.first_headings == 0
        && !ends_sentence(&kept.tree.whole_text(id))
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '。'])
}

/// The block of a link that leads up to what contains it.
fn top_link(kept: &ContentFilter<'_>, id: Id) -> Option<Id> {
    let name = kept.tree.attr(id, Attr::Href)?.strip_prefix('#')?;
    let chars = kept.facts(id).chars;
    let alone = |at: &Id| kept.facts(*at).chars == chars && *at != Tree::ROOT;
    let block = kept.tree.ancestors(id).take_while(alone).last().unwrap_or(id);
    let stands_alone = kept.tree.tag(block).is_some_and(Tag::is_block)
        || kept
            .tree
            .parent(id)
            .is_some_and(|parent| kept.facts(parent).text_blocks > 0 && !kept.facts(parent).has_heading);
    let is_text = |at: Option<Id>| at.and_then(|at| kept.tree.text(at)).is_some_and(|text| !text.trim().is_empty());
    let in_sentence = is_text(kept.tree.before(id).next()) || is_text(kept.tree.after(id).next());
    let in_heading = kept.tree.ancestors(id).any(|above| kept.tree.is_heading(above));
    if in_sentence || chars == 0 || in_heading || !stands_alone {
        return None;
    }
    let target = kept.named(name);
    let above = target.is_some_and(|target| kept.tree.ancestors(block).any(|above| above == target));
    // The first words of a section lead to it, too.
    let follows =
        || kept.tree.before(block).take(NEIGHBOURS).any(|before| kept.is(before) && kept.facts(before).chars > 0);
    (above || name == "top").then_some(block).filter(|_| follows())
}

/// Links before any other text of a page.
fn skip_links(kept: &ContentFilter<'_>, found: &mut HashSet<Id>) {
    let texts = kept.tree.ids().filter(|id| kept.is(*id) && kept.tree.text(*id).is_some() && kept.facts(*id).chars > 0);
    for text in texts {
        let link = kept.tree.ancestors(text).find(|above| kept.tree.tag(*above) == Some(Tag::A));
        let local = link.filter(|link| kept.tree.attr(*link, Attr::Href).is_some_and(|href| href.starts_with('#')));
        let block = link.and_then(|link| kept.tree.parent(link));
        let Some(link) = local.filter(|_| !block.is_some_and(|block| kept.tree.is_heading(block))) else { return };
        found.insert(link);
    }
}

/// Questions after all other text that only lead to a form, a page or a conversation; dates and the copyright among
/// them.
fn last_questions(kept: &ContentFilter<'_>, found: &mut HashSet<Id>) {
    let (root, _) = content::root(kept);
    let in_root = |id: &Id| root == Tree::ROOT || kept.tree.ancestors(*id).any(|above| above == root);
    let texts = kept.tree.ids().rev().filter(|id| kept.tree.text(*id).is_some() && kept.facts(*id).chars > 0);
    for text in texts.filter(|id| kept.is(*id) && in_root(id)) {
        let mut above = kept.tree.ancestors(text);
        let is_link = |tag| matches!(tag, Some(Tag::A | Tag::Button));
        let Some(block) = above.find(|at| kept.tree.tag(*at).is_some_and(Tag::is_block)) else { return };
        if found.contains(&block) || kept.tree.ancestors(text).any(|at| found.contains(&at)) {
            continue;
        }
        let linked = kept.tree.ancestors(text).take_while(|at| *at != block).any(|at| is_link(kept.tree.tag(at)));
        if linked {
            continue;
        }
        let says = kept.tree.text_up_to(block, QUESTION_CHARS).trim_start().to_lowercase();
        let begins = says.starts_with('©') || says.starts_with("copyright");
        let copyright = begins && kept.facts(block).chars <= QUESTION_CHARS;
        if copyright || (frame::is_date_line(kept, block) && kept.facts(block).text_blocks <= 1) {
            found.insert(block);
            continue;
        }
        let Some(question) = question(kept, block) else { return };
        found.insert(question);
    }
}

/// The container of a question and its links.
fn question(kept: &ContentFilter<'_>, block: Id) -> Option<Id> {
    let own = |id: Id| {
        let facts = kept.facts(id);
        facts.chars.saturating_sub(facts.link_chars).saturating_sub(facts.button_chars)
    };
    let container = |id: &Id| kept.tree.tag(*id).is_some_and(|tag| matches!(tag, Tag::Div | Tag::Section | Tag::Aside));
    let whole = std::iter::once(block)
        .chain(kept.tree.ancestors(block))
        .take_while(|id| own(*id) == own(block))
        .filter(container)
        .last()?;
    let facts = kept.facts(whole);
    let text = kept.tree.text_up_to(whole, QUESTION_CHARS * 8);
    let asks = text.contains(['?', '？', '؟']);
    let tells = text.contains(['@', ':']) || text.chars().any(|c| c.is_numeric()) || ends_sentence(&text);
    (asks && !tells && facts.links + facts.buttons > 0 && facts.chars <= QUESTION_CHARS && facts.text_blocks <= 2)
        .then_some(whole)
}
