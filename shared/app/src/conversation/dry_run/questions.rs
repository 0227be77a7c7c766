//! What a dry run asks: texts, the questions of a gap, or those of sessions, newest first.

use std::collections::BTreeMap;

use super::as_it_stood;
use super::request::{DryRun, DryRunPlace, QuestionSource};
use crate::allowance::Allowance;
use crate::conversation::ConversationService;
use crate::conversation::attempt::AnswerAttempt;
use crate::conversation::classification::{TurnClassification, combined_question};
use aws::store::sessions::{DayCursor, PageBound};
use domain::gaps::masked_question;
use domain::models::{
    Disposition, MessageId, Scope, Session, SessionId, Settings, Timestamp, Turn, TurnRole, WikiPath,
};
use domain::{Error, Result};

/// Read units of the table that one call spends at most: one for each 4 KiB that is read.
const MAX_UNITS: usize = 2_000;
const UNIT_BYTES: usize = 4_096;
/// What a page of turns takes at most: 1 MiB.
const PAGE_UNITS: usize = 256;
/// Sessions that are read at a time, and after how many bytes of them no more are.
const SESSIONS: PageBound = PageBound { limit: 20, max_bytes: 256 * 1024 };
/// What the lists of days take beside the sessions in them.
const LIST_UNITS: usize = 40;
/// Turns of a session that are read at a time, and how many of them are the past of the others alone.
const TURNS: i32 = 120;
const PAST: u32 = 24;
const DAY_MS: i64 = 86_400_000;

/// A question in its conversation.
#[derive(Debug)]
pub(super) struct AskedQuestion {
    /// Masked.
    pub(super) question: String,
    pub(super) asked_in: Option<(SessionId, MessageId)>,
    pub(super) attempt: AnswerAttempt,
    /// As it stood.
    pub(super) session: Session,
    pub(super) understanding: TurnClassification,
}

/// Questions, and where the next ones are.
type Page = (Vec<AskedQuestion>, Option<DryRunPlace>);

/// What is the same for all questions.
struct Asking<'a> {
    scope: &'a Scope,
    settings: &'a Settings,
    now: Timestamp,
    deadline: Timestamp,
}

impl Asking<'_> {
    /// Turns of a customer that get one answer, after the turns `before`.
    fn of_session(&self, session: &Session, before: &[Turn], asked: &[&Turn]) -> Option<AskedQuestion> {
        let last = asked.last()?;
        let session = as_it_stood::session(session, before);
        // After a person's part, or for several messages, the answer was pending, and a wish for a person is not heeded.
        let heeds_requests = asked.len() == 1 && last.disposition != Some(Disposition::QueuedForHuman);
        let turns: Vec<Turn> = asked.iter().map(|turn| (*turn).clone()).collect();
        let text = combined_question(&turns);
        let written: Vec<&str> = asked.iter().map(|turn| turn.content.as_str()).collect();
        let asked_in = (session.session_id.clone(), last.message_id.clone());
        let question = self.question(session, as_it_stood::recent(before), &written, heeds_requests, &text);
        let is_question = !question.understanding.question.is_empty();
        is_question.then_some(AskedQuestion { asked_in: Some(asked_in), ..question })
    }

    fn question(
        &self,
        session: Session,
        recent: Vec<Turn>,
        written: &[&str],
        heeds_requests: bool,
        text: &str,
    ) -> AskedQuestion {
        let attempt = AnswerAttempt {
            scope: self.scope.clone(),
            deadline: self.deadline,
            received_at: self.now,
            settings: self.settings.clone(),
            recent,
            redacts: false,
            heeds_requests,
            allowance: Allowance::unlimited(),
        };
        let understanding = TurnClassification::of(&attempt, &session, written);
        AskedQuestion { question: masked_question(text), asked_in: None, attempt, session, understanding }
    }
}

impl ConversationService {
    /// The questions of one call of a dry run.
    pub(super) async fn questions(
        &self,
        scope: &Scope,
        settings: &Settings,
        run: &DryRun,
        deadline: Timestamp,
    ) -> Result<Page> {
        let asking = Asking { scope, settings, now: self.runtime.now(), deadline };
        match &run.questions {
            QuestionSource::Texts(texts) => self.texts(&asking, run, texts),
            QuestionSource::Gap(gap) => {
                let gap = self.store.gaps().get(scope, gap).await?.ok_or_else(|| Error::not_found("gap"))?;
                let (first, rest) = (first_of(run), gap.examples.len());
                let mut asked = Vec::new();
                for example in gap.examples.iter().skip(first).take(run.limit) {
                    asked.extend(self.question_of_message(&asking, &example.session_id, &example.message_id).await?);
                }
                Ok((asked, next_number(first, run.limit, rest)))
            }
            QuestionSource::Days(days) => self.questions_of_days(&asking, run, *days, None).await,
            QuestionSource::Entry { path, days } => self.questions_of_days(&asking, run, *days, Some(path)).await,
        }
    }

    fn texts(&self, asking: &Asking<'_>, run: &DryRun, texts: &[String]) -> Result<Page> {
        let first = first_of(run);
        let ask = |text: &String| {
            let session = Session::new(SessionId::generate(&self.runtime)?, asking.scope.mode, run.channel);
            Ok(asking.question(session, Vec::new(), &[text], true, text))
        };
        let asked = texts.iter().skip(first).take(run.limit).map(ask).collect::<Result<_>>()?;
        Ok((asked, next_number(first, run.limit, texts.len())))
    }

    /// A customer's message in its conversation; none where it is gone, or asks nothing.
    async fn question_of_message(
        &self,
        asking: &Asking<'_>,
        id: &SessionId,
        message: &MessageId,
    ) -> Result<Option<AskedQuestion>> {
        let sessions = self.store.sessions();
        let below = message.turn_number().saturating_add(1);
        let (session, turns) = tokio::try_join!(
            sessions.get(asking.scope, id),
            sessions.list_turns_below(asking.scope, id, below, TURNS)
        )?;
        let (Some(session), (turns, _)) = (session, turns) else { return Ok(None) };
        let Some((asked, before)) = turns.split_last().filter(|(asked, _)| asked.message_id == *message) else {
            return Ok(None);
        };
        Ok(asking.of_session(&session, before, &[asked]))
    }

    /// The questions of the sessions of the last `days`, newest first; those alone whose answer was made from `path`,
    /// where it is given.
    async fn questions_of_days(
        &self,
        asking: &Asking<'_>,
        run: &DryRun,
        days: u32,
        path: Option<&WikiPath>,
    ) -> Result<Page> {
        let oldest = asking.now.plus_millis(-i64::from(days) * DAY_MS);
        let newest = DayCursor::newest_of_day(asking.now);
        let (mut day, mut within) = match run.from.clone() {
            Some(DryRunPlace::Day(day)) => (day, None),
            Some(DryRunPlace::Session(day, session, below)) => (day, Some((session, below))),
            Some(DryRunPlace::Number(_)) | None => (newest, None),
        };
        let mut asked: Vec<AskedQuestion> = Vec::new();
        let mut units = 0;
        loop {
            let page = self.store.sessions().list(asking.scope, day.clone(), oldest, SESSIONS).await?;
            units += LIST_UNITS + page.sessions.len() + page.bytes / UNIT_BYTES;
            for (session, behind) in page.sessions {
                let id = session.session_id.clone();
                let mut below = match &within {
                    // Opened since the call before.
                    Some((last, _)) if id > *last => continue,
                    Some((last, below)) if id == *last => *below,
                    _ => u32::MAX,
                };
                within = None;
                while below > 1 && !session.is_preview() {
                    if units + PAGE_UNITS > MAX_UNITS {
                        return Ok((asked, Some(DryRunPlace::Session(day, id, below))));
                    }
                    let window = self.store.sessions().list_turns_below(asking.scope, &id, below, TURNS).await?;
                    units += 1 + window.1 / UNIT_BYTES;
                    let (found, next) = questions_of_turns(&window.0, below, path);
                    for (answer, turns, before) in found {
                        if asked.len() == run.limit {
                            return Ok((asked, Some(DryRunPlace::Session(day, id, answer.saturating_add(1)))));
                        }
                        asked.extend(asking.of_session(&session, before, &turns));
                    }
                    below = next;
                }
                day = behind;
            }
            match page.next {
                Some(next) if units + PAGE_UNITS > MAX_UNITS => return Ok((asked, Some(DryRunPlace::Day(next)))),
                Some(next) => day = next,
                None => return Ok((asked, None)),
            }
        }
    }
}

/// A question of a session: the number of its answer, the turns that ask it, and the turns before them.
type Question<'a> = (u32, Vec<&'a Turn>, &'a [Turn]);

/// The questions in a part of a session, newest first, that were answered before turn `below`, and before which turn the
/// others were. The first turns of the part are the past of the others.
fn questions_of_turns<'a>(turns: &'a [Turn], below: u32, path: Option<&WikiPath>) -> (Vec<Question<'a>>, u32) {
    let first = turns.first().map_or(0, |turn| turn.number);
    let next = if first <= 1 { 0 } else { (first + PAST).min(below.saturating_sub(1)) };
    let mut asked: BTreeMap<u32, Vec<&Turn>> = BTreeMap::new();
    for turn in turns.iter().filter(|turn| turn.role == TurnRole::Customer && !turn.internal) {
        if let Some(answer) = turn.answered_by {
            asked.entry(answer).or_default().push(turn);
        }
    }
    let mut found: Vec<Question<'a>> = asked
        .into_iter()
        .filter_map(|(answer, asked)| {
            let told = turns.iter().find(|turn| turn.number == answer)?;
            let was_told = |path: &WikiPath| told.sources.iter().any(|it| it.used && it.path == *path);
            let first = asked.first()?.number;
            let before = turns.get(..turns.partition_point(|turn| turn.number < first))?;
            (answer >= next && path.is_none_or(was_told)).then_some((answer, asked, before))
        })
        .collect();
    found.sort_by(|(a, ..), (b, ..)| b.cmp(a));
    (found, next)
}

/// The number of the first question of a call.
const fn first_of(run: &DryRun) -> usize {
    match &run.from {
        Some(DryRunPlace::Number(first)) => *first,
        _ => 0,
    }
}

fn next_number(first: usize, limit: usize, all: usize) -> Option<DryRunPlace> {
    let next = first.saturating_add(limit);
    (next < all).then_some(DryRunPlace::Number(next))
}
