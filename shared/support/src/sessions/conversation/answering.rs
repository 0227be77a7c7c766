//! Makes an answer and stores it, unless the session changed hands meanwhile. Also the context of one request that
//! takes a session forward, and the decision about a message (an answer, small talk, or a person) with the sentences
//! that say so.

use std::borrow::Cow;

use answer::search::VisibilityFilter;
use answer::{AnswerEngine, AnswerFailure, Answered, Found, Question, illustrated};
use domain::error::Code;
use domain::models::{
    AgentName, AiTurn, AnswerVisibility, Channel, CustomerTurn, Disposition, Escalation, Presence, ReasonCategory,
    Scope, Session, SessionAction, SessionState, Settings, Silence, SilenceReason, SystemEvent, Timestamp, Turn,
    TurnBody, Visibility,
};
use domain::{Error, Result};
use text::dialogue::{Sentence, SmallTalk};
use text::{images, sanitise};

use crate::edge::allowance::{Allowance, Counting, LimitedAction};
use crate::model_budget::within_budget;
use crate::sessions::conversation::classification::{TurnClassification, Voice};
use crate::sessions::conversation::lifecycle::{self, next_due_at, pending_answer_turn};
use crate::sessions::conversation::message::{self, Reply};
use crate::sessions::conversation::pending_answer::{append, is_reply_to_customer, next_turn, system_turn};
use crate::sessions::conversation::{ConversationService, handover};
use crate::sessions::table::changes::{EscalationChange, SessionChange};
use crate::table::update::Decision;

/// The most turns that one answer deals with, the newest: it marks each, and a transaction holds 100 writes.
pub(crate) const MAX_TURNS_PER_ANSWER: usize = 90;

impl ConversationService {
    /// The search result for a question, none without one; a failure is kept for the answer. Calls no language model.
    pub(crate) async fn retrieve(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        understanding: &TurnClassification,
    ) -> Option<Found> {
        match understanding.question.as_str() {
            "" => None,
            asked => {
                let history = history_of(understanding, attempt, session);
                Some(self.engine.retrieve(&question(attempt, session, asked, &history)).await)
            }
        }
    }

    /// Answers customer turns of a session that the AI owns, with one AI turn for all of them. The turns are stored:
    /// here language models are asked. `found` is what was looked up for them already; if it is none, that is done
    /// now.
    pub(crate) async fn answer_turns(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        asked: Vec<Turn>,
        understanding: TurnClassification,
        found: Option<Found>,
    ) -> Result<Reply> {
        let found = match found {
            None => self.retrieve(attempt, &session, &understanding).await,
            found => found,
        };
        let (decision, run) = self.decide(attempt, &session, understanding, found).await;
        self.recording_run(attempt, run, self.store_answer(attempt, session, &asked, &decision)).await
    }

    /// The verdict on a question by what was found for it, and how the run of the engine ended, as [`Self::make_answer`].
    pub(crate) async fn decide<'a>(
        &self,
        attempt: &'a AnswerAttempt,
        session: &Session,
        understanding: TurnClassification,
        found: Option<Found>,
    ) -> (Verdict<'a>, Option<Option<&'static str>>) {
        let (answer, run) = self.make_answer(attempt, session, &understanding, found).await;
        let answer = Answered { text: text_of(attempt, session, &answer), ..answer };
        let voice = understanding.voice(session, &attempt.settings, self.runtime.now());
        (Verdict::new(answer, understanding, voice), run)
    }

    /// Stores an answer, and records the run that made it. Small talk is no run of the answer engine.
    pub(crate) async fn recording_run<T>(
        &self,
        attempt: &AnswerAttempt,
        run: Option<Option<&'static str>>,
        stored: impl Future<Output = T>,
    ) -> T {
        let Some(last_error) = run else { return stored.await };
        let runs = self.store.agent_runs();
        // The whole answer, as its `latencyMs`: what was stored and retrieved before belongs to it.
        let noted = runs.record(AgentName::Answer, attempt.received_at, self.runtime.now(), last_error);
        tokio::join!(stored, noted).0
    }

    /// The answer to what `found` was looked up for, and how the run of the engine ended: no run for small talk.
    pub(crate) async fn make_answer(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        understanding: &TurnClassification,
        found: Option<Found>,
    ) -> (Answered, Option<Option<&'static str>>) {
        let small_talk = understanding.small_talk;
        // Below its confidence no language model is asked whether it is a question.
        let least = understanding.min_confidence();
        let threshold = attempt.settings.no_match_threshold;
        let is_asked = |found: &Found| least.is_none_or(|least| found.confidence() >= threshold.max(least));
        if let Some(found) = found.filter(is_asked) {
            let history = history_of(understanding, attempt, session);
            let asked_of_it = question(attempt, session, &understanding.question, &history);
            let answer = self.engine_for(attempt).answer_from(&asked_of_it, found).await;
            if understanding.complains && least.is_none() && is_said_again(&answer, &history) {
                return (Answered { unanswered: true, ..decide_without_search(Disposition::NoAnswer) }, Some(None));
            }
            if least.is_none() || answer.disposition == Disposition::Answered {
                let last_error = answer.failure.map(AnswerFailure::public_message);
                return (answer, Some(last_error));
            }
        }
        match small_talk {
            Some(small_talk) => {
                let said = if small_talk == SmallTalk::Repeat { last_answer(&history(attempt, session)) } else { None };
                (said.unwrap_or_else(|| decide_without_search(Disposition::SmallTalk)), None)
            }
            None => (decide_without_search(Disposition::NoAnswer), Some(None)),
        }
    }

    /// The engine with the model as the tenant may call it.
    fn engine_for(&self, attempt: &AnswerAttempt) -> AnswerEngine {
        let model = within_budget(self.engine.model.as_ref(), &self.store, &attempt.scope, &attempt.settings);
        AnswerEngine { model, ..self.engine.clone() }
    }

    async fn store_answer(
        &self,
        attempt: &AnswerAttempt,
        session: Session,
        asked: &[Turn],
        decision: &Verdict<'_>,
    ) -> Result<Reply> {
        let Some(last) = asked.last() else { return Err(Error::internal("nothing to answer")) };
        let (id, epoch) = (session.session_id.clone(), session.epoch);
        let counting = attempt.allowance.trying(LimitedAction::Escalation);
        let counted = &counting;
        let decide = |session: Session| async move {
            if session.epoch != epoch {
                return Ok(Decision::Keep(self.superseded_reply(attempt, &session, last).await));
            }
            let (change, reply) = self.draft(attempt, &session, (asked, last), decision, counted).await?;
            Ok(Decision::Write(change, reply))
        };
        let stored = self.store.sessions().update(&attempt.scope, session, attempt.deadline, decide).await;
        let is_escalated = |reply: &Reply| reply.disposition == Disposition::Escalated;
        counting.end(matches!(&stored, Ok(reply) if is_escalated(reply))).await;
        match stored {
            // Somebody else answered it.
            Err(error) if error.code() == Code::Conflict => {
                let asked = self.store.sessions().get_turn(&attempt.scope, &id, last.number).await?;
                let reply = match &asked {
                    Some(asked) => self.reply_from(attempt, &id, asked).await?,
                    None => None,
                };
                reply.ok_or_else(|| Error::unavailable("an answer that exists was not found"))
            }
            stored => stored,
        }
    }

    /// The change that stores a message together with its answer, and the reply. `message` stores it alone.
    pub(crate) async fn draft_with_message(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        (message, mut asked): (SessionChange, Turn),
        decision: &Verdict<'_>,
        counting: &Counting,
    ) -> Result<(SessionChange, Reply)> {
        let both = (std::slice::from_ref(&asked), &asked);
        let (answer, reply) = self.draft(attempt, &message.after, both, decision, counting).await?;
        asked.body = TurnBody::Customer(CustomerTurn { answered_by: Some(reply.turn), silence: None });
        let mut change = SessionChange::new(session, answer.after);
        change.turns = std::iter::once(asked).chain(answer.turns).collect();
        change.escalation = answer.escalation;
        change.requests = message.requests;
        Ok((change, reply))
    }

    /// The reply of a dropped answer. The drop is recorded with the customer's turn, for a repeated message.
    async fn superseded_reply(&self, attempt: &AnswerAttempt, now: &Session, last: &Turn) -> Reply {
        let silence = Silence {
            reason: SilenceReason::Superseded,
            ownership: now.ownership(),
            latency_ms: attempt.latency_ms(self.runtime.now()),
            escalation_id: now.escalation_id().cloned(),
            presence: None,
        };
        let sessions = self.store.sessions();
        if let Err(error) = sessions.store_silence(&attempt.scope, &now.session_id, last.number, &silence).await {
            tracing::warn!(error = %error, session.id = %now.session_id, "failed to record that an answer was dropped");
        }
        Reply::silence(last, &silence)
    }

    /// Whether a person takes over with this answer. What a visitor causes is counted; a failure of ours is not.
    async fn handover(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        decision: &Verdict<'_>,
        counting: &Counting,
    ) -> Result<Handover> {
        match handover::escalation_after_answer(session, &attempt.settings, decision) {
            None => Ok(Handover::None),
            Some(ReasonCategory::AiFailure) => self.handover_to(attempt, session, ReasonCategory::AiFailure).await,
            Some(category) => match counting.count().await {
                Ok(()) => self.handover_to(attempt, session, category).await,
                Err(_) if decision.answer.failure.is_some() => {
                    self.handover_to(attempt, session, ReasonCategory::AiFailure).await
                }
                Err(refused) => match (refused.code(), refused.retry_after_seconds()) {
                    (Code::RateLimited, Some(seconds)) => Ok(Handover::Refused { minutes: seconds.div_ceil(60) }),
                    _ => Err(refused),
                },
            },
        }
    }

    async fn handover_to(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        category: ReasonCategory,
    ) -> Result<Handover> {
        let presence = match session.is_preview() {
            true => Presence::NOBODY,
            false => self.presence(&attempt.scope, &attempt.settings).await?,
        };
        Ok(Handover::To(category, presence))
    }

    /// The AI turn under the session's next number and, if one is due, the request for a human behind it; and the
    /// reply of it. Of the turns that it is asked by, the last one is named besides.
    async fn draft(
        &self,
        attempt: &AnswerAttempt,
        session: &Session,
        (asked, last): (&[Turn], &Turn),
        decision: &Verdict<'_>,
        counting: &Counting,
    ) -> Result<(SessionChange, Reply)> {
        let handover = self.handover(attempt, session, decision, counting).await?;
        let answer = &decision.answer;
        let now = self.runtime.now();
        let (words, offers_human) = decision.fixed_texts(handover);
        let asking = &decision.understanding.asking;
        let last_asking = asking.last().and_then(|at| asked.get(*at)).unwrap_or(last);
        let mut ai = AiTurn {
            sources: answer.sources.clone(),
            notice: (!session.notice_given).then(|| decision.voice.say(Sentence::Notice)),
            confidence: answer.confidence,
            unanswered: answer.unanswered,
            missing: answer.missing.clone(),
            offers_human,
            grounded_on_internal: answer.internal,
            latency_ms: attempt.latency_ms(self.runtime.now()),
            queries: u32::try_from(asking.len()).unwrap_or(u32::MAX),
            ..AiTurn::new(decision.disposition(handover), last_asking.number)
        };
        let body = TurnBody::Ai(Box::new(ai.clone()));
        let mut turn = next_turn(&self.runtime, session, shown(attempt, session, &words), body)?;
        let mut after = session.clone();
        append(&mut after, &turn, now);
        after.ai_turns += u32::from(answer.disposition != Disposition::SmallTalk);
        after.notice_given = true;
        after.has_customer_message |= answer.disposition == Disposition::Answered;
        after.no_answer_streak = decision.consecutive_unanswered(session.no_answer_streak);
        after.language = decision.understanding.language.or(session.language);
        // A due answer stays due if this one is to a later message alone.
        let covers = |since: u32| asked.first().is_some_and(|turn| turn.number <= since);
        if pending_answer_turn(session).is_some_and(covers) {
            after.state = SessionState::AI;
            after.due_at = next_due_at(&after, &attempt.settings);
        }
        let mut escalation = None;
        let mut system = None;
        // Somebody who tries the chat is told the same, and nobody is called.
        if let Handover::To(category, presence) = handover
            && !session.is_preview()
        {
            let mut made: Escalation = handover::new_escalation(
                &self.runtime,
                &attempt.settings,
                session,
                &handover::reason_after(category, session.last_human_part.as_ref()),
                category,
                handover::requested_by(category),
                &transcript(attempt, asked, &turn),
            )?;
            made.former_agent = self.former_agent(&attempt.scope, session).await?;
            if category == ReasonCategory::CameBack {
                made.summary = message::with_earlier_part(made.summary, session.handover_note.as_deref());
            }
            let action = SessionAction::Escalate(made.escalation_id.clone());
            after = lifecycle::transition(&after, &action, now, &attempt.settings)?;
            (ai.escalation_id, ai.presence) = (Some(made.escalation_id.clone()), Some(presence));
            let note = system_turn(&self.runtime, &after, SystemEvent::HandoverRequested, None)?;
            append(&mut after, &note, now);
            escalation = Some(EscalationChange::Create(made));
            system = Some(note);
        }
        let mut change = SessionChange::new(session, after);
        change.answers = asked.iter().rev().take(MAX_TURNS_PER_ANSWER).map(|turn| turn.number).collect();
        change.escalation = escalation;
        let reply = Reply::answer(&turn, &ai);
        turn.body = TurnBody::Ai(Box::new(ai));
        change.turns = std::iter::once(turn).chain(system).collect();
        Ok((change, reply))
    }
}

/// The conversation up to an answer, oldest first.
fn transcript(attempt: &AnswerAttempt, asked: &[Turn], answer: &Turn) -> Vec<Turn> {
    attempt.recent.iter().chain(asked).chain(std::iter::once(answer)).cloned().collect()
}

/// The classification of customer turns that get one answer together.
pub(crate) fn asked_together(attempt: &AnswerAttempt, session: &Session, asked: &[Turn]) -> TurnClassification {
    let written: Vec<&str> = asked.iter().map(|turn| turn.content.as_str()).collect();
    TurnClassification::of(attempt, session, &written)
}

/// Of the turns, oldest first, those after number `after`.
fn turns_after(turns: &[Turn], after: u32) -> &[Turn] {
    turns.get(turns.partition_point(|turn| turn.number <= after)..).unwrap_or_default()
}

/// The entries that may ground the answer. The session's channel decides, never the caller.
const fn visibility(attempt: &AnswerAttempt, session: &Session) -> VisibilityFilter {
    let visibility = match session.channel {
        Channel::Widget => attempt.settings.widget_answer_visibility,
        Channel::Api | Channel::Email | Channel::Other => attempt.settings.answer_visibility,
    };
    match visibility {
        AnswerVisibility::All => VisibilityFilter::All,
        AnswerVisibility::Public => VisibilityFilter::Only(Visibility::Public),
    }
}

/// The earlier turns that an answer may be made from, oldest first. If it may stand on public entries alone, answers
/// that stood on internal ones are left out: neither search nor model reads them.
fn history<'a>(attempt: &'a AnswerAttempt, session: &Session) -> Cow<'a, [Turn]> {
    let turns = turns_after(&attempt.recent, session.ai_reads_after_turn);
    match visibility(attempt, session) {
        VisibilityFilter::All => Cow::Borrowed(turns),
        VisibilityFilter::Only(_) => turns.iter().filter(|turn| !turn.is_grounded_on_internal()).cloned().collect(),
    }
}

/// Whether the customer of a session is shown images of entries: in the chat, unless the tenant blocks them. What other
/// callers relay is words.
fn shows_images(attempt: &AnswerAttempt, session: &Session) -> bool {
    attempt.settings.shows_images && session.channel == Channel::Widget
}

/// The text of an answer, with the images of its entries if the customer is shown any.
pub(crate) fn text_of(attempt: &AnswerAttempt, session: &Session, answer: &Answered) -> String {
    match shows_images(attempt, session) {
        true => illustrated(&answer.text, &answer.images),
        false => images::without(&answer.text).into_owned(),
    }
}

/// Words as the customer of a session may be shown them.
pub(crate) fn shown(attempt: &AnswerAttempt, session: &Session, words: &str) -> String {
    if shows_images(attempt, session) { sanitise::with_images(words) } else { sanitise::shown(words) }
}

/// Whether an answer is part of one that the customer was given before, in any order of its paragraphs.
fn is_said_again(answer: &Answered, history: &[Turn]) -> bool {
    let has_all = |text: &str| answer.text.split("\n\n").all(|paragraph| text.contains(paragraph));
    let said = |turn: &Turn| turn.disposition() == Some(answer.disposition) && has_all(&images::without(&turn.content));
    answer.disposition == Disposition::Answered && history.iter().any(said)
}

/// The turns before a question. What reads like small talk or a request for a human is a question by itself alone: "can you
/// hear me?" after a question about refunds asks nothing about them.
fn history_of<'a>(
    understanding: &TurnClassification,
    attempt: &'a AnswerAttempt,
    session: &Session,
) -> Cow<'a, [Turn]> {
    match understanding.min_confidence() {
        Some(_) => Cow::Borrowed(&[]),
        None => history(attempt, session),
    }
}

fn question<'a>(attempt: &'a AnswerAttempt, session: &'a Session, text: &'a str, history: &'a [Turn]) -> Question<'a> {
    let settings = &attempt.settings;
    Question {
        scope: &attempt.scope,
        text,
        history,
        language: settings.language,
        synonyms: &settings.synonyms,
        visibility: visibility(attempt, session),
        threshold: settings.no_match_threshold,
        handover_note: session.handover_note.as_deref(),
        deadline: attempt.deadline,
    }
}

/// One request that takes a session forward.
#[derive(Debug, Clone)]
pub(crate) struct AnswerAttempt {
    pub(crate) scope: Scope,
    /// When the request gives up.
    pub(crate) deadline: Timestamp,
    pub(crate) received_at: Timestamp,
    pub(crate) settings: Settings,
    /// The turns before the message, oldest first.
    pub(crate) recent: Vec<Turn>,
    /// The caller may not be shown answers from internal entries.
    pub(crate) redacts: bool,
    /// Whether a customer's request for a human counts. It does not right after a human was there or was declined.
    pub(crate) allows_human_request: bool,
    /// The remaining quotas of the caller.
    pub(crate) allowance: Allowance,
}

impl AnswerAttempt {
    /// From the receipt until `now`.
    pub(crate) fn latency_ms(&self, now: Timestamp) -> u64 {
        u64::try_from(now.millis_since(self.received_at)).unwrap_or(0)
    }
}

/// The decision about a customer's message.
pub(crate) struct Verdict<'a> {
    pub(crate) answer: Answered,
    pub(crate) understanding: TurnClassification,
    /// Says what is not said by the answer itself.
    pub(crate) voice: Voice<'a>,
}

impl<'a> Verdict<'a> {
    pub(crate) fn new(answer: Answered, understanding: TurnClassification, voice: Voice<'a>) -> Self {
        let understanding = match answer.disposition {
            Disposition::SmallTalk => understanding.into_small_talk(),
            _ => {
                let is_answered = is_answered_whole(&answer, understanding.min_confidence());
                understanding.settled(is_answered)
            }
        };
        // A request for a human alone is not a question, so it is not a gap.
        let unanswered = answer.unanswered && !understanding.question.is_empty();
        Self { answer: Answered { unanswered, ..answer }, understanding, voice }
    }

    /// The text, and whether it offers a human. If a person takes over, or cannot be called yet, the text says so, after
    /// the answer if there is one, and asks nothing.
    pub(crate) fn fixed_texts(&self, handover: Handover) -> (String, bool) {
        let after_answer = |said: String| match self.answer.disposition {
            Disposition::Answered => (format!("{}\n\n{said}", self.answer.text), false),
            _ => (said, false),
        };
        let sentence = match (handover, self.answer.disposition, self.understanding.small_talk) {
            (Handover::To(category, presence), ..) if !presence.people_available => {
                return after_answer(self.voice.say_who_is_away(category, &presence));
            }
            (Handover::To(ReasonCategory::AiFailure, _), ..) => Sentence::Failure,
            (Handover::To(..), ..) => return after_answer(self.voice.say(Sentence::Handover)),
            (Handover::Refused { minutes }, ..) => return after_answer(self.voice.say_when_to_ask_again(minutes)),
            (Handover::None, Disposition::Answered, _) => return self.voice.answer(&self.answer),
            (Handover::None, Disposition::SmallTalk, _) if !self.answer.text.is_empty() => {
                return (format!("{}\n\n{}", self.answer.text, self.voice.say(Sentence::Unclear)), false);
            }
            (Handover::None, _, Some(small_talk)) => small_talk.reply(),
            (Handover::None, _, None) => Sentence::NoAnswer,
        };
        (self.voice.say_and_ask_again(sentence, &self.answer.left_out), sentence.offers_human())
    }

    pub(crate) const fn disposition(&self, handover: Handover) -> Disposition {
        match handover {
            Handover::To(..) => Disposition::Escalated,
            Handover::Refused { .. } => Disposition::NoAnswer,
            Handover::None => self.answer.disposition,
        }
    }

    /// How many answers in a row were none, once this one is given: small talk leaves it, a no to our offer of a human
    /// ends it.
    fn consecutive_unanswered(&self, before: u32) -> u32 {
        match self.answer.disposition {
            Disposition::SmallTalk if self.understanding.declines_human() => 0,
            Disposition::SmallTalk => before,
            // A request for a human that comes too soon asks nothing.
            Disposition::NoAnswer if self.understanding.question.is_empty() => before,
            Disposition::NoAnswer => before + 1,
            _ => 0,
        }
    }
}

/// Whether all that was asked is answered, with at least this confidence.
fn is_answered_whole(answer: &Answered, least: Option<f64>) -> bool {
    let is_whole = answer.missing.is_empty() && answer.left_out.is_empty();
    let is_sure = least.is_none_or(|least| answer.confidence >= least);
    answer.disposition == Disposition::Answered && is_whole && is_sure
}

/// The reply if there is no question for the wiki.
fn decide_without_search(disposition: Disposition) -> Answered {
    Answered {
        text: String::new(),
        images: Vec::new(),
        sources: Vec::new(),
        confidence: 0.0,
        disposition,
        unanswered: false,
        missing: Vec::new(),
        left_out: Vec::new(),
        internal: false,
        failure: None,
    }
}

/// The newest answer, to be said again; none if what was said last, besides small talk, answers nothing.
fn last_answer(history: &[Turn]) -> Option<Answered> {
    let small_talk = decide_without_search(Disposition::SmallTalk);
    let said = history
        .iter()
        .rev()
        .find(|turn| is_reply_to_customer(turn) && turn.disposition() != Some(small_talk.disposition))?;
    (said.disposition() == Some(Disposition::Answered)).then(|| Answered {
        text: said.content.clone(),
        internal: said.is_grounded_on_internal(),
        ..small_talk
    })
}

/// Whether a person takes over with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handover {
    None,
    /// For this reason, while people are there or not.
    To(ReasonCategory, Presence),
    /// The visitor caused too many; the next is possible in so many minutes.
    Refused {
        minutes: u32,
    },
}
