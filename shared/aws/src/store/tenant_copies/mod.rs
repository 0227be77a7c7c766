//! A tenant's data as an export has it, and how an import writes it.
//!
//! An export has no items of the table: it has the models behind them ([`ItemCopy`]), without what is derived from
//! others, and without secrets. What an import reads becomes items by the same code as everything else that is stored,
//! so keys, places in lists and due times are computed for the tenant that it is imported into, and never read.
//!
//! An imported item has the attribute `imported` until it changes. Nothing follows from the record of the stream that
//! says it was made ([`super::stream::read_change`]): it was counted, and its events were sent, where it comes from.
//! Its place in the due index is written last, so that nothing handles half of a session.

mod item_copy;
mod kinds;

use std::collections::BTreeSet;

use domain::models::{Scope, SensitiveSetting, TenantId, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use super::expression::Expression;
use super::item_kind::ItemKind;
use super::item_size::item_bytes;
use super::keys;
use super::table::{self, Consistency, Item, key_of, text};
use super::tenant_items::TenantItems;
use super::transaction::Write;
use super::{drafts, gaps, ingest, pins, saved_replies, sessions, statistics, webhooks, wiki};

pub use item_copy::{DayCounts, GapQuestion, IngestText, ItemCopy, RevisionsEnd, SessionTurn, WebhookCopy};
pub use kinds::CopyRoot;

/// The attribute of imported items: the export that they come from.
pub(super) const IMPORTED: &str = "imported";

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
            Self::Entry(entry) => wiki::entry_items(scope, entry),
            Self::DeletedEntry(path, deleted) => wiki::deleted_entry_items(scope, path, deleted),
            Self::Revision(entry) => Ok(vec![wiki::revision_item(scope, entry)?]),
            Self::RevisionsEnd(end) => {
                let deleted =
                    wiki::DeletedEntry { version: end.version, at: end.deleted_at, by: end.deleted_by.clone() };
                wiki::revisions_end_items(scope, &end.path, &deleted)
            }
            Self::Webhook(copy) => Ok(vec![webhooks::webhook_item(scope, &copy.webhook())?]),
            Self::SavedReply(reply) => Ok(vec![saved_replies::reply_item(scope, reply)?]),
            Self::Draft(draft) => Ok(vec![drafts::draft_item(scope, draft)?]),
            Self::Pin(pin) => Ok(vec![pins::pin_item(scope, pin)?]),
            Self::IngestJob(job) => Ok(vec![ingest::job_item(scope, job, "")?]),
            Self::IngestText(text) => Ok(vec![ingest::text_item(scope, &text.ingest_id, text.number, &text.text)?]),
            Self::Statistics(DayCounts { day, counts }) => Ok(statistics::day_items(scope, *day, counts)),
            Self::Session(session) => {
                sessions::session_items(scope, &domain::models::Session { due_at: due, ..session.as_ref().clone() })
            }
            Self::Turn(turn) => {
                let stored = sessions::turn_item(scope, &turn.session_id, &turn.turn)?;
                let pointers = wiki::answer_pointer_items(scope, &turn.session_id, &turn.turn)?;
                let disliked = sessions::dislike_item(scope, &turn.session_id, &turn.turn)?;
                Ok(std::iter::once(stored).chain(pointers).chain(disliked).collect())
            }
            Self::Escalation(escalation) => sessions::escalation_items(scope, escalation),
            Self::GapQuestion(question) => {
                let GapQuestion { gap_id, turn, part, asked } = question;
                Ok(vec![gaps::question_item(scope, gap_id, (*turn, *part), asked)?])
            }
            Self::Gap(gap) => gaps::gap_items(scope, gap),
        }
    }

    /// Whether the table can hold it.
    ///
    /// # Errors
    /// An internal error if it does not serialise.
    pub fn fits(&self, scope: &Scope) -> Result<bool> {
        Ok(self.items(scope, None)?.iter().all(|item| item_bytes(item) + IMPORT_BYTES <= MAX_ITEM_BYTES))
    }
}

impl TenantItems<'_> {
    /// Writes what `copy` of `export` is for a tenant, unless it is there; whether it wrote. `due` is when it is due.
    pub async fn put_copy(&self, scope: &Scope, copy: &ItemCopy, due: Option<Timestamp>, export: &str) -> Result<bool> {
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
            ItemCopy::Pin(_) => match items.pop() {
                Some(item) => self.0.pins().put_copy(scope, item).await,
                None => Ok(false),
            },
            _ => self.0.write_if(items.into_iter().map(Write::create).collect::<Vec<_>>()).await,
        }
    }

    /// Makes an imported copy due at `due`, unless it changed since it was imported.
    pub async fn make_copy_due(&self, scope: &Scope, copy: &ItemCopy, due: Timestamp, export: &str) -> Result<()> {
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
        self.0.get(&keys::tenant_import(tenant), Consistency::Strong).await
    }

    /// Records how far an import into a tenant is.
    pub async fn put_import(&self, tenant: &TenantId, import: &TenantImport) -> Result<()> {
        let item = table::item(&keys::tenant_import(tenant), ItemKind::TenantImport, import)?;
        self.0.write(vec![Write::Put { item, condition: None }]).await
    }
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
