//! The one shape that a token of ours has: three parts of the right alphabet, a header of exactly `alg`, `typ` and `kid`,
//! and claims that begin and end like a JSON object.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use super::CREDENTIAL_MAX_BYTES;

/// The header of a token.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrictHeader {
    pub(super) alg: String,
    pub(super) typ: String,
    pub(super) kid: String,
}

/// The header of a token that has the shape.
pub(super) fn read_header(token: &str) -> Option<StrictHeader> {
    let alphabet = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let dots = token.bytes().filter(|b| *b == b'.').count();
    if token.len() > CREDENTIAL_MAX_BYTES || dots != 2 || !token.bytes().all(alphabet) {
        return None;
    }
    let mut parts = token.split('.');
    let (header, payload) = (decode_object(parts.next()?)?, decode_object(parts.next()?)?);
    // Claims that serde would read from an array, or that are not UTF-8, are none.
    std::str::from_utf8(&payload).ok()?;
    serde_json::from_slice(&header).ok()
}

/// A part's bytes, when they begin and end like a JSON object.
fn decode_object(part: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(part).ok()?;
    (bytes.first() == Some(&b'{') && bytes.last() == Some(&b'}')).then_some(bytes)
}
