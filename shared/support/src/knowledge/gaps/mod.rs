//! Knowledge gaps: the questions that the wiki does not answer. The rules are in [`domain::gaps`].
//!
//! A change of the table adds an unanswered question to its gap once, and makes a review due if the wiki changed. A
//! review asks gaps again, so that they close and open by themselves. Trainers dismiss and reopen gaps. The material on
//! a gap is the customers' questions and the messages of people to them, of which a draft can be made.
//!
//! - [`api`]: the endpoints that list, show, dismiss and reopen gaps.
//! - [`table`]: gaps and their review, as they are stored.

pub mod api;
pub mod table;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use answer::Question;
use answer::search::VisibilityFilter;
use domain::change::{Change, Subject};
use domain::gaps::{GapTriage, UnansweredQuestion, gap_id_for, reviewed, triaged};
use domain::models::{
    AnswerVisibility, ChangeAction, Channel, Draft, DraftId, DraftQuote, Gap, GapExample, GapId, GapStatus, MessageId,
    Scope, SessionId, Settings, Source, Timestamp, Turn, TurnRole, Visibility, WikiPath,
};
use domain::{Error, Result, limits};
use futures::future::try_join_all;
use futures::{StreamExt, stream};
use schemars::JsonSchema;
use serde::Serialize;
use text::dialogue::{Intent, MatchContext, analyse, without_human_requests};
use text::privacy;

use crate::edge::App;
use crate::table::Store;

/// Applies a change to gaps; idempotent.
///
/// # Errors 503 if the table does not answer.
pub async fn follow(store: &Store, change: &Change) -> Result<()> {
    match &change.subject {
        Subject::Turn { session_id, old: None, new: Some(turn) } if is_gap(turn) => {
            add_unanswered_question(store, &change.scope, session_id, turn).await
        }
        Subject::Entry { old, new, .. } if old.entry != new.entry => store.gaps().schedule_review(&change.scope).await,
        Subject::Settings { old, new } if affects_answers(old, new) => {
            store.gaps().schedule_review(&change.scope).await
        }
        _ => Ok(()),
    }
}

fn is_gap(turn: &Turn) -> bool {
    turn.ai().is_some_and(|ai| ai.unanswered)
}

/// Whether the same wiki may answer otherwise by these settings.
fn affects_answers(old: &Settings, new: &Settings) -> bool {
    let deciding = |s: &Settings| (s.language, s.answer_visibility, s.widget_answer_visibility);
    deciding(old) != deciding(new) || (old.no_match_threshold - new.no_match_threshold).abs() > f64::EPSILON
}

async fn add_unanswered_question(store: &Store, scope: &Scope, session_id: &SessionId, answer: &Turn) -> Result<()> {
    let sessions = store.sessions();
    let Some(session) = sessions.get(scope, session_id).await? else { return Ok(()) };
    let language = store.settings().get(scope).await?.language;
    let asked = sessions.list_answered_by(scope, session_id, answer).await?;
    let mut known: HashSet<(u32, GapId)> = HashSet::new();
    for (turn, part, text) in unanswered(&asked, answer) {
        let Some(gap_id) = gap_id_for(language, &text) else { continue };
        // One turn counts once, however often it says the same.
        if !known.insert((turn.number, gap_id.clone())) {
            continue;
        }
        let asked = UnansweredQuestion {
            gap_id,
            session_id: session_id.clone(),
            message_id: turn.message_id.clone(),
            turn: turn.number,
            part,
            at: turn.created_at,
            text,
            sources: nearest_sources(answer),
            by_widget: session.channel == Channel::Widget,
        };
        store.gaps().add_question(scope, &asked).await?;
    }
    // A session that was erased meanwhile took its examples with it before this one was there.
    if sessions.get(scope, session_id).await?.is_none() {
        store.gaps().erase_session(scope, session_id).await?;
    }
    Ok(())
}

/// The questions that `answer` leaves open, with their turns among `asked` and their places among the answer's open
/// questions: of several questions those without an answer, in each turn that asks them, else the turns as they are written.
fn unanswered<'a>(asked: &'a [Turn], answer: &Turn) -> Vec<(&'a Turn, u32, String)> {
    let missing = answer.missing();
    if missing.is_empty() {
        // Neither small talk nor a request for a human is a question to the wiki.
        let is_small_talk =
            |turn: &&Turn| matches!(analyse(&turn.content, &MatchContext::default()).intent, Intent::SmallTalk(_));
        let questions = asked.iter().filter(|turn| !is_small_talk(turn));
        return questions.map(|turn| (turn, 0, without_human_requests(&turn.content))).collect();
    }
    let asks = |text: &String| {
        let turns: Vec<&Turn> = asked.iter().filter(|turn| turn.content.contains(text)).collect();
        if turns.is_empty() { asked.last().into_iter().collect() } else { turns }
    };
    let questions = (0..).zip(missing);
    questions.flat_map(|(part, text)| asks(text).into_iter().map(move |turn| (turn, part, text.clone()))).collect()
}

/// The entries near what an answer leaves open, first those that it was not made from.
fn nearest_sources(answer: &Turn) -> Vec<Source> {
    let mut sources = answer.sources().to_vec();
    sources.sort_by_key(|source| source.used);
    sources
}

/// The most questions of a gap that are shown, and the newest among which they are looked for.
pub(crate) const MAX_QUESTIONS: usize = 100;
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

/// A person's reply to a customer who had asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "GapResolution")]
pub(crate) struct Resolution {
    /// The session.
    pub session_id: SessionId,
    /// The person's message.
    pub message_id: MessageId,
    /// Its text, with personal data masked.
    pub content: String,
}

/// The material on a gap.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GapMaterial {
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
pub(crate) async fn material(store: &Store, scope: &Scope, id: &GapId) -> Result<Option<GapMaterial>> {
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
pub(crate) const MAX_EXAMPLES: usize = 5;
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
    pub(crate) fn draft(&self, path: WikiPath, draft_id: DraftId, by: String, now: Timestamp) -> Draft {
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
pub(crate) async fn free_path(store: &Store, scope: &Scope, gap: &Gap) -> Result<WikiPath> {
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

/// Gaps asked in one batch.
const BATCH_SIZE: usize = 40;
/// Gaps asked at a time.
const CONCURRENCY: usize = 8;
/// After so long, in milliseconds, a review leaves the rest to the next sweep.
const REVIEW_BUDGET_MS: i64 = 10_000;
/// How long the index may take for one question, in milliseconds.
const QUESTION_TIMEOUT_MS: i64 = 5_000;

/// Goes on with a tenant's review, if one is due.
///
/// A gap that a later entry answers closes, and one whose answer was deleted opens. A review walks all gaps that were
/// asked in the last 90 days, open ones first, newest first, in batches. It stores its position after each batch, so
/// the next sweep continues there. If the wiki changes meanwhile, the review starts again at its end.
///
/// # Errors
/// 503 if table or index do not answer; then it is due still, from where it stood.
pub(crate) async fn review(app: &App, scope: &Scope) -> Result<()> {
    let gaps = app.store.gaps();
    let until = app.runtime.now().plus_millis(REVIEW_BUDGET_MS);
    let Some(mut review) = gaps.get_review(scope).await? else { return Ok(()) };
    if review.due_at > app.runtime.now() {
        return Ok(());
    }
    let settings = app.store.settings().get(scope).await?;
    loop {
        if review.is_at_start() && !gaps.begin_review(scope, &mut review).await? {
            return Ok(());
        }
        let batch = gaps.list_to_review(scope, &review, BATCH_SIZE).await?;
        review_batch(app, scope, &settings, batch.gaps).await?;
        match batch.next {
            Some(place) => review.place = Some(place),
            None if gaps.end_review(scope, &review).await? => return Ok(()),
            // The wiki changed meanwhile: from the start.
            None => review.place = None,
        }
        let over = app.runtime.now() >= until;
        if !gaps.save_cursor(scope, &mut review).await? || over {
            return Ok(());
        }
    }
}

async fn review_batch(app: &App, scope: &Scope, settings: &Settings, gaps: Vec<Gap>) -> Result<()> {
    let asked = stream::iter(gaps).map(|gap| async move { review_gap(app, scope, settings, gap).await });
    let results: Vec<Result<()>> = asked.buffer_unordered(CONCURRENCY).collect().await;
    results.into_iter().collect()
}

/// Asks one gap in its first wording. One whose wordings were all erased stays as it is.
async fn review_gap(app: &App, scope: &Scope, settings: &Settings, gap: Gap) -> Result<()> {
    let Some(query) = &gap.query else { return Ok(()) };
    let question = Question {
        scope,
        text: &query.text,
        history: &[],
        language: settings.language,
        synonyms: &settings.synonyms,
        visibility: visibility(settings, &gap),
        threshold: settings.no_match_threshold,
        handover_note: None,
        deadline: app.runtime.now().plus_millis(QUESTION_TIMEOUT_MS),
    };
    let found = app.engine()?.nearest(&question).await?;
    match reviewed(&gap, &found, settings.no_match_threshold, app.runtime.now()) {
        Some(after) => app.store.gaps().replace(scope, &gap, &after).await.map(drop),
        None => Ok(()),
    }
}

/// The entries that may answer in every session that asked.
fn visibility(settings: &Settings, gap: &Gap) -> VisibilityFilter {
    let public = (gap.by_widget && settings.widget_answer_visibility == AnswerVisibility::Public)
        || (gap.by_others && settings.answer_visibility == AnswerVisibility::Public);
    if public { VisibilityFilter::Only(Visibility::Public) } else { VisibilityFilter::All }
}

/// Dismisses a gap or opens it again; the gap after that. What is so already changes nothing.
///
/// A gap that was dismissed was not asked again when the wiki changed, so opening it makes a review due.
///
/// # Errors
/// 404 for one that does not exist, 409 `INVALID_STATE` for opening what was not dismissed, 503 if the table does
/// not answer.
pub(crate) async fn triage(store: &Store, scope: &Scope, id: &GapId, triage: GapTriage) -> Result<Gap> {
    let gaps = store.gaps();
    let missing = || Error::not_found("knowledge gap");
    let seen = gaps.get(scope, id).await?.ok_or_else(missing)?;
    // Due before it is open: a request that dies in between leaves a review too many, never one too few.
    if triage == GapTriage::Open && seen.status == GapStatus::Dismissed {
        gaps.schedule_review(scope).await?;
    }
    gaps.update(scope, id, |gap| triaged(gap, triage)).await?.ok_or_else(missing)
}
