//! The cost of a dry run: each question is asked over the text of all changed entries, so the cost is their product.

use crate::allowance::LEAST_DRY_RUN_TOKENS;
use domain::error::Code;
use domain::models::WikiEntry;
use domain::{Error, Result};

/// The most that one run may cost, in questions × KiB: a few seconds of a core.
const MAX_COST: usize = 16 * 1_024;
/// Questions × KiB that one token of the quota pays for.
const COST_OF_TOKEN: usize = 64;

/// The size of the changes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChangedKib(usize);

impl ChangedKib {
    /// The text of the changed entries, at least 1.
    pub(super) fn of(entries: &[WikiEntry]) -> Self {
        let bytes: usize = entries.iter().map(|entry| entry.title.len() + entry.content.len()).sum();
        Self(bytes.div_ceil(1_024).max(1))
    }

    /// The most questions of one run, at least 1.
    pub(super) const fn most_questions(self) -> usize {
        let most = MAX_COST / self.0;
        if most == 0 { 1 } else { most }
    }

    /// The tokens that a run of so many questions costs.
    ///
    /// # Errors
    /// 413 for more than [`Self::most_questions`].
    pub(super) fn tokens(self, questions: usize) -> Result<u32> {
        let most = self.most_questions();
        if questions > most {
            let message = format!("Changes of {} KiB are tried on at most {most} questions at once.", self.0);
            return Err(Error::new(Code::PayloadTooLarge, message));
        }
        let tokens = self.0.saturating_mul(questions).div_ceil(COST_OF_TOKEN);
        Ok(u32::try_from(tokens).unwrap_or(u32::MAX).max(LEAST_DRY_RUN_TOKENS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::models::{Timestamp, WikiPath};

    fn kib(bytes: &[usize]) -> ChangedKib {
        let entry = |bytes: &usize| WikiEntry {
            content: "x".repeat(*bytes),
            ..WikiEntry::begun(WikiPath::parse("a/b").unwrap(), "key", Timestamp::from_millis(1))
        };
        ChangedKib::of(&bytes.iter().map(entry).collect::<Vec<_>>())
    }

    #[test]
    fn a_run_costs_the_product_of_its_questions_and_the_size_of_its_changes() {
        for (bytes, questions, tokens) in [
            (&[][..], 100, Some(4)),
            (&[1_024], 100, Some(4)),
            (&[1_025], 100, Some(4)),
            (&[4_096], 100, Some(7)),
            (&[2_048, 2_048], 100, Some(7)),
            (&[160 * 1_024], 100, Some(250)),
            (&[200 * 1_024], 81, Some(254)),
            (&[200 * 1_024], 82, None),
            (&[1_024 * 1_024], 16, Some(256)),
            (&[1_024 * 1_024], 17, None),
        ] {
            assert_eq!(kib(bytes).tokens(questions).ok(), tokens, "{bytes:?} {questions}");
        }
        assert_eq!(kib(&[200 * 1_024]).most_questions(), 81);
    }
}
