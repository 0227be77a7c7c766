//! A table in memory behind DynamoDB's protocol, with a tenant and its key. Tests of functions include this file.

use aws::store::Store;
use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use domain::access::ApiKey;
use domain::clock::Runtime;
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Plan, Role, Scope, Tenant, TenantId, TenantStatus};

/// The table's name.
pub(crate) const NAME: &str = "table";

/// Serves a table with a tenant on loopback; its address, and a live admin key of the tenant.
#[allow(dead_code, reason = "the measurement of startup serves a table of its own")]
pub(crate) async fn seeded() -> (String, String) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let database = dynoxide::Database::memory().unwrap();
    tokio::spawn(dynoxide::server::serve_with_shutdown(listener, database, std::future::pending()));
    let key = seed(&url).await;
    (url, key)
}

/// Writes the table with a tenant behind `url`; a live admin key of the tenant.
pub(crate) async fn seed(url: &str) -> String {
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-central-1"))
        .credentials_provider(Credentials::new("AKIDEXAMPLE", "local", None, None, "test"))
        .endpoint_url(url)
        .http_client(aws::sdk_http::plain_client())
        .build();
    let runtime = Runtime::system();
    let store = Store::new(aws_sdk_dynamodb::Client::from_conf(config), NAME, runtime.clone());
    store.create_table().await.unwrap();
    let (tenant_id, now) = (TenantId::generate(&runtime).unwrap(), runtime.now());
    let (plan, status) = (Plan::Pro, TenantStatus::Active);
    let tenant = Tenant { tenant_id: tenant_id.clone(), name: "Shop".into(), plan, status, created_at: now };
    store.tenants().create(&tenant).await.unwrap();
    let key = ApiKey::generate(&runtime, Mode::Live).unwrap();
    let record = ApiKeyRecord {
        key_id: ApiKeyId::generate(&runtime).unwrap(),
        scope: Scope { tenant: tenant_id, mode: Mode::Live },
        name: "server".into(),
        role: Role::Admin,
        prefix: key.prefix(),
        created_at: now,
        expires_at: None,
        last_used_at: None,
    };
    store.api_keys().create(&record, &key.hash(), None).await.unwrap();
    key.expose().to_owned()
}
