//! The limits of texts and numbers that callers store, by the API or by an import, and the shapes that several fields have.

use serde_json::Value;
use text::{is_bidi, is_blank, is_invisible};

use crate::error::DetailCode;

pub use crate::{appearance, hours, saved_reply, settings};

/// The title of a wiki entry.
pub const ENTRY_TITLE: TextLimit = TextLimit::line(1, 200);
/// The text of a wiki entry.
pub const ENTRY_CONTENT: TextLimit = TextLimit::prose(1, 200_000);
/// The text of a wiki entry in bytes of UTF-8: leaves room for the rest of an item, of which DynamoDB takes 400 KB.
pub const ENTRY_CONTENT_BYTES: usize = 300 * 1024;
/// A tag of an entry or a session.
pub const TAG: TextLimit = TextLimit::line(1, 50);
/// The most tags. The specification does not limit them: enough for any classification, small enough for lists.
pub const MAX_TAGS: usize = 20;
/// The visitor, as the tenant names it (a limit of ours).
pub const EXTERNAL_USER_ID: TextLimit = TextLimit::line(1, 200);
/// The name of a person.
pub const PERSON_NAME: TextLimit = TextLimit::line(1, 100);
/// The e-mail address of a person; its shape is that of [`parse_email`].
pub const PERSON_EMAIL: TextLimit = TextLimit::line(1, 254);
/// The address of a member; its shape is that of [`member_email::parse`].
pub const MEMBER_EMAIL: TextLimit = TextLimit::line(3, 254);
/// The most API keys of a tenant and mode.
pub const MAX_API_KEYS: usize = 100;
/// The most members of a tenant.
pub const MAX_MEMBERS: u32 = 500;
/// The language of fixed sentences; its shape is that of [`parse_locale`].
pub const LOCALE: TextLimit = TextLimit::line(2, 35);
/// A message of a customer or an agent.
pub const MESSAGE: TextLimit = TextLimit::prose(1, 8_000);
/// A question that every change of the wiki is tried on.
pub const PIN_QUESTION: TextLimit = TextLimit::prose(1, 500);
/// Why a human is asked for, a note at a handback, or a resolution.
pub const REMARK: TextLimit = TextLimit::prose(1, 1_000);
/// The score of a rating, from bad to good.
pub const SCORE: std::ops::RangeInclusive<u32> = 1..=5;
/// An agent, as the tenant names it.
pub const AGENT_ID: TextLimit = TextLimit::line(1, 200);
/// The description of a receiver (a limit of ours).
pub const WEBHOOK_DESCRIPTION: TextLimit = TextLimit::line(0, 500);
/// The most pages of a tenant and mode that are read again on their day (a limit of ours).
pub const MAX_SCHEDULED_PAGES: u32 = 500;
/// A text that is handed in.
pub const INGEST_TEXT: TextLimit = TextLimit::prose(1, 500_000);

/// The characters that a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// Anything but U+0000: what people write.
    Prose,
    /// One line: no control and no bidirectional-formatting characters.
    Line,
}

/// The limits of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLimit {
    /// The fewest characters.
    pub min: usize,
    /// The most characters.
    pub max: usize,
    /// The characters that it may hold.
    pub kind: TextKind,
}

impl TextLimit {
    /// A text of `min` to `max` characters; if `min` is not 0, white space and invisible characters alone are none.
    #[must_use]
    pub const fn prose(min: usize, max: usize) -> Self {
        Self { min, max, kind: TextKind::Prose }
    }

    /// A text of one line, for titles and names: no control and no bidirectional-formatting characters.
    #[must_use]
    pub const fn line(min: usize, max: usize) -> Self {
        Self { min, max, kind: TextKind::Line }
    }

    /// Validates a text.
    ///
    /// # Errors
    /// The problem's code and message.
    pub fn validate(self, text: &str) -> Result<(), (DetailCode, String)> {
        let Self { min, max, kind } = self;
        let length = text.chars().count();
        if text.contains('\0') {
            return Err((DetailCode::InvalidCharacter, "must not contain U+0000".to_owned()));
        }
        if kind == TextKind::Line && text.chars().any(|c| c.is_control() || is_bidi(c)) {
            let message = "must not contain control or bidirectional-formatting characters";
            return Err((DetailCode::InvalidCharacter, message.to_owned()));
        }
        if length < min {
            return Err((DetailCode::TooShort, format!("must have at least {min} characters")));
        }
        if length > max {
            return Err((DetailCode::TooLong, format!("must have at most {max} characters")));
        }
        if min > 0 && is_blank(text) {
            return Err((DetailCode::Blank, "must contain a visible character".to_owned()));
        }
        Ok(())
    }
}

/// A key.
pub const METADATA_KEY: TextLimit = TextLimit::line(1, 100);
/// The most keys.
pub const MAX_METADATA_KEYS: usize = 50;
/// The most bytes of JSON in all.
pub const MAX_METADATA_BYTES: usize = 4_096;

/// The problem of a value, as its code and message; none if it is sound.
#[must_use]
pub fn value_problem(value: &Value) -> Option<(DetailCode, &'static str)> {
    match value {
        Value::Array(_) | Value::Object(_) | Value::Null => {
            Some((DetailCode::NotFlat, "values must be strings, numbers, true or false"))
        }
        Value::String(text) if text.contains('\0') => Some((DetailCode::InvalidCharacter, "must not contain U+0000")),
        Value::Number(_) if !is_storable(value) => {
            Some((DetailCode::OutOfRange, "numbers must be 0, or between 1e-130 and 2^64 without their sign"))
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => None,
    }
}

/// Whether a number comes back as it was sent: not one of so many digits that it was read as something else, and
/// within what every store of ours can hold (DynamoDB: 1e-130 to 9.99e125).
#[must_use]
pub fn is_storable(number: &Value) -> bool {
    let sound = |float: f64| float == 0.0 || (1e-130..18_446_744_073_709_551_616.0).contains(&float.abs());
    !number.is_f64() || number.as_f64().is_some_and(sound)
}

/// As much of [`parse_email`] as a regular expression of ECMA-262 can say: of what cannot be seen, [`text::BLANK`].
pub const EMAIL_PATTERN: &str = r"^[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*@[^@,;<>\u0000- \u007f-\u00a0\u00ad\u034f\u061c\u115f-\u1160\u1680\u17b4-\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]*$";

/// Whether `text` names one address, as far as can be said without sending to it: what could be taken for two addresses,
/// or for none, is refused.
pub fn parse_email(text: &str) -> Result<(), &'static str> {
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

/// The tags that [`parse_locale`] takes, as a regular expression of ECMA-262.
pub const LOCALE_PATTERN: &str = "^([A-Za-z]{2,8}|[IiXx][-_][A-Za-z0-9]{1,8})([-_][A-Za-z0-9]{1,8})*$";

/// Whether `text` has the shape of a language tag (RFC 5646, section 2.1): subtags of 1 to 8 letters or digits between
/// hyphens, or underscores, which many programs write. The first is a language of 2 to 8 letters, or `i` or `x` before
/// others. Subtags need not be registered.
pub fn parse_locale(text: &str) -> Result<(), &'static str> {
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

/// The hosts of this machine, as browsers write them.
const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The longest origin: a host of 253 characters between its scheme and its port.
pub const MAX_ORIGIN_CHARS: usize = "https://".len() + 253 + ":65535".len();

/// As much of [`parse_origin`] as a regular expression of ECMA-262 can say.
pub const ORIGIN_PATTERN: &str = r"^(https://([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?$";

/// Whether `text` is exactly `https://host` or `https://host:port`, in the form a browser sends: lower case, no
/// default port, no path, no user. Pages of this machine may be `http`.
pub fn parse_origin(text: &str) -> Result<(), &'static str> {
    if is_loopback(text) {
        return Ok(());
    }
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| !is_port(port, 443)) {
        return Err("must have a port of 1 to 65535 other than 443, or none");
    }
    if !(host.len() <= 253 && host.split('.').all(is_label) || is_ipv6(host)) {
        return Err("must be exactly https://host or https://host:port, in lower case and without a path");
    }
    Ok(())
}

/// Whether `text` is the `http` origin of a page of this machine: `localhost`, `127.0.0.1` or `[::1]`, with its port
/// unless that is 80.
pub fn is_loopback(text: &str) -> bool {
    let Some(authority) = text.strip_prefix("http://") else { return false };
    LOOPBACK_HOSTS.iter().filter_map(|host| authority.strip_prefix(host)).any(|rest| match rest.strip_prefix(':') {
        Some(port) => is_port(port, 80),
        None => rest.is_empty(),
    })
}

/// Whether it is a port that a browser writes out: every one but the scheme's own.
fn is_port(port: &str, default: u16) -> bool {
    let plain = !port.starts_with('0') && port.bytes().all(|b| b.is_ascii_digit());
    plain && port.parse::<u16>().is_ok_and(|number| number != default)
}

fn is_label(label: &str) -> bool {
    let sound = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    (1..=63).contains(&label.len()) && label.bytes().all(sound) && !label.starts_with('-') && !label.ends_with('-')
}

fn is_ipv6(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|text| text.parse::<std::net::Ipv6Addr>().is_ok_and(|address| address.to_string() == text))
}

/// The place of the entry's path.
const PLACEHOLDER: &str = "{path}";

/// [`parse_source_url`] as a regular expression of ECMA-262, but for the limits of a host.
pub const SOURCE_URL_PATTERN: &str = r#"^https://([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?[/?#][!#-;=?-\[\]_a-z~]*\{path\}[!#-;=?-\[\]_a-z~]*$"#;

/// Whether `text` is `https://host` or `https://host:port`, and then a path, query or fragment with one `{path}`.
pub fn parse_source_url(text: &str) -> Result<(), &'static str> {
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let place = authority.find(['/', '?', '#']).ok_or("must contain {path} after the host")?;
    let (host, rest) = authority.split_at(place);
    parse_origin(&format!("https://{host}"))?;
    let (before, after) = rest.split_once(PLACEHOLDER).ok_or("must contain {path} after the host")?;
    if before.chars().chain(after.chars()).all(is_url_character) {
        return Ok(());
    }
    Err("must be a URL, with one {path} and no other brace")
}

/// True for the characters of a URL after its host; every other would have to be percent-encoded.
pub(crate) fn is_url_character(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
}

/// Addresses of members.
pub mod member_email {
    pub use crate::member::{
        MEMBER_EMAIL_PATTERN as PATTERN, canonical_email as canonical, parse_member_email as parse,
    };
}

/// Addresses of customers.
pub mod email {
    pub use super::{EMAIL_PATTERN as PATTERN, parse_email as parse};
}

/// Language tags.
pub mod locale {
    pub use super::{LOCALE_PATTERN as PATTERN, parse_locale as parse};
}

/// The metadata of a session.
pub mod metadata {
    pub use super::{
        MAX_METADATA_BYTES as MAX_BYTES, MAX_METADATA_KEYS as MAX_KEYS, METADATA_KEY as KEY, is_storable, value_problem,
    };
}

/// Origins.
pub mod origin {
    pub use super::{MAX_ORIGIN_CHARS as MAX_CHARS, ORIGIN_PATTERN as PATTERN, is_loopback, parse_origin as parse};
}

/// Templates of addresses.
pub mod source_url {
    pub use super::{SOURCE_URL_PATTERN as PATTERN, parse_source_url as parse};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pattern_of_an_address_refuses_all_that_is_blank_on_both_sides_of_its_sign() {
        let part = format!("[^@,;<>{}]*", text::BLANK);
        assert_eq!(EMAIL_PATTERN, format!("^{part}@{part}$"));
    }

    #[test]
    fn a_locale_has_the_shape_of_a_language_tag() {
        let pattern = regex::Regex::new(LOCALE_PATTERN).unwrap();
        for good in
            ["en", "EN", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske-1994", "de-CH-1901", "en_US", "x-private", "i-klingon"]
        {
            assert!(parse_locale(good).is_ok() && pattern.is_match(good), "{good}");
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
            assert!(parse_locale(bad).is_err() && !pattern.is_match(bad), "{bad}");
        }
    }

    #[test]
    fn an_origin_is_exactly_what_a_browser_sends() {
        for good in [
            "https://a.example",
            "https://shop.a.example:8443",
            "https://localhost:3000",
            "https://xn--bcher-kva.example",
            "https://[::1]:8443",
            "https://10.0.0.1",
            "http://localhost:3000",
            "http://127.0.0.1:5173",
            "http://localhost",
            "http://[::1]:8080",
        ] {
            assert_eq!(parse_origin(good), Ok(()), "{good}");
            assert_eq!(is_loopback(good), good.starts_with("http://"), "{good}");
        }
        for bad in [
            "",
            "*",
            "null",
            "a.example",
            "http://a.example",
            "https://",
            "https://a.example/",
            "https://a.example/x",
            "https://A.example",
            "https://a.example:443",
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:080",
            "https://a.example:",
            "https://u@a.example",
            "https://*.a.example",
            "https://a..example",
            "https://a.example.",
            "https://-a.example",
            "https://a example",
            "https://a.example?x",
            "https://a.example#x",
            "https://bücher.example",
            "https://[::1",
            "https://[0:0::1]",
            "HTTPS://a.example",
            "http://localhost:80",
            "http://localhost:",
            "http://localhost/",
            "http://localhost.a.example",
            "http://127.0.0.1.a.example:3000",
            "http://127.0.0.2:3000",
            "http://u@localhost:3000",
            "http://LOCALHOST:3000",
        ] {
            assert!(parse_origin(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_template_is_an_https_address_with_one_path() {
        for good in [
            "https://help.example.com/{path}",
            "https://help.example.com:8443/a/{path}.html?from=chat#top",
            "https://help.example.com?page={path}",
            "https://help.example.com#{path}",
            "https://help.example.com/%7B/{path}",
        ] {
            assert_eq!(parse_source_url(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "http://help.example.com/{path}",
            "http://localhost/{path}",
            "javascript:alert({path})",
            "https://help.example.com/",
            "https://{path}",
            "https://{path}/",
            "https://{path}.example.com/{path}",
            "https://help.example.com/{path}/{path}",
            "https://help.example.com/{Path}",
            "https://help.example.com/{{path}}",
            "https://user@help.example.com/{path}",
            "https://HELP.example.com/{path}",
            "https://help.example.com/ä/{path}",
            "https://help.example.com/\"{path}",
            "https:///{path}",
        ] {
            assert!(parse_source_url(bad).is_err(), "{bad}");
        }
    }
}
