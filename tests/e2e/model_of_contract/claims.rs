//! The model of what agents do with claims, and with sessions that they have not claimed.

use super::action::{Agent, Caller};
use super::model::{ALREADY_CLAIMED, FORBIDDEN, INVALID_STATE, Model, NOT_FOUND, Owner, Refusal, SESSION_CLOSED, Turn};

const VALIDATION_ERROR: Refusal = (400, "VALIDATION_ERROR");

impl Model {
    /// Gives an escalation and its session to the agent.
    pub(super) fn give(&mut self, caller: Caller, agent: Agent, session: usize, id: usize) {
        (self.escalations[id].status, self.escalations[id].answered) = ("claimed", false);
        self.escalations[id].given_back = false;
        self.escalations[id].claimed_by = Some(caller.acts_as(agent));
        self.sessions[session].owner = Owner::Human;
        self.sessions[session].escalation = Some(id);
        self.say(session, "agent_joined", false);
    }

    pub(super) fn transfer(&mut self, caller: Caller, agent: Agent, id: usize, to: Agent) -> Result<(), Refusal> {
        caller.works_in_the_inbox().then_some(()).ok_or(FORBIDDEN)?;
        let to = to.id().unwrap();
        if caller.acts_as(agent) == to {
            return Err(VALIDATION_ERROR);
        }
        let session = self.claimed(caller, agent, id)?;
        if self.escalations[id].claimed_by.as_deref() == Some(to) {
            return Err(VALIDATION_ERROR);
        }
        self.escalations[id].claimed_by = Some(to.to_owned());
        (self.escalations[id].snoozed, self.escalations[id].answered) = (false, false);
        self.say(session, "agent_joined", false);
        Ok(())
    }

    pub(super) fn renew(&mut self, caller: Caller, agent: Agent, id: usize) -> Result<(), Refusal> {
        self.claimed(caller, agent, id)?;
        self.escalations[id].snoozed = false;
        Ok(())
    }

    pub(super) fn snooze(&mut self, caller: Caller, agent: Agent, id: usize, on: bool) -> Result<(), Refusal> {
        self.may_read(caller, id)?;
        if !on && self.escalations[id].status == "pending" {
            return Ok(());
        }
        self.claimed(caller, agent, id)?;
        self.escalations[id].snoozed = on;
        Ok(())
    }

    pub(super) fn reopen(&mut self, caller: Caller, agent: Agent, id: usize) -> Result<(), Refusal> {
        self.may_read(caller, id)?;
        let session = self.escalations[id].session;
        let it = &self.sessions[session];
        let may = match it.owner {
            Owner::Closed => true,
            Owner::Ai => it.last_resolved == Some(id),
            Owner::Pending | Owner::Human => false,
        };
        if self.escalations[id].status != "resolved" || !may {
            return Err(INVALID_STATE);
        }
        self.escalations[id].outcome = None;
        self.give(caller, agent, session, id);
        Ok(())
    }

    /// The escalation that the agent has then.
    pub(super) fn step_in(&mut self, caller: Caller, agent: Agent, session: usize) -> Result<usize, Refusal> {
        caller.works_in_the_inbox().then_some(()).ok_or(FORBIDDEN)?;
        let it = &self.sessions[session];
        if it.tenant != caller.tenant {
            return Err(NOT_FOUND);
        }
        let id = match it.owner {
            Owner::Closed => return Err(SESSION_CLOSED),
            Owner::Human => return Err(ALREADY_CLAIMED),
            Owner::Pending => it.escalation.unwrap(),
            Owner::Ai => self.add_escalation(session, false),
        };
        self.give(caller, agent, session, id);
        Ok(id)
    }

    pub(super) fn note(&mut self, caller: Caller, session: usize) -> Result<(), Refusal> {
        caller.sees_notes().then_some(()).ok_or(FORBIDDEN)?;
        self.seen(caller, session)?;
        let it = &self.sessions[session];
        if it.owner == Owner::Closed {
            return Err(SESSION_CLOSED);
        }
        if let Some(id) = it.escalation
            && self.escalations[id].claimed_by == Some(caller.acts_as(Agent::Nobody))
        {
            self.escalations[id].snoozed = false;
        }
        self.say(session, "agent", true);
        Ok(())
    }

    pub(super) fn write(&mut self, caller: Caller, agent: Agent, id: usize, internal: bool) -> Result<(), Refusal> {
        let session = self.claimed(caller, agent, id)?;
        self.say(session, "agent", internal);
        self.escalations[id].snoozed = false;
        self.escalations[id].answered |= !internal;
        Ok(())
    }

    /// `seen`: how many turns the agent says to have seen; true if the AI owes an answer.
    pub(super) fn hand_back(
        &mut self,
        caller: Caller,
        agent: Agent,
        id: usize,
        note: bool,
        seen: Option<usize>,
    ) -> Result<bool, Refusal> {
        let session = self.claimed(caller, agent, id)?;
        let turns = &self.sessions[session].turns;
        if seen.is_some_and(|seen| turns[seen..].iter().any(|turn| turn.what == "customer")) {
            return Err((409, "CONFLICT"));
        }
        // Whether an answer is pending is decided before the note, which is internal.
        let note_at = self.sessions[session].turns.len();
        let pending = {
            self.end(id, "closed", Some("handed_back"));
            self.sessions[session].after_person = true;
            self.back_to_the_ai(session)
        };
        if note {
            let it = &mut self.sessions[session];
            let note = Turn { what: "agent", internal: true, reactions: Vec::new(), while_waiting: false };
            it.turns.insert(note_at, note);
            it.ai_since += 1;
        }
        Ok(pending)
    }

    pub(super) fn resolve(&mut self, caller: Caller, agent: Agent, id: usize) -> Result<(), Refusal> {
        self.may_read(caller, id)?;
        if self.escalations[id].status == "resolved" {
            return self.may_act(caller, agent, id);
        }
        let session = self.claimed(caller, agent, id)?;
        self.end(id, "resolved", Some("resolved"));
        self.becomes(session, Owner::Closed);
        self.sessions[session].last_resolved = Some(id);
        self.sessions[session].after_person = true;
        self.say(session, "closed", false);
        Ok(())
    }

    pub(super) fn release(&mut self, caller: Caller, agent: Agent, id: usize) -> Result<(), Refusal> {
        let session = self.claimed(caller, agent, id)?;
        self.end(id, "pending", None);
        (self.escalations[id].claimed_by, self.escalations[id].given_back) = (None, true);
        self.sessions[session].owner = Owner::Pending;
        self.say(session, "agent_left", false);
        Ok(())
    }
}
