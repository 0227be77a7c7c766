//! Search by meaning: entries are embedded in the background, once, and the vectors are kept.

mod faults;
mod following;
mod real_model;
mod rebuild;

use answer::search::{Candidate, Lookup, VisibilityFilter};
use domain::models::{Scope, Visibility};
use serde_json::{Value, json};
use text::Analyzer;

use crate::support::{EmbeddingStub, TestService};

/// Says nothing of what the question says, but the same.
const LEAVE: (&str, &str, &str) = ("hr/leave", "Annual leave", "Everybody has thirty days of vacation each year.");
const QUESTION: &str = "Wie viel Urlaub bekomme ich?";

/// A service whose model is the stub.
async fn service_with(stub: &EmbeddingStub) -> TestService {
    TestService::with(|options| stub.configure(options)).await
}

/// Health's report on embeddings: status and how many entries are not embedded.
async fn checked(service: &TestService) -> (String, Value) {
    // A report is made once in five seconds.
    service.clock.advance(5_000);
    let report = service.agent().get("/health").await;
    let check = &report.expect(200)["checks"]["embeddings"];
    (check["status"].as_str().unwrap().to_owned(), check["pending"].clone())
}

/// The candidates of a question with its vector, as the answer's ranking gets them.
async fn candidates(service: &TestService, scope: &Scope, question: &str, sees: VisibilityFilter) -> Vec<Candidate> {
    let resources = service.resources();
    let language = resources.store.settings().get(scope).await.unwrap().language;
    let deadline = resources.runtime.now().plus_millis(10_000);
    let embedder = resources.embedder.as_ref();
    let vectors = answer::embedding::query_vectors(embedder, &resources.runtime, &[question], deadline).await;
    let terms = Analyzer::new(language).query(question);
    let lookup = Lookup { terms: &terms, vector: vectors.first(), misspelt: &[] };
    resources.index.retrieve(scope, &[lookup], sees).await.unwrap().remove(0).candidates
}

fn paths(candidates: &[Candidate]) -> Vec<&str> {
    candidates.iter().map(|candidate| candidate.path.as_str()).collect()
}

#[tokio::test]
async fn an_entry_that_says_the_same_in_other_words_is_a_candidate_once_it_is_embedded() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.trainer().wiki_entry("hr/pay", "Pay day", "Salaries are paid on the last working day.").await;
    service.drain().await;
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert_eq!(paths(&found)[0], path);
    let cosine = found[0].cosines[0].unwrap();
    assert!(cosine > 0.5 && found[1].cosines[0].unwrap() < cosine / 2.0, "{found:?}");
    assert_eq!(
        stub.passages(),
        [
            "passage: Annual leave\nEverybody has thirty days of vacation each year.",
            "passage: Pay day\nSalaries are paid on the last working day.",
        ]
    );
    let session = service.integration().session().await;
    stub.queries();
    service.integration().ask(&session, QUESTION).await.expect(200);
    assert_eq!(stub.queries(), [format!("query: {QUESTION}")], "once a message");
}

#[tokio::test]
async fn health_counts_what_is_written_and_not_embedded_yet() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
    stub.set_fault(Some(crate::support::EmbeddingFault::Down));
    for number in 0..3 {
        service.trainer().wiki_entry(&format!("a/{number}"), "Parcels", "A parcel takes two days.").await;
    }
    assert_eq!(checked(&service).await, ("failed".into(), json!(3)), "known as soon as it is written");
    service.drain().await;
    stub.set_fault(None);
    service.sweep().await;
    service.drain().await;
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
}

#[tokio::test]
async fn an_internal_entry_near_a_widgets_question_grounds_nothing() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    let body = json!({"path": path, "title": title, "content": content, "visibility": "internal"});
    service.trainer().post("/wiki", body).await.expect(201);
    service.trainer().wiki_entry("hr/pay", "Pay day", "Salaries are paid on the last working day.").await;
    service.drain().await;
    let public = VisibilityFilter::Only(Visibility::Public);
    let found = candidates(&service, &service.scope(), QUESTION, public).await;
    assert_eq!(paths(&found), ["hr/pay"]);
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let reply = widget.ask(&session, QUESTION).await;
    let told = reply.expect(200).to_string();
    assert!(!told.contains(path) && !told.contains("thirty"), "{told}");
}

#[tokio::test]
async fn no_tenant_and_no_mode_comes_near_anothers_entries() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    let scopes =
        [service.tenant.scope(domain::models::Mode::Test), service.other_tenant.scope(domain::models::Mode::Live)];
    for scope in scopes {
        let found = candidates(&service, &scope, QUESTION, VisibilityFilter::All).await;
        assert_eq!(paths(&found), Vec::<&str>::new());
    }
}
