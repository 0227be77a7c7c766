//! Taking a reaction back.

use serde_json::{Value, json};

use crate::support::TestService;

const QUESTION: &str = "How long does a refund take?";

#[tokio::test]
async fn a_reaction_is_taken_back_without_an_event_and_the_figures_follow() {
    let (service, receiver, _) = TestService::start().await.and_receiver().await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    let first = widget.ask(&session, QUESTION).await.text_at("messageId").to_owned();
    widget.ask(&session, QUESTION).await.expect(200);
    let path = format!("/sessions/{session}/reaction");
    for message in [json!({"messageId": first}), json!({})] {
        for reaction in ["thumbs_up", "flag"] {
            let mut body = message.clone();
            body["reaction"] = json!(reaction);
            widget.post(&path, body).await.expect(200);
        }
    }
    let counts = async |service: &TestService| -> Value {
        service.drain().await;
        service.admin().get("/analytics?days=1").await.json["counts"].clone()
    };
    assert_eq!(counts(&service).await["thumbsUp"], 2);
    let told = receiver.caught().len();
    for _ in 0..2 {
        widget.delete(&format!("{path}?reaction=thumbs_up")).await.expect(204);
    }
    let turns = widget.turns(&session).await;
    assert_eq!((&turns[1]["reactions"], &turns[3]["reactions"]), (&json!(["thumbs_up", "flag"]), &json!(["flag"])));
    widget.delete(&format!("{path}?reaction=thumbs_up&messageId={first}")).await.expect(204);
    assert_eq!(widget.turns(&session).await[1]["reactions"], json!(["flag"]));
    let counted = counts(&service).await;
    assert_eq!((&counted["thumbsUp"], &counted["answersFlagged"]), (&json!(0), &json!(2)));
    assert_eq!(receiver.caught().len(), told, "taking back is no event");
}

#[tokio::test]
async fn an_invalid_withdrawal_of_a_reaction_is_refused() {
    let service = TestService::start().await;
    let widget = service.widget("ann").await;
    let session = widget.session().await;
    let path = format!("/sessions/{session}/reaction");
    widget.delete(&format!("{path}?reaction=flag")).await.expect_error(409, "NO_AI_RESPONSE");
    let asked = widget.ask(&session, "hello").await;
    widget.post(&path, json!({"reaction": "flag"})).await.expect(200);
    for (query, detail) in
        [("", "reaction REQUIRED"), ("?reaction=love", "reaction NOT_ALLOWED"), ("?other=1", "other UNKNOWN_PARAMETER")]
    {
        let refused = widget.delete(&format!("{path}{query}")).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert!(refused.details().contains(&detail.to_owned()), "{query}: {}", refused.text);
    }
    // The customer's own turn, what is no id, and the session of somebody else.
    let own = widget.turns(&session).await[0]["messageId"].as_str().unwrap().to_owned();
    for message in [own.as_str(), "nonsense"] {
        widget.delete(&format!("{path}?reaction=flag&messageId={message}")).await.expect_error(404, "NOT_FOUND");
    }
    for stranger in [service.widget("bob").await, service.other_admin(), service.test_admin()] {
        stranger.delete(&format!("{path}?reaction=flag")).await.expect_error(404, "NOT_FOUND");
    }
    let answer = format!("{path}?reaction=flag&messageId={}", asked.text_at("messageId"));
    assert_eq!(widget.turns(&session).await[1]["reactions"], json!(["flag"]));
    service.integration().delete(&answer).await.expect(204);
    assert_eq!(widget.turns(&session).await[1]["reactions"], json!([]));
}
