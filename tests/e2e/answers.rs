//! An answer names its sources and says that a machine gives it; and the answer to several questions at once.

use serde_json::{Value, json};

use crate::support::TestService;

const QUESTION: &str = "How long does a refund take?";

async fn with_refunds() -> TestService {
    let service = TestService::start().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    service
}

#[tokio::test]
async fn the_source_that_an_answer_was_made_from_is_marked_and_of_a_miss_none() {
    let service = with_refunds().await;
    service
        .trainer()
        .wiki_entry("help/returns", "Returns", "A return before approval takes a parcel and a label.")
        .await;
    let session = service.integration().session().await;
    let used = |sources: &Value| sources.as_array().unwrap().iter().map(|s| s["used"].clone()).collect::<Vec<_>>();
    let answered = service.integration().ask(&session, QUESTION).await;
    assert_eq!(used(answered.at("sources")), [json!(true), json!(false)], "{:?}", answered.text);
    let turns = service.integration().turns(&session).await;
    assert_eq!(&turns[1]["sources"], answered.at("sources"));
    let missed = service.integration().ask(&session, "Do you sell kubernetes approval operators?").await;
    assert_eq!(missed.at("disposition"), &json!("no_answer"));
    assert!(!missed.at("sources").as_array().unwrap().is_empty());
    assert!(used(missed.at("sources")).iter().all(|used| *used == json!(false)), "{:?}", missed.text);
}

#[tokio::test]
async fn the_first_answer_of_a_session_says_that_an_automatic_assistant_answers() {
    let service = with_refunds().await;
    let caller = service.integration();
    let session = caller.session_with(json!({"locale": "de"})).await;
    let path = format!("/sessions/{session}/messages");
    let message = json!({"content": "Hallo!", "clientMessageId": "m1"});
    let first = caller.post(&path, message.clone()).await;
    let notice = "Sie schreiben mit einem automatischen Assistenten.";
    assert_eq!(first.at("notice"), notice);
    assert_eq!(caller.post(&path, message).await.at("notice"), notice, "the repeated message has the first result");
    assert!(caller.ask(&session, QUESTION).await.at("notice").is_null());
    let turns = caller.turns(&session).await;
    let notices: Vec<&Value> = turns.iter().map(|turn| &turn["notice"]).collect();
    assert_eq!(notices, [&Value::Null, &json!(notice), &Value::Null, &Value::Null]);
    assert!(!first.text_at("answer").contains("automatisch"), "it is not part of the answer");
}

const PARCELS: &str = "Parcels arrive within three days.";

async fn with_parcels() -> TestService {
    let service = with_refunds().await;
    service.trainer().wiki_entry("help/parcels", "Parcels", PARCELS).await;
    service
}

#[tokio::test]
async fn each_of_several_questions_is_answered_from_its_own_entry_and_they_are_one_query() {
    let service = with_parcels().await;
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, "How long does a refund take, and when do parcels arrive?").await;
    let answer = format!("A refund takes five working days after approval.\n\n{PARCELS}");
    assert_eq!((reply.at("answer"), reply.at("unanswered")), (&json!(answer), &json!(false)));
    let sources = reply.at("sources").as_array().unwrap();
    let paths: Vec<&Value> = sources.iter().map(|source| &source["path"]).collect();
    assert_eq!(paths, ["help/refunds", "help/parcels"]);
    let least = sources.iter().map(|source| source["confidence"].as_f64().unwrap()).fold(1.0, f64::min);
    assert_eq!(reply.at("confidence").as_f64(), Some(least));
    service.drain().await;
    assert_eq!(service.trainer().get("/analytics").await.at("totalQueries"), &json!(1));
}

#[tokio::test]
async fn a_question_without_an_answer_is_named_a_gap_of_its_own_and_no_miss_in_a_row() {
    let service = with_parcels().await;
    let caller = service.integration();
    let asked = "When do parcels arrive? Which zebra sings on Jupiter? Do you sell kubernetes operators?";
    let named = "“Which zebra sings on Jupiter?”, “Do you sell kubernetes operators?”";
    let mut sessions = Vec::new();
    for _ in 0..2 {
        let session = caller.session_with(json!({"locale": "en"})).await;
        let reply = caller.ask(&session, asked).await;
        assert_eq!((reply.at("disposition"), reply.at("unanswered")), (&json!("answered"), &json!(true)));
        assert!(reply.text_at("answer").starts_with(&format!("{PARCELS}\n\n{named}\n")), "{}", reply.text);
        assert!(reply.text_at("answer").ends_with("Would you like to talk to a person?"), "{}", reply.text);
        sessions.push(session);
    }
    service.drain().await;
    let gaps = service.trainer().get("/analytics/kb-gaps").await;
    let mut queries: Vec<&str> = gaps.items().iter().map(|gap| gap["query"].as_str().unwrap()).collect();
    queries.sort_unstable();
    assert_eq!(queries, ["Do you sell kubernetes operators?", "Which zebra sings on Jupiter?"]);
    assert!(gaps.items().iter().all(|gap| gap["count"] == 2), "{}", gaps.text);
    assert_eq!(service.trainer().get("/analytics").await.at("kbCoverageScore").as_f64(), Some(0.0));
    let agreed = caller.ask(&sessions[0], "yes please").await;
    assert_eq!(agreed.at("disposition"), &json!("escalated"), "the offer of a person is open");
    let missed = caller.ask(&sessions[1], "Do you insure giraffes?").await;
    assert_eq!(missed.at("disposition"), &json!("no_answer"), "the first miss in a row");
}

#[tokio::test]
async fn a_fourth_question_is_named_as_one_to_ask_again() {
    let service = with_parcels().await;
    let session = service.integration().session_with(json!({"locale": "de"})).await;
    let asked = "When do parcels arrive? How long does a refund take? Do you sell zebras? Is there a walrus?";
    let reply = service.integration().ask(&session, asked).await;
    let answer = reply.text_at("answer");
    assert!(answer.starts_with(&format!("{PARCELS}\n\nA refund takes five working days")), "{answer}");
    assert!(answer.contains("“Do you sell zebras?”\nDazu"), "{answer}");
    assert!(answer.ends_with("Bitte fragen Sie dies noch einmal: “Is there a walrus?”"), "{answer}");
}

/// The answer of a service with these entries (title, content).
async fn answer_from(entries: &[(&str, &str)], language: &str, question: &str) -> (String, f64) {
    let service = TestService::start().await;
    service.admin().patch("/settings", json!({"language": language})).await.expect(200);
    for (number, (title, content)) in entries.iter().enumerate() {
        service.trainer().wiki_entry(&format!("help/{number}"), title, content).await;
    }
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, question).await;
    (reply.text_at("answer").to_owned(), reply.at("confidence").as_f64().unwrap())
}

#[tokio::test]
async fn of_opposites_the_asked_one_is_answered() {
    let renewal = [
        ("Turn on automatic renewal", "Open Billing and set automatic renewal to Yes."),
        ("Turn off automatic renewal", "Open Billing and set automatic renewal to No."),
    ];
    let receipt = [
        ("Umtausch mit Kassenbon", "Mit Kassenbon tauschen wir innerhalb von 30 Tagen um."),
        ("Umtausch ohne Kassenbon", "Ohne Kassenbon bekommen Sie einen Gutschein."),
    ];
    let arrival = [
        ("Storno nach der Anreise", "Nach der Anreise berechnen wir alle Nächte."),
        ("Storno vor der Anreise", "Vor der Anreise ist die Stornierung kostenlos."),
    ];
    let sound = [
        ("Sound", "Sound plays in the background. You choose the device in Settings > Audio."),
        ("No sound", "Unmute the tab. Check the volume of the system."),
    ];
    for (entries, language, question, shown) in [
        (&sound, "en", "why is there no sound", "Unmute"),
        (&renewal, "en", "How do I turn off automatic renewal?", "to No"),
        (&renewal, "en", "renewal off", "to No"),
        (&renewal, "en", "turn on automatic renewal", "to Yes"),
        (&receipt, "de", "Umtausch ohne Kassenbon", "Gutschein"),
        (&receipt, "de", "Umtausch mit Kassenbon", "30 Tagen"),
        (&arrival, "de", "Storno vor der Anreise", "kostenlos"),
        (&arrival, "de", "Storno nach der Anreise?", "alle Nächte"),
    ] {
        let (answer, _) = answer_from(entries, language, question).await;
        assert!(answer.contains(shown), "{question}: {answer}");
    }
}

#[tokio::test]
async fn of_a_page_in_two_languages_the_customers_is_answered() {
    let cancel = [
        ("How to cancel a subscription", "To cancel your subscription, open your account and choose Licenses."),
        ("So kündigen Sie ein Abonnement", "Um Ihr Abonnement zu kündigen, wählen Sie in Ihrem Konto Lizenzen."),
    ];
    let factor = [
        ("Disabling 2FA", "To disable two-factor authentication, open the settings and switch it off."),
        ("Désactiver la double authentification", "Pour la désactiver, ouvrez les paramètres de votre compte."),
    ];
    let colour = [
        ("Change the colour of your account", "To change the colour of your account, open Appearance."),
        ("Supprimer un compte", "Pour supprimer un compte, écrivez à notre équipe."),
    ];
    for (entries, question, shown) in [
        (&cancel, "Wie kann ich mein Abonnement kündigen?", "wählen Sie"),
        (&cancel, "How do I cancel my subscription?", "choose Licenses"),
        (&factor, "comment désactiver la double authentification ?", "ouvrez"),
        (&factor, "how do I disable two-factor authentication?", "switch it off"),
        // No page in this language, and one that is about something else.
        (&cancel, "¿Cómo cancelo mi suscripción?", "choose Licenses"),
        (&colour, "comment changer la couleur du compte ?", "Appearance"),
    ] {
        let (answer, _) = answer_from(entries, "en", question).await;
        assert!(answer.contains(shown), "{question}: {answer}");
    }
}

#[tokio::test]
async fn a_text_without_what_is_asked_for_makes_no_sure_answer() {
    let entries = [
        ("Workshops", "Our workshops are about bouquets, wreaths and terrariums. Bring gloves to each workshop."),
        ("Glue", "The glue dries clear and holds paper, wood and felt."),
        ("Delivery zones", "Zone 1 is the city, zone 2 the county around it."),
        ("C++", "The C++ compiler is installed with the toolchain."),
        ("Your profile", "Enter name, phone number and address at https://example.org/profile/1234567."),
    ];
    for question in [
        "How much does a workshop cost?",
        "How long does a workshop take?",
        "How many places does a workshop have?",
        "Who teaches the workshops?",
        "is the glue vegan",
        "what does zone 4 cost",
        "do you have a phone number",
    ] {
        let (answer, confidence) = answer_from(&entries, "en", question).await;
        assert!(confidence < 0.5, "{question}: {confidence} {answer}");
    }
}

#[tokio::test]
async fn of_a_procedure_all_steps_are_shown_with_their_numbers() {
    let step = |number: usize| {
        format!("1. Part {number}: tighten the {number}. screw of the frame, and wait until it clicks.")
    };
    let steps = (1..=9).map(step).collect::<Vec<_>>().join("\n");
    let content =
        format!("A frame has nine screws and a plate.\n\nAssemble it so:\n\n{steps}\n\nThe plate is made of steel.");
    let (answer, _) = answer_from(&[("Assemble the frame", &content)], "en", "How do I assemble the frame?").await;
    for number in 1..=9 {
        assert!(answer.contains(&format!("{number}. Part {number}:")), "{number}: {answer}");
    }
}

#[tokio::test]
async fn an_introduction_is_no_answer_and_the_section_with_the_steps_is() {
    let entries = [
        (
            "How to delete your account",
            "You can read here what to know before you delete your account.\n\nIn this article:\n\n\
             - [Before you delete your account](#before)\n- [Deleting your account](#deleting)",
        ),
        (
            "How to delete your account: Deleting your account",
            "1. Open **Settings**.\n2. Press **Delete account** in the danger zone.",
        ),
    ];
    let (answer, _) = answer_from(&entries, "en", "how do i delete my account").await;
    assert!(answer.contains("danger zone"), "{answer}");
}

#[tokio::test]
async fn a_list_of_related_questions_is_no_answer() {
    let entries = [
        (
            "Widgets: Related FAQs",
            "- How do I add a widget?\n- [How often does a widget change its picture?](https://example.org/often)\n\
             - **Why is my widget empty?**",
        ),
        ("Widgets: Refresh", "Widgets on the home screen show another picture every 15 minutes."),
    ];
    let (answer, _) = answer_from(&entries, "en", "how often does the widget change the picture").await;
    assert!(answer.contains("15 minutes") && !answer.contains("Why is my widget"), "{answer}");
    let (answer, confidence) = answer_from(&entries[..1], "en", "how often does the widget change the picture").await;
    assert!(confidence < 0.4, "{confidence} {answer}");
}

#[tokio::test]
async fn a_text_about_another_system_makes_no_sure_answer() {
    let entries = [
        ("Unlock with your face", "On Android, unlock the app with your face: open Settings and allow it."),
        ("Printing", "Print from the File menu."),
    ];
    for (question, is_sure) in [("unlock with my face on android", true), ("unlock with my face on linux", false)] {
        let (answer, confidence) = answer_from(&entries, "en", question).await;
        assert_eq!(confidence >= 0.7, is_sure, "{question}: {confidence} {answer}");
    }
    let compared = [("Unlock on Android", "Unlocking works as on the iPhone: open Settings and allow your face.")];
    let (answer, confidence) = answer_from(&compared, "en", "unlock with my face on android").await;
    assert!(confidence >= 0.4, "{confidence} {answer}");
    let listed = [("Apps", "The app is available for iPhone, iPad and Android.")];
    let (answer, confidence) = answer_from(&listed, "en", "is there a windows app available?").await;
    assert!(confidence >= 0.4, "{confidence} {answer}");
}

#[tokio::test]
async fn a_checklist_and_questions_with_answers_are_answers() {
    let printer =
        [("Printer does not print", "- Is it switched on?\n- Is there paper in the tray?\n- Is the cable in?")];
    let (answer, confidence) = answer_from(&printer, "en", "my printer does not print").await;
    assert!(confidence >= 0.4 && answer.contains("paper in the tray"), "{confidence} {answer}");
    let refunds =
        [("Refunds", "- How long does a refund take?\n\nFive working days.\n\n- Who pays the shipping?\n\nYou do.")];
    let (answer, confidence) = answer_from(&refunds, "en", "how long does a refund take").await;
    assert!(confidence >= 0.4 && answer.contains("Five working days"), "{confidence} {answer}");
}

#[tokio::test]
async fn what_is_counted_may_have_another_name() {
    let collage = [
        ("Collage", "To make a collage, press a picture for long and choose two to six photos: up to 6 photos fit."),
        ("Albums", "An album has a name and an owner."),
    ];
    let (answer, confidence) = answer_from(&collage, "en", "how many pictures fit in one collage").await;
    assert!(confidence >= 0.4 && answer.contains("up to 6 photos"), "{confidence} {answer}");
}
