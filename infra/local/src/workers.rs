//! The workers beside the functions: the reader of the table's stream, the pollers of the queues, the sweep.
//!
//! They are handed a [`Ctx`] of their own, as on AWS, where each function has its own clients.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use app::Ctx;
use aws::config::Config;
use aws::queue::Queue;
use domain::Result;
use sweeper::{Attend, Swept, sweep_with};

use crate::StartError;
use crate::data_dir::DataDir;
use crate::in_flight::{InFlight, guard_due, guard_messages};
use crate::options::{BeforeWork, Work, WrapChanges};
use crate::queues::{Allowance, Handle, MadeQueue, Poller, QueueServer};
use crate::stream::{HandleRecords, HandleStep, Pump, SetAsideRecord, Settings, Source, Waker, Worker};
use crate::sweeping::Sweeping;

/// What the worker of each queue may take; the template says the same of its function.
const fn allowance(queue: Queue) -> Allowance {
    match queue {
        // Most of the time a delivery waits for its receiver: many at once cost little.
        Queue::Webhooks => Allowance { batches: 64, time: Duration::from_secs(60) },
        Queue::Ingest => Allowance { batches: 4, time: Duration::from_secs(120) },
        // One after another: no passage is embedded twice, and questions do not wait behind many passages.
        Queue::Embeddings => Allowance { batches: 1, time: Duration::from_secs(120) },
    }
}

/// How often the stream is asked where nothing tells of a write: all writes to the embedded database are this process's.
const EMBEDDED_PERIOD: Duration = Duration::from_secs(1);
const ELSEWHERE_PERIOD: Duration = Duration::from_millis(250);

/// The wait before a change that failed is tried again: it doubles from the first to the second.
const WAITS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// The queues, made before anything is sent to them.
#[derive(Debug)]
pub(crate) struct MadeQueues(Vec<MadeQueue>);

impl MadeQueues {
    /// Makes every queue, under names that begin with `prefix`.
    pub(crate) async fn make(server: &QueueServer, prefix: &str) -> Result<Self, StartError> {
        let mut made = Vec::new();
        for queue in Queue::ALL {
            let queue = server.make(prefix, *queue, allowance(*queue).visibility()).await;
            made.push(queue.map_err(StartError::while_doing("making the queues"))?);
        }
        Ok(Self(made))
    }

    /// Tells the functions where the queues are.
    pub(crate) fn name_in(&self, config: &mut Config) {
        for MadeQueue { queue, url, .. } in &self.0 {
            let variable = match queue {
                Queue::Webhooks => &mut config.webhook_queue_url,
                Queue::Ingest => &mut config.ingest_queue_url,
                Queue::Embeddings => &mut config.embedding_queue_url,
            };
            *variable = Some(url.clone());
        }
    }
}

/// The running workers.
pub(crate) struct Workers {
    pump: Pump,
    pollers: Vec<Poller>,
    sweeping: Option<Sweeping>,
    attend: Attend,
    ctx: Ctx,
}

/// How often is swept, and what a test puts between the workers and what they are handed.
pub(crate) struct Around {
    /// See [`crate::Options::sweep_every`].
    pub(crate) sweep_every: Option<Duration>,
    /// See [`crate::Options::wrap_changes`].
    pub(crate) wrap_changes: Option<WrapChanges>,
    /// See [`crate::Options::before_work`].
    pub(crate) before_work: Option<BeforeWork>,
}

impl Workers {
    /// Starts them; the stream goes on where the data folder says.
    pub(crate) async fn start(
        ctx: &Ctx,
        data: &DataDir,
        embedded: bool,
        queues: (&QueueServer, MadeQueues),
        waker: Waker,
        source: Source,
        around: Around,
    ) -> Result<Self, StartError> {
        let Around { sweep_every, wrap_changes, before_work } = around;
        let before = before_work.unwrap_or_else(|| Arc::new(|_| {}));
        let in_flight = InFlight::open(data)?;
        let handle = changes(ctx, &before);
        let handle = wrap_changes.map_or_else(|| handle.clone(), |wrap| wrap(handle.clone()));
        let (alone, set_aside) = (changes_alone(ctx, &before), setting_aside(ctx));
        let worker = Worker { handle, alone, in_flight: Arc::clone(&in_flight), set_aside };
        let period = if embedded { EMBEDDED_PERIOD } else { ELSEWHERE_PERIOD };
        let settings = Settings { checkpoint: data.stream_checkpoint(), period, waits: WAITS };
        let pump = Pump::start(source, worker, waker, settings);
        let (server, MadeQueues(made)) = queues;
        let start = |queue: MadeQueue| {
            let handle = seen(worker_of(queue.queue, ctx), queue.queue, &before);
            let handle = guard_messages(Arc::clone(&in_flight), ctx.clone(), queue.queue, handle);
            let allowance = allowance(queue.queue);
            Poller::start(server.client().clone(), queue, allowance, handle)
        };
        let pollers = made.into_iter().map(start).collect();
        let attend = guard_due(Arc::clone(&in_flight), ctx.clone(), attending(ctx, &before));
        let sweeping = sweep_every.map(|period| Sweeping::start(ctx.clone(), attend.clone(), period));
        Ok(Self { pump, pollers, sweeping, attend, ctx: ctx.clone() })
    }

    /// Does what is due by now.
    pub(crate) async fn sweep(&self) -> Result<Swept> {
        sweep_with(&self.ctx, &self.attend).await
    }

    /// The reader of the stream.
    pub(crate) const fn pump(&self) -> &Pump {
        &self.pump
    }

    /// Waits until everything that was committed is handled, and everything that follows from that, but for what is to
    /// happen at a later moment.
    pub(crate) async fn at_rest(&self) -> Result<()> {
        loop {
            let before = self.activity();
            self.pump.at_rest().await;
            for poller in &self.pollers {
                poller.at_rest().await?;
            }
            if self.activity() == before {
                return Ok(());
            }
        }
    }

    fn activity(&self) -> u64 {
        self.pollers.iter().map(Poller::activity).sum::<u64>() + self.pump.activity()
    }

    /// Takes no more work, and gives what is running `grace` to end.
    pub(crate) async fn stop(self, grace: Duration) {
        let pollers = futures::future::join_all(self.pollers.into_iter().map(|poller| poller.stop(grace)));
        let sweeping = async {
            if let Some(sweeping) = self.sweeping {
                sweeping.stop(grace).await;
            }
        };
        tokio::join!(self.pump.stop(grace), pollers, sweeping);
    }
}

/// A worker as something that can be called with a batch, whatever it is.
fn with_ctx<B, A, F>(
    ctx: &Ctx,
    work: fn(Ctx, B) -> F,
) -> Arc<dyn Fn(B) -> futures::future::BoxFuture<'static, A> + Send + Sync>
where
    B: 'static,
    A: 'static,
    F: Future<Output = A> + Send + 'static,
{
    let ctx = ctx.clone();
    Arc::new(move |batch| Box::pin(work(ctx.clone(), batch)))
}

fn changes(ctx: &Ctx, before: &BeforeWork) -> HandleRecords {
    let handle: HandleRecords = with_ctx(ctx, |ctx, records| async move { changes::handle(&ctx, records).await });
    let before = Arc::clone(before);
    Arc::new(move |records| {
        let (handle, before) = (Arc::clone(&handle), Arc::clone(&before));
        Box::pin(async move {
            before(Work::Changes(&records));
            handle(records).await
        })
    })
}

fn changes_alone(ctx: &Ctx, before: &BeforeWork) -> HandleStep {
    let (ctx, before) = (ctx.clone(), Arc::clone(before));
    Arc::new(move |record, step| {
        let (ctx, before) = (ctx.clone(), Arc::clone(&before));
        Box::pin(async move {
            before(Work::ChangeAlone(&record, step));
            changes::handle_step(&ctx, &record, step).await
        })
    })
}

fn setting_aside(ctx: &Ctx) -> SetAsideRecord {
    let ctx = ctx.clone();
    Arc::new(move |record, consumer, why| {
        let ctx = ctx.clone();
        Box::pin(async move { changes::set_aside(&ctx, &record, &[(consumer, why)]).await })
    })
}

/// The worker of a queue.
fn worker_of(queue: Queue, ctx: &Ctx) -> Handle {
    match queue {
        Queue::Webhooks => with_ctx(ctx, |ctx, messages| async move { webhook_worker::handle(&ctx, messages).await }),
        Queue::Ingest => with_ctx(ctx, |ctx, messages| async move { ingest_worker::handle(&ctx, messages).await }),
        Queue::Embeddings => {
            with_ctx(ctx, |ctx, messages| async move { embedding_worker::handle(&ctx, messages).await })
        }
    }
}

fn seen(handle: Handle, queue: Queue, before: &BeforeWork) -> Handle {
    let before = Arc::clone(before);
    Arc::new(move |messages| {
        let (handle, before) = (Arc::clone(&handle), Arc::clone(&before));
        Box::pin(async move {
            before(Work::Messages(queue, &messages));
            handle(messages).await
        })
    })
}

fn attending(ctx: &Ctx, before: &BeforeWork) -> Attend {
    let (attend, before) = (sweeper::attending(ctx), Arc::clone(before));
    Arc::new(move |item| {
        let (attend, before) = (Arc::clone(&attend), Arc::clone(&before));
        Box::pin(async move {
            before(Work::Due(&item));
            attend(item).await
        })
    })
}
