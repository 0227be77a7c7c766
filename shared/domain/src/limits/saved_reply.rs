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

/// The variables of a reply.
const VARIABLES: [&str; 3] = ["customer.name", "customer.firstName", "agent.name"];
/// As much of [`content`] as a regular expression of ECMA-262 says: every `{{…}}` names a variable, and may say after a bar
/// what stands there if there is no name.
pub const CONTENT_PATTERN: &str =
    r"^(?:[^{]|\{[^{]|\{\{\s*(?:customer\.(?:name|firstName)|agent\.name)\s*(?:\|[^{}]*)?\}\})*\{?$";

/// Whether every `{{…}}` of `text` names a variable: `{{customer.firstName}}`, or `{{customer.name|there}}` with what stands
/// there if there is no name.
pub fn content(text: &str) -> Result<(), &'static str> {
    let is_known = |variable: &str| {
        let (name, fallback) = variable.split_once('|').unwrap_or((variable, ""));
        VARIABLES.contains(&name.trim()) && !fallback.contains(['{', '}'])
    };
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("{{") {
        match after.split_once("}}") {
            Some((variable, behind)) if is_known(variable) => rest = behind,
            _ => {
                return Err(
                    "may have the variables {{customer.name}}, {{customer.firstName}} and {{agent.name}}, each with a \
                            text for no name as in {{customer.name|there}}, and no other {{",
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_names_known_variables_alone() {
        let long = format!("{{{{customer.name|{}}}}}", "x".repeat(8_000));
        let pattern = regex::Regex::new(CONTENT_PATTERN).unwrap();
        for good in [
            "Hello.",
            "",
            "Hello {{customer.name}}, {{ agent.name }} here.",
            "{{customer.firstName|there}}{{customer.name | dear customer }}",
            "{{customer.name|}}",
            "{a} }} { {customer.name} }",
            &long,
        ] {
            assert!(content(good).is_ok() && pattern.is_match(good), "{good}");
        }
        for bad in [
            "{{7*7}}",
            "{{customer.email}}",
            "{{Customer.name}}",
            "{{customer.firstname}}",
            "{{}}",
            "{{|there}}",
            "{{customer.name",
            "{{customer.name}",
            "{{{customer.name}}}",
            "{{customer.name|{{agent.name}}}}",
            "{{customer.name}} {{x}}",
            &"{{".repeat(4_000),
        ] {
            assert!(content(bad).is_err() && !pattern.is_match(bad), "{bad}");
        }
    }

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
