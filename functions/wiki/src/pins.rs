//! `/pins`: questions that every change of the wiki is tried on.

use axum::extract::State;
use domain::models::{Pin, PinId, Timestamp, WikiPath};
use domain::{Error, Result, limits};
use edge::ApiResult;
use edge::input::{parsed, required, within};
use edge::{
    Created, CursorPageOut, Json, JsonIn, KnowledgeReader, NoContent, OnceIn, PathIn, QueryIn, Replayed, WikiWriter,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input::wiki_path;
use crate::state::Wiki;

edge::query! {
    /// The filter of the pins.
    #[derive(Debug)]
    pub(crate) struct ListPinsQuery {
        /// Only those of this entry.
        path: Option<WikiPath> = "path" => edge::query::parsed(wiki_path),
    }
    cursor: from: PinId, list = (path.as_ref().map(WikiPath::as_str));
    limit: limit;
}

/// A question that an entry is to answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Pin")]
pub(crate) struct PinOut {
    /// Its id.
    pin_id: PinId,
    /// The entry.
    path: WikiPath,
    /// On one line, with personal data masked.
    question: String,
    /// The key or member that made it.
    created_by: String,
    /// When.
    created_at: Timestamp,
}

impl From<Pin> for PinOut {
    fn from(pin: Pin) -> Self {
        let Pin { pin_id, path, question, created_by, created_at } = pin;
        Self { pin_id, path, question, created_by, created_at }
    }
}

edge::endpoint! {
    /// List pinned questions.
    ///
    /// Oldest first. A page may be short, or empty, with `hasMore: true`.
    pub(crate) ListPins = GET "/api/v1/pins" => list_pins;
    rate_class: List,
    example_query: {"path": "billing/refunds", "limit": 10},
}

pub(crate) async fn list_pins(
    State(state): State<Wiki>,
    caller: KnowledgeReader,
    QueryIn(query): QueryIn<ListPinsQuery>,
) -> ApiResult<Json<CursorPageOut<PinOut>>> {
    let ListPinsQuery { path, from, list, limit } = query;
    let page = state.store.pins().list(caller.scope(), path.as_ref(), from.as_ref(), limit).await?;
    Ok(Json(CursorPageOut::new(page, &list, PinOut::from)?))
}

edge::body! {
    /// A question to pin.
    #[derive(Debug)]
    pub(crate) struct NewPinIn as "NewPin" {
        /// The entry that is to answer it.
        path: WikiPath = "path" => required(parsed(wiki_path)),
        /// The question. It is kept on one line, with personal data masked.
        question: String = "question" => required(within(limits::PIN_QUESTION)),
    }
}

/// The stored result of a request that pinned a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MadePin {
    pin_id: PinId,
}

edge::endpoint! {
    /// Pin a question to an entry.
    ///
    /// `POST /dry-runs` tries changes on all pinned questions. They go with the revisions of a deleted entry. A tenant
    /// has at most 200 in each mode: 409 `CONFLICT`.
    pub(crate) CreatePin = POST "/api/v1/pins" => create_pin;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict],
    example: {"path": "billing/invoices", "question": "How long does a refund take?"},
}

pub(crate) async fn create_pin(
    State(state): State<Wiki>,
    caller: WikiWriter,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewPinIn>>,
) -> ApiResult<Replayed<Created<PinOut>>> {
    let (scope, store) = (caller.scope(), &state.store);
    let work = async {
        store.wiki().get(scope, &body.path).await?.ok_or_else(|| Error::not_found("entry"))?;
        let (id, now) = (PinId::generate(&state.runtime)?, state.runtime.now());
        let pin = Pin::new(id, body.path.clone(), &body.question, caller.name(), now);
        let record = store.idempotency().completed(scope, request.as_ref(), MadePin { pin_id: pin.pin_id.clone() })?;
        store.pins().create(scope, &pin, record).await?;
        Result::Ok(pin)
    };
    let replay = async |before: MadePin| {
        store.pins().get(scope, &before.pin_id).await?.ok_or_else(|| Error::not_found("pinned question"))
    };
    let (pin, replayed) = store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Created(format!("/api/v1/pins/{}", pin.pin_id), pin.into())))
}

edge::endpoint! {
    /// Delete a pinned question.
    pub(crate) DeletePin = DELETE "/api/v1/pins/{id}" => delete_pin;
}

pub(crate) async fn delete_pin(
    State(state): State<Wiki>,
    caller: WikiWriter,
    PathIn(id): PathIn<PinId>,
) -> ApiResult<NoContent> {
    if state.store.pins().delete(caller.scope(), &id).await? {
        return Ok(NoContent);
    }
    Err(Error::not_found("pinned question").into())
}
