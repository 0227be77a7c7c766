//! Buttons: words of a sentence, headings over what unfolds at a click, or controls of the page.
//!
//! A button's position tells: text on its line makes it a word, content right behind it that it alone opens makes it a
//! heading, and everything else ("Copy", "Share", "Yes" and "No" under a question) works the page.

use std::collections::{HashMap, HashSet};

use super::content_filter::{ContentFilter, is_button};
use super::tree::{Attr, Id, Tag};

/// So many siblings are looked at, so that a row of many takes no longer than a row of few for each.
const NEIGHBOURS: usize = 20;
/// Content this deep in what follows a button is right behind it.
const WRAPPERS: usize = 3;
/// The longest text of a button that is compared, in bytes.
const TEXT_BYTES: usize = 200;
/// The most characters next to the buttons of a group: its question, and what others said.
const GROUP_CHARS: usize = 60;
/// Ends of questions in any script.
const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];

/// The use of a button.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Word,
    Opener,
    Control,
}

/// Nodes next to a button, nearest first, with text.
#[derive(Debug, Clone, Copy, Default)]
struct Neighbours {
    before: Option<Id>,
    after: Option<Id>,
}

/// How often each text is on a button of the page.
pub(super) struct Buttons {
    texts: HashMap<String, usize>,
    /// How often each text is hidden: a message ("Copied!") is there for each of its buttons, an answer once.
    hidden: HashMap<String, usize>,
}

impl Buttons {
    pub(super) fn of(kept: &ContentFilter<'_>) -> Self {
        let mut texts = HashMap::new();
        for id in all(kept) {
            *texts.entry(text_of(kept, id)).or_default() += 1;
        }
        let mut hidden = HashMap::new();
        for id in kept.tree.ids().filter(|id| has_text(kept, *id) && kept.tree.is_hidden(*id)) {
            *hidden.entry(text_of(kept, id)).or_default() += 1;
        }
        Self { texts, hidden }
    }

    fn repeats(&self, kept: &ContentFilter<'_>, id: Id) -> bool {
        self.texts.get(&text_of(kept, id)).is_some_and(|count| *count > 1)
    }

    /// Whether hidden content is right behind a button, a heading that holds one, or a summary.
    pub(super) fn answers(&self, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
        let facts = kept.facts(id);
        if facts.chars == 0 || facts.is_links() || !(tag.is_block() || tag == Tag::Other) {
            return false;
        }
        let only = self.hidden.get(&text_of(kept, id)).is_none_or(|count| *count == 1);
        let mut at = id;
        for _ in 0..WRAPPERS {
            if let Some(before) = before(kept, at, has_text) {
                return self.asks(kept, before, only);
            }
            let Some(above) = kept.tree.parent(at) else { return false };
            at = above;
        }
        false
    }

    /// Whether an element is a summary or holds one button, and that opens something; `only` of a text that is hidden
    /// once.
    fn asks(&self, kept: &ContentFilter<'_>, id: Id, only: bool) -> bool {
        let (facts, tag) = (kept.facts(id), kept.tree.tag(id));
        let heading = tag.is_some_and(|tag| tag.heading_level().is_some());
        if tag == Some(Tag::Summary) || (heading && kept.tree.attr(id, Attr::Role) == Some("button")) {
            return true;
        }
        if facts.buttons != 1 || !(heading || facts.button_chars == facts.chars) {
            return false;
        }
        let Some(button) = button_under(kept, id) else { return false };
        let asks = || kept.tree.whole_text(button).trim_end().ends_with(QUESTION_MARKS);
        let works_text = |before: Id| (kept.tree.tag(before) == Some(Tag::Pre) && !asks()) || is_buttons(kept, before);
        (only || !self.repeats(kept, button))
            && !before(kept, id, has_text).is_some_and(works_text)
            && !has_popup(kept, button)
    }

    /// The buttons that open a section, and those that only work the page, with what is said next to them alone.
    pub(super) fn sorted(&self, kept: &ContentFilter<'_>) -> (HashSet<Id>, HashSet<Id>) {
        let (mut openers, mut controls) = (HashSet::new(), HashSet::new());
        for id in all(kept) {
            match self.use_of(kept, id) {
                Use::Word => false,
                Use::Opener => openers.insert(id),
                Use::Control => controls.insert(id),
            };
        }
        controls.extend(groups(kept, &controls));
        (openers, controls)
    }

    fn use_of(&self, kept: &ContentFilter<'_>, id: Id) -> Use {
        let line = line(kept, id);
        let holder = kept.tree.parent(line.top).and_then(|parent| kept.tree.tag(parent)).unwrap_or(Tag::Body);
        if let Some(used) = in_line(kept, &line, holder) {
            return used;
        }
        if holder.heading_level().is_some() || matches!(holder, Tag::Summary | Tag::Td | Tag::Th | Tag::Dt | Tag::Dd) {
            return Use::Word;
        }
        if holder == Tag::Li
            && kept.facts(line.top).chars == kept.tree.parent(line.top).map_or(0, |li| kept.facts(li).chars)
        {
            let list = kept.tree.parent(line.top).and_then(|item| kept.tree.parent(item));
            let toolbar = list.is_some_and(|list| is_buttons(kept, list));
            return if toolbar { Use::Control } else { Use::Word };
        }
        if self.opens(kept, id, line.top, holder) { Use::Opener } else { Use::Control }
    }

    /// Whether content behind the button is its own; `top` is the highest element that holds the button alone.
    fn opens(&self, kept: &ContentFilter<'_>, id: Id, top: Id, holder: Tag) -> bool {
        let near = Neighbours { before: before(kept, top, has_text), after: after(kept, top, has_text) };
        let text = text_of(kept, id);
        if has_popup(kept, id) || !text.chars().any(char::is_alphanumeric) || kept.facts(id).chars > TEXT_BYTES {
            return false;
        }
        if let Some(opens) = opened_by_name(kept, id) {
            return opens;
        }
        let Some(after) = near.after else { return false };
        let facts = kept.facts(after);
        let tag = kept.tree.tag(after).unwrap_or(Tag::Other);
        if tag.heading_level().is_some() || is_buttons(kept, after) || facts.is_links() {
            return false;
        }
        if kept.tree.attr(id, Attr::AriaExpanded).is_some() {
            return true;
        }
        let asks = text.ends_with(QUESTION_MARKS);
        let of_text = |id: Id| (kept.tree.tag(id) == Some(Tag::Pre) && !asks) || is_buttons(kept, id);
        if self.repeats(kept, id) || tag == Tag::Pre || near.before.is_some_and(of_text) {
            return false;
        }
        if asks || kept.tree.is_hidden(after) {
            return true;
        }
        let next_is_button = self::after(kept, after, has_text).is_some_and(|next| is_buttons(kept, next));
        match near.before {
            None => !matches!(holder, Tag::Main | Tag::Article | Tag::Body) && facts.buttons == 0 && !facts.has_heading,
            Some(answer) => {
                next_is_button || before(kept, answer, has_text).is_some_and(|question| is_buttons(kept, question))
            }
        }
    }
}

/// The line of a button: the highest element that holds it alone, and text next to that.
struct Line {
    top: Id,
    text: Neighbours,
    buttons: bool,
}

fn line(kept: &ContentFilter<'_>, id: Id) -> Line {
    let mut top = id;
    loop {
        let not_button = |kept: &ContentFilter<'_>, at: Id| has_text(kept, at) && !is_buttons(kept, at);
        let inline = |found: Option<Id>| found.filter(|at| is_inline(kept, *at));
        let near =
            Neighbours { before: inline(before(kept, top, not_button)), after: inline(after(kept, top, not_button)) };
        let any = before(kept, top, has_text).or_else(|| after(kept, top, has_text)).is_some();
        let buttons = [before(kept, top, has_text), after(kept, top, has_text)].into_iter().flatten();
        let line = Line { top, text: near, buttons: buttons.into_iter().any(|at| is_buttons(kept, at)) };
        match kept.tree.parent(top) {
            Some(parent)
                if !any
                    && kept.tree.tag(parent).is_some_and(|tag| !tag.holds_text() && tag.heading_level().is_none()) =>
            {
                top = parent
            }
            _ => return line,
        }
    }
}

/// The use of a button with text on its line.
fn in_line(kept: &ContentFilter<'_>, line: &Line, holder: Tag) -> Option<Use> {
    let ended = |id: Id| {
        let text = kept.tree.whole_text(id);
        text.trim_end().ends_with(['.', '!', '?', '。', '？', '！', '؟'])
    };
    let words = |id: Id| kept.tree.text(id).is_some();
    let of_text = matches!(
        holder,
        Tag::P | Tag::Li | Tag::Td | Tag::Th | Tag::Dd | Tag::Dt | Tag::Figcaption | Tag::Blockquote | Tag::Caption
    ) || holder.is_inline();
    let word = match (line.text.before, line.text.after) {
        (None, None) => return None,
        (Some(before), Some(_)) => !(line.buttons && ended(before)),
        (Some(_), None) if holder.heading_level().is_some() => false,
        (Some(before), None) if is_set_apart(kept, before, line.top) => false,
        (Some(before), None) => (of_text || words(before)) && !ended(before),
        (None, Some(after)) => of_text || words(after),
    };
    Some(if word { Use::Word } else { Use::Control })
}

/// A button at the end of code or right behind an element, without a space.
fn is_set_apart(kept: &ContentFilter<'_>, before: Id, button: Id) -> bool {
    let tag = kept.tree.tag(before);
    let adjoins = kept.tree.before(button).next() == Some(before) && !kept.tree.ends_with_space(before);
    tag == Some(Tag::Code) || (tag.is_some() && adjoins)
}

/// The element that `aria-controls` and the like name: one that is kept and not a menu; nothing if they say nothing.
fn opened_by_name(kept: &ContentFilter<'_>, id: Id) -> Option<bool> {
    let attrs = [Attr::AriaControls, Attr::DataTarget, Attr::DataBsTarget];
    let names = attrs.into_iter().find_map(|name| kept.tree.attr(id, name))?;
    let mut names = names.split_whitespace();
    let only = names.next().filter(|_| names.next().is_none());
    let target = only.and_then(|name| kept.named(name.trim_start_matches('#')));
    let role = kept.tree.attr(id, Attr::Role);
    let kept_there = target.is_none_or(|target| kept.is(target) && !kept.facts(target).is_links());
    Some(only.is_some() && kept_there && role != Some("tab"))
}

/// Containers with nothing but controls and a short text about them.
fn groups(kept: &ContentFilter<'_>, controls: &HashSet<Id>) -> Vec<Id> {
    let mut below: HashMap<Id, usize> = HashMap::new();
    for control in controls {
        for above in kept.tree.ancestors(*control) {
            *below.entry(above).or_default() += 1;
        }
    }
    let group = |id: &Id| {
        let facts = kept.facts(*id);
        let rest = facts.chars.saturating_sub(facts.button_chars);
        let container = kept.tree.tag(*id).is_some_and(|tag| {
            matches!(tag, Tag::Div | Tag::Section | Tag::Form | Tag::Fieldset | Tag::Aside | Tag::P | Tag::Other)
        });
        let asks = || kept.tree.text_up_to(*id, TEXT_BYTES).contains(['?', '？', '؟']);
        let alone = facts.text_blocks == 0 || (facts.text_blocks == 1 && asks());
        container && rest > 0 && rest <= GROUP_CHARS && alone && facts.links == 0
    };
    let all_control = |(id, count): &(&Id, &usize)| **count >= 2 && **count == kept.facts(**id).buttons;
    below.iter().filter(all_control).map(|(id, _)| *id).filter(group).collect()
}

/// Every button with text.
fn all<'a>(kept: &'a ContentFilter<'_>) -> impl Iterator<Item = Id> + 'a {
    kept.tree.ids().filter(|id| {
        kept.is(*id)
            && kept.facts(*id).chars > 0
            && kept.tree.tag(*id).is_some_and(|tag| is_button(kept.tree, *id, tag))
    })
}

fn text_of(kept: &ContentFilter<'_>, id: Id) -> String {
    kept.tree.text_up_to(id, TEXT_BYTES).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn button_under(kept: &ContentFilter<'_>, id: Id) -> Option<Id> {
    let is = |id: Id| kept.tree.tag(id).is_some_and(|tag| is_button(kept.tree, id, tag));
    let mut at = id;
    while !is(at) {
        at = kept.children(at).find(|child| kept.facts(*child).buttons > 0)?;
    }
    Some(at)
}

fn has_popup(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.tree.attr(id, Attr::AriaHaspopup).is_some_and(|value| value != "false")
}

fn has_text(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.is(id) && kept.facts(id).chars > 0
}

fn is_buttons(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.facts(id).buttons > 0 && kept.facts(id).button_chars == kept.facts(id).chars
}

fn is_inline(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.tree.tag(id).is_none_or(|tag| !tag.is_block() && !kept.facts(id).has_block)
}

fn before(kept: &ContentFilter<'_>, id: Id, wanted: impl Fn(&ContentFilter<'_>, Id) -> bool) -> Option<Id> {
    let on_line = |at: &Id| kept.tree.tag(*at) != Some(Tag::Br);
    kept.tree.before(id).take(NEIGHBOURS).take_while(on_line).find(|at| wanted(kept, *at))
}

fn after(kept: &ContentFilter<'_>, id: Id, wanted: impl Fn(&ContentFilter<'_>, Id) -> bool) -> Option<Id> {
    let on_line = |at: &Id| kept.tree.tag(*at) != Some(Tag::Br);
    kept.tree.after(id).take(NEIGHBOURS).take_while(on_line).find(|at| wanted(kept, *at))
}
