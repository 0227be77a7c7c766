//! What signing in needs beside its tokens: the provider and the keys, the desk's address and cookie, and the count of
//! sign-ins that failed.

use std::net::IpAddr;

use aws::config::Config;
use aws::desk_keys::{DeskKeys, DeskSigningKey};
use domain::access::SecretToken;
use domain::error::Code;
use domain::rate_limit::{Draw, Quota};
use domain::{Error, Result, Secret, hmac_sha256_hex};
use http::{HeaderMap, HeaderValue, Uri};
use openid::OpenIdProvider;

use crate::edge::allowance::refused;
use crate::edge::{self, App, ClientProvider};
use crate::table::Store;

/// Where the desk is.
#[derive(Debug, Clone)]
pub(crate) struct DeskUrl {
    /// As the operator wrote it.
    pub(crate) url: String,
    /// As browsers write its origin.
    pub(crate) origin: String,
    /// The cookie of its sign-ins.
    pub(crate) cookie: DeskCookie,
}

/// The clients that sign people in.
#[derive(Debug, Clone)]
pub(crate) struct Desk {
    pub(crate) provider: OpenIdProvider,
    /// Sign desk tokens.
    pub(crate) keys: DeskKeys,
    pub(crate) attempts: Attempts,
    /// Whether an invitation binds a person without an e-mail address.
    pub(crate) invite_without_email: bool,
}

impl App {
    /// The clients that sign people in, and the desk's address.
    ///
    /// # Errors
    /// 404 if the operator has configured no provider.
    pub(crate) fn desk(&self) -> Result<(&Desk, &DeskUrl)> {
        self.desk.as_ref().zip(self.desk_url.as_ref()).ok_or_else(|| Error::not_found("sign-in"))
    }
}

impl DeskUrl {
    pub(crate) fn of(config: &Config) -> Option<Self> {
        let (url, origin) = config.desk_url.clone().zip(config.desk_origin())?;
        let cookie = DeskCookie::of(&origin.parse().ok()?);
        Some(Self { url, origin, cookie })
    }
}

impl Desk {
    /// None if nobody signs in.
    pub(crate) async fn new(provider: &impl ClientProvider) -> Result<Option<Self>> {
        let (Some(openid), Some(keys)) = (provider.openid().await?, provider.desk_keys().await?) else {
            return Ok(None);
        };
        let key = keys.for_signing(provider.runtime().now(), |_| true).await;
        let config = provider.config();
        let attempts = Attempts::new(address_key(&key), config.rate_limit_per_minute);
        Ok(Some(Self { provider: openid, keys, attempts, invite_without_email: config.desk_invite_without_email }))
    }
}

/// Keys the hashes of addresses: made of the one secret that this function alone reads.
fn address_key(key: &DeskSigningKey) -> Secret {
    Secret::new(hmac_sha256_hex(&key.pkcs8, b"addresses of failed sign-ins"))
}

/// The cookie of a sign-in. Scripts cannot read it, no other site's request carries it, and only renewing and signing
/// out read it.
///
/// Browsers send a cookie of one port of a host to its other ports, too. Without encryption, on this machine alone, its
/// name holds the port, so that two services do not replace each other's, and its path keeps it from other pages there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeskCookie {
    /// Over https: with the prefix of its name, a browser takes it from an encrypted connection alone, and for this host
    /// alone.
    Secure,
    /// On this machine, of the desk at this port.
    Local(u16),
}

impl DeskCookie {
    /// The cookie of the desk with this origin.
    pub(crate) fn of(origin: &Uri) -> Self {
        match origin.scheme_str() {
            Some("http") => Self::Local(origin.port_u16().unwrap_or(80)),
            _ => Self::Secure,
        }
    }

    fn name(self) -> String {
        match self {
            Self::Secure => "__Host-desk".to_owned(),
            Self::Local(port) => format!("desk-{port}"),
        }
    }

    const fn attributes(self) -> &'static str {
        match self {
            Self::Secure => "Path=/; HttpOnly; SameSite=Strict; Secure",
            Self::Local(_) => "Path=/api/v1/auth; HttpOnly; SameSite=Strict",
        }
    }

    fn header(self, secret: &str, seconds: i64) -> Result<HeaderValue> {
        let text = format!("{}={secret}; Max-Age={seconds}; {}", self.name(), self.attributes());
        let mut value = HeaderValue::from_str(&text).map_err(|_| Error::internal("a cookie is no header"))?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Sets it for so many seconds.
    pub(crate) fn set(self, secret: &SecretToken, seconds: i64) -> Result<HeaderValue> {
        self.header(secret.expose(), seconds)
    }

    pub(crate) fn clear(self) -> Result<HeaderValue> {
        self.header("", 0)
    }

    /// The secret of a request; none if it is not there once, or has another form.
    pub(crate) fn read(self, headers: &HeaderMap) -> Option<SecretToken> {
        let name = self.name();
        let mut given = edge::cookies(headers, &name);
        let only = given.next().filter(|_| given.next().is_none())?;
        SecretToken::parse(std::str::from_utf8(only).ok()?)
    }
}

/// How often signing in may fail from one address, which is stored as a keyed hash.
const FAILURES: Quota = Quota::per_minute("failed-sign-ins", 20);

/// Counts failures; cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Attempts {
    /// Keys the hash of addresses.
    key: Secret,
    per_minute: Option<u32>,
}

/// A sign-in that is being tried.
#[must_use = "a sign-in that did not fail is given back"]
pub(crate) struct Attempt<'a> {
    store: &'a Store,
    draw: Draw,
}

impl Attempts {
    pub(crate) const fn new(key: Secret, per_minute: Option<u32>) -> Self {
        Self { key, per_minute }
    }

    /// Counts a sign-in before it is tried, so that many at once do not pass.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub(crate) async fn begin<'a>(&self, store: &'a Store, address: &IpAddr) -> Result<Attempt<'a>> {
        let subject = hmac_sha256_hex(self.key.expose().as_bytes(), network(address).as_bytes());
        let draw = Draw { quota: FAILURES.or_per_minute(self.per_minute), subject, tokens: 1 };
        let taken = store.rate_buckets().take_of_address(&draw).await;
        taken.map_err(|exhausted| refused(&exhausted))?;
        Ok(Attempt { store, draw })
    }
}

impl Attempt<'_> {
    /// Ends it: what succeeded, and what failed for another reason than its caller, is given back.
    pub(crate) async fn end(self, error: Option<&Error>) {
        let is_failure = error.is_some_and(|error| error.code().status() < 500);
        if is_failure {
            let code = error.map_or(Code::InternalError, Error::code).name();
            tracing::info!(metric.FailedSignIns = 1, error.code = code, "a sign-in failed");
        } else {
            self.store.rate_buckets().give_back_of_address(&self.draw).await;
        }
    }
}

/// The network that counts as one address: an IPv6 network of 64 bits belongs to one customer.
fn network(address: &IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("{:x}/64", u128::from(address) >> 64),
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Runtime;
    use http::header;

    use super::*;

    const LOCAL: DeskCookie = DeskCookie::Local(8788);

    #[test]
    fn the_cookie_is_read_where_it_stands_once_under_its_name() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let read_from = |lines: &[String], cookie: DeskCookie| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_bytes(line.as_bytes()).unwrap());
            }
            cookie.read(&headers)
        };
        let good = format!("desk-8788={}", secret.expose());
        let secure = format!("__Host-desk={}", secret.expose());
        assert_eq!(read_from(&[format!("a=b; {good}; c")], LOCAL), Some(secret.clone()));
        assert_eq!(read_from(std::slice::from_ref(&secure), DeskCookie::Secure), Some(secret.clone()));
        assert_eq!(read_from(std::slice::from_ref(&good), DeskCookie::Secure), None);
        assert_eq!(read_from(std::slice::from_ref(&good), DeskCookie::Local(8789)), None);
        assert_eq!(read_from(std::slice::from_ref(&secure), LOCAL), None);
        assert_eq!(read_from(&[good.clone(), good.clone()], LOCAL), None);
        assert_eq!(read_from(&["desk-8788=".into()], LOCAL), None);
        assert_eq!(read_from(&[format!("{good}0")], LOCAL), None);
        assert_eq!(read_from(&[format!("{good}é")], LOCAL), None);
        assert_eq!(read_from(&[format!("é={good}")], LOCAL), None);
    }

    #[test]
    fn a_browser_keeps_it_from_scripts_other_sites_and_other_pages_of_this_machine() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let of = |origin: &'static str| DeskCookie::of(&Uri::from_static(origin));
        for (origin, start, end) in [
            ("https://desk.example", "__Host-desk=", "; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure"),
            ("http://127.0.0.1:8788", "desk-8788=", "; Max-Age=60; Path=/api/v1/auth; HttpOnly; SameSite=Strict"),
            ("http://localhost", "desk-80=", "; Max-Age=60; Path=/api/v1/auth; HttpOnly; SameSite=Strict"),
        ] {
            let set = of(origin).set(&secret, 60).unwrap();
            assert_eq!(set.to_str().unwrap(), format!("{start}{}{end}", secret.expose()));
            let clear = of(origin).clear().unwrap();
            assert_eq!(clear.to_str().unwrap(), format!("{start}{}", end.replace("=60", "=0")));
        }
    }

    #[test]
    fn an_address_of_ipv6_counts_by_its_network() {
        let of = |text: &str| network(&text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
