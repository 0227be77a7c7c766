//! Which rate limits a call is counted against, and the header fields that say what is left
//! (draft-ietf-httpapi-ratelimit-headers-10).

use std::sync::{Arc, OnceLock};

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::RateClass;
use crate::route_list::RouteSpec;
use aws::store::Store;
use domain::access::Principal;
use domain::error::{Code, DetailCode};
use domain::models::Settings;
use domain::rate_limit::{Draw, Exhausted, Quota, Standing};
use domain::{Error, Result, sha256_hex};

const POLICY_FIELD: HeaderName = HeaderName::from_static("ratelimit-policy");
const FIELD: HeaderName = HeaderName::from_static("ratelimit");

/// What a list, a search, a report or a history counts as.
const LIST_TOKENS: u32 = 3;

const KEY: Quota = Quota::per_minute("key", 600);
const VISITOR_MESSAGES: Quota = Quota::per_minute("visitor-messages", 20);
const VISITOR: Quota = Quota::per_minute("visitor", 120);
const VISITOR_SESSIONS: Quota = Quota::per_hour("visitor-sessions", 10);
const VISITOR_ESCALATIONS: Quota = Quota::per_hour("visitor-escalations", 6);
const WIDGET_TOKENS: Quota = Quota::per_minute("widget-tokens", 120);
const WEBHOOK_SENDS: Quota = Quota::per_minute("webhook-sends", 10);
const INGESTS: Quota = Quota::per_hour("ingest", 60);
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

impl Call<'_> {
    /// Counts the call, and says what is left.
    ///
    /// # Errors
    /// 429 `RATE_LIMITED`.
    pub(crate) async fn count(
        &self,
        store: &Store,
        per_minute: Option<u32>,
        report: Option<&RateLimitReport>,
    ) -> Result<()> {
        let mut draws = self.draws();
        if let Some(limit) = per_minute {
            // One number for every limit.
            draws.iter_mut().for_each(|draw| draw.quota = Quota { limit, window_seconds: 60, ..draw.quota });
        }
        match store.rate_buckets().take(self.principal.scope(), &draws).await {
            Ok(standings) => {
                report.into_iter().for_each(|report| report.set(&standings));
                Ok(())
            }
            Err(exhausted) => {
                report
                    .into_iter()
                    .for_each(|report| report.set(&[Standing { is_reported: true, ..exhausted.standing }]));
                Err(refused(&exhausted))
            }
        }
    }

    fn rate_class(&self) -> RateClass {
        self.route.map_or(RateClass::Call, |route| route.rate_class)
    }

    fn draws(&self) -> Vec<Draw> {
        match self.principal {
            Principal::Key { key_id, .. } => {
                let key = key_id.as_str();
                [Draw { tokens: self.tokens(), ..one(KEY, key) }].into_iter().chain(self.action_of_key(key)).collect()
            }
            Principal::Widget(widget) => self.draws_of_visitor(&sha256_hex(widget.external_user_id.as_bytes())),
        }
    }

    fn draws_of_visitor(&self, visitor: &str) -> Vec<Draw> {
        let (quota, action) = match self.rate_class() {
            RateClass::Message => (VISITOR_MESSAGES, None),
            RateClass::NewSession => (VISITOR, Some(VISITOR_SESSIONS)),
            RateClass::Escalation => (VISITOR, Some(VISITOR_ESCALATIONS)),
            _ => (VISITOR, None),
        };
        let limit = self
            .settings
            .map_or(Settings::default().widget_requests_per_minute, |settings| settings.widget_requests_per_minute);
        let tenant = Quota::per_minute(TENANT_WIDGETS, limit.max(1));
        let tokens = self.tokens();
        // How busy the tenant is, is no visitor's business.
        let tenant = Draw { tokens, is_reported: false, ..one(tenant, "all") };
        let action = action.map(|quota| one(quota, visitor));
        [Draw { tokens, ..one(quota, visitor) }, tenant].into_iter().chain(action).collect()
    }

    /// The small quotas of what mints tokens, fetches pages, or sends.
    fn action_of_key(&self, key: &str) -> Option<Draw> {
        match self.rate_class() {
            RateClass::WidgetToken => Some(one(WIDGET_TOKENS, key)),
            RateClass::IngestJob => Some(one(INGESTS, key)),
            RateClass::WebhookSend => {
                let id = self.route.and_then(|route| route.parameter(self.path, "id")).unwrap_or_default();
                // As the handler reads it: escapes make no second bucket.
                let id: Vec<u8> = percent_encoding::percent_decode_str(id).collect();
                Some(one(WEBHOOK_SENDS, &sha256_hex(&id)))
            }
            _ => None,
        }
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

fn refused(exhausted: &Exhausted) -> Error {
    let Quota { name, limit, window_seconds } = exhausted.standing.quota;
    Error::new(Code::RateLimited, "Too many requests.")
        .with_detail(DetailCode::RateLimit, format!("{name}: {limit} in {window_seconds} seconds"))
        .retry_after(u32::try_from(exhausted.retry_after_seconds).unwrap_or(u32::MAX))
}

/// What the answer says of the limits; the edge hands it to the handler's arguments and reads it afterwards.
#[derive(Debug, Clone, Default)]
pub(crate) struct RateLimitReport(Arc<OnceLock<(HeaderValue, HeaderValue)>>);

impl RateLimitReport {
    fn set(&self, standings: &[Standing]) {
        let shown = || standings.iter().filter(|standing| standing.is_reported);
        let policy = shown()
            .map(|Standing { quota, .. }| format!("\"{}\";q={};w={}", quota.name, quota.limit, quota.window_seconds));
        let left = shown().map(|standing| {
            format!("\"{}\";r={};t={}", standing.quota.name, standing.remaining, standing.reset_seconds)
        });
        let joined = |items: Vec<String>| HeaderValue::from_str(&items.join(", "));
        if let (Ok(policy), Ok(left)) = (joined(policy.collect()), joined(left.collect())) {
            // Set once: a request has one caller.
            let _first = self.0.set((policy, left));
        }
    }

    pub(crate) fn add_to(&self, headers: &mut HeaderMap) {
        if let Some((policy, left)) = self.0.get() {
            headers.insert(POLICY_FIELD, policy.clone());
            headers.insert(FIELD, left.clone());
        }
    }
}
