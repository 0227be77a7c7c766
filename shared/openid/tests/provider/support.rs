//! A provider on loopback whose answers a test sets, a client of it with a clock that stands, and tokens of its keys.

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::clock::{Clock, Runtime, SystemRng};
use domain::models::Timestamp;
use openid::{AuthTimeRule, OpenIdProvider, OpenIdSettings, SignInError, VerifiedIdentity, nonce_of};
use outbound::{Outbound, OutboundPolicy, OutboundSettings};
use serde_json::{Value, json};

/// The time of the client, in seconds since 1970 UTC.
pub(crate) const NOW: i64 = 1_767_323_100;
pub(crate) const CLIENT: &str = "desk-client";
pub(crate) const CODE: &str = "code-that-no-log-shows";
pub(crate) const VERIFIER: &str = "verifier-that-no-log-shows-0123456789-abcdefg";
pub(crate) const DESK: &str = "https://support.example.com/desk/";
/// Loopback and http are allowed.
pub(crate) const LOCAL: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// A clock that stands until a test moves it.
#[derive(Debug)]
pub(crate) struct StandingClock(AtomicI64);

impl StandingClock {
    pub(crate) fn advance(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for StandingClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// The reply of an address.
#[derive(Clone)]
pub(crate) enum Reply {
    Json(u16, Value),
    /// A redirect to this address.
    Redirect(String),
    /// Nothing, ever.
    Silence,
}

#[derive(Default)]
struct Answers {
    by_path: Vec<(String, Reply)>,
    requests: Vec<Received>,
}

/// A request that the provider received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: String,
}

/// The provider; it stops with the runtime of its test.
pub(crate) struct Provider {
    pub(crate) issuer: String,
    pub(crate) clock: Arc<StandingClock>,
    answers: Arc<Mutex<Answers>>,
}

pub(crate) const DISCOVERY: &str = "/.well-known/openid-configuration";
pub(crate) const KEYS: &str = "/keys";
pub(crate) const TOKEN: &str = "/token";

impl Provider {
    /// One that answers well, with the public keys of this file.
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let answers = Arc::new(Mutex::new(Answers::default()));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&answers));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let clock = Arc::new(StandingClock(AtomicI64::new(NOW * 1000)));
        let provider = Self { issuer, clock, answers };
        provider.set(DISCOVERY, Reply::Json(200, provider.discovery()));
        provider.set(KEYS, Reply::Json(200, jwks()));
        provider.answer_token(&provider.token());
        provider
    }

    /// The document of a sound provider.
    pub(crate) fn discovery(&self) -> Value {
        let issuer = &self.issuer;
        json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
            "end_session_endpoint": format!("{issuer}/end"), "scopes_supported": ["openid", "email"],
        })
    }

    /// The document with another value of one field; null removes it.
    pub(crate) fn set_discovery(&self, field: &str, value: Value) {
        let mut document = self.discovery();
        if value.is_null() {
            document.as_object_mut().unwrap().remove(field);
        } else {
            document[field] = value;
        }
        self.set(DISCOVERY, Reply::Json(200, document));
    }

    pub(crate) fn set(&self, path: &str, reply: Reply) {
        let mut answers = self.answers.lock().unwrap();
        answers.by_path.retain(|(known, _)| known != path);
        answers.by_path.push((path.to_owned(), reply));
    }

    /// The token endpoint answers with this ID token.
    pub(crate) fn answer_token(&self, token: &str) {
        let answer = json!({"access_token": "x", "token_type": "Bearer", "id_token": token});
        self.set(TOKEN, Reply::Json(200, answer));
    }

    /// The requests for an address so far.
    pub(crate) fn received(&self, path: &str) -> Vec<Received> {
        self.answers.lock().unwrap().requests.iter().filter(|request| request.path == path).cloned().collect()
    }

    /// The claims of a sound ID token.
    pub(crate) fn claims(&self) -> Value {
        json!({
            "iss": self.issuer, "sub": "person-1", "aud": CLIENT, "exp": NOW + 300, "iat": NOW - 5,
            "auth_time": NOW - 10, "nonce": nonce_of(VERIFIER), "email": "ann@example.com", "email_verified": true,
        })
    }

    /// The claims with another value of one; null removes it.
    pub(crate) fn claims_but(&self, claim: &str, value: Value) -> Value {
        let mut claims = self.claims();
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(claim);
        } else {
            claims[claim] = value;
        }
        claims
    }

    /// A sound ID token.
    pub(crate) fn token(&self) -> String {
        rs256(&json!({"alg": "RS256", "kid": "rsa"}), &self.claims())
    }

    pub(crate) fn settings(&self) -> OpenIdSettings {
        OpenIdSettings {
            issuer: self.issuer.clone(),
            client_id: CLIENT.into(),
            client_secret: None,
            redirect_uri: DESK.into(),
            auth_time: AuthTimeRule::Claim,
        }
    }

    /// A client that has read nothing yet.
    pub(crate) fn client(&self) -> OpenIdProvider {
        self.client_with(self.settings(), LOCAL)
    }

    pub(crate) fn client_with(&self, settings: OpenIdSettings, policy: OutboundPolicy) -> OpenIdProvider {
        let clock = Arc::clone(&self.clock) as Arc<dyn Clock>;
        let runtime = Runtime { clock, entropy: Arc::new(SystemRng) };
        OpenIdProvider::new(settings, Outbound::new(OutboundSettings::new(policy)), &runtime)
    }

    /// Redeems a code for this ID token by a client of its own.
    pub(crate) async fn redeem(&self, token: &str) -> Result<VerifiedIdentity, SignInError> {
        self.answer_token(token);
        self.client().redeem(CODE, VERIFIER).await
    }
}

async fn answer(State(answers): State<Arc<Mutex<Answers>>>, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    let authorization = request.headers().get("authorization").map(|value| value.to_str().unwrap().to_owned());
    let body = axum::body::to_bytes(request.into_body(), 1 << 20).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let reply = {
        let mut answers = answers.lock().unwrap();
        answers.requests.push(Received { path: path.clone(), authorization, body });
        answers.by_path.iter().find(|(known, _)| *known == path).map(|(_, reply)| reply.clone())
    };
    let response = Response::builder();
    match reply {
        Some(Reply::Json(status, body)) => response.status(status).body(Body::from(body.to_string())),
        Some(Reply::Redirect(to)) => response.status(302).header("location", to).body(Body::empty()),
        Some(Reply::Silence) => std::future::pending().await,
        None => response.status(404).body(Body::empty()),
    }
    .unwrap()
}

static RSA: LazyLock<RsaKeyPair> = LazyLock::new(|| RsaKeyPair::generate(KeySize::Rsa2048).unwrap());
static EC: LazyLock<EcdsaKeyPair> = LazyLock::new(|| EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap());

/// The RSA key's public part as DER: a sequence of modulus and exponent.
pub(crate) fn rsa_der() -> &'static [u8] {
    RSA.public_key().as_ref()
}

/// The set of both public keys.
pub(crate) fn jwks() -> Value {
    let b64 = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    let point = EC.public_key().as_ref();
    json!({"keys": [
        // Nine bytes of DER stand before the 256 of the modulus.
        {"kty": "RSA", "kid": "rsa", "use": "sig", "alg": "RS256", "n": b64(&rsa_der()[9..265]), "e": "AQAB"},
        {"kty": "EC", "kid": "ec", "use": "sig", "crv": "P-256", "x": b64(&point[1..33]), "y": b64(&point[33..])},
    ]})
}

/// The set with its keys under other names.
pub(crate) fn renamed_jwks(suffix: &str) -> Value {
    let mut set = jwks();
    for key in set["keys"].as_array_mut().unwrap() {
        key["kid"] = format!("{}{suffix}", key["kid"].as_str().unwrap()).into();
    }
    set
}

/// The signed message: these exact bytes of header and payload.
pub(crate) fn message(header: impl AsRef<[u8]>, payload: impl AsRef<[u8]>) -> String {
    format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload))
}

/// A message with its signature by the RSA key.
pub(crate) fn signed_by_rsa(message: &str) -> String {
    let mut signature = vec![0; RSA.public_modulus_len()];
    RSA.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message.as_bytes(), &mut signature).unwrap();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// A message with its signature by the EC key.
pub(crate) fn signed_by_ec(message: &str) -> String {
    let signature = EC.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
    format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature))
}

pub(crate) fn rs256(header: &Value, claims: &Value) -> String {
    signed_by_rsa(&message(header.to_string(), claims.to_string()))
}
