//! `POST /sessions/:id/rating`.

use app::conversation::ConversationService;
use axum::extract::State;
use domain::limits::{REMARK, SCORE};
use domain::models::{EscalationId, Rating, SessionId};
use edge::ApiResult;
use edge::input::{integer_in, optional, required, within};
use edge::{Json, JsonIn, OnceIn, PathIn, Replayed, SessionRater};
use schemars::JsonSchema;
use serde::Serialize;

edge::body! {
    /// The customer's rating of the people who helped.
    #[derive(Debug)]
    pub(crate) struct RatingIn as "NewRating" {
        /// 1, bad, to 5, good.
        score: u32 = "score" => required(integer_in(&SCORE)),
        /// In their words.
        comment: Option<String> = "comment" => optional(within(REMARK)),
    }
}

edge::endpoint! {
    /// Rate the people who helped.
    ///
    /// Of the newest part of the session that a person took, from the takeover until 14 days after its end; then, and
    /// where there was none, 409 `INVALID_STATE`. Sent again, it replaces the rating before.
    pub(crate) RateSession = POST "/api/v1/sessions/{id}/rating" => rate_session;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState],
    example: {"score": 5, "comment": "That was quick."},
}

/// The rating as it is stored.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RatingOfSession")]
pub(crate) struct RatingOut {
    /// The conversation.
    session_id: SessionId,
    /// The request for a human that it is about.
    escalation_id: EscalationId,
    #[serde(flatten)]
    rating: Rating,
}

/// Rates the newest human part.
pub(crate) async fn rate_session(
    State(conversation): State<ConversationService>,
    caller: SessionRater,
    PathIn(id): PathIn<SessionId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<RatingIn>>,
) -> ApiResult<Replayed<Json<RatingOut>>> {
    let (rated, replayed) = conversation.rate(&caller, &id, body.score, body.comment, request).await?;
    let out = RatingOut { session_id: id, escalation_id: rated.escalation_id, rating: rated.rating };
    Ok(Replayed(replayed, Json(out)))
}
