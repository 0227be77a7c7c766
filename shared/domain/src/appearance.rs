//! The look of a tenant's chat, and its rules.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::error::{Detail, DetailCode};
use crate::limits::{TextLimit, is_url_character, parse_origin};

wire_enum! {
    /// The lower corner of the page in which the chat stands, in every language.
    pub enum ChatPosition {
        /// The left one.
        Left => "left",
        /// The right one.
        Right => "right",
    }
}

/// The look of the chat; `null` where a part is the chat's own.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(!default)]
pub struct Appearance {
    /// The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts
    /// more.
    pub color: Option<String>,
    /// The title of the chat.
    pub name: Option<String>,
    /// The lower corner of the page in which the chat stands, in every language.
    pub position: Option<ChatPosition>,
    /// The `https` address of a picture, which stands beside the title.
    pub logo_url: Option<String>,
}

impl Appearance {
    /// Whether it is the chat's own.
    #[must_use]
    pub fn is_own(&self) -> bool {
        *self == Self::default()
    }
}

/// `name`.
pub const NAME: TextLimit = TextLimit::line(1, 60);
/// `color`.
pub const COLOR: TextLimit = TextLimit::line(1, 7);
/// [`parse_color`] as a regular expression of ECMA-262.
pub const COLOR_PATTERN: &str = "^#[0-9A-Fa-f]{6}$";
/// `logoUrl`.
pub const LOGO_URL: TextLimit = TextLimit::line(1, 500);
/// [`parse_logo_url`] as a regular expression of ECMA-262, but for the limits of a host.
pub const LOGO_URL_PATTERN: &str = r#"^https://([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?[/?][!#-;=?-\[\]_a-z~]*$"#;

/// Whether `text` is `#rrggbb`.
pub fn parse_color(text: &str) -> Result<(), &'static str> {
    let digits = text.strip_prefix('#').unwrap_or_default();
    let is_color = digits.len() == 6 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_color { Ok(()) } else { Err("must be a colour such as #1a7f5a") }
}

/// Whether `text` is `https://host` or `https://host:port`, and then a path or a query.
pub fn parse_logo_url(text: &str) -> Result<(), &'static str> {
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let place = authority.find(['/', '?']).ok_or("must have a path after the host")?;
    let (host, rest) = authority.split_at(place);
    parse_origin(&format!("https://{host}"))?;
    let is_url = rest.chars().all(is_url_character);
    if is_url { Ok(()) } else { Err("must be a URL; other characters are percent-encoded") }
}

/// The problems of a whole look.
pub(crate) fn problems(appearance: &Appearance) -> Vec<Detail> {
    let Appearance { color, name, position: _, logo_url } = appearance;
    let mut problems = Vec::new();
    let mut validate =
        |field: &str, text: &Option<String>, limit: TextLimit, code, parse: fn(&str) -> Result<(), &'static str>| {
            let Some(text) = text else { return };
            let refused = limit.validate(text).err();
            let refused = refused.or_else(|| parse(text).err().map(|message| (code, message.to_owned())));
            problems.extend(refused.map(|(code, message)| Detail::new(format!("appearance.{field}"), code, message)));
        };
    validate("color", color, COLOR, DetailCode::InvalidFormat, parse_color);
    validate("name", name, NAME, DetailCode::InvalidFormat, |_| Ok(()));
    validate("logoUrl", logo_url, LOGO_URL, DetailCode::InvalidUrl, parse_logo_url);
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_is_six_digits_and_nothing_else() {
        for good in ["#000000", "#1a7f5a", "#FFFFFF"] {
            assert_eq!(parse_color(good), Ok(()), "{good}");
        }
        for bad in
            ["", "#", "#fff", "1a7f5a", "#1a7f5g", "#1a7f5a;", "#1a7f5a ", "red", "url(x)", "#é1a7f", "#1a7f5a5a"]
        {
            assert!(parse_color(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_logo_has_an_https_address() {
        for good in
            ["https://shop.example/logo.svg", "https://cdn.example:8443/a/b.png?v=2", "https://shop.example?logo"]
        {
            assert_eq!(parse_logo_url(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            "http://shop.example/logo.svg",
            "//shop.example/logo.svg",
            "javascript:alert(1)",
            "data:image/svg+xml,<svg/>",
            "https://shop.example",
            "https://user@shop.example/logo.svg",
            "https:///logo.svg",
            "https://shop.example/a b.svg",
            "https://shop.example/\")url(x",
            "https://SHOP.example/logo.svg",
            "https://localhost:99999/logo.svg",
        ] {
            assert!(parse_logo_url(bad).is_err(), "{bad}");
        }
    }
}
