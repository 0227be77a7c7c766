//! The demo's provider: who gets to its buttons, what a button gives, and what a code is good for.

use openid::{AuthTimeRule, OpenIdProvider, OpenIdSettings, SignInError};
use serde_json::{Value, json};

use super::{Browser, VERIFIER, authorize_url, challenge_of, client, code_in, demo_service, desk_of, location};
use crate::support::TestService;

fn settings(origin: &str) -> OpenIdSettings {
    OpenIdSettings {
        issuer: format!("{origin}/openid"),
        client_id: "desk".into(),
        client_secret: None,
        redirect_uri: format!("{origin}/desk/"),
        auth_time: AuthTimeRule::Claim,
    }
}

/// A service, a browser that opened the printed address, the desk's origin, and a client of the provider.
async fn opened() -> (TestService, Browser, String, OpenIdProvider) {
    let service = demo_service().await;
    let (origin, secret) = desk_of(&service);
    let mut browser = Browser::new();
    assert_eq!(browser.unlock(&origin, &secret).await.status(), 204);
    let client = client(&service, settings(&origin));
    (service, browser, origin, client)
}

#[track_caller]
fn assert_refused<T: std::fmt::Debug>(result: Result<T, SignInError>) {
    assert!(matches!(result, Err(SignInError::Refused(_))), "{result:?}");
}

#[tokio::test]
async fn one_click_signs_in_each_of_three_people() {
    let (service, mut browser, origin, client) = opened().await;
    let page = browser.get(&authorize_url(&origin, VERIFIER)).await;
    assert_eq!(page.status(), 200);
    let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"), "{policy}");
    let text = page.text().await.unwrap();
    assert!(text.matches("<button").count() == 3 && !text.contains("<script"), "{text}");
    for (person, email) in [("demo-agent", "agent@"), ("demo-trainer", "trainer@"), ("demo-admin", "admin@")] {
        assert!(text.contains(person), "{text}");
        let code = browser.press(&origin, person, VERIFIER).await;
        let identity = client.redeem(&code, VERIFIER).await.unwrap();
        assert_eq!((identity.subject.as_str(), identity.email_verified), (person, Some(true)));
        assert!(identity.email.unwrap().starts_with(email));
        assert!(identity.auth_time <= service.resources().runtime.now());
    }
}

#[tokio::test]
async fn without_the_printed_secret_the_page_shows_nobody_and_no_button_works() {
    let service = demo_service().await;
    let (origin, secret) = desk_of(&service);
    let url = authorize_url(&origin, VERIFIER);
    let mut stranger = Browser::new();
    let half = &secret[..secret.len() - 1];
    for wrong in ["", "secret", half] {
        assert_eq!(stranger.unlock(&origin, wrong).await.status(), 403, "{wrong}");
    }
    for foreign in ["http://evil.example", "null", &origin.replace("127.0.0.1", "localhost")] {
        let refused = stranger.post(&format!("{origin}/openid/unlock"), foreign, &secret).await;
        assert_eq!((refused.status().as_u16(), refused.headers().get("set-cookie")), (403, None), "{foreign}");
    }
    let page = stranger.get(&url).await;
    assert_eq!(page.status(), 403);
    assert!(!page.text().await.unwrap().contains("demo-"));
    assert_eq!(stranger.post(&url, &origin, "person=demo-admin").await.status(), 403);

    let mut owner = Browser::new();
    let unlocked = owner.unlock(&origin, &secret).await;
    let cookie = unlocked.headers()["set-cookie"].to_str().unwrap().to_owned();
    for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/openid"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains(&secret), "the secret itself is in no cookie");
    for foreign in ["http://evil.example", "null"] {
        assert_eq!(owner.post(&url, foreign, "person=demo-admin").await.status(), 403, "{foreign}");
    }
    assert_eq!(owner.post(&url, &origin, "person=demo-nobody").await.status(), 400);
    assert_eq!(owner.post(&url, &origin, "person=demo-agent&person=demo-admin").await.status(), 400);

    let service = service.restart_with(|options| options.start.demo = true).await;
    let (again, new_secret) = desk_of(&service);
    assert_ne!(new_secret, secret);
    assert_eq!(owner.unlock(&again, &secret).await.status(), 403, "the secret is of one start");
    assert_eq!(owner.get(&authorize_url(&again, VERIFIER)).await.status(), 403);
}

#[tokio::test]
async fn a_code_is_good_once_and_for_a_minute_and_with_its_verifier_alone() {
    let (service, mut browser, origin, client) = opened().await;
    let code = browser.press(&origin, "demo-agent", VERIFIER).await;
    assert!(client.redeem(&code, VERIFIER).await.is_ok());
    assert_refused(client.redeem(&code, VERIFIER).await);

    let other = VERIFIER.replace('0', "1");
    let code = browser.press(&origin, "demo-agent", VERIFIER).await;
    assert_refused(client.redeem(&code, &other).await);
    assert_refused(client.redeem(&code, VERIFIER).await);

    let code = browser.press(&origin, "demo-agent", VERIFIER).await;
    service.clock.advance(60_000);
    assert_refused(client.redeem(&code, VERIFIER).await);
    assert_refused(client.redeem("no-such-code", VERIFIER).await);
}

#[tokio::test]
async fn an_id_token_with_the_nonce_of_another_sign_in_is_refused() {
    let (_service, mut browser, origin, client) = opened().await;
    let other = challenge_of(&VERIFIER.replace('0', "1"));
    let url = authorize_url(&origin, VERIFIER);
    let foreign = url.replace(&format!("nonce={}", challenge_of(VERIFIER)), &format!("nonce={other}"));
    for url in [foreign.replace("nonce=", "x="), foreign] {
        let pressed = browser.post(&url, &origin, "person=demo-admin").await;
        let result = client.redeem(&code_in(&pressed), VERIFIER).await;
        assert!(matches!(result, Err(SignInError::AskedOtherwise(_))), "{url}: {result:?}");
    }
}

#[tokio::test]
async fn a_request_that_is_not_the_desks_leads_nowhere() {
    let (_service, mut browser, origin, _) = opened().await;
    let sound = authorize_url(&origin, VERIFIER);
    let challenge = challenge_of(VERIFIER);
    for (from, to) in [
        ("client_id=desk", "client_id=other"),
        ("client_id=desk", "client_id=desk&client_id=desk"),
        ("desk%2F", "desk%2F..%2Fevil"),
        ("redirect_uri=http", "redirect_uri=https"),
        ("response_type=code", "response_type=token"),
        ("method=S256", "method=plain"),
        ("&code_challenge_method=S256", ""),
        ("scope=openid", "scope=profile"),
        (&format!("code_challenge={challenge}"), "code_challenge=short"),
    ] {
        let url = sound.replacen(from, to, 1);
        assert_ne!(url, sound);
        for refused in [browser.get(&url).await, browser.post(&url, &origin, "person=demo-admin").await] {
            assert_eq!((refused.status().as_u16(), refused.headers().get("location")), (400, None), "{to}");
        }
    }
    let silent = browser.get(&format!("{sound}&prompt=none")).await;
    assert_eq!(location(&silent), format!("{origin}/desk/?error=login_required&state=of-the-desk"));
    let marked = browser.get(&format!("{sound}&x=%22%3E%3Cscript%3E")).await.text().await.unwrap();
    assert!(!marked.contains("<script"), "{marked}");
}

#[tokio::test]
async fn signing_out_at_the_provider_leads_back_to_the_desk_alone() {
    let (_service, mut browser, origin, client) = opened().await;
    let url = client.metadata().await.unwrap().end_session_url.clone().unwrap();
    let ended = browser.get(&url).await;
    assert_eq!((ended.status().as_u16(), location(&ended)), (303, format!("{origin}/desk/")));
    let elsewhere = browser.get(&url.replace("desk%2F", "evil%2F")).await;
    assert_eq!((elsewhere.status().as_u16(), elsewhere.headers().get("location")), (400, None));
}

#[tokio::test]
async fn the_key_outlives_a_restart_and_is_published_without_its_private_part() {
    let service = demo_service().await;
    let keys = async |service: &TestService| -> Value {
        let (origin, _) = desk_of(service);
        reqwest::get(format!("{origin}/openid/keys")).await.unwrap().json().await.unwrap()
    };
    let before = keys(&service).await;
    let key = before["keys"][0].as_object().unwrap();
    assert_eq!((before["keys"].as_array().unwrap().len(), &key["crv"]), (1, &json!("P-256")));
    assert!(!key.contains_key("d"), "{before}");
    let service = service.restart_with(|options| options.start.demo = true).await;
    assert_eq!(keys(&service).await, before);
}
