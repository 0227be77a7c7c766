//! The position in a list, opaque to clients: base64url of JSON. It contains the typed key of an item and a hash of the
//! list: tenant, mode, path and filters. A position of another list is none, and neither is a key that no item can have.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The longest cursor that is looked at, in characters.
pub(crate) const MAX_CHARS: usize = 2_048;
/// Bytes of the hash that tells lists apart.
const LIST_HASH_BYTES: usize = 9;

/// Which list a cursor belongs to, so that a position in one list is none in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListId(String);

/// A cursor as it is encoded.
#[derive(Serialize, Deserialize)]
struct Cursor<T> {
    #[serde(rename = "l")]
    list: String,
    #[serde(rename = "p")]
    position: T,
}

impl ListId {
    /// The list `name` under `filters`, each by its value where it is given, in a fixed order.
    #[must_use]
    pub fn new(name: &str, filters: &[Option<&str>]) -> Self {
        let mut hash = Sha256::new();
        for part in std::iter::once(&Some(name)).chain(filters) {
            // The length distinguishes an absent filter, and two filters from one.
            let length = part.map_or(u64::MAX, |text| text.len() as u64);
            hash.update(length.to_be_bytes());
            hash.update(part.unwrap_or_default().as_bytes());
        }
        let digest = hash.finalize();
        Self(URL_SAFE_NO_PAD.encode(digest.get(..LIST_HASH_BYTES).unwrap_or_default()))
    }
}

/// A cursor for `position` in `list`.
pub fn encode<T: Serialize>(list: &ListId, position: &T) -> domain::Result<String> {
    let cursor = Cursor { list: list.0.clone(), position };
    let json = serde_json::to_vec(&cursor).map_err(|e| domain::Error::internal(format!("cursor: {e}")))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

/// The position of a cursor; `None` if it is invalid, or belongs to another list.
#[must_use]
pub fn decode<T: DeserializeOwned>(list: &ListId, text: &str) -> Option<T> {
    if text.len() > MAX_CHARS {
        return None;
    }
    let cursor: Cursor<T> = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    (cursor.list == list.0).then_some(cursor.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_and_nothing_else_is_one() {
        let list = ListId::new("sessions", &[None]);
        let cursor = encode(&list, &("2026-01-02", 7_u32)).unwrap();
        assert_eq!(decode::<(String, u32)>(&list, &cursor), Some(("2026-01-02".to_owned(), 7)));
        for bad in ["", "x", "e30=", "e30", "🙂", &"A".repeat(3_000)] {
            assert_eq!(decode::<(String, u32)>(&list, bad), None, "{bad}");
        }
    }

    #[test]
    fn a_cursor_is_of_one_list_under_one_set_of_filters() {
        let list = ListId::new("sessions", &[Some("ai"), None]);
        let cursor = encode(&list, &7).unwrap();
        assert_eq!(decode(&ListId::new("sessions", &[Some("ai"), None]), &cursor), Some(7));
        for (name, filters) in [
            ("inbox", [Some("ai"), None]),
            ("sessions", [None, Some("ai")]),
            ("sessions", [Some("ai"), Some("")]),
            ("sessions", [Some(""), Some("ai")]),
            ("sessions", [None, None]),
            ("sessions", [Some("human"), None]),
        ] {
            assert_eq!(decode::<i32>(&ListId::new(name, &filters), &cursor), None, "{name} {filters:?}");
        }
    }
}
