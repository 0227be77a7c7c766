//! The keys by which sessions are listed: of a visitor, of an e-mail address, of a day.

use super::{IndexKey, Key, key, moment, scope};
use domain::models::{Scope, SessionId, Timestamp};
use domain::sha256_hex;

/// A visitor's sessions, by id, which is by time.
pub(crate) fn visitor_session(s: &Scope, external_user_id: &str, id: &SessionId) -> Key {
    key(visitor_sessions(s, external_user_id), id.as_str())
}

pub(crate) fn visitor_sessions(s: &Scope, external_user_id: &str) -> String {
    format!("{}#USER#{}", scope(s), sha256_hex(external_user_id.as_bytes()))
}

/// A session among those of an e-mail address, which is compared in lower case.
pub(crate) fn email_session(s: &Scope, email: &str, id: &SessionId) -> Key {
    key(email_sessions(s, email), id.as_str())
}

pub(crate) fn email_sessions(s: &Scope, email: &str) -> String {
    format!("{}#MAIL#{}", scope(s), sha256_hex(email.to_ascii_lowercase().as_bytes()))
}

/// gsi1: a day's sessions, by creation. `day` is `YYYY-MM-DD`.
pub(crate) fn sessions_of_day(s: &Scope, day: &str) -> String {
    format!("{}#SESSIONS#{day}", scope(s))
}

pub(crate) fn session_by_day(s: &Scope, id: &SessionId, created_at: Timestamp) -> IndexKey {
    IndexKey { pk: sessions_of_day(s, &created_at.day()), sk: format!("{}#{id}", moment(created_at)) }
}
