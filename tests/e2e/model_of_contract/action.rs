//! Random actions on the things that exist at the moment.

use domain::models::Role;
use proptest::prelude::*;

/// A key, or a visitor's widget, of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Caller {
    /// One of two.
    pub(super) tenant: usize,
    /// None: the widget of the tenant's visitor.
    pub(super) role: Option<Role>,
}

impl Caller {
    pub(super) const fn is_widget(self) -> bool {
        self.role.is_none()
    }

    pub(super) const fn is_admin(self) -> bool {
        matches!(self.role, Some(Role::Admin))
    }

    pub(super) const fn works_in_the_inbox(self) -> bool {
        matches!(self.role, Some(Role::Admin | Role::Agent))
    }

    pub(super) const fn sees_notes(self) -> bool {
        matches!(self.role, Some(Role::Admin | Role::Trainer | Role::Agent))
    }

    /// As whom: the agent that is named, or else the key.
    pub(super) fn acts_as(self, agent: Agent) -> String {
        agent.id().map_or_else(|| format!("the key of {:?}", self.role), str::to_owned)
    }
}

/// Which agent is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Agent {
    Nobody,
    Anna,
    Bob,
}

impl Agent {
    pub(super) const fn id(self) -> Option<&'static str> {
        match self {
            Self::Nobody => None,
            Self::Anna => Some("anna"),
            Self::Bob => Some("bob"),
        }
    }
}

/// The messages of a customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Known,
    Unknown,
    WantsHuman,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reaction {
    Up,
    Down,
    Flag,
}

impl Reaction {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Up => "thumbs_up",
            Self::Down => "thumbs_down",
            Self::Flag => "flag",
        }
    }

    pub(super) const fn replaces(self) -> Option<&'static str> {
        match self {
            Self::Up => Some("thumbs_down"),
            Self::Down => Some("thumbs_up"),
            Self::Flag => None,
        }
    }
}

/// How much of the conversation an agent says to have seen at a handback.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    NotSaid,
    First,
    All,
}

/// One thing that happens; numbers choose among what there is, modulo.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Create,
    Message(usize, Said),
    /// With `priority: high`, or without a priority.
    Escalate(usize, bool),
    /// Gives the session one tag of a few in the place of all.
    Tag(usize, u8),
    Cancel(usize),
    Resume(usize),
    React(usize, Reaction),
    Takeover(Agent),
    TakeoverNamed(Agent, usize),
    Write(Agent, usize, bool),
    HandBack(Agent, usize, bool, Seen),
    Resolve(Agent, usize),
    Release(Agent, usize),
    Prioritize(usize, bool),
    /// To Anna or Bob.
    Transfer(Agent, usize, Agent),
    Renew(Agent, usize),
    /// For a day, or not any longer.
    Snooze(Agent, usize, bool),
    Reopen(Agent, usize),
    StepIn(Agent, usize),
    Note(usize),
    ListInbox,
    ListClaimedBy(Agent),
}

fn agent() -> impl Strategy<Value = Agent> {
    prop_oneof![Just(Agent::Nobody), Just(Agent::Anna), Just(Agent::Anna), Just(Agent::Bob)]
}

fn caller() -> impl Strategy<Value = Caller> {
    let roles = prop_oneof![
        4 => Just(Some(Role::Admin)),
        6 => Just(Some(Role::Agent)),
        2 => Just(Some(Role::Trainer)),
        4 => Just(Some(Role::Integration)),
        3 => Just(None),
    ];
    (prop_oneof![5 => Just(0_usize), 1 => Just(1)], roles).prop_map(|(tenant, role)| Caller { tenant, role })
}

/// A caller and its act.
pub(super) fn step() -> impl Strategy<Value = (Caller, Act)> {
    let which = || 0..64_usize;
    let said = prop_oneof![2 => Just(Said::Known), 2 => Just(Said::Unknown), 1 => Just(Said::WantsHuman)];
    let reaction = prop_oneof![Just(Reaction::Up), Just(Reaction::Down), Just(Reaction::Down), Just(Reaction::Flag)];
    let seen = prop_oneof![Just(Seen::NotSaid), Just(Seen::First), Just(Seen::All)];
    let colleague = prop_oneof![Just(Agent::Anna), Just(Agent::Bob)];
    let act = prop_oneof![
        3 => Just(Act::Create),
        8 => (which(), said).prop_map(|(session, said)| Act::Message(session, said)),
        4 => (which(), any::<bool>()).prop_map(|(session, high)| Act::Escalate(session, high)),
        2 => (which(), 0..3_u8).prop_map(|(session, tag)| Act::Tag(session, tag)),
        2 => which().prop_map(Act::Cancel),
        3 => which().prop_map(Act::Resume),
        3 => (which(), reaction).prop_map(|(session, reaction)| Act::React(session, reaction)),
        5 => agent().prop_map(Act::Takeover),
        2 => (agent(), which()).prop_map(|(agent, id)| Act::TakeoverNamed(agent, id)),
        4 => (agent(), which(), any::<bool>()).prop_map(|(agent, id, internal)| Act::Write(agent, id, internal)),
        3 => (agent(), which(), any::<bool>(), seen).prop_map(|(agent, id, note, seen)| Act::HandBack(agent, id, note, seen)),
        3 => (agent(), which()).prop_map(|(agent, id)| Act::Resolve(agent, id)),
        2 => (agent(), which()).prop_map(|(agent, id)| Act::Release(agent, id)),
        3 => (which(), any::<bool>()).prop_map(|(id, high)| Act::Prioritize(id, high)),
        3 => (agent(), which(), colleague).prop_map(|(agent, id, to)| Act::Transfer(agent, id, to)),
        2 => (agent(), which()).prop_map(|(agent, id)| Act::Renew(agent, id)),
        3 => (agent(), which(), any::<bool>()).prop_map(|(agent, id, on)| Act::Snooze(agent, id, on)),
        4 => (agent(), which()).prop_map(|(agent, id)| Act::Reopen(agent, id)),
        3 => (agent(), which()).prop_map(|(agent, session)| Act::StepIn(agent, session)),
        2 => which().prop_map(Act::Note),
        2 => Just(Act::ListInbox),
        1 => agent().prop_map(Act::ListClaimedBy),
    ];
    (caller(), act)
}
