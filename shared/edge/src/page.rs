//! Lists: with page numbers the wiki's and that of knowledge gaps, with cursors all others.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cursor::{self, ListId};
use aws::store::CursorPage;
use domain::Result;
use domain::models::{MAX_TOTAL, Total};

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
        let next_cursor = page.next.map(|next| cursor::encode(list, &next)).transpose()?;
        Ok(Self { items: page.items.into_iter().map(item).collect(), has_more: next_cursor.is_some(), next_cursor })
    }
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
}
