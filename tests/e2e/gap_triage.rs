//! Decisions about knowledge gaps: a dismissed gap still counts, and opens again on request only.

use serde_json::{Value, json};

use crate::changes::{collector, kinds};
use crate::support::{Actor, Fault, Faults, Reply, TestService};

const QUESTION: &str = "How do I export my invoices?";

async fn ask(caller: &Actor) {
    let session = caller.session().await;
    caller.ask(&session, QUESTION).await.expect(200);
}

/// The gaps of one status, once everything is counted.
async fn gaps(service: &TestService, status: &str) -> Vec<Value> {
    service.drain().await;
    service.trainer().get(&format!("/analytics/kb-gaps?status={status}")).await.items().to_vec()
}

async fn one_gap(service: &TestService) -> String {
    ask(&service.integration()).await;
    gaps(service, "open").await[0]["gapId"].as_str().unwrap().to_owned()
}

async fn set(actor: &Actor, gap: &str, status: &str) -> Reply {
    actor.patch(&format!("/analytics/kb-gaps/{gap}"), json!({"status": status})).await
}

/// Lets the review that is due happen.
async fn review(service: &TestService) {
    service.drain().await;
    service.clock.advance(5_000);
    service.sweep().await;
    service.drain().await;
}

#[tokio::test]
async fn a_dismissed_gap_counts_on_and_stays_out_of_the_open_list() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let gap = one_gap(&service).await;
    let dismissed = set(&trainer, &gap, "dismissed").await;
    let shown = ["gapId", "query", "count", "status"].map(|field| dismissed.expect(200)[field].clone());
    assert_eq!(shown, [json!(gap), json!(QUESTION), json!(1), json!("dismissed")]);
    assert_eq!(set(&trainer, &gap, "dismissed").await.expect(200), dismissed.expect(200), "again: as it is");
    ask(&service.integration()).await;
    assert!(gaps(&service, "open").await.is_empty());
    let listed = gaps(&service, "dismissed").await;
    assert_eq!((listed.len(), &listed[0]["count"], &listed[0]["sessions"]), (1, &json!(2), &json!(2)));
    let opened = set(&trainer, &gap, "open").await;
    assert_eq!((&opened.expect(200)["status"], opened.at("count")), (&json!("open"), &json!(2)));
    assert_eq!((gaps(&service, "open").await.len(), gaps(&service, "dismissed").await.len()), (1, 0));
    set(&trainer, &gap, "open").await.expect_error(409, "INVALID_STATE");
}

#[tokio::test]
async fn a_review_leaves_a_dismissed_gap_alone_and_asks_it_once_it_is_open_again() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let gap = one_gap(&service).await;
    set(&trainer, &gap, "dismissed").await.expect(200);
    trainer.wiki_entry("help/export", "Export invoices", "Invoices are exported under Billing, Export invoices.").await;
    review(&service).await;
    assert_eq!(gaps(&service, "dismissed").await.len(), 1);
    set(&trainer, &gap, "open").await.expect(200);
    review(&service).await;
    assert_eq!(gaps(&service, "resolved").await.len(), 1, "what was written meanwhile closes it");
    set(&trainer, &gap, "open").await.expect_error(409, "INVALID_STATE");
    set(&trainer, &gap, "dismissed").await.expect(200);
    trainer.delete("/wiki/help/export").await.expect(204);
    review(&service).await;
    assert_eq!((gaps(&service, "open").await.len(), gaps(&service, "dismissed").await.len()), (0, 1));
}

#[tokio::test]
async fn a_decision_is_validated_and_makes_no_event() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, domain::models::Subscription::All).await;
    let gap = one_gap(&service).await;
    let told = kinds(&service, &receiver).await;
    let trainer = service.trainer();
    let path = format!("/analytics/kb-gaps/{gap}");
    for (body, detail) in [
        (json!({}), "status REQUIRED"),
        (json!({"status": null}), "status REQUIRED"),
        (json!({"status": "resolved"}), "status NOT_ALLOWED"),
        (json!({"status": 7}), "status WRONG_TYPE"),
    ] {
        let reply = trainer.patch(&path, body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), [detail]);
    }
    set(&service.agent(), &gap, "dismissed").await.expect_error(403, "FORBIDDEN");
    for missing in ["gap_00000000000000000000000000000000", "nothing"] {
        set(&trainer, missing, "dismissed").await.expect_error(404, "NOT_FOUND");
    }
    for elsewhere in [service.other_admin(), service.test_admin()] {
        set(&elsewhere, &gap, "dismissed").await.expect_error(404, "NOT_FOUND");
    }
    assert_eq!(gaps(&service, "open").await.len(), 1, "nothing of this changed it");
    set(&trainer, &gap, "dismissed").await.expect(200);
    service.drain().await;
    assert_eq!(kinds(&service, &receiver).await, told);
}

#[tokio::test]
async fn a_decision_whose_reply_was_lost_is_made_once_and_succeeds() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| wire.wrap(http)))).await;
    let trainer = service.trainer();
    let gap = one_gap(&service).await;
    for call in 1..=8 {
        for status in ["dismissed", "open"] {
            service.drain().await;
            faults.arm(call, 1, Fault::LoseReply);
            assert_eq!(set(&trainer, &gap, status).await.expect(200)["status"], status, "lost from {call}");
            faults.disarm();
        }
    }
    assert_eq!(gaps(&service, "open").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_at_once_no_question_and_no_decision_is_lost() {
    let service = TestService::start().await;
    let gap = one_gap(&service).await;
    let (caller, trainer) = (service.integration(), service.trainer());
    let all = (0..64).map(|number| {
        let (caller, trainer, gap) = (caller.clone(), trainer.clone(), gap.clone());
        tokio::spawn(async move {
            match number % 2 {
                0 => ask(&caller).await,
                _ => drop(set(&trainer, &gap, "dismissed").await.expect(200)),
            }
        })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    let dismissed = gaps(&service, "dismissed").await;
    assert_eq!((dismissed.len(), &dismissed[0]["count"]), (1, &json!(33)));
}
