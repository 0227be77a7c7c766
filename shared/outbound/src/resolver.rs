//! Resolves a name to the addresses that are dialled, and checks each of them.
//!
//! The HTTP client asks [`FilteringResolver`] once for each connection and dials only what it returns. So no second
//! look-up can answer differently. One address that may not be dialled refuses the whole answer, because a public name
//! has no reason to have a private address. The client does not resolve IP literals: those are checked as part of the
//! URL.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::OutboundPolicy;
use super::address::is_allowed;

/// Finds the addresses of a name.
#[async_trait]
pub trait Resolver: Send + Sync + fmt::Debug {
    /// Every address of `host`, which is never an IP literal.
    ///
    /// # Errors
    /// The answer of the resolver, for the log.
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Default, Clone, Copy)]
pub struct SystemResolver;

#[async_trait]
impl Resolver for SystemResolver {
    async fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(tokio::net::lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}

/// An address behind a name may not be dialled.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("an address behind the name may not be dialled")]
pub(super) struct BlockedAddress;

/// A resolver that answers with addresses that may be dialled, or not at all.
#[derive(Debug, Clone)]
pub(super) struct FilteringResolver {
    pub(super) resolver: Arc<dyn Resolver>,
    pub(super) policy: OutboundPolicy,
}

impl Resolve for FilteringResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { resolver, policy } = self.clone();
        Box::pin(async move {
            let found = resolver.addresses(name.as_str()).await?;
            if found.is_empty() {
                return Err(io::Error::from(io::ErrorKind::NotFound).into());
            }
            if !found.iter().all(|address| is_allowed(*address, policy)) {
                return Err(BlockedAddress.into());
            }
            // Port 0: the client puts the URL's in its place.
            let addresses = found.into_iter().map(|address| SocketAddr::new(address.to_canonical(), 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
