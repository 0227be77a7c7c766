//! The tenants that this process makes: the demo tenant, and those of tests and benchmarks, with a key for every role.
//!
//! The demo tenant is created once, with some entries of an invented company and admin keys for both modes. Its raw keys are
//! stored in `demo.env` only. If that file is lost or its keys are no longer valid, new keys are made and the old ones
//! deleted; the tenant and its data stay.

use std::collections::BTreeMap;
use std::fmt;

use domain::access::ApiKey;
use domain::error::Code;
use domain::models::{
    EntrySource, Mode, Plan, Role, Scope, Settings, Tenant, TenantId, TenantStatus, Visibility, WikiPath,
};
use domain::{Error, Result};
use serde::Deserialize;
use support::requester::Requester;
use support::tenants::api_keys;
use support::tenants::api_keys::NewApiKey;
use support::wiki::table::NewEntry;

use crate::StartError;
use crate::data_dir::{DataDir, write_private};
use crate::resources::Resources;

/// The demo tenant's id; a constant, so that the tenant is found again.
const TENANT_ID: &str = "ten_0000000000000000000000DEM0";
/// The name of its keys; admin keys of this name are replaced together with `demo.env`.
const KEY_NAME: &str = "demo";
const ENTRIES: &str = include_str!("../demo/entries.json");

/// Questions that its entries answer.
const SUGGESTIONS: [&str; 3] = ["How much is a Fernpot?", "How long does delivery take?", "How do I pair my pot?"];

const URL: &str = "SUPPORT_API_URL";
const LIVE_KEY: &str = "SUPPORT_API_KEY";
const TEST_KEY: &str = "SUPPORT_API_TEST_KEY";

/// The demo tenant's raw keys.
#[derive(Clone, PartialEq, Eq)]
pub struct DemoKeys {
    live: String,
    test: String,
}

impl fmt::Debug for DemoKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("DemoKeys")
    }
}

impl DemoKeys {
    /// The admin key of live data.
    #[must_use]
    pub fn live(&self) -> &str {
        &self.live
    }

    /// The admin key of test data.
    #[must_use]
    pub fn test(&self) -> &str {
        &self.test
    }

    /// Writes `demo.env` atomically, for its owner only.
    pub(crate) fn write(&self, data: &DataDir, url: &str) -> Result<(), StartError> {
        let lines = format!("{URL}={url}\n{LIVE_KEY}={}\n{TEST_KEY}={}\n", self.live, self.test);
        let path = data.demo_env();
        write_private(&path, lines.as_bytes()).map_err(|source| StartError::DataDir { path, source })
    }

    /// Reads the keys in `demo.env`; none when a line is missing.
    fn read(text: &str) -> Option<Self> {
        let value = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .map(|value| value.trim().to_owned())
        };
        Some(Self { live: value(LIVE_KEY)?, test: value(TEST_KEY)? })
    }
}

#[derive(Debug, Deserialize)]
struct DemoEntry {
    path: WikiPath,
    title: String,
    content: String,
    visibility: Visibility,
    tags: Vec<String>,
}

/// Creates what is missing of the demo tenant and returns its keys. Entries are created in the table and indexed later.
pub(crate) async fn prepare_demo(resources: &Resources, data: &DataDir) -> Result<DemoKeys, StartError> {
    let made = async {
        let tenant = demo_tenant()?;
        create_tenant(resources, &tenant).await?;
        // A file that cannot be read counts as missing.
        let saved = std::fs::read_to_string(data.demo_env()).ok().and_then(|text| DemoKeys::read(&text));
        match saved {
            Some(keys) if are_valid(resources, &tenant, &keys).await? => Ok(keys),
            _ => create_keys(resources, &tenant).await,
        }
    };
    made.await.map_err(StartError::while_doing("making the demo tenant"))
}

/// The demo tenant's id.
pub(crate) fn demo_tenant() -> Result<TenantId> {
    TenantId::parse(TENANT_ID).ok_or_else(|| Error::internal("the demo tenant's id is none"))
}

/// Entries first: a tenant that exists has had all of them, and deleted entries stay deleted.
async fn create_tenant(resources: &Resources, tenant_id: &TenantId) -> Result<()> {
    if resources.store.tenants().get(tenant_id).await?.is_some() {
        return Ok(());
    }
    let scope = Scope { tenant: tenant_id.clone(), mode: Mode::Live };
    for entry in entries()? {
        ignore_conflict(resources.store.wiki().create(&scope, entry).await.map(drop))?;
    }
    let suggested = |old: Settings| Settings { suggestions: SUGGESTIONS.map(str::to_owned).to_vec(), ..old };
    resources.store.settings().update(&scope, suggested).await?;
    let created_at = resources.runtime.now();
    let (plan, status) = (Plan::Pro, TenantStatus::Active);
    let tenant = Tenant { tenant_id: tenant_id.clone(), name: "demo".into(), plan, status, created_at };
    ignore_conflict(resources.store.tenants().create(&tenant, &[]).await)
}

/// Ignores a conflict: an item that somebody else has made meanwhile is as good.
pub(crate) fn ignore_conflict(result: Result<()>) -> Result<()> {
    match result {
        Err(error) if error.code() == Code::Conflict => Ok(()),
        other => other,
    }
}

fn entries() -> Result<Vec<NewEntry>> {
    let entries: Vec<DemoEntry> =
        serde_json::from_str(ENTRIES).map_err(|e| Error::internal(format!("the demo entries do not read: {e}")))?;
    Ok(entries.into_iter().map(NewEntry::from).collect())
}

impl From<DemoEntry> for NewEntry {
    fn from(entry: DemoEntry) -> Self {
        Self {
            path: entry.path,
            title: entry.title,
            content: entry.content,
            visibility: entry.visibility,
            tags: entry.tags,
            created_by: "demo".into(),
            source: EntrySource::MANUAL,
        }
    }
}

async fn are_valid(resources: &Resources, tenant: &TenantId, keys: &DemoKeys) -> Result<bool> {
    for (raw, mode) in [(&keys.live, Mode::Live), (&keys.test, Mode::Test)] {
        let Some(key) = ApiKey::parse(raw) else { return Ok(false) };
        let Some(record) = resources.store.api_keys().find_by_hash(&key.hash()).await? else { return Ok(false) };
        let expired = record.expires_at.is_some_and(|end| end <= resources.runtime.now());
        let scope = Scope { tenant: tenant.clone(), mode };
        if expired || record.role != Role::Admin || record.scope != scope {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Creates new keys and deletes the previous ones, so that a lost file gives no access.
async fn create_keys(resources: &Resources, tenant: &TenantId) -> Result<DemoKeys> {
    let keys = resources.store.api_keys();
    let before = keys.list(tenant, None).await?;
    let scope = |mode| Scope { tenant: tenant.clone(), mode };
    let made = DemoKeys {
        live: create_key(resources, scope(Mode::Live), Role::Admin, KEY_NAME).await?,
        test: create_key(resources, scope(Mode::Test), Role::Admin, KEY_NAME).await?,
    };
    // The new keys first: the last live admin key cannot be deleted.
    for old in before.into_iter().filter(|key| key.name == KEY_NAME && key.role == Role::Admin) {
        keys.delete(tenant, None, &old.key_id, resources.runtime.now()).await?;
    }
    Ok(made)
}

/// A tenant and its raw keys; they are stored nowhere else.
#[derive(Clone)]
pub struct TenantKeys {
    pub tenant_id: TenantId,
    keys: BTreeMap<(&'static str, &'static str), String>,
}

impl fmt::Debug for TenantKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TenantKeys").field("tenant_id", &self.tenant_id).finish_non_exhaustive()
    }
}

impl TenantKeys {
    /// The raw key of a role in a mode.
    #[must_use]
    pub fn key(&self, mode: Mode, role: Role) -> &str {
        self.keys.get(&(mode.as_str(), role.as_str())).map_or("", String::as_str)
    }

    /// The tenant in `mode`.
    #[must_use]
    pub fn scope(&self, mode: Mode) -> Scope {
        Scope { tenant: self.tenant_id.clone(), mode }
    }
}

/// Creates a tenant with eight keys.
pub(crate) async fn create(resources: &Resources, name: &str, plan: Plan) -> Result<TenantKeys> {
    let tenant_id = TenantId::generate(&resources.runtime)?;
    let created_at = resources.runtime.now();
    let tenant =
        Tenant { tenant_id: tenant_id.clone(), name: name.to_owned(), plan, status: TenantStatus::Active, created_at };
    let (mut first, mut keys) = (Vec::new(), BTreeMap::new());
    for mode in Mode::ALL {
        for role in Role::ALL {
            let scope = Scope { tenant: tenant_id.clone(), mode: *mode };
            let new = NewApiKey { scope, name: role.as_str().to_owned(), role: *role, expires_at: None };
            let (stored, key) = api_keys::first_key(&resources.runtime, Requester::Operator, new)?;
            first.push(stored);
            keys.insert((mode.as_str(), role.as_str()), key.expose().to_owned());
        }
    }
    resources.store.tenants().create(&tenant, &first).await?;
    Ok(TenantKeys { tenant_id, keys })
}

/// Creates a key that does not expire; returns the raw key.
async fn create_key(resources: &Resources, scope: Scope, role: Role, name: &str) -> Result<String> {
    let new = NewApiKey { scope, name: name.to_owned(), role, expires_at: None };
    let (_, key) = api_keys::create(&resources.store, &resources.runtime, Requester::Operator, new).await?;
    Ok(key.expose().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entries_read_and_lie_under_demo() {
        let entries = entries().unwrap();
        assert!(entries.len() >= 4);
        assert!(entries.iter().all(|entry| entry.path.as_str().starts_with("demo/")));
        assert!(entries.iter().any(|entry| entry.visibility == Visibility::Internal));
        assert!(TenantId::parse(TENANT_ID).is_some());
    }

    #[test]
    fn a_demo_env_without_both_keys_holds_none() {
        let keys = DemoKeys::read("SUPPORT_API_URL=x\nSUPPORT_API_KEY=a\nSUPPORT_API_TEST_KEY=b\n").unwrap();
        assert_eq!((keys.live(), keys.test()), ("a", "b"));
        for bad in ["", "SUPPORT_API_KEY=a\n", "SUPPORT_API_TEST_KEY=b", "support_api_key=a\nSUPPORT_API_TEST_KEY=b"] {
            assert_eq!(DemoKeys::read(bad), None, "{bad}");
        }
    }
}
