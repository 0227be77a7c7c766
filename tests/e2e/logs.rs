//! Logs hold no credential and nothing that people wrote. Every test service is held to it when it stops
//! (`support/service_log.rs`); here that this finds a leak.

use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::models::{Mode, Role};
use serde_json::json;

use crate::support::TestService;

/// The failure of the test of a service that logs `line`, when the service stops; nothing if it passes.
fn failure(service: TestService, line: &str) -> Option<String> {
    tracing::error!("{line}");
    let stopped = catch_unwind(AssertUnwindSafe(|| drop(service)));
    stopped.err().map(|panic| *panic.downcast::<String>().unwrap())
}

#[tokio::test]
async fn a_service_that_logs_a_credential_or_what_people_wrote_fails_its_test() {
    let lines: [(&str, &str); 7] = [
        ("key", "refused the key KEY"),
        ("token", "refused the token TOKEN"),
        ("secret", "signed with whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("message", "answered \"Where is the parcel of Mrs Abernathy?\""),
        ("entry", "indexed Refunds are paid within five working days."),
        ("e-mail address", "closed the session of z@example.org"),
        ("search text", "searched for parcel+of+Mrs+Abernathy"),
    ];
    for (what, line) in lines {
        let service = TestService::start().await;
        let admin = service.admin();
        admin.wiki_entry("billing/refunds", "Refunds", "Refunds are paid within five working days.").await;
        let visitor = json!({"channel": "api", "user": {"email": "z@example.org"}});
        admin.ask(&admin.session_with(visitor).await, "Where is the parcel of Mrs Abernathy?").await.expect(200);
        admin.get("/wiki?q=parcel+of+Mrs+Abernathy").await.expect(200);
        admin.webhook("http://127.0.0.1:9/hook", &["*"]).await;
        let asked = admin.post("/auth/widget-token", json!({"externalUserId": "ann"})).await;
        let line = line.replace("TOKEN", asked.text_at("token"));
        let line = line.replace("KEY", service.tenant.key(Mode::Live, Role::Admin));
        let failure = failure(service, &line).unwrap_or_else(|| panic!("the {what} in the log was not found"));
        assert!(failure.contains("is in a log line"), "{failure}");
    }
    let service = TestService::start().await;
    assert_eq!(failure(service, "stored the session ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"), None);
}
