//! Which rate limits a call is counted against, and the header fields that say what is left
//! (draft-ietf-httpapi-ratelimit-headers-10).
//!
//! An action with a quota of its own is counted by the handler that does it (`crate::allowance`).

use std::sync::{Arc, OnceLock};

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::RateClass;
use crate::allowance::{Allowance, DRY_RUNS, LEAST_DRY_RUN_TOKENS, Ledger, LimitedAction, refused, visitor_subject};
use crate::route_list::RouteSpec;
use aws::store::Store;
use domain::access::Principal;
use domain::models::{Scope, Settings};
use domain::rate_limit::{Draw, Exhausted, Quota, Standing};
use domain::{Error, Result, sha256_hex};

const POLICY_FIELD: HeaderName = HeaderName::from_static("ratelimit-policy");
const FIELD: HeaderName = HeaderName::from_static("ratelimit");

/// The tokens of a list, a search, a report or a history.
const LIST_TOKENS: u32 = 3;

const KEY: Quota = Quota::per_minute("key", 600);
const MEMBER: Quota = Quota::per_minute("member", 600);
const VISITOR: Quota = Quota::per_minute("visitor", 120);
const WEBHOOK_SENDS: Quota = Quota::per_minute("webhook-sends", 10);
const INGESTS: Quota = Quota::per_hour("ingest", 60);
const INVITATIONS: Quota = Quota::per_hour("invitations", 10);
const TENANT_WIDGETS: &str = "tenant-widgets";

/// One request of a caller.
pub(crate) struct Call<'a> {
    pub(crate) principal: &'a Principal,
    pub(crate) route: Option<&'static RouteSpec>,
    /// The concrete path.
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
    /// The tenant's, for a widget.
    pub(crate) settings: Option<&'a Settings>,
}

/// The draws of a call.
#[derive(Debug)]
struct Draws {
    /// At once.
    now: Vec<Draw>,
    /// At its end, if it did nothing that has a quota of its own.
    unless_acted: Vec<Draw>,
}

impl Call<'_> {
    /// Counts the call, and says what is left; what the caller may do in it.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub(crate) async fn count(
        &self,
        store: &Store,
        per_minute: Option<u32>,
        report: Option<&RateLimitReport>,
    ) -> Result<Allowance> {
        let draws = self.draws(per_minute);
        let (scope, buckets) = (self.principal.scope(), store.rate_buckets());
        let allowance = Allowance::of(store.clone(), self.principal, per_minute);
        let taken = match buckets.check(scope, &draws.unless_acted) {
            // Neither a call nor a message is left: nothing is looked at.
            Err(exhausted) if allowance.check(LimitedAction::Message).is_err() => Err(exhausted),
            _ => buckets.take(scope, &draws.now).await,
        };
        let (standings, open, refusal) = match taken {
            Ok(standings) => (standings, Some(Open { store: store.clone(), scope: scope.clone(), draws }), None),
            Err(exhausted) => {
                (vec![Standing { is_reported: true, ..exhausted.standing }], None, Some(refused(&exhausted)))
            }
        };
        if let Some(report) = report {
            report.set(Counted { standings, open, allowance: allowance.clone() });
        }
        refusal.map_or(Ok(allowance), Err)
    }

    fn rate_class(&self) -> RateClass {
        self.route.map_or(RateClass::Call, |route| route.rate_class)
    }

    fn draws(&self, per_minute: Option<u32>) -> Draws {
        let mut draws = match self.principal {
            Principal::Key { key_id, .. } => self.draws_of(KEY, key_id.as_str()),
            Principal::Member(member) => self.draws_of(MEMBER, member.member_id.as_str()),
            Principal::Widget(widget) => self.draws_of_visitor(&visitor_subject(&widget.external_user_id)),
        };
        if let Some(limit) = per_minute {
            // One number for every limit.
            let all = draws.now.iter_mut().chain(&mut draws.unless_acted);
            all.for_each(|draw| {
                draw.quota = Quota::per_minute(draw.quota.name, limit);
                draw.tokens = draw.tokens.min(limit);
            });
        }
        draws
    }

    fn draws_of(&self, quota: Quota, subject: &str) -> Draws {
        let call = Draw { tokens: self.tokens(), ..one(quota, subject) };
        Draws { now: [call].into_iter().chain(self.action_of(subject)).collect(), unless_acted: Vec::new() }
    }

    fn draws_of_visitor(&self, visitor: &str) -> Draws {
        let limit = self
            .settings
            .map_or(Settings::default().widget_requests_per_minute, |settings| settings.widget_requests_per_minute);
        let tenant = Quota::per_minute(TENANT_WIDGETS, limit.max(1));
        let tokens = self.tokens();
        // How busy the tenant is, is no visitor's business.
        let tenant = Draw { tokens, is_reported: false, ..one(tenant, "all") };
        let call = Draw { tokens, ..one(VISITOR, visitor) };
        let (now, unless_acted) = match self.rate_class() {
            // A message counts beside the calls; what turns out to be none counts as one.
            RateClass::Message => (vec![tenant], vec![call]),
            _ => (vec![call, tenant], Vec::new()),
        };
        Draws { now, unless_acted }
    }

    /// The small quotas of what fetches pages, or sends.
    fn action_of(&self, subject: &str) -> Option<Draw> {
        match self.rate_class() {
            RateClass::IngestJob => Some(one(INGESTS, subject)),
            RateClass::DryRun => Some(Draw { tokens: LEAST_DRY_RUN_TOKENS, ..one(DRY_RUNS, subject) }),
            RateClass::WebhookSend => Some(one(WEBHOOK_SENDS, &self.subject_of_path())),
            RateClass::Invitation => Some(one(INVITATIONS, &self.subject_of_path())),
            _ => None,
        }
    }

    /// The resource that the path names, as a subject.
    fn subject_of_path(&self) -> String {
        let id = self.route.and_then(|route| route.parameter(self.path, "id")).unwrap_or_default();
        // As the handler reads it: escapes make no second bucket.
        let id: Vec<u8> = percent_encoding::percent_decode_str(id).collect();
        sha256_hex(&id)
    }

    fn tokens(&self) -> u32 {
        let looks_for_new_turns =
            || self.principal.widget().is_some() && self.query.split('&').any(|pair| pair.starts_with("after="));
        match self.rate_class() {
            RateClass::Turns if looks_for_new_turns() => 1,
            RateClass::List | RateClass::Turns => LIST_TOKENS,
            _ => 1,
        }
    }
}

/// One token.
fn one(quota: Quota, subject: &str) -> Draw {
    Draw { quota, subject: subject.to_owned(), tokens: 1, is_reported: true }
}

/// The result of counting a request.
#[derive(Debug)]
struct Counted {
    /// The standings of the quotas that it took from.
    standings: Vec<Standing>,
    /// The call that is settled at its end, if it was let through.
    open: Option<Open>,
    allowance: Allowance,
}

/// A call that was let through.
#[derive(Debug)]
struct Open {
    store: Store,
    scope: Scope,
    draws: Draws,
}

impl Open {
    async fn settle(&self, ledger: &Ledger, is_nothing_new: bool) -> Result<Vec<Standing>, Exhausted> {
        if is_nothing_new {
            self.store.rate_buckets().count_a_tenth(&self.scope, &self.draws.now).await;
        }
        if ledger.counted > 0 {
            return Ok(Vec::new());
        }
        self.store.rate_buckets().take(&self.scope, &self.draws.unless_acted).await
    }
}

/// How the request was counted; the edge hands it to the handler's arguments and reads it afterwards.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitReport(Arc<OnceLock<Counted>>);

impl RateLimitReport {
    fn set(&self, counted: Counted) {
        // Set once: a request has one caller.
        let _first = self.0.set(counted);
    }

    /// Ends the counting of a request that is answered: what is left, and 429 if it was none of what it has a quota
    /// for, and no call was left for it. An answer that says that nothing is new counts a tenth.
    pub(crate) async fn settle(&self, is_nothing_new: bool) -> (RateLimitFields, Option<Error>) {
        let Some(counted) = self.0.get() else { return (RateLimitFields::default(), None) };
        let ledger = counted.allowance.ledger();
        let settled = match &counted.open {
            Some(open) => open.settle(&ledger, is_nothing_new).await,
            None => Ok(Vec::new()),
        };
        let (settled, refusal) = match settled {
            Ok(standings) => (standings, None),
            Err(exhausted) => (vec![exhausted.standing], Some(refused(&exhausted))),
        };
        // What an action took of the same quota was taken later.
        let is_earlier =
            |standing: &&Standing| ledger.standings.iter().all(|later| later.quota.name != standing.quota.name);
        let first = counted.standings.iter().filter(is_earlier);
        let standings = first.chain(&settled).chain(&ledger.standings);
        (RateLimitFields::of(standings.copied().filter(|standing| standing.is_reported)), refusal)
    }
}

/// The header fields of an answer.
#[derive(Debug, Default)]
pub(crate) struct RateLimitFields(Option<(HeaderValue, HeaderValue)>);

impl RateLimitFields {
    fn of(standings: impl Iterator<Item = Standing>) -> Self {
        let (policy, left): (Vec<_>, Vec<_>) = standings
            .map(|Standing { quota, remaining, reset_seconds, .. }| {
                let name = quota.name;
                let policy = format!("\"{name}\";q={};w={}", quota.limit, quota.window_seconds);
                (policy, format!("\"{name}\";r={remaining};t={reset_seconds}"))
            })
            .unzip();
        let joined = |items: Vec<String>| HeaderValue::from_str(&items.join(", ")).ok().filter(|_| !items.is_empty());
        Self(joined(policy).zip(joined(left)))
    }

    pub(crate) fn add_to(self, headers: &mut HeaderMap) {
        if let Some((policy, left)) = self.0 {
            headers.insert(POLICY_FIELD, policy);
            headers.insert(FIELD, left);
        }
    }
}
