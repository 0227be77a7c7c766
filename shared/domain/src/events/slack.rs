//! An event as one line for a Slack channel: what happened, and where in the desk, which opens live data. Nothing that a customer wrote is in it.

use serde_json::{Map, Value, json};

use super::Event;
use crate::models::{EventKind, Mode, OutgoingEvent, WebhookFormat};

impl Event {
    /// The event in the form for a receiver of `format`. A line for Slack names the place in the desk at `desk_url`.
    #[must_use]
    pub fn outgoing(&self, format: WebhookFormat, desk_url: Option<&str>) -> OutgoingEvent {
        let outgoing = OutgoingEvent::from(self);
        match format {
            WebhookFormat::Events => outgoing,
            WebhookFormat::Slack => {
                OutgoingEvent { body: json!({"text": line(self, desk_url)}).to_string(), ..outgoing }
            }
        }
    }
}

fn line(event: &Event, desk_url: Option<&str>) -> String {
    let said = said(event.kind, &event.data);
    let escalation = event.data.get("escalationId").and_then(Value::as_str);
    match (desk_url.filter(|_| event.scope.mode == Mode::Live), escalation) {
        (Some(desk), Some(id)) => format!("{said} {}/inbox/{id}", desk.trim_end_matches('/')),
        _ => said,
    }
}

fn said(kind: EventKind, data: &Map<String, Value>) -> String {
    let agent = data.get("claimedBy").and_then(|agent| agent.get("name")).and_then(Value::as_str);
    let agent = agent.map_or_else(|| "An agent".to_owned(), escaped);
    match kind {
        EventKind::HandoverRequested if data.get("priority").is_some_and(|priority| priority == "high") => {
            "A customer asks for a person, with high priority.".to_owned()
        }
        EventKind::HandoverRequested => "A customer asks for a person.".to_owned(),
        EventKind::HandoverWaiting => "A customer is still waiting for a person.".to_owned(),
        EventKind::HandoverClaimed => format!("{agent} has taken over a customer."),
        EventKind::HandoverReleased if data.get("releaseReason").is_some_and(|reason| reason == "lapsed") => {
            "A claim lapsed, and its customer is back in the queue.".to_owned()
        }
        EventKind::HandoverReleased => "A customer is back in the queue.".to_owned(),
        EventKind::HandoverReturned => format!("{agent} has given a customer back to the assistant."),
        EventKind::HandoverResolved => format!("{agent} has resolved a customer's request."),
        EventKind::HandoverCancelled => "A customer no longer waits for a person.".to_owned(),
        EventKind::RatingCreated => {
            let score = data.get("rating").and_then(|rating| rating.get("score")).and_then(Value::as_u64);
            format!("A customer rated the help: {} of 5.", score.unwrap_or_default())
        }
        EventKind::WebhookTest => "This is a test of the notices from the support desk.".to_owned(),
        other => format!("The support desk reports {other}."),
    }
}

/// The name of an agent in Slack's text, in which three characters have a meaning.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{EventId, Scope, TenantId, Timestamp};

    #[test]
    fn a_line_says_what_happened_and_nothing_that_a_customer_wrote() {
        let data = json!({
            "escalationId": "esc_1", "reason": "SECRET", "summary": "SECRET", "customer": {"name": "SECRET"},
            "claimedBy": {"agentId": "a", "name": "Ann <b> & Co"}, "priority": "high",
            "rating": {"score": 4, "comment": "SECRET"},
        });
        let Value::Object(data) = data else { unreachable!() };
        let kinds = EventKind::ALL.iter().filter(|kind| kind.is_of_people());
        let lines: Vec<String> = kinds.map(|kind| said(*kind, &data)).collect();
        assert!(
            lines.len() >= 9 && lines.iter().all(|line| !line.contains("SECRET") && !line.contains('\n')),
            "{lines:?}"
        );
        assert!(lines.contains(&"Ann &lt;b&gt; &amp; Co has taken over a customer.".to_owned()), "{lines:?}");
        let event = Event {
            id: EventId::parse("evt_01JDB8Q7XKZ3T5V9W2Y4A6C8EG").unwrap(),
            kind: EventKind::HandoverWaiting,
            at: Timestamp::from_millis(1),
            scope: Scope { tenant: TenantId::parse("ten_01JDB8Q7XKZ3T5V9W2Y4A6C8EG").unwrap(), mode: Mode::Live },
            data: data.clone(),
            previous: None,
        };
        let waits = "A customer is still waiting for a person.";
        for desk in ["https://desk.example/desk/", "https://desk.example/desk"] {
            assert_eq!(line(&event, Some(desk)), format!("{waits} https://desk.example/desk/inbox/esc_1"));
        }
        assert_eq!(line(&event, None), waits);
        let scope = Scope { mode: Mode::Test, ..event.scope.clone() };
        assert_eq!(line(&Event { scope, ..event }, Some("https://desk.example/desk/")), waits);
        assert!(lines.contains(&"A customer rated the help: 4 of 5.".to_owned()), "{lines:?}");
    }
}
