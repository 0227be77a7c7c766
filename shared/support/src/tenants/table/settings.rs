//! Settings, one record per tenant and mode. A setting that was never set has its default. Every change is audited.

use domain::Result;
use domain::models::{AuditAction, Mode, Scope, SensitiveSetting, Settings, TenantId};
use serde::{Deserialize, Serialize};

use crate::table::item::{ItemKind, item};
use crate::table::keys::Key;
use crate::table::transaction::{Tag, Transaction, Write};
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, repository};

/// How settings are stored.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct SettingsRecord {
    #[serde(flatten)]
    pub(crate) settings: Settings,
    #[serde(default)]
    pub(crate) version: u64,
}

repository!(settings: SettingsRepository);

impl SettingsRepository<'_> {
    /// The settings of a tenant, read consistently.
    pub async fn get(&self, scope: &Scope) -> Result<Settings> {
        Ok(self.get_record(scope).await?.settings)
    }

    /// The same with how often they were changed.
    pub(in crate::tenants) async fn get_versioned(&self, scope: &Scope) -> Result<(Settings, u64)> {
        let SettingsRecord { settings, version } = self.get_record(scope).await?;
        Ok((settings, version))
    }

    async fn get_record(&self, scope: &Scope) -> Result<SettingsRecord> {
        Ok(self.0.get(&settings_key(scope), Consistency::Strong).await?.unwrap_or_default())
    }

    /// Changes settings by `change`, over and over until no other change came between; the result.
    pub async fn update(&self, scope: &Scope, change: impl Fn(Settings) -> Settings) -> Result<Settings> {
        Ok(self.update_version(scope, |_| Ok(()), change).await?.0)
    }

    /// The same for settings whose version passes `check`; the result with its version, which stays if nothing changes.
    ///
    /// # Errors
    /// The error of `check`.
    pub(in crate::tenants) async fn update_version(
        &self,
        scope: &Scope,
        check: impl Fn(u64) -> Result<()>,
        change: impl Fn(Settings) -> Settings,
    ) -> Result<(Settings, u64)> {
        let key = settings_key(scope);
        let decide = |old: Option<SettingsRecord>| {
            let old = old.unwrap_or_default();
            check(old.version)?;
            let settings = change(old.settings.clone());
            if settings == old.settings {
                return Ok(Decision::Keep((settings, old.version)));
            }
            let new = SettingsRecord { settings, version: old.version.saturating_add(1) };
            let changes = SensitiveSetting::changes(&old.settings, &new.settings);
            let audit = self.0.audit().effect(&scope.tenant, AuditAction::SettingsChanged, "settings", changes)?;
            let write = Write::replace(item(&key, ItemKind::Settings, &new)?, old.version);
            let transaction = Transaction::of(write).with(Tag::Beside, [audit]);
            Ok(Decision::Write(transaction, (new.settings, new.version)))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }

    /// Deletes those of both modes.
    pub(crate) async fn delete_all(&self, tenant: &TenantId) -> Result<()> {
        let scopes = Mode::ALL.iter().map(|&mode| Scope { tenant: tenant.clone(), mode });
        self.0.write(scopes.map(|scope| Write::delete(settings_key(&scope))).collect()).await
    }
}

pub(crate) fn settings_key(scope: &Scope) -> Key {
    Key::new(format!("TENANT#{}", scope.tenant), format!("SETTINGS#{}", scope.mode))
}

/// Reads back whose settings an item holds.
pub(crate) fn scope_of_settings(pk: &str, sk: &str) -> Option<Scope> {
    let (tenant, mode) = (pk.strip_prefix("TENANT#")?, sk.strip_prefix("SETTINGS#")?);
    Some(Scope { tenant: TenantId::parse(tenant)?, mode: Mode::parse(mode)? })
}
