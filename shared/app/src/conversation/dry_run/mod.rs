//! Tries changes of the wiki on customers' questions. Each question is asked in its conversation as it stood, by the
//! engine that answers customers, once with the index as it is and once with the changes over it.
//!
//! `request` is what a caller wants to know. `changes` makes the changed entries, `questions` finds what to ask,
//! `history` is a conversation before one of its questions, `cost` is what the caller's quota pays. No language model
//! is asked, and nothing is written, counted or emitted but what keeps runs few: a run takes seconds of a core, so it has a
//! thread of its own, and ends if nobody waits for it any more.

mod changes;
mod cost;
mod history;
mod questions;
mod request;

use std::sync::Arc;

use futures::{StreamExt, TryStreamExt};
use tokio::runtime::Handle;
use tracing::Instrument;

use self::cost::ChangedKib;
use self::questions::AskedQuestion;
use crate::allowance::{Allowance, LEAST_DRY_RUN_TOKENS, LimitedAction};
use crate::conversation::ConversationService;
use crate::conversation::triggers::escalation_after_answer;
use crate::conversation::verdict::{Handover, Verdict};
use crate::provider::{ClientProvider, ranking_engine};
use answer::AnswerEngine;
use answer::embedding::{Embedder, RecentVectors};
use answer::search::{CandidateIndex, OverlayIndex};
use domain::access::Principal;
use domain::models::{Disposition, DryRunChange, MessageId, Scope, SessionId, Source, Timestamp, WikiPath};
use domain::{Error, Result};
use text::{privacy, sanitise};

pub use request::{DryRun, DryRunPlace, QuestionSource};

/// Questions that are asked side by side.
const CONCURRENT_QUESTIONS: usize = 8;
/// The most questions of a run.
const MAX_QUESTIONS: usize = 100;
/// How long after its deadline a run that nobody ended counts as running, in milliseconds.
const END_MARGIN_MS: i64 = 5_000;

/// The answer to a question.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRunAnswer {
    /// The outcome of the question.
    pub disposition: Disposition,
    /// Calibrated, 0-1.
    pub confidence: f64,
    /// The nearest entries, at most 3.
    pub sources: Vec<Source>,
    /// The answer; empty if there is none.
    pub answer: String,
    /// The wiki answers it, whatever else becomes of it.
    is_answered: bool,
}

/// A question with and without the changes.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRunItem {
    /// Masked, at most 500 characters.
    pub question: String,
    /// Where it was asked, and the customer's message.
    pub asked_in: Option<(SessionId, MessageId)>,
    /// By the wiki as it is.
    pub before: DryRunAnswer,
    /// By the wiki with the changes.
    pub after: DryRunAnswer,
}

impl DryRunItem {
    /// The effect of the changes on it.
    #[must_use]
    pub fn change(&self) -> DryRunChange {
        let (before, after) = (&self.before, &self.after);
        let first = |answer: &DryRunAnswer| answer.sources.first().map(|source| (source.path.clone(), source.used));
        match (before.is_answered, after.is_answered) {
            (false, true) => DryRunChange::Gained,
            (true, false) => DryRunChange::Lost,
            _ if before.disposition == after.disposition && first(before) == first(after) => DryRunChange::Same,
            _ => DryRunChange::Other,
        }
    }
}

/// The questions of one call.
#[derive(Debug, Clone, PartialEq)]
pub struct DryRunPage {
    /// At most as many as asked for.
    pub items: Vec<DryRunItem>,
    /// Where the next call goes on.
    pub next: Option<DryRunPlace>,
    /// A language model answers customers: what becomes of a question is also its doing.
    pub relies_on_model: bool,
}

/// Makes dry runs.
#[derive(Debug, Clone)]
pub struct DryRuns {
    /// Without a language model.
    conversation: ConversationService,
    relies_on_model: bool,
    /// Whoever writes tries the same questions again and again.
    recent: RecentVectors,
}

impl DryRuns {
    /// Takes what it needs from `provider`.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Self> {
        let conversation = ConversationService::with(provider, ranking_engine(provider).await?);
        Ok(Self { conversation, relies_on_model: provider.has_model(), recent: RecentVectors::default() })
    }

    /// Asks questions with and without changes, unless `gone` returns before. A caller runs one at a time, and a tenant
    /// two.
    ///
    /// # Errors
    /// 429 while others are running, and if the quota has not what the run costs; 413 for more questions than so large
    /// changes may be tried on; 404 for a change of an entry that does not exist and for an unknown gap, 409 for a new
    /// entry at a path that has one, 503 if table or index do not answer.
    pub async fn run(
        &self,
        caller: &Principal,
        allowance: &Allowance,
        run: DryRun,
        gone: impl Future<Output = ()> + Send + 'static,
    ) -> Result<DryRunPage> {
        let (runs, scope, principal) = (self.clone(), caller.scope().clone(), caller.name());
        let (allowance, span, handle) = (allowance.clone(), tracing::Span::current(), Handle::current());
        let work = move || {
            let run = runs.run_alone(&scope, &principal, &allowance, run, gone);
            handle.block_on(run.instrument(span))
        };
        let ended = tokio::task::spawn_blocking(work).await;
        ended.unwrap_or_else(|error| Err(Error::internal(format!("a dry run ended without an answer: {error}"))))
    }

    /// Runs while the permit of `principal` is held, which nobody but this run gives back.
    async fn run_alone(
        &self,
        scope: &Scope,
        principal: &str,
        allowance: &Allowance,
        run: DryRun,
        gone: impl Future<Output = ()>,
    ) -> Result<DryRunPage> {
        let (service, dry_runs) = (&self.conversation, self.conversation.store.dry_runs());
        let deadline = service.deadline(service.runtime.now());
        let running = dry_runs.begin(&scope.tenant, principal, deadline.plus_millis(END_MARGIN_MS)).await?;
        let done = tokio::select! {
            biased;
            () = gone => Err(Error::unavailable("nobody waits for the dry run any more")),
            done = self.asked(scope, allowance, run, deadline) => done,
        };
        dry_runs.end(&scope.tenant, running).await;
        done
    }

    async fn asked(
        &self,
        scope: &Scope,
        allowance: &Allowance,
        run: DryRun,
        deadline: Timestamp,
    ) -> Result<DryRunPage> {
        let service = &self.conversation;
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
            allowance.count(LimitedAction::LargeDryRun { tokens: more_tokens }).await?.end(true).await;
        }
        let changed = service.indexed(scope, &settings, &changed, deadline).await?;
        let embedder = service.engine.embedder.as_ref().map(|model| model.remembering(&self.recent));
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
        Ok(DryRunPage { items, next, relies_on_model: self.relies_on_model })
    }
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
    Ok((!is_left_out).then_some(DryRunItem { question, asked_in, before: was, after: will_be }))
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
            sources: verdict.answer.sources,
            answer: text,
            is_answered,
        })
    }
}
