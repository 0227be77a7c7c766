//! The keys of pointers to answers: from the entries that they were made from, and of those that are disliked.

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

/// The answers that customers disliked, oldest first.
pub(crate) fn disliked_answers(s: &Scope) -> String {
    format!("{}#DISLIKED", scope(s))
}

/// The pointer to one of them, by its message.
pub(crate) fn disliked_answer(s: &Scope, answer: &MessageId) -> Key {
    key(disliked_answers(s), answer.as_str())
}
