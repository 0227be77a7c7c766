//! A service that starts, stops and starts again.

use crate::support::TestService;

#[tokio::test]
async fn an_unknown_path_is_answered_in_the_one_shape_of_errors() {
    let service = TestService::start().await;
    service.anonymous().get("/nothing").await.expect_error(404, "NOT_FOUND");
}
