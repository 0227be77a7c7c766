//! An entry as a response.

use domain::access::Principal;
use domain::models::EntryCard;
use domain::wire::{EntryOut, Viewer};
use edge::PageOut;
use schemars::JsonSchema;
use serde::Serialize;

use crate::highlights::HighlightOut;

/// An entry in a list: the beginning of its content, and for a search where it matched.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EntryItem")]
pub(crate) struct EntryItemOut {
    #[serde(flatten)]
    entry: EntryOut,
    /// The content goes on.
    content_truncated: bool,
    /// How well it matches, only in a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// Where it matches, only in a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    highlights: Option<Vec<HighlightOut>>,
}

impl EntryItemOut {
    /// The item as `caller` may read it.
    pub(crate) fn for_caller(self, caller: &Principal) -> Self {
        let is_widget = caller.widget().is_some();
        Self { entry: if is_widget { self.entry.with_clean_excerpt() } else { self.entry }, ..self }
    }

    /// The item as `viewer` may see it.
    pub(crate) fn new(card: EntryCard, viewer: Viewer) -> Self {
        let content_truncated = card.content_truncated;
        Self { entry: EntryOut::of_list(card, viewer), content_truncated, score: None, highlights: None }
    }

    /// The item of a search's hit.
    pub(crate) fn hit(card: EntryCard, viewer: Viewer, score: f64, highlights: Vec<HighlightOut>) -> Self {
        Self { score: Some(score), highlights: Some(highlights), ..Self::new(card, viewer) }
    }
}

/// An entry as `caller` may read it: a widget shows it to customers, so it gets it clean.
pub(crate) fn for_caller(entry: EntryOut, caller: &Principal) -> EntryOut {
    if caller.widget().is_some() { entry.with_clean_content() } else { entry }
}

/// An entry, or an old version of one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EntryVersion")]
pub(crate) struct EntryVersionOut {
    #[serde(flatten)]
    pub(crate) entry: EntryOut,
    /// Whether the path holds this version now; only where a version was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<bool>,
}

/// A page of entries, and the question it answers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EntryList")]
pub(crate) struct EntryListOut {
    #[serde(flatten)]
    pub(crate) page: PageOut<EntryItemOut>,
    /// `q`, as it was asked; null without one.
    pub(crate) query: Option<String>,
}
