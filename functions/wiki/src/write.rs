//! Creates, changes and deletes entries.

use crate::state::Wiki;
use app::Requester;
use aws::store::{CreatedEntry, NewEntry, RequestKey, Store};
use axum::extract::State;
use domain::models::{Scope, WikiEntry, WikiPath};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Created, IfMatch, Json, JsonIn, NoContent, OnceIn, PathIn, Replayed, Tagged, WikiWriter, etag};

use crate::indexing;
use crate::input::{EntryPatchIn, NewEntryIn};

edge::endpoint! {
    /// Create an entry.
    ///
    /// It is searchable within two seconds. A path that was deleted may be created again and continues its version.
    pub(crate) CreateEntry = POST "/api/v1/wiki" => create_entry;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"path": "billing/invoices", "title": "Invoices", "content": "Invoices come on the first.", "visibility": "public"},
}

/// Answers `POST /wiki`.
pub(crate) async fn create_entry(
    State(state): State<Wiki>,
    caller: WikiWriter,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewEntryIn>>,
) -> ApiResult<Replayed<Tagged<Created<EntryOut>>>> {
    let (scope, new) = (caller.scope(), body.written_by(caller.name()));
    let store = Requester::Caller(&caller).acting(&state.store);
    let work = create_and_index(&state, &store, scope, new.clone(), request.as_ref());
    let replay = async |created: CreatedEntry| {
        let there = state.store.wiki().get(scope, &new.path).await?;
        let made = new.clone().created(&created);
        // Another entry may have the path by now.
        let is_there = there.is_some_and(|there| there.created_at == made.created_at);
        if is_there { Ok(made) } else { Err(Error::not_found("entry")) }
    };
    let (entry, replayed) = state.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    let location = format!("/api/v1/wiki/{}", entry.path);
    let etag = etag(entry.version);
    let answer = Created(location, EntryOut::new(entry, Viewer::of(&caller)));
    Ok(Replayed(replayed, Tagged { etag, answer }))
}

async fn create_and_index(
    state: &Wiki,
    store: &Store,
    scope: &Scope,
    new: NewEntry,
    request: Option<&RequestKey>,
) -> Result<WikiEntry> {
    let (wiki, settings) = (store.wiki(), store.settings());
    let (created, settings) = tokio::join!(wiki.create_once(scope, new, request), settings.get(scope));
    let entry = created?;
    indexing::entry_written(state, scope, &entry, settings).await;
    Ok(entry)
}

edge::endpoint! {
    /// Change an entry.
    ///
    /// A change to the current values changes nothing: no new version, and no event.
    pub(crate) UpdateEntry = PATCH "/api/v1/wiki/{*path}" => update_entry;
    errors: [Conflict],
    example: {"title": "Refunds and returns", "tags": ["billing"]},
}

/// Answers `PATCH /wiki/:path`.
pub(crate) async fn update_entry(
    State(state): State<Wiki>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    if_match: IfMatch,
    JsonIn(patch): JsonIn<EntryPatchIn>,
) -> ApiResult<Tagged<Json<EntryOut>>> {
    let (scope, author) = (caller.scope(), caller.name());
    let store = Requester::Caller(&caller).acting(&state.store);
    let (wiki, settings) = (store.wiki(), store.settings());
    let updating = wiki.update(scope, &path, |entry| {
        if_match.check(entry.version)?;
        Ok(patch.apply_to(entry, &author))
    });
    let (updated, settings) = tokio::join!(updating, settings.get(scope));
    let updated = updated?;
    if updated.changed {
        indexing::entry_written(&state, scope, &updated.entry, settings).await;
    }
    let etag = etag(updated.entry.version);
    Ok(Tagged { etag, answer: Json(EntryOut::new(updated.entry, Viewer::of(&caller))) })
}

edge::endpoint! {
    /// Delete an entry.
    ///
    /// Again, it is 404.
    pub(crate) DeleteEntry = DELETE "/api/v1/wiki/{*path}" => delete_entry;
    errors: [Conflict],
}

/// Handles `DELETE /wiki/:path`. `If-Match` works as with `PATCH`.
pub(crate) async fn delete_entry(
    State(state): State<Wiki>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let scope = caller.scope();
    let deleted =
        state.store.wiki().delete(scope, &path, &caller.name(), |entry| if_match.check(entry.version)).await?;
    indexing::entry_deleted(&state, scope, &path, &deleted).await;
    Ok(NoContent)
}
