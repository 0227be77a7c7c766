//! What sections are called: titles that are clear without their context, and the last segments of their paths.

use std::collections::HashSet;
use std::rc::Rc;

use text::{TITLE_SEPARATOR, sanitise};

use super::sections::Section;

/// The most characters of a title.
const TITLE_CHARS: usize = 200;
/// A section without a heading is named by this many of its first characters.
const OPENING_CHARS: usize = 80;

/// The section with the page's title in front of its headings, and without headings that repeat the one before.
pub(super) fn heading_path(mut section: Section, page_title: &str) -> Section {
    let mut trail: Vec<String> = vec![line(page_title)];
    trail.extend(section.trail.iter().map(|heading| line(heading)));
    trail.retain(|heading| !heading.is_empty());
    trail.dedup_by(|next, before| same(next, before));
    section.trail = trail.into_iter().map(Rc::from).collect();
    section
}

/// The entry's title.
pub(super) fn title(section: &Section) -> String {
    let part = section.part.map_or_else(String::new, |(at, of)| format!(" ({at}/{of})"));
    let room = TITLE_CHARS - part.chars().count();
    let mut trail: Vec<&str> = section.trail.iter().map(AsRef::as_ref).collect();
    let opening = first_words(section);
    if trail.is_empty() {
        trail.push(&opening);
    }
    // The middle is removed first: the page's title and the heading itself say most.
    while trail.len() > 2 && length(&trail) > room {
        trail.remove(trail.len() - 2);
    }
    if trail.len() == 2 && length(&trail) > room {
        trail.remove(0);
    }
    format!("{}{part}", truncate_title(&trail.join(TITLE_SEPARATOR), room))
}

fn length(trail: &[&str]) -> usize {
    trail.join(TITLE_SEPARATOR).chars().count()
}

/// The first words of a text that has no heading.
fn first_words(section: &Section) -> String {
    let first = section.blocks.first().map_or("", |block| block.text.as_str());
    let opening = truncate_title(&line(first.trim_start_matches(['#', '-', '*', '>', '|', '`', ' '])), OPENING_CHARS);
    if opening.is_empty() { "Text".to_owned() } else { opening }
}

fn line(text: &str) -> String {
    sanitise::visible(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Also of a reply's heading and what it replies to.
fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    a == b || a.strip_prefix("re: ") == Some(&b)
}

/// At most `max` characters, cut between words, with an ellipsis if something was cut.
fn truncate_title(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let cut: String = text.chars().take(max.saturating_sub(1)).collect();
    let end = cut.rfind(' ').filter(|at| *at > cut.len() / 2).unwrap_or(cut.len());
    format!("{}…", cut.get(..end).unwrap_or(&cut).trim_end())
}

/// The most bytes of a slug, cut between words if there are any.
const MAX_BYTES: usize = 80;

fn slug(text: &str) -> String {
    text::slug(text, MAX_BYTES)
}

/// Gives every section a slug of its own: by its heading, by its heading and the one above if several are called
/// alike, by a number if even these are.
pub(super) fn slugs(trails: &[Vec<Rc<str>>]) -> Vec<String> {
    let own: Vec<String> = trails.iter().map(|trail| slug(name(trail))).collect();
    let mut given = HashSet::new();
    let mut slugs = Vec::with_capacity(trails.len());
    for (trail, own_slug) in trails.iter().zip(&own) {
        let alike = own.iter().filter(|other| *other == own_slug).take(2).count() > 1;
        let above = trail.len().checked_sub(2).and_then(|at| trail.get(at));
        let wanted = match above {
            Some(above) if alike => slug(&format!("{} {}", without_number(above), name(trail))),
            _ => own_slug.clone(),
        };
        let wanted = if wanted.is_empty() { "section".to_owned() } else { wanted };
        slugs.push(with_number(&wanted, |slug| given.insert(slug.to_owned())));
    }
    slugs
}

fn name(trail: &[Rc<str>]) -> &str {
    trail.last().map_or("", |last| without_number(last))
}

/// `2.1 Keys` is `Keys`: a section that moves keeps its path.
fn without_number(heading: &str) -> &str {
    let rest = heading.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')'));
    let number = heading.strip_suffix(rest).unwrap_or_default();
    let counted = number.starts_with(|c: char| c.is_ascii_digit()) && number.contains(['.', ')']);
    if counted && rest.starts_with(' ') && !rest.trim().is_empty() { rest } else { heading }
}

/// `slug`, `slug-2`, `slug-3`, …: the first that `take` takes.
fn with_number(slug: &str, mut take: impl FnMut(&str) -> bool) -> String {
    if take(slug) {
        return slug.to_owned();
    }
    let mut number = 2_u32;
    loop {
        let candidate = format!("{slug}-{number}");
        if take(&candidate) || number == u32::MAX {
            return candidate;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section_title(trail: &[&str], part: Option<(usize, usize)>) -> String {
        let trail = trail.iter().map(|t| Rc::from(*t)).collect();
        super::title(&heading_path(Section { trail, blocks: Vec::new(), part }, "Billing"))
    }

    #[test]
    fn a_title_names_the_page_and_the_way_to_the_heading() {
        assert_eq!(section_title(&[], None), "Billing");
        assert_eq!(section_title(&["Billing", "Refunds"], None), "Billing › Refunds");
        assert_eq!(section_title(&["Cards", "Refunds"], Some((2, 3))), "Billing › Cards › Refunds (2/3)");
    }

    #[test]
    fn a_title_fits_whatever_the_headings_are() {
        let long = "word ".repeat(60);
        for trail in [vec![long.as_str()], vec!["a", &long], vec![&long, "b"], vec![&long, &long, "c"]] {
            let title = section_title(&trail, Some((1, 100)));
            assert!((1..=200).contains(&title.chars().count()), "{title}");
        }
        assert_eq!(section_title(&[&long, "b"], None), "Billing › b");
    }

    #[test]
    fn sections_that_are_called_alike_get_different_slugs() {
        let trail = |parts: &[&str]| parts.iter().map(|p| Rc::from(*p)).collect::<Vec<Rc<str>>>();
        let trails = [
            trail(&["Guide", "Windows", "Requirements"]),
            trail(&["Guide", "macOS", "Requirements"]),
            trail(&["Guide", "macOS", "Requirements"]),
            trail(&["Guide", "Support"]),
            trail(&["!"]),
        ];
        assert_eq!(
            super::slugs(&trails),
            ["windows-requirements", "macos-requirements", "macos-requirements-2", "support", "section"]
        );
    }
}
