//! Everything that agents, customers and the sweeper do with a claim, at once: nobody is in two hands, nobody is lost.
//!
//! `SUPPORT_TEST_OPERATIONS` requests a thorough run: so many rounds of each pair, with 16 at once. Without it there is
//! one.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::{TestService, scale};

/// How many act at once.
const AT_ONCE: usize = 16;
const MINUTE: i64 = 60_000;

fn rounds() -> usize {
    scale::operations().unwrap_or(1)
}

/// One thing that happens to a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Takeover,
    StepIn,
    Transfer,
    Renew,
    RenewAll,
    Snooze,
    Reopen,
    Resolve,
    HandBack,
    Release,
    AgentWrites,
    CustomerWrites,
    Note,
    Resume,
    LeaseEnds,
}

impl Deed {
    const ALL: [Self; 15] = [
        Self::Takeover,
        Self::StepIn,
        Self::Transfer,
        Self::Renew,
        Self::RenewAll,
        Self::Snooze,
        Self::Reopen,
        Self::Resolve,
        Self::HandBack,
        Self::Release,
        Self::AgentWrites,
        Self::CustomerWrites,
        Self::Note,
        Self::Resume,
        Self::LeaseEnds,
    ];

    /// Those of agents that this is a race of.
    const RACED: [Self; 6] = [Self::Transfer, Self::Renew, Self::RenewAll, Self::Snooze, Self::Reopen, Self::StepIn];
}

/// A customer who races, and who acts on them.
struct Race {
    service: Arc<TestService>,
    session: String,
    escalation: String,
    /// The clock goes on by more than the deadline of a request: one may then be 503.
    clock_moves: bool,
}

impl Race {
    /// A customer whom `Anna` has; one of whom it is resolved if a race is about that; one of the AI's.
    async fn new(service: &Arc<TestService>, about: Deed, clock_moves: bool) -> Self {
        let (caller, admin) = (service.integration(), service.admin());
        let session = caller.session().await;
        let named = json!({"agentId": "agent-0"});
        let taken = admin.post(&format!("/sessions/{session}/takeover"), named).await;
        let escalation = taken.text_at("escalationId").to_owned();
        match about {
            Deed::Reopen => drop(admin.post_empty(&format!("/inbox/{escalation}/resolve")).await.expect(200)),
            Deed::StepIn => drop(admin.post_empty(&format!("/inbox/{escalation}/handback")).await.expect(200)),
            _ => {}
        }
        Self { service: Arc::clone(service), session, escalation, clock_moves }
    }

    /// Does one thing as agent `number`; an admin key, so that it may act on whatever is claimed. Any answer but a
    /// refusal of the contract is a failure.
    async fn act(&self, deed: Deed, number: usize) {
        let (admin, agent) = (self.service.admin(), format!("agent-{number}"));
        let inbox = |action: &str| format!("/inbox/{}/{action}", self.escalation);
        let reply = match deed {
            Deed::Takeover => {
                let body = json!({"agentId": agent, "escalationId": self.escalation});
                admin.post("/inbox/takeover", body).await
            }
            Deed::StepIn => {
                admin.post(&format!("/sessions/{}/takeover", self.session), json!({"agentId": agent})).await
            }
            Deed::Transfer => {
                let to = format!("agent-{}", (number + 1) % AT_ONCE);
                admin.post(&inbox("transfer"), json!({"agentId": agent, "toAgentId": to, "note": "yours"})).await
            }
            Deed::Renew => admin.post(&inbox("renew"), json!({"agentId": agent})).await,
            // By whoever has it, so that there is something to renew.
            Deed::RenewAll => {
                let case = admin.get(&format!("/inbox/{}", self.escalation)).await;
                let agent = case.at("/claimedBy/agentId").as_str().unwrap_or("nobody");
                admin.post("/inbox/renew", json!({"agentId": agent})).await
            }
            Deed::Snooze => {
                let until = self.service.resources().runtime.now().plus_hours(24).to_string();
                let body = json!({"agentId": agent, "snoozedUntil": until});
                admin.patch(&format!("/inbox/{}", self.escalation), body).await
            }
            Deed::Reopen => admin.post(&inbox("reopen"), json!({"agentId": agent})).await,
            Deed::Resolve => admin.post(&inbox("resolve"), json!({"agentId": agent})).await,
            Deed::HandBack => admin.post(&inbox("handback"), json!({"agentId": agent})).await,
            Deed::Release => admin.post(&inbox("release"), json!({"agentId": agent})).await,
            Deed::AgentWrites => {
                admin.post(&inbox("message"), json!({"agentId": agent, "content": format!("from {agent}")})).await
            }
            Deed::CustomerWrites => self.service.integration().ask(&self.session, &format!("number {number}")).await,
            Deed::Note => admin.post(&format!("/sessions/{}/notes", self.session), json!({"content": "a note"})).await,
            Deed::Resume => {
                self.service.integration().post("/sessions/resume", json!({"sessionId": self.session})).await
            }
            Deed::LeaseEnds => {
                self.service.clock.advance(31 * MINUTE);
                self.service.sweep().await;
                return;
            }
        };
        let fine =
            reply.status < 300 || [400, 409].contains(&reply.status) || (self.clock_moves && reply.status == 503);
        assert!(fine, "{deed:?}: {} {}", reply.status, reply.text);
    }

    /// Checks that the session, its requests, its turns and the inbox agree.
    async fn check(&self, about: &str) {
        let admin = self.service.admin();
        let session = admin.get(&format!("/sessions/{}", self.session)).await.expect(200).clone();
        let export = admin.get(&format!("/sessions/{}/export", self.session)).await.expect(200).clone();
        let escalations = export["escalations"].as_array().unwrap();
        let open: Vec<&Value> = escalations.iter().filter(|e| ["pending", "claimed"].contains(&status(e))).collect();
        let turns = admin.turns(&self.session).await;
        let told = retold(&turns);
        assert_eq!(session["ownership"], told.owner, "{about}: {turns:#?}");
        let expected = match told.owner {
            "human" => vec!["claimed"],
            "pending_handover" => vec!["pending"],
            _ => Vec::new(),
        };
        assert_eq!(open.iter().map(|e| status(e)).collect::<Vec<_>>(), expected, "{about}: {export:#}");
        for escalation in escalations {
            let is_claimed = status(escalation) == "claimed";
            let has = |field: &str| escalation[field].is_string();
            let times = u8::from(has("leaseExpiresAt")) + u8::from(has("snoozedUntil"));
            // A claim without an open question ends by no time.
            assert!(times == u8::from(is_claimed) || (is_claimed && times == 0), "{about}: {escalation:#}");
            let list = admin.get(&format!("/inbox?status={}&limit=100", status(escalation))).await;
            let listed = list.items().iter().find(|item| item["escalationId"] == escalation["escalationId"]);
            let listed = listed.unwrap_or_else(|| panic!("{about}: the inbox lost {escalation:#}"));
            for field in ["status", "claimedBy", "leaseExpiresAt", "snoozedUntil", "version"] {
                assert_eq!(listed[field], escalation[field], "{about}: {field}");
            }
        }
        if let ("human", [open]) = (told.owner, open.as_slice()) {
            assert_eq!(open["claimedBy"]["agentId"], *told.agent.unwrap(), "{about}: who joined last has them");
            assert_eq!(session["escalationId"], open["escalationId"], "{about}");
        }
    }
}

fn status(escalation: &Value) -> &str {
    escalation["status"].as_str().unwrap()
}

/// The owner of a session by its turns, and the agent who joined last.
struct Retold<'a> {
    owner: &'static str,
    agent: Option<&'a Value>,
}

/// Reads the turns as a story that can have happened: each step from where the one before it led.
fn retold(turns: &[Value]) -> Retold<'_> {
    let mut told = Retold { owner: "ai", agent: None };
    for turn in turns {
        let event = turn["event"].as_str().unwrap_or_default();
        told.owner = match (told.owner, event) {
            (owner, "") => {
                let is_answer = turn["role"] == "ai";
                let speaks = owner == "ai" || owner == "pending_handover";
                assert!(!is_answer || speaks, "the AI spoke while the session was {owner}: {turns:#?}");
                owner
            }
            ("ai", "handover_requested") | ("human", "agent_left" | "claim_lapsed") => "pending_handover",
            // From the queue, from the AI, from a colleague, or after the end.
            (_, "agent_joined") => {
                told.agent = Some(&turn["agent"]["id"]);
                "human"
            }
            ("human" | "pending_handover", "handover_ended") | ("closed", "resumed") => "ai",
            ("human", "closed") => "closed",
            (owner, event) => panic!("{event} while the session was {owner}: {turns:#?}"),
        };
    }
    told
}

/// Sixteen at once, half of each.
async fn race(service: &Arc<TestService>, one: Deed, other: Deed) {
    let race = Arc::new(Race::new(service, one, other == Deed::LeaseEnds).await);
    let acts = (0..AT_ONCE).map(|number| {
        let (race, deed) = (Arc::clone(&race), if number % 2 == 0 { one } else { other });
        // The clock is one: it ends one lease a round.
        let deed = if deed == Deed::LeaseEnds && number > 1 { one } else { deed };
        tokio::spawn(async move { race.act(deed, number).await })
    });
    for act in acts.collect::<Vec<_>>() {
        act.await.unwrap();
    }
    race.check(&format!("{one:?} and {other:?}")).await;
    service.admin().delete(&format!("/sessions/{}", race.session)).await.expect(204);
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_agents_do_at_once_a_customer_is_in_one_hand_or_waits() {
    let service = Arc::new(TestService::start().await);
    let mut raced = 0;
    for one in Deed::RACED {
        for other in Deed::ALL {
            for _ in 0..rounds() {
                race(&service, one, other).await;
                raced += 1;
            }
        }
    }
    println!("figure: races of claims, {AT_ONCE} at once: {raced} rounds, nobody in two hands, nobody lost");
}

/// Everything, over and over, in an order of its own.
async fn scramble(race: Arc<Race>, number: usize, deeds: usize) {
    for step in 0..deeds {
        let deed = Deed::ALL[(number * 5 + step * 3 + number * step) % Deed::ALL.len()];
        let deed = if deed == Deed::LeaseEnds && number > 0 { Deed::Renew } else { deed };
        race.act(deed, number).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scramble_of_everything_leaves_one_story() {
    let service = Arc::new(TestService::start().await);
    for round in 0..rounds() {
        let race = Arc::new(Race::new(&service, Deed::Transfer, true).await);
        let all = (0..AT_ONCE).map(|number| tokio::spawn(scramble(Arc::clone(&race), number, 6)));
        for one in all.collect::<Vec<_>>() {
            one.await.unwrap();
        }
        race.check(&format!("scramble {round}")).await;
    }
}
