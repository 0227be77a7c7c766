//! Dry runs: what changes of the wiki would do to customers' questions, by the engine that answers them.

use serde_json::{Value, json};

use crate::support::{Actor, EmbeddingStub, IndexSwitch, ModelStub, Reply, TestService, answered, scale};

const REFUND: &str = "How long does a refund take?";
pub(crate) const ZEBRA: &str = "Which zebra sings on Jupiter?";

pub(crate) async fn entries(service: &TestService) {
    let trainer = service.trainer();
    trainer.wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    trainer.wiki_entry("help/parcels", "Parcels", "A parcel to Norway takes nine days with the courier.").await;
}

pub(crate) fn zebras() -> Value {
    let content = "The zebra that sings on Jupiter is called Zoe.";
    json!({"path": "help/zebras", "action": "create", "title": "Zebras", "content": content, "visibility": "public"})
}

fn texts(texts: &[&str]) -> Value {
    json!({"texts": texts})
}

pub(crate) async fn try_out(caller: &Actor, changes: Value, questions: Value) -> Reply {
    caller.post("/dry-runs", json!({"changes": changes, "questions": questions})).await
}

/// The items of a run: the question, its outcome before and after, and the change.
pub(crate) fn outcomes(run: &Reply) -> Vec<(String, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let of = |item: &Value| {
        let disposition = |when: &str| text(&item[when]["disposition"]);
        (text(&item["question"]), disposition("before"), disposition("after"), text(&item["change"]))
    };
    run.items().iter().map(of).collect()
}

pub(crate) fn outcome(question: &str, before: &str, after: &str, change: &str) -> (String, String, String, String) {
    (question.to_owned(), before.to_owned(), after.to_owned(), change.to_owned())
}

#[tokio::test]
async fn a_run_says_which_questions_gain_and_lose_their_answer_and_writes_nothing() {
    let service = TestService::start().await;
    entries(&service).await;
    service.drain().await;
    let before = stored(&service).await;
    let changes = json!([zebras(), {"path": "help/refunds", "action": "delete"}]);
    let asked = texts(&[REFUND, ZEBRA, "How long does a parcel to Norway take?", "Hello!"]);
    let run = try_out(&service.agent(), changes, asked).await;
    run.expect(200);
    assert_eq!(
        outcomes(&run),
        [
            outcome(REFUND, "answered", "no_answer", "lost"),
            outcome(ZEBRA, "no_answer", "answered", "gained"),
            outcome("How long does a parcel to Norway take?", "answered", "answered", "same"),
            outcome("Hello!", "small_talk", "small_talk", "same"),
        ]
    );
    assert_eq!(run.at("counts"), &json!({"same": 2, "gained": 1, "lost": 1, "other": 0}));
    assert_eq!(
        (run.at("hasMore"), run.at("nextCursor"), run.at("reliesOnModel")),
        (&json!(false), &json!(null), &json!(false))
    );
    let gained = &run.items()[1]["after"];
    assert_eq!((&gained["sources"][0]["path"], &gained["sources"][0]["version"]), (&json!("help/zebras"), &json!(1)));
    assert!(gained["answer"].as_str().unwrap().contains("called Zoe"), "{gained}");
    assert_eq!(run.items()[0].get("sessionId"), None, "a text was asked nowhere");
    service.drain().await;
    assert_eq!(stored(&service).await, before, "nothing is written, counted or emitted");
    service.trainer().get("/wiki/help/zebras").await.expect_error(404, "NOT_FOUND");
    service.trainer().get("/wiki/help/refunds").await.expect(200);
}

/// Every item but those that say when a key was used, of rate limits, and of running dry runs.
async fn stored(service: &TestService) -> Vec<String> {
    let mut items = service.raw_items().await;
    items.retain(|item| !["api_key", "rate_bucket", "dry_run_permits"].iter().any(|kind| item.contains(kind)));
    let mut sorted: Vec<String> = items
        .iter()
        .map(|item| {
            // The attributes of an item come in no order.
            let mut characters: Vec<char> = item.chars().collect();
            characters.sort_unstable();
            characters.into_iter().collect()
        })
        .collect();
    sorted.sort();
    sorted
}

#[tokio::test]
async fn a_run_of_days_asks_each_question_in_its_conversation_newest_session_first() {
    let service = TestService::start().await;
    entries(&service).await;
    let customer = service.integration();
    let first = customer.session().await;
    customer.ask(&first, "How long does a parcel to Norway take with the courier?").await.expect(200);
    customer.ask(&first, "My mail is ann@mail.example. Who is it with?").await.expect(200);
    customer.ask(&first, "Thanks!").await.expect(200);
    service.clock.advance(60_000);
    let second = customer.session().await;
    customer.ask(&second, "What is the price of marzipan?").await.expect(200);
    assert_eq!(customer.ask(&second, ZEBRA).await.expect(200)["disposition"], "escalated");
    service.test_admin().ask(&service.test_admin().session().await, ZEBRA).await.expect(200);
    let run = try_out(&service.trainer(), json!([zebras()]), json!({"days": 1})).await;
    run.expect(200);
    let asked = outcomes(&run);
    assert_eq!(asked.len(), 4, "the other mode and small talk are not asked: {asked:?}");
    assert_eq!(asked[0], outcome(ZEBRA, "escalated", "answered", "gained"), "the second miss in a row escalates");
    assert_eq!(asked[1], outcome("What is the price of marzipan?", "no_answer", "no_answer", "same"));
    assert!(!asked[2].0.contains("ann@"), "{asked:?}");
    assert!(asked[2].0.contains("Who is it with?"), "{asked:?}");
    assert_eq!(run.items()[2]["before"]["sources"][0]["path"], "help/parcels", "a follow-up is one");
    assert_eq!((&run.items()[0]["sessionId"], &run.items()[3]["sessionId"]), (&json!(second), &json!(first)));
    let told = customer.turns(&second).await;
    assert_eq!(run.items()[0]["messageId"], told[2]["messageId"], "{told:?}");
    for (item, answer) in [(&run.items()[0], &told[3]), (&run.items()[1], &told[1])] {
        assert_eq!(item["before"]["disposition"], answer["disposition"]);
        assert_eq!(item["before"]["confidence"], answer["confidence"]);
        assert_eq!(item["before"]["sources"], answer["sources"]);
    }
}

#[tokio::test]
async fn a_run_goes_on_where_it_ended_and_its_cursor_is_of_no_other_run() {
    let service = TestService::start().await;
    entries(&service).await;
    let customer = service.integration();
    for _ in 0..3 {
        let session = customer.session().await;
        customer.ask(&session, REFUND).await.expect(200);
        customer.ask(&session, "How long does a parcel to Norway take?").await.expect(200);
        service.clock.advance(1_000);
    }
    let whole = try_out(&service.agent(), json!([zebras()]), json!({"days": 90})).await;
    let paged = |questions: Value, limit: u32| {
        let agent = service.agent();
        async move {
            let (mut all, mut cursor, mut calls) = (Vec::new(), Value::Null, 0);
            loop {
                let body = json!({"changes": [zebras()], "questions": questions, "limit": limit, "cursor": cursor});
                let page = agent.post("/dry-runs", body).await;
                page.expect(200);
                assert!(page.items().len() <= usize::try_from(limit).unwrap());
                all.extend(page.items().to_vec());
                calls += 1;
                cursor = page.at("nextCursor").clone();
                if page.at("hasMore") == &json!(false) {
                    return (all, calls);
                }
            }
        }
    };
    assert_eq!(whole.items().len(), 6);
    service.drain().await;
    for limit in [1, 2, 4] {
        let (all, _) = paged(json!({"days": 90}), limit).await;
        assert_eq!(all, whole.items(), "{limit}");
    }
    let (told, _) = paged(json!({"path": "help/refunds", "days": 90}), 2).await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().all(|item| item["question"].as_str().unwrap().contains("refund")), "{told:?}");
    let (asked, calls) = paged(texts(&[REFUND, ZEBRA, REFUND]), 2).await;
    assert_eq!((asked.len(), calls), (3, 2));

    let body = |changes: Value, questions: Value, cursor: &Value| json!({"changes": changes, "questions": questions, "limit": 1, "cursor": cursor});
    let first = service.agent().post("/dry-runs", body(json!([zebras()]), json!({"days": 90}), &Value::Null)).await;
    let cursor = first.at("nextCursor").clone();
    let deletes = json!([{"path": "help/refunds", "action": "delete"}]);
    for (caller, body) in [
        (service.agent(), body(deletes, json!({"days": 90}), &cursor)),
        (service.agent(), body(json!([zebras()]), json!({"days": 89}), &cursor)),
        (service.agent(), body(json!([zebras()]), texts(&[ZEBRA]), &cursor)),
        (service.agent(), body(json!([zebras()]), json!({"days": 90}), &json!("e30"))),
        (service.test_admin(), body(json!([zebras()]), json!({"days": 90}), &cursor)),
    ] {
        let refused = caller.post("/dry-runs", body).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.json["details"][0]["field"], "cursor", "{}", refused.text);
    }
}

#[tokio::test]
async fn texts_are_asked_as_the_viewer_would_be_answered() {
    let service = TestService::start().await;
    entries(&service).await;
    let internal =
        json!({"path": "help/zebras", "action": "create", "title": "Zebras", "content": zebras()["content"]});
    for (viewer, after) in [("widget", "no_answer"), ("other", "answered")] {
        let body = json!({"changes": [internal], "questions": texts(&[ZEBRA]), "viewer": viewer});
        let run = service.agent().post("/dry-runs", body).await;
        assert_eq!(outcomes(&run)[0].2, after, "{viewer}");
    }
    let shown = json!([{"path": "help/refunds", "visibility": "internal"}]);
    let body = json!({"changes": shown, "questions": texts(&[REFUND]), "viewer": "widget"});
    let run = service.agent().post("/dry-runs", body).await;
    assert_eq!(outcomes(&run), [outcome(REFUND, "answered", "no_answer", "lost")], "a change of visibility counts");
}

#[tokio::test]
async fn a_run_that_cannot_be_is_refused_with_every_problem() {
    let service = TestService::start().await;
    entries(&service).await;
    let agent = service.agent();
    let update = || json!({"path": "help/refunds", "content": "A refund takes six days."});
    let twenty_one: Vec<Value> = (0..21).map(|n| json!({"path": format!("a/{n}"), "action": "delete"})).collect();
    for (changes, questions, fields) in [
        (json!([update()]), json!({}), vec!["questions"]),
        (json!([update()]), json!({"days": 1, "texts": ["a"]}), vec!["questions"]),
        (json!([update()]), json!({"path": "help/refunds"}), vec!["questions.days"]),
        (json!([update()]), json!({"days": 91}), vec!["questions.days"]),
        (json!([update()]), json!({"texts": []}), vec!["questions.texts"]),
        (json!([update()]), json!({"texts": ["\u{200b}\u{2060} \u{feff}"]}), vec!["questions.texts[0]"]),
        (json!([]), texts(&["a"]), vec!["changes"]),
        (json!(twenty_one), texts(&["a"]), vec!["changes"]),
        (json!([update(), update()]), texts(&["a"]), vec!["changes[1].path"]),
        (json!([{"path": "help/refunds"}]), texts(&["a"]), vec!["changes[0]"]),
        (json!([{"path": "a/b", "action": "create"}]), texts(&["a"]), vec!["changes[0].title", "changes[0].content"]),
        (json!([{"path": "nothing"}]), texts(&["a"]), vec!["changes[0].path"]),
    ] {
        let refused = try_out(&agent, changes.clone(), questions).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        let named: Vec<&str> =
            refused.json["details"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap()).collect();
        assert_eq!(named, fields, "{changes} {}", refused.text);
    }
    for action in ["update", "delete"] {
        let change = json!([{"path": "help/nothing", "action": action, "title": "T"}]);
        try_out(&agent, change, texts(&[REFUND])).await.expect_error(404, "NOT_FOUND");
    }
    let twice = json!([{"path": "help/refunds", "action": "create", "title": "T", "content": "C"}]);
    try_out(&agent, twice, texts(&[REFUND])).await.expect_error(409, "CONFLICT");
    let large: Vec<Value> = (0..20)
        .map(|n| json!({"path": format!("a/{n}"), "action": "create", "title": "T", "content": "é".repeat(150_000)}))
        .collect();
    let refused = try_out(&agent, json!(large), texts(&[REFUND])).await;
    refused.expect_error(413, "PAYLOAD_TOO_LARGE");
    assert!(refused.text_at("message").contains("1048576 bytes"), "{}", refused.text);
}

#[tokio::test]
async fn changed_entries_have_at_most_one_mebibyte_of_text_also_where_the_body_does_not_name_it() {
    let service = TestService::start().await;
    for number in 0..6 {
        service.trainer().wiki_entry(&format!("long/{number}"), "Long", &"word ".repeat(39_000)).await;
    }
    let renamed = |count: usize| -> Vec<Value> {
        (0..count).map(|number| json!({"path": format!("long/{number}"), "title": "Longer"})).collect()
    };
    try_out(&service.agent(), json!(renamed(6)), texts(&[REFUND])).await.expect_error(413, "PAYLOAD_TOO_LARGE");
    try_out(&service.agent(), json!(renamed(1)), texts(&[REFUND])).await.expect(200);
}

#[tokio::test]
async fn no_language_model_is_asked_and_the_run_says_that_one_answers_customers() {
    let model = ModelStub::new(|_| Some(answered("Five days [1].", &[1])));
    let (asked, index) = (model.clone(), IndexSwitch::default());
    let wrap = index.wrap();
    let service = TestService::with(|options| {
        options.wrap_index = Some(wrap);
        options.model = Some(asked);
    })
    .await;
    entries(&service).await;
    let run = try_out(&service.agent(), json!([zebras()]), texts(&[REFUND, ZEBRA])).await;
    assert_eq!(run.expect(200)["items"][0]["before"]["disposition"], "answered");
    assert!(model.asked().is_empty());
    index.off();
    try_out(&service.agent(), json!([zebras()]), texts(&[REFUND])).await.expect_error(503, "SERVICE_UNAVAILABLE");
}

/// The entries of a wiki that was written for this project, and the first questions of chats about it.
fn fixture() -> (Vec<Value>, Vec<String>) {
    let lines = |text: &str| -> Vec<Value> { text.lines().map(|line| serde_json::from_str(line).unwrap()).collect() };
    let entries = lines(include_str!("../fixtures/chats/coworking/entries.jsonl"));
    let chats = lines(include_str!("../fixtures/chats/coworking/chats.jsonl"));
    let questions = chats.iter().map(|chat| chat["turns"][0]["say"].as_str().unwrap().to_owned());
    (entries, questions.collect())
}

/// The disposition, the first source and the confidence to six digits that customers get.
async fn measured(service: &TestService, questions: &[String]) -> Vec<(Value, Value, String)> {
    let mut all = Vec::new();
    for question in questions {
        let session = service.integration().session().await;
        all.push(of_answer(service.integration().ask(&session, question).await.expect(200)));
    }
    all
}

fn of_answer(answer: &Value) -> (Value, Value, String) {
    let first = answer["sources"].get(0).map_or(Value::Null, |source| source["path"].clone());
    (answer["disposition"].clone(), first, format!("{:.6}", answer["confidence"].as_f64().unwrap()))
}

async fn predicted(service: &TestService, change: Value, questions: &[String]) -> Vec<(Value, Value, String)> {
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    let run = try_out(&service.agent(), json!([change]), texts(&questions)).await;
    run.expect(200);
    run.items().iter().map(|item| of_answer(&item["after"])).collect()
}

/// Removes and restores entries, and returns how many predictions there were and which did not come true.
async fn played(service: &TestService, some: usize) -> (usize, Vec<String>) {
    let (entries, questions) = fixture();
    let trainer = service.trainer();
    for entry in &entries {
        trainer.post("/wiki", entry.clone()).await.expect(201);
    }
    service.drain().await;
    let (mut count, mut wrong) = (0, Vec::new());
    for (at, entry) in entries.iter().enumerate().take(some) {
        let step = if scale::operations().is_some() { 1 } else { 16 };
        let questions: Vec<String> = questions.iter().skip(at % step).step_by(step).cloned().collect();
        let path = entry["path"].as_str().unwrap();
        let removal = predicted(service, json!({"path": path, "action": "delete"}), &questions).await;
        trainer.delete(&format!("/wiki/{path}")).await.expect(204);
        service.drain().await;
        let removed = measured(service, &questions).await;
        let mut draft = entry.clone();
        draft["action"] = json!("create");
        let restoring = predicted(service, draft, &questions).await;
        trainer.post("/wiki", entry.clone()).await.expect(201);
        service.drain().await;
        let restored = measured(service, &questions).await;
        for (what, predicted, measured) in [("without", removal, removed), ("with", restoring, restored)] {
            for ((predicted, measured), question) in predicted.iter().zip(&measured).zip(&questions) {
                count += 1;
                if predicted != measured {
                    wrong.push(format!("{what} {path}: {question}: {predicted:?}, not {measured:?}"));
                }
            }
        }
    }
    (count, wrong)
}

#[tokio::test]
async fn a_run_of_removed_and_restored_entries_predicts_what_customers_get() {
    let service = TestService::start().await;
    let (count, wrong) = played(&service, 20).await;
    assert!(count > 400, "{count}");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_run_by_vectors_predicts_what_99_of_100_customers_get() {
    let stub = EmbeddingStub::start().await;
    let service = TestService::with(|options| stub.configure(options)).await;
    let (count, wrong) = played(&service, 10).await;
    assert!(wrong.len() * 100 <= count, "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn a_run_embeds_at_most_two_hundred_passages_and_each_question_once() {
    let stub = EmbeddingStub::start().await;
    let service = TestService::with(|options| stub.configure(options)).await;
    let paragraph = |number: usize| format!("## Part {number}\n\n{}", format!("Word{number} ").repeat(60));
    let content = (0..400).map(paragraph).collect::<Vec<_>>().join("\n\n");
    let long = json!({"path": "help/long", "action": "create", "title": "Long", "content": content});
    stub.queries();
    stub.passages();
    try_out(&service.agent(), json!([long]), texts(&[REFUND, ZEBRA])).await.expect(200);
    let queries = stub.queries();
    assert_eq!(queries.len(), 2, "{queries:?}");
    assert_eq!(stub.passages().len(), 200);
    // Again, as while somebody writes.
    try_out(&service.agent(), json!([zebras()]), texts(&[REFUND, ZEBRA])).await.expect(200);
    assert_eq!(stub.queries(), Vec::<String>::new());
}
