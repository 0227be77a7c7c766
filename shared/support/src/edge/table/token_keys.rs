//! The public keys of desk tokens, and the signing keys of widget tokens that the operator revoked.
//!
//! Every function reads the public keys; the function that signs and the operator write them. A key that was replaced
//! verifies until the last token is over that a process may have signed with it, and stays listed, so that no process
//! that still holds it adds it again. Every process reads the fingerprints of revoked keys every few seconds, so that
//! such a key ends before its secret is read again.

use aws::config::WidgetTokenKey;
use domain::Result;
use domain::models::Timestamp;
use serde::{Deserialize, Serialize};

use crate::table::item::{ItemKind, item};
use crate::table::keys::Key;
use crate::table::transaction::Write;
use crate::table::update::{Basis, Decision};
use crate::table::{Consistency, repository};

/// From the moment when another key signs, in milliseconds: ten minutes in which a process may not know it, and the life
/// of a token.
const REPLACED_FOR_MS: i64 = 25 * 60_000;

/// How many are listed.
const MAX_KEYS: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeskPublicKey {
    /// Its name in the token's header.
    pub kid: String,
    /// The point, uncompressed, in lower-case hex.
    pub point: String,
    /// From this moment on it verifies nothing; none while it signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Timestamp>,
}

impl DeskPublicKey {
    /// Whether it verifies tokens at `now`.
    #[must_use]
    pub(in crate::edge) fn is_valid(&self, now: Timestamp) -> bool {
        self.ends_at.is_none_or(|end| now < end)
    }
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct PublicKeys {
    keys: Vec<DeskPublicKey>,
    /// Counts the changes.
    version: u64,
}

repository!(desk_public_keys: DeskPublicKeyRepository);

impl DeskPublicKeyRepository<'_> {
    /// All of them, oldest first, those that ended too; consistent.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(in crate::edge) async fn list(&self) -> Result<Vec<DeskPublicKey>> {
        let found: Option<PublicKeys> = self.0.get(&desk_public_keys_key(), Consistency::Strong).await?;
        Ok(found.unwrap_or_default().keys)
    }

    /// Adds the key that signs from now on, and lets those before it end; one that is listed already stays as it is. All
    /// of them after that.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(in crate::edge) async fn add(&self, kid: &str, point: &str, now: Timestamp) -> Result<Vec<DeskPublicKey>> {
        self.update(|keys| {
            if keys.iter().any(|key| key.kid == kid && key.point == point) {
                return false;
            }
            let end = now.plus_millis(REPLACED_FOR_MS);
            keys.iter_mut().filter(|key| key.ends_at.is_none()).for_each(|key| key.ends_at = Some(end));
            keys.push(DeskPublicKey { kid: kid.to_owned(), point: point.to_owned(), ends_at: None });
            true
        })
        .await
    }

    /// Ends every key but the one named at once: tokens that they signed are refused from then on, as soon as each
    /// process has read the list again. All of them after that.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub async fn revoke_all_but(&self, kid: Option<&str>, now: Timestamp) -> Result<Vec<DeskPublicKey>> {
        self.update(|keys| {
            let valid = keys.iter_mut().filter(|key| Some(key.kid.as_str()) != kid && key.is_valid(now));
            valid.map(|key| key.ends_at = Some(now)).count() > 0
        })
        .await
    }

    async fn update(&self, change: impl Fn(&mut Vec<DeskPublicKey>) -> bool) -> Result<Vec<DeskPublicKey>> {
        let key = desk_public_keys_key();
        let decide = |old: Option<PublicKeys>| {
            let mut all = old.unwrap_or_default();
            let seen = all.version;
            if !change(&mut all.keys) {
                return Ok(Decision::Keep(all.keys));
            }
            let surplus = all.keys.len().saturating_sub(MAX_KEYS);
            all.keys.drain(..surplus);
            all.version = seen.saturating_add(1);
            Ok(Decision::Write(Write::replace(item(&key, ItemKind::DeskKeys, &all)?, seen), all.keys))
        };
        self.0.update(&key, Basis::Read, self.0.default_deadline(), decide).await
    }
}

/// The public keys of desk tokens.
fn desk_public_keys_key() -> Key {
    Key::new("DESKKEYS".to_owned(), "PUBLIC")
}

/// How many are kept. A process that does not read newer keys for longer than that takes refuses all tokens anyway.
const MAX_REVOKED: usize = 64;

#[derive(Debug, Default, Serialize, Deserialize)]
struct RevokedKeys {
    fingerprints: Vec<String>,
    /// Counts the changes.
    version: u64,
}

repository!(revoked_widget_keys: RevokedWidgetKeyRepository);

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
