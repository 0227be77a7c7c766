//! The export of a session: what it holds, its pages, and who may have it.

use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

/// A session with an answer that has reactions, an internal note, and two escalations, of which one was resolved.
async fn eventful_session(service: &TestService) -> String {
    let (admin, customer) = (service.admin(), service.widget("ann").await);
    admin.wiki_entry("help/refunds", "Refunds", "A refund takes five days.").await;
    let session = customer.session().await;
    customer.ask(&session, "How long does a refund take?").await.expect(200);
    for reaction in ["thumbs_up", "copy"] {
        customer.post(&format!("/sessions/{session}/reaction"), json!({"reaction": reaction})).await.expect(200);
    }
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "first"})).await.expect(200);
    customer.post(&format!("/sessions/{session}/cancel-escalation"), json!({})).await.expect(200);
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "second"})).await.expect(200);
    let case = admin.post("/inbox/takeover", json!({"agentId": "bob"})).await;
    let case = format!("/inbox/{}", case.text_at("escalationId"));
    let note = json!({"content": "a note among us", "internal": true, "agentId": "bob"});
    admin.post(&format!("{case}/message"), note).await.expect(200);
    admin.post(&format!("{case}/resolve"), json!({"resolution": "done", "agentId": "bob"})).await.expect(200);
    session
}

/// The values of a list on all pages, and how many pages there were.
async fn every_page(admin: &Actor, session: &str, limit: usize) -> (Vec<Value>, Vec<Value>, usize) {
    let (mut messages, mut escalations, mut pages) = (Vec::new(), Vec::new(), 0);
    let mut cursor = String::new();
    loop {
        let page = admin.get(&format!("/sessions/{session}/export?limit={limit}{cursor}")).await;
        page.expect(200);
        pages += 1;
        for (all, name) in [(&mut messages, "/messages"), (&mut escalations, "/escalations")] {
            let found = page.at(name).as_array().unwrap();
            assert!(found.len() <= limit, "{}", page.text);
            all.extend(found.iter().cloned());
        }
        assert_eq!(page.at("/hasMore"), &json!(!page.at("/nextCursor").is_null()));
        match page.at("/nextCursor").as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return (messages, escalations, pages),
        }
    }
}

#[tokio::test]
async fn an_export_holds_the_session_with_its_turns_reactions_and_escalations() {
    let service = TestService::start().await;
    let (admin, session) = (service.admin(), eventful_session(&service).await);
    let export = admin.get(&format!("/sessions/{session}/export")).await;
    let mut alone = export.expect(200).clone();
    for name in ["messages", "escalations", "nextCursor", "hasMore"] {
        alone.as_object_mut().unwrap().remove(name).unwrap();
    }
    assert_eq!(alone, admin.get(&format!("/sessions/{session}")).await.json);
    let messages = admin.get(&format!("/sessions/{session}/messages")).await;
    assert_eq!(export.at("/messages"), messages.at("/items"));
    assert_eq!(export.at("/messages/1/reactions"), &json!(["thumbs_up", "copy"]));
    assert!(export.text.contains("a note among us"));
    let reasons: Vec<&str> = reasons(&export);
    assert_eq!(reasons, ["first", "second"]);
    for escalation in export.at("/escalations").as_array().unwrap() {
        let id = escalation["escalationId"].as_str().unwrap();
        let mut case = admin.get(&format!("/inbox/{id}")).await.json;
        for name in ["session", "messages"] {
            case.as_object_mut().unwrap().remove(name).unwrap();
        }
        assert_eq!(escalation, &case);
    }
    assert_eq!((export.at("/hasMore"), export.at("/nextCursor")), (&json!(false), &Value::Null));
}

fn reasons(export: &Reply) -> Vec<&str> {
    export.at("/escalations").as_array().unwrap().iter().map(|one| one["reason"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_export_is_paged_to_its_end_without_a_gap_or_a_double() {
    let service = TestService::start().await;
    let (admin, session) = (service.admin(), eventful_session(&service).await);
    let whole = admin.get(&format!("/sessions/{session}/export")).await;
    for limit in [1, 2, 100] {
        let (messages, escalations, pages) = every_page(&admin, &session, limit).await;
        assert_eq!(&json!(messages), whole.at("/messages"));
        assert_eq!(&json!(escalations), whole.at("/escalations"));
        assert_eq!(pages, messages.len().div_ceil(limit));
    }
}

#[tokio::test]
async fn a_page_of_an_export_ends_at_four_mebibytes() {
    let service = TestService::start().await;
    let admin = service.admin();
    let session = admin.session().await;
    admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await.expect(200);
    // A control character is six bytes of JSON.
    let content = format!("a{}", "\u{1}".repeat(7_999));
    for _ in 0..90 {
        admin.ask(&session, &content).await.expect(200);
    }
    let first = admin.get(&format!("/sessions/{session}/export")).await;
    assert!(first.expect(200)["hasMore"].as_bool().unwrap() && first.text.len() < 5 * 1024 * 1024);
    let rest = admin.get(&format!("/sessions/{session}/export?cursor={}", first.text_at("nextCursor"))).await;
    assert_eq!(rest.expect(200)["hasMore"], false);
    let count = |page: &Reply| page.at("/messages").as_array().unwrap().len();
    assert_eq!(
        count(&first) + count(&rest),
        admin.get(&format!("/sessions/{session}")).await.at("/turnCount").as_u64().unwrap() as usize
    );
    assert_eq!((reasons(&first).len(), reasons(&rest).len()), (1, 0));
}

#[tokio::test]
async fn a_cursor_of_another_export_is_refused() {
    let service = TestService::start().await;
    let (admin, session) = (service.admin(), eventful_session(&service).await);
    let other = admin.session().await;
    let page = admin.get(&format!("/sessions/{session}/export?limit=1")).await;
    let cursor = page.text_at("nextCursor");
    for path in [
        format!("/sessions/{other}/export?cursor={cursor}"),
        format!("/sessions/{session}/export?cursor=abc"),
        format!("/sessions/{session}/export?limit=0"),
        format!("/sessions/{session}/export?limit=101"),
    ] {
        admin.get(&path).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn an_export_of_a_session_that_is_none_or_deleted_or_of_others_is_404() {
    let service = TestService::start().await;
    let (admin, session) = (service.admin(), eventful_session(&service).await);
    let path = format!("/sessions/{session}/export");
    let page = admin.get(&format!("{path}?limit=1")).await;
    for other in [service.other_admin(), service.test_admin()] {
        other.get(&path).await.expect_error(404, "NOT_FOUND");
        let own = other.session().await;
        other.get(&format!("/sessions/{own}/export?cursor={}", page.text_at("nextCursor"))).await.expect(400);
    }
    admin.get("/sessions/ses_00000000000000000000000000/export").await.expect_error(404, "NOT_FOUND");
    admin.delete(&format!("/sessions/{session}")).await.expect(204);
    admin.get(&path).await.expect_error(404, "NOT_FOUND");
    admin.get(&format!("{path}?cursor={}", page.text_at("nextCursor"))).await.expect_error(404, "NOT_FOUND");
}
