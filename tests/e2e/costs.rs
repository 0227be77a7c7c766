//! The counted cost of 1,000 messages: units of the table, searches, model calls and queue messages. docs/COST.md holds
//! the figures.

use std::collections::BTreeMap;

use local::RateLimits;
use serde_json::json;

use crate::support::{
    CapacityMeter, EmbeddingStub, ModelStub, Recorder, SearchServer, TestService, Units, answered, rewrites, rewritten,
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

#[tokio::test]
async fn the_figures_of_the_cost_document_are_those_that_are_counted() {
    let (meter, index, queues) = (CapacityMeter::default(), SearchServer::start().await, Recorder::default());
    let embeddings = EmbeddingStub::start().await;
    let model = ModelStub::new(|request| {
        let reply = || answered("The refund takes five working days.", &[1]);
        Some(if rewrites(request) { rewritten("How long does a refund take?") } else { reply() })
    });
    let (functions, workers, wire, asked) = (meter.clone(), meter.clone(), queues.clone(), model.clone());
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| functions.wrap(inner)));
        options.wrap_worker_database = Some(Box::new(move |inner| workers.wrap(inner)));
        options.wrap_queues = Some(Box::new(move |inner| wire.wrap(inner)));
        options.start.opensearch_url = Some(index.url.clone());
        options.model = Some(asked);
        embeddings.configure(options);
        options.start.rate_limits = RateLimits::Real;
    })
    .await;
    let trainer = service.trainer();
    for (path, title) in [("help/refunds", "Refunds"), ("help/parcels", "Lost parcels"), ("help/password", "Passwords")]
    {
        trainer.wiki_entry(path, title, "A refund takes five working days. A password is reset on the phone.").await;
    }
    service.admin().webhook("https://receiver.invalid/hook", &["handover.requested"]).await;
    service.drain().await;
    meter.take();
    queues.take();
    let (searches, calls, queries) = (index.requests(), model.asked().len(), embeddings.queries().len());

    let customer = service.integration();
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
    service.drain().await;
    let (requests, searches) = (meter.take(), index.requests() - searches);
    service.clock.advance(2 * DAY_MS);
    service.sweep().await;
    service.drain().await;
    let closing = meter.take();
    service.sweep().await;
    let idle = meter.take();
    // Of a visitor who has a session.
    customer.session_with(json!({"channel": "widget", "externalUserId": "ann"})).await;
    service.drain().await;
    meter.take();
    for _ in 0..TOKENS {
        service.clock.advance(1_000);
        customer.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect(200);
    }
    let tokens = meter.take();

    #[allow(clippy::cast_precision_loss, reason = "small counts")]
    let per_1000 = |count: usize| count as f64 * 1_000.0 / (SESSIONS * QUESTIONS.len()) as f64;
    let units = |units: Units| (units.reads * 10.0, units.writes * 10.0);
    let ((reads, writes), (closing_reads, closing_writes)) = (units(requests), units(closing));
    let counted = BTreeMap::from([
        ("read units, while a message is answered and followed", reads),
        ("write units, while a message is answered and followed", writes),
        ("read units, when its session is closed", closing_reads),
        ("write units, when its session is closed", closing_writes),
        ("read units of a sweep with nothing to do", idle.reads),
        ("write units of a sweep with nothing to do", idle.writes),
        ("read units of 1,000 widget tokens", tokens.reads * 10.0),
        ("write units of 1,000 widget tokens", tokens.writes * 10.0),
        ("requests to the search index", per_1000(searches)),
        ("calls of the language model", per_1000(model.asked().len() - calls)),
        ("texts that the embedding model gets", per_1000(embeddings.queries().len() - queries)),
        ("messages to queues", per_1000(queues.take().lines().count())),
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
