//! Characters that a reader cannot see, or that change the display of others.

use crate::is_invisible;

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
    use super::visible;

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
