//! A delivery of an event to one receiver, and its state machine.
//!
//! A delivery changes only by a transition ([`Delivery::leased`], [`Delivery::succeeded`], …) from the value that was
//! read. The store writes the result on the condition that the stored value is unchanged.

use super::{DeliveryId, EventId, EventKind, SessionId, Timestamp, WebhookId, wire_enum};

wire_enum! {
    /// The status of a delivery.
    pub enum DeliveryStatus {
        /// It is tried, now or later.
        Pending => "pending",
        /// Its receiver is disabled.
        Held => "held",
        /// The receiver took it.
        Succeeded => "succeeded",
        /// It was tried as often as it is ever tried.
        Failed => "failed",
        /// The thing that it is about was erased, and its text with it.
        Erased => "erased",
    }
}

/// The transitions of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeliveryAction {
    /// The receiver took it.
    Succeed,
    /// It failed and is tried later.
    Retry,
    /// It failed for the last time.
    GiveUp,
    /// Its receiver is disabled.
    Hold,
    /// Its receiver is active again.
    Release,
    /// A request to send it again.
    Resend,
    /// Its subject is erased.
    Erase,
}

impl DeliveryAction {
    /// Every action.
    pub const ALL: [Self; 7] =
        [Self::Succeed, Self::Retry, Self::GiveUp, Self::Hold, Self::Release, Self::Resend, Self::Erase];
}

impl DeliveryStatus {
    /// The one table; `None` if it is not allowed.
    #[must_use]
    pub const fn after(self, action: DeliveryAction) -> Option<Self> {
        use DeliveryAction as A;
        match (self, action) {
            (Self::Pending, A::Succeed) => Some(Self::Succeeded),
            (Self::Pending, A::GiveUp) => Some(Self::Failed),
            (Self::Pending, A::Hold) => Some(Self::Held),
            (Self::Pending, A::Retry | A::Resend)
            | (Self::Held, A::Release | A::Resend)
            | (Self::Succeeded | Self::Failed, A::Resend) => Some(Self::Pending),
            (Self::Pending | Self::Held | Self::Succeeded | Self::Failed, A::Erase) => Some(Self::Erased),
            (Self::Pending, A::Release)
            | (Self::Held, A::Succeed | A::Retry | A::GiveUp | A::Hold)
            | (Self::Succeeded | Self::Failed, A::Succeed | A::Retry | A::GiveUp | A::Hold | A::Release)
            | (Self::Erased, A::Succeed | A::Retry | A::GiveUp | A::Hold | A::Release | A::Resend | A::Erase) => None,
        }
    }
}

wire_enum! {
    /// Why an attempt had no response. Closed, filtered and forbidden addresses look the same, so that nobody can scan
    /// ports.
    pub enum AttemptError {
        /// No connection.
        ConnectionFailed => "CONNECTION_FAILED",
        /// No answer in time.
        Timeout => "TIMEOUT",
        /// The response is not HTTP, or ended early.
        InvalidResponse => "INVALID_RESPONSE",
        /// Nothing was sent: the receiver's secret cannot be decrypted.
        SecretUnreadable => "SECRET_UNREADABLE",
        /// Workers ended repeatedly without recording a result.
        Interrupted => "INTERRUPTED",
    }
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// The HTTP status of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Why there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<AttemptError>,
    /// Where the answer redirects to, which is not followed: `https://www.example.com`, without path and query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redirects_to: Option<String>,
    /// How long it took, in milliseconds.
    pub duration_ms: u32,
}

impl Attempt {
    /// Only 2xx is success; a redirect is none.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// The lease of a worker that sends it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryLease {
    /// A random name.
    pub holder: String,
    /// From this moment on the holder counts as dead.
    pub until: Timestamp,
}

/// An event for one receiver, created once from a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingEvent {
    /// Its id, the same for every receiver and every attempt.
    pub event_id: EventId,
    /// The kind of the event.
    pub kind: EventKind,
    /// When.
    pub at: Timestamp,
    /// The conversation it is about; with it, its text is erased.
    pub session_id: Option<SessionId>,
    /// The exact bytes that are signed and sent.
    pub body: String,
}

/// The delivery of an event to one receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// To whom.
    pub webhook_id: WebhookId,
    /// The event; empty text once it is erased.
    pub event: OutgoingEvent,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its status.
    pub status: DeliveryStatus,
    /// Attempts made since it was made or last sent again: what the schedule counts.
    pub attempt: u32,
    /// The newest attempts, oldest first.
    pub attempts: Vec<Attempt>,
    /// The beginning of the newest answer.
    pub last_answer: Option<String>,
    /// When it is tried next.
    pub next_attempt_at: Option<Timestamp>,
    /// The current lease.
    pub lease: Option<DeliveryLease>,
    /// When the due index checks whether it was lost.
    pub due_at: Option<Timestamp>,
    /// How often it had to wait because its receiver was busy with others.
    pub deferrals: u32,
    /// How many workers took it since its newest attempt and recorded nothing.
    pub interruptions: u32,
    /// When it last failed or was held.
    pub missed_at: Option<Timestamp>,
    /// Counts every change.
    pub version: u64,
}

/// How many attempts are remembered.
const MAX_RECORDED_ATTEMPTS: usize = 20;
/// How much later than expected a message of the queue may come before it counts as lost, in milliseconds.
pub const QUEUE_GRACE_MS: i64 = 60_000;
/// How many workers may take a delivery and record nothing before it fails: one that ends its worker must not do so
/// forever, and one that only shared a batch with it is tried again.
const MAX_INTERRUPTIONS: u32 = 10;

impl Delivery {
    /// A new one, to be sent at once, or held.
    #[must_use]
    pub fn new(event: OutgoingEvent, webhook_id: WebhookId, held: bool, now: Timestamp) -> Self {
        Self {
            webhook_id,
            event,
            created_at: now,
            status: if held { DeliveryStatus::Held } else { DeliveryStatus::Pending },
            attempt: 0,
            attempts: Vec::new(),
            last_answer: None,
            next_attempt_at: (!held).then_some(now),
            lease: None,
            due_at: (!held).then(|| now.plus_millis(QUEUE_GRACE_MS)),
            deferrals: 0,
            interruptions: 0,
            missed_at: held.then_some(now),
            version: 1,
        }
    }

    /// Its id: the event's ULID.
    #[must_use]
    pub fn delivery_id(&self) -> DeliveryId {
        DeliveryId::of_event(&self.event.event_id)
    }

    /// Whether a worker has it now.
    #[must_use]
    pub fn is_leased(&self, now: Timestamp) -> bool {
        self.lease.as_ref().is_some_and(|lease| lease.until > now)
    }

    /// Whether it is to be tried at `now`.
    #[must_use]
    pub fn is_ready(&self, now: Timestamp) -> bool {
        self.status == DeliveryStatus::Pending
            && self.next_attempt_at.is_some_and(|next| next <= now)
            && !self.is_leased(now)
    }

    fn transition(mut self, action: DeliveryAction) -> Option<Self> {
        self.status = self.status.after(action)?;
        self.version += 1;
        self.lease = None;
        Some(self)
    }

    /// Whether workers have taken it so often without recording anything that it is not to be tried again.
    #[must_use]
    pub fn has_too_many_interruptions(&self) -> bool {
        self.interruptions + u32::from(self.lease.is_some()) >= MAX_INTERRUPTIONS
    }

    /// Not tried again because its workers ended; `at` is when that was decided.
    #[must_use]
    pub fn interrupted(self, at: Timestamp) -> Option<Self> {
        let attempt =
            Attempt { at, status: None, error: Some(AttemptError::Interrupted), redirects_to: None, duration_ms: 0 };
        self.failed(attempt, None, None, false)
    }

    /// Leased by a worker; the lease expires if nothing is recorded.
    #[must_use]
    pub fn leased(mut self, lease: DeliveryLease) -> Self {
        // A remaining lease belongs to a worker that recorded nothing.
        self.interruptions += u32::from(self.lease.is_some());
        self.due_at = Some(lease.until);
        self.lease = Some(lease);
        self.version += 1;
        self
    }

    /// The receiver took it.
    #[must_use]
    pub fn succeeded(self, attempt: Attempt, answer: Option<String>) -> Option<Self> {
        let mut after = self.transition(DeliveryAction::Succeed)?;
        after.record_attempt(attempt, answer);
        (after.next_attempt_at, after.due_at) = (None, None);
        Some(after)
    }

    /// It failed; `next` is when it is tried again, none when that was the last time. `queued`: a message of the queue
    /// will come then.
    #[must_use]
    pub fn failed(
        self,
        attempt: Attempt,
        answer: Option<String>,
        next: Option<Timestamp>,
        queued: bool,
    ) -> Option<Self> {
        let action = if next.is_some() { DeliveryAction::Retry } else { DeliveryAction::GiveUp };
        let mut after = self.transition(action)?;
        after.missed_at = Some(attempt.at);
        after.record_attempt(attempt, answer);
        after.schedule(next, queued);
        Some(after)
    }

    fn record_attempt(&mut self, attempt: Attempt, answer: Option<String>) {
        self.attempt += 1;
        (self.deferrals, self.interruptions) = (0, 0);
        self.attempts.push(attempt);
        let surplus = self.attempts.len().saturating_sub(MAX_RECORDED_ATTEMPTS);
        self.attempts.drain(..surplus);
        self.last_answer = answer;
    }

    fn schedule(&mut self, next: Option<Timestamp>, queued: bool) {
        self.next_attempt_at = next;
        self.due_at = next.map(|next| if queued { next.plus_millis(QUEUE_GRACE_MS) } else { next });
    }

    /// Its receiver is busy with others: tried at `next`, and nothing counts as an attempt.
    #[must_use]
    pub fn deferred(mut self, next: Timestamp) -> Self {
        self.version += 1;
        self.lease = None;
        self.deferrals = self.deferrals.saturating_add(1);
        self.schedule(Some(next), true);
        self
    }

    /// Its receiver is disabled.
    #[must_use]
    pub fn held(self, now: Timestamp) -> Option<Self> {
        let mut after = self.transition(DeliveryAction::Hold)?;
        (after.next_attempt_at, after.due_at) = (None, None);
        after.missed_at = Some(now);
        Some(after)
    }

    /// Its receiver is active again: sent at once, with all its attempts before it.
    #[must_use]
    pub fn released(self, now: Timestamp) -> Option<Self> {
        self.transition(DeliveryAction::Release).map(|after| after.restarted(now))
    }

    /// Sent again at once, with all its attempts before it.
    #[must_use]
    pub fn resent(self, now: Timestamp) -> Option<Self> {
        self.transition(DeliveryAction::Resend).map(|after| after.restarted(now))
    }

    fn restarted(mut self, now: Timestamp) -> Self {
        (self.attempt, self.deferrals, self.interruptions) = (0, 0, 0);
        self.schedule(Some(now), true);
        self
    }

    /// Put on the queue once more, because it was due and nothing came: looked at again at `due_at`.
    #[must_use]
    pub fn requeued(mut self, due_at: Timestamp) -> Self {
        self.version += 1;
        self.due_at = Some(due_at);
        self
    }

    /// Its subject was erased: nothing more is sent, and its text is erased.
    #[must_use]
    pub fn erased(self) -> Option<Self> {
        let mut after = self.transition(DeliveryAction::Erase)?;
        (after.next_attempt_at, after.due_at, after.last_answer) = (None, None, None);
        after.event.body.clear();
        Some(after)
    }
}

#[cfg(test)]
mod tests;
