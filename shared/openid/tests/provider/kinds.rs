//! The differences between providers: the client's secret, and the place where a person signs out.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Secret;
use openid::OpenIdSettings;
use serde_json::{Value, json};

use crate::support::{CODE, LOCAL, Provider, TOKEN, VERIFIER};

/// The request that redeems a code, with this secret and these methods in the discovery document.
async fn token_request(secret: Option<&str>, methods: Value) -> (Option<String>, Vec<(String, String)>) {
    let provider = Provider::start().await;
    provider.set_discovery("token_endpoint_auth_methods_supported", methods);
    let client_secret = secret.map(|text| Secret::new(text.to_owned()));
    let settings = OpenIdSettings { client_secret, ..provider.settings() };
    provider.client_with(settings, LOCAL).redeem(CODE, VERIFIER).await.unwrap();
    let request = provider.received(TOKEN).remove(0);
    let form = url::form_urlencoded::parse(request.body.as_bytes()).into_owned().collect();
    (request.authorization, form)
}

fn form(more: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = [
        ("grant_type", "authorization_code"),
        ("code", CODE),
        ("redirect_uri", "https://support.example.com/desk/"),
        ("code_verifier", VERIFIER),
    ];
    all.iter().chain(more).map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

#[tokio::test]
async fn the_clients_secret_is_sent_as_the_provider_takes_it() {
    let id = ("client_id", "desk-client");
    assert_eq!(token_request(None, Value::Null).await, (None, form(&[id])));
    let secret = "a:b ~é&c";
    let in_body = form(&[id, ("client_secret", secret)]);
    for methods in [json!(["client_secret_post"]), json!(["client_secret_basic", "client_secret_post"])] {
        assert_eq!(token_request(Some(secret), methods).await, (None, in_body.clone()));
    }
    let basic = format!("Basic {}", STANDARD.encode("desk-client:a%3Ab%20%7E%C3%A9%26c"));
    for methods in [Value::Null, json!(["client_secret_basic"]), json!(["private_key_jwt"])] {
        assert_eq!(token_request(Some(secret), methods).await, (Some(basic.clone()), form(&[])));
    }
}

/// The end-session address with these two addresses in the discovery document.
async fn end_session(authorize: &str, end: Value) -> Option<String> {
    let provider = Provider::start().await;
    let mut document = provider.discovery();
    document["authorization_endpoint"] = json!(authorize.replace("ISSUER", &provider.issuer));
    document["end_session_endpoint"] = end;
    provider.set(crate::support::DISCOVERY, crate::support::Reply::Json(200, document));
    provider.client().metadata().await.unwrap().end_session_url.clone()
}

#[tokio::test]
async fn signing_out_leads_back_to_the_desk_by_the_standards_and_by_cognitos_parameter() {
    let query = "client_id=desk-client&post_logout_redirect_uri=https%3A%2F%2Fsupport.example.com%2Fdesk%2F\
                 &logout_uri=https%3A%2F%2Fsupport.example.com%2Fdesk%2F";
    let login = "https://login.example.com/authorize";
    assert_eq!(
        end_session(login, json!("https://login.example.com/end?policy=a")).await,
        Some(format!("https://login.example.com/end?policy=a&{query}"))
    );
    let pool = "https://acme.auth.eu-west-1.amazoncognito.com";
    for end in [Value::Null, json!(format!("{pool}/logout"))] {
        assert_eq!(end_session(&format!("{pool}/oauth2/authorize"), end).await, Some(format!("{pool}/logout?{query}")));
    }
}

#[tokio::test]
async fn a_provider_without_an_end_session_page_has_none() {
    for authorize in ["https://accounts.example.com/o/oauth2/v2/auth", "ISSUER/oauth2/authorize"] {
        assert_eq!(end_session(authorize, Value::Null).await, None, "{authorize}");
    }
}
