//! The cookie of a sign-in. Scripts cannot read it, no other site's request carries it, and only renewing and signing out
//! read it.

use domain::access::SecretToken;
use domain::{Error, Result};
use http::{HeaderMap, HeaderValue, header};

/// The name: with the prefix, a browser takes it from an encrypted connection alone, and for this host alone.
const fn name(is_secure: bool) -> &'static str {
    if is_secure { "__Host-desk" } else { "desk" }
}

const fn attributes(is_secure: bool) -> &'static str {
    if is_secure { "Path=/; HttpOnly; SameSite=Strict; Secure" } else { "Path=/; HttpOnly; SameSite=Strict" }
}

/// Sets it for so many seconds.
pub(crate) fn set(is_secure: bool, secret: &SecretToken, seconds: i64) -> Result<HeaderValue> {
    let (name, attributes) = (name(is_secure), attributes(is_secure));
    let text = format!("{name}={}; Max-Age={seconds}; {attributes}", secret.expose());
    let mut value = HeaderValue::from_str(&text).map_err(|_| Error::internal("a cookie is no header"))?;
    value.set_sensitive(true);
    Ok(value)
}

/// Clears it.
pub(crate) const fn clear(is_secure: bool) -> HeaderValue {
    HeaderValue::from_static(if is_secure {
        "__Host-desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure"
    } else {
        "desk=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict"
    })
}

/// The secret of a request; none where it is not there once, or has another form.
pub(crate) fn read(headers: &HeaderMap, is_secure: bool) -> Option<SecretToken> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut given = pairs.filter(|(key, _)| *key == name(is_secure)).map(|(_, value)| value);
    let only = given.next().filter(|_| given.next().is_none())?;
    SecretToken::parse(only)
}

#[cfg(test)]
mod tests {
    use domain::clock::Runtime;

    use super::*;

    #[test]
    fn the_cookie_is_read_where_it_stands_once_under_its_name() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let read_from = |lines: &[String], is_secure| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::COOKIE, HeaderValue::from_str(line).unwrap());
            }
            read(&headers, is_secure)
        };
        let good = format!("desk={}", secret.expose());
        assert_eq!(read_from(&[format!("a=b; {good}; c")], false), Some(secret.clone()));
        assert_eq!(read_from(&[format!("__Host-{good}")], true), Some(secret.clone()));
        assert_eq!(read_from(std::slice::from_ref(&good), true), None);
        assert_eq!(read_from(&[format!("__Host-{good}")], false), None);
        assert_eq!(read_from(&[good.clone(), good.clone()], false), None);
        assert_eq!(read_from(&["desk=".into()], false), None);
        assert_eq!(read_from(&[format!("{good}0")], false), None);
    }

    #[test]
    fn a_browser_keeps_it_from_scripts_and_other_sites() {
        let secret = SecretToken::generate(&Runtime::system()).unwrap();
        let secure = set(true, &secret, 60).unwrap();
        let expected =
            format!("__Host-desk={}; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure", secret.expose());
        assert_eq!(secure.to_str().unwrap(), expected);
        assert!(!set(false, &secret, 60).unwrap().to_str().unwrap().contains("Secure"));
        assert!(clear(true).to_str().unwrap().starts_with("__Host-desk=; Max-Age=0; "));
    }
}
