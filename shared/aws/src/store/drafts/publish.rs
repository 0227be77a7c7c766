//! The publication of a draft: the entry and the draft change in one transaction, each as it was read, or neither does.

use serde::{Deserialize, Serialize};

use super::{DraftRepository, draft_closed, missing};
use crate::store::idempotency::RequestKey;
use crate::store::keys;
use crate::store::table::Consistency;
use crate::store::transaction::{Tag, Transaction};
use crate::store::update::{Attempt, Basis, contended};
use crate::store::wiki::{EntryRecord, WikiRecord, entry_moved_on, replacement};
use domain::error::{Code, DetailCode};
use domain::models::{
    ChangeAction, Draft, DraftId, DraftStatus, RevisionAction, Scope, Timestamp, Visibility, WikiEntry,
};
use domain::{Error, Result};

/// The parameters of a publication.
#[derive(Debug, Clone, Copy)]
pub struct Publication<'a> {
    /// The version of the draft that its publisher read.
    pub version: u64,
    /// The entry's visibility, if it is named.
    pub visibility: Option<Visibility>,
    /// The publisher.
    pub by: &'a str,
}

/// The stored result of a request that published a draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDraft {
    /// The version of the entry, or of its deletion, after that.
    pub entry_version: u64,
}

/// The records that a publication writes, and the entry before and after; none if it is not there.
struct Plan {
    draft: Draft,
    held: EntryRecord,
    before: Option<WikiEntry>,
    after: Option<WikiEntry>,
}

impl DraftRepository<'_> {
    /// Makes the entry what a draft proposes, and the draft published; with the record of the request. Returns the draft
    /// and what its path holds then.
    ///
    /// # Errors
    /// 404 if there is no such draft; 412 if it moved on, 409 `INVALID_STATE` if it is not open or has no text,
    /// 409 `CONFLICT` with the current version if the entry moved on, and 400 if the visibility would change
    /// unnamed.
    pub async fn publish(
        &self,
        scope: &Scope,
        id: &DraftId,
        publication: Publication<'_>,
        request: Option<&RequestKey>,
    ) -> Result<(Draft, WikiRecord)> {
        let (token, key) = (self.0.runtime.token()?, keys::draft(scope, DraftStatus::Open, id));
        let token = &token;
        let attempt = |_: Basis<()>| async move {
            let draft = self.get(scope, id).await?.ok_or_else(missing)?;
            let place = keys::entry(scope, &draft.path);
            let held: Option<EntryRecord> = self.0.get(&place, Consistency::Strong).await?;
            if let Some(mine) = held.clone().filter(|held| held.write_token == *token) {
                return Ok(Attempt::Done((draft, mine.into())));
            }
            let version = held.as_ref().map_or(0, |held| held.version);
            let plan = publication.plan(draft.clone(), held, self.0.runtime.now(), token)?;
            let kept = PublishedDraft { entry_version: plan.held.version };
            let audit = |after| self.0.wiki().publication(scope, plan.before.as_ref(), after);
            let writes = Transaction::of(replacement(scope, &plan.held, version)?)
                .with(Tag::Beside, self.ending(scope, &draft, &plan.draft).await?)
                .with(Tag::Beside, plan.after.as_ref().map(audit).transpose()?.flatten())
                .recording(self.0.idempotency().completed(scope, request, kept)?);
            let outcome = self.0.commit(writes, None).await?;
            let done = outcome.is_committed().then(|| (plan.draft, WikiRecord::from(plan.held)));
            Ok(done.map_or(Attempt::Conflict(Basis::Read), Attempt::Done))
        };
        self.0.retry(&contended(&key), Basis::Read, self.0.default_deadline(), attempt).await
    }
}

impl Publication<'_> {
    fn plan(&self, draft: Draft, held: Option<EntryRecord>, now: Timestamp, token: &str) -> Result<Plan> {
        if draft.version != self.version {
            return Err(Error::new(Code::PreconditionFailed, "The draft has changed since."));
        }
        if draft.status != DraftStatus::Open {
            return Err(draft_closed());
        }
        let version = held.as_ref().map_or(0, |held| held.version);
        let today = held.clone().and_then(EntryRecord::into_entry);
        let is_as_seen = match draft.action {
            ChangeAction::Create => today.is_none(),
            ChangeAction::Update | ChangeAction::Delete => today.is_some() && draft.base_version == Some(version),
        };
        if !is_as_seen {
            return Err(entry_moved_on("baseVersion", version));
        }
        let draft = Draft { status: DraftStatus::Published, version: draft.version + 1, updated_at: now, ..draft };
        if draft.action == ChangeAction::Delete {
            let last = held.ok_or_else(missing)?;
            let held = EntryRecord::tombstone(&last, (now, self.by), token);
            return Ok(Plan { draft, held, before: today, after: None });
        }
        let visibility = self.visibility(&draft, today.as_ref())?;
        let action = if today.is_some() { RevisionAction::Updated } else { RevisionAction::Created };
        let base = today.clone().unwrap_or_else(|| WikiEntry::begun(draft.path.clone(), self.by, now));
        let after = draft
            .applied_to(&base, visibility, self.by)
            .ok_or_else(|| Error::new(Code::InvalidState, "The draft has no text."))?;
        let entry = WikiEntry { version: version + 1, updated_at: now, action: Some(action), ..after };
        let create_token = held.filter(EntryRecord::is_live).map_or_else(|| token.to_owned(), |held| held.create_token);
        let draft = Draft { visibility: Some(visibility), quotes: Vec::new(), ..draft };
        let held = EntryRecord::live(&entry, &create_token, token);
        Ok(Plan { draft, held, before: today, after: Some(entry) })
    }

    /// The visibility afterwards: the publisher's, else the draft's, if that is no change. A new entry is internal
    /// unless its publisher says otherwise.
    fn visibility(&self, draft: &Draft, today: Option<&WikiEntry>) -> Result<Visibility> {
        let unnamed = today.map_or(Visibility::Internal, |entry| entry.visibility);
        match self.visibility {
            Some(named) => Ok(named),
            None if draft.visibility.is_none_or(|proposed| proposed == unnamed) => Ok(unnamed),
            None => Err(Error::invalid(
                "visibility",
                DetailCode::Required,
                "must be named, because the draft changes who may read the entry",
            )),
        }
    }
}
