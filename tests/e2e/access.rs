//! Access: every route by every kind of caller. The permission table is written here again, so that the table in the
//! code is tested. A route without a case fails.

use domain::access::{ApiKey, Permission};
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Role};
use serde_json::{Value, json};

use crate::cases::{About, Case, cases};
use crate::support::{Actor, Reply, TestService};

const ADMIN: &[Role] = &[Role::Admin];
const KNOWLEDGE: &[Role] = &[Role::Admin, Role::Trainer];
const INBOX: &[Role] = &[Role::Admin, Role::Agent];
const PEOPLE: &[Role] = &[Role::Admin, Role::Trainer, Role::Agent];

/// Who may call an endpoint: widgets or not, and the roles of keys. This is the contract's table, read from the top; an
/// endpoint that is in none of its rows fails.
fn contract(method: &str, path: &str) -> (bool, &'static [Role]) {
    let path = path.trim_start_matches("/api/v1");
    let below = |root: &str| path == root || path.starts_with(&format!("{root}/"));
    match method {
        "DELETE" if path == "/sessions/{id}" => (false, ADMIN),
        "GET" if path == "/sessions/{id}/export" => (false, ADMIN),
        "PATCH" if path == "/sessions/{id}" => (false, Role::ALL),
        "GET" if path == "/sessions" => (false, PEOPLE),
        "GET" | "POST" if below("/sessions") => (true, Role::ALL),
        "GET" if below("/wiki") => (true, Role::ALL),
        _ if below("/wiki") || below("/ingest") || below("/webhooks") => (false, KNOWLEDGE),
        _ if below("/inbox") => (false, INBOX),
        "GET" if below("/analytics") => (false, PEOPLE),
        "PATCH" if path == "/analytics/kb-gaps/{id}" => (false, KNOWLEDGE),
        _ if below("/api-keys") || below("/settings") => (false, ADMIN),
        "POST" if path == "/auth/widget-token" => (false, Role::ALL),
        _ => panic!("{method} {path} is in no row of the contract's table of access"),
    }
}

/// The cases of all endpoints that are not for everybody.
fn guarded() -> Vec<Case> {
    cases().into_iter().filter(|case| case.operation.permission != Permission::Public).collect()
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
    let resources = service.resources();
    let key = ApiKey::generate(&resources.runtime, Mode::Live).unwrap();
    let record = ApiKeyRecord {
        key_id: ApiKeyId::generate(&resources.runtime).unwrap(),
        scope: service.tenant.scope(Mode::Live),
        name: "expired".into(),
        role: Role::Admin,
        prefix: key.prefix(),
        created_at: resources.runtime.now(),
        expires_at: Some(resources.runtime.now()),
        last_used_at: None,
    };
    resources.store.api_keys().create(&record, &key.hash(), None).await.unwrap();
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
    let (widget, keys) = contract(case.operation.method, case.operation.path);
    let (may, reaches) = match who {
        Who::Nobody(code) => return Expected::Unauthorized(code),
        Who::Key { role, own } => (keys.contains(&role), own || case.about == About::Own),
        Who::Widget { own } => (widget, own || case.about != About::Session),
    };
    match (may, reaches) {
        (false, _) => Expected::Forbidden,
        (true, false) => Expected::NotFound,
        (true, true) => Expected::LetIn,
    }
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
    for (i, case) in guarded().iter().enumerate() {
        let missing = case.send(&service.admin(), &Case::nothing(), &format!("access/missing{i}")).await;
        for (j, caller) in callers.iter().enumerate() {
            let name = format!("access/e{}", i * 100 + j);
            let ids = case.make(&service, &name).await;
            let reply = case.send(&caller.actor, &ids, &name).await;
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
fn the_permissions_of_the_declarations_are_those_of_the_contract() {
    for case in guarded() {
        let permission = case.operation.permission;
        let declared = (permission.widget(), permission.roles());
        assert_eq!(declared, contract(case.operation.method, case.operation.path), "{}", case.operation.name);
    }
}
