//! Failures of ingest: a fault of the page has a code and a message; a fault of the service is retried.

use std::io::Write as _;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use support::edge::ClientProvider as _;

use async_trait::async_trait;
use aws::queue::{Message, Queue, Task};
use domain::models::{IngestId, IngestInterval, IngestJob, IngestStatus, Mode, PathPrefix, Visibility};
use flate2::Compression;
use flate2::write::GzEncoder;
use outbound::Resolver;
use serde_json::json;

use crate::ingest::{FAQ, did, ingested};
use crate::support::{Fault, Faults, IndexSwitch, Pages, Served, TestService};

/// Longer than any lease.
const A_WHILE_MS: i64 = 200_000;

/// Every name is a machine of the private network.
#[derive(Debug)]
struct Inside;

#[async_trait]
impl Resolver for Inside {
    async fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec!["10.0.0.1".parse().unwrap()])
    }
}

fn bomb() -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    for _ in 0..64 {
        packed.write_all(&[b'a'; 1024 * 1024]).unwrap();
    }
    packed.finish().unwrap()
}

#[tokio::test]
async fn every_reason_that_a_page_cannot_be_read_has_its_code_and_a_sentence() {
    let service = TestService::with(|options| {
        options.configure_outbound = Some(Box::new(|mut settings| {
            settings.fetch_timeout = Duration::from_secs(3);
            settings.resolver = Arc::new(Inside);
            settings
        }));
    })
    .await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let shell = include_str!("../../shared/page/tests/pages/spa_shell.html");
    let cases = [
        ("http://127.0.0.1:9/".to_owned(), "FETCH_FAILED"),
        (pages.serve("/short", Served::Lie), "FETCH_FAILED"),
        (pages.serve("/round", Served::Redirect("/round".into())), "FETCH_FAILED"),
        (pages.url("/missing"), "HTTP_STATUS"),
        (pages.serve("/down", Served::Status(503)), "HTTP_STATUS"),
        (pages.serve("/inside", Served::Redirect("http://10.0.0.1/admin".into())), "BLOCKED_ADDRESS"),
        (pages.serve("/meta", Served::Redirect("http://169.254.169.254/latest/".into())), "BLOCKED_ADDRESS"),
        ("http://help.example.com/".to_owned(), "BLOCKED_ADDRESS"),
        (pages.serve("/pdf", Served::Page("application/pdf", b"%PDF-1.7".to_vec())), "UNSUPPORTED_TYPE"),
        (pages.serve("/large", Served::Page("text/html", vec![b'a'; 6 * 1024 * 1024])), "TOO_LARGE"),
        (pages.serve("/bomb", Served::Bomb(bomb())), "TOO_LARGE"),
        (pages.html("/many", "<p>x".repeat(500_000)), "TOO_LARGE"),
        (pages.html("/blank", "  \n "), "EMPTY_CONTENT"),
        (pages.html("/shell", shell), "EMPTY_CONTENT"),
        (pages.serve("/hang", Served::Hang), "TIMEOUT"),
    ];
    let mut ids = Vec::new();
    for (url, _) in &cases {
        let accepted = trainer.post("/ingest", json!({"url": url})).await;
        accepted.expect(202);
        ids.push(accepted.text_at("ingestId").to_owned());
    }
    service.drain().await;
    for (id, (url, code)) in ids.iter().zip(&cases) {
        let job = trainer.get(&format!("/ingest/{id}")).await;
        assert_eq!((job.text_at("status"), job.text_at("/error/code")), ("failed", *code), "{url}: {}", job.text);
        let message = job.text_at("/error/message");
        assert!(message.ends_with('.') && !message.contains("10.0.0.1"), "{message}");
        assert!(job.at("finishedAt").is_string() && job.at("attempts") == 1, "{}", job.text);
    }
    assert!(trainer.get("/wiki?pathPrefix=ingested").await.items().is_empty());
    assert_eq!(trainer.get("/ingest?status=failed&limit=100").await.items().len(), cases.len());
    assert!(trainer.get("/ingest?status=completed").await.items().is_empty());
    let first = trainer.get("/ingest?limit=10").await;
    let rest = trainer.get(&format!("/ingest?limit=10&cursor={}", first.text_at("nextCursor"))).await;
    assert_eq!((first.items().len(), rest.items().len(), rest.at("hasMore")), (10, cases.len() - 10, &json!(false)));
}

#[tokio::test]
async fn a_job_that_failed_is_tried_again_on_demand_and_no_other_is() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let failed = ingested(&service, &trainer, json!({"url": pages.url("/late"), "pathPrefix": "late"})).await;
    assert_eq!(failed.text_at("/error/code"), "HTTP_STATUS", "{}", failed.text);
    pages.html("/late", FAQ);
    let retry = format!("/ingest/{}/retry", failed.text_at("ingestId"));
    let again = trainer.post_empty(&retry).await;
    assert_eq!((again.expect(200)["status"].as_str(), again.at("error")), (Some("queued"), &json!(null)));
    service.drain().await;
    let job = trainer.get(&format!("/ingest/{}", failed.text_at("ingestId"))).await;
    assert_eq!(did(&job).len(), 7);
    trainer.post_empty(&retry).await.expect_error(409, "INVALID_STATE");
    trainer.post_empty("/ingest/ing_00000000000000000000000000/retry").await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_request_that_is_repeated_under_its_key_makes_one_job() {
    let service = TestService::start().await;
    let trainer = service.trainer().with_header("idempotency-key", "once");
    let body = json!({"text": "Opening hours are nine to five.", "pathPrefix": "hours"});
    let first = trainer.post("/ingest", body.clone()).await;
    first.expect(202);
    service.drain().await;
    let second = trainer.post("/ingest", body).await;
    assert_eq!((second.expect(202), second.header("idempotency-replayed")), (&first.json, "true"));
    let other = json!({"text": "Something else.", "pathPrefix": "hours"});
    trainer.post("/ingest", other.clone()).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    service.admin().with_header("idempotency-key", "once").post("/ingest", other).await.expect(202);
    assert_eq!(service.trainer().get("/ingest").await.items().len(), 2);
}

/// A job that is stored and on no queue.
pub(crate) async fn stored_job(
    service: &TestService,
    url: &str,
    every: Option<IngestInterval>,
) -> (IngestJob, Message) {
    let resources = service.resources();
    let scope = service.tenant.scope(Mode::Live);
    let job = IngestJob {
        ingest_id: IngestId::generate(&resources.runtime).unwrap(),
        status: IngestStatus::Queued,
        url: Some(url.to_owned()),
        text_chunks: 0,
        path_prefix: PathPrefix::parse("jobs").unwrap(),
        visibility: Visibility::Internal,
        entries: Vec::new(),
        error: None,
        attempts: 0,
        earlier_attempts: 0,
        created_at: resources.runtime.now(),
        created_by: "key_1".into(),
        finished_at: None,
        every,
        repeated_at: None,
        page: None,
        lease: None,
        version: 1,
    };
    let job = resources.store.ingests().create(&scope, job, None, None).await.unwrap();
    let body = Task::Ingest { scope, ingest_id: job.ingest_id.clone() }.to_body();
    (job, Message { id: "m".into(), body, receive_count: 1 })
}

#[tokio::test]
async fn two_workers_and_a_message_that_comes_three_times_do_a_job_once() {
    let service = TestService::start().await;
    let pages = Pages::start().await;
    let (job, message) = stored_job(&service, &pages.html("/faq", FAQ), None).await;
    let (resources, worker) = (service.resources(), &service.ingest_worker().await);
    let (one, other) = tokio::join!(
        support::ingest::worker::handle(worker, vec![message.clone()]),
        support::ingest::worker::handle(worker, vec![message.clone()])
    );
    assert!(one.is_empty() && other.is_empty());
    for _ in 0..3 {
        let task = Task::parse(&message.body).unwrap();
        resources.queue(Queue::Ingest).unwrap().send(&task, Duration::ZERO).await.unwrap();
    }
    service.drain().await;
    let job = service.trainer().get(&format!("/ingest/{}", job.ingest_id)).await;
    assert_eq!((did(&job).len(), job.at("attempts"), pages.asked("/faq")), (7, &json!(1), 1));
    let entries = service.trainer().get("/wiki?pathPrefix=jobs").await;
    assert!(entries.items().iter().all(|entry| entry["version"] == 1), "{}", entries.text);
}

#[tokio::test]
async fn messages_that_are_none_of_ours_fail_alone() {
    let service = TestService::start().await;
    let pages = Pages::start().await;
    let (_, good) = stored_job(&service, &pages.html("/faq", FAQ), None).await;
    let message = |id: &str, body: String| Message { id: id.into(), body, receive_count: 1 };
    let foreign = good.body.replace("ten_", "ses_");
    let unknown = Task::Ingest {
        scope: service.other_tenant.scope(Mode::Live),
        ingest_id: IngestId::generate(&service.resources().runtime).unwrap(),
    };
    let batch = vec![
        message("empty", String::new()),
        message("rubbish", "{".into()),
        message("foreign", foreign),
        message("unknown", unknown.to_body()),
        good,
    ];
    assert_eq!(
        support::ingest::worker::handle(&service.ingest_worker().await, batch).await,
        ["empty", "rubbish", "foreign"]
    );
    assert_eq!(service.trainer().get("/wiki?pathPrefix=jobs").await.items().len(), 7);
}

#[tokio::test]
async fn a_worker_that_dies_at_any_step_is_followed_by_one_that_finishes() {
    let page = "<main><h1>Help</h1><h2>One?</h2><p>first answer</p><h2>Two?</h2><p>second answer</p></main>";
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(move |options| {
        options.wrap_database = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    for fault in [Fault::BeforeSend, Fault::LoseReply] {
        let mut step = 1;
        loop {
            let (job, message) = stored_job(&service, &pages.html(&format!("/{fault:?}-{step}"), page), None).await;
            // Dead: nothing of what this worker asks from its step on is answered.
            faults.arm(step, 1_000, fault);
            support::ingest::worker::handle(&service.ingest_worker().await, vec![message]).await;
            let calls = faults.disarm();
            service.clock.advance(A_WHILE_MS);
            service.sweep().await;
            service.drain().await;
            let job = trainer.get(&format!("/ingest/{}", job.ingest_id)).await;
            let made = did(&job);
            assert!(
                made.len() == 2 && made.iter().all(|made| made.ends_with(" created")),
                "{step} {fault:?}: {}",
                job.text
            );
            for entry in job.json["entries"].as_array().unwrap() {
                let entry = trainer.get(&format!("/wiki/{}", entry["path"].as_str().unwrap())).await;
                assert_eq!(entry.expect(200)["version"], 1, "{step} {fault:?}: {}", entry.text);
            }
            if calls < step {
                break;
            }
            step += 1;
        }
        assert!(step > 5, "only {step} steps were tried");
    }
}

#[tokio::test]
async fn a_queue_that_takes_nothing_delays_a_job_and_does_not_lose_it() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(move |options| options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)))).await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    faults.arm(1, 1_000, Fault::BeforeSend);
    let accepted = trainer.post("/ingest", json!({"url": pages.html("/faq", FAQ), "pathPrefix": "q"})).await;
    accepted.expect(202);
    faults.disarm();
    service.drain().await;
    let job = format!("/ingest/{}", accepted.text_at("ingestId"));
    let waiting = trainer.get(&job).await;
    assert_eq!((waiting.text_at("status"), waiting.text_at("progress")), ("queued", "Waiting for a worker."));
    service.clock.advance(A_WHILE_MS);
    service.sweep().await;
    service.drain().await;
    assert_eq!(did(&trainer.get(&job).await).len(), 7);
}

#[tokio::test]
async fn a_job_is_not_done_before_its_entries_can_be_found() {
    let switch = IndexSwitch::default();
    let wrap = switch.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(wrap)).await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    switch.off();
    let job = ingested(&service, &trainer, json!({"url": pages.html("/faq", FAQ), "pathPrefix": "i"})).await;
    assert_eq!((job.text_at("status"), job.at("attempts")), ("queued", &json!(1)), "{}", job.text);
    switch.on();
    service.clock.advance(A_WHILE_MS);
    service.sweep().await;
    service.drain().await;
    let job = trainer.get(&format!("/ingest/{}", job.text_at("ingestId"))).await;
    assert_eq!((did(&job).len(), job.at("attempts")), (7, &json!(2)), "{}", job.text);
    assert!(did(&job).iter().all(|did| did.ends_with(" created")), "{}", job.text);
    assert!(!trainer.get("/wiki?q=warranty").await.items().is_empty());
}

#[tokio::test]
async fn a_job_that_can_never_be_done_is_given_up_with_a_sentence() {
    let switch = IndexSwitch::default();
    let wrap = switch.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(wrap)).await;
    let trainer = service.trainer();
    switch.off();
    let mut job =
        ingested(&service, &trainer, json!({"text": "Nothing finds this text.", "pathPrefix": "never"})).await;
    for _ in 1..IngestJob::MAX_ATTEMPTS {
        service.clock.advance(A_WHILE_MS);
        service.sweep().await;
        service.drain().await;
        job = trainer.get(&format!("/ingest/{}", job.text_at("ingestId"))).await;
    }
    assert_eq!((job.text_at("status"), job.text_at("/error/code")), ("failed", "INTERNAL_ERROR"), "{}", job.text);
    assert_eq!(job.at("attempts"), IngestJob::MAX_ATTEMPTS);
    switch.on();
    trainer.post_empty(&format!("/ingest/{}/retry", job.text_at("ingestId"))).await.expect(200);
    service.drain().await;
    let job = trainer.get(&format!("/ingest/{}", job.text_at("ingestId"))).await;
    assert_eq!(did(&job), ["never created"], "{}", job.text);
    assert_eq!(job.at("attempts"), IngestJob::MAX_ATTEMPTS + 1, "a retry is one more attempt");
}
