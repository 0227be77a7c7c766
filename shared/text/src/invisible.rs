//! Characters that a reader cannot see.

/// Whether `c` shows nothing and only formats what is around it: zero-width, bidirectional, filler and tag characters
/// (`Default_Ignorable_Code_Point` of Unicode, without the variation selector that makes an emoji).
#[must_use]
pub const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{115F}'..='\u{1160}'
            | '\u{17B4}'..='\u{17B5}'
            | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{3164}'
            | '\u{FE00}'..='\u{FE0E}'
            | '\u{FEFF}'
            | '\u{FFA0}'
            | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1D173}'..='\u{1D17A}'
            | '\u{E0000}'..='\u{E0FFF}'
    )
}

/// The characters that [`is_blank`] ignores, as the inside of a character class of ECMA-262, for the patterns of
/// schemas. It ends with the basic plane, because regular expressions write what lies above it in different ways.
pub const BLANK: &str = r"\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb";

/// Whether a text shows nothing: white space, control and invisible characters alone.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c.is_control() || is_invisible(c) || c == '\u{FE0F}')
}

/// True for a line separator, and for a character that changes the direction of the text around it (UAX #9: embeddings,
/// overrides, isolates). The marks U+061C, U+200E and U+200F turn nothing but themselves, and names in Arabic and Hebrew
/// are written with them.
#[must_use]
pub const fn is_bidi(c: char) -> bool {
    matches!(c, '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_class_is_the_rule() {
        let class = regex::Regex::new(&format!("^[{BLANK}]$")).unwrap();
        for c in ('\0'..='\u{FFFF}').map(|c| c.to_string()) {
            assert_eq!(class.is_match(&c), is_blank(&c), "{c:?}");
        }
    }

    #[test]
    fn a_text_that_shows_nothing_is_blank() {
        for blank in ["", " \t\n", "\u{200B}", "\u{FEFF}\u{2060}", "\u{200D} \u{200C}", "\u{E0041}\u{AD}", "\u{FE0F}"] {
            assert!(is_blank(blank), "{blank:?}");
        }
        for shown in ["a", "\u{200B}.\u{200B}", "❤\u{FE0F}", "👩\u{200D}💻", "م\u{200C}ن", "é"] {
            assert!(!is_blank(shown), "{shown:?}");
        }
    }
}
