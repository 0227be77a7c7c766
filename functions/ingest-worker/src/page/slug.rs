//! Names for paths: letters of every script become ASCII, the rest hyphens; the same text always the same name.

use std::collections::HashSet;

use shared::models::WikiPath;

/// A slug is cut to so many bytes, between words where there are any.
const MAX_BYTES: usize = 80;

/// `Größe & Gewicht` becomes `grosse-gewicht`; empty where nothing of the text can be written so.
pub(crate) fn slug(text: &str) -> String {
    slug_of_at_most(text, MAX_BYTES)
}

/// The same, of at most `max` bytes.
pub(crate) fn slug_of_at_most(text: &str, max: usize) -> String {
    let ascii = deunicode::deunicode_with_tofu(text, " ").to_ascii_lowercase();
    let mut slug = String::new();
    for c in ascii.chars().filter(|c| !matches!(c, '\'' | '’' | '`')) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    if slug.len() > max {
        slug.truncate(max + 1);
        let cut = slug.rfind('-').filter(|at| *at > max / 2).unwrap_or(max);
        slug.truncate(cut);
    }
    slug.trim_end_matches('-').to_owned()
}

/// `<prefix>/<slug>`, or nothing where that is no path.
pub(crate) fn path_under(prefix: &str, slug: &str) -> Option<WikiPath> {
    WikiPath::parse(&format!("{prefix}/{slug}")).ok()
}

/// Gives every section a slug of its own: by its heading, by its heading and the one above where several are called
/// alike, by a number where even these are.
pub(super) fn distinct(trails: &[Vec<String>]) -> Vec<String> {
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
        slugs.push(numbered(&wanted, |slug| given.insert(slug.to_owned())));
    }
    slugs
}

fn name(trail: &[String]) -> &str {
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
pub(crate) fn numbered(slug: &str, mut take: impl FnMut(&str) -> bool) -> String {
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
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_of_every_script_are_written_in_ascii() {
        assert_eq!(slug("How do I get a refund?"), "how-do-i-get-a-refund");
        assert_eq!(slug("Größe & Gewicht"), "grosse-gewicht");
        assert_eq!(slug("Don't panic"), "dont-panic");
        assert_eq!(slug("Возврат денег"), "vozvrat-deneg");
        for text in ["返金の方法", "كيف أسترد أموالي؟", "환불 방법"] {
            let slug = slug(text);
            assert!(path_under("a", &slug).is_some(), "{text}: {slug}");
        }
        assert_eq!(slug("🤷 ???").len(), slug("🤷 ???").trim_matches('-').len());
        assert_eq!(slug("!!!"), "");
    }

    #[test]
    fn sections_that_are_called_alike_get_different_slugs() {
        let trail = |parts: &[&str]| parts.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>();
        let trails = [
            trail(&["Guide", "Windows", "Requirements"]),
            trail(&["Guide", "macOS", "Requirements"]),
            trail(&["Guide", "macOS", "Requirements"]),
            trail(&["Guide", "Support"]),
            trail(&["!"]),
        ];
        assert_eq!(
            distinct(&trails),
            ["windows-requirements", "macos-requirements", "macos-requirements-2", "support", "section"]
        );
    }

    proptest! {
        #[test]
        fn whatever_the_text_a_slug_makes_a_path(text in "\\PC{0,300}") {
            let slug = slug(&text);
            prop_assert!(slug.len() <= MAX_BYTES);
            prop_assert!(slug.is_empty() || path_under("ingested/example-com", &slug).is_some(), "{text:?} {slug:?}");
        }
    }
}
