//! A whole service in this process.

use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
use local::{Options, Service, TenantKeys};
use serde_json::{Value, json};
use shared::Ctx;
use shared::clock::ShiftedClock;
use shared::models::{Mode, Plan, Role};

use super::Actor;

/// A service with a data folder and a port of its own; without the demo tenant, with two others.
///
/// `SUPPORT_TEST_DYNAMODB`, `SUPPORT_TEST_OPENSEARCH` and `SUPPORT_TEST_SQS` put real servers in the place of the embedded ones.
pub(crate) struct TestService {
    service: Service,
    http: reqwest::Client,
    folder: tempfile::TempDir,
    /// Its clock, to be moved.
    pub(crate) clock: Arc<ShiftedClock>,
    /// The tenant that the actors belong to.
    pub(crate) tenant: TenantKeys,
    /// Somebody else.
    pub(crate) other_tenant: TenantKeys,
}

impl TestService {
    /// Starts one.
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts one after `change` has had its say.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ShiftedClock::default());
        let mut options = options(&folder, &clock);
        change(&mut options);
        let service = Service::start(options).await.unwrap();
        let tenant = service.create_tenant("acme", Plan::Pro).await.unwrap();
        let other_tenant = service.create_tenant("umbrella", Plan::Free).await.unwrap();
        Self { service, http: reqwest::Client::new(), folder, clock, tenant, other_tenant }
    }

    /// Stops it and starts it again on the same folder; its address changes, so actors must be made anew.
    pub(crate) async fn restart(self) -> Self {
        let Self { service, folder, clock, tenant, other_tenant, .. } = self;
        service.stop().await;
        let mut service = Service::start(options(&folder, &clock)).await.unwrap();
        service.index_follows_table().await;
        Self { service, http: reqwest::Client::new(), folder, clock, tenant, other_tenant }
    }

    /// Waits until everything that follows from what was committed has happened, but for what is to happen later.
    pub(crate) async fn drain(&self) {
        let drained = tokio::time::timeout(Duration::from_secs(60), self.service.drain()).await;
        drained.expect("the service does not come to rest").unwrap();
    }

    /// Whatever the table's stream still keeps, oldest first.
    pub(crate) async fn stream_records(&self) -> Vec<shared::stream::Record> {
        self.service.stream_records().await.unwrap()
    }

    /// The folder that it keeps everything in.
    pub(crate) fn data(&self) -> &std::path::Path {
        self.service.data()
    }

    /// The tenant's live half.
    pub(crate) fn scope(&self) -> shared::models::Scope {
        self.tenant.scope(Mode::Live)
    }

    /// Its address, with `/api/v1`.
    pub(crate) fn url(&self) -> &str {
        self.service.url()
    }

    /// What its functions were handed.
    pub(crate) fn ctx(&self) -> &Ctx {
        self.service.ctx()
    }

    /// Does what is due now.
    pub(crate) async fn sweep(&self) -> sweeper::Swept {
        sweeper::sweep(self.ctx()).await.unwrap()
    }

    /// Every item of the table, as text.
    pub(crate) async fn raw_items(&self) -> Vec<String> {
        let config = aws_sdk_dynamodb::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new("eu-west-1"))
            .credentials_provider(Credentials::new("local", "local", None, None, "tests"))
            .endpoint_url(self.service.database_url());
        let client = aws_sdk_dynamodb::Client::from_conf(config.build());
        let table = &self.ctx().config.table_name;
        let mut pages = client.scan().table_name(table).consistent_read(true).into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(format!("{:?}", item.unwrap()));
        }
        items
    }

    /// Another tenant.
    pub(crate) async fn new_tenant(&self, plan: Plan) -> TenantKeys {
        self.service.create_tenant("another", plan).await.unwrap()
    }

    /// Whoever has this credential.
    pub(crate) fn bearer(&self, credential: &str) -> Actor {
        Actor::new(self.http.clone(), self.url(), Some(credential))
    }

    /// A caller without a credential.
    pub(crate) fn anonymous(&self) -> Actor {
        Actor::new(self.http.clone(), self.url(), None)
    }

    /// A live key of the tenant.
    pub(crate) fn role(&self, role: Role) -> Actor {
        self.bearer(self.tenant.key(Mode::Live, role))
    }

    pub(crate) fn admin(&self) -> Actor {
        self.role(Role::Admin)
    }

    pub(crate) fn trainer(&self) -> Actor {
        self.role(Role::Trainer)
    }

    pub(crate) fn agent(&self) -> Actor {
        self.role(Role::Agent)
    }

    pub(crate) fn integration(&self) -> Actor {
        self.role(Role::Integration)
    }

    /// The tenant's admin in test mode.
    pub(crate) fn test_admin(&self) -> Actor {
        self.bearer(self.tenant.key(Mode::Test, Role::Admin))
    }

    /// The other tenant's live admin.
    pub(crate) fn other_admin(&self) -> Actor {
        self.bearer(self.other_tenant.key(Mode::Live, Role::Admin))
    }

    /// The widget of a visitor.
    pub(crate) async fn widget(&self, visitor: &str) -> Actor {
        self.widget_with(json!({"externalUserId": visitor})).await
    }

    /// A widget whose token was asked for with `body`.
    pub(crate) async fn widget_with(&self, body: Value) -> Actor {
        let reply = self.integration().post("/auth/widget-token", body).await;
        reply.expect(200);
        self.bearer(reply.text_at("token"))
    }
}

fn options(folder: &tempfile::TempDir, clock: &Arc<ShiftedClock>) -> Options {
    let server = |name| std::env::var(name).ok().filter(|url| !url.is_empty());
    let mut options = Options::new(folder.path().join("data"), 0);
    options.demo = false;
    options.sweep_every = None;
    options.clock = Some(clock.clone());
    options.dynamodb_url = server("SUPPORT_TEST_DYNAMODB");
    options.opensearch_url = server("SUPPORT_TEST_OPENSEARCH");
    options.sqs_url = server("SUPPORT_TEST_SQS");
    // On a server that several services share, each has a table and queues of its own.
    let name = folder.path().file_name().unwrap().to_str().unwrap().replace('.', "x");
    options.queue_prefix = format!("tests-{name}");
    options.table_name = Some(format!("tests-{name}"));
    options
}
