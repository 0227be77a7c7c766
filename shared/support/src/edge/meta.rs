//! What the edge knows of a request beside its caller and its content: its id, its time and its deadline, whether somebody
//! still waits for the answer, the address that it comes from, its cookies.
//!
//! The gateway tells whose connection it is. Behind the distribution that is the distribution's; then the distribution
//! tells the viewer's address, which is believed only beside the secret that it sends with each request.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use domain::clock::Runtime;
use domain::models::{RequestId, Timestamp};
use domain::{Error, Secret};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};
use subtle::ConstantTimeEq;
use tokio::sync::watch;

use crate::edge::{ApiError, ApiResult};

/// The header that names a request.
pub(crate) const REQUEST_ID: &str = "x-request-id";
/// Where the distribution says its secret, and the viewer's address.
const SECRET: &str = "x-distribution-secret";
const VIEWER: &str = "x-viewer-address";

/// A request's id, time and deadline, set by the edge before anything else looks at it.
#[derive(Debug, Clone)]
pub struct RequestMeta {
    /// The caller's `X-Request-Id`, or a generated one.
    pub request_id: Arc<str>,
    /// When the request came.
    pub received_at: Timestamp,
    /// When it must be answered at the latest.
    pub deadline: Timestamp,
}

impl RequestMeta {
    /// Takes the caller's id if it is 1-128 printable ASCII characters, and makes one otherwise. The answer is due
    /// within `timeout`.
    pub(crate) fn from_headers(headers: &HeaderMap, runtime: &Runtime, timeout: Duration) -> Self {
        let received_at = runtime.now();
        let mut given = headers.get_all(REQUEST_ID).iter();
        let only = given.next().filter(|_| given.next().is_none()).and_then(|value| printable(value, 128));
        let request_id = only.map_or_else(|| generated(runtime, received_at), Arc::from);
        let deadline = received_at.plus_millis(i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX));
        Self { request_id, received_at, deadline }
    }
}

impl<S: Sync> FromRequestParts<S> for RequestMeta {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let meta = parts.extensions.get::<Self>().cloned();
        Ok(meta.ok_or_else(|| Error::internal("a request that did not pass the edge"))?)
    }
}

fn generated(runtime: &Runtime, at: Timestamp) -> Arc<str> {
    // Without random bytes the request still gets an error, which needs an id.
    let id = RequestId::generate(runtime).unwrap_or_else(|_| RequestId::from_parts(at, 0));
    Arc::from(id.as_str())
}

pub(crate) fn printable(value: &HeaderValue, max: usize) -> Option<&str> {
    let text = value.to_str().ok()?;
    let sound = (1..=max).contains(&text.len()) && text.bytes().all(|b| (b' '..=b'~').contains(&b));
    sound.then_some(text)
}

/// The wait of the caller, which ends when the caller disconnects, or at the deadline.
#[derive(Debug, Clone)]
pub struct Waiting(pub(crate) watch::Receiver<()>);

impl Waiting {
    /// Returns when nobody waits any more.
    pub async fn end(mut self) {
        // Nothing is ever sent.
        while self.0.changed().await.is_ok() {}
    }
}

impl<S: Sync> FromRequestParts<S> for Waiting {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let waiting = parts.extensions.get::<Self>().cloned();
        Ok(waiting.ok_or_else(|| Error::internal("a request that did not pass the edge"))?)
    }
}

/// The address of the connection, which whatever runs the service puts into each request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub IpAddr);

/// The address that a request comes from, as its connection and its headers tell it.
#[derive(Debug, Clone)]
pub struct SourceAddress {
    peer: IpAddr,
    secret: Option<Vec<u8>>,
    viewer: Option<IpAddr>,
}

impl SourceAddress {
    fn of(headers: &HeaderMap, peer: Option<PeerAddress>) -> Self {
        let only = |name: &str| {
            let mut given = headers.get_all(name).iter();
            given.next().filter(|_| given.next().is_none())
        };
        Self {
            // Without a gateway everybody is on this machine.
            peer: peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |PeerAddress(address)| address),
            secret: only(SECRET).map(|value| value.as_bytes().to_vec()),
            viewer: only(VIEWER).and_then(|value| value.to_str().ok()?.trim().parse().ok()),
        }
    }

    /// The address: the viewer's if the request carries the distribution's secret, else the connection's.
    #[must_use]
    pub fn resolve(&self, distribution_secret: Option<&Secret>) -> IpAddr {
        let is_known = distribution_secret
            .zip(self.secret.as_ref())
            .is_some_and(|(known, given)| known.expose().as_bytes().ct_eq(given).into());
        self.viewer.filter(|_| is_known).unwrap_or(self.peer)
    }
}

impl<S: Sync> FromRequestParts<S> for SourceAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers, parts.extensions.get().copied()))
    }
}

/// The values of the cookie `name`, in the order sent. Other cookies of the host may hold any bytes (RFC 6265, section
/// 5.4), which browsers send and Lambda passes on, so the header is not read as text.
pub fn cookies<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h [u8]> {
    let lines = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    pairs.filter_map(move |pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, values: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name, HeaderValue::from_bytes(value).unwrap());
        }
        headers
    }

    #[test]
    fn a_request_id_is_echoed_when_printable_and_made_otherwise() {
        let runtime = Runtime::system();
        let id = |values: &[&[u8]]| {
            RequestMeta::from_headers(&headers(REQUEST_ID, values), &runtime, Duration::ZERO).request_id.to_string()
        };
        assert_eq!(id(&[b"abc 1"]), "abc 1");
        assert_eq!(id(&[&[b'x'; 128]]), "x".repeat(128));
        let bad: [&[&[u8]]; 6] = [&[], &[b""], &[&[b'x'; 129]], &[b"a\tb"], &["é".as_bytes()], &[b"a", b"b"]];
        for values in bad {
            assert!(id(values).starts_with("req_"), "{values:?}");
        }
    }

    #[test]
    fn a_viewers_address_is_believed_beside_the_distributions_secret_alone() {
        let known = Secret::new("sesame".into());
        let peer = PeerAddress("192.0.2.1".parse().unwrap());
        let resolve = |fields: &[(&'static str, &'static str)], known: Option<&Secret>| {
            let mut headers = HeaderMap::new();
            for (name, value) in fields {
                headers.append(*name, HeaderValue::from_static(value));
            }
            SourceAddress::of(&headers, Some(peer)).resolve(known).to_string()
        };
        let viewer = (VIEWER, "203.0.113.9");
        assert_eq!(resolve(&[(SECRET, "sesame"), viewer], Some(&known)), "203.0.113.9");
        for fields in [
            &[][..],
            &[viewer],
            &[(SECRET, "wrong"), viewer],
            &[(SECRET, "sesame"), (SECRET, "sesame"), viewer],
            &[(SECRET, "sesame"), viewer, viewer],
            &[(SECRET, "sesame"), (VIEWER, "nowhere")],
        ] {
            assert_eq!(resolve(fields, Some(&known)), "192.0.2.1", "{fields:?}");
        }
        assert_eq!(resolve(&[(SECRET, ""), viewer], None), "192.0.2.1");
    }
}
