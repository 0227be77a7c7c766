//! Which rate limits a call is counted against, and the header fields that say what is left
//! (draft-ietf-httpapi-ratelimit-headers-10).
//!
//! An action with a quota of its own is counted by the handler that does it (`crate::allowance`).

use std::sync::{Arc, OnceLock};

use domain::access::Principal;
use domain::models::Settings;
use domain::rate_limit::{Draw, Quota, Standing};
use domain::{Error, Result, sha256_hex};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::edge::RateClass;
use crate::edge::allowance::{Account, Allowance, DRY_RUNS, LEAST_DRY_RUN_TOKENS, LimitedAction, TENANT_WIDGETS};
use crate::edge::route_list::RouteSpec;
use crate::table::Store;

const POLICY_FIELD: HeaderName = HeaderName::from_static("ratelimit-policy");
const FIELD: HeaderName = HeaderName::from_static("ratelimit");

/// The tokens of a list, a search, a report or a history.
const LIST_TOKENS: u32 = 3;

const WEBHOOK_SENDS: Quota = Quota::per_minute("webhook-sends", 10);
const INGESTS: Quota = Quota::per_hour("ingest", 60);
const INVITATIONS: Quota = Quota::per_hour("invitations", 10);

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
        let account = Arc::new(Account::of(store.clone(), self.principal, per_minute));
        let (draws, allowance) = (self.draws(&account), Allowance(Some(Arc::clone(&account))));
        let taken = match store.rate_buckets().check(&account.scope, &draws.unless_acted) {
            // Neither a call nor a message is left: nothing is looked at.
            Err(exhausted) if allowance.check(LimitedAction::Message).is_err() => Err(account.refuse(&exhausted)),
            _ => account.take(&draws.now).await,
        };
        if let Some(report) = report {
            // Set once: a request has one caller.
            let _first = report.0.set((account, taken.is_ok().then_some(draws)));
        }
        taken.map(|()| allowance)
    }

    fn rate_class(&self) -> RateClass {
        self.route.map_or(RateClass::Call, |route| route.rate_class)
    }

    fn draws(&self, account: &Account) -> Draws {
        let (subject, tokens) = (account.subject.as_str(), self.tokens());
        let call = account.draw(account.calls, subject, tokens);
        let is_message = self.rate_class() == RateClass::Message;
        let (now, unless_acted) = match self.principal {
            Principal::Key { .. } | Principal::Member(_) => ([Some(call), self.action_of(account)], None),
            Principal::Widget(_) => {
                let limit = self.settings.map_or_else(Settings::default, Settings::clone).widget_requests_per_minute;
                let tenant = account.draw(Quota::per_minute(TENANT_WIDGETS, limit.max(1)), "all", tokens);
                // A message counts beside the calls; what turns out to be none counts as one.
                let (at_once, unless_acted) = if is_message { (None, Some(call)) } else { (Some(call), None) };
                ([at_once, Some(tenant)], unless_acted)
            }
        };
        Draws { now: now.into_iter().flatten().collect(), unless_acted: unless_acted.into_iter().collect() }
    }

    /// The small quotas of what fetches pages, or sends.
    fn action_of(&self, account: &Account) -> Option<Draw> {
        match self.rate_class() {
            RateClass::IngestJob => Some(account.draw(INGESTS, &account.subject, 1)),
            RateClass::DryRun => Some(account.draw(DRY_RUNS, &account.subject, LEAST_DRY_RUN_TOKENS)),
            RateClass::WebhookSend => Some(account.draw(WEBHOOK_SENDS, &self.subject_of_path(), 1)),
            RateClass::Invitation => Some(account.draw(INVITATIONS, &self.subject_of_path(), 1)),
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

/// How the request was counted; the edge hands it to the handler's arguments and reads it afterwards. The draws are of a
/// call that was let through.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitReport(Arc<OnceLock<(Arc<Account>, Option<Draws>)>>);

impl RateLimitReport {
    /// Ends the counting of a request that is answered: what is left, and 429 if it was none of what it has a quota
    /// for, and no call was left for it. An answer that says that nothing is new counts a tenth.
    pub(crate) async fn settle(&self, is_nothing_new: bool) -> (RateLimitFields, Option<Error>) {
        let Some((account, draws)) = self.0.get() else { return (RateLimitFields::default(), None) };
        let mut refusal = None;
        if let Some(Draws { now, unless_acted }) = draws {
            if is_nothing_new {
                account.store.rate_buckets().count_a_tenth(&account.scope, now).await;
            }
            if !account.has_acted() {
                refusal = account.take(unless_acted).await.err();
            }
        }
        (RateLimitFields::of(&account.standings()), refusal)
    }
}

/// The header fields of an answer.
#[derive(Debug, Default)]
pub(crate) struct RateLimitFields(Option<(HeaderValue, HeaderValue)>);

impl RateLimitFields {
    fn of(standings: &[Standing]) -> Self {
        let of_each = |field: fn(&Standing) -> String| {
            let items: Vec<String> = standings.iter().map(field).collect();
            HeaderValue::from_str(&items.join(", ")).ok().filter(|_| !items.is_empty())
        };
        let policy = of_each(|Standing { quota: Quota { name, limit, window_seconds }, .. }| {
            format!("\"{name}\";q={limit};w={window_seconds}")
        });
        let left = of_each(|Standing { quota, remaining, reset_seconds }| {
            format!("\"{}\";r={remaining};t={reset_seconds}", quota.name)
        });
        Self(policy.zip(left))
    }

    pub(crate) fn add_to(self, headers: &mut HeaderMap) {
        if let Some((policy, left)) = self.0 {
            headers.insert(POLICY_FIELD, policy);
            headers.insert(FIELD, left);
        }
    }
}
