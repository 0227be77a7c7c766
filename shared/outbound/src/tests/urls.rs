//! Tests which URLs may be registered: the collected ones, and generated families.

use std::net::{IpAddr, Ipv4Addr};

use proptest::prelude::*;
use serde_json::Value;

use crate::address::is_allowed;
use crate::{OutboundPolicy, OutboundUrl, UrlError};

const STRICT: OutboundPolicy = OutboundPolicy { allow_loopback: false, allow_http: false };
const HTTP: OutboundPolicy = OutboundPolicy { allow_loopback: false, allow_http: true };
const LOCAL: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

fn url_error(url: &str) -> Option<UrlError> {
    OutboundUrl::parse(url, &HTTP).err()
}

#[test]
fn every_collected_url_is_accepted_or_refused_as_expected() {
    let mut checked = 0;
    for line in include_str!("../../../../tests/fixtures/ssrf_urls.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (url, at) = (case["url"].as_str().unwrap(), case["refuse_at"].as_str().unwrap());
        let result = OutboundUrl::parse(url, &HTTP);
        assert_eq!(result.is_err(), at == "register", "{case}: {result:?}");
        // A URL that is refused with http allowed is refused without; https alone is accepted.
        assert_eq!(OutboundUrl::parse(url, &STRICT).is_ok(), at == "accept", "{case}");
        checked += 1;
    }
    assert_eq!(checked, 106);
}

#[test]
fn the_rules_apply_in_their_order() {
    use UrlError::*;
    let long = format!("https://acme.com/{}", "x".repeat(2048 - 16));
    for (url, expected) in [
        (long.as_str(), Some(TooLong)),
        (&long[..2048], None),
        ("https://acmé.com/\\", Some(NotAscii)),
        ("https://acme.com/a b", Some(ForbiddenCharacter)),
        (" https://acme.com/", Some(ForbiddenCharacter)),
        ("https://acme.com/\u{7f}", Some(ForbiddenCharacter)),
        ("acme.com", Some(NotAUrl)),
        ("gopher://acme.com/#x", Some(Scheme)),
        ("javascript://acme.com/", Some(Scheme)),
        ("http:acme.com/", Some(NotAUrl)),
        ("https:///acme.com/", Some(NotAUrl)),
        ("https://u@acme.com/#x", Some(Authority)),
        ("https://u:p@acme.com/", Some(Authority)),
        ("https://@acme.com/", Some(Authority)),
        ("https://:@acme.com/", Some(NotAUrl)),
        ("https://acme%2ecom/", Some(Authority)),
        ("https://acme.com:1/#", Some(Fragment)),
        ("https://acme.com:1/", Some(Port)),
        ("https://acme.com:80/", Some(Port)),
        ("https://acme.com:8080/", Some(Port)),
        ("https://10.1:1/", Some(Port)),
        ("https://8.8.2056/", Some(Ipv4Spelling)),
        ("https://8.8.8.8./", Some(Ipv4Spelling)),
        ("https://10.0.0.1/", Some(Address)),
        ("https://[fe80::1]/", Some(Address)),
        ("https://localhost/", Some(HostName)),
        ("http://acme.com:80/", None),
        ("http://acme.com:8080/", None),
        ("http://acme.com:443/", None),
        ("http://acme.com:8443/", None),
        ("HTTPS://ACME.com:443?q=a@b%20c", None),
        ("https://8.8.8.8/", None),
    ] {
        assert_eq!(url_error(url), expected, "{url}");
    }
}

#[test]
fn a_host_has_two_valid_labels_of_the_public_internet() {
    let (label, long_label) = ("a".repeat(63), "a".repeat(64));
    let long = ["a".repeat(63), "b".repeat(63), "c".repeat(63), "d".repeat(61)].join(".");
    let good =
        ["a.b", "1.a", "a-b.c_d", "xn--bcher-kva.example", "a.test", "hooks.example", "_x.acme.com", "acme.com."];
    for host in good.into_iter().chain([format!("{label}.com").as_str(), &long]) {
        assert_eq!(url_error(&format!("https://{host}/")), None, "{host}");
    }
    let bad = [
        "acme",
        "acme.",
        "acme.com..",
        ".acme.com",
        "a..b",
        "-a.com",
        "a-.com",
        "a.-com",
        "a.com-",
        "a!b.com",
        "a*.com",
        "a'b.com",
        "a,b.com",
        "a$b.com",
        "a~b.com",
        "LOCALHOST",
        "foo.LocalHost",
        "localhost.",
        "foo.local",
        "x.internal",
        "metadata.google.internal",
        "a.localdomain",
        "router.home.arpa",
        "nas.lan",
        "x.intranet",
        "x.corp",
        "x.home",
        "abc.onion",
        "api.default.svc",
        "kubernetes.default.svc.cluster.local",
        "1.0.0.127.in-addr.arpa",
        "local.",
        "home.arpa.",
        "a.local.",
    ];
    let one_more = format!("{long}d");
    for host in bad.into_iter().chain([format!("{long_label}.com").as_str(), &one_more]) {
        assert!(url_error(&format!("https://{host}/")).is_some(), "{host}");
    }
    // An end that only looks like a private one.
    for host in ["mylocal.com", "notlocalhost.com", "local.com", "a.homes", "svc.io", "x.corporate"] {
        assert_eq!(url_error(&format!("https://{host}/")), None, "{host}");
    }
}

#[test]
fn a_url_has_one_spelling() {
    let url = OutboundUrl::parse("HTTPS://Hooks.ACME.com.:443/a/../B?x=1", &STRICT).unwrap();
    assert_eq!((url.as_str(), url.host(), url.path()), ("https://hooks.acme.com/B?x=1", "hooks.acme.com", "/B"));
    assert_eq!(OutboundUrl::parse(url.as_str(), &STRICT).unwrap(), url);
}

#[test]
fn loopback_is_allowed_by_its_setting_with_any_port_and_nothing_else_is() {
    for url in [
        "http://127.0.0.1:4321/x",
        "http://localhost:1/",
        "https://localhost/",
        "http://hook.localhost:9/",
        "http://[::1]:65535/",
        "http://127.9.9.9/",
        "http://[::ffff:127.0.0.1]:77/",
    ] {
        assert!(OutboundUrl::parse(url, &LOCAL).is_ok(), "{url}");
        assert!(url_error(url).is_some(), "{url}");
    }
    for url in [
        "http://0.0.0.0:1/",
        "http://127.1:1/",
        "http://2130706433/",
        "http://localhost:0/",
        "http://[::]/",
        "http://10.0.0.1/",
        "http://169.254.169.254/",
        "http://acme.com:22/",
        "http://ip6-localhost/",
        "http://db/",
        "http://u@127.0.0.1/",
        "http://127.0.0.1/#x",
        "http://[::127.0.0.1]/",
        "http://[::1%25lo]/",
    ] {
        assert!(OutboundUrl::parse(url, &LOCAL).is_err(), "{url}");
    }
    let loopback_only = OutboundPolicy { allow_loopback: true, allow_http: false };
    assert_eq!(OutboundUrl::parse("http://127.0.0.1/", &loopback_only), Err(UrlError::Scheme));
}

/// Every way that we know of to write an IPv4 address as a host.
fn spellings(ip: Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = ip.octets();
    let (bits, low24, low16) = (ip.to_bits(), ip.to_bits() & 0xff_ffff, ip.to_bits() & 0xffff);
    let (high, low) = (bits >> 16, bits & 0xffff);
    let wide: String = ip.to_string().chars().map(|c| char::from_u32(c as u32 + 0xfee0).unwrap()).collect();
    let escaped: String = ip.to_string().bytes().map(|byte| format!("%{byte:02x}")).collect();
    vec![
        format!("{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}."),
        format!("{bits}"),
        format!("0x{bits:x}"),
        format!("0X{bits:X}"),
        format!("0{bits:o}"),
        format!("{a}.{low24}"),
        format!("{a}.{b}.{low16}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("{a:03}.{b:03}.{c:03}.{d:03}"),
        format!("0x{a:x}.0{b:o}.{low16}"),
        format!("0000000{a:o}.{b}.{c}.{d}"),
        format!("[::{a}.{b}.{c}.{d}]"),
        format!("[::ffff:{a}.{b}.{c}.{d}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:ffff:{high:x}:{low:x}]"),
        format!("[::ffff:0:{a}.{b}.{c}.{d}]"),
        format!("[64:ff9b::{a}.{b}.{c}.{d}]"),
        format!("[64:ff9b:1::{high:x}:{low:x}]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[2001:0:{high:x}:{low:x}::1]"),
        format!("[2606:4700::5efe:{high:x}:{low:x}]"),
        format!("[fe80::5efe:{high:x}:{low:x}]"),
        wide,
        escaped,
        format!("example.com@{a}.{b}.{c}.{d}"),
        format!("{a}.{b}.{c}.{d}@example.com"),
        format!("{a}.{b}.{c}.{d}\\@example.com"),
        format!("{a}.{b}.{c}.{d}%00.example.com"),
        format!("{a}.{b}.{c}.{d}#@example.com"),
        format!("{a}。{b}。{c}。{d}"),
        format!("{a}.{b}\t.{c}.{d}"),
        format!("/{a}.{b}.{c}.{d}"),
    ]
}

/// An address of one of the private networks.
fn private() -> impl Strategy<Value = Ipv4Addr> {
    let networks = [
        (0u32, 8u32),
        (0x0a00_0000, 8),
        (0x6440_0000, 10),
        (0x7f00_0000, 8),
        (0xa9fe_0000, 16),
        (0xac10_0000, 12),
        (0xc000_0000, 24),
        (0xc000_0200, 24),
        (0xc058_6300, 24),
        (0xc0a8_0000, 16),
        (0xc612_0000, 15),
        (0xc633_6400, 24),
        (0xcb00_7100, 24),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
        (0xa83f_8110, 32),
    ];
    (proptest::sample::select(networks.to_vec()), any::<u32>())
        .prop_map(|((network, bits), random)| Ipv4Addr::from_bits(network | random.checked_shr(bits).unwrap_or(0)))
}

/// Hosts made of what confuses parsers.
fn odd_authority() -> impl Strategy<Value = String> {
    let parts = [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "localhost",
        "example.com",
        "[::1]",
        "@",
        ":",
        ":80",
        ":443",
        "\\",
        "#",
        "?",
        "/",
        "%",
        "%2e",
        "%40",
        ".",
        "0x7f",
        "2130706433",
        "[",
        "]",
        "::",
        "a",
        "-",
        "_",
        "８",
        "\t",
        "..",
        "8.8.8.8",
        "0177",
        "1",
        "xn--",
        "local",
        ".internal",
    ];
    proptest::collection::vec(proptest::sample::select(parts.to_vec()), 1..6).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn a_private_address_is_refused_however_it_is_written(ip in private(), https in any::<bool>()) {
        let scheme = if https { "https" } else { "http" };
        for host in spellings(ip) {
            for url in [format!("{scheme}://{host}/x"), format!("{scheme}://{host}:8443/"), format!("{scheme}://{host}")] {
                prop_assert!(url_error(&url).is_some(), "{}", url);
            }
        }
    }

    #[test]
    fn a_public_address_is_accepted_in_its_one_spelling(bits in any::<u32>()) {
        let ip = Ipv4Addr::from_bits(bits);
        prop_assume!(is_allowed(IpAddr::V4(ip), STRICT));
        prop_assert_eq!(url_error(&format!("https://{ip}/")), None);
        let low24 = ip.to_bits() & 0xff_ffff;
        prop_assert_eq!(url_error(&format!("https://{}/", ip.to_bits())), Some(UrlError::Ipv4Spelling));
        prop_assert_eq!(url_error(&format!("https://{}.{low24}/", ip.octets()[0])), Some(UrlError::Ipv4Spelling));
    }

    /// Whatever is let through names a host that nothing private hides in.
    #[test]
    fn an_accepted_url_has_the_host_that_was_written(authority in odd_authority(), path in "[ -~]{0,12}") {
        let text = format!("https://{authority}/{path}");
        if let Ok(url) = OutboundUrl::parse(&text, &STRICT) {
            let host = url.host().to_owned();
            let written = text.strip_prefix("https://").unwrap().to_ascii_lowercase();
            prop_assert!(written.starts_with(host.trim_end_matches('.')) || host.starts_with('['), "{} -> {}", text, url);
            if let Ok(ip) = host.trim_matches(['[', ']']).parse::<IpAddr>() {
                prop_assert!(is_allowed(ip, STRICT), "{}", url);
            } else {
                prop_assert!(host.contains('.') && !host.ends_with(".localhost") && !host.ends_with(".local"), "{}", url);
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in any::<String>()) {
        let _ = OutboundUrl::parse(&text, &LOCAL);
        let _ = OutboundUrl::parse(&format!("https://{text}"), &LOCAL);
    }
}
