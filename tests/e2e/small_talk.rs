//! Greetings, thanks and other small talk; replies to the offer of a human; fixed sentences.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

const QUESTION: &str = "How long does a refund take?";
const UNKNOWN: &str = "Do you sell purple elephants by the dozen?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

async fn says(caller: &Actor, session: &str, words: &str) -> Value {
    caller.ask(session, words).await.expect(200).clone()
}

#[tokio::test]
async fn small_talk_gets_a_fitting_sentence_without_sources() {
    let service = with_refunds().await;
    let widget = service.widget("ann").await;
    for (words, answer) in [
        ("hi", "How can I help"),
        ("thx!!", "You are welcome"),
        ("bye", "Goodbye"),
        ("👍", "another question"),
        ("are you a bot?", "automatic assistant"),
        ("wtf", "I am sorry"),
        ("muchas gracias", "De nada"),
        ("guten Tag", "Wie kann ich"),
        ("thank you very much, that solved it!", "You are welcome"),
        ("I solved it myself", "another question"),
        ("are you sure?", "Would you like to talk to a person"),
        ("Das hat mir nicht geholfen", "Möchten Sie mit einem Menschen sprechen"),
    ] {
        let session = widget.session().await;
        let body = says(&widget, &session, words).await;
        assert_eq!((&body["disposition"], &body["ownership"]), (&json!("small_talk"), &json!("ai")), "{words}");
        assert_eq!(
            (&body["sources"], &body["confidence"], &body["unanswered"]),
            (&json!([]), &json!(0.0), &json!(false)),
            "{words}"
        );
        assert!(body["answer"].as_str().unwrap().contains(answer), "{words}: {body}");
    }
}

#[tokio::test]
async fn a_greeting_or_thanks_with_a_question_is_the_question() {
    let service = with_refunds().await;
    let caller = service.integration();
    service
        .trainer()
        .wiki_entry("help/cancel", "Cancelling a contract", "Cancel a contract with one month of notice.")
        .await;
    let body = says(&caller, &caller.session().await, "cancel").await;
    assert_eq!((&body["disposition"], &body["sources"][0]["path"]), (&json!("answered"), &json!("help/cancel")));
    let session = caller.session().await;
    let plain = says(&caller, &session, QUESTION).await;
    assert_eq!(plain["disposition"], "answered");
    for words in [format!("hi, {QUESTION}"), format!("Hello there! {QUESTION} thanks")] {
        let session = caller.session().await;
        let body = says(&caller, &session, &words).await;
        assert_eq!((&body["disposition"], &body["confidence"]), (&json!("answered"), &plain["confidence"]), "{words}");
    }
}

#[tokio::test]
async fn a_question_that_reads_like_small_talk_is_answered_where_the_wiki_has_the_answer() {
    let service = with_refunds().await;
    let caller = service.integration();
    let question = "Do you groom a cat at home?";
    let asked_in_vain = caller.session().await;
    assert_eq!(says(&caller, &asked_in_vain, question).await["disposition"], "small_talk");
    let trainer = service.trainer();
    trainer.wiki_entry("help/grooming", "Grooming", "We groom a cat at your home for forty euros.").await;
    trainer.wiki_entry("help/wines", "Wines that we like", "We like dry wines from the Loire.").await;
    let asked = caller.session().await;
    assert_eq!(says(&caller, &asked, "Which wines do you like?").await["sources"][0]["path"], "help/wines");
    let session = caller.session().await;
    let body = says(&caller, &session, question).await;
    assert_eq!((&body["disposition"], &body["sources"][0]["path"]), (&json!("answered"), &json!("help/grooming")));
    // After an answer, too: what was asked before makes a question of none of them.
    for words in ["are you a machine or a human being", "can you even hear me", "many thanks, you were a great help!"] {
        assert_eq!(says(&caller, &session, words).await["disposition"], "small_talk", "{words}");
    }
    service.drain().await;
    let figures = service.admin().get("/analytics").await.expect(200).clone();
    let counts = &figures["counts"];
    assert_eq!((&counts["sessionsWithMessage"], &counts["queries"]), (&json!(2), &json!(2)), "{counts}");
    assert_eq!(service.admin().get("/analytics/kb-gaps").await.expect(200)["total"], 0);
}

#[tokio::test]
async fn small_talk_counts_in_no_figure_and_is_no_gap() {
    let service = with_refunds().await;
    let caller = service.integration();
    let quiet = caller.session().await;
    for words in ["hello", "thanks", "who are you", "bye"] {
        assert_eq!(says(&caller, &quiet, words).await["disposition"], "small_talk");
    }
    let session = caller.session().await;
    for words in ["hi", QUESTION, "thank you", UNKNOWN, "ok cool thanks"] {
        says(&caller, &session, words).await;
    }
    service.drain().await;
    let admin = service.admin();
    let figures = admin.get("/analytics").await;
    let body = figures.expect(200);
    assert_eq!((&body["totalSessions"], &body["totalQueries"]), (&json!(2), &json!(2)), "{body}");
    assert_eq!(body["counts"]["sessionsWithMessage"], 1, "a session of small talk alone is outside: {body}");
    assert_eq!((&body["containmentRate"], &body["kbCoverageScore"]), (&json!(1.0), &json!(0.5)), "{body}");
    let gaps = admin.get("/analytics/kb-gaps").await;
    assert_eq!(gaps.expect(200)["total"], 1, "{}", gaps.text);
}

#[tokio::test]
async fn small_talk_neither_counts_nor_resets_what_escalates() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    assert_eq!(says(&caller, &session, UNKNOWN).await["disposition"], "no_answer");
    assert_eq!(says(&caller, &session, "thanks anyway").await["disposition"], "small_talk");
    assert_eq!(says(&caller, &session, UNKNOWN).await["disposition"], "escalated", "two misses in a row");

    service.admin().patch("/settings", json!({"maxAiTurns": 2})).await.expect(200);
    let session = caller.session().await;
    for words in ["hi", QUESTION, "thanks", "ok"] {
        assert_ne!(says(&caller, &session, words).await["disposition"], "escalated", "{words}");
    }
    let last = says(&caller, &session, QUESTION).await;
    assert_eq!(last["disposition"], "escalated", "the second answer");
    let answer = last["answer"].as_str().unwrap();
    assert!(answer.starts_with("A refund takes") && answer.contains("a person of our team"), "{answer}");
}

#[tokio::test]
async fn yes_to_the_offer_of_a_human_asks_for_one_and_no_resets_the_misses() {
    let service = with_refunds().await;
    let (caller, agent) = (service.integration(), service.agent());
    for yes in ["yes please", "ok", "ja", "sure, go ahead", "👍"] {
        let session = caller.session().await;
        says(&caller, &session, UNKNOWN).await;
        let reply = caller.ask(&session, yes).await;
        assert_eq!((&reply.expect(200)["disposition"], reply.at("unanswered")), (&json!("escalated"), &json!(false)));
        assert_eq!(reply.at("ownership"), "pending_handover", "{yes}");
        let asked = agent.get(&format!("/inbox/{}", reply.text_at("escalationId"))).await;
        assert_eq!(asked.expect(200)["reasonCategory"], "customer_request", "{yes}");
    }
    let session = caller.session().await;
    says(&caller, &session, UNKNOWN).await;
    assert_eq!(says(&caller, &session, "no thanks").await["disposition"], "small_talk");
    assert_eq!(
        says(&caller, &session, UNKNOWN).await["disposition"],
        "no_answer",
        "the consecutive misses are counted from zero"
    );
    let session = caller.session().await;
    says(&caller, &session, QUESTION).await;
    assert_eq!(says(&caller, &session, "yes").await["disposition"], "small_talk", "nothing was offered");
}

#[tokio::test]
async fn a_no_that_answers_no_offer_leaves_the_misses_in_a_row() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    assert_eq!(says(&caller, &session, UNKNOWN).await["disposition"], "no_answer");
    for words in ["hi", "no"] {
        assert_eq!(says(&caller, &session, words).await["disposition"], "small_talk", "{words}");
    }
    assert_eq!(says(&caller, &session, UNKNOWN).await["disposition"], "escalated", "two misses in a row");
}

#[tokio::test]
async fn a_no_that_did_not_help_is_no_answer_to_the_offer_of_a_human_and_is_offered_one_again() {
    let service = with_refunds().await;
    let caller = service.integration();
    for (then, disposition) in [("yes", "escalated"), (UNKNOWN, "escalated"), ("no", "small_talk")] {
        let session = caller.session().await;
        says(&caller, &session, UNKNOWN).await;
        let offer = says(&caller, &session, "no, that did not help").await;
        assert_eq!((&offer["disposition"], &offer["ownership"]), (&json!("small_talk"), &json!("ai")));
        assert!(offer["answer"].as_str().unwrap().contains("Would you like to talk to a person?"), "{offer}");
        assert_eq!(says(&caller, &session, then).await["disposition"], disposition, "{then}");
    }
}

#[tokio::test]
async fn who_was_not_helped_is_offered_a_human_and_who_wants_none_is_not_asked() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    says(&caller, &session, QUESTION).await;
    let offer = says(&caller, &session, "that did not help").await;
    assert_eq!((&offer["disposition"], &offer["ownership"]), (&json!("small_talk"), &json!("ai")));
    assert!(offer["answer"].as_str().unwrap().contains("Would you like to talk to a person?"), "{offer}");
    assert_eq!(says(&caller, &session, "yes").await["disposition"], "escalated");
    let session = caller.session().await;
    let answered = says(&caller, &session, "I do not need a human, how long does a refund take?").await;
    assert_eq!((&answered["disposition"], &answered["ownership"]), (&json!("answered"), &json!("ai")));
    for words in ["call me", "is there anyone there?", "can someone help me"] {
        let session = caller.session().await;
        assert_eq!(says(&caller, &session, words).await["disposition"], "escalated", "{words}");
    }
}

#[tokio::test]
async fn the_last_answer_is_said_again_and_without_one_it_is_asked_what_was_unclear() {
    const UNCLEAR: &str = "What exactly would you like to know?";
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let nothing = says(&caller, &session, "can you repeat that").await;
    assert_eq!(nothing["disposition"], "small_talk");
    assert!(nothing["answer"].as_str().unwrap().contains(UNCLEAR), "{nothing}");
    let answered = says(&caller, &session, QUESTION).await;
    says(&caller, &session, "thanks").await;
    for words in ["can you repeat that", "say that once more pls"] {
        let again = says(&caller, &session, words).await;
        assert_eq!((&again["disposition"], &again["sources"]), (&json!("small_talk"), &json!([])), "{words}");
        let answer = again["answer"].as_str().unwrap();
        assert!(
            answer.starts_with(answered["answer"].as_str().unwrap()) && answer.contains(UNCLEAR),
            "{words}: {again}"
        );
    }
    says(&caller, &session, UNKNOWN).await;
    let unanswered = says(&caller, &session, "can you repeat that").await;
    assert!(unanswered["answer"].as_str().unwrap().starts_with("I am sorry that this was unclear"), "{unanswered}");
}

#[tokio::test]
async fn an_automatic_escalation_says_that_a_person_takes_over_and_asks_nothing() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    let first = says(&caller, &session, UNKNOWN).await;
    assert!(first["answer"].as_str().unwrap().contains('?'), "an offer asks");
    let second = says(&caller, &session, UNKNOWN).await;
    assert_eq!((&second["disposition"], &second["unanswered"]), (&json!("escalated"), &json!(true)));
    let answer = second["answer"].as_str().unwrap();
    assert!(answer.contains("a person of our team") && !answer.contains('?'), "{answer}");
}

#[tokio::test]
async fn turns_of_small_talk_that_waited_for_a_person_get_no_no_answer() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    for words in ["hello?", "ok thanks"] {
        says(&caller, &session, words).await;
    }
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let turns = caller.turns(&session).await;
    let last = turns.last().unwrap();
    assert_eq!((&last["role"], &last["disposition"]), (&json!("ai"), &json!("small_talk")), "{last}");
    assert_eq!(last["unanswered"], false);
}

#[tokio::test]
async fn a_question_that_waited_for_a_person_is_answered_whatever_small_talk_followed_it() {
    let service = with_refunds().await;
    service.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    let caller = service.integration();
    let session = caller.session().await;
    caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    for words in [QUESTION, &"thanks! ".repeat(1_000), "ok"] {
        assert_eq!(says(&caller, &session, words).await["disposition"], "queued_for_human");
    }
    caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    let turns = caller.turns(&session).await;
    let last = turns.last().unwrap();
    assert_eq!((&last["disposition"], &last["unanswered"]), (&json!("answered"), &json!(false)), "{last}");
    assert!(last["answer"].as_str().unwrap().starts_with("A refund takes five working days"), "{last}");
}

#[tokio::test]
async fn a_queued_message_counts_in_its_session_and_queued_small_talk_is_no_query() {
    let service = with_refunds().await;
    let caller = service.integration();
    for written in [["hello?", "thanks"], ["hello?", QUESTION]] {
        let session = caller.session().await;
        caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
        for words in written {
            says(&caller, &session, words).await;
        }
        caller.post_empty(&format!("/sessions/{session}/cancel-escalation")).await.expect(200);
    }
    service.drain().await;
    let figures = service.admin().get("/analytics").await;
    let counts = &figures.expect(200)["counts"];
    assert_eq!((&counts["sessionsWithMessage"], &counts["sessionsEscalated"]), (&json!(2), &json!(2)), "{counts}");
    assert_eq!((&counts["queries"], &counts["answers"]), (&json!(1), &json!(1)), "{counts}");
}

#[tokio::test]
async fn fixed_sentences_come_in_the_locale_else_the_customers_language_else_the_wikis() {
    let service = with_refunds().await;
    let caller = service.integration();
    let french = caller.post("/sessions", json!({"locale": "fr-CA"})).await.text_at("sessionId").to_owned();
    let reply = says(&caller, &french, "thanks").await;
    assert_eq!(reply["answer"], "Je vous en prie !", "the locale comes first");
    let session = caller.session().await;
    let german = "Verkauft ihr eigentlich auch lilafarbene Elefanten im Dutzend und wie teuer sind diese denn?";
    let reply = says(&caller, &session, german).await;
    assert!(reply["answer"].as_str().unwrap().contains("Möchten Sie mit einem Menschen sprechen"), "{reply}");
    let reply = says(&caller, &session, "ok").await;
    assert!(reply["answer"].as_str().unwrap().contains("einen Menschen aus unserem Team"), "still German: {reply}");
    let session = caller.session().await;
    for (words, answer) in [
        ("Hallo", "Hello! How can I help you?"),
        ("Ciao", "Goodbye, and have a nice day!"),
        ("merci", "You are welcome!"),
        ("Olá", "Olá! Como posso ajudar?"),
    ] {
        let reply = says(&caller, &session, words).await;
        assert_eq!(reply["answer"], answer, "{words}");
    }
    let session = caller.session().await;
    says(&caller, &session, "Hallo").await;
    let reply = says(&caller, &session, "Wie lange dauert die Elefantenzucht?").await;
    assert!(reply["answer"].as_str().unwrap().contains("einem Menschen sprechen"), "a short question: {reply}");
    service.admin().patch("/settings", json!({"language": "sv"})).await.expect(200);
    let reply = says(&caller, &caller.session().await, "xyzzy").await;
    assert!(reply["answer"].as_str().unwrap().contains("Vill du prata"), "the wiki's: {reply}");
}

#[tokio::test]
async fn a_tenants_own_sentences_are_said_and_null_brings_ours_back() {
    let service = with_refunds().await;
    let (admin, caller) = (service.admin(), service.integration());
    let own = json!({"greeting": "Ahoy!", "thanks": "No worries.", "farewell": "Fair winds!", "aboutMe": "I am Polly.",
        "noAnswer": "Not in my chart.", "handover": "The captain comes."});
    let changed = admin.patch("/settings", json!({"texts": own})).await;
    assert_eq!(
        (&changed.expect(200)["texts"]["greeting"], changed.at("texts/failure")),
        (&json!("Ahoy!"), &json!(null))
    );
    for (words, answer) in [
        ("hi", "Ahoy!"),
        ("thank you", "No worries."),
        ("bye", "Fair winds!"),
        ("who are you", "I am Polly."),
        (UNKNOWN, "Not in my chart."),
        ("I want a human", "The captain comes."),
    ] {
        assert_eq!(says(&caller, &caller.session().await, words).await["answer"], answer, "{words}");
    }
    admin.patch("/settings", json!({"texts": {"greeting": null}})).await.expect(200);
    assert_eq!(says(&caller, &caller.session().await, "hi").await["answer"], "Hello! How can I help you?");
    assert_eq!(says(&caller, &caller.session().await, "thanks").await["answer"], "No worries.", "absent stays");
}
