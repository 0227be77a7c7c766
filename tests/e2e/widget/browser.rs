//! The widget in headless Chromium: `browser/run.sh` drives it against a service with the demo shop.

use std::process::Command;
use std::time::Duration;

use local::RateLimits;

use super::run_script;
use crate::support::TestService;

/// The tests that passed, as the script tells of each; none where browser or tools are missing.
async fn passed(rate_limits: RateLimits, filter: &str) -> Option<Vec<String>> {
    let service = TestService::with(|options| {
        options.demo = true;
        options.sweep_every = Some(Duration::from_secs(5));
        options.rate_limits = rate_limits;
    })
    .await;
    let env = std::fs::read_to_string(service.data().join("demo.env")).unwrap();
    let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/browser/run.sh"));
    script.arg(filter).envs(env.lines().filter_map(|line| line.split_once('=')));
    let output = run_script("the chat in a browser", &["bash", "node", "npm"], script).await?;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    Some(told.lines().filter(|line| line.starts_with("ok ")).map(str::to_owned).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chat_works_in_a_real_browser() {
    if let Some(passed) = passed(RateLimits::Configured, "").await {
        assert!(passed.len() > 60, "{passed:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chats_polling_stays_within_the_limits_of_the_api() {
    if let Some(passed) = passed(RateLimits::Real, "limits").await {
        assert_eq!(passed.len(), 1, "{passed:?}");
    }
}
