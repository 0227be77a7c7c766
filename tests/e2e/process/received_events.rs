//! A webhook receiver that keeps what it got.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::routing::post;
use serde_json::Value;

/// The parts that a receiver kept of its events, each text once.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReceivedEvents(Arc<Mutex<BTreeSet<String>>>);

impl ReceivedEvents {
    /// Starts a receiver on a free port that keeps `part` of each event; its URL.
    pub(crate) async fn listen(&self, part: fn(&Value) -> String) -> String {
        let received = self.clone();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/hook", listener.local_addr().unwrap());
        let receive = move |Json(event): Json<Value>| async move {
            let text = part(&event);
            received.0.lock().unwrap().insert(text);
        };
        let router = axum::Router::new().route("/hook", post(receive));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        address
    }

    pub(crate) fn snapshot(&self) -> BTreeSet<String> {
        self.0.lock().unwrap().clone()
    }
}
