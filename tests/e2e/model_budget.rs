//! The daily budget of calls of the language model: what is answered when it is spent, when it begins anew, and that
//! concurrent calls do not pass it.

use std::sync::Arc;

use domain::clock::Clock;
use serde_json::{Value, json};

use crate::support::{Actor, Faults, ModelStub, TestService, answered};

const DAY_MS: i64 = 86_400_000;
const QUESTION: &str = "How long does a refund take?";
/// The text of the model, and that of the entry.
const OF_THE_MODEL: &str = "The refund takes five working days.";
const QUOTED: &str = "A refund takes five working days.";

struct Shop {
    service: TestService,
    model: Arc<ModelStub>,
    faults: Faults,
}

impl Shop {
    async fn with_budget(calls: Value) -> Self {
        let model = ModelStub::new(|_| Some(answered(OF_THE_MODEL, &[1])));
        let (faults, asked) = (Faults::default(), model.clone());
        let wire = faults.clone();
        let service = TestService::with(|options| {
            options.model = Some(asked);
            options.wrap_database = Some(Box::new(move |inner| wire.wrap(inner)));
        })
        .await;
        for admin in [service.admin(), service.test_admin()] {
            admin.wiki_entry("help/refunds", "Refunds", QUOTED).await;
            admin.patch("/settings", json!({"modelCallsPerDay": calls})).await.expect(200);
        }
        Self { service, model, faults }
    }

    /// Asks in a session of its own; what is answered.
    async fn told(&self, caller: &Actor) -> String {
        let reply = caller.ask(&caller.session().await, QUESTION).await;
        reply.expect(200);
        assert_eq!(reply.text_at("disposition"), "answered", "{}", reply.text);
        reply.text_at("answer").to_owned()
    }
}

#[tokio::test]
async fn when_the_budget_is_spent_answers_are_quoted_until_the_next_day() {
    let shop = Shop::with_budget(json!(2)).await;
    let (live, test) = (shop.service.admin(), shop.service.test_admin());
    for expected in [OF_THE_MODEL, OF_THE_MODEL, QUOTED, QUOTED] {
        assert_eq!(shop.told(&live).await, expected);
    }
    assert_eq!(shop.model.asked().len(), 2);
    let used = async |admin: &Actor| admin.get("/settings").await.at("/usage/modelCallsToday").clone();
    assert_eq!((used(&live).await, used(&test).await), (json!(2), json!(0)));
    assert_eq!(shop.told(&test).await, OF_THE_MODEL, "each mode has a budget of its own");
    // The clock of a table on another server starts at the machine's time.
    let left = DAY_MS - shop.service.clock.now().as_millis() % DAY_MS;
    shop.service.clock.advance(left / 2);
    assert_eq!(shop.told(&live).await, QUOTED);
    shop.service.clock.advance(left - left / 2);
    for expected in [OF_THE_MODEL, OF_THE_MODEL, QUOTED] {
        assert_eq!(shop.told(&live).await, expected);
    }
    live.patch("/settings", json!({"modelCallsPerDay": 3})).await.expect(200);
    for expected in [OF_THE_MODEL, QUOTED] {
        assert_eq!(shop.told(&live).await, expected);
    }
    live.patch("/settings", json!({"modelCallsPerDay": null})).await.expect(200);
    assert_eq!(shop.told(&live).await, OF_THE_MODEL);
}

#[tokio::test]
async fn a_budget_of_nothing_never_asks_the_model_and_no_budget_counts_nothing() {
    let shop = Shop::with_budget(json!(0)).await;
    assert_eq!(shop.told(&shop.service.admin()).await, QUOTED);
    assert!(shop.model.asked().is_empty());
    shop.service.admin().patch("/settings", json!({"modelCallsPerDay": null})).await.expect(200);
    assert_eq!(shop.told(&shop.service.admin()).await, OF_THE_MODEL);
    assert!(!shop.service.raw_items().await.iter().any(|item| item.contains("#MODELCALLS#")));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_64_questions_at_once_no_more_than_the_budget_are_put_to_the_model() {
    let shop = Shop::with_budget(json!(10)).await;
    let admin = shop.service.admin();
    let told = futures::future::join_all((0..64).map(|_| shop.told(&admin))).await;
    assert_eq!(shop.model.asked().len(), 10);
    assert_eq!(told.iter().filter(|answer| *answer == OF_THE_MODEL).count(), 10);
}

#[tokio::test]
async fn a_call_that_cannot_be_counted_is_not_made() {
    let shop = Shop::with_budget(json!(10)).await;
    let admin = shop.service.admin();
    shop.faults.fail_calls_saying(&["#MODELCALLS#"]);
    assert_eq!(shop.told(&admin).await, QUOTED);
    assert!(shop.model.asked().is_empty());
    shop.faults.disarm();
    assert_eq!(shop.told(&admin).await, OF_THE_MODEL);
}

#[tokio::test]
async fn an_ingest_stores_sections_as_read_when_the_budget_is_spent() {
    let shop = Shop::with_budget(json!(1)).await;
    let admin = shop.service.admin();
    let text = "# Parcels\n\nParcels take a week.\n\n# Gifts\n\nGifts are wrapped.\n\n# Cards\n\nCards are free.";
    let job = admin.post("/ingest", json!({"text": text, "pathPrefix": "page"})).await;
    job.expect(202);
    shop.service.drain().await;
    let job = admin.get(&format!("/ingest/{}", job.text_at("ingestId"))).await;
    assert_eq!((job.text_at("status"), job.at("entries").as_array().unwrap().len()), ("completed", 3), "{}", job.text);
    assert_eq!(shop.model.asked().len(), 1);
    assert_eq!(admin.get("/wiki/page/gifts").await.text_at("content"), "Gifts are wrapped.");
    assert_eq!(shop.told(&admin).await, QUOTED);
}

#[tokio::test]
async fn a_tenant_that_sets_no_budget_has_one() {
    let model = ModelStub::new(|_| Some(answered(OF_THE_MODEL, &[1])));
    let asked = model.clone();
    let service = TestService::with(|options| options.model = Some(asked)).await;
    let admin = service.admin();
    admin.wiki_entry("help/refunds", "Refunds", QUOTED).await;
    let shop = Shop { service, model, faults: Faults::default() };
    assert_eq!(shop.told(&admin).await, OF_THE_MODEL);
    let settings = admin.get("/settings").await;
    assert_eq!((settings.at("modelCallsPerDay"), settings.at("/usage/modelCallsToday")), (&json!(10_000), &json!(1)));
    admin.patch("/settings", json!({"modelCallsPerDay": null})).await.expect(200);
    assert_eq!(admin.get("/settings").await.at("modelCallsPerDay"), &json!(null), "any number");
    assert_eq!(shop.told(&admin).await, OF_THE_MODEL);
    assert_eq!(admin.get("/settings").await.at("/usage/modelCallsToday"), &json!(1));
}
