//! The look of a tenant's chat.

use domain::error::DetailCode;
use domain::limits::appearance as limits;
use domain::models::{Appearance, ChatPosition};
use edge::input::{Change, Closed, choice, clearable, within};
use schemars::JsonSchema;
use serde::Serialize;

/// The look of the chat; `null` where a part is the chat's own.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Appearance")]
pub(crate) struct AppearanceOut {
    /// The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts
    /// more.
    color: Option<String>,
    /// The title of the chat.
    name: Option<String>,
    /// The lower corner of the page in which the chat stands, in every language.
    position: Option<ChatPosition>,
    /// The `https` address of a picture, which stands beside the title.
    logo_url: Option<String>,
}

impl From<Appearance> for AppearanceOut {
    fn from(appearance: Appearance) -> Self {
        let Appearance { color, name, position, logo_url } = appearance;
        Self { color, name, position, logo_url }
    }
}

edge::body! {
    /// The look of the chat, unless its page sets another: an absent part stays, `null` is the chat's own again.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct AppearancePatch as "AppearancePatch" {
        /// The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts
        /// more.
        color: Change<String> = "color" => clearable(
            within(limits::COLOR).checked(DetailCode::InvalidFormat, limits::parse_color, limits::COLOR_PATTERN),
        ),
        /// The title of the chat.
        name: Change<String> = "name" => clearable(within(limits::NAME)),
        /// The lower corner of the page in which the chat stands, in every language.
        position: Change<ChatPosition> = "position" => clearable(choice::<ChatPosition>()),
        /// The `https` address of a picture, which stands beside the title: a square of 32 pixels.
        logo_url: Change<String> = "logoUrl" => clearable(
            within(limits::LOGO_URL).checked(DetailCode::InvalidUrl, limits::parse_logo_url, limits::LOGO_URL_PATTERN),
        ),
    }
    rules: [Closed]
}

impl AppearancePatch {
    pub(crate) fn apply(&self, old: Appearance) -> Appearance {
        Appearance {
            color: self.color.clone().of(old.color),
            name: self.name.clone().of(old.name),
            position: self.position.clone().of(old.position),
            logo_url: self.logo_url.clone().of(old.logo_url),
        }
    }
}
