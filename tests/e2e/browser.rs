//! Chat and desk in headless Chromium: `browser/run.sh` drives them against a service with the demo shop. Tests begin in
//! the order of their names: these take minutes, mostly waiting, and are not the last to begin.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;
use std::time::Duration;

use domain::models::{Mode, Role};
use local::RateLimits;

use crate::binaries::binary;
use crate::openid::service_of;
use crate::services::{self, in_ci, installed, output_of};
use crate::support::TestService;
use crate::widget::{NOT_FETCHED, run_script};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/browser/run.sh");

/// The tests that passed, as the script tells of each; none if browser or tools are missing.
async fn passed(rate_limits: RateLimits, filter: &str) -> Option<Vec<String>> {
    let service = TestService::in_real_time(|options| {
        options.start.demo = true;
        options.start.sweep_every = Some(Duration::from_secs(5));
        options.start.rate_limits = rate_limits;
    })
    .await;
    let env = std::fs::read_to_string(service.data().join("demo.env")).unwrap();
    let mut script = Command::new(SCRIPT);
    script.env("SUPPORT_DESK_URL", service.desk_url().unwrap()).env("SCREENSHOTS", "failures");
    if filter == "desk" {
        // One of its tests starts a service of its own, and kills it.
        script.env("LOCAL", binary("local"));
    }
    script.arg(filter).envs(env.lines().filter_map(|line| line.split_once('=')));
    let output = run_script("the chat in a browser", &["bash", "node", "npm"], script).await?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(told.lines().filter(|line| line.starts_with("ok ")).map(str::to_owned).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chat_works_in_a_real_browser() {
    if let Some(passed) = passed(RateLimits::Configured, "chat").await {
        assert!(passed.len() > 80, "{passed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_answer_customers_at_the_desk_in_a_real_browser() {
    if let Some(passed) = passed(RateLimits::Configured, "desk").await {
        assert!(passed.len() > 45, "{passed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn trainers_tend_the_wiki_at_the_desk_in_a_real_browser() {
    if let Some(passed) = passed(RateLimits::Configured, "knowledge").await {
        assert!(passed.len() > 30, "{passed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_of_the_examples_have_the_chat_in_a_real_browser() {
    if let Some(passed) = passed(RateLimits::Configured, "examples").await {
        assert_eq!(passed.len(), 3, "{passed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invited_person_signs_in_at_a_foreign_provider_in_a_real_browser() {
    let Some(issuer) = services::oidc_provider() else { return };
    let service = service_of(issuer).await;
    let mut script = Command::new(SCRIPT);
    script
        .arg("foreign-signin")
        .env("SCREENSHOTS", "failures")
        .env("SUPPORT_API_URL", service.url())
        .env("SUPPORT_API_KEY", service.tenant.key(Mode::Live, Role::Admin))
        .env("SUPPORT_DESK_URL", service.desk_url().unwrap());
    if let Some(output) = run_script("a foreign sign-in in a browser", &["bash", "node", "npm"], script).await {
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.contains("ok ") && told.contains("all passed"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_does_not_start_is_one_that_is_missing() {
    let broken = tempfile::tempdir().unwrap();
    let chromium = broken.path().join("chromium-headless-shell");
    std::fs::write(&chromium, "#!/bin/sh\nexit 1\n").unwrap();
    std::fs::set_permissions(&chromium, std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", broken.path().display(), std::env::var("PATH").unwrap());
    let mut script = Command::new(SCRIPT);
    script.env("PATH", path).env("SUPPORT_API_URL", "http://127.0.0.1:1/api/v1").env("SUPPORT_API_KEY", "none");
    script.env("SUPPORT_DESK_URL", "http://127.0.0.1:2/#none");
    if let Err(reason) = installed(&["bash", "node", "npm"]) {
        assert!(!in_ci(), "{reason}");
        eprintln!("skipped: a browser that does not start, because {reason}");
        return;
    }
    let output = tokio::task::spawn_blocking(move || output_of(script)).await.unwrap();
    assert_eq!(output.status.code(), Some(NOT_FETCHED), "{output:?}");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("Chromium does not start") || told.contains("cannot be fetched"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chats_polling_stays_within_the_limits_of_the_api() {
    if let Some(passed) = passed(RateLimits::Real, "limits").await {
        assert_eq!(passed.len(), 1, "{passed:?}");
    }
}
