//! The frame of a page: what stands around its text, or offers something next to it.
//!
//! Names of classes and ids judge containers alone, and only with a second sign: where the container stands, and
//! whether it is made of links and controls. Words, paragraphs, items and cells are text whatever they are called.

use std::collections::HashMap;

use super::class_names::{
    AUTHORSHIP, CALLOUT, LINE_NUMBER_WORDS, META, OFFERS, PAGE_NAMES, PLACES, any, is_tab_list, words,
};
use super::content;
use super::content_filter::{ContentFilter, NodeFacts};
use super::tree::{Attr, Tag};
use super::tree::{Id, Tree};

/// Surroundings of the main text are dropped only if they contain less than this share of all text, in percent.
const AROUND_PERCENT: usize = 35;
/// Comments may be longer than what they are about.
const COMMENTS_PERCENT: usize = 80;
/// An offer says this much next to its links and buttons, in characters.
const OFFER_CHARS: usize = 120;
/// The words next to links to the pages before and after: "Previous", "Next".
const LABEL_CHARS: usize = 20;
/// The words next to a date: "Last updated on".
const DATE_LABEL_CHARS: usize = 30;

/// The longest trail of breadcrumbs, in bytes.
const TRAIL_BYTES: usize = 2_000;

/// Where a container stands, seen from the main text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Position {
    /// Next to whatever holds the text.
    Beside,
    /// Among headings and paragraphs.
    Flow,
    /// In the page's own landmark, or in what its author calls the content.
    Main,
}

/// Knowledge of a page as a whole.
pub(super) struct Frame<'a> {
    pub(super) page: NodeFacts,
    /// Its title and first headings, and their words.
    titles: Vec<String>,
    title_words: Vec<String>,
    /// How often each class attribute occurs: parts of the text repeat, a part of the frame is one.
    classes: HashMap<&'a str, usize>,
    positions: Vec<Position>,
}

impl<'a> Frame<'a> {
    pub(super) fn of(kept: &ContentFilter<'a>) -> Self {
        let (tree, titles) = (kept.tree, content::titles(kept));
        let mut frame = Self {
            page: kept.facts(Tree::ROOT),
            title_words: titles.iter().flat_map(|title| words(title)).collect(),
            titles,
            classes: HashMap::new(),
            positions: Vec::new(),
        };
        for id in tree.ids() {
            if let Some(class) = tree.attr(id, Attr::Class) {
                *frame.classes.entry(class).or_default() += 1;
            }
            let position = if is_main(kept, id) { Position::Main } else { frame.around(kept, id) };
            frame.positions.push(position);
        }
        frame
    }

    fn position(&self, id: Id) -> Position {
        self.positions.get(id as usize).copied().unwrap_or(Position::Beside)
    }

    /// The position of the text around an element.
    pub(super) fn around(&self, kept: &ContentFilter<'_>, id: Id) -> Position {
        kept.tree.parent(id).map_or(Position::Beside, |parent| {
            let flow = if kept.facts(parent).flow > 0 { Position::Flow } else { Position::Beside };
            self.position(parent).max(flow)
        })
    }

    pub(super) fn repeats(&self, kept: &ContentFilter<'_>, id: Id) -> bool {
        kept.tree.attr(id, Attr::Class).and_then(|class| self.classes.get(class)).is_some_and(|count| *count > 1)
    }

    /// Whether the page is about one of `names`, of which four letters count: a page about sharing, or a newsletter.
    pub(super) fn is_about<'w>(&self, names: impl IntoIterator<Item = &'w str>) -> bool {
        names.into_iter().any(|name| {
            let start = name.char_indices().nth(4).and_then(|(end, _)| name.get(..end)).unwrap_or(name);
            self.title_words.iter().any(|word| word.starts_with(start))
        })
    }

    /// Whether an element is around the text of the page and not part of it.
    pub(super) fn is_around(&self, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
        let facts = kept.facts(id);
        let attr = |name| kept.tree.attr(id, name).unwrap_or_default();
        let small = self.is_small(facts);
        let callout = || any(&words(attr(Attr::Class)), CALLOUT);
        match tag {
            Tag::Nav | Tag::Search => return true,
            Tag::Footer => return small && !(is_in_text(kept, id) && is_note(kept, id)),
            Tag::Header if !is_in_text(kept, id) => return small,
            Tag::Header => return small && facts.prose == 0 && !facts.has_heading,
            Tag::Aside if !callout() => {
                return small && (!is_in_text(kept, id) || facts.link_chars * 10 > facts.chars * 3);
            }
            Tag::Form => {
                let told = facts.paragraphs > 0 && self.position(id) == Position::Main;
                return small && !facts.has_heading && !told;
            }
            _ => {}
        }
        match attr(Attr::Role) {
            "navigation" | "menu" | "menubar" | "toolbar" => return true,
            _ if is_tab_list(kept.tree, id) => return true,
            "banner" | "contentinfo" | "search" => return small,
            "complementary" => return small && !callout(),
            _ => {}
        }
        is_line_numbers(kept, id, tag)
            || self.is_trail(kept, id, tag)
            || self.is_date(kept, id, tag)
            || self.is_named_frame(kept, id, tag, small)
    }

    fn is_small(&self, facts: NodeFacts) -> bool {
        facts.chars * 100 <= self.page.chars * AROUND_PERCENT && !facts.has_main && facts.first_headings == 0
    }

    fn is_named_frame(&self, kept: &ContentFilter<'_>, id: Id, tag: Tag, small: bool) -> bool {
        if !is_container(kept, id, tag) || kept.tree.attr(id, Attr::Class).or(kept.tree.attr(id, Attr::Id)).is_none() {
            return false;
        }
        let (facts, names) = (kept.facts(id), names_of(kept, id));
        let works = facts.buttons + facts.fields > 0;
        if any(&names, &["comments", "disqus"]) && !self.is_about(["comments"]) {
            let answered = works || facts.links > 0 || facts.time_chars > 0;
            let few = facts.chars * 100 <= self.page.chars * COMMENTS_PERCENT;
            return answered && few && facts.first_headings == 0;
        }
        if !small {
            return false;
        }
        let links = facts.links > 0 && facts.prose <= facts.link_chars && facts.paragraphs == 0;
        let offers = links || (works && facts.prose <= OFFER_CHARS);
        let found =
            |list: &[&'static str]| list.iter().copied().filter(|word| any(&names, &[*word])).collect::<Vec<_>>();
        let (places, offered) = (found(PLACES), found(OFFERS));
        let around = self.around(kept, id);
        if self.is_about(places.iter().chain(&offered).copied()) && around > Position::Beside {
            return offers && facts.prose == 0;
        }
        let named = !is_named_by_its_heading(kept, id) || kept.tree.attr(id, Attr::Class).is_some();
        let alone = named && !self.repeats(kept, id);
        let present = names.windows(2).any(|pair| pair == ["online", "list"]);
        let leads = facts.links > 0 && facts.prose <= facts.link_chars + LABEL_CHARS && facts.paragraphs == 0;
        ((present || !places.is_empty()) && (offers || leads || (alone && around < Position::Main)))
            || (!offered.is_empty() && (offers || (alone && around == Position::Beside)))
            || self.is_authorship(kept, id, &names)
    }

    /// The author's line next to the first heading, the profile of a post's author, and the signature next to it.
    fn is_authorship(&self, kept: &ContentFilter<'_>, id: Id, names: &[String]) -> bool {
        let facts = kept.facts(id);
        if facts.chars > OFFER_CHARS || facts.paragraphs > 0 {
            return false;
        }
        let page_data = names.windows(2).any(|pair| match pair {
            [page, meta] => PAGE_NAMES.contains(&page.as_str()) && META.contains(&meta.as_str()),
            _ => false,
        });
        let near_heading = kept.tree.ancestors(id).take(2).any(|above| kept.facts(above).first_headings > 0);
        let profile = any(names, &["avatar", "postprofile"]) && facts.text_blocks == 0 && !self.is_about(["avatar"]);
        profile
            || (near_heading && (page_data || any(names, AUTHORSHIP)))
            || (any(names, &["signature"]) && signs(kept, id))
    }

    /// Links to what the page is part of, and its own title: a trail of breadcrumbs.
    fn is_trail(&self, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
        let facts = kept.facts(id);
        if facts.links == 0 || facts.has_heading || facts.paragraphs > 0 || !is_container(kept, id, tag) {
            return false;
        }
        self.titles.iter().any(|title| {
            let chars = title.chars().filter(|c| !c.is_whitespace()).count();
            let separators = facts.links * 2;
            let fits = (chars..=chars + separators).contains(&facts.prose);
            fits && kept.tree.text_up_to(id, TRAIL_BYTES).trim_end().ends_with(title.as_str())
        })
    }

    /// A date and a few words next to the first heading.
    fn is_date(&self, kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
        let beside = |parent| kept.facts(parent).first_headings > 0;
        is_date_line(kept, id)
            && (tag == Tag::P || is_container(kept, id, tag) || tag == Tag::Time)
            && kept.tree.parent(id).is_some_and(beside)
            && kept.facts(id).first_headings == 0
    }
}

/// A date with at most a few words.
pub(super) fn is_date_line(kept: &ContentFilter<'_>, id: Id) -> bool {
    let facts = kept.facts(id);
    facts.time_chars > 0 && facts.chars.saturating_sub(facts.time_chars) <= DATE_LABEL_CHARS
}

/// The page's own landmark, or what its author calls the content.
fn is_main(kept: &ContentFilter<'_>, id: Id) -> bool {
    matches!(kept.tree.tag(id), Some(Tag::Main | Tag::Article))
        || kept.tree.attr(id, Attr::Role) == Some("main")
        || content::has_content_name(kept.tree, id)
}

/// Holds blocks and is none itself: only such an element is judged by its name.
pub(super) fn is_container(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
    tag.is_container() || (tag == Tag::Other && kept.facts(id).has_block)
}

/// The words of the class and of the id.
pub(super) fn names_of(kept: &ContentFilter<'_>, id: Id) -> Vec<String> {
    let attr = |name| kept.tree.attr(id, name).unwrap_or_default();
    let mut names = words(attr(Attr::Class));
    names.extend(words(attr(Attr::Id)));
    names
}

/// A section whose id was made from its heading: `<section id="related"><h2>Related</h2>`.
pub(super) fn is_named_by_its_heading(kept: &ContentFilter<'_>, id: Id) -> bool {
    kept.tree
        .children(id)
        .find(|child| kept.tree.tag(*child).is_some())
        .is_some_and(|first| kept.tree.is_heading(first))
}

fn is_in(kept: &ContentFilter<'_>, id: Id, tags: &[Tag]) -> bool {
    kept.tree.ancestors(id).any(|above| kept.tree.tag(above).is_some_and(|tag| tags.contains(&tag)))
}

fn is_in_text(kept: &ContentFilter<'_>, id: Id) -> bool {
    is_in(kept, id, &[Tag::Main, Tag::Article, Tag::Section, Tag::Blockquote])
        || kept.tree.ancestors(id).any(|above| kept.tree.attr(above, Attr::Role) == Some("main"))
}

/// Text and nothing to be clicked, no date and no copyright: a note to the text, the source of a quotation.
fn is_note(kept: &ContentFilter<'_>, id: Id) -> bool {
    let facts = kept.facts(id);
    facts.links + facts.buttons + facts.fields + facts.time_chars == 0 && !kept.tree.whole_text(id).contains('©')
}

/// A signature under a post: the post's author is described next to it.
fn signs(kept: &ContentFilter<'_>, id: Id) -> bool {
    let Some(body) = kept.tree.parent(id) else { return false };
    let mut before = kept.tree.before(body).take(NEIGHBOURS);
    before.any(|at| any(&words(kept.tree.attr(at, Attr::Class).unwrap_or_default()), AUTHORSHIP))
}

/// So many siblings are looked at, so that a row of many takes no longer than a row of few for each.
const NEIGHBOURS: usize = 20;

fn is_line_numbers(kept: &ContentFilter<'_>, id: Id, tag: Tag) -> bool {
    let class = kept.tree.attr(id, Attr::Class).unwrap_or_default();
    !matches!(tag, Tag::Pre | Tag::Code)
        && any(&words(class), LINE_NUMBER_WORDS)
        && kept.tree.whole_text(id).chars().all(|c| c.is_ascii_digit() || c.is_whitespace())
}
