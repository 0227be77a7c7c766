//! Finds the main text of a page, and the page's title.

use super::class_names::words;
use super::content_filter::ContentFilter;
use super::inline::Line;
use super::tree::{Attr, Id, Tag, Tree};

/// A landmark with this many characters is used, however much else there is.
const MIN_CONTENT_CHARS: usize = 250;
/// Fewer characters outside links and headings say nothing of the page: a date, a label.
const PARAGRAPH_CHARS: usize = 10;
/// So many first headings say what a page is about, each by so many bytes.
const MAX_TITLES: usize = 3;
/// See [`MAX_TITLES`].
const MAX_TITLE_BYTES: usize = 500;
/// A site says so much next to a text, in characters: dates, the time to read it, labels.
const FRAME_CHARS: usize = 100;
/// How authors call the element with the text, if they use no landmark.
const CONTENT_NAMES: [&[&str]; 8] = [
    &["main", "content"],
    &["maincontent"],
    &["article", "body"],
    &["article", "content"],
    &["post", "content"],
    &["entry", "content"],
    &["page", "content"],
    &["markdown", "body"],
];

/// A page's first headings and its title, each on one line.
pub(super) fn titles(kept: &ContentFilter<'_>) -> Vec<String> {
    let tree = kept.tree;
    let headings = tree.ids().filter(|id| kept.is(*id) && tree.tag(*id) == Some(Tag::H1)).take(MAX_TITLES);
    headings.filter_map(|id| line(&tree.text_up_to(id, MAX_TITLE_BYTES))).chain(head_title(tree)).collect()
}

/// The element that holds the text, and whether the page says so: the page's own landmark, else what holds nearly all of
/// the text.
pub(super) fn root(kept: &ContentFilter<'_>) -> (Id, bool) {
    let all = kept.facts(Tree::ROOT).chars;
    let chars = |id: &Id| kept.facts(*id).chars;
    let largest = |predicate: &dyn Fn(Id) -> bool| {
        let found = kept.tree.ids().filter(|id| kept.is(*id) && predicate(*id));
        // The first of equals: the outer one.
        found.fold(None, |best: Option<Id>, id| best.filter(|best| chars(best) >= chars(&id)).or(Some(id)))
    };
    let main = largest(&|id| kept.tree.tag(id) == Some(Tag::Main) || kept.tree.attr(id, Attr::Role) == Some("main"));
    if let Some(main) = main.filter(|id| chars(id) * 4 >= all || chars(id) >= MIN_CONTENT_CHARS) {
        return (only_article(kept, main).or_else(|| only_content(kept, main)).unwrap_or(main), true);
    }
    if let Some(article) = only_article(kept, Tree::ROOT) {
        return (only_content(kept, article).unwrap_or(article), true);
    }
    let named = largest(&|id| kept.tree.tag(id).is_some_and(Tag::is_block) && has_content_name(kept.tree, id));
    if let Some(named) = named.filter(|id| chars(id) * 2 >= all) {
        return (with_heading(kept, only_content(kept, named).unwrap_or(named)), true);
    }
    (densest_element(kept, Tree::ROOT), false)
}

/// `id`, or what holds both it and the text under the page's first heading: AsciiDoc writes the name of a manual page
/// into the header next to `#content`.
fn with_heading(kept: &ContentFilter<'_>, id: Id) -> Id {
    let mut headings = kept.tree.ids().filter(|at| kept.is(*at) && kept.tree.tag(*at) == Some(Tag::H1));
    let (Some(heading), None) = (headings.next(), headings.next()) else { return id };
    let around: Vec<Id> = kept.tree.ancestors(id).collect();
    let mut block = heading;
    while let Some(parent) = kept.tree.parent(block) {
        if parent == id {
            return id;
        }
        if around.contains(&parent) {
            return if kept.facts(block).paragraphs > 0 { parent } else { id };
        }
        block = parent;
    }
    id
}

/// The one article under `id` that holds most of its text.
fn only_article(kept: &ContentFilter<'_>, id: Id) -> Option<Id> {
    let all = kept.facts(id).chars;
    let mut articles = kept.tree.ids().filter(|at| {
        kept.is(*at)
            && kept.tree.tag(*at) == Some(Tag::Article)
            && kept.facts(*at).chars * 10 >= all * 7
            && (id == Tree::ROOT || kept.facts(*at).paragraphs == kept.facts(id).paragraphs)
            && (id == Tree::ROOT || kept.tree.ancestors(*at).any(|above| above == id))
    });
    articles.next()
}

/// The innermost element that its author calls the content, if `id` has no paragraphs next to it and hardly any text:
/// the outer ones hold what a site puts around each of its texts.
fn only_content(kept: &ContentFilter<'_>, id: Id) -> Option<Id> {
    let all = kept.facts(id);
    let holds = |at: &Id| {
        let facts = kept.facts(*at);
        kept.is(*at)
            && kept.tree.tag(*at).is_some_and(Tag::is_block)
            && facts.chars * 10 >= all.chars * 7
            && facts.paragraphs == all.paragraphs
            && all.prose.saturating_sub(facts.prose) <= FRAME_CHARS
            && has_content_name(kept.tree, *at)
            && kept.tree.ancestors(*at).any(|above| above == id)
    };
    kept.tree.ids().skip(id as usize + 1).filter(holds).last()
}

/// Whether the class or the id calls an element the content.
pub(super) fn has_content_name(tree: &Tree, id: Id) -> bool {
    let called = |name| {
        let words = words(tree.attr(id, name).unwrap_or_default());
        CONTENT_NAMES.iter().any(|wanted| words.windows(wanted.len()).any(|run| run == *wanted))
            || (name == Attr::Id && matches!(words.as_slice(), [only] if only == "content" || only == "main"))
    };
    called(Attr::Id) || called(Attr::Class)
}

/// Descends while one child contains nearly all text outside links, and nothing next to it is text: no paragraph,
/// however short, and nothing longer but a copyright.
fn densest_element(kept: &ContentFilter<'_>, from: Id) -> Id {
    let mut at = from;
    while let Some(child) = kept.children(at).find(|child| {
        kept.tree.tag(*child).is_some_and(|tag| tag.is_block() && !is_one_block(tag))
            && text_chars(kept, *child) * 10 >= text_chars(kept, at) * 9
    }) {
        let says = |other: Id| {
            let facts = kept.facts(other);
            let spoken = facts.prose >= PARAGRAPH_CHARS || (facts.has_heading && facts.prose > 0);
            other != child && spoken && !kept.tree.whole_text(other).contains('©')
        };
        if text_chars(kept, child) == 0 || kept.children(at).any(says) {
            break;
        }
        at = child;
    }
    at
}

/// Characters of a node that are not in links.
fn text_chars(kept: &ContentFilter<'_>, id: Id) -> usize {
    kept.facts(id).chars.saturating_sub(kept.facts(id).link_chars)
}

/// Elements that say how what they hold is to be read.
const fn is_one_block(tag: Tag) -> bool {
    matches!(tag, Tag::Table | Tag::P | Tag::Pre | Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir | Tag::Dl | Tag::Details)
}

/// The page's title: its one `h1`, its `og:title`, or its `title` without the site's name.
pub(super) fn title(kept: &ContentFilter<'_>, root: Id) -> Option<String> {
    let tree = kept.tree;
    let headings: Vec<Id> = tree.ids().filter(|id| kept.is(*id) && tree.tag(*id) == Some(Tag::H1)).collect();
    // A heading in the text may be of the first level, too: the page's own is in its title.
    let named = full_title(tree);
    let own = headings.iter().filter_map(|id| line(&Line::plain(kept, *id)));
    if let Some(text) =
        own.into_iter().find(|text| named.as_ref().is_some_and(|title| title.starts_with(text.as_str())))
    {
        return Some(text);
    }
    let inside: Vec<Id> =
        headings.iter().copied().filter(|id| tree.ancestors(*id).any(|above| above == root)).collect();
    if let [only] = inside.as_slice() {
        return line(&Line::plain(kept, *only)).or_else(|| head_title(tree));
    }
    if inside.is_empty()
        && let [only] = headings.as_slice()
        && let Some(text) = line(&Line::plain(kept, *only))
        && head_title(tree).is_none_or(|title| title.starts_with(&text) || text.chars().count() > 12)
    {
        return Some(text);
    }
    head_title(tree)
}

fn head_title(tree: &Tree) -> Option<String> {
    full_title(tree).map(|title| without_site_name(&title).to_owned())
}

fn full_title(tree: &Tree) -> Option<String> {
    let og = tree.ids().find(|id| tree.attr(*id, Attr::Property) == Some("og:title"));
    let og = og.and_then(|id| tree.attr(id, Attr::Content)).and_then(line);
    let title = tree.ids().find(|id| tree.tag(*id) == Some(Tag::Title)).and_then(|id| line(&tree.whole_text(id)));
    og.or(title)
}

/// `Refunds | Help | Acme` is about refunds.
fn without_site_name(title: &str) -> &str {
    [" | ", " – ", " — ", " · ", " :: ", " » ", " - "]
        .into_iter()
        .filter_map(|mark| title.split_once(mark))
        .map(|(first, _)| first.trim())
        .filter(|first| !first.is_empty())
        .min_by_key(|first| first.len())
        .unwrap_or(title)
}

fn line(text: &str) -> Option<String> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_taken_without_the_name_of_the_site() {
        assert_eq!(without_site_name("Refunds | Help - Acme"), "Refunds");
        assert_eq!(without_site_name("Sign-in and two-step verification – Acme"), "Sign-in and two-step verification");
        assert_eq!(without_site_name("Plain"), "Plain");
    }
}
