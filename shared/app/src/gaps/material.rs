//! The material on a gap: the customers' questions, and the messages of people to them. A draft can be made of it.

use std::collections::{BTreeMap, BTreeSet};

use aws::store::Store;
use domain::Result;
use domain::limits;
use domain::models::{
    ChangeAction, Draft, DraftId, DraftQuote, Gap, GapExample, GapId, MessageId, Scope, SessionId, Timestamp, TurnRole,
    Visibility, WikiPath,
};
use futures::future::try_join_all;
use text::privacy;

/// The most questions of a gap that are shown, and the newest among which they are looked for.
pub const MAX_QUESTIONS: usize = 100;
const MAX_READ: usize = 300;
/// The sessions whose answers by people are read, those that asked last.
const MAX_SESSIONS: usize = 20;
/// The turns after a question among which such answers are looked for.
const TURNS_AFTER_QUESTION: usize = 50;
/// The most bytes that are read of a session.
const MAX_SESSION_BYTES: usize = 256 * 1024;
/// The most characters that a draft quotes.
const MAX_QUOTED_CHARS: usize = 12_000;
/// The most sessions that a draft quotes: each is two writes of the transaction that makes it, of a hundred.
const MAX_QUOTED_SESSIONS: usize = 40;
/// How many names are tried for the path of a draft.
const MAX_NAMES: u32 = 9;

/// A person's message to a customer who had asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolution {
    pub session_id: SessionId,
    /// The person's message.
    pub message_id: MessageId,
    /// Its text, masked.
    pub content: String,
}

/// The material on a gap.
#[derive(Debug, Clone, PartialEq)]
pub struct GapMaterial {
    pub gap: Gap,
    /// How customers put it, masked, newest first, each text once.
    pub questions: Vec<GapExample>,
    /// The messages of people to them, newest session first.
    pub resolutions: Vec<Resolution>,
}

/// The material on a gap; none if there is no such gap.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn material(store: &Store, scope: &Scope, id: &GapId) -> Result<Option<GapMaterial>> {
    let Some(gap) = store.gaps().get(scope, id).await? else { return Ok(None) };
    let mut questions = store.gaps().list_questions(scope, id, None, MAX_READ).await?;
    let mut seen = BTreeSet::new();
    let newest = questions.iter().filter(|question| seen.insert(question.session_id.clone())).take(MAX_SESSIONS);
    let read = newest
        .map(async |question| Result::Ok((question.session_id.clone(), resolutions(store, scope, question).await?)));
    let mut found: BTreeMap<_, _> = try_join_all(read).await?.into_iter().collect();
    let read: BTreeSet<SessionId> = found.keys().cloned().collect();
    // A session that was deleted is quoted no more, also before it is erased from the gap.
    questions.retain(|question| found.get(&question.session_id).is_none_or(Option::is_some));
    let resolutions = questions.iter().filter_map(|question| found.remove(&question.session_id)?).flatten().collect();
    keep_each_text_once(&mut questions, MAX_QUESTIONS);
    let others = questions.iter().map(|question| &question.session_id).filter(|id| !read.contains(id));
    let others: BTreeSet<SessionId> = others.cloned().collect();
    let there = store.sessions().list_existing(scope, &others).await?;
    questions.retain(|question| !others.contains(&question.session_id) || there.contains(&question.session_id));
    Ok(Some(GapMaterial { gap, questions, resolutions }))
}

/// The most wordings of a gap in a list.
pub const MAX_EXAMPLES: usize = 5;
/// The questions among which they are looked for.
const EXAMPLES_READ: usize = 20;

/// Some wordings of each gap, newest first, each text once.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn examples(store: &Store, scope: &Scope, gaps: &[Gap]) -> Result<Vec<Vec<String>>> {
    let of = async |gap: &Gap| {
        let mut questions = store.gaps().list_questions(scope, &gap.gap_id, None, EXAMPLES_READ).await?;
        keep_each_text_once(&mut questions, MAX_EXAMPLES);
        Result::Ok(questions.into_iter().map(|question| question.text).collect())
    };
    try_join_all(gaps.iter().map(of)).await
}

/// Keeps the first question of each text, at most `most`.
fn keep_each_text_once(questions: &mut Vec<GapExample>, most: usize) {
    let mut texts = BTreeSet::new();
    questions.retain(|question| texts.insert(question.text.clone()));
    questions.truncate(most);
}

/// The messages of people in a session after a question; none if the session is gone. Internal notes are left out.
async fn resolutions(store: &Store, scope: &Scope, question: &GapExample) -> Result<Option<Vec<Resolution>>> {
    let (sessions, id) = (store.sessions(), &question.session_id);
    let after = question.message_id.turn_number();
    let turns = sessions.list_turns_after(scope, id, after, Some(TURNS_AFTER_QUESTION), MAX_SESSION_BYTES);
    let (session, page) = futures::try_join!(sessions.get(scope, id), turns)?;
    if session.is_none() {
        return Ok(None);
    }
    let written = page.turns.into_iter().filter(|turn| turn.role() == TurnRole::Agent && !turn.is_internal());
    let resolution = |turn: domain::models::Turn| Resolution {
        session_id: id.clone(),
        message_id: turn.message_id,
        content: privacy::mask(&turn.content),
    };
    Ok(Some(written.map(resolution).collect()))
}

impl GapMaterial {
    /// A draft of a new entry that quotes the questions and what people wrote to those customers.
    #[must_use]
    pub fn draft(&self, path: WikiPath, draft_id: DraftId, by: String, now: Timestamp) -> Draft {
        let mut quotes: Vec<DraftQuote> = Vec::new();
        let mut blocks: Vec<String> = Vec::new();
        let mut left = MAX_QUOTED_CHARS;
        // The title quotes the question that came first.
        let mut quoted_sessions: BTreeSet<SessionId> =
            self.questions.last().map(|it| it.session_id.clone()).into_iter().collect();
        let mut quote = |session_id: &SessionId, text: String| {
            let chars = text.chars().count();
            let is_other = !quoted_sessions.contains(session_id);
            if chars > left || (is_other && quoted_sessions.len() == MAX_QUOTED_SESSIONS) {
                return;
            }
            quoted_sessions.insert(session_id.clone());
            left -= chars;
            blocks.push(text.clone());
            quotes.push(DraftQuote { session_id: session_id.clone(), text });
        };
        for resolution in &self.resolutions {
            quote(&resolution.session_id, quoted(&resolution.content));
        }
        for question in &self.questions {
            quote(&question.session_id, listed(&question.text));
        }
        Draft {
            title: Some(self.title()),
            content: Some(blocks.join("\n\n")),
            visibility: Some(Visibility::Internal),
            gap_id: Some(self.gap.gap_id.clone()),
            quotes: self.with_title(quotes),
            ..Draft::new(draft_id, path, ChangeAction::Create, by, now)
        }
    }

    fn title(&self) -> String {
        let asked = self.questions.last().map(|question| question.text.as_str()).unwrap_or_default();
        one_line(asked).chars().take(limits::ENTRY_TITLE.max).collect()
    }

    /// The title quotes the question that came first.
    fn with_title(&self, mut quotes: Vec<DraftQuote>) -> Vec<DraftQuote> {
        let first = self.questions.last().map(|question| question.session_id.clone());
        quotes.extend(first.map(|session_id| DraftQuote { session_id, text: self.title() }));
        quotes
    }
}

/// A text as a quotation in Markdown.
fn quoted(text: &str) -> String {
    text.trim().lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A text as an item of a list in Markdown.
fn listed(text: &str) -> String {
    format!("- {}", one_line(text))
}

/// A text without its line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A path without an entry beside the one that is nearest to the gap. It says nothing of what customers asked, because a
/// path outlives their sessions.
///
/// # Errors
/// 503 if the table does not answer.
pub async fn free_path(store: &Store, scope: &Scope, gap: &Gap) -> Result<WikiPath> {
    let nearest = gap.nearest.as_ref().and_then(|nearest| nearest.path.as_str().rsplit_once('/'));
    let folder = nearest.map_or("gaps", |(folder, _)| folder);
    let name: String = gap.gap_id.as_str().chars().skip("gap_".len()).take(8).collect();
    let mut path = path_of("gaps", &format!("answer-{name}"))?;
    for number in 1..=MAX_NAMES {
        let ending = if number == 1 { String::new() } else { format!("-{number}") };
        path = path_of(folder, &format!("answer-{name}{ending}"))?;
        if store.wiki().get(scope, &path).await?.is_none() {
            break;
        }
    }
    Ok(path)
}

/// A path in a folder; in that of gaps if it would be too long.
fn path_of(folder: &str, name: &str) -> Result<WikiPath> {
    let path = WikiPath::parse(&format!("{folder}/{name}")).or_else(|_| WikiPath::parse(&format!("gaps/{name}")));
    path.map_err(|error| domain::Error::internal(error.0))
}
