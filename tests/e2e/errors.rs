//! The one shape of every error, the headers of every response, and everything invalid in a body, a query or a path.

use http_body::Frame;
use http_body_util::StreamBody;
use reqwest::Method;
use serde_json::json;
use support::edge::route_list::ROUTES;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::{Reply, TestService};

/// Status and body of a request whose target is sent byte by byte as it is here.
async fn raw(service: &TestService, method: &str, target: &str, headers: &str) -> (u16, String) {
    let host = service.url().trim_start_matches("http://").split('/').next().unwrap();
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let request = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
}

fn admin_header(service: &TestService) -> String {
    let key = service.tenant.key(domain::models::Mode::Live, domain::models::Role::Admin);
    format!("authorization: Bearer {key}\r\n")
}

#[tokio::test]
async fn every_answer_is_safe_and_carries_its_id() {
    let service = TestService::start().await;
    let replies = [
        service.admin().get("/settings").await,
        service.anonymous().get("/settings").await,
        service.anonymous().get("/nothing").await,
        service.anonymous().get("/health").await,
        service.admin().patch("/settings", json!({})).await,
    ];
    for reply in replies {
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{}", reply.asked);
        assert_eq!(reply.header("cache-control"), "no-store");
        assert!(reply.header("strict-transport-security").starts_with("max-age="));
        assert_eq!(reply.header("content-type"), "application/json");
        assert!(reply.header("x-request-id").starts_with("req_"));
        if reply.status >= 400 {
            assert_eq!(reply.text_at("requestId"), reply.header("x-request-id"));
            assert!(reply.at("details").is_array());
        }
    }
    let named = service.anonymous().with_header("x-request-id", "my id ~1").get("/settings").await;
    assert_eq!((named.header("x-request-id"), named.text_at("requestId")), ("my id ~1", "my id ~1"));
    let too_long = service.anonymous().with_header("x-request-id", &"x".repeat(129)).get("/settings").await;
    assert!(too_long.header("x-request-id").starts_with("req_"));
}

#[tokio::test]
async fn unknown_paths_are_404_and_unknown_methods_405_with_what_is_allowed() {
    let service = TestService::start().await;
    for path in ["", "/", "/nothing", "/sessions/", "/wiki/", "/settings/x", "/api-keys/x/y", "//settings", "/Settings"]
    {
        service.admin().get(path).await.expect_error(404, "NOT_FOUND");
    }
    for route in ROUTES {
        let path = route.path.replace("{id}", "x").replace("{*path}", "a/b");
        let path = path.strip_prefix("/api/v1").unwrap();
        let known = |method: &Method| ROUTES.iter().any(|it| (it.method, it.path) == (method.as_str(), route.path));
        let unknown = [Method::PUT, Method::TRACE, Method::from_bytes(b"BREW").unwrap()];
        for method in unknown.into_iter().filter(|method| !known(method)) {
            let asked = format!("{method} {path}");
            let reply = Reply::read(asked, service.admin().request(method, path).send().await.unwrap()).await;
            reply.expect_error(405, "METHOD_NOT_ALLOWED");
            let allow: Vec<_> = reply.header("allow").split(", ").collect();
            assert!(allow.contains(&route.method), "{path}: {allow:?}");
        }
        let head = service.admin().request(Method::HEAD, path).send().await.unwrap();
        let read = ROUTES.iter().any(|other| (other.method, other.path) == ("GET", route.path));
        assert_eq!(head.status() == 405, !read, "HEAD {path}");
    }
}

#[tokio::test]
async fn a_body_that_is_not_one_json_object_is_400() {
    let service = TestService::start().await;
    let depth = |open: &str, close: &str, n: usize| format!("{{\"name\":{}1{}}}", open.repeat(n), close.repeat(n));
    let bodies: Vec<Vec<u8>> = [
        "",
        " ",
        "null",
        "[]",
        "[\"x\"]",
        "\"x\"",
        "7",
        "{\"name\":\"a\",\"name\":\"b\"}",
        "{\"name\":\"a\",}",
        "{'name':'a'}",
        "{\"name\":\"a\"} // x",
        "\u{FEFF}{\"name\":\"a\"}",
        "{\"name\":\"a\"}x",
        "{\"name\":\"a\"}{}",
        "{\"name\":\"a\"}\0",
        "{\"name\":\"\0\"}",
        "{\"name\":\"\n\"}",
        "{\"name\":\"\\ud800\"}",
        "{\"name\":\"\\udc00\"}",
        "{\"name\":\"\\udc00\\ud800\"}",
        "{\"name\":\"\\x41\"}",
        "{\"n\":NaN}",
        "{\"n\":Infinity}",
        "{\"n\":1e400}",
        "{\"n\":01}",
        "{\"n\":+1}",
        "{\"n\":0x10}",
        "{\"name\":",
        "{",
        &depth("[", "]", 128),
        &depth("[", "]", 100_000),
        &depth("{\"a\":", "}", 100_000),
        &"[".repeat(100_000),
    ]
    .iter()
    .map(|body| body.as_bytes().to_vec())
    .chain([
        b"{\"name\":\"\xff\"}".to_vec(),
        b"{\"name\":\"\xc0\xaf\"}".to_vec(),
        b"{\"name\":\"\xed\xa0\x80\"}".to_vec(),
        "{\"name\":\"a\"}".encode_utf16().flat_map(u16::to_le_bytes).collect(),
    ])
    .collect();
    for body in bodies {
        let shown = String::from_utf8_lossy(&body).chars().take(60).collect::<String>();
        let reply = service.admin().post_raw("/api-keys", "application/json", body).await;
        assert_eq!((reply.status, reply.text_at("error")), (400, "INVALID_JSON"), "{shown}");
    }
    for body in [
        "{}",
        "{\"Name\":\"a\"}",
        "{\"name\":null}",
        "{\"name\":7}",
        "{\"name\":{}}",
        "{\"name\":[\"a\"]}",
        "{\"name\":\"\\u0000\"}",
    ] {
        let reply = service.admin().post_raw("/api-keys", "application/json", body).await;
        assert_eq!((reply.status, reply.text_at("error")), (400, "VALIDATION_ERROR"), "{body}");
    }
    for body in [
        format!("{{\"name\":\"a\",\"__proto__\":{{}},\"{}\":1}}", "k".repeat(100_000)),
        depth("[", "]", 100).replace("name", "x").replacen('{', "{\"name\":\"a\",", 1),
    ] {
        service.admin().post_raw("/api-keys", "application/json", body).await.expect(201);
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_415_and_a_larger_one_413() {
    let service = TestService::start().await;
    for content_type in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "text/json",
        "application/json; charset=utf-16",
        "multipart/form-data; boundary=x",
    ] {
        let reply = service.admin().post_raw("/api-keys", content_type, "{\"name\":\"a\"}").await;
        reply.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    let gzip = service.admin().with_header("content-encoding", "gzip").post("/api-keys", json!({"name": "a"})).await;
    gzip.expect_error(415, "UNSUPPORTED_MEDIA_TYPE");
    for (size, status) in [(1_048_575, 201), (1_048_576, 201), (1_048_577, 413), (4_000_000, 413)] {
        let frame = "{\"name\":\"a\",\"x\":\"\"}".len();
        let body = format!("{{\"name\":\"a\",\"x\":\"{}\"}}", "x".repeat(size - frame));
        let reply = service.admin().post_raw("/api-keys", "application/json", body.clone()).await;
        assert_eq!(reply.status, status, "{size}");
        let frames =
            body.into_bytes().chunks(50_000).map(bytes::Bytes::copy_from_slice).map(Frame::data).collect::<Vec<_>>();
        let frames = futures::stream::iter(frames.into_iter().map(Ok::<_, std::io::Error>));
        let stream = reqwest::Body::wrap(StreamBody::new(frames));
        let reply = service.admin().post_raw("/api-keys", "application/json", stream).await;
        assert_eq!(reply.status, status, "{size} streamed");
    }
    // Authorization is checked before the body is validated.
    service.anonymous().post_raw("/api-keys", "text/plain", "x").await.expect_error(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn a_query_is_plain_or_refused() {
    let service = TestService::start().await;
    for query in [
        "limit=0",
        "limit=-1",
        "limit=101",
        "limit=1e2",
        "limit=",
        "limit",
        "limit=abc",
        "limit=%EF%BC%99%EF%BC%99",
        "limit=1&limit=2",
        "limit=+5",
        "limit=%2B5",
        "limit=9999999999999999999",
        "limit=99999999999999999999999",
        "limit=%zz",
        "limit=%ff",
        "cursor=%20",
        "cursor=x&cursor=y",
        "cursor=&cursor=",
    ] {
        let (status, body) = raw(&service, "GET", &format!("/api/v1/api-keys?{query}"), &admin_header(&service)).await;
        assert_eq!(status, 400, "{query}: {body}");
        assert!(body.contains("\"VALIDATION_ERROR\"") && body.contains("\"field\""), "{query}: {body}");
    }
    service.admin().get("/api-keys?limit=100").await.expect(200);
}

#[tokio::test]
async fn an_encoded_path_is_never_reinterpreted() {
    let service = TestService::start().await;
    let missing = service.admin().delete("/api-keys/key_00000000000000000000000000").await;
    missing.expect_error(404, "NOT_FOUND");
    for id in [
        "x",
        "key_",
        "TENANT%23t2",
        "..",
        "%2e%2e",
        "%2E%2E%2Fsettings",
        "..%2f..",
        "key_1%3Fx=1",
        "key_1%23x",
        "%00",
        "%ff",
        "..;",
        "%252e",
        &"k".repeat(65),
        &"k".repeat(2_048),
        "e%CC%81",
        "%C3%A9",
    ] {
        let (status, body) = raw(&service, "DELETE", &format!("/api/v1/api-keys/{id}"), &admin_header(&service)).await;
        assert_eq!(status, 404, "{id}: {body}");
        assert!(body.contains(missing.text_at("message")), "{id}: {body}");
    }
    for target in [
        "/api/v1/api-keys/../settings",
        "/api/v1//settings",
        "/api/v1/%73ettings",
        "/api/v1/settings%3F",
        "/api/v1/settings%23",
        "/api/v1/./settings",
        "/api/v1/settings/",
        "/api/v1%2Fsettings",
        "/api%2fv1/settings",
        "/API/v1/settings",
    ] {
        let (status, body) = raw(&service, "GET", target, &admin_header(&service)).await;
        assert!([404, 405].contains(&status), "{target}: {status} {body}");
    }
}

#[tokio::test]
async fn health_tells_nobody_little_and_a_key_holder_what_works() {
    let service = TestService::start().await;
    let nobody = service.anonymous().get("/health").await;
    assert_eq!(nobody.expect(200)["status"], "ok");
    let deleted = service.bearer("pk_live_abcdefghijklmnopqrstuvwxyzABCD3AEZJO").get("/health").await;
    let widget = service.widget("v").await.get("/health").await;
    for reply in [nobody, deleted, widget] {
        let fields: Vec<_> = reply.expect(200).as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(fields, ["status", "time"], "{}", reply.text);
    }
    let full = service.integration().get("/health").await;
    let body = full.expect(200);
    assert_eq!(
        (&body["checks"]["database"]["status"], &body["checks"]["search"]["status"]),
        (&json!("ok"), &json!("ok"))
    );
    assert!(body["version"].is_string() && body["checks"]["model"]["status"].is_string());
}
