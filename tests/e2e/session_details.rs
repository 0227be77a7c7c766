//! The attributes of a session: tags, metadata and the person, changed by keys.

use serde_json::{Value, json};

use crate::changes::{collector, kinds};
use crate::support::{Actor, Reply, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn ann(caller: &Actor) -> String {
    let user = json!({"name": "Ann", "email": "ann@shop.example"});
    let body = json!({"externalUserId": "ann", "user": user, "metadata": {"plan": "pro", "seats": 3}, "tags": ["new"]});
    caller.session_with(body).await
}

async fn change(actor: &Actor, session: &str, body: Value) -> Reply {
    actor.patch(&format!("/sessions/{session}"), body).await
}

fn details(reply: &Reply) -> [Value; 3] {
    ["tags", "metadata", "user"].map(|field| reply.expect(200)[field].clone())
}

#[tokio::test]
async fn each_field_is_replaced_whole_and_what_is_absent_stays() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = ann(&caller).await;
    let before = caller.get(&format!("/sessions/{session}")).await;
    let (metadata, user) = (before.at("metadata").clone(), before.at("user").clone());
    let tagged = change(&caller, &session, json!({"tags": ["vip", "eu"]})).await;
    assert_eq!(details(&tagged), [json!(["vip", "eu"]), metadata, user.clone()]);
    assert_eq!(tagged.at("version"), &json!(before.at("version").as_u64().unwrap() + 1));
    assert_eq!(tagged.at("lastActivityAt"), before.at("lastActivityAt"), "nobody has spoken");
    let known = change(&service.agent(), &session, json!({"metadata": {"ok": true}})).await;
    assert_eq!(details(&known), [json!(["vip", "eu"]), json!({"ok": true}), user]);
    let named = change(&service.trainer(), &session, json!({"user": {"name": "Anna"}})).await;
    assert_eq!(named.at("user"), &json!({"name": "Anna", "verified": false}), "the address went with the rest");
    assert_eq!(caller.get(&format!("/sessions/{session}")).await.expect(200), named.expect(200));
    let same = json!({"tags": ["vip", "eu"], "user": {"name": "Anna"}, "ownership": "closed"});
    assert_eq!(change(&caller, &session, same).await.expect(200), named.expect(200), "nothing new changes nothing");
    let cleared = change(&service.admin(), &session, json!({"tags": null, "metadata": null, "user": null})).await;
    assert_eq!(details(&cleared), [json!([]), json!({}), json!(null)]);
}

#[tokio::test]
async fn each_tag_is_kept_once_and_a_locale_is_a_language_tag() {
    let service = TestService::start().await;
    let caller = service.integration();
    let made = caller.post("/sessions", json!({"tags": ["b", "a", "b"], "locale": "zh-Hant-TW"})).await;
    assert_eq!((&made.expect(201)["tags"], made.text_at("locale")), (&json!(["b", "a"]), "zh-Hant-TW"));
    let changed = change(&caller, made.text_at("sessionId"), json!({"tags": ["c", "c"]})).await;
    assert_eq!(changed.expect(200)["tags"], json!(["c"]));
    for locale in ["../", "en US", "e1", "en-", "12"] {
        let refused = caller.post("/sessions", json!({"locale": locale})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), ["locale INVALID_FORMAT"], "{locale}");
    }
}

#[tokio::test]
async fn an_invalid_change_is_refused_whole() {
    let service = TestService::start().await;
    let caller = service.integration();
    let session = ann(&caller).await;
    let before = caller.get(&format!("/sessions/{session}")).await;
    for (body, expected) in [
        (json!({}), vec!["NOTHING_TO_CHANGE"]),
        (json!({"locale": "de", "externalUserId": "bob"}), vec!["NOTHING_TO_CHANGE"]),
        (
            json!({"tags": "vip", "metadata": {"a": {}}, "user": {"name": "x".repeat(101)}}),
            vec!["tags WRONG_TYPE", "metadata NOT_FLAT", "user.name TOO_LONG"],
        ),
        (json!({"tags": ["ok"], "user": 7}), vec!["user WRONG_TYPE"]),
        (json!({"tags": vec!["t"; 21]}), vec!["tags TOO_MANY"]),
        (json!({"metadata": {"long": "x".repeat(4_096)}}), vec!["metadata TOO_LARGE"]),
    ] {
        let reply = change(&caller, &session, body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), expected);
    }
    assert_eq!(caller.get(&format!("/sessions/{session}")).await.expect(200), before.expect(200));
    let tags = json!({"tags": []});
    for elsewhere in [service.other_admin(), service.test_admin()] {
        change(&elsewhere, &session, tags.clone()).await.expect_error(404, "NOT_FOUND");
    }
    change(&caller, "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV", tags.clone()).await.expect_error(404, "NOT_FOUND");
    let widget = service.widget("ann").await;
    change(&widget, &widget.session().await, tags.clone()).await.expect_error(403, "FORBIDDEN");
    service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    change(&caller, &session, tags).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_inbox_shows_the_new_name_and_nothing_is_told() {
    let service = TestService::start().await;
    let receiver = collector(&service, 1, domain::models::Subscription::All).await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = ann(&caller).await;
    let asked = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let id = asked.text_at("escalationId").to_owned();
    service.drain().await;
    let told = kinds(&service, &receiver).await;
    for (user, name) in [(json!({"name": "Anna"}), json!("Anna")), (json!(null), json!(null))] {
        change(&caller, &session, json!({"user": user})).await.expect(200);
        let case = agent.get(&format!("/inbox/{id}")).await;
        let list = agent.get("/inbox").await;
        let listed = &list.items()[0];
        assert_eq!((case.at("/customer/name"), &listed["customer"]["name"]), (&name, &name));
        assert_eq!((case.at("/customer/externalUserId"), &listed["version"]), (&json!("ann"), case.at("version")));
    }
    change(&caller, &session, json!({"user": {"email": "ann@shop.example"}, "tags": ["vip"]})).await.expect(200);
    service.drain().await;
    assert_eq!(kinds(&service, &receiver).await, told);
    // Every state takes it, also that of a session that is over.
    agent.post_empty("/inbox/takeover").await.expect(200);
    assert_eq!(change(&caller, &session, json!({"tags": ["a"]})).await.at("ownership"), "human");
    agent.post_empty(&format!("/inbox/{id}/resolve")).await.expect(200);
    let closed = change(&caller, &session, json!({"tags": ["done"], "user": {"name": "Ann"}})).await;
    assert_eq!((closed.at("ownership"), closed.at("tags")), (&json!("closed"), &json!(["done"])));
    assert_eq!(
        agent.get(&format!("/inbox/{id}")).await.at("/customer/name"),
        &json!(null),
        "what ended stays as it was"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_at_once_no_message_no_change_and_no_takeover_is_lost() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let (caller, agent) = (service.integration(), service.agent());
    let session = ann(&caller).await;
    caller.ask(&session, QUESTION).await.expect(200);
    let all = (0..64).map(|number| {
        let (caller, agent, session) = (caller.clone(), agent.clone(), session.clone());
        tokio::spawn(async move {
            match number {
                32 => {
                    let escalate = format!("/sessions/{session}/escalate");
                    let asked = caller.post(&escalate, json!({"reason": "now"})).await;
                    let named = json!({"escalationId": asked.expect(200)["escalationId"]});
                    agent.post("/inbox/takeover", named).await.expect(200);
                }
                _ => match number % 4 {
                    0 => drop(change(&caller, &session, json!({"tags": ["vip"]})).await.expect(200)),
                    1 => drop(change(&caller, &session, json!({"metadata": {"n": 1}})).await.expect(200)),
                    2 => drop(change(&caller, &session, json!({"user": {"name": "Anna"}})).await.expect(200)),
                    _ => drop(caller.ask(&session, QUESTION).await.expect(200)),
                },
            }
        })
    });
    for one in all.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    let now = caller.get(&format!("/sessions/{session}")).await;
    assert_eq!(details(&now), [json!(["vip"]), json!({"n": 1}), json!({"name": "Anna", "verified": false})]);
    assert_eq!(now.at("ownership"), "human");
    let turns = caller.turns(&session).await;
    assert_eq!(turns.iter().filter(|turn| turn["role"] == "customer").count(), 17);
    let numbers: Vec<_> = turns.iter().map(|turn| turn["turn"].as_u64().unwrap()).collect();
    assert!(numbers.iter().copied().eq(1..=now.at("turnCount").as_u64().unwrap()), "{numbers:?}");
    let case = agent.get(&format!("/inbox/{}", now.text_at("escalationId"))).await;
    assert_eq!((case.at("/customer/name"), case.at("status")), (&json!("Anna"), &json!("claimed")));
}
