//! API keys: how one is made. The raw key is returned once and stored nowhere.

use aws::store::{Once, RequestKey, RequestRecord, Store};
use domain::Result;
use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::models::{ApiKeyId, ApiKeyRecord, Role, Scope, Timestamp};
use serde::{Deserialize, Serialize};

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

impl NewApiKey {
    fn record(self, created: CreatedKey) -> ApiKeyRecord {
        ApiKeyRecord {
            key_id: created.key_id,
            scope: self.scope,
            name: self.name,
            role: self.role,
            prefix: created.prefix,
            created_at: created.created_at,
            expires_at: self.expires_at,
            last_used_at: None,
        }
    }
}

/// What is kept of a request that made a key; everything else stands in the request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedKey {
    key_id: ApiKeyId,
    prefix: String,
    created_at: Timestamp,
}

/// Makes a key of an existing tenant; the record, and the raw key.
///
/// # Errors
/// 503 where the table does not answer.
pub async fn create(store: &Store, runtime: &Runtime, new: NewApiKey) -> Result<(ApiKeyRecord, ApiKey)> {
    store_new(store, runtime, new, |_| Ok(None)).await
}

/// The same for a request of `caller` with the key `request`. The raw key is none where the request was carried out
/// before.
///
/// # Errors
/// 503 where the table does not answer, 422 for a key that was used for another request.
pub async fn create_once(
    store: &Store,
    runtime: &Runtime,
    new: NewApiKey,
    caller: &Scope,
    request: Option<&RequestKey>,
) -> Result<(ApiKeyRecord, Option<ApiKey>)> {
    let requests = store.idempotency();
    let record = |created: &CreatedKey| requests.completed(caller, request, created.clone());
    let work = store_new(store, runtime, new.clone(), record);
    Ok(match requests.once(caller, request, work).await? {
        Once::Done((record, key)) => (record, Some(key)),
        Once::Before(created) => (new.record(created), None),
    })
}

async fn store_new(
    store: &Store,
    runtime: &Runtime,
    new: NewApiKey,
    request: impl FnOnce(&CreatedKey) -> Result<Option<RequestRecord>>,
) -> Result<(ApiKeyRecord, ApiKey)> {
    let key = ApiKey::generate(runtime, new.scope.mode)?;
    let created = CreatedKey { key_id: ApiKeyId::generate(runtime)?, prefix: key.prefix(), created_at: runtime.now() };
    let request = request(&created)?;
    let record = new.record(created);
    store.api_keys().create(&record, &key.hash(), request).await?;
    Ok((record, key))
}
