//! The wiki function.
//!
//! [`input`] parses requests, [`read`] and [`search`] return single entries and lists, [`mod@write`] creates, changes
//! and deletes, [`revisions`] lists old versions and restores them, [`drafts`], [`gap_drafts`] and [`publish`] keep
//! what is proposed and make it so, [`dry_run`] says what changes would do, [`pins`] are questions that every change is tried on,
//! [`answers`] says who was told what an entry says, [`indexing`] indexes each write before the
//! response, [`highlights`] marks matches, [`visibility`] says which entries a caller may see, and [`output`] is the
//! response.

mod answers;
mod drafts;
mod dry_run;
mod gap_drafts;
mod highlights;
mod indexing;
mod input;
mod output;
mod pins;
mod publish;
mod read;
mod revisions;
mod search;
mod state;
mod visibility;
mod write;

pub use state::Wiki;

edge::function!("wiki", Wiki: [
    read::ListEntries,
    write::CreateEntry,
    read::GetEntry,
    write::UpdateEntry,
    write::DeleteEntry,
    revisions::ListRevisions,
    revisions::RestoreRevision,
    drafts::ListDrafts,
    drafts::CreateDraft,
    drafts::GetDraft,
    drafts::UpdateDraft,
    drafts::DiscardDraft,
    publish::PublishDraft,
    gap_drafts::DraftGap,
    dry_run::TryChanges,
    answers::ListAnswers,
    pins::ListPins,
    pins::CreatePin,
    pins::DeletePin,
]);
