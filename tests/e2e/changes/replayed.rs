//! The stream read three times in other orders has no further effect.

use std::collections::{BTreeMap, VecDeque};

use domain::models::{Day, Subscription};
use support::analytics::recount::recount;
use support::table::stream::Record;

use super::{a_day, collected, collector, kinds, of_a_day};
use crate::support::TestService;

/// The same records, with those of different items in another order.
fn shuffled(records: &[Record], mut seed: u64) -> Vec<Record> {
    let mut items: BTreeMap<String, VecDeque<Record>> = BTreeMap::new();
    for record in records {
        items.entry(record.item_key()).or_default().push_back(record.clone());
    }
    let mut items: Vec<VecDeque<Record>> = items.into_values().collect();
    let mut mixed = Vec::new();
    while !items.is_empty() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(seed >> 33).unwrap() % items.len();
        mixed.extend(items[at].pop_front());
        items.retain(|item| !item.is_empty());
    }
    mixed
}

#[tokio::test]
async fn a_stream_read_three_times_in_any_order_tells_counts_and_indexes_what_it_did_once() {
    let service = TestService::start().await;
    let all = collector(&service, 1, Subscription::All).await;
    a_day(&service).await;
    let told = collected(&service, &all).await;
    let records: Vec<Record> = service.stream_records().await.into_iter().filter(Record::is_consumed).collect();
    assert!(records.len() > 15, "only {} records", records.len());
    for seed in 1..=3 {
        for batch in shuffled(&records, seed).chunks(7) {
            assert_eq!(support::changes::handle(&service.changes().await, batch.to_vec()).await, None);
        }
    }
    service.drain().await;
    assert_eq!(collected(&service, &all).await, told);
    assert_eq!(kinds(&service, &all).await, of_a_day());
    let (store, scope) = (&service.resources().store, service.scope());
    let today = Day::of(service.resources().runtime.now());
    let counted = store.statistics().list_days(&scope, today.plus(-1), today).await.unwrap();
    assert_eq!(counted, recount(store, &scope, today.plus(-1), today).await.unwrap());
    let trainer = service.trainer();
    for (query, paths) in [("refund", vec!["help/refunds"]), ("four", vec!["help/parcels"]), ("three", vec![])] {
        let found = trainer.get(&format!("/wiki?q={query}")).await;
        let found: Vec<&str> = found.items().iter().map(|item| item["path"].as_str().unwrap()).collect();
        assert_eq!(found, paths, "{query}");
    }
}
