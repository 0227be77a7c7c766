//! A delivery of an event to one receiver, its state machine, and an order to send again what a receiver missed.
//!
//! A delivery changes only by a transition ([`Delivery::leased`], [`Delivery::succeeded`], …) from the value that was
//! read. The store writes the result on the condition that the stored value is unchanged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use text::wire_enum;

use crate::models::{Attempt, AttemptError, DeliveryId, EventId, EventKind, SessionId, Timestamp, WebhookId};

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
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutgoingEvent {
    /// Its id, the same for every receiver and every attempt.
    pub event_id: EventId,
    /// The kind of the event.
    #[serde(rename = "event")]
    pub kind: EventKind,
    /// When.
    #[serde(rename = "eventAt")]
    pub at: Timestamp,
    /// The conversation it is about; with it, its text is erased.
    pub session_id: Option<SessionId>,
    /// The exact bytes that are signed and sent.
    pub body: String,
}

/// The delivery of an event to one receiver.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// To whom.
    pub webhook_id: WebhookId,
    /// The event; empty text once it is erased.
    #[serde(flatten)]
    pub event: OutgoingEvent,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its status, stored under a name that is not a reserved word of DynamoDB.
    #[serde(rename = "deliveryStatus")]
    pub status: DeliveryStatus,
    /// Attempts made since it was made or last sent again: what the schedule counts.
    pub attempt: u32,
    /// The newest attempts, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
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
    #[serde(default)]
    pub deferrals: u32,
    /// How many workers took it since its newest attempt and recorded nothing.
    #[serde(default)]
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

/// The delivery of an event to one receiver.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Delivery")]
pub struct DeliveryOut {
    /// Its id.
    delivery_id: DeliveryId,
    /// The event, the same for every receiver and attempt.
    event_id: EventId,
    /// The receiver.
    webhook_id: WebhookId,
    /// The kind of the event.
    r#type: EventKind,
    /// Where it stands.
    status: DeliveryStatus,
    /// Attempts since it was made or last sent again.
    attempt_count: u32,
    /// The newest attempts, oldest first.
    attempts: Vec<Attempt>,
    /// The beginning of the newest answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_response: Option<String>,
    /// When it is tried next.
    next_attempt_at: Option<Timestamp>,
    /// When it was made.
    created_at: Timestamp,
}

impl From<Delivery> for DeliveryOut {
    fn from(delivery: Delivery) -> Self {
        Self {
            delivery_id: delivery.delivery_id(),
            event_id: delivery.event.event_id,
            webhook_id: delivery.webhook_id,
            r#type: delivery.event.kind,
            status: delivery.status,
            attempt_count: delivery.attempt,
            attempts: delivery.attempts,
            last_response: delivery.last_answer,
            next_attempt_at: delivery.next_attempt_at,
            created_at: delivery.created_at,
        }
    }
}

wire_enum! {
    /// The deliveries that are sent again.
    pub enum ReplayKind {
        /// Deliveries that were held while the receiver was disabled.
        Held => "held",
        /// Deliveries that failed or were held since a time.
        Missed => "missed",
    }
}

/// The order, until it is executed.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// The receiver of the deliveries.
    pub webhook_id: WebhookId,
    /// The kind of those that are sent again.
    #[serde(rename = "replayKind")]
    pub kind: ReplayKind,
    /// Those that failed or were held at this time or later.
    pub since: Timestamp,
    /// Events before this time are not looked at.
    pub from: Timestamp,
    /// Events up to this one are done.
    pub after: Option<EventId>,
    /// When the due index checks whether it was lost.
    pub due_at: Timestamp,
    /// Counts every change.
    pub version: u64,
}

/// From its event to its end a delivery takes at most so long, in milliseconds: the schedule, its steps a fifth longer
/// and doubled by a receiver that asked for it.
const DELIVERY_RETENTION_MS: i64 = 8 * 24 * 3_600_000;
/// After this many milliseconds an order without progress counts as lost.
const STALLED_AFTER_MS: i64 = 60_000;

impl Replay {
    /// An order for what failed or was held at `since` or later.
    #[must_use]
    pub fn new(webhook_id: WebhookId, kind: ReplayKind, since: Timestamp, now: Timestamp) -> Self {
        let from = since.plus_millis(-DELIVERY_RETENTION_MS);
        Self { webhook_id, kind, since, from, after: None, due_at: now.plus_millis(STALLED_AFTER_MS), version: 1 }
    }

    /// The order after events up to `after` are done.
    #[must_use]
    pub fn advanced(mut self, after: EventId, now: Timestamp) -> Self {
        self.after = Some(after);
        self.due_at = now.plus_millis(STALLED_AFTER_MS);
        self.version += 1;
        self
    }

    /// The delivery after this order; none if it is not meant.
    #[must_use]
    pub fn apply(&self, delivery: &Delivery, now: Timestamp) -> Option<Delivery> {
        let missed = delivery.missed_at.is_some_and(|at| at >= self.since);
        let meant = match (self.kind, delivery.status) {
            (ReplayKind::Held, DeliveryStatus::Held) => return delivery.clone().released(now),
            (ReplayKind::Missed, DeliveryStatus::Held | DeliveryStatus::Failed) => missed,
            // A failed attempt, which is not retried before its schedule.
            (ReplayKind::Missed, DeliveryStatus::Pending) => missed && !delivery.is_leased(now),
            (ReplayKind::Held, _) | (ReplayKind::Missed, DeliveryStatus::Succeeded | DeliveryStatus::Erased) => false,
        };
        meant.then(|| delivery.clone().resent(now)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_deliveries_is_the_one_written_here() {
        use DeliveryAction as A;
        use DeliveryStatus as S;
        let allowed = [
            (S::Pending, A::Succeed, S::Succeeded),
            (S::Pending, A::Retry, S::Pending),
            (S::Pending, A::GiveUp, S::Failed),
            (S::Pending, A::Hold, S::Held),
            (S::Pending, A::Resend, S::Pending),
            (S::Pending, A::Erase, S::Erased),
            (S::Held, A::Release, S::Pending),
            (S::Held, A::Resend, S::Pending),
            (S::Held, A::Erase, S::Erased),
            (S::Succeeded, A::Resend, S::Pending),
            (S::Succeeded, A::Erase, S::Erased),
            (S::Failed, A::Resend, S::Pending),
            (S::Failed, A::Erase, S::Erased),
        ];
        for &from in S::ALL {
            for action in [A::Succeed, A::Retry, A::GiveUp, A::Hold, A::Release, A::Resend, A::Erase] {
                let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
                assert_eq!(from.after(action), expected, "{from} {action:?}");
            }
        }
    }

    #[test]
    fn a_delivery_whose_workers_record_nothing_is_given_up_and_a_recorded_attempt_clears_that() {
        let at = Timestamp::from_millis;
        let event = OutgoingEvent {
            event_id: EventId::from_parts(at(0), 1),
            kind: EventKind::WebhookTest,
            at: at(0),
            session_id: None,
            body: "{}".into(),
        };
        let lease = || DeliveryLease { holder: "h".into(), until: at(1) };
        let mut delivery = Delivery::new(event, WebhookId::from_parts(at(0), 2), false, at(0));
        for _ in 0..MAX_INTERRUPTIONS {
            assert!(!delivery.has_too_many_interruptions());
            delivery = delivery.leased(lease());
        }
        assert!(delivery.has_too_many_interruptions());
        let failure = Attempt { at: at(2), status: Some(500), error: None, redirects_to: None, duration_ms: 1 };
        let recorded = delivery.clone().failed(failure, None, Some(at(3)), false).unwrap();
        assert!(!recorded.has_too_many_interruptions() && !recorded.leased(lease()).has_too_many_interruptions());
        let given_up = delivery.interrupted(at(2)).unwrap();
        assert_eq!((given_up.status, given_up.due_at), (DeliveryStatus::Failed, None));
        assert_eq!(given_up.attempts[0].error, Some(AttemptError::Interrupted));
    }

    #[test]
    fn only_2xx_is_success() {
        for (status, success) in [(199, false), (200, true), (204, true), (299, true), (300, false), (308, false)] {
            let attempt = Attempt {
                at: Timestamp::from_millis(0),
                status: Some(status),
                error: None,
                redirects_to: None,
                duration_ms: 1,
            };
            assert_eq!(attempt.is_success(), success, "{status}");
        }
    }
}
