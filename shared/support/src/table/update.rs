//! How what is there is changed: read it, decide, write under the condition that nothing of it has changed, and if
//! something has, decide again on what is there now. Permits, which a limited number of holders have at once over all
//! processes, are an item that is changed in this way.
//!
//! Writers that lost a race wait a random part of a growing step ("full jitter") before they try again, until their
//! deadline. Writers of the same process wait for each other first: without that, 64 messages at once in one session
//! took half as much CPU time again and, on a busy machine, longer than the deadline. Conditions, not this mutex, keep
//! writes correct.

use std::time::Duration;

use domain::models::Timestamp;
use domain::{Error, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::table::item::{ItemKind, item, number, record};
use crate::table::keys::Key;
use crate::table::transaction::{Outcome, Tag, Transaction, Write};
use crate::table::{Consistency, Store};

/// The decision on a stored item.
#[derive(Debug)]
pub enum Decision<W, T> {
    /// Nothing is written; this is the result.
    Keep(T),
    /// `W` is written; `T` is the result once it is.
    Write(W, T),
    /// The items that were read one after the other do not fit together, because somebody is changing them. They are
    /// read again.
    ReadAgain,
}

/// The state on which an attempt decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Basis<S> {
    /// The state that it reads.
    Read,
    /// A state that is known, or supposed, to be stored.
    Known(S),
}

/// The outcome of one attempt at a write.
#[derive(Debug)]
pub(crate) enum Attempt<S, T> {
    /// There is a result.
    Done(T),
    /// Something changed meanwhile; the next attempt decides on this.
    Conflict(Basis<S>),
}

impl<S> Attempt<S, ()> {
    /// The outcome of a write without a result.
    pub(crate) const fn of(written: bool) -> Self {
        if written { Self::Done(()) } else { Self::Conflict(Basis::Read) }
    }
}

impl Store {
    /// Changes the item at `key` by what `decide` makes of it, until nothing changed between reading and writing or
    /// `deadline` has passed. `decide` gets none if there is no item; `first` is what it is asked about first.
    ///
    /// # Errors
    /// The error of `decide`; 409 `IDEMPOTENCY_IN_PROGRESS` if another attempt stored the record of the request; 401
    /// `SIGN_IN_REQUIRED` if the member who acts is no longer as read; 503 once the deadline has passed, or if the
    /// table does not answer.
    pub(crate) async fn update<R, W, T>(
        &self,
        key: &Key,
        first: Basis<Option<R>>,
        deadline: Timestamp,
        decide: impl Fn(Option<R>) -> Result<Decision<W, T>>,
    ) -> Result<T>
    where
        R: DeserializeOwned,
        W: Into<Transaction>,
    {
        let decide = &decide;
        let attempt = |basis: Basis<Option<R>>| async move {
            let current = match basis {
                Basis::Known(current) => current,
                Basis::Read => self.get(key, Consistency::Strong).await?,
            };
            let (transaction, result) = match decide(current)? {
                Decision::Keep(result) => return Ok(Attempt::Done(result)),
                Decision::ReadAgain => return Ok(Attempt::Conflict(Basis::Read)),
                Decision::Write(transaction, result) => (transaction.into(), result),
            };
            let outcome = self.commit(transaction, Some(deadline)).await?;
            if outcome.is_committed() {
                return Ok(Attempt::Done(result));
            }
            if outcome.at(Tag::Actor).is_some() {
                return Err(Error::sign_in_required());
            }
            shown(&outcome).map(Attempt::Conflict)
        };
        self.retry(&contended(key), first, deadline, attempt).await
    }

    /// Repeats `attempt` until it is done or `deadline` has passed. The first one decides on `first`, and each other one
    /// on what the one before it was shown. What the first loss showed is tried at once. After the second loss the
    /// attempts of this process `about` the same thing go one at a time, and after the third each waits a random time;
    /// they read again.
    ///
    /// # Errors
    /// The error of an attempt; 503 once the deadline has passed.
    pub(crate) async fn retry<S, T, F>(
        &self,
        about: &str,
        first: Basis<S>,
        deadline: Timestamp,
        attempt: impl Fn(Basis<S>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<Attempt<S, T>>>,
    {
        let (mut basis, mut turn) = (first, None);
        for conflicts in 0.. {
            let shown = match attempt(basis).await? {
                Attempt::Done(result) => return Ok(result),
                Attempt::Conflict(shown) => shown,
            };
            basis = Basis::Read;
            let left = u64::try_from(deadline.millis_since(self.runtime.now())).unwrap_or(0);
            match shown {
                _ if left == 0 => break,
                known @ Basis::Known(_) if conflicts == 0 => basis = known,
                _ if turn.is_some() => self.back_off(conflicts).await?,
                _ => {
                    let lock = self.contended.lock(about);
                    turn = tokio::time::timeout(Duration::from_millis(left), lock).await.ok();
                }
            }
        }
        Err(Error::unavailable("others were faster until the deadline"))
    }
}

/// The name that writers of an item compete under.
pub(crate) fn contended(key: &Key) -> String {
    format!("{}#{}", key.pk, key.sk)
}

/// The item that a refused transaction was decided on, as it is now; to be read if its condition held.
fn shown<R: DeserializeOwned>(outcome: &Outcome) -> Result<Basis<Option<R>>> {
    match outcome.at(Tag::Item) {
        Some(item) => item.cloned().map(record).transpose().map(Basis::Known),
        None => Ok(Basis::Read),
    }
}

/// How long an item without a permit taken is kept, in hours.
const RETENTION_HOURS: i64 = 24;

/// The permits of one thing: where they are, and who holds them.
#[derive(Debug, Clone)]
pub(crate) struct Permits {
    pub(crate) key: Key,
    pub(crate) kind: ItemKind,
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
    pub(crate) async fn acquire_permit(
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
    pub(crate) async fn release_permit(&self, permits: &Permits, holder: &str) -> Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    use domain::clock::Runtime;
    use domain::error::Code;

    fn store() -> Store {
        let config = aws_sdk_dynamodb::Config::builder().behavior_version_latest().build();
        Store::new(aws_sdk_dynamodb::Client::from_conf(config), "nothing is read here", Runtime::system())
    }

    /// Puts `seen + 1` into a cell that is still `seen`.
    async fn increment(cell: &AtomicU64, basis: Basis<u64>) -> Result<Attempt<u64, u64>> {
        let seen = match basis {
            Basis::Known(seen) => seen,
            Basis::Read => cell.load(Ordering::SeqCst),
        };
        tokio::task::yield_now().await;
        Ok(match cell.compare_exchange(seen, seen + 1, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => Attempt::Done(seen + 1),
            Err(there) => Attempt::Conflict(Basis::Known(there)),
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_writers_at_once_each_writes_once_on_what_the_one_before_it_wrote() {
        let (store, cell) = (store(), Arc::new(AtomicU64::new(0)));
        let writers = (0..64).map(|_| {
            let (store, cell) = (store.clone(), Arc::clone(&cell));
            tokio::spawn(async move {
                let attempt = |basis| increment(&cell, basis);
                store.retry("cell", Basis::Read, store.default_deadline(), attempt).await.unwrap()
            })
        });
        let mut written = Vec::new();
        for writer in writers.collect::<Vec<_>>() {
            written.push(writer.await.unwrap());
        }
        written.sort_unstable();
        assert_eq!(written, (1..=64).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_first_lost_race_is_retried_with_the_value_it_showed_and_later_ones_read_it_again() {
        let seen = Mutex::new(Vec::new());
        let attempt = |basis: Basis<u64>| {
            let mut seen = seen.lock().unwrap();
            seen.push(basis);
            let count = seen.len() as u64;
            async move { Ok(if count < 4 { Attempt::Conflict(Basis::Known(count)) } else { Attempt::Done(count) }) }
        };
        let store = store();
        assert_eq!(store.retry("cell", Basis::Known(0), store.default_deadline(), attempt).await.unwrap(), 4);
        assert_eq!(*seen.lock().unwrap(), [Basis::Known(0), Basis::Known(1), Basis::Read, Basis::Read]);
    }

    #[tokio::test]
    async fn a_writer_who_always_loses_gives_up_at_its_deadline_and_an_error_ends_it_at_once() {
        let store = store();
        let deadline = store.runtime.now().plus_millis(60);
        let lost = |_: Basis<()>| async { Ok(Attempt::<_, ()>::Conflict(Basis::Read)) };
        let lost = store.retry("cell", Basis::Read, deadline, lost).await;
        assert_eq!(lost.unwrap_err().code(), Code::ServiceUnavailable);
        assert!(store.runtime.now() >= deadline);
        let refused = |_: Basis<()>| async { Err::<Attempt<_, ()>, _>(Error::not_found("entry")) };
        assert_eq!(store.retry("cell", Basis::Read, deadline, refused).await.unwrap_err().code(), Code::NotFound);
    }
}
