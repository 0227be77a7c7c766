//! How what is there is changed: read it, decide, write under the condition that nothing of it has changed, and where
//! something has, decide again on what is there now.
//!
//! Writers that lost a race wait a random part of a growing step ("full jitter") before they try again, until their
//! deadline. Writers of the same process wait for each other first: without that, 64 messages at once in one session
//! took half as much CPU time again and, on a busy machine, longer than the deadline. Conditions, not this mutex, keep
//! writes correct.

use std::time::Duration;

use serde::de::DeserializeOwned;

use super::client::Store;
use super::idempotency::in_progress;
use super::keys::Key;
use super::table::{Consistency, record};
use super::transaction::{RequestRecord, Write, WriteRefused};
use domain::models::Timestamp;
use domain::{Error, Result};

/// What to do about what is there.
#[derive(Debug)]
pub enum Decision<W, T> {
    /// Nothing is written; this is the result.
    Keep(T),
    /// `W` is written; `T` is the result once it is.
    Write(W, T),
    /// What was read one after the other does not fit together, because somebody is changing it: it is read again.
    ReadAgain,
}

/// The replacement of one item, and what holds together with it.
#[derive(Debug)]
pub(crate) struct ItemChange {
    /// The write of the item itself, conditioned on what was decided on.
    pub(crate) item: Write,
    /// Other items that are written with it.
    pub(crate) beside: Vec<Write>,
    /// The record of the request that it is made for.
    pub(crate) request: Option<RequestRecord>,
}

impl From<Write> for ItemChange {
    fn from(item: Write) -> Self {
        Self { item, beside: Vec::new(), request: None }
    }
}

/// Which write of an [`ItemChange`] a condition failed of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    Item,
    Beside,
    Request,
}

/// What one attempt at a write came to.
#[derive(Debug)]
pub(crate) enum WriteAttempt<S, T> {
    /// There is a result.
    Done(T),
    /// Something changed meanwhile; `S` is what is there now, where the refused write showed it.
    Conflict(Option<S>),
}

impl<S> WriteAttempt<S, ()> {
    /// What a write without a result came to.
    pub(crate) const fn of(written: bool) -> Self {
        if written { Self::Done(()) } else { Self::Conflict(None) }
    }
}

impl Store {
    /// Changes the item at `key` by what `decide` makes of it, until nothing changed between reading and writing or
    /// `deadline` has passed. `decide` gets none where there is no item.
    ///
    /// # Errors
    /// What `decide` refuses with; 503 once the deadline has passed, or where the table does not answer.
    pub(crate) async fn update<R, W, T>(
        &self,
        key: &Key,
        deadline: Timestamp,
        decide: impl Fn(Option<R>) -> Result<Decision<W, T>>,
    ) -> Result<T>
    where
        R: DeserializeOwned,
        W: Into<ItemChange>,
    {
        self.update_from(key, None, deadline, &decide).await
    }

    /// The same where the first decision is about what is `known`, or supposed, to be there, and needs no read.
    pub(crate) async fn update_known<R, W, T>(
        &self,
        key: &Key,
        known: Option<R>,
        deadline: Timestamp,
        decide: impl Fn(Option<R>) -> Result<Decision<W, T>>,
    ) -> Result<T>
    where
        R: DeserializeOwned,
        W: Into<ItemChange>,
    {
        self.update_from(key, Some(known), deadline, &decide).await
    }

    async fn update_from<R, W, T>(
        &self,
        key: &Key,
        known: Option<Option<R>>,
        deadline: Timestamp,
        decide: &impl Fn(Option<R>) -> Result<Decision<W, T>>,
    ) -> Result<T>
    where
        R: DeserializeOwned,
        W: Into<ItemChange>,
    {
        let attempt = |shown: Option<Option<R>>| async move {
            let current = match shown {
                Some(current) => current,
                None => self.get(key, Consistency::Strong).await?,
            };
            self.attempt_item(decide(current)?, deadline).await
        };
        self.retry_from(key, known, deadline, attempt).await
    }

    async fn attempt_item<R, W, T>(
        &self,
        decision: Decision<W, T>,
        deadline: Timestamp,
    ) -> Result<WriteAttempt<Option<R>, T>>
    where
        R: DeserializeOwned,
        W: Into<ItemChange>,
    {
        let (change, result) = match decision {
            Decision::Keep(result) => return Ok(WriteAttempt::Done(result)),
            Decision::ReadAgain => return Ok(WriteAttempt::Conflict(None)),
            Decision::Write(change, result) => (change.into(), result),
        };
        let beside = change.beside.into_iter().map(|write| (Which::Beside, write));
        let request = change.request.map(|record| (Which::Request, record.into_write()));
        let writes = std::iter::once((Which::Item, change.item)).chain(beside).chain(request).collect();
        match self.try_write(writes, Some(deadline)).await {
            Ok(()) => Ok(WriteAttempt::Done(result)),
            Err(refused @ WriteRefused::Condition(_)) if refused.at(&Which::Request).is_some() => Err(in_progress()),
            Err(refused @ WriteRefused::Condition(_)) => {
                let shown = refused.at(&Which::Item).map(|item| item.cloned().map(record).transpose());
                Ok(WriteAttempt::Conflict(shown.transpose()?))
            }
            Err(WriteRefused::Other(error)) => Err(error),
        }
    }

    /// Repeats `attempt` until it is done or `deadline` has passed. An attempt gets the item that the previous one was
    /// shown, the first one nothing. An item shown by the first loss is tried at once. After the second loss the
    /// attempts of this process for `key` go one at a time, and after the third each waits a random time; they read
    /// again.
    ///
    /// # Errors
    /// The error of an attempt; 503 once the deadline has passed.
    pub(crate) async fn retry<S, T, F>(
        &self,
        key: &Key,
        deadline: Timestamp,
        attempt: impl Fn(Option<S>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<WriteAttempt<S, T>>>,
    {
        self.retry_from(key, None, deadline, attempt).await
    }

    /// The same, with what is `known` of the item for the first attempt.
    pub(crate) async fn retry_from<S, T, F>(
        &self,
        key: &Key,
        known: Option<S>,
        deadline: Timestamp,
        attempt: impl Fn(Option<S>) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<WriteAttempt<S, T>>>,
    {
        let (mut shown, mut turn) = (known, None);
        for conflicts in 0.. {
            let now = match attempt(shown.take()).await? {
                WriteAttempt::Done(result) => return Ok(result),
                WriteAttempt::Conflict(now) => now,
            };
            let left = u64::try_from(deadline.millis_since(self.runtime.now())).unwrap_or(0);
            match now {
                _ if left == 0 => break,
                Some(now) if conflicts == 0 => shown = Some(now),
                _ if turn.is_some() => self.back_off(conflicts).await?,
                _ => {
                    let name = format!("{}#{}", key.pk, key.sk);
                    let lock = self.contended.lock(&name);
                    turn = tokio::time::timeout(Duration::from_millis(left), lock).await.ok();
                }
            }
        }
        Err(Error::unavailable("others were faster until the deadline"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::{Arc, Mutex};

    use domain::clock::Runtime;
    use domain::error::Code;

    use super::*;

    fn store() -> Store {
        let config = aws_sdk_dynamodb::Config::builder().behavior_version_latest().build();
        Store::new(aws_sdk_dynamodb::Client::from_conf(config), "nothing is read here", Runtime::system())
    }

    fn key() -> Key {
        Key { pk: "what".to_owned(), sk: "is written".to_owned() }
    }

    /// Puts `seen + 1` into a cell that is still `seen`.
    async fn increment(cell: &AtomicU64, shown: Option<u64>) -> Result<WriteAttempt<u64, u64>> {
        let seen = shown.unwrap_or_else(|| cell.load(Ordering::SeqCst));
        tokio::task::yield_now().await;
        Ok(match cell.compare_exchange(seen, seen + 1, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => WriteAttempt::Done(seen + 1),
            Err(there) => WriteAttempt::Conflict(Some(there)),
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn of_writers_at_once_each_writes_once_on_what_the_one_before_it_wrote() {
        let (store, cell) = (store(), Arc::new(AtomicU64::new(0)));
        let writers = (0..64).map(|_| {
            let (store, cell) = (store.clone(), Arc::clone(&cell));
            tokio::spawn(async move {
                store.retry(&key(), store.default_deadline(), |shown| increment(&cell, shown)).await.unwrap()
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
    async fn what_a_lost_race_showed_is_tried_at_once_and_read_again_after_the_second() {
        let shown = Mutex::new(Vec::new());
        let attempt = |now: Option<u64>| {
            let mut shown = shown.lock().unwrap();
            shown.push(now);
            let count = shown.len() as u64;
            async move { Ok(if count < 4 { WriteAttempt::Conflict(Some(count)) } else { WriteAttempt::Done(count) }) }
        };
        let store = store();
        assert_eq!(store.retry(&key(), store.default_deadline(), attempt).await.unwrap(), 4);
        assert_eq!(*shown.lock().unwrap(), [None, Some(1), None, None]);
        let known = |now: Option<u64>| async move { Ok(WriteAttempt::<u64, _>::Done(now)) };
        assert_eq!(store.retry_from(&key(), Some(7), store.default_deadline(), known).await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn a_writer_who_always_loses_gives_up_at_its_deadline_and_an_error_ends_it_at_once() {
        let store = store();
        let deadline = store.runtime.now().plus_millis(60);
        let lost =
            store.retry(&key(), deadline, |_: Option<()>| async { Ok(WriteAttempt::<_, ()>::Conflict(None)) }).await;
        assert_eq!(lost.unwrap_err().code(), Code::ServiceUnavailable);
        assert!(store.runtime.now() >= deadline);
        let refused = |_: Option<()>| async { Err::<WriteAttempt<_, ()>, _>(Error::not_found("entry")) };
        assert_eq!(store.retry(&key(), deadline, refused).await.unwrap_err().code(), Code::NotFound);
    }
}
