//! A query parameter that an operation does not take is refused before anything happens.

use reqwest::Method;
use serde_json::json;

use crate::cases::cases;
use crate::support::{Actor, Reply, TestService};

/// Routes that are for everybody and take no notice of a query.
const LENIENT: [&str; 2] = ["/api/v1/health", "/api/v1/openapi.json"];

async fn send(caller: &Actor, method: &str, path: &str, body: Option<&serde_json::Value>) -> Reply {
    let request = caller.request(Method::from_bytes(method.as_bytes()).unwrap(), path);
    let request = body.into_iter().fold(request, |request, body| request.json(body));
    Reply::read(format!("{method} {path}"), request.send().await.unwrap()).await
}

#[tokio::test]
async fn an_unknown_query_parameter_is_refused_on_every_route_and_nothing_happens() {
    let service = TestService::start().await;
    let admin = service.admin();
    admin.wiki_entry("a/b", "Title", "Content").await;
    for case in cases() {
        let operation = &case.operation;
        let ids = case.make(&service, "a/made").await;
        let path = operation.path.trim_start_matches("/api/v1");
        let path = ids.fill(path).replace("{*path}", "a/b");
        let methods = if operation.method == "GET" { vec!["GET", "HEAD"] } else { vec![operation.method] };
        for method in methods {
            for query in ["surprise=1", "surprise=1&surprise=2", "surprise", "%73urprise="] {
                let reply = send(&admin, method, &format!("{path}?{query}"), operation.example.as_ref()).await;
                if LENIENT.contains(&operation.path) {
                    reply.expect(200);
                    continue;
                }
                assert_eq!(reply.status, 400, "{}: {}", reply.asked, reply.text);
                if method != "HEAD" {
                    reply.expect_error(400, "VALIDATION_ERROR");
                    assert_eq!(reply.details(), ["surprise UNKNOWN_PARAMETER"], "{}", reply.asked);
                }
            }
        }
        let gone = admin.delete("/wiki/a/made").await.status;
        assert!([204, 404].contains(&gone), "{gone}");
    }
    assert_eq!(admin.get("/wiki/a/b").await.expect(200)["version"], 1);
    assert!(admin.get("/inbox?status=claimed").await.items().is_empty());
}

#[tokio::test]
async fn unknown_parameters_are_named_among_all_problems_and_only_to_who_may_call() {
    let service = TestService::start().await;
    let admin = service.admin();
    let reply = admin.get("/sessions?limit=0&Limit=5&ownership=AI&sort=up").await;
    reply.expect_error(400, "VALIDATION_ERROR");
    let expected = ["Limit UNKNOWN_PARAMETER", "sort UNKNOWN_PARAMETER", "ownership NOT_ALLOWED", "limit OUT_OF_RANGE"];
    assert_eq!(reply.details(), expected);
    assert_eq!(admin.get("/wiki?status=open&status=closed").await.details(), ["status UNKNOWN_PARAMETER"]);
    assert_eq!(admin.get("/sessions?limit=1&limit=2").await.details(), ["limit DUPLICATE"]);
    service.anonymous().get("/sessions?sort=up").await.expect_error(401, "UNAUTHORIZED");
    service.integration().get("/settings?x=1").await.expect_error(403, "FORBIDDEN");
    let widget = service.widget("v").await;
    let refused = widget.post("/sessions?debug=1", json!({})).await;
    assert_eq!(refused.details(), ["debug UNKNOWN_PARAMETER"]);
    widget.get("/nothing?x=1").await.expect_error(404, "NOT_FOUND");
    assert!(admin.get("/sessions").await.items().is_empty());
}
