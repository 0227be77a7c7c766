//! The entry whose text says what was asked, and how sure that is. Messages that ask several things.

use std::sync::Mutex;

use super::follow_ups::{ask_after, asked};
use super::*;

async fn answer(entries: &[(&str, &str)], question: &str) -> Answered {
    let index = MemoryIndex::default();
    for (number, (title, content)) in entries.iter().enumerate() {
        index.write(&format!("help/{number}"), title, content, Visibility::Public);
    }
    ask(&engine(Arc::new(index), None), question, PUBLIC).await
}

#[tokio::test]
async fn the_entry_that_has_the_kind_of_answer_is_chosen() {
    let entries = [
        (
            "Returns",
            "Returns are free of charge. Print the label for your returns, and hand in the parcel of the returns.",
        ),
        ("Return policy", "You can return an item within 30 days."),
    ];
    let answered = answer(&entries, "how long do i have to return something?").await;
    assert!(answered.text.contains("30 days"), "{answered:?}");
    assert_eq!(paths(&answered).first(), Some(&"help/1"));
}

#[tokio::test]
async fn a_text_without_the_kind_of_answer_lowers_the_confidence() {
    let workshop = ("Workshops", "Each workshop is about bouquets and wreaths. Bring gloves to the workshop.");
    let answered = answer(&[workshop], "what are the workshops about").await;
    assert!(answered.confidence > 0.6, "{answered:?}");
    for question in
        ["how much is a workshop", "how long is a workshop", "how many workshops are there", "who gives a workshop"]
    {
        let asked = answer(&[workshop], question).await;
        assert!(asked.confidence < 0.5 && asked.confidence < answered.confidence, "{question}: {asked:?}");
    }
}

/// The confidences in answers from an entry, and from the same one with `more` behind it.
async fn confidences((title, says): (&str, &str), more: &str, question: &str) -> (f64, f64) {
    let without = answer(&[(title, says)], question).await;
    let with = answer(&[(title, &format!("{says} {more}"))], question).await;
    (without.confidence, with.confidence)
}

#[tokio::test]
async fn a_text_that_only_looks_like_the_kind_of_answer_lowers_the_confidence() {
    for (entry, more, question) in [
        (
            ("Postpone a show", "Once you postpone a show, we tell your followers of the show."),
            "A show can be postponed 3 times.",
            "how often can i postpone a show",
        ),
        (("Members", "We rely 100% on our members."), "We have 2,000 members.", "how many members do you have"),
        (
            ("Android app", "The Android app is free of ads."),
            "Android 8.1 is needed.",
            "what android version do i need",
        ),
        (
            ("Export from Safari", "Select File in Safari, then Export."),
            "You need Safari 15.0.",
            "which safari do i need",
        ),
        (
            ("Studentenrabatt", "Studenten bekommen den Rabatt auf Nachweis."),
            "Der Rabatt beträgt 40 %.",
            "Wie viel Rabatt bekommen Studenten?",
        ),
        (
            ("Licences", "Watch shows of your hosts for free. Buy the licence of a team in your account."),
            "A licence costs $50.",
            "how much is a licence of a team",
        ),
        (
            ("Upgrading your plan", "You can upgrade if you are on the Solo, Free or Pro plan."),
            "The Pro plan costs $9 a month.",
            "how much does the pro plan cost",
        ),
        (
            ("Refinancing loans", "An interest rate reduction loan replaces your loan under different terms."),
            "The interest rate of loans is 5.2 %.",
            "what interest rate do loans have",
        ),
        (
            ("Servers", "Our servers follow the rules of your country."),
            "The servers are in a country of the European Union.",
            "in which country are your servers",
        ),
    ] {
        let (without, with) = confidences(entry, more, question).await;
        assert!(without < 0.75 && with > without + 0.15, "{question}: {without} {with}");
    }
}

#[tokio::test]
async fn what_says_it_in_other_words_is_the_kind_of_answer() {
    for (entry, question) in [
        (("Card", "Once your order ships, we charge your card."), "when do you charge my card"),
        (("Name", "Your name can be changed once a year."), "how often can i change my name"),
        (("Name", "Deinen Namen änderst du beliebig oft."), "wie oft ändere ich meinen namen"),
        (
            ("Browsers", "We support the last two versions of Chrome and Safari."),
            "which versions of Chrome do you support",
        ),
        (("Rechte", "Die App läuft auf Android ab der Version 8.0."), "Welche Android-Version brauche ich?"),
        (
            ("Install on Windows", "To install the app on Windows you need the rights of an admin."),
            "what do I need to install the app on Windows",
        ),
        (("Shipping", "Shipping is free for large orders."), "how much is shipping"),
        (("Returns", "They are free."), "how much are returns"),
        (("Members", "10 members get 10 % off."), "how many members get it"),
        (("Rabatt", "Studenten bekommen 40 % Rabatt."), "Wie viele Prozent Rabatt bekommen Studenten?"),
        (("Discount code", "Enter the discount code in the cart."), "what is the discount code for"),
    ] {
        let answered = answer(&[entry], question).await;
        assert!(answered.confidence > 0.6, "{question}: {answered:?}");
    }
}

#[tokio::test]
async fn a_text_without_a_place_does_not_say_where_something_is() {
    let without = ("Pool", "The pool is heated and opens daily. It is cleaned every night for two hours.");
    let with = ("Pool", "The pool is heated and opens daily. You find the pool behind the main building.");
    for question in ["where is the pool", "where do I find the pool?", "where's the pool"] {
        let [without, with] = [answer(&[without], question).await, answer(&[with], question).await];
        assert!(
            without.confidence < 0.5 && with.confidence > without.confidence + 0.2,
            "{question}: {without:?} {with:?}"
        );
    }
    // "an" and "no" stand before places in other languages.
    let none = ("Pool", "There is no pool slide. For the pool you get an invoice every month.");
    let asked = answer(&[none], "where is the pool").await;
    assert!(asked.confidence < 0.5, "{asked:?}");
    let menu = ("Invoices", "Your invoices are listed under **Settings** > **Billing**.");
    assert_eq!(answer(&[menu], "where do i find my invoices").await.disposition, Disposition::Answered);
    let status = ("Parcels", "A parcel takes two days. If your parcel is late, write to us.");
    let asked = answer(&[status], "where is my parcel").await;
    assert_eq!(asked.disposition, Disposition::Answered, "it asks what happened to it: {asked:?}");
}

#[tokio::test]
async fn whether_something_is_so_is_not_answered_by_a_text_that_lacks_it() {
    let glue = [
        ("Glue", "Our glue sticks paper, wood and fabric. The glue dries within ten minutes."),
        ("Opening hours", "The workshop is open from nine to five."),
    ];
    for question in
        ["is the glue vegan", "hi, is the glue waterproof?", "can i freeze the glue", "do you sell glue to schools"]
    {
        let answered = answer(&glue, question).await;
        assert!(answered.confidence < 0.5, "{question}: {}", answered.confidence);
    }
    let said = answer(&glue, "the glue is vegan").await.confidence;
    assert!(answer(&glue, "is the glue vegan").await.confidence < 0.6 * said, "{said}");
    let apps = [("Apps", "The app is available for iPhone, iPad and Android.")];
    let listed = answer(&apps, "is there a windows app available?").await;
    assert_eq!(listed.disposition, Disposition::Answered, "a list says that there is none: {listed:?}");
    // "Was" asks for a thing in German.
    let delivery = [("Versand", "Der Versand kostet 5 Euro und dauert zwei Tage.")];
    let [what, how_much] =
        ["was kostet der versand", "wie viel kostet der versand"].map(|text| answer(&delivery, text));
    let (what, how_much) = (what.await.confidence, how_much.await.confidence);
    assert!(what > how_much - 0.1, "{what} {how_much}");
    let sticks = answer(&glue, "does the glue stick wood").await;
    assert!(sticks.confidence > 0.5, "{}", sticks.confidence);
}

#[tokio::test]
async fn a_statement_that_something_stopped_cancels_nothing() {
    let orders = [("Cancel an order", "You can cancel an order within an hour under **Orders**.")];
    for text in ["It stopped", "it just stopped", "my lamp stopped"] {
        let answered = answer(&orders, text).await;
        assert!(answered.confidence < 0.4, "{text}: {}", answered.confidence);
    }
    let plan = [("Cancel your plan", "You can cancel your plan at any time under **Billing**.")];
    for text in ["how do i stop my plan", "i want to stop the subscription", "stop my plan"] {
        assert_eq!(answer(&plan, text).await.disposition, Disposition::Answered, "{text}");
    }
}

#[tokio::test]
async fn the_opposite_of_what_is_asked_lowers_the_confidence() {
    let on = ("Turn on automatic renewal", "Open Billing and turn on automatic renewal.");
    let same = answer(&[on], "how do I turn on automatic renewal").await;
    let other = answer(&[on], "how do I turn off automatic renewal").await;
    assert!(other.confidence + 0.15 < same.confidence, "{} and {}", other.confidence, same.confidence);
}

/// The answer to "how do i delete my account" from two sections of a page and another page, and the entries it uses.
async fn delete(sections: [(&str, &str); 2]) -> (String, Vec<String>) {
    let index = MemoryIndex::default();
    let write = |path: &str, title: &str, content: &str| index.write(path, title, content, Visibility::Public);
    for (number, (section, content)) in sections.into_iter().enumerate() {
        write(&format!("account/delete/{number}"), &format!("Delete your account › {section}"), content);
    }
    write("account/close/team", "Close a team › In the browser", "1. Open **Team**.\n2. Select **Close**.");
    let answered = ask(&engine(Arc::new(index), None), "how do i delete my account", PUBLIC).await;
    let used = answered.sources.iter().filter(|source| source.used).map(|source| source.path.to_string());
    (answered.text.clone(), used.collect())
}

const BROWSER: &str = "1. Open **Profile**.\n2. Select **Delete account**.";
const APP: &str = "1. Tap the menu.\n2. Tap **Delete account**.";

#[tokio::test]
async fn two_sections_of_a_page_that_say_it_are_both_quoted() {
    let (text, used) = delete([("In the browser", BROWSER), ("In the * app", APP)]).await;
    assert_eq!(used.len(), 2, "{text}");
    for part in [format!("**In the browser**\n\n{BROWSER}"), format!("**In the * app**\n\n{APP}")] {
        assert!(text.contains(&part), "{text}");
    }
}

#[tokio::test]
async fn two_parts_of_a_section_are_quoted_in_their_order_under_one_heading() {
    let (text, used) = delete([("Steps (10/11)", APP), ("Steps (9/11)", BROWSER)]).await;
    assert_eq!((text, used.len()), (format!("**Steps**\n\n{BROWSER}\n\n{APP}"), 2));
}

#[tokio::test]
async fn a_section_that_does_not_say_it_is_not_quoted_beside_another() {
    let invoices = "We keep invoices for ten years.";
    let (text, used) = delete([("In the browser", BROWSER), ("Invoices", invoices)]).await;
    assert_eq!((used.len(), text.contains(invoices)), (1, false), "{text}");
}

#[tokio::test]
async fn two_sections_of_more_than_two_hundred_words_are_not_quoted_together() {
    let step =
        |number| format!("{number}. Open page {number} of your account, read what it says, and select **Delete**.\n");
    let steps: String = (1..=10).map(step).collect();
    let (text, used) = delete([("In the browser", &steps), ("In the app", &steps)]).await;
    assert_eq!((used.len(), text.contains("**In the")), (1, false), "{text}");
}

const PAIR: &str = "How many days does a refund take, and when do parcels arrive?";

#[tokio::test]
async fn each_question_is_answered_from_its_own_entry() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, PAIR, PUBLIC).await;
    assert_eq!(answered.text, "We pay refunds back to your card within five days.\n\nParcels arrive in two days.");
    assert_eq!(paths(&answered), ["billing/refunds", "shipping/times"]);
    assert!(answered.sources.iter().all(|source| source.used));
    let least = answered.sources.iter().map(|source| source.confidence).fold(1.0, f64::min);
    assert!((answered.confidence - least).abs() < 1e-9 && answered.confidence >= 0.4, "{answered:?}");
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::Answered, false));
    assert!(answered.missing.is_empty() && answered.left_out.is_empty());
}

#[tokio::test]
async fn the_question_without_an_answer_is_named_beside_the_one_that_has_one() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, "When do parcels arrive? Do you sell kubernetes operators?", PUBLIC).await;
    assert_eq!(answered.text, "Parcels arrive in two days.");
    assert_eq!(answered.missing, ["Do you sell kubernetes operators?"]);
    assert_eq!((answered.disposition, answered.unanswered), (Disposition::Answered, true));
    assert_eq!(paths(&answered).first(), Some(&"shipping/times"));
    assert!(answered.confidence >= 0.4);
    let none = ask(&engine, "Do you sell giraffes? Do you sell kubernetes operators?", PUBLIC).await;
    assert_eq!((none.disposition, none.missing.len()), (Disposition::NoAnswer, 2));
    assert!(none.sources.iter().all(|source| !source.used) && none.confidence < 0.4);
}

#[tokio::test]
async fn a_fourth_question_is_left_out() {
    let engine = engine(wiki().await, None);
    let text = format!("{PAIR} Do you sell giraffes? What are refunds? Is there a zebra?");
    let answered = ask(&engine, &text, PUBLIC).await;
    assert_eq!(answered.missing, ["Do you sell giraffes?"]);
    assert_eq!(answered.left_out, ["What are refunds?", "Is there a zebra?"]);
}

#[tokio::test]
async fn questions_of_one_entry_are_one_question() {
    let engine = engine(wiki().await, None);
    let answered = ask(&engine, "How are refunds paid? Do refunds go to a card?", PUBLIC).await;
    assert_eq!(answered.text, "We pay refunds back to your card within five days.");
    assert!(answered.missing.is_empty());
}

#[tokio::test]
async fn after_earlier_questions_a_part_without_an_answer_belongs_to_the_message() {
    let engine = engine(wiki().await, None);
    let text = "How many days do we wait until refunds are back on the card? Is a giraffe insured?";
    assert_eq!(ask(&engine, text, PUBLIC).await.missing, ["Is a giraffe insured?"]);
    let history = asked("When do you pay refunds back to a card?", "billing/refunds");
    let answered = ask_after(&engine, &history, text, PUBLIC).await;
    assert_eq!((answered.disposition, answered.missing.len()), (Disposition::Answered, 0), "{answered:?}");
}

#[tokio::test]
async fn a_pronoun_of_a_later_question_stands_for_the_topic_of_its_message() {
    let index = MemoryIndex::default();
    for (word, weight, day) in [("walrus", "900", "Monday"), ("giraffe", "800", "Friday")] {
        let content =
            format!("The {word} has a weight of {weight} kilos. The stable is cleaned on {day} by the keepers.");
        index.write(&format!("zoo/{word}"), &format!("The {word}"), &content, Visibility::Public);
    }
    let history = asked("What is the weight of the giraffe?", "zoo/giraffe");
    let text = "What is the weight of the walrus? On which day do the keepers clean its stable?";
    let answered = ask_after(&engine(Arc::new(index), None), &history, text, PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"zoo/walrus"), "{answered:?}");
    assert!(answered.text.contains("Monday") && !answered.text.contains("Friday"), "{}", answered.text);
}

#[tokio::test]
async fn the_answers_to_several_questions_have_140_words_together() {
    let index = MemoryIndex::default();
    let filler = |word: &str| format!("The {word} is kept in a box that has a lid and a lock. ").repeat(12);
    for word in ["walrus", "giraffe", "zebra"] {
        let content = format!("{}A {word} eats ten kilos of food. {}", filler(word), filler(word));
        index.write(&format!("zoo/{word}"), &format!("The {word}"), &content, Visibility::Public);
    }
    let engine = engine(Arc::new(index), None);
    let text = "How much food does a walrus eat? How much food does a giraffe eat? How much food does a zebra eat?";
    let answered = ask(&engine, text, PUBLIC).await;
    assert!(text::word_count(&answered.text) <= 140, "{}", answered.text);
    for word in ["walrus", "giraffe", "zebra"] {
        assert!(answered.text.contains(&format!("A {word} eats ten kilos of food.")), "{}", answered.text);
    }
}

/// Keeps the requests.
#[derive(Debug, Default)]
struct Recorder(Mutex<Vec<String>>);

#[async_trait]
impl LanguageModel for Recorder {
    fn name(&self) -> &str {
        "recorder"
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        self.0.lock().unwrap().push(request.user.clone());
        Ok(r#"{"answer": "We pay the refund back to your card within five days. The parcel arrives in two days.", "sources": [1, 2], "answerable": true}"#
            .to_owned())
    }
}

#[tokio::test]
async fn a_model_is_asked_once_over_the_passages_of_all_questions() {
    let model = Arc::new(Recorder::default());
    let engine = engine(wiki().await, Some(model.clone()));
    let answered = ask(&engine, PAIR, PUBLIC).await;
    assert_eq!(answered.text, "We pay the refund back to your card within five days. The parcel arrives in two days.");
    let asked = model.0.lock().unwrap();
    assert_eq!(asked.len(), 1);
    for part in [PAIR, "within five days", "arrive in two days"] {
        assert!(asked[0].contains(part), "{}", asked[0]);
    }
}

#[tokio::test]
async fn an_answer_from_an_entry_near_to_an_unsure_question_alone_is_replaced_by_a_quotation() {
    let engine = engine(wiki().await, Some(Arc::new(Recorder::default())));
    let answered = ask(&engine, "When do parcels arrive? Does a card give me kubernetes operators?", PUBLIC).await;
    assert_eq!(answered.text, "Parcels arrive in two days.", "{answered:?}");
    assert_eq!(answered.missing, ["Does a card give me kubernetes operators?"]);
}
