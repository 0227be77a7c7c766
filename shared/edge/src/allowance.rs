//! The quotas of single actions of a caller, apart from the rate limit on its requests.
//!
//! A [`LimitedAction`] is counted right before it is done, when everything that could refuse it has been looked at, and
//! given back if it was not done after all. So a repeated request, a refused body and a failure cost a visitor none of
//! its sessions, messages and escalations. The edge gives each request the [`Allowance`] of its caller, and counts the
//! request itself.

use std::sync::{Arc, Mutex, PoisonError};

use aws::store::Store;
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::Scope;
use domain::rate_limit::{Draw, Exhausted, Quota, Standing};
use domain::{Error, Result, sha256_hex};
use tokio::sync::OnceCell;

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
    /// A dry run costs so many tokens more than the least.
    LargeDryRun {
        /// At least 1.
        tokens: u32,
    },
}

impl LimitedAction {
    const fn quotas(self) -> &'static [Quota] {
        match self {
            Self::Message => &[VISITOR_MESSAGES],
            Self::NewSession => &[VISITOR_SESSIONS],
            Self::Escalation => &[VISITOR_ESCALATIONS],
            Self::KnownVisitorToken => &[WIDGET_TOKENS],
            Self::NewVisitorToken => &[WIDGET_TOKENS, NEW_VISITORS_TOKENS],
            Self::LargeDryRun { .. } => &[DRY_RUNS],
        }
    }

    const fn tokens(self) -> u32 {
        match self {
            Self::LargeDryRun { tokens } => tokens,
            _ => 1,
        }
    }

    /// Whether the quota is a visitor's, not another caller's.
    const fn is_of_visitors(self) -> bool {
        match self {
            Self::Message | Self::NewSession | Self::Escalation => true,
            Self::KnownVisitorToken | Self::NewVisitorToken | Self::LargeDryRun { .. } => false,
        }
    }
}

/// The remaining quotas of the caller of one request. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Allowance(Option<Arc<Account>>);

#[derive(Debug)]
struct Account {
    store: Store,
    scope: Scope,
    is_visitor: bool,
    subject: String,
    per_minute: Option<u32>,
    ledger: Mutex<Ledger>,
}

/// The actions of one request.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// How many were counted.
    pub counted: usize,
    /// The remainders of their quotas, also of a quota that refused an action.
    pub standings: Vec<Standing>,
}

/// An action that was counted.
#[derive(Debug)]
#[must_use = "an action that is not done is given back"]
pub struct Counted {
    account: Option<Arc<Account>>,
    draws: Vec<Draw>,
}

impl Allowance {
    /// Everything, as often as wanted: what nobody's request does.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self(None)
    }

    /// A caller's. `per_minute` replaces the number of every quota.
    #[must_use]
    pub fn of(store: Store, principal: &Principal, per_minute: Option<u32>) -> Self {
        let (is_visitor, subject) = match principal {
            Principal::Key { .. } | Principal::Member(_) => (false, principal.name()),
            Principal::Widget(widget) => (true, visitor_subject(&widget.external_user_id)),
        };
        let (scope, ledger) = (principal.scope().clone(), Mutex::default());
        Self(Some(Arc::new(Account { store, scope, is_visitor, subject, per_minute, ledger })))
    }

    /// Whether an action would be counted, as far as this process knows. Counts nothing.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub fn check(&self, action: LimitedAction) -> Result<()> {
        let Some((account, draws)) = self.draws(action) else { return Ok(()) };
        account.store.rate_buckets().check(&account.scope, &draws).map_err(|exhausted| account.refuse(&exhausted))
    }

    /// Counts an action.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub async fn count(&self, action: LimitedAction) -> Result<Counted> {
        let Some((account, draws)) = self.draws(action) else {
            return Ok(Counted { account: None, draws: Vec::new() });
        };
        match account.store.rate_buckets().take(&account.scope, &draws).await {
            Ok(standings) => {
                account.note(1, standings);
                Ok(Counted { account: Some(Arc::clone(account)), draws })
            }
            Err(exhausted) => Err(account.refuse(&exhausted)),
        }
    }

    /// Counts an action and does it; it is given back if `work` fails.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`, and those of `work`.
    pub async fn counting<T>(&self, action: LimitedAction, work: impl Future<Output = Result<T>>) -> Result<T> {
        let counted = self.count(action).await?;
        let done = work.await;
        counted.end(done.is_ok()).await;
        done
    }

    /// An action that is tried several times and counted once.
    #[must_use]
    pub fn trying(&self, action: LimitedAction) -> Trying<'_> {
        Trying { allowance: self, action, counted: OnceCell::new() }
    }

    /// The actions so far.
    #[must_use]
    pub fn ledger(&self) -> Ledger {
        self.0.as_ref().map(|account| account.ledger().clone()).unwrap_or_default()
    }

    /// The draws of an action on its quotas; none if this caller has no quota for it.
    fn draws(&self, action: LimitedAction) -> Option<(&Arc<Account>, Vec<Draw>)> {
        let account = self.0.as_ref().filter(|account| account.is_visitor == action.is_of_visitors())?;
        let draw = |quota: &Quota| {
            let quota = account.per_minute.map_or(*quota, |limit| Quota::per_minute(quota.name, limit));
            let tokens = action.tokens().min(quota.limit);
            Draw { quota, subject: account.subject.clone(), tokens, is_reported: true }
        };
        Some((account, action.quotas().iter().map(draw).collect()))
    }
}

impl Account {
    fn ledger(&self) -> std::sync::MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, counted: usize, standings: impl IntoIterator<Item = Standing>) {
        let mut ledger = self.ledger();
        ledger.counted += counted;
        for standing in standings {
            ledger.standings.retain(|other| other.quota.name != standing.quota.name);
            ledger.standings.push(standing);
        }
    }

    fn refuse(&self, exhausted: &Exhausted) -> Error {
        self.note(0, [exhausted.standing]);
        refused(exhausted)
    }
}

impl Counted {
    /// Ends an action: one that was not done is given back.
    pub async fn end(self, is_done: bool) {
        let Some(account) = self.account.filter(|_| !is_done) else { return };
        account.store.rate_buckets().give_back(&account.scope, &self.draws).await;
        let mut ledger = account.ledger();
        ledger.counted = ledger.counted.saturating_sub(1);
        ledger.standings.retain(|standing| self.draws.iter().all(|draw| draw.quota.name != standing.quota.name));
    }
}

/// An action that is tried until it is written, or is not needed any more.
#[derive(Debug)]
pub struct Trying<'a> {
    allowance: &'a Allowance,
    action: LimitedAction,
    counted: OnceCell<Counted>,
}

impl Trying<'_> {
    /// Counts the action, unless an earlier try did.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub async fn count(&self) -> Result<()> {
        self.counted.get_or_try_init(|| self.allowance.count(self.action)).await.map(drop)
    }

    /// Ends the action: if it was counted and not done, it is given back.
    pub async fn end(self, is_done: bool) {
        if let Some(counted) = self.counted.into_inner() {
            counted.end(is_done).await;
        }
    }
}

/// A visitor in the name of a bucket.
#[must_use]
pub fn visitor_subject(external_user_id: &str) -> String {
    sha256_hex(external_user_id.as_bytes())
}

/// 429 with the quota that is exhausted.
#[must_use]
pub fn refused(exhausted: &Exhausted) -> Error {
    let Quota { name, limit, window_seconds } = exhausted.standing.quota;
    Error::new(Code::RateLimited, "Too many requests.")
        .with_detail(DetailCode::RateLimit, format!("{name}: {limit} in {window_seconds} seconds"))
        .retry_after(u32::try_from(exhausted.retry_after_seconds).unwrap_or(u32::MAX))
}
