//! The progress of a tenant's review of its gaps: one item, which exists while a review is due.
//!
//! `pending` says that the wiki changed and no walk has begun since; `place` is the position of a walk. A walk clears
//! `pending` when it begins, and ends only if it is still clear.

use serde::{Deserialize, Serialize};

use super::gaps::{Gaps, gaps_by_time, key_of_gap};
use super::item::{self, Expression, ItemKind, number, text, value};
use super::keys::{self, Key, moment};
use super::table::{Consistency, PartitionQuery, SortCondition};
use super::transaction::Write;
use domain::Result;
use domain::models::{Gap, GapStatus, Scope, Timestamp};

/// How long a review waits for the index to have what changed, and for more changes, in milliseconds.
const REVIEW_DELAY_MS: i64 = 2_000;

/// Gaps that were not asked for this many days are not reviewed.
const REVIEW_WINDOW_DAYS: i64 = 90;

/// The position of a walk among the gaps of one status, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewCursor {
    status: GapStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    below: Option<String>,
}

/// A review that is due or under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GapReview {
    /// When it continues.
    pub due_at: Timestamp,
    /// Its position; none before it begins.
    #[serde(default)]
    pub place: Option<ReviewCursor>,
    version: u64,
}

/// Some gaps to ask, and the next position; none at the end.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewPage {
    pub gaps: Vec<Gap>,
    /// The next position.
    pub next: Option<ReviewCursor>,
}

impl GapReview {
    /// Whether it has not begun yet, or begins again.
    #[must_use]
    pub const fn is_at_start(&self) -> bool {
        self.place.is_none()
    }
}

impl Gaps<'_> {
    /// Makes a review due, if none waits already.
    pub async fn schedule_review(&self, scope: &Scope) -> Result<()> {
        let key = gap_review_key(scope);
        let due_at = self.0.runtime.now().plus_millis(REVIEW_DELAY_MS);
        let due = keys::due(&key, due_at);
        let update = Expression::new(
            "SET kind = :kind, pending = :yes, dueAt = :at, gsi2pk = :pk, gsi2sk = :sk, version = if_not_exists(version, :zero)",
        )
        .with(":kind", ItemKind::GapReview.attribute())
        .with(":yes", value(&true)?)
        .with(":at", value(&due_at)?)
        .with(":pk", text(due.pk))
        .with(":sk", text(due.sk))
        .with(":zero", number(0));
        let none_waits = Some(Expression::new("attribute_not_exists(pending)"));
        self.0.write_if(Write::Update { key, update, condition: none_waits }).await.map(drop)
    }

    /// The review that is due, if one is.
    pub async fn get_review(&self, scope: &Scope) -> Result<Option<GapReview>> {
        self.0.get(&gap_review_key(scope), Consistency::Strong).await
    }

    /// Begins a walk: what changes from now on calls for another. False if another sweep was faster.
    pub async fn begin_review(&self, scope: &Scope, review: &mut GapReview) -> Result<bool> {
        review.place = Some(ReviewCursor { status: GapStatus::Open, below: None });
        self.write(scope, review, "REMOVE pending").await
    }

    /// Stores the position of a walk, due at once. False if another sweep was faster.
    pub async fn save_cursor(&self, scope: &Scope, review: &mut GapReview) -> Result<bool> {
        self.write(scope, review, "REMOVE dueFailures").await
    }

    /// Ends a walk; false if the wiki changed meanwhile, or another sweep was faster.
    pub async fn end_review(&self, scope: &Scope, review: &GapReview) -> Result<bool> {
        let unchanged = Expression::new("version = :seen AND attribute_not_exists(pending)");
        let condition = Some(unchanged.with(":seen", number(review.version)));
        self.0.write_if(Write::Delete { key: gap_review_key(scope), condition }).await
    }

    async fn write(&self, scope: &Scope, review: &mut GapReview, more: &str) -> Result<bool> {
        let key = gap_review_key(scope);
        let now = self.0.runtime.now();
        let update = Expression::new(format!("SET place = :place, version = :next, dueAt = :at, gsi2sk = :sk {more}"))
            .with(":place", value(&review.place)?)
            .with(":next", number(review.version + 1))
            .with(":at", value(&now)?)
            .with(":sk", text(keys::due(&key, now).sk));
        let condition = Some(Expression::new("version = :seen").with(":seen", number(review.version)));
        let written = self.0.write_if(Write::Update { key, update, condition }).await?;
        review.version += u64::from(written);
        Ok(written)
    }

    /// The next gaps of a walk, at most `limit`.
    pub async fn list_to_review(&self, scope: &Scope, review: &GapReview, limit: usize) -> Result<ReviewPage> {
        let Some(ReviewCursor { status, below }) = review.place.clone() else {
            return Ok(ReviewPage { gaps: Vec::new(), next: None });
        };
        let mut query = PartitionQuery::of_index("gsi1", gaps_by_time(scope, status.as_str()));
        query.forward = false;
        query.limit = i32::try_from(limit).ok();
        if let Some(below) = below {
            query.condition = SortCondition::Below(below);
        }
        let page = self.0.query(query).await?;
        let oldest = moment(self.0.runtime.now().plus_hours(-24 * REVIEW_WINDOW_DAYS));
        let place = |item: &item::Item| item.get("gsi1sk")?.as_s().ok().cloned();
        let recent = page.items.iter().filter(|item| place(item).is_some_and(|place| place >= oldest));
        let keys: Vec<Key> = recent.clone().filter_map(|item| key_of_gap(scope, item)).collect();
        let all_recent = recent.count() == page.items.len();
        let last = page.items.last().and_then(place).filter(|_| all_recent && page.next.is_some());
        let next = match (last, status) {
            (Some(below), status) => Some(ReviewCursor { status, below: Some(below) }),
            (None, GapStatus::Open) => Some(ReviewCursor { status: GapStatus::Resolved, below: None }),
            // A dismissed gap is not asked again.
            (None, GapStatus::Resolved | GapStatus::Dismissed) => None,
        };
        Ok(ReviewPage { gaps: self.read(&keys).await?, next })
    }
}

/// The review of a tenant's gaps.
pub(crate) fn gap_review_key(s: &Scope) -> Key {
    Key::new(format!("{}#GAPREVIEW", keys::scope(s)), "REVIEW")
}
