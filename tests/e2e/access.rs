//! Access: every route by every kind of caller. The permission table is written here again, so that the table in the
//! code is tested. A route without a case fails.

use domain::access::{ApiKey, Permission};
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Role};
use edge::route_list::ROUTES;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Actor, Reply, TestService};

const ADMIN: &[Role] = &[Role::Admin];
const KNOWLEDGE: &[Role] = &[Role::Admin, Role::Trainer];
const INBOX: &[Role] = &[Role::Admin, Role::Agent];
const PEOPLE: &[Role] = &[Role::Admin, Role::Trainer, Role::Agent];

/// Whether a caller reaches what the route is about.
#[derive(Clone, Copy, PartialEq)]
enum About {
    /// Nothing that belongs to somebody: every caller has its own.
    Own,
    /// The session of visitor `own`.
    Session,
    /// A public entry of the tenant's live wiki.
    Entry,
    /// A live key of the tenant.
    Key,
    /// A request for a human in the tenant's live inbox.
    Escalation,
    /// A receiver of the tenant's live events, and something it was sent.
    Webhook,
    /// A live knowledge gap of the tenant.
    Gap,
    /// A live ingest job of the tenant that failed.
    Job,
}

struct Case {
    route: (&'static str, &'static str),
    widget: bool,
    keys: &'static [Role],
    about: About,
    body: Option<Value>,
}

fn case(
    method: &'static str,
    path: &'static str,
    widget: bool,
    keys: &'static [Role],
    about: About,
    body: Option<Value>,
) -> Case {
    Case { route: (method, path), widget, keys, about, body }
}

fn cases() -> Vec<Case> {
    let all = Role::ALL;
    let body = |value: Value| Some(value);
    vec![
        case("POST", "/api/v1/sessions", true, all, About::Own, body(json!({}))),
        case("GET", "/api/v1/sessions", false, PEOPLE, About::Own, None),
        case("POST", "/api/v1/sessions/resume", true, all, About::Session, body(json!({"sessionId": "{id}"}))),
        case("GET", "/api/v1/sessions/{id}", true, all, About::Session, None),
        case("PATCH", "/api/v1/sessions/{id}", false, all, About::Session, body(json!({"tags": ["vip"]}))),
        case("DELETE", "/api/v1/sessions/{id}", false, ADMIN, About::Session, None),
        case("POST", "/api/v1/sessions/{id}/messages", true, all, About::Session, body(json!({"content": "hello"}))),
        case("GET", "/api/v1/sessions/{id}/messages", true, all, About::Session, None),
        case("POST", "/api/v1/sessions/{id}/reaction", true, all, About::Session, body(json!({"reaction": "flag"}))),
        case("POST", "/api/v1/sessions/{id}/escalate", true, all, About::Session, body(json!({"reason": "please"}))),
        case("POST", "/api/v1/sessions/{id}/cancel-escalation", true, all, About::Session, body(json!({}))),
        case("GET", "/api/v1/wiki", true, all, About::Own, None),
        case(
            "POST",
            "/api/v1/wiki",
            false,
            KNOWLEDGE,
            About::Own,
            body(json!({"path": "{fresh}", "title": "t", "content": "c"})),
        ),
        case("GET", "/api/v1/wiki/{*path}", true, all, About::Entry, None),
        case("PATCH", "/api/v1/wiki/{*path}", false, KNOWLEDGE, About::Entry, body(json!({"title": "t2"}))),
        case("DELETE", "/api/v1/wiki/{*path}", false, KNOWLEDGE, About::Entry, None),
        case("GET", "/api/v1/inbox", false, INBOX, About::Own, None),
        case("POST", "/api/v1/inbox/takeover", false, INBOX, About::Escalation, body(json!({"escalationId": "{id}"}))),
        case("GET", "/api/v1/inbox/{id}", false, INBOX, About::Escalation, None),
        case("PATCH", "/api/v1/inbox/{id}", false, INBOX, About::Escalation, body(json!({"priority": "high"}))),
        case("POST", "/api/v1/inbox/{id}/message", false, INBOX, About::Escalation, body(json!({"content": "hello"}))),
        case("POST", "/api/v1/inbox/{id}/handback", false, INBOX, About::Escalation, body(json!({}))),
        case("POST", "/api/v1/inbox/{id}/resolve", false, INBOX, About::Escalation, body(json!({}))),
        case("POST", "/api/v1/inbox/{id}/release", false, INBOX, About::Escalation, body(json!({}))),
        case(
            "POST",
            "/api/v1/ingest",
            false,
            KNOWLEDGE,
            About::Own,
            body(json!({"text": "Some text.", "pathPrefix": "access/{fresh}"})),
        ),
        case("GET", "/api/v1/ingest", false, KNOWLEDGE, About::Own, None),
        case("GET", "/api/v1/ingest/{id}", false, KNOWLEDGE, About::Job, None),
        case("POST", "/api/v1/ingest/{id}/retry", false, KNOWLEDGE, About::Job, None),
        case("POST", "/api/v1/auth/widget-token", false, all, About::Own, body(json!({}))),
        case("GET", "/api/v1/api-keys", false, ADMIN, About::Own, None),
        case("POST", "/api/v1/api-keys", false, ADMIN, About::Own, body(json!({"name": "n"}))),
        case("GET", "/api/v1/api-keys/{id}", false, ADMIN, About::Key, None),
        case("DELETE", "/api/v1/api-keys/{id}", false, ADMIN, About::Key, None),
        case("GET", "/api/v1/analytics", false, PEOPLE, About::Own, None),
        case("GET", "/api/v1/analytics/kb-gaps", false, PEOPLE, About::Own, None),
        case(
            "PATCH",
            "/api/v1/analytics/kb-gaps/{id}",
            false,
            KNOWLEDGE,
            About::Gap,
            body(json!({"status": "dismissed"})),
        ),
        case("GET", "/api/v1/settings", false, ADMIN, About::Own, None),
        case("PATCH", "/api/v1/settings", false, ADMIN, About::Own, body(json!({"name": "n"}))),
        case(
            "POST",
            "/api/v1/webhooks",
            false,
            KNOWLEDGE,
            About::Own,
            body(json!({"url": "http://127.0.0.1:9/{fresh}", "events": ["*"], "secret": "12345678"})),
        ),
        case("GET", "/api/v1/webhooks", false, KNOWLEDGE, About::Own, None),
        case("GET", "/api/v1/webhooks/{id}", false, KNOWLEDGE, About::Webhook, None),
        case("PATCH", "/api/v1/webhooks/{id}", false, KNOWLEDGE, About::Webhook, body(json!({"description": "d"}))),
        case("DELETE", "/api/v1/webhooks/{id}", false, KNOWLEDGE, About::Webhook, None),
        case(
            "POST",
            "/api/v1/webhooks/{id}/rotate",
            false,
            KNOWLEDGE,
            About::Webhook,
            body(json!({"secret": "87654321"})),
        ),
        case("POST", "/api/v1/webhooks/{id}/test", false, KNOWLEDGE, About::Webhook, None),
        case("GET", "/api/v1/webhooks/{id}/deliveries", false, KNOWLEDGE, About::Webhook, None),
        case("POST", "/api/v1/webhooks/{id}/deliveries/{delivery}/resend", false, KNOWLEDGE, About::Webhook, None),
        case(
            "POST",
            "/api/v1/webhooks/{id}/replay",
            false,
            KNOWLEDGE,
            About::Webhook,
            body(json!({"since": "2026-01-02T03:04:05Z"})),
        ),
    ]
}

/// Everybody who ever calls.
struct Caller {
    name: &'static str,
    actor: Actor,
    who: Who,
}

#[derive(Clone, Copy, PartialEq)]
enum Who {
    Nobody(&'static str),
    Key { role: Role, own: bool },
    Widget { own: bool },
}

async fn callers(service: &TestService) -> Vec<Caller> {
    let deleted = service.admin().post("/api-keys", json!({"name": "deleted"})).await;
    service.admin().delete(&format!("/api-keys/{}", deleted.text_at("keyId"))).await.expect(204);
    let caller = |name, actor, who| Caller { name, actor, who };
    let key = |role, own| Who::Key { role, own };
    vec![
        caller("none", service.anonymous(), Who::Nobody("UNAUTHORIZED")),
        caller("malformed", service.bearer("pk_live_x"), Who::Nobody("UNAUTHORIZED")),
        caller("deleted", service.bearer(deleted.text_at("key")), Who::Nobody("UNAUTHORIZED")),
        caller("expired", service.bearer(&expired(service).await), Who::Nobody("API_KEY_EXPIRED")),
        caller("other tenant", service.other_admin(), key(Role::Admin, false)),
        caller("test mode", service.test_admin(), key(Role::Admin, false)),
        caller("integration", service.integration(), key(Role::Integration, true)),
        caller("agent", service.agent(), key(Role::Agent, true)),
        caller("trainer", service.trainer(), key(Role::Trainer, true)),
        caller("admin", service.admin(), key(Role::Admin, true)),
        caller("own widget", service.widget("own").await, Who::Widget { own: true }),
        caller("other widget", service.widget("other").await, Who::Widget { own: false }),
    ]
}

async fn expired(service: &TestService) -> String {
    let ctx = service.ctx();
    let key = ApiKey::generate(&ctx.ambient, Mode::Live).unwrap();
    let record = ApiKeyRecord {
        key_id: ApiKeyId::generate(&ctx.ambient).unwrap(),
        scope: service.tenant.scope(Mode::Live),
        name: "expired".into(),
        role: Role::Admin,
        prefix: key.prefix(),
        created_at: ctx.ambient.now(),
        expires_at: Some(ctx.ambient.now()),
        last_used_at: None,
    };
    ctx.store.api_keys().create(&record, &key.hash()).await.unwrap();
    key.expose().to_owned()
}

/// What a cell of the matrix must answer.
#[derive(Debug, PartialEq)]
enum Expected {
    Unauthorized(&'static str),
    Forbidden,
    NotFound,
    LetIn,
}

fn expected(case: &Case, who: Who) -> Expected {
    let (may, reaches) = match who {
        Who::Nobody(code) => return Expected::Unauthorized(code),
        Who::Key { role, own } => (case.keys.contains(&role), own || case.about == About::Own),
        Who::Widget { own } => (case.widget, own || case.about != About::Session),
    };
    match (may, reaches) {
        (false, _) => Expected::Forbidden,
        (true, false) => Expected::NotFound,
        (true, true) => Expected::LetIn,
    }
}

/// Makes what the route is about anew and fills it into path and body.
async fn call(service: &TestService, case: &Case, actor: &Actor, fresh: usize) -> Reply {
    let admin = service.admin();
    let name = format!("access/e{fresh}");
    let id = match case.about {
        About::Own => String::new(),
        About::Session => admin.session_with(json!({"channel": "widget", "externalUserId": "own"})).await,
        About::Key => admin.post("/api-keys", json!({"name": "doomed"})).await.text_at("keyId").to_owned(),
        About::Escalation => {
            let session = admin.session().await;
            let asked = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
            asked.text_at("escalationId").to_owned()
        }
        About::Gap => {
            admin.ask(&admin.session().await, "Which zebra sings on Jupiter?").await.expect(200);
            service.drain().await;
            let gaps = admin.get("/analytics/kb-gaps?status=open").await.items().to_vec();
            let dismissed = admin.get("/analytics/kb-gaps?status=dismissed").await.items().to_vec();
            gaps.iter().chain(&dismissed).next().unwrap()["gapId"].as_str().unwrap().to_owned()
        }
        About::Job => {
            let body = json!({"text": "-", "pathPrefix": "access"});
            admin.post("/ingest", body).await.text_at("ingestId").to_owned()
        }
        About::Entry => {
            admin.wiki_entry(&name, "title", "content").await;
            String::new()
        }
        About::Webhook => webhook(&admin, &name).await,
    };
    send(case, actor, &id, &name).await
}

/// A receiver in the place of all others, and the delivery of a test to it.
async fn webhook(admin: &Actor, name: &str) -> String {
    for old in admin.get("/webhooks").await.items() {
        admin.delete(&format!("/webhooks/{}", old["webhookId"].as_str().unwrap())).await.expect(204);
    }
    let body = json!({"url": format!("http://127.0.0.1:9/{name}"), "events": ["*"], "secret": "12345678"});
    let id = admin.post("/webhooks", body).await.text_at("webhookId").to_owned();
    let delivery = admin.post_empty(&format!("/webhooks/{id}/test")).await;
    format!("{id} {}", delivery.text_at("deliveryId"))
}

async fn send(case: &Case, actor: &Actor, id: &str, name: &str) -> Reply {
    let (method, path) = case.route;
    let (id, delivery) = id.split_once(' ').unwrap_or((id, "dlv_00000000000000000000000000"));
    let path = path.trim_start_matches("/api/v1").replace("{id}", id).replace("{delivery}", delivery);
    let path = path.replace("{*path}", name);
    let mut request = actor.request(Method::from_bytes(method.as_bytes()).unwrap(), &path);
    if let Some(body) = &case.body {
        let body = body.to_string().replace("{id}", id).replace("{fresh}", name);
        request = request.header("content-type", "application/json").body(body);
    }
    Reply::read(format!("{method} {path}"), request.send().await.unwrap()).await
}

/// An error's body without the one thing that differs from request to request.
fn without_request_id(reply: &Reply) -> Value {
    let mut body = reply.json.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove("requestId");
    }
    body
}

#[tokio::test]
async fn every_route_lets_in_exactly_whom_the_contract_names() {
    let service = TestService::start().await;
    let callers = callers(&service).await;
    let mut wrong = Vec::new();
    for (i, case) in cases().iter().enumerate() {
        let missing =
            send(case, &service.admin(), "ses_00000000000000000000000000", &format!("access/missing{i}")).await;
        for (j, caller) in callers.iter().enumerate() {
            let reply = call(&service, case, &caller.actor, i * 100 + j).await;
            let right = match expected(case, caller.who) {
                Expected::Unauthorized(code) => {
                    reply.status == 401
                        && reply.text_at("error") == code
                        && reply.header("www-authenticate") == "Bearer"
                }
                Expected::Forbidden => reply.status == 403 && reply.json["details"][0]["code"] == "REQUIRED_ROLE",
                Expected::NotFound => reply.status == 404 && without_request_id(&reply) == without_request_id(&missing),
                Expected::LetIn => (200..300).contains(&reply.status) || reply.status == 409,
            };
            if !right {
                wrong.push(format!("{} by {}: {} {}", reply.asked, caller.name, reply.status, reply.text));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_route_has_a_case() {
    let cases = cases();
    for route in ROUTES.iter().filter(|route| route.permission != Permission::Public) {
        assert!(cases.iter().any(|case| case.route == (route.method, route.path)), "{} {}", route.method, route.path);
    }
    let public = ROUTES.iter().filter(|route| route.permission == Permission::Public).count();
    assert_eq!(cases.len() + public, ROUTES.len(), "a case of a route that is gone");
}
