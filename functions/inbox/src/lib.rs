//! The inbox function: agents list waiting customers, take over, step in, write, hand over to each other, and hand back;
//! and what they write with, saved replies.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod actions;
mod agent;
mod agents;
mod case;
mod claim;
mod list;
mod patch;
mod saved_replies;
mod session;
mod state;
mod suggestion;
mod takeover;

pub use state::Inbox;

edge::function!("inbox", Inbox: [
    list::ListEscalations,
    agents::ListAgents,
    takeover::TakeOverEscalation,
    case::GetEscalation,
    patch::UpdateEscalation,
    actions::SendAgentMessage,
    actions::HandBackEscalation,
    actions::ResolveEscalation,
    actions::ReleaseEscalation,
    claim::TransferEscalation,
    claim::RenewClaim,
    claim::RenewClaims,
    claim::ReopenEscalation,
    session::StepIn,
    session::WriteNote,
    suggestion::SuggestAnswer,
    saved_replies::ListSavedReplies,
    saved_replies::CreateSavedReply,
    saved_replies::GetSavedReply,
    saved_replies::UpdateSavedReply,
    saved_replies::DeleteSavedReply,
]);
