//! Reads what a handler leaves of a request's body before the response is sent. A client that sends all of a body before
//! it reads gets no response from a server that closes the connection over unread bytes.

use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use futures::stream;
use http::header;
use http_body_util::BodyExt;
use tokio::sync::oneshot;

/// How much is read and discarded at most, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// How long that may take.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// The body of a request, given back when its reader drops it.
struct LentBody(Option<(Body, oneshot::Sender<Body>)>);

impl Drop for LentBody {
    fn drop(&mut self) {
        if let Some((body, owner)) = self.0.take() {
            owner.send(body).ok();
        }
    }
}

/// The middleware: runs the handler, then reads on.
pub(crate) async fn drain(request: Request, next: Next) -> Response {
    // A client that expects `100 Continue` sends nothing before somebody reads.
    if request.body().is_end_stream() || request.headers().contains_key(header::EXPECT) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let (owner, given_back) = oneshot::channel();
    let lent = stream::unfold(LentBody(Some((body, owner))), |mut lent| async move {
        let frame = lent.0.as_mut()?.0.frame().await?;
        Some((frame.map(|frame| frame.into_data().unwrap_or_default()), lent))
    });
    let response = next.run(Request::from_parts(parts, Body::from_stream(lent))).await;
    let discarding = async {
        if let Ok(body) = given_back.await {
            discard(body).await;
        }
    };
    tokio::time::timeout(MAX_WAIT, discarding).await.ok();
    response
}

async fn discard(mut body: Body) {
    let mut received = 0_usize;
    while let Some(Ok(frame)) = body.frame().await {
        received = received.saturating_add(frame.data_ref().map_or(0, |data| data.len()));
        if received > MAX_BYTES {
            return;
        }
    }
}
