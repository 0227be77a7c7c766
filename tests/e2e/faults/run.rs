//! One run of a use case: a tenant of its own in a service whose every call can fail, and the request that is sent
//! during the faults and again after them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use answer::embedding::{Embedder, EmbeddingSettings};
use aws::cipher::Cipher;
use domain::models::{Mode, Plan, Role, Scope};
use local::TenantKeys;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use support::edge::App;

use crate::support::{
    Actor, BucketStandIn, Fault, Faults, FaultyEmbeddings, FaultyModel, IndexSwitch, Kms, ModelStub, Receiver, Reply,
    Target, TestService, answered,
};

/// Longer than any lease and any wait for the sweeper, in milliseconds.
const A_WHILE_MS: i64 = 205_000;
/// How many of a hundred calls fail in a random run.
const PERCENT: u64 = 20;

/// A service with faults in front of everything that it calls.
pub(super) struct World {
    pub(super) service: TestService,
    pub(super) bucket: BucketStandIn,
    faults: Faults,
    receiver: Receiver,
}

impl World {
    pub(super) async fn start() -> Self {
        let faults = Faults::default();
        let bucket = BucketStandIn::start(&faults).await;
        let (wires, dead_letters) = (faults.clone(), bucket.clone());
        let with_desk = crate::sign_in::desk_settings().await;
        let service = TestService::with(|options| {
            options.wrap_database = Some(wires.wrapper(Target::Table));
            options.wrap_worker_database = Some(wires.wrapper(Target::WorkersTable));
            options.wrap_queues = Some(wires.wrapper(Target::Queues));
            options.wrap_index = Some(IndexSwitch::behind(&wires).wrap());
            options.wrap_changes = Some(dropped_changes(&wires));
            options.wrap_messages = Some(dropped_messages(&wires));
            options.change_resources = Some(Box::new(move |mut resources| {
                let model =
                    ModelStub::new(|_| Some(answered("A refund takes five working days after approval.", &[1])));
                resources.model = Some(Arc::new(FaultyModel { inner: model, faults: wires.clone() }));
                let embeddings = Arc::new(FaultyEmbeddings(wires.clone()));
                resources.embedder = Some(Embedder::new(embeddings, EmbeddingSettings::default()));
                resources.cipher = Cipher::new(Kms::master_key(&wires), resources.runtime.clone());
                resources.dead_letters = dead_letters.dead_letters(&resources.runtime);
                with_desk(resources)
            }));
        })
        .await;
        faults.slow_by(&service.clock);
        Self { service, bucket, faults, receiver: Receiver::start().await }
    }
}

/// Workers of changes whose batch is delivered again after a fault has dropped it.
fn dropped_changes(faults: &Faults) -> local::WrapChanges {
    let faults = faults.clone();
    Box::new(move |handle| {
        Arc::new(move |records| {
            let (faults, first) = (faults.clone(), records.first().map(|record| record.sequence.clone()));
            let work = handle(records);
            Box::pin(async move { faults.worker(work).await.unwrap_or(first) })
        })
    })
}

/// Workers of messages, for which the same holds.
fn dropped_messages(faults: &Faults) -> local::WrapMessages {
    let faults = faults.clone();
    Box::new(move |handle| {
        let faults = faults.clone();
        Arc::new(move |messages| {
            let (faults, all) = (faults.clone(), messages.iter().map(|message| message.id.clone()).collect());
            let work = handle(messages);
            Box::pin(async move { faults.worker(work).await.unwrap_or(all) })
        })
    })
}

/// Which calls of a run fail.
#[derive(Debug, Clone, Copy)]
pub(super) enum FaultPlan {
    /// None; the calls are counted.
    Recorded,
    /// `count` calls of a target from number `first` (from 1) on.
    Calls { target: Target, first: usize, count: usize, fault: Fault },
    /// A fifth of all calls, chosen by a seed.
    Random { seed: u64 },
}

impl FaultPlan {
    /// Whether a call may end its caller.
    const fn drops_callers(self) -> bool {
        matches!(self, Self::Calls { fault: Fault::DropCallerBefore | Fault::DropCallerAfter, .. })
    }

    /// Whether a call ends the process of a request: a request makes each of these calls.
    pub(super) const fn ends_requests(self) -> bool {
        self.drops_callers() && matches!(self, Self::Calls { target: Target::Table, .. })
    }
}

/// One use case in one tenant.
pub(super) struct Run<'a> {
    pub(super) world: &'a World,
    tenant: TenantKeys,
    plan: FaultPlan,
    calls: Mutex<BTreeMap<Target, usize>>,
}

impl<'a> Run<'a> {
    pub(super) async fn start(world: &'a World, plan: FaultPlan) -> Self {
        let tenant = world.service.new_tenant(Plan::Pro).await;
        let run = Self { world, tenant, plan, calls: Mutex::default() };
        run.admin().webhook(&world.receiver.at(&run.hook_path()), &["*"]).await;
        run
    }

    fn hook_path(&self) -> String {
        format!("/{}", self.tenant.tenant_id)
    }

    fn role(&self, role: Role) -> Actor {
        self.world.service.bearer(self.tenant.key(Mode::Live, role))
    }

    pub(super) fn admin(&self) -> Actor {
        self.role(Role::Admin)
    }

    pub(super) fn agent(&self) -> Actor {
        self.role(Role::Agent)
    }

    pub(super) fn customer(&self) -> Actor {
        self.role(Role::Integration)
    }

    /// A visitor of the tenant's chat.
    pub(super) async fn visitor(&self) -> Actor {
        let token = self.customer().post("/auth/widget-token", json!({"externalUserId": "ann"})).await;
        self.world.service.bearer(token.expect(200)["token"].as_str().unwrap())
    }

    /// A code of the desk's provider, of the person of an address.
    pub(super) fn code(&self, email: &str) -> String {
        crate::sign_in::code(&self.world.service, &format!("{email}-{}", self.tenant.tenant_id), email, 0)
    }

    pub(super) fn scope(&self) -> Scope {
        self.tenant.scope(Mode::Live)
    }

    /// Whether a search may have failed for good. After a call that was slow no time is left for one over the network.
    pub(super) const fn search_may_fail(&self) -> bool {
        matches!(
            self.plan,
            FaultPlan::Calls { target: Target::Index, .. }
                | FaultPlan::Calls { fault: Fault::Slow, .. }
                | FaultPlan::Random { .. }
        )
    }

    /// Whether a call ended the process of a request. There may be one call fewer than in the run that counted them: how
    /// often a rate limit's bucket is stored depends on the time.
    fn ends_a_request(&self) -> bool {
        let made = || self.calls().get(&Target::Table).copied().unwrap_or_default();
        matches!(self.plan, FaultPlan::Calls { first, .. } if self.plan.ends_requests() && first <= made())
    }

    /// How many calls of each target were made during the faults.
    pub(super) fn calls(&self) -> BTreeMap<Target, usize> {
        self.calls.lock().unwrap().clone()
    }

    /// Carries out `work` during the faults, with everything that follows from it.
    pub(super) async fn during_faults<T>(&self, work: impl Future<Output = T>) -> T {
        let faults = &self.world.faults;
        match self.plan {
            FaultPlan::Recorded => faults.arm(1, 0, Fault::BeforeSend),
            FaultPlan::Calls { target, first, count, fault } => faults.arm_at(target, first, count, fault),
            FaultPlan::Random { seed } => faults.arm_random(seed, PERCENT, &Fault::OF_CALLS),
        }
        let done = work.await;
        self.world.service.drain().await;
        *self.calls.lock().unwrap() = faults.disarm_all();
        done
    }

    /// Sweeps during the faults, with everything that follows from it. A sweep that fails, or whose process ends, is
    /// followed by the next one.
    pub(super) async fn sweep_during_faults(&self, sweeper: &App) {
        drop(self.during_faults(self.world.faults.until_dropped(support::sweeper::sweep(sweeper))).await);
    }

    /// Sends a request during the faults; the answer, if there is one.
    pub(super) async fn attempt(
        &self,
        caller: &Actor,
        method: &Method,
        path: &str,
        body: Option<&Value>,
    ) -> Option<Reply> {
        let request = request(caller, method, path, body);
        let asked = format!("{method} {path}");
        self.during_faults(self.attempt_once(request, &asked)).await
    }

    /// Sends one request, whose process a fault may end.
    async fn attempt_once(&self, request: RequestBuilder, asked: &str) -> Option<Reply> {
        let response = if self.plan.drops_callers() {
            self.world.faults.send(self.world.service.resources(), request.build().unwrap()).await?
        } else {
            request.send().await.unwrap()
        };
        Some(Reply::read(asked.to_owned(), response).await)
    }

    /// Reads all of `paths` during the faults, and again after them.
    pub(super) async fn read(&self, caller: &Actor, paths: &[&str]) {
        let replies = self.during_faults(async {
            let mut replies = Vec::new();
            for path in paths {
                replies.extend(self.attempt_once(request(caller, &Method::GET, path, None), path).await);
            }
            replies
        });
        let replies = replies.await;
        let dropped = paths.len() - replies.len();
        let is_dropped = dropped == 1 && self.plan.drops_callers();
        assert!(is_dropped || dropped == usize::from(self.ends_a_request()), "{dropped} requests without an answer");
        replies.iter().for_each(|reply| self.expect_done_or_unavailable(reply));
        self.world.service.clock.advance(60_000);
        for path in paths {
            caller.get(path).await.expect(200);
        }
    }

    /// Sends a request during the faults and again after them; the answer that counts.
    pub(super) async fn send(&self, caller: &Actor, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let keyed = caller.with_header("idempotency-key", "once");
        let first = self.attempt(&keyed, &method, path, body).await;
        if let Some(first) = &first {
            self.expect_done_or_unavailable(first);
            assert!(!self.ends_a_request(), "{}: its process did not end: {}", first.asked, first.text);
        }
        self.world.service.clock.advance(60_000);
        let response = request(&keyed, &method, path, body).send().await.unwrap();
        let second = Reply::read(format!("{method} {path}"), response).await;
        let gone = method == Method::DELETE && second.status == 404;
        assert!(second.status < 300 || gone, "{}: {} {}", second.asked, second.status, second.text);
        if let Some(first) = first.filter(|first| first.status < 300 && method == Method::POST) {
            assert_eq!(second.json, first.json, "{}", first.asked);
        }
        self.settle().await;
        second
    }

    #[track_caller]
    fn expect_done_or_unavailable(&self, reply: &Reply) {
        let done = reply.status < 300;
        // A cancellation that cannot read what became of its own answer says that it is under way.
        let under_way = reply.status == 409 && reply.text_at("error") == "IDEMPOTENCY_IN_PROGRESS";
        assert!(done || under_way || reply.status == 503, "{}: {} {}", reply.asked, reply.status, reply.text);
        assert!(done || !self.is_hidden(), "one call that fails is made again: {}", reply.text);
    }

    /// Whether the SDK makes the one call that fails again, so that the caller sees nothing of it.
    const fn is_hidden(&self) -> bool {
        match self.plan {
            FaultPlan::Recorded => true,
            FaultPlan::Calls { count, fault, .. } => {
                count == 1 && !matches!(fault, Fault::Slow) && !self.plan.drops_callers()
            }
            FaultPlan::Random { .. } => false,
        }
    }

    /// Lets everything happen that is due.
    pub(super) async fn settle(&self) {
        for _ in 0..2 {
            self.world.service.clock.advance(A_WHILE_MS);
            self.world.service.sweep().await;
            self.world.service.drain().await;
        }
    }

    /// Compares the events that the receiver was told with `expected`: each counts once, however often it came.
    #[track_caller]
    pub(super) fn expect_told(&self, expected: &[(&str, usize)]) {
        let path = self.hook_path();
        let caught = self.world.receiver.caught();
        let of_tenant = caught.iter().filter(|caught| caught.path == path);
        let events: BTreeSet<(String, String)> = of_tenant.map(|it| (it.kind(), it.id().to_owned())).collect();
        let mut told: BTreeMap<&str, usize> = BTreeMap::new();
        for (kind, _) in &events {
            *told.entry(kind).or_default() += 1;
        }
        assert_eq!(told, expected.iter().copied().collect());
    }

    /// Compares counts of the analytics with `expected`.
    pub(super) async fn expect_counts(&self, expected: &[(&str, i64)]) {
        let body = self.agent().get("/analytics?days=90").await;
        for (name, count) in expected {
            assert_eq!(body.expect(200)["counts"][name], *count, "{name}");
        }
    }
}

fn request(caller: &Actor, method: &Method, path: &str, body: Option<&Value>) -> RequestBuilder {
    let request = caller.request(method.clone(), path);
    if let Some(body) = body { request.json(body) } else { request }
}
