//! API keys: how one is made. The raw key is returned once and stored nowhere.

use aws::store::Store;
use domain::Result;
use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::models::{ApiKeyId, ApiKeyRecord, Role, Scope, Timestamp};

/// What a new key is for.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// Whose it is and which half it opens.
    pub scope: Scope,
    /// For people.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// From this moment on it is refused.
    pub expires_at: Option<Timestamp>,
}

/// Makes a key of an existing tenant; the record, and the raw key.
///
/// # Errors
/// 503 where the table does not answer.
pub async fn create(store: &Store, runtime: &Runtime, new: NewApiKey) -> Result<(ApiKeyRecord, ApiKey)> {
    let key = ApiKey::generate(runtime, new.scope.mode)?;
    let record = ApiKeyRecord {
        key_id: ApiKeyId::generate(runtime)?,
        scope: new.scope,
        name: new.name,
        role: new.role,
        prefix: key.prefix(),
        created_at: runtime.now(),
        expires_at: new.expires_at,
        last_used_at: None,
    };
    store.api_keys().create(&record, &key.hash()).await?;
    Ok((record, key))
}
