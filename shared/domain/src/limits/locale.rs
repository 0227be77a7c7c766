//! The shape of a language tag.

/// The tags that [`parse`] takes, as a regular expression of ECMA-262.
pub const PATTERN: &str = "^([A-Za-z]{2,8}|[IiXx][-_][A-Za-z0-9]{1,8})([-_][A-Za-z0-9]{1,8})*$";

/// Whether `text` has the shape of a language tag (RFC 5646, section 2.1): subtags of 1 to 8 letters or digits between
/// hyphens, or underscores, which many programs write. The first is a language of 2 to 8 letters, or `i` or `x` before
/// others. Subtags need not be registered.
pub fn parse(text: &str) -> Result<(), &'static str> {
    let mut subtags = text.split(['-', '_']);
    let first = subtags.next().unwrap_or_default();
    let is_language = (2..=8).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_singleton = ["i", "x"].contains(&first.to_ascii_lowercase().as_str()) && text.len() > first.len();
    let is_subtag = |subtag: &str| (1..=8).contains(&subtag.len()) && subtag.bytes().all(|b| b.is_ascii_alphanumeric());
    if (is_language || is_singleton) && subtags.all(is_subtag) {
        return Ok(());
    }
    Err("must be a BCP 47 language tag such as en or pt-BR")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_has_the_shape_of_a_language_tag() {
        let pattern = regex::Regex::new(PATTERN).unwrap();
        for good in
            ["en", "EN", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske-1994", "de-CH-1901", "en_US", "x-private", "i-klingon"]
        {
            assert!(parse(good).is_ok() && pattern.is_match(good), "{good}");
        }
        for bad in [
            "",
            "e",
            "x",
            "../",
            "en_",
            "en-",
            "-en",
            "en--US",
            "en_US.UTF-8",
            "12",
            "e1",
            "en-123456789",
            "en US",
            "é",
            "x-",
        ] {
            assert!(parse(bad).is_err() && !pattern.is_match(bad), "{bad}");
        }
    }
}
