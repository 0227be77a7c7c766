//! A web site on loopback with pages that a test writes.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures::{StreamExt, stream};

/// The answer of a path of the site.
#[derive(Debug, Clone)]
pub(crate) enum Served {
    /// 200, with this content type.
    Page(&'static str, Vec<u8>),
    /// An HTML page with this entity tag; 304 to who has it.
    Tagged(&'static str, Vec<u8>),
    /// A status and nothing.
    Status(u16),
    /// 302 to another address.
    Redirect(String),
    /// The beginning of a page, then never more.
    Hang,
    /// 200 that says it is longer than it is.
    Lie,
    /// Compressed: 1 MB on the way, 1 GB unpacked.
    Bomb(Vec<u8>),
}

/// The site; ends with the test's runtime.
#[derive(Debug, Clone)]
pub(crate) struct Pages {
    url: String,
    served: Arc<Mutex<HashMap<String, Served>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Pages {
    pub(crate) async fn start() -> Self {
        let served: Arc<Mutex<HashMap<String, Served>>> = Arc::default();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let (there, noted) = (Arc::clone(&served), Arc::clone(&asked));
        let app = axum::Router::new().fallback(move |uri: Uri, headers: HeaderMap| {
            noted.lock().unwrap().push(uri.path().to_owned());
            let page = there.lock().unwrap().get(uri.path()).cloned();
            async move { answer(page, &headers) }
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { url, served, asked }
    }

    /// The address of a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// Puts something at a path.
    pub(crate) fn serve(&self, path: &str, served: Served) -> String {
        self.served.lock().unwrap().insert(path.to_owned(), served);
        self.url(path)
    }

    /// Puts an HTML page at a path; its address.
    pub(crate) fn html(&self, path: &str, html: impl Into<Vec<u8>>) -> String {
        self.serve(path, Served::Page("text/html; charset=utf-8", html.into()))
    }

    /// How often a path was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.asked.lock().unwrap().iter().filter(|asked| *asked == path).count()
    }
}

fn answer(page: Option<Served>, headers: &HeaderMap) -> Response {
    match page {
        None => StatusCode::NOT_FOUND.into_response(),
        Some(Served::Status(status)) => StatusCode::from_u16(status).unwrap().into_response(),
        Some(Served::Page(kind, body)) => ([(header::CONTENT_TYPE, kind)], body).into_response(),
        Some(Served::Tagged(tag, body)) => {
            let is_known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag);
            let body = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { body.into_response() };
            ([(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::ETAG, tag)], body).into_response()
        }
        Some(Served::Redirect(to)) => (StatusCode::FOUND, [(header::LOCATION, to)]).into_response(),
        Some(Served::Hang) => {
            let first = stream::iter([Ok::<_, Infallible>("<p>a beginning")]);
            ([(header::CONTENT_TYPE, "text/html")], Body::from_stream(first.chain(stream::pending()))).into_response()
        }
        Some(Served::Lie) => {
            let body = Body::from_stream(stream::iter([Ok::<_, Infallible>("<p>short")]));
            ([(header::CONTENT_TYPE, "text/html"), (header::CONTENT_LENGTH, "100000")], body).into_response()
        }
        Some(Served::Bomb(body)) => {
            ([(header::CONTENT_TYPE, "text/html"), (header::CONTENT_ENCODING, "gzip")], body).into_response()
        }
    }
}
