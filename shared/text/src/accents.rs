//! Letters of every script as people type them: words without accents, and names for paths in ASCII.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Without the accents of Latin, Greek and Cyrillic letters, and in plain letters if a letter has a common spelling.
///
/// People type questions without accents; both sides are folded, after stemming.
pub(crate) fn fold_accents(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    let mut folded = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'ø' => folded.push('o'),
            'đ' | 'ð' => folded.push('d'),
            'ł' => folded.push('l'),
            'ı' => folded.push('i'),
            'þ' => folded.push_str("th"),
            'й' => folded.push('й'),
            '\u{0300}'..='\u{036F}' | '\u{064B}'..='\u{0652}' | '\u{0670}' | '\u{0640}' => {}
            '\u{00C0}'..='\u{024F}' | '\u{0370}'..='\u{04FF}' | '\u{1E00}'..='\u{1FFF}' => {
                decompose_canonical(c, |part| {
                    if !is_combining_mark(part) {
                        folded.push(part);
                    }
                });
            }
            other => folded.push(other),
        }
    }
    folded
}

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
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folding_takes_accents_and_keeps_other_scripts() {
        assert_eq!(fold_accents("crédit"), "credit");
        assert_eq!(fold_accents("straße"), "strasse");
        assert_eq!(fold_accents("πληρωμή"), "πληρωμη");
        assert_eq!(fold_accents("йод"), "йод");
        assert_eq!(fold_accents("கட்டணம்"), "கட்டணம்");
    }

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
