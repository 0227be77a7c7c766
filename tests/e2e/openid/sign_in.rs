//! The whole sign-in over HTTP: from the provider's page to a desk token, its renewal and its end, at the demo's provider
//! and at one that somebody else wrote. What a provider answers badly is a 503 with one line in the log.

use reqwest::{Method, Response};
use serde_json::{Value, json};

use super::foreign_provider::code_at;
use super::{Browser, VERIFIER, authorize_url, challenge_of, code_in, demo_service, desk_of, service_of};
use crate::services;
use crate::support::TestService;

/// The desk in a browser: the API at the desk's own origin.
struct DeskPage {
    origin: String,
    browser: Browser,
}

impl DeskPage {
    fn of(service: &TestService) -> Self {
        let origin = service.desk_url().unwrap().split("/#").next().unwrap().trim_end_matches('/').to_owned();
        Self { origin, browser: Browser::new() }
    }

    async fn post(&mut self, path: &str, token: Option<&str>, body: Value) -> Response {
        let (url, bearer) = (format!("{}/api/v1{path}", self.origin), token.map(|token| format!("Bearer {token}")));
        let mut headers = vec![("origin", self.origin.clone()), ("content-type", "application/json".to_owned())];
        headers.extend(bearer.map(|bearer| ("authorization", bearer)));
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.browser.send(Method::POST, &url, &headers, body.to_string()).await
    }

    async fn sign_in(&mut self, body: Value) -> (u16, Value) {
        let answer = self.post("/auth/desk-token", None, body).await;
        (answer.status().as_u16(), answer.json().await.unwrap())
    }
}

/// Asserts that a code is refused as one that nobody gave.
async fn assert_refused(desk: &mut DeskPage, code: &str, verifier: &str, what: &str) {
    let (status, body) = desk.sign_in(json!({"code": code, "codeVerifier": verifier})).await;
    assert_eq!((status, &body["error"]), (401, &json!("SIGN_IN_REQUIRED")), "{what}: {body}");
}

#[tokio::test]
async fn each_demo_person_signs_in_renews_and_signs_out() {
    let service = demo_service().await;
    let (origin, secret) = desk_of(&service);
    let mut desk = DeskPage::of(&service);
    desk.browser.unlock(&origin, &secret).await;
    for role in ["agent", "trainer", "admin"] {
        let code = desk.browser.press(&origin, &format!("demo-{role}"), VERIFIER).await;
        let (status, token) = desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await;
        assert_eq!(status, 200, "{token}");
        assert_eq!((&token["member"]["roles"], &token["tenant"]["name"]), (&json!([role]), &json!("demo")));
        let bearer = token["token"].as_str().unwrap();
        let settings = service.bearer(bearer).get("/settings").await;
        assert_eq!(settings.status, if role == "admin" { 200 } else { 403 }, "{role}: {}", settings.text);

        let renewed = desk.post("/auth/desk-token/renew", None, json!({})).await;
        assert_eq!(renewed.status(), 200);
        let renewed: Value = renewed.json().await.unwrap();
        assert_eq!(renewed["signedInAt"], token["signedInAt"]);
        assert_eq!(desk.post("/auth/sign-out", Some(bearer), json!({})).await.status(), 204);
        service.bearer(bearer).get("/wiki").await.expect_error(401, "SIGN_IN_REQUIRED");
        assert_eq!(desk.post("/auth/desk-token/renew", None, json!({})).await.status(), 401);
    }
}

#[tokio::test]
async fn a_code_is_redeemed_once_with_its_verifier_and_its_nonce_alone() {
    let service = demo_service().await;
    let (origin, secret) = desk_of(&service);
    let mut desk = DeskPage::of(&service);
    desk.browser.unlock(&origin, &secret).await;
    let code = desk.browser.press(&origin, "demo-agent", VERIFIER).await;
    assert_eq!(desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await.0, 200);
    assert_refused(&mut desk, &code, VERIFIER, "twice").await;
    let other = VERIFIER.replace('0', "1");
    let code = desk.browser.press(&origin, "demo-agent", VERIFIER).await;
    assert_refused(&mut desk, &code, &other, "another verifier").await;
    let foreign = authorize_url(&origin, VERIFIER)
        .replace(&format!("nonce={}", challenge_of(VERIFIER)), &format!("nonce={}", challenge_of(&other)));
    let pressed = desk.browser.post(&foreign, &origin, "person=demo-agent").await;
    assert_refused(&mut desk, &code_in(&pressed), VERIFIER, "another's nonce").await;
}

#[tokio::test]
async fn a_restart_keeps_the_demo_people() {
    let service = demo_service().await;
    let members = async |service: &TestService| {
        let env = std::fs::read_to_string(service.data().join("demo.env")).unwrap();
        let key = env.lines().find_map(|line| line.strip_prefix("SUPPORT_API_KEY=")).unwrap().to_owned();
        let listed = service.bearer(&key).get("/members").await.expect(200).clone();
        let of = |member: &Value| (member["memberId"].clone(), member["email"].clone(), member["status"].clone());
        listed["items"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let before = members(&service).await;
    assert_eq!(before.len(), 3);
    assert!(before.iter().all(|(_, _, status)| status == "active"), "{before:?}");
    let service = service.restart_with(|options| options.start.demo = true).await;
    assert_eq!(members(&service).await, before);
    // The port is another one now, and so the issuer: who is bound signs in.
    let (origin, secret) = desk_of(&service);
    let mut desk = DeskPage::of(&service);
    desk.browser.unlock(&origin, &secret).await;
    let code = desk.browser.press(&origin, "demo-admin", VERIFIER).await;
    assert_eq!(desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await.0, 200);
}

#[tokio::test]
async fn an_invited_person_signs_in_at_a_provider_that_somebody_else_wrote() {
    let Some(issuer) = services::oidc_provider() else { return };
    let service = service_of(issuer).await;
    let mut desk = DeskPage::of(&service);
    let ann = json!({"email": "ann@example.com", "name": "Ann Field", "roles": ["agent"]});
    let invited = service.admin().post("/members", ann).await.expect(201).clone();
    let invitation = invited["invitationUrl"].as_str().unwrap().split_once("#invitation=").unwrap().1.to_owned();
    let settings = service.anonymous().get("/auth/desk").await.expect(200).clone();
    let nonce = challenge_of(VERIFIER);
    let text = |field: &str| settings[field].as_str().unwrap().to_owned();
    let (authorize, client) = (text("authorizationEndpoint"), (text("clientId"), text("redirectUri")));
    let code_of = async |person: &str, nonce: &str| code_at(&authorize, (&client.0, &client.1), person, nonce).await;

    let code = code_of("ann", &nonce).await;
    let (status, token) = desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER, "invitation": invitation})).await;
    assert_eq!((status, &token["member"]["memberId"]), (200, &invited["memberId"]), "{token}");
    assert_refused(&mut desk, &code, VERIFIER, "twice").await;
    // Bound once, the person needs no invitation.
    let code = code_of("ann", &nonce).await;
    assert_eq!(desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await.0, 200);
    let other = VERIFIER.replace('0', "1");
    let code = code_of("ann", &nonce).await;
    assert_refused(&mut desk, &code, &other, "another verifier").await;
    let code = code_of("ann", &challenge_of(&other)).await;
    assert_refused(&mut desk, &code, VERIFIER, "another's nonce").await;
    let code = code_of("bob", &nonce).await;
    let (status, body) = desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await;
    assert_eq!((status, &body["error"]), (403, &json!("NOT_A_MEMBER")), "{body}");
}

#[tokio::test]
async fn a_provider_that_is_not_there_is_a_503_with_one_line_in_the_log() {
    let service = service_of(&format!("http://127.0.0.1:{}", services::unused_port())).await;
    let mut desk = DeskPage::of(&service);
    let code = "a-code-that-no-log-shows";
    let (status, body) = desk.sign_in(json!({"code": code, "codeVerifier": VERIFIER})).await;
    assert_eq!((status, &body["error"]), (503, &json!("SERVICE_UNAVAILABLE")), "{body}");
    assert!(!body["message"].as_str().unwrap().contains("provider"), "{body}");
    let log = service.log();
    let told: Vec<&str> = log.lines().filter(|line| line.contains("the OpenID provider is not usable")).collect();
    assert_eq!(told.len(), 1, "{told:#?}");
    assert!(!log.contains(code) && !log.contains(VERIFIER));
}
