//! Reads jobs: one, or a page of a list, newest first.

use crate::state::Ingest;
use axum::extract::State;
use domain::Error;
use domain::models::IngestId;
use domain::wire::IngestOut;
use edge::ApiResult;
use edge::{CursorPageOut, Ingester, Json, PathIn, QueryIn};

use crate::input::ListIngestJobsQuery;

edge::endpoint! {
    /// Read an ingest job.
    ///
    /// A completed job tells what became of which path.
    pub(crate) GetIngestJob = GET "/api/v1/ingest/{id}" => get_ingest_job;
}

/// Answers `GET /ingest/:id`.
pub(crate) async fn get_ingest_job(
    State(state): State<Ingest>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
) -> ApiResult<Json<IngestOut>> {
    let job = state.store.ingests().get(caller.scope(), &id).await?;
    Ok(Json(job.ok_or_else(|| Error::not_found("ingest job"))?.into()))
}

edge::endpoint! {
    /// List ingest jobs.
    ///
    /// Newest first. One answer reads 1 MiB at the most, so a page may be short, or
    /// empty, with `hasMore: true`.
    pub(crate) ListIngestJobs = GET "/api/v1/ingest" => list_ingest_jobs;
    rate_class: List,
    example_query: {"status": "failed", "limit": 10},
}

/// Answers `GET /ingest`.
pub(crate) async fn list_ingest_jobs(
    State(state): State<Ingest>,
    caller: Ingester,
    QueryIn(query): QueryIn<ListIngestJobsQuery>,
) -> ApiResult<Json<CursorPageOut<IngestOut>>> {
    let page = state.store.ingests().list(caller.scope(), query.status, query.below.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, IngestOut::from)?))
}
