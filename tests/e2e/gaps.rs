//! Knowledge gaps over HTTP: which questions are merged, what is stored, and how a gap closes and opens by itself.

use domain::models::SessionId;
use serde_json::{Value, json};

use crate::support::{Actor, IndexSwitch, TestService};

const DAY_MS: i64 = 86_400_000;

async fn ask_in_new_session(caller: &Actor, question: &str) -> String {
    let session = caller.session().await;
    let reply = caller.ask(&session, question).await;
    reply.expect(200);
    assert_eq!(reply.at("unanswered"), &json!(true), "{question}: {}", reply.text);
    session
}

/// The gaps of a list, once everything is counted.
async fn gaps(service: &TestService, query: &str) -> Vec<Value> {
    service.drain().await;
    service.trainer().get(&format!("/analytics/kb-gaps{query}")).await.items().to_vec()
}

/// Lets the review that is due happen.
async fn review(service: &TestService) {
    service.drain().await;
    service.clock.advance(5_000);
    service.sweep().await;
    service.drain().await;
}

#[tokio::test]
async fn questions_that_mean_the_same_are_one_gap() {
    let service = TestService::start().await;
    let caller = service.integration();
    let first = ask_in_new_session(&caller, "How do I export my invoices?").await;
    caller.ask(&first, "invoices export").await.expect(200);
    ask_in_new_session(&caller, "Hi! Could you please tell me how to export an invoice? Thanks").await;
    ask_in_new_session(&caller, "Do you ship to Norway?").await;
    let all = gaps(&service, "").await;
    assert_eq!(all.len(), 2, "{all:?}");
    let gap = &all[0];
    assert_eq!((&gap["count"], &gap["sessions"], &gap["status"]), (&json!(3), &json!(2), &json!("open")), "{gap}");
    assert_eq!(gap["query"], "How do I export my invoices?");
    let examples = [
        "Hi! Could you please tell me how to export an invoice? Thanks",
        "invoices export",
        "How do I export my invoices?",
    ];
    assert_eq!(gap["examples"], json!(examples));
    assert!(gap["gapId"].as_str().unwrap().starts_with("gap_"));
    assert!(gap["firstSeenAt"].as_str().unwrap() <= gap["lastSeenAt"].as_str().unwrap());
    assert_eq!(gap.get("nearestEntry"), None, "an empty wiki has nothing near");
    assert_eq!((&all[1]["count"], &all[1]["query"]), (&json!(1), &json!("Do you ship to Norway?")));
}

#[tokio::test]
async fn each_message_counts_that_asks_the_same_before_one_answer() {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    for question in ["Where does the zebra sleep?", "Where does the zebra sleep? Where does the zebra sleep?"] {
        caller.ask(&session, question).await.expect(200);
    }
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    service.drain().await;
    let [gap] = gaps(&service, "").await.try_into().unwrap();
    assert_eq!((&gap["count"], &gap["sessions"]), (&json!(2), &json!(1)), "{gap}");
}

#[tokio::test]
async fn a_gap_names_the_nearest_entry_and_what_is_answered_is_none() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    trainer.wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.ask(&session, "How long does a refund take?").await.expect(200);
    ask_in_new_session(&caller, "Which bank pays the refund of a stolen parcel abroad?").await;
    let all = gaps(&service, "").await;
    assert_eq!(all.len(), 1, "{all:?}");
    assert_eq!(all[0]["nearestEntry"]["path"], "help/refunds");
    let confidence = all[0]["nearestEntry"]["confidence"].as_f64().unwrap();
    assert!(confidence > 0.0 && confidence < 0.4, "{confidence}");
}

#[tokio::test]
async fn to_ask_for_a_human_is_no_gap_and_splits_none() {
    let service = TestService::start().await;
    let caller = service.integration();
    ask_in_new_session(&caller, "Where do the zebras sleep?").await;
    ask_in_new_session(&caller, "Where does the zebra sleep? I want to talk to a human.").await;
    caller.ask(&caller.session().await, "I want to talk to a human.").await.expect(200);
    let all = gaps(&service, "").await;
    assert_eq!((all.len(), &all[0]["count"]), (1, &json!(2)), "{all:?}");
    assert_eq!(all[0]["examples"][0], "Where does the zebra sleep?");
}

#[tokio::test]
async fn personal_data_is_masked_and_kept_nowhere_in_a_gap() {
    let service = TestService::start().await;
    let caller = service.integration();
    let question = "Why was my card 4111 1111 1111 1111 refused? Write to jane@mail.example or +49 170 1234567, \
                    account DE89 3704 0044 0532 0130 00";
    ask_in_new_session(&caller, question).await;
    ask_in_new_session(&caller, "Why was my card 5500-0000-0000-0004 refused? Write to a.b@c.example or (415) 555-2671, account GB82 WEST 1234 5698 7654 32").await;
    let all = gaps(&service, "").await;
    assert_eq!(all.len(), 1, "{all:?}");
    let masked = "Why was my card [card] refused? Write to [email] or [phone], account [iban]";
    assert_eq!((&all[0]["query"], &all[0]["examples"]), (&json!(masked), &json!([masked])));
    assert_eq!(all[0]["count"], 2);
}

#[tokio::test]
async fn a_gap_is_shown_on_one_line_in_its_own_direction() {
    let service = TestService::start().await;
    ask_in_new_session(&service.integration(), "How do I \u{202e}export\u{2066}\nmy\tinvoices\u{7}?").await;
    let all = gaps(&service, "").await;
    let shown = "How do I export my invoices ?";
    assert_eq!((&all[0]["query"], &all[0]["examples"]), (&json!(shown), &json!([shown])));
}

#[tokio::test]
async fn a_list_is_filtered_sorted_and_paged() {
    let service = TestService::start().await;
    let caller = service.integration();
    let words = ["apples", "bananas", "cherries", "dates", "elderberries"];
    for (i, word) in words.iter().enumerate() {
        for _ in 0..=i {
            ask_in_new_session(&caller, &format!("Do you sell {word}?")).await;
        }
    }
    ask_in_new_session(&caller, "Do you sell apples?").await;
    let queries = |list: &[Value]| -> Vec<String> {
        list.iter().map(|gap| gap["query"].as_str().unwrap().trim_start_matches("Do you sell ").to_owned()).collect()
    };
    let by_count = gaps(&service, "").await;
    let counts: Vec<_> = by_count.iter().map(|gap| gap["count"].as_i64().unwrap()).collect();
    assert_eq!(counts, [5, 4, 3, 2, 2]);
    assert_eq!(queries(&gaps(&service, "?sort=recent&limit=2").await), ["apples?", "elderberries?"]);
    let reply = service.trainer().get("/analytics/kb-gaps?limit=2&page=2").await;
    assert_eq!(queries(reply.items()), queries(&by_count[2..4]));
    let page = reply.expect(200);
    let figures = ["page", "limit", "total", "totalPages", "hasMore"].map(|field| page[field].clone());
    assert_eq!(figures, [json!(2), json!(2), json!(5), json!(3), json!(true)]);
    assert!(gaps(&service, "?status=resolved").await.is_empty());
    service.clock.advance(3 * DAY_MS);
    ask_in_new_session(&caller, "Do you sell dates?").await;
    for sort in ["count", "recent"] {
        let recent = gaps(&service, &format!("?days=2&sort={sort}")).await;
        assert_eq!(queries(&recent), ["dates?"], "{sort}");
        assert_eq!(gaps(&service, &format!("?days=4&sort={sort}")).await.len(), 5, "{sort}");
    }
    for bad in ["days=0", "days=91", "status=all", "sort=name", "page=0", "limit=101", "page=101&limit=100"] {
        service.trainer().get(&format!("/analytics/kb-gaps?{bad}")).await.expect_error(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
async fn others_have_gaps_of_their_own() {
    let service = TestService::start().await;
    ask_in_new_session(&service.integration(), "Do you sell apples?").await;
    for other in [service.other_admin(), service.test_admin()] {
        ask_in_new_session(&other, "Do you sell apples?").await;
        ask_in_new_session(&other, "Do you sell pears?").await;
    }
    let own = gaps(&service, "").await;
    assert_eq!((own.len(), &own[0]["count"]), (1, &json!(1)));
    assert_eq!(service.other_admin().get("/analytics/kb-gaps").await.items().len(), 2);
}

#[tokio::test]
async fn a_gap_closes_when_an_entry_answers_it_and_opens_when_that_goes() {
    let service = TestService::start().await;
    let (caller, trainer) = (service.integration(), service.trainer());
    let question = "How do I export my invoices?";
    ask_in_new_session(&caller, question).await;
    ask_in_new_session(&caller, "Do you ship to Norway?").await;
    assert_eq!(gaps(&service, "").await.len(), 2);
    trainer.wiki_entry("help/export", "Export invoices", "Invoices are exported under Billing, Export invoices.").await;
    review(&service).await;
    let open = gaps(&service, "").await;
    assert_eq!((open.len(), &open[0]["query"]), (1, &json!("Do you ship to Norway?")), "{open:?}");
    let resolved = gaps(&service, "?status=resolved").await;
    assert_eq!((resolved.len(), &resolved[0]["query"]), (1, &json!(question)));
    assert_eq!((&resolved[0]["status"], &resolved[0]["count"]), (&json!("resolved"), &json!(1)));
    assert_eq!(resolved[0]["nearestEntry"]["path"], "help/export");

    trainer.delete("/wiki/help/export").await.expect(204);
    review(&service).await;
    let open = gaps(&service, "").await;
    assert_eq!(open.len(), 2, "{open:?}");
    assert!(gaps(&service, "?status=resolved").await.is_empty());
    // Nothing changed since: nothing is due, and nothing moves.
    review(&service).await;
    assert_eq!(gaps(&service, "").await, open);
}

#[tokio::test]
async fn an_entry_that_may_not_answer_widgets_does_not_close_their_gap() {
    let service = TestService::start().await;
    let (widget, trainer) = (service.widget("ann").await, service.trainer());
    ask_in_new_session(&widget, "How do I export my invoices?").await;
    let internal = json!({"path": "help/export", "title": "Export invoices",
        "content": "Invoices are exported under Billing, Export invoices.", "visibility": "internal"});
    trainer.post("/wiki", internal).await.expect(201);
    review(&service).await;
    assert_eq!(gaps(&service, "").await.len(), 1);
    trainer.patch("/wiki/help/export", json!({"visibility": "public"})).await.expect(200);
    review(&service).await;
    assert_eq!(gaps(&service, "?status=resolved").await.len(), 1);
}

#[tokio::test]
async fn more_gaps_than_a_batch_are_all_asked_again() {
    let service = TestService::start().await;
    let (caller, trainer) = (service.integration(), service.trainer());
    for number in 0..60 {
        ask_in_new_session(&caller, &format!("What is article {number} made of?")).await;
    }
    let materials: String = (0..60).map(|number| format!("Article {number} is made of wood.\n\n")).collect();
    trainer.wiki_entry("help/materials", "What every article is made of", &materials).await;
    review(&service).await;
    let total = |status: &str| format!("/analytics/kb-gaps?status={status}&limit=1");
    let open = service.trainer().get(&total("open")).await.at("total").as_i64().unwrap();
    let resolved = service.trainer().get(&total("resolved")).await.at("total").as_i64().unwrap();
    assert_eq!((open, resolved), (0, 60));
}

#[tokio::test]
async fn an_entry_that_the_index_took_late_closes_its_gap_all_the_same() {
    let index = IndexSwitch::default();
    let wrap = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(wrap)).await;
    ask_in_new_session(&service.integration(), "How do I export my invoices?").await;
    service.drain().await;
    index.off();
    service.trainer().wiki_entry("help/export", "Export invoices", "Invoices are exported under Billing.").await;
    review(&service).await;
    assert_eq!(gaps(&service, "").await.len(), 1, "an index that does not answer closes nothing");
    index.on();
    service.clock.advance(20 * 60_000);
    service.sweep().await;
    review(&service).await;
    assert_eq!(gaps(&service, "?status=resolved").await.len(), 1);
}

#[tokio::test]
async fn a_deleted_session_takes_its_wording_and_leaves_gap_and_figures() {
    let service = TestService::start().await;
    let caller = service.integration();
    let first = ask_in_new_session(&caller, "How do I export my invoices for xyzzy?").await;
    ask_in_new_session(&caller, "For xyzzy: export an invoice").await;
    let alone = ask_in_new_session(&caller, "Is there a plugh tariff?").await;
    let figures = |body: Value| ["totalSessions", "totalQueries", "kbCoverageScore"].map(|field| body[field].clone());
    assert_eq!(gaps(&service, "").await.len(), 2);
    let before = figures(service.agent().get("/analytics").await.json);
    for session in [&first, &alone] {
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    }
    service.drain().await;
    service.sweep().await;
    let left = gaps(&service, "").await;
    let of = |gap: &Value| ["count", "sessions", "query", "examples"].map(|field| gap[field].clone());
    let other = "For xyzzy: export an invoice";
    assert_eq!(of(&left[0]), [json!(2), json!(2), json!(other), json!([other])]);
    assert_eq!(of(&left[1]), [json!(1), json!(1), json!(""), json!([])]);
    assert!(service.raw_items().await.iter().all(|item| !item.contains("plugh")), "its words are left somewhere");
    assert_eq!(figures(service.agent().get("/analytics").await.json), before);
    // Asked again, it has a wording again.
    ask_in_new_session(&caller, "plugh tariff?").await;
    let again = gaps(&service, "?sort=recent").await;
    assert_eq!(of(&again[0]), [json!(2), json!(2), json!("plugh tariff?"), json!(["plugh tariff?"])]);
}

#[tokio::test]
async fn of_sessions_that_are_erased_at_once_no_gap_keeps_the_words_of_another() {
    let service = TestService::start().await;
    let caller = service.integration();
    let mut sessions = Vec::new();
    for number in 0..6 {
        sessions.push(ask_in_new_session(&caller, &format!("export invoices plugh{}", "!".repeat(number))).await);
    }
    service.drain().await;
    for session in &sessions {
        service.admin().delete(&format!("/sessions/{session}")).await.expect(204);
    }
    let (scope, gaps) = (service.scope(), service.resources().store.gaps());
    let ids: Vec<SessionId> = sessions.iter().map(|session| SessionId::parse(session).unwrap()).collect();
    futures::future::try_join_all(ids.iter().map(|id| gaps.erase_session(&scope, id))).await.unwrap();
    let left = service.trainer().get("/analytics/kb-gaps").await.items()[0].clone();
    let of = |gap: &Value| ["count", "query", "examples"].map(|field| gap[field].clone());
    assert_eq!(of(&left), [json!(6), json!(""), json!([])]);
}
