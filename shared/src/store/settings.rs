//! What a tenant decides, one record per tenant and mode; absent until first changed.

use crate::Result;
use crate::models::{Scope, Settings};
use crate::store::Store;
use crate::store::keys;
use crate::store::table::{Consistency, item};
use crate::store::transaction::{Refused, Write};

/// The settings of tenants.
#[derive(Debug, Clone, Copy)]
pub struct SettingsRepo<'a> {
    store: &'a Store,
}

impl Store {
    /// The settings of tenants.
    #[must_use]
    pub const fn settings(&self) -> SettingsRepo<'_> {
        SettingsRepo { store: self }
    }
}

impl SettingsRepo<'_> {
    /// A tenant's settings in one mode; the defaults where nothing was changed yet. Consistent.
    pub async fn get(&self, scope: &Scope) -> Result<Settings> {
        Ok(self.store.get(&keys::settings(scope), Consistency::Strong).await?.unwrap_or_default())
    }

    /// Replaces them.
    pub async fn put(&self, scope: &Scope, settings: &Settings) -> Result<()> {
        let item = item(&keys::settings(scope), "settings", settings)?;
        let write = Write::Put { item, condition: None };
        self.store.transact(vec![write], None).await.map_err(Refused::into_error)
    }
}
