//! Changes of drafts, and the removal of what a session said from them.

use super::{DraftRepository, count_open, draft_item, ending, missing, too_many};
use crate::store::keys;
use crate::store::table::{PartitionQuery, SortCondition};
use crate::store::transaction::{Tag, Transaction, Write};
use crate::store::update::{Attempt, Basis, contended};
use domain::Result;
use domain::error::Code;
use domain::models::{Draft, DraftId, DraftStatus, MAX_OPEN_DRAFTS, Scope, SessionId};

impl DraftRepository<'_> {
    /// Replaces one by what `decide` makes of it, again from the start when another writer was faster; `None`
    /// leaves it as it is.
    ///
    /// # Errors
    /// The error of `decide`; 404 if there is none; 409 if it opens and there are as many open ones as there may
    /// be.
    pub async fn update(
        &self,
        scope: &Scope,
        id: &DraftId,
        decide: impl Fn(&Draft) -> Result<Option<Draft>>,
    ) -> Result<Draft> {
        let (decide, key) = (&decide, keys::draft(scope, DraftStatus::Open, id));
        let attempt = |_: Basis<()>| async move {
            let seen = self.get(scope, id).await?.ok_or_else(missing)?;
            let Some(after) = decide(&seen)? else { return Ok(Attempt::Done(seen)) };
            let after = Draft { version: seen.version + 1, ..after };
            let change = match [seen.status, after.status].map(|status| status == DraftStatus::Open) {
                [true, false] => Transaction::from(self.ending(scope, &seen, &after).await?),
                [false, true] => Transaction::from(ending::moved(scope, &seen, &after)?)
                    .with(Tag::Taken, [count_open(scope, 1, Some(MAX_OPEN_DRAFTS))]),
                _ => Transaction::of(Write::replace(draft_item(scope, &after)?, seen.version)),
            };
            let outcome = self.0.commit(change, None).await?;
            // If the reply of this very write was lost, and it was sent again, the draft is what it made.
            let is_written = outcome.is_committed() || self.get(scope, id).await?.as_ref() == Some(&after);
            if !is_written && outcome.at(Tag::Taken).is_some() {
                return Err(too_many());
            }
            Ok(if is_written { Attempt::Done(after) } else { Attempt::Conflict(Basis::Read) })
        };
        self.0.retry(&contended(&key), Basis::Read, self.0.default_deadline(), attempt).await
    }

    /// Takes what a session said out of the drafts that quote it and are not published; may be called again.
    pub async fn erase_session(&self, scope: &Scope, session: &SessionId) -> Result<()> {
        let mut query = PartitionQuery::new(keys::session(scope, session).pk);
        query.condition = SortCondition::Prefix(keys::DRAFT_POINTERS.into());
        loop {
            let page = self.0.query(query.clone()).await?;
            let names =
                page.items.iter().filter_map(|item| item.get("sk")?.as_s().ok()?.strip_prefix(keys::DRAFT_POINTERS));
            for id in names.filter_map(DraftId::parse) {
                self.erase_session_from(scope, &id, session).await?;
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn erase_session_from(&self, scope: &Scope, id: &DraftId, session: &SessionId) -> Result<()> {
        let without = |seen: &Draft| {
            let quotes =
                seen.status != DraftStatus::Published && seen.quotes.iter().any(|it| it.session_id == *session);
            Ok(quotes.then(|| seen.clone().without_quotes(|of| of == session)))
        };
        match self.update(scope, id, without).await {
            Err(error) if error.code() == Code::NotFound => Ok(()),
            outcome => outcome.map(drop),
        }
    }
}
