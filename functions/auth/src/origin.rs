//! An origin as browsers write it (RFC 6454, section 6.2): the only form that ever equals an `Origin` header.

/// Whether `text` is exactly `https://host` or `https://host:port`, in the form a browser sends: lower case, no
/// default port, no path, no user.
pub(crate) fn parse(text: &str) -> Result<(), &'static str> {
    let authority = text.strip_prefix("https://").ok_or("must begin with https://")?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| !is_port(port)) {
        return Err("must have a port of 1 to 65535 other than 443, or none");
    }
    if authority.len() > 260 || !(is_name(host) || is_ipv6(host)) {
        return Err("must be exactly https://host or https://host:port, in lower case and without a path");
    }
    Ok(())
}

fn is_port(port: &str) -> bool {
    let plain = !port.starts_with('0') && port.bytes().all(|b| b.is_ascii_digit());
    plain && port.parse::<u16>().is_ok_and(|number| number != 443)
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
        ] {
            assert_eq!(parse(good), Ok(()), "{good}");
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
        ] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
