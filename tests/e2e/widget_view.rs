//! The fields of a session that a widget sees, and those that it may set for its visitor.

use domain::models::{EventKind, Subscription};
use serde_json::{Value, json};

use crate::changes::{collector, payload};
use crate::support::{Actor, Reply, TestService};

fn tags_and_metadata(session: &Value) -> [&Value; 2] {
    ["tags", "metadata"].map(|field| &session[field])
}

/// The session as an actor sees it wherever sessions are shown, with where that was.
async fn shown_to(actor: &Actor, id: &str) -> Vec<(&'static str, Value)> {
    let read = actor.get(&format!("/sessions/{id}")).await.expect(200).clone();
    let turns = actor.get(&format!("/sessions/{id}/messages")).await.expect(200)["session"].clone();
    let resumed = actor.post("/sessions/resume", json!({"sessionId": id})).await.expect(200).clone();
    actor.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
    let cancelled = actor.post_empty(&format!("/sessions/{id}/cancel-escalation")).await.expect(200).clone();
    vec![("read", read), ("turns", turns), ("resumed", resumed), ("cancelled", cancelled)]
}

async fn change(actor: &Actor, session: &str, body: Value) -> Reply {
    actor.patch(&format!("/sessions/{session}"), body).await
}

fn refused(reply: &Reply) {
    reply.expect_error(403, "FORBIDDEN");
    assert_eq!(reply.details(), ["TOKEN_SCOPE"], "{}", reply.text);
}

#[tokio::test]
async fn a_widget_sees_the_tags_and_metadata_that_it_sent_and_never_those_of_keys() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, Subscription::All).await;
    let (widget, admin, agent) = (service.widget("ann").await, service.admin(), service.agent());
    let sent = json!({"tags": ["cart"], "metadata": {"page": "/cart", "items": 1.0}});
    let (own, of_staff) = ([&sent["tags"], &sent["metadata"]], [json!(["angry", "vip"]), json!({"risk": 9})]);
    let repeated = widget.with_header("idempotency-key", "one");
    let made = repeated.post("/sessions", sent.clone()).await;
    assert_eq!(tags_and_metadata(made.expect(201)), own);
    let id = made.text_at("sessionId");
    assert_eq!(tags_and_metadata(admin.get(&format!("/sessions/{id}")).await.expect(200)), own, "staff sees them too");
    for tags in [json!(["vip"]), of_staff[0].clone()] {
        change(&agent, id, json!({"tags": tags, "metadata": of_staff[1]})).await.expect(200);
    }
    for (place, session) in shown_to(&widget, id).await {
        assert_eq!(tags_and_metadata(&session), own, "{place}");
    }
    assert_eq!(tags_and_metadata(repeated.post("/sessions", sent.clone()).await.expect(201)), own);
    let named = change(&widget, id, json!({"user": {"name": "Ann"}})).await;
    assert_eq!(tags_and_metadata(named.expect(200)), own);
    let of_staff = of_staff.each_ref();
    for (place, session) in shown_to(&service.integration(), id).await {
        assert_eq!(tags_and_metadata(&session), of_staff, "{place}");
    }
    let listed = admin.get("/sessions?externalUserId=ann").await;
    let exported = admin.get(&format!("/sessions/{id}/export")).await;
    assert_eq!(tags_and_metadata(&listed.items()[0]), of_staff);
    assert_eq!(tags_and_metadata(exported.expect(200)), of_staff);
    widget.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
    let case = agent.post_empty("/inbox/takeover").await;
    assert_eq!(tags_and_metadata(&case.expect(200)["session"]), of_staff);
    agent.post_empty(&format!("/inbox/{}/resolve", case.text_at("escalationId"))).await.expect(200);
    service.drain().await;
    assert_eq!(tags_and_metadata(&payload(&service, &receiver, EventKind::SessionCreated).await["data"]), own);
    assert_eq!(tags_and_metadata(&payload(&service, &receiver, EventKind::SessionClosed).await["data"]), of_staff);
    // The widget still sees the fields that it sent after staff cleared them.
    change(&agent, id, json!({"tags": null, "metadata": null})).await.expect(200);
    assert_eq!(tags_and_metadata(widget.get(&format!("/sessions/{id}")).await.expect(200)), own);
}

#[tokio::test]
async fn a_widget_sees_no_tags_and_metadata_of_a_session_that_a_key_opened() {
    let service = TestService::start().await;
    let caller = service.integration();
    let of_key = json!({"channel": "widget", "externalUserId": "ann", "tags": ["churn"], "metadata": {"debt": 3}});
    let id = caller.session_with(of_key.clone()).await;
    let widget = service.widget("ann").await;
    let bound = service.widget_with(json!({"sessionId": id})).await;
    for actor in [&widget, &bound] {
        for (place, session) in shown_to(actor, &id).await {
            assert_eq!(tags_and_metadata(&session), [&json!([]), &json!({})], "{place}");
        }
    }
    change(&caller, &id, json!({"tags": ["churn", "vip"]})).await.expect(200);
    assert_eq!(tags_and_metadata(widget.get(&format!("/sessions/{id}")).await.expect(200)), [&json!([]), &json!({})]);
}

#[tokio::test]
async fn who_the_token_names_is_verified_and_who_a_widget_names_is_not() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, Subscription::All).await;
    let (admin, agent) = (service.admin(), service.agent());
    let claimed = json!({"user": {"name": "CEO of Example", "email": "ceo@example.com", "verified": true}});
    let ann = json!({"externalUserId": "ann", "user": {"name": "Ann", "email": "ann@example.com", "verified": false}});
    let (plain, named) = (service.widget("eve").await, service.widget_with(ann).await);
    for (widget, user) in [
        (&plain, json!({"name": "CEO of Example", "email": "ceo@example.com", "verified": false})),
        (&named, json!({"name": "Ann", "email": "ann@example.com", "verified": true})),
    ] {
        let made = widget.post("/sessions", claimed.clone()).await;
        assert_eq!(made.expect(201)["user"], user);
        let id = made.text_at("sessionId");
        for (place, session) in shown_to(widget, id).await {
            assert_eq!(session["user"], user, "{place}");
        }
        assert_eq!(admin.get("/sessions?limit=1").await.items()[0]["user"], user);
        assert_eq!(admin.get(&format!("/sessions/{id}/export")).await.expect(200)["user"], user);
        widget.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
        let customer =
            json!({"externalUserId": made.json["externalUserId"], "name": user["name"], "verified": user["verified"]});
        assert_eq!(agent.get("/inbox").await.items()[0]["customer"], customer);
        let case = agent.post_empty("/inbox/takeover").await;
        assert_eq!((&case.expect(200)["customer"], &case.json["session"]["user"]), (&customer, &user));
        service.drain().await;
        let told = async |kind| payload(&service, &receiver, kind).await["data"].clone();
        assert_eq!(told(EventKind::SessionCreated).await["user"], user);
        assert_eq!(told(EventKind::HandoverRequested).await["customer"], customer);
        assert_eq!(told(EventKind::HandoverClaimed).await["customer"], customer);
    }
}

#[tokio::test]
async fn a_key_says_who_is_verified_and_replaces_the_user_whole() {
    let service = TestService::start().await;
    let caller = service.integration();
    let id = caller.session_with(json!({"user": {"name": "Ann", "verified": true}})).await;
    let user = async |body: Value| change(&caller, &id, body).await.expect(200)["user"].clone();
    assert_eq!(caller.get(&format!("/sessions/{id}")).await.at("user"), &json!({"name": "Ann", "verified": true}));
    assert_eq!(user(json!({"user": {"name": "Ann"}})).await, json!({"name": "Ann", "verified": false}));
    caller.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
    assert_eq!(service.agent().get("/inbox").await.items()[0]["customer"]["verified"], json!(false));
    assert_eq!(
        user(json!({"user": {"name": "Ann", "verified": true}})).await,
        json!({"name": "Ann", "verified": true}),
        "the word of the tenant alone is a change"
    );
    assert_eq!(service.agent().get("/inbox").await.items()[0]["customer"]["verified"], json!(true));
    assert_eq!(user(json!({"user": {"verified": true}})).await, json!(null), "nobody is nobody");
    let wrong = change(&caller, &id, json!({"user": {"name": "Ann", "verified": "yes"}})).await;
    assert_eq!(wrong.details(), ["user.verified WRONG_TYPE"]);
}

#[tokio::test]
async fn a_widget_names_its_own_visitor_as_long_as_nobody_vouches_for_one() {
    let service = TestService::start().await;
    let (caller, widget) = (service.integration(), service.widget("ann").await);
    let id = widget.session_with(json!({"tags": ["cart"]})).await;
    let ann = json!({"user": {"name": "Ann", "email": "ann@example.com", "verified": true}});
    let said = change(&widget, &id, ann.clone()).await;
    let unverified = json!({"name": "Ann", "email": "ann@example.com", "verified": false});
    assert_eq!(said.expect(200)["user"], unverified);
    assert_eq!(caller.get(&format!("/sessions/{id}")).await.at("user"), &unverified);
    assert_eq!(change(&widget, &id, json!({"user": {"name": "Anna"}})).await.at("/user/name"), &json!("Anna"));
    assert_eq!(change(&widget, &id, json!({"user": null})).await.expect(200)["user"], json!(null));
    assert_eq!(change(&widget, &id, json!({"nothing": 1})).await.details(), ["NOTHING_TO_CHANGE"]);
    // Nothing but the user.
    let before = caller.get(&format!("/sessions/{id}")).await;
    for body in [
        json!({"tags": ["vip"]}),
        json!({"tags": null}),
        json!({"metadata": {}}),
        json!({"user": {"name": "Eve"}, "metadata": {"plan": "gold"}}),
    ] {
        refused(&change(&widget, &id, body).await);
    }
    assert_eq!(caller.get(&format!("/sessions/{id}")).await.expect(200), before.expect(200));
    // A key vouches: from then on the widget changes nothing, also by another token.
    change(&caller, &id, ann.clone()).await.expect(200);
    for user in [json!({"name": "Eve"}), json!(null), ann["user"].clone()] {
        refused(&change(&widget, &id, json!({"user": user})).await);
        refused(&change(&service.widget("ann").await, &id, json!({"user": user})).await);
    }
    assert_eq!(caller.get(&format!("/sessions/{id}")).await.at("user"), &ann["user"]);
    // A token that names somebody: neither in its own sessions nor in those that no token named anybody for.
    let named = service.widget_with(json!({"externalUserId": "ann", "user": {"name": "Ann"}})).await;
    let unnamed = widget.session().await;
    for session in [named.session().await, unnamed.clone()] {
        refused(&change(&named, &session, json!({"user": {"name": "Eve"}})).await);
    }
    // Never a session of another visitor, channel or token.
    change(&widget, &unnamed, json!({"user": {"name": "Ann"}})).await.expect(200);
    let eve = json!({"user": {"name": "Eve"}});
    let of_key = caller.session_with(json!({"externalUserId": "ann"})).await;
    change(&widget, &of_key, eve.clone()).await.expect_error(404, "NOT_FOUND");
    let bound = service.widget_with(json!({"sessionId": id})).await;
    for other in [&service.widget("bob").await, &bound] {
        change(other, &unnamed, eve.clone()).await.expect_error(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn the_inbox_shows_the_name_that_a_widget_gives() {
    let service = TestService::start().await;
    let (widget, agent) = (service.widget("ann").await, service.agent());
    let id = widget.session().await;
    widget.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
    change(&widget, &id, json!({"user": {"name": "Ann"}})).await.expect(200);
    let customer = json!({"externalUserId": "ann", "name": "Ann", "verified": false});
    assert_eq!(agent.get("/inbox").await.items()[0]["customer"], customer);
}

#[tokio::test]
async fn an_address_is_one_address_wherever_it_is_given() {
    let service = TestService::start().await;
    let (caller, widget) = (service.integration(), service.widget("ann").await);
    let (of_key, of_widget) = (caller.session().await, widget.session().await);
    let long = |length: usize| format!("{}@x.example", "e".repeat(length - 10));
    let good = [
        long(253),
        long(254),
        "Ann.O'Neil+tag@Example.COM".to_owned(),
        "jörg@bücher.example".to_owned(),
        "\"quoted\"@x".to_owned(),
        "🙂@x".to_owned(),
    ];
    let bad = [
        long(255),
        "ann".to_owned(),
        "a@b@c".to_owned(),
        "a@b, c".to_owned(),
        "a@b,c".to_owned(),
        "a@b;c".to_owned(),
        "Ann <a@b>".to_owned(),
        "a@b>".to_owned(),
        "<a@b".to_owned(),
        " a@b".to_owned(),
        "a@b ".to_owned(),
        "a @b".to_owned(),
        "a\t@b".to_owned(),
        "a@b\n".to_owned(),
        "a@b\r\nBcc: c".to_owned(),
        "a\u{a0}@b".to_owned(),
        "a\u{3000}@b".to_owned(),
        "a\u{200b}@b".to_owned(),
        "a\u{ad}@b".to_owned(),
        "a\u{feff}@b".to_owned(),
        "a\u{202e}@b".to_owned(),
        "a\u{2066}@b".to_owned(),
        "a\u{fe0f}@b".to_owned(),
        "a\u{0}@b".to_owned(),
        "a\u{7f}@b".to_owned(),
        "a\u{85}@b".to_owned(),
        "a\u{2028}@b".to_owned(),
        "a\u{e0041}@b".to_owned(),
        String::new(),
    ];
    for (emails, is_good) in [(&good[..], true), (&bad[..], false)] {
        for email in emails {
            let body = json!({"user": {"email": email}});
            let told = [
                caller.post("/sessions", body.clone()).await,
                widget.post("/sessions", body.clone()).await,
                change(&caller, &of_key, body.clone()).await,
                change(&widget, &of_widget, body.clone()).await,
            ];
            let token = caller.post("/auth/widget-token", body).await;
            for reply in &told {
                assert_eq!(reply.status < 300, is_good, "{email:?} {}", reply.text);
                if is_good {
                    assert_eq!(reply.at("/user/email"), &json!(email), "as it was sent");
                } else {
                    reply.expect_error(400, "VALIDATION_ERROR");
                    assert!(reply.details()[0].starts_with("user.email "), "{email:?}: {}", reply.text);
                }
            }
            assert_eq!(token.status, if is_good { 200 } else { 400 }, "{email:?} {}", token.text);
        }
    }
}
