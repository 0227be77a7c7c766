//! Requests that come again: what a request did is kept under the key that came with it, in the transaction that does
//! it. The same request again finds that record and does nothing twice.
//!
//! The record holds hashes alone: of the key with all that it is valid for, and of the content that must be the same.
//! Whoever does the work is named as its holder, by which a write whose reply was lost knows its own record again.
//! If the work goes on after the record is stored, `lease_until` says until when its holder may still be at it;
//! after that somebody else may take it over.

pub mod rate_buckets;
pub mod token_keys;

use std::sync::{Arc, OnceLock};

use domain::error::Code;
use domain::models::{Scope, SessionId, Timestamp};
use domain::{Error, Result, sha256_hex_of_parts};
use futures::future::try_join_all;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::table::item::{Expression, ItemKind, item, number, text, value};
use crate::table::keys::{self, Key};
use crate::table::transaction::{RequestRecord, Transaction, Write, in_progress_for};
use crate::table::{Consistency, repository};

/// How long an `Idempotency-Key` means the same request, in hours (contract, section 1).
const KEPT_HOURS: i64 = 24;

/// The key by which a repetition of a request is recognised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    beside: Option<SessionId>,
    /// Lower-case hex of SHA-256.
    hash: String,
    /// Lower-case hex of SHA-256.
    fingerprint: String,
    /// It is valid as long as what it lies beside is there, not for a day.
    is_lasting: bool,
    /// The holder of the records that this request stores; made with the first of them.
    holder: Arc<OnceLock<String>>,
}

impl RequestKey {
    /// The key of a request that is valid for all that `name` lists (what is asked for, by whom, under which key), for
    /// a day and as long as `content` is the same.
    #[must_use]
    pub(crate) fn new(name: &[&str], content: &[&str]) -> Self {
        Self {
            beside: None,
            hash: sha256_hex_of_parts(name),
            fingerprint: sha256_hex_of_parts(content),
            is_lasting: false,
            holder: Arc::default(),
        }
    }

    /// The same within a session: another key in each, erased with it.
    #[must_use]
    pub(crate) fn beside(self, session: &SessionId) -> Self {
        Self { beside: Some(session.clone()), ..self }
    }

    /// The same, valid as long as what it lies beside is there.
    #[must_use]
    pub(crate) fn lasting(self) -> Self {
        Self { is_lasting: true, ..self }
    }

    /// The same for `part` of its caller alone, who acts for several.
    #[must_use]
    pub(crate) fn of(self, part: &str) -> Self {
        Self { hash: sha256_hex_of_parts(&[&self.hash, part]), ..self }
    }

    fn item_key(&self, scope: &Scope) -> Key {
        idempotency_key(scope, self.beside.as_ref(), &self.hash)
    }
}

/// The record of a request. `R` is what it did, or how that is found.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct IdempotencyRecord<R> {
    /// Of what was asked for, lower-case hex of SHA-256.
    fingerprint: String,
    /// The one that carries it out.
    holder: String,
    /// Until when its holder may still be at it.
    lease_until: Timestamp,
    /// When it is forgotten; without it, when what it lies beside is erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(flatten)]
    result: R,
}

impl<R: Serialize> IdempotencyRecord<R> {
    /// Stores it under `key` on `condition`.
    fn write(&self, scope: &Scope, key: &RequestKey, condition: Expression) -> Result<Write> {
        let mut stored = item(&key.item_key(scope), ItemKind::Idempotency, self)?;
        if let Some(at) = self.expires_at {
            // Seconds, as the table's time to live has it; until the table deletes it, `expires_at` counts.
            stored.insert("ttl".into(), number(at.as_seconds() + 1));
        }
        Ok(Write::Put { item: stored, condition: Some(condition) })
    }

    /// Stores it, on condition that its key is new, or forgotten at `now`.
    fn create(&self, scope: &Scope, key: &RequestKey, now: Timestamp) -> Result<Write> {
        // A time is stored as text of one shape, which sorts like time.
        let free = Expression::new("attribute_not_exists(pk) OR expiresAt <= :now").with(":now", value(&now)?);
        self.write(scope, key, free)
    }
}

/// The record of a request that came before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered<R> {
    /// The result of the request, or how to find it.
    pub result: R,
    key: RequestKey,
    holder: String,
    lease_until: Timestamp,
    /// The other keys of the request that came now, under which nothing is kept.
    others: Vec<RequestKey>,
}

impl<R> Remembered<R> {
    /// Whether it is this very request that is remembered.
    #[must_use]
    pub(crate) fn is_own(&self) -> bool {
        self.key.holder.get().is_some_and(|holder| *holder == self.holder)
    }
}

/// The record of a request whose answer holds no secret: the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptAnswer<A> {
    pub answer: A,
}

repository!(idempotency: Idempotency);

impl Idempotency<'_> {
    /// The record of an earlier request with one of these keys, the first that has something; consistent.
    ///
    /// # Errors
    /// 422 `IDEMPOTENCY_KEY_REUSED` if one of them was of another request.
    pub async fn find<R: DeserializeOwned>(&self, scope: &Scope, keys: &[RequestKey]) -> Result<Option<Remembered<R>>> {
        let places: Vec<Key> = keys.iter().map(|key| key.item_key(scope)).collect();
        let read = |place| self.0.get::<IdempotencyRecord<R>>(place, Consistency::Strong);
        let now = self.0.runtime.now();
        let (mut first, mut others) = (None, Vec::new());
        for (key, found) in keys.iter().zip(try_join_all(places.iter().map(read)).await?) {
            match found.filter(|record| record.expires_at.is_none_or(|until| until > now)) {
                None => others.push(key.clone()),
                Some(record) if record.fingerprint != key.fingerprint => return Err(key_reused()),
                Some(record) => first = first.or(Some((key.clone(), record))),
            }
        }
        let remembered = |(key, record): (RequestKey, IdempotencyRecord<R>)| {
            let IdempotencyRecord { holder, lease_until, result, .. } = record;
            Remembered { result, key, holder, lease_until, others }
        };
        Ok(first.map(remembered))
    }

    /// The record of a request whose work is complete with the transaction that stores it; none without a key.
    pub(crate) fn completed<R: Serialize>(
        &self,
        scope: &Scope,
        key: Option<&RequestKey>,
        result: R,
    ) -> Result<Option<RequestRecord>> {
        key.map(|key| self.started(scope, key, self.0.runtime.now(), result)).transpose()
    }

    /// The record of a request whose work goes on after the transaction that stores it, until `until` at the latest.
    pub(crate) fn started<R: Serialize>(
        &self,
        scope: &Scope,
        key: &RequestKey,
        until: Timestamp,
        result: R,
    ) -> Result<RequestRecord> {
        let record = self.record(key, until, result)?;
        record.create(scope, key, self.0.runtime.now()).map(RequestRecord::new)
    }

    fn record<R>(&self, key: &RequestKey, lease_until: Timestamp, result: R) -> Result<IdempotencyRecord<R>> {
        let expires_at = (!key.is_lasting).then(|| self.0.runtime.now().plus_hours(KEPT_HOURS));
        let (fingerprint, holder) = (key.fingerprint.clone(), self.holder(key)?.to_owned());
        Ok(IdempotencyRecord { fingerprint, holder, lease_until, expires_at, result })
    }

    /// Stores the record of a request that changes nothing else.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` if there is a record with its key.
    pub(crate) async fn store_completed<R: Serialize>(
        &self,
        scope: &Scope,
        key: Option<&RequestKey>,
        result: R,
    ) -> Result<()> {
        self.store(self.completed(scope, key, result)?).await
    }

    pub(crate) async fn store(&self, record: Option<RequestRecord>) -> Result<()> {
        let Some(record) = record else { return Ok(()) };
        self.0.commit(Transaction::default().recording([record]), None).await?.expected()
    }

    /// Carries out `work`, which stores the record of `key` in the transaction of its effect, and says false. If it
    /// fails, because of that record or for any other reason, the record under this key counts: then it is the reply
    /// from what that stored, and whether an earlier request stored it. It is this request's own if the reply to the
    /// transaction was lost. A replay shows nothing that is gone, and nothing that its caller may not read now.
    ///
    /// # Errors
    /// Those of `work` and `reply_from`; 422 `IDEMPOTENCY_KEY_REUSED` if the key was used for another request; 503
    /// if `work` failed and the record cannot be read.
    pub(crate) fn once<T, R: DeserializeOwned, F: Future<Output = Result<T>>>(
        &self,
        scope: &Scope,
        key: Option<&RequestKey>,
        work: impl Future<Output = Result<T>>,
        reply_from: impl FnOnce(R) -> F,
    ) -> impl Future<Output = Result<(T, bool)>> {
        let keys = key.map(std::slice::from_ref).unwrap_or_default();
        self.once_leased(scope, keys, work, |before: Remembered<R>| reply_from(before.result))
    }

    /// The same for a request of several keys, and for one whose work goes on after the record is stored.
    pub(crate) async fn once_leased<T, R: DeserializeOwned, F: Future<Output = Result<T>>>(
        &self,
        scope: &Scope,
        keys: &[RequestKey],
        work: impl Future<Output = Result<T>>,
        reply_from: impl FnOnce(Remembered<R>) -> F,
    ) -> Result<(T, bool)> {
        let error = match work.await {
            Ok(done) => return Ok((done, false)),
            Err(error) => error,
        };
        // If it cannot be read, it is not known whether the request was carried out: what `work` says of a second
        // time would be wrong.
        let before = self.find(scope, keys).await?.ok_or(error)?;
        let is_earlier = !before.is_own();
        reply_from(before).await.map(|shown| (shown, is_earlier))
    }

    /// The name of the request with this key, by which it knows its own records again; the same each time.
    fn holder<'k>(&self, key: &'k RequestKey) -> Result<&'k str> {
        let token = self.0.runtime.token()?;
        let new = self.0.only_process.as_ref().map_or_else(|| token.clone(), |process| format!("{process}.{token}"));
        Ok(key.holder.get_or_init(|| new))
    }

    /// Refuses while the holder of `seen` may still be at it, unless that is this request.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS`, with what is left of its lease.
    pub(crate) fn check_lease<R>(&self, seen: &Remembered<R>) -> Result<()> {
        let left_ms = seen.lease_until.millis_since(self.0.runtime.now());
        let ended = self.0.only_process.as_ref().is_some_and(|process| !seen.holder.starts_with(&**process));
        if left_ms <= 0 || ended || seen.is_own() { Ok(()) } else { Err(in_progress_for(left_ms)) }
    }

    /// Replaces what the record of `key` says, while this request holds it.
    pub(crate) async fn update_result<R: Serialize>(&self, scope: &Scope, key: &RequestKey, result: R) -> Result<()> {
        let record = self.record(key, self.0.runtime.now(), result)?;
        let held = Expression::new("holder = :me").with(":me", text(&record.holder));
        self.0.write_if(record.write(scope, key, held)?).await.map(drop)
    }

    /// Makes this request the holder, until `until`, of one whose holder died.
    ///
    /// # Errors
    /// 409 `IDEMPOTENCY_IN_PROGRESS` while that may still be at it, or if somebody else took it over.
    pub(crate) async fn take_over<R>(&self, scope: &Scope, seen: &Remembered<R>, until: Timestamp) -> Result<()> {
        self.check_lease(seen)?;
        let write = Write::Update {
            key: seen.key.item_key(scope),
            update: Expression::new("SET leaseUntil = :lease, holder = :me")
                .with(":lease", value(&until)?)
                .with(":me", text(self.holder(&seen.key)?)),
            condition: Some(
                Expression::new("leaseUntil = :seen AND holder = :other")
                    .with(":seen", value(&seen.lease_until)?)
                    .with(":other", text(&seen.holder)),
            ),
        };
        let taken = self.0.write_if(write).await?;
        // Somebody else took it over just now.
        if taken { Ok(()) } else { Err(in_progress_for(until.millis_since(self.0.runtime.now()))) }
    }

    /// Keeps what is remembered of a request under its other keys, too: it was answered under each of them.
    pub(crate) async fn store_others<R: Serialize>(&self, scope: &Scope, before: &Remembered<R>) -> Result<()> {
        for key in &before.others {
            let now = self.0.runtime.now();
            self.0.write_if(self.record(key, now, &before.result)?.create(scope, key, now)?).await?;
        }
        Ok(())
    }
}

/// 422 if a key was used for another request.
fn key_reused() -> Error {
    let message = "This Idempotency-Key or clientMessageId was used for another request.";
    Error::new(Code::IdempotencyKeyReused, message)
}

/// The record of a request, by the hash of its key (lower-case hex of SHA-256): beside a session, or by itself.
fn idempotency_key(s: &Scope, beside: Option<&SessionId>, hash: &str) -> Key {
    match beside {
        Some(session) => Key::new(keys::session_partition(s, session), format!("REQUEST#{hash}")),
        None => Key::new(format!("{}#REQUEST#{hash}", keys::scope(s)), "REQUEST"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Store;
    use crate::table::item::Item;
    use crate::table::transaction::HOLDER;
    use domain::clock::Runtime;
    use domain::models::{Mode, TenantId};

    #[derive(Debug, Serialize, Deserialize)]
    struct Made {
        turn: u32,
    }

    fn stored(key: &RequestKey) -> Item {
        let config = aws_sdk_dynamodb::Config::builder().behavior_version_latest().build();
        let store = Store::new(aws_sdk_dynamodb::Client::from_conf(config), "nothing is read here", Runtime::system());
        let scope = Scope { tenant: TenantId::generate(&Runtime::system()).unwrap(), mode: Mode::Live };
        let record = store.idempotency().record(key, Timestamp::from_millis(5), Made { turn: 7 }).unwrap();
        match record.create(&scope, key, Timestamp::from_millis(0)).unwrap() {
            Write::Put { item, .. } => item,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn nothing_that_a_caller_sent_is_stored_and_a_key_that_ends_says_when() {
        let key = RequestKey::new(&["message", "a caller", "their key"], &["what they said"]);
        let item = stored(&key);
        let text = format!("{item:?}");
        for sent in ["caller", "key\"", "said"] {
            assert!(!text.contains(sent), "{text}");
        }
        assert!(item.contains_key("ttl") && item.contains_key("expiresAt"), "{text}");
        let for_good = stored(&key.lasting());
        assert!(!for_good.contains_key("ttl") && !for_good.contains_key("expiresAt"));
    }

    #[test]
    fn a_request_knows_its_records_by_a_holder_that_no_other_has() {
        let (mine, another) = (RequestKey::new(&["key"], &[]), RequestKey::new(&["key"], &[]));
        assert_eq!(stored(&mine)[HOLDER], stored(&mine.clone().of("part"))[HOLDER]);
        assert_ne!(stored(&mine)[HOLDER], stored(&another)[HOLDER]);
    }
}
