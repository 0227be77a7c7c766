//! Keys of the counters of a tenant's days.

use domain::models::{Day, Scope};
use domain::sha256_hex;

use super::{Key, key, scope};

/// How many items the counters of one day are spread over.
pub(crate) const STATISTICS_SHARDS: u32 = 8;

/// The shard that a stream record adds to.
pub(crate) fn statistics_shard(record_id: &str) -> u32 {
    crc32fast::hash(record_id.as_bytes()) % STATISTICS_SHARDS
}

/// A shard of a day's counters. `day` is `YYYY-MM-DD`.
pub(crate) fn statistics(s: &Scope, shard: u32, day: &str) -> Key {
    key(format!("{}#STATS#{shard}", scope(s)), format!("{STATISTICS_DAYS}{day}"))
}

/// The beginning of the sort key of every day's counters.
const STATISTICS_DAYS: &str = "DAY#";

/// A shard of a day's counters by bins of confidence. `day` is `YYYY-MM-DD`.
pub(crate) fn statistics_bins(s: &Scope, shard: u32, day: &str) -> Key {
    key(format!("{}#STATS#{shard}", scope(s)), format!("{STATISTICS_BINS}{day}"))
}

/// The beginning of the sort key of every day's counters by bins of confidence.
const STATISTICS_BINS: &str = "BIN#";

/// Reads back which day's counters an item holds.
pub(crate) fn day_of_statistics(sk: &str) -> Option<Day> {
    Day::parse(sk.strip_prefix(STATISTICS_DAYS).or_else(|| sk.strip_prefix(STATISTICS_BINS))?)
}

/// The marker of a stream record that was counted.
pub(crate) fn counted(s: &Scope, record_id: &str) -> Key {
    key(format!("{}#COUNTED#{}", scope(s), sha256_hex(record_id.as_bytes())), "COUNTED")
}
