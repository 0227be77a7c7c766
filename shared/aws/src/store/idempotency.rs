//! Requests that come again: what a request did is kept under the key that came with it, in the transaction that does
//! it. The same request again finds that record and does nothing twice.
//!
//! The record holds hashes alone: of the key with all that it is valid for, and of the content that must be the same.
//! Whoever does the work is named as its holder, by which a write whose reply was lost knows its own record again.
//! Where the work goes on after the record is stored, `lease_until` says until when its holder may still be at it;
//! after that somebody else may take it over.

use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::client::Store;
use super::expression::Expression;
use super::keys::{self, Key};
use super::table::{Consistency, Item, item, number, record, text, value};
use super::transaction::{RequestRecord, Write};
use crate::store::item_kind::ItemKind;
use domain::error::Code;
use domain::models::{Scope, SessionId, Timestamp};
use domain::{Error, Result, sha256_hex_of_parts};

/// How long an `Idempotency-Key` means the same request, in hours (contract, section 1).
pub(super) const KEPT_HOURS: i64 = 24;

/// What a request is recognised by when it comes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    beside: Option<SessionId>,
    /// Lower-case hex of SHA-256.
    hash: String,
    /// Lower-case hex of SHA-256.
    fingerprint: String,
    /// The holder of the records that this request completes; made with the first of them.
    holder: Arc<OnceLock<String>>,
}

impl RequestKey {
    /// The key of a request that is valid for all that `name` lists (what is asked for, by whom, under which key), for
    /// as long as `content` is the same.
    #[must_use]
    pub fn new(name: &[&str], content: &[&str]) -> Self {
        Self {
            beside: None,
            hash: sha256_hex_of_parts(name),
            fingerprint: sha256_hex_of_parts(content),
            holder: Arc::default(),
        }
    }

    /// The same within a session: another key in each, erased with it.
    #[must_use]
    pub fn beside(self, session: &SessionId) -> Self {
        Self { beside: Some(session.clone()), ..self }
    }

    /// The same for `part` of its caller alone, who acts for several.
    #[must_use]
    pub fn of(self, part: &str) -> Self {
        Self { hash: sha256_hex_of_parts(&[&self.hash, part]), ..self }
    }

    /// The key without its content: lower-case hex of SHA-256.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What is kept of a request that `holder` carries out, and may still be at until `lease_until`.
    #[must_use]
    pub fn remember<R>(self, holder: &str, lease_until: Timestamp, result: R) -> Remembered<R> {
        let fingerprint = self.fingerprint.clone();
        let record =
            IdempotencyRecord { fingerprint, holder: holder.to_owned(), lease_until, expires_at: None, result };
        Remembered { key: self, record }
    }

    fn item_key(&self, scope: &Scope) -> Key {
        keys::idempotency(scope, self.beside.as_ref(), &self.hash)
    }

    /// Whether this request itself completed `record`.
    fn completed<R>(&self, record: &IdempotencyRecord<R>) -> bool {
        self.holder.get().is_some_and(|holder| *holder == record.holder)
    }
}

/// What is kept of a request. `R` is what it did, or how that is found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct IdempotencyRecord<R> {
    /// Of what was asked for, lower-case hex of SHA-256.
    fingerprint: String,
    /// Who carries it out.
    holder: String,
    /// Until when its holder may still be at it.
    lease_until: Timestamp,
    /// When it is forgotten; without it, when what it lies beside is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    /// What it did.
    #[serde(flatten)]
    pub result: R,
}

impl<R> IdempotencyRecord<R> {
    fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|until| until > now)
    }
}

/// A record under its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered<R> {
    /// The key.
    pub key: RequestKey,
    /// The record.
    pub record: IdempotencyRecord<R>,
}

impl<R> Remembered<R> {
    /// Whether `holder` carries it out, or has.
    #[must_use]
    pub fn is_held_by(&self, holder: &str) -> bool {
        self.record.holder == holder
    }

    /// The same, forgotten a day after `now`.
    #[must_use]
    pub fn for_a_day(mut self, now: Timestamp) -> Self {
        self.record.expires_at = Some(now.plus_hours(KEPT_HOURS));
        self
    }
}

impl<R: Serialize + DeserializeOwned> Remembered<R> {
    /// Stores it, on condition that its key is new, or forgotten at `now`.
    pub(super) fn write(&self, scope: &Scope, now: Timestamp) -> Result<Write> {
        let stored = self.item(scope)?;
        // A time is stored as text of one shape, which sorts like time.
        let free = Expression::new("attribute_not_exists(pk) OR expiresAt <= :now").with(":now", value(&now)?);
        Ok(Write::Put { item: stored, condition: Some(free) })
    }

    fn item(&self, scope: &Scope) -> Result<Item> {
        let mut stored = item(&self.key.item_key(scope), ItemKind::Idempotency, &self.record)?;
        if let Some(at) = self.record.expires_at {
            // Seconds, as the table's time to live has it; until the table deletes it, `expires_at` counts.
            stored.insert("ttl".into(), number(at.as_seconds() + 1));
        }
        Ok(stored)
    }

    /// The record that stood in the way of [`Self::write`]; none where it is this one, whose reply was lost.
    ///
    /// # Errors
    /// 422 `IDEMPOTENCY_KEY_REUSED` where it is of another request.
    pub(super) fn earlier(&self, there: Item) -> Result<Option<Self>> {
        let there: IdempotencyRecord<R> = record(there)?;
        if there.holder == self.record.holder {
            return Ok(None);
        }
        same_request(self.key.clone(), there).map(Some)
    }
}

/// What is kept of a request whose answer holds no secret: the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer<A> {
    /// The answer.
    pub answer: A,
}

/// What is kept of requests; made by [`Store::idempotency`].
#[derive(Debug, Clone, Copy)]
pub struct Idempotency<'a>(&'a Store);

impl Store {
    /// What is kept of requests.
    #[must_use]
    pub const fn idempotency(&self) -> Idempotency<'_> {
        Idempotency(self)
    }
}

impl Idempotency<'_> {
    /// What is kept of an earlier request with this key; consistent.
    ///
    /// # Errors
    /// 422 `IDEMPOTENCY_KEY_REUSED` where that was another request.
    pub async fn find<R: DeserializeOwned>(&self, scope: &Scope, key: &RequestKey) -> Result<Option<Remembered<R>>> {
        let found: Option<IdempotencyRecord<R>> = self.0.get(&key.item_key(scope), Consistency::Strong).await?;
        let valid = found.filter(|found| found.is_valid(self.0.runtime.now()));
        valid.map(|found| same_request(key.clone(), found)).transpose()
    }

    /// The record of a request that is complete with its transaction, and forgotten a day later; none without a key.
    pub fn completed<R>(&self, scope: &Scope, key: Option<&RequestKey>, result: R) -> Result<Option<RequestRecord>>
    where
        R: Serialize + DeserializeOwned,
    {
        let Some(key) = key else { return Ok(None) };
        let now = self.0.runtime.now();
        let record = key.clone().remember(self.holder(key)?, now, result).for_a_day(now);
        record.write(scope, now).map(|write| Some(RequestRecord::new(write)))
    }

    /// Stores the record of a request that changes nothing else.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` where there is a record with its key.
    pub async fn store_completed<R>(&self, scope: &Scope, key: Option<&RequestKey>, result: R) -> Result<()>
    where
        R: Serialize + DeserializeOwned,
    {
        self.store(self.completed(scope, key, result)?).await
    }

    pub(super) async fn store(&self, record: Option<RequestRecord>) -> Result<()> {
        let Some(record) = record else { return Ok(()) };
        if self.0.write_if(record.into_write()).await? { Ok(()) } else { Err(in_progress()) }
    }

    /// Carries out `work`, which stores the record of `key` in the transaction of its effect, and says false. Where it
    /// fails, because of that record or for any other reason, the record under this key counts: then it is what `replay`
    /// makes of that, and whether an earlier request stored it. It is this request's own if the reply to the transaction
    /// was lost. A replay shows nothing that is gone, and nothing that its caller may not read now.
    ///
    /// # Errors
    /// Those of `work` and `replay`; 422 `IDEMPOTENCY_KEY_REUSED` where the key was used for another request; 503 where
    /// `work` failed and the record cannot be read.
    pub async fn once<T, R: DeserializeOwned, F: Future<Output = Result<T>>>(
        &self,
        scope: &Scope,
        key: Option<&RequestKey>,
        work: impl Future<Output = Result<T>>,
        replay: impl FnOnce(R) -> F,
    ) -> Result<(T, bool)> {
        let error = match work.await {
            Ok(done) => return Ok((done, false)),
            Err(error) => error,
        };
        let Some(key) = key else { return Err(error) };
        // Where it cannot be read, it is not known whether the request was carried out: what `work` says of a second
        // time would be wrong.
        let before = self.find(scope, key).await?.ok_or(error)?;
        let is_earlier = !key.completed(&before.record);
        replay(before.record.result).await.map(|shown| (shown, is_earlier))
    }

    /// The name of the request with this key, by which it knows its own records again; the same each time.
    pub fn holder<'k>(&self, key: &'k RequestKey) -> Result<&'k str> {
        let new = self.new_holder()?;
        Ok(key.holder.get_or_init(|| new))
    }

    /// A new name for a request.
    pub fn new_holder(&self) -> Result<String> {
        let token = self.0.runtime.token()?;
        Ok(self.0.only_process.as_ref().map_or_else(|| token.clone(), |process| format!("{process}.{token}")))
    }

    /// Refuses while the holder of `seen` may still be at it.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS`, with what is left of its lease.
    pub fn check_lease<R>(&self, seen: &Remembered<R>) -> Result<()> {
        let IdempotencyRecord { holder, lease_until, .. } = &seen.record;
        let left_ms = lease_until.millis_since(self.0.runtime.now());
        let ended = self.0.only_process.as_ref().is_some_and(|process| !holder.starts_with(&**process));
        if left_ms <= 0 || ended { Ok(()) } else { Err(in_progress_for(left_ms)) }
    }

    /// Replaces what the record of `held` says, while its holder has it.
    pub async fn update_result<R: Serialize + DeserializeOwned>(
        &self,
        scope: &Scope,
        held: &Remembered<R>,
    ) -> Result<()> {
        let write = Write::Put {
            item: held.item(scope)?,
            condition: Some(Expression::new("holder = :me").with(":me", text(&held.record.holder))),
        };
        self.0.write_if(write).await.map(drop)
    }

    /// Makes `holder` the holder, until `until`, of a request whose holder died.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` while that may still be at it, or where somebody else took it over.
    pub async fn take_over<R>(
        &self,
        scope: &Scope,
        seen: &Remembered<R>,
        holder: &str,
        until: Timestamp,
    ) -> Result<()> {
        self.check_lease(seen)?;
        let write = Write::Update {
            key: seen.key.item_key(scope),
            update: Expression::new("SET leaseUntil = :lease, holder = :me")
                .with(":lease", value(&until)?)
                .with(":me", text(holder)),
            condition: Some(
                Expression::new("leaseUntil = :seen AND holder = :other")
                    .with(":seen", value(&seen.record.lease_until)?)
                    .with(":other", text(&seen.record.holder)),
            ),
        };
        let taken = self.0.write_if(write).await?;
        // Somebody else took it over just now.
        if taken { Ok(()) } else { Err(in_progress_for(until.millis_since(self.0.runtime.now()))) }
    }
}

fn same_request<R>(key: RequestKey, record: IdempotencyRecord<R>) -> Result<Remembered<R>> {
    if record.fingerprint != key.fingerprint {
        let message = "This Idempotency-Key or clientMessageId was used for another request.";
        return Err(Error::new(Code::IdempotencyKeyReused, message));
    }
    Ok(Remembered { key, record })
}

/// 409 where the record of an earlier attempt stands in the way.
pub(super) fn in_progress() -> Error {
    in_progress_for(0)
}

/// 409 while the first attempt of a request may still be at it, for `left_ms` milliseconds.
#[must_use]
pub fn in_progress_for(left_ms: i64) -> Error {
    let seconds = left_ms.clamp(1, i64::from(u32::MAX)).cast_unsigned().div_ceil(1_000);
    Error::new(Code::IdempotencyInProgress, "The first attempt of this request is still running.")
        .retry_after(u32::try_from(seconds).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use domain::models::{Mode, TenantId};

    use super::*;

    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    struct Made {
        turn: u32,
    }

    fn remembered(name: &[&str], content: &str, holder: &str) -> Remembered<Made> {
        RequestKey::new(name, &[content]).remember(holder, Timestamp::from_millis(5), Made { turn: 7 })
    }

    fn stored(remembered: &Remembered<Made>) -> Item {
        let scope = Scope { tenant: TenantId::generate(&domain::clock::Runtime::system()).unwrap(), mode: Mode::Live };
        match remembered.write(&scope, Timestamp::from_millis(0)).unwrap() {
            Write::Put { item, .. } => item,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_stands_in_the_way_is_ones_own_the_first_result_or_of_another_request() {
        let first = remembered(&["message", "key", "k1"], "hello", "me");
        let there = stored(&first);
        assert_eq!(first.earlier(there.clone()).unwrap(), None);
        let again = remembered(&["message", "key", "k1"], "hello", "another");
        assert_eq!(again.earlier(there.clone()).unwrap(), Some(first));
        let other = remembered(&["message", "key", "k1"], "goodbye", "another");
        assert_eq!(other.earlier(there).unwrap_err().code(), Code::IdempotencyKeyReused);
    }

    #[test]
    fn a_caller_waits_for_what_is_left_of_a_lease_rounded_up() {
        for (left_ms, seconds) in [(-5, 1), (0, 1), (1, 1), (1_000, 1), (1_001, 2), (24_999, 25), (25_000, 25)] {
            assert_eq!(in_progress_for(left_ms).retry_after_seconds(), Some(seconds), "{left_ms}");
        }
    }

    #[test]
    fn nothing_that_a_caller_sent_is_stored_and_a_key_that_ends_says_when() {
        let name = ["message", "a caller", "their key"];
        let text =
            format!("{:?}", stored(&remembered(&name, "what they said", "me").for_a_day(Timestamp::from_millis(0))));
        for sent in ["caller", "key\"", "said"] {
            assert!(!text.contains(sent), "{text}");
        }
        assert!(text.contains("86401") && text.contains("expiresAt"), "{text}");
        let for_good = stored(&remembered(&name, "what they said", "me"));
        assert!(!for_good.contains_key("ttl") && !for_good.contains_key("expiresAt"));
    }
}
