//! The result of a check.

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All is well, with what was seen.
    Fine(String),
    /// Something is wrong, with what to do.
    Problem { found: String, advice: String },
    /// There is nothing to check here.
    Skipped(&'static str),
}

impl Outcome {
    pub(super) fn problem(found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Problem { found: found.into(), advice: advice.into() }
    }

    /// A check that got no answer. A refusal of AWS names the right that is missing.
    pub(super) fn unanswered(error: &domain::Error, advice: &str) -> Self {
        let text = error.to_string();
        let denied = ["AccessDenied", "not authorized", "Forbidden", "403"].iter().any(|word| text.contains(word));
        let advice = match denied {
            true => "a right is missing: allow the named action to the caller, or deploy the stack's roles again",
            false => advice,
        };
        Self::problem(text, advice)
    }
}

/// A named check and its outcome.
#[derive(Debug)]
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) outcome: Outcome,
}
