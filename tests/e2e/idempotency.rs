//! `Idempotency-Key` on every POST: one effect and one answer, whatever is repeated, at once or after any lost call.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::models::Plan;
use futures::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::cases::{Case, Ids, cases};
use crate::support::{Actor, Fault, Faults, IndexSwitch, Reply, TestService, scale};

/// Whether a POST stores nothing that a key would name, or is safe to repeat, and ignores the header.
fn ignores_keys(path: &str) -> bool {
    let reads = [
        "/api/v1/inbox/{id}/suggestion",
        "/api/v1/inbox/renew",
        "/api/v1/dry-runs",
        "/api/v1/wiki-import",
        "/api/v1/settings/hours/preview",
    ];
    path.starts_with("/api/v1/auth/") || reads.contains(&path)
}

/// More than the calls of any request here.
const CALLS: usize = 30;
/// How many endpoints are tried at once with faults.
const AT_ONCE: usize = 4;
/// Of how many calls one is faulty, by default.
const STRIDE: usize = 3;
/// The length of a tenant's id.
const TENANT_ID_BYTES: usize = 30;

pub(crate) fn posts() -> Vec<Case> {
    let posts = cases().into_iter().filter(|case| case.operation.method == "POST");
    posts.filter(|case| !ignores_keys(case.operation.path)).collect()
}

/// A service, and the connection of its functions to the database.
async fn with_faults() -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    (service, faults)
}

/// The resource of an endpoint, created and brought to where the endpoint succeeds.
pub(crate) async fn ready(case: &Case, service: &TestService, name: &str) -> Ids {
    let admin = service.admin();
    if case.operation.path == "/api/v1/webhooks" {
        // A tenant has at most twenty.
        for old in admin.get("/webhooks").await.items() {
            admin.delete(&format!("/webhooks/{}", old["webhookId"].as_str().unwrap())).await.expect(204);
        }
    }
    let ids = case.make(service, name).await;
    case.prepare(service, &ids).await;
    service.drain().await;
    ids
}

pub(crate) fn keyed(service: &TestService, key: &str) -> Actor {
    service.admin().with_header("idempotency-key", key)
}

/// The answer without the raw API key and the address of an invitation, which only the first answer has.
pub(crate) fn body(reply: &Reply) -> Value {
    let mut body = reply.json.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("key");
        fields.remove("invitationUrl");
    }
    body
}

pub(crate) fn is_replayed(reply: &Reply) -> bool {
    reply.header("idempotency-replayed") == "true"
}

/// An attribute of an item as text.
fn attribute(item: &str, name: &str) -> String {
    let value = item.split(&format!("\"{name}\": S(\"")).nth(1).and_then(|rest| rest.split('"').next());
    value.unwrap_or_default().to_owned()
}

/// Every item of the table once everything has happened, but for those that only say when something ran or is to run, for
/// the buckets of rate limits and the permits of receivers, and for counters, whose shard depends on the change; each counted change has an item of
/// its own.
async fn settled_items(service: &TestService) -> Vec<String> {
    service.drain().await;
    // Work whose message was never sent is queued by the sweeper.
    service.sweep().await;
    service.drain().await;
    let aside = [
        "agent_run",
        "counted",
        "write_probe",
        "sweep_run",
        "statistics",
        "gap_review",
        "rate_bucket",
        "webhook_permits",
    ];
    let mut items = service.raw_items().await;
    items.retain(|item| !aside.contains(&attribute(item, "kind").as_str()));
    items
}

/// The kind of every item of the table by its key.
async fn items(service: &TestService) -> BTreeMap<String, String> {
    let all = settled_items(service).await;
    all.iter().map(|item| (attribute(item, "pk") + "|" + &attribute(item, "sk"), attribute(item, "kind"))).collect()
}

/// How many items of each kind there are now that were not there before.
fn added(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for (_, kind) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
        *counts.entry(kind.clone()).or_default() += 1;
    }
    counts
}

/// The items that one request with a key adds to the table, when it is not the first of its kind: that may make a
/// knowledge gap or an entry that later ones find.
async fn effect(case: &Case, service: &TestService, name: &str) -> BTreeMap<String, usize> {
    effect_of_one(case, service, &format!("{name}-first")).await;
    effect_of_one(case, service, name).await
}

async fn effect_of_one(case: &Case, service: &TestService, name: &str) -> BTreeMap<String, usize> {
    let ids = ready(case, service, name).await;
    let before = items(service).await;
    let reply = case.send(&keyed(service, name), &ids, name).await;
    assert!(reply.status < 300, "{}: {} {}", reply.asked, reply.status, reply.text);
    added(&before, &items(service).await)
}

#[test]
fn every_post_takes_a_key_but_the_one_that_stores_nothing() {
    for case in cases() {
        let takes = case.operation.supports.contains(&support::edge::describe::Feature::IdempotencyKey);
        let expected = case.operation.method == "POST" && !ignores_keys(case.operation.path);
        assert_eq!(takes, expected, "{} {}", case.operation.method, case.operation.path);
    }
}

#[tokio::test]
async fn a_request_sent_again_gets_the_first_answer_and_its_key_is_stored_nowhere() {
    let service = TestService::start().await;
    for (i, case) in posts().iter().enumerate() {
        let name = format!("again/e{i}");
        let ids = ready(case, &service, &name).await;
        let actor = keyed(&service, &format!("\"secret-key-{i}\""));
        let first = case.send(&actor, &ids, &name).await;
        assert!(first.status < 300 && !is_replayed(&first), "{}: {} {}", first.asked, first.status, first.text);
        let before = items(&service).await;
        let second = case.send(&keyed(&service, &format!("secret-key-{i}")), &ids, &name).await;
        assert_eq!((second.status, body(&second)), (first.status, body(&first)), "{}", first.asked);
        assert_eq!(second.header("location"), first.header("location"), "{}", first.asked);
        assert!(is_replayed(&second) && second.at("key").is_null(), "{}: {}", second.asked, second.text);
        assert_eq!(added(&before, &items(&service).await), BTreeMap::new(), "{}", first.asked);
    }
    let raw = service.raw_items().await;
    assert!(!raw.iter().any(|item| item.contains("secret-key-")));
}

#[tokio::test]
async fn a_message_sent_again_is_not_searched_for_again() {
    let index = IndexSwitch::default();
    let service = TestService::with(|options| options.wrap_index = Some(index.wrap())).await;
    let session = service.admin().session().await;
    let message = json!({"content": "How long does a refund take?", "clientMessageId": "m1"});
    let send = async || service.admin().post(&format!("/sessions/{session}/messages"), message.clone()).await;
    send().await.expect(200);
    let searches = index.searches();
    assert!(searches > 0 && is_replayed(&send().await));
    assert_eq!(index.searches(), searches);
}

#[tokio::test]
async fn a_key_is_good_for_one_body_and_one_caller_and_only_if_it_is_a_key() {
    let service = TestService::start().await;
    let made = service.admin().post("/api-keys", json!({"name": "Another", "role": "admin"})).await;
    let another = service.bearer(made.text_at("key"));
    for (i, case) in posts().iter().enumerate() {
        let name = format!("other/e{i}");
        let ids = ready(case, &service, &name).await;
        for (key, good) in [("k".repeat(255), true), ("k".repeat(256), false), ("a\tb".to_owned(), false)] {
            let before = items(&service).await;
            let reply = case.send(&keyed(&service, &key), &ids, &name).await;
            if good {
                assert!(reply.status < 300, "{}: {} {}", reply.asked, reply.status, reply.text);
            } else {
                reply.expect_error(400, "VALIDATION_ERROR");
                assert_eq!(added(&before, &items(&service).await), BTreeMap::new(), "{}", reply.asked);
            }
        }
        // The same request and key of another caller is a request of its own, unless its `clientMessageId` says that it is
        // the same message.
        let reply = case.send(&another.with_header("idempotency-key", &"k".repeat(255)), &ids, &name).await;
        let is_one_message = case.operation.example.as_ref().is_some_and(|body| body.get("clientMessageId").is_some());
        assert!(
            is_replayed(&reply) == is_one_message && reply.status != 422,
            "{}: {} {}",
            reply.asked,
            reply.status,
            reply.text
        );
        if let Some(other) = case.operation.example.as_ref().and_then(changed) {
            let reply = case.send_body(&keyed(&service, &"k".repeat(255)), &ids, &name, Some(&other)).await;
            reply.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
        }
    }
}

/// Another body that is as good; none for one without a field that may be changed.
fn changed(body: &Value) -> Option<Value> {
    let mut body = body.clone();
    let fields = [
        ("content", "Something else."),
        ("name", "Another"),
        ("reason", "Another one."),
        ("resolution", "In another way."),
        ("note", "Another one."),
        ("locale", "de"),
        ("text", "Another text."),
        ("since", "2026-01-02T03:04:06Z"),
        ("reaction", "flag"),
        ("secret", "another-secret-of-ours"),
    ];
    let (field, value) = fields.into_iter().find(|(field, _)| body.get(field).is_some())?;
    body[field] = value.into();
    Some(body)
}

#[tokio::test]
async fn of_64_at_once_one_has_an_effect_and_all_get_its_answer() {
    for (i, case) in posts().iter().enumerate() {
        let service = TestService::start().await;
        let expected = effect(case, &service, &format!("once/e{i}")).await;
        let name = format!("many/e{i}");
        let ids = ready(case, &service, &name).await;
        let before = items(&service).await;
        let actor = keyed(&service, &name);
        let replies = join_all((0..64).map(|_| case.send(&actor, &ids, &name))).await;
        let (done, waiting): (Vec<_>, Vec<_>) = replies.into_iter().partition(|reply| reply.status < 300);
        waiting.iter().for_each(|reply| reply.expect_error(409, "IDEMPOTENCY_IN_PROGRESS"));
        let first = done.iter().find(|reply| !is_replayed(reply)).or(done.first());
        let first = first.unwrap_or_else(|| panic!("{}: nobody was answered", case.operation.path));
        for reply in &done {
            assert_eq!((reply.status, body(reply)), (first.status, body(first)), "{}", first.asked);
        }
        let doing = done.iter().filter(|reply| !is_replayed(reply)).count();
        assert_eq!(doing, 1, "{}: one did it, and all others say that it was done", first.asked);
        assert_eq!(added(&before, &items(&service).await), expected, "{}", first.asked);
    }
}

#[tokio::test]
async fn a_repetition_whose_record_cannot_be_read_is_not_refused() {
    let (service, faults) = with_faults().await;
    let mut unavailable = Vec::new();
    for (i, case) in posts().iter().enumerate() {
        let name = format!("unread/e{i}");
        let ids = ready(case, &service, &name).await;
        let actor = keyed(&service, &name);
        let first = case.send(&actor, &ids, &name).await;
        faults.fail_calls_saying(&["GetItem", "#REQUEST"]);
        let second = case.send(&actor, &ids, &name).await;
        faults.disarm();
        if second.status == 503 {
            unavailable.push(case.operation.path);
        } else {
            assert_eq!((second.status, body(&second)), (first.status, body(&first)), "{}", second.asked);
        }
        let third = case.send(&actor, &ids, &name).await;
        assert_eq!((third.status, body(&third)), (first.status, body(&first)), "{}", third.asked);
    }
    // The second creation of the same thing fails, and only the record tells why.
    for made in ["/api/v1/wiki", "/api/v1/webhooks"] {
        assert!(unavailable.contains(&made), "{made}: {unavailable:?}");
    }
}

/// How many items of each kind each tenant has, once everything has happened.
async fn kinds_by_tenant(service: &TestService) -> BTreeMap<String, BTreeMap<String, usize>> {
    let mut tenants: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    for item in settled_items(service).await {
        let at = item.find("ten_").unwrap_or_else(|| panic!("an item of no tenant: {item}"));
        let tenant = item[at..at + TENANT_ID_BYTES].to_owned();
        *tenants.entry(tenant).or_default().entry(attribute(&item, "kind")).or_default() += 1;
    }
    tenants
}

/// Sends the request of a case in a tenant of its own, during a fault and again after it; how many calls there were
/// during the fault.
async fn send_twice(
    case: &Case,
    service: &mut TestService,
    faults: &Faults,
    fault: (Fault, usize, usize),
    at: &str,
) -> usize {
    service.tenant = service.new_tenant(Plan::Pro).await;
    let (fault, in_a_row, call) = fault;
    let ids = ready(case, service, "fault/e").await;
    let actor = keyed(service, "once");
    faults.arm(call, in_a_row, fault);
    let first = case.send(&actor, &ids, "fault/e").await;
    let calls = faults.disarm();
    assert!(first.status < 300 || first.status == 503, "{at}: {} {}", first.status, first.text);
    assert!(!is_replayed(&first), "{at}: it is said of the first request that another one did it");
    let makes_key = case.operation.path == "/api/v1/api-keys";
    assert!(!makes_key || first.status == 503 || first.at("key").is_string(), "{at}: nobody has the raw key");
    service.clock.advance(60_000);
    let second = case.send(&actor, &ids, "fault/e").await;
    assert!(second.status < 300, "{at}: {} {}", second.status, second.text);
    if first.status < 300 {
        assert_eq!(body(&second), body(&first), "{at}");
    }
    calls
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_call_leaves_one_effect_after_the_repetition() {
    let at_once = Arc::new(Semaphore::new(AT_ONCE));
    let cases = posts().into_iter().enumerate().map(|(number, case)| {
        let at_once = Arc::clone(&at_once);
        // Most of a run is waiting for the SDK's next attempt.
        tokio::spawn(async move {
            let _permit = at_once.acquire().await.unwrap();
            fail_at_calls(number, case).await;
        })
    });
    for done in join_all(cases.collect::<Vec<_>>()).await {
        done.unwrap();
    }
}

/// Sends the request of a case with each fault at every [`STRIDE`]th of its calls, others for each fault and case, and
/// again after it; at each of its calls in a soak test.
async fn fail_at_calls(number: usize, case: Case) {
    let faults = [(Fault::BeforeSend, 3), (Fault::LoseReply, 1), (Fault::LoseReply, 3)];
    for (place, (fault, in_a_row)) in faults.into_iter().enumerate() {
        let (first, stride) = if scale::seeds().is_some() { (1, 1) } else { (1 + (number + place) % STRIDE, STRIDE) };
        // A service for each fault: the clock is advanced with every run, and a takeover is released after 30 minutes.
        let (mut service, faults) = with_faults().await;
        let calls = send_twice(&case, &mut service, &faults, (Fault::BeforeSend, 0, 1), "without a fault").await;
        assert!((3..CALLS).contains(&calls), "{}: {calls} calls", case.operation.path);
        let whole = service.tenant.tenant_id.to_string();
        let mut runs = Vec::new();
        for call in (first..).step_by(stride) {
            assert!(call < CALLS + stride, "{} {fault:?}: no request went without a fault", case.operation.path);
            let at = format!("{} {fault:?} × {in_a_row} at {call}", case.operation.path);
            let calls = send_twice(&case, &mut service, &faults, (fault, in_a_row, call), &at).await;
            runs.push((service.tenant.tenant_id.to_string(), at));
            if call > calls {
                break;
            }
        }
        // The work that follows from the requests of all tenants happens at once.
        let kinds = kinds_by_tenant(&service).await;
        for (tenant, at) in runs {
            assert_eq!(kinds[&tenant], kinds[&whole], "{at}");
        }
    }
}
