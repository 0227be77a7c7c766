//! The look of a tenant's chat.

use serde::{Deserialize, Serialize};

use super::wire_enum;

wire_enum! {
    /// The lower corner of the page in which the chat stands, in every language.
    pub enum ChatPosition {
        /// The left one.
        Left => "left",
        /// The right one.
        Right => "right",
    }
}

/// A tenant's look of the chat; none of a part for the chat's own. What a page sets itself counts before it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Appearance {
    /// The colour of launcher, header and buttons, as `#rrggbb`.
    pub color: Option<String>,
    /// The title of the chat: at most 60 characters.
    pub name: Option<String>,
    /// The corner.
    pub position: Option<ChatPosition>,
    /// The `https` address of a picture, which stands beside the title: at most 500 characters.
    pub logo_url: Option<String>,
}

impl Appearance {
    /// Whether it is the chat's own.
    #[must_use]
    pub fn is_own(&self) -> bool {
        *self == Self::default()
    }
}
