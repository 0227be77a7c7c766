//! An origin as browsers write it (RFC 6454, section 6.2), the only form that can equal an `Origin` header.

/// The hosts of this machine, as browsers write them.
const LOOPBACK_HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The longest origin: a host of 253 characters between its scheme and its port.
pub const MAX_CHARS: usize = "https://".len() + 253 + ":65535".len();

/// As much of [`parse`] as a regular expression of ECMA-262 can say.
pub const PATTERN: &str = r"^(https://([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?$";

/// Whether `text` is exactly `https://host` or `https://host:port`, in the form a browser sends: lower case, no
/// default port, no path, no user. Pages of this machine may be `http`.
pub fn parse(text: &str) -> Result<(), &'static str> {
    if is_loopback(text) {
        return Ok(());
    }
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| !is_port(port, 443)) {
        return Err("must have a port of 1 to 65535 other than 443, or none");
    }
    if !(is_name(host) || is_ipv6(host)) {
        return Err("must be exactly https://host or https://host:port, in lower case and without a path");
    }
    Ok(())
}

/// Whether `text` is the `http` origin of a page of this machine: `localhost`, `127.0.0.1` or `[::1]`, with its port
/// unless that is 80.
pub fn is_loopback(text: &str) -> bool {
    let Some(authority) = text.strip_prefix("http://") else { return false };
    LOOPBACK_HOSTS.iter().filter_map(|host| authority.strip_prefix(host)).any(|rest| match rest.strip_prefix(':') {
        Some(port) => is_port(port, 80),
        None => rest.is_empty(),
    })
}

/// Whether it is a port that a browser writes out: every one but the scheme's own.
fn is_port(port: &str, default: u16) -> bool {
    let plain = !port.starts_with('0') && port.bytes().all(|b| b.is_ascii_digit());
    plain && port.parse::<u16>().is_ok_and(|number| number != default)
}

fn is_name(host: &str) -> bool {
    host.len() <= 253 && host.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let sound = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    (1..=63).contains(&label.len()) && label.bytes().all(sound) && !label.starts_with('-') && !label.ends_with('-')
}

fn is_ipv6(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|text| text.parse::<std::net::Ipv6Addr>().is_ok_and(|address| address.to_string() == text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_exactly_what_a_browser_sends() {
        for good in [
            "https://a.example",
            "https://shop.a.example:8443",
            "https://localhost:3000",
            "https://xn--bcher-kva.example",
            "https://[::1]:8443",
            "https://10.0.0.1",
            "http://localhost:3000",
            "http://127.0.0.1:5173",
            "http://localhost",
            "http://[::1]:8080",
        ] {
            assert_eq!(parse(good), Ok(()), "{good}");
            assert_eq!(is_loopback(good), good.starts_with("http://"), "{good}");
        }
        for bad in [
            "",
            "*",
            "null",
            "a.example",
            "http://a.example",
            "https://",
            "https://a.example/",
            "https://a.example/x",
            "https://A.example",
            "https://a.example:443",
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:080",
            "https://a.example:",
            "https://u@a.example",
            "https://*.a.example",
            "https://a..example",
            "https://a.example.",
            "https://-a.example",
            "https://a example",
            "https://a.example?x",
            "https://a.example#x",
            "https://bücher.example",
            "https://[::1",
            "https://[0:0::1]",
            "HTTPS://a.example",
            "http://localhost:80",
            "http://localhost:",
            "http://localhost/",
            "http://localhost.a.example",
            "http://127.0.0.1.a.example:3000",
            "http://127.0.0.2:3000",
            "http://u@localhost:3000",
            "http://LOCALHOST:3000",
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
