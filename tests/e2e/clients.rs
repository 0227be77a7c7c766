//! Clients of the OpenAPI document, in use: those of `clients/`, and those that others' tools generate, which
//! `contract/run.sh` runs.

use std::process::Command;

use domain::models::{Mode, Role};

use crate::services::{in_ci, installed, output_of};
use crate::support::TestService;

/// The exit code of the script if its tools cannot be fetched.
const NOT_FETCHED: i32 = 75;

#[tokio::test(flavor = "multi_thread")]
async fn the_python_client_keeps_its_promises() {
    let check = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/python/check.sh"));
    client_works("python", check, &["bash", "python3"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_typescript_client_keeps_its_promises() {
    let check = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../clients/typescript/check.sh"));
    client_works("typescript", check, &["bash", "node", "npm"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_generated_go_client_reads_answers_and_errors() {
    let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/contract/run.sh"));
    script.arg("go");
    client_works("go", script, &["bash", "go"]).await;
}

/// If a tool is missing, or cannot be fetched outside of CI, a line says that the test was skipped.
async fn client_works(language: &'static str, mut script: Command, needed: &[&str]) {
    if let Err(reason) = installed(needed) {
        eprintln!("skipped: the {language} client, because {reason}");
        return;
    }
    // The libraries of Standard Webhooks go by the time of the machine.
    let service = TestService::in_real_time(|_| {}).await;
    script.env("SUPPORT_API_URL", service.url());
    script.env("SUPPORT_API_KEY", service.tenant.key(Mode::Live, Role::Admin));
    let output = tokio::task::spawn_blocking(move || output_of(script)).await.unwrap();
    if output.status.code() == Some(NOT_FETCHED) && !in_ci() {
        eprintln!("skipped: the {language} client, because its tools cannot be fetched");
        return;
    }
    let told = [output.stdout, output.stderr].map(|told| String::from_utf8_lossy(&told).into_owned());
    assert!(output.status.success(), "{}", told.concat());
}
