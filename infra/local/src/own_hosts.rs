//! The hosts that a request may name: this machine's own names, and those that an option adds.
//!
//! A web page can let the name of its own site lead to this machine (DNS rebinding). For a browser its requests are then
//! requests to the page's own site, whose answers it may read. They still name that site.

use std::net::Ipv4Addr;
use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use domain::clock::Runtime;
use domain::error::Code;
use domain::{Error, Result};
use http::{HeaderValue, header};

/// The port of a request that names none.
const HTTP_PORT: u16 = 80;

/// The hosts that requests may name. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct OwnHosts {
    port: u16,
    /// In lower case, with a port or without.
    more: Arc<[String]>,
    runtime: Runtime,
}

impl OwnHosts {
    /// The names of loopback with `port`, and `more`: a host with a port is that alone, one without is allowed with `port`
    /// and without any.
    pub(crate) fn new(port: u16, more: &[String], runtime: &Runtime) -> Self {
        let more = more.iter().map(|host| host.to_ascii_lowercase()).collect();
        Self { port, more, runtime: runtime.clone() }
    }

    /// The middleware: refuses a request that names another host.
    pub(crate) async fn require(self, request: Request, next: Next) -> Response {
        match self.check(&request) {
            Ok(()) => next.run(request).await,
            Err(error) => edge::refuse(request.headers(), &self.runtime, error),
        }
    }

    fn check(&self, request: &Request) -> Result<()> {
        let named: Vec<&HeaderValue> = request.headers().get_all(header::HOST).iter().collect();
        let target = request.uri().authority();
        let [host] = named.as_slice() else {
            return Err(Error::new(Code::ValidationError, "Send exactly one Host header."));
        };
        // A target may name a host, too.
        let are_own = host.to_str().is_ok_and(|host| self.is_own(host))
            && target.is_none_or(|target| self.is_own(target.as_str()));
        if are_own { Ok(()) } else { Err(Error::new(Code::Forbidden, REFUSED)) }
    }

    fn is_own(&self, authority: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let (host, port) = match authority.rsplit_once(':') {
            // A colon inside of brackets belongs to an address.
            Some((host, digits)) if !digits.ends_with(']') => match digits.parse() {
                Ok(port) if digits.bytes().all(|b| b.is_ascii_digit()) => (host, port),
                _ => return false,
            },
            _ => (authority.as_str(), HTTP_PORT),
        };
        (port == self.port && (is_loopback(host) || self.is_allowed(host))) || self.is_allowed(&authority)
    }

    fn is_allowed(&self, authority: &str) -> bool {
        self.more.iter().any(|allowed| allowed == authority)
    }
}

const REFUSED: &str = "The Host of this request is no name of this machine. The service answers to 127.0.0.1, [::1] and \
                       localhost with its port; the option --allow-host names others.";

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "[::1]") || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_hosts_are_those_of_loopback_with_the_port_and_those_that_were_named() {
        let more = ["Shop.test".to_owned(), "other.test:8080".to_owned()];
        let hosts = OwnHosts::new(9000, &more, &Runtime::system());
        let own = ["127.0.0.1:9000", "127.9.9.9:9000", "localhost:9000", "LOCALHOST:9000", "[::1]:9000"];
        for host in own.into_iter().chain(["shop.test", "SHOP.test:9000", "other.test:8080"]) {
            assert!(hosts.is_own(host), "{host}");
        }
        let foreign = [
            "",
            ":9000",
            "127.0.0.1",
            "127.0.0.1:",
            "127.0.0.1:9001",
            "127.0.0.1:+9000",
            "localhost",
            "localhost.:9000",
            "evil.test",
            "evil.test:9000",
            "localhost.evil.test:9000",
            "evil@127.0.0.1:9000",
            "[::1]",
            "::1:9000",
            "[::2]:9000",
            "0.0.0.0:9000",
            "2130706433:9000",
            "shop.test:8080",
            "other.test",
            "other.test:9000",
            "127.0.0.1:9000:9000",
            "127.0.0.1 :9000",
            "localhost:9000/",
            "127.1:9000",
        ];
        for host in foreign {
            assert!(!hosts.is_own(host), "{host}");
        }
    }

    #[test]
    fn the_default_port_needs_not_be_named() {
        let hosts = OwnHosts::new(80, &[], &Runtime::system());
        assert!(hosts.is_own("localhost") && hosts.is_own("[::1]") && hosts.is_own("127.0.0.1:80"));
        assert!(!hosts.is_own("evil.test"));
    }
}
