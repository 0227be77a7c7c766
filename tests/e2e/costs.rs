//! The counted cost of 1,000 messages: units of the table, searches, model calls and queue messages. docs/COST.md holds
//! the figures.

use std::collections::BTreeMap;
use std::sync::Arc;

use answer::model::LanguageModel;
use local::{HandleRecords, RateLimits};
use serde_json::json;
use tokio::sync::watch;

use crate::support::{
    CapacityMeter, EmbeddingStub, ModelStub, Recorder, SearchServer, TestOptions, TestService, Units, answered,
    rewrites, rewritten,
};
use crate::template::document::root;

const SESSIONS: usize = 25;
/// Each is about a wiki entry; every other is a follow-up.
const QUESTIONS: [&str; 4] = [
    "How long does a refund take?",
    "And for a parcel that is lost?",
    "How do I reset my password?",
    "Does that work on the phone?",
];
/// One a second: half of what a key may have.
const TOKENS: usize = 100;
const DAY_MS: i64 = 86_400_000;

/// The figures of a section of docs/COST.md by the first cell of their rows.
pub(crate) fn documented(section: &str) -> BTreeMap<String, f64> {
    let document = std::fs::read_to_string(root().join("docs/COST.md")).unwrap();
    let table = document.split(section).nth(1).unwrap().split("\n## ").next().unwrap().to_owned();
    let rows = table.lines().filter_map(|line| line.trim().strip_prefix("| ")?.strip_suffix(" |"));
    let cells = rows.filter_map(|row| row.split_once(" | "));
    cells.filter_map(|(name, figure)| Some((name.to_owned(), figure.replace(',', "").parse().ok()?))).collect()
}

/// A service whose table, index and queues are metered.
struct Metered {
    service: TestService,
    /// Whether changes are followed.
    follows: watch::Sender<bool>,
    meter: CapacityMeter,
    index: SearchServer,
    queues: Recorder,
}

impl Metered {
    /// One with a wiki of three entries and a webhook.
    async fn with(more: impl FnOnce(&mut TestOptions)) -> Self {
        let (meter, index, queues) = (CapacityMeter::default(), SearchServer::start().await, Recorder::default());
        let (functions, workers, wire) = (meter.clone(), meter.clone(), queues.clone());
        let (follows, gate) = watch::channel(true);
        let service = TestService::with(|options| {
            options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
            options.wrap_worker_database = Some(Box::new(move |inner| workers.wrap(inner)));
            options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)));
            options.start.opensearch_url = Some(index.url.clone());
            options.wrap_changes = Some(Box::new(move |handle| followed_if(gate, handle)));
            options.start.rate_limits = RateLimits::Real;
            more(options);
        })
        .await;
        let trainer = service.trainer();
        for (path, title) in
            [("help/refunds", "Refunds"), ("help/parcels", "Lost parcels"), ("help/password", "Passwords")]
        {
            let content = "A refund takes five working days. A password is reset on the phone.";
            trainer.wiki_entry(path, title, content).await;
        }
        service.admin().webhook("https://receiver.invalid/hook", &["handover.requested"]).await;
        service.drain().await;
        meter.take();
        queues.take();
        Self { service, follows, meter, index, queues }
    }

    /// Plays the sessions of a key's customers. If `in_batches`, their changes are followed at the end, up to 100 at a
    /// time. Units of the table and its requests, and requests to the index.
    async fn play(&self, in_batches: bool) -> (Units, usize, usize) {
        self.follows.send_replace(!in_batches);
        let (searches, customer) = (self.index.requests(), self.service.integration());
        self.meter.requests();
        for number in 0..SESSIONS {
            let session = customer.session().await;
            for question in QUESTIONS {
                customer.ask(&session, question).await.expect(200);
            }
            customer.post(&format!("/sessions/{session}/reaction"), json!({"reaction": "thumbs_up"})).await.expect(200);
            if number % 10 == 0 {
                customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
            }
        }
        self.follows.send_replace(true);
        self.service.drain().await;
        (self.meter.take(), self.meter.requests(), self.index.requests() - searches)
    }
}

/// `handle`, which waits while the gate is closed.
fn followed_if(gate: watch::Receiver<bool>, handle: HandleRecords) -> HandleRecords {
    Arc::new(move |records| {
        let (mut gate, handle) = (gate.clone(), Arc::clone(&handle));
        Box::pin(async move {
            gate.wait_for(|follows| *follows).await.unwrap();
            handle(records).await
        })
    })
}

#[allow(clippy::cast_precision_loss, reason = "small counts")]
fn per_1000(count: usize) -> f64 {
    count as f64 * 1_000.0 / (SESSIONS * QUESTIONS.len()) as f64
}

#[tokio::test]
async fn the_figures_of_the_cost_document_are_those_that_are_counted() {
    let embeddings = EmbeddingStub::start().await;
    let model = ModelStub::new(|request| {
        let reply = || answered("The refund takes five working days.", &[1]);
        Some(if rewrites(request) { rewritten("How long does a refund take?") } else { reply() })
    });
    let models = |options: &mut TestOptions| {
        options.model = Some(model.clone());
        embeddings.configure(options);
    };
    let with_models = Metered::with(models).await;
    let (calls, queries) = (model.asked().len(), embeddings.queries().len());
    let (units, requests, searches) = with_models.play(false).await;
    let (calls, queries) = (model.asked().len() - calls, embeddings.queries().len() - queries);
    let (in_batches, batch_requests, _) = Metered::with(models).await.play(true).await;
    let Metered { service, meter, queues, .. } = with_models;
    service.clock.advance(2 * DAY_MS);
    service.sweep().await;
    service.drain().await;
    let closing = meter.take();
    service.sweep().await;
    let idle = meter.take();
    // Of a visitor who has a session.
    let customer = service.integration();
    customer.session_with(json!({"channel": "widget", "externalUserId": "ann"})).await;
    service.drain().await;
    meter.take();
    for _ in 0..TOKENS {
        service.clock.advance(1_000);
        customer.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect(200);
    }
    let tokens = meter.take();
    let (batches_alone, batch_requests_alone, _) = Metered::with(|_| {}).await.play(true).await;
    let (units_alone, requests_alone, searches_alone) = Metered::with(|_| {}).await.play(false).await;

    let counted = BTreeMap::from([
        ("read units", units.reads * 10.0),
        ("read units, in batches", in_batches.reads * 10.0),
        ("write units", units.writes * 10.0),
        ("write units, in batches", in_batches.writes * 10.0),
        ("table requests", per_1000(requests)),
        ("table requests, in batches", per_1000(batch_requests)),
        ("read units, when the session is closed", closing.reads * 10.0),
        ("write units, when the session is closed", closing.writes * 10.0),
        ("read units of an idle sweep", idle.reads),
        ("write units of an idle sweep", idle.writes),
        ("read units of 1,000 widget tokens", tokens.reads * 10.0),
        ("write units of 1,000 widget tokens", tokens.writes * 10.0),
        ("index requests", per_1000(searches)),
        ("model calls", per_1000(calls)),
        ("embedded texts", per_1000(queries)),
        ("queue messages", per_1000(queues.take().lines().count())),
        ("read units without models", units_alone.reads * 10.0),
        ("read units without models, in batches", batches_alone.reads * 10.0),
        ("write units without models", units_alone.writes * 10.0),
        ("write units without models, in batches", batches_alone.writes * 10.0),
        ("table requests without models", per_1000(requests_alone)),
        ("table requests without models, in batches", per_1000(batch_requests_alone)),
        ("index requests without models", per_1000(searches_alone)),
    ]);
    let documented = documented("## Counted");
    assert_eq!(documented.len(), counted.len(), "{documented:?}");
    let is_off = |(name, figure): &(&&str, &f64)| {
        let written = documented.get(**name).unwrap_or_else(|| panic!("docs/COST.md has no row {name}"));
        (written - **figure).abs() > 0.15 * **figure + 1.0
    };
    let off: BTreeMap<_, _> = counted.iter().filter(is_off).collect();
    assert!(off.is_empty(), "docs/COST.md is off; counted were {off:#?}");
}

#[tokio::test]
async fn without_a_language_model_a_message_and_its_answer_are_one_transaction() {
    let requests = async |model: Option<Arc<dyn LanguageModel>>| {
        let meter = CapacityMeter::default();
        let functions = meter.clone();
        let service = TestService::with(|options| {
            options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
            options.model = model;
        })
        .await;
        service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
        let customer = service.integration();
        let session = customer.session().await;
        let mut made = Vec::new();
        for _ in 0..3 {
            meter.requests();
            let reply = customer.ask(&session, QUESTIONS[0]).await;
            made.push(meter.requests());
            assert_eq!(reply.expect(200)["disposition"], "answered");
        }
        made.into_iter().min().unwrap()
    };
    let model = ModelStub::new(|_| Some(answered("A refund takes five working days.", &[1])));
    // A call of the model is counted in the table.
    assert_eq!(requests(None).await + 2, requests(Some(model)).await);
}
