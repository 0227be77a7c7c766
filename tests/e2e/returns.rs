//! Customers who come back after a person's part: complaints go to people again, thanks and new questions do not.

use serde_json::{Value, json};

use crate::inbox_claims::{act, claimed_by_anna};
use crate::support::{Actor, TestService};

const QUESTION: &str = "How long does a refund take?";

/// Complaints in six languages.
const COMPLAINTS: &[&str] = &[
    "it still does not work",
    "hello??",
    "not solved",
    "The problem is back",
    "das geht immer noch nicht",
    "nicht gelöst",
    "ça ne marche toujours pas",
    "ce n'est pas résolu",
    "sigue sin funcionar",
    "no está solucionado",
    "ainda não funciona",
    "o problema voltou",
    "まだ動きません",
    "还是不行",
];

/// The act that ends a person's part.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Ending {
    Resolve,
    Handback,
}

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    let trainer = service.trainer();
    trainer.wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    trainer.wiki_entry("help/work", "It does not work", "If it still does not work, restart the device.").await;
    service
}

/// A session after the part of a person, and that person's case.
async fn after_a_person(service: &TestService, ending: Ending) -> (String, String) {
    let (session, id) = claimed_by_anna(service).await;
    let said = json!({"content": "I have sent a new key.", "agentId": "anna"});
    act(&service.agent(), &id, "message", said).await.expect(200);
    match ending {
        Ending::Resolve => {
            let body = json!({"agentId": "anna", "resolution": "Sent a new key"});
            act(&service.agent(), &id, "resolve", body).await.expect(200);
            service.integration().post("/sessions/resume", json!({"sessionId": session})).await.expect(200);
        }
        Ending::Handback => {
            let body = json!({"agentId": "anna", "note": "Sent a new key"});
            act(&service.agent(), &id, "handback", body).await.expect(200);
        }
    }
    (session, id)
}

async fn says(caller: &Actor, session: &str, words: &str) -> Value {
    caller.ask(session, words).await.expect(200).clone()
}

#[tokio::test]
async fn a_complaint_after_a_persons_part_goes_back_to_people_with_the_earlier_case() {
    let service = with_refunds().await;
    let (caller, agent) = (service.integration(), service.agent());
    for (number, words) in COMPLAINTS.iter().enumerate() {
        let ending = if number % 2 == 0 { Ending::Resolve } else { Ending::Handback };
        let (session, earlier) = after_a_person(&service, ending).await;
        let body = says(&caller, &session, words).await;
        assert_eq!(
            (&body["disposition"], &body["ownership"], &body["unanswered"], &body["sources"]),
            (&json!("escalated"), &json!("pending_handover"), &json!(false), &json!([])),
            "{words} after {ending:?}: {body}"
        );
        let case = agent.get(&format!("/inbox/{}", body["escalationId"].as_str().unwrap())).await.expect(200).clone();
        assert_eq!((&case["reasonCategory"], &case["requestedBy"]), (&json!("came_back"), &json!("ai")), "{words}");
        let former = agent.get(&format!("/inbox/{earlier}")).await.at("claimedBy").clone();
        assert!(former["agentId"].is_string() && case["formerAgent"] == former, "{words}: {case}");
        assert_eq!((&case["claimedBy"], &case["releaseReason"]), (&json!(null), &json!(null)), "{words}");
        assert!(case["reason"].as_str().unwrap().contains(&earlier), "{case}");
        let summary = case["summary"].as_str().unwrap();
        assert!(summary.contains(words) && summary.contains("Sent a new key"), "{summary}");
        assert_eq!(says(&caller, &session, "ok").await["disposition"], "queued_for_human");
    }
}

#[tokio::test]
async fn thanks_and_new_questions_after_a_persons_part_stay_with_the_ai() {
    let service = with_refunds().await;
    let caller = service.integration();
    for ending in [Ending::Resolve, Ending::Handback] {
        let (session, _) = after_a_person(&service, ending).await;
        for (words, disposition) in [
            ("thanks", "small_talk"),
            ("Vielen Dank!", "small_talk"),
            ("hello", "small_talk"),
            (QUESTION, "answered"),
            ("thank you, that solved it", "small_talk"),
        ] {
            let body = says(&caller, &session, words).await;
            assert_eq!((&body["disposition"], &body["ownership"]), (&json!(disposition), &json!("ai")), "{words}");
        }
        let unknown = says(&caller, &session, "Do you sell purple elephants by the dozen?").await;
        assert_eq!((&unknown["disposition"], &unknown["unanswered"]), (&json!("escalated"), &json!(true)));
    }
}

#[tokio::test]
async fn without_a_persons_part_a_complaint_asks_the_wiki() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let body = says(&caller, &session, "it still does not work").await;
    assert_eq!(
        (&body["disposition"], &body["sources"][0]["path"]),
        (&json!("answered"), &json!("help/work")),
        "{body}"
    );
}
