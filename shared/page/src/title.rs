//! Titles that are clear without their context.

use std::rc::Rc;

use text::{TITLE_SEPARATOR, sanitise};

use super::section::Section;

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
pub(super) fn of(section: &Section) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn section_title(trail: &[&str], part: Option<(usize, usize)>) -> String {
        let trail = trail.iter().map(|t| Rc::from(*t)).collect();
        of(&self::heading_path(Section { trail, blocks: Vec::new(), part }, "Billing"))
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
}
