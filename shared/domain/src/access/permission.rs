//! The one permission table: which role may do what.

use crate::access::Principal;
use crate::models::Role;

/// One row of the table; every route names one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Create, read, ask, react, escalate, resume: any key, and a widget on its own.
    UseSession,
    /// `PATCH /sessions/:id`: any key, and a widget on its own `user`.
    EditSession,
    /// `DELETE /sessions/:id`.
    DeleteSession,
    /// `GET /sessions`.
    ListSessions,
    /// `GET /wiki…`: any key, and a widget on public entries.
    ReadWiki,
    /// `POST/PATCH/DELETE /wiki…`.
    WriteWiki,
    /// `/ingest…`.
    Ingest,
    /// `/inbox…`.
    Inbox,
    /// `GET /analytics…`.
    ReadAnalytics,
    /// `PATCH /analytics/kb-gaps/:gapId`.
    EditGaps,
    /// `/webhooks…`.
    ManageWebhooks,
    /// `/api-keys…`, `/settings`.
    Administer,
    /// `POST /auth/widget-token`.
    IssueWidgetToken,
    /// `/health`, `/openapi.json`: everybody.
    Public,
}

impl Permission {
    /// Every row.
    pub const ALL: [Self; 14] = [
        Self::UseSession,
        Self::EditSession,
        Self::DeleteSession,
        Self::ListSessions,
        Self::ReadWiki,
        Self::WriteWiki,
        Self::Ingest,
        Self::Inbox,
        Self::ReadAnalytics,
        Self::EditGaps,
        Self::ManageWebhooks,
        Self::Administer,
        Self::IssueWidgetToken,
        Self::Public,
    ];

    /// The roles that have it.
    #[must_use]
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::UseSession | Self::EditSession | Self::ReadWiki | Self::IssueWidgetToken | Self::Public => Role::ALL,
            Self::DeleteSession | Self::Administer => &[Role::Admin],
            Self::ListSessions | Self::ReadAnalytics => &[Role::Admin, Role::Trainer, Role::Agent],
            Self::WriteWiki | Self::Ingest | Self::EditGaps | Self::ManageWebhooks => &[Role::Admin, Role::Trainer],
            Self::Inbox => &[Role::Admin, Role::Agent],
        }
    }

    /// A widget may call it (and is then held to its own data by the handler).
    #[must_use]
    pub const fn widget(self) -> bool {
        matches!(self, Self::UseSession | Self::EditSession | Self::ReadWiki | Self::Public)
    }

    /// Whether `principal` has it.
    #[must_use]
    pub fn allows(self, principal: &Principal) -> bool {
        principal.role().map_or_else(|| self.widget(), |role| self.roles().contains(&role))
    }
}
