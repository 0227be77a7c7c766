//! The auth function: widget tokens, API keys, settings.
//!
//! [`routes`] is the entry point. [`tokens`] issues widget tokens, [`keys`] creates, reads, lists and deletes API keys,
//! [`settings`] reads and changes a tenant's settings.

mod keys;
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
]);
