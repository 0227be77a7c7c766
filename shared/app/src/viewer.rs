//! The parts of answers that the caller of a request may see.

use aws::store::Store;
use domain::Result;
use domain::access::Principal;
use domain::models::AnswerVisibility;
use domain::wire::Viewer;

/// The caller of a request that shows answers: the tenant says what widgets are shown, and may have changed its mind
/// since an answer was given.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn answer_viewer(store: &Store, caller: &Principal) -> Result<Viewer> {
    let viewer = Viewer::of(caller);
    if viewer.internal_entries {
        return Ok(viewer);
    }
    let settings = store.settings().get(caller.scope()).await?;
    let internal_entries = settings.widget_answer_visibility == AnswerVisibility::All;
    Ok(Viewer { internal_entries, ..viewer })
}
