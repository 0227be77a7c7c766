//! The last path segments of a page's entries.

use std::collections::HashSet;
use std::rc::Rc;

/// The most bytes of a slug, cut between words if there are any.
const MAX_BYTES: usize = 80;

fn slug(text: &str) -> String {
    text::slug(text, MAX_BYTES)
}

/// Gives every section a slug of its own: by its heading, by its heading and the one above if several are called
/// alike, by a number if even these are.
pub(super) fn make_unique(trails: &[Vec<Rc<str>>]) -> Vec<String> {
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
pub(crate) fn with_number(slug: &str, mut take: impl FnMut(&str) -> bool) -> String {
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
            make_unique(&trails),
            ["windows-requirements", "macos-requirements", "macos-requirements-2", "support", "section"]
        );
    }
}
