//! Pages of gaps, by count or by time. The indexes hold ids only; the gaps are then read from the table.

use std::collections::HashMap;

use super::Gaps;
use super::record::GapRecord;
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::keys::{Key, moment};
use crate::store::table::{Consistency, Item, PartitionQuery, SortCondition, record, text};
use domain::Result;
use domain::models::{Gap, GapId, GapStatus, Scope, Timestamp, Total};

/// The order of a list of gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapOrder {
    /// Most asked first.
    Count,
    /// Last asked first.
    Recent,
}

/// The filter of a list of gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GapFilter {
    /// Those of one status.
    pub status: GapStatus,
    /// Those asked at this moment or later.
    pub since: Timestamp,
    pub order: GapOrder,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct GapPage {
    /// In the requested order.
    pub gaps: Vec<Gap>,
    /// How many there are on all pages.
    pub total: Total,
}

impl Gaps<'_> {
    /// The gaps after the first `offset`, at most `limit`; a change is seen within a second.
    pub async fn list(&self, scope: &Scope, filter: &GapFilter, offset: usize, limit: usize) -> Result<GapPage> {
        let slice = self.0.offset_page(filter.query(scope), (offset, limit), usize::MAX).await?;
        let ids: Vec<Key> = slice.items.iter().filter_map(|item| key_of(scope, item)).collect();
        Ok(GapPage { gaps: self.read(&ids).await?, total: slice.total })
    }

    /// All gaps, of any status, as far as one answer holds, from `after` on; and where the next page starts. Consistent.
    pub async fn list_all(&self, scope: &Scope, after: Option<&GapId>) -> Result<(Vec<Gap>, Option<GapId>)> {
        let mut query = PartitionQuery::new(keys::gaps(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.to_string()));
        let page = self.0.query(query).await?;
        let gaps = page.items.into_iter().map(|item| record::<GapRecord>(item).map(Gap::from));
        let gaps = gaps.collect::<Result<Vec<_>>>()?;
        let next = gaps.last().map(|gap| gap.gap_id.clone()).filter(|_| page.next.is_some());
        Ok((gaps, next))
    }

    /// Gaps by key, in the order of the keys; those that are gone are left out.
    pub(super) async fn read(&self, keys: &[Key]) -> Result<Vec<Gap>> {
        let mut found = HashMap::new();
        for some in keys.chunks(100) {
            for gap in self.0.get_many::<GapRecord>(some, Consistency::Strong).await? {
                found.insert(gap.gap_id.as_str().to_owned(), Gap::from(gap));
            }
        }
        Ok(keys.iter().filter_map(|key| found.remove(&key.sk)).collect())
    }
}

/// The gap of an item of either index: both have its id as their sort key.
pub(super) fn key_of(scope: &Scope, item: &Item) -> Option<Key> {
    let id = GapId::parse(item.get("sk")?.as_s().ok()?)?;
    Some(keys::gap(scope, &id))
}

impl GapFilter {
    fn query(&self, scope: &Scope) -> PartitionQuery {
        let since = moment(self.since);
        let mut query = match self.order {
            GapOrder::Count => {
                let seen_since = Expression::new("card.lastSeenAt >= :since").with(":since", text(since));
                let by_count = PartitionQuery::of_index("gsi1", keys::gaps_by_count(scope, self.status.as_str()));
                PartitionQuery { filter: Some(seen_since), ..by_count }
            }
            GapOrder::Recent => {
                let by_time = PartitionQuery::of_index("gsi1", keys::gaps_by_time(scope, self.status.as_str()));
                PartitionQuery { condition: SortCondition::Between(since, "~".into()), ..by_time }
            }
        };
        query.forward = false;
        query
    }
}
