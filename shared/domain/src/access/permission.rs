//! The one permission table: which role may do what.

use crate::access::Principal;
use crate::models::Role;

/// One row of the table; every route names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Create, read, ask, react, escalate, resume: any key, and a widget on its own.
    UseSession,
    /// `POST /sessions/:id/rating`: servers that relay customers, admins, and a widget on its own.
    RateSession,
    /// `PATCH /sessions/:id`: any key, and a widget on its own `user`.
    EditSession,
    /// `DELETE /sessions/:id`, `GET /sessions/:id/export`.
    DeleteSession,
    /// `GET /sessions`.
    ListSessions,
    /// `GET /wiki…`: any key, and a widget on public entries.
    ReadWiki,
    /// `POST/PATCH/DELETE /wiki…`.
    WriteWiki,
    /// `GET /wiki/:path?version=`, `/wiki-revisions`, `/drafts…`: what people who keep the wiki read.
    ReadKnowledge,
    /// Propose changes of the wiki: write and discard drafts.
    Propose,
    /// `/ingest…`.
    Ingest,
    /// `/inbox…`, `POST /sessions/:id/takeover`.
    Inbox,
    /// `POST /sessions/:id/notes`.
    WriteNotes,
    /// `/saved-replies…`: the tenant's are read, and one's own are kept.
    UseSavedReplies,
    /// Create, change and delete saved replies of the tenant.
    WriteTeamReplies,
    /// `GET /analytics…`.
    ReadAnalytics,
    /// `PATCH /analytics/kb-gaps/:gapId`.
    EditGaps,
    /// `/webhooks…`: read, test, send again.
    ManageWebhooks,
    /// `/webhooks…`: make, change, rotate, delete.
    ChangeWebhooks,
    /// `/settings`, and reading `/api-keys…`.
    Administer,
    /// `POST`, `DELETE /api-keys…`.
    ManageKeys,
    /// `/members…` and `/audit`, but for what a member may do to itself.
    ManageMembers,
    /// `POST /members`.
    AddMember,
    /// `GET`, `PATCH /members/:id`, `POST /members/:id/sign-out`: an admin, and every member on itself.
    ReachMember,
    /// `POST /auth/widget-token`.
    IssueWidgetToken,
    /// `/health`, `/openapi.json`: everybody.
    Public,
}

impl Permission {
    /// Every row.
    pub const ALL: [Self; 25] = [
        Self::UseSession,
        Self::RateSession,
        Self::EditSession,
        Self::DeleteSession,
        Self::ListSessions,
        Self::ReadWiki,
        Self::WriteWiki,
        Self::ReadKnowledge,
        Self::Propose,
        Self::Ingest,
        Self::Inbox,
        Self::WriteNotes,
        Self::UseSavedReplies,
        Self::WriteTeamReplies,
        Self::ReadAnalytics,
        Self::EditGaps,
        Self::ManageWebhooks,
        Self::ChangeWebhooks,
        Self::Administer,
        Self::ManageKeys,
        Self::ManageMembers,
        Self::AddMember,
        Self::ReachMember,
        Self::IssueWidgetToken,
        Self::Public,
    ];

    /// The roles that have it.
    #[must_use]
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::UseSession | Self::EditSession | Self::ReadWiki | Self::IssueWidgetToken | Self::Public => Role::ALL,
            Self::RateSession => &[Role::Admin, Role::Integration],
            Self::DeleteSession
            | Self::Administer
            | Self::ManageKeys
            | Self::ManageMembers
            | Self::AddMember
            | Self::ReachMember => &[Role::Admin],
            Self::ListSessions
            | Self::WriteNotes
            | Self::UseSavedReplies
            | Self::ReadAnalytics
            | Self::ReadKnowledge
            | Self::Propose => &[Role::Admin, Role::Trainer, Role::Agent],
            Self::WriteWiki
            | Self::Ingest
            | Self::WriteTeamReplies
            | Self::EditGaps
            | Self::ManageWebhooks
            | Self::ChangeWebhooks => &[Role::Admin, Role::Trainer],
            Self::Inbox => &[Role::Admin, Role::Agent],
        }
    }

    /// A widget may call it (and is then held to its own data by the handler).
    #[must_use]
    pub const fn widget(self) -> bool {
        matches!(self, Self::UseSession | Self::RateSession | Self::EditSession | Self::ReadWiki | Self::Public)
    }

    /// A member needs a sign-in of the last hour for it.
    #[must_use]
    pub const fn needs_recent_sign_in(self) -> bool {
        matches!(self, Self::DeleteSession | Self::ManageKeys | Self::ChangeWebhooks | Self::AddMember)
    }

    /// A key of the test mode does not have it, because it is about both modes.
    #[must_use]
    pub const fn needs_live_key(self) -> bool {
        matches!(self, Self::ManageMembers | Self::AddMember | Self::ReachMember)
    }

    /// Every member may call it about itself (and is then held to that by the handler).
    #[must_use]
    pub const fn is_own(self) -> bool {
        matches!(self, Self::ReachMember)
    }

    /// Whether `principal` has it.
    #[must_use]
    pub fn allows(self, principal: &Principal) -> bool {
        match principal {
            Principal::Widget(_) => self.widget(),
            Principal::Member(_) if self.is_own() => true,
            _ => principal.roles().iter().any(|role| self.roles().contains(role)),
        }
    }
}
