//! The HTTP API as an integrator calls it: by an address and a key, from the environment or the demo of a data folder.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode, header};
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
    pub(crate) body: Value,
}

impl Api {
    /// The API that `SUPPORT_API_URL` and `SUPPORT_API_KEY` name, or `demo.env` of the data folder.
    pub(crate) fn of(global: &Global) -> Result<Self, Failure> {
        let from = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let demo = global.data.as_ref().and_then(|data| std::fs::read_to_string(data.join("demo.env")).ok());
        let of_demo = |name: &str| {
            let lines = demo.as_deref()?.lines();
            lines.filter_map(|line| line.split_once('=')).find(|(it, _)| *it == name).map(|(_, value)| value.to_owned())
        };
        let value = |name: &str| if demo.is_some() { of_demo(name) } else { from(name) };
        let (Some(url), Some(key)) = (value("SUPPORT_API_URL"), value("SUPPORT_API_KEY")) else {
            let wanted = "set SUPPORT_API_URL and SUPPORT_API_KEY, or name the data folder of a local demo: --data DIR";
            return Err(Failure::usage(wanted));
        };
        let http = Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build();
        let http = http.map_err(|e| Failure::unreachable(format!("the HTTP client cannot start: {e}")))?;
        Ok(Self { http, url: url.trim_end_matches('/').to_owned(), key: domain::Secret::new(key) })
    }

    /// Calls an operation, again if it was limited or not answered: so only one that may be repeated. 404, 409 and 412 are
    /// answers; every other refusal is a failure.
    pub(crate) async fn call(
        &self,
        (method, path): (Method, &str),
        condition: Option<(&str, &str)>,
        body: Option<&Value>,
    ) -> Result<Answer, Failure> {
        let mut tried = 0;
        loop {
            let mut request = self.http.request(method.clone(), format!("{}{path}", self.url));
            request = request.bearer_auth(self.key.expose());
            if let Some((name, value)) = condition {
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
                    let text = response.text().await.unwrap_or_default();
                    match answer(status, &text) {
                        Ok(answer) => return Ok(answer),
                        Err(failure) if !(status == 429 || status.is_server_error()) => return Err(failure),
                        Err(failure) => (wait.map(Duration::from_secs), failure),
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

fn answer(status: StatusCode, text: &str) -> Result<Answer, Failure> {
    let body: Option<Value> = if text.is_empty() { Some(Value::Null) } else { serde_json::from_str(text).ok() };
    let is_answer = status.is_success() || matches!(status.as_u16(), 404 | 409 | 412);
    match body {
        Some(body) if is_answer && (status.is_success() || body["error"].is_string()) => Ok(Answer { status, body }),
        Some(body) if body["error"].is_string() => {
            let details = body["details"].as_array().into_iter().flatten();
            let details = details.map(|detail| {
                let said = |name: &str| detail[name].as_str().unwrap_or_default().to_owned();
                format!(" {} {}", said("field"), said("message"))
            });
            let message = format!("{}{}", body["message"].as_str().unwrap_or_default(), details.collect::<String>());
            Err(Failure::refused(message))
        }
        _ => {
            let quoted: String = text.chars().take(QUOTED_CHARS).collect();
            Err(Failure::unreachable(format!("{status} without an answer of this API, maybe of a proxy: {quoted}")))
        }
    }
}
