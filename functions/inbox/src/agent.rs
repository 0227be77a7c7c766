//! The acting agent, in the body of every action.

use app::conversation::AgentAction;
use domain::Result;
use domain::access::Principal;
use domain::limits;
use edge::input::{optional, within};

edge::body! {
    /// Who acts: for a key whom it names, without an id the key. A member acts as itself, and may only repeat that.
    #[derive(Debug)]
    pub(crate) struct AgentIn as "ActingAgent" {
        /// Who acts; without it the caller.
        agent_id: Option<String> = "agentId" => optional(within(limits::AGENT_ID)),
        /// Their name, for people.
        agent_name: Option<String> = "agentName" => optional(within(limits::PERSON_NAME)),
    }
}

impl AgentIn {
    /// # Errors
    /// 403 for a member that names another, 400 for a key that names a member.
    pub(crate) fn into_action(self, caller: &Principal) -> Result<AgentAction> {
        AgentAction::new(caller, self.agent_id, self.agent_name)
    }
}
