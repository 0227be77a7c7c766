//! A whole service in this process.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use domain::clock::{Clock, ShiftedClock, SystemClock};
use domain::models::{Mode, Plan, Role, Timestamp};
use local::{Hooks, Options, Resources, Service, TenantKeys};
use serde_json::{Value, json};
use support::edge::App;

use super::renamed::renamed;
use super::{Actor, RealIndex, ServiceLog, http_client};

/// An item of the table.
pub(crate) type StoredItem = HashMap<String, AttributeValue>;

/// When the clock of a test service starts, unless `SUPPORT_TEST_START` says otherwise: a morning in the middle of a
/// month.
const START: &str = "2026-06-15T10:00:00Z";

/// A service with a data folder and a port of its own; without the demo tenant, with two others.
///
/// Its clock starts at [`START`], so that no test depends on the hour of the day; `SUPPORT_TEST_START` names another
/// instant (RFC 3339), and only what a real server or a library stamps with the machine's clock starts at the machine's
/// time. `SUPPORT_TEST_DYNAMODB`, `SUPPORT_TEST_OPENSEARCH` and `SUPPORT_TEST_SQS` put real servers in the place of the
/// embedded ones (`tests/real/run.sh`); table, queues and index have names of their own there.
pub(crate) struct TestService {
    service: Service,
    http: reqwest::Client,
    folder: tempfile::TempDir,
    /// How far its clock was ahead of the machine's at the start, in milliseconds.
    ahead_ms: i64,
    /// Its index on a real OpenSearch.
    index: Option<RealIndex>,
    /// Its clock, which tests move.
    pub(crate) clock: Arc<ShiftedClock>,
    /// The tenant that the actors belong to.
    pub(crate) tenant: TenantKeys,
    /// Somebody else.
    pub(crate) other_tenant: TenantKeys,
    /// Its log, which is searched after everything else has stopped.
    log: ServiceLog,
}

impl TestService {
    pub(crate) async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// Starts one after `change` has had its say.
    pub(crate) async fn with(change: impl FnOnce(&mut TestOptions)) -> Self {
        Self::starting_at(start_instant(), change).await
    }

    /// Starts one whose clock shows the machine's time, for libraries and browsers that compare with it.
    pub(crate) async fn in_real_time(change: impl FnOnce(&mut TestOptions)) -> Self {
        Self::starting_at(SystemClock.now(), change).await
    }

    async fn starting_at(start: Timestamp, change: impl FnOnce(&mut TestOptions)) -> Self {
        let log = ServiceLog::start();
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ShiftedClock::starting_at(start));
        let mut options = options(&folder, &clock, clock.offset_ms());
        change(&mut options);
        if options.start.dynamodb_url.is_some() {
            // A real server stamps changes and ends items by the machine's clock.
            clock.advance(-clock.offset_ms());
            options.stream_time_offset_ms = 0;
        }
        let ahead_ms = options.stream_time_offset_ms;
        let index = RealIndex::of(&options.start);
        let service = Service::start_with(options.start, options.hooks).await.unwrap();
        let tenant = service.create_tenant("acme", Plan::Pro).await.unwrap();
        let other_tenant = service.create_tenant("umbrella", Plan::Free).await.unwrap();
        Self { service, http: http_client(), folder, ahead_ms, index, clock, tenant, other_tenant, log }
    }

    /// Stops it and starts it again on the same folder; its address changes, so create actors again.
    pub(crate) async fn restart(self) -> Self {
        self.restart_after(|_| {}).await
    }

    /// The same; between the stop and the start, `change` is given the data folder.
    pub(crate) async fn restart_after(self, change: impl FnOnce(&std::path::Path)) -> Self {
        self.restarted(change, |_| {}).await
    }

    /// The same with other options.
    pub(crate) async fn restart_with(self, change: impl FnOnce(&mut TestOptions)) -> Self {
        self.restarted(|_| {}, change).await
    }

    async fn restarted(
        self,
        change_data: impl FnOnce(&std::path::Path),
        change_options: impl FnOnce(&mut TestOptions),
    ) -> Self {
        let Self { service, folder, ahead_ms, index, clock, tenant, other_tenant, log, .. } = self;
        let data = service.data().to_owned();
        service.stop().await;
        change_data(&data);
        let mut options = options(&folder, &clock, ahead_ms);
        change_options(&mut options);
        let service = Service::start_with(options.start, options.hooks).await.unwrap();
        Self { service, http: http_client(), folder, ahead_ms, index, clock, tenant, other_tenant, log }
    }

    /// Waits until everything that follows from what was committed has happened, but for what is to happen later.
    pub(crate) async fn drain(&self) {
        let drained = tokio::time::timeout(Duration::from_secs(300), self.service.drain()).await;
        drained.expect("the service does not come to rest").unwrap();
    }

    /// Whatever the table's stream still keeps, oldest first.
    pub(crate) async fn stream_records(&self) -> Vec<support::table::stream::Record> {
        self.service.stream_records().await.unwrap()
    }

    /// The lines that it has logged so far.
    pub(crate) fn log(&self) -> String {
        self.log.lines().concat()
    }

    /// The folder that it keeps everything in.
    pub(crate) fn data(&self) -> &std::path::Path {
        self.service.data()
    }

    /// The tenant's live half.
    pub(crate) fn scope(&self) -> domain::models::Scope {
        self.tenant.scope(Mode::Live)
    }

    /// Whether its table is on a server of its own, which is slower.
    pub(crate) fn has_remote_table(&self) -> bool {
        setting("SUPPORT_TEST_DYNAMODB").is_some()
    }

    /// Its address, with `/api/v1`.
    pub(crate) fn url(&self) -> &str {
        self.service.url()
    }

    /// The address that its start prints for a browser, if people can sign in.
    pub(crate) fn desk_url(&self) -> Option<&str> {
        self.service.desk_url()
    }

    /// The banner that its start prints.
    pub(crate) fn banner(&self) -> String {
        local::startup_banner(&self.service)
    }

    /// The clients of its functions.
    pub(crate) fn resources(&self) -> &Resources {
        self.service.resources()
    }

    /// The function that follows changes.
    pub(crate) async fn changes(&self) -> App {
        support::changes::app(self.resources()).await.unwrap()
    }

    pub(crate) async fn sweeper(&self) -> App {
        support::sweeper::app(self.resources()).await.unwrap()
    }

    /// The worker of deliveries.
    pub(crate) async fn webhook_worker(&self) -> App {
        support::webhooks::worker::app(self.resources()).await.unwrap()
    }

    /// The worker of ingest jobs.
    pub(crate) async fn ingest_worker(&self) -> App {
        support::ingest::worker::app(self.resources()).await.unwrap()
    }

    /// Does what is due now.
    pub(crate) async fn sweep(&self) -> support::sweeper::SweepResult {
        support::sweeper::sweep(&self.sweeper().await).await.unwrap()
    }

    /// The same, and no due item fails.
    pub(crate) async fn sweep_without_failure(&self) {
        let failed = self.sweep().await.failed;
        let log = self.log();
        let told: Vec<&str> = log.lines().filter(|line| line.contains("due item")).collect();
        assert_eq!(failed, 0, "{told:#?}");
    }

    /// Every item of the table, as text.
    pub(crate) async fn raw_items(&self) -> Vec<String> {
        let client = self.service.database_client();
        let table = &self.resources().config.table_name;
        let mut pages = client.scan().table_name(table).consistent_read(true).into_paginator().items().send();
        let mut items = Vec::new();
        while let Some(item) = pages.next().await {
            items.push(format!("{:?}", item.unwrap()));
        }
        items
    }

    /// Writes copies of the item of a kind whose key names `id`, under other ids, past the service.
    pub(crate) async fn multiply_item(&self, kind: &str, id: &str, copies: impl Iterator<Item = String>) {
        let client = self.service.database_client();
        let table = &self.resources().config.table_name;
        let wanted = client.scan().table_name(table).filter_expression("kind = :kind");
        let wanted = wanted.expression_attribute_values(":kind", AttributeValue::S(kind.into()));
        let found = wanted.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap();
        let names_it = |name: &str, item: &StoredItem| item[name].as_s().unwrap().contains(id);
        let original = found.iter().find(|item| names_it("pk", item) || names_it("sk", item)).unwrap();
        let put = |copy: String| {
            let item = original.iter().map(|(name, value)| (name.clone(), renamed(value, id, &copy))).collect();
            WriteRequest::builder().put_request(PutRequest::builder().set_item(Some(item)).build().unwrap()).build()
        };
        let writes: Vec<WriteRequest> = copies.map(put).collect();
        for some in writes.chunks(25) {
            client.batch_write_item().request_items(table, some.to_vec()).send().await.unwrap();
        }
    }

    /// Puts what `change` makes of the items of a kind whose keys or texts name `id` in their place, past the service;
    /// none deletes them.
    pub(crate) async fn rewrite_items(&self, kind: &str, id: &str, change: impl Fn(StoredItem) -> Option<StoredItem>) {
        let client = self.service.database_client();
        let table = &self.resources().config.table_name;
        let wanted = client.scan().table_name(table).filter_expression("kind = :kind");
        let wanted = wanted.expression_attribute_values(":kind", AttributeValue::S(kind.into()));
        let found = wanted.into_paginator().items().send().collect::<Result<Vec<_>, _>>().await.unwrap();
        let named: Vec<_> = found.into_iter().filter(|item| format!("{item:?}").contains(id)).collect();
        assert!(!named.is_empty(), "no {kind} names {id}");
        for item in named {
            let key = ["pk", "sk"].map(|name| (name.to_owned(), item[name].clone()));
            match change(item) {
                Some(item) => drop(client.put_item().table_name(table).set_item(Some(item)).send().await.unwrap()),
                None => {
                    client.delete_item().table_name(table).set_key(Some(key.into())).send().await.unwrap();
                }
            }
        }
    }

    /// Puts an item into the table, past the service.
    pub(crate) async fn put_item(&self, item: StoredItem) {
        let (client, table) = (self.service.database_client(), &self.resources().config.table_name);
        client.put_item().table_name(table).set_item(Some(item)).send().await.unwrap();
    }

    pub(crate) async fn new_tenant(&self, plan: Plan) -> TenantKeys {
        self.service.create_tenant("another", plan).await.unwrap()
    }

    /// Whoever has this credential.
    pub(crate) fn bearer(&self, credential: &str) -> Actor {
        Actor::new(self.http.clone(), self.url(), Some(credential), &self.log.confidential)
    }

    /// A caller without a credential.
    pub(crate) fn anonymous(&self) -> Actor {
        Actor::new(self.http.clone(), self.url(), None, &self.log.confidential)
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

    /// Starts the functions once more, as in another process: it learns what others do from the table alone. Returns its
    /// address.
    pub(crate) async fn another_process(&self) -> String {
        let (resources, database) = (self.resources(), self.service.database_client());
        let store = support::table::Store::new(database, &resources.config.table_name, resources.runtime.clone());
        let resources = Resources { store, ..resources.clone() };
        let functions = local::api(&resources).await.unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/api/v1", listener.local_addr().unwrap());
        tokio::spawn(std::future::IntoFuture::into_future(axum::serve(listener, functions)));
        url
    }

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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The value of a variable of the environment, unless it is empty.
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// When the clocks of test services start.
fn start_instant() -> Timestamp {
    let start = setting("SUPPORT_TEST_START").unwrap_or_else(|| START.to_owned());
    Timestamp::parse(&start).unwrap_or_else(|| panic!("SUPPORT_TEST_START is no RFC 3339 time: {start}"))
}

/// How a test service starts: `start` are its options, and every other field is one of its hooks.
pub(crate) struct TestOptions {
    pub(crate) start: Options,
    hooks: Hooks,
}

impl Deref for TestOptions {
    type Target = Hooks;

    fn deref(&self) -> &Hooks {
        &self.hooks
    }
}

impl DerefMut for TestOptions {
    fn deref_mut(&mut self) -> &mut Hooks {
        &mut self.hooks
    }
}

fn options(folder: &tempfile::TempDir, clock: &Arc<ShiftedClock>, ahead_ms: i64) -> TestOptions {
    // On a server that several services share, each has a table and queues of its own.
    let name = folder.path().file_name().unwrap().to_str().unwrap().replace('.', "x");
    let start = Options {
        demo: false,
        sweep_every: None,
        dynamodb_url: setting("SUPPORT_TEST_DYNAMODB"),
        opensearch_url: setting("SUPPORT_TEST_OPENSEARCH"),
        sqs_url: setting("SUPPORT_TEST_SQS"),
        queue_prefix: format!("tests-{name}"),
        table_name: Some(format!("tests-{name}")),
        // The names of an index are lower case.
        search_index: Some(format!("tests-{}", hex(name.as_bytes()))),
        ..Options::new(folder.path().join("data"), 0)
    };
    let hooks = Hooks {
        clock: Some(clock.clone()),
        stream_time_offset_ms: ahead_ms,
        // Longer than any load delays a write, so that each call is counted once.
        bucket_timeout: Some(Duration::from_secs(60)),
        ..Hooks::default()
    };
    TestOptions { start, hooks }
}
