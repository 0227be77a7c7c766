//! Saved replies: one item each, and one registry of shortcuts for a tenant and for each owner.
//!
//! The registry lists the shortcuts of its scope. Rules about all of them together (how many there are, no two with the
//! same shortcut) are checked on it, in the transaction that creates, renames or deletes one.

use std::collections::BTreeMap;

use domain::error::{Code, DetailCode};
use domain::limits::saved_reply::{MAX_OWN, MAX_TEAM};
use domain::models::{SavedReply, SavedReplyId, SavedReplyScope, Scope};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{Item, ItemKind, item, record};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write, version_condition};
use crate::table::update::{Attempt, Basis, Decision, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// The place of a saved reply in a list: those of the caller come first, each in the order of their ids.
pub type SavedReplyPlace = (SavedReplyScope, SavedReplyId);

repository!(saved_replies: SavedReplies);

/// The shortcuts of one scope.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Registry {
    /// By the id of their reply.
    shortcuts: BTreeMap<String, String>,
    version: u64,
}

impl SavedReplies<'_> {
    /// Keeps a new one, with the record of its request.
    ///
    /// # Errors
    /// 409 if its shortcut is taken, and if there are as many as there may be.
    pub(super) async fn create(&self, scope: &Scope, reply: &SavedReply, request: Option<RequestRecord>) -> Result<()> {
        self.put(scope, reply, reply_item(scope, reply)?, request).await.map(drop)
    }

    /// Keeps an imported one, unless it is there; whether it was not. The rules are those of [`Self::create`].
    pub(crate) async fn put_copy(&self, scope: &Scope, reply: &SavedReply, stored: Item) -> Result<bool> {
        self.put(scope, reply, stored, None).await
    }

    async fn put(
        &self,
        scope: &Scope,
        reply: &SavedReply,
        stored: Item,
        request: Option<RequestRecord>,
    ) -> Result<bool> {
        let (key, owner) = (reply_shortcuts_key(scope, reply.owner.as_deref()), reply.owner.as_deref());
        let decide = |seen: Option<Registry>| {
            let seen = seen.unwrap_or_default();
            if seen.shortcuts.contains_key(reply.reply_id.as_str()) {
                return Ok(Decision::Keep(false));
            }
            let named = Transaction::of(seen.with(reply)?.write(scope, owner)?);
            let new = [Write::create(stored.clone())];
            Ok(Decision::Write(named.with(Tag::Beside, new).recording(request.clone()), true))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }

    /// One of the tenant's or of `owner`'s own; consistent.
    pub async fn get(&self, scope: &Scope, owner: Option<&str>, id: &SavedReplyId) -> Result<Option<SavedReply>> {
        let of = async |owner: Option<&str>| {
            self.0.get::<SavedReply>(&saved_reply_key(scope, owner, id), Consistency::Strong).await
        };
        let own = async { if owner.is_some() { of(owner).await } else { Ok(None) } };
        let (own, team) = futures::try_join!(own, of(None))?;
        Ok(own.or(team))
    }

    /// The caller's own after `from`, then the tenant's; consistent. One query reads 1 MiB at the most: a page may be
    /// short, or empty, and have a `next`.
    pub(super) async fn list(
        &self,
        scope: &Scope,
        owner: &str,
        from: Option<&SavedReplyPlace>,
        limit: usize,
    ) -> Result<CursorPage<SavedReply, SavedReplyPlace>> {
        let mut items = Vec::new();
        let (mut owned, mut after) = (Some(owner), from.map(|(_, id)| id));
        if from.is_some_and(|(scope, _)| *scope == SavedReplyScope::Team) {
            owned = None;
        }
        loop {
            let page = self.list_of(scope, owned, after, limit - items.len()).await?;
            items.extend(page.items);
            let of = if owned.is_some() { SavedReplyScope::Own } else { SavedReplyScope::Team };
            if page.next.is_some() || owned.is_none() {
                return Ok(CursorPage { items, next: page.next.map(|id| (of, id)) });
            }
            if items.len() == limit {
                let next = items.last().map(|last: &SavedReply| (of, last.reply_id.clone()));
                return Ok(CursorPage { items, next });
            }
            (owned, after) = (None, None);
        }
    }

    async fn list_of(
        &self,
        scope: &Scope,
        owner: Option<&str>,
        after: Option<&SavedReplyId>,
        limit: usize,
    ) -> Result<CursorPage<SavedReply, SavedReplyId>> {
        let (prefix, after) = (saved_replies_of(owner), after.map_or("", SavedReplyId::as_str));
        let mut query = PartitionQuery::new(saved_replies_partition(scope));
        // Ids have one length; '!' sorts before their characters and '~' behind.
        query.condition = SortCondition::Between(format!("{prefix}{after}!"), format!("{prefix}~"));
        let page = self.0.cursor_page(query, limit).await?;
        page.try_map(record, |sk| SavedReplyId::parse(sk.strip_prefix(&prefix)?))
    }

    /// Replaces one by what `decide` makes of it, again from the start when another writer was faster; `None` leaves it
    /// as it is.
    ///
    /// # Errors
    /// The error of `decide`; 404 if there is none that `owner` sees, 409 if its new shortcut is taken.
    pub(super) async fn update(
        &self,
        scope: &Scope,
        owner: &str,
        id: &SavedReplyId,
        decide: impl Fn(&SavedReply) -> Result<Option<SavedReply>>,
    ) -> Result<SavedReply> {
        let decide = &decide;
        let attempt = |_: Basis<()>| async move {
            let seen = self.get(scope, Some(owner), id).await?.ok_or_else(missing)?;
            let Some(after) = decide(&seen)? else { return Ok(Attempt::Done(seen)) };
            let after = SavedReply { version: seen.version + 1, ..after };
            let mut transaction = Transaction::of(Write::replace(reply_item(scope, &after)?, seen.version));
            if after.shortcut != seen.shortcut {
                let registry = self.registry(scope, after.owner.as_deref()).await?;
                let renamed = registry.with(&after)?.write(scope, after.owner.as_deref())?;
                transaction = transaction.with(Tag::Beside, [renamed]);
            }
            let outcome = self.0.commit(transaction, None).await?;
            let there = outcome.at(Tag::Item).flatten().cloned().map(record::<SavedReply>).transpose()?;
            // The reply of this very write was lost, and it was sent again.
            let is_written = outcome.is_committed() || there.as_ref() == Some(&after);
            Ok(if is_written { Attempt::Done(after) } else { Attempt::Conflict(Basis::Read) })
        };
        let about = contended(&saved_reply_key(scope, Some(owner), id));
        self.0.retry(&about, Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// Deletes one that `check` lets go.
    ///
    /// # Errors
    /// The error of `check`; 404 if there is none that `owner` sees.
    pub(super) async fn delete(
        &self,
        scope: &Scope,
        owner: &str,
        id: &SavedReplyId,
        check: impl Fn(&SavedReply) -> Result<()>,
    ) -> Result<()> {
        let (check, tried) = (&check, &std::sync::atomic::AtomicBool::new(false));
        let attempt = |_: Basis<()>| async move {
            let is_again = tried.swap(true, std::sync::atomic::Ordering::Relaxed);
            let Some(seen) = self.get(scope, Some(owner), id).await? else {
                // Gone after an attempt: that attempt's reply was lost, or somebody else deleted it at the same moment.
                return if is_again { Ok(Attempt::Done(())) } else { Err(missing()) };
            };
            check(&seen)?;
            let owner = seen.owner.as_deref();
            let condition = Some(version_condition(seen.version));
            let gone = Write::Delete { key: saved_reply_key(scope, owner, id), condition };
            let named = self.registry(scope, owner).await?.without(id).write(scope, owner)?;
            self.0.write_if(Transaction::of(gone).with(Tag::Beside, [named])).await.map(Attempt::of)
        };
        let about = contended(&saved_reply_key(scope, Some(owner), id));
        self.0.retry(&about, Basis::Read, self.0.default_deadline(), attempt).await
    }

    async fn registry(&self, scope: &Scope, owner: Option<&str>) -> Result<Registry> {
        let key = reply_shortcuts_key(scope, owner);
        Ok(self.0.get(&key, Consistency::Strong).await?.unwrap_or_default())
    }
}

impl Registry {
    /// With the shortcut of a reply, new or in the place of its former one.
    ///
    /// # Errors
    /// 409 if another has the shortcut, or if there are as many as there may be.
    fn with(&self, reply: &SavedReply) -> Result<Self> {
        let id = reply.reply_id.as_str();
        if self.shortcuts.iter().any(|(other, taken)| other != id && *taken == reply.shortcut) {
            return Err(Error::new(Code::Conflict, "A saved reply with this shortcut exists already.")
                .with_detail(DetailCode::DuplicateShortcut, "change or delete the existing one"));
        }
        let (most, whose) = match reply.scope() {
            SavedReplyScope::Team => (MAX_TEAM, "A tenant"),
            SavedReplyScope::Own => (MAX_OWN, "A key or a member"),
        };
        if self.shortcuts.len() >= most && !self.shortcuts.contains_key(id) {
            return Err(Error::new(Code::Conflict, format!("{whose} may have at most {most} saved replies."))
                .with_detail(DetailCode::TooManyReplies, "delete one first"));
        }
        let mut after = self.clone();
        after.shortcuts.insert(id.to_owned(), reply.shortcut.clone());
        after.version += 1;
        Ok(after)
    }

    fn without(mut self, id: &SavedReplyId) -> Self {
        self.shortcuts.remove(id.as_str());
        self.version += 1;
        self
    }

    /// Replaces the registry that it was made of.
    fn write(&self, scope: &Scope, owner: Option<&str>) -> Result<Write> {
        let item = item(&reply_shortcuts_key(scope, owner), ItemKind::ReplyShortcuts, self)?;
        Ok(Write::replace(item, self.version - 1))
    }
}

fn missing() -> Error {
    Error::not_found("saved reply")
}

/// A saved reply as an item. An owner's own has a kind of its own: an export has the tenant's alone.
pub(crate) fn reply_item(scope: &Scope, reply: &SavedReply) -> Result<Item> {
    let kind = match reply.scope() {
        SavedReplyScope::Team => ItemKind::SavedReply,
        SavedReplyScope::Own => ItemKind::OwnSavedReply,
    };
    item(&saved_reply_key(scope, reply.owner.as_deref(), &reply.reply_id), kind, reply)
}

/// Every saved reply of a tenant and mode.
fn saved_replies_partition(s: &Scope) -> String {
    format!("{}#REPLIES", keys::scope(s))
}

/// The beginning of the sort keys of an owner's replies; of the tenant's, if there is none.
fn saved_replies_of(owner: Option<&str>) -> String {
    owner.map_or_else(|| "TEAM#".to_owned(), |owner| format!("OWN#{owner}#"))
}

fn saved_reply_key(s: &Scope, owner: Option<&str>, id: &SavedReplyId) -> Key {
    Key::new(saved_replies_partition(s), format!("{}{id}", saved_replies_of(owner)))
}

/// Reads back which of the tenant's replies an item is.
pub(crate) fn team_reply(sk: &str) -> Option<SavedReplyId> {
    SavedReplyId::parse(sk.strip_prefix(&saved_replies_of(None))?)
}

/// The shortcuts of an owner's replies; of the tenant's, if there is none.
fn reply_shortcuts_key(s: &Scope, owner: Option<&str>) -> Key {
    Key::new(format!("{}#SHORTCUTS", keys::scope(s)), saved_replies_of(owner))
}
