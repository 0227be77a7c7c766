//! Ingest: pages and texts become wiki entries, and are ingested again.

use serde_json::{Value, json};

use crate::support::{Actor, Pages, Reply, TestService};

pub(crate) const FAQ: &str = include_str!("../../shared/page/tests/pages/faq_accordion.html");

/// Hands something in and waits until the job has ended; its record.
pub(crate) async fn ingested(service: &TestService, actor: &Actor, body: Value) -> Reply {
    let accepted = actor.post("/ingest", body).await;
    accepted.expect(202);
    service.drain().await;
    actor.get(&format!("/ingest/{}", accepted.text_at("ingestId"))).await
}

/// The results of a job: `path action`, without the prefix.
#[track_caller]
pub(crate) fn did(job: &Reply) -> Vec<String> {
    assert_eq!(job.text_at("status"), "completed", "{}", job.text);
    let prefix = format!("{}/", job.text_at("pathPrefix"));
    let entries = job.json["entries"].as_array().unwrap();
    entries
        .iter()
        .map(|e| {
            format!("{} {}", e["path"].as_str().unwrap().trim_start_matches(&prefix), e["action"].as_str().unwrap())
        })
        .collect()
}

#[tokio::test]
async fn a_page_is_handed_in_asked_about_and_cited() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let url = pages.html("/help/faq.html", FAQ);
    let accepted = trainer.post("/ingest", json!({"url": url})).await;
    accepted.expect(202);
    assert_eq!(accepted.text_at("status"), "queued");
    let id = accepted.text_at("ingestId").to_owned();
    assert_eq!(accepted.header("location"), format!("/api/v1/ingest/{id}"));
    service.drain().await;

    let job = trainer.get(&format!("/ingest/{id}")).await;
    assert_eq!(did(&job).len(), 7, "{}", job.text);
    assert!(did(&job).contains(&"how-do-i-return-a-bike created".to_owned()), "{}", job.text);
    assert!(job.text_at("pathPrefix").starts_with("ingested/127-0-0-1-help-faq-html"), "{}", job.text);
    assert_eq!((job.at("attempts"), job.text_at("url")), (&json!(1), url.as_str()));

    let integration = service.integration();
    let session = integration.session().await;
    let answer = integration.ask(&session, "How long is the warranty on a frame?").await;
    answer.expect(200);
    assert!(answer.text_at("answer").contains("Five years"), "{}", answer.text);
    let cited = answer.text_at("/sources/0/path").to_owned();
    let entry = trainer.get(&format!("/wiki/{cited}")).await;
    assert_eq!(entry.text_at("/source/type"), "ingest");
    assert_eq!((entry.text_at("/source/ingestId"), entry.text_at("/source/url")), (id.as_str(), url.as_str()));
    assert_eq!(entry.text_at("visibility"), "internal");
}

#[tokio::test]
async fn the_same_page_again_changes_nothing() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let url = pages.html("/faq", FAQ);
    let first = ingested(&service, &trainer, json!({"url": url, "pathPrefix": "faq"})).await;
    let paths: Vec<String> = did(&first).iter().map(|d| d.replace(" created", "")).collect();
    let before = trainer.get("/wiki?pathPrefix=faq&limit=100").await;
    let second = ingested(&service, &trainer, json!({"url": url, "pathPrefix": "faq"})).await;
    let unchanged: Vec<String> = paths.iter().map(|path| format!("{path} unchanged")).collect();
    assert_eq!(did(&second), unchanged);
    assert_eq!(trainer.get("/wiki?pathPrefix=faq&limit=100").await.json, before.json);
}

#[tokio::test]
async fn a_page_that_changed_changes_what_it_made_and_nothing_that_a_person_wrote() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let page = |sections: &[(&str, &str)]| {
        let sections: String = sections.iter().map(|(q, a)| format!("<h2>{q}?</h2><p>{a}</p>")).collect();
        format!("<html><body><main><h1>Help</h1>{sections}</main></body></html>")
    };
    let url = pages
        .html("/h", page(&[("One", "first answer"), ("Two", "second answer"), ("Three", "third"), ("Four", "fourth")]));
    let body = json!({"url": url, "pathPrefix": "h"});
    trainer.wiki_entry("h/one", "Written by hand", "This was here before.").await;
    let first = ingested(&service, &trainer, body.clone()).await;
    assert_eq!(did(&first), ["one-2 created", "two created", "three created", "four created"]);

    trainer.patch("/wiki/h/two", json!({"content": "Edited by a person."})).await.expect(200);
    pages.html("/h", page(&[("One", "a newer answer"), ("Two", "a newer answer too"), ("Four", "fourth")]));
    let second = ingested(&service, &trainer, body.clone()).await;
    assert_eq!(did(&second), ["one-2 updated", "four unchanged", "two conflict", "three removed"]);
    assert_eq!(trainer.get("/wiki/h/one").await.text_at("content"), "This was here before.");
    assert_eq!(trainer.get("/wiki/h/one-2").await.text_at("content"), "a newer answer");
    assert_eq!(trainer.get("/wiki/h/two").await.text_at("content"), "Edited by a person.");
    trainer.get("/wiki/h/three").await.expect(404);
    assert!(trainer.get("/wiki?q=third").await.items().is_empty(), "what is removed is not found");
    let proposed = |job: &Reply| {
        let entries = job.json["entries"].as_array().unwrap();
        entries.iter().filter_map(|entry| Some(entry.get("draftId")?.as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let drafts = proposed(&second);
    assert_eq!(drafts.len(), 1, "what the page says of `two`: {}", second.text);
    let draft = trainer.get(&format!("/drafts/{}", drafts[0])).await;
    let said = ["path", "action", "content", "visibility", "status", "createdBy"].map(|name| draft.json[name].clone());
    let by = second.text_at("ingestId");
    assert_eq!(json!(said), json!(["h/two", "update", "a newer answer too", "internal", "open", by]));

    let third = ingested(&service, &trainer, body.clone()).await;
    assert_eq!(did(&third), ["one-2 unchanged", "four unchanged", "two conflict"]);
    assert_eq!(proposed(&third), drafts, "the same page makes no second draft");
    let at = format!("/drafts/{}", drafts[0]);
    pages.html("/h", page(&[("One", "a newer answer"), ("Two", "the newest answer"), ("Four", "fourth")]));
    assert_eq!(proposed(&ingested(&service, &trainer, body.clone()).await), drafts);
    let followed = trainer.get(&at).await;
    assert_eq!((followed.text_at("content"), followed.at("version")), ("the newest answer", &json!(2)));
    trainer.patch(&at, json!({"content": "What both say."})).await.expect(200);
    assert_eq!(proposed(&ingested(&service, &trainer, body.clone()).await), drafts);
    assert_eq!(trainer.get(&at).await.text_at("content"), "What both say.", "a person's words stay");
    trainer.post(&format!("{at}/publish"), json!({"version": 3})).await.expect(200);
    assert_eq!(proposed(&ingested(&service, &trainer, body.clone()).await), drafts, "the page says something else");
    let again = trainer.get(&at).await;
    assert_eq!((again.text_at("status"), again.text_at("content")), ("open", "the newest answer"));
    trainer.delete(&at).await.expect(204);
    let last = ingested(&service, &trainer, body).await;
    assert_eq!((did(&last).last().unwrap().as_str(), proposed(&last).len()), ("two conflict", 0), "it was discarded");
    assert_eq!(trainer.get("/drafts").await.items().len(), 0);
}

#[tokio::test]
async fn an_entry_that_a_person_deleted_is_created_again_by_the_next_ingest() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let body = json!({"url": pages.html("/faq", FAQ), "pathPrefix": "faq"});
    let first = ingested(&service, &trainer, body.clone()).await;
    let path = first.text_at("/entries/0/path").to_owned();
    trainer.delete(&format!("/wiki/{path}")).await.expect(204);
    let second = ingested(&service, &trainer, body).await;
    assert_eq!(second.text_at("/entries/0/action"), "created");
    trainer.get(&format!("/wiki/{path}")).await.expect(200);
}

#[tokio::test]
async fn a_text_is_read_by_its_headings_in_any_kind() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let markdown = include_str!("../../shared/page/tests/pages/guide.md");
    let job =
        ingested(&service, &trainer, json!({"text": markdown, "pathPrefix": "guides/stowage", "visibility": "public"}))
            .await;
    assert!(did(&job).contains(&"make-a-backup created".to_owned()), "{}", job.text);
    assert!(job.at("url").is_null());
    let widget = service.widget("v").await;
    assert_eq!(widget.get("/wiki/guides/stowage/make-a-backup").await.text_at("visibility"), "public");

    let plain = include_str!("../../shared/page/tests/pages/notes.txt");
    let job = ingested(&service, &trainer, json!({"text": plain, "pathPrefix": "office"})).await;
    assert!(did(&job).contains(&"meeting-rooms created".to_owned()), "{}", job.text);
    let job =
        ingested(&service, &trainer, json!({"text": "Our office opens at nine.", "pathPrefix": "office-hours"})).await;
    assert_eq!(did(&job), ["office-hours created"]);
    let entry = trainer.get("/wiki/office-hours/office-hours").await;
    assert_eq!((entry.text_at("title"), entry.text_at("content")), ("Office hours", "Our office opens at nine."));
}

#[tokio::test]
async fn a_widget_does_not_learn_which_page_an_entry_was_made_of() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let pages = Pages::start().await;
    let url = format!("{}?token=SECRETTOKEN", pages.html("/faq", FAQ));
    let job = ingested(&service, &trainer, json!({"url": url, "pathPrefix": "src/x", "visibility": "public"})).await;
    assert_eq!(job.text_at("status"), "completed", "{}", job.text);
    let path = job.text_at("/entries/0/path").to_owned();
    let source = json!({"type": "ingest", "ingestId": job.text_at("ingestId"), "url": url});
    assert_eq!(trainer.get(&format!("/wiki/{path}")).await.at("source"), &source);
    let title = trainer.get(&format!("/wiki/{path}")).await.text_at("title").replace(' ', "+");
    let widget = service.widget("ann").await;
    for read in [format!("/wiki/{path}"), "/wiki".to_owned(), format!("/wiki?q={title}")] {
        let reply = widget.get(&read).await;
        assert!(reply.status == 200 && reply.text.contains(&path), "{read}: {}", reply.text);
        for hidden in ["SECRETTOKEN", "\"source\"", "ing_"] {
            assert!(!reply.text.contains(hidden), "{read}: {}", reply.text);
        }
    }
}

#[tokio::test]
async fn an_ingest_request_is_validated_at_once_with_every_problem() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let long = "x".repeat(500_001);
    for (body, details) in [
        (json!({}), vec!["EXACTLY_ONE"]),
        (json!({"url": "https://a.example/", "text": "t", "pathPrefix": "p"}), vec!["EXACTLY_ONE"]),
        (json!({"text": "t"}), vec!["pathPrefix REQUIRED"]),
        (
            json!({"text": "", "pathPrefix": "/x", "visibility": "all"}),
            vec!["text TOO_SHORT", "pathPrefix INVALID_FORMAT", "visibility NOT_ALLOWED"],
        ),
        (json!({"text": long, "pathPrefix": "p"}), vec!["text TOO_LONG"]),
        (json!({"url": 7}), vec!["url WRONG_TYPE"]),
        (json!({"url": "not a url", "pathPrefix": "a b"}), vec!["url INVALID_FORMAT", "pathPrefix INVALID_FORMAT"]),
        (json!({"url": "http://169.254.169.254/latest/"}), vec!["url INVALID_FORMAT"]),
        (json!({"url": "https://user:pw@a.example/"}), vec!["url INVALID_FORMAT"]),
        (json!({"url": "file:///etc/passwd"}), vec!["url INVALID_FORMAT"]),
        (json!({"url": "https://printer.local/"}), vec!["url INVALID_FORMAT"]),
    ] {
        let reply = trainer.post("/ingest", body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), details, "{}", reply.text);
    }
    assert!(trainer.get("/ingest").await.items().is_empty());
    let most = "é".repeat(500_000);
    trainer.post("/ingest", json!({"text": most, "pathPrefix": "most"})).await.expect(202);
    let too_much = format!(r#"{{"text":"x","pathPrefix":"p","more":"{}"}}"#, "x".repeat(3 * 1024 * 1024));
    trainer.post_raw("/ingest", "application/json", too_much).await.expect_error(413, "PAYLOAD_TOO_LARGE");
}
