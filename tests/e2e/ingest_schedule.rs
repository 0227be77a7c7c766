//! Pages that are read again on their day.

use domain::clock::Clock as _;
use domain::models::{IngestInterval, Mode};
use serde_json::{Value, json};

use crate::ingest::{did, ingested};
use crate::ingest_failures::stored_job;
use crate::support::{Actor, Fault, Faults, Pages, Reply, Served, TestService};

const DAY_MS: i64 = 86_400_000;

fn page(sections: &[(&str, &str)]) -> Vec<u8> {
    let sections: String = sections.iter().map(|(title, text)| format!("<h2>{title}?</h2><p>{text}</p>")).collect();
    format!("<html><body><main><h1>Help</h1>{sections}</main></body></html>").into_bytes()
}

/// The job after a day, and what follows from it.
async fn next_day(service: &TestService, trainer: &Actor, job: &str) -> Reply {
    service.clock.advance(DAY_MS);
    service.sweep_without_failure().await;
    service.drain().await;
    trainer.get(job).await
}

async fn versions(trainer: &Actor) -> Vec<(String, u64)> {
    let entries = trainer.get("/wiki?pathPrefix=s&limit=100").await;
    let version = |entry: &Value| (entry["path"].as_str().unwrap().to_owned(), entry["version"].as_u64().unwrap());
    let mut versions: Vec<_> = entries.items().iter().map(version).collect();
    versions.sort();
    versions
}

#[tokio::test]
async fn a_page_is_read_again_each_day_and_only_what_changed_is_written() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let url =
        pages.serve("/s", Served::Tagged("\"1\"", page(&[("One", "first"), ("Two", "second"), ("Three", "third")])));
    let body = json!({"url": url, "pathPrefix": "s", "every": "day"});
    let first = ingested(&service, &trainer, body).await;
    assert_eq!(did(&first), ["one created", "two created", "three created"]);
    assert_eq!((first.text_at("every"), first.at("nextRunAt").is_string()), ("day", true), "{}", first.text);
    let job = format!("/ingest/{}", first.text_at("ingestId"));
    let written = versions(&trainer).await;

    let same = next_day(&service, &trainer, &job).await;
    assert_eq!(did(&same), ["one unchanged", "two unchanged", "three unchanged"]);
    assert_eq!((same.at("attempts"), pages.asked("/s")), (&json!(2), 2));
    assert!(same.text_at("nextRunAt") > first.text_at("nextRunAt"), "{}", same.text);

    // Another tag for the same page: its text decides.
    pages.serve("/s", Served::Tagged("\"2\"", page(&[("One", "first"), ("Two", "second"), ("Three", "third")])));
    assert_eq!(did(&next_day(&service, &trainer, &job).await), did(&same));
    assert_eq!(versions(&trainer).await, written);

    trainer.patch("/wiki/s/two", json!({"content": "Edited by a person."})).await.expect(200);
    pages.serve(
        "/s",
        Served::Tagged("\"3\"", page(&[("One", "a newer one"), ("Two", "newer too"), ("Four", "fourth")])),
    );
    let changed = next_day(&service, &trainer, &job).await;
    assert_eq!(did(&changed), ["one updated", "four created", "two conflict", "three removed"]);
    assert_eq!(trainer.get("/wiki/s/one").await.text_at("content"), "a newer one");
    assert_eq!(trainer.get("/wiki/s/two").await.text_at("content"), "Edited by a person.");
    trainer.get("/wiki/s/three").await.expect(404);
    let after = next_day(&service, &trainer, &job).await;
    assert_eq!(did(&after), ["one unchanged", "four unchanged", "two conflict"]);
    assert_eq!(after.at("/entries/2/draftId"), changed.at("/entries/2/draftId"), "the conflict keeps its draft");

    let listed = |query: &str| format!("/ingest?{query}");
    ingested(&service, &trainer, json!({"text": "Once.", "pathPrefix": "once"})).await;
    let scheduled = trainer.get(&listed("scheduled=true")).await;
    assert_eq!((scheduled.items().len(), scheduled.text_at("/items/0/every")), (1, "day"));
    let once = trainer.get(&listed("scheduled=false&status=completed")).await;
    assert_eq!((once.items().len(), once.text_at("/items/0/pathPrefix")), (1, "once"));
}

#[tokio::test]
async fn a_page_that_cannot_be_read_removes_nothing_and_is_read_on_the_next_day() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let whole = page(&[("One", "first"), ("Two", "second")]);
    let url = pages.html("/s", whole.clone());
    let first = ingested(&service, &trainer, json!({"url": url, "pathPrefix": "s", "every": "day"})).await;
    let (job, written) = (format!("/ingest/{}", first.text_at("ingestId")), versions(&trainer).await);
    for (served, code) in [
        (Served::Status(404), "HTTP_STATUS"),
        (Served::Status(304), "HTTP_STATUS"),
        (Served::Page("text/html", b" ".to_vec()), "EMPTY_CONTENT"),
        (Served::Page("image/png", vec![0; 9]), "UNSUPPORTED_TYPE"),
    ] {
        pages.serve("/s", served);
        let failed = next_day(&service, &trainer, &job).await;
        assert_eq!((failed.text_at("status"), failed.text_at("/error/code")), ("failed", code), "{}", failed.text);
        assert!(failed.at("nextRunAt").is_string() && versions(&trainer).await == written, "{}", failed.text);
    }
    pages.html("/s", whole);
    let again = next_day(&service, &trainer, &job).await;
    assert_eq!((did(&again), again.json.get("error")), (vec!["one unchanged".into(), "two unchanged".into()], None));
    pages.serve("/s", Served::Status(500));
    next_day(&service, &trainer, &job).await;
    pages.html("/s", page(&[("One", "newer"), ("Two", "second")]));
    trainer.post(&format!("{job}/retry"), json!({})).await.expect(200);
    service.drain().await;
    assert_eq!(did(&trainer.get(&job).await), ["one updated", "two unchanged"]);
}

#[tokio::test]
async fn a_schedule_ends_on_demand_and_never_for_anybody_else() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let url = pages.html("/s", page(&[("One", "the first and only answer")]));
    let body = |every: Value| json!({"url": url, "pathPrefix": "s", "every": every});
    let weekly = ingested(&service, &trainer, body(json!("week"))).await;
    let job = format!("/ingest/{}", weekly.text_at("ingestId"));
    service.other_admin().delete(&job).await.expect(404);
    service.integration().delete(&job).await.expect(403);
    next_day(&service, &trainer, &job).await;
    assert_eq!(pages.asked("/s"), 1);
    service.clock.advance(6 * DAY_MS);
    service.sweep_without_failure().await;
    // While a worker has it, too.
    let (ended, ()) = tokio::join!(trainer.delete(&job), service.drain());
    ended.expect(204);
    assert_eq!(pages.asked("/s"), 2);
    trainer.delete(&job).await.expect(204);
    let left = trainer.get(&job).await;
    assert_eq!(did(&left), ["one unchanged"]);
    assert_eq!((left.json.get("every"), left.json.get("nextRunAt")), (None, None), "{}", left.text);
    assert!(trainer.get("/ingest?scheduled=true").await.items().is_empty());
    service.clock.advance(30 * DAY_MS);
    service.sweep_without_failure().await;
    service.drain().await;
    assert_eq!((pages.asked("/s"), trainer.get("/wiki/s/one").await.status), (2, 200));
    trainer.delete("/ingest/ing_01JDB8Q7XKZ3T5V9W2Y4A6C8EG").await.expect(404);

    assert_eq!(ingested(&service, &trainer, body(Value::Null)).await.json.get("every"), None);
    for (refused, code) in [
        (json!({"url": url, "every": "hour"}), "NOT_ALLOWED"),
        (json!({"url": url, "every": 1}), "WRONG_TYPE"),
        (json!({"text": "A text.", "pathPrefix": "s", "every": "day"}), "CONFLICT"),
    ] {
        let problem = trainer.post("/ingest", refused).await;
        problem.expect_error(400, "VALIDATION_ERROR");
        assert_eq!((problem.text_at("/details/0/field"), problem.text_at("/details/0/code")), ("every", code));
    }
}

#[tokio::test]
async fn a_tenant_has_so_many_scheduled_pages_and_one_more_when_one_has_ended() {
    let service = TestService::start().await;
    let (trainer, mut first) = (service.trainer(), None);
    for _ in 0..domain::limits::MAX_SCHEDULED_PAGES {
        let (job, _) = stored_job(&service, "https://example.com/", Some(IngestInterval::Week)).await;
        first.get_or_insert(job.ingest_id);
    }
    let body = json!({"url": "https://example.com/more", "every": "week"});
    let refused = trainer.post("/ingest", body.clone()).await;
    refused.expect_error(409, "CONFLICT");
    assert_eq!(refused.text_at("/details/0/code"), "TOO_MANY_SCHEDULED_PAGES");
    trainer.post("/ingest", json!({"url": "https://example.com/more"})).await.expect(202);
    trainer.delete(&format!("/ingest/{}", first.unwrap())).await.expect(204);
    let (one, other) = tokio::join!(trainer.post("/ingest", body.clone()), trainer.post("/ingest", body));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409]);
}

#[tokio::test]
async fn a_worker_that_dies_in_a_repeated_run_is_followed_by_one_that_finishes() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(move |options| {
        options.wrap_database = Some(Box::new(move |inner| wire.wrap(inner)));
    })
    .await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    for fault in [Fault::BeforeSend, Fault::LoseReply] {
        for step in 1.. {
            let url = pages.html(&format!("/{fault:?}-{step}"), page(&[("One", "first"), ("Two", "second")]));
            let (job, message) = stored_job(&service, &url, Some(IngestInterval::Day)).await;
            support::ingest::worker::handle(&service.ingest_worker().await, vec![message.clone()]).await;
            let before = trainer.get("/wiki/jobs/one").await.at("version").as_u64().unwrap();
            pages.html(&format!("/{fault:?}-{step}"), page(&[("One", "newer"), ("Two", "second"), ("Three", "third")]));
            let (jobs, scope) = (service.resources().store.ingests(), service.tenant.scope(Mode::Live));
            service.clock.advance(DAY_MS);
            let done = jobs.get(&scope, &job.ingest_id).await.unwrap().unwrap();
            // As the sweeper does it, on no queue.
            assert!(jobs.replace(&scope, &done, &done.repeated(service.clock.now()).unwrap()).await.unwrap());
            faults.arm(step, 1_000, fault);
            support::ingest::worker::handle(&service.ingest_worker().await, vec![message]).await;
            let calls = faults.disarm();
            service.clock.advance(200_000);
            service.sweep().await;
            service.drain().await;
            let again = trainer.get(&format!("/ingest/{}", job.ingest_id)).await;
            let mut made = did(&again);
            made.sort();
            assert_eq!(made, ["one updated", "three created", "two unchanged"], "{step} {fault:?}: {}", again.text);
            trainer.delete(&format!("/ingest/{}", job.ingest_id)).await.expect(204);
            let one = trainer.get("/wiki/jobs/one").await;
            assert_eq!((one.text_at("content"), one.at("version")), ("newer", &json!(before + 1)), "{step} {fault:?}");
            for name in ["one", "two", "three"] {
                trainer.delete(&format!("/wiki/jobs/{name}")).await.expect(204);
            }
            if calls < step {
                assert!(step > 5, "only {step} steps were tried");
                break;
            }
        }
    }
}
