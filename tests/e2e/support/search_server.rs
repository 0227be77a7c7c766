//! The embedded index behind HTTP, which counts the requests that search it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Bytes;
use axum::http::{Method, Uri};
use local::opensearch::OpenSearchSubset;

/// An OpenSearch for one service.
#[derive(Debug)]
pub(crate) struct SearchServer {
    /// For `options.start.opensearch_url`.
    pub(crate) url: String,
    requests: Arc<AtomicUsize>,
}

impl SearchServer {
    pub(crate) async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (index, requests) = (OpenSearchSubset::default(), Arc::new(AtomicUsize::new(0)));
        let (index, counter) = (Arc::new(index), Arc::clone(&requests));
        let answer = async move |method: Method, uri: Uri, body: Bytes| {
            counter.fetch_add(usize::from(uri.path().ends_with("search")), Ordering::SeqCst);
            index.respond(&method, uri.path(), uri.query().unwrap_or_default(), &body)
        };
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(answer)).await });
        Self { url, requests }
    }

    /// How many requests searched it so far.
    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}
