//! CORS: preflights, origins, and what a page may read.

use reqwest::Method;
use serde_json::json;
use support::edge::route_list::ROUTES;

use crate::support::{Actor, Reply, TestService};

const PAGE: &str = "https://allowed.example";

async fn options(actor: &Actor, path: &str) -> Reply {
    let request = actor.request(Method::OPTIONS, path).header("access-control-request-method", "POST");
    Reply::read(format!("OPTIONS {path}"), request.send().await.unwrap()).await
}

#[tokio::test]
async fn every_route_of_a_widget_has_a_preflight_and_no_other() {
    let service = TestService::start().await;
    let page = service.anonymous().with_header("origin", PAGE);
    for route in ROUTES {
        let path = route.path.replace("{id}", "x").replace("{*path}", "a/b");
        let path = path.strip_prefix("/api/v1").unwrap();
        let reply = options(&page, path).await;
        let widget = ROUTES.iter().any(|other| other.path == route.path && other.permission.widget());
        assert_eq!(reply.status, if widget { 204 } else { 405 }, "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), PAGE);
        assert_eq!(reply.header("access-control-allow-credentials"), "");
        if widget && route.permission.widget() {
            let methods: Vec<_> = reply.header("access-control-allow-methods").split(", ").collect();
            assert!(methods.contains(&route.method), "{path}: {methods:?}");
            let headers = reply.header("access-control-allow-headers").to_ascii_lowercase();
            assert!(headers.contains("authorization") && headers.contains("content-type"), "{headers}");
        }
    }
    options(&page, "/nothing").await.expect_error(404, "NOT_FOUND");
}

#[tokio::test]
async fn only_the_tenants_own_pages_may_call_once_it_names_any() {
    let service = TestService::start().await;
    let widget = service.widget("v").await;
    widget.with_header("origin", "https://anywhere.example").get("/wiki").await.expect(200);
    service.admin().patch("/settings", json!({"widgetOrigins": [PAGE]})).await.expect(200);
    let allowed = widget.with_header("origin", PAGE).get("/wiki").await;
    allowed.expect(200);
    assert_eq!(allowed.header("access-control-allow-origin"), PAGE);
    for exposed in ["ETag", "Retry-After", "X-Request-Id", "Location", "Idempotency-Replayed", "RateLimit"] {
        assert!(allowed.header("access-control-expose-headers").contains(exposed), "{exposed}");
    }
    for foreign in [
        "null",
        "https://allowed.example.evil.com",
        "https://evilallowed.example",
        "http://allowed.example",
        "https://allowed.example:8443",
        "https://sub.allowed.example",
        "file://",
        "",
    ] {
        let refused = widget.with_header("origin", foreign).get("/wiki").await;
        refused.expect_error(403, "FORBIDDEN");
        assert!(refused.headers.get("access-control-allow-origin").is_none(), "{foreign}");
        assert!(refused.header("vary").contains("Origin"));
    }
    widget.get("/wiki").await.expect(200);
}

#[tokio::test]
async fn a_foreign_page_is_refused_on_every_route() {
    let service = crate::sign_in::service().await;
    let admin = service.admin();
    admin.patch("/settings", json!({"widgetOrigins": [PAGE]})).await.expect(200);
    // An answer that is the same for everybody tells a page nothing.
    let is_for_all = |path: &str| ["/api/v1/openapi.json", "/api/v1/auth/desk"].contains(&path);
    for route in ROUTES.iter().filter(|route| !is_for_all(route.path)) {
        let path = route.path.replace("{id}", "x").replace("{*path}", "a/b");
        let path = path.strip_prefix("/api/v1").unwrap();
        for foreign in ["https://evil.example", "null"] {
            let page = admin.with_header("origin", foreign);
            let refused = page.bytes(route.method, path, &[("content-type", "application/json")], b"{}".to_vec()).await;
            refused.expect_error(403, "FORBIDDEN");
            assert_eq!(refused.details(), ["ORIGIN_NOT_ALLOWED"], "{} {path}", route.method);
            assert!(refused.headers.get("access-control-allow-origin").is_none(), "{} {path}", route.method);
        }
    }
    let own = admin.with_header("origin", PAGE).get("/settings").await;
    own.expect(200);
    assert_eq!(own.header("access-control-allow-origin"), PAGE);
    // A server sends no origin.
    admin.get("/settings").await.expect(200);
}

#[tokio::test]
async fn a_page_can_read_why_it_was_refused() {
    let service = TestService::start().await;
    let page = service.anonymous().with_header("origin", PAGE);
    for (reply, status) in
        [(page.get("/wiki").await, 401), (page.get("/nothing").await, 404), (page.delete("/wiki").await, 405)]
    {
        assert_eq!(reply.status, status);
        assert_eq!(reply.header("access-control-allow-origin"), PAGE);
        let vary: Vec<_> = reply.headers.get_all("vary").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(vary.contains(&"Origin"), "{vary:?}");
        assert_eq!(reply.header("access-control-allow-credentials"), "");
    }
}
