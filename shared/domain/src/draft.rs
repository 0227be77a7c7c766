//! Changes of the wiki that nobody has published, drafts among them, which ground nothing and are found by no search; and
//! the pinned questions that every change is tried on.

use std::borrow::Cow;
use std::collections::BTreeSet;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::gaps::masked_question;
use crate::models::{DraftId, GapId, PinId, SessionId, Timestamp, Visibility, WikiEntry, WikiPath};

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

wire_enum! {
    /// What an import does if the path holds another entry.
    pub enum OnConflict {
        /// The entry stays.
        Skip => "skip",
        /// The entry is replaced.
        Overwrite => "overwrite",
        /// The entry stays, and a draft proposes the change.
        Draft => "draft",
    }
}

wire_enum! {
    /// What became of an item of an import.
    pub enum ImportAction {
        /// The path held no entry.
        Created => "created",
        /// The entry was replaced.
        Updated => "updated",
        /// The entry was the same.
        Unchanged => "unchanged",
        /// The entry is another one, and stays.
        Skipped => "skipped",
        /// A draft proposes the change.
        Drafted => "drafted",
        /// See `error`.
        Failed => "failed",
    }
}

/// The most open drafts of a tenant and mode.
pub const MAX_OPEN_DRAFTS: u32 = 1_000;
/// How long a draft is kept after it was published or discarded, in days.
pub const DRAFT_KEPT_DAYS: i64 = 30;
/// The most drafts of a tenant and mode that are kept after they were published, and the most after they were discarded:
/// the newest.
pub const MAX_ENDED_DRAFTS: usize = 1_000;

wire_enum! {
    /// The status of a draft.
    pub enum DraftStatus {
        /// It waits.
        Open => "open",
        /// The entry is as it proposed.
        Published => "published",
        /// It was given up.
        Discarded => "discarded",
    }
}

/// Lines of a draft that a session said, as they stand in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftQuote {
    /// The session.
    pub session_id: SessionId,
    /// The lines. Those that say nothing are of nobody.
    pub text: String,
}

/// A proposed change of the wiki. It grounds no answer, and no search finds it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// Its id.
    pub draft_id: DraftId,
    /// The entry's path.
    pub path: WikiPath,
    /// The proposed kind of change.
    pub action: ChangeAction,
    /// The entry's title; null where the entry is to go. Empty where its words went with a session that was erased.
    pub title: Option<String>,
    /// The entry's text; null where the entry is to go. It lacks the words of sessions that were erased.
    pub content: Option<String>,
    /// Who may read the entry; null where the entry is to go.
    pub visibility: Option<Visibility>,
    /// The entry's tags.
    pub tags: Vec<String>,
    /// The version of the entry that it changes; null for a new entry.
    pub base_version: Option<u64>,
    /// The gap that it was made of; null where it was made of none.
    pub gap_id: Option<GapId>,
    /// Its status.
    pub status: DraftStatus,
    /// The key or member that made it.
    pub created_by: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Counts every change.
    pub version: u64,
    /// Quotations of customers, which no response has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub quotes: Vec<DraftQuote>,
}

impl Draft {
    /// An open draft by `by`, without a text.
    #[must_use]
    pub const fn new(draft_id: DraftId, path: WikiPath, action: ChangeAction, by: String, now: Timestamp) -> Self {
        Self {
            draft_id,
            path,
            action,
            title: None,
            content: None,
            visibility: None,
            tags: Vec::new(),
            base_version: None,
            gap_id: None,
            status: DraftStatus::Open,
            created_by: by,
            created_at: now,
            updated_at: now,
            version: 1,
            quotes: Vec::new(),
        }
    }

    /// Whether it is kept at `now`.
    #[must_use]
    pub fn is_kept(&self, now: Timestamp) -> bool {
        self.ends_at().is_none_or(|end| end > now)
    }

    /// When it is forgotten; never while it is open.
    #[must_use]
    pub fn ends_at(&self) -> Option<Timestamp> {
        (self.status != DraftStatus::Open).then(|| self.updated_at.plus_hours(DRAFT_KEPT_DAYS * 24))
    }

    /// The same without the lines of the quotes of which `of` says so. A line that somebody changed is theirs, and stays.
    #[must_use]
    pub fn without_quotes(mut self, of: impl Fn(&SessionId) -> bool) -> Self {
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.quotes).into_iter().partition(|quote| of(&quote.session_id));
        self.quotes = kept;
        let gone: BTreeSet<&str> = gone.iter().flat_map(DraftQuote::lines).collect();
        self.title = self.title.map(|text| without_lines(text, &gone));
        self.content = self.content.map(|text| without_lines(text, &gone));
        self.with_present_quotes()
    }

    /// The same without the quoted lines that its text no longer has.
    #[must_use]
    pub fn with_present_quotes(mut self) -> Self {
        let texts = [&self.title, &self.content].into_iter().flatten();
        let lines: BTreeSet<&str> = texts.flat_map(|text| text.lines()).map(str::trim).collect();
        for quote in &mut self.quotes {
            let present: Vec<&str> = quote.lines().filter(|line| lines.contains(line)).collect();
            quote.text = present.join("\n");
        }
        self.quotes.retain(|quote| !quote.text.is_empty());
        self
    }

    /// The entry as it proposes it in the place of `today`'s, for `by`; none if its texts are empty, or it proposes that
    /// the entry goes.
    #[must_use]
    pub fn applied_to(&self, today: &WikiEntry, visibility: Visibility, by: &str) -> Option<WikiEntry> {
        let filled = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        Some(WikiEntry {
            title: filled(&self.title)?,
            content: filled(&self.content)?,
            tags: self.tags.clone(),
            visibility,
            updated_by: by.to_owned(),
            ..today.clone()
        })
    }
}

impl DraftQuote {
    /// Its lines that say something.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.lines().map(str::trim).filter(|line| says_something(line))
    }
}

/// A text without the lines that equal one of `gone`; empty if the rest says nothing.
fn without_lines(text: String, gone: &BTreeSet<&str>) -> String {
    if !text.lines().any(|line| gone.contains(line.trim())) {
        return text;
    }
    let left: Vec<&str> = text.lines().filter(|line| !gone.contains(line.trim())).collect();
    if left.iter().any(|line| says_something(line)) { left.join("\n") } else { String::new() }
}

/// Whether a line has more than the marks of a quotation and of a list.
fn says_something(line: &str) -> bool {
    line.contains(|c: char| !matches!(c, '>' | '-') && !c.is_whitespace())
}

/// A draft as callers read it: without its quotations.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DraftOut(Draft);

impl JsonSchema for DraftOut {
    fn schema_name() -> Cow<'static, str> {
        Draft::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Draft::json_schema(generator)
    }
}

impl DraftOut {
    /// What is read.
    #[must_use]
    pub const fn draft(&self) -> &Draft {
        &self.0
    }
}

impl From<Draft> for DraftOut {
    fn from(draft: Draft) -> Self {
        Self(Draft { quotes: Vec::new(), ..draft })
    }
}

/// The most pins of a tenant and mode.
pub const MAX_PINS: u32 = 200;

/// A question that an entry is to answer. It goes with the entry's revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pin {
    /// Its id.
    pub pin_id: PinId,
    /// The entry.
    #[serde(rename = "entryPath")]
    pub path: WikiPath,
    /// On one line, with personal data masked.
    pub question: String,
    /// The key or member that made it.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
}

impl Pin {
    /// A question as somebody put it, as it is kept.
    #[must_use]
    pub fn new(pin_id: PinId, path: WikiPath, question: &str, created_by: String, created_at: Timestamp) -> Self {
        Self { pin_id, path, question: masked_question(question), created_by, created_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Runtime;

    fn draft(quotes: &[(&SessionId, &str)]) -> Draft {
        let runtime = Runtime::system();
        Draft {
            draft_id: DraftId::generate(&runtime).unwrap(),
            path: WikiPath::parse("a/b").unwrap(),
            action: ChangeAction::Create,
            title: Some("Where is it?".into()),
            content: Some("- Where is it?\n\n> At home.\n\n> In town.\n".into()),
            visibility: Some(Visibility::Internal),
            tags: Vec::new(),
            base_version: None,
            gap_id: None,
            status: DraftStatus::Open,
            created_by: "key_1".into(),
            created_at: Timestamp::from_millis(1),
            updated_at: Timestamp::from_millis(1),
            version: 1,
            quotes: quotes
                .iter()
                .map(|(id, text)| DraftQuote { session_id: (*id).clone(), text: (*text).to_owned() })
                .collect(),
        }
    }

    #[test]
    fn the_quotations_of_an_erased_session_go_and_those_of_others_stay() {
        let [one, other] = [(); 2].map(|()| SessionId::generate(&Runtime::system()).unwrap());
        let quoting = draft(&[(&one, "Where is it?"), (&one, "- Where is it?\n> At home."), (&other, "> In town.")]);
        let left = quoting.without_quotes(|session| *session == one);
        assert_eq!(left.title.as_deref(), Some(""));
        assert_eq!(left.content.as_deref(), Some("\n\n> In town."));
        assert_eq!(left.quotes.len(), 1);
        assert_eq!(left.without_quotes(|_| true).content.as_deref(), Some(""));
    }

    #[test]
    fn a_quote_that_another_begins_with_leaves_nothing_of_it_and_a_word_stays_elsewhere() {
        let one = SessionId::generate(&Runtime::system()).unwrap();
        let mut quoting = draft(&[(&one, "Hi"), (&one, "> Hi"), (&one, "> Hi Karin, your parcel is there.\n>\n> -")]);
        quoting.title = Some("Hi".into());
        quoting.content = Some("> Hi\n\n> Hi Karin, your parcel is there.\n>\n> -\n\nHi is how History begins.".into());
        let left = quoting.without_quotes(|_| true);
        assert_eq!(left.title.as_deref(), Some(""));
        assert_eq!(left.content.as_deref(), Some("\n>\n> -\n\nHi is how History begins."));
    }

    #[test]
    fn a_quote_that_was_rewritten_is_a_quote_no_more() {
        let one = SessionId::generate(&Runtime::system()).unwrap();
        let mut quoting = draft(&[(&one, "> At home."), (&one, "> In town.\n> Or at sea.")]);
        quoting.content = Some("> In town.\n> Or at lake.".into());
        let quotes = quoting.with_present_quotes().quotes;
        assert_eq!(quotes.iter().map(|quote| quote.text.as_str()).collect::<Vec<_>>(), ["> In town."]);
    }

    #[test]
    fn an_open_draft_is_kept_for_good_and_another_for_thirty_days() {
        let later = Timestamp::from_millis(1).plus_hours(30 * 24);
        assert!(draft(&[]).is_kept(later.plus_hours(1_000)));
        let ended = Draft { status: DraftStatus::Discarded, ..draft(&[]) };
        assert_eq!([later.plus_millis(-1), later].map(|at| ended.is_kept(at)), [true, false]);
    }
}
