//! API keys: create, list, delete. Only the response of the creation contains the raw key.

use crate::Auth;
use axum::extract::State;
use domain::Error;
use domain::access::ApiKey;
use domain::error::Code;
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Role, Scope, Timestamp};
use edge::ApiResult;
use edge::{
    Administrator, Created, Fields, FromFields, FromQuery, Json, JsonIn, NoContent, PathIn, Query, QueryIn, cursor,
};
use serde::Serialize;

/// The longest name of a key, in characters (our limit).
const NAME_MAX_CHARS: usize = 100;

/// The body of `POST /api-keys`.
pub(crate) struct NewKeyIn {
    name: String,
    role: Option<Role>,
    expires_at: Option<Timestamp>,
    mode: Option<Mode>,
}

impl FromFields for NewKeyIn {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        let name = f.required_line("name", 1, NAME_MAX_CHARS);
        let role = f.choice("role", Role::parse, &["admin", "trainer", "agent", "integration"]);
        let expires_at = f.timestamp("expiresAt");
        let mode = f.choice("mode", Mode::parse, &["live", "test"]);
        Some(Self { name: name?, role, expires_at, mode })
    }
}

/// A key as its tenant sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyOut {
    key_id: ApiKeyId,
    name: String,
    role: Role,
    mode: Mode,
    prefix: String,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
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
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
        }
    }
}

/// A new key, with the raw key this once.
#[derive(Serialize)]
pub(crate) struct NewKeyOut {
    #[serde(flatten)]
    record: KeyOut,
    key: String,
}

/// Makes a key; its role is by default the creator's, its mode the caller's.
pub(crate) async fn create_api_key(
    State(ctx): State<Auth>,
    caller: Administrator,
    JsonIn(body): JsonIn<NewKeyIn>,
) -> ApiResult<Created<NewKeyOut>> {
    let now = ctx.ambient.now();
    if body.expires_at.is_some_and(|end| end <= now) {
        return Err(Error::invalid("expiresAt", "IN_THE_PAST", "must be in the future").into());
    }
    let mode = body.mode.unwrap_or(caller.mode());
    if caller.mode() == Mode::Test && mode == Mode::Live {
        return Err(Error::new(Code::Forbidden, "A test key manages test keys only.")
            .because("REQUIRED_MODE", "needs a live admin key")
            .into());
    }
    let key = ApiKey::generate(&ctx.ambient, mode)?;
    let record = ApiKeyRecord {
        key_id: ApiKeyId::generate(&ctx.ambient)?,
        scope: Scope { tenant: caller.tenant().clone(), mode },
        name: body.name,
        role: body.role.or(caller.role()).unwrap_or(Role::Integration),
        prefix: key.prefix(),
        created_at: now,
        expires_at: body.expires_at,
        last_used_at: None,
    };
    ctx.store.api_keys().create(&record, &key.hash()).await?;
    let location = format!("/api/v1/api-keys/{}", record.key_id);
    Ok(Created(location, NewKeyOut { record: record.into(), key: key.expose().to_owned() }))
}

/// The list that cursors are of.
fn list() -> cursor::List {
    cursor::List::new("api-keys", &[])
}

/// Which keys to list.
pub(crate) struct ListKeysQuery {
    after: Option<ApiKeyId>,
    limit: usize,
}

impl FromQuery for ListKeysQuery {
    fn from_query(q: &mut Query) -> Option<Self> {
        Some(Self { after: q.cursor(&list()), limit: q.limit() })
    }
}

/// A page of keys, oldest first.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KeyListOut {
    items: Vec<KeyOut>,
    next_cursor: Option<String>,
    has_more: bool,
}

/// Lists the keys that the caller manages: its mode's, and for a live admin both modes'.
pub(crate) async fn list_api_keys(
    State(ctx): State<Auth>,
    caller: Administrator,
    QueryIn(query): QueryIn<ListKeysQuery>,
) -> ApiResult<Json<KeyListOut>> {
    let all = ctx.store.api_keys().list(caller.tenant(), managed(&caller)).await?;
    let mut left = all.into_iter().filter(|key| query.after.as_ref().is_none_or(|after| key.key_id > *after));
    let page: Vec<_> = left.by_ref().take(query.limit).collect();
    let has_more = left.next().is_some();
    let next_cursor = page.last().filter(|_| has_more).map(|key| cursor::encode(&list(), &key.key_id)).transpose()?;
    Ok(Json(KeyListOut { items: page.into_iter().map(KeyOut::from).collect(), next_cursor, has_more }))
}

/// Reads one of the keys that the caller manages.
pub(crate) async fn get_api_key(
    State(ctx): State<Auth>,
    caller: Administrator,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<Json<KeyOut>> {
    let found = ctx.store.api_keys().get(caller.tenant(), managed(&caller), &id).await?;
    Ok(Json(found.ok_or_else(|| Error::not_found("API key"))?.into()))
}

/// Deletes a key; from the next request on it is unknown.
pub(crate) async fn delete_api_key(
    State(ctx): State<Auth>,
    caller: Administrator,
    PathIn(id): PathIn<ApiKeyId>,
) -> ApiResult<NoContent> {
    ctx.store.api_keys().delete(caller.tenant(), managed(&caller), &id, ctx.ambient.now()).await?;
    Ok(NoContent)
}

/// The mode of the keys that the caller manages; none means both.
fn managed(caller: &Administrator) -> Option<Mode> {
    match caller.mode() {
        Mode::Live => None,
        Mode::Test => Some(Mode::Test),
    }
}
