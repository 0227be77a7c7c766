//! A claim whose lease expired because its agent wrote nothing for 30 minutes: the customer returns to their place in
//! the queue.

use crate::conversation::ConversationService;
use domain::Result;
use domain::error::Code;
use domain::models::{EscalationId, EscalationStatus, Scope};

/// How often a lease that just changed is read again; the sweeper runs again anyway.
const MAX_ATTEMPTS: usize = 3;

impl ConversationService {
    /// Ends an expired claim. Does nothing if the agent wrote meanwhile, if it was ended otherwise, or if it is gone.
    /// The sweeper may call it repeatedly.
    ///
    /// # Errors 503 when the table does not answer.
    pub async fn handle_due_lease(&self, scope: &Scope, id: &EscalationId) -> Result<()> {
        for _ in 0..MAX_ATTEMPTS {
            let Some(escalation) = self.store.escalations().get(scope, id).await? else { return Ok(()) };
            let over = escalation.lease_expires_at.is_some_and(|until| until <= self.runtime.now());
            if escalation.status != EscalationStatus::Claimed || !over {
                return Ok(());
            }
            match self.release_expired_claim(scope, &escalation).await {
                Ok(false) => {}
                Ok(true) => return Ok(()),
                // Its conversation is being erased.
                Err(error) if error.code() == Code::NotFound => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
