//! The e-mail address of a member: one address that two readers cannot take for two people.
//!
//! The rules are narrower than those of an address of a customer ([`super::email`]), because an address decides who may
//! use an invitation: ASCII alone, so that no letter is another one after case folding, and neither quotes nor comments.

/// As much of [`parse`] as a regular expression of ECMA-262 can say.
pub const PATTERN: &str = r"^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$";

/// The longest local part (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL_CHARS: usize = 64;

/// Whether `text` is one address: a dot-atom (RFC 5322, section 3.2.3), `@`, and a host name in ASCII.
pub fn parse(text: &str) -> Result<(), &'static str> {
    let Some((local, domain)) = text.split_once('@') else { return Err("must have one @") };
    if !text.is_ascii() {
        return Err("must be ASCII, the domain in its ASCII form");
    }
    let is_atom = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+/=?^_`{|}~-".contains(c);
    if local.len() > MAX_LOCAL_CHARS || !local.split('.').all(|atom| !atom.is_empty() && atom.chars().all(is_atom)) {
        return Err("must have a local part of letters, digits and plain signs, without quotes and comments");
    }
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if domain.split('.').all(is_label) { Ok(()) } else { Err("must have a host name after the @") }
}

/// The address as it is stored and compared.
#[must_use]
pub fn canonical(email: &str) -> String {
    email.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_ascii_without_quotes_comments_and_a_dot_at_the_end() {
        for good in ["you@company.example", "a.b+c@x-1.example", "A@B.example", "x@localhost", "x@xn--mnchen-3ya.de"] {
            assert_eq!(parse(good), Ok(()), "{good}");
        }
        let long = format!("{}@company.example", "x".repeat(65));
        for bad in [
            "",
            "@",
            "a@",
            "@b",
            "a@b@c",
            "\u{212A}im@company.example",
            "\u{0130}@company.example",
            "\u{017F}am@company.example",
            "you@compan\u{0131}.example",
            "you@m\u{FC}nchen.de",
            "you@company.example.",
            "you.@company.example",
            ".you@company.example",
            "a..b@company.example",
            "\"you\"@company.example",
            "you(comment)@company.example",
            "you@(comment)company.example",
            "you@[127.0.0.1]",
            "you@company..example",
            "you@-company.example",
            "you@company_.example",
            "you @company.example",
            "you@company.example ",
            "you,me@company.example",
            "<you@company.example>",
            &long,
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
