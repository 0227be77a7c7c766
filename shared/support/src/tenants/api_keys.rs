//! API keys: create, list, read, delete. Only the response of the creation contains the raw key, which is stored
//! nowhere.

use axum::extract::State;
use domain::access::{ApiKey, Principal};
use domain::clock::Runtime;
use domain::error::{Code, DetailCode};
use domain::models::{ApiKeyId, ApiKeyRecord, AuditAction, Mode, Role, Scope, Timestamp};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::input::{choice, line, optional, required, timestamp};
use crate::edge::table::RequestKey;
use crate::edge::{
    self, Administrator, ApiResult, App, Created, CursorPageOut, Json, JsonIn, KeyManager, NoContent, OnceIn, PathIn,
    QueryIn, Replayed,
};
use crate::requester::Requester;
use crate::table::Store;
use crate::tenants::table::api_keys::FirstKey;

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
pub(crate) async fn create_once(
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

/// The longest name of a key, in characters (our limit).
const NAME_MAX_CHARS: usize = 100;

edge::body! {
    /// A new API key.
    #[derive(Debug)]
    pub(crate) struct NewKeyIn as "NewApiKeyRequest" {
        /// For people.
        name: String = "name" => required(line(1, NAME_MAX_CHARS)),
        /// The role of the key; by default the creator's.
        role: Option<Role> = "role" => optional(choice::<Role>()),
        /// From this moment on it is refused; it must be in the future.
        expires_at: Option<Timestamp> = "expiresAt" => optional(timestamp()),
        /// Which half of the tenant's data it opens; by default the caller's. A test key makes test keys alone.
        mode: Option<Mode> = "mode" => optional(choice::<Mode>()),
    }
}

/// The creator's role.
fn default_role(caller: &Principal) -> Role {
    caller.roles().first().copied().unwrap_or(Role::Integration)
}

/// An API key, without the key itself.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKey")]
pub(crate) struct KeyOut {
    /// Its id.
    key_id: ApiKeyId,
    /// For people.
    name: String,
    /// The role of the key.
    role: Role,
    /// Which half of the tenant's data it opens.
    mode: Mode,
    /// The beginning of the raw key.
    prefix: String,
    /// When it was made.
    created_at: Timestamp,
    /// The key or the member that made it, or `operator`; null of one that is older than this field.
    created_by: Option<String>,
    /// From this moment on it is refused.
    expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    last_used_at: Option<Timestamp>,
}

impl From<ApiKeyRecord> for KeyOut {
    fn from(key: ApiKeyRecord) -> Self {
        Self {
            key_id: key.key_id,
            name: key.name,
            role: key.role,
            mode: key.scope.mode,
            prefix: key.prefix,
            created_at: key.created_at,
            created_by: key.created_by,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
        }
    }
}

/// A new API key, with the raw key this once.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NewApiKey")]
pub(crate) struct NewKeyOut {
    #[serde(flatten)]
    record: KeyOut,
    /// The raw key: here and nowhere else. Absent where the request was sent before, because it is stored nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
}

edge::endpoint! {
    /// Make an API key.
    ///
    /// The answer shows the raw key this once. The same request with the same `Idempotency-Key` is answered without it. A
    /// tenant has at most 100 keys in each mode.
    pub(crate) CreateApiKey = POST "/api/v1/api-keys" => create_api_key;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"name": "Shop server", "role": "integration"},
}

/// Makes a key; its role is by default the creator's, its mode the caller's.
async fn create_api_key(
    State(app): State<App>,
    caller: KeyManager,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewKeyIn>>,
) -> ApiResult<Replayed<Created<NewKeyOut>>> {
    let mode = body.mode.unwrap_or(caller.mode());
    if caller.mode() == Mode::Test && mode == Mode::Live {
        return Err(Error::new(Code::Forbidden, "A test key manages test keys only.")
            .with_detail(DetailCode::RequiredMode, "needs a live admin key")
            .into());
    }
    let new = NewApiKey {
        scope: Scope { tenant: caller.tenant().clone(), mode },
        name: body.name,
        role: body.role.unwrap_or_else(|| default_role(&caller)),
        expires_at: body.expires_at,
    };
    let (store, runtime) = (&app.store, &app.runtime);
    let (record, key) = create_once(store, runtime, new, &caller, request.as_ref()).await?;
    let location = format!("/api/v1/api-keys/{}", record.key_id);
    let key = key.map(|key| key.expose().to_owned());
    Ok(Replayed(key.is_none(), Created(location, NewKeyOut { record: record.into(), key })))
}

edge::query! {
    /// The filter of the keys.
    #[derive(Debug)]
    pub(crate) struct ListKeysQuery {
        /// Only those that this key or member made.
        created_by: Option<String> = "createdBy" => edge::query::text(1, 200),
    }
    cursor: after: ApiKeyId, list = (created_by.as_deref());
    limit: limit;
}

edge::endpoint! {
    /// List API keys, oldest first.
    ///
    /// A test key lists test keys; a live one both. One answer reads 1 MiB at the most, so a page may be short, or empty,
    /// with `hasMore: true`.
    pub(crate) ListApiKeys = GET "/api/v1/api-keys" => list_api_keys;
    rate_class: List,
    example_query: {"limit": 10},
}

/// Lists the keys that the caller manages: its mode's, and for a live admin both modes'.
async fn list_api_keys(
    State(app): State<App>,
    caller: Administrator,
    QueryIn(query): QueryIn<ListKeysQuery>,
) -> ApiResult<Json<CursorPageOut<KeyOut>>> {
    let (which, keys) = ((managed_mode(&caller), query.created_by.as_deref()), app.store.api_keys());
    let page = keys.list_page(caller.tenant(), which, query.after.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, KeyOut::from)?))
}

edge::endpoint! {
    /// Read an API key.
    ///
    /// Without the key itself, which is stored nowhere.
    pub(crate) GetApiKey = GET "/api/v1/api-keys/{id}" => get_api_key;
}

/// Reads one of the keys that the caller manages.
async fn get_api_key(
    State(app): State<App>,
    caller: Administrator,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<Json<KeyOut>> {
    let found = app.store.api_keys().get(caller.tenant(), managed_mode(&caller), &id).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("API key"))?.into()))
}

edge::endpoint! {
    /// Delete an API key.
    ///
    /// It is refused from the next request on. The last live admin key cannot be deleted.
    pub(crate) DeleteApiKey = DELETE "/api/v1/api-keys/{id}" => delete_api_key;
    errors: [Conflict],
}

/// Deletes a key; from the next request on it is unknown.
async fn delete_api_key(
    State(app): State<App>,
    caller: KeyManager,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<NoContent> {
    let now = app.runtime.now();
    let by = Requester::Caller(&caller);
    let store = by.audited(&app.store, caller.tenant(), AuditAction::KeyDeleted, id.as_str(), now);
    store.api_keys().delete(caller.tenant(), managed_mode(&caller), &id, now).await?;
    Ok(NoContent)
}

/// The mode of the keys that the caller manages; none means both.
fn managed_mode(caller: &Principal) -> Option<Mode> {
    match caller.mode() {
        Mode::Live => None,
        Mode::Test => Some(Mode::Test),
    }
}
