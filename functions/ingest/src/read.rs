//! Reads jobs: one, or a page of a list, newest first.

use crate::Ingest;
use axum::extract::State;
use domain::Error;
use domain::models::IngestId;
use domain::wire::IngestOut;
use edge::ApiResult;
use edge::{Ingester, Json, PathIn, QueryIn, cursor};
use serde::Serialize;

use crate::input::{self, ListJobsQuery};

/// Answers `GET /ingest/:id`.
pub(crate) async fn get_job(
    State(ctx): State<Ingest>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
) -> ApiResult<Json<IngestOut>> {
    let job = ctx.store.ingests().get(caller.scope(), &id).await?;
    Ok(Json(job.ok_or_else(|| Error::not_found("ingest job"))?.into()))
}

/// Jobs, newest first.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JobListOut {
    items: Vec<IngestOut>,
    next_cursor: Option<String>,
    has_more: bool,
}

/// Answers `GET /ingest`.
pub(crate) async fn list_jobs(
    State(ctx): State<Ingest>,
    caller: Ingester,
    QueryIn(query): QueryIn<ListJobsQuery>,
) -> ApiResult<Json<JobListOut>> {
    let list = input::list(query.status);
    let page = ctx.store.ingests().list(caller.scope(), query.status, query.below, query.limit).await?;
    let next_cursor = page.next.as_ref().map(|next| cursor::encode(&list, next)).transpose()?;
    let has_more = next_cursor.is_some();
    let items = page.cards.into_iter().map(IngestOut::from).collect();
    Ok(Json(JobListOut { items, next_cursor, has_more }))
}
