//! API keys: how one is made. The raw key is returned once and stored nowhere.

use aws::store::{FirstKey, RequestKey, Store};
use domain::access::{ApiKey, Principal};
use domain::clock::Runtime;
use domain::error::DetailCode;
use domain::models::{ApiKeyId, ApiKeyRecord, AuditAction, Role, Scope, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::Requester;

/// The data of a new API key.
#[derive(Debug, Clone)]
pub struct NewApiKey {
    /// The tenant that it opens, and the mode.
    pub scope: Scope,
    /// For people.
    pub name: String,
    pub role: Role,
    /// From this moment on it is refused.
    pub expires_at: Option<Timestamp>,
}

impl NewApiKey {
    fn record(self, created: CreatedKey, by: Requester<'_>) -> ApiKeyRecord {
        ApiKeyRecord {
            key_id: created.key_id,
            scope: self.scope,
            name: self.name,
            role: self.role,
            prefix: created.prefix,
            created_at: created.created_at,
            created_by: Some(by.name()),
            expires_at: self.expires_at,
            last_used_at: None,
        }
    }
}

/// The stored result of a request that made a key. Everything else is in the request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreatedKey {
    key_id: ApiKeyId,
    prefix: String,
    created_at: Timestamp,
}

/// Makes a key of a tenant that is created with it: what is stored, and the raw key.
///
/// # Errors
/// 503 without entropy.
pub fn first_key(runtime: &Runtime, by: Requester<'_>, new: NewApiKey) -> Result<(FirstKey, ApiKey)> {
    let (key, created) = generate(runtime, &new)?;
    let record = new.record(created, by);
    let audit = by.audit(AuditAction::KeyCreated, record.key_id.as_str(), record.created_at);
    Ok((FirstKey { record, hash: key.hash(), audit }, key))
}

/// Makes a key of an existing tenant; the record, and the raw key.
///
/// # Errors
/// 409 if its mode has as many keys as it may have; 503 if the table does not answer.
pub async fn create(
    store: &Store,
    runtime: &Runtime,
    by: Requester<'_>,
    new: NewApiKey,
) -> Result<(ApiKeyRecord, ApiKey)> {
    let (key, created) = generate(runtime, &new)?;
    let made = new.record(created, by);
    let store = audited(store, by, &made);
    store.api_keys().create(&made, &key.hash(), None).await?;
    Ok((made, key))
}

/// The same for a request of `caller` with the key `request`. The raw key is none if the request was carried out
/// before.
///
/// # Errors
/// 400 for a key that would have ended already, 404 if the one that was made before is gone, 409 if its mode has as
/// many keys as it may have, 503 if the table does not answer, 422 for a key that was used for another request.
pub async fn create_once(
    store: &Store,
    runtime: &Runtime,
    new: NewApiKey,
    caller: &Principal,
    request: Option<&RequestKey>,
) -> Result<(ApiKeyRecord, Option<ApiKey>)> {
    let (requests, by, caller) = (store.idempotency(), Requester::Caller(caller), caller.scope());
    let (key, created) = generate(runtime, &new)?;
    let work = async {
        if new.expires_at.is_some_and(|end| end <= runtime.now()) {
            return Err(Error::invalid("expiresAt", DetailCode::InThePast, "must be in the future"));
        }
        let record = requests.completed(caller, request, created.clone())?;
        let made = new.clone().record(created.clone(), by);
        audited(store, by, &made).api_keys().create(&made, &key.hash(), record).await.map(|()| made)
    };
    let replay = async |created: CreatedKey| {
        let there = store.api_keys().get(&caller.tenant, Some(new.scope.mode), &created.key_id).await?;
        there.ok_or_else(|| Error::not_found("API key"))?;
        Ok(new.clone().record(created, by))
    };
    let (made, replayed) = requests.once(caller, request, work, replay).await?;
    Ok((made, (!replayed).then_some(key)))
}

/// The table for the creation of a key.
fn audited(store: &Store, by: Requester<'_>, key: &ApiKeyRecord) -> Store {
    by.audited(store, &key.scope.tenant, AuditAction::KeyCreated, key.key_id.as_str(), key.created_at)
}

fn generate(runtime: &Runtime, new: &NewApiKey) -> Result<(ApiKey, CreatedKey)> {
    let key = ApiKey::generate(runtime, new.scope.mode)?;
    let created = CreatedKey { key_id: ApiKeyId::generate(runtime)?, prefix: key.prefix(), created_at: runtime.now() };
    Ok((key, created))
}
