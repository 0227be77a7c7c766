//! The signing keys of widget tokens as a set: which one signs, which are verified, and for how long. It is stored as
//! the secret's JSON, or as pairs in a file or a variable.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::models::Timestamp;
use domain::{Secret, sha256_hex};

use super::vars::{ConfigError, KEY_BYTES, Vars};

/// How old the keys may be with which a process verifies, in milliseconds.
pub const MAX_KEY_AGE_MS: i64 = 10 * 60_000;
/// From the moment when another key signs, in milliseconds: so long a process may not know it yet, and signs with the
/// previous one.
const PREVIOUS_SIGNS_FOR_MS: i64 = MAX_KEY_AGE_MS;
/// From the same moment until no token of the previous key is good, in milliseconds: the age of keys, the longest life
/// of a token, and five minutes for clocks.
pub const PREVIOUS_FOR_MS: i64 = MAX_KEY_AGE_MS + 65 * 60_000;
/// How far ahead of this process's clock the time of a change may be, in milliseconds: that of another clock.
const MAX_CLOCK_DIFFERENCE_MS: i64 = 5 * 60_000;
/// The latest time that the name of a key tells, in seconds: names that somebody chose are no times.
const LATEST_NAMED_SECONDS: i64 = 10_000_000_000;

/// One key that signs widget tokens.
#[derive(Clone, PartialEq, Eq)]
pub struct WidgetTokenKey {
    /// Its name in the token's header.
    pub kid: String,
    /// 32 bytes.
    pub secret: Vec<u8>,
}

impl WidgetTokenKey {
    /// When it was made, in seconds, as its name tells: `k` and the time; 0 for other names.
    #[must_use]
    pub fn made_at(&self) -> i64 {
        let seconds = self.kid.strip_prefix('k').and_then(|seconds| seconds.parse().ok());
        seconds.filter(|seconds| (0..=LATEST_NAMED_SECONDS).contains(seconds)).unwrap_or(0)
    }

    /// A name that tells it from every other key, and tells nothing about it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        sha256_hex(&self.secret)
    }
}

impl fmt::Debug for WidgetTokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WidgetTokenKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// The signing keys of widget tokens, and how far their rotation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WidgetKeySet {
    /// Signs.
    pub current: WidgetTokenKey,
    /// Will sign, once every process knows it.
    pub next: Option<WidgetTokenKey>,
    /// Signed before.
    pub previous: Option<WidgetTokenKey>,
    /// When the set was last changed: if there is a previous key, when another one signed in its place.
    pub changed_at: Option<Timestamp>,
}

impl WidgetKeySet {
    /// The pairs of [`WidgetKeySet::parse_pairs`] in a variable; none if it is absent.
    pub(super) fn read(vars: &Vars<'_>, name: &str) -> Result<Option<Self>, ConfigError> {
        let Some(value) = vars.get(name) else { return Ok(None) };
        Self::parse_pairs(&value).map(Some).map_err(|wrong| ConfigError(format!("{name} {wrong}")))
    }

    /// A set of one key.
    #[must_use]
    pub const fn of(current: WidgetTokenKey) -> Self {
        Self { current, next: None, previous: None, changed_at: None }
    }

    /// All keys, the signing one first.
    pub fn keys(&self) -> impl Iterator<Item = &WidgetTokenKey> {
        [Some(&self.current), self.next.as_ref(), self.previous.as_ref()].into_iter().flatten()
    }

    /// Whether a key of the set has this name.
    #[must_use]
    pub fn names(&self, kid: &str) -> bool {
        self.keys().any(|key| key.kid == kid)
    }

    /// The key of this name, by which tokens are verified `now`. The previous one is none when its time is over, or
    /// nobody knows when it was replaced.
    #[must_use]
    pub fn verifying_key(&self, kid: &str, now: Timestamp) -> Option<&WidgetTokenKey> {
        let previous = self.previous.as_ref().filter(|_| self.previous_until(now).is_some_and(|until| now < until));
        [Some(&self.current), self.next.as_ref(), previous].into_iter().flatten().find(|key| key.kid == kid)
    }

    /// Whether a key of this name could sign at `iat`, in seconds: the previous one signs for ten minutes after the
    /// change, until every process knows it.
    #[must_use]
    pub fn may_have_signed(&self, kid: &str, iat: i64) -> bool {
        let is_previous = self.previous.as_ref().is_some_and(|key| key.kid == kid);
        let last = self.changed_at.map(|at| at.plus_millis(PREVIOUS_SIGNS_FOR_MS));
        !is_previous || last.is_some_and(|last| Timestamp::from_millis(iat.saturating_mul(1_000)) <= last)
    }

    /// When the last token of the previous key ends; none without one, and if the time of the change is not known or
    /// cannot be.
    #[must_use]
    pub fn previous_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.previous.as_ref()?;
        self.known_change(now).map(|at| at.plus_millis(PREVIOUS_FOR_MS))
    }

    /// When the set was last changed, unless that is not known or in the future.
    #[must_use]
    pub fn known_change(&self, now: Timestamp) -> Option<Timestamp> {
        self.changed_at.filter(|at| at.millis_since(now) <= MAX_CLOCK_DIFFERENCE_MS)
    }

    /// Parses the widget token secret as Secrets Manager stores it: `{"kid", "secret", "nextKid"?, "nextSecret"?,
    /// "previousKid"?, "previousSecret"?, "changedAt"?}`, each secret 64 hexadecimal digits, because CloudFormation can
    /// generate that.
    ///
    /// # Errors
    /// A message without any of the content.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let refuse =
            || ConfigError("The secret of WIDGET_TOKEN_SECRET_ARN is not a pair of kid and 64 hex digits.".into());
        let stored: StoredKeys = serde_json::from_str(text).map_err(|_| refuse())?;
        let pair = |kid: Option<String>, secret: Option<String>| match (kid, secret) {
            (None, None) => Ok(None),
            (Some(kid), Some(secret)) => from_hex(kid, &secret).map(Some).ok_or_else(refuse),
            _ => Err(refuse()),
        };
        let set = Self {
            current: from_hex(stored.kid, &stored.secret).ok_or_else(refuse)?,
            next: pair(stored.next_kid, stored.next_secret)?,
            previous: pair(stored.previous_kid, stored.previous_secret)?,
            changed_at: stored.changed_at,
        };
        set.with_distinct_keys().ok_or_else(refuse)
    }

    /// The secret as [`Self::parse`] reads it.
    #[must_use]
    pub fn to_secret(&self) -> Secret {
        let hex = |key: &WidgetTokenKey| hex::encode(&key.secret);
        let kid = |key: &Option<WidgetTokenKey>| key.as_ref().map(|key| key.kid.clone());
        let stored = StoredKeys {
            kid: self.current.kid.clone(),
            secret: hex(&self.current),
            next_kid: kid(&self.next),
            next_secret: self.next.as_ref().map(hex),
            previous_kid: kid(&self.previous),
            previous_secret: self.previous.as_ref().map(hex),
            changed_at: self.changed_at,
        };
        // Texts only: there is nothing in it that JSON cannot hold.
        Secret::new(serde_json::to_string(&stored).unwrap_or_default())
    }

    /// Parses `kid:base64`, the key that signs, and a second one after a comma: `kid:base64@TIME`, which signed until
    /// then, or `kid:base64`. Of the latter, one with a newer name signs next. Files of earlier versions have an older
    /// one there, too: it signed before, and nothing tells until when.
    ///
    /// # Errors
    /// A sentence without any of the content.
    pub fn parse_pairs(text: &str) -> Result<Self, ConfigError> {
        let wanted = format!(
            "must be kid:base64 of {KEY_BYTES} bytes, and at most one more after a comma, with another kid and \
             perhaps the time when it stopped signing (kid:base64@2026-01-02T03:04:05Z)."
        );
        read_pairs(text.trim()).and_then(Self::with_distinct_keys).ok_or(ConfigError(wanted))
    }

    /// The pairs as [`Self::parse_pairs`] reads them. The time of a next key is not among them.
    #[must_use]
    pub fn to_pairs(&self) -> Secret {
        let pair = |key: &WidgetTokenKey| format!("{}:{}", key.kid, STANDARD.encode(&key.secret));
        let other = match (&self.next, &self.previous) {
            (Some(next), _) => format!(",{}", pair(next)),
            (None, Some(previous)) => {
                format!(",{}{}", pair(previous), self.changed_at.map(|at| format!("@{at}")).unwrap_or_default())
            }
            (None, None) => String::new(),
        };
        Secret::new(format!("{}{other}", pair(&self.current)))
    }

    fn with_distinct_keys(self) -> Option<Self> {
        let keys: Vec<_> = self.keys().collect();
        let twice = |(at, key): (usize, &&WidgetTokenKey)| {
            keys.iter().skip(at + 1).any(|other| other.kid == key.kid || other.secret == key.secret)
        };
        let is_distinct = !keys.iter().enumerate().any(twice);
        is_distinct.then_some(self)
    }
}

#[serde_with::skip_serializing_none]
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredKeys {
    kid: String,
    secret: String,
    next_kid: Option<String>,
    next_secret: Option<String>,
    previous_kid: Option<String>,
    previous_secret: Option<String>,
    changed_at: Option<Timestamp>,
}

fn read_pairs(text: &str) -> Option<WidgetKeySet> {
    let (first, second) = text.split_once(',').map_or((text, None), |(first, second)| (first, Some(second)));
    let mut set = WidgetKeySet::of(from_pair(first)?);
    let Some(second) = second else { return Some(set) };
    match second.trim().rsplit_once('@') {
        Some((pair, time)) => {
            set.previous = Some(from_pair(pair)?);
            set.changed_at = Some(Timestamp::parse(time)?);
        }
        None => {
            let other = from_pair(second)?;
            let place = if other.made_at() > set.current.made_at() { &mut set.next } else { &mut set.previous };
            *place = Some(other);
        }
    }
    Some(set)
}

pub(super) fn from_pair(pair: &str) -> Option<WidgetTokenKey> {
    let (kid, secret) = pair.trim().split_once(':')?;
    let secret = STANDARD.decode(secret).ok()?;
    (is_kid(kid) && secret.len() == KEY_BYTES).then(|| WidgetTokenKey { kid: kid.to_owned(), secret })
}

pub(super) fn from_hex(kid: String, secret: &str) -> Option<WidgetTokenKey> {
    let secret = hex::decode(secret).ok()?;
    (is_kid(&kid) && secret.len() == KEY_BYTES).then_some(WidgetTokenKey { kid, secret })
}

/// The form of a `kid`: 1-32 of `[A-Za-z0-9_-]`, because it is in a header that anybody can read.
fn is_kid(text: &str) -> bool {
    (1..=32).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
