//! How a turn is stored: flat, camel case, absent if empty. The role says which fields are there.

use std::mem::take;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    AgentRef, AgentTurn, AiTurn, CustomerTurn, Disposition, Reaction, Silence, SilenceReason, Source, SystemEvent,
    SystemTurn, Turn, TurnBody, TurnRole,
};
use crate::models::{EscalationId, MessageId, Ownership, Presence, Timestamp};

#[derive(PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnRecord {
    message_id: MessageId,
    number: u32,
    role: TurnRole,
    content: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    sources: Vec<Source>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notice: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    disposition: Option<Disposition>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ownership: Option<Ownership>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unanswered: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reactions: Vec<Reaction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRef>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    internal: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    offers_human: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    grounded_on_internal: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<SystemEvent>,
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    latency_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    escalation_id: Option<EscalationId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    presence: Option<Presence>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answered_by: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answers: Option<u32>,
    #[serde(default, skip_serializing_if = "crate::is_default")]
    queries: u32,
}

impl From<Turn> for TurnRecord {
    fn from(turn: Turn) -> Self {
        let role = turn.role();
        let Turn { message_id, number, content, created_at, body } = turn;
        let said = Self::of(message_id, number, role, content, created_at);
        match body {
            TurnBody::Customer(customer) => said.of_customer(customer),
            TurnBody::Ai(ai) => said.of_ai(*ai),
            TurnBody::Agent(AgentTurn { agent, internal }) => Self { agent: Some(agent), internal, ..said },
            TurnBody::System(SystemTurn { event, agent }) => Self { event: Some(event), agent, ..said },
        }
    }
}

impl TurnRecord {
    /// A record of a turn's own fields alone.
    const fn of(message_id: MessageId, number: u32, role: TurnRole, content: String, created_at: Timestamp) -> Self {
        Self {
            message_id,
            number,
            role,
            content,
            sources: Vec::new(),
            notice: None,
            confidence: None,
            disposition: None,
            ownership: None,
            unanswered: None,
            missing: Vec::new(),
            reactions: Vec::new(),
            agent: None,
            internal: false,
            offers_human: false,
            grounded_on_internal: false,
            event: None,
            created_at,
            latency_ms: None,
            escalation_id: None,
            presence: None,
            answered_by: None,
            answers: None,
            queries: 0,
        }
    }

    fn of_customer(self, CustomerTurn { answered_by, silence }: CustomerTurn) -> Self {
        let said = Self { answered_by, ..self };
        let Some(Silence { reason, ownership, latency_ms, escalation_id, presence }) = silence else { return said };
        Self {
            disposition: Some(reason.into()),
            ownership: Some(ownership),
            latency_ms: Some(latency_ms),
            escalation_id,
            presence,
            ..said
        }
    }

    fn of_ai(self, ai: AiTurn) -> Self {
        Self {
            sources: ai.sources,
            notice: ai.notice,
            confidence: Some(ai.confidence),
            disposition: Some(ai.disposition),
            unanswered: Some(ai.unanswered),
            missing: ai.missing,
            reactions: ai.reactions,
            offers_human: ai.offers_human,
            grounded_on_internal: ai.grounded_on_internal,
            latency_ms: Some(ai.latency_ms),
            escalation_id: ai.escalation_id,
            presence: ai.presence,
            answers: Some(ai.answers),
            queries: ai.queries,
            ..self
        }
    }

    /// The turn of these fields; none if one of its role's is missing, or one that its role has not is there.
    fn turn(mut self) -> Option<Turn> {
        let body = match self.role {
            TurnRole::Customer => {
                let answered_by = self.answered_by.take();
                let silence = if self.disposition.is_some() { Some(self.silence()?) } else { None };
                TurnBody::Customer(CustomerTurn { answered_by, silence })
            }
            TurnRole::Ai => TurnBody::Ai(Box::new(self.ai()?)),
            TurnRole::Agent => {
                TurnBody::Agent(AgentTurn { agent: self.agent.take()?, internal: take(&mut self.internal) })
            }
            TurnRole::System => TurnBody::System(SystemTurn { event: self.event.take()?, agent: self.agent.take() }),
        };
        let (message_id, number, created_at) = (self.message_id.clone(), self.number, self.created_at);
        let content = take(&mut self.content);
        // A turn is read often: what is left is compared, instead of the turn written again.
        let left = Self::of(self.message_id.clone(), number, self.role, String::new(), created_at);
        (self == left).then_some(Turn { message_id, number, content, created_at, body })
    }

    fn silence(&mut self) -> Option<Silence> {
        Some(Silence {
            reason: self.disposition.take().and_then(silence_reason)?,
            ownership: self.ownership.take()?,
            latency_ms: self.latency_ms.take()?,
            escalation_id: self.escalation_id.take(),
            presence: self.presence.take(),
        })
    }

    fn ai(&mut self) -> Option<AiTurn> {
        Some(AiTurn {
            sources: take(&mut self.sources),
            notice: self.notice.take(),
            confidence: self.confidence.take()?,
            disposition: self.disposition.take().filter(|it| silence_reason(*it).is_none())?,
            unanswered: self.unanswered.take()?,
            missing: take(&mut self.missing),
            reactions: take(&mut self.reactions),
            offers_human: take(&mut self.offers_human),
            grounded_on_internal: take(&mut self.grounded_on_internal),
            latency_ms: self.latency_ms.take()?,
            escalation_id: self.escalation_id.take(),
            presence: self.presence.take(),
            answers: self.answers.take()?,
            queries: take(&mut self.queries),
        })
    }
}

const fn silence_reason(disposition: Disposition) -> Option<SilenceReason> {
    match disposition {
        Disposition::QueuedForHuman => Some(SilenceReason::QueuedForHuman),
        Disposition::Superseded => Some(SilenceReason::Superseded),
        Disposition::Answered | Disposition::NoAnswer | Disposition::SmallTalk | Disposition::Escalated => None,
    }
}

impl Serialize for Turn {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        TurnRecord::from(self.clone()).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Turn {
    /// A field that a turn of its role has not would be lost, and is a contradiction.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let turn = TurnRecord::deserialize(from)?.turn();
        turn.ok_or_else(|| de::Error::custom("a turn has the fields of its role, and no others"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A stored turn of a role with these fields.
    fn stored(role: &str, fields: &Value) -> Value {
        let mut turn = json!({"messageId": "msg_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "number": 3, "role": role, "content": ""});
        turn["createdAt"] = "2026-01-02T03:04:05.678Z".into();
        turn.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        turn
    }

    #[test]
    fn a_turn_reads_and_is_written_as_it_was_stored_where_its_fields_are_those_of_its_role() {
        let answer =
            json!({"confidence": 0.5, "disposition": "answered", "unanswered": false, "latencyMs": 1, "answers": 1});
        let reply = json!({"disposition": "queued_for_human", "ownership": "human", "latencyMs": 1, "answeredBy": 4});
        let agent = json!({"agent": {"id": "bob"}});
        let all = [
            ("customer", json!({})),
            ("customer", reply),
            ("ai", answer),
            ("agent", agent.clone()),
            ("system", json!({"event": "resumed"})),
            ("system", json!({"event": "agent_joined", "agent": {"id": "bob"}})),
        ];
        for (role, fields) in &all {
            let turn = stored(role, fields);
            let read: Turn = serde_json::from_value(turn.clone()).unwrap();
            assert_eq!(serde_json::to_value(read).unwrap(), turn);
            for (other, _) in all.iter().filter(|(other, _)| other != role && *fields != json!({})) {
                assert!(serde_json::from_value::<Turn>(stored(other, fields)).is_err(), "{fields} of {other}");
            }
            for (field, _) in fields.as_object().unwrap().iter().filter(|(field, _)| *field != "answeredBy") {
                let mut without = turn.clone();
                without.as_object_mut().unwrap().remove(field);
                let is_optional = (*role, field.as_str()) == ("system", "agent");
                assert_eq!(serde_json::from_value::<Turn>(without).is_ok(), is_optional, "{role} without {field}");
            }
        }
        let note = json!({"agent": {"id": "bob"}, "internal": true});
        assert!(serde_json::from_value::<Turn>(stored("agent", &note)).unwrap().is_internal());
        for (role, field) in [("customer", "queries"), ("agent", "presence"), ("system", "answeredBy"), ("ai", "agent")]
        {
            let fields =
                json!({"queries": 1, "presence": {"peopleAvailable": true}, "answeredBy": 4, "agent": {"id": "a"}});
            assert!(serde_json::from_value::<Turn>(stored(role, &json!({field: fields[field]}))).is_err(), "{field}");
        }
    }
}
