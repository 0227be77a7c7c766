//! A language model that always finds something to say and is always sure of it: customers get what a unit of a cited
//! entry says, or the quotation that they get without a model.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::support::{ModelStub, TestService, answered, rewrites, rewritten};

const ENTRIES: [(&str, &str, &str); 9] = [
    (
        "plans/studio",
        "Studio plan",
        "Studio costs 23 euros a month. Team costs 47 euros a month. The Studio plan has ten projects.",
    ),
    (
        "help/returns",
        "Returns",
        "Unopened boxes can be returned within 30 days. Opened boxes are not refunded. Only members can return gifts.",
    ),
    (
        "help/bookings",
        "Cancel a booking",
        "To cancel a booking:\n\n1. Open **Bookings**.\n2. Choose the booking.\n3. Tap **Cancel booking**.",
    ),
    (
        "help/renewal",
        "Automatic renewal",
        "Turn on automatic renewal under Plans. Turn off automatic renewal under Billing.",
    ),
    (
        "help/invoices",
        "Invoices",
        "Mrs Lindgren answers questions about invoices. You pay the bank's fee. We send no paper invoices.",
    ),
    ("help/parcels", "Parcels", "Parcels arrive in at least two days."),
    ("help/delivery", "Delivery", "Delivery is free on orders over 50 euros."),
    ("help/alarm/on", "Turn on the alarm", "Hold the red key for two seconds."),
    ("help/alarm/off", "Turn off the alarm", "Hold the green key for two seconds."),
];

/// A service whose model says what a test wants said, and cites all that it gets to read.
struct Shop {
    service: TestService,
    says: Arc<Mutex<Option<&'static str>>>,
}

impl Shop {
    async fn start() -> Self {
        let says = Arc::<Mutex<Option<&'static str>>>::default();
        let said = says.clone();
        let model = ModelStub::new(move |request| {
            if rewrites(request) {
                return Some(rewritten("What does it cost?"));
            }
            let passages: Vec<usize> = (1..=request.user.matches(" begin passage ").count()).collect();
            said.lock().unwrap().map(|text| answered(text, &passages))
        });
        let service = TestService::with(|options| options.model = Some(model)).await;
        for (path, title, content) in ENTRIES {
            service.trainer().wiki_entry(path, title, content).await;
        }
        Self { service, says }
    }

    /// The answer to a customer in a session of their own if the model says `text`; if it says nothing, it fails.
    async fn told(&self, question: &str, text: Option<&'static str>) -> Value {
        *self.says.lock().unwrap() = text;
        let caller = self.service.integration();
        let told = caller.ask(&caller.session().await, question).await.expect(200).clone();
        let of = |field: &str| told[field].clone();
        json!({"answer": of("answer"), "disposition": of("disposition"), "confidence": of("confidence")})
    }
}

#[tokio::test]
async fn a_lie_is_replaced_by_the_quotation() {
    let shop = Shop::start().await;
    let price = "What does Studio cost a month?";
    let returns = "Can I return opened boxes?";
    let booking = "How do I cancel a booking?";
    let mut believed = Vec::new();
    for (question, lies) in [
        (
            price,
            &[
                // A price, a number of something else, a currency, and a name that the entry does not give.
                "Studio costs 19 euros a month.",
                "Studio costs 47 euros a month.",
                "Studio costs ten euros a month.",
                "Studio costs 23 dollars a month.",
                "Premium costs 23 euros a month.",
                "Studio costs 23 euros a month and Team costs 23 euros.",
                // It may be Team.
                "It costs 23 euros a month.",
                // The truth, and something besides.
                "Studio costs 23 euros a month and the first month is free.",
                "Studio costs 23 euros a month. The first month is free.",
                "**Studio costs 23 euros a month.**\n\n- The first month is free",
                "Yes, Studio costs 23 euros a month.",
                "Studio costs up to 23 euros a month.",
                // True, but no price.
                "The Studio plan has ten projects.",
                // The words of the question.
                "What Studio costs a month.",
                // It may be true, but no unit can show it.
                "Studio kostet 23 Euro im Monat.",
                "Studio cuesta 23 euros al mes.",
                "スタジオは月額23ユーロです。",
            ][..],
        ),
        (
            returns,
            &[
                "Opened boxes are refunded.",
                "Opened boxes can be returned within 30 days.",
                // Without a condition, or without the noun that it is about.
                "Boxes can be returned within 30 days.",
                "Unopened boxes can be returned.",
                "Unopened boxes cannot be returned within 30 days.",
                "Unopened boxes can be returned.\n\nOpened boxes can be returned, too.",
                // True, but not about boxes.
                "Only members can return gifts.",
                "You can return gifts.",
                "Members can return gifts.",
                "No, unopened boxes can be returned within 30 days.",
            ],
        ),
        (
            booking,
            &[
                "1. Open **Bookings**.\n2. Enter your PIN.\n3. Tap **Cancel booking**.",
                "1. Open **Bookings**.\n2. Choose the booking.\n3. Tap **Delete account**.",
                // A step is left out, or stands before the one that it follows.
                "1. Open **Bookings**.\n2. Tap **Cancel booking**.",
                "1. Choose the booking.\n2. Open **Bookings**.\n3. Tap **Cancel booking**.",
                "Open Settings.",
                "Call 0800 123456.",
            ],
        ),
        (
            "How do I turn off automatic renewal?",
            &["Turn on automatic renewal under Plans.", "Turn off automatic renewal under Plans."],
        ),
        (
            "Who answers questions about invoices?",
            &["Mr Lindgren answers questions about invoices.", "Mrs Berg answers questions about invoices."],
        ),
        (
            "Who pays the bank's fee?",
            &["We pay the bank's fee.", "You paid the bank's fee.", "You are paid the bank's fee."],
        ),
        ("Is delivery free?", &["Delivery is free.", "Delivery is free on orders."]),
        // The entry on the other side is cited beside the one on the question's side.
        ("How do I turn off the alarm?", &["Hold the red key for two seconds."]),
        (
            "How long do parcels take to arrive?",
            &["Parcels arrive in two days.", "Parcels arrive in at most two days."],
        ),
    ] {
        let quoted = shop.told(question, None).await;
        assert_eq!(quoted["disposition"], "answered", "{question}: {quoted}");
        for lie in lies {
            let told = shop.told(question, Some(lie)).await;
            if told != quoted {
                believed.push(format!("{question} {told}"));
            }
        }
    }
    assert!(believed.is_empty(), "{}", believed.join("\n"));
}

#[tokio::test]
async fn a_question_without_an_answer_gets_none() {
    let shop = Shop::start().await;
    let mut believed = Vec::new();
    for (question, text) in [
        (
            "Do you deliver parcels to Norway by helicopter?",
            "Yes, we deliver parcels to Norway by helicopter for 9 euros.",
        ),
        ("Do you deliver parcels to Norway by helicopter?", "Parcels to Norway arrive in at least two days."),
        // True, but no answer to what is asked.
        ("Which phone number can I call about opened boxes?", "Opened boxes are not refunded."),
        ("How much is it to send parcels to Norway?", "Parcels arrive in at least two days."),
        ("Is the box PPR9087 refunded?", "Opened boxes are not refunded."),
    ] {
        let told = shop.told(question, Some(text)).await;
        if told["disposition"] != "no_answer" || told["confidence"].as_f64().unwrap() >= 0.4 {
            believed.push(format!("{question} {told}"));
        }
    }
    assert!(believed.is_empty(), "{}", believed.join("\n"));
}

#[tokio::test]
async fn what_a_unit_holds_is_said_in_the_words_of_the_model() {
    let shop = Shop::start().await;
    for (question, text) in [
        ("What does Studio cost a month?", "Studio costs 23 euros a month."),
        ("Is delivery free?", "The delivery is free on orders over 50 euros."),
        ("How do I turn off the alarm?", "Hold a green key for two seconds."),
        ("Can I return opened boxes?", "The opened box is not refunded."),
        ("How do I cancel a booking?", "1. Open **Bookings**.\n2. Choose a booking.\n3. Tap **Cancel booking**."),
        ("How much is a paper invoice?", "We send no paper invoices."),
        ("How do I turn off automatic renewal?", "Turn off the automatic renewal under Billing."),
    ] {
        let told = shop.told(question, Some(text)).await;
        assert_eq!((&told["disposition"], &told["answer"]), (&json!("answered"), &json!(text)), "{question}");
    }
}
