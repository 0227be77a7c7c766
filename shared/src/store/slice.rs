//! A part of a long list, with the number of all of it.
//!
//! The total is counted, not kept: a counter beside the items would be one item that every write of a tenant waits for,
//! and could not know how many pass a filter. DynamoDB only counts the items before and behind the part. It counts at
//! most [`COUNTED_AT_MOST`] of them, so a page costs no more in a large tenant than in one of that size.

use super::Store;
use super::table::{Item, PartitionQuery};
use crate::Result;
use crate::models::{COUNTED_AT_MOST, Total};

/// Some items in order, and how many there are.
#[derive(Debug, Default)]
pub(crate) struct Slice {
    pub(crate) items: Vec<Item>,
    /// How many the query has in all, as far as they are counted.
    pub(crate) total: Total,
}

impl Store {
    /// The items of a query after the first `offset`, at most `limit`, and how many it has in all, counted up to
    /// [`COUNTED_AT_MOST`].
    pub(crate) async fn slice(&self, query: PartitionQuery, offset: usize, limit: usize) -> Result<Slice> {
        let mut reading = Reading { query, offset, limit, items: Vec::new(), found: 0, at_end: false };
        if reading.query.filter.is_none() {
            self.skip(&mut reading).await?;
        }
        self.fill(&mut reading).await?;
        self.count_rest(&mut reading).await?;
        Ok(Slice { items: reading.items, total: Total::of(reading.found, reading.at_end) })
    }

    /// Counts past what lies before the slice. Only without a filter, where looked at and counted is the same.
    async fn skip(&self, reading: &mut Reading) -> Result<()> {
        while reading.offset > 0 && !reading.at_end {
            reading.query.limit = i32::try_from(reading.offset).ok();
            let (counted, _, next) = self.count_page(&reading.query).await?;
            reading.offset = reading.offset.saturating_sub(usize::try_from(counted).unwrap_or(usize::MAX));
            reading.found += counted;
            reading.go_on(next);
        }
        Ok(())
    }

    async fn fill(&self, reading: &mut Reading) -> Result<()> {
        while reading.items.len() < reading.limit && !reading.at_end {
            let missing = reading.limit - reading.items.len();
            reading.query.limit = reading.query.filter.is_none().then(|| i32::try_from(missing).unwrap_or(i32::MAX));
            let found = self.query(reading.query.clone()).await?;
            reading.found += u64::try_from(found.items.len()).unwrap_or(u64::MAX);
            for item in found.items {
                if reading.offset > 0 {
                    reading.offset -= 1;
                } else if reading.items.len() < reading.limit {
                    reading.items.push(item);
                }
            }
            reading.go_on(found.next);
        }
        Ok(())
    }

    async fn count_rest(&self, reading: &mut Reading) -> Result<()> {
        // A filter may pass few of many items, so what is looked at is bounded too.
        let mut to_look_at = (COUNTED_AT_MOST + 1).saturating_sub(reading.found);
        while !reading.at_end && to_look_at > 0 {
            reading.query.limit = i32::try_from(to_look_at).ok();
            let (counted, looked_at, next) = self.count_page(&reading.query).await?;
            reading.found += counted;
            to_look_at = to_look_at.saturating_sub(looked_at.max(1));
            reading.go_on(next);
        }
        Ok(())
    }
}

/// Where a walk through a query stands.
struct Reading {
    query: PartitionQuery,
    /// How many items are still to be left out.
    offset: usize,
    limit: usize,
    items: Vec<Item>,
    /// How many were found so far.
    found: u64,
    at_end: bool,
}

impl Reading {
    fn go_on(&mut self, next: Option<Item>) {
        self.at_end = next.is_none();
        self.query.start = next;
    }
}
