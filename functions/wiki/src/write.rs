//! Creates, changes and deletes entries.

use crate::Wiki;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::Error;
use domain::models::WikiPath;
use domain::wire::{EntryOut, Viewer};
use edge::ApiResult;
use edge::{Created, Json, JsonIn, NoContent, PathIn, WikiWriter};
use http::{HeaderMap, header};

use crate::if_match::{IfMatch, etag};
use crate::indexing;
use crate::input::{EntryPatchIn, NewEntryIn};

/// Answers `POST /wiki`.
pub(crate) async fn create_entry(
    State(ctx): State<Wiki>,
    caller: WikiWriter,
    JsonIn(body): JsonIn<NewEntryIn>,
) -> ApiResult<impl IntoResponse> {
    let scope = caller.scope();
    let (wiki, settings) = (ctx.store.wiki(), ctx.store.settings());
    let (created, settings) = tokio::join!(wiki.create(scope, body.written_by(caller.name())), settings.get(scope));
    let entry = created?;
    indexing::entry_written(&ctx, scope, &entry, settings).await;
    let location = format!("/api/v1/wiki/{}", entry.path);
    Ok(([(header::ETAG, etag(entry.version))], Created(location, EntryOut::new(entry, Viewer::of(&caller)))))
}

/// Answers `PATCH /wiki/:path`.
pub(crate) async fn change_entry(
    State(ctx): State<Wiki>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    headers: HeaderMap,
    JsonIn(patch): JsonIn<EntryPatchIn>,
) -> ApiResult<impl IntoResponse> {
    if patch.is_empty() {
        let fields = "name at least one of title, content, visibility and tags";
        return Err(Error::validation(Vec::new()).because("NOTHING_TO_CHANGE", fields).into());
    }
    let (scope, author, if_match) = (caller.scope(), caller.name(), IfMatch::of(&headers));
    let (wiki, settings) = (ctx.store.wiki(), ctx.store.settings());
    let updating = wiki.update(scope, &path, |entry| {
        if_match.check(entry.version)?;
        Ok(patch.applied_to(entry, &author))
    });
    let (updated, settings) = tokio::join!(updating, settings.get(scope));
    let updated = updated?;
    if updated.changed {
        indexing::entry_written(&ctx, scope, &updated.entry, settings).await;
    }
    Ok(([(header::ETAG, etag(updated.entry.version))], Json(EntryOut::new(updated.entry, Viewer::of(&caller)))))
}

/// Handles `DELETE /wiki/:path`. `If-Match` works as with `PATCH`.
pub(crate) async fn delete_entry(
    State(ctx): State<Wiki>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    headers: HeaderMap,
) -> ApiResult<NoContent> {
    let (scope, if_match) = (caller.scope(), IfMatch::of(&headers));
    let deleted = ctx.store.wiki().delete(scope, &path, |entry| if_match.check(entry.version)).await?;
    indexing::entry_deleted(&ctx, scope, &path, &deleted).await;
    Ok(NoContent)
}
