//! The sessions function: create, read, change, ask, react, escalate, resume.
//!
//! The handlers parse requests and build responses; the use cases are in [`app::conversation`].

mod create;
mod delete;
mod details;
mod export;
mod handover;
mod list;
mod message;
mod rating;
mod reaction;
mod read;
mod resume;
mod state;

pub use state::Sessions;

edge::function!("sessions", Sessions: [
    create::CreateSession,
    list::ListSessions,
    resume::ResumeSession,
    read::GetSession,
    details::UpdateSession,
    delete::DeleteSession,
    export::ExportSession,
    message::SendMessage,
    read::ListMessages,
    reaction::AddReaction,
    reaction::DeleteReaction,
    rating::RateSession,
    handover::EscalateSession,
    handover::CancelEscalation,
]);
