//! Faults in front of everything that the service calls: chosen calls do not arrive, lose their reply, are throttled or
//! cancelled, take long, wait, or end their caller. [`sdk`] puts them in front of an SDK's client, [`ports`] of the
//! models, [`aws`] has KMS and a bucket with them, [`super::IndexSwitch`] the index. [`callers`] drops the futures that
//! made a call.

mod aws;
mod callers;
mod ports;
mod sdk;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::clock::{Rng, SeededRng, ShiftedClock};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

pub(crate) use aws::{BucketStandIn, Kms, sdk_config};
use callers::DropSignal;
pub(crate) use ports::{FaultyEmbeddings, FaultyModel};

/// How long a slow call takes by the service's clock, in milliseconds: longer than any request may take.
const SLOW_MS: i64 = 40_000;

/// The service that a call goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// The table, by the functions that answer requests.
    Table,
    /// The table, by the workers.
    WorkersTable,
    /// The queues, by those who send.
    Queues,
    /// The key that encrypts secrets.
    Kms,
    /// The bucket of dead letters.
    Bucket,
    /// The search index.
    Index,
    /// The language model.
    Model,
    /// The embedding model.
    Embeddings,
}

/// The fate of a chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It never arrives.
    BeforeSend,
    /// It is carried out, and the reply is lost.
    LoseReply,
    /// It is refused because there are too many.
    Throttled,
    /// A transaction is cancelled because of another one; any other call goes.
    Cancelled,
    /// It is carried out, and the service's clock shows a much later time then.
    Slow,
    /// It never arrives, and its caller is dropped while it waits for the reply.
    DropCallerBefore,
    /// The same after it is carried out.
    DropCallerAfter,
}

impl Fault {
    /// The kinds after which the caller goes on.
    pub(crate) const OF_CALLS: [Self; 5] =
        [Self::BeforeSend, Self::LoseReply, Self::Throttled, Self::Cancelled, Self::Slow];
}

/// Which calls fail.
#[derive(Debug, Default)]
enum Chosen {
    #[default]
    None,
    /// `count` calls of a target, or of all together, from number `first` (from 1) on.
    Calls { target: Option<Target>, first: usize, count: usize, fault: Fault },
    /// So many of a hundred calls, chosen by a sequence that this is the state of.
    Some { dice: SeededRng, percent: u64, faults: Vec<Fault> },
    /// Every call that may write.
    Writes,
    /// The next calls whose operation or body has all of these words.
    Saying { words: &'static [&'static str], left: usize, fault: Fault },
}

#[derive(Debug, Default)]
struct FaultPlan {
    calls: BTreeMap<Target, usize>,
    chosen: Chosen,
    /// How many calls failed.
    failed: usize,
    /// Tells the callers outside of [`Faults::worker`] that they are dropped.
    dropped: DropSignal,
    /// The call that waits until it may go on: so many more that hold a text come before it.
    paused: Option<(usize, String, PausedCall)>,
}

/// A call that waits on its way.
#[derive(Debug, Clone)]
pub(crate) struct PausedCall {
    arrived: Arc<Semaphore>,
    go: Arc<Semaphore>,
}

impl PausedCall {
    /// Waits until the call is there; false if `done` ends without it.
    pub(crate) async fn wait_until_paused<T>(&self, done: &JoinHandle<T>) -> bool {
        loop {
            if let Ok(permit) = tokio::time::timeout(Duration::from_millis(5), self.arrived.acquire()).await {
                permit.unwrap().forget();
                return true;
            }
            if done.is_finished() {
                return false;
            }
        }
    }

    /// Lets it go on.
    pub(crate) fn release(&self) {
        self.go.add_permits(1);
    }

    async fn wait_for_release(&self) {
        self.arrived.add_permits(1);
        self.go.acquire().await.unwrap().forget();
    }
}

/// The fate of the next call.
#[derive(Debug, Clone)]
enum NextCall {
    Goes,
    Fails(Fault),
    Waits(PausedCall),
}

/// The calls to fail, shared with whatever makes them fail. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults {
    plan: Arc<Mutex<FaultPlan>>,
    clock: Arc<Mutex<Option<Arc<ShiftedClock>>>>,
}

impl Faults {
    /// Moves `clock` at a slow call.
    pub(crate) fn slow_by(&self, clock: &Arc<ShiftedClock>) {
        *self.clock.lock().unwrap() = Some(Arc::clone(clock));
    }

    fn choose(&self, chosen: Chosen) {
        *self.plan.lock().unwrap() = FaultPlan { chosen, ..FaultPlan::default() };
    }

    /// From now on, call number `first` (from 1) and the next ones, `count` in all, fail.
    pub(crate) fn arm(&self, first: usize, count: usize, fault: Fault) {
        self.choose(Chosen::Calls { target: None, first, count, fault });
    }

    /// The same of the calls of one target.
    pub(crate) fn arm_at(&self, target: Target, first: usize, count: usize, fault: Fault) {
        self.choose(Chosen::Calls { target: Some(target), first, count, fault });
    }

    /// From now on, `percent` of all calls fail in one of these ways, chosen by `seed`.
    pub(crate) fn arm_random(&self, seed: u64, percent: u64, faults: &[Fault]) {
        self.choose(Chosen::Some { dice: SeededRng::new(seed), percent, faults: faults.to_vec() });
    }

    /// From now on every call that may write fails.
    pub(crate) fn fail_writes(&self) {
        self.choose(Chosen::Writes);
    }

    /// From now on every call fails whose operation or body has all of `words`.
    pub(crate) fn fail_calls_saying(&self, words: &'static [&'static str]) {
        self.arm_saying(words, usize::MAX, Fault::BeforeSend);
    }

    /// The next `count` calls of those fail.
    pub(crate) fn arm_saying(&self, words: &'static [&'static str], count: usize, fault: Fault) {
        self.choose(Chosen::Saying { words, left: count, fault });
    }

    /// How many calls failed since the faults were armed.
    pub(crate) fn failed(&self) -> usize {
        self.plan.lock().unwrap().failed
    }

    /// Of the calls from now on that say `text`, number `number` (from 1) waits on its way.
    pub(crate) fn pause(&self, number: usize, text: &str) -> PausedCall {
        let paused = PausedCall { arrived: Arc::new(Semaphore::new(0)), go: Arc::new(Semaphore::new(0)) };
        let plan = FaultPlan { paused: Some((number, text.to_owned(), paused.clone())), ..FaultPlan::default() };
        *self.plan.lock().unwrap() = plan;
        paused
    }

    /// No more faults; how many calls there were since they were armed.
    pub(crate) fn disarm(&self) -> usize {
        self.disarm_all().values().sum()
    }

    /// The same by target.
    pub(crate) fn disarm_all(&self) -> BTreeMap<Target, usize> {
        std::mem::take(&mut *self.plan.lock().unwrap()).calls
    }

    fn next(&self, target: Target, operation: &str, body: &[u8]) -> NextCall {
        let mut plan = self.plan.lock().unwrap();
        let next = plan.next(target, operation, body);
        plan.failed += usize::from(matches!(next, NextCall::Fails(_)));
        next
    }

    fn pass_time(&self) {
        let clock = self.clock.lock().unwrap().clone();
        clock.expect("the clock of the service").advance(SLOW_MS);
    }

    /// Carries out a call of something without a protocol of its own; `None` if it fails.
    pub(crate) async fn call<T>(&self, target: Target, work: impl Future<Output = T>) -> Option<T> {
        match self.next(target, "", &[]) {
            NextCall::Waits(paused) => paused.wait_for_release().await,
            NextCall::Goes | NextCall::Fails(Fault::Cancelled) => {}
            NextCall::Fails(Fault::Slow) => self.pass_time(),
            NextCall::Fails(Fault::LoseReply) => {
                work.await;
                return None;
            }
            NextCall::Fails(Fault::BeforeSend | Fault::Throttled) => return None,
            NextCall::Fails(Fault::DropCallerBefore) => self.caller().drop_it().await,
            NextCall::Fails(Fault::DropCallerAfter) => {
                let caller = self.caller();
                work.await;
                return caller.drop_it().await;
            }
        }
        Some(work.await)
    }
}

impl FaultPlan {
    fn next(&mut self, target: Target, operation: &str, body: &[u8]) -> NextCall {
        let plan = self;
        let number = plan.calls.entry(target).or_default();
        *number += 1;
        let of_target = *number;
        let of_all: usize = plan.calls.values().sum();
        match &mut plan.chosen {
            Chosen::Writes if ["Put", "Update", "Delete", "Write"].iter().any(|write| operation.contains(write)) => {
                return NextCall::Fails(Fault::BeforeSend);
            }
            Chosen::Saying { words, left, fault } if *left > 0 => {
                let body = String::from_utf8_lossy(body);
                if words.iter().all(|word| operation.contains(word) || body.contains(word)) {
                    *left -= 1;
                    return NextCall::Fails(*fault);
                }
            }
            Chosen::Calls { target: only, first, count, fault } if only.is_none_or(|only| only == target) => {
                let number = if only.is_some() { of_target } else { of_all };
                if (*first..*first + *count).contains(&number) {
                    return NextCall::Fails(*fault);
                }
            }
            Chosen::Some { dice, percent, faults } => {
                let mut roll = [0; 16];
                dice.fill(&mut roll).unwrap();
                let roll = u128::from_le_bytes(roll);
                if u64::try_from(roll % 100).unwrap() < *percent {
                    return NextCall::Fails(faults[usize::try_from((roll >> 64) % faults.len() as u128).unwrap()]);
                }
            }
            Chosen::None | Chosen::Writes | Chosen::Saying { .. } | Chosen::Calls { .. } => {}
        }
        let Some((before, text, paused)) = &mut plan.paused else { return NextCall::Goes };
        if *before == 0 || !String::from_utf8_lossy(body).contains(text.as_str()) {
            return NextCall::Goes;
        }
        *before -= 1;
        if *before == 0 { NextCall::Waits(paused.clone()) } else { NextCall::Goes }
    }
}
