//! The webhooks function: receivers of events, and their deliveries.
//!
//! [`routes`] is the entry point. [`register`] creates a receiver, [`manage`] lists, changes and deletes receivers,
//! [`rotate`] replaces a secret, [`deliveries`] shows deliveries, and [`resend`] sends a test, one delivery again, or
//! everything that was missed.

mod deliveries;
mod input;
mod manage;
mod register;
mod resend;
mod rotate;
mod state;

pub use state::Webhooks;

edge::function!("webhooks", Webhooks: [
    register::CreateWebhook,
    manage::ListWebhooks,
    manage::GetWebhook,
    manage::UpdateWebhook,
    manage::DeleteWebhook,
    rotate::RotateWebhookSecret,
    resend::TestWebhook,
    deliveries::ListDeliveries,
    deliveries::GetDelivery,
    resend::ResendDelivery,
    resend::ReplayWebhook,
]);
