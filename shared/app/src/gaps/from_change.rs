//! The effect of a change of the table on gaps: an unanswered question is recorded once, and a changed wiki makes a
//! review due.

use std::collections::HashSet;

use aws::store::Store;
use domain::Result;
use domain::change::{Change, Subject};
use domain::gaps::{UnansweredQuestion, gap_id_for};
use domain::models::{Channel, GapId, Scope, SessionId, Settings, Source, Turn};
use text::dialogue::{Intent, MatchContext, analyse, without_human_requests};

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
    let mut known: HashSet<GapId> = HashSet::new();
    for (turn, part, text) in unanswered(&asked, answer) {
        let Some(gap_id) = gap_id_for(language, &text) else { continue };
        let is_new = known.insert(gap_id.clone());
        if part > 0 && !is_new {
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

/// The questions that `answer` leaves open, with their turns among `asked` and their places among the turn's questions: of
/// several in one message those without an answer, else the turns as they are written.
fn unanswered<'a>(asked: &'a [Turn], answer: &Turn) -> Vec<(&'a Turn, u32, String)> {
    let missing = answer.missing();
    if missing.is_empty() {
        // Neither small talk nor a request for a human is a question to the wiki.
        let is_small_talk =
            |turn: &&Turn| matches!(analyse(&turn.content, &MatchContext::default()).intent, Intent::SmallTalk(_));
        let questions = asked.iter().filter(|turn| !is_small_talk(turn));
        return questions.map(|turn| (turn, 0, without_human_requests(&turn.content))).collect();
    }
    let turn_of = |text: &String| asked.iter().find(|turn| turn.content.contains(text)).or(asked.last());
    let questions = (0..).zip(missing);
    questions.filter_map(|(part, text)| Some((turn_of(text)?, part, text.clone()))).collect()
}

/// The entries near what an answer leaves open, first those that it was not made from.
fn nearest_sources(answer: &Turn) -> Vec<Source> {
    let mut sources = answer.sources().to_vec();
    sources.sort_by_key(|source| source.used);
    sources
}
