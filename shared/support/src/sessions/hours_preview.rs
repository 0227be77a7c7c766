//! A test of opening hours before they are saved: the chat's words at a moment.

use axum::extract::State;
use domain::Error;
use domain::error::DetailCode;
use domain::hours::moment;
use domain::limits::hours as limits;
use domain::models::{Hours, Presence, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{object, required, within};
use crate::edge::{self, Administrator, ApiResult, App, Json, JsonIn};
use crate::sessions::conversation::classification::handover_text;
use crate::tenants::hours::{HoursIn, presence_by_hours};

edge::body! {
    /// The hours to test, and when.
    #[derive(Debug)]
    pub(crate) struct HoursPreviewIn as "HoursPreviewRequest" {
        /// The hours, saved or not.
        hours: HoursIn = "hours" => required(object::<HoursIn>()),
        /// Date and time by the clock of the hours' time zone. Of a time that daylight saving repeats it is the first, and
        /// one that it skips is as much later as the clock moves.
        at: String = "at" => required(
            within(limits::CLOCK).checked(DetailCode::InvalidFormat, limits::parse_clock, limits::CLOCK_PATTERN),
        ),
    }
}

/// The chat's words at a moment.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "HoursPreview")]
pub(crate) struct HoursPreviewOut {
    /// The moment.
    at: Timestamp,
    /// Whether people are there, if no member is away.
    #[serde(flatten)]
    presence: Presence,
    /// The answer to a customer who asks for a person at that moment, in the wiki's language.
    text: String,
}

edge::endpoint! {
    /// Test opening hours.
    ///
    /// Says what the chat would say to who asks for a person at a moment. Stores nothing, and ignores `Idempotency-Key`.
    pub(crate) PreviewHours = POST "/api/v1/settings/hours/preview" => preview_hours;
    example: {
        "hours": {"timezone": "Europe/Berlin", "week": {"mon": [{"from": "09:00", "to": "17:00"}]}},
        "at": "2026-12-24T18:00"
    },
}

/// The words of the saved settings, with other hours.
async fn preview_hours(
    State(app): State<App>,
    caller: Administrator,
    JsonIn(body): JsonIn<HoursPreviewIn>,
) -> ApiResult<Json<HoursPreviewOut>> {
    let problems = body.hours.problems();
    if !problems.is_empty() {
        return Err(Error::validation(problems).into());
    }
    let hours = Hours::from(body.hours);
    let at = moment(&hours, &body.at);
    let at =
        at.ok_or_else(|| Error::invalid("at", DetailCode::OutOfRange, "must be a moment of the years 1 to 9998"))?;
    let mut settings = app.store.settings().get(caller.scope()).await?;
    settings.hours = Some(hours);
    let presence = presence_by_hours(settings.hours.as_ref(), at);
    Ok(Json(HoursPreviewOut { at, text: handover_text(&settings, &presence, at), presence }))
}
