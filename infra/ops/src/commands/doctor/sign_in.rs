//! Whether people can sign in to the desk, as far as can be known from here: the provider is asked what it says of
//! itself, and what its authorization page says to this client with the desk's address.

use std::time::Duration;

use domain::Error;
use edge::ClientProvider;
use openid::OpenIdProvider;
use url::Url;

use super::outcome::Outcome;

/// How long the authorization page may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A verifier of nobody: its challenge makes the request complete.
const VERIFIER: &str = "the-doctor-never-redeems-a-code-0123456789-ab";

pub(super) async fn check(clients: &impl ClientProvider) -> Outcome {
    let provider = match clients.openid().await {
        Ok(Some(provider)) => provider,
        Ok(None) => return Outcome::Skipped("no provider is configured"),
        Err(error) => return Outcome::unanswered(&error, "compare DeskIssuer, DeskClientId and DeskUrl"),
    };
    let advice = "compare DeskIssuer with what the provider says of itself, and look at its status page";
    let metadata = match provider.metadata().await {
        Ok(metadata) => metadata,
        Err(error) => return Outcome::problem(error.to_string(), advice),
    };
    if let Err(error) = provider.check_keys().await {
        return Outcome::problem(error.to_string(), advice);
    }
    match refusal(&provider, &metadata.authorization_endpoint).await {
        Ok(None) => Outcome::Fine(format!("{} answers, and knows the client and the desk's address", metadata.issuer)),
        Ok(Some(refusal)) => Outcome::problem(
            format!("the provider does not take this client with the desk's address: {refusal}"),
            "compare DeskClientId, and register DeskUrl as redirect address; for the stack's own pool deploy again",
        ),
        Err(error) => Outcome::unanswered(&error, advice),
    }
}

#[expect(clippy::disallowed_methods, reason = "the operator's provider, not a tenant's address")]
fn client() -> domain::Result<reqwest::Client> {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().timeout(TIMEOUT);
    client.build().map_err(|e| Error::internal(format!("no client: {e}")))
}

/// The refusal that a person would see at the authorization page, in place of a sign-in form. A provider that
/// knows the client shows a page, or redirects to one of its own; one that does not answers 400, or leads to an error.
async fn refusal(provider: &OpenIdProvider, endpoint: &str) -> domain::Result<Option<String>> {
    let settings = provider.settings();
    let challenge = openid::nonce_of(VERIFIER);
    let parameters = [
        ("response_type", "code"),
        ("client_id", &settings.client_id),
        ("redirect_uri", &settings.redirect_uri),
        ("scope", "openid email"),
        ("state", "doctor"),
        ("nonce", &challenge),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let url = Url::parse_with_params(endpoint, parameters).map_err(|e| Error::internal(e.to_string()))?;
    let answer = client()?.get(url).send().await.map_err(|e| Error::unavailable(format!("its sign-in page: {e}")))?;
    let status = answer.status();
    let location = answer.headers().get("location").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let error = location.split(['?', '&', '#']).find_map(|part| part.strip_prefix("error="));
    Ok(match (status.is_success() || status.is_redirection(), error) {
        (true, None) => None,
        (true, Some(error)) => Some(error.chars().take(100).collect()),
        (false, _) => Some(format!("it answered {status}")),
    })
}
