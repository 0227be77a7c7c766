//! Accepts jobs, and retries failed ones.

use crate::Ingest;
use app::ingest::enqueue;
use aws::store::Asked;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::error::Code;
use domain::models::{IngestId, IngestJob, IngestStatus};
use domain::wire::IngestOut;
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Accepted, Ingester, Json, JsonIn, PathIn, RequestMeta};
use http::{HeaderValue, header};
use sha2::{Digest, Sha256};

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
    let asked = meta.idempotency_key.map(|key| Asked {
        caller: caller.name(),
        token: key.as_str().to_owned(),
        fingerprint: fingerprint(&job, text.as_deref()),
    });
    let scope = caller.scope();
    let (job, replayed) = ctx.store.ingests().create(scope, job, text.as_deref(), asked.as_ref()).await?;
    if !replayed {
        enqueue(&ctx.jobs, scope, &job).await;
    }
    let location = format!("/api/v1/ingest/{}", job.ingest_id);
    // A repeated request gets the reply of the first one, whatever the job has become meanwhile.
    let shown =
        IngestOut::from(IngestJob { status: IngestStatus::Queued, attempts: 0, finished_at: None, error: None, ..job });
    let mut response = ([(header::LOCATION, location)], Accepted(shown)).into_response();
    if replayed {
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    }
    Ok(response)
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

/// A hash of the request, by which the same `Idempotency-Key` is known to mean the same.
fn fingerprint(job: &IngestJob, text: Option<&str>) -> String {
    let parts = [job.url.as_deref(), Some(job.path_prefix.as_str()), Some(job.visibility.as_str()), text];
    let mut hash = Sha256::new();
    for part in parts {
        let part = part.unwrap_or("\u{0}");
        hash.update(part.len().to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
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
