//! The keys of pointers from entries to the answers that were made from them.

use super::{Key, key, scope};
use domain::models::{MessageId, Scope, WikiPath};

/// The answers that were made from the entry of a path, oldest first.
pub(crate) fn answers_of(s: &Scope, path: &WikiPath) -> String {
    format!("{}#ANSWERS#{path}", scope(s))
}

/// The pointer to one of them, by the message of the answer.
pub(crate) fn answer_pointer(s: &Scope, path: &WikiPath, answer: &MessageId) -> Key {
    key(answers_of(s, path), answer.as_str())
}
