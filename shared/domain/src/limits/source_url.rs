//! The address of a wiki entry on the tenant's own site, as a template.

use super::origin;

/// The place of the entry's path.
const PLACEHOLDER: &str = "{path}";

/// [`parse`] as a regular expression of ECMA-262, but for the limits of a host.
pub const PATTERN: &str = r#"^https://([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?[/?#][!#-;=?-\[\]_a-z~]*\{path\}[!#-;=?-\[\]_a-z~]*$"#;

/// Whether `text` is `https://host` or `https://host:port`, and then a path, query or fragment with one `{path}`.
pub fn parse(text: &str) -> Result<(), &'static str> {
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let place = authority.find(['/', '?', '#']).ok_or("must contain {path} after the host")?;
    let (host, rest) = authority.split_at(place);
    origin::parse(&format!("https://{host}"))?;
    let (before, after) = rest.split_once(PLACEHOLDER).ok_or("must contain {path} after the host")?;
    if before.chars().chain(after.chars()).all(is_url_character) {
        return Ok(());
    }
    Err("must be a URL, with one {path} and no other brace")
}

/// True for the characters of a URL after its host; every other would have to be percent-encoded.
pub(super) fn is_url_character(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '"' | '<' | '>' | '\\' | '^' | '`' | '{' | '|' | '}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_an_https_address_with_one_path() {
        for good in [
            "https://help.example.com/{path}",
            "https://help.example.com:8443/a/{path}.html?from=chat#top",
            "https://help.example.com?page={path}",
            "https://help.example.com#{path}",
            "https://help.example.com/%7B/{path}",
        ] {
            assert_eq!(parse(good), Ok(()), "{good}");
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
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
