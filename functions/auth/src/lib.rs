//! The auth function: sign-ins and members, widget tokens, API keys, settings.
//!
//! [`routes`] is the entry point. [`tokens`] issues widget tokens, [`keys`] creates, reads, lists and deletes API keys,
//! [`settings`] reads and changes a tenant's settings, [`members`] its members, [`audit`] lists who did what. [`desk`] signs
//! people in.

mod appearance;
mod attempts;
mod audit;
mod cookie;
mod desk;
mod hours;
mod hours_preview;
mod keys;
mod members;
mod settings;
mod state;
mod texts;
mod tokens;

pub use state::Auth;

edge::function!("auth", Auth: [
    tokens::IssueWidgetToken,
    keys::ListApiKeys,
    keys::CreateApiKey,
    keys::GetApiKey,
    keys::DeleteApiKey,
    settings::GetSettings,
    settings::UpdateSettings,
    hours_preview::PreviewHours,
    members::AddMember,
    members::ListMembers,
    members::GetMember,
    members::UpdateMember,
    members::RemoveMember,
    members::InviteMember,
    members::SignOutMember,
    audit::ListAudit,
    desk::GetDesk,
    desk::IssueDeskToken,
    desk::RenewDeskToken,
    desk::SignOut,
]);
