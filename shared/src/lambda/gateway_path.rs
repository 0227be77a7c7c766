//! What a caller's path becomes on its way in, and how it is undone.
//!
//! The gateway decodes a path once before it writes `rawPath`, and `lambda_http` then parses that text as a URL: an
//! encoded `?` or `#` would begin a query or vanish, and an encoded dot segment or backslash would be resolved. So the
//! path is built again from `rawPath`, byte by byte: the router sees what was sent, and the type that reads the path
//! (an id, a wiki path) refuses it.

use std::fmt::Write as _;

use http::Uri;
use lambda_http::{Request, RequestExt as _};

/// The request with the path that its caller meant.
pub(super) fn as_sent(mut request: Request) -> Request {
    let raw = request.raw_http_path().to_owned();
    let mut target = encoded(&raw);
    // Such a path spoils the query that `lambda_http` put behind it, and nothing takes such a path.
    if let Some(query) = request.uri().query().filter(|_| !raw.contains(['?', '#'])) {
        target.push('?');
        target.push_str(query);
    }
    *request.uri_mut() = Uri::try_from(target).unwrap_or_else(|_| Uri::from_static("/"));
    request
}

/// `raw` with everything percent-encoded that has no place in a path. An escape in it is left alone: the router
/// decodes it, as it does where nothing stands before the function that decodes.
fn encoded(raw: &str) -> String {
    let mut path = String::with_capacity(raw.len() + 1);
    if !raw.starts_with('/') {
        path.push('/');
    }
    for (at, byte) in raw.bytes().enumerate() {
        let escape = || raw.as_bytes().get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
        if byte.is_ascii_alphanumeric() || b"/-._~!$&'()*+,;=:@".contains(&byte) || (byte == b'%' && escape()) {
            path.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(path, "%{byte:02X}");
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(raw_path: &str, raw_query: &str) -> String {
        let event = serde_json::json!({
            "version": "2.0", "routeKey": "$default", "rawPath": raw_path, "rawQueryString": raw_query,
            "headers": {"host": "api.example"}, "isBase64Encoded": false,
            "requestContext": {
                "stage": "$default", "routeKey": "$default", "timeEpoch": 0,
                "http": {"method": "GET", "path": raw_path, "protocol": "HTTP/1.1"},
            },
        });
        let request = lambda_http::request::from_str(&event.to_string()).unwrap();
        as_sent(request).uri().to_string()
    }

    #[test]
    fn an_ordinary_path_keeps_its_shape_and_its_query() {
        assert_eq!(uri("/api/v1/sessions", "limit=2&cursor=a%2Fb"), "/api/v1/sessions?limit=2&cursor=a%2Fb");
        assert_eq!(uri("/api/v1/wiki/billing/refunds", ""), "/api/v1/wiki/billing/refunds");
        assert_eq!(uri("/api/v1/wiki/billing%2Frefunds", ""), "/api/v1/wiki/billing%2Frefunds");
    }

    #[test]
    fn what_came_encoded_is_not_reinterpreted() {
        for (raw, expected) in [
            ("/wiki/a/what?", "/wiki/a/what%3F"),
            ("/wiki/a/b?limit=1", "/wiki/a/b%3Flimit=1"),
            ("/wiki/a/b#c", "/wiki/a/b%23c"),
            ("/wiki/a/../b", "/wiki/a/../b"),
            ("/wiki/a/./b", "/wiki/a/./b"),
            ("/wiki/a/%2e%2e/b", "/wiki/a/%2e%2e/b"),
            ("/wiki/a\\b", "/wiki/a%5Cb"),
            ("/wiki/a b", "/wiki/a%20b"),
            ("/wiki/a/é", "/wiki/a/%C3%A9"),
            ("/wiki/100%", "/wiki/100%25"),
            ("/wiki/100%zz", "/wiki/100%25zz"),
            ("/wiki/a\u{0}b", "/wiki/a%00b"),
            ("//wiki//a", "//wiki//a"),
        ] {
            assert_eq!(uri(raw, ""), expected, "{raw}");
        }
    }

    #[test]
    fn a_query_behind_a_spoilt_path_is_dropped() {
        assert_eq!(uri("/wiki/a?b", "limit=1"), "/wiki/a%3Fb");
        assert_eq!(uri("/wiki/a#b", "limit=1"), "/wiki/a%23b");
    }
}
