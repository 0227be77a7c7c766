//! A cursor is one that this service gave for its list, or 400.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use support::edge::route_list::ROUTES;

use crate::support::{Actor, TestService};

/// Every list that hands out cursors, with two items at least: its path, and the path of the same list of the test mode.
struct Lists(Vec<String>);

impl Lists {
    async fn filled(service: &TestService, admin: &Actor) -> Self {
        admin.wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
        let session = admin.session().await;
        for question in ["How long does a refund take?", "When does a refund come?", "Who paints the moon?"] {
            admin.ask(&session, question).await.expect(200);
            let disliked = json!({"reaction": "thumbs_down"});
            admin.post(&format!("/sessions/{session}/reaction"), disliked).await.expect(200);
        }
        for reason in ["one", "two"] {
            let other = admin.session().await;
            admin.post(&format!("/sessions/{other}/escalate"), json!({"reason": reason})).await.expect(200);
            admin.post("/ingest", json!({"text": "A text.", "pathPrefix": reason})).await.expect(202);
            admin.post("/api-keys", json!({"name": reason})).await.expect(201);
            let member = json!({"email": format!("{reason}@company.example"), "name": "Ada", "roles": ["agent"]});
            admin.post("/members", member).await.expect(201);
            let reply = json!({"scope": "team", "shortcut": reason, "title": "title", "content": "content"});
            admin.post("/saved-replies", reply).await.expect(201);
            let draft = json!({"path": format!("a/{reason}"), "action": "create", "title": "T", "content": "C"});
            admin.post("/drafts", draft).await.expect(201);
            let entry = json!({"path": "a/kept", "title": "T", "content": reason});
            let again = admin.post("/wiki", entry).await.status == 409;
            assert!(!again || admin.patch("/wiki/a/kept", json!({"content": reason})).await.status == 200);
            admin.post("/pins", json!({"path": "a/kept", "question": "Is it kept?"})).await.expect(201);
            admin.webhook(&format!("http://127.0.0.1:9/{reason}"), &["*"]).await;
        }
        let webhook = admin.webhook("http://127.0.0.1:9/three", &["webhook.test"]).await;
        for _ in 0..2 {
            admin.post_empty(&format!("/webhooks/{webhook}/test")).await.expect(200);
        }
        service.drain().await;
        // The pages of an export are as long as they can be: its own tests fill two.
        let is_short = |query: &[&str]| query.contains(&"cursor") && query.contains(&"limit");
        let paths = ROUTES.iter().filter(|route| is_short(route.query)).map(|route| {
            assert_eq!(route.method, "GET");
            let path = route.path.trim_start_matches("/api/v1");
            let id = if path.starts_with("/webhooks") { &webhook } else { &session };
            let of = match path {
                "/wiki-revisions" => "?path=a/kept",
                "/wiki-answers" => "?path=help/refunds",
                _ => "",
            };
            path.replace("{id}", id) + of
        });
        Self(paths.collect())
    }

    /// The cursor to the second item of a list.
    async fn cursor(admin: &Actor, path: &str) -> String {
        page(admin, path, &[("limit", "1")]).await.text_at("nextCursor").to_owned()
    }
}

/// Values of which some are keys of an item, and some overflow what computes with them.
fn hostile() -> Vec<Value> {
    let mut values = vec![
        json!(null),
        json!([]),
        json!({}),
        json!(true),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(u32::MAX),
        json!(999_999_999),
        json!(-1),
        json!(0.5),
        json!(1e300),
    ];
    let texts = [
        "",
        "~",
        "!",
        "\u{0}",
        "\u{FFFF}",
        "KEY#",
        "TENANT",
        "key_",
        "key_~",
        "evt_~",
        "0#~",
        "2#",
        "TURN#",
        "#",
        "high",
        "-9999-01-01T00:00:00Z",
        "0000-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59Z",
        "2026-01-01T00:00:00Z",
        "ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "msg_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
        "key_00000000000000000000000000",
    ];
    values.extend(texts.map(Value::from));
    values.push("é".repeat(600).into());
    values
}

/// The JSON pointers of everything below `value`, and of `value` itself.
fn pointers(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<_> = match value {
        Value::Object(fields) => fields.iter().flat_map(|(name, it)| pointers(it, &format!("{at}/{name}"))).collect(),
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(n, it)| pointers(it, &format!("{at}/{n}"))).collect()
        }
        _ => Vec::new(),
    };
    std::iter::once(at.to_owned()).chain(below).collect()
}

fn encoded(cursor: &Value) -> String {
    URL_SAFE_NO_PAD.encode(cursor.to_string())
}

/// Every cursor that differs from `cursor` in one value.
fn mutations(cursor: &str) -> Vec<String> {
    // The turns of a session are listed behind a message id as it is; every sixteenth is base64 of something.
    let decoded = URL_SAFE_NO_PAD.decode(cursor).ok();
    let Some(whole) = decoded.and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok()) else {
        return hostile().iter().filter_map(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned).collect();
    };
    let position: Value = serde_json::from_str(whole["p"].as_str().unwrap()).unwrap();
    let of_position = changed(&position).map(|other| {
        let mut cursor = whole.clone();
        cursor["p"] = json!(other.to_string());
        cursor
    });
    changed(&whole).chain(of_position).filter(|other| *other != whole).map(|other| encoded(&other)).collect()
}

/// Every value that differs from `whole` in one place.
fn changed(whole: &Value) -> impl Iterator<Item = Value> {
    pointers(whole, "").into_iter().flat_map(move |pointer| {
        hostile().into_iter().map(move |value| {
            let mut other = whole.clone();
            *other.pointer_mut(&pointer).unwrap() = value;
            other
        })
    })
}

async fn with_cursor(caller: &Actor, path: &str, cursor: &str) -> crate::support::Reply {
    page(caller, path, &[("limit", "2"), ("cursor", cursor)]).await
}

async fn page(caller: &Actor, path: &str, query: &[(&str, &str)]) -> crate::support::Reply {
    let request = caller.request(reqwest::Method::GET, path).query(query);
    crate::support::Reply::read(format!("{path} {query:?}"), request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_cursor_that_this_service_did_not_give_is_400() {
    let service = TestService::start().await;
    let admin = service.admin();
    let lists = Lists::filled(&service, &admin).await;
    assert!(lists.0.len() >= 8, "{:?}", lists.0);
    for path in &lists.0 {
        let cursor = Lists::cursor(&admin, path).await;
        let whole = page(&admin, path, &[("limit", "100")]).await.json.to_string();
        // The turns of a session are listed behind a message of it.
        let is_id = URL_SAFE_NO_PAD.decode(&cursor).map_or(true, |bytes| !bytes.starts_with(b"{"));
        let (mut refused, mut followed) = (0, 0);
        for mutated in mutations(&cursor) {
            let reply = with_cursor(&admin, path, &mutated).await;
            if reply.status == 200 {
                followed += 1;
                for item in reply.json["items"].as_array().into_iter().flatten() {
                    let id = item.as_object().unwrap().values().find_map(|it| it.as_str().filter(|id| id.len() == 30));
                    assert!(id.is_none_or(|id| whole.contains(id)), "{}: {item}", reply.asked);
                }
                continue;
            }
            refused += 1;
            reply.expect_error(400, "VALIDATION_ERROR");
            let details = reply.details();
            assert!(details == ["cursor INVALID_FORMAT"] || details == ["cursor UNKNOWN_MESSAGE"], "{details:?}");
        }
        println!("{path}: {refused} cursors refused, {followed} followed");
        assert!(refused > 20 && (is_id || followed == 0), "{path}: only {refused}");
    }
}

#[tokio::test]
async fn an_empty_cursor_is_the_first_page_of_every_list_and_no_other_empty_parameter_is_taken() {
    let service = TestService::start().await;
    let admin = service.admin();
    let lists = Lists::filled(&service, &admin).await;
    for path in &lists.0 {
        let first = page(&admin, path, &[("limit", "1")]).await;
        let empty = page(&admin, path, &[("limit", "1"), ("cursor", "")]).await;
        // Of the list of turns, what changes by the clock is beside the items.
        let shown = ["items", "nextCursor", "hasMore"].map(|field| first.at(field).clone());
        assert_eq!(shown, ["items", "nextCursor", "hasMore"].map(|field| empty.at(field).clone()), "{path}");
        let route = path.split('?').next().unwrap();
        let parameters = ROUTES.iter().find(|route_of| {
            let pattern: Vec<_> = route_of.path.trim_start_matches("/api/v1").split('/').collect();
            let parts: Vec<_> = route.split('/').collect();
            let is_same = |(a, b): (&&str, &&str)| a == b || a.starts_with('{');
            route_of.method == "GET" && pattern.len() == parts.len() && pattern.iter().zip(&parts).all(is_same)
        });
        for other in parameters.unwrap().query.iter().filter(|name| **name != "cursor") {
            if path.contains(&format!("?{other}=")) {
                continue;
            }
            let refused = page(&admin, path, &[(other, ""), ("cursor", "")]).await;
            refused.expect_error(400, "VALIDATION_ERROR");
            assert!(refused.details().contains(&format!("{other} EMPTY")), "{path} {other}: {}", refused.text);
        }
    }
    let turns = lists.0.iter().find(|path| path.ends_with("/messages")).unwrap();
    let first = page(&admin, turns, &[("limit", "1")]).await.text_at("/items/0/messageId").to_owned();
    let after = page(&admin, turns, &[("after", &first)]).await;
    assert_eq!(page(&admin, turns, &[("after", &first), ("cursor", "")]).await.items(), after.items());
}

#[tokio::test]
async fn a_cursor_of_another_list_tenant_or_mode_is_400() {
    let service = TestService::start().await;
    let admin = service.admin();
    let lists = Lists::filled(&service, &admin).await;
    for from in &lists.0 {
        let cursor = Lists::cursor(&admin, from).await;
        with_cursor(&admin, from, &cursor).await.expect(200);
        for to in lists.0.iter().filter(|to| *to != from) {
            with_cursor(&admin, to, &cursor).await.expect_error(400, "VALIDATION_ERROR");
        }
        for foreign in [service.test_admin(), service.other_admin()] {
            let reply = with_cursor(&foreign, from, &cursor).await;
            let hidden = from.contains("_0") && reply.status == 404;
            // Members and the audit belong to both modes, and are no business of a key of the test mode.
            let of_both = ["/members", "/audit"].contains(&from.as_str()) && reply.status == 403;
            assert!(hidden || of_both || reply.status == 400, "{}: {}", reply.asked, reply.text);
        }
    }
    // Another receiver of the same tenant has another list.
    let other = admin.webhook("http://127.0.0.1:9/four", &["*"]).await;
    let deliveries = lists.0.iter().find(|path| path.ends_with("/deliveries")).unwrap();
    let cursor = Lists::cursor(&admin, deliveries).await;
    with_cursor(&admin, &format!("/webhooks/{other}/deliveries"), &cursor).await.expect_error(400, "VALIDATION_ERROR");
}
