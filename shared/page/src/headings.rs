//! Elements that open a section: `h1`-`h6`, the summary of `details`, the term of a definition list that asks a
//! question, the button of an accordion, a tab.

use super::class_names::{any, words};
use super::content_filter::ContentFilter;
use super::inline::Line;
use super::names::{Attr, Tag};
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
    let tree = kept.tree;
    let controls = || {
        let names = [Attr::AriaControls, Attr::DataTarget, Attr::DataBsTarget];
        names.into_iter().any(|name| tree.attr(id, name).is_some())
    };
    match tag {
        Tag::Summary => true,
        Tag::Button => controls() && tree.attr(id, Attr::Role) != Some("tab"),
        _ if tree.attr(id, Attr::Role) == Some("button") => controls(),
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
}

/// The text of a tab panel's tab.
pub(super) fn tab_label(kept: &ContentFilter<'_>, id: Id) -> Option<String> {
    let tree = kept.tree;
    let by = tree.attr(id, Attr::AriaLabelledby)?;
    let label = kept.named(by)?;
    let text = tree.text_up_to(label, TRIGGER_CHARS).split_whitespace().collect::<Vec<_>>().join(" ");
    let says = !text.is_empty() && text.len() <= TRIGGER_CHARS && !is_heading_before(kept, label);
    (says && kept.within_budget(text.len())).then_some(text)
}

fn is_heading_before(kept: &ContentFilter<'_>, label: Id) -> bool {
    kept.is(label)
        && std::iter::once(label).chain(kept.tree.ancestors(label)).any(|at| {
            kept.tree.tag(at).is_some_and(|tag| tag.heading_level().is_some() || starts_section(kept, at, tag))
        })
}
