//! Messages of the queues, handed to a worker so that one that ends the process is found and given up.

use std::sync::Arc;

use serde_json::json;
use shared::queue::{Message, Queue, Task};
use shared::{Ctx, Result};
use shared::{delivery, ingest};

use super::{DEATHS, InFlight, file_name};
use crate::queues::Handle;

/// So much of a body names a message, in characters; ours are shorter.
const NAMED_BY: usize = 1_000;

/// The worker `handle` of `queue`, which is not given a message again that ended [`DEATHS`] processes.
pub(crate) fn guard_messages(in_flight: Arc<InFlight>, ctx: Ctx, queue: Queue, handle: Handle) -> Handle {
    Arc::new(move |messages| {
        let guard = Guard { in_flight: Arc::clone(&in_flight), ctx: ctx.clone(), queue, handle: Arc::clone(&handle) };
        Box::pin(async move { guard.take(messages).await })
    })
}

struct Guard {
    in_flight: Arc<InFlight>,
    ctx: Ctx,
    queue: Queue,
    handle: Handle,
}

impl Guard {
    /// Has a batch handled; the ids of those that failed.
    async fn take(&self, messages: Vec<Message>) -> Vec<String> {
        let (suspects, others): (Vec<_>, Vec<_>) =
            messages.into_iter().partition(|message| self.in_flight.is_suspect(&self.name(message)));
        let mut failed = Vec::new();
        if !others.is_empty() {
            let _handling = self.in_flight.begin(others.iter().map(|message| self.name(message)).collect());
            failed.extend((self.handle)(others).await);
        }
        for message in suspects {
            failed.extend(self.take_suspect(message).await);
        }
        failed
    }

    /// Has a message handled that a process may have died of.
    async fn take_suspect(&self, message: Message) -> Vec<String> {
        let _alone = self.in_flight.alone().await;
        let name = self.name(&message);
        let failed = if self.in_flight.deaths(&name) >= DEATHS {
            let given_up = self.give_up(&message, &name).await;
            if let Err(error) = &given_up {
                tracing::error!(queue = %self.queue, %error, "a message that ends the process could not be set aside and comes again");
            }
            given_up.err().map(|_| message.id).into_iter().collect()
        } else {
            let _handling = self.in_flight.begin(vec![name.clone()]);
            (self.handle)(vec![message]).await
        };
        if failed.is_empty() {
            self.in_flight.clear(&name);
        }
        failed
    }

    /// Keeps a message, and gives up in the table what it is about, so that nobody queues it again.
    async fn give_up(&self, message: &Message, name: &str) -> Result<()> {
        let file = format!("queues/{}.json", file_name(name));
        let why = format!("its handling ended the process {DEATHS} times");
        let content =
            json!({"setAsideAt": self.ctx.ambient.now(), "queue": self.queue, "why": why, "body": message.body});
        self.ctx.set_aside.keep(&file, content.to_string().into_bytes()).await?;
        match message.task() {
            Ok(Task::Deliver { scope, webhook_id, event_id }) => {
                delivery::give_up(&self.ctx, &scope, &webhook_id, &event_id).await?;
            }
            Ok(Task::Ingest { scope, ingest_id }) => ingest::give_up(&self.ctx, &scope, &ingest_id).await?,
            // The entry is found by its words.
            Ok(Task::Embed { .. }) | Err(_) => {}
        }
        tracing::error!(
            queue = %self.queue,
            message.body = message.body,
            file,
            "handling a message ended the process {DEATHS} times: it is set aside and what it is about has failed; mend the cause, then send it again"
        );
        Ok(())
    }

    /// A message is given out under another id after each start; its body names ids and stays the same.
    fn name(&self, message: &Message) -> String {
        format!("queues/{} {}", self.queue, message.body.chars().take(NAMED_BY).collect::<String>().replace('\n', " "))
    }
}
