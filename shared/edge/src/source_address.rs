//! The address that a request comes from.
//!
//! The gateway tells whose connection it is. Behind the distribution that is the distribution's; then the distribution
//! tells the viewer's address, which is believed only beside the secret that it sends with each request.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use http::HeaderMap;
use http::request::Parts;
use schemars::SchemaGenerator;
use subtle::ConstantTimeEq;

use crate::describe::{Input, Operation};
use domain::Secret;

/// Where the distribution says its secret, and the viewer's address.
const SECRET: &str = "x-distribution-secret";
const VIEWER: &str = "x-viewer-address";

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

impl Input for SourceAddress {
    fn describe(_: &mut Operation, _: &mut SchemaGenerator) {}
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

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
