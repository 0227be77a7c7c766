//! Items of a tenant as an export has them: without the tenant's id, without secrets, and without what only this table
//! can use. An import writes them for another tenant.
//!
//! An imported item has the attribute `imported` until it changes. Nothing follows from the record of the stream that
//! says it was made ([`super::stream::read_change`]): it was counted, and its events were sent, where it comes from.
//! Its place in the due index is written last, so that nothing handles half of a session.

use crate::store::item_kind::ItemKind;
use domain::models::{DisabledReason, Mode, TenantId, WebhookStatus};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use super::expression::Expression;
use super::keys::{self, IndexKey, Key};
use super::table::{self, Consistency, Item, set_gsi1_key, text};
use super::tenant_items::{TenantItem, TenantItems};
use super::transaction::Write;

/// The attribute of imported items: the export that they come from.
pub(super) const IMPORTED: &str = "imported";

/// Whether an export has the items of a kind. It leaves out access and bookkeeping of this table, vectors (which the other
/// service's model makes), deliveries, what has a line of its own (settings), and work that an import orders itself.
const fn is_copied(kind: ItemKind) -> bool {
    use ItemKind as K;
    match kind {
        K::Entry
        | K::Escalation
        | K::Gap
        | K::GapByLastSeen
        | K::GapPointer
        | K::IngestJob
        | K::IngestText
        | K::Revision
        | K::RevisionsEnd
        | K::Session
        | K::SessionEscalation
        | K::SessionTombstone
        | K::Statistics
        | K::Turn
        | K::VisitorSession
        | K::Webhook
        | K::WebhookRegistry => true,
        K::AgentRun
        | K::ApiKey
        | K::ApiKeyPointer
        | K::Counted
        | K::DeadLetters
        | K::Delivery
        | K::DeliveryPointer
        | K::EmbeddingAttempts
        | K::EmbeddingCursor
        | K::EmbeddingDimensions
        | K::GapReview
        | K::Idempotency
        | K::ModelCalls
        | K::RateBucket
        | K::Reindexing
        | K::Replay
        | K::RevokedWidgetKeys
        | K::Settings
        | K::SweepRun
        | K::Tenant
        | K::TenantImport
        | K::Vector
        | K::WebhookHealth
        | K::WebhookPermits
        | K::WriteProbe => false,
    }
}

/// An item of an export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemCopy {
    /// What follows the tenant's id in the partition key.
    pk: String,
    sk: String,
    /// The place in gsi1: what follows the tenant's id, and the sort key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    listed: Option<(String, String)>,
    /// The sort key in gsi2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    /// All other attributes.
    attributes: serde_dynamo::Item,
}

/// How far the import of an export into a tenant is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TenantImport {
    /// The export.
    pub export_id: String,
    /// How many of its items are written.
    pub items: u64,
    /// Whether all of it is done.
    pub done: bool,
}

impl TenantItem {
    /// The item as an export has it; none where an export leaves it out.
    ///
    /// # Errors
    /// An internal error for an item of an unknown kind: another version of the service wrote it.
    pub fn copy(&self, tenant: &TenantId) -> Result<Option<ItemCopy>> {
        let Some(kind) = ItemKind::of(&self.item) else {
            let kind = self.item.get("kind");
            return Err(Error::internal(format!("this version does not export items of the kind {kind:?}")));
        };
        if !is_copied(kind) {
            return Ok(None);
        }
        let mut item = self.item.clone();
        let mut take = |name: &str| match item.remove(name) {
            Some(aws_sdk_dynamodb::types::AttributeValue::S(text)) => Some(text),
            _ => None,
        };
        let [pk, sk, list, position, due] = ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2sk"].map(&mut take);
        for name in ["gsi2pk", IMPORTED] {
            item.remove(name);
        }
        let prefix = format!("{tenant}#");
        let own = |key: String| key.strip_prefix(&prefix).map(str::to_owned);
        let (Some(pk), Some(sk)) = (pk.and_then(own), sk) else { return Ok(None) };
        let listed = list.and_then(own).zip(position);
        Ok(Some(ItemCopy { pk, sk, listed, due, attributes: disarmed(kind, item).into() }))
    }
}

/// A receiver without its secret, and disabled: a rotation of the secret enables it.
fn disarmed(kind: ItemKind, mut item: Item) -> Item {
    if kind == ItemKind::Webhook {
        item.retain(|name, _| !["secret", "secretHint", "retiredSecrets", "health"].contains(&name.as_str()));
        item.insert("secret".into(), text(""));
        item.insert("status".into(), text(WebhookStatus::Disabled.as_str()));
        item.insert("disabledReason".into(), text(DisabledReason::SecretUnreadable.as_str()));
        if let Some(at) = item.get("updatedAt").cloned() {
            item.entry("disabledAt".into()).or_insert(at);
        }
    }
    item
}

impl ItemCopy {
    /// Whether it belongs to the half `mode` of the tenant and is a wiki entry.
    #[must_use]
    pub fn is_entry_of(&self, mode: Mode) -> bool {
        self.pk == format!("{mode}#WIKI")
    }

    /// The item for `tenant`.
    fn item(&self, tenant: &TenantId, export: &str) -> Result<Item> {
        let key = self.key(tenant)?;
        let attributes = Item::from(self.attributes.clone());
        let Some(kind) = ItemKind::of(&attributes).filter(|kind| is_copied(*kind)) else {
            let kind = attributes.get("kind");
            return Err(Error::internal(format!("an export has no items of the kind {kind:?}")));
        };
        let mut item = disarmed(kind, attributes);
        item.extend([("pk".into(), text(&key.pk)), ("sk".into(), text(&key.sk)), (IMPORTED.into(), text(export))]);
        if let Some((list, position)) = &self.listed {
            set_gsi1_key(&mut item, &IndexKey { pk: format!("{tenant}#{list}"), sk: position.clone() });
        }
        Ok(item)
    }

    fn key(&self, tenant: &TenantId) -> Result<Key> {
        let key = Key { pk: format!("{tenant}#{}", self.pk), sk: self.sk.clone() };
        keys::scope_of(&key.pk).map(|_| key).ok_or_else(|| Error::internal("an item without a mode"))
    }
}

impl TenantItems<'_> {
    /// Writes an item of `export` for a tenant, unless it is there; whether it wrote.
    pub async fn put_copy(&self, tenant: &TenantId, copy: &ItemCopy, export: &str) -> Result<bool> {
        self.0.write_if(Write::create(copy.item(tenant, export)?)).await
    }

    /// Makes an imported item due when it was due where it comes from, unless it changed since it was imported.
    pub async fn make_copy_due(&self, tenant: &TenantId, copy: &ItemCopy, export: &str) -> Result<()> {
        let Some((at, _)) = copy.due.as_deref().and_then(keys::due_from) else { return Ok(()) };
        let key = copy.key(tenant)?;
        let place = keys::due(&key, at);
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
    use domain::models::Timestamp;

    fn tenant(number: i64) -> TenantId {
        TenantId::from_parts(Timestamp::from_millis(number), 1)
    }

    fn stored(tenant: &TenantId, kind: ItemKind) -> TenantItem {
        let key = Key { pk: format!("{tenant}#live#WHK"), sk: "whk_1".into() };
        let secret = serde_json::json!({
            "secret": "sealed", "secretHint": "ab", "retiredSecrets": [{"sealed": "old"}], "status": "active",
            "updatedAt": "2026-01-02T03:04:05.678Z",
        });
        let mut item = table::item(&key, kind, &secret).unwrap();
        set_gsi1_key(&mut item, &IndexKey { pk: format!("{tenant}#live#LIST"), sk: "1".into() });
        table::set_gsi2_key(&mut item, &keys::due(&key, Timestamp::from_millis(7)));
        TenantItem { key, item }
    }

    #[test]
    fn a_copy_names_no_tenant_and_no_secret_and_is_the_item_of_another() {
        let copy = stored(&tenant(1), ItemKind::Webhook).copy(&tenant(1)).unwrap().unwrap();
        let text_of_copy = serde_json::to_string(&copy).unwrap();
        for left_out in [tenant(1).as_str(), "sealed", "secretHint", "old"] {
            assert!(!text_of_copy.contains(left_out), "{text_of_copy}");
        }
        let read: ItemCopy = serde_json::from_str(&text_of_copy).unwrap();
        assert_eq!(read, copy);
        let item = read.item(&tenant(2), "exp_1").unwrap();
        assert_eq!(item["pk"], text(format!("{}#live#WHK", tenant(2))));
        assert_eq!(item["gsi1pk"], text(format!("{}#live#LIST", tenant(2))));
        assert_eq!((&item["status"], &item["disabledReason"]), (&text("disabled"), &text("secret_unreadable")));
        assert!(item["secret"] == text("") && !item.contains_key("gsi2pk"), "{item:?}");
    }

    #[test]
    fn what_is_left_out_is_none_and_an_unknown_kind_is_an_error() {
        assert_eq!(stored(&tenant(1), ItemKind::Idempotency).copy(&tenant(1)).unwrap(), None);
        let mut unknown = stored(&tenant(1), ItemKind::Webhook);
        unknown.item.insert("kind".into(), text("of_another_version"));
        assert!(unknown.copy(&tenant(1)).is_err());
        let copy = stored(&tenant(1), ItemKind::Webhook).copy(&tenant(1)).unwrap().unwrap();
        let mut forged = copy;
        forged.attributes.insert("kind".into(), serde_dynamo::AttributeValue::S("api_key".into()));
        assert!(forged.item(&tenant(2), "exp_1").is_err());
    }
}
