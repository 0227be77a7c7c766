//! Creates, changes and deletes entries.

use crate::state::Wiki;
use axum::extract::State;
use domain::models::WikiPath;
use domain::wire::{EntryOut, Viewer};
use edge::ApiResult;
use edge::{Created, Json, JsonIn, NoContent, PathIn, Tagged, WikiWriter};

use crate::if_match::{IfMatch, etag};
use crate::indexing;
use crate::input::{EntryPatchIn, NewEntryIn};

edge::endpoint! {
    /// Create an entry.
    ///
    /// It is searchable within two seconds. A path that was deleted may be created again and continues its version.
    pub(crate) CreateEntry = POST "/api/v1/wiki" => create_entry;
    errors: [Conflict],
    example: {"path": "billing/invoices", "title": "Invoices", "content": "Invoices come on the first.", "visibility": "public"},
}

/// Answers `POST /wiki`.
pub(crate) async fn create_entry(
    State(state): State<Wiki>,
    caller: WikiWriter,
    JsonIn(body): JsonIn<NewEntryIn>,
) -> ApiResult<Tagged<Created<EntryOut>>> {
    let scope = caller.scope();
    let (wiki, settings) = (state.store.wiki(), state.store.settings());
    let (created, settings) = tokio::join!(wiki.create(scope, body.written_by(caller.name())), settings.get(scope));
    let entry = created?;
    indexing::entry_written(&state, scope, &entry, settings).await;
    let location = format!("/api/v1/wiki/{}", entry.path);
    let etag = etag(entry.version);
    Ok(Tagged { etag, answer: Created(location, EntryOut::new(entry, Viewer::of(&caller))) })
}

edge::endpoint! {
    /// Change an entry.
    ///
    /// What is so already changes nothing: no new version, and no event.
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
    let (wiki, settings) = (state.store.wiki(), state.store.settings());
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
    let deleted = state.store.wiki().delete(scope, &path, |entry| if_match.check(entry.version)).await?;
    indexing::entry_deleted(&state, scope, &path, &deleted).await;
    Ok(NoContent)
}
