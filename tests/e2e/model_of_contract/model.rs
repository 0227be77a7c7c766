//! Sessions and inbox of the API again, in memory and as simple as possible: ownership, permissions, responses. It does
//! not use the service.

use super::action::{Agent, Caller, Reaction, Said};

/// The owner of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Ai,
    Pending,
    Human,
    Closed,
}

impl Owner {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ai => "ai",
            Self::Pending => "pending_handover",
            Self::Human => "human",
            Self::Closed => "closed",
        }
    }
}

/// A turn, as far as the model cares: who speaks or what happened, and whether for the team alone.
#[derive(Debug, Clone)]
pub(super) struct Turn {
    pub(super) what: &'static str,
    pub(super) internal: bool,
    /// An AI turn's reactions, in the order in which they are shown.
    pub(super) reactions: Vec<&'static str>,
    /// Of an AI turn: it answers while a person is awaited. Of a customer's: it has such an answer.
    pub(super) while_waiting: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Session {
    pub(super) tenant: usize,
    pub(super) widget: bool,
    pub(super) owner: Owner,
    pub(super) escalation: Option<usize>,
    /// The request that was resolved last, until somebody asks for a human again.
    pub(super) last_resolved: Option<usize>,
    pub(super) after_person: bool,
    pub(super) turns: Vec<Turn>,
    pub(super) tags: Vec<String>,
    /// Turns before it last became the AI's.
    pub(super) ai_since: usize,
    unanswered_in_a_row: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Escalation {
    pub(super) session: usize,
    pub(super) status: &'static str,
    pub(super) outcome: Option<&'static str>,
    pub(super) high: bool,
    pub(super) claimed_by: Option<String>,
    pub(super) snoozed: bool,
    /// Its agent wrote last.
    pub(super) answered: bool,
    /// It was given back to the queue.
    pub(super) given_back: bool,
}

/// Everything there is.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) sessions: Vec<Session>,
    pub(super) escalations: Vec<Escalation>,
}

/// Why something is refused: status and code.
pub(super) type Refusal = (u16, &'static str);

pub(super) const NOT_FOUND: Refusal = (404, "NOT_FOUND");
pub(super) const FORBIDDEN: Refusal = (403, "FORBIDDEN");
pub(super) const INVALID_STATE: Refusal = (409, "INVALID_STATE");
pub(super) const ALREADY_CLAIMED: Refusal = (409, "ALREADY_CLAIMED");
pub(super) const SESSION_CLOSED: Refusal = (409, "SESSION_CLOSED");

/// The expected reply to a message; a pending answer's disposition depends on the wiki.
pub(super) struct Answered {
    pub(super) disposition: &'static str,
    pub(super) owner: Owner,
}

impl Model {
    pub(super) fn create(&mut self, caller: Caller) -> usize {
        self.sessions.push(Session {
            tenant: caller.tenant,
            widget: caller.is_widget(),
            owner: Owner::Ai,
            escalation: None,
            last_resolved: None,
            after_person: false,
            turns: Vec::new(),
            tags: Vec::new(),
            ai_since: 0,
            unanswered_in_a_row: 0,
        });
        self.sessions.len() - 1
    }

    /// The session, if the caller may see it.
    pub(super) fn seen(&self, caller: Caller, session: usize) -> Result<(), Refusal> {
        let it = &self.sessions[session];
        let sees = it.tenant == caller.tenant && (!caller.is_widget() || it.widget);
        if sees { Ok(()) } else { Err(NOT_FOUND) }
    }

    pub(super) fn say(&mut self, session: usize, what: &'static str, internal: bool) {
        self.sessions[session].turns.push(Turn { what, internal, reactions: Vec::new(), while_waiting: false });
    }

    pub(super) fn becomes(&mut self, session: usize, owner: Owner) {
        let it = &mut self.sessions[session];
        it.owner = owner;
        if matches!(owner, Owner::Ai | Owner::Closed) {
            it.escalation = None;
        }
        if owner == Owner::Ai {
            it.unanswered_in_a_row = 0;
        }
    }

    /// A new escalation, which waits.
    pub(super) fn add_escalation(&mut self, session: usize, high: bool) -> usize {
        let (status, outcome) = ("pending", None);
        self.escalations.push(Escalation {
            session,
            status,
            outcome,
            high,
            claimed_by: None,
            snoozed: false,
            answered: false,
            given_back: false,
        });
        (self.sessions[session].last_resolved, self.sessions[session].after_person) = (None, false);
        self.escalations.len() - 1
    }

    fn ask_for_human(&mut self, session: usize, high: bool) -> usize {
        let id = self.add_escalation(session, high);
        self.becomes(session, Owner::Pending);
        self.sessions[session].escalation = Some(id);
        self.say(session, "handover_requested", false);
        id
    }

    pub(super) fn message(&mut self, caller: Caller, session: usize, said: Said) -> Result<Answered, Refusal> {
        self.seen(caller, session)?;
        let owner = self.sessions[session].owner;
        if owner == Owner::Closed {
            return Err(SESSION_CLOSED);
        }
        self.say(session, "customer", false);
        if let Some(id) = self.sessions[session].escalation {
            (self.escalations[id].snoozed, self.escalations[id].answered) = (false, false);
        }
        let waits = owner == Owner::Pending && !self.escalations[self.sessions[session].escalation.unwrap()].given_back;
        if waits && said == Said::Known {
            self.say(session, "ai", false);
            self.sessions[session].turns.iter_mut().rev().take(2).for_each(|turn| turn.while_waiting = true);
            return Ok(Answered { disposition: "answered", owner });
        }
        if owner != Owner::Ai {
            return Ok(Answered { disposition: "queued_for_human", owner });
        }
        self.say(session, "ai", false);
        let it = &mut self.sessions[session];
        it.unanswered_in_a_row = if said == Said::Known { 0 } else { it.unanswered_in_a_row + 1 };
        let misses = match (it.after_person, it.widget) {
            (true, _) => 1,
            (false, false) => 2,
            // In a chat the customer says yes to the offer.
            (false, true) => u32::MAX,
        };
        if said == Said::WantsHuman || it.unanswered_in_a_row >= misses {
            self.ask_for_human(session, false);
            return Ok(Answered { disposition: "escalated", owner: Owner::Pending });
        }
        let disposition = if said == Said::Known { "answered" } else { "no_answer" };
        Ok(Answered { disposition, owner: Owner::Ai })
    }

    pub(super) fn escalate(&mut self, caller: Caller, session: usize, high: bool) -> Result<usize, Refusal> {
        if high && caller.is_widget() {
            return Err(FORBIDDEN);
        }
        self.seen(caller, session)?;
        if self.sessions[session].owner == Owner::Closed {
            return Err(SESSION_CLOSED);
        }
        let open = self.sessions[session].escalation;
        Ok(open.unwrap_or_else(|| self.ask_for_human(session, high)))
    }

    /// A tenant's queue: by priority, then in the order of asking.
    pub(super) fn queue(&self, tenant: usize) -> Vec<usize> {
        let waits = |id: &usize| self.escalations[*id].status == "pending" && self.tenant_of(*id) == tenant;
        let mut queue: Vec<_> = (0..self.escalations.len()).filter(waits).collect();
        queue.sort_by_key(|id| (!self.escalations[*id].high, *id));
        queue
    }

    /// From 1; none if it is not in the queue.
    pub(super) fn place(&self, escalation: usize) -> Option<usize> {
        let queue = self.queue(self.tenant_of(escalation));
        queue.iter().position(|id| *id == escalation).map(|at| at + 1)
    }

    /// The escalations that an agent has claimed, newest first.
    pub(super) fn claimed_by(&self, tenant: usize, agent: &str) -> Vec<usize> {
        let claims = |id: &usize| {
            let it = &self.escalations[*id];
            it.status == "claimed" && it.claimed_by.as_deref() == Some(agent) && self.tenant_of(*id) == tenant
        };
        (0..self.escalations.len()).rev().filter(claims).collect()
    }

    pub(super) fn prioritize(&mut self, caller: Caller, id: usize, high: bool) -> Result<(), Refusal> {
        self.may_read(caller, id)?;
        match self.escalations[id].status {
            "pending" | "claimed" => self.escalations[id].high = high,
            _ => return Err(INVALID_STATE),
        }
        Ok(())
    }

    pub(super) fn tag(&mut self, caller: Caller, session: usize, tag: &str) -> Result<(), Refusal> {
        if caller.is_widget() {
            return Err(FORBIDDEN);
        }
        self.seen(caller, session)?;
        self.sessions[session].tags = vec![tag.to_owned()];
        Ok(())
    }

    fn tenant_of(&self, escalation: usize) -> usize {
        self.sessions[self.escalations[escalation].session].tenant
    }

    pub(super) fn count(&self, tenant: usize, status: &str) -> usize {
        let counted = (0..self.escalations.len())
            .filter(|id| self.escalations[*id].status == status && self.tenant_of(*id) == tenant);
        counted.count()
    }

    /// The AI gets it back: what nobody answered gets one answer; true if there is one.
    pub(super) fn back_to_the_ai(&mut self, session: usize) -> bool {
        let turns = &self.sessions[session].turns;
        let dealt =
            |turn: &Turn| (turn.what == "ai" && !turn.while_waiting) || (turn.what == "agent" && !turn.internal);
        let since = turns.iter().rposition(dealt).map_or(0, |at| at + 1);
        let pending = turns[since..].iter().any(|turn| turn.what == "customer" && !turn.while_waiting);
        self.becomes(session, Owner::Ai);
        self.say(session, "handover_ended", false);
        self.sessions[session].ai_since = self.sessions[session].turns.len();
        if pending {
            self.say(session, "ai", false);
        }
        pending
    }

    /// Sets whether a pending answer found nothing in the wiki.
    pub(super) fn expect_pending(&mut self, session: usize, unanswered: bool) {
        self.sessions[session].unanswered_in_a_row = u32::from(unanswered);
    }

    pub(super) fn cancel(&mut self, caller: Caller, session: usize) -> Result<bool, Refusal> {
        self.seen(caller, session)?;
        match self.sessions[session].owner {
            Owner::Closed => Err(SESSION_CLOSED),
            Owner::Ai | Owner::Human => Err(INVALID_STATE),
            Owner::Pending => {
                let id = self.sessions[session].escalation.unwrap();
                self.end(id, "closed", Some("cancelled"));
                Ok(self.back_to_the_ai(session))
            }
        }
    }

    pub(super) fn end(&mut self, escalation: usize, status: &'static str, outcome: Option<&'static str>) {
        let it = &mut self.escalations[escalation];
        (it.status, it.outcome, it.snoozed, it.answered) = (status, outcome, false, false);
    }

    pub(super) fn resume(&mut self, caller: Caller, session: usize) -> Result<bool, Refusal> {
        self.seen(caller, session)?;
        if self.sessions[session].owner != Owner::Closed {
            return Ok(false);
        }
        self.becomes(session, Owner::Ai);
        self.say(session, "resumed", false);
        self.sessions[session].ai_since = self.sessions[session].turns.len();
        Ok(true)
    }

    pub(super) fn react(
        &mut self,
        caller: Caller,
        session: usize,
        reaction: Reaction,
    ) -> Result<Vec<&'static str>, Refusal> {
        self.seen(caller, session)?;
        let it = &mut self.sessions[session];
        let Some(at) = it.turns.iter().rposition(|turn| turn.what == "ai") else { return Err((409, "NO_AI_RESPONSE")) };
        let reactions = &mut it.turns[at].reactions;
        reactions.retain(|old| Some(*old) != reaction.replaces());
        if !reactions.contains(&reaction.name()) {
            reactions.push(reaction.name());
        }
        let shown = reactions.clone();
        let rejected: Vec<bool> = it.turns[it.ai_since.min(it.turns.len())..]
            .iter()
            .rev()
            .filter(|turn| turn.what == "ai")
            .take(2)
            .map(|turn| turn.reactions.contains(&"thumbs_down"))
            .collect();
        if reaction == Reaction::Down && it.owner == Owner::Ai && rejected == [true, true] {
            self.ask_for_human(session, false);
        }
        Ok(shown)
    }

    /// The queue's head, or the one that is named.
    pub(super) fn takeover(&mut self, caller: Caller, agent: Agent, named: Option<usize>) -> Result<usize, Refusal> {
        caller.works_in_the_inbox().then_some(()).ok_or(FORBIDDEN)?;
        let here = |model: &Self, id: &usize| model.tenant_of(*id) == caller.tenant;
        let id = match named {
            Some(id) if !here(self, &id) => return Err(NOT_FOUND),
            Some(id) => id,
            None => *self.queue(caller.tenant).first().ok_or(NOT_FOUND)?,
        };
        match self.escalations[id].status {
            "pending" => {}
            "claimed" => return Err(ALREADY_CLAIMED),
            _ => return Err(INVALID_STATE),
        }
        let session = self.escalations[id].session;
        self.give(caller, agent, session, id);
        Ok(id)
    }

    /// Whether the caller may act on an escalation that is claimed.
    pub(super) fn claimed(&self, caller: Caller, agent: Agent, id: usize) -> Result<usize, Refusal> {
        self.may_read(caller, id)?;
        let it = &self.escalations[id];
        if it.status != "claimed" {
            return Err(INVALID_STATE);
        }
        self.may_act(caller, agent, id)?;
        Ok(it.session)
    }

    pub(super) fn may_act(&self, caller: Caller, agent: Agent, id: usize) -> Result<(), Refusal> {
        let claimer = self.escalations[id].claimed_by.as_ref() == Some(&caller.acts_as(agent));
        if claimer || caller.is_admin() { Ok(()) } else { Err((409, "CLAIMED_BY_OTHER")) }
    }

    pub(super) fn may_read(&self, caller: Caller, id: usize) -> Result<(), Refusal> {
        caller.works_in_the_inbox().then_some(()).ok_or(FORBIDDEN)?;
        if self.tenant_of(id) == caller.tenant { Ok(()) } else { Err(NOT_FOUND) }
    }
}
