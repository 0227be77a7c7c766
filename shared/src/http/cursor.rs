//! The position in a list, opaque to clients: base64url of JSON. It holds sort positions only; whose list it is comes
//! from the caller, so a cursor of somebody else's shows nothing of theirs.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest cursor that is looked at, in characters.
const MAX_CHARS: usize = 2_048;

/// A cursor that stands for `position`.
pub fn encode<T: Serialize>(position: &T) -> crate::Result<String> {
    let json = serde_json::to_vec(position).map_err(|e| crate::Error::internal(format!("cursor: {e}")))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

/// The position behind a cursor; `None` when it is none of ours.
#[must_use]
pub fn decode<T: DeserializeOwned>(text: &str) -> Option<T> {
    if text.len() > MAX_CHARS {
        return None;
    }
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_nothing_else_is_one() {
        let cursor = encode(&("2026-01-02", 7_u32)).unwrap();
        assert_eq!(decode::<(String, u32)>(&cursor), Some(("2026-01-02".to_owned(), 7)));
        for bad in ["", "x", "e30=", "e30", "🙂", &"A".repeat(3_000)] {
            assert_eq!(decode::<(String, u32)>(bad), None, "{bad}");
        }
    }
}
