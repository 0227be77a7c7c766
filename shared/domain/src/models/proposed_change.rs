//! Changes of the wiki that nobody has published.

use super::{Visibility, WikiPath, wire_enum};

wire_enum! {
    /// The kind of a change to an entry.
    pub enum ChangeAction {
        /// It replaces what it names; the rest stays.
        Update => "update",
        /// It makes an entry where there is none.
        Create => "create",
        /// It takes the entry away.
        Delete => "delete",
    }
}

wire_enum! {
    /// The effect of changes on a question.
    pub enum DryRunChange {
        /// It is answered, or not, as before, and its first source is the same.
        Same => "same",
        /// It gets an answer.
        Gained => "gained",
        /// It loses its answer.
        Lost => "lost",
        /// Something else becomes of it, or it is answered from another entry.
        Other => "other",
    }
}

wire_enum! {
    /// Where a question without a session is asked.
    pub enum DryRunViewer {
        /// In the chat: from what the tenant lets its widgets be answered with.
        Widget => "widget",
        /// Anywhere else.
        Other => "other",
    }
}

/// A change of an entry, as it would be published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedChange {
    /// The entry.
    pub path: WikiPath,
    /// The action on it.
    pub action: ChangeAction,
    /// The new title; an absent one stays.
    pub title: Option<String>,
    /// The new text; an absent one stays.
    pub content: Option<String>,
    /// The new visibility; an absent one stays, and is `internal` of a new entry.
    pub visibility: Option<Visibility>,
}
