//! Behaviours that only real servers show: connections that break, a disk that is full, a node without memory, messages
//! that come again. The behaviours that all servers share are in `search_adapters` and `queues`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::services;
use crate::support::{Actor, TestService};

const QUESTION: &str = "How long does a refund take?";

async fn refund_wiki(service: &TestService) {
    service.trainer().wiki_entry("billing/refunds", "Refunds", "A refund takes five working days.").await;
}

/// Asks in a new session.
async fn ask(actor: &Actor) -> Value {
    let session = actor.session().await;
    actor.ask(&session, QUESTION).await.expect(200).clone()
}

/// Sends JSON to the node itself.
async fn configure(url: &str, path: &str, body: &Value) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let sent = client.put(format!("{url}{path}")).json(body).send().await.unwrap();
    assert!(sent.status().is_success(), "{path}: {}", sent.text().await.unwrap());
}

/// Passes connections on to a server, and resets those that exist when it is told to.
struct Relay {
    url: String,
    generation: Arc<AtomicUsize>,
    reset: Arc<AtomicUsize>,
}

impl Relay {
    async fn to(server: &str) -> Self {
        let server = server.strip_prefix("http://").unwrap().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (generation, reset) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (current, counter) = (Arc::clone(&generation), Arc::clone(&reset));
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(pass_on(client, server, Arc::clone(&current), Arc::clone(&counter)));
            }
        });
        Self { url, generation, reset }
    }

    /// Every connection that exists now is reset when it receives its next request.
    fn break_connections(&self) {
        self.generation.fetch_add(1, Ordering::SeqCst);
    }

    /// How many were.
    fn broken(&self) -> usize {
        self.reset.load(Ordering::SeqCst)
    }
}

async fn pass_on(mut client: TcpStream, mut server: TcpStream, current: Arc<AtomicUsize>, reset: Arc<AtomicUsize>) {
    let born = current.load(Ordering::SeqCst);
    let (mut request, mut response) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut request) => {
                let Some(length) = read.ok().filter(|length| *length > 0) else { return };
                if current.load(Ordering::SeqCst) != born {
                    reset.fetch_add(1, Ordering::SeqCst);
                    client.set_zero_linger().unwrap();
                    return;
                }
                server.write_all(&request[..length]).await.unwrap();
            }
            read = server.read(&mut response) => {
                let Some(length) = read.ok().filter(|length| *length > 0) else { return };
                if client.write_all(&response[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}

#[tokio::test]
async fn a_search_on_a_connection_that_was_reset_is_answered() {
    let Some(url) = services::opensearch() else { return };
    let relay = Relay::to(url).await;
    let through = relay.url.clone();
    let service = TestService::with(|options| options.start.opensearch_url = Some(through)).await;
    refund_wiki(&service).await;
    let mut entries = 0;
    // A connection that is not back in the pool yet is not used next, and not reset.
    while relay.broken() < 4 && entries < 20 {
        for _ in 0..2 {
            // What is sent again goes over a connection that is not kept, so the second question opens one that is.
            for _ in 0..2 {
                let answered = ask(&service.agent()).await;
                assert_eq!(answered["disposition"], "answered", "{answered}");
            }
            relay.break_connections();
        }
        let entry = json!({"path": format!("billing/{entries}"), "title": "Walrus", "content": "A walrus."});
        assert_eq!(service.trainer().post("/wiki", entry).await.status, 201);
        entries += 1;
    }
    let found = service.trainer().get("/wiki?q=walrus").await;
    assert_eq!(found.json["total"], entries, "each write was sent again");
    assert!(relay.broken() >= 4, "only {} connections were reset", relay.broken());
}

/// A node whose disk is full refuses writes with 429 and still answers searches.
#[tokio::test]
async fn an_index_that_takes_no_writes_is_caught_up_when_it_does_again() {
    let Some(url) = services::opensearch() else { return };
    let mut alias = String::new();
    let service = TestService::with(|options| {
        options.start.opensearch_url = Some(url.to_owned());
        alias = options.start.search_index.clone().unwrap();
    })
    .await;
    refund_wiki(&service).await;
    let settings = format!("/{alias}/_settings");
    configure(url, &settings, &json!({"index.blocks.read_only_allow_delete": true})).await;
    let entry = json!({"path": "a/b", "title": "Walrus", "content": "A walrus."});
    assert_eq!(service.trainer().post("/wiki", entry).await.status, 201);
    assert_eq!(service.trainer().get("/wiki?q=walrus").await.json["total"], 0);
    assert_eq!(ask(&service.agent()).await["disposition"], "answered", "searches go on");
    configure(url, &settings, &json!({"index.blocks.read_only_allow_delete": null})).await;
    service.clock.advance(120_000);
    service.sweep().await;
    service.drain().await;
    assert_eq!(service.trainer().get("/wiki?q=walrus").await.json["total"], 1, "the sweeper did not try again");
}

/// A worker that is slower than the queue's visibility timeout: the server refuses the receipt handle of the first
/// receive, and the message is not lost and not stuck.
#[tokio::test]
async fn a_message_that_came_again_meanwhile_is_deleted_in_the_end() {
    use aws::queue::{Queue, Task, TaskQueue};
    use domain::clock::Runtime;
    use domain::models::{IngestId, Mode, Scope, TenantId};
    use local::queues::{Poller, QueueServer, WorkerLimits};

    let Some(url) = services::elasticmq() else { return };
    let (server, runtime) = (QueueServer::at(url), Runtime::system());
    let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
    let prefix = format!("tests-{}", scope.tenant.as_str().replace('_', "-"));
    let queue = server.create(&prefix, Queue::Ingest, Duration::from_secs(1)).await.unwrap();
    let receives = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&receives);
    let limits = WorkerLimits { concurrency: 4, timeout: Duration::from_secs(60) };
    let slow_once = Arc::new(move |_| {
        let counter = Arc::clone(&counter);
        let work: futures::future::BoxFuture<'static, Vec<String>> = Box::pin(async move {
            if counter.fetch_add(1, Ordering::SeqCst) == 0 {
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
            Vec::new()
        });
        work
    });
    let poller = Poller::start(server.client().clone(), queue.clone(), limits, slow_once);
    let sender = TaskQueue::new(server.client().clone(), Queue::Ingest, &queue.url);
    let task = Task::Ingest { scope, ingest_id: IngestId::generate(&runtime).unwrap() };
    sender.send(&task, Duration::ZERO).await.unwrap();
    let again = async {
        while receives.load(Ordering::SeqCst) < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        poller.wait_until_idle().await.unwrap();
    };
    tokio::time::timeout(Duration::from_secs(60), again).await.expect("the queue does not come to rest");
    let depth = sender.depth().await.unwrap();
    assert_eq!((depth.ready, depth.given_out, depth.dead), (0, 0, 0));
    poller.stop(Duration::from_secs(60)).await;
}

/// Tasks hold ids only: the largest is far below the 256 KiB that every SQS takes, and what is larger than its limit is
/// refused, not cut.
#[tokio::test]
async fn a_message_over_the_size_limit_is_refused_and_the_largest_task_is_far_below() {
    use aws::queue::{Queue, Task};
    use domain::clock::Runtime;
    use domain::models::{Mode, Scope, TenantId, WikiPath};
    use local::queues::QueueServer;

    let Some(url) = services::elasticmq() else { return };
    let (server, runtime) = (QueueServer::at(url), Runtime::system());
    let scope = Scope { tenant: TenantId::generate(&runtime).unwrap(), mode: Mode::Live };
    let prefix = format!("tests-{}", scope.tenant.as_str().replace('_', "-"));
    let longest = WikiPath::parse(&vec!["a".repeat(50); 4].join("/")).unwrap();
    let task = Task::Embed { scope, path: longest };
    assert!(task.to_body().len() < 8 * 1024, "{}", task.to_body().len());
    let queue = server.create(&prefix, Queue::Embeddings, Duration::from_secs(60)).await.unwrap();
    let send = |bytes: usize| {
        let request = server.client().send_message().queue_url(&queue.url);
        request.message_body("x".repeat(bytes)).send()
    };
    assert!(send(256 * 1024).await.is_ok());
    assert!(send(1024 * 1024 + 1).await.is_err());
}

/// These change the whole node, so `tests/real/run.sh` runs them alone.
mod alone {
    use super::*;

    #[tokio::test]
    #[ignore = "it takes the node's memory from every other test; tests/real/run.sh runs it alone"]
    async fn a_node_whose_circuit_breaker_trips_costs_the_answer_and_nothing_else() {
        let Some(url) = services::opensearch() else { return };
        let service = TestService::with(|options| options.start.opensearch_url = Some(url.to_owned())).await;
        refund_wiki(&service).await;
        assert_eq!(ask(&service.agent()).await["disposition"], "answered");
        let limit = |bytes: Value| json!({"transient": {"indices.breaker.request.limit": bytes}});
        configure(url, "/_cluster/settings", &limit(json!("1b"))).await;
        let asked = ask(&service.agent()).await;
        let found = service.trainer().get("/wiki?q=refund").await.status;
        let entry = json!({"path": "a/b", "title": "Walrus", "content": "A walrus."});
        let written = service.trainer().post("/wiki", entry).await.status;
        configure(url, "/_cluster/settings", &limit(Value::Null)).await;
        assert_eq!((asked["disposition"].as_str(), written), (Some("escalated"), 201), "{asked}");
        assert!(found == 200 || found == 503, "{found}");
        service.clock.advance(120_000);
        service.sweep().await;
        assert_eq!(service.trainer().get("/wiki?q=walrus").await.json["total"], 1);
        assert_eq!(ask(&service.agent()).await["disposition"], "answered");
    }
}
