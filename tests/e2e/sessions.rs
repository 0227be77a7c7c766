//! Sessions: created, read, listed, and invisible to others.

use domain::models::SessionId;
use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn a_session_is_made_from_an_empty_body_and_read_back() {
    let service = TestService::start().await;
    let made = service.integration().post_empty("/sessions").await;
    let body = made.expect(201);
    assert_eq!(made.header("location"), format!("/api/v1/sessions/{}", made.text_at("sessionId")));
    assert_eq!((&body["ownership"], &body["turnCount"], &body["channel"]), (&json!("ai"), &json!(0), &json!("api")));
    assert_eq!((&body["mode"], &body["escalationId"]), (&json!("live"), &json!(null)));
    let read = service.agent().get(&format!("/sessions/{}", made.text_at("sessionId"))).await;
    assert_eq!(read.expect(200), body);
}

#[tokio::test]
async fn a_session_keeps_the_known_fields_of_its_creation_and_nothing_else() {
    let service = TestService::start().await;
    let said = json!({
        "externalUserId": "u1", "user": {"name": "Ada", "email": "ada@example.com", "verified": true}, "channel": "email",
        "locale": "en-GB", "metadata": {"plan": "gold", "seats": 3, "beta": true}, "tags": ["vip"],
        "sessionId": "ses_mine", "ownership": "closed", "tenantId": "ten_other", "turnCount": 9, "version": 7,
    });
    let made = service.integration().post("/sessions", said.clone()).await;
    let body = made.expect(201);
    for field in ["externalUserId", "user", "channel", "locale", "metadata", "tags"] {
        assert_eq!(body[field], said[field], "{field}");
    }
    assert_eq!((&body["ownership"], &body["turnCount"]), (&json!("ai"), &json!(0)));
    assert!(SessionId::parse(made.text_at("sessionId")).is_some() && body.get("tenantId").is_none());
}

#[tokio::test]
async fn every_problem_of_a_new_session_is_reported_at_once() {
    let service = TestService::start().await;
    let bad = json!({
        "externalUserId": "x".repeat(201), "user": {"name": "n".repeat(101), "email": 5}, "channel": "Widget",
        "locale": "e", "metadata": {"a": {"b": 1}}, "tags": "vip",
    });
    let reply = service.integration().post("/sessions", bad).await;
    reply.expect_error(400, "VALIDATION_ERROR");
    let mut fields: Vec<_> = reply.details().iter().map(|d| d.split(' ').next().unwrap().to_owned()).collect();
    fields.sort();
    assert_eq!(fields, ["channel", "externalUserId", "locale", "metadata", "tags", "user.email", "user.name"]);
}

#[tokio::test]
async fn sessions_are_listed_newest_first_page_by_page() {
    let service = TestService::start().await;
    let caller = service.admin();
    let mut made = Vec::new();
    for n in 0..5 {
        made.push(caller.session_with(json!({"externalUserId": if n % 2 == 0 { "even" } else { "odd" }})).await);
    }
    made.reverse();
    let first = caller.get("/sessions?limit=2").await;
    let second = caller.get(&format!("/sessions?limit=2&cursor={}", first.text_at("nextCursor"))).await;
    let third = caller.get(&format!("/sessions?limit=2&cursor={}", second.text_at("nextCursor"))).await;
    let ids: Vec<_> =
        [&first, &second, &third].iter().flat_map(|page| page.items()).map(|s| s["sessionId"].clone()).collect();
    assert_eq!(json!(ids), json!(made));
    assert_eq!((third.at("hasMore"), third.at("nextCursor")), (&json!(false), &json!(null)));
    let even = caller.get("/sessions?externalUserId=even&limit=3").await;
    assert_eq!((even.items().len(), even.at("hasMore")), (3, &json!(false)));
    let none = caller.get("/sessions?ownership=human").await;
    assert_eq!((none.items().len(), none.at("hasMore")), (0, &json!(false)));
    assert_eq!(caller.get("/sessions?ownership=ai&limit=4").await.items().len(), 4);
    for bad in ["ownership=AI", "limit=0", "limit=101", "cursor=x", "limit=1&limit=2"] {
        caller.get(&format!("/sessions?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
    service.integration().get("/sessions").await.expect_error(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_cursor_is_good_for_the_filters_that_it_was_given_for() {
    let service = TestService::start().await;
    let caller = service.admin();
    for _ in 0..3 {
        caller.session_with(json!({"externalUserId": "ann"})).await;
    }
    let lists = ["/sessions", "/sessions?externalUserId=ann", "/sessions?ownership=ai"];
    let with = |path: &str, more: &str| format!("{path}{}{more}", if path.contains('?') { '&' } else { '?' });
    for from in lists {
        let page = caller.get(&with(from, "limit=1")).await;
        for to in lists {
            let next = caller.get(&with(to, &format!("limit=2&cursor={}", page.text_at("nextCursor")))).await;
            if from == to {
                assert_eq!(next.items().len(), 2, "{from}");
            } else {
                next.expect_error(400, "VALIDATION_ERROR");
                assert_eq!(next.details(), ["cursor INVALID_FORMAT"], "{from} {to}");
            }
        }
        caller
            .get(&format!("/ingest?cursor={}", page.text_at("nextCursor")))
            .await
            .expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn a_visitor_resumes_the_session_that_is_open() {
    const HOUR_MS: i64 = 3_600_000;
    let service = TestService::start().await;
    let caller = service.integration();
    let open = caller.session_with(json!({"externalUserId": "ann"})).await;
    caller.post(&format!("/sessions/{open}/escalate"), json!({"reason": "help"})).await.expect(200);
    let newest = caller.session_with(json!({"externalUserId": "ann"})).await;
    for hours in [25, 25] {
        service.clock.advance(hours * HOUR_MS);
        service.sweep().await;
    }
    let closed = caller.post("/sessions/resume", json!({"sessionId": newest})).await;
    closed.expect_error(410, "RESUME_WINDOW_EXPIRED");
    let resumed = caller.post("/sessions/resume", json!({"externalUserId": "ann"})).await;
    assert_eq!((resumed.expect(200)["sessionId"].as_str(), resumed.at("resumed")), (Some(&*open), &json!(false)));
    caller.post(&format!("/sessions/{open}/cancel-escalation"), json!({})).await.expect(200);
    for _ in 0..2 {
        service.clock.advance(25 * HOUR_MS);
        service.sweep().await;
    }
    let none = caller.post("/sessions/resume", json!({"externalUserId": "ann"})).await;
    none.expect_error(410, "RESUME_WINDOW_EXPIRED");
}

#[tokio::test]
async fn a_missing_session_is_told_in_the_specifications_words() {
    let service = TestService::start().await;
    let missing = service.integration().get("/sessions/ses_01ARZ3NDEKTSV4RRFFQ69G5FAV").await;
    missing.expect_error(404, "NOT_FOUND");
    assert_eq!(missing.text_at("message"), "session was not found");
}

#[tokio::test]
async fn another_tenant_mode_or_visitor_reads_the_404_of_what_never_existed() {
    let service = TestService::start().await;
    let mine = service.integration().session_with(json!({"channel": "widget", "externalUserId": "ann"})).await;
    let of_api = service.integration().session_with(json!({"externalUserId": "ann"})).await;
    let never = "ses_01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let widget = service.widget("bob").await;
    let ann = service.widget("ann").await;
    let bodiless = |text: &str| text.split("\"requestId\"").next().unwrap().to_owned();
    for (caller, id) in [
        (service.other_admin(), &mine),
        (service.test_admin(), &mine),
        (widget.clone(), &mine),
        (ann.clone(), &of_api),
        (service.admin(), &"ses_T#x".to_owned()),
    ] {
        for path in ["", "/messages"] {
            let there = caller.get(&format!("/sessions/{}{path}", id.replace('#', "%23"))).await;
            let missing = caller.get(&format!("/sessions/{never}{path}")).await;
            assert_eq!((there.status, bodiless(&there.text)), (404, bodiless(&missing.text)));
        }
        for (path, body) in [
            ("messages", json!({"content": "hi"})),
            ("escalate", json!({"reason": "r"})),
            ("cancel-escalation", json!({})),
            ("reaction", json!({"reaction": "flag"})),
        ] {
            let there = caller.post(&format!("/sessions/{}/{path}", id.replace('#', "%23")), body.clone()).await;
            let missing = caller.post(&format!("/sessions/{never}/{path}"), body).await;
            assert_eq!((there.status, bodiless(&there.text)), (404, bodiless(&missing.text)), "{path}");
        }
        let there = caller.post("/sessions/resume", json!({"sessionId": id})).await;
        let missing = caller.post("/sessions/resume", json!({"sessionId": never})).await;
        assert_eq!((there.status, bodiless(&there.text)), (404, bodiless(&missing.text)));
    }
    assert_eq!(service.admin().turns(&mine).await.len(), 0, "the refused messages changed nothing");
    ann.get(&format!("/sessions/{mine}")).await.expect(200);
}

#[tokio::test]
async fn a_widget_makes_sessions_of_its_own_visitor_only() {
    let service = TestService::start().await;
    let widget = service.widget_with(json!({"externalUserId": "ann", "user": {"name": "Ann"}})).await;
    let made = widget.post("/sessions", json!({"channel": "api", "user": {"name": "Eve"}})).await;
    let body = made.expect(201);
    assert_eq!((&body["channel"], &body["externalUserId"]), (&json!("widget"), &json!("ann")));
    assert_eq!(body["user"]["name"], "Ann");
    widget.post("/sessions", json!({"externalUserId": "ann"})).await.expect(201);
    widget.post("/sessions", json!({"externalUserId": "bob"})).await.expect_error(403, "FORBIDDEN");
    let bound = service.widget_with(json!({"sessionId": made.text_at("sessionId")})).await;
    bound.get(&format!("/sessions/{}", made.text_at("sessionId"))).await.expect(200);
    bound.post("/sessions", json!({})).await.expect_error(403, "FORBIDDEN");
    let other = widget.session().await;
    bound.get(&format!("/sessions/{other}")).await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_full_page_of_a_hundred_sessions_is_listed_and_goes_on() {
    let service = TestService::start().await;
    let caller = service.admin();
    let made = futures::future::join_all((0..103).map(|_| caller.session_with(json!({"externalUserId": "u1"})))).await;
    for filter in ["", "&externalUserId=u1"] {
        let first = caller.get(&format!("/sessions?limit=100{filter}")).await;
        assert_eq!((first.expect(200)["hasMore"].clone(), first.items().len()), (json!(true), 100));
        let rest = caller.get(&format!("/sessions?limit=100{filter}&cursor={}", first.text_at("nextCursor"))).await;
        assert_eq!((rest.expect(200)["hasMore"].clone(), rest.items().len()), (json!(false), made.len() - 100));
    }
}

#[tokio::test]
async fn everything_is_still_there_after_a_restart() {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    let session = service.integration().session().await;
    service.integration().ask(&session, "How long does a refund take?").await.expect(200);
    let before = service.admin().turns(&session).await;
    let service = service.restart().await;
    assert_eq!(service.admin().turns(&session).await, before);
    let again = service.integration().ask(&session, "How long does a refund take?").await;
    assert_eq!(again.at("/sources/0/path"), "help/refunds");
    assert_eq!(again.at("turn"), &json!(4));
}
