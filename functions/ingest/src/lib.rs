//! The ingest function: accepts pages and texts, and shows the progress of jobs.
//!
//! [`input`] parses requests, [`prefix`] derives the path prefix of a page if the caller gives none, [`accept`] creates
//! and retries jobs, [`read`] shows them. The work itself is done by `ingest-worker`.

mod accept;
mod input;
mod prefix;
mod read;
mod state;

pub use state::Ingest;

edge::function!("ingest", Ingest: [
    accept::CreateIngestJob,
    read::ListIngestJobs,
    read::GetIngestJob,
    accept::RetryIngestJob,
]);
