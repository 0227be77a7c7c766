//! Open drafts.

use domain::limits;
use domain::models::{ChangeAction, Draft, DraftStatus};

use super::Rules;
use super::values::{self, Check};

pub(super) fn draft(rules: Rules, draft: &Draft) -> Check {
    values::holds(draft.status == DraftStatus::Open, "an export has open drafts alone")?;
    values::holds(draft.quotes.is_empty(), "an export has no quotes")?;
    let proposes = draft.action != ChangeAction::Delete;
    let is_whole = [draft.title.is_some(), draft.content.is_some(), draft.visibility.is_some()];
    values::holds(is_whole == [proposes; 3], "a draft has a text unless it proposes that the entry goes")?;
    values::holds(
        draft.base_version.is_some() == (draft.action != ChangeAction::Create),
        "a draft has a base version unless it proposes a new entry",
    )?;
    // They are empty if they were quotes.
    for (name, limit, text) in
        [("title", limits::ENTRY_TITLE, &draft.title), ("content", limits::ENTRY_CONTENT, &draft.content)]
    {
        values::text_if(name, limit, text.as_ref().filter(|text| !text.is_empty()))?;
    }
    let bytes = draft.content.as_ref().map_or(0, String::len);
    values::at_most("the bytes of content", bytes, limits::ENTRY_CONTENT_BYTES)?;
    values::tags(&draft.tags)?;
    values::version("version", draft.version)?;
    draft.base_version.map_or(Ok(()), |version| values::version("baseVersion", version))?;
    values::past("createdAt", draft.created_at, rules)?;
    values::past("updatedAt", draft.updated_at, rules)?;
    values::author("createdBy", &draft.created_by)
}
