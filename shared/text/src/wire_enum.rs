//! Wire names of plain enums, defined in one place.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, json_schema};

/// A plain enum with wire names; `wire_enum!` implements it.
pub trait WireEnum: Copy + JsonSchema + 'static {
    /// Every value, in the order of the contract.
    const ALL: &'static [Self];

    /// The name on the wire.
    fn as_str(self) -> &'static str;
}

/// Gives a plain enum its wire names: `as_str`, `parse` (exact, case-sensitive), `ALL`, serde by the same names, and a
/// JSON schema that names each value with its comment.
#[macro_export]
macro_rules! wire_enum {
    ($(#[doc = $doc:literal])+ $vis:vis enum $name:ident { $($(#[doc = $vdoc:literal])+ $variant:ident => $text:literal),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        $vis enum $name { $($(#[doc = $vdoc])+ #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every value, in the documented order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// Reads a wire name; exact and case-sensitive.
            #[must_use]
            #[allow(dead_code, reason = "not every enum is read")]
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }

        impl $crate::WireEnum for $name {
            const ALL: &'static [Self] = Self::ALL;

            fn as_str(self) -> &'static str {
                self.as_str()
            }
        }

        impl $crate::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::enum_schema(concat!($($doc),+), &[$(($text, concat!($($vdoc),+))),+])
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

/// The schema of an enum: its words, and what each of them means.
#[must_use]
pub fn enum_schema(about: &str, words: &[(&'static str, &str)]) -> Schema {
    let meanings = words.iter().map(|(word, meaning)| format!("\n- `{word}`: {}", meaning.trim()));
    let description: String = std::iter::once(format!("{}\n", about.trim())).chain(meanings).collect();
    let words: Vec<Cow<'static, str>> = words.iter().map(|(word, _)| (*word).into()).collect();
    json_schema!({"type": "string", "enum": words, "description": description})
}
