//! The default path prefix of a page's entries: `ingested/<host and path, as slug>`.

use domain::models::PathPrefix;
use outbound::OutboundUrl;
use text::slug;

/// The longest path segment, in bytes.
const SEGMENT_BYTES: usize = 100;
/// Of a slug that had to be cut, so much is left, so that a hash of the whole fits behind it.
const TRUNCATED_BYTES: usize = 90;

/// The prefix of a page by its address; the query (`?…`) is ignored.
pub(crate) fn default_prefix(url: &OutboundUrl) -> Option<PathPrefix> {
    let place = format!("{}{}", url.host(), percent_decoded(url.path()));
    let whole = slug(&place, usize::MAX - 1);
    let segment = if whole.len() <= SEGMENT_BYTES {
        whole
    } else {
        format!("{}-{:08x}", slug(&place, TRUNCATED_BYTES), hash(&place))
    };
    PathPrefix::parse(&format!("ingested/{segment}")).ok()
}

/// FNV-1a: sufficient to distinguish long addresses of one host, and stable forever.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The path with its escapes undone, so that a path in any script has a name.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use outbound::OutboundPolicy;

    use super::*;

    fn prefix(url: &str) -> String {
        default_prefix(&OutboundUrl::parse(url, &OutboundPolicy::default()).unwrap()).unwrap().as_str().to_owned()
    }

    #[test]
    fn a_page_is_named_by_its_host_and_path() {
        assert_eq!(
            prefix("https://help.example.com/billing/Refunds.html?x=1"),
            "ingested/help-example-com-billing-refunds-html"
        );
        assert_eq!(prefix("https://example.com"), "ingested/example-com");
        assert_eq!(
            prefix("https://example.com/%D0%B2%D0%BE%D0%B7%D0%B2%D1%80%D0%B0%D1%82"),
            "ingested/example-com-vozvrat"
        );
        assert_eq!(prefix("https://example.com/100%25%zz"), "ingested/example-com-100-zz");
    }

    #[test]
    fn long_addresses_stay_apart() {
        let long = |end: &str| prefix(&format!("https://example.com/{}/{end}", "part/".repeat(40)));
        assert_ne!(long("a"), long("b"));
        assert!(long("a").len() <= "ingested/".len() + SEGMENT_BYTES);
    }
}
