//! Counters by tenant, mode and UTC day. Each day is spread over eight items, so that no single item takes all of a
//! tenant's traffic. The increments of a stream record are committed with a marker of that record, so a repeated
//! delivery, in any order or batch, counts once.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use domain::models::{Day, Scope};
use domain::statistics::{Bin, Cell, Counter, Counts, Increment};
use domain::{Error, Result, sha256_hex};
use futures::future::try_join_all;

use crate::table::item::{Expression, Item, ItemKind, key_only_item, number};
use crate::table::keys::{self, Key};
use crate::table::transaction::Write;
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

/// How long a marker is kept; the stream keeps a record for 24 hours.
const MARKER_RETENTION_DAYS: i64 = 7;

repository!(statistics: Statistics);

impl Statistics<'_> {
    /// Adds the increments of the stream record `record_id`; false if they were added before.
    pub async fn add(&self, scope: &Scope, record_id: &str, increments: &[Increment]) -> Result<bool> {
        let mut days: BTreeMap<Day, Counts> = BTreeMap::new();
        for increment in increments {
            days.entry(increment.day).or_default().add(increment.cell, increment.amount);
        }
        days.retain(|_, counts| counts.iter().next().is_some());
        if days.is_empty() {
            return Ok(false);
        }
        let shard = statistics_shard(record_id);
        let mut writes = vec![Write::create(self.marker(&counted_key(scope, record_id)))];
        for (day, counts) in &days {
            writes.extend(parts(scope, shard, *day, counts).map(|(key, part)| add_write(key, &part)));
        }
        // The marker has the only condition.
        self.0.write_if(writes).await
    }

    fn marker(&self, key: &Key) -> Item {
        let forget_at = self.0.runtime.now().plus_hours(MARKER_RETENTION_DAYS * 24).as_seconds();
        let mut marker = key_only_item(key, ItemKind::Counted);
        marker.insert("ttl".into(), number(forget_at));
        marker
    }

    /// The counters of the days from `from` to `to`, both included; a day that counted nothing is not there.
    pub async fn list_days(&self, scope: &Scope, from: Day, to: Day) -> Result<BTreeMap<Day, Counts>> {
        let (mut days, bins) = futures::try_join!(self.list_totals(scope, from, to), self.list_bins(scope, from, to))?;
        for (day, counts) in bins {
            days.entry(day).or_default().add_all(&counts);
        }
        Ok(days)
    }

    /// The same without bins of confidence.
    pub(super) async fn list_totals(&self, scope: &Scope, from: Day, to: Day) -> Result<BTreeMap<Day, Counts>> {
        self.list_parts(from, to, |shard, day| statistics_key(scope, shard, day)).await
    }

    /// The same of bins of confidence alone.
    pub(super) async fn list_bins(&self, scope: &Scope, from: Day, to: Day) -> Result<BTreeMap<Day, Counts>> {
        self.list_parts(from, to, |shard, day| statistics_bins_key(scope, shard, day)).await
    }

    async fn list_parts(&self, from: Day, to: Day, key: impl Fn(u32, &str) -> Key) -> Result<BTreeMap<Day, Counts>> {
        let shards = (0..STATISTICS_SHARDS).map(|shard| {
            let [first, last] = [from, to].map(|day| key(shard, &day.to_string()));
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

/// The counters of a day as their items have them, none without any: those of the whole day, and those of bins.
fn parts(scope: &Scope, shard: u32, day: Day, counts: &Counts) -> impl Iterator<Item = (Key, Counts)> {
    let of = |in_bins: bool| counts.iter().filter(|(cell, _)| cell.bin.is_some() == in_bins).collect::<Counts>();
    let day = day.to_string();
    let parts = [(statistics_key(scope, shard, &day), of(false)), (statistics_bins_key(scope, shard, &day), of(true))];
    parts.into_iter().filter(|(_, part)| part.iter().next().is_some())
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

/// All counters of a day as the items of one shard.
pub(crate) fn day_items(scope: &Scope, day: Day, counts: &Counts) -> Vec<Item> {
    let item = |(key, part): (Key, Counts)| {
        let mut item = key_only_item(&key, ItemKind::Statistics);
        item.extend(part.iter().map(|(cell, amount)| (cell.to_string(), number(amount))));
        item
    };
    parts(scope, 0, day, counts).map(item).collect()
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
const STATISTICS_SHARDS: u32 = 8;

/// The shard that a stream record adds to.
fn statistics_shard(record_id: &str) -> u32 {
    crc32fast::hash(record_id.as_bytes()) % STATISTICS_SHARDS
}

/// A shard of a day's counters. `day` is `YYYY-MM-DD`.
fn statistics_key(s: &Scope, shard: u32, day: &str) -> Key {
    Key::new(format!("{}#STATS#{shard}", keys::scope(s)), format!("{STATISTICS_DAYS}{day}"))
}

/// The beginning of the sort key of every day's counters.
const STATISTICS_DAYS: &str = "DAY#";

/// A shard of a day's counters by bins of confidence. `day` is `YYYY-MM-DD`.
fn statistics_bins_key(s: &Scope, shard: u32, day: &str) -> Key {
    Key::new(format!("{}#STATS#{shard}", keys::scope(s)), format!("{STATISTICS_BINS}{day}"))
}

/// The beginning of the sort key of every day's counters by bins of confidence.
const STATISTICS_BINS: &str = "BIN#";

/// Reads back which day's counters an item holds.
pub(crate) fn day_of_statistics(sk: &str) -> Option<Day> {
    Day::parse(sk.strip_prefix(STATISTICS_DAYS).or_else(|| sk.strip_prefix(STATISTICS_BINS))?)
}

/// The marker of a stream record that was counted.
fn counted_key(s: &Scope, record_id: &str) -> Key {
    Key::new(format!("{}#COUNTED#{}", keys::scope(s), sha256_hex(record_id.as_bytes())), "COUNTED")
}
