//! Health: what it returns to which caller, and that it is correct.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Fault, Faults, IndexSwitch, ModelStub, Recorder, TestService};

/// After this time health checks again.
const FRESH_MS: i64 = 5_000;
const QUESTION: &str = "How long does a refund take?";

fn fields(value: &Value) -> BTreeSet<&str> {
    value.as_object().unwrap_or_else(|| panic!("no object: {value}")).keys().map(String::as_str).collect()
}

async fn agent(service: &TestService, name: &str) -> Value {
    service.clock.advance(FRESH_MS);
    let report = service.agent().get("/health").await;
    let agents = report.expect(200)["agents"].as_array().unwrap().clone();
    agents.into_iter().find(|agent| agent["name"] == name).unwrap()
}

#[tokio::test]
async fn who_has_no_key_gets_status_and_time_and_nothing_else() {
    let service = TestService::start().await;
    let nobody =
        [service.anonymous(), service.bearer("pk_live_x"), service.bearer("nonsense"), service.widget("ann").await];
    for caller in nobody {
        let reply = caller.get("/health").await;
        assert_eq!(fields(reply.expect(200)), BTreeSet::from(["status", "time"]));
    }
}

#[tokio::test]
async fn any_key_gets_a_report_of_exactly_this_shape() {
    let service = TestService::start().await;
    let keys = [service.admin(), service.trainer(), service.agent(), service.integration(), service.test_admin()];
    for caller in keys {
        let reply = caller.get("/health").await;
        let report = reply.expect(200);
        assert_eq!(fields(report), BTreeSet::from(["status", "version", "tzdata", "time", "agents", "checks"]));
        assert_eq!(report["status"], "ok", "{report:#}");
        assert_eq!(report["tzdata"], domain::hours::RELEASE);
        let names: Vec<_> = report["agents"].as_array().unwrap().iter().map(|a| a["name"].clone()).collect();
        assert_eq!(json!(names), json!(["answer", "ingest", "indexer", "webhooks", "sweeper"]));
        for agent in report["agents"].as_array().unwrap() {
            assert_eq!(fields(agent), BTreeSet::from(["name", "status", "lastRun"]));
        }
        let checks = &report["checks"];
        let checked = ["database", "databaseWrites", "search", "embeddings", "queues", "model", "agents"];
        assert_eq!(fields(checks), BTreeSet::from(checked));
        assert_eq!(fields(&checks["queues"]), BTreeSet::from(["webhooks", "ingest", "embeddings"]));
        for queue in ["webhooks", "ingest", "embeddings"] {
            let queue = &checks["queues"][queue];
            let shape = ["status", "latencyMs", "depth", "oldestAgeSeconds", "dead"];
            assert_eq!(fields(queue), BTreeSet::from(shape));
            assert_eq!((&queue["status"], &queue["dead"], &queue["depth"]), (&json!("ok"), &json!(0), &json!(0)));
            assert_eq!(queue["oldestAgeSeconds"], Value::Null, "the queue does not tell it");
        }
        assert_eq!(fields(&checks["search"]), BTreeSet::from(["status", "latencyMs", "domain"]));
        let domain = json!({"status": "not_configured", "cluster": null, "state": null});
        assert_eq!(checks["search"]["domain"], domain, "only AWS has one");
        assert_eq!(checks["model"], json!({"status": "not_configured"}));
        assert_eq!(checks["embeddings"], json!({"status": "not_configured", "pending": 0}));
        for secret in [service.resources().config.table_name.as_str(), "127.0.0.1", "http"] {
            assert!(!reply.text.contains(secret), "{secret} in {}", reply.text);
        }
    }
}

#[tokio::test]
async fn an_agent_says_when_it_last_ran_and_how_that_went() {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(wrap)).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let never = agent(&service, "answer").await;
    assert_eq!((&never["status"], &never["lastRun"]), (&json!("never"), &Value::Null));
    let session = service.integration().session().await;
    service.integration().ask(&session, QUESTION).await.expect(200);
    let good = agent(&service, "answer").await;
    assert_eq!(good["status"], "success");
    let shape = BTreeSet::from(["startedAt", "finishedAt", "durationMs"]);
    assert_eq!(fields(&good["lastRun"]), shape);
    index.off();
    let session = service.integration().session().await;
    service.integration().ask(&session, QUESTION).await.expect(200);
    let bad = agent(&service, "answer").await;
    assert_eq!(bad["status"], "failure", "a failure is told at once");
    assert_eq!(bad["lastRun"]["error"], "the search index does not answer");
    let report = service.agent().get("/health").await;
    assert_eq!((report.at("/status"), report.at("/checks/search/status")), (&json!("degraded"), &json!("failed")));
    index.on();
    let session = service.integration().session().await;
    service.integration().ask(&session, QUESTION).await.expect(200);
    assert_eq!(agent(&service, "answer").await["status"], "success", "and so is the first success after it");
    assert_eq!(agent(&service, "sweeper").await["status"], "never");
    service.sweep().await;
    assert_eq!(agent(&service, "sweeper").await["status"], "success");
}

#[tokio::test]
async fn a_run_of_answer_lasts_from_receipt_to_answer() {
    let faults = Faults::default();
    let wire = faults.clone();
    // With a language model, the customer's turn is stored before the answer is begun.
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
        options.model = Some(ModelStub::new(|_| None));
    })
    .await;
    let caller = service.integration();
    let session = caller.session().await;
    let held = faults.pause(1, "where is my parcel");
    let asked = tokio::spawn(async move { caller.ask(&session, "where is my parcel").await });
    assert!(held.wait_until_paused(&asked).await);
    service.clock.advance(5_000);
    held.release();
    let reply = asked.await.unwrap();
    faults.disarm();
    assert!(reply.expect(200)["latencyMs"].as_u64().unwrap() >= 5_000);
    let run = agent(&service, "answer").await["lastRun"].clone();
    assert!(run["durationMs"].as_u64().unwrap() >= 5_000, "{run}");
}

#[tokio::test]
async fn without_its_table_the_service_is_down_and_says_so() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    faults.arm(1, 1_000, Fault::BeforeSend);
    let reply = service.agent().get("/health").await;
    faults.disarm();
    assert_eq!(reply.expect(503)["status"], "down");
    assert_eq!(fields(&reply.json), BTreeSet::from(["status", "time"]), "no key can be read, so nobody is known");
    service.clock.advance(FRESH_MS);
    service.agent().get("/health").await.expect(200);
}

#[tokio::test]
async fn a_check_that_could_not_run_says_so_and_nothing_is_made_up() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    service.sweep().await;
    // The first calls read the key and its tenant, record the use and count the call, which are remembered; then the
    // checks come. So with each round a call closer to the first one is lost, with all after it, until it is the
    // database's check.
    for call in (2..=7).rev() {
        service.clock.advance(FRESH_MS);
        faults.arm(call, 1_000, Fault::BeforeSend);
        let reply = service.agent().get("/health").await;
        faults.disarm();
        if reply.json.pointer("/checks/database/status").is_none_or(|status| status == "ok") {
            continue;
        }
        assert_eq!(reply.expect(503)["status"], "down");
        for check in ["database", "agents"] {
            let status = reply.text_at(&format!("/checks/{check}/status"));
            assert!(["failed", "timeout"].contains(&status), "{check} is {status}");
        }
        assert_eq!(reply.at("/agents"), &json!([]), "nothing is said of agents that could not be asked about");
        return;
    }
    panic!("no check of the database failed");
}

#[tokio::test]
async fn a_table_that_takes_no_writes_degrades_the_service() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    assert_eq!(service.anonymous().get("/health").await.expect(200)["status"], "ok");
    let agent = service.agent();
    agent.get("/health").await.expect(200);
    service.clock.advance(FRESH_MS);
    // As a full disk does it: whatever writes fails, whatever reads is answered.
    faults.fail_writes();
    let brief = service.anonymous().get("/health").await;
    assert_eq!(brief.expect(200)["status"], "degraded");
    let report = agent.get("/health").await;
    assert_eq!(
        (report.expect(200)["status"].clone(), report.at("/checks/database/status")),
        (json!("degraded"), &json!("ok"))
    );
    assert_eq!(report.at("/checks/databaseWrites/status"), "failed");
    service.integration().post("/sessions", json!({})).await.expect_error(503, "SERVICE_UNAVAILABLE");
    faults.disarm();
    service.clock.advance(FRESH_MS);
    assert_eq!(service.anonymous().get("/health").await.expect(200)["status"], "ok");
    assert_eq!(agent.get("/health").await.expect(200)["status"], "ok");
}

#[tokio::test]
async fn one_report_is_made_in_five_seconds_for_keys_and_nobody_together() {
    let wire = Recorder::default();
    let wrapped = wire.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wrapped.wrap(http)))).await;
    let (agent, admin, nobody) = (service.agent(), service.admin(), service.anonymous());
    // Each report tries one write.
    let reports = async || {
        let asked = (0..90).map(|i| [&agent, &admin, &nobody][i % 3].get("/health"));
        let answers = futures::future::join_all(asked).await;
        let times: BTreeSet<_> = answers.iter().map(|answer| answer.expect(200)["time"].to_string()).collect();
        let made = wire.take().lines().filter(|line| line.contains("write_probe")).count();
        assert!(times.len() <= made.max(1), "{times:?}");
        made
    };
    assert_eq!(reports().await, 1);
    assert_eq!(reports().await, 0);
    service.clock.advance(FRESH_MS);
    assert_eq!(reports().await, 1);
}

#[tokio::test]
async fn nobodys_answer_is_made_once_in_five_seconds_and_costs_nothing_meanwhile() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let nobody = service.anonymous();
    let calls = async |requests: usize| {
        faults.disarm();
        let asked = (0..requests).map(|_| nobody.get("/health"));
        let answers = futures::future::join_all(asked).await;
        assert!(answers.iter().all(|answer| answer.status == 200 && answer.json["status"] == "ok"));
        faults.disarm()
    };
    let first = calls(30).await;
    assert!((1..=4).contains(&first), "{first} calls to the table for thirty requests at once");
    assert_eq!(calls(30).await, 0);
    service.clock.advance(FRESH_MS - 1_000);
    assert_eq!(calls(1).await, 0);
    service.clock.advance(1_000);
    assert_eq!(calls(30).await, first);
}
