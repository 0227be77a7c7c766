//! A session, and its last words for the lists in which people choose one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::{images, wire_enum};

use crate::models::{
    AgentTurn, Closing, CustomerLanguage, Disposition, EscalationId, MessageId, Mode, Ownership, SessionId,
    SessionState, Timestamp, Turn, TurnBody, TurnRole,
};

wire_enum! {
    /// Where the customer is.
    pub enum Channel {
        /// The embedded chat.
        Widget => "widget",
        /// A server.
        Api => "api",
        /// E-mail.
        Email => "email",
        /// Anything else.
        Other => "other",
    }
}

/// The person behind a session.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Visitor {
    /// The name.
    pub name: Option<String>,
    /// The e-mail address.
    pub email: Option<String>,
    /// Whether the tenant vouches for name and address: a widget token carried them, or a key said so. Otherwise they
    /// are what somebody wrote about themselves.
    #[serde(default)]
    pub verified: bool,
}

impl Visitor {
    /// Somebody with this name and address; nobody if neither is said.
    #[must_use]
    pub fn new(name: Option<String>, email: Option<String>, verified: bool) -> Option<Self> {
        (name.is_some() || email.is_some()).then_some(Self { name, email, verified })
    }

    /// The same as a widget says it: the tenant does not vouch for it.
    #[must_use]
    pub fn unverified(self) -> Self {
        Self { verified: false, ..self }
    }
}

/// A map stored as JSON text: the table's numbers are decimal and do not distinguish `1.0`, so a map would not be
/// returned as it was sent.
mod json_text {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer, de, ser};
    use serde_json::Value;

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<String, Value>, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&serde_json::to_string(map).map_err(ser::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, Value>, D::Error> {
        serde_json::from_str(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}

/// The tags and metadata that a widget sent when it opened a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SentByWidget {
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "json_text")]
    metadata: BTreeMap<String, serde_json::Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
}

/// A conversation, as the table keeps it: camel case, absent if empty. What callers read of it is
/// [`crate::wire::SessionOut`].
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id.
    pub session_id: SessionId,
    /// Which half of the tenant's data it is in.
    pub mode: Mode,
    /// The owner, and what belongs to that alone.
    #[serde(flatten)]
    pub state: SessionState,
    /// Changes only when the session changes hands: what an answer is conditioned on.
    pub epoch: u64,
    /// The number of the last turn.
    pub turn_count: u32,
    /// The newest turn.
    pub last_message_id: Option<MessageId>,
    /// The newest turn that is not an internal note.
    pub last_public_message_id: Option<MessageId>,
    /// Where the customer is.
    pub channel: Channel,
    /// The visitor, as the tenant names them.
    pub external_user_id: Option<String>,
    /// The person.
    pub user: Option<Visitor>,
    /// BCP 47, as given.
    pub locale: Option<String>,
    /// The time zone of the customer's clock, as given: it may have a name that is unknown here.
    pub timezone: Option<String>,
    /// Flat, as given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", with = "json_text")]
    pub metadata: BTreeMap<String, serde_json::Value>,
    /// As given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A widget opened it, and sent its `metadata` and `tags`, unless `widget_sent` says otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub opened_by_widget: bool,
    /// The widget's own tags and metadata, once a key has set others.
    pub widget_sent: Option<Box<SentByWidget>>,
    /// The request for a human that an agent resolved or handed back last, until another one is made; also while it is
    /// reopened. Sessions of earlier versions name only one that was resolved.
    #[serde(alias = "lastResolved")]
    pub last_human_part: Option<EscalationId>,
    /// The turn number after which the session last became `ai`; "in a row" and `maxAiTurns` count from here. This and
    /// the two counts stay as they were while others have it: exports hold them in every state.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub ai_since_turn: u32,
    /// AI turns since then.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub ai_turns: u32,
    /// `no_answer` turns in a row, counted since then.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub no_answer_streak: u32,
    /// The turn number after which an AI reads what was said; what lay before it knows from `handover_note` alone.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub ai_reads_after_turn: u32,
    /// The AI's context about the agents' part in this session; none before there was one.
    pub handover_note: Option<String>,
    /// The language that the customer was last seen to write.
    pub language: Option<CustomerLanguage>,
    /// An AI turn was stored, and with it the notice that an automatic assistant answers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub notice_given: bool,
    /// A customer message was ever stored that is more than small talk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_customer_message: bool,
    /// A human was ever asked for.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ever_escalated: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub updated_at: Timestamp,
    /// The time of the latest message.
    pub last_activity_at: Timestamp,
    /// When the customer last said something.
    pub last_customer_message_at: Option<Timestamp>,
    /// The last words, in short; none in sessions of earlier versions until somebody says something.
    pub last_words: Option<LastWords>,
    /// Since when `ownership` is what it is.
    pub owner_since: Timestamp,
    /// When it is due: the earliest of a pending answer, its idle close and its retention, as of its last change of
    /// hands.
    pub due_at: Option<Timestamp>,
    /// Counts every change.
    pub version: u64,
    /// How many of those were internal notes alone.
    #[serde(default, skip_serializing_if = "crate::is_default")]
    pub note_changes: u64,
    /// When anything besides internal notes last changed, if that is not `updated_at`.
    pub public_updated_at: Option<Timestamp>,
}

impl Session {
    /// A session as it begins: empty, with the AI, made at the time of its id.
    #[must_use]
    pub fn new(session_id: SessionId, mode: Mode, channel: Channel) -> Self {
        let now = session_id.created_at();
        Self {
            session_id,
            mode,
            state: SessionState::AI,
            epoch: 0,
            turn_count: 0,
            last_message_id: None,
            last_public_message_id: None,
            channel,
            external_user_id: None,
            user: None,
            locale: None,
            timezone: None,
            metadata: BTreeMap::new(),
            tags: Vec::new(),
            opened_by_widget: false,
            widget_sent: None,
            last_human_part: None,
            ai_since_turn: 0,
            ai_turns: 0,
            no_answer_streak: 0,
            notice_given: false,
            ai_reads_after_turn: 0,
            handover_note: None,
            language: None,
            has_customer_message: false,
            ever_escalated: false,
            created_at: now,
            updated_at: now,
            last_activity_at: now,
            last_customer_message_at: None,
            last_words: None,
            owner_since: now,
            due_at: None,
            version: 1,
            note_changes: 0,
            public_updated_at: None,
        }
    }

    /// Replaces the tags by those of a key; what a widget sent stays its own.
    pub fn set_tags(&mut self, tags: Vec<String>) {
        if self.tags != tags {
            self.keep_what_its_widget_sent();
            self.tags = tags;
        }
    }

    /// Replaces the metadata by those of a key; what a widget sent stays its own.
    pub fn set_metadata(&mut self, metadata: BTreeMap<String, serde_json::Value>) {
        if self.metadata != metadata {
            self.keep_what_its_widget_sent();
            self.metadata = metadata;
        }
    }

    fn keep_what_its_widget_sent(&mut self) {
        if self.opened_by_widget && self.widget_sent.is_none() {
            let sent = SentByWidget { metadata: self.metadata.clone(), tags: self.tags.clone() };
            self.widget_sent = Some(Box::new(sent));
        }
    }

    /// The tags and the metadata that its widget sent when it opened the session: all that a widget sees of them.
    #[must_use]
    pub fn sent_by_widget(&self) -> (Vec<String>, BTreeMap<String, serde_json::Value>) {
        match &self.widget_sent {
            Some(sent) => (sent.tags.clone(), sent.metadata.clone()),
            None if self.opened_by_widget => (self.tags.clone(), self.metadata.clone()),
            None => (Vec::new(), BTreeMap::new()),
        }
    }

    /// The owner.
    #[must_use]
    pub const fn ownership(&self) -> Ownership {
        self.state.ownership()
    }

    /// The open request for a human.
    #[must_use]
    pub const fn escalation_id(&self) -> Option<&EscalationId> {
        match &self.state {
            SessionState::PendingHandover { escalation_id } | SessionState::Human { escalation_id, .. } => {
                Some(escalation_id)
            }
            SessionState::Ai { .. } | SessionState::Closed(_) => None,
        }
    }

    /// Whether an answer of the AI is pending.
    #[must_use]
    pub const fn is_answer_due(&self) -> bool {
        matches!(self.state, SessionState::Ai { answer_due: true })
    }

    /// Whether the agent who has it put it off.
    #[must_use]
    pub const fn is_snoozed(&self) -> bool {
        matches!(self.state, SessionState::Human { snoozed: true, .. })
    }

    /// Puts it off, or not any longer, if an agent has it.
    pub const fn set_snoozed(&mut self, on: bool) {
        if let SessionState::Human { snoozed, .. } = &mut self.state {
            *snoozed = on;
        }
    }

    /// How it ended, while it is closed.
    #[must_use]
    pub const fn closing(&self) -> Option<&Closing> {
        match &self.state {
            SessionState::Closed(closing) => Some(closing),
            SessionState::Ai { .. } | SessionState::PendingHandover { .. } | SessionState::Human { .. } => None,
        }
    }

    /// Whether it is the chat of somebody of the tenant who tries it: nothing follows from what is said there.
    #[must_use]
    pub fn is_preview(&self) -> bool {
        self.channel == Channel::Widget && self.external_user_id.as_deref().is_some_and(is_preview_visitor)
    }

    /// Whether the customer can go on with it: it is open, or closed inside its window.
    #[must_use]
    pub fn is_resumable(&self, now: Timestamp) -> bool {
        self.closing().is_none_or(|closing| closing.resumable_until >= now)
    }

    /// Whether an agent can take up again what `escalation` resolved: the session is closed inside its window, or was
    /// resumed, and nobody asked for a human since.
    #[must_use]
    pub fn may_reopen(&self, escalation: &EscalationId, now: Timestamp) -> bool {
        match &self.state {
            SessionState::Closed(closing) => closing.resumable_until >= now,
            SessionState::Ai { .. } => self.last_human_part.as_ref() == Some(escalation),
            SessionState::PendingHandover { .. } | SessionState::Human { .. } => false,
        }
    }
}

/// Whether a visitor is somebody of the tenant who tries the chat.
#[must_use]
pub fn is_preview_visitor(external_user_id: &str) -> bool {
    external_user_id.starts_with("preview_")
}

/// The newest message of a conversation that is no internal note.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LastWords {
    /// The writer's role. After `customer` the tenant owes an answer.
    pub role: TurnRole,
    /// Its first 160 characters, in one line.
    pub text: String,
    /// Of the AI's: the same of the customer's message before it.
    pub question: Option<String>,
    /// Of the AI's: what became of that message.
    pub disposition: Option<Disposition>,
}

impl LastWords {
    /// Characters of an excerpt.
    pub const MAX_CHARS: usize = 160;

    /// The last words after `turn`, which leaves `before` as they were if it is a note or an event.
    #[must_use]
    pub fn after(turn: &Turn, before: Option<Self>) -> Option<Self> {
        let role = turn.role();
        // An answer shows images of entries, a line has words alone.
        let text =
            excerpt(&if role == TurnRole::Ai { images::without(&turn.content) } else { turn.content.as_str().into() });
        match &turn.body {
            TurnBody::Customer(_) | TurnBody::Agent(AgentTurn { internal: false, .. }) => {
                Some(Self { role, text, question: None, disposition: None })
            }
            TurnBody::Ai(answer) => {
                let question =
                    before.and_then(|it| if it.role == TurnRole::Customer { Some(it.text) } else { it.question });
                Some(Self { role, text, question, disposition: Some(answer.disposition) })
            }
            TurnBody::Agent(_) | TurnBody::System(_) => before,
        }
    }
}

/// The beginning of a text in one line.
fn excerpt(text: &str) -> String {
    // No word before the cut is looked at twice, and none after it at all.
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if let Some((end, _)) = line.char_indices().nth(LastWords::MAX_CHARS) {
            line.truncate(end);
            break;
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_one_line_of_whole_characters() {
        assert_eq!(excerpt("  Hello\n\n  there\tyou "), "Hello there you");
        assert_eq!(excerpt(&"ä".repeat(9_000)), "ä".repeat(LastWords::MAX_CHARS));
        assert_eq!(excerpt(&"ab ".repeat(9_000)).chars().count(), LastWords::MAX_CHARS);
    }
}
