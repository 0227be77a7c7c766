//! A certified OpenID provider that somebody else wrote (npm's `oidc-provider`), by HTTP.

use domain::Secret;
use domain::clock::Runtime;
use openid::{AuthTimeRule, OpenIdProvider, OpenIdSettings, SignInError};
use outbound::{Outbound, OutboundPolicy, OutboundSettings};

use super::{Browser, VERIFIER, challenge_of, code_in, location};
use crate::services;

const DESK: &str = "http://127.0.0.1:9001/desk/";

fn client(issuer: &str, client_id: &str, secret: Option<&str>) -> OpenIdProvider {
    let settings = OpenIdSettings {
        issuer: issuer.to_owned(),
        client_id: client_id.to_owned(),
        client_secret: secret.map(|text| Secret::new(text.to_owned())),
        redirect_uri: DESK.to_owned(),
        auth_time: AuthTimeRule::Claim,
    };
    let policy = OutboundPolicy { allow_loopback: true, allow_http: true };
    OpenIdProvider::new(settings, Outbound::new(OutboundSettings::new(policy)), &Runtime::system())
}

/// Signs `person` in as the provider's page does, for the client and the address of the desk; the code.
pub(crate) async fn code_at(authorize: &str, (client_id, desk): (&str, &str), person: &str, nonce: &str) -> String {
    let challenge = challenge_of(VERIFIER);
    let url = format!(
        "{authorize}?client_id={client_id}&redirect_uri={desk}&response_type=code&scope=openid%20email\
         &code_challenge={challenge}&code_challenge_method=S256&nonce={nonce}&state=s&max_age=3600"
    );
    let mut browser = Browser::new();
    let base = reqwest::Url::parse(authorize).unwrap();
    let target = |response: &reqwest::Response| base.join(&location(response)).unwrap().to_string();
    let interaction = target(&browser.get(&url).await);
    let entered = browser.post(&interaction, authorize, &format!("prompt=login&login={person}&password=x")).await;
    let resumed = browser.get(&target(&entered)).await;
    assert!(location(&resumed).starts_with(desk), "{}", location(&resumed));
    code_in(&resumed)
}

async fn code_of(client: &OpenIdProvider, nonce: &str) -> String {
    let metadata = client.metadata().await.unwrap();
    code_at(&metadata.authorization_endpoint, (&client.settings().client_id, DESK), "ann", nonce).await
}

#[tokio::test]
async fn people_sign_in_at_a_provider_that_somebody_else_wrote() {
    let Some(issuer) = services::oidc_provider() else { return };
    let nonce = challenge_of(VERIFIER);
    for (id, secret) in [("desk", None), ("desk-with-secret", Some("a-secret-of-the-desk-~:+%"))] {
        let client = client(issuer, id, secret);
        let code = code_of(&client, &nonce).await;
        let identity = client.redeem(&code, VERIFIER).await.unwrap();
        assert_eq!((identity.issuer.as_str(), identity.subject.as_str()), (issuer, "ann"));
        assert_eq!((identity.email.as_deref(), identity.email_verified), (Some("ann@example.com"), Some(true)));
        let again = client.redeem(&code, VERIFIER).await;
        assert!(matches!(again, Err(SignInError::Refused(_))), "a code twice: {again:?}");
    }
}

#[tokio::test]
async fn a_code_of_a_foreign_provider_for_another_sign_in_is_refused() {
    let Some(issuer) = services::oidc_provider() else { return };
    let client = client(issuer, "desk", None);
    let (nonce, other) = (challenge_of(VERIFIER), VERIFIER.replace('0', "1"));
    let code = code_of(&client, &nonce).await;
    let result = client.redeem(&code, &other).await;
    assert!(matches!(result, Err(SignInError::Refused(_))), "another verifier: {result:?}");
    let code = code_of(&client, &challenge_of(&other)).await;
    let result = client.redeem(&code, VERIFIER).await;
    assert!(matches!(result, Err(SignInError::AskedOtherwise(_))), "another's nonce: {result:?}");
}

#[tokio::test]
async fn a_wrong_secret_is_the_operators_mistake() {
    let Some(issuer) = services::oidc_provider() else { return };
    let client = client(issuer, "desk-with-secret", Some("wrong"));
    let code = code_of(&client, &challenge_of(VERIFIER)).await;
    let result = client.redeem(&code, VERIFIER).await;
    assert!(matches!(result, Err(SignInError::Unavailable(_))), "{result:?}");
}
