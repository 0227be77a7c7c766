//! Receivers of events.

use aws::store::WebhookCopy;
use domain::limits;
use domain::models::Subscription;

use super::Rules;
use super::values::{self, Check};

pub(super) fn webhook(rules: Rules, webhook: &WebhookCopy) -> Check {
    values::url(rules, &webhook.url)?;
    let known = Subscription::parse(&webhook.events).map(|events| events.names() == webhook.events);
    values::holds(known == Ok(true) && !webhook.events.is_empty(), "events must name known kinds, each once")?;
    let description = webhook.description.as_ref();
    values::text_if("description", limits::WEBHOOK_DESCRIPTION, description)?;
    values::holds(description.is_none_or(|text| !text.is_empty()), "an empty description is none")?;
    values::past("createdAt", webhook.created_at, rules)?;
    values::past("updatedAt", webhook.updated_at, rules)?;
    values::version("version", webhook.version)
}
