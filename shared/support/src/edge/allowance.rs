//! The quotas of single actions of a caller, apart from the rate limit on its requests.
//!
//! A [`LimitedAction`] is counted right before it is done, when everything that could refuse it has been looked at, and
//! given back if it was not done after all. So a repeated request, a refused body and a failure cost a visitor none of
//! its sessions, messages and escalations. The edge gives each request the [`Allowance`] of its caller, and counts the
//! request itself on the same account.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::Scope;
use domain::rate_limit::{Draw, Exhausted, Quota, Standing};
use domain::{Error, Result, sha256_hex};
use tokio::sync::OnceCell;

use crate::table::Store;

pub(crate) const TENANT_WIDGETS: &str = "tenant-widgets";
const KEY: Quota = Quota::per_minute("key", 600);
const MEMBER: Quota = Quota::per_minute("member", 600);
const VISITOR: Quota = Quota::per_minute("visitor", 120);
const VISITOR_MESSAGES: Quota = Quota::per_minute("visitor-messages", 20);
const VISITOR_SESSIONS: Quota = Quota::per_hour("visitor-sessions", 10);
const VISITOR_ESCALATIONS: Quota = Quota::per_hour("visitor-escalations", 6);
/// A dry run costs tokens by the size of its changes and the number of its questions.
pub const DRY_RUNS: Quota = Quota::per_minute("dry-runs", 600);
/// The tokens that every dry run takes, for what it reads.
pub const LEAST_DRY_RUN_TOKENS: u32 = 4;
const WIDGET_TOKENS: Quota = Quota::per_minute("widget-tokens", 120);
/// Of those. The others are kept for visitors seen before.
const NEW_VISITORS_TOKENS: Quota = Quota::per_minute("widget-tokens-new", 60);

/// Something that has a quota of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitedAction {
    /// A visitor's message is stored.
    Message,
    /// A visitor opens a session.
    NewSession,
    /// A visitor causes a request for a human.
    Escalation,
    /// A key gets a token for a visitor who was seen before.
    KnownVisitorToken,
    /// A key gets a token for any other visitor.
    NewVisitorToken,
    /// An import has so many items beside the first one.
    MoreItems {
        /// At least 1.
        tokens: u32,
    },
    /// A dry run costs so many tokens more than the least.
    LargeDryRun {
        /// At least 1.
        tokens: u32,
    },
}

impl LimitedAction {
    /// The quotas of the action; `calls` is that of the caller's requests.
    fn quotas(self, calls: Quota) -> Vec<Quota> {
        match self {
            Self::Message => vec![VISITOR_MESSAGES],
            Self::NewSession => vec![VISITOR_SESSIONS],
            Self::Escalation => vec![VISITOR_ESCALATIONS],
            Self::KnownVisitorToken => vec![WIDGET_TOKENS],
            Self::NewVisitorToken => vec![WIDGET_TOKENS, NEW_VISITORS_TOKENS],
            Self::MoreItems { .. } => vec![calls],
            Self::LargeDryRun { .. } => vec![DRY_RUNS],
        }
    }

    const fn tokens(self) -> u32 {
        match self {
            Self::MoreItems { tokens } | Self::LargeDryRun { tokens } => tokens,
            _ => 1,
        }
    }

    /// Whether the quota is a visitor's, not another caller's.
    const fn is_of_visitors(self) -> bool {
        matches!(self, Self::Message | Self::NewSession | Self::Escalation)
    }
}

/// The remaining quotas of the caller of one request. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Allowance(pub(crate) Option<Arc<Account>>);

/// A caller in one request, and what was counted so far.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) store: Store,
    pub(crate) scope: Scope,
    is_visitor: bool,
    /// The quota of its requests.
    pub(crate) calls: Quota,
    /// Its name in buckets of its own.
    pub(crate) subject: String,
    /// Replaces the number of every quota.
    per_minute: Option<u32>,
    ledger: Mutex<Ledger>,
}

#[derive(Debug, Default)]
struct Ledger {
    /// How many actions were counted.
    actions: usize,
    /// The remainders of the quotas that were taken from, and of one that refused.
    standings: Vec<Standing>,
}

/// An action that is counted once, however often it is tried.
#[derive(Debug)]
#[must_use = "an action that is not done is given back"]
pub struct Counting {
    allowance: Allowance,
    action: LimitedAction,
    counted: OnceCell<()>,
}

impl Allowance {
    /// Everything, as often as wanted: what nobody's request does.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self(None)
    }

    /// Whether an action would be counted, as far as this process knows. Counts nothing.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub fn check(&self, action: LimitedAction) -> Result<()> {
        let Some((account, draws)) = self.draws(action) else { return Ok(()) };
        account.store.rate_buckets().check(&account.scope, &draws).map_err(|exhausted| account.refuse(&exhausted))
    }

    /// An action that is to be counted.
    pub fn trying(&self, action: LimitedAction) -> Counting {
        Counting { allowance: self.clone(), action, counted: OnceCell::new() }
    }

    /// The draws of an action on its quotas; none if this caller has no quota for it.
    fn draws(&self, action: LimitedAction) -> Option<(&Account, Vec<Draw>)> {
        let account = self.0.as_ref().filter(|account| account.is_visitor == action.is_of_visitors())?;
        let draw = |quota| account.draw(quota, &account.subject, action.tokens());
        Some((account, action.quotas(account.calls).into_iter().map(draw).collect()))
    }
}

impl Account {
    pub(crate) fn of(store: Store, principal: &Principal, per_minute: Option<u32>) -> Self {
        let (calls, subject) = match principal {
            Principal::Key { .. } => (KEY, principal.name()),
            Principal::Member(_) => (MEMBER, principal.name()),
            Principal::Widget(widget) => (VISITOR, sha256_hex(widget.external_user_id.as_bytes())),
        };
        let (scope, is_visitor) = (principal.scope().clone(), principal.widget().is_some());
        Self { store, scope, is_visitor, calls, subject, per_minute, ledger: Mutex::default() }
    }

    pub(crate) fn draw(&self, quota: Quota, subject: &str, tokens: u32) -> Draw {
        let quota = quota.or_per_minute(self.per_minute);
        Draw { quota, subject: subject.to_owned(), tokens: tokens.min(quota.limit) }
    }

    /// Takes all of `draws` or none.
    pub(crate) async fn take(&self, draws: &[Draw]) -> Result<()> {
        let taken = self.store.rate_buckets().take(&self.scope, draws).await;
        for standing in taken.map_err(|exhausted| self.refuse(&exhausted))? {
            // How busy the tenant is, is no visitor's business.
            if standing.quota.name != TENANT_WIDGETS {
                self.note(standing);
            }
        }
        Ok(())
    }

    pub(crate) fn refuse(&self, exhausted: &Exhausted) -> Error {
        self.note(exhausted.standing);
        refused(exhausted)
    }

    fn note(&self, standing: Standing) {
        let standings = &mut self.ledger().standings;
        standings.retain(|other| other.quota.name != standing.quota.name);
        standings.push(standing);
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the request did something that has a quota of its own.
    pub(crate) fn has_acted(&self) -> bool {
        self.ledger().actions > 0
    }

    pub(crate) fn standings(&self) -> Vec<Standing> {
        self.ledger().standings.clone()
    }
}

impl Counting {
    /// Counts the action, unless an earlier try did.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub async fn count(&self) -> Result<()> {
        let count = async || {
            let Some((account, draws)) = self.allowance.draws(self.action) else { return Ok(()) };
            account.take(&draws).await?;
            account.ledger().actions += 1;
            Ok(())
        };
        self.counted.get_or_try_init(count).await.copied()
    }

    /// Ends the action: if it was counted and not done, it is given back.
    pub async fn end(self, is_done: bool) {
        if is_done || !self.counted.initialized() {
            return;
        }
        let Some((account, draws)) = self.allowance.draws(self.action) else { return };
        account.store.rate_buckets().give_back(&account.scope, &draws).await;
        let mut ledger = account.ledger();
        ledger.actions = ledger.actions.saturating_sub(1);
        ledger.standings.retain(|standing| draws.iter().all(|draw| draw.quota.name != standing.quota.name));
    }
}

/// 429 with the quota that is exhausted.
#[must_use]
pub fn refused(exhausted: &Exhausted) -> Error {
    let Quota { name, limit, window_seconds } = exhausted.standing.quota;
    Error::new(Code::RateLimited, "Too many requests.")
        .with_detail(DetailCode::RateLimit, format!("{name}: {limit} in {window_seconds} seconds"))
        .retry_after(u32::try_from(exhausted.retry_after_seconds).unwrap_or(u32::MAX))
}
