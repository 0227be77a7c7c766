//! Cookies of a request.

use http::{HeaderMap, HeaderValue, header};

/// The values of the cookie `name`, in the order sent. Other cookies of the host may hold any bytes (RFC 6265, section
/// 5.4), which browsers send and Lambda passes on, so the header is not read as text.
pub fn cookies<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h [u8]> {
    let lines = headers.get_all(header::COOKIE).iter().map(HeaderValue::as_bytes);
    let pairs = lines.flat_map(|line| line.split(|byte| *byte == b';')).map(<[u8]>::trim_ascii);
    pairs.filter_map(move |pair| pair.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
}
