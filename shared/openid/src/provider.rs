//! The provider as a function holds it: what is read of it is remembered for an hour, and a code is redeemed for the person
//! that it stands for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use domain::clock::Runtime;
use domain::models::Timestamp;
use http::{HeaderMap, HeaderValue, header};
use outbound::{ExchangeLimits, Outbound, OutboundUrl, WholeResponse};
use tokio::sync::Mutex;

use crate::discovery::{self, ProviderMetadata, SigningKeys};
use crate::redemption::{self, Redemption, VerifiedIdentity};
use crate::{OpenIdSettings, SignInError};

/// One answer of the provider. All three that a first sign-in needs end before the request's own deadline.
const LIMITS: ExchangeLimits = ExchangeLimits { max_bytes: 256 * 1024, timeout: Duration::from_secs(5) };
/// How old the keys must be before an unknown key reads them again, in milliseconds.
const REREAD_MS: i64 = 60_000;
/// How long an answer is used, in milliseconds.
const GOOD_MS: i64 = 3_600_000;
/// How long a failure is, in milliseconds.
const FAILED_MS: i64 = 5_000;

/// The one provider that the operator configures. Cheap to clone; clones share what was read of it.
#[derive(Clone)]
pub struct OpenIdProvider {
    inner: Arc<Inner>,
}

struct Inner {
    settings: OpenIdSettings,
    outbound: Outbound,
    runtime: Runtime,
    metadata: Cached<ProviderMetadata>,
    keys: Cached<SigningKeys>,
}

impl fmt::Debug for OpenIdProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenIdProvider").field("settings", self.settings()).finish_non_exhaustive()
    }
}

impl OpenIdProvider {
    /// A client for the provider of `settings`; it sends nothing before it is asked.
    #[must_use]
    pub fn new(settings: OpenIdSettings, outbound: Outbound, runtime: &Runtime) -> Self {
        let (metadata, keys) = (Cached::new(runtime), Cached::new(runtime));
        Self { inner: Arc::new(Inner { settings, outbound, runtime: runtime.clone(), metadata, keys }) }
    }

    /// The operator's configuration of the provider.
    #[must_use]
    pub fn settings(&self) -> &OpenIdSettings {
        &self.inner.settings
    }

    /// The metadata of the provider, read at most once an hour.
    ///
    /// # Errors
    /// [`SignInError::Unavailable`] when it is not reachable or its discovery document is not usable.
    pub async fn metadata(&self) -> Result<Arc<ProviderMetadata>, SignInError> {
        let Inner { settings, outbound, metadata, .. } = &*self.inner;
        let read = async || {
            let address = discovery::address_of(&settings.issuer, outbound.policy())?;
            let answer = self.get(&address, "discovery").await?;
            discovery::read_metadata(&answer, settings, outbound.policy())
        };
        metadata.get_unless(|_, _| false, read).await
    }

    /// Reads the provider's keys, unless they are known: whether a sign-in could be judged.
    ///
    /// # Errors
    /// [`SignInError::Unavailable`] when it is not reachable, or its description or its keys are not usable.
    pub async fn check_keys(&self) -> Result<(), SignInError> {
        let metadata = self.metadata().await?;
        self.keys(&metadata, |_| true).await.map(drop)
    }

    /// Redeems a code of the provider for the person that it stands for.
    ///
    /// The provider's description and keys are read before the code is sent, so that a code is not used up in vain.
    ///
    /// # Errors
    /// [`SignInError::Refused`] when the code or its verifier is refused, [`SignInError::IdTokenRefused`] when the ID token
    /// is, [`SignInError::AskedOtherwise`] when it was not asked for so; [`SignInError::Unavailable`] when the provider is not reachable or one of its answers is not usable.
    pub async fn redeem(&self, code: &str, code_verifier: &str) -> Result<VerifiedIdentity, SignInError> {
        let redemption = Redemption::parse(code, code_verifier)?;
        let metadata = self.metadata().await?;
        self.keys(&metadata, |_| true).await?;
        let (headers, form) = redemption.request(self.settings(), &metadata)?;
        let answer = self.exchange(&metadata.token_endpoint, headers, Some(form), "token endpoint").await?;
        let token = redemption::read_answer(answer.status, &answer.body)?;
        let token = redemption::parse_shape(&token)?;
        let kid = token.kid.as_deref();
        let judge = |keys: &SigningKeys| {
            let key = keys.find(kid, token.algorithm)?;
            token.verify(key, self.settings(), redemption.code_verifier, self.inner.runtime.now())
        };
        // A key without a name may have been replaced by another one: only the signature tells.
        let keys = self.keys(&metadata, |keys| keys.names(kid) || judge(keys).is_ok()).await?;
        judge(&keys)
    }

    /// The provider's keys; if they are not `good`, they are read again, at most once a minute.
    async fn keys(
        &self,
        metadata: &ProviderMetadata,
        good: impl Fn(&SigningKeys) -> bool,
    ) -> Result<Arc<SigningKeys>, SignInError> {
        let is_stale = |keys: &SigningKeys, age_ms| age_ms >= REREAD_MS && !good(keys);
        let read = async || SigningKeys::read(&self.get(&metadata.jwks_uri, "key set").await?);
        self.inner.keys.get_unless(is_stale, read).await
    }

    /// The body of what an address of the provider answers with 200.
    async fn get(&self, url: &OutboundUrl, what: &'static str) -> Result<Bytes, SignInError> {
        let accept = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static("application/json"))]);
        let answer = self.exchange(url, accept, None, what).await?;
        if answer.status != 200 {
            return Err(SignInError::unavailable(format!("its {what} answered {}", answer.status)));
        }
        Ok(answer.body)
    }

    async fn exchange(
        &self,
        url: &OutboundUrl,
        headers: HeaderMap,
        body: Option<Bytes>,
        what: &'static str,
    ) -> Result<WholeResponse, SignInError> {
        let answer = self.inner.outbound.exchange(url, headers, body, LIMITS).await;
        answer.map_err(|error| SignInError::unavailable(format!("its {what}: {}", error.code())))
    }
}

/// A value that is read from the provider when it is needed, and remembered. One caller reads while the others wait. A
/// failure counts for all of them for some seconds, so that a provider that is silent costs each caller one wait.
struct Cached<T> {
    runtime: Runtime,
    state: Mutex<State<T>>,
}

/// The last value that was read, and the failure of a later read, each with its time.
struct State<T> {
    good: Option<(Timestamp, Arc<T>)>,
    failure: Option<(Timestamp, SignInError)>,
}

impl<T> Cached<T> {
    fn new(runtime: &Runtime) -> Self {
        Self { runtime: runtime.clone(), state: Mutex::new(State { good: None, failure: None }) }
    }

    /// The value, read by `read` if there is none that counts, and read again if it is `stale(value, age in
    /// milliseconds)`. A value that cannot be read again stays what it is; for some seconds it is not tried again.
    async fn get_unless(
        &self,
        stale: impl Fn(&T, i64) -> bool,
        read: impl AsyncFnOnce() -> Result<T, SignInError>,
    ) -> Result<Arc<T>, SignInError> {
        let mut state = self.state.lock().await;
        let now = self.runtime.now();
        if let Some((at, value)) = &state.good
            && let age_ms = now.millis_since(*at)
            && (0..GOOD_MS).contains(&age_ms)
            && !stale(value, age_ms)
        {
            return Ok(Arc::clone(value));
        }
        if let Some((at, error)) = &state.failure
            && (0..FAILED_MS).contains(&now.millis_since(*at))
        {
            return Err(error.clone());
        }
        match read().await.map(Arc::new) {
            Ok(value) => {
                *state = State { good: Some((self.runtime.now(), Arc::clone(&value))), failure: None };
                Ok(value)
            }
            Err(error) => {
                state.failure = Some((self.runtime.now(), error.clone()));
                Err(error)
            }
        }
    }
}
