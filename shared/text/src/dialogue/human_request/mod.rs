//! Whether the words of a customer ask for a human.
//!
//! A message asks where one of its sentences does; what its other sentences ask is still answered. [`Tables`] is what a
//! language says, `reader` compares it with a sentence.

mod reader;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::reading::{Act, Setting, read};
use super::{languages, words};
use crate::CustomerLanguage;
use reader::Reader;

/// How people ask for a human in one language. Lists hold words or expressions of several words, parted by `|`;
/// phrases are written as [`super::expression`] reads them.
#[derive(Debug)]
pub(super) struct Tables {
    /// Words for a human in a team; alone they are a request.
    pub(super) who: &'static str,
    /// Words that are also used for others.
    pub(super) some: &'static str,
    /// Words without either that a request may still hold; a sentence without any of the three asks for nobody.
    pub(super) mentions: &'static str,
    /// What may stand before such a word.
    pub(super) a: &'static str,
    /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
    pub(super) phrases: &'static [&'static str],
    /// What may stand beside a word for a human that is a request alone.
    pub(super) alone: &'static str,
    /// Single words that go on after a request: the matter, courtesies.
    pub(super) leads_on: &'static str,
    /// What makes a request none when it stands before it: who says so wants no human.
    pub(super) not: &'static str,
    /// What makes it a question whether a human is needed.
    pub(super) whether: &'static str,
    /// What makes a request none when it stands after it.
    pub(super) not_after: &'static str,
    /// What may stand between a denial and the request.
    pub(super) links: &'static str,
    /// Of whom it is said, where not of the customer.
    pub(super) others: &'static str,
    /// What makes a word for a human one for something else.
    pub(super) not_followed: &'static str,
}

/// What a sentence says about a human.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Judgement {
    /// It asks for one, in this language.
    Asks(CustomerLanguage),
    /// The clauses of these numbers want none and say nothing else.
    Refuses(Vec<usize>),
    /// Nothing.
    Neither,
}

static READERS: LazyLock<Vec<Reader>> = LazyLock::new(|| languages::ALL.iter().copied().map(Reader::new).collect());

/// What a message asks besides a human: all of it where it asks for none.
#[must_use]
pub fn besides(text: &str) -> String {
    let reading = read(text, &Setting::default());
    if reading.act == Act::HumanRequest { reading.question } else { text.to_owned() }
}

/// What a sentence says about a human, in the first language in which it says anything.
pub(super) fn judge(sentence: &str) -> Judgement {
    let said = words::without_quotations(sentence);
    let clauses = words::clauses(&said);
    let mut refused = Vec::new();
    for reader in READERS.iter() {
        match reader.judge(&clauses) {
            Judgement::Refuses(clauses) => refused = clauses,
            Judgement::Neither => {}
            asks @ Judgement::Asks(_) => return asks,
        }
    }
    // Who asks whether a human is needed refuses none; and with quotations left out, the clauses are other ones.
    let refuses = !refused.is_empty() && said == sentence && !sentence.trim_end().ends_with(['?', '？', '؟']);
    if refuses { Judgement::Refuses(refused) } else { Judgement::Neither }
}
