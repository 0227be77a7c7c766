//! The inbox function: agents list waiting customers, take over, step in, write, hand over to each other, and hand
//! back.
//!
//! Each act is one transaction over session, escalation and turns (a change of the priority: over the escalation only),
//! on the condition that they are unchanged. After a lost race the data is read and decided again.
//!
//! - [`list`]: the queue, one conversation of it, and the agents to whom it may be handed.
//! - [`api`]: the endpoints of the acts; they parse requests and build responses.
//! - [`takeover`]: gives the first of the queue, or a named one, to one agent, or takes a session from the AI.
//! - [`claim`]: what all acts on a claim share, and the leases of claims.
//! - [`messages`]: messages and notes of agents, the AI's suggestion, the priority, and the snooze.
//! - [`release`]: the end of an agent's part, reopening, and the transfer to another agent.
//! - [`saved_replies`]: texts that people insert into what they write.
//! - [`table`]: saved replies, as they are stored.

pub mod api;
pub mod claim;
pub mod list;
pub mod messages;
pub mod release;
pub mod saved_replies;
pub mod table;
pub mod takeover;
