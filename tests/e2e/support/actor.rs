//! A caller with one credential, or none.

use log_check::Confidential;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Reply;

/// A caller.
#[derive(Debug, Clone)]
pub(crate) struct Actor {
    http: reqwest::Client,
    url: String,
    headers: Vec<(String, String)>,
    confidential: Confidential,
}

impl Actor {
    /// A caller of the service at `url` with a credential. What it sends and receives is added to `confidential`.
    pub(crate) fn new(http: reqwest::Client, url: &str, credential: Option<&str>, confidential: &Confidential) -> Self {
        credential.into_iter().for_each(|credential| confidential.add_credential(credential));
        let headers = credential.map(|credential| ("authorization".to_owned(), format!("Bearer {credential}")));
        Self { http, url: url.to_owned(), headers: headers.into_iter().collect(), confidential: confidential.clone() }
    }

    /// The same caller, sending one more header each time.
    pub(crate) fn with_header(&self, name: &str, value: &str) -> Self {
        let mut actor = self.clone();
        actor.headers.push((name.to_owned(), value.to_owned()));
        actor
    }

    /// The same caller at another address, after a restart.
    pub(crate) fn at(&self, url: &str) -> Self {
        Self { url: url.to_owned(), ..self.clone() }
    }

    /// A request that is not sent yet; `path` is what follows `/api/v1`, taken as it is.
    pub(crate) fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let start = self.http.request(method, format!("{}{path}", self.url));
        self.headers.iter().fold(start, |request, (name, value)| request.header(name, value))
    }

    async fn send(&self, method: Method, path: &str, body: Option<&Value>) -> Reply {
        let asked = format!("{method} {path}");
        let mut request = self.request(method, path);
        self.confidential.add_target(path);
        if let Some(body) = body {
            self.confidential.add_body(body);
            request = request.json(body);
        }
        let reply = Reply::read(asked, request.send().await.unwrap()).await;
        self.confidential.add_body(&reply.json);
        reply
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None).await
    }

    /// Every item of a cursor list, over the pages that its path asks for.
    pub(crate) async fn list_all(&self, path: &str) -> Vec<Value> {
        let (mut all, mut target) = (Vec::new(), path.to_owned());
        loop {
            let page = self.get(&target).await;
            page.expect(200);
            assert_eq!(page.at("hasMore").as_bool(), Some(page.at("nextCursor").is_string()), "{}", page.asked);
            all.extend(page.items().to_vec());
            match page.at("nextCursor").as_str() {
                Some(next) => target = format!("{path}{}cursor={next}", if path.contains('?') { '&' } else { '?' }),
                None => return all,
            }
        }
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> Reply {
        self.send(Method::POST, path, Some(&body)).await
    }

    pub(crate) async fn post_empty(&self, path: &str) -> Reply {
        self.send(Method::POST, path, None).await
    }

    pub(crate) async fn put(&self, path: &str, body: Value) -> Reply {
        self.send(Method::PUT, path, Some(&body)).await
    }

    pub(crate) async fn patch(&self, path: &str, body: Value) -> Reply {
        self.send(Method::PATCH, path, Some(&body)).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(Method::DELETE, path, None).await
    }

    /// A POST with a body of any bytes and any content type.
    pub(crate) async fn post_raw(&self, path: &str, content_type: &str, body: impl Into<reqwest::Body>) -> Reply {
        let request = self.request(Method::POST, path).header("content-type", content_type).body(body);
        Reply::read(format!("POST {path} (raw)"), request.send().await.unwrap()).await
    }

    /// A request of any method, headers and bytes.
    pub(crate) async fn bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Reply {
        let asked = format!("{method} {path} ({} bytes)", body.len());
        let start = self.request(Method::from_bytes(method.as_bytes()).unwrap(), path).body(body);
        let request = headers.iter().fold(start, |request, (name, value)| request.header(*name, *value));
        Reply::read(asked, request.send().await.unwrap()).await
    }

    /// A request whose target stands on the wire exactly as it is here; clients resolve dot segments before sending.
    pub(crate) async fn raw(&self, method: &str, target: &str, body: Option<&str>) -> Reply {
        let host = self.url.trim_start_matches("http://").split('/').next().unwrap();
        let mut head = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if let Some(body) = body {
            head.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
        }
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(format!("{head}\r\n{}", body.unwrap_or_default()).as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        Reply::parse(format!("{method} {target}"), &answer)
    }

    /// Opens a session with `body`; its id.
    pub(crate) async fn session_with(&self, body: Value) -> String {
        let reply = self.post("/sessions", body).await;
        reply.expect(201);
        reply.text_at("sessionId").to_owned()
    }

    /// Opens a session of channel `api`; its id.
    pub(crate) async fn session(&self) -> String {
        self.session_with(json!({"channel": "api"})).await
    }

    /// Sends a customer's message.
    pub(crate) async fn ask(&self, session: &str, content: &str) -> Reply {
        self.post(&format!("/sessions/{session}/messages"), json!({"content": content})).await
    }

    /// All turns of a session.
    pub(crate) async fn turns(&self, session: &str) -> Vec<Value> {
        self.get(&format!("/sessions/{session}/messages")).await.items().to_vec()
    }

    /// Makes a public wiki entry.
    pub(crate) async fn wiki_entry(&self, path: &str, title: &str, content: &str) -> Reply {
        let body = json!({"path": path, "title": title, "content": content, "visibility": "public"});
        let reply = self.post("/wiki", body).await;
        reply.expect(201);
        reply
    }
}
