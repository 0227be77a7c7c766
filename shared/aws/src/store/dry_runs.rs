//! The dry runs that are running: one of a caller and two of a tenant, over all processes.

use super::item::ItemKind;
use super::keys::Key;
use super::table::Store;
use super::update::Permits;
use domain::error::{Code, DetailCode};
use domain::models::{TenantId, Timestamp};
use domain::{Error, Result};

/// The most dry runs of a tenant at once.
const MAX_OF_TENANT: usize = 2;

/// A run usually ends within so many seconds.
const RETRY_AFTER_SECONDS: u32 = 2;

/// The dry runs that are running; made by [`Store::dry_runs`].
#[derive(Debug, Clone, Copy)]
pub struct DryRunRepository<'a>(pub(super) &'a Store);

/// A dry run that is running.
#[derive(Debug)]
#[must_use = "it runs until it is ended"]
pub struct RunningDryRun(String);

impl DryRunRepository<'_> {
    /// Begins one of `principal`, which ends at `until` at the latest.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` while another one of the same principal, or two of the tenant, are running.
    pub async fn begin(&self, tenant: &TenantId, principal: &str, until: Timestamp) -> Result<RunningDryRun> {
        let holder = format!("{principal}#{}", self.0.runtime.token()?);
        let is_own = |other: &&str| other.rsplit_once('#').is_some_and(|(name, _)| name == principal);
        let refuse = |others: &[&str]| match others {
            others if others.iter().any(is_own) => Err(busy("one of this caller at once")),
            others if others.len() >= MAX_OF_TENANT => Err(busy("two of a tenant at once")),
            _ => Ok(()),
        };
        self.0.acquire_permit(&permits(tenant), (&holder, until), refuse).await?;
        Ok(RunningDryRun(holder))
    }

    /// Ends one. If that fails, it ends by its time.
    pub async fn end(&self, tenant: &TenantId, running: RunningDryRun) {
        if let Err(error) = self.0.release_permit(&permits(tenant), &running.0).await {
            tracing::warn!(error = %error, "failed to give back the permit of a dry run; it expires by itself");
        }
    }
}

fn permits(tenant: &TenantId) -> Permits {
    Permits { key: dry_runs_key(tenant), kind: ItemKind::DryRunPermits }
}

fn busy(limit: &'static str) -> Error {
    Error::new(Code::RateLimited, "A dry run is still running.")
        .with_detail(DetailCode::RateLimit, format!("dry-runs: {limit}"))
        .retry_after(RETRY_AFTER_SECONDS)
}

/// The dry runs of a tenant that are running.
fn dry_runs_key(id: &TenantId) -> Key {
    Key::new(format!("{id}#DRYRUNS"), "PERMITS")
}
