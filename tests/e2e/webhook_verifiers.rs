//! A delivery verified by the Python library of Standard Webhooks, an independent implementation.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::{Caught, SECRET, TestService};

/// The library, from PyPI.
const LIBRARY: &str = "standardwebhooks==1.0.0";

/// Reads `{secret, body, headers}` and verifies; then once more with a body that differs in its last byte.
const SCRIPT: &str = r#"
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
given = json.load(sys.stdin)
webhook = Webhook(given["secret"])
webhook.verify(given["body"], given["headers"])
try:
    webhook.verify(given["body"] + " ", given["headers"])
except WebhookVerificationError:
    print("verified")
"#;

/// A Python that has the library; none, with a line that says so, where there is no Python.
fn python() -> Option<PathBuf> {
    let found = |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|run| run.status.success());
    if !found("python3") {
        eprintln!("skipped: verification in Python, because python3 is not installed");
        return None;
    }
    match environment() {
        Ok(python) => Some(python),
        Err(reason) if std::env::var("CI").is_ok_and(|ci| ci == "true") => panic!("no library in Python: {reason}"),
        Err(reason) => {
            eprintln!("skipped: verification in Python, because {reason}");
            None
        }
    }
}

fn environment() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("standardwebhooks-python");
    let python = folder.join("bin/python");
    let works = || run(Command::new(&python).args(["-c", "import standardwebhooks"]));
    if works().is_ok() {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", LIBRARY]))?;
    works().map(|()| python.clone())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(told) }
}

fn verify(python: &Path, caught: &Caught) -> String {
    let headers: serde_json::Map<_, _> = ["webhook-id", "webhook-timestamp", "webhook-signature"]
        .map(|name| (name.to_owned(), caught.header(name).into()))
        .into_iter()
        .collect();
    let body = std::str::from_utf8(&caught.body).unwrap();
    let given = serde_json::json!({"secret": SECRET, "body": body, "headers": headers});
    let mut script = Command::new(python);
    let mut running = script
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    serde_json::to_writer(running.stdin.take().unwrap(), &given).unwrap();
    let output = running.wait_with_output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[tokio::test]
async fn a_delivery_is_verified_by_the_library_for_python() {
    let Some(python) = tokio::task::spawn_blocking(python).await.unwrap() else { return };
    let (service, receiver, _) = TestService::in_real_time(|_| {}).await.and_receiver().await;
    service.trainer().wiki_entry("a/b", "Café 😀", "Ünïcode \u{2028} text").await;
    service.drain().await;
    let caught = receiver.wait_for(1).await.remove(0);
    assert_eq!(verify(&python, &caught).trim(), "verified");
}
