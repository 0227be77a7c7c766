//! Sessions, messages and requests for a human of a visitor are counted where they are done.

use futures::future::join_all;
use local::RateLimits;
use serde_json::{Value, json};

use crate::support::{Actor, Faults, IndexSwitch, Reply, TestService};

const QUESTION: &str = "How long does a refund take?";
const WANTS_HUMAN: &str = "I want to talk to a human";

async fn limited() -> TestService {
    TestService::with(|options| options.start.rate_limits = RateLimits::Real).await
}

async fn with_refunds(service: &TestService) {
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
}

/// The rest of a quota by an answer's fields; none if they do not name it.
fn left(reply: &Reply, quota: &str) -> Option<u32> {
    let field = reply.header("ratelimit").to_owned();
    let item = field.split(", ").find(|item| item.starts_with(&format!("\"{quota}\";")))?;
    item.split(';').find_map(|part| part.strip_prefix("r=")).unwrap().parse().ok()
}

async fn cancel(caller: &Actor, session: &str) {
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
}

async fn escalate(caller: &Actor, session: &str) -> Reply {
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await
}

/// Uses up a visitor's requests for a human.
async fn use_up_escalations(widget: &Actor, session: &str) {
    for _ in 0..6 {
        escalate(widget, session).await.expect(200);
        cancel(widget, session).await;
    }
}

fn expect_refused(reply: &Reply, quota: &str, within: u32) {
    reply.expect_error(429, "RATE_LIMITED");
    let wait: u32 = reply.header("retry-after").parse().unwrap();
    assert!((1..=within).contains(&wait), "{wait}");
    assert_eq!(left(reply, quota), Some(0), "{}", reply.header("ratelimit"));
}

/// A message that would have called a human, had the visitor not called too many.
fn expect_no_human(reply: &Reply) -> String {
    let body = reply.expect(200);
    assert_eq!((&body["disposition"], &body["ownership"]), (&json!("no_answer"), &json!("ai")), "{body}");
    assert_eq!(body.get("escalationId"), None);
    let text = reply.text_at("answer").to_owned();
    let minutes = text.rsplit_once(" in ").and_then(|(_, rest)| rest.strip_suffix(" minutes.")?.parse::<u32>().ok());
    assert!(minutes.is_some_and(|minutes| (2..=10).contains(&minutes)), "{text}");
    text
}

#[tokio::test]
async fn a_visitor_calls_a_human_six_times_an_hour_by_whatever_means() {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    let service = TestService::with(|options| {
        options.start.rate_limits = RateLimits::Real;
        options.wrap_index = Some(wrap);
    })
    .await;
    with_refunds(&service).await;
    let (widget, key) = (service.widget("ann").await, service.integration());
    let session = widget.session_with(json!({})).await;
    let reaction = format!("/sessions/{session}/reaction");
    let escalated = |reply: &Reply| assert_eq!(reply.expect(200)["disposition"], "escalated", "{}", reply.text);
    // Asked for twice by the endpoint and twice in words, by a yes after a miss, and after two thumbs down.
    for _ in 0..2 {
        escalate(&widget, &session).await.expect(200);
        // Asked again, it is the same request.
        assert_eq!(left(&escalate(&widget, &session).await, "visitor-escalations"), None);
        cancel(&widget, &session).await;
        escalated(&widget.ask(&session, WANTS_HUMAN).await);
        cancel(&widget, &session).await;
    }
    assert_eq!(widget.ask(&session, "Do you sell umbrellas?").await.expect(200)["disposition"], "no_answer");
    escalated(&widget.ask(&session, "Yes, please.").await);
    cancel(&widget, &session).await;
    for _ in 0..2 {
        assert_eq!(widget.ask(&session, QUESTION).await.expect(200)["disposition"], "answered");
        widget.post(&reaction, json!({"reaction": "thumbs_down"})).await.expect(200);
    }
    let now = widget.get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["ownership"], "pending_handover");
    cancel(&widget, &session).await;

    expect_refused(&escalate(&widget, &session).await, "visitor-escalations", 600);
    expect_no_human(&widget.ask(&session, WANTS_HUMAN).await);
    // A reply to an offer is understood beyond the quota; a miss calls nobody, also twice in a row.
    for question in ["Do you sell umbrellas?", "Where can I park my camel?"] {
        let reply = widget.ask(&session, question).await;
        assert_eq!((&reply.expect(200)["disposition"], reply.at("ownership")), (&json!("no_answer"), &json!("ai")));
    }
    for _ in 0..2 {
        assert_eq!(widget.ask(&session, QUESTION).await.expect(200)["disposition"], "answered");
        let reaction = widget.post(&reaction, json!({"reaction": "thumbs_down"})).await;
        assert_eq!(reaction.expect(200)["reactions"], json!(["thumbs_down"]));
    }
    assert_eq!(widget.get(&format!("/sessions/{session}")).await.expect(200)["ownership"], "ai");
    // The answer is given, and then said that nobody comes.
    let both = widget.ask(&session, &format!("{QUESTION} {WANTS_HUMAN}.")).await;
    assert!(expect_no_human(&both).contains("five working days"), "{}", both.text);
    let turns = widget.turns(&session).await;
    assert_eq!(turns.last().unwrap()["content"], both.text_at("answer"));

    // Keys, other visitors, and what the service fails at, are not refused and count for nobody.
    escalate(&key, &session).await.expect(200);
    cancel(&key, &session).await;
    escalated(&key.ask(&session, WANTS_HUMAN).await);
    cancel(&key, &session).await;
    let bob = service.widget("bob").await;
    let bobs = bob.session_with(json!({})).await;
    index.off();
    for (caller, at) in [(&widget, &session), (&bob, &bobs)] {
        let reply = caller.ask(at, QUESTION).await;
        escalated(&reply);
        let escalation = service.agent().get(&format!("/inbox/{}", reply.text_at("escalationId"))).await;
        assert_eq!(escalation.expect(200)["reasonCategory"], "ai_failure");
        cancel(caller, at).await;
    }
    index.on();
    use_up_escalations(&bob, &bobs).await;
    expect_refused(&escalate(&bob, &bobs).await, "visitor-escalations", 600);
    service.clock.advance(600_000);
    escalate(&widget, &session).await.expect(200);
    cancel(&widget, &session).await;
    expect_refused(&escalate(&widget, &session).await, "visitor-escalations", 600);
}

#[tokio::test]
async fn the_sentence_is_in_the_customers_language_and_no_text_of_the_tenant_replaces_it() {
    let service = limited().await;
    let own = json!({"texts": {"handover": "OWN", "noAnswer": "OWN", "failure": "OWN"}});
    service.admin().patch("/settings", own).await.expect(200);
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({"locale": "de"})).await;
    use_up_escalations(&widget, &session).await;
    let reply = widget.ask(&session, "Ich möchte mit einem Menschen sprechen").await;
    assert_eq!(reply.expect(200)["disposition"], "no_answer");
    let text = reply.text_at("answer");
    assert!(text.starts_with("Ich kann noch nicht erneut jemanden aus unserem Team rufen. In "), "{text}");
    // It offers nobody, so a yes to it asks for nobody.
    let yes = widget.ask(&session, "Ja").await;
    assert_eq!(yes.expect(200)["disposition"], "small_talk", "{}", yes.text);
}

#[tokio::test]
async fn a_cancellation_whose_answer_would_call_a_human_again_is_counted_too() {
    let service = limited().await;
    with_refunds(&service).await;
    service.admin().patch("/settings", json!({"maxAiTurns": 1, "answersWhileWaiting": false})).await.expect(200);
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    escalate(&widget, &session).await.expect(200);
    for round in 2..=7 {
        widget.ask(&session, QUESTION).await.expect(200);
        let path = format!("/sessions/{session}/cancel-escalation");
        let after = widget.post_empty(&path).await;
        let expected = if round <= 6 { "pending_handover" } else { "ai" };
        assert_eq!(after.expect(200)["ownership"], expected, "{round}");
    }
    let turns = widget.turns(&session).await;
    let last = turns.last().unwrap()["content"].as_str().unwrap().to_owned();
    assert!(last.contains("five working days") && last.contains("You can ask for one again in"), "{last}");
}

#[tokio::test]
async fn repetitions_and_refused_bodies_cost_a_visitor_no_session() {
    let service = limited().await;
    let widget = service.widget("ann").await;
    let keyed = widget.with_header("idempotency-key", "one");
    for _ in 0..20 {
        keyed.post("/sessions", json!({})).await.expect(201);
    }
    keyed.post("/sessions", json!({"locale": "de"})).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
    for _ in 0..5 {
        widget.post("/sessions", json!({"channel": 5})).await.expect_error(400, "VALIDATION_ERROR");
        widget.post("/sessions", json!({"externalUserId": "bob"})).await.expect_error(403, "FORBIDDEN");
        widget.post_raw("/sessions", "text/plain", "{}").await.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
        let large = vec![b' '; 1_100_000];
        widget.post_raw("/sessions", "application/json", large).await.expect_error(413, "PAYLOAD_TOO_LARGE");
    }
    for others in (0..9).rev() {
        let reply = widget.post("/sessions", json!({})).await;
        reply.expect(201);
        assert_eq!(left(&reply, "visitor-sessions"), Some(others));
    }
    expect_refused(&widget.post("/sessions", json!({})).await, "visitor-sessions", 360);
    let replayed = keyed.post("/sessions", json!({})).await;
    replayed.expect(201);
    assert_eq!(replayed.header("idempotency-replayed"), "true");
    assert!(left(&replayed, "visitor").is_some_and(|calls| calls < 120), "{}", replayed.header("ratelimit"));
}

#[tokio::test]
async fn repetitions_and_refused_bodies_cost_a_visitor_no_message() {
    let service = limited().await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let path = format!("/sessions/{session}/messages");
    let first = json!({"content": "Hello", "clientMessageId": "1"});
    let send = async |body: &Value| widget.post(&path, body.clone()).await;
    assert_eq!(left(&send(&first).await, "visitor-messages"), Some(19));
    for _ in 0..10 {
        send(&first).await.expect(200);
        send(&json!({"content": ""})).await.expect_error(400, "VALIDATION_ERROR");
        send(&json!({"content": "Bye", "clientMessageId": "1"})).await.expect_error(422, "IDEMPOTENCY_KEY_REUSED");
        let nowhere = "/sessions/ses_00000000000000000000000000/messages";
        widget.post(nowhere, json!({"content": "Hello"})).await.expect_error(404, "NOT_FOUND");
    }
    let refused = send(&json!({"content": 5})).await;
    assert_eq!((left(&refused, "visitor-messages"), left(&refused, "visitor").is_some()), (None, true));
    let mut sent = 0;
    let refused = loop {
        let reply = send(&json!({"content": "Hello"})).await;
        if reply.status == 429 {
            break reply;
        }
        reply.expect(200);
        sent += 1;
    };
    // One comes back every three seconds.
    assert!((19..=40).contains(&sent), "{sent}");
    expect_refused(&refused, "visitor-messages", 3);
    let replayed = send(&first).await;
    assert_eq!((replayed.status, replayed.header("idempotency-replayed")), (200, "true"));
    assert_eq!(widget.get(&format!("/sessions/{session}")).await.expect(200)["turnCount"], 2 * (sent + 1));
}

#[tokio::test]
async fn repetitions_and_refused_bodies_cost_a_visitor_no_escalation() {
    let service = limited().await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let path = format!("/sessions/{session}/escalate");
    let keyed = widget.with_header("idempotency-key", "one");
    let body = json!({"reason": "help"});
    keyed.post(&path, body.clone()).await.expect(200);
    cancel(&widget, &session).await;
    for _ in 0..10 {
        keyed.post(&path, body.clone()).await.expect(200);
        widget.post(&path, json!({})).await.expect_error(400, "VALIDATION_ERROR");
        widget.post(&path, json!({"reason": "help", "priority": "high"})).await.expect_error(403, "FORBIDDEN");
        let nowhere = "/sessions/ses_00000000000000000000000000/escalate";
        widget.post(nowhere, body.clone()).await.expect_error(404, "NOT_FOUND");
    }
    for others in (0..5).rev() {
        let reply = widget.post(&path, body.clone()).await;
        reply.expect(200);
        assert_eq!(left(&reply, "visitor-escalations"), Some(others));
        cancel(&widget, &session).await;
    }
    expect_refused(&widget.post(&path, body.clone()).await, "visitor-escalations", 600);
    assert_eq!(keyed.post(&path, body).await.header("idempotency-replayed"), "true");
}

#[tokio::test]
async fn a_message_is_taken_while_no_other_call_is_left_and_what_is_none_is_refused() {
    let service = limited().await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    let path = format!("/sessions/{session}/messages");
    let first = json!({"content": "Hello", "clientMessageId": "1"});
    widget.post(&path, first.clone()).await.expect(200);
    while widget.get(&format!("{path}?limit=1")).await.status == 200 {}
    widget.ask(&session, "Hello").await.expect(200);
    // Calls come back twice a second.
    let refused = loop {
        let reply = widget.post(&path, first.clone()).await;
        if reply.status != 200 {
            break reply;
        }
    };
    expect_refused(&refused, "visitor", 1);
    widget.ask(&session, "Hello").await.expect(200);
}

#[tokio::test]
async fn a_failed_request_costs_a_visitor_nothing() {
    let faults = Faults::default();
    let wire = faults.clone();
    let service = TestService::with(|options| {
        options.start.rate_limits = RateLimits::Real;
        options.wrap_database = Some(Box::new(move |http| wire.wrap(http)));
    })
    .await;
    let widget = service.widget("ann").await;
    let session = widget.session_with(json!({})).await;
    // Every write of a session.
    faults.fail_calls_saying(&["\"S\":\"session\""]);
    for _ in 0..10 {
        widget.post("/sessions", json!({})).await.expect_error(503, "SERVICE_UNAVAILABLE");
        escalate(&widget, &session).await.expect_error(503, "SERVICE_UNAVAILABLE");
    }
    faults.disarm();
    use_up_escalations(&widget, &session).await;
    expect_refused(&escalate(&widget, &session).await, "visitor-escalations", 600);
    for _ in 0..9 {
        widget.post("/sessions", json!({})).await.expect(201);
    }
    expect_refused(&widget.post("/sessions", json!({})).await, "visitor-sessions", 360);
}

#[tokio::test]
async fn sixty_four_at_once_over_several_processes_do_not_pass_a_quota() {
    let service = limited().await;
    let mut urls = vec![service.url().to_owned()];
    for _ in 0..4 {
        urls.push(service.another_process().await);
    }
    let body = json!({"channel": "widget", "externalUserId": "ann"});
    let key = service.integration();
    let sessions = join_all((0..64).map(|_| key.session_with(body.clone()))).await;
    for _ in 0..2 {
        let widget = service.widget("ann").await;
        let processes: Vec<Actor> = urls.iter().map(|url| widget.at(url)).collect();
        let at_once = sessions.iter().zip(processes.iter().cycle());
        let replies = join_all(at_once.map(|(session, caller)| escalate(caller, session))).await;
        let passed = replies.iter().filter(|reply| reply.status == 200).count();
        assert_eq!(passed, 6);
        let refused = replies.iter().filter(|reply| reply.status != 200);
        refused.for_each(|reply| reply.expect_error(429, "RATE_LIMITED"));
        let opened =
            join_all(processes.iter().cycle().take(40).map(|caller| caller.post("/sessions", json!({})))).await;
        assert_eq!(opened.iter().filter(|reply| reply.status == 201).count(), 10);
        // Each process finds buckets that were used and are full again.
        service.clock.advance(3_600_000);
        for session in &sessions {
            let reply = key.post_empty(&format!("/sessions/{session}/cancel-escalation")).await;
            assert!([200, 409].contains(&reply.status), "{}", reply.text);
        }
    }
}

#[tokio::test]
async fn messages_at_once_call_no_more_humans_than_the_quota_lets_through() {
    let service = limited().await;
    let body = json!({"channel": "widget", "externalUserId": "ann"});
    let key = service.integration();
    let sessions = join_all((0..20).map(|_| key.session_with(body.clone()))).await;
    let widget = service.widget("ann").await;
    let replies = join_all(sessions.iter().map(|session| widget.ask(session, WANTS_HUMAN))).await;
    let (escalated, told): (Vec<_>, Vec<_>) = replies.iter().partition(|reply| reply.at("disposition") == "escalated");
    assert_eq!((escalated.len(), told.len()), (6, 14));
    told.into_iter().for_each(|reply| drop(expect_no_human(reply)));
}
