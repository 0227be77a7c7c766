//! One case for each endpoint, made of its declaration: its request, by its example, and what it is about. The access
//! tests send it as every kind of caller, the tests of the OpenAPI document as one who may.

use std::sync::atomic::{AtomicU32, Ordering};

use domain::access::Permission;
use reqwest::Method;
use serde_json::{Value, json};
use support::edge::describe::{Operation, ParameterLocation};

use crate::openapi::operations;
use crate::support::{Actor, Reply, TestService};

/// The endpoints of signing in, which are for everybody whom the provider or a cookie vouches for.
pub(crate) const SIGN_IN: [&str; 4] =
    ["/api/v1/auth/desk", "/api/v1/auth/desk-token", "/api/v1/auth/desk-token/renew", "/api/v1/auth/sign-out"];

/// The ending of the ids of examples.
const EXAMPLE_ULID: &str = "01JDB8Q7XKZ3T5V9W2Y4A6C8EG";

/// The kind of resource of an endpoint, by the ids in its path or its example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum About {
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
    /// A member of the tenant.
    Member,
    /// A saved reply of the tenant in live mode.
    Reply,
    /// A replaced version of an entry of the tenant's live wiki, which its body names.
    Revision,
    /// An open draft of an admin in live mode.
    Draft,
    /// A question that is pinned to an entry of the tenant's live wiki.
    Pin,
}

/// An endpoint and its request.
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) about: About,
}

/// The ids that stand in a request.
#[derive(Default, Clone)]
pub(crate) struct Ids {
    pub(crate) id: String,
    delivery: String,
}

impl Ids {
    /// `path` with the ids in it.
    pub(crate) fn fill(&self, path: &str) -> String {
        path.replace("{id}", &self.id).replace("{delivery}", &self.delivery)
    }

    /// An example with what was made: its id, and names unlike those before.
    pub(crate) fn fill_example(&self, example: &str, name: &str) -> String {
        let delivery = format!("dlv_{EXAMPLE_ULID}");
        let changes = [
            // Nobody listens there.
            ("https://hooks.example.com", format!("http://127.0.0.1:9/{name}")),
            ("billing/invoices", name.to_owned()),
            ("refund-time", name.replace('/', "-")),
            ("ada@company.example", format!("{}@company.example", name.replace('/', "."))),
            (&delivery, self.delivery.clone()),
            ("gap_0123456789abcdef0123456789abcdef", self.id.clone()),
        ];
        let filled = changes.iter().fold(example.to_owned(), |text, (old, new)| text.replace(old, new));
        match filled.find(EXAMPLE_ULID) {
            Some(at) => filled.replace(&filled[at - 4..at + EXAMPLE_ULID.len()], &self.id),
            None => filled,
        }
    }

    /// The same ids but for the parameter `name` of a path.
    pub(crate) fn with(&self, name: &str, id: &str) -> Self {
        match name {
            "id" => Self { id: id.to_owned(), ..self.clone() },
            "delivery" => Self { delivery: id.to_owned(), ..self.clone() },
            other => panic!("no path has {other}"),
        }
    }
}

/// One for each endpoint.
pub(crate) fn cases() -> Vec<Case> {
    let case = |operation: Operation| Case { about: about(&operation), operation };
    operations().into_iter().map(case).collect()
}

fn about(operation: &Operation) -> About {
    let path = operation.parameters.iter().find(|parameter| parameter.place == ParameterLocation::Path);
    let schema = path.and_then(|parameter| parameter.schema.get("$ref")?.as_str());
    let body = operation.example.as_ref().map(Value::to_string).unwrap_or_default();
    let names = |kind: &str, prefix: &str| {
        let is_in_body = if prefix.ends_with('_') { format!("{prefix}{EXAMPLE_ULID}") } else { prefix.to_owned() };
        schema.is_some_and(|it| it.ends_with(kind)) || body.contains(&is_in_body)
    };
    let known = [
        ("/SessionId", "ses_", About::Session),
        ("/EscalationId", "esc_", About::Escalation),
        ("/WikiPath", "no id: ", About::Entry),
        ("/ApiKeyId", "key_", About::Key),
        ("/WebhookId", "whk_", About::Webhook),
        ("/GapId", "gap_", About::Gap),
        ("/IngestId", "ing_", About::Job),
        ("/MemberId", "mem_", About::Member),
        ("/SavedReplyId", "rep_", About::Reply),
        ("/DraftId", "drf_", About::Draft),
        ("/PinId", "pin_", About::Pin),
        ("no id: ", "\"question\":", About::Entry),
        ("no id: ", "\"currentVersion\"", About::Revision),
    ];
    if operation.method == "PUT" {
        // What is not there is made.
        return About::Own;
    }
    let found = known.into_iter().find(|(kind, prefix, _)| names(kind, prefix)).map(|(_, _, about)| about);
    assert!(found.is_some() || schema.is_none(), "nothing is known to make of {schema:?}");
    found.unwrap_or(About::Own)
}

impl Case {
    /// Whether it has a limit: of its caller's calls, of whoever signs out by a token, or of an address's failures to sign
    /// in.
    pub(crate) fn is_limited(&self) -> bool {
        let without_caller = ["/api/v1/auth/desk-token", "/api/v1/auth/sign-out"];
        self.operation.permission != Permission::Public || without_caller.contains(&self.operation.path)
    }

    pub(crate) fn nothing() -> Ids {
        Ids { id: "ses_00000000000000000000000000".into(), delivery: "dlv_00000000000000000000000000".into() }
    }

    /// Creates what the endpoint is about; `name` is that of an entry.
    pub(crate) async fn make(&self, service: &TestService, name: &str) -> Ids {
        let admin = service.admin();
        let id = match self.about {
            About::Own => String::new(),
            About::Session => admin.session_with(json!({"channel": "widget", "externalUserId": "own"})).await,
            About::Key => admin.post("/api-keys", json!({"name": "doomed"})).await.text_at("keyId").to_owned(),
            About::Escalation => {
                let session = admin.session().await;
                let asked = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
                asked.text_at("escalationId").to_owned()
            }
            About::Gap => gap(service, &admin).await,
            About::Job => {
                let body = json!({"text": "-", "pathPrefix": "access"});
                admin.post("/ingest", body).await.text_at("ingestId").to_owned()
            }
            About::Member => {
                let email = format!("made-{}@company.example", fresh_number());
                let body = json!({"email": email, "name": "Ada", "roles": ["agent"]});
                admin.post("/members", body).await.text_at("memberId").to_owned()
            }
            About::Entry => {
                admin.wiki_entry(name, "title", "content").await;
                String::new()
            }
            About::Revision => {
                admin.wiki_entry(name, "title", "content").await;
                admin.patch(&format!("/wiki/{name}"), json!({"title": "other"})).await.expect(200);
                service.drain().await;
                String::new()
            }
            About::Draft => {
                let path = format!("made/n{}", fresh_number());
                let body = json!({"path": path, "action": "create", "title": "title", "content": "content"});
                admin.post("/drafts", body).await.text_at("draftId").to_owned()
            }
            About::Pin => {
                admin.wiki_entry(name, "title", "content").await;
                let body = json!({"path": name, "question": "Is it pinned?"});
                admin.post("/pins", body).await.text_at("pinId").to_owned()
            }
            About::Reply => {
                let shortcut = format!("made-{}", fresh_number());
                let body = json!({"scope": "team", "shortcut": shortcut, "title": "title", "content": "content"});
                admin.post("/saved-replies", body).await.text_at("replyId").to_owned()
            }
            About::Webhook => return webhook(&admin, name).await,
        };
        Ids { id, ..Self::nothing() }
    }

    /// Brings what was made to where the endpoint succeeds.
    pub(crate) async fn prepare(&self, service: &TestService, ids: &Ids) {
        let (admin, id) = (service.admin(), &ids.id);
        match self.operation.path.rsplit('/').next().unwrap() {
            "reaction" => drop(admin.ask(id, "hello").await),
            "cancel-escalation" => {
                admin.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await.expect(200);
            }
            "rating" => {
                let asked = admin.post(&format!("/sessions/{id}/escalate"), json!({"reason": "help"})).await;
                let taken = json!({"escalationId": asked.at("escalationId")});
                admin.post("/inbox/takeover", taken).await.expect(200);
            }
            "message" | "handback" | "resolve" | "release" | "transfer" | "renew"
                if self.operation.path.contains("{id}") =>
            {
                let agent = json!({"agentId": "anna", "escalationId": id});
                admin.post("/inbox/takeover", agent).await.expect(200);
            }
            "reopen" => {
                admin.post("/inbox/takeover", json!({"escalationId": id})).await.expect(200);
                admin.post_empty(&format!("/inbox/{id}/resolve")).await.expect(200);
            }
            "retry" => service.drain().await,
            _ => {}
        }
    }

    /// Sends the request of the declaration; `name` is that of an entry, and makes others unlike those before.
    pub(crate) async fn send(&self, actor: &Actor, ids: &Ids, name: &str) -> Reply {
        self.send_body(actor, ids, name, self.operation.example.as_ref()).await
    }

    /// The same with another body.
    pub(crate) async fn send_body(&self, actor: &Actor, ids: &Ids, name: &str, body: Option<&Value>) -> Reply {
        self.send_text(actor, ids, name, body.map(Value::to_string).as_deref()).await
    }

    /// The same with a body as it stands.
    pub(crate) async fn send_text(&self, actor: &Actor, ids: &Ids, name: &str, body: Option<&str>) -> Reply {
        let Operation { method, path, example_query, .. } = &self.operation;
        let path = ids.fill(path.trim_start_matches("/api/v1")).replace("{*path}", name);
        let mut request = actor.request(Method::from_bytes(method.as_bytes()).unwrap(), &path);
        if let Some(query) = example_query {
            request = request.query(query);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(ids.fill_example(body, name));
        }
        Reply::read(format!("{method} {path}"), request.send().await.unwrap()).await
    }
}

/// A number that was not given before: of what is made, no two may have the same address or shortcut.
fn fresh_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

async fn gap(service: &TestService, admin: &Actor) -> String {
    admin.ask(&admin.session().await, "Which zebra sings on Jupiter?").await.expect(200);
    service.drain().await;
    let gaps = admin.get("/analytics/kb-gaps?status=open").await.items().to_vec();
    let dismissed = admin.get("/analytics/kb-gaps?status=dismissed").await.items().to_vec();
    gaps.iter().chain(&dismissed).next().unwrap()["gapId"].as_str().unwrap().to_owned()
}

/// A receiver in the place of all others, and the delivery of a test to it.
async fn webhook(admin: &Actor, name: &str) -> Ids {
    for old in admin.get("/webhooks").await.items() {
        admin.delete(&format!("/webhooks/{}", old["webhookId"].as_str().unwrap())).await.expect(204);
    }
    let body = json!({"url": format!("http://127.0.0.1:9/{name}"), "events": ["*"], "secret": "12345678"});
    let id = admin.post("/webhooks", body).await.text_at("webhookId").to_owned();
    let delivery = admin.post_empty(&format!("/webhooks/{id}/test")).await.text_at("deliveryId").to_owned();
    Ids { id, delivery }
}
