//! The sessions function: creates, reads, changes, resumes and deletes sessions, answers messages, and takes reactions,
//! ratings and requests for a human.
//!
//! - [`api`]: the endpoints of sessions.
//! - [`read`]: the endpoints that read sessions and messages.
//! - [`messages`]: the endpoints of what a customer does: messages, reactions, ratings, and requests for a human.
//! - [`conversation`]: the use cases of all of these, and of due sessions.
//! - [`hours_preview`]: the test of opening hours before they are saved.
//! - [`table`]: sessions, their turns, and requests for a human, as they are stored.

pub mod api;
pub mod conversation;
pub mod hours_preview;
pub mod messages;
pub mod read;
pub mod table;
