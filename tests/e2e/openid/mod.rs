//! Sign-in by OpenID Connect: the demo's provider inside the local service, the pages of the desk's port, and a provider
//! that somebody else wrote.

mod demo_provider;
mod desk_pages;
mod foreign_provider;
mod sign_in;

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use local::Issuer;
use openid::{OpenIdProvider, OpenIdSettings};
use reqwest::{Method, Response, redirect};
use sha2::{Digest, Sha256};

use crate::support::TestService;

/// A verifier of a possible form.
pub(crate) const VERIFIER: &str = "a-verifier-of-a-browser-0123456789-abcdefghij";

/// The S256 challenge of a verifier, which is the nonce of the sign-in too.
pub(crate) fn challenge_of(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// A service with the demo tenant and its provider.
pub(crate) async fn demo_service() -> TestService {
    TestService::with(|options| options.start.demo = true).await
}

/// A service for people of the provider at `issuer`, by the machine's clock.
pub(crate) async fn service_of(issuer: &str) -> TestService {
    let issuer = Issuer { url: issuer.to_owned(), client_id: "desk".into() };
    let service = TestService::with(|options| options.start.issuer = Some(issuer)).await;
    service.clock.advance(-service.clock.offset_ms());
    service
}

/// The desk's origin, and the secret of the printed address.
pub(crate) fn desk_of(service: &TestService) -> (String, String) {
    let (origin, secret) = service.desk_url().unwrap().split_once("/#").unwrap();
    (origin.to_owned(), secret.to_owned())
}

/// A client of the provider at `issuer` for the desk at `desk_url`, as the service makes one.
fn client(service: &TestService, settings: OpenIdSettings) -> OpenIdProvider {
    let resources = service.resources();
    OpenIdProvider::new(settings, resources.outbound.clone(), &resources.runtime)
}

/// A browser without scripts: it keeps cookies by their name, and follows no redirect by itself.
pub(crate) struct Browser {
    http: reqwest::Client,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    pub(crate) fn new() -> Self {
        let http = reqwest::Client::builder().redirect(redirect::Policy::none()).build().unwrap();
        Self { http, cookies: BTreeMap::new() }
    }

    pub(crate) async fn get(&mut self, url: &str) -> Response {
        self.send(Method::GET, url, &[], String::new()).await
    }

    /// Posts a form from a page of this origin.
    pub(crate) async fn post(&mut self, url: &str, origin: &str, body: &str) -> Response {
        let headers = [("origin", origin), ("content-type", "application/x-www-form-urlencoded")];
        self.send(Method::POST, url, &headers, body.to_owned()).await
    }

    async fn send(&mut self, method: Method, url: &str, headers: &[(&str, &str)], body: String) -> Response {
        let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = self.http.request(method, url).header("cookie", cookies.join("; ")).body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let response = request.send().await.unwrap();
        for cookie in response.headers().get_all("set-cookie") {
            let pair = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        response
    }

    /// Exchanges the secret of the printed address for the provider's cookie.
    pub(crate) async fn unlock(&mut self, origin: &str, secret: &str) -> Response {
        self.post(&format!("{origin}/openid/unlock"), origin, secret).await
    }

    /// Presses a person's button at the demo provider; the code.
    pub(crate) async fn press(&mut self, origin: &str, person: &str, verifier: &str) -> String {
        let url = authorize_url(origin, verifier);
        let pressed = self.post(&url, origin, &format!("person={person}")).await;
        assert_eq!(pressed.status(), 303, "{person}");
        code_in(&pressed)
    }
}

/// Where a redirect leads.
pub(crate) fn location(response: &Response) -> String {
    response.headers()["location"].to_str().unwrap().to_owned()
}

/// The code with which a redirect leads back to the desk.
pub(crate) fn code_in(response: &Response) -> String {
    let location = location(response);
    let query = location.split_once('?').unwrap().1;
    query.split('&').find_map(|pair| pair.strip_prefix("code=")).unwrap_or_else(|| panic!("{location}")).to_owned()
}

/// The request that the desk sends a person to the demo's provider with.
pub(crate) fn authorize_url(origin: &str, verifier: &str) -> String {
    let challenge = challenge_of(verifier);
    let desk = format!("{origin}/desk/").replace(':', "%3A").replace('/', "%2F");
    format!(
        "{origin}/openid/authorize?client_id=desk&redirect_uri={desk}&response_type=code&scope=openid%20email\
         &code_challenge={challenge}&code_challenge_method=S256&nonce={challenge}&state=of-the-desk&max_age=3600"
    )
}
