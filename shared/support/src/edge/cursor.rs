//! Lists: with page numbers the wiki's and that of knowledge gaps, with cursors all others.
//!
//! A cursor is the position in a list, opaque to clients: base64url of JSON. It contains the typed key of an item and a code
//! (HMAC) over it and the list: tenant, mode, path and filters. So a cursor is one that this service gave for this list, or
//! none.

use std::convert::Infallible;
use std::sync::Arc;

use aws::config::{WidgetKeySet, WidgetTokenKey};
use aws::widget_keys::WidgetKeys;
use axum::extract::FromRequestParts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::models::{MAX_TOTAL, Timestamp, Total};
use domain::{Error, Result, hmac_sha256_hex, sha256_hex_of_parts};
use http::request::Parts;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

use crate::table::pages::CursorPage;

/// The longest cursor that is looked at, in characters.
pub(crate) const MAX_CHARS: usize = 2_048;
/// Hexadecimal digits of the code: 128 bits.
const CODE_DIGITS: usize = 32;

/// One page of a list, with how many pages there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}List")]
pub struct PageOut<T> {
    /// The page.
    items: Vec<T>,
    /// Its number, from 1.
    page: usize,
    /// How many items a page has at the most.
    limit: usize,
    /// Items on all pages, counted up to 10,000.
    total: u64,
    /// Pages in all.
    total_pages: u64,
    /// There are pages after this one.
    has_more: bool,
    /// Counting stopped at its bound of 10,000, or the list looked at 10,001 items of which only `total` pass the
    /// filter: there may be more items than `total` says.
    total_capped: bool,
}

impl<T> PageOut<T> {
    /// Page number `page`, counted from 1, of `total` items at `limit` a page. If the total reached its bound there
    /// may be more pages than are counted. If it is capped below that, too few of many items passed the filter: no
    /// later page shows more than was counted.
    #[must_use]
    pub fn new(items: Vec<T>, page: usize, limit: usize, total: Total) -> Self {
        let Total { count: total, capped: total_capped } = total;
        let total_pages = total.div_ceil(u64::try_from(limit).unwrap_or(u64::MAX).max(1));
        let at_bound = total_capped && total >= MAX_TOTAL;
        let has_more = at_bound || u64::try_from(page).is_ok_and(|page| page < total_pages);
        Self { items, page, limit, total, total_pages, has_more, total_capped }
    }
}

/// One page of a list, and where the next one begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "{T}List")]
pub struct CursorPageOut<T> {
    /// The page.
    items: Vec<T>,
    /// Where the next page begins.
    next_cursor: Option<String>,
    /// There is a next page.
    has_more: bool,
}

impl<T> CursorPageOut<T> {
    /// A page of `list`, each item as `item` shows it.
    pub fn new<I, P: Serialize>(page: CursorPage<I, P>, list: &ListId, item: impl FnMut(I) -> T) -> Result<Self> {
        let next_cursor = page.next.map(|next| encode(list, &next)).transpose()?;
        Ok(Self { items: page.items.into_iter().map(item).collect(), has_more: next_cursor.is_some(), next_cursor })
    }
}

/// The keys of cursors: those of widget tokens, which every function of the API knows and rotates.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CursorKeys(Option<Arc<WidgetKeySet>>);

impl CursorKeys {
    /// The keys of a set.
    #[must_use]
    pub const fn new(keys: Arc<WidgetKeySet>) -> Self {
        Self(Some(keys))
    }
}

/// Where a request finds them.
#[derive(Debug, Clone)]
pub(crate) struct CursorKeySource {
    pub(crate) keys: WidgetKeys,
    pub(crate) now: Timestamp,
}

/// As the argument of a handler, whose cursor is in the body.
impl<S: Send + Sync> FromRequestParts<S> for CursorKeys {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> std::result::Result<Self, Infallible> {
        Ok(Self::of(parts).await)
    }
}

impl CursorKeys {
    pub(crate) async fn of(parts: &Parts) -> Self {
        match parts.extensions.get::<CursorKeySource>() {
            Some(source) => Self::new(source.keys.for_cursors(source.now).await),
            None => Self::default(),
        }
    }
}

/// The list to which a cursor belongs, so that a position in one list is none in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListId {
    hash: String,
    keys: CursorKeys,
}

/// A cursor as it is encoded.
#[derive(Serialize, Deserialize)]
struct Cursor {
    #[serde(rename = "k")]
    kid: String,
    #[serde(rename = "c")]
    code: String,
    /// JSON.
    #[serde(rename = "p")]
    position: String,
}

impl ListId {
    /// The list `name` under `filters`, each by its value if it is given, in a fixed order.
    #[must_use]
    pub fn new(name: &str, filters: &[Option<&str>], keys: CursorKeys) -> Self {
        // A sign distinguishes an absent filter.
        let signed: Vec<String> =
            filters.iter().map(|filter| filter.map_or_else(String::new, |text| format!("={text}"))).collect();
        let parts: Vec<&str> = std::iter::once(name).chain(signed.iter().map(String::as_str)).collect();
        Self { hash: sha256_hex_of_parts(&parts), keys }
    }

    /// The code of a position. The word before it tells it from what else the key signs.
    fn code(&self, key: &WidgetTokenKey, position: &str) -> String {
        let mut code = hmac_sha256_hex(&key.secret, format!("cursor {} {position}", self.hash).as_bytes());
        code.truncate(CODE_DIGITS);
        code
    }
}

/// A cursor for `position` in `list`.
///
/// # Errors
/// An internal error for a position that is no JSON, and a list without keys.
pub fn encode<T: Serialize>(list: &ListId, position: &T) -> Result<String> {
    let failed = |e: serde_json::Error| Error::internal(format!("cursor: {e}"));
    let keys = list.keys.0.as_ref().ok_or_else(|| Error::internal("a cursor without a key"))?;
    let position = serde_json::to_string(position).map_err(failed)?;
    let (kid, code) = (keys.current.kid.clone(), list.code(&keys.current, &position));
    Ok(URL_SAFE_NO_PAD.encode(serde_json::to_vec(&Cursor { kid, code, position }).map_err(failed)?))
}

/// The position of a cursor; `None` if this service did not give it for this list.
#[must_use]
pub fn decode<T: DeserializeOwned>(list: &ListId, text: &str) -> Option<T> {
    if text.len() > MAX_CHARS {
        return None;
    }
    let Cursor { kid, code, position } = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
    let key = list.keys.0.as_ref()?.keys().find(|key| key.kid == kid)?;
    let is_ours = bool::from(list.code(key, &position).as_bytes().ct_eq(code.as_bytes()));
    is_ours.then(|| serde_json::from_str(&position).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_at_their_edges() {
        let of = |page, total| {
            let out = PageOut::<()>::new(Vec::new(), page, 20, Total::of(total, true));
            (out.total_pages, out.has_more)
        };
        assert_eq!(of(1, 0), (0, false));
        assert_eq!(of(1, 20), (1, false));
        assert_eq!(of(1, 21), (2, true));
        assert_eq!(of(2, 21), (2, false));
        assert_eq!(of(3, 21), (2, false));
        assert_eq!(of(500, 10_000), (500, false));
        assert_eq!(of(500, 10_001), (500, true));
    }

    #[test]
    fn a_total_that_is_capped_below_its_bound_leads_to_no_empty_pages() {
        let of = |page| {
            let out = PageOut::<()>::new(Vec::new(), page, 20, Total::of(30, false));
            (out.has_more, out.total_capped)
        };
        assert_eq!((of(1), of(2), of(3)), ((true, true), (false, true), (false, true)));
    }

    fn key(number: u8) -> WidgetTokenKey {
        WidgetTokenKey { kid: format!("k{number}"), secret: vec![number; 32] }
    }

    fn keys(set: WidgetKeySet) -> CursorKeys {
        CursorKeys::new(Arc::new(set))
    }

    fn list(name: &str, filters: &[Option<&str>]) -> ListId {
        ListId::new(name, filters, keys(WidgetKeySet::of(key(1))))
    }

    #[test]
    fn a_cursor_comes_back_and_nothing_else_is_one() {
        let list = list("sessions", &[None]);
        let cursor = encode(&list, &("2026-01-02", 7_u32)).unwrap();
        assert_eq!(decode::<(String, u32)>(&list, &cursor), Some(("2026-01-02".to_owned(), 7)));
        for bad in ["", "x", "e30=", "e30", "🙂", &"A".repeat(3_000)] {
            assert_eq!(decode::<(String, u32)>(&list, bad), None, "{bad}");
        }
        let bytes = URL_SAFE_NO_PAD.decode(&cursor).unwrap();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(decode::<(String, u32)>(&list, &URL_SAFE_NO_PAD.encode(changed)), None, "byte {at}");
        }
    }

    #[test]
    fn a_cursor_is_of_one_list_under_one_set_of_filters() {
        let cursor = encode(&list("sessions", &[Some("ai"), None]), &7).unwrap();
        assert_eq!(decode(&list("sessions", &[Some("ai"), None]), &cursor), Some(7));
        for (name, filters) in [
            ("inbox", [Some("ai"), None]),
            ("sessions", [None, Some("ai")]),
            ("sessions", [Some("ai"), Some("")]),
            ("sessions", [Some(""), Some("ai")]),
            ("sessions", [None, None]),
            ("sessions", [Some("human"), None]),
        ] {
            assert_eq!(decode::<i32>(&list(name, &filters), &cursor), None, "{name} {filters:?}");
        }
    }

    #[test]
    fn a_cursor_outlives_a_rotation_and_no_other_service_gives_one() {
        let with = |set| ListId::new("sessions", &[], keys(set));
        let cursor = encode(&with(WidgetKeySet::of(key(1))), &7).unwrap();
        let rotated = WidgetKeySet { previous: Some(key(1)), ..WidgetKeySet::of(key(2)) };
        assert_eq!(decode::<i32>(&with(rotated.clone()), &cursor), Some(7));
        assert_eq!(decode::<i32>(&with(WidgetKeySet::of(key(2))), &cursor), None);
        let same_name = WidgetTokenKey { secret: vec![9; 32], ..key(1) };
        assert_eq!(decode::<i32>(&with(WidgetKeySet::of(same_name)), &cursor), None);
    }
}
