//! Lists read a bounded part of the table: a page does not cost more in a larger tenant, in units of the table.

use serde_json::json;

use crate::support::{Actor, CapacityMeter, IndexSwitch, Recorder, TestService, scale};

/// The units that one answer of a filtered list reads: 1 MiB, consistently, and a few items beside it.
const MIB_UNITS: f64 = 256.0 + 30.0;
/// An item of at most a kilobyte in an index, read with eventual consistency.
const UNITS_OF_A_COUNTED_ITEM: f64 = 0.125;
/// Longer than the sweeper waits before it writes an entry to the index again.
const QUARTER_HOUR_MS: i64 = 900_000;

struct Shop {
    service: TestService,
    meter: CapacityMeter,
    wire: Recorder,
    index: IndexSwitch,
}

impl Shop {
    async fn start() -> Self {
        let (meter, wire, index) = (CapacityMeter::default(), Recorder::default(), IndexSwitch::default());
        let (counting, recording) = (meter.clone(), wire.clone());
        let service = TestService::with(|options| {
            options.wrap_database = Some(Box::new(move |inner| recording.wrap(counting.wrap(inner))));
            options.wrap_index = Some(index.wrap());
        })
        .await;
        Self { service, meter, wire, index }
    }

    /// The read units of a request, besides those of finding the caller's key, and its answer's number of items.
    async fn reads(&self, caller: &Actor, path: &str) -> (f64, usize) {
        self.meter.take();
        let reply = caller.get(path).await;
        reply.expect(200);
        (self.meter.take().reads, reply.items().len())
    }

    /// Waits until `size` entries are indexed: the sweeper writes those that a slow index did not take in time.
    async fn wait_for_index(&self, caller: &Actor, size: u32) {
        for _ in 0..10 {
            if caller.get("/wiki?limit=1").await.at("total") == size {
                return;
            }
            self.service.later(QUARTER_HOUR_MS).await;
        }
    }

    /// Writes copies of an item: those of the numbers in `range`.
    async fn copy(&self, kind: &str, id: &str, range: std::ops::Range<u32>) {
        let (prefix, rest) = id.split_at(4);
        let width = rest.len();
        self.service.multiply_item(kind, id, range.map(|n| format!("{prefix}{n:0width$}"))).await;
    }
}

/// The items that lists show, each by its kind and id, and the lists.
async fn filled(shop: &Shop) -> (Vec<(&'static str, String)>, Vec<String>) {
    let (service, admin) = (&shop.service, shop.service.admin());
    let session = admin.session().await;
    admin.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
    let asked = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    let key = admin.post("/api-keys", json!({"name": "One"})).await;
    let job = admin.post("/ingest", json!({"text": "A text.", "pathPrefix": "a"})).await;
    let webhook = admin.webhook("http://127.0.0.1:9/one", &["webhook.test"]).await;
    let delivery = admin.post_empty(&format!("/webhooks/{webhook}/test")).await;
    admin.wiki_entry("n/e0/000000", "Title", "Content").await;
    service.drain().await;
    let gaps = admin.get("/analytics/kb-gaps").await;
    let gap = gaps.items()[0]["gapId"].as_str().unwrap().to_owned();
    let id = |reply: &crate::support::Reply, name: &str| reply.text_at(name).to_owned();
    let event = service.raw_items().await.into_iter().find(|item| item.contains("S(\"delivery\")")).unwrap();
    let event = event.split("evt_").nth(1).unwrap().chars().take(26).collect::<String>();
    assert!(!delivery.text_at("deliveryId").is_empty());
    let items = vec![
        ("session", session),
        ("escalation", id(&asked, "escalationId")),
        ("api_key_pointer", id(&key, "keyId")),
        ("ingest_job", id(&job, "ingestId")),
        ("delivery", format!("evt_{event}")),
        ("entry", "n/e0/000000".to_owned()),
        ("gap", gap),
    ];
    let lists = ["/sessions", "/inbox", "/api-keys", "/ingest", "/wiki", "/analytics/kb-gaps"];
    let lists = lists.into_iter().map(str::to_owned);
    (items, lists.chain([format!("/webhooks/{webhook}/deliveries")]).collect())
}

#[tokio::test]
async fn a_page_costs_no_more_in_a_large_tenant_but_for_the_keys_that_a_total_counts() {
    let shop = Shop::start().await;
    let admin = shop.service.admin();
    let (items, lists) = filled(&shop).await;
    for (kind, id) in &items {
        shop.copy(kind, id, 1..100).await;
    }
    let mut few = Vec::new();
    for list in &lists {
        few.push(shop.reads(&admin, &format!("{list}?limit=20")).await);
    }
    for (kind, id) in &items {
        shop.copy(kind, id, 100..1_500).await;
    }
    for (list, (before, shown)) in lists.iter().zip(few) {
        let (after, shown_after) = shop.reads(&admin, &format!("{list}?limit=20")).await;
        assert_eq!((shown, shown_after), (20, 20), "{list}");
        // Page lists count what there is, and the inbox counts up to 1,000.
        let counted = match list.as_str() {
            "/wiki" | "/analytics/kb-gaps" => 1_400.0,
            "/inbox" => 900.0,
            _ => 0.0,
        };
        assert!(after <= before * 1.1 + 1.0 + counted * UNITS_OF_A_COUNTED_ITEM, "{list}: {before} and {after} units");
    }
}

#[tokio::test]
async fn a_page_of_the_wiki_costs_the_same_of_a_thousand_long_entries_and_of_more() {
    let shop = Shop::start().await;
    let admin = shop.service.admin();
    let body = json!({"path": "n/e0/000000", "title": "Title", "content": "word ".repeat(400), "tags": ["t"]});
    admin.post("/wiki", body).await.expect(201);
    let (mut written, mut most) = (1, 0.0_f64);
    for size in [100, 1_000, u32::try_from(scale::operations().unwrap_or(1_200)).unwrap()] {
        shop.copy("entry", "n/e0/000000", written..size).await;
        written = size;
        shop.service.drain().await;
        shop.wait_for_index(&admin, size).await;
        for list in ["/wiki?limit=20", "/wiki?limit=20&visibility=internal", "/wiki?limit=20&tag=t"] {
            shop.wire.take();
            let (units, shown) = shop.reads(&admin, list).await;
            let queries = shop.wire.take().lines().filter(|call| call.contains(".Query ")).count();
            println!("figure: {list} of {size} entries: {units} read units, {queries} queries");
            let reply = admin.get(list).await;
            assert_eq!(
                (shown, reply.at("total"), reply.at("totalCapped")),
                (20, &json!(size), &json!(false)),
                "{list}"
            );
            assert!(queries <= 2, "{list} of {size}: {queries} queries");
            if size < 2_000 {
                most = most.max(units);
            } else {
                assert!(units <= most * 1.05, "{list} of {size}: {units} units, {most} before");
            }
        }
    }
    shop.index.off();
    let reply = admin.get("/wiki?limit=20").await;
    assert_eq!((reply.items().len(), reply.at("totalCapped"), reply.at("hasMore")), (20, &json!(true), &json!(true)));
    assert!(reply.json["total"].as_u64().unwrap() > 400, "{}", reply.json["total"]);
}

#[tokio::test]
async fn a_filtered_list_reads_a_mebibyte_and_hands_a_cursor() {
    let shop = Shop::start().await;
    let admin = shop.service.admin();
    let metadata: serde_json::Map<_, _> = (0..4).map(|n| (format!("k{n}"), json!("x".repeat(900)))).collect();
    let body = json!({"metadata": metadata, "externalUserId": "many"});
    let session = admin.post("/sessions", body).await.text_at("sessionId").to_owned();
    shop.copy("session", &session, 0..600).await;
    let human = admin.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    human.expect(200);
    let webhook = admin.webhook("http://127.0.0.1:9/one", &["webhook.test"]).await;
    admin.post_empty(&format!("/webhooks/{webhook}/test")).await.expect(200);
    shop.service.drain().await;
    let event = shop.service.raw_items().await.into_iter().find(|item| item.contains("S(\"delivery\")")).unwrap();
    let event: String = event.split("evt_").nth(1).unwrap().chars().take(26).collect();
    shop.copy("delivery", &format!("evt_{event}"), 0..3_000).await;
    let lists = [
        // The sessions are of 4 KiB and more: each is two units.
        ("/sessions?ownership=closed&limit=100".to_owned(), 2.0 * MIB_UNITS),
        (format!("/webhooks/{webhook}/deliveries?status=held&limit=100"), MIB_UNITS),
    ];
    for (list, most) in lists {
        let (mut path, mut answers) = (list.clone(), 0);
        loop {
            let (reads, shown) = shop.reads(&admin, &path).await;
            assert!(reads <= most && shown == 0, "{path}: {reads} units, {shown} items");
            answers += 1;
            let reply = admin.get(&path).await;
            match reply.at("nextCursor").as_str() {
                Some(next) => path = format!("{list}&cursor={next}"),
                None => break,
            }
        }
        assert!((2..=8).contains(&answers), "{list}: {answers} answers");
    }
}

#[tokio::test]
async fn keys_and_webhooks_are_listed_in_pages_each_once() {
    let shop = Shop::start().await;
    let (live, test) = (shop.service.admin(), shop.service.test_admin());
    for number in 0..7 {
        for caller in [&live, &test] {
            caller.post("/api-keys", json!({"name": format!("k{number}")})).await.expect(201);
            caller.webhook(&format!("http://127.0.0.1:9/{number}"), &["*"]).await;
        }
    }
    for (caller, list, id) in
        [(&live, "/api-keys", "keyId"), (&test, "/api-keys", "keyId"), (&live, "/webhooks", "webhookId")]
    {
        let ids = async |limit: usize| {
            let (mut ids, mut path) = (Vec::new(), format!("{list}?limit={limit}"));
            loop {
                let reply = caller.get(&path).await;
                assert!(reply.items().len() <= limit && reply.at("hasMore") == reply.at("nextCursor").is_string());
                ids.extend(reply.items().iter().map(|item| item[id].as_str().unwrap().to_owned()));
                match reply.at("nextCursor").as_str() {
                    Some(next) => path = format!("{list}?limit={limit}&cursor={next}"),
                    None => return ids,
                }
            }
        };
        let all = ids(100).await;
        assert!(all.is_sorted() && all.len() >= 7, "{list}: {all:?}");
        for limit in [1, 3, all.len() - 1, all.len()] {
            assert_eq!(ids(limit).await, all, "{list} by {limit}");
        }
    }
}
