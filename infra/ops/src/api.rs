//! The HTTP API as an integrator calls it: by an address and a key, from the environment or the demo of a data folder.

use std::path::PathBuf;
use std::time::Duration;

use domain::sha256_hex;
use reqwest::{Client, Method, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::Global;
use crate::output::Failure;

const TIMEOUT: Duration = Duration::from_secs(30);
/// Tries of a call that was limited, or that nothing answered.
const TRIES: u32 = 6;
/// The longest wait that a limit asks for: its window is a minute.
const LONGEST_WAIT: Duration = Duration::from_secs(65);
/// The most characters of an answer that is no JSON which a message quotes.
const QUOTED_CHARS: usize = 200;

/// The API, and the key to call it by.
#[derive(Debug, Clone)]
pub(crate) struct Api {
    http: Client,
    url: String,
    key: domain::Secret,
}

/// An answer of the API.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    body: String,
}

/// A page of a list.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    pub(crate) next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Refusal {
    message: String,
    #[serde(default)]
    details: Vec<Detail>,
}

#[derive(Deserialize)]
struct Detail {
    #[serde(default)]
    field: String,
    message: String,
}

impl Answer {
    /// What a successful answer says.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        if self.status.is_success() {
            serde_json::from_str(&self.body).map_err(|_| foreign(self.status, &self.body))
        } else {
            Err(refusal(self.status, &self.body))
        }
    }
}

impl Api {
    /// The API that `SUPPORT_API_URL` and `SUPPORT_API_KEY` name, or `demo.env` of the data folder.
    pub(crate) fn of(global: &Global) -> Result<Self, Failure> {
        #[expect(
            clippy::disallowed_methods,
            reason = "these name a service as its callers do; none is configured by them"
        )]
        let from = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let read = |data: &PathBuf| std::fs::read_to_string(data.join("demo.env")).map_err(|e| Failure::file(data, &e));
        // A folder that is not there must not lead to another service.
        let demo = global.data.as_ref().map(read).transpose()?;
        let of_demo = |name: &str| {
            let lines = demo.as_deref()?.lines();
            lines.filter_map(|line| line.split_once('=')).find(|(it, _)| *it == name).map(|(_, value)| value.to_owned())
        };
        let value = |name: &str| if demo.is_some() { of_demo(name) } else { from(name) };
        let (Some(url), Some(key)) = (value("SUPPORT_API_URL"), value("SUPPORT_API_KEY")) else {
            let wanted = "set SUPPORT_API_URL and SUPPORT_API_KEY, or name the data folder of a local demo: --data DIR";
            return Err(Failure::usage(wanted));
        };
        #[expect(clippy::disallowed_methods, reason = "the operator names the addresses")]
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build();
        let http = http.map_err(|e| Failure::unreachable(format!("the HTTP client cannot start: {e}")))?;
        Ok(Self { http, url: url.trim_end_matches('/').to_owned(), key: domain::Secret::new(key) })
    }

    /// A name of the address and the key, which tells neither.
    pub(crate) fn identity(&self) -> String {
        sha256_hex(format!("{} {}", self.url, self.key.expose()).as_bytes())
    }

    /// The HTTP client, for other addresses of the operator.
    pub(crate) const fn http(&self) -> &Client {
        &self.http
    }

    /// Calls an operation, again if it was limited or not answered: so only one that may be repeated, by itself or by its `header`. 404, 409 and 412 are
    /// answers; every other refusal is a failure.
    pub(crate) async fn call(
        &self,
        (method, path): (Method, &str),
        header: Option<(&str, &str)>,
        body: Option<&Value>,
    ) -> Result<Answer, Failure> {
        let mut tried = 0;
        loop {
            let mut request = self.http.request(method.clone(), format!("{}{path}", self.url));
            request = request.bearer_auth(self.key.expose());
            if let Some((name, value)) = header {
                request = request.header(name, value);
            }
            if let Some(body) = body {
                request = request.json(body);
            }
            tried += 1;
            let (wait, failure) = match request.send().await {
                Err(e) => {
                    let cause = std::error::Error::source(&e).map_or_else(|| e.to_string(), ToString::to_string);
                    (None, Failure::unreachable(format!("{} does not answer: {cause}", self.url)))
                }
                Ok(response) => {
                    let status = response.status();
                    let wait = response.headers().get(header::RETRY_AFTER).and_then(|v| v.to_str().ok()?.parse().ok());
                    match response.text().await {
                        Err(_) => (None, Failure::unreachable(format!("an answer of {} broke off", self.url))),
                        Ok(body) if status == 429 || status.is_server_error() => {
                            (wait.map(Duration::from_secs), refusal(status, &body))
                        }
                        Ok(body) if status.is_success() || matches!(status.as_u16(), 404 | 409 | 412) => {
                            return Ok(Answer { status, body });
                        }
                        Ok(body) => return Err(refusal(status, &body)),
                    }
                }
            };
            if tried == TRIES || wait.is_some_and(|wait| wait > LONGEST_WAIT) {
                return Err(failure);
            }
            tokio::time::sleep(wait.unwrap_or(Duration::from_millis(200 << tried))).await;
        }
    }
}

/// Why a call was refused.
fn refusal(status: StatusCode, body: &str) -> Failure {
    let Ok(Refusal { message, details }) = serde_json::from_str(body) else { return foreign(status, body) };
    let details: String = details.iter().map(|Detail { field, message }| format!(" {field} {message}")).collect();
    Failure::refused(format!("{message}{details}"))
}

/// An answer that this API does not give.
fn foreign(status: StatusCode, body: &str) -> Failure {
    let quoted: String = body.chars().take(QUOTED_CHARS).collect();
    Failure::unreachable(format!("{status} without an answer of this API, maybe of a proxy: {quoted}"))
}
