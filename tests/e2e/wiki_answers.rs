//! The customers who were told what an entry says: `GET /wiki-answers`, and the pointers behind it.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Actor, CapacityMeter, TestService};

const REFUND: &str = "How long does a refund take?";
const PATH: &str = "help/refunds";

async fn entry(service: &TestService) {
    let text = "A refund takes five working days after approval.";
    service.trainer().wiki_entry(PATH, "Refunds", text).await;
}

async fn told(caller: &Actor, filters: &str) -> Vec<Value> {
    caller.get(&format!("/wiki-answers?path={PATH}{filters}")).await.items().to_vec()
}

fn sessions(answers: &[Value]) -> Vec<&str> {
    answers.iter().map(|answer| answer["sessionId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn who_was_told_is_listed_newest_first_with_the_version_that_it_was_made_from() {
    let service = TestService::start().await;
    entry(&service).await;
    let customer = service.integration();
    let named = json!({"channel": "widget", "externalUserId": "ann", "user": {"name": "Ann"}});
    let first = customer.session_with(named).await;
    customer.ask(&first, "My mail is ann@mail.example. How long does a refund take?").await.expect(200);
    customer.ask(&first, "Thanks!").await.expect(200);
    customer.ask(&first, "Which zebra sings on Jupiter?").await.expect(200);
    service.clock.advance(1_000);
    let text = json!({"content": "A refund takes six working days after approval."});
    service.trainer().patch(&format!("/wiki/{PATH}"), text).await.expect(200);
    let second = customer.session().await;
    customer.ask(&second, REFUND).await.expect(200);
    service.test_admin().ask(&service.test_admin().session().await, REFUND).await.expect(200);
    service.drain().await;

    let answers = told(&service.agent(), "").await;
    assert_eq!(sessions(&answers), [second.as_str(), first.as_str()], "small talk and a miss are made from no entry");
    assert_eq!((&answers[0]["version"], &answers[1]["version"]), (&json!(2), &json!(1)));
    let turns = service.agent().turns(&first).await;
    let answer = &answers[1];
    for (shown, stored) in [("messageId", "messageId"), ("answer", "answer"), ("confidence", "confidence")] {
        assert_eq!(answer[shown], turns[1][stored], "{answer}");
    }
    assert_eq!(answer["question"], "My mail is [email]. How long does a refund take?");
    assert_eq!(answer["createdAt"], turns[1]["createdAt"]);
    assert_eq!(
        (&answer["ownership"], &answer["customer"]),
        (&json!("ai"), &json!({"externalUserId": "ann", "name": "Ann"}))
    );
    assert_eq!(answers[0]["customer"], json!({"externalUserId": null, "name": null}));

    assert_eq!(sessions(&told(&service.trainer(), "&version=1").await), [&first]);
    assert_eq!(told(&service.trainer(), "&version=3").await, [Value::Null; 0]);
    let reason = json!({"reason": "help"});
    let asked = customer.post(&format!("/sessions/{first}/escalate"), reason).await.text_at("escalationId").to_owned();
    service.agent().post("/inbox/takeover", json!({"escalationId": asked})).await.expect(200);
    assert_eq!(told(&service.agent(), "&version=1").await[0]["ownership"], "human");
    service.agent().post_empty(&format!("/inbox/{asked}/resolve")).await.expect(200);
    assert_eq!(sessions(&told(&service.agent(), "&ownership=closed").await), [&first]);
    assert_eq!(sessions(&told(&service.agent(), "&ownership=open").await), [&second]);

    service.trainer().delete(&format!("/wiki/{PATH}")).await.expect(204);
    assert_eq!(told(&service.agent(), "").await.len(), 2, "they were told it, whatever became of the entry");
    for stranger in [service.other_admin(), service.test_admin()] {
        let seen = told(&stranger, "").await;
        assert!(seen.iter().all(|answer| ![&first, &second].iter().any(|it| answer["sessionId"] == json!(it))));
    }
    for refused in [service.integration(), service.widget("ann").await] {
        refused.get(&format!("/wiki-answers?path={PATH}")).await.expect_error(403, "FORBIDDEN");
    }
    for (query, problem) in [
        ("", "path REQUIRED"),
        ("?path=one", "path INVALID_FORMAT"),
        ("?path=a/b&version=0", "version OUT_OF_RANGE"),
        ("?path=a/b&ownership=human", "ownership NOT_ALLOWED"),
    ] {
        let refused = service.agent().get(&format!("/wiki-answers{query}")).await;
        assert_eq!((refused.status, refused.details()), (400, vec![problem.to_owned()]), "{query}");
    }
}

/// Every answer of these sessions that was made from the entry, as the turns say.
async fn recount(service: &TestService, sessions: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for session in sessions {
        let read = service.admin().get(&format!("/sessions/{session}/messages")).await;
        if read.status == 404 {
            continue;
        }
        for turn in read.items() {
            let sources = turn["sources"].as_array().cloned().unwrap_or_default();
            if sources.iter().any(|source| source["path"] == PATH && source["used"] == true) {
                found.insert(turn["messageId"].as_str().unwrap().to_owned());
            }
        }
    }
    found
}

/// Every answer that is listed, by pages of seven.
async fn listed(service: &TestService) -> Vec<String> {
    let answers = service.agent().list_all(&format!("/wiki-answers?path={PATH}&limit=7")).await;
    answers.iter().map(|answer| answer["messageId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_listed_answers_are_those_of_the_turns_under_load_after_erasure_and_double_delivery() {
    let service = TestService::start().await;
    entry(&service).await;
    let customer = service.integration();
    let talk = async |number: usize| {
        let session = customer.session().await;
        customer.ask(&session, REFUND).await.expect(200);
        if number.is_multiple_of(3) {
            customer.ask(&session, "Which zebra sings on Jupiter?").await.expect(200);
            customer.ask(&session, "When does a refund come?").await.expect(200);
        }
        session
    };
    let sessions = join_all((0..24).map(talk)).await;
    let erased = join_all(sessions.iter().step_by(4).map(async |session| {
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
        session.clone()
    }));
    let (erased, ()) = tokio::join!(erased, service.drain());
    service.drain().await;
    let told = recount(&service, &sessions).await;
    let all = listed(&service).await;
    assert!(all.len() > 20, "{}", all.len());
    assert_eq!(
        (all.len(), all.into_iter().collect::<BTreeSet<_>>()),
        (told.len(), told.clone()),
        "also before erasure"
    );
    service.sweep_without_failure().await;
    // Whatever the stream still keeps, once more: also what happened in sessions that are erased.
    support::changes::handle(&service.changes().await, service.stream_records().await).await;
    service.drain().await;
    assert_eq!(listed(&service).await.into_iter().collect::<BTreeSet<_>>(), told);
    let pointers = service.raw_items().await.into_iter().filter(|item| item.contains("\"answer_pointer\""));
    let pointers: Vec<String> = pointers.collect();
    assert_eq!(pointers.len(), told.len(), "one for each answer, none of what is erased");
    assert!(!pointers.iter().any(|item| erased.iter().any(|session| item.contains(session))), "{pointers:#?}");
}

#[tokio::test]
async fn a_pointer_costs_one_write_unit_for_each_entry_of_an_answer() {
    let meter = CapacityMeter::default();
    let store = meter.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| store.wrap(inner)));
    })
    .await;
    entry(&service).await;
    service.trainer().wiki_entry("help/parcels", "Parcels", "A parcel to Norway takes nine days by courier.").await;
    let session = service.integration().session().await;
    let both = "How long does a refund take, and how long does a parcel to Norway take?";
    service.integration().ask(&session, both).await.expect(200);
    let turns = service.integration().turns(&session).await;
    let used = turns[1]["sources"].as_array().unwrap().iter().filter(|source| source["used"] == true).count();
    assert_eq!(used, 2, "{turns:?}");
    service.drain().await;
    let answer = turns[1]["messageId"].as_str().unwrap();
    let is_answer = |record: &support::table::stream::Record| {
        record.new.as_ref().is_some_and(|item| format!("{item:?}").contains(answer))
            && format!("{:?}", record.keys).contains("TURN#")
    };
    let record = service.stream_records().await.into_iter().find(is_answer).unwrap();
    let text = serde_json::to_string(&record).unwrap();
    let without_entries = text.replace(r#""used":{"BOOL":true}"#, r#""used":{"BOOL":false}"#);
    assert_ne!(without_entries, text);
    let changes = service.changes().await;
    let writes = async |record: &support::table::stream::Record| {
        meter.take();
        assert!(support::changes::consumers::replay(&changes, record).await.is_empty());
        meter.take().writes
    };
    let other = writes(&serde_json::from_str(&without_entries).unwrap()).await;
    assert_eq!((writes(&record).await - other).to_string(), "2");
}
