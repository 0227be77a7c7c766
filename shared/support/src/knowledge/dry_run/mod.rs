//! Tries changes of the wiki on customers' questions. Each question is asked in its conversation as it stood, by the
//! engine that answers customers, once with the index as it is and once with the changes over it.
//!
//! No language model is asked, and nothing is written, counted or emitted but what keeps runs few. A run takes seconds
//! of a core, so it has a thread of its own, and ends if nobody waits for it any more. The file also has the cost of a
//! run, which the caller's quota pays, and a conversation before one of its questions, as far as it decides about the
//! answer.
//!
//! - [`questions`]: finds what to ask, and makes the changed entries.
//! - [`api`]: the endpoints of dry runs, and of the questions that are pinned to be tried on.
//! - [`table`]: pins, and the permits of runs, as they are stored.

pub mod api;
pub mod questions;
pub mod table;

use std::sync::Arc;

use answer::AnswerEngine;
use answer::embedding::{Embedder, RecentVectors};
use answer::search::{CandidateIndex, OverlayIndex};
use domain::access::Principal;
use domain::error::Code;
use domain::models::{
    Channel, Disposition, DryRunChange, GapId, MessageId, PinId, Scope, Session, SessionId, SessionState, Settings,
    SystemEvent, Timestamp, Turn, TurnBody, WikiEntry, WikiPath,
};
use domain::wire::SourceOut;
use domain::{Error, Result};
use futures::{StreamExt, TryStreamExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::{privacy, sanitise};
use tokio::runtime::Handle;
use tracing::Instrument;

use crate::edge::allowance::{Allowance, LEAST_DRY_RUN_TOKENS, LimitedAction};
use crate::knowledge::dry_run::api::ProposedChange;
use crate::knowledge::dry_run::questions::AskedQuestion;
use crate::sessions::conversation::ConversationService;
use crate::sessions::conversation::answering::{Handover, Verdict};
use crate::sessions::conversation::classification::declines_offer;
use crate::sessions::conversation::handover::escalation_after_answer;
use crate::sessions::conversation::pending_answer::HISTORY_TURNS;
use crate::sessions::table::lists::DayCursor;

/// Questions that are asked side by side.
const CONCURRENT_QUESTIONS: usize = 8;
/// The most questions of a run.
const MAX_QUESTIONS: usize = 100;
/// How long after its deadline a run that nobody ended counts as running, in milliseconds.
const END_MARGIN_MS: i64 = 5_000;

/// The outcome of a question.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct DryRunAnswer {
    /// Its outcome.
    pub disposition: Disposition,
    /// How likely the answer is in the wiki.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: f64,
    /// The nearest entries, those that the answer is made from first, at most 3.
    pub sources: Vec<SourceOut>,
    /// Markdown; empty where the wiki does not answer.
    pub answer: String,
    /// The wiki answers it, whatever else becomes of it.
    #[serde(skip)]
    is_answered: bool,
}

/// A question with and without the changes.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DryRunQuestion")]
pub(crate) struct DryRunItem {
    /// On one line, personal data masked, at most 500 characters.
    question: String,
    /// Where it was asked; absent of a text.
    session_id: Option<SessionId>,
    /// The customer's message.
    message_id: Option<MessageId>,
    /// By the wiki as it is.
    before: DryRunAnswer,
    /// By the wiki with the changes.
    after: DryRunAnswer,
    /// The effect of the changes on it.
    pub(crate) change: DryRunChange,
}

/// The effect of changes on a question, by its answers before and after them.
fn effect(before: &DryRunAnswer, after: &DryRunAnswer) -> DryRunChange {
    let first = |answer: &DryRunAnswer| answer.sources.first().map(|source| (source.path.clone(), source.used));
    match (before.is_answered, after.is_answered) {
        (false, true) => DryRunChange::Gained,
        (true, false) => DryRunChange::Lost,
        _ if before.disposition == after.disposition && first(before) == first(after) => DryRunChange::Same,
        _ => DryRunChange::Other,
    }
}

/// The questions of one call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DryRunPage {
    /// At most as many as asked for.
    pub items: Vec<DryRunItem>,
    /// Where the next call goes on.
    pub next: Option<DryRunPlace>,
    /// A language model answers customers: what becomes of a question is also its doing.
    pub(crate) relies_on_model: bool,
}

/// Asks questions with and without changes, unless `gone` returns before. A caller runs one at a time, and a tenant
/// two.
///
/// # Errors
/// 429 while others are running, and if the quota has not what the run costs; 413 for more questions than so large
/// changes may be tried on; 404 for a change of an entry that does not exist and for an unknown gap, 409 for a new
/// entry at a path that has one, 503 if table or index do not answer.
pub(crate) async fn run(
    service: &ConversationService,
    caller: &Principal,
    allowance: &Allowance,
    run: DryRun,
    gone: impl Future<Output = ()> + Send + 'static,
) -> Result<DryRunPage> {
    let (service, scope, principal) = (service.clone(), caller.scope().clone(), caller.name());
    let (allowance, span, handle) = (allowance.clone(), tracing::Span::current(), Handle::current());
    let work = move || {
        let run = run_alone(&service, &scope, &principal, &allowance, run, gone);
        handle.block_on(run.instrument(span))
    };
    let ended = tokio::task::spawn_blocking(work).await;
    ended.unwrap_or_else(|error| Err(Error::internal(format!("a dry run ended without an answer: {error}"))))
}

/// Runs while the permit of `principal` is held, which nobody but this run gives back.
async fn run_alone(
    service: &ConversationService,
    scope: &Scope,
    principal: &str,
    allowance: &Allowance,
    run: DryRun,
    gone: impl Future<Output = ()>,
) -> Result<DryRunPage> {
    let dry_runs = service.store.dry_runs();
    let deadline = service.deadline(service.runtime.now());
    let running = dry_runs.begin(&scope.tenant, principal, deadline.plus_millis(END_MARGIN_MS)).await?;
    let done = tokio::select! {
        biased;
        () = gone => Err(Error::unavailable("nobody waits for the dry run any more")),
        done = asked(service, scope, allowance, run, deadline) => done,
    };
    dry_runs.end(&scope.tenant, running).await;
    done
}

async fn asked(
    service: &ConversationService,
    scope: &Scope,
    allowance: &Allowance,
    run: DryRun,
    deadline: Timestamp,
) -> Result<DryRunPage> {
    let settings = service.store.settings().get(scope).await?;
    let changed = service.changed_entries(scope, &run.changes).await?;
    let size = ChangedKib::of(&changed);
    let most = match &run.questions {
        // Each of them is named, so none is left for the next run unasked.
        QuestionSource::Texts(_) => MAX_QUESTIONS,
        _ => size.most_questions().min(MAX_QUESTIONS),
    };
    let limit = run.limit.unwrap_or(most);
    let (asked, next) = service.questions(scope, &settings, (&run, limit), deadline).await?;
    let more_tokens = size.tokens(asked.len())?.saturating_sub(LEAST_DRY_RUN_TOKENS);
    if more_tokens > 0 {
        // It is never given back: a run that fails has cost as much.
        allowance.trying(LimitedAction::LargeDryRun { tokens: more_tokens }).count().await?;
    }
    let changed = service.indexed(scope, &settings, &changed, deadline).await?;
    let embedder =
        service.engine.embedder.as_ref().map(|model| model.remembering(&service.remembered::<RecentVectors>()));
    let before = with_index(service, Arc::clone(&service.engine.index), embedder.clone());
    let paths: Vec<WikiPath> = run.changes.into_iter().map(|change| change.path).collect();
    let overlay = OverlayIndex::new(service.engine.index.as_ref(), scope.clone(), &paths, changed);
    let after = with_index(service, Arc::new(overlay), embedder);
    let items = futures::stream::iter(asked)
        .map(async |question| {
            // The run ends between two questions if nobody waits any more: an index may answer without a wait.
            tokio::task::yield_now().await;
            if service.runtime.now() >= deadline {
                return Err(Error::unavailable("a dry run took too long; ask for fewer questions at once"));
            }
            compare(&before, &after, question).await
        })
        .buffered(CONCURRENT_QUESTIONS)
        .try_filter_map(async |item| Ok(item))
        .try_collect()
        .await?;
    Ok(DryRunPage { items, next, relies_on_model: service.has_model })
}

/// The service over another index.
fn with_index(
    service: &ConversationService,
    index: Arc<dyn CandidateIndex>,
    embedder: Option<Embedder>,
) -> ConversationService {
    ConversationService { engine: AnswerEngine { index, embedder, ..service.engine.clone() }, ..service.clone() }
}

/// None for what a customer said if it is small talk or a request for a human, which the wiki answers neither with nor
/// without the changes.
async fn compare(
    before: &ConversationService,
    after: &ConversationService,
    question: AskedQuestion,
) -> Result<Option<DryRunItem>> {
    // One after the other: the second finds the vectors of the first.
    let was = before.dry_answer(&question).await?;
    let will_be = after.dry_answer(&question).await?;
    let AskedQuestion { question, asked_in, understanding, .. } = question;
    let is_no_question = |answer: &DryRunAnswer| match understanding.is_unsure_request {
        true => !answer.is_answered,
        false => answer.disposition == Disposition::SmallTalk,
    };
    let is_left_out = asked_in.is_some() && [&was, &will_be].into_iter().all(is_no_question);
    let change = effect(&was, &will_be);
    let (session_id, message_id) = asked_in.unzip();
    let item = DryRunItem { question, session_id, message_id, before: was, after: will_be, change };
    Ok((!is_left_out).then_some(item))
}

impl ConversationService {
    /// The answer to a question. Nothing of it is stored.
    async fn dry_answer(&self, asked: &AskedQuestion) -> Result<DryRunAnswer> {
        let AskedQuestion { attempt, session, understanding, .. } = asked;
        let found = self.retrieve(attempt, session, understanding).await;
        let (mut answer, _) = self.make_answer(attempt, session, understanding, found).await;
        // The customer's words, which an answer repeats if it leaves them open.
        for words in answer.missing.iter_mut().chain(&mut answer.left_out) {
            *words = privacy::mask(words);
        }
        if answer.failure.is_some() {
            return Err(Error::unavailable("the index did not answer a dry run"));
        }
        let voice = understanding.voice(session, &attempt.settings, self.runtime.now());
        let verdict = Verdict::new(answer, understanding.clone(), voice);
        let escalates = escalation_after_answer(session, &attempt.settings, &verdict).is_some();
        let is_answered = verdict.answer.disposition == Disposition::Answered;
        let text = if is_answered { sanitise::shown(&verdict.fixed_texts(Handover::None).0) } else { String::new() };
        Ok(DryRunAnswer {
            disposition: if escalates { Disposition::Escalated } else { verdict.answer.disposition },
            confidence: verdict.answer.confidence,
            sources: verdict.answer.sources.into_iter().map(Into::into).collect(),
            answer: text,
            is_answered,
        })
    }
}

/// The source of the questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum QuestionSource {
    /// Those of a knowledge gap.
    Gap(GapId),
    /// Those of the last days whose answer was made from an entry.
    Entry {
        /// The entry.
        path: WikiPath,
        /// How many days, from now.
        days: u32,
    },
    /// Those of sessions of the last days.
    Days(u32),
    /// These, each as the first message of a conversation.
    Texts(Vec<String>),
    /// The pinned ones, each as the first message of a conversation.
    Pins,
}

/// A dry run as it is asked for.
#[derive(Debug, Clone)]
pub(crate) struct DryRun {
    /// 1-20, each of another path.
    pub changes: Vec<ProposedChange>,
    pub questions: QuestionSource,
    /// Where questions without a session are asked.
    pub channel: Channel,
    /// How many questions at most, 1-100; none: as many of 100 as one run may ask.
    pub limit: Option<usize>,
    /// Where the questions go on; none: at the first.
    pub from: Option<DryRunPlace>,
}

/// Where the questions go on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum DryRunPlace {
    /// With what is before this message.
    #[serde(rename = "m")]
    Message(MessageId),
    /// With the pins after this one.
    #[serde(rename = "p")]
    Pin(PinId),
    /// With the question of this number, from 0.
    #[serde(rename = "n")]
    Number(usize),
    /// With the sessions of a list from here on.
    #[serde(rename = "d")]
    Day(DayCursor),
    /// Within a session of that list: before the turn of this number.
    #[serde(rename = "s")]
    Session(DayCursor, SessionId, u32),
}

/// The most that one run may cost, in questions × KiB: a few seconds of a core.
///
/// Each question is asked over the text of all changed entries, so the cost is their product.
const MAX_COST: usize = 16 * 1_024;
/// Questions × KiB that one token of the quota pays for.
const COST_OF_TOKEN: usize = 64;

/// The size of the changes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangedKib(usize);

impl ChangedKib {
    /// The text of the changed entries, at least 1.
    pub(crate) fn of(entries: &[WikiEntry]) -> Self {
        let bytes: usize = entries.iter().map(|entry| entry.title.len() + entry.content.len()).sum();
        Self(bytes.div_ceil(1_024).max(1))
    }

    /// The most questions of one run, at least 1.
    const fn most_questions(self) -> usize {
        let most = MAX_COST / self.0;
        if most == 0 { 1 } else { most }
    }

    /// The tokens that a run of so many questions costs.
    ///
    /// # Errors
    /// 413 for more than [`Self::most_questions`].
    pub(crate) fn tokens(self, questions: usize) -> Result<u32> {
        let most = self.most_questions();
        if questions > most {
            let message = format!("Changes of {} KiB are tried on at most {most} questions at once.", self.0);
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        let tokens = self.0.saturating_mul(questions).div_ceil(COST_OF_TOKEN);
        Ok(u32::try_from(tokens).unwrap_or(u32::MAX).max(LEAST_DRY_RUN_TOKENS))
    }
}

/// The newest of the turns before a question that an answer looks at.
pub(crate) fn recent(before: &[Turn]) -> Vec<Turn> {
    before.get(before.len().saturating_sub(usize::from(HISTORY_TURNS))..).unwrap_or_default().to_vec()
}

/// `session` after the turns `before`, oldest first, while the AI had it: how often it had answered since then, and how
/// often in a row without an answer.
pub(crate) fn session(session: &Session, settings: &Settings, before: &[Turn]) -> Session {
    let is_end = |turn: &&Turn| {
        matches!(
            turn.event(),
            Some(SystemEvent::HandoverEnded | SystemEvent::Resumed | SystemEvent::AgentLeft | SystemEvent::ClaimLapsed)
        )
    };
    let since = before.iter().rev().find(is_end).map_or(0, |turn| turn.number);
    let last = before.last().map_or(0, |turn| turn.number);
    let reads_after = session.ai_reads_after_turn;
    let was_ended_by_person = before.iter().any(is_end_by_person);
    let was = Session {
        state: SessionState::AI,
        turn_count: last,
        ai_since_turn: since,
        ai_reads_after_turn: if reads_after <= last { reads_after } else { 0 },
        last_human_part: session.last_human_part.clone().filter(|_| was_ended_by_person),
        ..session.clone()
    };
    let turns = before.iter().filter(|turn| turn.number > since);
    let counted = turns.filter(|turn| !turn.is_said_while_waiting());
    let answers = || counted.clone().filter_map(|turn| Some((turn.number, turn.ai()?.disposition)));
    let is_answer = |(_, disposition): &(u32, Disposition)| *disposition != Disposition::SmallTalk;
    let ends_misses = |(number, disposition): &(u32, Disposition)| match disposition {
        Disposition::NoAnswer => false,
        Disposition::SmallTalk => is_no_to_offer(&was, settings, before, *number),
        _ => true,
    };
    let in_a_row = answers().rev().take_while(|answer| !ends_misses(answer)).filter(is_answer).count();
    Session { ai_turns: number(answers().filter(is_answer).count()), no_answer_streak: number(in_a_row), ..was }
}

/// Whether an agent resolved the session there, or handed it back.
fn is_end_by_person(turn: &Turn) -> bool {
    let TurnBody::System(ended) = &turn.body else { return false };
    ended.agent.is_some() && matches!(ended.event, SystemEvent::HandoverEnded | SystemEvent::Closed)
}

/// Whether small talk answers a no to the offer of a human, which ends the misses in a row.
fn is_no_to_offer(session: &Session, settings: &Settings, turns: &[Turn], answer: u32) -> bool {
    let is_asked = |turn: &Turn| turn.answered_by() == Some(answer);
    let Some(first) = turns.iter().position(is_asked) else { return false };
    let (before, after) = turns.split_at(first);
    let written = after.iter().rev().find(|turn| is_asked(turn)).map_or("", |turn| turn.content.as_str());
    declines_offer(session, settings, before, written)
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use domain::models::{Timestamp, WikiPath};

    use super::*;

    fn kib(bytes: &[usize]) -> ChangedKib {
        let entry = |bytes: &usize| WikiEntry {
            content: "x".repeat(*bytes),
            ..WikiEntry::begun(WikiPath::parse("a/b").unwrap(), "key", Timestamp::from_millis(1))
        };
        ChangedKib::of(&bytes.iter().map(entry).collect::<Vec<_>>())
    }

    #[test]
    fn a_run_costs_the_product_of_its_questions_and_the_size_of_its_changes() {
        for (bytes, questions, tokens) in [
            (&[][..], 100, Some(4)),
            (&[1_024], 100, Some(4)),
            (&[1_025], 100, Some(4)),
            (&[4_096], 100, Some(7)),
            (&[2_048, 2_048], 100, Some(7)),
            (&[160 * 1_024], 100, Some(250)),
            (&[200 * 1_024], 81, Some(254)),
            (&[200 * 1_024], 82, None),
            (&[1_024 * 1_024], 16, Some(256)),
            (&[1_024 * 1_024], 17, None),
        ] {
            assert_eq!(kib(bytes).tokens(questions).ok(), tokens, "{bytes:?} {questions}");
        }
        assert_eq!(kib(&[200 * 1_024]).most_questions(), 81);
    }
}
