//! The limits of a saved reply.

use super::TextLimit;

/// The limit of the shortcut that people type to find one. [`shortcut`] checks its characters.
pub const SHORTCUT: TextLimit = TextLimit::line(1, 40);
/// The shortcuts that [`shortcut`] takes, as a regular expression of ECMA-262.
pub const SHORTCUT_PATTERN: &str = "^[a-z0-9-]{1,40}$";
/// The title.
pub const TITLE: TextLimit = TextLimit::line(1, 200);
/// The most of a tenant, in one mode.
pub const MAX_TEAM: usize = 500;
/// The most of one owner.
pub const MAX_OWN: usize = 100;

/// Whether `text` is a shortcut: lower-case letters, digits and hyphens.
pub fn shortcut(text: &str) -> Result<(), &'static str> {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if (1..=SHORTCUT.max).contains(&text.len()) && text.bytes().all(is_plain) {
        return Ok(());
    }
    Err("must have at most 40 lower-case letters, digits and hyphens")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortcut_has_lower_case_letters_digits_and_hyphens() {
        let pattern = regex::Regex::new(SHORTCUT_PATTERN).unwrap();
        for good in ["a", "refund-time", "7", "-", &"x".repeat(40)] {
            assert!(shortcut(good).is_ok() && pattern.is_match(good), "{good}");
        }
        for bad in ["", "A", "a b", "a_b", "é", "a\n", "{{", &"x".repeat(41)] {
            assert!(shortcut(bad).is_err() && !pattern.is_match(bad), "{bad:?}");
        }
    }
}
