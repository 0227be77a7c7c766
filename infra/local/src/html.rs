//! The functions with which the pages of the local service write HTML.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// A text as HTML shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The hash by which a policy allows an inline style.
pub(crate) fn sha256_base64(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text))
}
