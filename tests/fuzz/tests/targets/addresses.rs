//! Addresses that tenants write.

use std::net::IpAddr;

use outbound::{OutboundPolicy, OutboundUrl};

const WORDS: &[&str] = &[
    "https://",
    "http://",
    "HTTPS:",
    "//",
    "/",
    "\\",
    "@",
    ":",
    "#",
    "?",
    "%",
    "%2f",
    "%00",
    ".",
    "..",
    "[",
    "]",
    "::1",
    "::ffff:",
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "017700000001",
    "169.254.169.254",
    "10.0.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "fd00::1",
    "fe80::1",
    "64:ff9b::",
    "2002:7f00:1::",
    "localhost",
    "localhost.",
    ".internal",
    ".local",
    "metadata.google.internal",
    "example.com",
    "a.b",
    "xn--",
    "ß",
    "。",
    "①",
    "\u{200B}",
    "\t",
    "\n",
    " ",
    ":443",
    ":80",
    ":0",
    ":99999",
    "user:pass@",
    "1.1.1.1",
    "8.8.8.8",
];

/// Whether an address that is written in a URL is one that everybody may call.
fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let not = v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_unspecified();
            !(not || v4.is_broadcast() || v4.is_multicast() || v4.is_documentation())
        }
        IpAddr::V6(v6) => {
            let not = v6.is_loopback() || v6.is_unspecified() || v6.is_unique_local() || v6.is_unicast_link_local();
            !(not || v6.is_multicast())
        }
    }
}

#[test]
fn url_guard() {
    fuzz::texts!(WORDS, |text| {
        for prefixed in [text.to_owned(), format!("https://{text}"), format!("https://example.com{text}")] {
            let Ok(url) = OutboundUrl::parse(&prefixed, &OutboundPolicy::default()) else { continue };
            let shown = url.as_str();
            assert!(shown.starts_with("https://") && shown.len() <= 2_048 * 3, "{prefixed:?} {shown}");
            assert!(!shown.contains(['@', '#', '\\']) || url.path().contains('@') || shown.contains('?'), "{shown}");
            assert_eq!(OutboundUrl::parse(shown, &OutboundPolicy::default()).as_ref(), Ok(&url), "{prefixed:?}");
            let host = url.host().trim_matches(['[', ']']);
            let address: Option<IpAddr> = host.parse().ok();
            assert!(address.is_none_or(is_public) && host != "localhost" && !host.ends_with('.'), "{prefixed:?}");
        }
    });
}
