//! Hands queue messages to a worker so that one that ends the process is found and given up.

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::ClientProvider;
use app::jobs::delivery::{self, Deliveries};
use app::jobs::ingest::{self, IngestJobService};
use aws::dead_letters::{DeadLetters, file_name};
use aws::queue::{Message, Task, TaskQueue};
use domain::Result;
use domain::clock::Runtime;
use embedding_worker::EmbeddingWorker;
use serde_json::json;

use super::{InFlight, MAX_CRASHES};
use crate::queues::HandleMessages;

/// How long quarantined work waits for other quarantined work, and how long the quarantined messages of one batch may
/// take; both leave a message that was begun enough of the worker's timeout. The others return to the queue.
const ISOLATION_WAIT: Duration = Duration::from_secs(2);
const BATCH_ISOLATION_BUDGET: Duration = Duration::from_secs(10);
/// The delay of a message that was returned to its queue.
const REQUEUE_DELAY: Duration = Duration::from_secs(5);
/// The characters of a body that name a message; ours are shorter.
const NAME_CHARS: usize = 1_000;

/// The clients that giving up a message needs.
#[derive(Debug, Clone)]
pub(crate) struct GiveUpClients {
    runtime: Runtime,
    dead_letters: DeadLetters,
    deliveries: Deliveries,
    jobs: IngestJobService,
    embedding_worker: EmbeddingWorker,
}

impl GiveUpClients {
    /// Takes what it needs from `provider`.
    pub(crate) async fn new(provider: &impl ClientProvider) -> Result<Self> {
        Ok(Self {
            runtime: provider.runtime(),
            dead_letters: provider.dead_letters()?,
            deliveries: Deliveries::new(provider)?,
            jobs: IngestJobService::new(provider)?,
            embedding_worker: EmbeddingWorker::new(provider).await?,
        })
    }
}

/// Wraps the worker `handle` of `queue`: a message that crashed [`MAX_CRASHES`] processes is not handled again.
pub(crate) fn guard_messages(
    in_flight: Arc<InFlight>,
    giving_up: GiveUpClients,
    queue: TaskQueue,
    handle: HandleMessages,
) -> HandleMessages {
    Arc::new(move |messages| {
        let guard = Guard {
            in_flight: Arc::clone(&in_flight),
            giving_up: giving_up.clone(),
            queue: queue.clone(),
            handle: Arc::clone(&handle),
        };
        Box::pin(async move { guard.handle_batch(messages).await })
    })
}

struct Guard {
    in_flight: Arc<InFlight>,
    giving_up: GiveUpClients,
    queue: TaskQueue,
    handle: HandleMessages,
}

impl Guard {
    /// Handles a batch; the ids of the messages that failed.
    async fn handle_batch(&self, messages: Vec<Message>) -> Vec<String> {
        let (quarantine, others): (Vec<_>, Vec<_>) =
            messages.into_iter().partition(|message| self.in_flight.is_quarantined(&self.name(message)));
        let mut failed = Vec::new();
        if !others.is_empty() {
            let _guard = self.in_flight.begin(others.iter().map(|message| self.name(message)).collect());
            failed.extend((self.handle)(others).await);
        }
        let begun = Instant::now();
        for message in quarantine {
            let timeout = BATCH_ISOLATION_BUDGET.saturating_sub(begun.elapsed()).min(ISOLATION_WAIT);
            match self.in_flight.isolate_within(timeout).await {
                Some(_isolated) => failed.extend(self.handle_quarantined(message).await),
                None => failed.extend(self.requeue(message).await),
            }
        }
        failed
    }

    /// Returns a message to its queue as a new one, so that waiting is not an attempt. Its id when that fails.
    async fn requeue(&self, message: Message) -> Option<String> {
        let sent = match message.task() {
            Ok(task) => self.queue.send(&task, REQUEUE_DELAY).await,
            Err(error) => Err(error),
        };
        let error = sent.err()?;
        tracing::warn!(queue = self.queue.name(), error = %error, "failed to return a message to its queue; this counts as an attempt");
        Some(message.id)
    }

    /// Handles a quarantined message.
    async fn handle_quarantined(&self, message: Message) -> Vec<String> {
        let name = self.name(&message);
        let failed = if self.in_flight.crashes(&name) >= MAX_CRASHES {
            let given_up = self.give_up(&message, &name).await;
            if let Err(error) = &given_up {
                tracing::error!(queue = self.queue.name(), error = %error, "failed to move a message that ends the process to the dead letters; the queue delivers it again");
            }
            given_up.err().map(|_| message.id).into_iter().collect()
        } else {
            let _guard = self.in_flight.begin(vec![name.clone()]);
            (self.handle)(vec![message]).await
        };
        if failed.is_empty() {
            self.in_flight.release(&name);
        }
        failed
    }

    /// Keeps a message, and gives up its delivery or job in the table, so that it is not enqueued again.
    async fn give_up(&self, message: &Message, name: &str) -> Result<()> {
        let file = format!("queues/{}.json", file_name(name));
        let reason = format!("its handling ended the process {MAX_CRASHES} times");
        let content = json!({"deadLetteredAt": self.giving_up.runtime.now(), "queue": self.queue.name(), "reason": reason, "body": message.body});
        self.giving_up.dead_letters.put(&file, content.to_string().into_bytes()).await?;
        match message.task() {
            Ok(Task::Deliver { scope, webhook_id, event_id }) => {
                delivery::give_up(&self.giving_up.deliveries, &scope, &webhook_id, &event_id).await?;
            }
            Ok(Task::Ingest { scope, ingest_id }) => ingest::give_up(&self.giving_up.jobs, &scope, &ingest_id).await?,
            Ok(Task::Embed { scope, path }) => {
                embedding_worker::give_up(&self.giving_up.embedding_worker, &scope, &path).await?
            }
            Err(_) => {}
        }
        tracing::error!(
            queue = self.queue.name(),
            message.body = message.body,
            file,
            "a message was moved to the dead letters, because handling it ended the process {MAX_CRASHES} times; its delivery or job has failed; correct the cause, then send it again"
        );
        Ok(())
    }

    /// The name of a message. Its id changes at each start; its body names ids and stays the same.
    fn name(&self, message: &Message) -> String {
        format!(
            "queues/{} {}",
            self.queue.name(),
            message.body.chars().take(NAME_CHARS).collect::<String>().replace('\n', " ")
        )
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use aws::queue::Queue;
    use domain::models::{IngestId, Mode, Scope, TenantId};

    use super::*;
    use crate::data_dir::DataDir;
    use crate::{Options, Service};

    fn message(id: usize, runtime: &Runtime) -> Message {
        let scope = Scope { tenant: TenantId::generate(runtime).unwrap(), mode: Mode::Live };
        let body = Task::Ingest { scope, ingest_id: IngestId::generate(runtime).unwrap() }.to_body();
        Message { id: id.to_string(), body, receive_count: 1 }
    }

    /// An [`InFlight`] with these messages in quarantine.
    fn with_quarantined(folder: &tempfile::TempDir, messages: &[Message]) -> Arc<InFlight> {
        let names = messages.iter().map(|message| format!("queues/ingest {}", message.body)).collect();
        let open = || InFlight::open(&DataDir::open(folder.path()).unwrap()).unwrap();
        std::mem::forget(open().begin(names));
        open()
    }

    #[tokio::test]
    async fn suspects_that_wait_for_another_go_back_to_the_queue_and_have_their_turn_later() {
        let (data, notes) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mut options = Options::new(data.path().join("data"), 0);
        (options.demo, options.sweep_every) = (false, None);
        let service = Service::start(options).await.unwrap();
        let messages: Vec<Message> = (0..3).map(|id| message(id, &service.resources().runtime)).collect();
        let in_flight = with_quarantined(&notes, &messages);
        let handled = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&handled);
        let handle: HandleMessages = Arc::new(move |messages| {
            seen.lock().unwrap().extend(messages.into_iter().map(|message| message.body));
            Box::pin(async { Vec::new() })
        });
        let giving_up = GiveUpClients::new(service.resources()).await.unwrap();
        let queue = service.resources().queue(Queue::Ingest).unwrap();
        let guarded = guard_messages(Arc::clone(&in_flight), giving_up, queue.clone(), handle);
        let isolated = in_flight.isolate().await;
        let begun = Instant::now();
        let is_new = message(9, &service.resources().runtime);
        let batch = messages.iter().cloned().chain([is_new.clone()]).collect();
        assert_eq!(guarded(batch).await, Vec::<String>::new(), "no attempt is counted");
        assert!(begun.elapsed() < BATCH_ISOLATION_BUDGET + ISOLATION_WAIT, "it waited for {:?}", begun.elapsed());
        assert_eq!(
            *handled.lock().unwrap(),
            std::slice::from_ref(&is_new.body),
            "only work that is not quarantined is handled"
        );
        assert_eq!(queue.depth().await.unwrap().delayed, 3, "they are on the queue again");
        drop(isolated);
        assert_eq!(guarded(messages.clone()).await, Vec::<String>::new());
        let expected: Vec<String> = [is_new].into_iter().chain(messages).map(|message| message.body).collect();
        assert_eq!(*handled.lock().unwrap(), expected);
        service.stop().await;
    }
}
