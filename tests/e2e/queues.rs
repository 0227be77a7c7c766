//! The behaviour of queues and of their poller. Every test runs over the embedded SQS and over an independent server,
//! with queues of its own.

mod behaviours;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws::queue::{Message, Queue, Task, TaskQueue};
use domain::clock::Runtime;
use domain::models::{IngestId, Mode, Scope, TenantId};
use local::queues::{CreatedQueue, HandleMessages, Poller, QueueServer, WorkerLimits};

use crate::services;

/// Runs each behaviour over both servers.
macro_rules! over_both_servers {
    ($($behaviour:ident),+ $(,)?) => {
        mod over_the_embedded_one {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    super::behaviours::$behaviour(&super::Bench::new(super::QueueServer::embedded())).await;
                }
            )+
        }
        mod over_elasticmq {
            $(
                #[tokio::test]
                async fn $behaviour() {
                    let Some(url) = super::services::elasticmq() else { return };
                    super::behaviours::$behaviour(&super::Bench::new(super::QueueServer::at(url))).await;
                }
            )+
        }
    };
}

over_both_servers!(
    a_task_that_is_sent_is_done_once_and_gone,
    tasks_come_in_batches_and_none_is_lost,
    a_delayed_task_is_left_alone_until_its_time,
    only_what_failed_is_given_out_again,
    a_message_that_always_fails_becomes_a_dead_letter_after_five_receives,
    a_body_that_is_not_ours_fails_alone,
    a_slow_batch_holds_up_no_other,
    a_worker_that_panics_gets_its_batch_again,
    a_worker_that_takes_too_long_gets_its_batch_again,
    a_stop_lets_a_running_batch_end,
    how_much_waits_and_how_much_was_given_up_is_told,
    queues_that_exist_are_found_again_and_keep_what_they_hold,
);

/// Longer than anything here takes.
const TIMEOUT: Duration = Duration::from_secs(180);

/// The limits of a worker here, unless something says otherwise.
const LIMITS: WorkerLimits = WorkerLimits { concurrency: 8, timeout: TIMEOUT };

/// A server, and names on it that nobody else uses.
struct Bench {
    server: QueueServer,
    prefix: String,
}

impl Bench {
    fn new(server: QueueServer) -> Self {
        let tenant = TenantId::generate(&Runtime::system()).unwrap();
        Self { server, prefix: format!("tests-{}", tenant.as_str().replace('_', "-")) }
    }

    /// A queue whose messages stay hidden for `visibility` after they were given out.
    async fn queue(&self, visibility: Duration) -> (CreatedQueue, TaskQueue) {
        let created = self.server.create(&self.prefix, Queue::Ingest, visibility).await.unwrap();
        let sender = TaskQueue::new(self.server.client().clone(), Queue::Ingest, &created.url);
        (created, sender)
    }

    fn poll(&self, queue: &CreatedQueue, work: impl Fn(Vec<Message>) -> Vec<String> + Send + Sync + 'static) -> Poller {
        let work = Arc::new(work);
        self.poll_with(
            queue,
            LIMITS,
            Arc::new(move |messages| {
                let work = Arc::clone(&work);
                Box::pin(async move { work(messages) })
            }),
        )
    }

    fn poll_with(&self, queue: &CreatedQueue, limits: WorkerLimits, handle: HandleMessages) -> Poller {
        Poller::start(self.server.client().clone(), queue.clone(), limits, handle)
    }

    /// Takes the messages of a queue that are ready, or are so within two seconds, longer than [`behaviours`] hide
    /// anything.
    async fn receive_all(&self, url: &str) -> Vec<String> {
        let request = self.server.client().receive_message().queue_url(url).max_number_of_messages(10);
        let answer = request.wait_time_seconds(2).send().await.unwrap();
        answer.messages.unwrap_or_default().into_iter().map(|message| message.body.unwrap()).collect()
    }
}

async fn wait_until_idle(poller: &Poller) {
    tokio::time::timeout(TIMEOUT, poller.wait_until_idle()).await.expect("the queue does not come to rest").unwrap();
}

async fn wait_until(what: &str, done: impl Fn() -> bool) {
    let waiting = async {
        while !done() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, waiting).await.unwrap_or_else(|_| panic!("not in time: {what}"));
}

/// Any task; no two are the same.
fn task() -> Task {
    let runtime = Runtime::system();
    let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
    Task::Ingest { scope, ingest_id: IngestId::generate(&runtime).unwrap() }
}

async fn send(sender: &TaskQueue, task: &Task) {
    sender.send(task, Duration::ZERO).await.unwrap();
}

/// The messages that workers were given, in the order of their coming.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<Message>>>);

impl Log {
    fn record(&self, messages: &[Message]) {
        self.0.lock().unwrap().extend_from_slice(messages);
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    /// How often `task` came.
    fn times(&self, task: &Task) -> usize {
        self.0.lock().unwrap().iter().filter(|message| message.body == task.to_body()).count()
    }
}

/// Counts what several tasks do.
#[derive(Clone, Default)]
struct Counter(Arc<AtomicUsize>);

impl Counter {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}
