//! The cookie of a sign-in. Scripts cannot read it, no other site's request carries it, and only renewing and signing out
//! read it.
//!
//! Browsers send a cookie of one port of a host to its other ports, too. Without encryption, on this machine alone, its
//! name holds the port, so that two services do not replace each other's, and its path keeps it from other pages there.

use domain::access::SecretToken;
use domain::{Error, Result};
use http::{HeaderMap, HeaderValue, Uri};

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
}
