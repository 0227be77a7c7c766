//! Authentication.
//!
//! An [`Authenticator`] turns a credential into a [`Principal`]: an API key by its hash in the table, a widget token by its
//! signature and all of its claims, a desk token by these and by its member, which is read for every request.

mod desk;
mod desk_token;
mod token;
mod widget_token;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aws::widget_keys::WidgetKeys;
use desk_token::DeskTokens;
use domain::access::{ApiKey, Principal};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{ApiKeyRecord, TenantId, TenantStatus, Timestamp};
use domain::{Error, Result};

use crate::edge::Parts;
use crate::edge::cursor::CursorKeySource;
use crate::table::Store;
pub(crate) use desk::{Desk, DeskCookie, DeskUrl};
pub use desk_token::{DESK_TOKEN_SECONDS, DeskClaims};
pub(crate) use token::CREDENTIAL_MAX_BYTES;
pub use token::{IssuedToken, MAX_STATUS_AGE_MS};
pub use widget_token::{TokenRequest, WidgetTokenService, issue, verify};

/// The timeout of recording a key's use: the request waits for it.
const LAST_USED_WRITE_TIMEOUT: Duration = Duration::from_millis(250);
/// The precision of `lastUsedAt`, in milliseconds.
const LAST_USED_INTERVAL_MS: i64 = 60_000;

/// Knows API keys, desk tokens and widget tokens; cheap to clone.
#[derive(Debug, Clone)]
pub struct Authenticator {
    pub(crate) store: Store,
    pub(crate) rate_limit_per_minute: Option<u32>,
    runtime: Runtime,
    /// The one origin that desk tokens may be sent from.
    pub(crate) desk_origin: Option<Arc<str>>,
    pub(crate) widget_tokens: WidgetTokenService,
    pub(crate) desk_tokens: DeskTokens,
    tenants: TenantStatuses,
}

impl Authenticator {
    /// Knows the callers of a function with `parts`.
    pub(crate) fn new(parts: &Parts, widget_keys: WidgetKeys) -> Self {
        Self {
            store: parts.store.clone(),
            rate_limit_per_minute: parts.config.rate_limit_per_minute,
            runtime: parts.runtime.clone(),
            desk_origin: parts.config.desk_origin().map(Arc::from),
            widget_tokens: WidgetTokenService::new(parts, widget_keys),
            desk_tokens: DeskTokens::new(parts),
            tenants: TenantStatuses::new(parts.store.clone(), parts.runtime.clone()),
        }
    }

    /// Where a request finds the keys of cursors.
    pub(crate) fn cursor_keys(&self) -> CursorKeySource {
        CursorKeySource { keys: self.widget_tokens.keys.clone(), now: self.now() }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.runtime.now()
    }

    /// The bearer of `credential`: 401 unless it is a key that exists and has not expired, or a good widget
    /// token (of a preview: whose member is signed in), or a desk token of a member who is signed in. 403 when the tenant is suspended.
    pub async fn authenticate(&self, credential: &str) -> Result<Principal> {
        let principal = if credential.starts_with("pk_") {
            self.key_holder(credential).await?
        } else if DeskTokens::has_shape_of(credential) {
            self.desk_tokens.verify(credential).await?
        } else {
            let widget = self.widget_tokens.verify(credential).await?;
            if let Some(owner) = &widget.preview_of {
                self.desk_tokens.check_preview(&widget.scope.tenant, owner).await?;
            }
            Principal::Widget(widget)
        };
        self.tenants.check(principal.tenant()).await?;
        Ok(principal)
    }

    async fn key_holder(&self, credential: &str) -> Result<Principal> {
        // A key whose checksum is wrong costs no read.
        let key = ApiKey::parse(credential).ok_or_else(Error::unauthorized)?;
        let record = self.store.api_keys().find_by_hash(&key.hash()).await?.ok_or_else(Error::unauthorized)?;
        if record.expires_at.is_some_and(|end| end <= self.runtime.now()) {
            return Err(Error::new(Code::ApiKeyExpired, "The API key has expired."));
        }
        self.record_use(&key, &record).await;
        let ApiKeyRecord { key_id, scope, role, name, .. } = record;
        Ok(Principal::Key { key_id, scope, role, name })
    }

    /// Records the use at most once a minute. A failure is logged and does not fail the request.
    async fn record_use(&self, key: &ApiKey, record: &ApiKeyRecord) {
        let now = self.runtime.now();
        if record.last_used_at.is_some_and(|last| now.millis_since(last) < LAST_USED_INTERVAL_MS) {
            return;
        }
        let (keys, hash) = (self.store.api_keys(), key.hash());
        let recording = keys.record_use(&hash, record, now, LAST_USED_INTERVAL_MS);
        if !matches!(tokio::time::timeout(LAST_USED_WRITE_TIMEOUT, recording).await, Ok(Ok(()))) {
            tracing::debug!(key.id = %record.key_id, "failed to record the use of an API key");
        }
    }
}

/// How many tenants are remembered; beyond that all are forgotten.
const MAX_TENANTS: usize = 10_000;

/// Knows which tenants are served; cheap to clone.
#[derive(Debug, Clone)]
struct TenantStatuses {
    store: Store,
    runtime: Runtime,
    remembered: Arc<Mutex<HashMap<TenantId, Remembered>>>,
}

/// When a status was read, and what it was; none if there is no such tenant.
type Remembered = (Timestamp, Option<TenantStatus>);

impl TenantStatuses {
    fn new(store: Store, runtime: Runtime) -> Self {
        Self { store, runtime, remembered: Arc::default() }
    }

    /// Refuses a tenant that is not served.
    ///
    /// # Errors
    /// 403 for a suspended tenant; 401 for one that is gone or being deleted; 503 if the table does not answer.
    async fn check(&self, tenant: &TenantId) -> Result<()> {
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
