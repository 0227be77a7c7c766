//! Items: their attributes, their kinds, expressions over them, and how large they are.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use text::wire_enum;

use crate::table::keys::{IndexKey, Key};

/// An expression with its names and values.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expression {
    pub(crate) text: String,
    pub(crate) values: Vec<(&'static str, AttributeValue)>,
}

impl Expression {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), values: Vec::new() }
    }

    /// Binds `:name`.
    pub(crate) fn with(mut self, name: &'static str, value: AttributeValue) -> Self {
        self.values.push((name, value));
        self
    }

    /// Holds while each of `terms` does; none without a term.
    pub(crate) fn all(terms: impl IntoIterator<Item = Self>) -> Option<Self> {
        terms.into_iter().reduce(|mut all, term| {
            all.text = format!("{} AND {}", all.text, term.text);
            all.values.extend(term.values);
            all
        })
    }
}

wire_enum! {
    /// The kind of an item of the table.
    pub enum ItemKind {
        /// The latest run of an agent.
        AgentRun => "agent_run",
        /// An answer among those that were made from an entry.
        AnswerPointer => "answer_pointer",
        /// An API key, by its hash.
        ApiKey => "api_key",
        /// An API key among those of its tenant.
        ApiKeyPointer => "api_key_pointer",
        /// An entry of the audit of a tenant.
        AuditEntry => "audit_entry",
        /// The order to give a member's claims back.
        ClaimsRelease => "claims_release",
        /// The markers of the stream records of one second that were counted.
        Counted => "counted",
        /// A proposed change of the wiki.
        Draft => "draft",
        /// How many drafts are open.
        DraftCount => "draft_count",
        /// A draft among those that quote a session.
        DraftPointer => "draft_pointer",
        /// The name of a dead letter of a session.
        DeadLetters => "dead_letters",
        /// The published or discarded drafts that are kept.
        EndedDrafts => "ended_drafts",
        /// The dry runs of a tenant that are running.
        DryRunPermits => "dry_run_permits",
        /// An event on its way to a receiver.
        Delivery => "delivery",
        /// A delivery among those about a session.
        DeliveryPointer => "delivery_pointer",
        /// An answer among those that customers disliked.
        DislikedAnswer => "disliked_answer",
        /// The public keys of desk tokens.
        DeskKeys => "desk_keys",
        /// A session among those of an e-mail address.
        EmailSession => "email_session",
        /// How often it was tried to embed an entry.
        EmbeddingAttempts => "embedding_attempts",
        /// How far the entries that lack vectors have been looked at.
        EmbeddingCursor => "embedding_cursor",
        /// How many dimensions a model's vectors had last.
        EmbeddingDimensions => "embedding_dimensions",
        /// A wiki entry, or what is left of one.
        Entry => "entry",
        /// A request for a human.
        Escalation => "escalation",
        /// A knowledge gap.
        Gap => "gap",
        /// A gap among those by time.
        GapByLastSeen => "gap_by_last_seen",
        /// A question of a session without an answer, and its gap.
        GapQuestion => "gap_question",
        /// The review of a tenant's gaps.
        GapReview => "gap_review",
        /// The stored result of a request.
        Idempotency => "idempotency",
        /// A person whom the provider of sign-ins knows, among the members.
        Identity => "identity",
        /// The revision of an inbox.
        InboxRevision => "inbox_revision",
        /// The number of scheduled pages.
        IngestCount => "ingest_count",
        /// An ingest job.
        IngestJob => "ingest_job",
        /// A piece of a job's text.
        IngestText => "ingest_text",
        /// An invitation, by its hash.
        Invitation => "invitation",
        /// A person of a tenant.
        Member => "member",
        /// An address of a member.
        MemberEmail => "member_email",
        /// A day's calls of the language model.
        ModelCalls => "model_calls",
        /// A question that every change of an entry is tried on.
        Pin => "pin",
        /// How many pins there are.
        PinCount => "pin_count",
        /// A saved reply of one key or member.
        OwnSavedReply => "own_saved_reply",
        /// A bucket of a rate limit.
        RateBucket => "rate_bucket",
        /// The progress of a wiki's reindex.
        Reindexing => "reindexing",
        /// The shortcuts of saved replies.
        ReplyShortcuts => "reply_shortcuts",
        /// A standing order to send again.
        Replay => "replay",
        /// An old version of an entry.
        Revision => "revision",
        /// The end of a path's revisions, at its deletion.
        RevisionsEnd => "revisions_end",
        /// The signing keys of widget tokens that are revoked.
        RevokedWidgetKeys => "revoked_widget_keys",
        /// A saved reply of the tenant.
        SavedReply => "saved_reply",
        /// A session.
        Session => "session",
        /// A request for a human among those of its session.
        SessionEscalation => "session_escalation",
        /// The tombstone of a session that is being erased.
        SessionTombstone => "session_tombstone",
        /// The settings of a mode.
        Settings => "settings",
        /// A sign-in, by the hash of its cookie.
        SignIn => "sign_in",
        /// A shard of a day's counters.
        Statistics => "statistics",
        /// A run of the sweeper that has not ended.
        SweepRun => "sweep_run",
        /// A tenant.
        Tenant => "tenant",
        /// How far an import into a tenant is.
        TenantImport => "tenant_import",
        /// A turn of a session.
        Turn => "turn",
        /// The vector of a passage.
        Vector => "vector",
        /// A session among those of its visitor.
        VisitorSession => "visitor_session",
        /// A receiver of events.
        Webhook => "webhook",
        /// How a receiver has been doing.
        WebhookHealth => "webhook_health",
        /// The permits of a slow receiver.
        WebhookPermits => "webhook_permits",
        /// The receivers that there are.
        WebhookRegistry => "webhook_registry",
        /// The item that health writes.
        WriteProbe => "write_probe",
    }
}

impl ItemKind {
    /// The value of the attribute `kind`.
    pub(crate) fn attribute(self) -> AttributeValue {
        AttributeValue::S(self.as_str().to_owned())
    }

    /// The kind of an item; none if this version knows no such kind.
    pub(crate) fn of(item: &HashMap<String, AttributeValue>) -> Option<Self> {
        Self::parse(item.get("kind")?.as_s().ok()?)
    }
}

/// The card of an item of gsi1: what lists show of it.
pub(crate) fn card<T: DeserializeOwned>(mut item: Item) -> Result<T> {
    from_value(item.remove("card").ok_or_else(|| Error::internal("an item of gsi1 has no card"))?)
}

/// The bytes of a list or a map, without those of its elements.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html>
const CONTAINER_BYTES: usize = 3;

/// The least that a number takes, in bytes: one for each two digits, and one more.
const MIN_NUMBER_BYTES: usize = 2;

/// The bytes of an item's names and values.
pub(crate) fn item_bytes(item: &Item) -> usize {
    let mut bytes = lengths(item.keys());
    let mut left: Vec<&AttributeValue> = item.values().collect();
    while let Some(value) = left.pop() {
        bytes += match value {
            AttributeValue::S(text) => text.len(),
            AttributeValue::N(number) => number.len().max(MIN_NUMBER_BYTES),
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            AttributeValue::Ss(texts) => lengths(texts.iter()),
            AttributeValue::Ns(numbers) => numbers.iter().map(|number| number.len().max(MIN_NUMBER_BYTES)).sum(),
            AttributeValue::L(values) => {
                left.extend(values);
                CONTAINER_BYTES + values.len()
            }
            AttributeValue::M(map) => {
                left.extend(map.values());
                CONTAINER_BYTES + map.len() + lengths(map.keys())
            }
            _ => 1,
        };
    }
    bytes
}

fn lengths<'a>(texts: impl Iterator<Item = &'a String>) -> usize {
    texts.map(String::len).sum()
}

/// An item as DynamoDB has it.
pub(crate) type Item = HashMap<String, AttributeValue>;

/// An item's attributes from a record, with its key and `kind`.
pub(crate) fn item<R: Serialize>(key: &Key, kind: ItemKind, record: &R) -> Result<Item> {
    let mut item: Item = serde_dynamo::aws_sdk_dynamodb_1::to_item(record)
        .map_err(|e| Error::internal(format!("a {kind} record does not serialise: {e}")))?;
    item.extend(key_only_item(key, kind));
    Ok(item)
}

/// An item of nothing but its key and `kind`.
pub(crate) fn key_only_item(key: &Key, kind: ItemKind) -> Item {
    Item::from([("pk".into(), text(&key.pk)), ("sk".into(), text(&key.sk)), ("kind".into(), kind.attribute())])
}

pub(crate) fn key_of(item: &Item) -> Option<Key> {
    let attribute = |name: &str| item.get(name)?.as_s().ok().cloned();
    Some(Key { pk: attribute("pk")?, sk: attribute("sk")? })
}

/// Adds an item's place in gsi1.
pub(crate) fn set_gsi1_key(item: &mut Item, key: &IndexKey) {
    item.insert("gsi1pk".into(), text(&key.pk));
    item.insert("gsi1sk".into(), text(&key.sk));
}

/// Adds an item's place in gsi2, the due index.
pub(crate) fn set_gsi2_key(item: &mut Item, key: &IndexKey) {
    item.insert("gsi2pk".into(), text(&key.pk));
    item.insert("gsi2sk".into(), text(&key.sk));
}

/// A record from an item. The reader's own error would quote what is stored.
pub(crate) fn record<R: DeserializeOwned>(item: Item) -> Result<R> {
    serde_dynamo::aws_sdk_dynamodb_1::from_item(item)
        .map_err(|_| Error::internal(format!("a stored item does not read as {}", std::any::type_name::<R>())))
}

/// A string attribute.
pub(crate) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// A binary attribute.
pub(crate) fn bytes(value: Vec<u8>) -> AttributeValue {
    AttributeValue::B(value.into())
}

/// A truth attribute.
pub(crate) fn boolean(value: bool) -> AttributeValue {
    AttributeValue::Bool(value)
}

/// A number attribute.
pub(crate) fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Any serialisable value as an attribute.
pub(crate) fn value<T: Serialize>(value: &T) -> Result<AttributeValue> {
    serde_dynamo::aws_sdk_dynamodb_1::to_attribute_value(value)
        .map_err(|e| Error::internal(format!("a value does not serialise: {e}")))
}

/// A value from an attribute; see [`record`] for the error.
pub(crate) fn from_value<T: DeserializeOwned>(value: AttributeValue) -> Result<T> {
    serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(value)
        .map_err(|_| Error::internal(format!("a stored value does not read as {}", std::any::type_name::<T>())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_count_however_deep() {
        let text = |text: &str| AttributeValue::S(text.into());
        let mut value = text("12345");
        for _ in 0..1_000 {
            value = AttributeValue::L(vec![value]);
        }
        assert_eq!(item_bytes(&Item::from([("pk".into(), text("abc")), ("list".into(), value)])), 14 + 4 * 1_000);
        let map = AttributeValue::M([("name".to_owned(), AttributeValue::N("7".into()))].into());
        assert_eq!(
            item_bytes(&Item::from([("m".into(), map), ("b".into(), AttributeValue::Bool(true))])),
            1 + (3 + 1 + 4 + 2) + 1 + 1
        );
    }
}
