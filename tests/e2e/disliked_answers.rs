//! The answers that customers disliked: `GET /analytics/disliked-answers`, and the pointers behind it.

use serde_json::{Value, json};

use crate::support::{Actor, CapacityMeter, TestService};

const REFUND: &str = "How long does a refund take?";
const MISS: &str = "Which zebra sings on Jupiter?";
const LIST: &str = "/analytics/disliked-answers";

async fn entry(service: &TestService) {
    let text = "A refund takes **five** working days after approval.";
    service.trainer().wiki_entry("help/refunds", "Refunds", text).await;
}

/// The message of the answer to a question.
async fn answered(caller: &Actor, session: &str, question: &str) -> String {
    caller.ask(session, question).await.text_at("messageId").to_owned()
}

async fn react(caller: &Actor, session: &str, message: &str, reaction: &str) {
    let body = json!({"reaction": reaction, "messageId": message});
    caller.post(&format!("/sessions/{session}/reaction"), body).await.expect(200);
}

/// The messages that are listed, by pages of two.
async fn listed(caller: &Actor) -> Vec<String> {
    let all = caller.list_all(&format!("{LIST}?limit=2")).await;
    all.iter().map(|one| one["messageId"].as_str().unwrap().to_owned()).collect()
}

async fn pointers(service: &TestService) -> usize {
    service.raw_items().await.iter().filter(|item| item.contains("\"disliked_answer\"")).count()
}

#[tokio::test]
async fn disliked_answers_are_listed_newest_first_with_question_sources_and_comment() {
    let service = TestService::start().await;
    entry(&service).await;
    let customer = service.integration();
    let first = customer.session().await;
    let refund = answered(&customer, &first, "I am ann@mail.example. How long does a refund take?").await;
    react(&customer, &first, &refund, "thumbs_down").await;
    let thanks = answered(&customer, &first, "Thanks!").await;
    react(&customer, &first, &thanks, "thumbs_down").await;
    service.clock.advance(1_000);
    let second = customer.session().await;
    let miss = answered(&customer, &second, MISS).await;
    react(&customer, &second, &miss, "thumbs_down").await;
    react(&customer, &second, &miss, "thumbs_down").await;
    let liked = answered(&customer, &second, REFUND).await;
    react(&customer, &second, &liked, "thumbs_up").await;
    react(&customer, &second, &liked, "flag").await;

    for reader in [service.agent(), service.trainer(), service.admin()] {
        assert_eq!(listed(&reader).await, [miss.as_str(), refund.as_str()], "without what is small talk, or liked");
    }
    let page = service.agent().get(LIST).await;
    let one = &page.items()[1];
    assert_eq!((&one["sessionId"], &one["comment"]), (&json!(first), &Value::Null));
    assert_eq!(one["question"], "I am [email]. How long does a refund take?");
    assert_eq!(one["answer"], "A refund takes **five** working days after approval.");
    let cited = json!({"path": "help/refunds", "title": "Refunds", "version": 1, "used": true});
    assert_eq!(one["sources"][0], cited);
    let turn = &service.agent().turns(&first).await[1];
    assert_eq!((&one["createdAt"], &one["confidence"]), (&turn["createdAt"], &turn["confidence"]));

    let asked = customer.post(&format!("/sessions/{first}/escalate"), json!({"reason": "help"})).await;
    let case = asked.text_at("escalationId").to_owned();
    service.agent().post("/inbox/takeover", json!({"escalationId": case})).await.expect(200);
    service.agent().post_empty(&format!("/inbox/{case}/resolve")).await.expect(200);
    let rating = json!({"score": 1, "comment": "Write to ann@mail.example!"});
    customer.post(&format!("/sessions/{first}/rating"), rating).await.expect(200);
    assert_eq!(service.agent().get(LIST).await.items()[1]["comment"], "Write to [email]!");

    // One that is replaced or taken back is none.
    react(&customer, &first, &refund, "thumbs_up").await;
    assert_eq!(listed(&service.agent()).await, [miss.as_str()]);
    react(&customer, &first, &refund, "thumbs_down").await;
    assert_eq!(listed(&service.agent()).await.len(), 2);
    let back = format!("/sessions/{second}/reaction?reaction=thumbs_down&messageId={miss}");
    customer.delete(&back).await.expect(204);
    assert_eq!(listed(&service.agent()).await, [refund.as_str()]);
    assert_eq!(pointers(&service).await, 1, "also small talk has none");
    for stranger in [service.other_admin(), service.test_admin()] {
        assert_eq!(listed(&stranger).await, [""; 0]);
    }
    let test = service.test_admin();
    let session = test.session().await;
    let own = answered(&test, &session, MISS).await;
    react(&test, &session, &own, "thumbs_down").await;
    assert_eq!((listed(&test).await, listed(&service.admin()).await), (vec![own], vec![refund]));
    for refused in [service.integration(), service.widget("ann").await] {
        refused.get(LIST).await.expect_error(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn an_erased_session_leaves_the_disliked_answers_at_once_and_its_pointers_with_it() {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"retentionDays": 7})).await.expect(200);
    let customer = service.integration();
    let mut sessions = Vec::new();
    for _ in 0..3 {
        let session = customer.session().await;
        for _ in 0..2 {
            let message = answered(&customer, &session, MISS).await;
            react(&customer, &session, &message, "thumbs_down").await;
        }
        sessions.push(session);
    }
    assert_eq!((listed(&service.agent()).await.len(), pointers(&service).await), (6, 6));
    service.admin().delete(&format!("/sessions/{}", sessions[0])).await.expect(204);
    assert_eq!(listed(&service.agent()).await.len(), 4, "before anything is swept");
    service.sweep_without_failure().await;
    assert_eq!(pointers(&service).await, 4);
    for _ in 0..16 {
        service.clock.advance(86_400_000);
        service.sweep_without_failure().await;
    }
    assert_eq!((listed(&service.agent()).await.len(), pointers(&service).await), (0, 0), "after their retention");
}

#[tokio::test]
async fn a_page_of_disliked_answers_costs_the_same_whatever_else_the_tenant_has() {
    let meter = CapacityMeter::default();
    let store = meter.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| store.wrap(inner)));
    })
    .await;
    let customer = service.integration();
    let agent = service.agent();
    let reads = async || {
        meter.take();
        assert_eq!(agent.get(&format!("{LIST}?limit=2")).await.items().len(), 2);
        meter.take().reads
    };
    let disliked = async || {
        let session = customer.session().await;
        let message = answered(&customer, &session, MISS).await;
        react(&customer, &session, &message, "thumbs_down").await;
    };
    for _ in 0..3 {
        disliked().await;
    }
    service.drain().await;
    let few = reads().await;
    for _ in 0..12 {
        disliked().await;
        let session = customer.session().await;
        for _ in 0..3 {
            customer.ask(&session, MISS).await.expect(200);
        }
    }
    service.drain().await;
    let many = reads().await;
    assert!(many <= few + 1.0, "{few} and {many} units");
}
