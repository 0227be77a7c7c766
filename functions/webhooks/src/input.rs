//! The request bodies of receivers.

use domain::Secret;
use domain::error::Detail;
use domain::models::{EventKind, Subscription};
use domain::{Error, Result};
use edge::Fields;
use outbound::{OutboundPolicy, OutboundUrl};

/// The most kinds that may be named.
const MAX_KINDS: usize = 50;
/// The shortest and the longest secret, in characters.
const SECRET_CHARS: (usize, usize) = (8, 256);
/// The longest description, in characters (our limit).
const DESCRIPTION_MAX_CHARS: usize = 500;

/// What is refused wherever the service runs; what this one allows is looked at by [`address`].
const ANYWHERE: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// The address, as far as it can be validated without the operator's policy.
pub(crate) fn url(fields: &Fields) -> Option<String> {
    let judged = |text: &str| match OutboundUrl::parse(text, &ANYWHERE) {
        Ok(_) => Ok(text.to_owned()),
        Err(refused) => Err(refused.message()),
    };
    fields.parsed("url", judged)
}

/// The address in its one spelling, where this service may call it.
pub(crate) fn address(text: &str, policy: &OutboundPolicy) -> Result<String> {
    match OutboundUrl::parse(text, policy) {
        Ok(url) => Ok(url.as_str().to_owned()),
        Err(refused) => {
            let (field, code) = (Some("url".to_owned()), "INVALID_FORMAT".into());
            Err(Error::validation(vec![Detail { field, code, message: refused.message().into() }]))
        }
    }
}

/// How much of a secret its hint shows, in characters.
const HINT_CHARS: usize = 4;
/// The shortest secret that has a hint, in characters.
const HINTED_FROM_CHARS: usize = 24;

/// The kinds of events.
pub(crate) fn events(fields: &Fields) -> Option<Subscription> {
    let names = fields.text_list("events", MAX_KINDS, 1, 100)?;
    if names.is_empty() {
        fields.problem("events", "TOO_FEW", "must name at least one kind");
        return None;
    }
    let known = || EventKind::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
    let unknown = |position| {
        fields.problem(&format!("events[{position}]"), "NOT_ALLOWED", format!("must be *, or one of {}", known()))
    };
    Subscription::parse(&names).map_err(unknown).ok()
}

/// The secret; error messages contain nothing of it.
pub(crate) fn secret(fields: &Fields) -> Option<Secret> {
    let (min, max) = SECRET_CHARS;
    fields.required_line("secret", min, max).map(Secret::new)
}

/// The description; empty means none.
pub(crate) fn description(fields: &Fields) -> Option<String> {
    fields.line("description", 0, DESCRIPTION_MAX_CHARS)
}

/// The last four characters of a secret, so that people can tell secrets apart; none for a secret of which four
/// characters would reveal too much.
pub(crate) fn hint(secret: &Secret) -> Option<String> {
    let characters: Vec<char> = secret.expose().chars().collect();
    let hint = characters.get(characters.len().saturating_sub(HINT_CHARS)..)?;
    (characters.len() >= HINTED_FROM_CHARS).then(|| hint.iter().collect())
}
