//! A part of a long list, with the exact number of all of it.
//!
//! The total is counted, not kept: a counter beside the items would be one item that every write of a tenant waits for,
//! and could not know how many pass a filter. Each item is looked at once: what lies before the part and behind it is
//! only counted by DynamoDB, and what is in it is read.

use super::Store;
use super::table::{Item, PartitionQuery};
use crate::Result;

/// Some items in order, and how many there are.
#[derive(Debug, Default)]
pub(crate) struct Slice {
    pub(crate) items: Vec<Item>,
    /// How many the query has in all.
    pub(crate) total: u64,
}

impl Store {
    /// The items of a query after the first `offset`, at most `limit`, and how many it has in all.
    pub(crate) async fn slice(&self, query: PartitionQuery, offset: usize, limit: usize) -> Result<Slice> {
        let mut reading = Reading { query, offset, limit, slice: Slice::default(), at_end: false };
        if reading.query.filter.is_none() {
            self.skip(&mut reading).await?;
        }
        self.fill(&mut reading).await?;
        self.count_rest(&mut reading).await?;
        Ok(reading.slice)
    }

    /// Counts past what lies before the slice. Only without a filter, where looked at and counted is the same.
    async fn skip(&self, reading: &mut Reading) -> Result<()> {
        while reading.offset > 0 && !reading.at_end {
            reading.query.limit = i32::try_from(reading.offset).ok();
            let (counted, next) = self.count_page(&reading.query).await?;
            reading.offset = reading.offset.saturating_sub(usize::try_from(counted).unwrap_or(usize::MAX));
            reading.slice.total += counted;
            reading.go_on(next);
        }
        Ok(())
    }

    async fn fill(&self, reading: &mut Reading) -> Result<()> {
        while reading.slice.items.len() < reading.limit && !reading.at_end {
            let missing = reading.limit - reading.slice.items.len();
            reading.query.limit = reading.query.filter.is_none().then(|| i32::try_from(missing).unwrap_or(i32::MAX));
            let found = self.query(reading.query.clone()).await?;
            reading.slice.total += u64::try_from(found.items.len()).unwrap_or(u64::MAX);
            for item in found.items {
                if reading.offset > 0 {
                    reading.offset -= 1;
                } else if reading.slice.items.len() < reading.limit {
                    reading.slice.items.push(item);
                }
            }
            reading.go_on(found.next);
        }
        Ok(())
    }

    async fn count_rest(&self, reading: &mut Reading) -> Result<()> {
        reading.query.limit = None;
        while !reading.at_end {
            let (counted, next) = self.count_page(&reading.query).await?;
            reading.slice.total += counted;
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
    slice: Slice,
    at_end: bool,
}

impl Reading {
    fn go_on(&mut self, next: Option<Item>) {
        self.at_end = next.is_none();
        self.query.start = next;
    }
}
