//! How gaps are stored.

use serde::{Deserialize, Serialize};

use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::keys::moment;
use crate::store::record::record;
use crate::store::table::{Item, item, key_only_item, set_gsi1_key, value};
use domain::Result;
use domain::models::{
    EntryVersion, Gap, GapExample, GapId, GapStatus, MessageId, NearestEntry, Scope, SessionId, Timestamp,
};

record! {
    GapRecord for Gap {
        gap_id: GapId,
        count: u64,
        sessions: u64,
        first_seen_at: Timestamp,
        last_seen_at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<GapExample>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<NearestEntry>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        known: Vec<EntryVersion>,
        by_widget: bool,
        by_others: bool,
        status: GapStatus,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolved_at: Option<Timestamp>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resolved_by: Option<EntryVersion>,
        version: u64,
    }
}

/// The record of a session's question that found no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GapQuestionRecord {
    pub(super) gap_id: GapId,
    /// The number of the customer's turn.
    pub(super) turn: u32,
    /// The place of the question in its turn, from 0.
    #[serde(default)]
    pub(super) part: u32,
    /// How the customer put it; lists show it.
    pub(super) card: QuestionCard,
}

/// How a customer put a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuestionCard {
    pub(super) message_id: MessageId,
    pub(super) asked_at: Timestamp,
    pub(super) text: String,
}

impl QuestionCard {
    /// The question of a session.
    pub(super) fn of(self, session_id: SessionId) -> GapExample {
        let Self { message_id, asked_at, text } = self;
        GapExample { session_id, message_id, asked_at, text }
    }
}

/// The attributes for lists, besides the key.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Card {
    /// A moment as sortable text.
    last_seen_at: String,
}

/// The gap itself, listed by its count, and the item that lists it by the time it was last asked.
pub(super) fn items(scope: &Scope, gap: &Gap) -> Result<(Item, Item)> {
    let mut stored = item(&keys::gap(scope, &gap.gap_id), ItemKind::Gap, &GapRecord::from(gap.clone()))?;
    set_gsi1_key(
        &mut stored,
        &keys::gap_by_count(scope, gap.status.as_str(), gap.count, gap.last_seen_at, &gap.gap_id),
    );
    stored.insert("card".into(), value(&Card { last_seen_at: moment(gap.last_seen_at) })?);
    let mut seen = key_only_item(&keys::gap_by_last_seen(scope, &gap.gap_id), ItemKind::GapByLastSeen);
    set_gsi1_key(&mut seen, &keys::gap_by_time(scope, gap.status.as_str(), gap.last_seen_at, &gap.gap_id));
    Ok((stored, seen))
}

/// A question of a gap, in its session's partition.
pub(in crate::store) fn question_item(
    scope: &Scope,
    gap: &GapId,
    (turn, part): (u32, u32),
    asked: &GapExample,
) -> Result<Item> {
    let GapExample { session_id, message_id, asked_at, text } = asked.clone();
    let by_time = keys::gap_question_by_time(scope, gap, &message_id, part);
    let card = QuestionCard { message_id, asked_at, text };
    let stored = GapQuestionRecord { gap_id: gap.clone(), turn, part, card };
    let mut stored = item(&keys::gap_question(scope, &session_id, turn, part), ItemKind::GapQuestion, &stored)?;
    set_gsi1_key(&mut stored, &by_time);
    Ok(stored)
}
