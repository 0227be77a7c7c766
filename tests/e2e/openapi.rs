//! The OpenAPI document describes exactly what the service serves: every route and no other, its callers, and the real
//! response bodies.

mod assemble;
mod events;
mod examples;
mod front;
mod links;
mod people;
mod quality;
mod samples;
mod schema;
mod schemas;
mod table;

use std::collections::BTreeSet;

use reqwest::Method;
use schema::Document;
use serde_json::{Value, json};
use support::edge::route_list::{ROUTES, RouteSpec};

use crate::support::{Actor, Reply, TestService};

use assemble::path_of;
pub(crate) use assemble::{document, operations};
pub(crate) use table::route_list;

/// A route's place in the document.
fn operation_of(route: &RouteSpec) -> (String, String) {
    let path = route.path.trim_start_matches("/api/v1").replace("{*path}", "{path}");
    (route.method.to_lowercase(), path)
}

#[test]
fn every_reference_leads_somewhere_and_nothing_is_described_for_nobody() {
    let document = Document::committed();
    assert_eq!(document.0["openapi"], "3.1.0");
    let mut used = BTreeSet::new();
    crate::template::document::walk(&document.0, "", &mut |_, value| {
        if let Some(reference) = value["$ref"].as_str() {
            assert!(document.0.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
            used.insert(reference.to_owned());
        }
    });
    for kind in ["schemas", "parameters", "responses"] {
        for name in document.0["components"][kind].as_object().unwrap().keys() {
            assert!(used.contains(&format!("#/components/{kind}/{name}")), "nobody uses {kind}/{name}");
        }
    }
}

#[test]
fn an_operation_says_who_may_call_it_what_it_takes_and_how_it_fails() {
    let document = Document::committed();
    let mut ids = BTreeSet::new();
    for route in ROUTES {
        let (method, path) = operation_of(route);
        let operation = document.operation(&method, &path);
        let at = format!("{method} {path}");
        assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{at}: its id is not its own");
        assert!(operation["summary"].is_string(), "{at} says nothing of itself");
        let schemes: BTreeSet<_> = operation["security"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|scheme| scheme.as_object().unwrap().keys().cloned())
            .collect();
        let public = operation["security"].as_array().unwrap().iter().all(|scheme| scheme["widgetToken"].is_null());
        assert_eq!(schemes.contains("widgetToken"), route.permission.widget() && !is_public(route), "{at}");
        assert!(is_public(route) || (schemes.contains("apiKey") && public != route.permission.widget()), "{at}");
        assert!(is_public(route) || schemes.contains("deskToken"), "{at}");
        let parameters = document.parameters(operation);
        for name in path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')) {
            let declared = parameters.iter().any(|p| p["name"] == name && p["in"] == "path" && p["required"] == true);
            assert!(declared, "{at} does not describe {name}");
        }
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{at} never succeeds");
        assert_eq!(responses["default"]["$ref"], "#/components/responses/Error", "{at}");
        assert!(is_public(route) || responses.contains_key("401") && responses.contains_key("403"), "{at}");
        let has_body = operation.get("requestBody").is_some();
        assert!(!has_body || ["400", "413", "415"].iter().all(|status| responses.contains_key(*status)), "{at}");
    }
}

fn is_public(route: &RouteSpec) -> bool {
    route.permission == domain::access::Permission::Public
}

#[tokio::test]
async fn everybody_may_read_the_document() {
    let service = TestService::start().await;
    let reply = service.anonymous().get("/openapi.json").await;
    assert_eq!(reply.expect(200), &Document::committed().0);
    assert_eq!(reply.header("content-type"), "application/json");
}

/// The fault of an error's code: an operation declares every one but those of the service's own failures.
fn undeclared(operation: &Value, reply: &Reply) -> Option<String> {
    let code = reply.json["error"].as_str().filter(|_| reply.status >= 400 && reply.status < 500)?;
    let told = operation["responses"][reply.status.to_string()]["description"].as_str().unwrap_or_default();
    (!told.contains(&format!("`{code}`"))).then(|| format!("{}: {code} is not declared", reply.asked))
}

/// Calls the service and holds every answer, good or bad, to the document.
struct Caller {
    document: Document,
    seen: BTreeSet<String>,
    problems: Vec<String>,
}

impl Caller {
    /// `described` is the path as the document has it.
    async fn call(&mut self, actor: &Actor, method: &str, described: &str, path: &str, body: Option<Value>) -> Reply {
        let mut request = actor.request(Method::from_bytes(method.as_bytes()).unwrap(), path);
        if let Some(body) = &body {
            request = request.json(body);
        }
        let reply = Reply::read(format!("{method} {path}"), request.send().await.unwrap()).await;
        let operation = self.document.operation(&method.to_lowercase(), described);
        let problems = self.document.answer(operation, reply.status, &reply.text);
        self.problems.extend(undeclared(operation, &reply));
        self.problems.extend(problems.iter().map(|problem| format!("{}: {} {problem}", reply.asked, reply.status)));
        if reply.status < 300 {
            self.seen.insert(format!("{} {described}", method.to_lowercase()));
        }
        reply
    }
}

#[tokio::test]
async fn every_answer_matches_its_description() {
    let service = crate::sign_in::service().await;
    let mut caller = Caller { document: Document::committed(), seen: BTreeSet::new(), problems: Vec::new() };
    let admin = service.admin();
    wiki(&mut caller, &admin).await;
    people::knowledge(&mut caller, &service).await;
    sessions(&mut caller, &admin).await;
    inbox(&mut caller, &admin).await;
    people::helping(&mut caller, &admin).await;
    people::saved_replies(&mut caller, &admin).await;
    people::members(&mut caller, &admin).await;
    people::signing_in(&mut caller, &service).await;
    administration(&mut caller, &admin).await;
    webhooks(&mut caller, &service).await;
    ingest(&mut caller, &service).await;
    service.drain().await;
    for path in ["/analytics", "/analytics/confidence", "/analytics/kb-gaps", "/health"] {
        caller.call(&admin, "GET", path, path, None).await.expect(200);
    }
    gaps(&mut caller, &admin).await;
    caller.call(&service.other_admin(), "GET", "/analytics", "/analytics", None).await.expect(200);
    caller.call(&service.anonymous(), "GET", "/health", "/health", None).await.expect(200);
    caller.call(&service.anonymous(), "GET", "/openapi.json", "/openapi.json", None).await.expect(200);
    assert!(caller.problems.is_empty(), "{}", caller.problems.join("\n"));
    let unseen: Vec<_> = ROUTES
        .iter()
        .map(operation_of)
        .map(|(method, path)| format!("{method} {path}"))
        .filter(|operation| !caller.seen.contains(operation))
        .collect();
    assert!(unseen.is_empty(), "never called with success: {unseen:?}");
}

async fn wiki(caller: &mut Caller, admin: &Actor) {
    let entry =
        json!({"path": "help/refunds", "title": "Refunds", "content": "A refund takes five days.", "tags": ["a"]});
    caller.call(admin, "POST", "/wiki", "/wiki", Some(entry.clone())).await.expect(201);
    caller.call(admin, "POST", "/wiki", "/wiki", Some(entry)).await.expect(409);
    caller.call(admin, "POST", "/wiki", "/wiki", Some(json!({"title": 7}))).await.expect(400);
    let whole = json!({"title": "Returns", "content": "A return is free.", "visibility": "internal"});
    for status in [201, 200] {
        let put = caller.call(admin, "PUT", "/wiki/{path}", "/wiki/help/returns", Some(whole.clone())).await;
        put.expect(status);
    }
    caller.call(admin, "GET", "/wiki-export", "/wiki-export?pathPrefix=help", None).await.expect(200);
    let items = json!([
        {"path": "help/new", "title": "New", "content": "C", "visibility": "public"},
        {"path": "help/returns", "title": "Other", "content": "C", "visibility": "public"},
        {"path": "no"},
    ]);
    let import = json!({"items": items, "onConflict": "draft"});
    caller.call(admin, "POST", "/wiki-import", "/wiki-import", Some(import)).await.expect(200);
    caller.call(admin, "POST", "/wiki-import", "/wiki-import", Some(json!({"items": []}))).await.expect(400);
    caller.call(admin, "GET", "/wiki", "/wiki", None).await.expect(200);
    caller.call(admin, "GET", "/wiki", "/wiki?q=refund", None).await.expect(200);
    let one = ("/wiki/{path}", "/wiki/help/refunds");
    caller.call(admin, "GET", one.0, one.1, None).await.expect(200);
    caller.call(admin, "PATCH", one.0, one.1, Some(json!({"visibility": "public"}))).await.expect(200);
    let doomed = json!({"path": "help/doomed", "title": "T", "content": "C"});
    caller.call(admin, "POST", "/wiki", "/wiki", Some(doomed)).await.expect(201);
    caller.call(admin, "DELETE", one.0, "/wiki/help/doomed", None).await.expect(204);
    caller.call(admin, "GET", one.0, "/wiki/help/doomed", None).await.expect(404);
    let change = json!({"path": "help/refunds", "content": "A refund takes six days."});
    let run = json!({"changes": [change], "questions": {"texts": ["How long does a refund take?"]}});
    caller.call(admin, "POST", "/dry-runs", "/dry-runs", Some(run)).await.expect(200);
    let gone = json!({"changes": [{"path": "help/doomed", "action": "delete"}], "questions": {"days": 1}});
    caller.call(admin, "POST", "/dry-runs", "/dry-runs", Some(gone)).await.expect(404);
}

async fn sessions(caller: &mut Caller, admin: &Actor) {
    let new = json!({"externalUserId": "ann", "user": {"name": "Ann"}, "metadata": {"k": 1}, "tags": ["vip"], "locale": "en"});
    let session = caller.call(admin, "POST", "/sessions", "/sessions", Some(new)).await;
    let id = session.text_at("sessionId").to_owned();
    let at = |rest: &str| format!("/sessions/{id}{rest}");
    for question in ["How long does a refund take?", "Where does the zebra sleep?"] {
        let body = Some(json!({"content": question}));
        caller.call(admin, "POST", "/sessions/{id}/messages", &at("/messages"), body).await.expect(200);
    }
    let body = Some(json!({"reaction": "thumbs_up"}));
    caller.call(admin, "POST", "/sessions/{id}/reaction", &at("/reaction"), body).await.expect(200);
    let body = Some(json!({"tags": ["gold"], "metadata": null, "user": null}));
    caller.call(admin, "PATCH", "/sessions/{id}", &at(""), body).await.expect(200);
    caller.call(admin, "PATCH", "/sessions/{id}", &at(""), Some(json!({}))).await.expect(400);
    let body = Some(json!({"reason": "please", "priority": "high"}));
    caller.call(admin, "POST", "/sessions/{id}/escalate", &at("/escalate"), body).await.expect(200);
    let cancel = ("/sessions/{id}/cancel-escalation", at("/cancel-escalation"));
    caller.call(admin, "POST", cancel.0, &cancel.1, None).await.expect(200);
    caller.call(admin, "POST", cancel.0, &cancel.1, None).await.expect(409);
    caller.call(admin, "GET", "/sessions/{id}/messages", &at("/messages"), None).await.expect(200);
    caller.call(admin, "GET", "/sessions/{id}", &at(""), None).await.expect(200);
    caller.call(admin, "GET", "/sessions/{id}/export", &at("/export"), None).await.expect(200);
    caller.call(admin, "GET", "/sessions", "/sessions?limit=1", None).await.expect(200);
    let resume = Some(json!({"sessionId": id}));
    caller.call(admin, "POST", "/sessions/resume", "/sessions/resume", resume).await.expect(200);
    let doomed = admin.session().await;
    caller.call(admin, "DELETE", "/sessions/{id}", &format!("/sessions/{doomed}"), None).await.expect(204);
    caller.call(admin, "GET", "/sessions/{id}", &format!("/sessions/{doomed}"), None).await.expect(404);
}

async fn gaps(caller: &mut Caller, admin: &Actor) {
    let disliked = "/analytics/disliked-answers";
    caller.call(admin, "GET", disliked, "/analytics/disliked-answers?limit=1", None).await.expect(200);
    let listed = admin.get("/analytics/kb-gaps").await;
    let one = ("/analytics/kb-gaps/{id}", format!("/analytics/kb-gaps/{}", listed.text_at("/items/0/gapId")));
    caller.call(admin, "GET", one.0, &one.1, None).await.expect(200);
    let draft = ("/analytics/kb-gaps/{id}/draft", format!("{}/draft", one.1));
    caller.call(admin, "POST", draft.0, &draft.1, None).await.expect(201);
    for (status, expected) in [("dismissed", 200), ("open", 200), ("open", 409), ("resolved", 400)] {
        let body = Some(json!({"status": status}));
        caller.call(admin, "PATCH", one.0, &one.1, body).await.expect(expected);
    }
}

async fn inbox(caller: &mut Caller, admin: &Actor) {
    caller.call(admin, "GET", "/inbox/agents", "/inbox/agents", None).await.expect(200);
    for ending in ["release", "handback", "resolve"] {
        let session = admin.session().await;
        admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await.expect(200);
        let agent = json!({"agentId": "anna", "agentName": "Anna"});
        let taken = caller.call(admin, "POST", "/inbox/takeover", "/inbox/takeover", Some(agent)).await;
        let id = taken.text_at("escalationId").to_owned();
        let at = |rest: &str| format!("/inbox/{id}{rest}");
        let body = Some(json!({"content": "Hello", "agentId": "anna", "agentName": "Anna"}));
        caller.call(admin, "POST", "/inbox/{id}/message", &at("/message"), body).await.expect(200);
        caller.call(admin, "GET", "/inbox/{id}", &at(""), None).await.expect(200);
        let high = Some(json!({"priority": "high", "snoozedUntil": null}));
        caller.call(admin, "PATCH", "/inbox/{id}", &at(""), high).await.expect(200);
        let anna = Some(json!({"agentId": "anna"}));
        caller.call(admin, "POST", "/inbox/{id}/renew", &at("/renew"), anna.clone()).await.expect(200);
        caller.call(admin, "POST", "/inbox/renew", "/inbox/renew", anna).await.expect(200);
        let to_bob = Some(json!({"toAgentId": "bob", "note": "Yours."}));
        caller.call(admin, "POST", "/inbox/{id}/transfer", &at("/transfer"), to_bob).await.expect(200);
        let described = format!("/inbox/{{id}}/{ending}");
        caller.call(admin, "POST", &described, &at(&format!("/{ending}")), Some(json!({}))).await.expect(200);
        let again = caller.call(admin, "POST", "/inbox/{id}/reopen", &at("/reopen"), Some(json!({}))).await;
        again.expect(if ending == "resolve" { 200 } else { 409 });
    }
    let session = admin.session().await;
    let note = ("/sessions/{id}/notes", format!("/sessions/{session}/notes"));
    caller.call(admin, "POST", note.0, &note.1, Some(json!({"content": "A note."}))).await.expect(201);
    let step_in = ("/sessions/{id}/takeover", format!("/sessions/{session}/takeover"));
    caller.call(admin, "POST", step_in.0, &step_in.1, Some(json!({"reason": "r"}))).await.expect(200);
    caller.call(admin, "POST", step_in.0, &step_in.1, Some(json!({}))).await.expect(409);
    for status in ["pending", "claimed", "resolved", "closed"] {
        caller.call(admin, "GET", "/inbox", &format!("/inbox?status={status}"), None).await.expect(200);
    }
    caller.call(admin, "GET", "/inbox", "/inbox?agentId=anna", None).await.expect(200);
}

async fn administration(caller: &mut Caller, admin: &Actor) {
    let token = Some(json!({"externalUserId": "ann", "user": {"name": "Ann"}}));
    caller.call(admin, "POST", "/auth/widget-token", "/auth/widget-token", token).await.expect(200);
    let key = caller.call(admin, "POST", "/api-keys", "/api-keys", Some(json!({"name": "n"}))).await;
    caller.call(admin, "GET", "/api-keys", "/api-keys?limit=2", None).await.expect(200);
    let one = format!("/api-keys/{}", key.text_at("keyId"));
    caller.call(admin, "GET", "/api-keys/{id}", &one, None).await.expect(200);
    caller.call(admin, "DELETE", "/api-keys/{id}", &one, None).await.expect(204);
    caller.call(admin, "GET", "/api-keys/{id}", &one, None).await.expect(404);
    caller.call(admin, "DELETE", "/api-keys/{id}", &one, None).await.expect(404);
    caller.call(admin, "GET", "/settings", "/settings", None).await.expect(200);
    caller.call(admin, "PATCH", "/settings", "/settings", Some(json!({"maxAiTurns": 30}))).await.expect(200);
    caller.call(admin, "PATCH", "/settings", "/settings", Some(json!({"maxAiTurns": 0}))).await.expect(400);
    let hours = json!({"hours": {"timezone": "UTC", "week": {}}, "at": "2026-06-22T08:59"});
    let preview = "/settings/hours/preview";
    caller.call(admin, "POST", preview, preview, Some(hours)).await.expect(200);
    caller.call(admin, "POST", preview, preview, Some(json!({"at": "now"}))).await.expect(400);
}

async fn webhooks(caller: &mut Caller, service: &TestService) {
    let admin = service.admin();
    // Nobody listens there: what is sent fails, and is told of.
    let new =
        json!({"url": "http://127.0.0.1:9/hook", "events": ["*"], "secret": "a secret of mine", "description": "d"});
    let made = caller.call(&admin, "POST", "/webhooks", "/webhooks", Some(new.clone())).await;
    caller.call(&admin, "POST", "/webhooks", "/webhooks", Some(new)).await.expect(409);
    caller.call(&admin, "POST", "/webhooks", "/webhooks", Some(json!({"url": "ftp://x"}))).await.expect(400);
    let id = made.text_at("webhookId").to_owned();
    let at = |rest: &str| format!("/webhooks/{id}{rest}");
    caller.call(&admin, "GET", "/webhooks", "/webhooks", None).await.expect(200);
    let tested = caller.call(&admin, "POST", "/webhooks/{id}/test", &at("/test"), None).await;
    service.drain().await;
    let deliveries = ("/webhooks/{id}/deliveries", at("/deliveries"));
    assert!(!caller.call(&admin, "GET", deliveries.0, &deliveries.1, None).await.items().is_empty());
    let delivery = at(&format!("/deliveries/{}", tested.text_at("deliveryId")));
    caller.call(&admin, "GET", "/webhooks/{id}/deliveries/{delivery}", &delivery, None).await.expect(200);
    let resend = format!("{delivery}/resend");
    caller.call(&admin, "POST", "/webhooks/{id}/deliveries/{delivery}/resend", &resend, None).await.expect(200);
    service.drain().await;
    let since = Some(json!({"since": "2026-01-01T00:00:00Z"}));
    caller.call(&admin, "POST", "/webhooks/{id}/replay", &at("/replay"), since).await.expect(202);
    let secret = Some(json!({"secret": "another secret"}));
    caller.call(&admin, "POST", "/webhooks/{id}/rotate", &at("/rotate"), secret).await.expect(200);
    let disabled = Some(json!({"status": "disabled"}));
    caller.call(&admin, "PATCH", "/webhooks/{id}", &at(""), disabled).await.expect(200);
    caller.call(&admin, "GET", "/webhooks/{id}", &at(""), None).await.expect(200);
    caller.call(&admin, "DELETE", "/webhooks/{id}", &at(""), None).await.expect(204);
    caller.call(&admin, "GET", "/webhooks/{id}", &at(""), None).await.expect(404);
}

async fn ingest(caller: &mut Caller, service: &TestService) {
    let admin = service.admin();
    let text = Some(json!({"text": "We open at nine and close at five.", "pathPrefix": "hours"}));
    let done = caller.call(&admin, "POST", "/ingest", "/ingest", text).await;
    // Nobody listens there.
    let failed = caller
        .call(&admin, "POST", "/ingest", "/ingest", Some(json!({"url": "http://127.0.0.1:9/", "every": "day"})))
        .await;
    caller.call(&admin, "POST", "/ingest", "/ingest", Some(json!({}))).await.expect(400);
    service.drain().await;
    for (job, retried) in [(done, 409), (failed, 200)] {
        let at = format!("/ingest/{}", job.text_at("ingestId"));
        caller.call(&admin, "GET", "/ingest/{id}", &at, None).await.expect(200);
        caller.call(&admin, "POST", "/ingest/{id}/retry", &format!("{at}/retry"), None).await.expect(retried);
        caller.call(&admin, "DELETE", "/ingest/{id}", &at, None).await.expect(204);
    }
    caller.call(&admin, "GET", "/ingest", "/ingest?limit=1", None).await.expect(200);
}
