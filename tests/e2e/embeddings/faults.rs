//! A failing embedding model: no request waits for it, nothing is lost, and its work is not repeated.

use std::time::{Duration, Instant};

use answer::search::VisibilityFilter;
use serde_json::json;

use super::{LEAVE, QUESTION, candidates, checked, paths, service_with};
use crate::support::{EmbeddingFault, EmbeddingStub, TestService};

const LEXICAL: &str = "How many days of vacation does everybody have?";

/// A message is answered from its words alone, long before the deadline of its request.
async fn is_answered_by_words(service: &TestService, fault: EmbeddingFault) {
    let session = service.integration().session().await;
    let asked = Instant::now();
    let reply = service.integration().ask(&session, LEXICAL).await;
    assert_eq!(reply.expect(200)["sources"][0]["path"], LEAVE.0, "{fault:?}");
    assert!(asked.elapsed() < Duration::from_secs(20), "{fault:?}: {:?}", asked.elapsed());
}

#[tokio::test]
async fn a_model_that_fails_leaves_answers_from_words_and_health_says_so() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    for last_error in [EmbeddingFault::Down, EmbeddingFault::Hangs, EmbeddingFault::NotANumber, EmbeddingFault::Html] {
        stub.set_fault(Some(last_error));
        is_answered_by_words(&service, last_error).await;
        let found = candidates(&service, &service.scope(), LEXICAL, VisibilityFilter::All).await;
        assert_eq!(found[0].cosines, [None], "{last_error:?}");
        let status = checked(&service).await.0;
        assert!(["failed", "timeout"].contains(&status.as_str()), "{last_error:?}: {status}");
    }
    stub.set_fault(None);
    assert_eq!(checked(&service).await.0, "ok");
}

#[tokio::test]
async fn no_writer_waits_for_a_model_that_hangs() {
    let stub = EmbeddingStub::start().await;
    stub.set_fault(Some(EmbeddingFault::Hangs));
    let service = service_with(&stub).await;
    let began = Instant::now();
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.trainer().patch("/wiki/hr/leave", json!({"title": "Leave"})).await.expect(200);
    assert_eq!(service.trainer().get("/wiki?q=vacation").await.items().len(), 1);
    // A writer that waited for the model would do so for 30 s.
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
}

#[tokio::test]
async fn vectors_of_other_dimensions_than_the_entrys_are_not_compared() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    stub.set_fault(Some(EmbeddingFault::OtherDimensions));
    is_answered_by_words(&service, EmbeddingFault::OtherDimensions).await;
    let found = candidates(&service, &service.scope(), LEXICAL, VisibilityFilter::All).await;
    assert_eq!(found[0].cosines, [None]);
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert_eq!(paths(&found), Vec::<&str>::new());
}

#[tokio::test]
async fn another_model_is_not_compared_with_until_it_has_embedded_everything_again() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.drain().await;
    stub.passages();
    let model = stub.clone();
    let service = service.restart_with(move |options| model.configure_as("e5-large-test", options)).await;
    assert_eq!(checked(&service).await.1, 1);
    let found = candidates(&service, &service.scope(), LEXICAL, VisibilityFilter::All).await;
    assert_eq!((paths(&found), &found[0].cosines), (vec![path], &vec![None]));
    service.sweep().await;
    service.drain().await;
    assert_eq!((checked(&service).await.1, stub.passages().len()), (json!(0), 1));
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert!(found[0].cosines[0].is_some());
    let of_the_old = service.raw_items().await.iter().filter(|item| item.contains("#VEC#")).count();
    assert_eq!(of_the_old, 1, "the old model's vectors are gone");
}

#[tokio::test]
async fn half_of_an_entrys_vectors_are_kept_and_the_other_half_is_made_later() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let text: String =
        (0..300).map(|number| format!("Sentence {number} tells what department {number} does about it. ")).collect();
    stub.set_fault(Some(EmbeddingFault::DownAfter(16)));
    service.trainer().wiki_entry("a/b", "Departments", &text).await;
    service.drain().await;
    let first = stub.passages();
    assert_eq!((first.len(), checked(&service).await.1), (16, json!(1)));
    let found = candidates(&service, &service.scope(), "department seven", VisibilityFilter::All).await;
    assert_eq!((paths(&found), found[0].cosines[0]), (vec!["a/b"], None), "found by its words meanwhile");
    stub.set_fault(None);
    service.sweep().await;
    service.drain().await;
    let second = stub.passages();
    assert!(!second.is_empty() && second.iter().all(|text| !first.contains(text)));
    assert_eq!(checked(&service).await.1, 0);
}

#[tokio::test]
async fn a_model_of_other_dimensions_under_the_same_name_embeds_everything_again() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    let (path, title, content) = LEAVE;
    service.trainer().wiki_entry(path, title, content).await;
    service.trainer().wiki_entry("hr/pay", "Pay day", "Salaries are paid on the last working day.").await;
    service.drain().await;
    stub.set_fault(Some(EmbeddingFault::OtherDimensionsOfQueries));
    service.sweep().await;
    service.drain().await;
    assert_eq!(checked(&service).await.1, 2, "known before they are embedded again");
    stub.set_fault(Some(EmbeddingFault::OtherDimensions));
    service.sweep().await;
    service.drain().await;
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert!(found[0].path.as_str() == path && found[0].cosines[0].unwrap() > 0.5, "{found:?}");
    let kept = service.raw_items().await.iter().filter(|item| item.contains("#VEC#")).count();
    assert_eq!(kept, 2, "vectors of the old dimensions are gone");
}

#[tokio::test]
async fn a_passage_that_the_model_refuses_costs_no_other_its_vector_and_is_given_up() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    stub.set_fault(Some(EmbeddingFault::Refuses("forbidden")));
    let harmless: String = (0..40).map(|n| format!("Department {n} does what department {n} has to do. ")).collect();
    let refused = "Nobody may say this forbidden word, not even in a long text. ".repeat(60);
    let content = format!("{} {harmless}{refused}", LEAVE.2);
    service.trainer().wiki_entry("a/b", "Leave", &content).await;
    service.drain().await;
    assert!(stub.passages().iter().any(|text| text.contains("thirty days")), "the others are embedded and kept");
    for attempt in 2..=5 {
        assert_eq!(checked(&service).await.1, 1, "attempt {attempt} is yet to come");
        assert!(stub.passage_calls() > 0);
        service.sweep().await;
        service.drain().await;
    }
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)), "given up");
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert!(found[0].cosines.iter().any(Option::is_some), "{found:?}");
    stub.passage_calls();
    // Neither a sweep nor an index that is rebuilt asks for it again.
    service.sweep().await;
    service.drain().await;
    service.admin().patch("/settings", json!({"language": "de"})).await.expect(200);
    service.drain().await;
    service.sweep().await;
    service.drain().await;
    assert_eq!((stub.passage_calls(), checked(&service).await.1), (0, json!(0)));
    let changed = format!("{} Nobody says it any more.", LEAVE.2);
    service.trainer().patch("/wiki/a/b", json!({"content": changed})).await.expect(200);
    service.drain().await;
    assert!(stub.passage_calls() > 0, "a change has it embedded again");
    assert_eq!(checked(&service).await.1, 0);
}

#[tokio::test]
async fn a_passage_whose_first_half_the_model_takes_has_the_vector_of_that() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    stub.set_fault(Some(EmbeddingFault::Refuses("forbidden")));
    let content = format!("{} One forbidden word at the end.", LEAVE.2);
    service.trainer().wiki_entry(LEAVE.0, LEAVE.1, &content).await;
    service.drain().await;
    assert_eq!(checked(&service).await.1, 0);
    let found = candidates(&service, &service.scope(), QUESTION, VisibilityFilter::All).await;
    assert_eq!(paths(&found), [LEAVE.0]);
}

#[tokio::test]
async fn a_model_that_refuses_everything_or_is_down_is_tried_for_ever() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    stub.set_fault(Some(EmbeddingFault::Down));
    service.trainer().wiki_entry(LEAVE.0, LEAVE.1, LEAVE.2).await;
    for last_error in [EmbeddingFault::Refuses(""), EmbeddingFault::Html, EmbeddingFault::Down] {
        stub.set_fault(Some(last_error));
        for _ in 0..7 {
            service.sweep().await;
            service.drain().await;
            assert_eq!(checked(&service).await.1, 1, "{last_error:?}");
        }
    }
    stub.set_fault(None);
    service.sweep().await;
    service.drain().await;
    assert_eq!(checked(&service).await, ("ok".into(), json!(0)));
}

#[tokio::test]
async fn a_text_that_the_model_refuses_holds_up_no_other_entry() {
    let stub = EmbeddingStub::start().await;
    let service = service_with(&stub).await;
    stub.set_fault(Some(EmbeddingFault::Refuses("forbidden")));
    for number in 0..8 {
        let text = if number % 2 == 0 {
            "A forbidden, forbidden word: forbidden, forbidden."
        } else {
            "A parcel takes two days."
        };
        service.trainer().wiki_entry(&format!("a/{number}"), "Title", text).await;
    }
    service.drain().await;
    assert_eq!(checked(&service).await.1, 4);
    stub.set_fault(None);
    service.sweep().await;
    service.drain().await;
    assert_eq!(checked(&service).await.1, 0);
}
