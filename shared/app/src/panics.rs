//! Turns a panic into the failure of one piece of work, without effect on concurrent or later work.
//!
//! Release builds abort on a panic; then the record of running work shows what ended the process.

use std::panic::AssertUnwindSafe;

use futures::FutureExt;

use domain::{Error, Result};

/// The result of `work`. Its state is dropped after a panic. State that it shares with others is behind locks or in the
/// table.
///
/// # Errors
/// Those of `work`; an internal error if it panicked.
pub async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    // The panic's message may quote what people wrote; the panic hook has printed where it was.
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.unwrap_or_else(|_| Err(Error::internal("it panicked")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::error::Code;

    #[tokio::test]
    async fn a_panic_is_an_internal_error_and_anything_else_stays() {
        assert_eq!(caught(async { Ok(7) }).await.unwrap(), 7);
        assert_eq!(
            caught::<()>(async { Err(Error::unavailable("x")) }).await.unwrap_err().code(),
            Code::ServiceUnavailable
        );
        let panicked = caught::<()>(async {
            tokio::task::yield_now().await;
            panic!("poison")
        });
        assert_eq!(panicked.await.unwrap_err().code(), Code::InternalError);
    }
}
