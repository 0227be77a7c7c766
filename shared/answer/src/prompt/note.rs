//! The parts of a handover note that an answer must not repeat.
//!
//! The note and the resolution that it may hold are written by people of the tenant, for the model alone. A model that
//! repeats them shows them to the customer.

use std::collections::HashSet;

/// This many words in a row repeat a longer sentence; a shorter one is repeated by all its words.
const RUN_WORDS: usize = 5;

/// Runs of words of a note that stand nowhere else in the prompt.
#[derive(Debug, Clone, Default)]
pub(super) struct NoteRuns(HashSet<String>);

impl NoteRuns {
    /// The runs of `note` that are in none of the texts `known`: passages, conversation and question.
    pub(super) fn new<'a>(note: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let note = note.to_lowercase();
        let sentences = note.split(['.', '!', '?', ':', ';', '\n']).map(words);
        let mut runs: HashSet<String> = sentences.flat_map(|sentence| runs(&sentence)).collect();
        for text in known {
            if runs.is_empty() {
                break;
            }
            for run in all_runs(&words(&text.to_lowercase())) {
                runs.remove(&run);
            }
        }
        Self(runs)
    }

    /// Whether a text, in lower case, holds one of them.
    pub(super) fn are_repeated_in(&self, lower: &str) -> bool {
        !self.0.is_empty() && all_runs(&words(lower)).any(|run| self.0.contains(&run))
    }
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// The runs of words that repeat a sentence. One word alone counts only if it has a digit, as an order number does.
fn runs(sentence: &[&str]) -> Vec<String> {
    match sentence {
        [] => Vec::new(),
        [word] if !word.contains(|c: char| c.is_ascii_digit()) => Vec::new(),
        _ => sentence.windows(sentence.len().min(RUN_WORDS)).map(|run| run.join(" ")).collect(),
    }
}

/// Every run of at most [`RUN_WORDS`] words.
fn all_runs(words: &[&str]) -> impl Iterator<Item = String> {
    (1..=RUN_WORDS).flat_map(|length| words.windows(length).map(|run| run.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_of_a_note_is_known_by_five_words_or_all_of_it() {
        let note = "The agent's resolution: Told in person. The voucher of Mrs Winter is worth 40 crowns! Order: A-17";
        let runs = NoteRuns::new(note, std::iter::empty());
        for repeated in ["he was told in person, then", "mrs winter **is** worth 40", "your order is a 17"] {
            assert!(runs.are_repeated_in(repeated), "{repeated}");
        }
        for harmless in ["told by phone", "mrs winter is worth", "a voucher is worth 40 crowns", "order", ""] {
            assert!(!runs.are_repeated_in(harmless), "{harmless}");
        }
    }

    #[test]
    fn words_that_the_customer_sees_anyway_are_no_secret() {
        let note = "A refund takes five working days.";
        assert!(NoteRuns::new(note, std::iter::empty()).are_repeated_in("a refund takes five working days"));
        let passage = "A refund takes five working days after approval.";
        assert!(!NoteRuns::new(note, std::iter::once(passage)).are_repeated_in("a refund takes five working days"));
        assert!(!NoteRuns::default().are_repeated_in("anything"));
    }

    #[test]
    fn the_work_is_linear() {
        growth::linear("note", 8_000, growth::UNITS, |text| {
            NoteRuns::new(text, std::iter::once("other")).are_repeated_in(text);
        });
    }
}
