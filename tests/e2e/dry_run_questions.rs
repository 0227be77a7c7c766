//! The questions that a dry run asks: those of a gap, of an entry, and pinned ones.

use serde_json::{Value, json};

use crate::dry_runs::{ZEBRA, entries, outcome, outcomes, try_out, zebras};
use crate::support::TestService;

#[tokio::test]
async fn the_questions_of_a_gap_are_asked_and_those_of_another_tenants_gap_are_not_found() {
    let service = TestService::start().await;
    entries(&service).await;
    let session = service.integration().session().await;
    service.integration().ask(&session, ZEBRA).await.expect(200);
    service.drain().await;
    let gap = service.agent().get("/analytics/kb-gaps").await.items()[0]["gapId"].clone();
    let run = try_out(&service.agent(), json!([zebras()]), json!({"gapId": gap})).await;
    assert_eq!(outcomes(&run), [outcome(ZEBRA, "no_answer", "answered", "gained")]);
    assert_eq!(run.items()[0]["sessionId"], json!(session));
    for foreign in [service.other_admin(), service.test_admin()] {
        try_out(&foreign, json!([zebras()]), json!({"gapId": gap})).await.expect_error(404, "NOT_FOUND");
    }
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    let erased = try_out(&service.agent(), json!([zebras()]), json!({"gapId": gap})).await;
    assert_eq!(outcomes(&erased), [], "what was said in a deleted session is not asked");
}

#[tokio::test]
async fn every_customer_of_a_gap_is_asked_also_those_who_put_it_alike() {
    let service = TestService::start().await;
    entries(&service).await;
    let customer = service.integration();
    for number in 0..12 {
        let session = customer.session().await;
        customer
            .ask(&session, if number % 2 == 0 { ZEBRA } else { "Jupiter: which zebra sings there?" })
            .await
            .expect(200);
        service.clock.advance(1_000);
    }
    service.drain().await;
    let gap = service.agent().get("/analytics/kb-gaps").await.items()[0].clone();
    assert_eq!((&gap["count"], gap["examples"].as_array().unwrap().len()), (&json!(12), 2));
    let (mut asked, mut cursor) = (Vec::new(), Value::Null);
    loop {
        let body = json!({"changes": [zebras()], "questions": {"gapId": gap["gapId"]}, "limit": 5, "cursor": cursor});
        let page = service.agent().post("/dry-runs", body).await;
        page.expect(200);
        asked.extend(page.items().iter().map(|item| (item["sessionId"].clone(), item["change"].clone())));
        cursor = page.at("nextCursor").clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(asked.len(), 12);
    assert!(asked.iter().all(|(_, change)| change == "gained"), "{asked:?}");
    let sessions: std::collections::BTreeSet<String> = asked.iter().map(|(session, _)| session.to_string()).collect();
    assert_eq!(sessions.len(), 12);
}

#[tokio::test]
async fn the_questions_of_an_entry_are_those_whose_answer_was_made_from_it_within_so_many_days() {
    let service = TestService::start().await;
    entries(&service).await;
    let customer = service.integration();
    let old = customer.session().await;
    customer.ask(&old, "When does a refund come?").await.expect(200);
    service.clock.advance(3 * 86_400_000);
    let both = customer.session().await;
    let asked = "How long does a refund take, and how long does a parcel to Norway take?";
    customer.ask(&both, asked).await.expect(200);
    let other = customer.session().await;
    customer.ask(&other, "How long does a parcel to Norway take?").await.expect(200);
    customer.ask(&other, "How long does a refund take after approval?").await.expect(200);
    service.drain().await;
    let change = json!([{"path": "help/refunds", "content": "Money comes back by cheque."}]);
    let run = async |days: u32| {
        let run = try_out(&service.agent(), change.clone(), json!({"path": "help/refunds", "days": days})).await;
        run.expect(200)["items"].as_array().unwrap().iter().map(|item| item["sessionId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(run(1).await, [json!(other), json!(both)], "newest answer first");
    assert_eq!(run(30).await, [json!(other), json!(both), json!(old)]);
    service.admin().delete(&format!("/sessions/{both}")).await.expect(204);
    assert_eq!(run(30).await, [json!(other), json!(old)]);
}

#[tokio::test]
async fn a_no_to_the_offer_of_a_person_ends_the_misses_in_a_row_as_it_did_for_the_customer() {
    let service = TestService::start().await;
    entries(&service).await;
    let customer = service.integration();
    let session = customer.session().await;
    let said = [ZEBRA, "no thanks", "What is the price of marzipan?", "hi", "Who paints the moon?"];
    let mut was = Vec::new();
    for text in said {
        was.push(customer.ask(&session, text).await.expect(200)["disposition"].clone());
    }
    assert_eq!(json!(was), json!(["no_answer", "small_talk", "no_answer", "small_talk", "escalated"]));
    service.drain().await;
    let run = try_out(&service.agent(), json!([{"path": "help/refunds", "title": "Money"}]), json!({"days": 1})).await;
    let predicted: Vec<Value> = run.items().iter().rev().map(|item| item["after"]["disposition"].clone()).collect();
    assert_eq!(json!(predicted), json!(["no_answer", "no_answer", "escalated"]));
}
