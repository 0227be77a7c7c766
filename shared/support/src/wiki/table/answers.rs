//! Answers that were made from an entry: a pointer under its path for each answer, named by the answer's message.
//!
//! The session and the turn have everything else. A pointer is one write unit, written again by a repeated delivery, and
//! erased with its session, whose turns name the entries.

use std::collections::BTreeSet;

use domain::Result;
use domain::models::{MessageId, Scope, SessionId, Turn, WikiPath};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, Item, ItemKind, item, key_of, number, record};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::Write;
use crate::table::{PartitionQuery, SortCondition};
use crate::wiki::table::WikiRepository;

/// An answer that was made from an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AnswerPointer {
    pub session_id: SessionId,
    /// The message of the answer.
    pub message_id: MessageId,
    /// The version of the entry that it was made from.
    pub entry_version: u64,
}

/// The filter of a list of an entry's answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerFilter {
    /// The entry.
    pub path: WikiPath,
    /// Those made from this version of it.
    pub version: Option<u64>,
}

impl WikiRepository<'_> {
    /// Writes the pointers to answers of sessions from the entries that they were made from.
    pub(crate) async fn put_answer_pointers(&self, scope: &Scope, answers: &[(SessionId, Turn)]) -> Result<()> {
        let items = answers.iter().map(|(session, answer)| pointer_items(scope, session, answer));
        self.0.put_all(items.collect::<Result<Vec<_>>>()?.concat()).await
    }

    /// Deletes the pointers to an answer.
    pub(crate) async fn delete_answer_pointers(&self, scope: &Scope, session: &SessionId, answer: &Turn) -> Result<()> {
        let items = pointer_items(scope, session, answer)?;
        let writes = items.iter().filter_map(key_of).map(Write::delete);
        self.0.write(writes.collect()).await
    }

    /// The answers that were made from an entry and pass, newest first, older than `after`; consistent. One query reads
    /// 1 MiB at the most: a page may be short, or empty, and have a `next`.
    pub(crate) async fn list_answer_pointers(
        &self,
        scope: &Scope,
        filter: &AnswerFilter,
        after: Option<&MessageId>,
        limit: usize,
    ) -> Result<CursorPage<AnswerPointer, MessageId>> {
        let mut query = PartitionQuery::new(answers_of(scope, &filter.path));
        query.forward = false;
        query.condition = after.map_or(SortCondition::Any, |after| SortCondition::Below(after.to_string()));
        query.filter =
            filter.version.map(|version| Expression::new("entryVersion = :version").with(":version", number(version)));
        let page = self.0.cursor_page(query, limit).await?;
        page.try_map(record, |sk| MessageId::parse(&sk))
    }
}

/// The pointers to an answer, one for each entry that it was made from.
pub(crate) fn pointer_items(scope: &Scope, session: &SessionId, answer: &Turn) -> Result<Vec<Item>> {
    let mut paths = BTreeSet::new();
    let used = answer.sources().iter().filter(|source| source.used && paths.insert(&source.path));
    used.map(|source| {
        let key = answer_pointer_key(scope, &source.path, &answer.message_id);
        let pointer = AnswerPointer {
            session_id: session.clone(),
            message_id: answer.message_id.clone(),
            entry_version: source.version,
        };
        item(&key, ItemKind::AnswerPointer, &pointer)
    })
    .collect()
}

/// The answers that were made from the entry of a path, oldest first.
fn answers_of(s: &Scope, path: &WikiPath) -> String {
    format!("{}#ANSWERS#{path}", keys::scope(s))
}

/// The pointer to one of them, by the message of the answer.
fn answer_pointer_key(s: &Scope, path: &WikiPath, answer: &MessageId) -> Key {
    Key::new(answers_of(s, path), answer.as_str())
}
