//! Many agents at once, lost replies, and takeovers during an answer: no escalation is claimed twice, none is lost, and
//! no AI turn follows a takeover.
//!
//! `SUPPORT_TEST_SEEDS` requests a thorough run: so many queues of 200 customers, with 64 agents. Without it there is
//! one small queue each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use answer::model::LanguageModel;
use serde_json::{Value, json};

use crate::support::{Actor, Fault, Faults, ModelStub, Recorder, TestService, answered, scale};

const QUESTION: &str = "How long does a refund take?";
/// More than the calls of any message here.
const CALLS: usize = 16;

/// One claim as its agent saw it.
struct Claim {
    escalation: String,
    agent: String,
    start: Instant,
    end: Instant,
}

/// How many race for how many, and how often.
struct Scale {
    agents: usize,
    waiting: usize,
    seeds: Vec<u64>,
}

fn scale() -> Scale {
    match scale::seeds() {
        Some(seeds) => Scale { agents: 64, waiting: 200, seeds },
        None => Scale { agents: 24, waiting: 40, seeds: vec![0] },
    }
}

async fn with_faults() -> (TestService, Faults) {
    with_faults_and_model(None).await
}

async fn with_faults_and_model(model: Option<Arc<dyn LanguageModel>>) -> (TestService, Faults) {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
        options.model = model;
    })
    .await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    (service, faults)
}

/// Fills the queue; the escalations in its order.
async fn fill(service: &TestService, waiting: usize) -> Vec<String> {
    let caller = service.integration();
    let askers = (0..8).map(|_| {
        let caller = caller.clone();
        tokio::spawn(async move {
            for _ in 0..waiting / 8 {
                let session = caller.session().await;
                caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
            }
        })
    });
    for asker in askers.collect::<Vec<_>>() {
        asker.await.unwrap();
    }
    let queue = service.agent().list_all("/inbox?limit=100").await;
    queue.iter().map(|item| item["escalationId"].as_str().unwrap().to_owned()).collect()
}

/// An agent who takes over until nobody waits, each time under a key of its own, again under the same if the reply
/// was lost.
async fn take_all(caller: Actor, agent: String) -> Vec<Claim> {
    let mut claims = Vec::new();
    for number in 0.. {
        let keyed = caller.with_header("idempotency-key", &format!("{agent}-{number}"));
        let start = Instant::now();
        let reply = loop {
            let reply = keyed.post("/inbox/takeover", json!({"agentId": agent})).await;
            if reply.status != 503 {
                break reply;
            }
        };
        if reply.status == 404 {
            reply.expect_error(404, "NOT_FOUND");
            break;
        }
        assert_eq!(reply.expect(200)["claimedBy"]["agentId"], agent.as_str());
        let escalation = reply.text_at("escalationId").to_owned();
        claims.push(Claim { escalation, agent: agent.clone(), start, end: Instant::now() });
    }
    claims
}

async fn race(service: &TestService, agents: usize, seed: u64) -> Vec<Claim> {
    let agents = (0..agents).map(|number| {
        let caller = if number % 8 == 0 { service.admin() } else { service.agent() };
        tokio::spawn(take_all(caller, format!("agent-{seed}-{number}")))
    });
    let mut claims = Vec::new();
    for agent in agents.collect::<Vec<_>>() {
        claims.extend(agent.await.unwrap());
    }
    claims
}

async fn check_outcome(service: &TestService, queue: &[String], claims: &[Claim]) {
    let claimed: BTreeSet<&str> = claims.iter().map(|claim| claim.escalation.as_str()).collect();
    if let Some(forgotten) = queue.iter().find(|id| !claimed.contains(id.as_str())) {
        panic!(
            "{} claims; nobody has {}",
            claims.len(),
            service.agent().get(&format!("/inbox/{forgotten}")).await.text
        );
    }
    assert_eq!(claims.len(), queue.len(), "as many claims as customers");
    assert_eq!(claimed.len(), queue.len(), "nobody is claimed twice, nobody is forgotten");
    let places: BTreeMap<&str, usize> = queue.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
    for (a, b) in claims.iter().flat_map(|a| claims.iter().map(move |b| (a, b))).filter(|(a, b)| a.end < b.start) {
        let (first, then) = (places[a.escalation.as_str()], places[b.escalation.as_str()]);
        assert!(first < then, "place {first} was given before place {then} was asked for");
    }
    for claim in claims {
        let now = service.agent().get(&format!("/inbox/{}", claim.escalation)).await;
        assert_eq!(now.expect(200)["claimedBy"]["agentId"], claim.agent.as_str());
        assert_eq!((now.at("status"), now.at("/session/ownership")), (&json!("claimed"), &json!("human")));
        let joined = now.at("messages").as_array().unwrap().iter().filter(|turn| turn["event"] == "agent_joined");
        assert_eq!(joined.count(), 1, "{}", now.text);
    }
    assert!(service.agent().get("/inbox").await.items().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_agents_at_once_claim_each_customer_once_and_in_order() {
    let Scale { agents, waiting, seeds } = scale();
    for seed in seeds {
        let service = TestService::start().await;
        let queue = fill(&service, waiting).await;
        assert_eq!(queue.len(), waiting);
        let claims = race(&service, agents, seed).await;
        check_outcome(&service, &queue, &claims).await;
        println!("figure: takeover race, {agents} agents, seed {seed}: {} of {waiting} claimed once", claims.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fifth_of_all_replies_lost_loses_no_customer() {
    let Scale { agents, waiting, seeds } = scale();
    for seed in seeds {
        let (service, faults) = with_faults().await;
        let queue = fill(&service, waiting).await;
        faults.arm_random(seed, 20, &[Fault::LoseReply]);
        let claims = race(&service, agents, seed).await;
        let calls = faults.disarm();
        assert!(calls > waiting);
        check_outcome(&service, &queue, &claims).await;
        let claimed = claims.len();
        println!(
            "figure: takeover race, {agents} agents, a fifth of {calls} replies lost, seed {seed}: {claimed} of {waiting} claimed once"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_who_loses_a_race_reads_the_queue_again_and_not_the_rest_of_a_stale_page() {
    let (faults, requests) = (Faults::default(), Recorder::default());
    let (wire, recorder) = (faults.clone(), requests.clone());
    let service =
        TestService::with(|options| options.wrap_database = Some(Box::new(move |http| recorder.wrap(wire.wrap(http)))))
            .await;
    let queue = fill(&service, 8).await;
    // The late agent has read the queue and its head; the write that claims the head waits.
    let held = faults.pause(2, &queue[0]);
    let late = service.agent();
    let taking = tokio::spawn(async move { late.post_empty("/inbox/takeover").await });
    assert!(held.wait_until_paused(&taking).await);
    faults.disarm();
    for customer in &queue[..6] {
        assert_eq!(service.admin().post_empty("/inbox/takeover").await.expect(200)["escalationId"], customer.as_str());
    }
    service.drain().await;
    requests.take();
    held.release();
    assert_eq!(taking.await.unwrap().expect(200)["escalationId"], queue[6].as_str());
    let requests = requests.take();
    let again = requests.lines().filter(|request| request.contains(&queue[0])).count();
    assert_eq!(again, 1, "of the customer whom it lost, it read the escalation alone");
    let stale: Vec<&String> = queue[1..6].iter().filter(|id| requests.contains(id.as_str())).collect();
    assert!(stale.is_empty(), "it read {} customers whom others had taken over", stale.len());
}

#[tokio::test]
async fn a_takeover_survives_the_loss_of_any_one_reply_and_is_found_again_under_its_key_after_three() {
    let (service, faults) = with_faults().await;
    let (caller, agent) = (service.integration(), service.agent());
    for (losses, call) in [1, 3].into_iter().flat_map(|losses| (1..=CALLS).map(move |call| (losses, call))) {
        let session = caller.session().await;
        let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
        service.drain().await;
        faults.arm(call, losses, Fault::LoseReply);
        let keyed = agent.with_header("idempotency-key", &format!("{losses}-{call}"));
        let first = keyed.post_empty("/inbox/takeover").await;
        let calls = faults.disarm();
        assert!(first.status == 200 || (losses == 3 && first.status == 503), "{} {}", first.status, first.text);
        let again = keyed.post_empty("/inbox/takeover").await;
        assert_eq!(again.expect(200)["escalationId"], *asked.at("escalationId"), "{losses} lost from {call}");
        agent.post_empty("/inbox/takeover").await.expect_error(404, "NOT_FOUND");
        let joined = caller.turns(&session).await.iter().filter(|turn| turn["event"] == "agent_joined").count();
        assert_eq!(joined, 1, "{losses} lost from {call}");
        if call > calls {
            break;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repetition_that_overtakes_its_first_attempt_finds_the_customer_whom_that_claims() {
    let (service, faults) = with_faults().await;
    let queue = fill(&service, 8).await;
    let (last, others) = queue.split_last().unwrap();
    for _ in others {
        service.agent().post_empty("/inbox/takeover").await.expect(200);
    }
    service.drain().await;
    let keyed = service.agent().with_header("idempotency-key", "patient");
    let take = || {
        let keyed = keyed.clone();
        tokio::spawn(async move { keyed.post_empty("/inbox/takeover").await })
    };
    // The first attempt has read the last customer, and its claim waits.
    let claim = faults.pause(2, last);
    let first = take();
    assert!(claim.wait_until_paused(&first).await);
    // The repetition has found no record, and its look at the queue waits.
    let look = faults.pause(1, "#INBOX#");
    let again = take();
    assert!(look.wait_until_paused(&again).await);
    claim.release();
    assert_eq!(first.await.unwrap().expect(200)["escalationId"], last.as_str());
    look.release();
    assert_eq!(again.await.unwrap().expect(200)["escalationId"], last.as_str());
}

/// Asks for a human and lets an agent take over.
async fn human_arrives(service: &TestService, session: &str) {
    let escalate = format!("/sessions/{session}/escalate");
    let asked = service.integration().post(&escalate, json!({"reason": "now"})).await;
    asked.expect(200);
    let named = json!({"escalationId": asked.at("escalationId")});
    service.agent().post("/inbox/takeover", named).await.expect(200);
}

fn no_ai_after_the_human(turns: &[Value]) {
    let joined = turns.iter().position(|turn| turn["event"] == "agent_joined").expect("an agent joined");
    assert!(turns[joined..].iter().all(|turn| turn["role"] != "ai"), "{turns:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_human_who_arrives_at_any_step_of_an_answer_is_not_followed_by_it() {
    // Without a model, one transaction stores a message with its answer.
    let at_once = outcomes_with(None).await;
    assert_eq!(at_once, BTreeSet::from(["answered", "queued_for_human"].map(str::to_owned)), "before and after");
    let model = ModelStub::new(|_| Some(answered("A refund takes five working days after approval.", &[1])));
    let all = ["answered", "queued_for_human", "superseded"].map(str::to_owned);
    assert_eq!(outcomes_with(Some(model)).await, BTreeSet::from(all), "the human came before, during and after");
}

/// The dispositions of messages beside which a human arrives, each at another step.
async fn outcomes_with(model: Option<Arc<dyn LanguageModel>>) -> BTreeSet<String> {
    let (service, faults) = with_faults_and_model(model).await;
    let caller = service.integration();
    let mut outcomes = BTreeSet::new();
    for call in 1..=CALLS {
        let session = caller.session().await;
        let held = faults.pause(call, &session);
        let asking = tokio::spawn({
            let (caller, session) = (caller.clone(), session.clone());
            async move { caller.ask(&session, QUESTION).await }
        });
        let wait_until_paused = held.wait_until_paused(&asking).await;
        faults.disarm();
        human_arrives(&service, &session).await;
        held.release();
        let reply = asking.await.unwrap();
        let disposition = reply.expect(200)["disposition"].as_str().unwrap().to_owned();
        no_ai_after_the_human(&caller.turns(&session).await);
        assert!(disposition == "answered" || reply.text_at("answer").is_empty(), "{}", reply.text);
        outcomes.insert(disposition);
        if !wait_until_paused {
            break;
        }
    }
    outcomes
}

/// Ends the wait for a human, or the human's part, so that the AI owns the session.
async fn the_ai_returns(service: &TestService, session: &str, claimed: Option<&str>) {
    match claimed {
        None => {
            let cancel = format!("/sessions/{session}/cancel-escalation");
            service.integration().post_empty(&cancel).await.expect(200);
        }
        Some(escalation) => {
            service.agent().post_empty(&format!("/inbox/{escalation}/handback")).await.expect(200);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_asked_at_any_step_of_a_cancellation_or_handback_is_answered() {
    let (service, faults) = with_faults().await;
    let caller = service.integration();
    for with_an_agent in [false, true] {
        let mut outcomes = BTreeSet::new();
        for call in 1..=CALLS {
            let session = caller.session().await;
            let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "now"})).await;
            let escalation = asked.text_at("escalationId");
            if with_an_agent {
                service.agent().post("/inbox/takeover", json!({"escalationId": escalation})).await.expect(200);
            }
            let held = faults.pause(call, &session);
            let asking = tokio::spawn({
                let (caller, session) = (caller.clone(), session.clone());
                async move { caller.ask(&session, QUESTION).await }
            });
            let wait_until_paused = held.wait_until_paused(&asking).await;
            faults.disarm();
            the_ai_returns(&service, &session, with_an_agent.then_some(escalation)).await;
            held.release();
            let reply = asking.await.unwrap();
            outcomes.insert(reply.expect(200)["disposition"].as_str().unwrap().to_owned());
            let turns = caller.turns(&session).await;
            let answer = turns.iter().find(|turn| turn["role"] == "ai").expect("an answer");
            assert_eq!(
                (&answer["disposition"], &answer["unanswered"]),
                (&json!("answered"), &json!(false)),
                "at {call}"
            );
            assert!(answer["answer"].as_str().unwrap().contains("five working days"), "at {call}: {answer}");
            if !wait_until_paused {
                break;
            }
        }
        let all = ["answered", "queued_for_human"].map(str::to_owned);
        assert_eq!(outcomes, BTreeSet::from(all), "the AI returned before and after the message was stored");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_and_a_cancelling_customer_never_both_win() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    for _ in 0..24 {
        let session = caller.session().await;
        let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "now"})).await;
        let named = json!({"escalationId": asked.at("escalationId")});
        let cancel = format!("/sessions/{session}/cancel-escalation");
        let (taken, cancelled) = tokio::join!(agent.post("/inbox/takeover", named), caller.post_empty(&cancel));
        let (taken, cancelled) = (taken.status == 200, cancelled.status == 200);
        assert!(taken != cancelled, "taken {taken}, cancelled {cancelled}");
        let now = caller.get(&format!("/sessions/{session}")).await;
        assert_eq!(now.at("ownership"), if taken { "human" } else { "ai" });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_resolves_at_once_end_it_once_with_one_result() {
    let service = TestService::start().await;
    let (caller, agent) = (service.integration(), service.agent());
    for _ in 0..8 {
        let session = caller.session().await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "now"})).await.expect(200);
        let taken = agent.post_empty("/inbox/takeover").await;
        let path = format!("/inbox/{}/resolve", taken.text_at("escalationId"));
        let (a, b) =
            tokio::join!(agent.post(&path, json!({"resolution": "a"})), agent.post(&path, json!({"resolution": "b"})));
        assert_eq!(a.expect(200)["resolution"], b.expect(200)["resolution"]);
        let closed = caller.turns(&session).await.iter().filter(|turn| turn["event"] == "closed").count();
        assert_eq!(closed, 1);
    }
}
