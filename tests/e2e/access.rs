//! Access: every route by every kind of caller. The permission table is written here again, so that the table in the
//! code is tested. The cases come from the declarations of the endpoints; an endpoint without a row fails.

use domain::access::{ApiKey, Permission};
use domain::models::{ApiKeyId, ApiKeyRecord, Mode, Role};
use serde_json::{Value, json};

use crate::cases::{About, Case, SIGN_IN, cases};
use crate::support::{Actor, Reply, TestService};

const ADMIN: &[Role] = &[Role::Admin];
pub(crate) const KNOWLEDGE: &[Role] = &[Role::Admin, Role::Trainer];
const INBOX: &[Role] = &[Role::Admin, Role::Agent];
const RATERS: &[Role] = &[Role::Admin, Role::Integration];
const PEOPLE: &[Role] = &[Role::Admin, Role::Trainer, Role::Agent];

/// The callers of an endpoint: widgets or not, and the roles of keys. This is the contract's table, read from the top;
/// an endpoint that is in none of its rows fails.
pub(crate) fn contract(method: &str, path: &str) -> (bool, &'static [Role]) {
    let path = path.trim_start_matches("/api/v1");
    let below = |root: &str| path == root || path.starts_with(&format!("{root}/"));
    match method {
        "DELETE" if path == "/sessions/{id}/reaction" => (true, Role::ALL),
        "DELETE" if path == "/sessions/{id}" => (false, ADMIN),
        "GET" if path == "/sessions/{id}/export" => (false, ADMIN),
        _ if below("/members") || path == "/audit" => (false, ADMIN),
        "PATCH" if path == "/sessions/{id}" => (true, Role::ALL),
        "GET" if path == "/sessions" => (false, PEOPLE),
        "POST" if path == "/sessions/{id}/takeover" => (false, INBOX),
        "POST" if path == "/sessions/{id}/notes" => (false, PEOPLE),
        "POST" if path == "/sessions/{id}/rating" => (true, RATERS),
        "GET" | "POST" if below("/sessions") => (true, Role::ALL),
        "POST" if path == "/dry-runs" => (false, PEOPLE),
        "GET" if below("/wiki") => (true, Role::ALL),
        _ if below("/wiki") || below("/ingest") || below("/webhooks") => (false, KNOWLEDGE),
        _ if path == "/wiki-export" || path == "/wiki-import" => (false, KNOWLEDGE),
        "POST" if path == "/drafts/{id}/publish" || path == "/wiki-revisions/restore" => (false, KNOWLEDGE),
        _ if below("/wiki-revisions") || below("/drafts") || below("/wiki-answers") => (false, PEOPLE),
        "GET" if below("/pins") => (false, PEOPLE),
        _ if below("/pins") => (false, KNOWLEDGE),
        _ if below("/inbox") => (false, INBOX),
        _ if below("/saved-replies") => (false, PEOPLE),
        "GET" if below("/analytics") => (false, PEOPLE),
        "PATCH" if path == "/analytics/kb-gaps/{id}" => (false, KNOWLEDGE),
        "POST" if path == "/analytics/kb-gaps/{id}/draft" => (false, PEOPLE),
        _ if below("/api-keys") || below("/settings") => (false, ADMIN),
        "POST" if path == "/auth/widget-token" => (false, Role::ALL),
        _ => panic!("{method} {path} is in no row of the contract's table of access"),
    }
}

/// The endpoints that are for everybody.
const PUBLIC: [&str; 2] = ["/api/v1/health", "/api/v1/openapi.json"];

/// The cases of all other endpoints.
fn guarded() -> Vec<Case> {
    let is_open = |path| PUBLIC.contains(&path) || SIGN_IN.contains(&path);
    cases().into_iter().filter(|case| !is_open(case.operation.path)).collect()
}

/// Somebody who calls; `W` says what is expected of them.
pub(crate) struct Caller<W> {
    pub(crate) name: &'static str,
    pub(crate) actor: Actor,
    pub(crate) who: W,
}

#[derive(Clone, Copy, PartialEq)]
enum Who {
    Nobody(&'static str),
    Key {
        role: Role,
        own: bool,
    },
    /// An admin's key of the test mode.
    TestKey,
    Widget(Reach),
}

/// The resources of a widget.
#[derive(Clone, Copy, PartialEq)]
enum Reach {
    /// The sessions of visitor `own` and the tenant's live entries.
    Visitor,
    /// One other session of that visitor, and the entries.
    OneSession,
    /// The sessions of another visitor, and the entries.
    OtherVisitor,
    /// Nothing of the tenant's live half.
    Elsewhere,
}

/// A widget of visitor `own`, by a token that `issuer` asks for.
async fn widget_of(service: &TestService, issuer: &Actor, body: Value) -> Actor {
    service.bearer(issuer.post("/auth/widget-token", body).await.text_at("token"))
}

async fn callers(service: &TestService) -> Vec<Caller<Who>> {
    let own = || json!({"externalUserId": "own"});
    let token = service.integration().post("/auth/widget-token", own()).await.text_at("token").to_owned();
    let altered = format!("{}{}", &token[..token.len() - 4], if token.ends_with("AAAA") { "BBBB" } else { "AAAA" });
    let late = widget_of(service, &service.integration(), json!({"externalUserId": "own", "ttlSeconds": 60})).await;
    service.clock.advance(60_000);
    let session = service.admin().session_with(json!({"channel": "widget", "externalUserId": "own"})).await;
    let one_session = widget_of(service, &service.integration(), json!({"sessionId": session})).await;
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
        caller("test mode", service.test_admin(), Who::TestKey),
        caller("integration", service.integration(), key(Role::Integration, true)),
        caller("agent", service.agent(), key(Role::Agent, true)),
        caller("trainer", service.trainer(), key(Role::Trainer, true)),
        caller("admin", service.admin(), key(Role::Admin, true)),
        caller("altered token", service.bearer(&altered), Who::Nobody("UNAUTHORIZED")),
        caller("expired token", late, Who::Nobody("TOKEN_EXPIRED")),
        caller("own widget", service.widget("own").await, Who::Widget(Reach::Visitor)),
        caller("widget of another session", one_session, Who::Widget(Reach::OneSession)),
        caller("other widget", service.widget("other").await, Who::Widget(Reach::OtherVisitor)),
        caller(
            "widget of another tenant",
            widget_of(service, &service.other_admin(), own()).await,
            Who::Widget(Reach::Elsewhere),
        ),
        caller(
            "widget in test mode",
            widget_of(service, &service.test_admin(), own()).await,
            Who::Widget(Reach::Elsewhere),
        ),
    ]
}

async fn expired(service: &TestService) -> String {
    let resources = service.resources();
    let key = ApiKey::generate(&resources.runtime, Mode::Live).unwrap();
    let record = ApiKeyRecord {
        created_by: None,
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

/// The expected answer of a cell of the matrix.
#[derive(Debug, PartialEq)]
pub(crate) enum Expected {
    Unauthorized(&'static str),
    Forbidden(&'static str),
    /// Refused until the member signs in again.
    SignInTooOld,
    NotFound,
    LetIn,
}

/// Agents read saved replies of the team and drafts of others, and do not change them.
pub(crate) fn is_of_trainers(case: &Case) -> bool {
    matches!(case.about, About::Reply | About::Draft) && case.operation.method != "GET"
}

fn expected(case: &Case, who: Who) -> Expected {
    let (widget, keys) = contract(case.operation.method, case.operation.path);
    let of_staff = ["/api/v1/audit", "/api/v1/inbox/agents"];
    let is_of_members = of_staff.contains(&case.operation.path) || case.operation.path.contains("/members");
    let (may, reaches) = match who {
        Who::TestKey if is_of_members => return Expected::Forbidden("REQUIRED_MODE"),
        Who::TestKey => (keys.contains(&Role::Admin), case.about == About::Own),
        Who::Nobody(code) => return Expected::Unauthorized(code),
        // Those of the team are written by trainers and admins alone.
        Who::Key { role: Role::Agent, own: true } if is_of_trainers(case) => {
            return Expected::Forbidden("REQUIRED_ROLE");
        }
        Who::Key { role, own } => (keys.contains(&role), own || case.about == About::Own),
        // A token of one session opens no other.
        Who::Widget(Reach::OneSession) if case.operation.path == "/api/v1/sessions" && widget => {
            return Expected::Forbidden("TOKEN_SCOPE");
        }
        Who::Widget(Reach::Visitor) => (widget, true),
        Who::Widget(Reach::OneSession | Reach::OtherVisitor) => (widget, case.about != About::Session),
        Who::Widget(Reach::Elsewhere) => (widget, case.about == About::Own),
    };
    match (may, reaches) {
        (false, _) => Expected::Forbidden("REQUIRED_ROLE"),
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

/// The example of a case without the agent who acts: a key acts as itself then, and a member never acts as another.
fn body_of(case: &Case) -> Option<Value> {
    let mut body = case.operation.example.clone()?;
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|name, _| name != "agentId" && name != "agentName");
    }
    Some(body)
}

/// Sends the request of every guarded endpoint as each caller, and compares the answer with what is expected.
pub(crate) async fn check_matrix<W: Copy>(
    service: &TestService,
    callers: &[Caller<W>],
    expected: impl Fn(&Case, W) -> Expected,
) {
    let mut wrong = Vec::new();
    for (i, case) in guarded().iter().enumerate() {
        let body = body_of(case);
        let missing = format!("access/missing{i}");
        let missing = case.send_body(&service.admin(), &Case::nothing(), &missing, body.as_ref()).await;
        let mut unchanged = None;
        for (j, caller) in callers.iter().enumerate() {
            let expected = expected(case, caller.who);
            let (name, ids) = match unchanged.take() {
                Some(made) => made,
                None => {
                    let name = format!("access/e{}", i * 100 + j);
                    let ids = case.make(service, &name).await;
                    (name, ids)
                }
            };
            let reply = case.send_body(&caller.actor, &ids, &name, body.as_ref()).await;
            // A refused call changes nothing: the next one asks for the same thing.
            if expected != Expected::LetIn {
                unchanged = Some((name, ids));
            }
            if !is_as_expected(&reply, &expected, &missing) {
                wrong.push(format!(
                    "{} by {}: {} {}, not {expected:?}",
                    reply.asked, caller.name, reply.status, reply.text
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn is_as_expected(reply: &Reply, expected: &Expected, missing: &Reply) -> bool {
    let is = |status: u16, code: &str| reply.status == status && reply.text_at("error") == code;
    match *expected {
        Expected::Unauthorized(code) => is(401, code) && reply.header("www-authenticate") == "Bearer",
        Expected::Forbidden(code) => reply.status == 403 && reply.json["details"][0]["code"] == code,
        Expected::SignInTooOld => is(403, "RECENT_SIGN_IN_REQUIRED"),
        Expected::NotFound => reply.status == 404 && without_request_id(reply) == without_request_id(missing),
        Expected::LetIn => (200..300).contains(&reply.status) || reply.status == 409,
    }
}

#[tokio::test]
async fn every_route_lets_in_exactly_whom_the_contract_names() {
    let service = TestService::start().await;
    check_matrix(&service, &callers(&service).await, expected).await;
}

#[test]
fn the_permissions_of_the_declarations_are_those_of_the_contract() {
    for case in guarded() {
        let permission = case.operation.permission;
        let declared = (permission.widget(), permission.roles());
        assert_eq!(declared, contract(case.operation.method, case.operation.path), "{}", case.operation.name);
    }
}

#[tokio::test]
async fn public_routes_answer_everybody_and_health_reports_to_keys_alone() {
    let service = TestService::start().await;
    let callers = callers(&service).await;
    let public: Vec<_> = cases().into_iter().filter(|case| PUBLIC.contains(&case.operation.path)).collect();
    assert_eq!(public.len(), PUBLIC.len());
    for case in public {
        assert_eq!(case.operation.permission, Permission::Public);
        for caller in &callers {
            let reply = case.send(&caller.actor, &Case::nothing(), "").await;
            let reports = reply.expect(200).get("checks").is_some();
            let is_key = matches!(caller.who, Who::Key { .. } | Who::TestKey);
            assert_eq!(reports, is_key && case.operation.path.ends_with("/health"), "{} {}", caller.name, reply.text);
        }
    }
}
