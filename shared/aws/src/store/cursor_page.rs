//! A page of a cursor list: one query, and therefore at most 1 MiB that is read.

use super::client::Store;
use super::table::{Item, PartitionQuery};
use domain::Result;

/// Some items of a list in its order, and where the next page starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorPage<T, P> {
    /// At most as many as asked for.
    pub items: Vec<T>,
    /// The place of the last item that was looked at; none at the end of the list.
    pub next: Option<P>,
}

impl<T, P> CursorPage<T, P> {
    /// The page of what each item and place say; none if a place says none.
    pub(super) fn try_map<U, Q>(
        self,
        item: impl FnMut(T) -> Result<U>,
        place: impl FnOnce(P) -> Option<Q>,
    ) -> Result<CursorPage<U, Q>> {
        let items = self.items.into_iter().map(item).collect::<Result<_>>()?;
        Ok(CursorPage { items, next: self.next.and_then(place) })
    }
}

impl Store {
    /// The first `limit` items of a query that pass its filter, and their last sort key. DynamoDB ends a query after 1 MiB: then the page is
    /// short, or empty, and has a `next`. Without a filter one item more than the page is read.
    pub(crate) async fn cursor_page(
        &self,
        mut query: PartitionQuery,
        limit: usize,
    ) -> Result<CursorPage<Item, String>> {
        if query.filter.is_none() {
            query.limit = i32::try_from(limit.saturating_add(1)).ok();
        }
        let sort_key = query.sort_key();
        let found = self.query(query).await?;
        let mut items = found.items;
        let is_cut = items.len() > limit;
        items.truncate(limit);
        let last = if is_cut { items.last() } else { found.next.as_ref() };
        let next = last.and_then(|item| item.get(sort_key)?.as_s().ok().cloned());
        Ok(CursorPage { items, next })
    }
}
