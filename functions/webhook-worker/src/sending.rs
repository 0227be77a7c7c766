//! One request to a receiver: signed with every valid secret, if it gets events, and posted by the client that refuses
//! private addresses.

use crate::state::WebhookWorker;
use bytes::Bytes;
use domain::Secret;
use domain::models::{Attempt, AttemptError, Delivery, Scope, Timestamp, Webhook, WebhookFormat};
use domain::webhooks::{secret_owner, signature};
use domain::{Error, Result};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use outbound::{OutboundUrl, SendError};

/// The maximum length of the stored part of a response body, in bytes.
const STORED_BODY_BYTES: usize = 1_024;
/// The rest of the lease that a request needs when it is sent, in milliseconds: the longest that a request takes, and
/// two seconds by which clocks may differ.
const MIN_LEFT_MS: i64 = 17_000;

/// The result of a request.
pub(crate) struct Sent {
    pub(crate) attempt: Attempt,
    /// The first bytes of the response body.
    pub(crate) answer: Option<String>,
    pub(crate) retry_after: Option<String>,
}

/// A request to a receiver.
struct Request {
    url: Option<OutboundUrl>,
    headers: HeaderMap,
    body: Bytes,
    at: Timestamp,
}

/// Posts a delivery, signed unless it is for a Slack channel; every result is an attempt. If the secret that is to sign
/// can never be decrypted, nothing is posted.
///
/// # Errors
/// The secrets cannot be decrypted now, the signature is not a valid header, the lease ends too soon for a request, or
/// this process cannot send at all: that is not an attempt.
pub(crate) async fn send(state: &WebhookWorker, scope: &Scope, webhook: &Webhook, delivery: &Delivery) -> Result<Sent> {
    let at = state.runtime.now();
    let request = match webhook.format {
        WebhookFormat::Slack => request(state, webhook, delivery, at),
        WebhookFormat::Events => {
            let secrets = signing_secrets(state, scope, webhook, at).await?;
            if secrets.is_empty() {
                let attempt = Attempt {
                    at,
                    status: None,
                    error: Some(AttemptError::SecretUnreadable),
                    redirects_to: None,
                    duration_ms: 0,
                };
                return Ok(Sent { attempt, answer: None, retry_after: None });
            }
            signed(request(state, webhook, delivery, at), delivery, &secrets)?
        }
    };
    // After everything that may wait: once the lease has ended, another worker sends the delivery as well.
    let left_ms = delivery.lease.as_ref().map_or(0, |lease| lease.until.millis_since(state.runtime.now()));
    if left_ms < MIN_LEFT_MS {
        return Err(Error::unavailable(format!("only {left_ms} ms of the lease are left")));
    }
    let sent = post(state, request).await?;
    let answer = sent.answer.filter(|text| !webhook.is_revealed_by(text));
    Ok(Sent { answer, ..sent })
}

/// The secrets that sign at `at`, newest first; empty if the newest can never be decrypted. An older one that
/// cannot be decrypted is skipped.
async fn signing_secrets(
    state: &WebhookWorker,
    scope: &Scope,
    webhook: &Webhook,
    at: Timestamp,
) -> Result<Vec<Secret>> {
    let owner = secret_owner(scope, &webhook.webhook_id);
    let mut secrets = Vec::new();
    for sealed in webhook.signing(at) {
        match state.cipher.open(&owner, sealed).await? {
            Some(secret) => secrets.push(secret),
            None if secrets.is_empty() => {
                let id = &webhook.webhook_id;
                tracing::error!(webhook.id = %id, "failed to decrypt a webhook's secret: restore the master key or rotate the secret");
                return Ok(secrets);
            }
            None => {
                tracing::warn!(webhook.id = %webhook.webhook_id, "failed to decrypt a webhook's previous secret; it no longer signs")
            }
        }
    }
    Ok(secrets)
}

/// The request that is posted, without a signature.
fn request(state: &WebhookWorker, webhook: &Webhook, delivery: &Delivery, at: Timestamp) -> Request {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // An address that is no longer allowed is a failed attempt, like one that cannot be reached.
    let url = OutboundUrl::parse(&webhook.url, state.outbound.policy()).ok();
    Request { url, headers, body: Bytes::from(delivery.event.body.clone()), at }
}

/// The same with the signatures of all `secrets`.
fn signed(mut request: Request, delivery: &Delivery, secrets: &[Secret]) -> Result<Request> {
    let signed = signature::sign(secrets, &delivery.event.event_id, request.at, &request.body);
    for (name, text) in
        [("webhook-id", signed.id), ("webhook-timestamp", signed.timestamp), ("webhook-signature", signed.signature)]
    {
        let value =
            HeaderValue::from_str(&text).map_err(|_| Error::internal(format!("{name} is not a valid header value")))?;
        request.headers.insert(HeaderName::from_static(name), value);
    }
    Ok(request)
}

async fn post(state: &WebhookWorker, request: Request) -> Result<Sent> {
    let Request { url, headers, body, at } = request;
    let answered = match &url {
        Some(url) => state.outbound.post(url, headers, body).await,
        None => Err(SendError::Blocked),
    };
    let duration_ms = u32::try_from(state.runtime.now().millis_since(at).max(0)).unwrap_or(u32::MAX);
    let failed_attempt = |error| Sent {
        attempt: Attempt { at, status: None, error: Some(error), redirects_to: None, duration_ms },
        answer: None,
        retry_after: None,
    };
    Ok(match answered {
        Ok(answer) => Sent {
            attempt: Attempt {
                at,
                status: Some(answer.status),
                error: None,
                redirects_to: answer.redirects_to,
                duration_ms,
            },
            answer: Some(body_excerpt(&answer.body_start)).filter(|text| !text.is_empty()),
            retry_after: answer.retry_after,
        },
        Err(SendError::ClientUnavailable) => {
            return Err(Error::internal("failed to build the client for outgoing requests"));
        }
        Err(SendError::Blocked | SendError::Unreachable) => failed_attempt(AttemptError::ConnectionFailed),
        Err(SendError::Timeout) => failed_attempt(AttemptError::Timeout),
        Err(SendError::InvalidResponse | SendError::TooLarge | SendError::Redirect) => {
            failed_attempt(AttemptError::InvalidResponse)
        }
    })
}

/// The first bytes of a response body, as text without control characters.
fn body_excerpt(body: &Bytes) -> String {
    let start = body.get(..STORED_BODY_BYTES.min(body.len())).unwrap_or_default();
    String::from_utf8_lossy(start).chars().filter(|c| !c.is_control() || c.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outbound::{OutboundPolicy, OutboundSettings};

    #[test]
    fn a_request_ends_before_the_lease_under_which_it_is_sent() {
        let longest = OutboundSettings::new(OutboundPolicy::default()).post_timeout.as_millis();
        assert!(i64::try_from(longest).unwrap() + 2_000 <= MIN_LEFT_MS);
    }
}
