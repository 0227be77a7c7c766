//! The answers that customers disliked: a pointer for each, named by its message. The session and the turn have everything
//! else. It is written and deleted with the reaction, and erased with its session.

use serde::{Deserialize, Serialize};

use super::SessionRepository;
use crate::store::cursor_page::CursorPage;
use crate::store::item_kind::ItemKind;
use crate::store::keys;
use crate::store::table::{Item, PartitionQuery, SortCondition, item, key_of, record};
use crate::store::transaction::Write;
use domain::models::{Disposition, MessageId, Reaction, Scope, SessionId, Turn};
use domain::{Error, Result};

/// An answer that a customer disliked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DislikedAnswer {
    pub session_id: SessionId,
    /// The message of the answer.
    pub message_id: MessageId,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DislikedAnswerRecord {
    session_id: SessionId,
}

impl SessionRepository<'_> {
    /// The answers that are disliked, newest first, older than `after`; consistent.
    pub async fn list_disliked(
        &self,
        scope: &Scope,
        after: Option<&MessageId>,
        limit: usize,
    ) -> Result<CursorPage<DislikedAnswer, MessageId>> {
        let mut query = PartitionQuery::new(keys::disliked_answers(scope));
        query.forward = false;
        query.condition = after.map_or(SortCondition::Any, |after| SortCondition::Below(after.to_string()));
        let page = self.store.cursor_page(query, limit).await?;
        page.try_map(disliked, |sk| MessageId::parse(&sk))
    }
}

fn disliked(item: Item) -> Result<DislikedAnswer> {
    let message_id = key_of(&item).and_then(|key| MessageId::parse(&key.sk));
    let message_id = message_id.ok_or_else(|| Error::internal("a pointer to a disliked answer without its message"))?;
    let DislikedAnswerRecord { session_id } = record(item)?;
    Ok(DislikedAnswer { session_id, message_id })
}

/// The pointer to an answer if it is disliked. Small talk is no answer, as in the figures.
pub(in crate::store) fn dislike_item(scope: &Scope, id: &SessionId, turn: &Turn) -> Result<Option<Item>> {
    let ai = turn.ai().filter(|ai| ai.disposition != Disposition::SmallTalk);
    if !ai.is_some_and(|ai| ai.reactions.contains(&Reaction::ThumbsDown)) {
        return Ok(None);
    }
    let key = keys::disliked_answer(scope, &turn.message_id);
    item(&key, ItemKind::DislikedAnswer, &DislikedAnswerRecord { session_id: id.clone() }).map(Some)
}

/// The pointer that the reactions of `turn` call for, if they were `before`.
pub(super) fn dislike_write(scope: &Scope, id: &SessionId, turn: &Turn, before: &[Reaction]) -> Result<Option<Write>> {
    let was = before.contains(&Reaction::ThumbsDown);
    Ok(match dislike_item(scope, id, turn)? {
        Some(item) if !was => Some(Write::Put { item, condition: None }),
        None if was => Some(Write::Delete { key: keys::disliked_answer(scope, &turn.message_id), condition: None }),
        _ => None,
    })
}
