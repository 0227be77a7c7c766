//! A page of a cursor list: one query, and therefore at most 1 MiB that is read.

use super::client::Store;
use super::table::{Item, PartitionQuery};
use domain::Result;

/// Some items of a list in its order, and where the next page starts.
#[derive(Debug, Default)]
pub(crate) struct CursorPage {
    pub(crate) items: Vec<Item>,
    /// The sort key of the last item that was looked at; none at the end of the list.
    pub(crate) next: Option<String>,
}

impl Store {
    /// The first `limit` items of a query that pass its filter. DynamoDB ends a query after 1 MiB: then the page is
    /// short, or empty, and has a `next`. Without a filter one item more than the page is read.
    pub(crate) async fn cursor_page(&self, mut query: PartitionQuery, limit: usize) -> Result<CursorPage> {
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
