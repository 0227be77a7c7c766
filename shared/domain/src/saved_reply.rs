//! Saved replies: texts that people insert into what they write.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::limits::TextLimit;
use crate::models::{SavedReplyId, Timestamp};

wire_enum! {
    /// Whose a saved reply is.
    pub enum SavedReplyScope {
        /// The tenant's: its people see it.
        Team => "team",
        /// Its owner's alone: of one key, or of one member.
        Own => "own",
    }
}

/// A text that people insert into what they write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedReply {
    /// Its id.
    pub reply_id: SavedReplyId,
    /// The key or the member whose own it is; the tenant's if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The shortcut that people type to find it; unique among those of its scope, and of its owner.
    pub shortcut: String,
    /// Its title.
    pub title: String,
    /// The text. What stands in it for a name is replaced by whoever inserts it.
    pub content: String,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl SavedReply {
    /// The people who have it: the tenant's, or its owner alone.
    #[must_use]
    pub const fn scope(&self) -> SavedReplyScope {
        if self.owner.is_some() { SavedReplyScope::Own } else { SavedReplyScope::Team }
    }
}

/// A text that people insert into what they write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SavedReply")]
pub struct SavedReplyOut {
    /// Its id.
    pub reply_id: SavedReplyId,
    /// Whose it is.
    scope: SavedReplyScope,
    /// The text that is typed to find it.
    shortcut: String,
    /// Its subject.
    title: String,
    /// The text. Whoever inserts it replaces `{{customer.name}}`, `{{customer.firstName}}` and `{{agent.name}}`, as text;
    /// `{{customer.name|there}}` says what stands there without a name.
    content: String,
    /// When it last changed.
    updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl From<SavedReply> for SavedReplyOut {
    fn from(reply: SavedReply) -> Self {
        Self {
            scope: reply.scope(),
            reply_id: reply.reply_id,
            shortcut: reply.shortcut,
            title: reply.title,
            content: reply.content,
            updated_at: reply.updated_at,
            version: reply.version,
        }
    }
}

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
