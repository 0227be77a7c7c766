//! `POST /drafts/:draftId/publish`.

use app::Requester;
use aws::store::{Publication, PublishedDraft, WikiRecord};
use axum::extract::State;
use domain::models::{ChangeAction, Draft, DraftId, Visibility, WikiEntry};
use domain::wire::{DraftOut, EntryOut, Viewer};
use edge::ApiResult;
use edge::input::{choice, integer, optional, required};
use edge::{Json, JsonIn, OnceIn, PathIn, Replayed, WikiWriter};
use schemars::JsonSchema;
use serde::Serialize;

use crate::drafts::find;
use crate::indexing;
use crate::revisions::replayed;
use crate::state::Wiki;

edge::body! {
    /// Which draft is published: as its publisher read it.
    #[derive(Debug)]
    pub(crate) struct PublicationIn as "Publication" {
        /// The version of the draft; 412 where it is another one by now.
        version: u32 = "version" => required(integer(1, u32::MAX)),
        /// Who may read the entry. It must be named where that changes: 400 without it.
        visibility: Option<Visibility> = "visibility" => optional(choice::<Visibility>()),
    }
}

/// A published draft, and its entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PublishedDraft")]
pub(crate) struct PublishedDraftOut {
    /// The draft.
    draft: DraftOut,
    /// The entry as it is now; null after a deletion.
    entry: Option<EntryOut>,
}

impl PublishedDraftOut {
    fn new(draft: Draft, entry: Option<WikiEntry>, caller: &WikiWriter) -> Self {
        Self { draft: draft.into(), entry: entry.map(|entry| EntryOut::new(entry, Viewer::of(caller))) }
    }
}

edge::endpoint! {
    /// Publish a draft.
    ///
    /// The entry becomes what it proposes, in one step with the draft. 409 `CONFLICT` with the current version where the
    /// entry has another version than `baseVersion`, is gone, or is there already: then a PATCH of the draft names the
    /// version that was looked at. 409 `INVALID_STATE` for a draft that is not open or has no text.
    pub(crate) PublishDraft = POST "/api/v1/drafts/{id}/publish" => publish_draft;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, PreconditionFailed],
    example: {"version": 1},
}

pub(crate) async fn publish_draft(
    State(state): State<Wiki>,
    caller: WikiWriter,
    PathIn(id): PathIn<DraftId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<PublicationIn>>,
) -> ApiResult<Replayed<Json<PublishedDraftOut>>> {
    let (scope, by) = (caller.scope(), caller.name());
    let work = async {
        let store = Requester::Caller(&caller).acting(&state.store);
        let publication = Publication { version: body.version.into(), visibility: body.visibility, by: &by };
        let (drafts, settings) = (store.drafts(), state.store.settings());
        let publishing = drafts.publish(scope, &id, publication, request.as_ref());
        let (published, settings) = tokio::join!(publishing, settings.get(scope));
        Ok(match published? {
            (draft, WikiRecord::Entry(entry)) => {
                indexing::entry_written(&state, scope, &entry, settings).await;
                PublishedDraftOut::new(draft, Some(entry), &caller)
            }
            (draft, WikiRecord::Deleted(path, deleted)) => {
                indexing::entry_deleted(&state, scope, &path, &deleted).await;
                PublishedDraftOut::new(draft, None, &caller)
            }
        })
    };
    let replay = async |before: PublishedDraft| {
        let draft = find(&state, &caller, &id).await?;
        if draft.action == ChangeAction::Delete {
            return Ok(PublishedDraftOut::new(draft, None, &caller));
        }
        let entry = replayed(&state, &caller, &draft.path, before.entry_version).await?;
        Ok(PublishedDraftOut::new(draft, Some(entry), &caller))
    };
    let (published, replayed) = state.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(published)))
}
