//! The functions that answer HTTP, each with its endpoints in the order of the OpenAPI document.

/// Conversations: create, read, change, ask, react, escalate, resume.
pub mod sessions {
    use crate::sessions::{Sessions, api, messages, read};

    crate::edge::function!("sessions", Sessions: [
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
    use crate::knowledge::{Knowledge, answers, drafts};
    use crate::wiki::{api, revisions};

    crate::edge::function!("wiki", Knowledge: [
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
    ] after wiki: [
        api::ListEntries,
        api::CreateEntry,
        api::GetEntry,
        api::UpdateEntry,
        api::DeleteEntry,
        revisions::ListRevisions,
        revisions::RestoreRevision,
    ]);
}

/// Jobs that make entries of pages and texts.
pub mod ingest {
    use crate::ingest::{CreateIngestJob, GetIngestJob, Ingest, ListIngestJobs, RetryIngestJob};

    crate::edge::function!("ingest", Ingest: [
        CreateIngestJob,
        ListIngestJobs,
        GetIngestJob,
        RetryIngestJob,
    ]);
}

/// Waiting customers, and what agents do for them.
pub mod inbox {
    use crate::inbox::{Inbox, api, list, saved_replies};

    crate::edge::function!("inbox", Inbox: [
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
    use crate::analytics::{Analytics, dislikes, figures};
    use crate::knowledge::gaps::api;

    crate::edge::function!("analytics", Analytics: [
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
    use crate::webhooks::{Webhooks, api, deliveries};

    crate::edge::function!("webhooks", Webhooks: [
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
    use crate::auth::Auth;
    use crate::members::{api, desk};
    use crate::sessions::hours_preview;
    use crate::tenants::{api_keys, audit, settings, widget_tokens};

    crate::edge::function!("auth", Auth: [
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
    use crate::health::{GetHealth, GetOpenApiDocument, Health};

    crate::edge::function!("health", Health: [
        GetHealth,
        GetOpenApiDocument,
    ]);
}
