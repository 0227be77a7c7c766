//! Maintenance of the embedded DynamoDB: two indexes without which every write reads the whole stream, the trimming of
//! stream records, and giving back to the file system what that frees. AWS trims after 24 hours; here only handled records
//! are trimmed, however old.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::watch;

use crate::StartError;
use crate::stream::Checkpoint;

const INDEXES: &str = "
    CREATE INDEX IF NOT EXISTS ix_seq ON _stream_records(table_name, CAST(sequence_number AS INTEGER));
    CREATE INDEX IF NOT EXISTS ix_seq2 ON _stream_records(table_name, shard_id, CAST(sequence_number AS INTEGER));";

/// The retention of a record on AWS, in seconds.
const RETENTION_SECONDS: i64 = 24 * 60 * 60;
/// The maximum number of records: nothing reads a handled record again, and a turn writes more of them than it is large.
const MAX_RECORDS: i64 = 20_000;
/// How many records are deleted at once; this bounds how long a writer waits.
const BATCH: i64 = 500;
/// How often the stream is trimmed.
const PERIOD: Duration = Duration::from_secs(10);
/// How many free pages stay in the file for the next writes.
const SPARE_PAGES: i64 = 500;
/// How many pages are given back at once; this bounds how long a writer waits.
const PAGES_AT_ONCE: i64 = 500;
/// `PRAGMA auto_vacuum`: free pages can be given back step by step.
const INCREMENTAL: i64 = 2;

/// A second connection to the file of the embedded DynamoDB, for its stream records.
#[derive(Debug)]
pub(crate) struct StreamRecords {
    connection: Connection,
}

impl StreamRecords {
    /// Opens the file and adds the indexes. The database must have been opened before, because it creates the tables.
    pub(crate) fn open(file: &Path) -> Result<Self, StartError> {
        let broken = |e: rusqlite::Error| StartError::Database { path: file.to_owned(), reason: e.to_string() };
        let connection = Connection::open(file).map_err(broken)?;
        connection.busy_timeout(Duration::from_secs(5)).map_err(broken)?;
        connection.execute_batch(INDEXES).map_err(broken)?;
        let records = Self { connection };
        if let Err(error) = records.make_shrinkable() {
            tracing::warn!(error = %error, "failed to rewrite the database file; it does not get smaller until a later start succeeds");
        }
        Ok(records)
    }

    /// Rewrites a file that cannot give pages back, once: a new file, or one of an earlier version.
    fn make_shrinkable(&self) -> rusqlite::Result<()> {
        if self.pragma("auto_vacuum")? == INCREMENTAL {
            return Ok(());
        }
        self.connection.execute_batch(&format!("PRAGMA auto_vacuum = {INCREMENTAL}; VACUUM"))?;
        self.empty_log()
    }

    /// Gives free pages back to the file system, except for some.
    fn shrink(&self) -> rusqlite::Result<()> {
        let mut free = self.pragma("freelist_count")?;
        if free <= SPARE_PAGES {
            return Ok(());
        }
        while free > SPARE_PAGES {
            let pages = PAGES_AT_ONCE.min(free - SPARE_PAGES);
            let mut statement = self.connection.prepare(&format!("PRAGMA incremental_vacuum({pages})"))?;
            let mut rows = statement.query(())?;
            // Each row is a page that was given back.
            while rows.next()?.is_some() {}
            let left = self.pragma("freelist_count")?;
            if left >= free {
                break;
            }
            free = left;
        }
        self.empty_log()
    }

    /// Moves the write-ahead log into the file, which only then gets smaller.
    fn empty_log(&self) -> rusqlite::Result<()> {
        self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(()))
    }

    fn pragma(&self, name: &str) -> rusqlite::Result<i64> {
        self.connection.pragma_query_value(None, name, |row| row.get(0))
    }

    /// Trims, and gives back what is free.
    fn maintain(&self, now: i64, handled: i64) -> rusqlite::Result<usize> {
        let trimmed = self.trim(now, handled)?;
        self.shrink()?;
        Ok(trimmed)
    }

    /// Deletes records up to `handled` that are too old, as of `now` in seconds since 1970, or too many; returns how
    /// many.
    fn trim(&self, now: i64, handled: i64) -> rusqlite::Result<usize> {
        self.trim_to(now, handled, MAX_RECORDS)
    }

    fn trim_to(&self, now: i64, handled: i64, max_records: i64) -> rusqlite::Result<usize> {
        let mut deleted = 0;
        loop {
            // Oldest first, in batches; ids and sequence numbers grow with time. The last record stays, because the
            // next sequence number is counted from it.
            let batch = self.connection.execute(
                "DELETE FROM _stream_records WHERE id <= (
                     SELECT MAX(id) FROM (SELECT id, created_at, sequence_number FROM _stream_records ORDER BY id LIMIT ?1)
                     WHERE (created_at < ?2 OR id <= (SELECT MAX(id) FROM _stream_records) - ?3)
                     AND CAST(sequence_number AS INTEGER) <= ?4 AND id < (SELECT MAX(id) FROM _stream_records))",
                (BATCH, now - RETENTION_SECONDS, max_records, handled),
            )?;
            deleted += batch;
            if i64::try_from(batch).unwrap_or(0) < BATCH {
                return Ok(deleted);
            }
        }
    }

    /// Trims periodically until the task is dropped, by the system clock, which also stamps the records, up to the
    /// saved checkpoint.
    pub(crate) async fn trim_periodically(self, checkpoint: watch::Receiver<Checkpoint>) {
        let mut records = self;
        loop {
            let handled = checkpoint.borrow().only_sequence().and_then(row_sequence).unwrap_or(0);
            let trimmed = tokio::task::spawn_blocking(move || {
                let result = records.maintain(unix_seconds(), handled);
                (records, result)
            });
            match trimmed.await {
                Ok((returned, result)) => {
                    records = returned;
                    match result {
                        Ok(0) => {}
                        Ok(count) => tracing::debug!(count, "trimmed the change stream"),
                        Err(error) => {
                            tracing::warn!(error = %error, "failed to trim the change stream; the next round retries")
                        }
                    }
                }
                Err(_) => return,
            }
            tokio::time::sleep(PERIOD).await;
        }
    }
}

/// The offset between a stored sequence number and the one in the API.
const OFFSET: u128 = 100_000_000_000_000_000_000;

/// The stored sequence number for one of the API.
fn row_sequence(sequence: &str) -> Option<i64> {
    i64::try_from(sequence.parse::<u128>().ok()?.checked_sub(OFFSET)?).ok()
}

fn unix_seconds() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_records(ages_seconds: &[i64], now: i64) -> (tempfile::TempDir, StreamRecords) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("dynamodb.sqlite");
        drop(dynoxide::Database::new(file.to_str().unwrap()).unwrap());
        let records = StreamRecords::open(&file).unwrap();
        records.connection.execute_batch("BEGIN").unwrap();
        for (number, age) in ages_seconds.iter().enumerate() {
            let sql =
                "INSERT INTO _stream_records (table_name, event_name, keys_json, sequence_number, shard_id, created_at)
                       VALUES ('t', 'INSERT', '{}', ?1, 's', ?2)";
            records.connection.execute(sql, (number.to_string(), now - age)).unwrap();
        }
        records.connection.execute_batch("COMMIT").unwrap();
        (dir, records)
    }

    fn left(records: &StreamRecords) -> i64 {
        records.connection.query_row("SELECT COUNT(*) FROM _stream_records", (), |row| row.get(0)).unwrap()
    }

    #[test]
    fn records_go_after_a_day_and_not_before() {
        let now = 1_800_000_000;
        let (_dir, records) =
            with_records(&[RETENTION_SECONDS + 9, RETENTION_SECONDS + 1, RETENTION_SECONDS, 5, 0], now);
        assert_eq!(records.trim(now, i64::MAX).unwrap(), 2);
        assert_eq!(left(&records), 3);
        assert_eq!(records.trim(now, i64::MAX).unwrap(), 0);
    }

    #[test]
    fn a_record_that_is_not_handled_stays_however_old_it_is() {
        let now = 1_800_000_000;
        let (_dir, records) = with_records(&[RETENTION_SECONDS * 9; 5], now);
        assert_eq!(records.trim(now, -1).unwrap(), 0);
        assert_eq!(records.trim(now, 1).unwrap(), 2);
        assert_eq!(left(&records), 3);
    }

    #[test]
    fn the_last_record_stays_because_the_next_number_is_counted_from_it() {
        let now = 1_800_000_000;
        let (_dir, records) = with_records(&[RETENTION_SECONDS * 9; 5], now);
        assert_eq!(records.trim(now, i64::MAX).unwrap(), 4);
        assert_eq!(left(&records), 1);
    }

    #[test]
    fn more_than_are_kept_go_oldest_first_in_batches() {
        let now = 1_800_000_000;
        let (_dir, records) = with_records(&vec![0; 1_203], now);
        assert_eq!(records.trim_to(now, i64::MAX, 100).unwrap(), 1_103);
        assert_eq!(left(&records), 100);
    }

    fn file_size(dir: &tempfile::TempDir) -> u64 {
        std::fs::metadata(dir.path().join("dynamodb.sqlite")).unwrap().len()
    }

    /// Gives every record an image of 4 KB.
    fn enlarge(records: &StreamRecords) {
        records.connection.execute("UPDATE _stream_records SET new_image = hex(zeroblob(2048))", ()).unwrap();
        records.empty_log().unwrap();
    }

    #[test]
    fn of_handled_records_twenty_thousand_stay_and_the_file_gets_smaller() {
        let now = 1_800_000_000;
        let (dir, records) = with_records(&vec![0; 26_000], now);
        enlarge(&records);
        let before = file_size(&dir);
        assert_eq!(records.maintain(now, i64::MAX).unwrap(), 6_000);
        assert_eq!(left(&records), 20_000);
        let kept = (SPARE_PAGES + 1) * records.pragma("page_size").unwrap();
        let freed = 6_000 * 4_096 - u64::try_from(kept).unwrap();
        assert!(file_size(&dir) + freed <= before, "{before} bytes became {}", file_size(&dir));
    }

    #[test]
    fn a_file_of_an_earlier_version_gives_back_what_is_free_too() {
        let now = 1_800_000_000;
        let (dir, records) = with_records(&vec![0; 3_000], now);
        enlarge(&records);
        // As it was made before.
        records.connection.execute_batch("PRAGMA auto_vacuum = 0; VACUUM").unwrap();
        assert_eq!(records.pragma("auto_vacuum").unwrap(), 0);
        records.trim_to(now, i64::MAX, 10).unwrap();
        drop(records);
        let before = file_size(&dir);
        let again = StreamRecords::open(&dir.path().join("dynamodb.sqlite")).unwrap();
        assert_eq!((again.pragma("auto_vacuum").unwrap(), left(&again)), (INCREMENTAL, 10));
        assert!(file_size(&dir) * 10 < before, "{before} bytes became {}", file_size(&dir));
    }

    #[test]
    fn finding_the_next_sequence_number_reads_an_index_and_no_record() {
        let (_dir, records) = with_records(&[0; 3], 1_800_000_000);
        let plan: String = records
            .connection
            .query_row(
                "EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1
                 FROM _stream_records WHERE table_name = ?1",
                ["t"],
                |row| row.get(3),
            )
            .unwrap();
        assert!(plan.contains("ix_seq"), "{plan}");
    }
}
