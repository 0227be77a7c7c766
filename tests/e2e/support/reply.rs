//! A response.

use reqwest::header::HeaderMap;
use serde_json::Value;

use super::lambda_answer::assert_whole_on_lambda;

#[derive(Debug, Clone)]
pub(crate) struct Reply {
    /// The request, for the message of a failed assertion.
    pub(crate) asked: String,
    /// The HTTP status.
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    /// The body as it came.
    pub(crate) text: String,
    /// The body as JSON; null if it is none.
    pub(crate) json: Value,
}

impl Reply {
    pub(crate) async fn read(asked: String, response: reqwest::Response) -> Self {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        assert_whole_on_lambda(&asked, status, &headers).await;
        let text = response.text().await.unwrap();
        let json = serde_json::from_str(&text).unwrap_or(Value::Null);
        Self { asked, status, headers, text, json }
    }

    /// Reads a plain HTTP/1.1 answer; its headers are left out.
    pub(crate) fn parse(asked: String, answer: &str) -> Self {
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let json = serde_json::from_str(body).unwrap_or(Value::Null);
        Self { asked, status, headers: HeaderMap::new(), text: body.to_owned(), json }
    }

    /// The body of an answer that must have `status`.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> &Value {
        assert_eq!(self.status, status, "{}: {}", self.asked, self.text);
        &self.json
    }

    /// The same, but 404 and 405 are as good as 200: for calls that only count.
    pub(crate) fn or_not_found(self) -> Self {
        if matches!(self.status, 404 | 405) { Self { status: 200, ..self } } else { self }
    }

    /// Asserts an error by status and code, in the one shape that errors have.
    #[track_caller]
    pub(crate) fn expect_error(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.text_at("error")), (status, code), "{}: {}", self.asked, self.text);
        assert!(self.json["message"].is_string() && self.json["requestId"].is_string(), "{}", self.text);
    }

    /// A text field of the body by its name, or by a pointer such as `/items/0/path`.
    #[track_caller]
    pub(crate) fn text_at(&self, field: &str) -> &str {
        self.at(field).as_str().unwrap_or_else(|| panic!("{}: no text {field} in {}", self.asked, self.text))
    }

    /// A field of the body by its name or pointer; null if there is none.
    pub(crate) fn at(&self, field: &str) -> &Value {
        let found = if field.starts_with('/') { self.json.pointer(field) } else { self.json.get(field) };
        found.unwrap_or(&Value::Null)
    }

    /// The items of a list.
    #[track_caller]
    pub(crate) fn items(&self) -> &[Value] {
        let items = self.expect(200)["items"].as_array();
        items.unwrap_or_else(|| panic!("{}: no items in {}", self.asked, self.text))
    }

    /// A header as text; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap_or("(not text)"))
    }

    /// The codes in `details`, in their order, each with its field: `"content REQUIRED"`.
    pub(crate) fn details(&self) -> Vec<String> {
        let details = self.json["details"].as_array().cloned().unwrap_or_default();
        let text = |detail: &Value, name: &str| detail[name].as_str().unwrap_or_default().to_owned();
        details.iter().map(|d| format!("{} {}", text(d, "field"), text(d, "code")).trim().to_owned()).collect()
    }
}
