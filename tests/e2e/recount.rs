//! Counters compared with the table: random callers do random things, every change is delivered twice, and the figures
//! equal a recount.
//!
//! `SUPPORT_TEST_OPERATIONS` is the number of operations; a few hundred by default.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use domain::clock::{Rng, SeededRng};
use domain::models::{
    Day, Disposition, EscalationOutcome, Language, Mode, Reaction, Scope, Session, SystemEvent, Turn, TurnRole,
};
use local::HandleRecords;
use serde_json::{Value, json};
use support::sessions::table::lists::{DayCursor, PageBound};
use support::table::stream::Record;

use crate::support::{Actor, TestService, scale};

const WORKERS: usize = 8;
/// The one thing that anybody writes which asks nothing.
const SMALL_TALK: &str = "Thanks!";

/// Hands out the later half of every batch, then the whole of it, then the earlier half.
fn twice(handle: HandleRecords) -> HandleRecords {
    Arc::new(move |records: Vec<Record>| {
        let handle = handle.clone();
        Box::pin(async move {
            let (earlier, later) = records.split_at(records.len() / 2);
            for part in [later.to_vec(), records.clone(), earlier.to_vec()] {
                if handle(part).await.is_some() {
                    return records.first().map(|record| record.sequence.clone());
                }
            }
            None
        })
    })
}

fn operations() -> usize {
    scale::operations().unwrap_or(240)
}

/// A choice among a few, repeatable from its seed.
struct Dice(SeededRng);

impl Dice {
    fn below(&self, sides: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes).unwrap();
        usize::try_from(u64::from_le_bytes(bytes) % u64::try_from(sides).unwrap()).unwrap()
    }

    fn of<'a, T>(&self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

/// One customer with an agent at hand, who does one random thing after the other. Much of it is refused; that counts
/// for nothing and is part of the test.
struct Somebody {
    dice: Dice,
    caller: Actor,
    agent: Actor,
    sessions: Vec<String>,
    claimed: Vec<String>,
}

impl Somebody {
    async fn act(&mut self) {
        if self.sessions.is_empty() || self.dice.below(10) == 0 {
            self.sessions.push(self.caller.session().await);
            return;
        }
        let session = self.dice.of(&self.sessions).clone();
        match self.dice.below(14) {
            0..=3 => {
                let question =
                    self.dice.of(&["How long does a refund take?", "Where does the zebra sleep?", SMALL_TALK]);
                self.caller.ask(&session, question).await;
            }
            4..=6 => {
                let reaction = self.dice.of(&["thumbs_up", "thumbs_down", "flag", "copy"]);
                self.caller.post(&format!("/sessions/{session}/reaction"), json!({"reaction": reaction})).await;
            }
            7 => drop(self.caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "please"})).await),
            8 => drop(self.caller.post(&format!("/sessions/{session}/cancel-escalation"), json!({})).await),
            9 => drop(self.caller.post("/sessions/resume", json!({"sessionId": session})).await),
            10 => {
                let taken = self.agent.post_empty("/inbox/takeover").await;
                if taken.status == 200 {
                    self.claimed.push(taken.text_at("escalationId").to_owned());
                }
            }
            11 => {
                let rating = json!({"score": 1 + self.dice.below(5)});
                self.caller.post(&format!("/sessions/{session}/rating"), rating).await;
            }
            12 if !self.claimed.is_empty() => {
                let escalation = self.dice.of(&self.claimed).clone();
                let internal = self.dice.below(2) == 0;
                let written = json!({"content": "Here I am.", "internal": internal});
                self.agent.post(&format!("/inbox/{escalation}/message"), written).await.expect(200);
            }
            _ => self.end_a_claim().await,
        }
    }

    async fn end_a_claim(&mut self) {
        let Some(escalation) = self.claimed.pop() else { return };
        let action = *self.dice.of(&["resolve", "handback", "release"]);
        self.agent.post(&format!("/inbox/{escalation}/{action}"), json!({})).await.expect(200);
    }
}

/// The counts that are counted once more.
const NAMES: [&str; 16] = [
    "sessions",
    "sessionsWithMessage",
    "sessionsEscalated",
    "queries",
    "queriesUnanswered",
    "answers",
    "latencyMsSum",
    "thumbsUp",
    "thumbsDown",
    "answersFlagged",
    "escalationsHandled",
    "handleMsSum",
    "ratings",
    "ratingSum",
    "firstResponses",
    "firstResponseMsSum",
];

/// By day and name of the answer's counts.
type Counted = BTreeMap<(String, &'static str), i64>;

/// The expected figures, from the table as it is. They are computed here once more, apart from the service's counters.
async fn recounted(service: &TestService, scope: &Scope) -> Counted {
    let store = &service.resources().store;
    let mut counted = Counted::new();
    let mut add = |day: Day, name, amount: i64| *counted.entry((day.to_string(), name)).or_default() += amount;
    for session in all_sessions(service, scope).await {
        let day = Day::of(session.created_at);
        let turns =
            store.sessions().list_turns_after(scope, &session.session_id, 0, None, usize::MAX).await.unwrap().turns;
        let waited = |turn: &Turn| turn.disposition() == Some(Disposition::QueuedForHuman);
        let spoke = |turn: &Turn| turn.role() == TurnRole::Customer && (waited(turn) || !is_small_talk(turn));
        let asked = turns.iter().any(spoke);
        let escalated = turns.iter().any(|turn| turn.event() == Some(SystemEvent::HandoverRequested));
        add(day, "sessions", 1);
        add(day, "sessionsWithMessage", i64::from(asked));
        add(day, "sessionsEscalated", i64::from(asked && escalated));
        for turn in &turns {
            for (day, name, amount) in of_turn(turn, &turns) {
                add(day, name, amount);
            }
        }
    }
    for escalation in store.escalations().list_all(scope).await.unwrap() {
        if let Some(rating) = &escalation.rating {
            add(Day::of(rating.at), "ratings", 1);
            add(Day::of(rating.at), "ratingSum", i64::from(rating.score));
        }
        if let Some(at) = escalation.first_response_at {
            add(Day::of(at), "firstResponses", 1);
            add(Day::of(at), "firstResponseMsSum", at.millis_since(escalation.created_at));
        }
        let ended = match escalation.outcome {
            Some(EscalationOutcome::Resolved) => escalation.resolved_at.unwrap(),
            Some(EscalationOutcome::HandedBack) => escalation.closed_at.unwrap(),
            Some(EscalationOutcome::Cancelled | EscalationOutcome::Expired) | None => continue,
        };
        let session = store.sessions().get(scope, &escalation.session_id).await.unwrap().unwrap();
        add(Day::of(session.created_at), "escalationsHandled", 1);
        add(Day::of(session.created_at), "handleMsSum", ended.millis_since(escalation.claimed_at.unwrap()));
    }
    counted.retain(|_, amount| *amount != 0);
    counted
}

/// Whether a turn is small talk, or the answer to nothing else.
fn is_small_talk(turn: &Turn) -> bool {
    turn.content == SMALL_TALK || turn.disposition() == Some(Disposition::SmallTalk)
}

fn of_turn(turn: &Turn, turns: &[Turn]) -> Vec<(Day, &'static str, i64)> {
    if is_small_talk(turn) {
        return Vec::new();
    }
    if turn.role() == TurnRole::Customer {
        let Some(by) = turn.answered_by() else { return Vec::new() };
        let answer = turns.iter().find(|answer| answer.number == by).unwrap();
        let day = Day::of(answer.created_at);
        return vec![(day, "queries", 1), (day, "queriesUnanswered", i64::from(answer.ai().unwrap().unanswered))];
    }
    let Some(answer) = turn.ai() else { return Vec::new() };
    let day = Day::of(turn.created_at);
    let has = |reaction| i64::from(answer.reactions.contains(&reaction));
    vec![
        (day, "answers", 1),
        (day, "latencyMsSum", i64::try_from(answer.latency_ms).unwrap()),
        (day, "thumbsUp", has(Reaction::ThumbsUp)),
        (day, "thumbsDown", has(Reaction::ThumbsDown)),
        (day, "answersFlagged", has(Reaction::Flag)),
    ]
}

async fn all_sessions(service: &TestService, scope: &Scope) -> Vec<Session> {
    let now = service.resources().runtime.now();
    let mut sessions = Vec::new();
    let mut from = Some(DayCursor::newest_of_day(now));
    while let Some(cursor) = from {
        let oldest = now.plus_hours(-24 * 60);
        let page = service.resources().store.sessions().list(scope, cursor, oldest, PageBound::of(100)).await.unwrap();
        sessions.extend(page.sessions.into_iter().map(|(session, _)| session));
        from = page.next;
    }
    sessions
}

/// Gaps by id: how often and in how many sessions each was asked.
type Gaps = BTreeMap<String, (u64, u64)>;

async fn listed_gaps(service: &TestService) -> Gaps {
    let list = service.trainer().get("/analytics/kb-gaps?limit=100&days=90").await;
    let number = |gap: &Value, field: &str| gap[field].as_u64().unwrap();
    let of = |gap: &Value| (gap["gapId"].as_str().unwrap().to_owned(), (number(gap, "count"), number(gap, "sessions")));
    list.items().iter().map(of).collect()
}

async fn gaps_of_turns(service: &TestService, scope: &Scope) -> Gaps {
    let mut gaps = Gaps::new();
    for session in all_sessions(service, scope).await {
        let store = &service.resources().store;
        let turns =
            store.sessions().list_turns_after(scope, &session.session_id, 0, None, usize::MAX).await.unwrap().turns;
        let unanswered = |question: &&Turn| {
            // Small talk that is answered together with a question asks nothing.
            question.content != SMALL_TALK
                && turns.iter().any(|answer| {
                    question.answered_by() == Some(answer.number) && answer.ai().is_some_and(|ai| ai.unanswered)
                })
        };
        let questions = turns.iter().filter(unanswered);
        let ids: Vec<String> = questions
            .filter_map(|q| domain::gaps::gap_id_for(Language::English, &q.content))
            .map(|id| id.to_string())
            .collect();
        for id in &ids {
            gaps.entry(id.clone()).or_default().0 += 1;
        }
        for id in ids.into_iter().collect::<BTreeSet<_>>() {
            gaps.entry(id).or_default().1 += 1;
        }
    }
    gaps
}

/// The same of the answer, leaving out what the recount does not have.
fn of_answer(body: &Value) -> Counted {
    let mut counted = Counted::new();
    for day in body["daily"].as_array().unwrap() {
        for name in NAMES {
            let amount = day["counts"][name].as_i64().unwrap();
            if amount != 0 {
                counted.insert((day["date"].as_str().unwrap().to_owned(), name), amount);
            }
        }
    }
    counted
}

#[tokio::test]
async fn the_figures_equal_a_recount_whatever_is_delivered_twice() {
    let service = Arc::new(TestService::with(|options| options.wrap_changes = Some(Box::new(twice))).await);
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    let scope = service.tenant.scope(Mode::Live);
    // Three dates, between which everybody stops, so that the clock moves for all of them at once.
    let mut everybody: Vec<Somebody> = (0..WORKERS)
        .map(|seed| Somebody {
            dice: Dice(SeededRng::new(seed as u64 * 7_919)),
            caller: service.integration(),
            agent: service.agent(),
            sessions: Vec::new(),
            claimed: Vec::new(),
        })
        .collect();
    for _day in 0..3 {
        let acting = everybody.iter_mut().map(|somebody| async move {
            for _ in 0..operations() / WORKERS / 3 {
                somebody.act().await;
            }
        });
        futures::future::join_all(acting).await;
        service.clock.advance(24 * 3_600_000);
    }
    service.drain().await;
    let body = service.agent().get("/analytics?days=90").await;
    let expected = recounted(&service, &scope).await;
    assert_eq!(of_answer(body.expect(200)), expected);
    let dates: BTreeSet<&String> = expected.keys().map(|(date, _)| date).collect();
    let names: BTreeSet<&str> = expected.keys().map(|(_, name)| *name).collect();
    assert!(dates.len() >= 3, "not every day was counted: {expected:?}");
    assert_eq!(names, NAMES.into(), "not everything happened");
    let now = Day::of(service.resources().runtime.now());
    let own =
        support::analytics::recount::recount(&service.resources().store, &scope, now.plus(-30), now).await.unwrap();
    let counted = service.resources().store.statistics().list_days(&scope, now.plus(-89), now).await.unwrap();
    assert_eq!(counted, own, "the service's own recount differs");
    assert_eq!(listed_gaps(&service).await, gaps_of_turns(&service, &scope).await);
    let counted: i64 = expected.values().sum();
    println!("figure: recount after {} operations: {counted} counted, difference 0", operations());
}
