//! Whether somebody is there for a customer, and the sentence that says when somebody is.

use super::ConversationService;
use aws::store::Store;
use domain::Result;
use domain::hours::{Opening, opening, told};
use domain::models::{CustomerLanguage, Hours, Presence, Scope, Settings, Timestamp};
use text::dialogue::nobody_there;

/// Whether somebody of a tenant is there at `now`: by its hours and, if it has members with the inbox, by theirs.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn presence(store: &Store, scope: &Scope, settings: &Settings, now: Timestamp) -> Result<Presence> {
    let by_hours = presence_by_hours(settings.hours.as_ref(), now);
    if !by_hours.people_available {
        return Ok(by_hours);
    }
    let people = store.tenants().people(&scope.tenant).await?;
    Ok(Presence { people_available: people.inbox_members == 0 || people.inbox_available > 0, next_open_at: None })
}

/// Whether somebody is there at `now` if no member is away.
#[must_use]
pub fn presence_by_hours(hours: Option<&Hours>, now: Timestamp) -> Presence {
    match hours.map_or(Opening::Open, |hours| opening(hours, now)) {
        Opening::Open => Presence { people_available: true, next_open_at: None },
        Opening::Closed(next_open_at) => Presence { people_available: false, next_open_at },
    }
}

/// The text for a customer if nobody is there: it names the next opening time by the tenant's clock, and that clock's
/// zone if the customer's, in `timezone`, shows another time.
pub(super) fn away(
    language: CustomerLanguage,
    settings: &Settings,
    presence: &Presence,
    timezone: Option<&str>,
    now: Timestamp,
) -> String {
    let hours = settings.hours.as_ref().zip(presence.next_open_at);
    nobody_there(language, hours.and_then(|(hours, next)| told(hours, timezone, now, next)).as_ref())
}

impl ConversationService {
    /// Whether somebody is there now.
    pub(super) async fn presence(&self, scope: &Scope, settings: &Settings) -> Result<Presence> {
        presence(&self.store, scope, settings, self.runtime.now()).await
    }
}
