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
    /// How often it was given out, this time included.
    pub receive_count: u32,
}

impl Message {
    /// The task in the body.
    ///
    /// # Errors
    /// The body is none of ours. It stays so however often it is given out: the worker reports this message alone as
    /// failed, and in the end the queue puts it with its dead letters.
    pub fn task(&self) -> Result<Task> {
        Task::parse(&self.body).map_err(|e| e.context(format!("message {}", self.id)))
    }
}
