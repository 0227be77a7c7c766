//! Raised and lowered text: exponents, marks of footnotes, cents, ordinals, chemical formulas.

/// The way in which a text is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Super,
    Sub,
}

/// Abbreviations of currencies next to amounts.
const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "kr", "zł", "Kč", "Ft", "lei"];
/// Raised and lowered digits and signs.
const FORMS: [&str; 2] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"];
/// The most letters of an ordinal's ending or an abbreviation: `1st`, `Mme`.
const MAX_ENDING_CHARS: usize = 3;

/// A moved text as it is written between `before` and `after`, so that no digit joins a number that it is no part of.
pub(super) fn write(before: &str, text: &str, script: Script, after: &str) -> String {
    let digits = text.chars().all(|c| c.is_ascii_digit());
    let last = before.chars().next_back();
    match script {
        _ if text.is_empty() => String::new(),
        Script::Super if digits && text.len() == 2 && is_price(before, after) => format!(".{text}"),
        Script::Sub if digits && !last.is_some_and(|c| c.is_ascii_digit()) => text.to_owned(),
        Script::Super | Script::Sub if text.chars().all(|c| moved(c, script).is_some()) => {
            // Two marks of footnotes side by side are no number.
            let apart = last.is_some_and(|c| FORMS.iter().any(|forms| forms.contains(c)));
            apart.then_some(' ').into_iter().chain(text.chars().filter_map(|c| moved(c, script))).collect()
        }
        Script::Super if matches!(text, "TM" | "tm") => "™".to_owned(),
        Script::Super if text == "R" && last.is_some_and(char::is_alphabetic) => "®".to_owned(),
        Script::Super if joins_words(last, text) => format!(" {text}"),
        Script::Super | Script::Sub => text.to_owned(),
    }
}

/// Whether a number before cents belongs to a currency before or after it.
fn is_price(before: &str, after: &str) -> bool {
    let amount = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',' || c == '.');
    let is_sign = |c: char| matches!(c, '$' | '¢' | '£' | '¥' | '\u{20A0}'..='\u{20CF}');
    let (ahead, behind) = (amount.trim_end(), after.trim_start());
    amount.len() < before.len()
        && before.ends_with(|c: char| c.is_ascii_digit())
        && (ahead.ends_with(is_sign)
            || behind.starts_with(is_sign)
            || CURRENCIES.iter().any(|name| ahead.ends_with(name) || behind.starts_with(name)))
}

/// Whether a raised word stands behind another word of which it is no ending.
fn joins_words(last: Option<char>, text: &str) -> bool {
    let is_ending = text.chars().count() <= MAX_ENDING_CHARS && text.chars().all(char::is_lowercase);
    last.is_some_and(char::is_alphanumeric) && text.starts_with(char::is_alphanumeric) && !is_ending
}

/// The raised or lowered form of a character of a number.
fn moved(c: char, script: Script) -> Option<char> {
    let [raised, lowered] = FORMS;
    let forms = if script == Script::Super { raised } else { lowered };
    match c {
        '−' | '–' => moved('-', script),
        'n' if script == Script::Super => Some('ⁿ'),
        ',' | ' ' => Some(c),
        c => "0123456789+-=()".chars().zip(forms.chars()).find(|(from, _)| *from == c).map(|(_, to)| to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_digits_join_no_number() {
        for (before, text, after, expected) in [
            ("5", "1", " devices", "¹"),
            ("5¹", "2", " devices", " ²"),
            ("10", "-3", "", "⁻³"),
            ("m", "2", "", "²"),
            ("x", "n", "", "ⁿ"),
            ("€19", "99", "", ".99"),
            ("now 19", "99", " €", ".99"),
            ("1,299", "00", " EUR", ".00"),
            ("page 19", "99", "", "⁹⁹"),
            ("word", "1, 2", "", "¹, ²"),
            ("1", "st", "", "st"),
            ("M", "me", "", "me"),
            ("Acme", "TM", "", "™"),
            ("Export", "beta", "", " beta"),
            ("free", "*", "", "*"),
        ] {
            assert_eq!(write(before, text, Script::Super, after), expected, "{before} {text}");
        }
        for (before, text, expected) in [("CO", "2", "2"), ("10", "2", "₂"), ("V", "max", "max")] {
            assert_eq!(write(before, text, Script::Sub, ""), expected, "{before} {text}");
        }
    }
}
