//! Pages of entries by their last change, with the exact number of all of them.
//!
//! The total is counted, not kept: a counter beside the entries would be one item that every write of a tenant's wiki
//! waits for, and could not know how many entries have a tag. Each card is looked at once: what lies before the page and
//! behind it is only counted by DynamoDB, and what is on it is read.

use aws_sdk_dynamodb::types::AttributeValue;

use super::WikiRepository;
use crate::models::{EntryCard, Scope, Visibility};
use crate::store::keys;
use crate::store::table::{Item, PartitionQuery, text};
use crate::store::transaction::Expression;
use crate::{Error, Result};

/// Which entries a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryFilter {
    /// Those of one visibility.
    pub visibility: Option<Visibility>,
    /// Those with this tag.
    pub tag: Option<String>,
    /// Those whose path begins with this text.
    pub path_prefix: Option<String>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryPage {
    /// The page, newest change first.
    pub cards: Vec<EntryCard>,
    /// How many entries pass the filter, on all pages.
    pub total: u64,
}

impl WikiRepository<'_> {
    /// The entries after the first `offset`, at most `limit`, newest change first; a write is seen within a second.
    pub async fn list(&self, scope: &Scope, filter: &EntryFilter, offset: usize, limit: usize) -> Result<EntryPage> {
        let mut query = PartitionQuery::of_index("gsi1", keys::wiki(scope));
        query.forward = false;
        query.filter = filter.expression();
        let mut reading = Reading { query, offset, limit, page: EntryPage::default(), at_end: false };
        if reading.query.filter.is_none() {
            self.skip(&mut reading).await?;
        }
        self.fill(&mut reading).await?;
        self.count_rest(&mut reading).await?;
        Ok(reading.page)
    }

    /// Counts past what lies before the page. Only without a filter, where looked at and counted is the same.
    async fn skip(&self, reading: &mut Reading) -> Result<()> {
        while reading.offset > 0 && !reading.at_end {
            reading.query.limit = i32::try_from(reading.offset).ok();
            let (counted, next) = self.store.count_page(&reading.query).await?;
            reading.offset = reading.offset.saturating_sub(usize::try_from(counted).unwrap_or(usize::MAX));
            reading.page.total += counted;
            reading.go_on(next);
        }
        Ok(())
    }

    async fn fill(&self, reading: &mut Reading) -> Result<()> {
        while reading.page.cards.len() < reading.limit && !reading.at_end {
            let missing = reading.limit - reading.page.cards.len();
            reading.query.limit = reading.query.filter.is_none().then(|| i32::try_from(missing).unwrap_or(i32::MAX));
            let found = self.store.query(reading.query.clone()).await?;
            reading.page.total += u64::try_from(found.items.len()).unwrap_or(u64::MAX);
            for item in found.items {
                if reading.offset > 0 {
                    reading.offset -= 1;
                } else if reading.page.cards.len() < reading.limit {
                    reading.page.cards.push(card(item)?);
                }
            }
            reading.go_on(found.next);
        }
        Ok(())
    }

    async fn count_rest(&self, reading: &mut Reading) -> Result<()> {
        reading.query.limit = None;
        while !reading.at_end {
            let (counted, next) = self.store.count_page(&reading.query).await?;
            reading.page.total += counted;
            reading.go_on(next);
        }
        Ok(())
    }
}

/// Where a walk through the index stands.
struct Reading {
    query: PartitionQuery,
    /// How many entries are still to be left out.
    offset: usize,
    limit: usize,
    page: EntryPage,
    at_end: bool,
}

impl Reading {
    fn go_on(&mut self, next: Option<Item>) {
        self.at_end = next.is_none();
        self.query.start = next;
    }
}

impl EntryFilter {
    fn expression(&self) -> Option<Expression> {
        let mut terms = Vec::new();
        let mut values: Vec<(&'static str, AttributeValue)> = Vec::new();
        if let Some(visibility) = self.visibility {
            terms.push("card.visibility = :visibility");
            values.push((":visibility", text(visibility.as_str())));
        }
        if let Some(tag) = &self.tag {
            terms.push("contains(card.tags, :tag)");
            values.push((":tag", text(tag)));
        }
        if let Some(prefix) = &self.path_prefix {
            // The table's sort key is the path; in the index it is an attribute like any other.
            terms.push("begins_with(sk, :prefix)");
            values.push((":prefix", text(prefix)));
        }
        (!terms.is_empty()).then(|| Expression { text: terms.join(" AND "), values })
    }
}

fn card(mut item: Item) -> Result<EntryCard> {
    let card = item.remove("card").ok_or_else(|| Error::internal("an entry in gsi1 has no card"))?;
    serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(card)
        .map_err(|e| Error::internal(format!("a stored card does not read: {e}")))
}
