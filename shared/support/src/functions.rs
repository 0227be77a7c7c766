//! The functions that answer HTTP, each with its parts, and its endpoints in the order of the OpenAPI document.

use axum::Router;
use domain::Result;
use schemars::SchemaGenerator;

use crate::edge::describe::Operation;
use crate::edge::{App, ClientProvider, Endpoint, Parts};

/// Makes a function of its parts and its endpoints.
macro_rules! function {
    ($name:literal, $provider:ident: {$($parts:tt)*}, [$($endpoint:path),+ $(,)?]) => {
        use super::{App, ClientProvider, Endpoint, Operation, Parts, Result, Router, SchemaGenerator};

        /// The function's name.
        pub const NAME: &str = $name;

        /// The function with its parts.
        ///
        /// # Errors
        /// As those of [`ClientProvider`].
        pub async fn app($provider: &impl ClientProvider) -> Result<App> {
            // First what connects to the table, which happens while secrets are read.
            let parts = Parts::new($provider);
            App::serving(Parts { $($parts)* ..parts }, $provider).await
        }

        /// Its routes.
        pub fn routes(app: App) -> Router {
            Router::new()$(.route(<$endpoint as Endpoint>::PATH, <$endpoint as Endpoint>::router()))+.with_state(app)
        }

        /// The descriptions of its endpoints, for the OpenAPI document and the tests.
        #[must_use]
        pub fn operations(generator: &mut SchemaGenerator) -> Vec<Operation> {
            vec![$(<$endpoint as Endpoint>::operation(NAME, generator)),+]
        }
    };
}

/// Conversations: create, read, change, ask, react, escalate, resume.
pub mod sessions {
    use crate::sessions::{api, messages, read};

    function!("sessions", provider: {
        index: Some(provider.index()?),
        model: provider.model().await?,
        embedder: provider.embedder().await?,
    }, [
        api::CreateSession,
        read::ListSessions,
        api::ResumeSession,
        read::GetSession,
        api::UpdateSession,
        api::DeleteSession,
        api::ExportSession,
        messages::SendMessage,
        read::ListMessages,
        messages::AddReaction,
        messages::DeleteReaction,
        messages::RateSession,
        messages::EscalateSession,
        messages::CancelEscalation,
    ]);
}

/// Entries with their history, drafts, dry runs, answers and pins.
pub mod wiki {
    use crate::knowledge::dry_run::api as dry_runs;
    use crate::knowledge::{answers, drafts, wiki_exchange};
    use crate::wiki::{api, revisions};

    function!("wiki", provider: {
        index: Some(provider.index()?),
        embedder: provider.embedder().await?,
    }, [
        api::ListEntries,
        api::CreateEntry,
        api::GetEntry,
        api::PutEntry,
        api::UpdateEntry,
        api::DeleteEntry,
        wiki_exchange::ExportWiki,
        wiki_exchange::ImportWiki,
        revisions::ListRevisions,
        revisions::RestoreRevision,
        drafts::ListDrafts,
        drafts::CreateDraft,
        drafts::GetDraft,
        drafts::UpdateDraft,
        drafts::DiscardDraft,
        drafts::PublishDraft,
        drafts::DraftGap,
        dry_runs::TryChanges,
        answers::ListAnswers,
        dry_runs::ListPins,
        dry_runs::CreatePin,
        dry_runs::DeletePin,
    ]);
}

/// Jobs that make entries of pages and texts.
pub mod ingest {
    use aws::queue::Queue;

    use crate::ingest::{CreateIngestJob, DeleteIngestSchedule, GetIngestJob, ListIngestJobs, RetryIngestJob};

    function!("ingest", provider: { queues: vec![provider.queue(Queue::Ingest)?], }, [
        CreateIngestJob,
        ListIngestJobs,
        GetIngestJob,
        DeleteIngestSchedule,
        RetryIngestJob,
    ]);
}

/// Waiting customers, and what agents do for them.
pub mod inbox {
    use crate::inbox::{api, list, saved_replies};

    function!("inbox", provider: {
        index: Some(provider.index()?),
        model: provider.model().await?,
        embedder: provider.embedder().await?,
    }, [
        list::ListEscalations,
        list::ListAgents,
        api::TakeOverEscalation,
        list::GetEscalation,
        api::UpdateEscalation,
        api::SendAgentMessage,
        api::HandBackEscalation,
        api::ResolveEscalation,
        api::ReleaseEscalation,
        api::TransferEscalation,
        api::RenewClaim,
        api::RenewClaims,
        api::ReopenEscalation,
        api::StepIn,
        api::WriteNote,
        api::SuggestAnswer,
        saved_replies::ListSavedReplies,
        saved_replies::CreateSavedReply,
        saved_replies::GetSavedReply,
        saved_replies::UpdateSavedReply,
        saved_replies::DeleteSavedReply,
    ]);
}

/// Figures and knowledge gaps.
pub mod analytics {
    use crate::analytics::{dislikes, figures};
    use crate::knowledge::gaps::api;

    function!("analytics", provider: {}, [
        figures::GetAnalytics,
        figures::GetConfidence,
        dislikes::ListDislikedAnswers,
        api::ListGaps,
        api::UpdateGap,
        api::GetGap,
    ]);
}

/// Receivers of events, and their deliveries.
pub mod webhooks {
    use aws::queue::Queue;

    use crate::webhooks::{api, deliveries};

    function!("webhooks", provider: {
        queues: vec![provider.queue(Queue::Webhooks)?],
        cipher: Some(provider.cipher()?),
    }, [
        api::CreateWebhook,
        api::ListWebhooks,
        api::GetWebhook,
        api::UpdateWebhook,
        api::DeleteWebhook,
        api::RotateWebhookSecret,
        deliveries::TestWebhook,
        deliveries::ListDeliveries,
        deliveries::GetDelivery,
        deliveries::ResendDelivery,
        deliveries::ReplayWebhook,
    ]);
}

/// Sign-ins, members, widget tokens, API keys, settings and the audit.
pub mod auth {
    use crate::edge::auth::Desk;
    use crate::members::{api, desk};
    use crate::sessions::hours_preview;
    use crate::tenants::{api_keys, audit, settings, widget_tokens};

    function!("auth", provider: {
        users: provider.user_directory()?,
        desk: Desk::new(provider).await?,
        distribution_secret: provider.distribution_secret().await?,
    }, [
        widget_tokens::IssueWidgetToken,
        api_keys::ListApiKeys,
        api_keys::CreateApiKey,
        api_keys::GetApiKey,
        api_keys::DeleteApiKey,
        settings::GetSettings,
        settings::UpdateSettings,
        hours_preview::PreviewHours,
        api::AddMember,
        api::ListMembers,
        api::GetMember,
        api::UpdateMember,
        api::RemoveMember,
        api::InviteMember,
        api::SignOutMember,
        audit::ListAudit,
        desk::GetDesk,
        desk::IssueDeskToken,
        desk::RenewDeskToken,
        desk::SignOut,
    ]);
}

/// The service's state and its OpenAPI document; the gateway's `$default` route, which answers unknown paths.
pub mod health {
    use aws::queue::Queue;

    use crate::health::{GetHealth, GetOpenApiDocument};

    function!("health", provider: {
        index: Some(provider.index()?),
        search_domain: provider.search_domain()?,
        embedder: provider.embedder().await?,
        queues: Queue::ALL.iter().map(|queue| provider.queue(*queue)).collect::<Result<_>>()?,
    }, [
        GetHealth,
        GetOpenApiDocument,
    ]);
}
