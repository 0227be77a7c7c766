//! Rate limits: the numbers, who shares them, what answers say of them, and what happens when they cannot be stored.

use std::time::Instant;

use domain::access::Permission;
use domain::error::Code;
use local::RateLimits;
use serde_json::json;
use support::edge::RateClass;
use support::edge::describe::ParameterLocation;

use crate::cases::{Case, cases};
use crate::support::{Actor, Faults, Recorder, Reply, TestService};

async fn limited() -> TestService {
    TestService::with(|options| options.start.rate_limits = RateLimits::Real).await
}

/// The same with a table whose calls can fail.
async fn limited_with_faults() -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.start.rate_limits = RateLimits::Real;
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
        options.bucket_timeout = None;
    })
    .await;
    (service, faults)
}

/// Whether an answer says what is left.
fn tells(reply: &Reply) -> bool {
    reply.header("ratelimit").contains(";r=") && reply.header("ratelimit-policy").contains(";q=")
}

#[tokio::test]
async fn every_answer_to_a_known_caller_says_what_is_left_whatever_its_status() {
    let service = TestService::start().await;
    let (admin, poor) = (service.admin(), service.integration());
    let page = admin.with_header("origin", "https://foreign.example");
    admin.patch("/settings", json!({"widgetOrigins": ["https://own.example"]})).await.expect(200);
    let (mut seen, mut silent) = (std::collections::BTreeSet::new(), Vec::new());
    for case in cases().into_iter().filter(|case| case.operation.permission != Permission::Public) {
        let ids = case.make(&service, "a/b").await;
        case.prepare(&service, &ids).await;
        let path = ids.fill(case.operation.path.trim_start_matches("/api/v1")).replace("{*path}", "a/b");
        let method = case.operation.method;
        let replies = [
            admin.bytes(method, &format!("{path}?surprise=1"), &[], Vec::new()).await,
            admin.bytes("PUT", &path, &[], Vec::new()).await,
            admin.bytes(method, &format!("{path}/no/route"), &[], Vec::new()).await,
            page.bytes(method, &path, &[], Vec::new()).await,
            poor.bytes(method, &path, &[("content-type", "application/json")], b"[1]".to_vec()).await,
            case.send(&poor, &ids, "a/b").await,
            case.send(&admin, &ids, "a/b").await,
            case.send(&admin, &ids, "a/b").await,
        ];
        for reply in replies {
            seen.insert(reply.status);
            if !tells(&reply) {
                silent.push(format!("{} {}", reply.asked, reply.status));
            }
        }
        let gone = admin.delete("/wiki/a/b").await.status;
        assert!([204, 404].contains(&gone), "{gone}");
    }
    assert!(silent.is_empty(), "{}", silent.join("\n"));
    for status in [200, 201, 202, 204, 400, 403, 404, 405, 409] {
        assert!(seen.contains(&status), "no answer was {status}: {seen:?}");
    }
    for nobody in [service.anonymous(), service.bearer("pk_live_x")] {
        assert!(!tells(&nobody.get("/settings").await) && !tells(&nobody.get("/nothing").await));
    }
}

/// Calls until one is refused, and returns that. Tokens come back meanwhile, one every `refill_seconds`.
async fn until_refused(quota: u32, refill_seconds: f64, call: impl AsyncFn() -> Reply) -> Reply {
    let (start, mut passed) = (Instant::now(), 0);
    loop {
        let reply = call().await;
        if reply.status == 429 {
            let back = (start.elapsed().as_secs_f64() / refill_seconds).ceil() as u32;
            assert!((quota..=quota + back).contains(&passed), "{}: {passed} of {quota} passed", reply.asked);
            reply.expect_error(429, "RATE_LIMITED");
            let wait: f64 = reply.header("retry-after").parse().unwrap();
            assert!(wait >= 1.0 && wait <= refill_seconds.max(1.0).ceil(), "{}: {wait}", reply.asked);
            return reply;
        }
        assert!(reply.status < 300, "{}: {} {}", reply.asked, reply.status, reply.text);
        passed += 1;
    }
}

/// The rest of a quota by an answer's fields.
fn remaining(reply: &Reply, name: &str) -> u32 {
    let field = reply.header("ratelimit");
    let item = field.split(", ").find(|item| item.starts_with(&format!("\"{name}\";")));
    let item = item.unwrap_or_else(|| panic!("{}: no {name} in {field:?}", reply.asked));
    item.split(';').find_map(|part| part.strip_prefix("r=")).unwrap().parse().unwrap()
}

#[tokio::test]
async fn an_answer_says_what_there_is_and_what_is_left() {
    let service = limited().await;
    let admin = service.admin();
    let first = admin.get("/settings").await;
    assert_eq!(first.header("ratelimit-policy"), "\"key\";q=600;w=60");
    assert_eq!(remaining(&first, "key"), 599);
    // A list counts as three.
    let before = remaining(&admin.get("/settings").await, "key");
    let list = remaining(&admin.get("/wiki").await, "key");
    assert!((before.saturating_sub(3)..before).contains(&list), "{before} {list}");
    let ingest = admin.post("/ingest", json!({"text": "A text.", "pathPrefix": "a"})).await;
    assert_eq!(ingest.header("ratelimit-policy"), "\"key\";q=600;w=60, \"ingest\";q=60;w=3600");
    assert_eq!(remaining(&ingest, "ingest"), 59);
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let message = widget.ask(&session, "Hello").await;
    assert_eq!(message.header("ratelimit-policy"), "\"visitor-messages\";q=20;w=60");
    // The turns of a session count as three, and as one if a widget asks for the new ones.
    let before = remaining(&widget.get(&format!("/sessions/{session}")).await, "visitor");
    let turns = widget.get(&format!("/sessions/{session}/messages")).await;
    let listed = remaining(&turns, "visitor");
    assert!(listed < before, "{before} {listed}");
    let last = turns.text_at("/items/0/messageId");
    let polled = widget.get(&format!("/sessions/{session}/messages?after={last}")).await;
    assert!(remaining(&polled, "visitor") + 1 >= listed, "{listed} {}", polled.header("ratelimit"));
    let refused = service.bearer("pk_live_x").get("/settings").await;
    assert_eq!((refused.status, refused.header("ratelimit")), (401, ""));
}

#[test]
fn every_operation_with_pages_counts_as_a_list() {
    for case in cases() {
        let operation = &case.operation;
        let is_limit =
            |p: &support::edge::describe::Parameter| p.place == ParameterLocation::Query && p.name == "limit";
        let is_list = matches!(operation.rate_class, RateClass::List | RateClass::Turns);
        let has_pages = operation.parameters.iter().any(is_limit);
        assert!(is_list || !has_pages, "{} {}", operation.method, operation.path);
    }
}

#[tokio::test]
async fn each_quota_lets_through_its_number_and_stops_nobody_else() {
    let service = limited().await;
    let admin = service.admin();
    let (ann, bob) = (service.widget("ann").await, service.widget("bob").await);
    let opened = ann.session_with(json!({})).await;
    // The first of the ten is open already.
    until_refused(9, 360.0, async || ann.post("/sessions", json!({})).await).await;
    bob.post("/sessions", json!({})).await.expect(201);
    service.widget("ann").await.post("/sessions", json!({})).await.expect_error(429, "RATE_LIMITED");
    let (escalate, cancel) = (format!("/sessions/{opened}/escalate"), format!("/sessions/{opened}/cancel-escalation"));
    until_refused(6, 600.0, async || {
        let reply = ann.post(&escalate, json!({"reason": "help"})).await;
        ann.post_empty(&cancel).await;
        reply
    })
    .await;
    let path = format!("/sessions/{opened}/messages");
    until_refused(20, 3.0, async || ann.post(&path, json!({"content": "Hello"})).await).await;
    ann.get(&format!("/sessions/{opened}")).await.expect(200);
    let own = service.widget("cid").await;
    let session = own.session_with(json!({})).await; // It counted, too.
    until_refused(119, 0.5, async || own.get(&format!("/sessions/{session}")).await).await;
    bob.get("/sessions").await.expect_error(403, "FORBIDDEN");
    until_refused(60, 60.0, async || admin.post("/ingest", json!({"text": "A text.", "pathPrefix": "a"})).await).await;
    admin.post_empty("/ingest/ing_00000000000000000000000000/retry").await.expect_error(429, "RATE_LIMITED");
    service.trainer().post("/ingest", json!({"text": "A text.", "pathPrefix": "a"})).await.expect(202);
    service.other_admin().post("/ingest", json!({"text": "A text.", "pathPrefix": "a"})).await.expect(202);
    let run = json!({"changes": [{"path": "a/b", "action": "delete"}], "questions": {"texts": ["Hello"]}});
    until_refused(150, 0.4, async || service.trainer().post("/dry-runs", run.clone()).await.or_not_found()).await;
    service.agent().post("/dry-runs", run).await.expect_error(404, "NOT_FOUND");
    let one = admin.webhook("http://127.0.0.1:9/one", &["*"]).await;
    let other = admin.webhook("http://127.0.0.1:9/other", &["*"]).await;
    until_refused(10, 6.0, async || admin.post_empty(&format!("/webhooks/{one}/test")).await).await;
    let escaped = format!("%77{}", one.strip_prefix('w').unwrap());
    for path in [
        format!("/webhooks/{escaped}/test"),
        format!("/webhooks/{one}/deliveries/dlv_00000000000000000000000000/resend"),
    ] {
        admin.post_empty(&path).await.expect_error(429, "RATE_LIMITED");
    }
    let replay = admin.post(&format!("/webhooks/{one}/replay"), json!({"since": "2026-01-02T03:04:05Z"})).await;
    replay.expect_error(429, "RATE_LIMITED");
    admin.post_empty(&format!("/webhooks/{other}/test")).await.expect(200);
}

#[tokio::test]
async fn half_of_a_keys_widget_tokens_are_kept_for_visitors_seen_before() {
    let service = limited().await;
    let (key, path) = (service.integration(), "/auth/widget-token");
    let ann = key.post(path, json!({"externalUserId": "ann"})).await;
    assert_eq!(
        ann.header("ratelimit-policy"),
        "\"key\";q=600;w=60, \"widget-tokens\";q=120;w=60, \"widget-tokens-new\";q=60;w=60"
    );
    let session = service.bearer(ann.text_at("token")).session_with(json!({})).await;
    let nobodys = key.session_with(json!({"channel": "widget"})).await;
    // One for ann is spent; then clients without a cookie come, under no name and under new ones.
    let number = std::sync::atomic::AtomicUsize::new(0);
    let refused = until_refused(59, 1.0, async || {
        let number = number.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        let body =
            if number.is_multiple_of(2) { json!({}) } else { json!({"externalUserId": format!("new-{number}")}) };
        key.post(path, body).await
    })
    .await;
    assert_eq!(remaining(&refused, "widget-tokens-new"), 0);
    assert_eq!(refused.at("details")[0]["message"], "widget-tokens-new: 60 in 60 seconds");
    // A refused body costs no token, nor does a session that there is not.
    key.post(path, json!({"ttlSeconds": 1})).await.expect_error(400, "VALIDATION_ERROR");
    key.post(path, json!({"sessionId": "ses_00000000000000000000000000"})).await.expect_error(404, "NOT_FOUND");
    let known = key.post(path, json!({"externalUserId": "ann"})).await;
    known.expect(200);
    assert_eq!(known.header("ratelimit-policy"), "\"key\";q=600;w=60, \"widget-tokens\";q=120;w=60");
    key.post(path, json!({"sessionId": session})).await.expect(200);
    // A session that nobody has yet is no visitor seen before, and stays nobody's.
    while key.post(path, json!({})).await.status == 200 {}
    let named = key.post(path, json!({"sessionId": nobodys, "externalUserId": "zoe"})).await;
    assert!([200, 429].contains(&named.status), "{}", named.text);
    if named.status == 429 {
        let still = key.get(&format!("/sessions/{nobodys}")).await;
        assert_eq!(still.expect(200)["externalUserId"], serde_json::Value::Null);
    }
    let mut known = 0;
    let refused = loop {
        let reply = key.post(path, json!({"externalUserId": "ann"})).await;
        if reply.status == 429 {
            break reply;
        }
        reply.expect(200);
        known += 1;
    };
    assert!(known >= 55, "{known} of those that are kept");
    assert_eq!((remaining(&refused, "widget-tokens"), refused.header("retry-after")), (0, "1"));
    service.trainer().post(path, json!({})).await.expect(200);
}

#[tokio::test]
async fn a_key_is_stopped_at_its_number_and_goes_on_when_tokens_are_back() {
    let service = limited().await;
    let admin = service.admin();
    // A search counts as three.
    until_refused(200, 0.3, async || admin.get("/wiki?q=refund").await).await;
    service.trainer().get("/wiki").await.expect(200);
    service.other_admin().get("/wiki").await.expect(200);
    service.test_admin().get("/wiki").await.expect(200);
    service.clock.advance(60_000);
    let reply = admin.get("/settings").await;
    assert_eq!((reply.status, remaining(&reply, "key")), (200, 599));
}

#[tokio::test]
async fn an_unknown_path_counts_for_a_known_caller_and_for_nobody_else() {
    let service = limited().await;
    let (admin, widget, nobody) = (service.admin(), service.widget("ann").await, service.bearer("pk_live_x"));
    let strange = [("GET", "/nothing", 404, "NOT_FOUND"), ("PUT", "/settings", 405, "METHOD_NOT_ALLOWED")];
    for (method, path, status, code) in strange {
        let reply = admin.bytes(method, path, &[], Vec::new()).await;
        reply.expect_error(status, code);
        assert!(remaining(&reply, "key") < 600, "{}", reply.header("ratelimit"));
        assert_eq!(reply.header("ratelimit-policy"), "\"key\";q=600;w=60");
        let reply = widget.bytes(method, path, &[], Vec::new()).await;
        reply.expect_error(status, code);
        assert_eq!(reply.header("ratelimit-policy"), "\"visitor\";q=120;w=60");
        for caller in [&nobody, &service.anonymous()] {
            let reply = caller.bytes(method, path, &[], Vec::new()).await;
            reply.expect_error(status, code);
            assert_eq!(reply.header("ratelimit"), "");
        }
    }
    let bob = service.widget("bob").await;
    until_refused(120, 0.5, async || bob.get("/nothing").await.or_not_found()).await;
    until_refused(0, 0.5, async || bob.bytes("PUT", "/settings", &[], Vec::new()).await.or_not_found()).await;
    widget.get("/nothing").await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_keys_health_counts_as_a_call_and_beyond_its_quota_it_is_told_what_nobody_is() {
    let service = limited().await;
    let admin = service.admin();
    let first = admin.get("/health").await;
    assert!(first.expect(200).get("checks").is_some());
    assert_eq!(remaining(&first, "key"), 599);
    until_refused(200, 0.3, async || admin.get("/wiki?q=refund").await).await;
    let beyond = loop {
        let reply = admin.get("/health").await;
        reply.expect(200);
        if reply.json.get("checks").is_none() {
            break reply;
        }
    };
    assert_eq!(remaining(&beyond, "key"), 0);
    assert_eq!(service.anonymous().get("/health").await.header("ratelimit"), "");
}

#[tokio::test]
async fn all_widgets_of_a_tenant_share_what_the_operator_sets() {
    let service = limited().await;
    let settings = service.resources().store.settings();
    settings
        .update(&service.scope(), |old| domain::models::Settings { widget_requests_per_minute: 30, ..old })
        .await
        .unwrap();
    let mut widgets: Vec<Actor> = Vec::new();
    for i in 0..10 {
        widgets.push(service.widget(&format!("visitor-{i}")).await);
    }
    let turn = std::sync::atomic::AtomicUsize::new(0);
    let refused = until_refused(30, 2.0, async || {
        let i = turn.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        widgets[i % 10].get("/wiki/help/none").await.or_not_found()
    })
    .await;
    assert!(refused.header("ratelimit-policy").contains("\"tenant-widgets\";q=30;w=60"), "{:?}", refused.headers);
    service.admin().get("/settings").await.expect(200);
    assert_eq!(service.admin().get("/settings").await.at("widgetRequestsPerMinute"), 30);
    let refused = service.admin().patch("/settings", json!({"widgetRequestsPerMinute": 7})).await;
    refused.expect_error(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_visit_writes_a_bucket_for_each_call_at_most_and_a_busy_caller_few() {
    let wire = Recorder::default();
    let wrapped = wire.clone();
    let service = TestService::with(|options| {
        options.start.rate_limits = RateLimits::Real;
        options.wrap_database = Some(Box::new(move |inner| wrapped.wrap(inner)));
    })
    .await;
    let (admin, widget) = (service.admin(), service.widget("ann").await);
    let buckets = |text: String| text.lines().filter(|line| line.contains("#RATE#")).count();
    wire.take();
    let session = widget.session_with(json!({})).await;
    for _ in 0..5 {
        widget.ask(&session, "Hello").await.expect(200);
        widget.get(&format!("/sessions/{session}")).await.expect(200);
    }
    assert!((6..=11).contains(&buckets(wire.take())));
    for _ in 0..60 {
        admin.get("/settings").await.expect(200);
    }
    // Every twelfth.
    assert!((4..=8).contains(&buckets(wire.take())));
}

#[tokio::test]
async fn a_bucket_that_cannot_be_stored_lets_through_and_says_so_in_the_log() {
    let (service, faults) = limited_with_faults().await;
    faults.fail_calls_saying(&["#RATE#"]);
    for _ in 0..30 {
        service.admin().get("/settings").await.expect(200);
    }
    faults.disarm();
    assert!(service.log().contains("a rate limit bucket could not be stored"), "{}", service.log());
    assert!(service.log().contains("RateLimitStoreFailures"), "{}", service.log());
}

#[tokio::test]
async fn a_store_that_hangs_delays_a_call_by_a_quarter_of_a_second_and_lets_it_through() {
    let (service, faults) = limited_with_faults().await;
    let admin = service.admin();
    let paused = faults.pause(1, "#RATE#");
    admin.get("/settings").await.expect(200);
    paused.release();
    faults.disarm();
    assert!(service.log().contains("a rate limit bucket took too long"), "{}", service.log());
}

#[tokio::test]
async fn a_service_on_a_laptop_has_one_high_limit() {
    let service = TestService::start().await;
    let reply = service.admin().get("/settings").await;
    assert_eq!(reply.header("ratelimit-policy"), "\"key\";q=60000;w=60");
    assert_eq!(reply.at("widgetRequestsPerMinute"), 30_000);
}

#[tokio::test]
async fn every_operation_that_declares_a_limit_has_one_and_browsers_may_read_it() {
    let service = TestService::with(|options| options.start.rate_limits = RateLimits::PerMinute(1)).await;
    let admin = service.admin().with_header("origin", "https://shop.example");
    admin.get("/settings").await.expect(200);
    // Nothing counts the calls of a sign-in, only its failures.
    for case in cases().into_iter().filter(|case| case.operation.path != "/api/v1/auth/desk-token") {
        let reply = case.send(&admin, &Case::nothing(), "limited/entry").await;
        let is_limited = case.operation.errors.contains(&Code::RateLimited);
        assert_eq!(reply.status == 429, is_limited, "{}: {}", reply.asked, reply.status);
        assert_eq!(is_limited, case.is_limited(), "{}", reply.asked);
        if is_limited {
            reply.expect_error(429, "RATE_LIMITED");
            let exposed = reply.header("access-control-expose-headers").to_lowercase();
            let is_readable = |name| exposed.contains(name) || !case.operation.permission.widget();
            for name in ["retry-after", "ratelimit", "ratelimit-policy"] {
                assert!(!reply.header(name).is_empty() && is_readable(name), "{}: {name}", reply.asked);
            }
        }
    }
}
