//! The shape of an e-mail address.

use text::is_invisible;

/// As much of [`parse`] as a regular expression of ECMA-262 can say: of what cannot be seen, [`text::BLANK`].
pub const PATTERN: &str = r"^[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*@[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*$";

/// Whether `text` names one address, as far as can be said without sending to it: what could be taken for two addresses,
/// or for none, is refused.
pub fn parse(text: &str) -> Result<(), &'static str> {
    let refused =
        |c: char| c.is_whitespace() || c.is_control() || is_invisible(c) || c == '\u{FE0F}' || ",;<>".contains(c);
    if text.matches('@').count() != 1 {
        return Err("must have exactly one @");
    }
    if text.contains(refused) {
        return Err("must not contain white space, invisible characters, commas, semicolons or angle brackets");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::PATTERN;

    #[test]
    fn the_pattern_of_an_address_refuses_all_that_is_blank_on_both_sides_of_its_sign() {
        let part = format!("[^@,;<>{}]*", text::BLANK);
        assert_eq!(PATTERN, format!("^{part}@{part}$"));
    }
}
