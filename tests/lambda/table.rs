//! A table in memory behind DynamoDB's protocol, with a tenant and its key. Tests of functions include this file.

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Plan, Role, Scope, Tenant, TenantId, TenantStatus};
use support::table::Store;

#[allow(dead_code, reason = "the tests of permissions name their table as their stack does")]
pub(crate) const NAME: &str = "table";

/// Serves a table with a tenant on loopback; its address, and a live admin key of the tenant.
#[allow(dead_code, reason = "the tests of permissions and the measurement of startup serve a table of their own")]
pub(crate) async fn seeded() -> (String, String) {
    let url = served().await;
    let key = seed(&url).await;
    (url, key)
}

/// Writes the table with a tenant behind `url`; a live admin key of the tenant.
#[allow(dead_code, reason = "the tests of permissions name their table as their stack does")]
pub(crate) async fn seed(url: &str) -> String {
    let store = store(url, NAME);
    let scope = create_tenant(&store).await;
    create_admin_key(&store, &scope).await
}

/// Serves an embedded DynamoDB on loopback; its address.
#[allow(dead_code, reason = "the measurement of startup serves a table of its own")]
pub(crate) async fn served() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let database = dynoxide::Database::memory().unwrap();
    tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, std::future::pending()));
    url
}

/// The table `name` at `url`.
pub(crate) fn store(url: &str, name: &str) -> Store {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "local", None, None, "test"))
        .endpoint_url(url)
        .http_client(aws::sdk_http::plain_client())
        .build();
    Store::new(aws_sdk_dynamodb::Client::from_conf(config), name, Runtime::system())
}

/// Creates the table and a tenant; the tenant's live half.
pub(crate) async fn create_tenant(store: &Store) -> Scope {
    let runtime = Runtime::system();
    store.create_table().await.unwrap();
    let tenant = Tenant {
        tenant_id: TenantId::generate(&runtime).unwrap(),
        name: "Shop".into(),
        plan: Plan::Pro,
        status: TenantStatus::Active,
        created_at: runtime.now(),
    };
    store.tenants().create(&tenant, &[]).await.unwrap();
    Scope { tenant: tenant.tenant_id, mode: Mode::Live }
}

pub(crate) async fn create_admin_key(store: &Store, scope: &Scope) -> String {
    let runtime = Runtime::system();
    let key = ApiKey::generate(&runtime, Mode::Live).unwrap();
    let record = ApiKeyRecord {
        created_by: None,
        key_id: ApiKeyId::generate(&runtime).unwrap(),
        scope: scope.clone(),
        name: "server".into(),
        role: Role::Admin,
        prefix: key.prefix(),
        created_at: runtime.now(),
        expires_at: None,
        last_used_at: None,
    };
    store.api_keys().create(&record, &key.hash(), None).await.unwrap();
    key.expose().to_owned()
}
