//! An order to send again what a receiver missed.

use super::{Delivery, DeliveryStatus, EventId, Timestamp, WebhookId, wire_enum};

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replay {
    /// The receiver of the deliveries.
    pub webhook_id: WebhookId,
    /// The kind of those that are sent again.
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
