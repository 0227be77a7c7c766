//! Elements that open a section: `h1`-`h6`, the summary of `details`, the term of a definition list that asks a
//! question, the button of an accordion, a tab.

use super::class_names::{any, words};
use super::content_filter::ContentFilter;
use super::inline::Line;
use super::names::{Attr, Tag};
use super::tabs;
use super::tree::Id;

/// The longest heading that is made of another element, in characters.
const TRIGGER_CHARS: usize = 200;

/// The level of a heading by name or by role; 1 is the outermost.
pub(super) fn heading_level(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> Option<u8> {
    let by_role = || {
        let level = kept.tree.attr(id, Attr::AriaLevel).and_then(|level| level.parse().ok());
        (kept.tree.attr(id, Attr::Role) == Some("heading")).then(|| level.unwrap_or(2_u8).clamp(1, 6))
    };
    tag.heading_level().or_else(by_role)
}

/// Something at whose click text unfolds, or that asks what the text after it answers.
pub(super) fn starts_section(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
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
pub(super) fn tab_label(kept: &ContentFilter<'_>, id: Id) -> Option<String> {
    let tree = kept.tree;
    let text_of = |tab: Id| tree.text_up_to(tab, TRIGGER_CHARS);
    let named = tree.attr(id, Attr::AriaLabelledby).and_then(|by| kept.named(by.split_whitespace().next()?));
    let tab = || tree.attr(id, Attr::Id).and_then(|id| kept.tab_of(id));
    let own = || tree.attr(id, Attr::AriaLabel).map(str::to_owned).filter(|label| !label.trim().is_empty());
    let heads = |label: &Id| is_heading_before(kept, *label);
    let by_tab = |tab: Id| (!heads(&tab)).then(|| text_of(tab));
    let label = match named {
        Some(tab) => by_tab(tab)?,
        None => own().or_else(|| tab().or_else(|| tabs::at_the_same_place(tree, id)).and_then(by_tab))?,
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
