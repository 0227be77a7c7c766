//! The kinds of events that receivers of webhooks subscribe to.

use super::wire_enum;

wire_enum! {
    /// The kind of an event.
    pub enum EventKind {
        /// A conversation began.
        SessionCreated => "session.created",
        /// A conversation was closed.
        SessionClosed => "session.closed",
        /// A closed conversation was resumed.
        SessionResumed => "session.resumed",
        /// A message was written.
        MessageCreated => "message.created",
        /// The wiki has a gap.
        AnswerUnanswered => "answer.unanswered",
        /// A customer reacted to an answer.
        ReactionCreated => "reaction.created",
        /// An escalation was created.
        HandoverRequested => "handover.requested",
        /// An agent took over.
        HandoverClaimed => "handover.claimed",
        /// An agent gave it to another.
        HandoverTransferred => "handover.transferred",
        /// An agent took it up again after it was resolved.
        HandoverReopened => "handover.reopened",
        /// An agent gave it back to the queue.
        HandoverReleased => "handover.released",
        /// An agent gave it back to the AI.
        HandoverReturned => "handover.returned",
        /// An agent resolved it.
        HandoverResolved => "handover.resolved",
        /// The escalation was cancelled, or no agent came.
        HandoverCancelled => "handover.cancelled",
        /// A customer has waited for an agent as long as the tenant wants to be told.
        HandoverWaiting => "handover.waiting",
        /// A customer rated the people who helped.
        RatingCreated => "rating.created",
        /// A wiki entry was made.
        EntryCreated => "entry.created",
        /// A wiki entry was changed.
        EntryUpdated => "entry.updated",
        /// A wiki entry was deleted.
        EntryDeleted => "entry.deleted",
        /// An ingest is done and searchable.
        IngestCompleted => "ingest.completed",
        /// An ingest job failed.
        IngestFailed => "ingest.failed",
        /// A receiver was disabled.
        WebhookDisabled => "webhook.disabled",
        /// A test of a receiver.
        WebhookTest => "webhook.test",
    }
}

impl EventKind {
    /// Whether it tells of people who help customers, or is a test: what a Slack channel may be told.
    #[must_use]
    pub fn is_of_people(self) -> bool {
        self.as_str().starts_with("handover.") || matches!(self, Self::RatingCreated | Self::WebhookTest)
    }
}
