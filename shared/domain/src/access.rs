//! Callers and their permissions.
//!
//! A [`Principal`] is an authenticated caller: the holder of an [`ApiKey`], a member who signed in to the desk, or a chat
//! widget. [`Permission`] is the one table of what a principal may do. A [`SecretToken`] is what an invitation and the
//! cookie of a sign-in hold.

use serde::{Deserialize, Serialize};

pub use crate::api_key::{ApiKey, KeyHash};
pub use crate::member::SecretToken;
use crate::models::{
    ApiKeyId, Channel, MemberId, Mode, Role, Scope, Session, SessionId, SignInId, TenantId, Timestamp, Visitor,
};
use crate::wire::Viewer;

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A server with an API key.
    Key {
        /// The key.
        key_id: ApiKeyId,
        /// The tenant that it opens, and the mode.
        scope: Scope,
        /// The role of the key.
        role: Role,
        /// The name of the key, for people.
        name: String,
    },
    /// A person of the tenant who signed in to the desk.
    Member(MemberIdentity),
    /// A chat widget with a short-lived token.
    Widget(WidgetIdentity),
}

/// A member as a verified desk token and the member's record, read for this request, describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberIdentity {
    /// The member.
    pub member_id: MemberId,
    /// The tenant, and which half of its data the token opens.
    pub scope: Scope,
    /// The roles that the member has now, one to three.
    pub roles: Vec<Role>,
    /// The name that customers and webhooks see.
    pub public_name: String,
    /// The member's generation, as it was read: what acts of the member are conditioned on.
    pub generation: u64,
    /// The sign-in that the token belongs to.
    pub sign_in: SignInId,
    /// When the person last proved to the provider who they are.
    pub authenticated_at: Timestamp,
}

/// The claims of a verified widget token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetIdentity {
    /// The tenant of the widget, and the mode.
    pub scope: Scope,
    /// The visitor (`sub`).
    pub external_user_id: String,
    /// The one session it may reach, if the token names one (`sid`).
    pub session_id: Option<SessionId>,
    /// Copied to sessions that the widget creates.
    pub user: Option<Visitor>,
    /// The member who previews the chat; none for customers.
    pub preview_of: Option<PreviewOwner>,
}

/// The member for whom the token of a preview was made: the token is good for as long as the sign-in. It serialises as the
/// claim of the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PreviewOwner {
    /// The member.
    #[serde(rename = "id")]
    pub member_id: MemberId,
    /// The member's generation when the token was made.
    #[serde(rename = "gen")]
    pub generation: u64,
    /// The sign-in under which it was made.
    #[serde(rename = "sin")]
    pub sign_in: SignInId,
}

impl From<&MemberIdentity> for PreviewOwner {
    fn from(member: &MemberIdentity) -> Self {
        let MemberIdentity { member_id, generation, sign_in, .. } = member.clone();
        Self { member_id, generation, sign_in }
    }
}

impl Principal {
    /// The tenant and mode that everything this caller sees belongs to.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        match self {
            Self::Key { scope, .. } => scope,
            Self::Member(member) => &member.scope,
            Self::Widget(widget) => &widget.scope,
        }
    }

    /// The tenant.
    #[must_use]
    pub const fn tenant(&self) -> &TenantId {
        &self.scope().tenant
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.scope().mode
    }

    /// The role of the key, or the roles of the member; a widget has none.
    #[must_use]
    pub fn roles(&self) -> &[Role] {
        match self {
            Self::Key { role, .. } => std::slice::from_ref(role),
            Self::Member(member) => &member.roles,
            Self::Widget(_) => &[],
        }
    }

    /// Whether `role` is among its roles.
    #[must_use]
    pub fn has_role(&self, role: Role) -> bool {
        self.roles().contains(&role)
    }

    /// The widget's identity, if the caller is one.
    #[must_use]
    pub const fn widget(&self) -> Option<&WidgetIdentity> {
        match self {
            Self::Key { .. } | Self::Member(_) => None,
            Self::Widget(widget) => Some(widget),
        }
    }

    /// The member, if the caller is one.
    #[must_use]
    pub const fn member(&self) -> Option<&MemberIdentity> {
        match self {
            Self::Member(member) => Some(member),
            Self::Key { .. } | Self::Widget(_) => None,
        }
    }

    /// Internal notes are for the tenant's people: members, and admin, trainer and agent keys.
    #[must_use]
    pub fn sees_internal_notes(&self) -> bool {
        self.roles().iter().any(|role| matches!(role, Role::Admin | Role::Trainer | Role::Agent))
    }

    /// A stable name of this caller, for idempotency scopes and `createdBy`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Key { key_id, .. } => key_id.to_string(),
            Self::Member(member) => member.member_id.to_string(),
            Self::Widget(widget) => format!("widget:{}", widget.external_user_id),
        }
    }
}

impl Viewer {
    /// The caller of a request; a widget as if the tenant showed it public entries alone.
    #[must_use]
    pub fn of(caller: &Principal) -> Self {
        let is_staff = caller.widget().is_none();
        Self { internal_notes: caller.sees_internal_notes(), internal_entries: is_staff, staff_details: is_staff }
    }
}

impl WidgetIdentity {
    /// Whether the widget may reach a session: one of channel `widget`, of its visitor, and the one its token names.
    #[must_use]
    pub fn reaches(&self, session: &Session) -> bool {
        session.channel == Channel::Widget
            && session.mode == self.scope.mode
            && session.external_user_id.as_deref() == Some(self.external_user_id.as_str())
            && self.session_id.as_ref().is_none_or(|only| *only == session.session_id)
    }
}

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
