//! Pins: one item each, and their number.
//!
//! The dry runs that are running: one of a caller and two of a tenant, over all processes.

use domain::error::{Code, DetailCode};
use domain::models::{MAX_PINS, Pin, PinId, Scope, TenantId, Timestamp, WikiPath};
use domain::{Error, Result};

use crate::table::item::{Expression, Item, ItemKind, item, record, text};
use crate::table::keys::{self, Key};
use crate::table::pages::CursorPage;
use crate::table::transaction::{RequestRecord, Tag, Transaction, Write, count};
use crate::table::update::Permits;
use crate::table::{Consistency, PartitionQuery, SortCondition, repository};

repository!(pins: PinRepository);

impl PinRepository<'_> {
    /// Keeps a new one, with the record of its request.
    ///
    /// # Errors
    /// 409 if there are as many as there may be.
    pub(super) async fn create(&self, scope: &Scope, pin: &Pin, request: Option<RequestRecord>) -> Result<()> {
        let new = Transaction::of(Write::create(pin_item(scope, pin)?))
            .with(Tag::Taken, [count_pins(scope, 1, Some(MAX_PINS))])
            .recording(request);
        let outcome = self.0.commit(new, None).await?;
        // Nobody else has its id: the reply of this very write was lost, and it was sent again.
        if outcome.at(Tag::Item).is_some() {
            return Ok(());
        }
        if outcome.at(Tag::Taken).is_some() { Err(too_many()) } else { outcome.expected() }
    }

    /// Keeps an imported one, unless it is there; whether it was not.
    pub(crate) async fn put_copy(&self, scope: &Scope, stored: Item) -> Result<bool> {
        let new = Transaction::of(Write::create(stored));
        self.0.write_if(new.with(Tag::Beside, [count_pins(scope, 1, None)])).await
    }

    /// One, consistently.
    pub(crate) async fn get(&self, scope: &Scope, id: &PinId) -> Result<Option<Pin>> {
        self.0.get(&pin_key(scope, id), Consistency::Strong).await
    }

    /// Those of a path, or all, oldest first, younger than `after`; consistent.
    pub(super) async fn list(
        &self,
        scope: &Scope,
        path: Option<&WikiPath>,
        after: Option<&PinId>,
        limit: usize,
    ) -> Result<CursorPage<Pin, PinId>> {
        let mut query = PartitionQuery::new(pins_partition(scope));
        query.condition = after.map_or(SortCondition::Any, |id| SortCondition::Above(id.as_str().to_owned()));
        query.filter = path.map(|path| Expression::new("entryPath = :path").with(":path", text(path.as_str())));
        self.0.cursor_page(query, limit).await?.try_map(record, |sk| PinId::parse(&sk))
    }

    /// Deletes one; whether there was one.
    pub(super) async fn delete(&self, scope: &Scope, id: &PinId) -> Result<bool> {
        let there = Some(Expression::new("attribute_exists(pk)"));
        let gone = Transaction::of(Write::Delete { key: pin_key(scope, id), condition: there });
        self.0.write_if(gone.with(Tag::Beside, [count_pins(scope, -1, None)])).await
    }

    /// Deletes those of a path; may be called again.
    pub(crate) async fn delete_of(&self, scope: &Scope, path: &WikiPath) -> Result<()> {
        let all: Vec<Pin> = self.0.query_all(PartitionQuery::new(pins_partition(scope))).await?;
        for pin in all.into_iter().filter(|pin| pin.path == *path) {
            self.delete(scope, &pin.pin_id).await?;
        }
        Ok(())
    }
}

/// Adds `change` to the number of pins, while it is below `most`.
fn count_pins(scope: &Scope, change: i32, most: Option<u32>) -> Write {
    count(pin_count_key(scope), ItemKind::PinCount, change, most)
}

fn too_many() -> Error {
    let message = format!("A tenant may pin at most {MAX_PINS} questions.");
    Error::new(Code::Conflict, message).with_detail(DetailCode::TooManyPins, "delete one first")
}

pub(crate) fn pin_item(scope: &Scope, pin: &Pin) -> Result<Item> {
    item(&pin_key(scope, &pin.pin_id), ItemKind::Pin, pin)
}

/// Every pin of a tenant and mode.
fn pins_partition(s: &Scope) -> String {
    format!("{}#PINS", keys::scope(s))
}

fn pin_key(s: &Scope, id: &PinId) -> Key {
    Key::new(pins_partition(s), id.as_str())
}

/// How many pins there are.
fn pin_count_key(s: &Scope) -> Key {
    Key::new(format!("{}#PINCOUNT", keys::scope(s)), "PINS")
}

/// The most dry runs of a tenant at once.
const MAX_OF_TENANT: usize = 2;

/// A run usually ends within so many seconds.
const RETRY_AFTER_SECONDS: u32 = 2;

repository!(dry_runs: DryRunRepository);

/// A dry run that is running.
#[derive(Debug)]
#[must_use = "it runs until it is ended"]
pub struct RunningDryRun(String);

impl DryRunRepository<'_> {
    /// Begins one of `principal`, which ends at `until` at the latest.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED` while another one of the same principal, or two of the tenant, are running.
    pub(super) async fn begin(&self, tenant: &TenantId, principal: &str, until: Timestamp) -> Result<RunningDryRun> {
        let holder = format!("{principal}#{}", self.0.runtime.token()?);
        let is_own = |other: &&str| other.rsplit_once('#').is_some_and(|(name, _)| name == principal);
        let refuse = |others: &[&str]| match others {
            others if others.iter().any(is_own) => Err(busy("one of this caller at once")),
            others if others.len() >= MAX_OF_TENANT => Err(busy("two of a tenant at once")),
            _ => Ok(()),
        };
        self.0.acquire_permit(&permits(tenant), (&holder, until), refuse).await?;
        Ok(RunningDryRun(holder))
    }

    /// Ends one. If that fails, it ends by its time.
    pub(super) async fn end(&self, tenant: &TenantId, running: RunningDryRun) {
        if let Err(error) = self.0.release_permit(&permits(tenant), &running.0).await {
            tracing::warn!(error = %error, "failed to give back the permit of a dry run; it expires by itself");
        }
    }
}

fn permits(tenant: &TenantId) -> Permits {
    Permits { key: dry_runs_key(tenant), kind: ItemKind::DryRunPermits }
}

fn busy(limit: &'static str) -> Error {
    Error::new(Code::RateLimited, "A dry run is still running.")
        .with_detail(DetailCode::RateLimit, format!("dry-runs: {limit}"))
        .retry_after(RETRY_AFTER_SECONDS)
}

/// The dry runs of a tenant that are running.
fn dry_runs_key(id: &TenantId) -> Key {
    Key::new(format!("{id}#DRYRUNS"), "PERMITS")
}
