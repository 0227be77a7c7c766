//! `/wiki-revisions`: the history of a path, and the return to one of its versions. A replaced or deleted version is
//! stored, and the revisions of a deleted entry are erased after the tenant's retention.

use axum::extract::State;
use domain::change::{Change, Subject};
use domain::error::{Code, DetailCode};
use domain::models::{AuditAction, Scope, Settings, Timestamp, Visibility, WikiEntry, WikiPath};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result};

use crate::edge::input::{choice, integer, optional, parsed, required};
use crate::edge::{
    self, ApiResult, App, CursorPageOut, Json, JsonIn, KnowledgeReader, OnceIn, QueryIn, Replayed, Tagged, WikiWriter,
    etag,
};
use crate::requester::Requester;
use crate::table::Store;
use crate::wiki::api;
use crate::wiki::input::wiki_path;
use crate::wiki::table::DeletedEntry;
use crate::wiki::table::revisions::{Restoration, RestoredEntry, Revision};

edge::query! {
    /// The path whose history is listed.
    #[derive(Debug)]
    pub(crate) struct ListRevisionsQuery {
        /// The path; required.
        path: Option<WikiPath> = "path" => edge::query::parsed(wiki_path),
    }
    cursor: from: u64, list = (path.as_ref().map(WikiPath::as_str));
    limit: limit;
}

edge::endpoint! {
    /// List the versions of a path.
    ///
    /// Newest first, from the one that the path holds now, deletions too. A version that was replaced is there within
    /// two seconds. Versions up to a deletion are kept for `retentionDays` after it. A page may be short, or empty, with
    /// `hasMore: true`.
    pub(crate) ListRevisions = GET "/api/v1/wiki-revisions" => list_revisions;
    rate_class: List,
    example_query: {"path": "billing/refunds", "limit": 10},
}

pub(crate) async fn list_revisions(
    State(app): State<App>,
    caller: KnowledgeReader,
    QueryIn(query): QueryIn<ListRevisionsQuery>,
) -> ApiResult<Json<CursorPageOut<Revision>>> {
    let path = query.path.ok_or_else(|| Error::invalid("path", DetailCode::Required, "must be given"))?;
    let page = app.store.wiki().list_history(caller.scope(), &path, query.from, query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, std::convert::identity)?))
}

edge::body! {
    /// Which version comes back.
    #[derive(Debug)]
    pub(crate) struct RestorationIn as "Restoration" {
        /// The path.
        path: WikiPath = "path" => required(parsed(wiki_path)),
        /// The version that comes back.
        version: u32 = "version" => required(integer(1, u32::MAX)),
        /// The version that it replaces, of the entry or of its deletion; 409 `CONFLICT` where it is another one by now.
        current_version: u32 = "currentVersion" => required(integer(1, u32::MAX)),
        /// Who may read it. Without it that stays as it is today, and is `internal` after a deletion.
        visibility: Option<Visibility> = "visibility" => optional(choice::<Visibility>()),
    }
}

edge::endpoint! {
    /// Restore an old version of an entry.
    ///
    /// Its title, content and tags come back under a new version, also those of an entry that was deleted.
    pub(crate) RestoreRevision = POST "/api/v1/wiki-revisions/restore" => restore_revision;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict],
    example: {"path": "billing/invoices", "version": 1, "currentVersion": 2},
}

async fn restore_revision(
    State(app): State<App>,
    caller: WikiWriter,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<RestorationIn>>,
) -> ApiResult<Replayed<Tagged<Json<EntryOut>>>> {
    let (scope, by) = (caller.scope(), caller.name());
    let work = async {
        let old = version_of(&app, &caller, &body.path, body.version.into()).await?;
        let (action, now) = (AuditAction::EntryRestored, app.runtime.now());
        let by_caller = Requester::Caller(&caller);
        let audited = by_caller.audited(&by_caller.acting(&app.store), &scope.tenant, action, body.path.as_str(), now);
        let (current_version, visibility) = (body.current_version.into(), body.visibility);
        let restoration = Restoration { old: &old, current_version, visibility, by: &by };
        let (wiki, settings) = (audited.wiki(), app.store.settings());
        let (restored, settings) =
            tokio::join!(wiki.restore(scope, restoration, request.as_ref()), settings.get(scope));
        let entry = restored?;
        api::entry_written(&app, scope, &entry, settings).await;
        Ok(entry)
    };
    let replay = async |before: RestoredEntry| replayed(&app, &caller, &body.path, before.version).await;
    let (entry, replayed) = app.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    let etag = etag(entry.version);
    Ok(Replayed(replayed, Tagged { etag, answer: Json(EntryOut::new(entry, Viewer::of(&caller))) }))
}

/// The version that a request made, when the request comes again.
///
/// # Errors
/// 404 if the entry is gone, and 503 until a version that was replaced is stored with the old ones.
pub(crate) async fn replayed(app: &App, caller: &WikiWriter, path: &WikiPath, version: u64) -> Result<WikiEntry> {
    let today = app.store.wiki().get(caller.scope(), path).await?.ok_or_else(|| Error::not_found("entry"))?;
    match version_of(app, caller, path, version).await {
        Err(error) if error.code() == Code::NotFound && today.version > version => {
            Err(Error::unavailable("a version that was replaced is not stored with the old ones yet"))
        }
        found => found,
    }
}

async fn version_of(app: &App, caller: &WikiWriter, path: &WikiPath, version: u64) -> Result<WikiEntry> {
    let found = app.store.wiki().get_version(caller.scope(), path, version).await?;
    found.map(|(entry, _)| entry).ok_or_else(|| Error::not_found("version of the entry"))
}

/// Keeps what a change replaced. A change that deleted the entry makes its revisions due after `retentionDays`.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn follow(store: &Store, change: &Change) -> Result<()> {
    let Subject::Entry { path, old, new } = &change.subject else { return Ok(()) };
    let scope = &change.scope;
    let Some(entry) = old.entry.as_ref().filter(|_| new.version > old.version) else { return Ok(()) };
    store.wiki().put_revision(scope, entry).await?;
    let Some(deleted_at) = new.deleted_at else { return Ok(()) };
    let due = erase_at(deleted_at, &store.settings().get(scope).await?);
    let deleted = DeletedEntry { version: new.version, at: deleted_at, by: new.deleted_by.clone() };
    store.wiki().schedule_revision_erasure(scope, path, &deleted, due).await
}

/// Erases the revisions of a path up to the `version` of its deletion, and with the last of them the pins of a path
/// that has no entry, or reschedules that if the tenant's retention is longer now.
///
/// # Errors 503 if the table does not answer; then they are still due.
pub async fn due(store: &Store, now: Timestamp, scope: &Scope, path: &WikiPath, version: u64) -> Result<()> {
    let wiki = store.wiki();
    let Some(deleted) = wiki.get_revisions_end(scope, path, version).await? else { return Ok(()) };
    let due = erase_at(deleted.at, &store.settings().get(scope).await?);
    if due > now {
        return wiki.schedule_revision_erasure(scope, path, &deleted, due).await;
    }
    let has_later_end =
        async || Ok(wiki.list_revisions_ends(scope, path).await?.iter().any(|end| end.version > version));
    if wiki.get(scope, path).await?.is_none() && !has_later_end().await? {
        store.pins().delete_of(scope, path).await?;
    }
    wiki.erase_revisions(scope, path, version).await
}

/// When the revisions of an entry that was deleted at `deleted_at` are erased.
pub(crate) fn erase_at(deleted_at: Timestamp, settings: &Settings) -> Timestamp {
    deleted_at.plus_hours(i64::from(settings.retention_days) * 24)
}
