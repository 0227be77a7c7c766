//! Words without accents, as people type them.

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Without the accents of Latin, Greek and Cyrillic letters, and in plain letters if a letter has a common spelling.
///
/// People type questions without accents; both sides are folded, after stemming.
pub(super) fn fold_accents(word: &str) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_takes_accents_and_keeps_other_scripts() {
        assert_eq!(fold_accents("crédit"), "credit");
        assert_eq!(fold_accents("straße"), "strasse");
        assert_eq!(fold_accents("πληρωμή"), "πληρωμη");
        assert_eq!(fold_accents("йод"), "йод");
        assert_eq!(fold_accents("கட்டணம்"), "கட்டணம்");
    }
}
