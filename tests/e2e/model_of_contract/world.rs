//! The service next to the model: each action is done to both, and their responses and states are compared.

use std::collections::BTreeMap;

use domain::models::{Mode, Plan, Role};
use local::TenantKeys;
use serde_json::{Value, json};

use super::action::{Act, Agent, Caller, Said, Seen};
use super::model::{Model, Refusal};
use crate::support::{Actor, Reply, TestService};

/// The result of a comparison, with the difference as its error.
type Checked<T = ()> = Result<T, String>;

/// Two tenants, and the ids of what the model knows by number.
pub(super) struct World {
    actors: BTreeMap<(usize, Option<&'static str>), Actor>,
    sessions: Vec<String>,
    escalations: Vec<String>,
    /// A moment within seven days.
    tomorrow: String,
    model: Model,
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Checked {
    if found == expected { Ok(()) } else { Err(format!("{what} is {found:?}, not {expected:?}")) }
}

fn priority(high: bool) -> &'static str {
    if high { "high" } else { "normal" }
}

/// The reply is the refusal that the model foretold, or none if it foretold none.
fn as_foretold<T>(reply: &Reply, foretold: Result<T, Refusal>) -> Checked<Option<T>> {
    match foretold {
        Ok(it) if reply.status < 300 => Ok(Some(it)),
        Ok(_) => Err(format!("{} {}", reply.status, reply.text)),
        Err((status, code)) => {
            let found = (reply.status, reply.json["error"].as_str().unwrap_or_default());
            same("the refusal", found, (status, code)).map(|()| None)
        }
    }
}

async fn actors(
    service: &TestService,
    tenant: &TenantKeys,
    number: usize,
    all: &mut BTreeMap<(usize, Option<&'static str>), Actor>,
) {
    for role in Role::ALL {
        all.insert((number, Some(role.as_str())), service.bearer(tenant.key(Mode::Live, *role)));
    }
    let admin = &all[&(number, Some("admin"))];
    let token = admin.post("/auth/widget-token", json!({"externalUserId": "ann", "ttlSeconds": 3600})).await;
    let settings = json!({"maxAiTurns": 1000});
    admin.patch("/settings", settings).await.expect(200);
    admin.wiki_entry("help/refunds", "Refunds", "A refund takes five working days after approval.").await;
    all.insert((number, None), service.bearer(token.text_at("token")));
}

impl World {
    pub(super) async fn new(service: &TestService) -> Self {
        let mut all = BTreeMap::new();
        for number in 0..2 {
            let tenant = service.new_tenant(Plan::Pro).await;
            actors(service, &tenant, number, &mut all).await;
        }
        let tomorrow = service.resources().runtime.now().plus_hours(24).to_string();
        Self { actors: all, sessions: Vec::new(), escalations: Vec::new(), tomorrow, model: Model::default() }
    }

    fn actor(&self, caller: Caller) -> Actor {
        self.actors[&(caller.tenant, caller.role.map(Role::as_str))].clone()
    }

    fn admin_of(&self, session: usize) -> Actor {
        self.actors[&(self.model.sessions[session].tenant, Some("admin"))].clone()
    }

    pub(super) async fn act(&mut self, caller: Caller, act: &Act) -> Checked {
        let actor = self.actor(caller);
        let (sessions, escalations) = (self.sessions.len(), self.escalations.len());
        match act {
            Act::Create => {
                let reply = actor.post("/sessions", json!({})).await;
                self.model.create(caller);
                as_foretold(&reply, Ok(()))?;
                self.sessions.push(reply.text_at("sessionId").to_owned());
                self.compare_session(sessions).await
            }
            Act::ListInbox => self.list(caller, &actor).await,
            Act::Takeover(agent) => self.takeover(caller, &actor, *agent, None).await,
            Act::ListClaimedBy(agent) => self.list_claimed_by(caller, &actor, *agent).await,
            Act::Message(..)
            | Act::Escalate(..)
            | Act::Tag(..)
            | Act::Cancel(_)
            | Act::Resume(_)
            | Act::React(..)
            | Act::StepIn(..)
            | Act::Note(_)
                if sessions == 0 =>
            {
                Ok(())
            }
            Act::Message(at, said) => self.message(caller, &actor, at % sessions, *said).await,
            Act::Escalate(at, high) => self.escalate(caller, &actor, at % sessions, *high).await,
            Act::Tag(at, number) => {
                let (at, tag) = (at % sessions, format!("tag {number}"));
                let reply = actor.patch(&format!("/sessions/{}", self.sessions[at]), json!({"tags": [tag]})).await;
                as_foretold(&reply, self.model.tag(caller, at, &tag))?;
                self.compare_session(at).await
            }
            Act::Cancel(at) => self.cancel(caller, &actor, at % sessions).await,
            Act::Resume(at) => self.resume(caller, &actor, at % sessions).await,
            Act::React(at, reaction) => {
                let at = at % sessions;
                let path = format!("/sessions/{}/reaction", self.sessions[at]);
                let reply = actor.post(&path, json!({"reaction": reaction.name()})).await;
                if let Some(shown) = as_foretold(&reply, self.model.react(caller, at, *reaction))? {
                    same("reactions", reply.at("reactions"), &json!(shown))?;
                }
                self.learn_escalation(at).await?;
                self.compare_session(at).await
            }
            Act::StepIn(agent, at) => self.step_in(caller, &actor, *agent, at % sessions).await,
            Act::Note(at) => {
                let at = at % sessions;
                let path = format!("/sessions/{}/notes", self.sessions[at]);
                let reply = actor.post(&path, json!({"content": "a note"})).await;
                as_foretold(&reply, self.model.note(caller, at))?;
                self.compare_session(at).await
            }
            _ if escalations == 0 => Ok(()),
            Act::TakeoverNamed(agent, at) => self.takeover(caller, &actor, *agent, Some(at % escalations)).await,
            Act::Write(agent, at, internal) => {
                let at = at % escalations;
                let body = json!({"content": "from an agent", "internal": internal, "agentId": agent.id()});
                let reply = actor.post(&self.path(at, "message"), body).await;
                as_foretold(&reply, self.model.write(caller, *agent, at, *internal))?;
                self.compare_escalation(at).await
            }
            Act::HandBack(agent, at, note, seen) => {
                self.hand_back(caller, &actor, (*agent, at % escalations), *note, *seen).await
            }
            Act::Resolve(agent, at) => {
                let at = at % escalations;
                let reply = actor.post(&self.path(at, "resolve"), json!({"agentId": agent.id()})).await;
                as_foretold(&reply, self.model.resolve(caller, *agent, at))?;
                self.compare_escalation(at).await
            }
            Act::Transfer(..) | Act::Renew(..) | Act::Snooze(..) | Act::Reopen(..) => {
                self.act_on_claim(caller, &actor, act, escalations).await
            }
            Act::Prioritize(at, high) => self.prioritize(caller, &actor, at % escalations, *high).await,
            Act::Release(agent, at) => {
                let at = at % escalations;
                let reply = actor.post(&self.path(at, "release"), json!({"agentId": agent.id()})).await;
                as_foretold(&reply, self.model.release(caller, *agent, at))?;
                self.compare_escalation(at).await
            }
        }
    }

    async fn act_on_claim(&mut self, caller: Caller, actor: &Actor, act: &Act, escalations: usize) -> Checked {
        let (reply, foretold, at) = match act {
            Act::Transfer(agent, at, to) => {
                let at = at % escalations;
                let body = json!({"agentId": agent.id(), "toAgentId": to.id(), "note": null});
                let reply = actor.post(&self.path(at, "transfer"), body).await;
                (reply, self.model.transfer(caller, *agent, at, *to), at)
            }
            Act::Renew(agent, at) => {
                let at = at % escalations;
                let reply = actor.post(&self.path(at, "renew"), json!({"agentId": agent.id()})).await;
                (reply, self.model.renew(caller, *agent, at), at)
            }
            Act::Reopen(agent, at) => {
                let at = at % escalations;
                let reply = actor.post(&self.path(at, "reopen"), json!({"agentId": agent.id()})).await;
                (reply, self.model.reopen(caller, *agent, at), at)
            }
            Act::Snooze(agent, at, on) => {
                let at = at % escalations;
                let until = on.then(|| self.tomorrow.clone());
                let body = json!({"agentId": agent.id(), "snoozedUntil": until});
                let reply = actor.patch(&format!("/inbox/{}", self.escalations[at]), body).await;
                (reply, self.model.snooze(caller, *agent, at, *on), at)
            }
            other => panic!("{other:?} is no act on a claim"),
        };
        as_foretold(&reply, foretold)?;
        self.compare_escalation(at).await
    }

    async fn step_in(&mut self, caller: Caller, actor: &Actor, agent: Agent, at: usize) -> Checked {
        let path = format!("/sessions/{}/takeover", self.sessions[at]);
        let reply = actor.post(&path, json!({"agentId": agent.id()})).await;
        match as_foretold(&reply, self.model.step_in(caller, agent, at))? {
            None => self.compare_session(at).await,
            Some(id) => {
                if id == self.escalations.len() {
                    self.escalations.push(reply.text_at("escalationId").to_owned());
                }
                same("the escalation", reply.text_at("escalationId"), self.escalations[id].as_str())?;
                self.compare_escalation(id).await
            }
        }
    }

    async fn prioritize(&mut self, caller: Caller, actor: &Actor, at: usize, high: bool) -> Checked {
        let body = json!({"priority": priority(high)});
        let reply = actor.patch(&format!("/inbox/{}", self.escalations[at]), body).await;
        as_foretold(&reply, self.model.prioritize(caller, at, high))?;
        self.compare_escalation(at).await
    }

    fn path(&self, escalation: usize, action: &str) -> String {
        format!("/inbox/{}/{action}", self.escalations[escalation])
    }

    async fn message(&mut self, caller: Caller, actor: &Actor, at: usize, said: Said) -> Checked {
        let words = match said {
            Said::Known => "How long does a refund take?",
            Said::Unknown => "Do purple elephants juggle marmalade?",
            Said::WantsHuman => "I want to talk to a human",
        };
        let reply = actor.ask(&self.sessions[at], words).await;
        if let Some(answered) = as_foretold(&reply, self.model.message(caller, at, said))? {
            same("the disposition", reply.at("disposition"), &json!(answered.disposition))?;
            same("the ownership", reply.at("ownership"), &json!(answered.owner.name()))?;
        }
        self.learn_escalation(at).await?;
        match self.model.sessions[at].escalation {
            Some(open) => self.compare_escalation(open).await,
            None => self.compare_session(at).await,
        }
    }

    async fn escalate(&mut self, caller: Caller, actor: &Actor, at: usize, high: bool) -> Checked {
        let body = json!({"reason": "r", "priority": high.then_some("high")});
        let reply = actor.post(&format!("/sessions/{}/escalate", self.sessions[at]), body).await;
        if let Some(id) = as_foretold(&reply, self.model.escalate(caller, at, high))? {
            if id == self.escalations.len() {
                self.escalations.push(reply.text_at("escalationId").to_owned());
            }
            same("the escalation", reply.text_at("escalationId"), self.escalations[id].as_str())?;
            same("the place in the queue", reply.at("queuePosition"), &json!(self.model.place(id)))?;
        }
        self.compare_session(at).await
    }

    async fn cancel(&mut self, caller: Caller, actor: &Actor, at: usize) -> Checked {
        let reply = actor.post(&format!("/sessions/{}/cancel-escalation", self.sessions[at]), json!({})).await;
        if as_foretold(&reply, self.model.cancel(caller, at))? == Some(true) {
            self.learn_pending(at).await;
        }
        self.compare_session(at).await
    }

    async fn resume(&mut self, caller: Caller, actor: &Actor, at: usize) -> Checked {
        let reply = actor.post("/sessions/resume", json!({"sessionId": self.sessions[at]})).await;
        if let Some(resumed) = as_foretold(&reply, self.model.resume(caller, at))? {
            same("resumed", reply.at("resumed"), &json!(resumed))?;
        }
        self.compare_session(at).await
    }

    async fn takeover(&mut self, caller: Caller, actor: &Actor, agent: Agent, named: Option<usize>) -> Checked {
        let id = named.map(|at| self.escalations[at].clone());
        let reply = actor.post("/inbox/takeover", json!({"agentId": agent.id(), "escalationId": id})).await;
        match as_foretold(&reply, self.model.takeover(caller, agent, named))? {
            None => Ok(()),
            Some(id) => {
                same("the escalation", reply.text_at("escalationId"), self.escalations[id].as_str())?;
                self.compare_escalation(id).await
            }
        }
    }

    async fn hand_back(
        &mut self,
        caller: Caller,
        actor: &Actor,
        (agent, at): (Agent, usize),
        note: bool,
        seen: Seen,
    ) -> Checked {
        let session = self.model.escalations[at].session;
        let turns = self.admin_of(session).turns(&self.sessions[session]).await;
        let number = match seen {
            Seen::NotSaid => None,
            Seen::First => Some(1),
            Seen::All => Some(turns.len()),
        };
        let last_seen = number.map(|number| turns[number - 1]["messageId"].clone());
        let body = json!({
            "agentId": agent.id(),
            "note": note.then_some("a note"),
            "lastSeenMessageId": last_seen,
        });
        let reply = actor.post(&self.path(at, "handback"), body).await;
        if as_foretold(&reply, self.model.hand_back(caller, agent, at, note, number))? == Some(true) {
            self.learn_pending(session).await;
        }
        self.compare_escalation(at).await
    }

    async fn list(&mut self, caller: Caller, actor: &Actor) -> Checked {
        let reply = actor.get("/inbox?limit=100").await;
        let foretold = if caller.works_in_the_inbox() { Ok(()) } else { Err((403, "FORBIDDEN")) };
        if as_foretold(&reply, foretold)?.is_none() {
            return Ok(());
        }
        let count = |status| self.model.count(caller.tenant, status);
        let counts = json!({"pending": count("pending"), "claimed": count("claimed"), "capped": false});
        same("the counts", reply.at("counts"), &counts)?;
        self.compare_list(&reply, &self.model.queue(caller.tenant))
    }

    async fn list_claimed_by(&mut self, caller: Caller, actor: &Actor, agent: Agent) -> Checked {
        let Some(name) = agent.id() else { return Ok(()) };
        let reply = actor.get(&format!("/inbox?limit=100&agentId={name}")).await;
        let foretold = if caller.works_in_the_inbox() { Ok(()) } else { Err((403, "FORBIDDEN")) };
        if as_foretold(&reply, foretold)?.is_none() {
            return Ok(());
        }
        self.compare_list(&reply, &self.model.claimed_by(caller.tenant, name))
    }

    fn compare_list(&self, reply: &Reply, expected: &[usize]) -> Checked {
        let listed: Vec<_> = reply.items().iter().map(|item| item["escalationId"].clone()).collect();
        same("the list", listed, expected.iter().map(|id| json!(self.escalations[*id])).collect())
    }

    /// The id of an escalation that the service made by itself.
    async fn learn_escalation(&mut self, session: usize) -> Checked {
        if self.model.escalations.len() == self.escalations.len() {
            return Ok(());
        }
        let now = self.admin_of(session).get(&format!("/sessions/{}", self.sessions[session])).await;
        let id = now.at("escalationId").as_str().ok_or("no human was asked for")?;
        self.escalations.push(id.to_owned());
        Ok(())
    }

    /// Whether the wiki had an answer to all that was left together is not the model's business.
    async fn learn_pending(&mut self, session: usize) {
        let turns = self.admin_of(session).turns(&self.sessions[session]).await;
        let unanswered = turns.last().is_some_and(|turn| turn["disposition"] == "no_answer");
        self.model.expect_pending(session, unanswered);
    }

    async fn compare_escalation(&self, at: usize) -> Checked {
        let expected = &self.model.escalations[at];
        let now = self.admin_of(expected.session).get(&format!("/inbox/{}", self.escalations[at])).await;
        same("the status", now.at("status"), &json!(expected.status))?;
        same("the priority", now.at("priority"), &json!(priority(expected.high)))?;
        same("the outcome", now.at("outcome"), &json!(expected.outcome))?;
        same("it is put off", now.at("snoozedUntil").is_string(), expected.snoozed)?;
        let has_lease = expected.status == "claimed" && !expected.snoozed && !expected.answered;
        same("it has a lease", now.at("leaseExpiresAt").is_string(), has_lease)?;
        let claimer = now.at("/claimedBy/agentId");
        match expected.claimed_by.as_deref() {
            Some(key) if key.starts_with("the key") => {
                same("a key claimed it", claimer.as_str().is_some_and(|id| id.starts_with("key_")), true)?
            }
            named => same("the claimer", claimer, &json!(named))?,
        }
        self.compare_session(expected.session).await
    }

    /// The session as its tenant's admin, its integration and its widget read it.
    async fn compare_session(&self, at: usize) -> Checked {
        let expected = &self.model.sessions[at];
        let id = &self.sessions[at];
        let now = self.admin_of(at).get(&format!("/sessions/{id}")).await;
        same("the owner", now.at("ownership"), &json!(expected.owner.name()))?;
        same("the tags", now.at("tags"), &json!(expected.tags))?;
        same("the number of turns", now.at("turnCount"), &json!(expected.turns.len()))?;
        let escalation = expected.escalation.map(|escalation| self.escalations[escalation].as_str());
        same("the session's escalation", now.at("escalationId"), &json!(escalation))?;
        for role in [Some(Role::Admin), Some(Role::Integration), None] {
            let reader = Caller { tenant: expected.tenant, role };
            let reply = self.actor(reader).get(&format!("/sessions/{id}/messages")).await;
            if as_foretold(&reply, self.model.seen(reader, at))?.is_none() {
                continue;
            }
            let what = |turn: &Value| turn["event"].as_str().or(turn["role"].as_str()).unwrap_or_default().to_owned();
            let found: Vec<_> = reply.items().iter().map(what).collect();
            let visible = expected.turns.iter().filter(|turn| !turn.internal || reader.sees_notes());
            same("the turns", found, visible.map(|turn| turn.what.to_owned()).collect())?;
        }
        Ok(())
    }
}
