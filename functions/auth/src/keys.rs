//! API keys: create, list, delete. Only the response of the creation contains the raw key.

use crate::state::Auth;
use app::Requester;
use app::api_keys::{self, NewApiKey};
use axum::extract::State;
use domain::Error;
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::{ApiKeyId, ApiKeyRecord, AuditAction, Mode, Role, Scope, Timestamp};
use edge::ApiResult;
use edge::input::{choice, line, optional, required, timestamp};
use edge::{
    Administrator, Created, CursorPageOut, Json, JsonIn, KeyManager, NoContent, OnceIn, PathIn, QueryIn, Replayed,
};
use schemars::JsonSchema;
use serde::Serialize;

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
pub(crate) async fn create_api_key(
    State(state): State<Auth>,
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
    let (store, runtime) = (&state.store, &state.runtime);
    let (record, key) = api_keys::create_once(store, runtime, new, &caller, request.as_ref()).await?;
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
pub(crate) async fn list_api_keys(
    State(state): State<Auth>,
    caller: Administrator,
    QueryIn(query): QueryIn<ListKeysQuery>,
) -> ApiResult<Json<CursorPageOut<KeyOut>>> {
    let (which, keys) = ((managed_mode(&caller), query.created_by.as_deref()), state.store.api_keys());
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
pub(crate) async fn get_api_key(
    State(state): State<Auth>,
    caller: Administrator,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<Json<KeyOut>> {
    let found = state.store.api_keys().get(caller.tenant(), managed_mode(&caller), &id).await?;
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
pub(crate) async fn delete_api_key(
    State(state): State<Auth>,
    caller: KeyManager,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<NoContent> {
    let now = state.runtime.now();
    let by = Requester::Caller(&caller);
    let store = by.audited(&state.store, caller.tenant(), AuditAction::KeyDeleted, id.as_str(), now);
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
