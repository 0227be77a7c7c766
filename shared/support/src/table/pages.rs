//! Pages of lists: by cursor, which is one query and therefore at most 1 MiB that is read, and by offset, with the
//! total.
//!
//! The total is counted on each read. A stored counter would be one item that every write of a tenant contends for, and
//! it could not know how many items pass a filter. DynamoDB only counts the items before and after the page.
//!
//! An item of an index may be long, so [`OffsetPage::is_counted`] tells whether counting stopped before it was done,
//! if a caller limits the requests that count.
//!
//! [`MAX_EXAMINED`] limits the items that are examined for a page, whether they pass the filter or not. So a page
//! does not cost more in a larger tenant. If a filter passes few of many items, the limit may be reached before the
//! page is full; then the total is capped.

use domain::Result;
use domain::models::{MAX_TOTAL, Total};

use crate::table::item::Item;
use crate::table::{PartitionQuery, Store};

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
    pub(crate) fn try_map<U, Q>(
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

/// How many items are looked at for a slice: as many as are counted, and one to know that there are more.
const MAX_EXAMINED: u64 = MAX_TOTAL + 1;

/// Some items in order, and how many there are.
#[derive(Debug, Default)]
pub(crate) struct OffsetPage {
    pub(crate) items: Vec<Item>,
    /// How many the query has in all, as far as they are counted.
    pub(crate) total: Total,
    /// Counting ended at the end of the list or at [`MAX_EXAMINED`], not at the limit of requests.
    pub(crate) is_counted: bool,
}

impl Store {
    /// The items of a query after the first `offset`, at most `limit`, and how many it has in all. Items beyond the
    /// first [`MAX_EXAMINED`] of the query's partition are neither found nor counted; the total is capped then. Behind the
    /// page at most `count_requests` are made, each of which counts up to 1 MB.
    pub(crate) async fn offset_page(
        &self,
        query: PartitionQuery,
        (offset, limit): (usize, usize),
        count_requests: usize,
    ) -> Result<OffsetPage> {
        let mut reading =
            PageReader { query, offset, limit, items: Vec::new(), found: 0, to_look_at: MAX_EXAMINED, at_end: false };
        if reading.query.filter.is_none() {
            self.skip_offset(&mut reading).await?;
        }
        self.read_page(&mut reading).await?;
        self.count_remaining(&mut reading, count_requests).await?;
        let is_counted = !reading.has_next();
        Ok(OffsetPage { items: reading.items, total: Total::of(reading.found, reading.at_end), is_counted })
    }

    /// Counts past the items before the page. Only without a filter, because then every examined item counts.
    async fn skip_offset(&self, reading: &mut PageReader) -> Result<()> {
        while reading.offset > 0 && reading.has_next() {
            reading.query.limit = Some(reading.is_capped(reading.offset));
            let (counted, looked_at, next) = self.count_page(&reading.query).await?;
            reading.offset = reading.offset.saturating_sub(usize::try_from(counted).unwrap_or(usize::MAX));
            reading.found += counted;
            reading.looked_at(counted, looked_at, next);
        }
        Ok(())
    }

    async fn read_page(&self, reading: &mut PageReader) -> Result<()> {
        while reading.items.len() < reading.limit && reading.has_next() {
            let missing = reading.limit - reading.items.len();
            let wanted = if reading.query.filter.is_none() { missing } else { usize::MAX };
            reading.query.limit = Some(reading.is_capped(wanted));
            let found = self.query(reading.query.clone()).await?;
            let passed = u64::try_from(found.items.len()).unwrap_or(u64::MAX);
            reading.found += passed;
            for item in found.items {
                if reading.offset > 0 {
                    reading.offset -= 1;
                } else if reading.items.len() < reading.limit {
                    reading.items.push(item);
                }
            }
            reading.looked_at(passed, found.looked_at, found.next);
        }
        Ok(())
    }

    async fn count_remaining(&self, reading: &mut PageReader, requests: usize) -> Result<()> {
        for _ in 0..requests {
            if !reading.has_next() {
                break;
            }
            reading.query.limit = Some(reading.is_capped(usize::MAX));
            let (counted, looked_at, next) = self.count_page(&reading.query).await?;
            reading.found += counted;
            reading.looked_at(counted, looked_at, next);
        }
        Ok(())
    }
}

/// The position of a walk through a query.
struct PageReader {
    query: PartitionQuery,
    /// How many items are still to be left out.
    offset: usize,
    limit: usize,
    items: Vec<Item>,
    /// How many were found so far.
    found: u64,
    /// How many items may still be looked at.
    to_look_at: u64,
    at_end: bool,
}

impl PageReader {
    const fn has_next(&self) -> bool {
        !self.at_end && self.to_look_at > 0
    }

    /// `wanted` items, or as many as may still be looked at.
    fn is_capped(&self, wanted: usize) -> i32 {
        let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
        i32::try_from(wanted.min(self.to_look_at)).unwrap_or(i32::MAX)
    }

    /// Records how many items a call counted and examined, which is the same without a filter, and where the next one
    /// starts.
    fn looked_at(&mut self, found: u64, looked_at: u64, next: Option<Item>) {
        let spent = if self.query.filter.is_none() { found } else { looked_at.max(1) };
        self.to_look_at = self.to_look_at.saturating_sub(spent);
        self.at_end = next.is_none();
        self.query.start = next;
    }
}
