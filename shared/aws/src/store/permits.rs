//! Permits: a limited number of holders do something at once, over all processes. One item has those that are taken.

use serde::{Deserialize, Serialize};

use super::client::Store;
use super::item_kind::ItemKind;
use super::keys::Key;
use super::table::{item, number};
use super::transaction::Write;
use super::update::{Basis, Decision};
use domain::Result;
use domain::models::Timestamp;

/// How long an item without a permit taken is kept, in hours.
const RETENTION_HOURS: i64 = 24;

/// The permits of one thing: where they are, and who holds them.
#[derive(Debug, Clone)]
pub(super) struct Permits {
    pub(super) key: Key,
    pub(super) kind: ItemKind,
}

/// The holders of permits: a random name each, and until when at the most.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct PermitsRecord {
    #[serde(default)]
    taken: Vec<(String, Timestamp)>,
    #[serde(default)]
    version: u64,
}

impl Store {
    /// Takes a permit for `holder`, who gives it back or loses it at `until`, unless `refuse` refuses it by the names of
    /// the other holders.
    ///
    /// # Errors
    /// The error of `refuse`; 503 if the table does not answer.
    pub(super) async fn acquire_permit(
        &self,
        permits: &Permits,
        (holder, until): (&str, Timestamp),
        refuse: impl Fn(&[&str]) -> Result<()>,
    ) -> Result<()> {
        let decide = |seen: Option<PermitsRecord>| {
            let mut record = seen.unwrap_or_default();
            let now = self.runtime.now();
            record.taken.retain(|(_, until)| *until > now);
            if record.taken.iter().any(|(name, _)| name == holder) {
                return Ok(Decision::Keep(()));
            }
            refuse(&record.taken.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>())?;
            record.taken.push((holder.to_owned(), until));
            Ok(Decision::Write(record.written(permits, now)?, ()))
        };
        self.update(&permits.key, Basis::Read, self.default_deadline(), decide).await
    }

    /// Gives a permit back.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn release_permit(&self, permits: &Permits, holder: &str) -> Result<()> {
        let decide = |seen: Option<PermitsRecord>| {
            let mut record = seen.unwrap_or_default();
            let taken = record.taken.len();
            record.taken.retain(|(name, _)| name != holder);
            if record.taken.len() == taken {
                return Ok(Decision::Keep(()));
            }
            Ok(Decision::Write(record.written(permits, self.runtime.now())?, ()))
        };
        self.update(&permits.key, Basis::Read, self.default_deadline(), decide).await
    }
}

impl PermitsRecord {
    /// Puts it in the place of the version that it was made from.
    fn written(mut self, permits: &Permits, now: Timestamp) -> Result<Write> {
        let seen = self.version;
        self.version += 1;
        let mut item = item(&permits.key, permits.kind, &self)?;
        item.insert("ttl".into(), number(now.plus_hours(RETENTION_HOURS).as_seconds()));
        Ok(Write::replace(item, seen))
    }
}
