//! Foreign texts as a customer is shown them: Markdown without HTML, foreign links and images that are not safe, every
//! other character unchanged.

use serde_json::{Value, json};

use crate::ingest::{did, ingested};
use crate::support::{Actor, TestService};

const HOSTILE: &str = "Zebra parking is free. <img src=x onerror=alert(1)> <script>alert(2)</script> Open Settings > Billing, \
    [pay](javascript:alert(3)) or [read on](https://help.example/zebra) ![a zebra](https://track.example/z.png) <!-- no -->.";
const SHOWN: &str = "Zebra parking is free. &lt;img src=x onerror=alert(1)> &lt;script>alert(2)&lt;/script> Open Settings > Billing, \
    pay or [read on](https://help.example/zebra) a zebra &lt;!-- no -->.";

async fn public_entry(service: &TestService, path: &str, title: &str, content: &str) {
    let body = json!({"path": path, "title": title, "content": content, "visibility": "public"});
    service.trainer().post("/wiki", body).await.expect(201);
}

/// The AI's answer to a widget, and the turn in the conversation afterwards.
async fn answer(widget: &Actor, question: &str) -> String {
    let session = widget.session().await;
    let reply = widget.ask(&session, question).await;
    reply.expect(200);
    assert_eq!(reply.text_at("disposition"), "answered", "{}", reply.text);
    let turns = widget.get(&format!("/sessions/{session}/messages")).await;
    let stored = turns.items().iter().find(|turn| turn["role"] == "ai").unwrap().clone();
    assert_eq!(stored["content"], reply.json["answer"]);
    reply.text_at("answer").to_owned()
}

#[tokio::test]
async fn a_hostile_entry_reaches_a_widget_as_text_alone() {
    let service = TestService::start().await;
    public_entry(&service, "help/zebra", "Zebra parking", HOSTILE).await;
    let widget = service.widget("v").await;
    let image = "![a zebra](https://track.example/z.png)";
    let quoted = format!("{}\n{image}", SHOWN.replace("a zebra ", ""));
    assert_eq!(answer(&widget, "Is zebra parking free?").await, quoted);

    let list = widget.get("/wiki").await;
    assert_eq!(list.text_at("/items/0/content"), SHOWN, "an excerpt is clean");
    for q in ["zebra", "img", "script", "alert", "javascript", "pay", "track", "onerror", "png"] {
        let found = widget.get(&format!("/wiki?q={q}")).await;
        for item in found.items() {
            for highlight in item["highlights"].as_array().unwrap() {
                let segments: Vec<&str> =
                    highlight["segments"].as_array().unwrap().iter().map(|s| s["text"].as_str().unwrap()).collect();
                for text in segments.iter().copied().chain([segments.concat().as_str()]) {
                    for forbidden in ["<img", "<script", "<!--", "](javascript", "!["] {
                        assert!(!text.contains(forbidden), "{q}: {text}");
                    }
                }
            }
        }
    }
    let whole = SHOWN.replace("a zebra", image);
    assert_eq!(widget.get("/wiki/help/zebra").await.text_at("content"), whole, "a whole entry is clean");
    for key in [service.trainer(), service.integration()] {
        assert_eq!(key.get("/wiki/help/zebra").await.text_at("content"), HOSTILE, "to a key it is as it was written");
        assert_eq!(key.get("/wiki").await.text_at("/items/0/content"), HOSTILE, "an excerpt too");
    }
}

#[tokio::test]
async fn a_text_without_markup_is_quoted_byte_for_byte() {
    let service = TestService::start().await;
    let content =
        "Zebra plan: 3 < 4 && 5 > 4, R&D \"quoted\" 'it'; a <= b, x <- y, <3.\n\n- *one* `<b>` **two**\n- 50 % & more";
    public_entry(&service, "help/plan", "Zebra plan", content).await;
    assert_eq!(answer(&service.widget("v").await, "What is the zebra plan?").await, content);
}

const BIKES: &str = "You can rent all year. Bring a photo ID and come ten minutes early.\n\n## Bikes\n\n\
    Prices with lock and helmet:\n\n- City bike: EUR 14 a day, EUR 60 a week\n- Tandem: EUR 25 a day\n\n\
    A deposit of EUR 50 is due for each bike.\n\n## Stations\n\n| Station | Weekdays | Sunday |\n|---|---|---|\n\
    | Harbour | 8:00 to 20:00 | closed |\n| Museum | 9:00 to 18:30 | 10:00 to 16:15 |\n\n## Early end\n\n\
    1. Lock the frame.\n2. Open the terminal.\n3. Run this to end the rental early:\n\n   ```\n   bike --end\n   ```\n\n\
    4. Wait for the mail.";

#[tokio::test]
async fn a_price_a_row_and_steps_with_code_are_shown_in_their_form() {
    let service = TestService::start().await;
    public_entry(&service, "help/bikes", "Renting a bike", BIKES).await;
    let widget = service.widget("v").await;
    let price = answer(&widget, "What does a city bike cost for a week?").await;
    assert!(price.contains("Prices with lock and helmet:\n\n- City bike: EUR 14 a day, EUR 60 a week"), "{price}");
    assert!(!price.contains("Harbour"), "{price}");
    let row = answer(&widget, "When is the museum station open on Sunday?").await;
    let table = "Station | Weekdays | Sunday\n---|---|---\nMuseum | 9:00 to 18:30 | 10:00 to 16:15";
    assert!(row.contains(table), "{row}");
    let steps = answer(&widget, "How do I end the rental early?").await;
    assert!(steps.contains("3. Run this to end the rental early:\n   ```\n   bike --end\n   ```\n4. Wait"), "{steps}");
}

#[tokio::test]
async fn markup_that_a_page_shows_as_text_stays_text() {
    let service = TestService::start().await;
    let text = "<h2>Embedding zebra pictures</h2><p>Write &lt;img src=x onerror=alert(1)&gt; and save your zebra page.</p>\
        <h2>Zebra opening hours</h2><p>Zebras open at nine.</p>";
    let body = json!({"text": text, "pathPrefix": "zoo", "visibility": "public"});
    let job = ingested(&service, &service.trainer(), body).await;
    assert_eq!(did(&job), ["embedding-zebra-pictures created", "zebra-opening-hours created"]);
    let stored = service.trainer().get("/wiki/zoo/embedding-zebra-pictures").await;
    let expected = "Write &lt;img src=x onerror=alert(1)> and save your zebra page.";
    assert_eq!(stored.text_at("content"), expected);
    assert_eq!(answer(&service.widget("v").await, "How do I embed zebra pictures?").await, expected);
}

#[tokio::test]
async fn a_text_that_holds_html_is_read_as_html() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    for (prefix, text, expected) in [
        ("a", "Our answers:\n<h2>Returns</h2>\n<p>Within <b>30</b> days.</p>", vec!["a created", "returns created"]),
        ("b", "<ul><li>one<li>two</ul>", vec!["b created"]),
        ("c", "# Tags\n\nWrite `<p>a</p>`.\n\n```html\n<p>b</p>\n```", vec!["tags created"]),
    ] {
        let job = ingested(&service, &trainer, json!({"text": text, "pathPrefix": prefix})).await;
        assert_eq!(did(&job), expected, "{text}");
    }
    assert_eq!(trainer.get("/wiki/a/returns").await.text_at("content"), "Within **30** days.");
    assert_eq!(trainer.get("/wiki/b/b").await.text_at("content"), "- one\n- two");
    assert!(trainer.get("/wiki/c/tags").await.text_at("content").contains("```html\n<p>b</p>\n```"));
}

#[tokio::test]
async fn every_heading_is_an_entry_and_editing_one_leaves_the_others() {
    let service = TestService::start().await;
    let trainer = service.trainer();
    let text = |hours: &str| {
        format!(
            "# Contact\n\nWrite to help@shop.example.\n\n# Returns\n\nWithin 30 days.\n\n# Gift cards\n\nThey are valid for \
             three years.\n\n# Opening hours\n\n{hours}\n"
        )
    };
    let body = |hours: &str| json!({"text": text(hours), "pathPrefix": "shop"});
    let first = ingested(&service, &trainer, body("Nine to five.")).await;
    assert_eq!(did(&first), ["contact created", "returns created", "gift-cards created", "opening-hours created"]);

    trainer.patch("/wiki/shop/returns", json!({"content": "Within 60 days."})).await.expect(200);
    let second = ingested(&service, &trainer, body("Ten to six.")).await;
    let mut done = did(&second);
    done.sort();
    assert_eq!(done, ["contact unchanged", "gift-cards unchanged", "opening-hours updated", "returns conflict"]);
    let entries: Vec<Value> = trainer.get("/wiki?pathPrefix=shop").await.items().to_vec();
    assert_eq!(entries.len(), 4, "{entries:?}");
    assert_eq!(trainer.get("/wiki/shop/returns").await.text_at("content"), "Within 60 days.");
    assert_eq!(trainer.get("/wiki/shop/opening-hours").await.text_at("content"), "Ten to six.");

    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, "How long are gift cards valid?").await;
    assert_eq!(reply.text_at("answer"), "They are valid for three years.");
}
