//! Tenants, their two modes, and the roles of callers.

use text::wire_enum;

use crate::models::{TenantId, Timestamp};

wire_enum! {
    /// The plan of a tenant.
    pub enum Plan {
        /// The basic figures.
        Free => "free",
        /// All figures.
        Pro => "pro",
    }
}

wire_enum! {
    /// Whether a tenant is served.
    pub enum TenantStatus {
        /// It is served.
        Active => "active",
        /// Its keys and widget tokens are refused; its data is kept.
        Suspended => "suspended",
        /// Its data is being erased, and its keys and widget tokens are refused for good.
        Deleting => "deleting",
    }
}

wire_enum! {
    /// Which half of a tenant's data a key sees; neither ever sees the other's.
    pub enum Mode {
        /// Production data.
        Live => "live",
        /// Data to try things on.
        Test => "test",
    }
}

wire_enum! {
    /// The role of a key.
    pub enum Role {
        /// Everything.
        Admin => "admin",
        /// Knowledge: wiki, ingest, webhooks, analytics.
        Trainer => "trainer",
        /// People in the inbox.
        Agent => "agent",
        /// Servers that relay customers.
        Integration => "integration",
    }
}

/// The tenant and mode that every piece of data belongs to: the first argument of every repository method.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Scope {
    /// The tenant.
    #[serde(rename = "tenantId")]
    pub tenant: TenantId,
    /// The mode.
    pub mode: Mode,
}

/// The status of a tenant that was stored without one.
const fn active() -> TenantStatus {
    TenantStatus::Active
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    /// Its id.
    pub tenant_id: TenantId,
    /// Its name.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Whether it is served.
    #[serde(default = "active")]
    pub status: TenantStatus,
    /// When it was made.
    pub created_at: Timestamp,
}
