//! How often signing in may fail: so many times a minute from one address, which is stored as a keyed hash.

use std::net::IpAddr;

use app::allowance::refused;
use aws::store::Store;
use domain::error::Code;
use domain::rate_limit::{Draw, Quota};
use domain::{Error, Result, Secret, hmac_sha256_hex};

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
    hash: String,
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
        let hash = hmac_sha256_hex(self.key.expose().as_bytes(), network(address).as_bytes());
        let quota = self.per_minute.map_or(FAILURES, |limit| Quota::per_minute(FAILURES.name, limit));
        let draw = Draw { quota, subject: String::new(), tokens: 1, is_reported: false };
        let taken = store.rate_buckets().take_of_address(&hash, &draw).await;
        taken.map_err(|exhausted| refused(&exhausted))?;
        Ok(Attempt { store, hash, draw })
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
            self.store.rate_buckets().give_back_of_address(&self.hash, &self.draw).await;
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
    use super::*;

    #[test]
    fn an_address_of_ipv6_counts_by_its_network() {
        let of = |text: &str| network(&text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
