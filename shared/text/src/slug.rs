//! Names for paths: letters of every script become ASCII, everything else hyphens. The same text always gives the same
//! name.

/// `Größe & Gewicht` becomes `grosse-gewicht`: at most `max` bytes, cut between words if there are any; empty if
/// nothing of the text can be written so.
#[must_use]
pub fn slug(text: &str, max: usize) -> String {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether a wiki path may have it between two slashes.
    fn is_segment(text: &str) -> bool {
        !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
    }

    #[test]
    fn letters_of_every_script_are_written_in_ascii() {
        assert_eq!(slug("How do I get a refund?", 80), "how-do-i-get-a-refund");
        assert_eq!(slug("Größe & Gewicht", 80), "grosse-gewicht");
        assert_eq!(slug("Don't panic", 80), "dont-panic");
        assert_eq!(slug("Возврат денег", 80), "vozvrat-deneg");
        for text in ["返金の方法", "كيف أسترد أموالي؟", "환불 방법"] {
            let slug = slug(text, 80);
            assert!(is_segment(&slug), "{text}: {slug}");
        }
        assert_eq!(slug("!!!", 80), "");
        assert_eq!(slug("one two three", 9), "one-two");
    }

    proptest! {
        #[test]
        fn whatever_the_text_a_slug_is_a_segment(text in "\\PC{0,300}", max in 1..90_usize) {
            let slug = slug(&text, max);
            prop_assert!(slug.len() <= max);
            prop_assert!(slug.is_empty() || is_segment(&slug), "{text:?} {slug:?}");
        }
    }
}
