//! Why a job does not go on: a fault of the page, which ends the job with a sentence for whoever asked for it, or a fault
//! of this service, which gives the job back to be tried again.

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
