//! Errors of a job: of the page, which fails the job with a message for its client, or of this service, which returns
//! the job for another attempt.

use domain::Error;
use domain::models::IngestError;

/// Why a job stopped.
#[derive(Debug)]
pub(crate) enum JobError {
    /// An error of the page: a retry alone would fail again.
    Permanent(IngestError),
    /// An error of a service that we depend on: a later attempt can succeed.
    Retryable(Error),
}

impl From<Error> for JobError {
    fn from(error: Error) -> Self {
        Self::Retryable(error)
    }
}
