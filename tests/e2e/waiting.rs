//! Replies of the assistant while a customer waits for a person; it offers one in a chat before it calls one.

use domain::models::Timestamp;
use serde_json::{Value, json};

use crate::inbox_claims::act;
use crate::support::{Actor, Faults, IndexSwitch, TestService};

const QUESTION: &str = "How long does a refund take?";
const UNKNOWN: &str = "Do you sell purple elephants by the dozen?";

async fn with_refunds(service: TestService) -> TestService {
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

/// A customer who waits: the session, and the request for a person.
async fn waiting(customer: &Actor) -> (String, String) {
    let session = customer.session().await;
    let asked = customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    (session, asked.text_at("escalationId").to_owned())
}

async fn roles(service: &TestService, session: &str) -> Vec<String> {
    let turns = service.admin().turns(session).await;
    turns.iter().map(|turn| turn["event"].as_str().or(turn["role"].as_str()).unwrap().to_owned()).collect()
}

async fn disposition(customer: &Actor, session: &str, words: &str) -> Value {
    customer.ask(session, words).await.expect(200)["disposition"].clone()
}

#[tokio::test]
async fn the_wiki_goes_on_answering_who_waits_and_the_agent_reads_it() {
    let service = with_refunds(TestService::start().await).await;
    for customer in [service.integration(), service.widget("vis_1").await] {
        let (session, id) = waiting(&customer).await;
        let (path, message) =
            (format!("/sessions/{session}/messages"), json!({"content": QUESTION, "clientMessageId": "m1"}));
        let told = customer.post(&path, message.clone()).await;
        let body = told.expect(200);
        assert_eq!((&body["disposition"], &body["ownership"]), (&json!("answered"), &json!("pending_handover")));
        assert_eq!((&body["escalationId"], &body["peopleAvailable"]), (&json!(id), &json!(true)));
        assert!(body["answer"].as_str().unwrap().contains("five working days"), "{body}");
        assert_eq!(body["sources"][0]["path"], "help/refunds");
        let again = customer.post(&path, message).await;
        assert_eq!((again.expect(200), again.header("idempotency-replayed")), (body, "true"));
        // A question that the wiki does not know is for the person, as is a message to one.
        for words in [UNKNOWN, "I want to talk to a human", "hello", "this is useless"] {
            let silent = customer.ask(&session, words).await;
            let is = (silent.at("disposition"), silent.at("answer"));
            assert_eq!(is, (&json!("queued_for_human"), &json!("")), "{words}: {}", silent.text);
        }
        let case = service.agent().get(&format!("/inbox/{id}")).await.expect(200).clone();
        let said = case["messages"].as_array().unwrap();
        let answers: Vec<_> = said.iter().filter(|turn| turn["role"] == "ai").collect();
        assert_eq!((answers.len(), &answers[0]["answer"]), (1, &body["answer"]), "{case}");
        assert_eq!((&case["status"], &case["session"]["ownership"]), (&json!("pending"), &json!("pending_handover")));
        service.agent().post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
        assert_eq!(disposition(&customer, &session, QUESTION).await, "queued_for_human", "a person is there");
        act(&service.agent(), &id, "release", json!({})).await.expect(200);
        assert_eq!(disposition(&customer, &session, QUESTION).await, "queued_for_human", "a person had it");
    }
}

#[tokio::test]
async fn what_was_left_while_one_waited_is_answered_once_nobody_is_awaited_and_what_was_answered_is_not() {
    let service = with_refunds(TestService::start().await).await;
    let customer = service.integration();
    let (session, _) = waiting(&customer).await;
    assert_eq!(disposition(&customer, &session, UNKNOWN).await, "queued_for_human");
    assert_eq!(disposition(&customer, &session, QUESTION).await, "answered");
    let back = customer.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
    assert_eq!(back.expect(200)["ownership"], "ai");
    let said = ["handover_requested", "customer", "customer", "ai", "handover_ended", "ai"];
    assert_eq!(roles(&service, &session).await, said);
    let last = service.admin().turns(&session).await.pop().unwrap();
    assert_eq!((&last["disposition"], &last["unanswered"]), (&json!("no_answer"), &json!(true)), "the first one's");
}

#[tokio::test]
async fn a_tenant_may_have_the_assistant_silent_while_one_waits() {
    let service = with_refunds(TestService::start().await).await;
    let admin = service.admin();
    assert_eq!(admin.get("/settings").await.at("answersWhileWaiting"), true);
    admin.patch("/settings", json!({"answersWhileWaiting": null})).await.expect_error(400, "VALIDATION_ERROR");
    admin.patch("/settings", json!({"answersWhileWaiting": "no"})).await.expect_error(400, "VALIDATION_ERROR");
    let off = admin.patch("/settings", json!({"answersWhileWaiting": false})).await;
    assert_eq!(off.expect(200)["answersWhileWaiting"], false);
    let (session, _) = waiting(&service.integration()).await;
    assert_eq!(disposition(&service.integration(), &session, QUESTION).await, "queued_for_human");
    assert_eq!(roles(&service, &session).await, ["handover_requested", "customer"]);
}

#[tokio::test]
async fn an_answer_to_who_waits_is_dropped_where_an_agent_was_faster() {
    let index = IndexSwitch::behind(&Faults::default());
    let wrap = index.wrap();
    let service = with_refunds(TestService::with(|options| options.wrap_index = Some(wrap)).await).await;
    let customer = service.integration();
    let (session, id) = waiting(&customer).await;
    index.hold();
    let asking = tokio::spawn({
        let (customer, session) = (customer.clone(), session.clone());
        async move { customer.ask(&session, QUESTION).await }
    });
    while roles(&service, &session).await.len() < 2 {
        tokio::task::yield_now().await;
    }
    service.agent().post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
    index.on();
    let told = asking.await.unwrap();
    assert_eq!((&told.expect(200)["disposition"], told.at("answer")), (&json!("queued_for_human"), &json!("")));
    assert_eq!(roles(&service, &session).await, ["handover_requested", "customer", "agent_joined"]);
}

#[tokio::test]
async fn who_waits_when_the_team_goes_home_is_told_once_when_it_is_back() {
    let service = with_refunds(TestService::start().await).await;
    let now = Timestamp::parse(service.anonymous().get("/health").await.text_at("time")).unwrap();
    let until = |at: &str| Timestamp::parse(at).unwrap().millis_since(now);
    let day = json!([{"from": "09:00", "to": "17:00"}]);
    let hours = json!({"timezone": "UTC", "week": {"mon": day, "tue": day, "wed": day, "thu": day, "fri": day}});
    service.admin().patch("/settings", json!({"hours": hours})).await.expect(200);
    // Friday afternoon, and the evening.
    service.clock.advance(until("2026-06-19T16:00:00Z"));
    let customer = service.integration();
    let (session, id) = waiting(&customer).await;
    assert_eq!(disposition(&customer, &session, UNKNOWN).await, "queued_for_human");
    service.clock.advance(2 * 3_600_000);
    service.drain().await;
    let figures = service.admin().get("/analytics").await.at("counts").clone();
    let told = customer.ask(&session, "So?").await;
    let text = "Our team is back on Monday at 9:00. The team will read what you wrote and answer here.";
    let body = told.expect(200);
    assert_eq!((body["answer"].as_str(), &body["disposition"]), (Some(text), &json!("small_talk")));
    assert_eq!((&body["ownership"], &body["escalationId"]), (&json!("pending_handover"), &json!(id)));
    assert_eq!((&body["peopleAvailable"], &body["nextOpenAt"]), (&json!(false), &json!("2026-06-22T09:00:00.000Z")));
    let silent = customer.ask(&session, "Please.").await;
    assert_eq!(silent.expect(200)["answer"], "", "once is enough");
    service.drain().await;
    assert_eq!(service.admin().get("/analytics").await.at("counts"), &figures, "it is in no figure");
    let answered = customer.ask(&session, QUESTION).await;
    assert!(answered.text_at("answer").contains("five working days"), "what the wiki knows is said at night too");
    let said = ["handover_requested", "customer", "customer", "ai", "customer", "customer", "ai"];
    assert_eq!(roles(&service, &session).await, said);
    // The hours were no answer.
    customer.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let last = service.admin().turns(&session).await.pop().unwrap();
    assert_eq!((&last["disposition"], &last["unanswered"]), (&json!("no_answer"), &json!(true)));
}

#[tokio::test]
async fn in_a_chat_misses_offer_a_person_and_call_none_until_the_customer_says_yes() {
    let service = with_refunds(TestService::start().await).await;
    let widget = service.widget("vis_1").await;
    let session = widget.session().await;
    for words in [UNKNOWN, "And giraffe insurance?", "Or kubernetes operators?"] {
        let missed = widget.ask(&session, words).await;
        assert_eq!((&missed.expect(200)["disposition"], missed.at("ownership")), (&json!("no_answer"), &json!("ai")));
        assert_eq!(missed.at("unanswered"), true);
    }
    assert_eq!(disposition(&widget, &session, "yes please").await, "escalated");
    // In other channels nobody may read the offer.
    let caller = service.integration();
    let session = caller.session().await;
    assert_eq!(disposition(&caller, &session, UNKNOWN).await, "no_answer");
    assert_eq!(disposition(&caller, &session, "And giraffe insurance?").await, "escalated");
}
