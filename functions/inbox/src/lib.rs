//! The inbox function: agents list waiting customers, take over, write, and hand back.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod actions;
mod case;
mod list;
mod patch;
mod state;
mod takeover;

pub use state::Inbox;

edge::function!("inbox", Inbox: [
    list::ListEscalations,
    takeover::TakeOverEscalation,
    case::GetEscalation,
    patch::UpdateEscalation,
    actions::SendAgentMessage,
    actions::HandBackEscalation,
    actions::ResolveEscalation,
    actions::ReleaseEscalation,
]);
