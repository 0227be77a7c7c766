//! The widget in headless Chromium: `browser/run.sh` drives it against a service with the demo shop.

use std::process::Command;
use std::time::Duration;

use super::run_script;
use crate::support::TestService;

#[tokio::test(flavor = "multi_thread")]
async fn the_chat_works_in_a_real_browser() {
    let service = TestService::with(|options| {
        options.demo = true;
        options.sweep_every = Some(Duration::from_secs(5));
    })
    .await;
    let env = std::fs::read_to_string(service.data().join("demo.env")).unwrap();
    let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/browser/run.sh"));
    script.envs(env.lines().filter_map(|line| line.split_once('=')));
    if let Some(output) = run_script("the chat in a browser", &["bash", "node", "npm"], script).await {
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(told.lines().filter(|line| line.starts_with("ok ")).count() > 60, "{told}");
    }
}
