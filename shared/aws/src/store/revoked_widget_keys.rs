//! The signing keys of widget tokens that the operator revoked, by their fingerprints. Every process looks here every few
//! seconds, so that a revoked key ends before its secret is read again.

use serde::{Deserialize, Serialize};

use super::item::{ItemKind, item};
use super::keys::Key;
use super::table::{Consistency, Store};
use super::transaction::Write;
use super::update::{Basis, Decision};
use crate::config::WidgetTokenKey;
use domain::Result;

/// How many are kept. A process that does not read newer keys for longer than that takes refuses all tokens anyway.
const MAX_REVOKED: usize = 64;

#[derive(Debug, Default, Serialize, Deserialize)]
struct RevokedKeys {
    fingerprints: Vec<String>,
    /// Counts the changes.
    version: u64,
}

/// The revoked keys.
#[derive(Debug, Clone, Copy)]
pub struct RevokedWidgetKeyRepository<'a>(pub(super) &'a Store);

impl RevokedWidgetKeyRepository<'_> {
    /// Their fingerprints, oldest first; consistent.
    pub async fn list(&self) -> Result<Vec<String>> {
        let found: Option<RevokedKeys> = self.0.get(&revoked_widget_keys_key(), Consistency::Strong).await?;
        Ok(found.unwrap_or_default().fingerprints)
    }

    /// Adds `revoked`; those that are there already stay.
    pub async fn add(&self, revoked: impl Iterator<Item = &WidgetTokenKey>) -> Result<()> {
        let new: Vec<String> = revoked.map(WidgetTokenKey::fingerprint).collect();
        let key = revoked_widget_keys_key();
        let decide = |old: Option<RevokedKeys>| {
            let mut all = old.unwrap_or_default();
            let seen = all.version;
            all.fingerprints.retain(|fingerprint| !new.contains(fingerprint));
            all.fingerprints.extend(new.iter().cloned());
            let surplus = all.fingerprints.len().saturating_sub(MAX_REVOKED);
            all.fingerprints.drain(..surplus);
            all.version = seen.saturating_add(1);
            let stored = item(&key, ItemKind::RevokedWidgetKeys, &all)?;
            Ok(Decision::Write(Write::replace(stored, seen), ()))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }
}

/// The signing keys of widget tokens that are revoked, of all tenants.
fn revoked_widget_keys_key() -> Key {
    Key::new("WIDGETKEYS".to_owned(), "REVOKED")
}
