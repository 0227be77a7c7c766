//! Whether a tenant is served: read from the table, and remembered for a few seconds, because every request asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_STATUS_AGE_MS;
use aws::store::Store;
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{TenantId, TenantStatus, Timestamp};
use domain::{Error, Result};

/// How many tenants are remembered; beyond that all are forgotten.
const MAX_TENANTS: usize = 10_000;

/// Knows which tenants are served; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct TenantStatuses {
    store: Store,
    runtime: Runtime,
    remembered: Arc<Mutex<HashMap<TenantId, Remembered>>>,
}

/// When a status was read, and what it was; none if there is no such tenant.
type Remembered = (Timestamp, Option<TenantStatus>);

impl TenantStatuses {
    pub(super) fn new(store: Store, runtime: Runtime) -> Self {
        Self { store, runtime, remembered: Arc::default() }
    }

    /// Refuses a tenant that is not served.
    ///
    /// # Errors
    /// 403 for a suspended tenant; 401 for one that is gone or being deleted; 503 if the table does not answer.
    pub(super) async fn check(&self, tenant: &TenantId) -> Result<()> {
        match self.status(tenant).await? {
            Some(TenantStatus::Active) => Ok(()),
            Some(TenantStatus::Suspended) => Err(Error::new(Code::Forbidden, "This tenant is suspended.")
                .with_detail(DetailCode::TenantSuspended, "the operator of the service can resume it")),
            Some(TenantStatus::Deleting) | None => Err(Error::unauthorized()),
        }
    }

    async fn status(&self, tenant: &TenantId) -> Result<Option<TenantStatus>> {
        let now = self.runtime.now();
        let known = self.remembered.lock().unwrap_or_else(PoisonError::into_inner).get(tenant).copied();
        if let Some((read_at, status)) = known
            && (0..MAX_STATUS_AGE_MS).contains(&now.millis_since(read_at))
        {
            return Ok(status);
        }
        let status = self.store.tenants().get(tenant).await?.map(|tenant| tenant.status);
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        if remembered.len() >= MAX_TENANTS {
            remembered.clear();
        }
        remembered.insert(tenant.clone(), (now, status));
        Ok(status)
    }
}
