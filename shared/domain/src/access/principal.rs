//! The authenticated caller.

use crate::models::{ApiKeyId, Channel, Mode, Role, Scope, Session, SessionId, TenantId, Visitor};

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// A server with an API key.
    Key {
        /// The key.
        key_id: ApiKeyId,
        /// Whose it is and which half it opens.
        scope: Scope,
        /// The role of the key.
        role: Role,
    },
    /// A chat widget with a short-lived token.
    Widget(WidgetIdentity),
}

/// The claims of a verified widget token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetIdentity {
    /// Whose widget it is and which half it sees.
    pub scope: Scope,
    /// The visitor (`sub`).
    pub external_user_id: String,
    /// The one session it may reach, where the token names one (`sid`).
    pub session_id: Option<SessionId>,
    /// Copied to sessions that the widget creates.
    pub user: Option<Visitor>,
}

impl Principal {
    /// The tenant and mode that everything this caller sees belongs to.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        match self {
            Self::Key { scope, .. } => scope,
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

    /// The key's role; a widget has none.
    #[must_use]
    pub const fn role(&self) -> Option<Role> {
        match self {
            Self::Key { role, .. } => Some(*role),
            Self::Widget(_) => None,
        }
    }

    /// The widget's identity, where the caller is one.
    #[must_use]
    pub const fn widget(&self) -> Option<&WidgetIdentity> {
        match self {
            Self::Key { .. } => None,
            Self::Widget(widget) => Some(widget),
        }
    }

    /// Internal notes are for the tenant's people: admin, trainer and agent keys.
    #[must_use]
    pub const fn sees_internal_notes(&self) -> bool {
        matches!(self.role(), Some(Role::Admin | Role::Trainer | Role::Agent))
    }

    /// A stable name of this caller, for idempotency scopes and `createdBy`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Key { key_id, .. } => key_id.to_string(),
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
