//! The workers: the reader of the table's stream, the pollers of the queues, the sweep.
//!
//! Their functions have a client of the table of their own, as on AWS, where each function has its own clients. The sweeper
//! runs on a schedule on AWS, once a minute, here as a task every few seconds.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use aws::config::Config;
use aws::queue::Queue;
use domain::Result;
use futures::future::BoxFuture;
use support::caught;
use support::edge::App;
use support::sweeper::{Dispatcher, SweepResult, sweep_with};
use support::wiki::embedding_worker;
use support::{ingest, webhooks};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use crate::StartError;
use crate::config::wrapped;
use crate::data_dir::DataDir;
use crate::functions::RemoteFunctions;
use crate::hooks::{BeforeDue, Hooks};
use crate::queues::{CreatedQueue, HandleMessages, Poller, QueueServer, WorkerLimits};
use crate::resources::Resources;
use crate::stream::{Settings, StreamPoller, TableStream, Worker, WriteDeadLetter, WriteNotifier};

/// The limits of each queue's worker; those of its function in the template.
const fn limits(queue: Queue) -> WorkerLimits {
    match queue {
        // A delivery mostly waits for its receiver, so many at once cost little.
        Queue::Webhooks => WorkerLimits { concurrency: 64, timeout: Duration::from_secs(60) },
        Queue::Ingest => WorkerLimits { concurrency: 4, timeout: Duration::from_secs(120) },
        // One at a time: no passage is embedded twice, and questions do not wait behind many passages.
        Queue::Embeddings => WorkerLimits { concurrency: 1, timeout: Duration::from_secs(120) },
    }
}

/// The poll periods of the stream. Every write to the embedded database is made by this process and notified.
const EMBEDDED_POLL_PERIOD: Duration = Duration::from_secs(1);
const REMOTE_POLL_PERIOD: Duration = Duration::from_millis(250);

/// The first and the longest delay before a failed change is retried; it doubles in between.
const RETRY_BACKOFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(5));

/// The queues, created before anything is sent to them.
#[derive(Debug)]
pub(crate) struct CreatedQueues(Vec<CreatedQueue>);

impl CreatedQueues {
    /// Creates every queue, under a name that begins with `prefix`.
    pub(crate) async fn create(server: &QueueServer, prefix: &str) -> Result<Self, StartError> {
        let mut queues = Vec::new();
        for queue in Queue::ALL {
            let queue = server.create(prefix, *queue, limits(*queue).visibility()).await;
            queues.push(queue.map_err(StartError::while_doing("making the queues"))?);
        }
        Ok(Self(queues))
    }

    /// Sets the URLs of the queues in the functions' configuration.
    pub(crate) fn set_urls_in(&self, config: &mut Config) {
        for CreatedQueue { queue, url, .. } in &self.0 {
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
    pub(crate) stream_poller: StreamPoller,
    pollers: Vec<Poller>,
    sweep_timer: Option<SweepTimer>,
    dispatch: Dispatcher,
    sweeper: App,
}

/// The settings of the workers that options and tests choose.
pub(crate) struct WorkerSettings {
    /// See [`crate::Options::sweep_every`].
    pub(crate) sweep_every: Option<Duration>,
    /// The functions, if they are in processes of their own.
    pub(crate) functions: Option<RemoteFunctions>,
    /// Those around the workers are used.
    pub(crate) hooks: Hooks,
}

impl Workers {
    /// Starts the workers; the stream continues at the checkpoint.
    pub(crate) async fn start(
        resources: &Resources,
        data: &DataDir,
        embedded: bool,
        queues: (&QueueServer, CreatedQueues),
        notifier: WriteNotifier,
        table_stream: TableStream,
        settings: WorkerSettings,
    ) -> Result<Self, StartError> {
        let WorkerSettings { sweep_every, functions: remote, hooks } = settings;
        let failed = || StartError::while_doing("handing the workers their clients");
        let changes = support::changes::app(resources).await.map_err(failed())?;
        let mut sweeper = support::sweeper::app(resources).await.map_err(failed())?;
        if embedded {
            sweeper = sweeper.alone_since(resources.runtime.now());
        }
        let handle = match &remote {
            Some(remote) => remote.records_handler(),
            None => callable(&changes, |app, batch| async move { support::changes::handle(&app, batch).await }),
        };
        let handle = wrapped(handle, hooks.wrap_changes);
        let worker = Worker { handle, write_dead_letter: dead_letter_writer(&changes) };
        let period = if embedded && remote.is_none() { EMBEDDED_POLL_PERIOD } else { REMOTE_POLL_PERIOD };
        let settings = Settings { checkpoint: data.stream_checkpoint(), period, backoff: RETRY_BACKOFF };
        let stream_poller = StreamPoller::start(table_stream, worker, notifier, settings);
        let (server, CreatedQueues(created)) = queues;
        let mut pollers = Vec::new();
        for queue in created {
            let handle = match &remote {
                Some(remote) => remote.messages_handler(queue.queue),
                None => queue_handler(queue.queue, resources).await.map_err(failed())?,
            };
            let handle = wrapped(handle, hooks.wrap_messages.as_ref());
            let limits = limits(queue.queue);
            pollers.push(Poller::start(server.client().clone(), queue, limits, handle));
        }
        let dispatch = match hooks.before_due {
            Some(before) => dispatcher_with_hook(&sweeper, before),
            None => support::sweeper::dispatcher(&sweeper),
        };
        let sweep: Sweep = match remote {
            Some(remote) => Box::new(move || remote.sweep()),
            None => own_sweep(&sweeper, &dispatch),
        };
        let sweep_timer = sweep_every.map(|period| SweepTimer::start(sweep, period));
        Ok(Self { stream_poller, pollers, sweep_timer, dispatch, sweeper })
    }

    /// Handles the due items.
    pub(crate) async fn sweep(&self) -> Result<SweepResult> {
        sweep_with(&self.sweeper, &self.dispatch).await
    }

    /// Waits until everything that was committed is handled, with everything that follows from it, except for what is
    /// scheduled later.
    pub(crate) async fn wait_until_idle(&self) -> Result<()> {
        loop {
            let before = self.activity();
            self.stream_poller.wait_until_idle().await;
            for poller in &self.pollers {
                poller.wait_until_idle().await?;
            }
            if self.activity() == before {
                return Ok(());
            }
        }
    }

    fn activity(&self) -> u64 {
        self.pollers.iter().map(Poller::activity).sum::<u64>() + self.stream_poller.activity()
    }

    /// Takes no more work, and gives running work `grace` to finish.
    pub(crate) async fn stop(self, grace: Duration) {
        let pollers = futures::future::join_all(self.pollers.into_iter().map(|poller| poller.stop(grace)));
        let sweep_timer = async {
            if let Some(timer) = self.sweep_timer {
                timer.stop(grace).await;
            }
        };
        tokio::join!(self.stream_poller.stop(grace), pollers, sweep_timer);
    }
}

/// Binds a worker's function to its parts.
fn callable<B, A, F>(app: &App, work: fn(App, B) -> F) -> Arc<dyn Fn(B) -> BoxFuture<'static, A> + Send + Sync>
where
    B: 'static,
    A: 'static,
    F: Future<Output = A> + Send + 'static,
{
    let app = app.clone();
    Arc::new(move |batch| Box::pin(work(app.clone(), batch)))
}

/// A sweep in this process.
fn own_sweep(sweeper: &App, dispatch: &Dispatcher) -> Sweep {
    let (sweeper, dispatch) = (sweeper.clone(), dispatch.clone());
    Box::new(move || {
        let (sweeper, dispatch) = (sweeper.clone(), dispatch.clone());
        Box::pin(async move { sweep_with(&sweeper, &dispatch).await.map(drop) })
    })
}

fn dead_letter_writer(changes: &App) -> WriteDeadLetter {
    let changes = changes.clone();
    Arc::new(move |record, consumer, why| {
        let changes = changes.clone();
        Box::pin(
            async move { support::changes::consumers::write_dead_letter(&changes, &record, &[(consumer, why)]).await },
        )
    })
}

/// The worker of a queue.
async fn queue_handler(queue: Queue, provider: &Resources) -> Result<HandleMessages> {
    Ok(match queue {
        Queue::Webhooks => callable(&webhooks::worker::app(provider).await?, |app, batch| async move {
            webhooks::worker::handle(&app, batch).await
        }),
        Queue::Ingest => callable(&ingest::worker::app(provider).await?, |app, batch| async move {
            ingest::worker::handle(&app, batch).await
        }),
        Queue::Embeddings => callable(&embedding_worker::app(provider).await?, |app, batch| async move {
            embedding_worker::handle(&app, batch).await
        }),
    })
}

fn dispatcher_with_hook(sweeper: &App, before: BeforeDue) -> Dispatcher {
    let dispatch = support::sweeper::dispatcher(sweeper);
    Arc::new(move |item| {
        let (dispatch, before) = (Arc::clone(&dispatch), Arc::clone(&before));
        Box::pin(async move {
            before(&item);
            dispatch(item).await
        })
    })
}

type Sweep = Box<dyn Fn() -> BoxFuture<'static, Result<()>> + Send + Sync>;

/// Sweeps periodically until it is stopped, the first time at once: the messages of the previous process are lost with
/// its queues.
#[derive(Debug)]
struct SweepTimer {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl SweepTimer {
    fn start(sweep: Sweep, period: Duration) -> Self {
        let (stop, mut stopped) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut ticks = tokio::time::interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    biased;
                    _ = stopped.wait_for(|stop| *stop) => return,
                    _ = ticks.tick() => {}
                }
                if let Err(error) = caught(sweep()).await {
                    tracing::warn!(error = %error, "a sweep did not handle all due items; the next sweep continues");
                }
            }
        });
        Self { stop, task }
    }

    /// Starts no further sweep, and gives a running one `grace` to finish.
    async fn stop(mut self, grace: Duration) {
        self.stop.send_replace(true);
        if tokio::time::timeout(grace, &mut self.task).await.is_err() {
            tracing::warn!("aborted a sweep at shutdown; the next start continues");
            self.task.abort();
            self.task.await.ok();
        }
    }
}
