//! Why a job stops: a fault of the page, which fails the job with a message for its caller, or a fault of this service,
//! which returns the job for another attempt.

use domain::Error;
use domain::models::IngestError;

/// Why a job does not go on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// It cannot be done, and trying again changes nothing by itself.
    Failed(IngestError),
    /// Something behind us failed: later it may be done.
    Later(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Later(error)
    }
}
