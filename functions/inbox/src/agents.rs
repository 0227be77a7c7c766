//! `GET /inbox/agents`: to whom a conversation may be handed.

use app::members::require_live_key;
use axum::extract::State;
use domain::models::{Availability, Member, MemberId};
use edge::{ApiResult, InboxAgent, Json};
use schemars::JsonSchema;
use serde::Serialize;

use crate::state::Inbox;

/// The members who work in the inbox.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AgentList")]
pub(crate) struct AgentListOut {
    /// At most 500, oldest first.
    items: Vec<AgentOut>,
}

/// A member who works in the inbox.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "InboxAgent")]
struct AgentOut {
    /// The `toAgentId` of a transfer.
    agent_id: MemberId,
    /// The name, for colleagues.
    name: String,
    /// Whether the member is there for customers.
    availability: Availability,
}

impl From<Member> for AgentOut {
    fn from(member: Member) -> Self {
        Self { agent_id: member.member_id, name: member.name, availability: member.availability }
    }
}

edge::endpoint! {
    /// List the colleagues who work in the inbox.
    ///
    /// Active members with the role admin or agent: to them a conversation can be transferred. A test key reads nobody
    /// (403).
    pub(crate) ListAgents = GET "/api/v1/inbox/agents" => list_agents;
    rate_class: List,
}

pub(crate) async fn list_agents(State(state): State<Inbox>, caller: InboxAgent) -> ApiResult<Json<AgentListOut>> {
    require_live_key(&caller)?;
    let members = state.store.members().list(&caller.scope().tenant).await?;
    let items = members.into_iter().filter(Member::has_inbox).map(AgentOut::from).collect();
    Ok(Json(AgentListOut { items }))
}
