//! Input that is too large, of the wrong form or of the wrong kind is refused with a code, changes nothing and is never
//! a 500. Each rule is tested on representative endpoints: a required text, optional texts, numbers.

use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

/// An endpoint, a body that it takes, and one field of it that is a text.
struct Endpoint {
    method: &'static str,
    path: String,
    body: Value,
    text: &'static str,
    required: bool,
    empty_is_fine: bool,
    good: u16,
}

async fn endpoints(admin: &Actor) -> Vec<Endpoint> {
    let session = admin.post("/sessions", json!({})).await;
    let id = session.json["sessionId"].as_str().unwrap().to_owned();
    let endpoint = |method, path: String, body, text, good| Endpoint {
        method,
        path,
        body,
        text,
        required: true,
        empty_is_fine: false,
        good,
    };
    vec![
        endpoint("POST", "/wiki".into(), json!({"path": "a/b", "title": "T", "content": "C"}), "content", 201),
        Endpoint {
            required: false,
            empty_is_fine: true,
            ..endpoint("POST", "/sessions".into(), json!({"externalUserId": "u"}), "externalUserId", 201)
        },
        endpoint("POST", format!("/sessions/{id}/messages"), json!({"content": "Hello"}), "content", 200),
        Endpoint { required: false, ..endpoint("PATCH", "/settings".into(), json!({"name": "N"}), "name", 200) },
    ]
}

impl Endpoint {
    async fn send(&self, admin: &Actor, body: impl Into<Vec<u8>>) -> Reply {
        admin.bytes(self.method, &self.path, &[("content-type", "application/json")], body.into()).await
    }

    /// The good body with the text field's value replaced by this JSON text, whatever it is.
    fn with(&self, raw: &str) -> Vec<u8> {
        let mut body = self.body.clone();
        body[self.text] = json!("@@@");
        body.to_string().replace("\"@@@\"", raw).into_bytes()
    }

    /// A good body of a path that is new each time, if it makes something.
    fn good_body(&self, number: usize) -> Value {
        let mut body = self.body.clone();
        if self.path == "/wiki" {
            body["path"] = json!(format!("good/n{number}"));
        }
        body
    }
}

fn is_refusal(answer: &Reply, status: u16, errors: &[&str]) -> bool {
    let body = &answer.json;
    answer.status == status
        && errors.contains(&answer.text_at("error"))
        && body["message"].is_string()
        && body["requestId"].is_string()
        && body["details"].is_array()
        && !["serde", "axum", "dynamo", "panick", "line 1", ".rs"]
            .iter()
            .any(|leak| answer.text.to_lowercase().contains(leak))
}

#[tokio::test]
async fn a_body_that_is_no_json_object_is_refused_everywhere() {
    let world = TestService::start().await;
    let admin = world.admin();
    let nested = |open: &str, close: &str, n: usize| {
        format!("{{\"unknown\":{}1{}}}", open.repeat(n), close.repeat(n)).into_bytes()
    };
    for endpoint in endpoints(&admin).await {
        let good = endpoint.body.to_string();
        let mut bad: Vec<Vec<u8>> = vec![
            b" ".to_vec(),
            b"null".to_vec(),
            b"true".to_vec(),
            b"1".to_vec(),
            b"\"x\"".to_vec(),
            b"[]".to_vec(),
            b"[\"x\"]".to_vec(),
            b"{".to_vec(),
            b"'".to_vec(),
            format!("[{good}]").into_bytes(),
            format!("{},}}", good.trim_end_matches('}')).into_bytes(),
            good.replace('"', "'").into_bytes(),
            format!("{good}//x").into_bytes(),
            format!("/*x*/{good}").into_bytes(),
            format!("\u{feff}{good}").into_bytes(),
            format!("{good} x").into_bytes(),
            format!("{good}{good}").into_bytes(),
            format!("{good}\0").into_bytes(),
            good.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            good.replacen('{', "{\"twice\":1,\"twice\":2,", 1).into_bytes(),
            nested("[", "]", 128),
            nested("[", "]", 100_000),
            nested("{\"a\":", "}", 129),
            nested("{\"a\":", "}", 100_000),
            vec![b'['; 100_000],
        ];
        if !endpoint.empty_is_fine {
            bad.push(Vec::new());
        }
        for value in [
            "NaN",
            "Infinity",
            "1e400",
            "01",
            "+1",
            "0x10",
            "\"\\x41\"",
            "\"\\ud800\"",
            "\"\\udc00\"",
            "\"\\udc00\\ud800\"",
            "\"a\0b\"",
            "\"a\nb\"",
            "undefined",
            "'x'",
        ] {
            bad.push(endpoint.with(value));
        }
        for bytes in [&b"\xff"[..], b"\xc0\xaf", b"\xed\xa0\x80"] {
            let body = endpoint.with("\"@\"");
            let at = body.iter().position(|b| *b == b'@').unwrap();
            bad.push([&body[..at], bytes, &body[at + 1..]].concat());
        }
        for body in bad {
            let shown: String = String::from_utf8_lossy(&body).chars().take(80).collect();
            let answer = endpoint.send(&admin, body).await;
            assert!(
                is_refusal(&answer, 400, &["INVALID_JSON"]),
                "{} {} {shown:?}: {answer:?}",
                endpoint.method,
                endpoint.path
            );
        }
    }
}

#[tokio::test]
async fn a_field_of_the_wrong_kind_is_refused_by_its_name() {
    let world = TestService::start().await;
    let admin = world.admin();
    for endpoint in endpoints(&admin).await {
        let mut bad =
            vec!["1", "1.5", "true", "{}", "[]", "[\"x\"]", "{\"S\":\"x\"}", "\"a\\u0000b\"", "\"\"", "\"  \""];
        if endpoint.required {
            bad.push("null");
        }
        for value in bad {
            let answer = endpoint.send(&admin, endpoint.with(value)).await;
            let named = answer.json["details"][0]["field"] == endpoint.text;
            assert!(is_refusal(&answer, 400, &["VALIDATION_ERROR"]) && named, "{} {value}: {answer:?}", endpoint.path);
        }
        if endpoint.required {
            let upper = endpoint
                .body
                .to_string()
                .replace(&format!("\"{}\"", endpoint.text), &format!("\"{}\"", endpoint.text.to_uppercase()));
            for missing in ["{}".to_owned(), upper] {
                let answer = endpoint.send(&admin, missing).await;
                assert!(is_refusal(&answer, 400, &["VALIDATION_ERROR"]), "{answer:?}");
                assert!(
                    answer.json["details"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .any(|d| d["field"] == endpoint.text && d["code"] == "REQUIRED")
                );
            }
        }
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored_and_never_stored() {
    let world = TestService::start().await;
    let admin = world.admin();
    for (number, endpoint) in endpoints(&admin).await.into_iter().enumerate() {
        let mut body = endpoint.good_body(number);
        for name in ["__proto__", "constructor", "tenantId", "role", "pk", "unknownField", &"k".repeat(100_000)] {
            body[name] = json!({"smuggled": [1, null, {"x": 1e2}]});
        }
        let answer = endpoint.send(&admin, body.to_string()).await;
        assert_eq!(answer.status, endpoint.good, "{}: {}", endpoint.path, &answer.text[..answer.text.len().min(300)]);
        assert!(!answer.text.contains("smuggled") && !answer.text.contains("unknownField"));
    }
}

#[tokio::test]
async fn a_body_is_validated_at_one_mebibyte() {
    let world = TestService::start().await;
    let admin = world.admin();
    for (number, endpoint) in endpoints(&admin).await.into_iter().enumerate() {
        for (step, size) in [1_048_575_usize, 1_048_576].into_iter().enumerate() {
            let good = endpoint.good_body(10 * number + step).to_string();
            let padded = format!("{good}{}", " ".repeat(size - good.len()));
            let answer = endpoint.send(&admin, padded).await;
            assert_eq!(answer.status, endpoint.good, "{} at {size}: {answer:?}", endpoint.path);
        }
        let good = endpoint.good_body(10 * number + 9).to_string();
        let padded = format!("{good}{}", " ".repeat(1_048_577 - good.len()));
        let answer = endpoint.send(&admin, padded).await;
        assert!(is_refusal(&answer, 413, &["PAYLOAD_TOO_LARGE"]), "{answer:?}");
    }
    assert_eq!(admin.get("/wiki/good/n9").await.status, 404);
}

#[tokio::test]
async fn only_json_is_taken_for_json() {
    let world = TestService::start().await;
    let admin = world.admin();
    for (number, endpoint) in endpoints(&admin).await.into_iter().enumerate() {
        let body = endpoint.good_body(number).to_string();
        let bad: [&[(&str, &str)]; 7] = [
            &[],
            &[("content-type", "text/plain")],
            &[("content-type", "application/x-www-form-urlencoded")],
            &[("content-type", "multipart/form-data; boundary=x")],
            &[("content-type", "application/jsonp")],
            &[("content-type", "application/json; charset=utf-16")],
            &[("content-type", "application/json"), ("content-encoding", "gzip")],
        ];
        for headers in bad {
            let answer = admin.bytes(endpoint.method, &endpoint.path, headers, body.clone().into_bytes()).await;
            assert!(is_refusal(&answer, 415, &["UNSUPPORTED_MEDIA_TYPE"]), "{headers:?}: {answer:?}");
        }
        let good = [("content-type", "Application/JSON; charset=UTF-8")];
        let answer = admin.bytes(endpoint.method, &endpoint.path, &good, body.into_bytes()).await;
        assert_eq!(answer.status, endpoint.good);
    }
}

#[tokio::test]
async fn texts_are_validated_at_their_limits_in_characters() {
    let world = TestService::start().await;
    let admin = world.admin();
    let session = admin.post("/sessions", json!({})).await;
    let session = format!("/sessions/{}", session.json["sessionId"].as_str().unwrap());
    let messages = format!("{session}/messages");
    for (length, status) in [(0, 400), (1, 200), (7_999, 200), (8_000, 200), (8_001, 400)] {
        let answer = admin.post(&messages, json!({"content": "é".repeat(length)})).await;
        assert_eq!(answer.status, status, "{length} characters: {answer:?}");
    }
    let turns = admin.get(&messages).await;
    let written: Vec<_> = turns.items().iter().filter(|turn| turn["role"] == "customer").collect();
    let lengths: Vec<_> = written.iter().map(|turn| turn["content"].as_str().unwrap().chars().count()).collect();
    assert_eq!(lengths, [1, 7_999, 8_000]);
    for (length, status) in [(0, 400), (1, 200), (999, 200), (1_000, 200), (1_001, 400)] {
        let own = admin.post("/sessions", json!({})).await;
        let path = format!("/sessions/{}/escalate", own.json["sessionId"].as_str().unwrap());
        let answer = admin.post(&path, json!({"reason": "é".repeat(length)})).await;
        assert_eq!(answer.status, status, "{length} characters: {answer:?}");
    }
}

#[tokio::test]
async fn metadata_is_flat_and_validated_at_its_limits() {
    let world = TestService::start().await;
    let admin = world.admin();
    let keys = |n: usize| Value::Object((0..n).map(|i| (format!("k{i}"), json!(i))).collect());
    let bytes = |n: usize| json!({"k": "x".repeat(n - r#"{"k":""}"#.len())});
    let cases = [
        (keys(0), true),
        (keys(49), true),
        (keys(50), true),
        (keys(51), false),
        (bytes(4_095), true),
        (bytes(4_096), true),
        (bytes(4_097), false),
        (json!({"a": "x", "b": 1, "c": 1.5, "d": true}), true),
        (json!({"a": {}}), false),
        (json!({"a": []}), false),
        (json!({"a": {"b": 1}}), false),
        (json!([]), false),
        (json!("x"), false),
    ];
    for (metadata, good) in cases {
        let answer = admin.post("/sessions", json!({"metadata": metadata})).await;
        let shown: String = metadata.to_string().chars().take(80).collect();
        if good {
            assert_eq!(answer.status, 201, "{shown}");
            assert_eq!(answer.json["metadata"], metadata, "{shown}");
        } else {
            assert!(is_refusal(&answer, 400, &["VALIDATION_ERROR"]), "{shown}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn settings_are_validated_at_their_limits_and_never_clamped() {
    let world = TestService::start().await;
    let admin = world.admin();
    let ranges = [("resumeWindowHours", 1, 336), ("maxAiTurns", 1, 1_000), ("retentionDays", 7, 3_650)];
    for (field, min, max) in ranges {
        for good in [min, min + 1, max - 1, max] {
            let answer = admin.patch("/settings", json!({field: good})).await;
            assert_eq!((answer.status, &answer.json[field]), (200, &json!(good)), "{field}");
        }
        let raw = ["1.0", "1e2", "-0", "4294967296", "99999999999999999999", "-1", "\"24\"", "true", "[24]", "{}"];
        let beyond = [(min - 1).to_string(), (max + 1).to_string()];
        for bad in raw.into_iter().map(str::to_owned).chain(beyond) {
            let body = format!("{{\"{field}\":{bad}}}");
            let answer =
                admin.bytes("PATCH", "/settings", &[("content-type", "application/json")], body.into_bytes()).await;
            assert!(is_refusal(&answer, 400, &["VALIDATION_ERROR"]), "{field} {bad}: {answer:?}");
        }
        assert_eq!(admin.get("/settings").await.json[field], max, "{field} is what it was");
    }
    for (threshold, status) in [
        (json!(0), 200),
        (json!(0.0), 200),
        (json!(1), 200),
        (json!(-0.001), 400),
        (json!(1.001), 400),
        (json!("0.4"), 400),
    ] {
        assert_eq!(
            admin.patch("/settings", json!({"noMatchThreshold": threshold})).await.status,
            status,
            "{threshold}"
        );
    }
    for (field, bad) in
        [("language", "EN"), ("language", "xx"), ("answerVisibility", "internal"), ("widgetAnswerVisibility", "")]
    {
        let answer = admin.patch("/settings", json!({field: bad})).await;
        assert!(is_refusal(&answer, 400, &["VALIDATION_ERROR"]), "{field} {bad}: {answer:?}");
    }
}

#[tokio::test]
async fn a_message_and_an_entry_refused_leave_nothing_behind() {
    let world = TestService::start().await;
    let admin = world.admin();
    let session = admin.post("/sessions", json!({})).await;
    let messages = format!("/sessions/{}/messages", session.json["sessionId"].as_str().unwrap());
    admin.post(&messages, json!({"content": 1})).await;
    admin.post(&messages, json!({"content": "x".repeat(8_001)})).await;
    assert_eq!(admin.get(&messages).await.json["items"], json!([]));
    admin.post("/wiki", json!({"path": "a/b", "title": "T", "content": "C", "tags": [1]})).await;
    assert_eq!(admin.get("/wiki").await.json["total"], 0);
}

#[tokio::test]
async fn unknown_paths_and_methods_have_the_shape_of_every_error() {
    let world = TestService::start().await;
    let admin = world.admin();
    for path in ["/nothing", "/wikis", "/sessions/x/y/z", "/", ""] {
        let answer = admin.get(path).await;
        assert!(is_refusal(&answer, 404, &["NOT_FOUND"]), "{path}: {answer:?}");
    }
    for (method, path) in [
        ("PUT", "/wiki"),
        ("DELETE", "/wiki"),
        ("PATCH", "/sessions"),
        ("POST", "/settings"),
        ("POST", "/wiki/a/b"),
        ("TRACE", "/wiki"),
    ] {
        let answer = admin.bytes(method, path, &[], Vec::new()).await;
        assert!(is_refusal(&answer, 405, &["METHOD_NOT_ALLOWED"]), "{method} {path}: {answer:?}");
        assert!(!answer.header("allow").is_empty(), "{method} {path}");
    }
}
