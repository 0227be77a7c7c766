//! Desk tokens as a function verifies them, by the public keys of the table, and as the one function that may read the
//! private key issues them.

use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_STATUS_AGE_MS;
use super::desk_token::{DeskClaims, issue_desk_token, read_desk_kid, verify_desk_token};
use super::widget_token::IssuedToken;
use crate::ClientProvider;
use aws::desk_keys::{DeskKeys, DeskSigningKey};
use aws::store::{DeskPublicKey, Store};
use domain::access::{MemberIdentity, PreviewOwner, Principal};
use domain::clock::Runtime;
use domain::error::Code;
use domain::models::{Member, MemberStatus, SignInId, TenantId, Timestamp};
use domain::{Error, Result};

/// How far apart two readings for a `kid` that is not known are at least, in milliseconds: tokens with made-up names must
/// not become a storm.
const MIN_REFRESH_INTERVAL_MS: i64 = 1_000;

/// Verifies desk tokens; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct DeskTokenVerifier {
    keys: PublicKeys,
    store: Store,
    issuer: Arc<str>,
    runtime: Runtime,
}

impl DeskTokenVerifier {
    pub(super) fn new(provider: &impl ClientProvider) -> Self {
        let (store, runtime) = (provider.store(), provider.runtime());
        let issuer = provider.config().widget_token_issuer.as_str().into();
        Self { keys: PublicKeys::new(store.clone()), store, issuer, runtime }
    }

    /// The member whom a token is for, as it is now: the one read that every request with a desk token makes.
    ///
    /// # Errors
    /// 401 `UNAUTHORIZED` for a malformed, forged or foreign token; `SIGN_IN_REQUIRED` if the member or the sign-in
    /// is not what it was; `TOKEN_EXPIRED` if only the token's time is over; 503 if the table does not answer.
    pub(super) async fn verify(&self, token: &str) -> Result<Principal> {
        let kid = read_desk_kid(token).ok_or_else(Error::unauthorized)?;
        let now = self.runtime.now();
        let key = self.keys.find(&kid, now).await?.filter(|key| key.is_valid(now)).ok_or_else(Error::unauthorized)?;
        let point = from_hex(&key.point).ok_or_else(|| Error::internal("a public key of desk tokens does not read"))?;
        let claims = verify_desk_token(&self.issuer, &point, now, token)?;
        let member = self.store.members().get(&claims.scope.tenant, &claims.member_id).await?;
        let is_signed_in = |member: &Member| is_signed_in(member, claims.generation, &claims.sign_in, now);
        let member = member.filter(is_signed_in).ok_or_else(Error::sign_in_required)?;
        if claims.expires_at <= now {
            return Err(Error::new(Code::TokenExpired, "The desk token has expired."));
        }
        Ok(Principal::Member(MemberIdentity {
            member_id: member.member_id,
            scope: claims.scope,
            roles: member.roles,
            public_name: member.public_name,
            generation: member.generation,
            sign_in: claims.sign_in,
            authenticated_at: claims.authenticated_at,
        }))
    }

    /// Checks that the member who previews the chat is still signed in as when the token was made.
    ///
    /// # Errors
    /// 401 `UNAUTHORIZED` if it is not; 503 if the table does not answer.
    pub(super) async fn check_preview(&self, tenant: &TenantId, owner: &PreviewOwner) -> Result<()> {
        let member = self.store.members().get(tenant, &owner.member_id).await?;
        let now = self.runtime.now();
        match member.filter(|member| is_signed_in(member, owner.generation, &owner.sign_in, now)) {
            Some(_) => Ok(()),
            None => Err(Error::unauthorized().context("widget token: the member who previews the chat signed out")),
        }
    }
}

fn is_signed_in(member: &Member, generation: u64, sign_in: &SignInId, now: Timestamp) -> bool {
    member.status == MemberStatus::Active
        && member.generation == generation
        && member.live_sign_in(sign_in, now).is_some()
}

/// Issues desk tokens; cheap to clone.
#[derive(Debug, Clone)]
pub struct DeskTokenService {
    signing: DeskKeys,
    keys: PublicKeys,
    store: Store,
    issuer: Arc<str>,
    runtime: Runtime,
}

impl DeskTokenService {
    /// Takes what it needs from `provider`; none if no key signs desk tokens.
    ///
    /// # Errors
    /// As those of [`ClientProvider`].
    pub async fn new(provider: &impl ClientProvider) -> Result<Option<Self>> {
        let Some(signing) = provider.desk_keys().await? else { return Ok(None) };
        let (store, runtime) = (provider.store(), provider.runtime());
        let issuer = provider.config().widget_token_issuer.as_str().into();
        Ok(Some(Self { signing, keys: PublicKeys::new(store.clone()), store, issuer, runtime }))
    }

    /// Makes a token. A key that no function knows yet is made known first.
    ///
    /// # Errors
    /// 503 if the table does not answer, and if the known key was ended and no other one is read.
    pub async fn issue(&self, claims: &DeskClaims) -> Result<IssuedToken> {
        let now = self.runtime.now();
        let known = self.keys.list(now).await?;
        let is_wanted = |key: &DeskSigningKey| listed(&known, key).is_none_or(|key| key.is_valid(now));
        let key = self.signing.for_signing(now, is_wanted).await;
        let valid = match listed(&known, &key) {
            Some(key) => key.is_valid(now),
            None => {
                let all = self.store.desk_public_keys().add(&key.kid, &to_hex(&key.public_key), now).await?;
                let valid = listed(&all, &key).is_some_and(|key| key.is_valid(now));
                self.keys.remember(now, all);
                valid
            }
        };
        if !valid {
            return Err(Error::unavailable("the key of desk tokens was ended, and no other one was read"));
        }
        issue_desk_token(&self.issuer, &key, &self.runtime, claims)
    }
}

fn listed<'k>(all: &'k [DeskPublicKey], key: &DeskSigningKey) -> Option<&'k DeskPublicKey> {
    let point = to_hex(&key.public_key);
    all.iter().find(|listed| listed.kid == key.kid && listed.point == point)
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
    (0..text.len()).step_by(2).map(pair).collect()
}

/// The public keys of the table, remembered for a few seconds, because every request with a desk token asks.
#[derive(Debug, Clone)]
struct PublicKeys {
    store: Store,
    remembered: Arc<Mutex<Option<Remembered>>>,
}

/// When they were read, and what they were.
type Remembered = (Timestamp, Arc<[DeskPublicKey]>);

impl PublicKeys {
    fn new(store: Store) -> Self {
        Self { store, remembered: Arc::default() }
    }

    fn known(&self) -> Option<Remembered> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn remember(&self, now: Timestamp, keys: Vec<DeskPublicKey>) -> Arc<[DeskPublicKey]> {
        let keys: Arc<[DeskPublicKey]> = keys.into();
        *self.remembered.lock().unwrap_or_else(PoisonError::into_inner) = Some((now, Arc::clone(&keys)));
        keys
    }

    async fn list(&self, now: Timestamp) -> Result<Arc<[DeskPublicKey]>> {
        match self.known() {
            Some((read_at, keys)) if (0..MAX_STATUS_AGE_MS).contains(&now.millis_since(read_at)) => Ok(keys),
            _ => Ok(self.remember(now, self.store.desk_public_keys().list().await?)),
        }
    }

    /// The key of a name; those of the table are read again if none has it, once a second at most.
    async fn find(&self, kid: &str, now: Timestamp) -> Result<Option<DeskPublicKey>> {
        let named = |keys: &[DeskPublicKey]| keys.iter().rev().find(|key| key.kid == kid).cloned();
        let keys = self.list(now).await?;
        let age = self.known().map_or(i64::MAX, |(read_at, _)| now.millis_since(read_at));
        match named(&keys) {
            None if age >= MIN_REFRESH_INTERVAL_MS => {
                Ok(named(&self.remember(now, self.store.desk_public_keys().list().await?)))
            }
            found => Ok(found),
        }
    }
}
