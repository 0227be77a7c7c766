//! A service with tenants that ask about one entry.

use std::time::Instant;

use domain::models::{Mode, Plan, Role};
use local::{Hooks, Options, RateLimits, Service, TenantKeys};
use serde_json::{Value, json};

use crate::counting::Calls;

/// A running service on an empty folder.
pub(crate) struct Shop {
    pub(crate) service: Service,
    pub(crate) calls: Calls,
    http: reqwest::Client,
    _folder: tempfile::TempDir,
}

/// The visitor who asks, in a session.
#[derive(Clone)]
pub(crate) struct Asker {
    credential: String,
    session: String,
}

impl Shop {
    pub(crate) async fn start(rate_limits: RateLimits) -> Self {
        let (folder, calls) = (tempfile::tempdir().unwrap(), Calls::default());
        let mut options = Options::new(folder.path().join("data"), 0);
        let seen = calls.clone();
        let hooks = Hooks { wrap_database: Some(Box::new(move |inner| seen.wrap(inner))), ..Hooks::default() };
        options.rate_limits = rate_limits;
        let service = Service::start_with(options, hooks).await.unwrap();
        Self { service, calls, http: reqwest::Client::new(), _folder: folder }
    }

    /// A tenant with one entry, whose sessions never ask for a human by themselves.
    pub(crate) async fn tenant(&self) -> TenantKeys {
        let tenant = self.service.create_tenant("bench", Plan::Pro).await.unwrap();
        let admin = tenant.key(Mode::Live, Role::Admin);
        let patch = self.http.patch(format!("{}/settings", self.service.url())).bearer_auth(admin);
        assert!(patch.json(&json!({"maxAiTurns": 1_000})).send().await.unwrap().status().is_success());
        let content = "Open your account and choose Change plan. The new plan counts from the next month on.";
        let entry =
            json!({"path": "bench/plan", "title": "Changing your plan", "content": content, "visibility": "public"});
        self.made(admin, "/wiki", entry).await;
        tenant
    }

    /// A key with a session.
    pub(crate) async fn key(&self, tenant: &TenantKeys) -> Asker {
        let credential = tenant.key(Mode::Live, Role::Integration).to_owned();
        let session = self.made(&credential, "/sessions", json!({})).await;
        Asker { session: session["sessionId"].as_str().unwrap().to_owned(), credential }
    }

    /// A new visitor's widget with a session.
    pub(crate) async fn widget(&self, tenant: &TenantKeys) -> Asker {
        let minted = self.made(tenant.key(Mode::Live, Role::Agent), "/auth/widget-token", json!({})).await;
        let credential = minted["token"].as_str().unwrap().to_owned();
        let session = self.made(&credential, "/sessions", json!({})).await;
        Asker { session: session["sessionId"].as_str().unwrap().to_owned(), credential }
    }

    /// Asks; the status of the answer, and how many milliseconds it took.
    pub(crate) async fn ask(&self, asker: &Asker, idempotency_key: Option<String>) -> (u16, f64) {
        let url = format!("{}/sessions/{}/messages", self.service.url(), asker.session);
        let mut request = self.http.post(url).bearer_auth(&asker.credential);
        if let Some(key) = idempotency_key {
            request = request.header("idempotency-key", key);
        }
        let start = Instant::now();
        let answer = request.json(&json!({"content": "How do I change my plan?"})).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        (status, start.elapsed().as_secs_f64() * 1_000.0)
    }

    async fn made(&self, credential: &str, path: &str, body: Value) -> Value {
        let request = self.http.post(format!("{}{path}", self.service.url())).bearer_auth(credential).json(&body);
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let body = answer.json().await.unwrap();
        assert!(status.is_success(), "{path}: {status} {body}");
        body
    }
}
