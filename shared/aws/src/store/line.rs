//! Queues writers of one thing in one process that lost a race, so that they proceed one after the other in the order
//! of arrival instead of racing again. On AWS, where an instance handles one request at a time, no writer waits here.
//! Conditions ensure correctness, not this.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use super::Store;
use super::keys::Key;
use domain::models::Timestamp;
use domain::{Error, Result};

/// The number of lines above which unused ones are removed.
const CLEAR_AT: usize = 1_024;

/// The lines of one process, by what is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<HashMap<String, Weak<AsyncMutex<()>>>>>);

/// A place at the head of a line; the next one's turn comes when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    _held: OwnedMutexGuard<()>,
}

impl Lines {
    /// Waits until all who stood in the line of `what` before are done.
    pub(crate) async fn wait(&self, what: &str) -> Turn {
        Turn { _held: self.line(what).lock_owned().await }
    }

    fn line(&self, what: &str) -> Arc<AsyncMutex<()>> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(what).and_then(Weak::upgrade) {
            return line;
        }
        if lines.len() >= CLEAR_AT {
            lines.retain(|_, line| line.strong_count() > 0);
        }
        let line = Arc::new(AsyncMutex::new(()));
        lines.insert(what.to_owned(), Arc::downgrade(&line));
        line
    }
}

/// One writer's attempts at one item, until its deadline.
#[derive(Debug)]
pub struct Contest<'a> {
    store: &'a Store,
    what: String,
    deadline: Timestamp,
    turn: Option<Turn>,
    lost_in_line: u32,
}

impl Store {
    /// A contest for an item; nothing waits until a race is lost.
    pub(crate) fn contest(&self, item: &Key, deadline: Timestamp) -> Contest<'_> {
        Contest { store: self, what: item.pk.clone() + "#" + &item.sk, deadline, turn: None, lost_in_line: 0 }
    }
}

impl Contest<'_> {
    /// A race was lost: lines up, and at the head of the line, where another process was faster, waits a random moment.
    ///
    /// # Errors
    /// 503 once the deadline has passed.
    pub async fn lost(&mut self) -> Result<()> {
        let left = self.deadline.millis_since(self.store.ambient.now());
        let Some(left) = u64::try_from(left).ok().filter(|left| *left > 0) else { return Err(until_the_deadline()) };
        if self.turn.is_some() {
            self.store.back_off(self.lost_in_line).await?;
            self.lost_in_line += 1;
            return Ok(());
        }
        let turn = tokio::time::timeout(Duration::from_millis(left), self.store.lines.wait(&self.what)).await;
        self.turn = Some(turn.map_err(|_| until_the_deadline())?);
        Ok(())
    }
}

fn until_the_deadline() -> Error {
    Error::unavailable("others were faster until the deadline")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_goes_after_the_other_and_lines_of_other_things_are_not_waited_in() {
        let lines = Lines::default();
        let first = lines.wait("a").await;
        let _other = lines.wait("b").await;
        let second = tokio::spawn({
            let lines = lines.clone();
            async move { lines.wait("a").await }
        });
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        drop(first);
        drop(second.await.unwrap());
        let _third = lines.wait("a").await;
    }
}
