//! Effects of a request, over the embedded database and queues and over independent ones: the stream is read by its API
//! and the queues by theirs, on any server.

use serde_json::json;

use crate::services;
use crate::support::TestService;

/// A service over an independent DynamoDB and an independent SQS, if both can be had.
async fn over_others() -> Option<TestService> {
    let (dynamodb, sqs) = (services::ministack()?, services::elasticmq()?);
    let service = TestService::with(|options| {
        options.start.dynamodb_url = Some(dynamodb.to_owned());
        options.start.sqs_url = Some(sqs.to_owned());
    });
    Some(service.await)
}

async fn figures_follow(service: &TestService) {
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    for _ in 0..3 {
        let session = service.integration().session().await;
        service.integration().ask(&session, "How long does a refund take?").await.expect(200);
    }
    service.drain().await;
    let figures = service.admin().get("/analytics").await;
    let figures = figures.expect(200);
    assert_eq!((&figures["totalSessions"], &figures["totalQueries"]), (&json!(3), &json!(3)));
}

#[tokio::test]
async fn figures_follow_a_conversation() {
    figures_follow(&TestService::start().await).await;
}

#[tokio::test]
async fn figures_follow_a_conversation_over_independent_servers() {
    let Some(service) = over_others().await else { return };
    figures_follow(&service).await;
}

#[tokio::test]
async fn a_handled_change_is_not_handled_again_after_a_restart() {
    let service = TestService::start().await;
    figures_follow(&service).await;
    let service = service.restart().await;
    service.drain().await;
    let figures = service.admin().get("/analytics").await;
    assert_eq!(figures.expect(200)["totalQueries"], 3);
}
