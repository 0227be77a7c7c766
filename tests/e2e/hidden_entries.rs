//! Entries that a visitor may not read change no figure of an answer or a list.

use serde_json::{Value, json};

use crate::support::{Actor, TestService};

/// Words of internal entries, and as many that nobody wrote.
const WORDS: usize = 100;

/// A word of letters that no stemmer changes and no typo is near to.
fn word(first: char, number: usize) -> String {
    let letter = |place: u32| char::from(b'a' + u8::try_from(number * 7 / 26_usize.pow(place) % 26).unwrap());
    format!("{first}q{}{}{}k{}x", letter(0), letter(1), letter(2), letter(0))
}

fn hidden(number: usize) -> String {
    word('z', number)
}

fn nobodys(number: usize) -> String {
    word('v', number)
}

/// A wiki whose internal entries hold the hidden words in text, title, tags and path.
async fn service() -> TestService {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for (path, title, content) in [
        ("help/refunds", "Refunds", "A refund takes five working days after approval. Refunds go to the card."),
        ("help/parcels", "Parcels", "A parcel takes two days. Gift cards have no parcel."),
    ] {
        let entry = json!({"path": path, "title": title, "content": content, "visibility": "public"});
        trainer.post("/wiki", entry).await.expect(201);
    }
    for folder in 0..4 {
        let words: Vec<String> = (0..WORDS).filter(|number| number % 4 == folder).map(hidden).collect();
        let content =
            format!("Staff alone: a refund take {}. How long does a refund take?", words.join(" refund take "));
        let entry = json!({
            "path": format!("staff/{}", words[0]), "title": format!("Refund take {}", words[1]),
            "content": content, "tags": [words[2]],
        });
        trainer.post("/wiki", entry).await.expect(201);
    }
    service
}

/// Everything that a reply says, but for ids and times.
fn figures(mut reply: Value) -> Value {
    for field in ["messageId", "latencyMs", "createdAt"] {
        reply.as_object_mut().unwrap().remove(field);
    }
    reply
}

/// The answer that the asker gets, and the turn that is stored of it.
async fn told(asker: &Actor, session: &str, service: &TestService, question: &str) -> (Value, Value) {
    let reply = asker.ask(session, question).await.expect(200).clone();
    let turns = service.admin().turns(session).await;
    (figures(reply), figures(turns.last().unwrap().clone()))
}

#[tokio::test]
async fn two_hundred_words_tell_a_visitor_nothing_of_internal_entries() {
    let service = service().await;
    let widget = service.widget("ann").await;
    let staff = service.integration();
    let ask = async |question: String| {
        // A session of its own: no earlier question counts.
        let session = widget.session().await;
        told(&widget, &session, &service, &question).await
    };
    let ask_for_staff = async |question: String| {
        let session = staff.session().await;
        told(&staff, &session, &service, &question).await
    };
    let asked = |word: &str| format!("How long does a refund take {word}");
    let expected = ask(asked(&nobodys(WORDS))).await;
    assert_eq!(expected.0["disposition"], "answered", "{expected:?}");
    for number in 0..WORDS {
        assert_eq!(ask(asked(&nobodys(number))).await, expected, "{}", nobodys(number));
        assert_eq!(ask(asked(&hidden(number))).await, expected, "{}", hidden(number));
    }
    // The neighbours of a title, a tag and a path, words that are one letter from a hidden one, and several together.
    let typo = |word: String| word.replacen('q', "qq", 1);
    for (shape, of_nobody, of_staff) in [
        ("the pair", format!("refund take {} refund", nobodys(5)), format!("refund take {} refund", hidden(5))),
        ("a typo", asked(&typo(nobodys(3))), asked(&typo(hidden(3)))),
        ("a title", format!("Refund take {}", nobodys(4)), format!("Refund take {}", hidden(4))),
        ("a tag and a path", format!("{} {}", nobodys(0), nobodys(8)), format!("{} {}", hidden(0), hidden(8))),
        ("a word twice", asked(&[nobodys(7), nobodys(7)].join(" ")), asked(&[hidden(7), hidden(7)].join(" "))),
    ] {
        assert_eq!(ask(of_nobody.clone()).await, ask(of_staff.clone()).await, "{shape}");
        assert_ne!(
            ask_for_staff(of_nobody).await.0,
            ask_for_staff(of_staff).await.0,
            "{shape}: it does count for staff"
        );
    }
}

#[tokio::test]
async fn a_conversation_tells_a_visitor_nothing_of_internal_entries() {
    let service = service().await;
    let widget = service.widget("ann").await;
    let ask = async |word: String| {
        let session = widget.session().await;
        widget.ask(&session, "How long does a refund take?").await.expect(200);
        let first = told(&widget, &session, &service, &format!("And with {word}")).await;
        (first, told(&widget, &session, &service, &format!("What of {word} for a parcel")).await)
    };
    assert_eq!(ask(hidden(1)).await, ask(nobodys(1)).await);
}

#[tokio::test]
async fn the_session_decides_what_counts_and_not_who_asks() {
    let service = service().await;
    let (widget, staff) = (service.widget("ann").await, service.integration());
    let asked = |word: String| format!("How long does a refund take {word}");
    // A key in a visitor's session.
    let ask = async |word: String| {
        let session = widget.session().await;
        told(&staff, &session, &service, &asked(word)).await
    };
    assert_eq!(ask(hidden(1)).await, ask(nobodys(1)).await);
    // A key's own sessions are answered from public entries; a visitor's from all.
    let settings = json!({"answerVisibility": "public", "widgetAnswerVisibility": "all"});
    service.admin().patch("/settings", settings).await.expect(200);
    let ask = async |word: String| {
        let session = staff.session().await;
        told(&staff, &session, &service, &asked(word)).await
    };
    assert_eq!(ask(hidden(1)).await, ask(nobodys(1)).await);
    let ask = async |word: String| widget.ask(&widget.session().await, &asked(word)).await.at("confidence").clone();
    assert_ne!(ask(hidden(1)).await, ask(nobodys(1)).await);
}

#[tokio::test]
async fn a_search_tells_a_visitor_nothing_of_internal_entries() {
    let service = service().await;
    let (widget, admin) = (service.widget("ann").await, service.admin());
    let before = widget.get("/wiki?q=refund").await.expect(200).clone();
    for number in 0..WORDS {
        for words in ["refund {}", "{}", "parcel refund {} take", "help {}"] {
            let list = async |word: String| {
                let q = words.replace("{}", &word);
                let mut list = widget.get(&format!("/wiki?q={}", q.replace(' ', "%20"))).await.expect(200).clone();
                list.as_object_mut().unwrap().remove("query");
                list
            };
            assert_eq!(list(hidden(number)).await, list(nobodys(number)).await, "{words} {number}");
        }
    }
    let seen = admin.get("/wiki?q=refund").await;
    assert!(seen.at("total").as_u64() > before["total"].as_u64());
    // A change of internal entries changes nothing that a visitor is shown.
    let entry = json!({"path": "staff/more", "title": "Refund", "content": "Refund, refund, refund of the card."});
    admin.post("/wiki", entry).await.expect(201);
    assert_eq!(widget.get("/wiki?q=refund").await.expect(200), &before);
    assert_ne!(admin.get("/wiki?q=refund").await.items()[0]["score"], seen.items()[0]["score"]);
}

#[tokio::test]
async fn a_typo_near_a_word_of_an_entry_that_was_hidden_is_not_corrected() {
    let service = service().await;
    let (widget, trainer) = (service.widget("ann").await, service.trainer());
    let entry = json!({"path": "help/zoo", "title": "Zoo", "content": "A kangaroo waits.", "visibility": "public"});
    trainer.post("/wiki", entry).await.expect(201);
    let ask = async |word: &str| {
        let session = widget.session().await;
        told(&widget, &session, &service, &format!("How long does a refund take {word}")).await
    };
    let nobodys = ask("zebraroo").await;
    assert_ne!(ask("kangaro").await, nobodys, "it is corrected while the entry is public");
    trainer.patch("/wiki/help/zoo", json!({"visibility": "internal"})).await.expect(200);
    assert_eq!(ask("kangaro").await, ask("zebraroo").await);
}

#[tokio::test]
async fn an_answer_from_internal_entries_is_not_said_again_where_answers_are_public() {
    let service = service().await;
    let staff = service.integration();
    service
        .trainer()
        .post("/wiki", json!({"path": "staff/vault", "title": "Vault", "content": "The vault opens at nine.", "visibility": "internal"}))
        .await
        .expect(201);
    let session = staff.session().await;
    let first = staff.ask(&session, "When does the vault open?").await;
    assert!(first.text_at("answer").contains("at nine"), "{}", first.text);
    let again = staff.ask(&session, "can you repeat that").await;
    assert!(again.text_at("answer").contains("at nine"), "{}", again.text);
    service.admin().patch("/settings", json!({"answerVisibility": "public"})).await.expect(200);
    let public = staff.ask(&session, "can you repeat that").await;
    assert_eq!(public.at("disposition"), "small_talk");
    assert!(!public.text_at("answer").contains("at nine"), "{}", public.text);
}
