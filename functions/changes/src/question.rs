//! The customer's question in `answer.unanswered`. The question is another turn, which the change does not contain, so
//! it is read from the table.

use crate::state::Changes;
use app::conversation::as_one_question;
use domain::Result;
use domain::change::{Change, Subject};
use domain::events::Event;
use domain::models::EventKind;
use serde_json::json;

/// The event with the unanswered question, or those of several that have no answer, `null` if the session was deleted meanwhile. Other events are returned
/// unchanged. The text of a turn does not change, so a replay gives the same event.
pub(crate) async fn with_question(state: &Changes, change: &Change, mut event: Event) -> Result<Event> {
    let (EventKind::AnswerUnanswered, Subject::Turn { session_id, new: Some(answer), .. }) =
        (event.kind, &change.subject)
    else {
        return Ok(event);
    };
    let asked = state.store.sessions().list_answered_by(&change.scope, session_id, answer).await?;
    let missing = || match answer.missing() {
        [] => as_one_question(&asked),
        missing => missing.join("\n\n"),
    };
    let question = (!asked.is_empty()).then(missing);
    event.data.insert("question".into(), json!(question));
    Ok(event)
}
