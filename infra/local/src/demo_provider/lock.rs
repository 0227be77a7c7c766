//! The secret of the printed address, and the cookie that it is exchanged for.

use domain::Result;
use domain::clock::Runtime;
use http::HeaderMap;
use subtle::ConstantTimeEq;

/// A secret and a cookie, both of this start.
pub(super) struct Lock {
    secret: String,
    /// Its name has the port: browsers send a host's cookies to all of its ports.
    cookie_name: String,
    cookie: String,
    path: &'static str,
}

impl Lock {
    /// One for the provider at `origin`, under `path`.
    pub(super) fn new(origin: &str, path: &'static str, runtime: &Runtime) -> Result<Self> {
        let port = origin.rsplit(':').next().unwrap_or_default();
        let cookie_name = format!("demo_provider_{port}");
        Ok(Self { secret: runtime.token()?, cookie_name, cookie: runtime.token()?, path })
    }

    pub(super) fn secret(&self) -> &str {
        &self.secret
    }

    /// The cookie for one who knows the secret.
    pub(super) fn cookie_for(&self, secret: &[u8]) -> Option<String> {
        let Self { cookie_name, cookie, path, .. } = self;
        let knows = bool::from(secret.ct_eq(self.secret.as_bytes()));
        knows.then(|| format!("{cookie_name}={cookie}; HttpOnly; SameSite=Strict; Path={path}"))
    }

    /// Whether a request has the cookie.
    pub(super) fn is_opened_by(&self, headers: &HeaderMap) -> bool {
        edge::cookies(headers, &self.cookie_name).any(|value| value.ct_eq(self.cookie.as_bytes()).into())
    }
}
