//! The daily budget of a tenant's calls of the language model: each call is counted before it is made.

pub mod table;

use std::sync::Arc;

use answer::model::{LanguageModel, ModelError, ModelRequest};
use async_trait::async_trait;
use domain::models::{Scope, Settings};

use crate::table::Store;

/// The model as a tenant may call it: itself if the tenant set no budget, none if the budget is 0, and otherwise
/// one whose calls fail with [`ModelError::BudgetSpent`] once those of the day are made.
#[must_use]
pub(crate) fn within_budget(
    model: Option<&Arc<dyn LanguageModel>>,
    store: &Store,
    scope: &Scope,
    settings: &Settings,
) -> Option<Arc<dyn LanguageModel>> {
    let model = model?.clone();
    match settings.model_calls_per_day {
        None => Some(model),
        Some(0) => None,
        Some(budget) => Some(Arc::new(BudgetedModel { model, store: store.clone(), scope: scope.clone(), budget })),
    }
}

/// A model whose calls are counted against a tenant's budget of the day.
#[derive(Debug)]
struct BudgetedModel {
    model: Arc<dyn LanguageModel>,
    store: Store,
    scope: Scope,
    budget: u32,
}

#[async_trait]
impl LanguageModel for BudgetedModel {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        match self.store.model_calls().count(&self.scope, self.budget).await {
            Ok(true) => self.model.complete(request).await,
            Ok(false) => Err(ModelError::BudgetSpent),
            // An uncounted call would be one that the tenant did not allow.
            Err(error) => Err(ModelError::Failed(format!("the call could not be counted: {error}"))),
        }
    }
}
