//! A queue message, as a worker gets it.

use super::Task;
use domain::Result;

/// One message of a batch, as the queue gave it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The queue's name for it, by which a worker says what failed.
    pub id: String,
    /// The body as it was sent; [`Message::task`] reads it.
    pub body: String,
    /// How often it was delivered, including this time.
    pub receive_count: u32,
}

impl Message {
    /// The task in the body.
    ///
    /// # Errors
    /// The body is not a task. A redelivery does not change that: the worker reports this message as failed,
    /// and finally it goes to the dead-letter queue.
    pub fn task(&self) -> Result<Task> {
        Task::parse(&self.body).map_err(|e| e.context(format!("message {}", self.id)))
    }
}
