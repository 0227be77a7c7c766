//! Reads the due index (gsi2), and reschedules failed items.
//!
//! The index only says that something may be due: it lags, and several sweeps may read the same item. It holds keys
//! only, so what must be known of an item without reading it is in its key. The handler of an item reads it again from
//! the table and writes on condition.
//!
//! Runs of the sweeper that have not ended. One that began too long ago to be still running has died.

use domain::Result;
use domain::models::{
    EscalationId, EventId, IngestId, MemberId, Mode, ReplayKind, Scope, SessionId, TenantId, Timestamp, WebhookId,
    WikiPath,
};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, Item, ItemKind, item, number, record, text};
use crate::table::keys::{self, IndexKey, Key};
use crate::table::transaction::Write;
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};
use crate::webhooks::table::REPLAYS;
use crate::wiki::table::revisions::version_of_revisions_end;

/// How long an item that failed once is left alone, in milliseconds; twice as long after each further failure.
const MIN_RETRY_DELAY_MS: i64 = 60_000;

/// The longest that an item is left alone, in milliseconds.
const MAX_RETRY_DELAY_MS: i64 = 900_000;

/// Something that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueItem {
    /// The tenant and mode.
    pub scope: Scope,
    pub subject: DueSubject,
    /// Since when it is due.
    pub at: Timestamp,
    /// How many processes died while they handled it, as recorded by [`DueItemRepository::begin_attempt`].
    pub crashes: u32,
    key: Key,
    place: IndexKey,
}

/// The key that [`DueItem::name`] shows.
fn key_of_name(name: &str) -> Option<Key> {
    name.split_once(' ').map(|(pk, sk)| Key { pk: pk.to_owned(), sk: sk.to_owned() })
}

impl DueItem {
    /// Its key in the table as one text, the same for as long as it exists.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.key.pk, self.key.sk)
    }

    /// The item, due since the same moment, of which no process died.
    #[must_use]
    pub(super) fn without_crashes(&self) -> Self {
        self.at_position(self.at, 0)
    }

    fn at_position(&self, at: Timestamp, crashes: u32) -> Self {
        let place = IndexKey { pk: self.place.pk.clone(), sk: due_position(at, crashes) };
        Self { at, crashes, place, ..self.clone() }
    }
}

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq)]
pub struct DuePosition(Item);

/// Some of what is due in one partition, in order of time.
#[derive(Debug, Clone, PartialEq)]
pub struct DuePage {
    /// The due items.
    pub items: Vec<DueItem>,
    /// Items of kinds that are not known here: another version of the service wrote them, and will handle them.
    pub unknown_items: usize,
    /// `None` at the end.
    pub next: Option<DuePosition>,
}

repository!(due: DueItemRepository);

impl DueItemRepository<'_> {
    /// The items of the partition `shard` (below [`keys::DUE_SHARDS`]) that were due by `until`, of every tenant,
    /// longest due first.
    pub async fn list(&self, shard: u32, until: Timestamp, from: Option<DuePosition>, limit: u16) -> Result<DuePage> {
        self.page(shard, until, from, limit, true).await
    }

    /// The same from the other end: what is due since the shortest time first.
    pub(super) async fn list_newest(
        &self,
        shard: u32,
        until: Timestamp,
        from: Option<DuePosition>,
        limit: u16,
    ) -> Result<DuePage> {
        self.page(shard, until, from, limit, false).await
    }

    async fn page(
        &self,
        shard: u32,
        until: Timestamp,
        from: Option<DuePosition>,
        limit: u16,
        forward: bool,
    ) -> Result<DuePage> {
        let first = keys::moment(Timestamp::from_millis(0));
        let page = self
            .0
            .query(PartitionQuery {
                condition: SortCondition::Between(first, keys::moment(until)),
                forward,
                limit: Some(i32::from(limit)),
                start: from.map(|position| position.0),
                ..PartitionQuery::of_index("gsi2", keys::due_shard(shard))
            })
            .await?;
        let read = page.items.len();
        let items: Vec<DueItem> = page.items.iter().filter_map(due_item).collect();
        let unknown_items = read - items.len();
        Ok(DuePage { items, unknown_items, next: page.next.map(DuePosition) })
    }

    /// Removes an item from the due index, until it is written again. An item that changed since is left unchanged.
    pub(super) async fn delete(&self, scope: &Scope, item: &DueItem) -> Result<()> {
        if *scope != item.scope {
            return Ok(());
        }
        self.update(item, Expression::new("REMOVE gsi2pk, gsi2sk, dueFailures")).await.map(drop)
    }

    /// Makes the item of this [`DueItem::name`] due now, after it was taken off; false if it does not exist any more,
    /// or is no due item.
    pub async fn put_back(&self, name: &str, now: Timestamp) -> Result<bool> {
        let Some(key) = key_of_name(name).filter(|key| due_subject(key).is_some()) else { return Ok(false) };
        let place = keys::due(&key, now);
        let update = Expression::new("SET gsi2pk = :pk, gsi2sk = :sk REMOVE dueFailures")
            .with(":pk", text(place.pk))
            .with(":sk", text(place.sk));
        let condition = Some(Expression::new("attribute_exists(pk)"));
        self.0.write_if(Write::Update { key, update, condition }).await
    }

    /// Records that an item is about to be handled: it is due again at `until`, with one more death, until
    /// [`Self::end_attempt`] or another write of the item undoes that. Returns the item as it is then; none if it
    /// changed since it was read.
    pub async fn begin_attempt(&self, scope: &Scope, item: &DueItem, until: Timestamp) -> Result<Option<DueItem>> {
        if *scope != item.scope {
            return Ok(None);
        }
        let begun = item.at_position(until, item.crashes.saturating_add(1));
        Ok(self.move_to(item, &begun).await?.then_some(begun))
    }

    /// Puts an item that was begun into the place of `item`. One that moved on since is left as it is.
    pub(super) async fn end_attempt(&self, scope: &Scope, begun: &DueItem, item: &DueItem) -> Result<()> {
        if *scope != begun.scope {
            return Ok(());
        }
        self.move_to(begun, item).await.map(drop)
    }

    async fn move_to(&self, item: &DueItem, other: &DueItem) -> Result<bool> {
        let update = Expression::new("SET gsi2sk = :place").with(":place", text(&other.place.sk));
        self.update(item, update).await
    }

    /// Puts an item that failed off, the longer the more often it has failed, so that it neither holds up the others
    /// nor is forgotten. One that moved on since is left as it is.
    pub(super) async fn reschedule(&self, scope: &Scope, item: &DueItem, now: Timestamp) -> Result<()> {
        let failed: Option<Failed> = self.0.get(&item.key, Consistency::Strong).await?;
        let Some(Failed { due_failures }) = failed.filter(|_| *scope == item.scope) else { return Ok(()) };
        let delay = MIN_RETRY_DELAY_MS.saturating_mul(1 << due_failures.min(10)).min(MAX_RETRY_DELAY_MS);
        let update = Expression::new("SET gsi2sk = :later, dueFailures = :failures")
            .with(":later", text(keys::moment(now.plus_millis(delay))))
            .with(":failures", number(due_failures.saturating_add(1)));
        self.update(item, update).await.map(drop)
    }

    /// Changes an item that is still in the place where it was read; whether it was.
    async fn update(&self, item: &DueItem, update: Expression) -> Result<bool> {
        let condition = Expression::new("gsi2pk = :pk AND gsi2sk = :sk")
            .with(":pk", text(&item.place.pk))
            .with(":sk", text(&item.place.sk));
        let write = Write::Update { key: item.key.clone(), update, condition: Some(condition) };
        self.0.write_if(write).await
    }
}

/// The failure counts of a due item; removed when its handler writes it again.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    #[serde(default)]
    due_failures: u32,
}

fn due_item(item: &Item) -> Option<DueItem> {
    let attribute = |name: &str| item.get(name)?.as_s().ok().cloned();
    let key = Key { pk: attribute("pk")?, sk: attribute("sk")? };
    let place = IndexKey { pk: attribute("gsi2pk")?, sk: attribute("gsi2sk")? };
    let (scope, subject) = due_subject(&key)?;
    let (at, crashes) = due_from(&place.sk)?;
    Some(DueItem { scope, subject, at, crashes, key, place })
}

/// gsi2: the due time; after it the number of crashes, if any. The due index holds keys only, so what must be known of
/// an item without reading it is in its key.
fn due_position(at: Timestamp, crashes: u32) -> String {
    match crashes {
        0 => keys::moment(at),
        crashes => format!("{}{CRASHES}{crashes}", keys::moment(at)),
    }
}

const CRASHES: char = '#';

/// Parses the due time and the number of crashes of an item.
fn due_from(place: &str) -> Option<(Timestamp, u32)> {
    match place.split_once(CRASHES) {
        None => Some((parse_sortable_time(place)?, 0)),
        Some((at, crashes)) => Some((parse_sortable_time(at)?, crashes.parse().ok()?)),
    }
}

/// Something with a place in the due index, read back from its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DueSubject {
    /// A session, or what is left of one that is being erased.
    Session(SessionId),
    /// A request for a human whose claim ends.
    Escalation(EscalationId),
    /// The claims of a member who lost the inbox.
    Claims(MemberId),
    /// A wiki entry, or what is left of one, that the index does not have as it is.
    Entry(WikiPath),
    /// A wiki that is being reindexed.
    Reindexing,
    /// The gaps of a tenant, after its wiki changed.
    GapReview,
    /// A delivery that is retried later, or whose message was lost.
    Delivery(WebhookId, EventId),
    /// A standing order to send again what a receiver missed.
    Replay(WebhookId, ReplayKind),
    /// An ingest job that no worker has.
    IngestJob(IngestId),
    /// The revisions of a path up to the version of its deletion: they are erased.
    Revisions(WikiPath, u64),
}

/// The owner and the subject of a due item; none for a key that is of no kind known here.
fn due_subject(key: &Key) -> Option<(Scope, DueSubject)> {
    let mut parts = key.pk.splitn(4, '#');
    let scope = Scope { tenant: TenantId::parse(parts.next()?)?, mode: Mode::parse(parts.next()?)? };
    let subject = match (parts.next()?, parts.next(), key.sk.as_str()) {
        ("SES", Some(id), keys::SESSION) => DueSubject::Session(SessionId::parse(id)?),
        ("ESC", Some(id), "ESCALATION") => DueSubject::Escalation(EscalationId::parse(id)?),
        ("ING", Some(id), "JOB") => DueSubject::IngestJob(IngestId::parse(id)?),
        ("REV", Some(path), end) => DueSubject::Revisions(WikiPath::parse(path).ok()?, version_of_revisions_end(end)?),
        ("CLAIMS", None, member) => DueSubject::Claims(MemberId::parse(member)?),
        ("REINDEX", None, "JOB") => DueSubject::Reindexing,
        ("GAPREVIEW", None, "REVIEW") => DueSubject::GapReview,
        ("DLV", Some(webhook), event) => DueSubject::Delivery(WebhookId::parse(webhook)?, EventId::parse(event)?),
        (REPLAYS, None, order) => {
            let (webhook, kind) = order.split_once('#')?;
            DueSubject::Replay(WebhookId::parse(webhook)?, ReplayKind::parse(kind)?)
        }
        ("WIKI", None, path) => DueSubject::Entry(WikiPath::parse(path).ok()?),
        _ => return None,
    };
    Some((scope, subject))
}

/// Parses a time that [`moment`] wrote.
fn parse_sortable_time(text: &str) -> Option<Timestamp> {
    text.parse().ok().map(Timestamp::from_millis)
}

/// So many unfinished runs are read; a transaction takes as many away.
const MAX_RUNS_READ: i32 = 100;

/// A run that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SweepRun {
    /// When it began.
    pub started_at: Timestamp,
    holder: String,
}

repository!(sweep_runs: SweepRunRepository);

impl SweepRunRepository<'_> {
    /// Records the start of a run.
    pub async fn begin(&self, started_at: Timestamp) -> Result<SweepRun> {
        let run = SweepRun { started_at, holder: self.0.runtime.token()? };
        let item = item(&sweep_run_key(&run.holder), ItemKind::SweepRun, &run)?;
        self.0.write(vec![Write::create(item)]).await?;
        Ok(run)
    }

    /// The runs that have not ended; at most a hundred of them.
    pub async fn list_unfinished(&self) -> Result<Vec<SweepRun>> {
        let page = self
            .0
            .query(PartitionQuery { limit: Some(MAX_RUNS_READ), ..PartitionQuery::new(SWEEP_RUNS.into()) })
            .await?;
        page.items.into_iter().map(record).collect()
    }

    /// Deletes the records of runs that ended, or whose death has been handled; at most a hundred.
    pub(super) async fn end(&self, runs: &[SweepRun]) -> Result<()> {
        if runs.is_empty() {
            return Ok(());
        }
        let writes = runs.iter().map(|run| Write::delete(sweep_run_key(&run.holder)));
        self.0.write(writes.collect()).await
    }
}

/// The partition of the runs of the sweeper that have not ended.
const SWEEP_RUNS: &str = "SWEEPS";

/// A run of the sweeper, by a random name.
fn sweep_run_key(holder: &str) -> Key {
    Key::new(SWEEP_RUNS.to_owned(), holder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knowledge::gaps::table::gap_review_key;
    use crate::members::table::changes::claims_release_key;
    use crate::sessions::table::escalations::escalation_key;
    use crate::table::keys;
    use crate::webhooks::table::deliveries::delivery_key;
    use crate::wiki::table::entry_key;
    use crate::wiki::table::index::reindexing_key;
    use crate::wiki::table::revisions::revisions_end_key;
    use domain::models::{EscalationId, EventId, IngestId, MemberId, Mode, SessionId, TenantId, WebhookId, WikiPath};

    fn read(key: &Key) -> Option<DueItem> {
        let place = keys::due(key, Timestamp::from_millis(77));
        due_item(&Item::from([
            ("pk".into(), text(&key.pk)),
            ("sk".into(), text(&key.sk)),
            ("gsi2pk".into(), text(place.pk)),
            ("gsi2sk".into(), text(place.sk)),
        ]))
    }

    #[test]
    fn every_kind_of_due_item_is_read_back_from_its_key() {
        let runtime = domain::clock::Runtime::system();
        let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Test };
        let (session, escalation) = (SessionId::generate(&runtime).unwrap(), EscalationId::generate(&runtime).unwrap());
        let path = WikiPath::parse("help/TURNS").unwrap();
        let (webhook, event) = (WebhookId::generate(&runtime).unwrap(), EventId::generate(&runtime).unwrap());
        let (ingest, member) = (IngestId::generate(&runtime).unwrap(), MemberId::generate(&runtime).unwrap());
        let job = Key { pk: format!("{}#ING#{ingest}", keys::scope(&scope)), sk: "JOB".into() };
        for (key, subject) in [
            (keys::session(&scope, &session), DueSubject::Session(session)),
            (escalation_key(&scope, &escalation), DueSubject::Escalation(escalation)),
            (revisions_end_key(&scope, &path, 7), DueSubject::Revisions(path.clone(), 7)),
            (claims_release_key(&scope, &member), DueSubject::Claims(member)),
            (entry_key(&scope, &path), DueSubject::Entry(path)),
            (reindexing_key(&scope), DueSubject::Reindexing),
            (gap_review_key(&scope), DueSubject::GapReview),
            (delivery_key(&scope, &webhook, &event), DueSubject::Delivery(webhook, event)),
            (job, DueSubject::IngestJob(ingest)),
        ] {
            let item = read(&key).unwrap();
            assert_eq!((&item.scope, &item.subject, item.at.as_millis(), item.crashes), (&scope, &subject, 77, 0));
            let begun = item.at_position(Timestamp::from_millis(99), 2);
            assert_eq!(due_from(&begun.place.sk), Some((Timestamp::from_millis(99), 2)));
            assert_eq!((begun.name(), begun.without_crashes().place.sk), (item.name(), keys::moment(begun.at)));
        }
    }

    #[test]
    fn an_unknown_key_is_an_unknown_item() {
        let runtime = domain::clock::Runtime::system();
        let tenant = TenantId::generate(&runtime).unwrap();
        for (pk, sk) in [
            (format!("{tenant}#live#SES#x"), keys::SESSION),
            (format!("{tenant}#live#NEW#x"), "NEW"),
            ("KEY#1".to_owned(), "KEY"),
            (format!("{tenant}#live#WIKI"), "no path"),
        ] {
            assert_eq!(read(&Key { pk, sk: sk.into() }), None);
        }
    }
}
