//! The authenticated caller.

use crate::models::{
    ApiKeyId, Channel, MemberId, Mode, Role, Scope, Session, SessionId, SignInId, TenantId, Timestamp, Visitor,
};

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

/// The member for whom the token of a preview was made: the token is good for as long as the sign-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewOwner {
    /// The member.
    pub member_id: MemberId,
    /// The member's generation when the token was made.
    pub generation: u64,
    /// The sign-in under which it was made.
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
