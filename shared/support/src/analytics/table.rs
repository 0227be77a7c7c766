//! Counters by tenant, mode and UTC day. Each day is spread over four items, so that no single item takes all of a
//! tenant's traffic. The increments of a batch of stream records are committed together with markers of those records,
//! so a repeated delivery, in any order or batch, counts once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::models::{Day, Scope, Timestamp};
use domain::statistics::{Bin, Cell, Counter, Counts, Increment};
use domain::{Error, Result, sha256_hex};
use futures::future::try_join_all;

use crate::table::item::{Expression, Item, ItemKind, key_only_item, number, text};
use crate::table::keys::{self, Key};
use crate::table::transaction::{Outcome, Write};
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// How long a marker is kept; the stream keeps a record for 24 hours.
const MARKER_RETENTION_DAYS: i64 = 7;

/// Records that are counted in one transaction, which holds 100 writes: each may be marked in an item of its own, and
/// belong to three days.
const RECORDS_PER_TRANSACTION: usize = 25;

/// The length of a marker: 64 bits of a digest are unique among the records of a second.
const MARKER_LENGTH: usize = 16;

/// A stream record with its increments.
#[derive(Debug, Clone)]
pub struct CountedRecord {
    /// The record's id, the same at each delivery.
    pub id: String,
    /// When the change was made, the same at each delivery.
    pub at: Timestamp,
    /// The increments.
    pub increments: Vec<Increment>,
}

impl CountedRecord {
    fn marker(&self) -> String {
        let mut marker = sha256_hex(self.id.as_bytes());
        marker.truncate(MARKER_LENGTH);
        marker
    }
}

repository!(statistics: Statistics);

impl Statistics<'_> {
    /// Adds the increments of those of these stream records whose increments were not added before; false if there are
    /// none.
    pub async fn add(&self, scope: &Scope, records: &[CountedRecord]) -> Result<bool> {
        let mut is_any_new = false;
        for records in records.chunks(RECORDS_PER_TRANSACTION) {
            is_any_new |= self.add_together(scope, records).await?;
        }
        Ok(is_any_new)
    }

    async fn add_together(&self, scope: &Scope, records: &[CountedRecord]) -> Result<bool> {
        let mut new: Vec<&CountedRecord> = records.iter().filter(|record| !record.increments.is_empty()).collect();
        while let Some(first) = new.first() {
            let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
            let mut markers: BTreeMap<i64, BTreeSet<String>> = BTreeMap::new();
            for record in &new {
                if !markers.entry(record.at.as_seconds()).or_default().insert(record.marker()) {
                    continue;
                }
                for increment in &record.increments {
                    days.entry(increment.day).or_default().add(increment.cell, increment.amount);
                }
            }
            let shard = statistics_shard(&first.id);
            let mut writes: Vec<Write> =
                markers.into_iter().map(|(second, markers)| self.mark(scope, second, markers)).collect();
            days.retain(|_, counts| counts.iter().next().is_some());
            writes.extend(
                days.iter().map(|(day, counts)| add_write(statistics_key(scope, shard, &day.to_string()), counts)),
            );
            // Markers alone have conditions.
            let Outcome::Refused(marked) = self.0.commit(writes, None).await? else { return Ok(true) };
            let marked = marked.iter().filter_map(|(_, item)| item.as_ref()?.get(MARKERS)?.as_ss().ok()).flatten();
            let (marked, before): (BTreeSet<&String>, usize) = (marked.collect(), new.len());
            new.retain(|record| !marked.contains(&record.marker()));
            if new.len() == before {
                return Err(Error::unavailable("markers of counted records were refused and are not there"));
            }
        }
        Ok(false)
    }

    /// Marks records of one second, none of which is marked yet.
    fn mark(&self, scope: &Scope, second: i64, markers: BTreeSet<String>) -> Write {
        let forget_at = self.0.runtime.now().plus_hours(MARKER_RETENTION_DAYS * 24).as_seconds();
        let mut unmarked = Vec::new();
        let mut condition = Expression::default();
        for (marker, name) in markers.iter().zip(VALUE_NAMES.iter()) {
            unmarked.push(format!("NOT contains({MARKERS}, {name})"));
            condition = condition.with(name, text(marker));
        }
        condition.text = unmarked.join(" AND ");
        let update = Expression::new(format!("SET kind = :kind, #ttl = :ttl ADD {MARKERS} :markers"));
        let update = update
            .with(":kind", ItemKind::Counted.attribute())
            .with(":ttl", number(forget_at))
            .with(":markers", AttributeValue::Ss(markers.into_iter().collect()));
        Write::Update { key: counted_key(scope, second), update, condition: Some(condition) }
    }

    /// The counters of the days from `from` to `to`, both included; a day that counted nothing is not there.
    pub async fn list_days(&self, scope: &Scope, from: Day, to: Day) -> Result<BTreeMap<Day, Counts>> {
        let shards = (0..STATISTICS_SHARDS).map(|shard| {
            let [first, last] = [from, to].map(|day| statistics_key(scope, shard, &day.to_string()));
            self.shard(first, last)
        });
        let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
        for (day, counts) in try_join_all(shards).await?.into_iter().flatten() {
            days.entry(day).or_default().add_all(&counts);
        }
        Ok(days)
    }

    async fn shard(&self, first: Key, last: Key) -> Result<Vec<(Day, Counts)>> {
        let mut query = PartitionQuery::new(first.pk);
        query.condition = SortCondition::Between(first.sk, last.sk);
        query.consistency = Consistency::Eventual;
        self.0.query_all_items(query).await?.iter().map(counts_from_item).collect()
    }
}

/// The names that an expression gives its values: as many as there are cells.
static VALUE_NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let cells = Counter::ALL.len() * (1 + usize::from(Bin::COUNT));
    (0..cells).map(|number_of| format!(":c{number_of}")).collect()
});

fn add_write(key: Key, counts: &Counts) -> Write {
    let mut update = Expression::default();
    let mut terms = Vec::new();
    for ((cell, amount), name) in counts.iter().zip(VALUE_NAMES.iter()) {
        terms.push(format!("{cell} {name}"));
        update = update.with(name, number(amount));
    }
    update.text = format!("SET kind = :kind ADD {}", terms.join(", "));
    Write::Update { key, update: update.with(":kind", ItemKind::Statistics.attribute()), condition: None }
}

/// All counters of a day as an item of one shard.
pub(crate) fn day_item(scope: &Scope, day: Day, counts: &Counts) -> Item {
    let mut item = key_only_item(&statistics_key(scope, 0, &day.to_string()), ItemKind::Statistics);
    item.extend(counts.iter().map(|(cell, amount)| (cell.to_string(), number(amount))));
    item
}

fn counts_from_item(item: &Item) -> Result<(Day, Counts)> {
    let day = item.get("sk").and_then(|sk| sk.as_s().ok()).and_then(|sk| day_of_statistics(sk));
    let day = day.ok_or_else(|| Error::internal("counters without a day"))?;
    let counts = item.iter().filter_map(|(name, value)| {
        let amount = value.as_n().ok()?.parse().ok()?;
        Some((Cell::parse(name)?, amount))
    });
    Ok((day, counts.collect()))
}

/// How many items the counters of one day are spread over.
const STATISTICS_SHARDS: u32 = 4;

/// The shard that a batch adds to, by its first record.
fn statistics_shard(record_id: &str) -> u32 {
    crc32fast::hash(record_id.as_bytes()) % STATISTICS_SHARDS
}

/// A shard of a day's counters. `day` is `YYYY-MM-DD`.
fn statistics_key(s: &Scope, shard: u32, day: &str) -> Key {
    Key::new(format!("{}#STATS#{shard}", keys::scope(s)), format!("{STATISTICS_DAYS}{day}"))
}

/// The beginning of the sort key of every day's counters.
const STATISTICS_DAYS: &str = "DAY#";

/// Reads back which day's counters an item holds.
pub(crate) fn day_of_statistics(sk: &str) -> Option<Day> {
    Day::parse(sk.strip_prefix(STATISTICS_DAYS)?)
}

/// The attribute with the markers of counted records.
const MARKERS: &str = "records";

/// The markers of counted stream records whose changes were made in one second since 1970.
fn counted_key(s: &Scope, second: i64) -> Key {
    Key::new(format!("{}#COUNTED#{second}", keys::scope(s)), "COUNTED")
}
