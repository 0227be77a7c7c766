//! All items of a tenant, found by reading the whole table: for the operator's command line, and for no request.
//!
//! The treatment of each kind of items by an export.

use domain::models::{Day, DraftId, IngestId, PinId, SavedReplyId, Scope, SessionId, TenantId, WebhookId, WikiPath};
use domain::{Error, Result};

use crate::analytics::table::day_of_statistics;
use crate::inbox::table::team_reply;
use crate::ingest::table::ingest_of;
use crate::table::item::{Item, ItemKind, key_of, text};
use crate::table::keys::{self, Key};
use crate::table::transaction::Write;
use crate::table::{repository, unavailable};
use crate::wiki::table::scope_of_wiki;

/// Items that are deleted in one transaction.
const ERASED_AT_ONCE: usize = 50;

repository!(pub(super) tenant_items: TenantItems);

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantItemPosition(Item);

#[derive(Debug, Clone, PartialEq)]
pub struct TenantItem {
    pub(crate) key: Key,
    pub(crate) item: Item,
}

/// Some of a tenant's items, in no order.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantItemPage {
    /// The items; a page may have none.
    pub items: Vec<TenantItem>,
    /// `None` at the end.
    pub next: Option<TenantItemPosition>,
}

impl TenantItems<'_> {
    /// A page of what belongs to a tenant, in both modes: reads the whole table, up to 1 MB a call. The tenant itself,
    /// its settings, its API keys and its members are not among it.
    #[expect(clippy::disallowed_methods, reason = "an operator reads all of a tenant; no request does")]
    pub(in crate::transfer) async fn page(
        &self,
        tenant: &TenantId,
        from: Option<TenantItemPosition>,
    ) -> Result<TenantItemPage> {
        let answer = self
            .0
            .client
            .scan()
            .table_name(&*self.0.table)
            .filter_expression("begins_with(pk, :tenant) OR pk = :audit")
            .expression_attribute_values(":tenant", text(format!("{tenant}#")))
            .expression_attribute_values(":audit", text(keys::audit(tenant)))
            .consistent_read(true)
            .set_exclusive_start_key(from.map(|position| position.0))
            .send()
            .await
            .map_err(|e| unavailable("scan", e))?;
        let items = answer.items.unwrap_or_default().into_iter();
        let items = items.filter_map(|item| Some(TenantItem { key: key_of(&item)?, item })).collect();
        Ok(TenantItemPage { items, next: answer.last_evaluated_key.map(TenantItemPosition) })
    }

    /// Deletes items of a tenant; those of others are left alone.
    pub(in crate::transfer) async fn erase(&self, tenant: &TenantId, items: &[TenantItem]) -> Result<()> {
        let (prefix, audit) = (format!("{tenant}#"), keys::audit(tenant));
        let is_own = |item: &&TenantItem| item.key.pk.starts_with(&prefix) || item.key.pk == audit;
        let own: Vec<&TenantItem> = items.iter().filter(is_own).collect();
        for chunk in own.chunks(ERASED_AT_ONCE) {
            let writes = chunk.iter().map(|item| Write::delete(item.key.clone())).collect();
            self.0.write(writes).await?;
        }
        Ok(())
    }

    /// Deletes the settings, API keys and members of a tenant, but not the tenant.
    pub(in crate::transfer) async fn erase_access(&self, tenant: &TenantId) -> Result<()> {
        self.0.api_keys().delete_all(tenant).await?;
        self.0.members().delete_all(tenant).await?;
        self.0.settings().delete_all(tenant).await
    }
}

impl TenantItem {
    /// The wiki entry that the item is, or what is left of it, with its version.
    #[must_use]
    pub(in crate::transfer) fn entry(&self) -> Option<(Scope, WikiPath, u64)> {
        let scope = scope_of_wiki(&self.key.pk)?;
        let version = self.item.get("version")?.as_n().ok()?.parse().ok()?;
        Some((scope, WikiPath::parse(&self.key.sk).ok()?, version))
    }
}

/// Something that an export has on its own. Everything else that it has belongs to one of these.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopyRoot {
    /// An entry, or what is left of one, with its revisions.
    Path(Scope, WikiPath),
    /// A receiver of events.
    Webhook(Scope, WebhookId),
    /// A saved reply of the tenant.
    SavedReply(Scope, SavedReplyId),
    /// A proposed change of the wiki.
    Draft(Scope, DraftId),
    /// A question that every change of the wiki is tried on.
    Pin(Scope, PinId),
    /// An ingest job with its text.
    IngestJob(Scope, IngestId),
    /// A day's counters.
    Day(Scope, Day),
    /// A session with its turns, requests for a human, and questions without an answer.
    Session(Scope, SessionId),
}

impl TenantItem {
    /// Whether the item is of a kind that an export has, or that belongs to one.
    #[must_use]
    pub(in crate::transfer) fn is_data(&self) -> bool {
        ItemKind::of(&self.item).is_none_or(|kind| export_rule(kind) != ExportRule::LeftOut)
    }

    /// The [`CopyRoot`] of the item; none if it belongs to another item, or is left out.
    ///
    /// # Errors
    /// An internal error for an item of an unknown kind: another version of the service wrote it.
    pub(in crate::transfer) fn copy_root(&self, tenant: &TenantId) -> Result<Option<CopyRoot>> {
        let Some(kind) = ItemKind::of(&self.item) else {
            let kind = self.item.get("kind");
            return Err(Error::internal(format!("this version does not export items of the kind {kind:?}")));
        };
        if export_rule(kind) != ExportRule::Exported {
            return Ok(None);
        }
        let root = self.root(kind).filter(|root| root.scope().tenant == *tenant);
        root.map(Some).ok_or_else(|| Error::internal(format!("the key of an item of the kind {kind} does not read")))
    }

    fn root(&self, kind: ItemKind) -> Option<CopyRoot> {
        let scope = keys::scope_of(&self.key.pk)?;
        match kind {
            ItemKind::Entry => Some(CopyRoot::Path(scope, WikiPath::parse(&self.key.sk).ok()?)),
            ItemKind::Webhook => Some(CopyRoot::Webhook(scope, WebhookId::parse(&self.key.sk)?)),
            ItemKind::SavedReply => Some(CopyRoot::SavedReply(scope, team_reply(&self.key.sk)?)),
            ItemKind::Draft => Some(CopyRoot::Draft(scope, DraftId::parse(&self.key.sk)?)),
            ItemKind::Pin => Some(CopyRoot::Pin(scope, PinId::parse(&self.key.sk)?)),
            ItemKind::IngestJob => Some(CopyRoot::IngestJob(scope, ingest_of(&self.key.pk)?)),
            ItemKind::Statistics => Some(CopyRoot::Day(scope, day_of_statistics(&self.key.sk)?)),
            ItemKind::Session => Some(CopyRoot::Session(scope, keys::session_of_turn(&self.key.pk)?)),
            _ => None,
        }
    }
}

impl CopyRoot {
    const fn scope(&self) -> &Scope {
        match self {
            Self::Path(scope, _)
            | Self::Webhook(scope, _)
            | Self::SavedReply(scope, _)
            | Self::Draft(scope, _)
            | Self::Pin(scope, _)
            | Self::IngestJob(scope, _)
            | Self::Day(scope, _)
            | Self::Session(scope, _) => scope,
        }
    }
}

/// The treatment of a kind of items by an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ExportRule {
    /// It has them.
    Exported,
    /// It has them with what they belong to, or an import makes them of it.
    Belongs,
    /// It leaves them out.
    LeftOut,
}

/// Left out are access and bookkeeping of this table, vectors (which the other service's model makes), deliveries, what
/// has a line of its own (settings), work that an import orders itself, saved replies of keys and members (an import
/// brings neither), and what is left of a deleted session.
const fn export_rule(kind: ItemKind) -> ExportRule {
    use ItemKind as K;
    match kind {
        K::Draft | K::Entry | K::IngestJob | K::Pin | K::SavedReply | K::Session | K::Statistics | K::Webhook => {
            ExportRule::Exported
        }
        K::AnswerPointer
        | K::DislikedAnswer
        | K::DraftCount
        | K::EmailSession
        | K::Escalation
        | K::Gap
        | K::GapByLastSeen
        | K::GapQuestion
        | K::IngestCount
        | K::IngestText
        | K::PinCount
        | K::ReplyShortcuts
        | K::Revision
        | K::RevisionsEnd
        | K::SessionEscalation
        | K::Turn
        | K::VisitorSession
        | K::WebhookRegistry => ExportRule::Belongs,
        K::AgentRun
        | K::ApiKey
        | K::ApiKeyPointer
        | K::AuditEntry
        | K::ClaimsRelease
        | K::Counted
        | K::DeadLetters
        | K::Delivery
        | K::DeliveryPointer
        | K::DeskKeys
        | K::DraftPointer
        | K::DryRunPermits
        | K::EndedDrafts
        | K::EmbeddingAttempts
        | K::EmbeddingCursor
        | K::EmbeddingDimensions
        | K::GapReview
        | K::Idempotency
        | K::Identity
        | K::Invitation
        | K::InboxRevision
        | K::Member
        | K::MemberEmail
        | K::ModelCalls
        | K::OwnSavedReply
        | K::RateBucket
        | K::Reindexing
        | K::Replay
        | K::RevokedWidgetKeys
        | K::SessionTombstone
        | K::Settings
        | K::SignIn
        | K::SweepRun
        | K::Tenant
        | K::TenantImport
        | K::Vector
        | K::WebhookHealth
        | K::WebhookPermits
        | K::WriteProbe => ExportRule::LeftOut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::item;
    use crate::table::keys::Key;
    use domain::models::Timestamp;

    fn stored(kind: &str, sk: &str) -> TenantItem {
        let tenant = TenantId::from_parts(Timestamp::from_millis(1), 1);
        let key = Key { pk: format!("{tenant}#live#WIKI"), sk: sk.into() };
        TenantItem { key, item: [("kind".into(), item::text(kind))].into() }
    }

    #[test]
    fn a_kind_that_is_not_copied_has_no_root_and_an_unknown_kind_or_key_is_an_error() {
        let tenant = TenantId::from_parts(Timestamp::from_millis(1), 1);
        assert!(matches!(stored("entry", "a/b").copy_root(&tenant), Ok(Some(CopyRoot::Path(..)))));
        assert_eq!(stored("idempotency", "a/b").copy_root(&tenant).unwrap(), None);
        assert_eq!(stored("revision", "a/b").copy_root(&tenant).unwrap(), None);
        assert!(stored("of_another_version", "a/b").copy_root(&tenant).is_err());
        assert!(stored("entry", "no path").copy_root(&tenant).is_err());
        assert!(stored("entry", "a/b").copy_root(&TenantId::from_parts(Timestamp::from_millis(2), 1)).is_err());
        assert!(!stored("rate_bucket", "x").is_data() && stored("turn", "x").is_data());
    }
}
