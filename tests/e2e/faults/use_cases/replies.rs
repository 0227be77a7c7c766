//! Saved replies, and what the AI would say.

use reqwest::Method;
use serde_json::{Value, json};

use super::super::run::Run;

fn reply(shortcut: &str) -> Value {
    json!({"scope": "team", "shortcut": shortcut, "title": "Refunds", "content": "Five days."})
}

/// The team's replies, by shortcut.
async fn shortcuts(run: &Run<'_>) -> Vec<String> {
    let listed = run.admin().get("/saved-replies").await;
    listed.items().iter().map(|reply| reply["shortcut"].as_str().unwrap().to_owned()).collect()
}

async fn saved(run: &Run<'_>, shortcut: &str) -> String {
    let made = run.admin().post("/saved-replies", reply(shortcut)).await;
    format!("/saved-replies/{}", made.text_at("replyId"))
}

pub(super) async fn a_reply_is_saved(run: &Run<'_>) {
    let made = run.send(&run.admin(), Method::POST, "/saved-replies", Some(&reply("hello"))).await;
    let read = run.admin().get(&format!("/saved-replies/{}", made.text_at("replyId"))).await;
    assert_eq!(read.expect(200)["shortcut"], "hello");
    assert_eq!(shortcuts(run).await, ["hello"]);
}

pub(super) async fn a_saved_reply_is_renamed(run: &Run<'_>) {
    let path = saved(run, "hello").await;
    run.send(&run.admin(), Method::PATCH, &path, Some(&json!({"shortcut": "welcome"}))).await;
    assert_eq!(shortcuts(run).await, ["welcome"]);
    // The former shortcut is free, and the new one is not.
    saved(run, "hello").await;
    run.admin().post("/saved-replies", reply("welcome")).await.expect_error(409, "CONFLICT");
}

pub(super) async fn a_saved_reply_is_deleted(run: &Run<'_>) {
    let path = saved(run, "hello").await;
    run.send(&run.admin(), Method::DELETE, &path, None).await;
    assert!(shortcuts(run).await.is_empty());
    saved(run, "hello").await;
}

pub(super) async fn an_agent_asks_what_the_ai_would_say(run: &Run<'_>) {
    run.admin().patch("/settings", json!({"answersWhileWaiting": false})).await.expect(200);
    run.admin().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let session = run.customer().session().await;
    let asked = run.customer().post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    run.customer().ask(&session, "How long does a refund take?").await.expect(200);
    run.world.service.drain().await;
    let path = format!("/inbox/{}/suggestion", asked.text_at("escalationId"));
    let first = run.attempt(&run.agent(), &Method::POST, &path, None).await;
    assert!(first.is_none_or(|reply| [200, 503].contains(&reply.status)));
    let suggested = run.agent().post_empty(&path).await;
    assert!(["answered", "no_answer"].contains(&suggested.text_at("disposition")), "{}", suggested.text);
    assert!(run.customer().turns(&session).await.iter().all(|turn| turn["role"] != "ai"));
}
