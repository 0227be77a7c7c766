//! A tenant's data as an export has it, and how an import writes it.
//!
//! An export has no items of the table: it has the models behind them ([`ItemCopy`]), without what is derived from
//! others, and without secrets. What an import reads becomes items by the same code as everything else that is stored,
//! so keys, places in lists and due times are computed for the tenant that it is imported into, and never read.
//!
//! An imported item has the attribute `imported` until it changes. Nothing follows from the record of the stream that
//! says it was made ([`crate::changes::table::read_change`]): it was counted, and its events were sent, where it comes from.
//! Its place in the due index is written last, so that nothing handles half of a session.

pub mod items;

use std::collections::BTreeSet;

use domain::models::{
    Day, DisabledReason, Draft, EncryptedSecret, Escalation, Gap, GapExample, GapId, IngestId, IngestJob, Pin,
    SavedReply, Scope, SensitiveSetting, Session, SessionId, Subscription, TenantId, Timestamp, Turn, Webhook,
    WebhookFormat, WebhookHealth, WebhookId, WebhookStatus, WikiEntry, WikiPath,
};
use domain::statistics::Counts;
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::analytics::table::day_item;
use crate::inbox::table::reply_item;
use crate::ingest::table::{job_item, text_item};
use crate::knowledge::drafts::table::draft_item;
use crate::knowledge::dry_run::table::pin_item;
use crate::knowledge::gaps::table::{gap_items, question_item};
use crate::sessions::table::changes::{session_items, turn_item};
use crate::sessions::table::escalations::escalation_items;
use crate::sessions::table::lists::dislike_item;
use crate::table::Consistency;
use crate::table::item::{self, Expression, Item, ItemKind, item_bytes, key_of, text};
use crate::table::keys::{self, Key};
use crate::table::transaction::Write;
use crate::transfer::table::items::TenantItems;
use crate::webhooks::table::webhook_item;
use crate::wiki::table::answers::pointer_items;
use crate::wiki::table::revisions::{revision_item, revisions_end_items};
use crate::wiki::table::{DeletedEntry, deleted_entry_items, entry_items};

/// The attribute of imported items: the export that they come from.
pub(crate) const IMPORTED: &str = "imported";

const MAX_ITEM_BYTES: usize = 400 * 1024;

/// The bytes that an import adds to an item: its attributes, and its place in the due index.
const IMPORT_BYTES: usize = 200;

/// How far the import of an export into a tenant is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantImport {
    /// The export, by a hash of its lines.
    pub export_id: String,
    /// How many of its items are written.
    pub items: u64,
    /// Whether all of it is done.
    pub done: bool,
    /// The sensitive settings that are the export's.
    #[serde(default)]
    pub taken: BTreeSet<SensitiveSetting>,
}

impl ItemCopy {
    /// The items of the table that it is for `scope`; the first is the one that may become due.
    ///
    /// # Errors
    /// An internal error if it does not serialise.
    fn items(&self, scope: &Scope, due: Option<Timestamp>) -> Result<Vec<Item>> {
        match self {
            Self::Entry(entry) => entry_items(scope, entry),
            Self::DeletedEntry(DeletedPath { path, deleted }) => deleted_entry_items(scope, path, deleted),
            Self::Revision(entry) => Ok(vec![revision_item(scope, entry)?]),
            Self::RevisionsEnd(DeletedPath { path, deleted }) => revisions_end_items(scope, path, deleted),
            Self::Webhook(copy) => Ok(vec![webhook_item(scope, &copy.webhook())?]),
            Self::SavedReply(reply) => Ok(vec![reply_item(scope, reply)?]),
            Self::Draft(draft) => Ok(vec![draft_item(scope, draft)?]),
            Self::Pin(pin) => Ok(vec![pin_item(scope, pin)?]),
            Self::IngestJob(job) => Ok(vec![job_item(scope, job, "")?]),
            Self::IngestText(text) => Ok(vec![text_item(scope, &text.ingest_id, text.number, &text.text)?]),
            Self::Statistics(DayCounts { day, counts }) => Ok(vec![day_item(scope, *day, counts)]),
            Self::Session(session) => {
                session_items(scope, &domain::models::Session { due_at: due, ..session.as_ref().clone() })
            }
            Self::Turn(turn) => {
                let stored = turn_item(scope, &turn.session_id, &turn.turn)?;
                let pointers = pointer_items(scope, &turn.session_id, &turn.turn)?;
                let disliked = dislike_item(scope, &turn.session_id, &turn.turn)?;
                Ok(std::iter::once(stored).chain(pointers).chain(disliked).collect())
            }
            Self::Escalation(escalation) => escalation_items(scope, escalation),
            Self::GapQuestion(question) => {
                let GapQuestion { gap_id, turn, part, asked } = question;
                Ok(vec![question_item(scope, gap_id, (*turn, *part), asked)?])
            }
            Self::Gap(gap) => gap_items(scope, gap),
        }
    }

    /// Whether the table can hold it.
    ///
    /// # Errors
    /// An internal error if it does not serialise.
    pub(super) fn fits(&self, scope: &Scope) -> Result<bool> {
        Ok(self.items(scope, None)?.iter().all(|item| item_bytes(item) + IMPORT_BYTES <= MAX_ITEM_BYTES))
    }
}

impl TenantItems<'_> {
    /// Writes what `copy` of `export` is for a tenant, unless it is there; whether it wrote. `due` is when it is due.
    pub(super) async fn put_copy(
        &self,
        scope: &Scope,
        copy: &ItemCopy,
        due: Option<Timestamp>,
        export: &str,
    ) -> Result<bool> {
        let mut items = copy.items(scope, due)?;
        for item in &mut items {
            item.retain(|name, _| !["gsi2pk", "gsi2sk"].contains(&name.as_str()));
            item.insert(IMPORTED.into(), text(export));
        }
        match copy {
            ItemCopy::Webhook(copy) => self.0.webhooks().put_copy(scope, &copy.webhook_id, &copy.url, items).await,
            ItemCopy::SavedReply(reply) => match items.pop() {
                Some(item) => self.0.saved_replies().put_copy(scope, reply, item).await,
                None => Ok(false),
            },
            ItemCopy::Draft(draft) => match items.pop() {
                Some(item) => self.0.drafts().put_copy(scope, draft, item).await,
                None => Ok(false),
            },
            ItemCopy::IngestJob(job) => self.0.ingests().put_copy(scope, job, items).await,
            ItemCopy::Pin(_) => match items.pop() {
                Some(item) => self.0.pins().put_copy(scope, item).await,
                None => Ok(false),
            },
            _ => self.0.write_if(items.into_iter().map(Write::create).collect::<Vec<_>>()).await,
        }
    }

    /// Makes an imported copy due at `due`, unless it changed since it was imported.
    pub(super) async fn make_copy_due(
        &self,
        scope: &Scope,
        copy: &ItemCopy,
        due: Timestamp,
        export: &str,
    ) -> Result<()> {
        let key = copy.items(scope, Some(due))?.first().and_then(key_of);
        let key = key.ok_or_else(|| Error::internal("a copy without an item"))?;
        let place = keys::due(&key, due);
        let update = Expression::new(format!("SET gsi2pk = :pk, gsi2sk = :sk REMOVE {IMPORTED}"));
        let update = update.with(":pk", text(place.pk)).with(":sk", text(place.sk));
        let unchanged = Expression::new(format!("{IMPORTED} = :export")).with(":export", text(export));
        self.0.write_if(Write::Update { key, update, condition: Some(unchanged) }).await.map(drop)
    }

    /// The import into a tenant, if there is one.
    pub async fn get_import(&self, tenant: &TenantId) -> Result<Option<TenantImport>> {
        self.0.get(&tenant_import_key(tenant), Consistency::Strong).await
    }

    /// Records how far an import into a tenant is.
    pub(super) async fn put_import(&self, tenant: &TenantId, import: &TenantImport) -> Result<()> {
        let item = item::item(&tenant_import_key(tenant), ItemKind::TenantImport, import)?;
        self.0.write(vec![Write::put(item)]).await
    }
}

/// Something of a tenant's data, as an export has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemCopy {
    /// A wiki entry.
    Entry(Box<WikiEntry>),
    /// The record of a deleted wiki entry.
    DeletedEntry(DeletedPath),
    /// An old version of an entry.
    Revision(Box<WikiEntry>),
    /// The end of a path's revisions.
    RevisionsEnd(DeletedPath),
    /// A receiver of events.
    Webhook(WebhookCopy),
    /// A saved reply of the tenant.
    SavedReply(Box<SavedReply>),
    /// An open draft, without what it quotes.
    Draft(Box<Draft>),
    /// A question that every change of the wiki is tried on.
    Pin(Box<Pin>),
    /// An ingest job.
    IngestJob(Box<IngestJob>),
    /// A piece of its text.
    IngestText(IngestText),
    /// A day's counters.
    Statistics(DayCounts),
    Session(Box<Session>),
    /// A turn of it.
    Turn(Box<SessionTurn>),
    /// A request for a human.
    Escalation(Box<Escalation>),
    /// A question without an answer.
    GapQuestion(GapQuestion),
    /// A knowledge gap.
    Gap(Box<Gap>),
}

/// A path whose entry was deleted, or whose revisions end with a deletion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeletedPath {
    pub path: WikiPath,
    #[serde(flatten)]
    pub deleted: DeletedEntry,
}

/// A receiver without its secret. It is disabled wherever it is imported: a rotation of the secret enables it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookCopy {
    pub webhook_id: WebhookId,
    /// Where it listens, without the query, which may hold a secret.
    pub url: String,
    /// The names of its subscription.
    pub events: Vec<String>,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it was registered.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

impl WebhookCopy {
    /// The copy of a receiver for an export.
    #[must_use]
    pub(super) fn of(webhook: &Webhook) -> Self {
        Self {
            webhook_id: webhook.webhook_id.clone(),
            url: webhook.url.split(['?', '#']).next().unwrap_or_default().to_owned(),
            events: webhook.events.names().into_iter().map(str::to_owned).collect(),
            description: webhook.description.clone(),
            created_at: webhook.created_at,
            updated_at: webhook.updated_at,
            version: webhook.version,
        }
    }

    /// The receiver of an import. A name of the subscription that is unknown is left out.
    fn webhook(&self) -> Webhook {
        let known = || Subscription::Kinds(Vec::new());
        Webhook {
            webhook_id: self.webhook_id.clone(),
            url: self.url.clone(),
            events: Subscription::parse(&self.events).unwrap_or_else(|_| known()),
            description: self.description.clone(),
            status: WebhookStatus::Disabled,
            disabled_reason: Some(DisabledReason::SecretUnreadable),
            disabled_at: Some(self.updated_at),
            secret: EncryptedSecret(String::new()),
            secret_hint: None,
            retired_secrets: Vec::new(),
            format: WebhookFormat::Events,
            created_at: self.created_at,
            updated_at: self.updated_at,
            health: WebhookHealth::default(),
            version: self.version,
        }
    }
}

/// A piece of the text of an ingest job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IngestText {
    /// The job.
    pub ingest_id: IngestId,
    /// The number of the piece, from 0.
    pub number: u32,
    /// The piece.
    pub text: String,
}

/// A day's counters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayCounts {
    pub day: Day,
    /// The counters.
    pub counts: Counts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTurn {
    pub session_id: SessionId,
    pub turn: Turn,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

/// A question of a session that found no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapQuestion {
    pub gap_id: GapId,
    /// The number of the customer's turn.
    pub turn: u32,
    /// The place of the question in its turn, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub part: u32,
    /// How the customer put it.
    #[serde(flatten)]
    pub asked: GapExample,
}

/// How far an import into a tenant is. Among the tenant's data, so that it is erased with it.
fn tenant_import_key(id: &TenantId) -> Key {
    Key::new(format!("{id}#IMPORT"), "IMPORT")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::Mode;

    /// The items of an export of a tenant with everything in it.
    fn copies() -> Vec<(Mode, ItemCopy)> {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/tenant-export.jsonl");
        let text = std::fs::read_to_string(file).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let items = lines.filter(|line| line["type"] == "item");
        let read = |line: serde_json::Value| {
            (
                Mode::parse(line["mode"].as_str().unwrap()).unwrap(),
                serde_json::from_value(line["item"].clone()).unwrap(),
            )
        };
        items.map(read).collect()
    }

    #[test]
    fn an_imported_item_has_keys_of_its_own_tenant_alone() {
        let tenant = TenantId::from_parts(Timestamp::from_millis(1), 1);
        for (mode, copy) in copies() {
            let scope = Scope { tenant: tenant.clone(), mode };
            for item in copy.items(&scope, Some(Timestamp::from_millis(7))).unwrap() {
                for name in ["pk", "gsi1pk"] {
                    let Some(key) = item.get(name) else { continue };
                    assert!(key.as_s().unwrap().starts_with(&format!("{tenant}#{mode}#")), "{name} {key:?}");
                }
                assert!(item.contains_key("pk") && !item.contains_key("ttl"), "{item:?}");
            }
        }
    }

    #[test]
    fn an_imported_receiver_is_disabled_and_has_no_secret() {
        let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live };
        let all = copies();
        let (_, hook) = all.iter().find(|(_, copy)| matches!(copy, ItemCopy::Webhook(_))).unwrap();
        let item = hook.items(&scope, None).unwrap().remove(0);
        assert_eq!((&item["status"], &item["disabledReason"]), (&text("disabled"), &text("secret_unreadable")));
        assert!(item["secret"] == text("") && !item.contains_key("secretHint"), "{item:?}");
    }
}
