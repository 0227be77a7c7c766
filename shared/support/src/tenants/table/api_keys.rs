//! API keys: found by the hash of the raw key, listed and deleted by a pointer under the tenant. Both are written in
//! one transaction that also counts the change in the tenant's record, so that of two concurrent deletions the second
//! sees the result of the first.

use domain::access::KeyHash;
use domain::error::{Code, DetailCode};
use domain::limits::MAX_API_KEYS;
use domain::models::{ApiKeyId, ApiKeyRecord, AuditEntry, Mode, Role, TenantId, Timestamp};
use domain::{Error, Result};
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, ItemKind, item, number, record, text, value};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write};
use crate::table::update::{Attempt, Basis, contended};
use crate::table::{Consistency, PartitionQuery, SortCondition, Store, repository};

/// Both items of a key: the one found by hash, and the pointer.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeyFields {
    #[serde(flatten)]
    record: ApiKeyRecord,
    /// Lower-case hex of SHA-256 of the raw key.
    sha256: String,
}

impl KeyFields {
    fn of(key: &ApiKeyRecord, hash: &KeyHash) -> Self {
        Self { record: key.clone(), sha256: hash.to_hex() }
    }

    fn is_of(&self, mode: Option<Mode>) -> bool {
        mode.is_none_or(|mode| self.record.scope.mode == mode)
    }

    /// Opens the live half with every right, now.
    fn is_live_admin(&self, now: Timestamp) -> bool {
        let ApiKeyRecord { scope, role, expires_at, .. } = &self.record;
        scope.mode == Mode::Live && *role == Role::Admin && expires_at.is_none_or(|end| end > now)
    }

    /// Opens the live half with every right, now and for good.
    fn is_permanent_admin(&self, now: Timestamp) -> bool {
        self.is_live_admin(now) && self.record.expires_at.is_none()
    }
}

impl From<KeyFields> for ApiKeyRecord {
    fn from(fields: KeyFields) -> Self {
        fields.record
    }
}

/// A key that is kept together with its new tenant.
#[derive(Debug)]
pub struct FirstKey {
    pub record: ApiKeyRecord,
    pub hash: KeyHash,
    /// The entry of the audit that tells of it.
    pub audit: AuditEntry,
}

repository!(api_keys: ApiKeyRepository);

impl ApiKeyRepository<'_> {
    /// The key with this hash, or none; consistent, so that a deletion holds for the very next request.
    pub async fn find_by_hash(&self, hash: &KeyHash) -> Result<Option<ApiKeyRecord>> {
        let found: Option<KeyFields> = self.0.get(&api_key(&hash.to_hex()), Consistency::Strong).await?;
        Ok(found.filter(|fields| hash.is(&fields.sha256)).map(ApiKeyRecord::from))
    }

    /// Keeps a new key of an existing tenant, with the record of its request.
    ///
    /// # Errors
    /// 409 if its mode has as many keys as it may have; 404 if there is no such tenant.
    pub async fn create(&self, key: &ApiKeyRecord, hash: &KeyHash, request: Option<RequestRecord>) -> Result<()> {
        let (fields, tenant) = (&KeyFields::of(key, hash), &key.scope.tenant);
        let attempt = |_: Basis<()>| self.try_create(tenant, fields, request.clone());
        self.0.retry(&contended(&keys::tenant(tenant)), Basis::Read, self.0.default_deadline(), attempt).await
    }

    async fn try_create(
        &self,
        tenant: &TenantId,
        fields: &KeyFields,
        request: Option<RequestRecord>,
    ) -> Result<Attempt<(), ()>> {
        let owner = self.0.tenants().get_record(tenant).await?.ok_or_else(|| Error::not_found("tenant"))?;
        let all = self.list_pointers(tenant).await?;
        if all.iter().any(|key| key.sha256 == fields.sha256) {
            // The reply of this very write was lost, and it was sent again.
            return Ok(Attempt::Done(()));
        }
        if all.iter().filter(|key| key.is_of(Some(fields.record.scope.mode))).count() >= MAX_API_KEYS {
            return Err(too_many());
        }
        let transaction = Transaction::from(create_writes(fields)?.to_vec());
        let transaction = transaction.with(Tag::Beside, [count_change(tenant, owner.keys_version)]).recording(request);
        let outcome = self.0.commit(transaction, None).await?;
        Ok(Attempt::of(outcome.is_committed()))
    }

    /// All keys of a tenant, of one mode or of both, oldest first; consistent.
    pub async fn list(&self, tenant: &TenantId, mode: Option<Mode>) -> Result<Vec<ApiKeyRecord>> {
        let all = self.list_pointers(tenant).await?;
        Ok(all.into_iter().filter(|key| key.is_of(mode)).map(ApiKeyRecord::from).collect())
    }

    /// A page of the same, after the key `after`, of one maker or of all. One call reads 1 MiB at the most: a page of one mode may be short, or
    /// empty, and have a `next`.
    pub(in crate::tenants) async fn list_page(
        &self,
        tenant: &TenantId,
        (mode, created_by): (Option<Mode>, Option<&str>),
        after: Option<&ApiKeyId>,
        limit: usize,
    ) -> Result<CursorPage<ApiKeyRecord, ApiKeyId>> {
        // Ids have one length; '!' sorts before their characters and '~' behind.
        let first = after.map_or_else(String::new, |id| format!("{id}!"));
        let first = format!("{}{first}", POINTERS);
        let mut query = PartitionQuery::new(keys::tenant(tenant).pk);
        query.condition = SortCondition::Between(first, format!("{}~", POINTERS));
        let of_mode =
            |mode| Expression::new("begins_with(prefix, :prefix)").with(":prefix", text(format!("pk_{mode}_")));
        let of_maker = |maker| Expression::new("createdBy = :maker").with(":maker", text(maker));
        query.filter = Expression::all(mode.map(of_mode).into_iter().chain(created_by.map(of_maker)));
        self.0.cursor_page(query, limit).await?.try_map(
            |item| record::<KeyFields>(item).map(ApiKeyRecord::from),
            |sk| ApiKeyId::parse(sk.strip_prefix(POINTERS)?),
        )
    }

    /// The keys of a tenant that `maker` made, which may all be deleted.
    ///
    /// # Errors
    /// 409 if the last valid live admin key is among them.
    pub(crate) async fn deletable_of(&self, tenant: &TenantId, maker: &str, now: Timestamp) -> Result<Vec<ApiKeyId>> {
        let all = self.list_pointers(tenant).await?;
        let is_doomed = |key: &KeyFields| key.record.created_by.as_deref() == Some(maker);
        require_admin_left(&all, is_doomed, now)?;
        Ok(all.into_iter().filter(is_doomed).map(|key| key.record.key_id).collect())
    }

    /// A key of a tenant, of one mode or of either; consistent.
    pub async fn get(&self, tenant: &TenantId, mode: Option<Mode>, key_id: &ApiKeyId) -> Result<Option<ApiKeyRecord>> {
        let found: Option<KeyFields> = self.0.get(&pointer_key(tenant, key_id), Consistency::Strong).await?;
        Ok(found.filter(|key| key.is_of(mode)).map(ApiKeyRecord::from))
    }

    async fn list_pointers(&self, tenant: &TenantId) -> Result<Vec<KeyFields>> {
        let mut query = PartitionQuery::new(keys::tenant(tenant).pk);
        query.condition = SortCondition::Prefix(POINTERS.to_owned());
        self.0.query_all(query).await
    }

    /// Deletes a key: 404 if there is none of that mode, 409 if it is the last valid live admin key. A key with
    /// `expiresAt` does not count as the remaining one, because after its expiry no key could be created.
    pub async fn delete(&self, tenant: &TenantId, mode: Option<Mode>, key_id: &ApiKeyId, now: Timestamp) -> Result<()> {
        let attempt = |_: Basis<()>| self.try_delete(tenant, mode, key_id, now);
        self.0.retry(&contended(&keys::tenant(tenant)), Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// Deletes every key of a tenant that is being deleted, the last admin key too.
    pub(crate) async fn delete_all(&self, tenant: &TenantId) -> Result<()> {
        for key in self.list_pointers(tenant).await? {
            let items = [api_key(&key.sha256), pointer_key(tenant, &key.record.key_id)];
            self.0.write(items.map(Write::delete).to_vec()).await?;
        }
        Ok(())
    }

    async fn try_delete(
        &self,
        tenant: &TenantId,
        mode: Option<Mode>,
        key_id: &ApiKeyId,
        now: Timestamp,
    ) -> Result<Attempt<(), ()>> {
        let Some(owner) = self.0.tenants().get_record(tenant).await? else { return Err(not_found_error()) };
        let all = self.list_pointers(tenant).await?;
        let doomed = all.iter().find(|key| key.record.key_id == *key_id && key.is_of(mode));
        let Some(doomed) = doomed else { return Err(not_found_error()) };
        require_admin_left(&all, |key| key.record.key_id == *key_id, now)?;
        self.0.write_if(delete_writes(tenant, doomed, owner.keys_version)).await.map(Attempt::of)
    }

    /// Records that a key was used at `now`. A deleted key stays deleted, and a use within `step_ms` of the recorded
    /// one is not recorded.
    pub async fn record_use(&self, hash: &KeyHash, key: &ApiKeyRecord, now: Timestamp, step_ms: i64) -> Result<()> {
        let note = |key| -> Result<Write> {
            let stale = Expression::new("attribute_exists(pk) AND NOT lastUsedAt > :recent");
            Ok(Write::Update {
                key,
                update: Expression::new("SET lastUsedAt = :now").with(":now", value(&now)?),
                condition: Some(stale.with(":recent", value(&now.plus_millis(-step_ms))?)),
            })
        };
        let pointer = pointer_key(&key.scope.tenant, &key.key_id);
        let writes = vec![note(api_key(&hash.to_hex()))?, note(pointer)?];
        self.0.commit(writes, Some(now)).await?.expected()
    }
}

/// Refuses to delete the last live admin key that is valid: 409.
fn require_admin_left(all: &[KeyFields], is_doomed: impl Fn(&KeyFields) -> bool, now: Timestamp) -> Result<()> {
    let (doomed, left): (Vec<&KeyFields>, Vec<&KeyFields>) = all.iter().partition(|key| is_doomed(key));
    let is_needed = |is_admin: fn(&KeyFields, Timestamp) -> bool| {
        doomed.iter().any(|key| is_admin(key, now)) && !left.iter().any(|key| is_admin(key, now))
    };
    if is_needed(KeyFields::is_permanent_admin) || is_needed(KeyFields::is_live_admin) {
        return Err(Error::new(Code::Conflict, "The last live admin key cannot be deleted.")
            .with_detail(DetailCode::LastAdminKey, "create another live admin key without expiresAt first"));
    }
    Ok(())
}

fn not_found_error() -> Error {
    Error::not_found("API key")
}

fn too_many() -> Error {
    let message = format!("A tenant may have at most {MAX_API_KEYS} API keys in each mode.");
    Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyApiKeys, "delete one first")
}

/// The writes of the first keys of a new tenant, each with its entry of the audit.
pub(super) fn first_key_writes(store: &Store, keys: &[FirstKey]) -> Result<Vec<Write>> {
    let mut writes = Vec::new();
    for FirstKey { record, hash, audit } in keys {
        writes.extend(create_writes(&KeyFields::of(record, hash))?);
        writes.push(store.audit().write(&record.scope.tenant, audit)?);
    }
    Ok(writes)
}

fn create_writes(fields: &KeyFields) -> Result<[Write; 2]> {
    let pointer = pointer_key(&fields.record.scope.tenant, &fields.record.key_id);
    Ok([
        Write::create(item(&api_key(&fields.sha256), ItemKind::ApiKey, fields)?),
        Write::create(item(&pointer, ItemKind::ApiKeyPointer, fields)?),
    ])
}

/// Counts a change of the keys of a tenant that were read at `seen_version`.
fn count_change(tenant: &TenantId, seen_version: u64) -> Write {
    Write::Update {
        key: keys::tenant(tenant),
        update: Expression::new("ADD keysVersion :one").with(":one", number(1)),
        condition: Some(Expression::new("keysVersion = :seen").with(":seen", number(seen_version))),
    }
}

fn delete_writes(tenant: &TenantId, key: &KeyFields, seen_version: u64) -> Vec<Write> {
    vec![
        Write::delete(api_key(&key.sha256)),
        Write::Delete {
            key: pointer_key(tenant, &key.record.key_id),
            condition: Some(Expression::new("sha256 = :sha256").with(":sha256", text(&key.sha256))),
        },
        count_change(tenant, seen_version),
    ]
}

/// The pointer by which a tenant's keys are listed and deleted consistently.
fn pointer_key(tenant: &TenantId, key_id: &ApiKeyId) -> Key {
    Key::new(format!("TENANT#{tenant}"), format!("{POINTERS}{key_id}"))
}

/// The beginning of the sort key of every API key pointer.
const POINTERS: &str = "KEY#";

/// An API key by the hash of the raw key (lower-case hex of SHA-256).
fn api_key(sha256: &str) -> Key {
    Key::new(format!("KEY#{sha256}"), "KEY")
}
