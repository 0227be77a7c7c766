//! Accepts jobs, and retries failed ones.

use crate::Ingest;
use app::ingest::enqueue;
use aws::store::RequestKey;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::error::Code;
use domain::models::{IngestId, IngestJob, IngestStatus};
use domain::wire::IngestOut;
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Accepted, Ingester, Json, JsonIn, PathIn, Replayed, RequestMeta};
use http::header;

use crate::input::{NewIngestIn, SourceIn};
use crate::prefix;

/// Answers `POST /ingest`: once the job is stored it will be done, whatever becomes of its message.
pub(crate) async fn accept_ingest(
    State(ctx): State<Ingest>,
    caller: Ingester,
    meta: RequestMeta,
    JsonIn(body): JsonIn<NewIngestIn>,
) -> ApiResult<Response> {
    let body = body.judged(&ctx.outbound)?;
    let (job, text) = job_of(&ctx, caller.name(), &body)?;
    let request = meta.idempotency_key.map(|key| request_key(&caller.name(), key.as_str(), &job, text.as_deref()));
    let scope = caller.scope();
    let (job, replayed) = ctx.store.ingests().create(scope, job, text.as_deref(), request).await?;
    if !replayed {
        enqueue(&ctx.jobs, scope, &job).await;
    }
    let location = format!("/api/v1/ingest/{}", job.ingest_id);
    // A repeated request gets the reply of the first one, whatever the job has become meanwhile.
    let shown =
        IngestOut::from(IngestJob { status: IngestStatus::Queued, attempts: 0, finished_at: None, error: None, ..job });
    Ok(Replayed(replayed, ([(header::LOCATION, location)], Accepted(shown))).into_response())
}

fn job_of(ctx: &Ingest, created_by: String, body: &NewIngestIn) -> Result<(IngestJob, Option<String>)> {
    let (url, path_prefix, text) = match &body.source {
        SourceIn::Url { url, path_prefix } => {
            let prefix = path_prefix.clone().or_else(|| prefix::of(url));
            (Some(url.as_str().to_owned()), prefix, None)
        }
        SourceIn::Text { text, path_prefix } => (None, Some(path_prefix.clone()), Some(text.clone())),
    };
    let job = IngestJob {
        ingest_id: IngestId::generate(&ctx.ambient)?,
        status: IngestStatus::Queued,
        url,
        text_chunks: 0,
        path_prefix: path_prefix.ok_or_else(|| Error::internal("an address that names no prefix"))?,
        visibility: body.visibility,
        entries: Vec::new(),
        error: None,
        attempts: 0,
        earlier_attempts: 0,
        created_at: ctx.ambient.now(),
        created_by,
        finished_at: None,
        lease: None,
        version: 1,
    };
    Ok((job, text))
}

/// By which the same request is known to mean the same job.
fn request_key(caller: &str, key: &str, job: &IngestJob, text: Option<&str>) -> RequestKey {
    let (kind, source) = match &job.url {
        Some(url) => ("url", url.as_str()),
        None => ("text", text.unwrap_or_default()),
    };
    let content = [kind, source, job.path_prefix.as_str(), job.visibility.as_str()];
    RequestKey::new(&["ingest", caller, key], &content)
}

/// Answers `POST /ingest/:id/retry`: a job that failed is queued as if it was new.
pub(crate) async fn retry_job(
    State(ctx): State<Ingest>,
    caller: Ingester,
    PathIn(id): PathIn<IngestId>,
) -> ApiResult<Json<IngestOut>> {
    let scope = caller.scope();
    let jobs = ctx.store.ingests();
    let job = jobs.get(scope, &id).await?.ok_or_else(|| Error::not_found("ingest job"))?;
    let Some(again) = job.retried(ctx.ambient.now()) else { return Err(not_failed(job.status).into()) };
    if !jobs.replace(scope, &job, &again).await? {
        return Err(not_failed(IngestStatus::Queued).into());
    }
    enqueue(&ctx.jobs, scope, &again).await;
    Ok(Json(again.into()))
}

fn not_failed(status: IngestStatus) -> Error {
    Error::new(Code::InvalidState, format!("Only a failed job can be retried; this one is {status}."))
}
