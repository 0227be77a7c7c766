//! Lets a language model, if one is configured, title and tidy each section before it is written. A section always
//! becomes an entry: the model's text is used only if it says nothing that the section does not say.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use crate::state::IngestWorker;
use answer::model::{LanguageModel, ModelError};
use answer::tidy::{Section, tidy};
use app::model_budget::within_budget;
use domain::models::{Language, Scope, Settings};

use page::SectionDraft;

/// The time that a job spends on calls of a model, in milliseconds; later sections are written as they were read.
const TIDY_BUDGET_MS: i64 = 60_000;

/// Calls the model, for one job.
#[derive(Debug)]
pub(crate) struct Tidier<'a> {
    state: &'a IngestWorker,
    language: Language,
    /// None if none is configured.
    model: Option<Arc<dyn LanguageModel>>,
    /// Until when the model is called, in milliseconds since 1970 UTC.
    until_ms: AtomicI64,
}

impl<'a> Tidier<'a> {
    /// Calls the model for the entries of a tenant, within its daily budget.
    pub(crate) fn new(state: &'a IngestWorker, scope: &Scope, settings: &Settings) -> Self {
        let model = within_budget(state.model.as_ref(), &state.store, scope, settings);
        let until_ms = AtomicI64::new(state.runtime.now().plus_millis(TIDY_BUDGET_MS).as_millis());
        Self { state, language: settings.language, model, until_ms }
    }

    /// The title and content of an entry: the model's, or the section's.
    pub(crate) async fn tidy_section(&self, draft: &SectionDraft) -> (String, String) {
        let as_read = || (draft.title.clone(), draft.content.clone());
        let Some(model) = &self.model else { return as_read() };
        if self.state.runtime.now().as_millis() >= self.until_ms.load(Ordering::Relaxed) {
            return as_read();
        }
        let section = Section { title: &draft.title, content: &draft.content, language: self.language };
        let timeout = Duration::from_millis(self.state.model_timeout_ms);
        match tidy(model.as_ref(), &self.state.runtime, &section, timeout).await {
            Ok(tidied) => {
                let (title, content) = as_read();
                (tidied.title.unwrap_or(title), tidied.content.unwrap_or(content))
            }
            Err(ModelError::BudgetSpent) => {
                tracing::info!(
                    model.name = model.name(),
                    "the tenant's daily budget of model calls is spent; sections are stored as read"
                );
                self.until_ms.store(0, Ordering::Relaxed);
                as_read()
            }
            Err(error) => {
                tracing::warn!(metric.ModelFailures = 1, model.name = model.name(), error = %error, "the model failed to tidy sections; they are stored as read");
                // A model that does not answer is not called again for every section while a caller waits for the job.
                if !matches!(error, ModelError::Unusable(_)) {
                    self.until_ms.store(0, Ordering::Relaxed);
                }
                as_read()
            }
        }
    }
}
