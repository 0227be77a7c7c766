//! `POST /analytics/kb-gaps/:gapId/draft`: a draft of what people answered by hand.

use app::gaps::{free_path, material};
use axum::extract::State;
use domain::models::{DraftId, GapId};
use domain::wire::DraftOut;
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Created, NoBody, OnceIn, PathIn, Proposer, Replayed, Tagged};

use crate::drafts::{MadeDraft, made};
use crate::state::Wiki;

edge::endpoint! {
    /// Make a draft of a gap.
    ///
    /// It proposes a new internal entry beside the nearest one. It quotes what people wrote to the customers who asked,
    /// and their questions, all masked, and never notes. What it quotes of a session goes with the session.
    pub(crate) DraftGap = POST "/api/v1/analytics/kb-gaps/{id}/draft" => draft_gap;
    supports: [IdempotencyKey],
    errors: [Conflict],
}

pub(crate) async fn draft_gap(
    State(state): State<Wiki>,
    caller: Proposer,
    PathIn(id): PathIn<GapId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Tagged<Created<DraftOut>>>> {
    let (scope, store) = (caller.scope(), &state.store);
    let work = async {
        let known = material(store, scope, &id).await?.ok_or_else(|| Error::not_found("knowledge gap"))?;
        let path = free_path(store, scope, &known.gap).await?;
        let draft = known.draft(path, DraftId::generate(&state.runtime)?, caller.name(), state.runtime.now());
        let record = store.idempotency().completed(scope, request.as_ref(), MadeDraft::of(&draft))?;
        store.drafts().create(scope, &draft, record).await?;
        Result::Ok(DraftOut::from(draft))
    };
    let replay = async |before: MadeDraft| before.replay(&state, &caller).await;
    let (draft, replayed) = store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(made(draft, replayed))
}
