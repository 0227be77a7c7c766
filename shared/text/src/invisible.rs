//! Characters that a reader cannot see, or that change the display of others.

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

/// The text without terminal sequences, control, bidirectional, zero-width and tag characters.
///
/// Line breaks of every kind become `\n`; tabs stay. Joiners stay between letters of scripts that are written with
/// them (Persian, Hindi), and in emoji.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1B}' => skip_escape(&mut chars),
            '\u{9B}' => skip_control_sequence(&mut chars),
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\n' | '\t' => out.push(c),
            '\u{200C}' | '\u{200D}' => {
                let joins =
                    out.chars().next_back().is_some_and(is_joined) && chars.peek().copied().is_some_and(is_joined);
                if joins {
                    out.push(c);
                }
            }
            c if c.is_control() || is_invisible(c) => {}
            c => out.push(c),
        }
    }
    out
}

/// Letters from Arabic to Khmer, the scripts whose spelling needs joiners, and emoji.
const fn is_joined(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}' | '\u{0600}'..='\u{0DFF}' | '\u{1780}'..='\u{17FF}' | '\u{FB50}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFE}')
}

/// After ESC: a control sequence, a string up to BEL or ST, or one more character.
fn skip_escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match chars.next() {
        Some('[') => skip_control_sequence(chars),
        Some(']' | 'P' | 'X' | '^' | '_') => skip_string(chars),
        _ => {}
    }
}

/// Parameters and intermediates up to the final byte (ECMA-48, 5.4).
fn skip_control_sequence(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while chars.next_if(|c| matches!(c, '\u{20}'..='\u{3F}')).is_some() {}
    chars.next_if(|c| matches!(c, '\u{40}'..='\u{7E}'));
}

/// An operating-system command or its kin; a line break ends it too, so that an open one hides one line at most.
fn skip_string(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while let Some(c) = chars.next_if(|c| *c != '\n') {
        match c {
            '\u{07}' | '\u{9C}' => return,
            '\u{1B}' => {
                chars.next_if_eq(&'\\');
                return;
            }
            _ => {}
        }
    }
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

    #[test]
    fn invisible_characters_are_removed() {
        for (text, expected) in [
            ("\u{1B}[31mred\u{1B}[0m", "red"),
            ("a\u{1B}]8;;https://evil.example\u{7}link\u{1B}]8;;\u{1B}\\b", "alinkb"),
            ("\u{9B}2Jx", "x"),
            ("a\u{0}b\u{8}c", "abc"),
            ("pay \u{202E}drawkcab\u{202C} now", "pay drawkcab now"),
            ("\u{2066}x\u{2069}", "x"),
            ("ig\u{200B}no\u{2060}re\u{FEFF}", "ignore"),
            ("x\u{E0069}\u{E0067}\u{E006E}y", "xy"),
            ("a\r\nb\rc\u{2028}d\te", "a\nb\nc\nd\te"),
            ("a\u{200D}b", "ab"),
            ("Grüße, 東京 – 5 €", "Grüße, 東京 – 5 €"),
        ] {
            assert_eq!(visible(text), expected, "{text:?}");
        }
    }

    #[test]
    fn joiners_stay_where_a_script_is_written_with_them() {
        for word in ["می\u{200C}خواهم", "क्\u{200D}ष", "👩\u{200D}💻 ❤\u{FE0F}\u{200D}🔥"] {
            assert_eq!(visible(word), word);
        }
    }

    #[test]
    fn cleaning_twice_changes_nothing_more() {
        for text in ["\u{1B}\u{1B}[31m[31m", "\u{1B}]open\nnext", "a\u{200C}\u{200C}b"] {
            let once = visible(text);
            assert_eq!(visible(&once), once);
        }
    }
}
