//! A request as its client sent it: its path, and the address of its connection, as the gateway tells.
//!
//! The gateway decodes a path once before it writes `rawPath`, and `lambda_http` then parses that text as a URL: an
//! encoded `?` or `#` would begin a query or vanish, and an encoded dot segment or backslash would be resolved. So the
//! path is rebuilt from `rawPath`, byte by byte: the router sees what was sent, and the type that parses the path (an
//! id, a wiki path) refuses it. A remaining escape was sent encoded twice and must not be decoded again. Without a
//! gateway (`cargo lambda watch`) the path is as the client wrote it.

use std::fmt::Write as _;

use http::Uri;
use lambda_http::aws_lambda_events::apigw::ApiGatewayV2httpRequestContext;
use lambda_http::request::RequestContext;
use lambda_http::{Request, RequestExt as _};
use support::edge::PeerAddress;

/// The request as its client sent it, with the address of the connection.
pub(crate) fn as_sent(request: Request) -> Request {
    restore_path(note_peer(request))
}

/// What the gateway tells of a request.
fn gateway_context(request: &Request) -> Option<&ApiGatewayV2httpRequestContext> {
    match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => Some(context),
        _ => None,
    }
}

/// The request with the address that the gateway saw, if there is a gateway.
fn note_peer(mut request: Request) -> Request {
    let address = gateway_context(&request).and_then(|context| context.http.source_ip.as_deref()?.parse().ok());
    if let Some(address) = address {
        request.extensions_mut().insert(PeerAddress(address));
    }
    request
}

/// The request with the path that its client sent.
fn restore_path(mut request: Request) -> Request {
    let raw = request.raw_http_path().to_owned();
    let mut target = percent_encode(&raw, is_decoded(&request));
    // `lambda_http` parses the query of such a path wrongly, and no route accepts such a path.
    if let Some(query) = request.uri().query().filter(|_| !raw.contains(['?', '#'])) {
        target.push('?');
        target.push_str(query);
    }
    *request.uri_mut() = Uri::try_from(target).unwrap_or_else(|_| Uri::from_static("/"));
    request
}

/// Whether a gateway, which decodes, is in front of this function: it puts the id of its API into each event.
fn is_decoded(request: &Request) -> bool {
    gateway_context(request).is_some_and(|context| context.apiid.is_some())
}

/// `raw` with every byte percent-encoded that a path must not contain. In a decoded path a `%` is a literal one; in any
/// other path an escape is kept for the router to decode.
fn percent_encode(raw: &str, decoded: bool) -> String {
    let mut path = String::with_capacity(raw.len() + 1);
    if !raw.starts_with('/') {
        path.push('/');
    }
    for (at, byte) in raw.bytes().enumerate() {
        let escape =
            || !decoded && raw.as_bytes().get(at + 1..at + 3).is_some_and(|two| two.iter().all(u8::is_ascii_hexdigit));
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

    const WORDS: &[&str] = &[
        "/",
        "//",
        "/api/v1/wiki/",
        "..",
        ".",
        "%",
        "%2F",
        "%2f",
        "%25",
        "%3F",
        "%00",
        "%zz",
        "%E2%82",
        "?",
        "#",
        "&",
        "=",
        "\\",
        ";",
        ":",
        "@",
        " ",
        "+",
        "é",
        "\u{0}",
        "\u{7F}",
        "\n",
        "[",
        "]",
        "{",
        "}",
        "|",
        "^",
        "`",
        "~",
        "a",
    ];

    /// The bytes that a path stands for.
    fn decoded(path: &str) -> Vec<u8> {
        let (mut rest, mut bytes) = (path.as_bytes(), Vec::new());
        while let Some((first, more)) = rest.split_first() {
            let escape = more.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
            let escape = escape.and_then(|two| u8::from_str_radix(two, 16).ok());
            bytes.push(escape.unwrap_or(*first));
            rest = if escape.is_some() { more.get(2..).unwrap_or_default() } else { more };
        }
        bytes
    }

    #[test]
    fn fuzzed_paths() {
        fuzz::texts!(WORDS, |text| {
            let raw = format!("/{text}");
            // Behind a gateway every byte is what the client meant; otherwise an escape stays one.
            let restored = percent_encode(&raw, true);
            assert_eq!(decoded(&restored), raw.as_bytes(), "{raw:?}");
            let kept = percent_encode(&raw, false);
            assert_eq!(percent_encode(&kept, false), kept, "{raw:?}");
            for path in [restored, kept] {
                let uri = Uri::try_from(path.as_str()).unwrap();
                assert_eq!((uri.path(), uri.query()), (path.as_str(), None), "{raw:?}");
            }
        });
    }

    fn uri(raw_path: &str, raw_query: &str) -> String {
        uri_behind(Some("a1b2c3"), raw_path, raw_query)
    }

    fn uri_behind(api: Option<&str>, raw_path: &str, raw_query: &str) -> String {
        let event = serde_json::json!({
            "version": "2.0", "routeKey": "$default", "rawPath": raw_path, "rawQueryString": raw_query,
            "headers": {"host": "api.example"}, "isBase64Encoded": false,
            "requestContext": {
                "stage": "$default", "routeKey": "$default", "timeEpoch": 0, "apiId": api,
                "http": {"method": "GET", "path": raw_path, "protocol": "HTTP/1.1"},
            },
        });
        let request = lambda_http::request::from_str(&event.to_string()).unwrap();
        restore_path(request).uri().to_string()
    }

    #[test]
    fn an_ordinary_path_keeps_its_shape_and_its_query() {
        assert_eq!(uri("/api/v1/sessions", "limit=2&cursor=a%2Fb"), "/api/v1/sessions?limit=2&cursor=a%2Fb");
        assert_eq!(uri("/api/v1/wiki/billing/refunds", ""), "/api/v1/wiki/billing/refunds");
    }

    #[test]
    fn a_doubly_encoded_path_is_decoded_once() {
        // The caller sent `%252F`, `%252e%252e`, `%2541`.
        assert_eq!(uri("/api/v1/wiki/a%2Fb", ""), "/api/v1/wiki/a%252Fb");
        assert_eq!(uri("/api/v1/wiki/a/%2e%2e/b", ""), "/api/v1/wiki/a/%252e%252e/b");
        assert_eq!(uri("/api/v1/wiki/a/%41", ""), "/api/v1/wiki/a/%2541");
    }

    #[test]
    fn without_a_gateway_the_path_is_as_the_caller_wrote_it() {
        assert_eq!(uri_behind(None, "/api/v1/wiki/billing%2Frefunds", ""), "/api/v1/wiki/billing%2Frefunds");
        assert_eq!(uri_behind(None, "/api/v1/wiki/a%252Fb", ""), "/api/v1/wiki/a%252Fb");
        assert_eq!(uri_behind(None, "/wiki/100%", ""), "/wiki/100%25");
    }

    #[test]
    fn an_encoded_character_is_not_reinterpreted() {
        for (raw, expected) in [
            ("/wiki/a/what?", "/wiki/a/what%3F"),
            ("/wiki/a/b?limit=1", "/wiki/a/b%3Flimit=1"),
            ("/wiki/a/b#c", "/wiki/a/b%23c"),
            ("/wiki/a/../b", "/wiki/a/../b"),
            ("/wiki/a/./b", "/wiki/a/./b"),
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
    fn the_query_after_an_invalid_path_is_dropped() {
        assert_eq!(uri("/wiki/a?b", "limit=1"), "/wiki/a%3Fb");
        assert_eq!(uri("/wiki/a#b", "limit=1"), "/wiki/a%23b");
    }

    #[test]
    fn the_address_is_the_one_that_the_gateway_saw() {
        let noted = |source: serde_json::Value| {
            let event = serde_json::json!({
                "version": "2.0", "routeKey": "$default", "rawPath": "/", "rawQueryString": "",
                "headers": {"host": "api.example", "x-forwarded-for": "203.0.113.9"}, "isBase64Encoded": false,
                "requestContext": {
                    "stage": "$default", "routeKey": "$default", "timeEpoch": 0, "apiId": "a1",
                    "http": {"method": "GET", "path": "/", "protocol": "HTTP/1.1", "sourceIp": source},
                },
            });
            let request = note_peer(lambda_http::request::from_str(&event.to_string()).unwrap());
            request.extensions().get::<PeerAddress>().map(|PeerAddress(address)| address.to_string())
        };
        assert_eq!(noted("192.0.2.1".into()).as_deref(), Some("192.0.2.1"));
        assert_eq!(noted("nowhere".into()), None);
    }
}
