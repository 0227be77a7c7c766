//! How many calls of the language model a tenant made on a day (UTC): one counter a day, which stops at the tenant's
//! budget. The condition is checked with the increment, so concurrent calls together do not pass it.

use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
use domain::Result;
use domain::models::{Day, Scope};
use serde::Deserialize;

use crate::table::item::{ItemKind, number, text};
use crate::table::keys::{self, Key};
use crate::table::{Consistency, repository, unavailable};

/// For how many days after its own a counter is kept.
const KEPT_DAYS: i64 = 2;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CountedCalls {
    model_calls: u32,
}

repository!(model_calls: ModelCallRepository);

impl ModelCallRepository<'_> {
    /// How many calls are counted for today, UTC.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(crate) async fn today(&self, scope: &Scope) -> Result<u32> {
        let key = model_calls_key(scope, Day::of(self.0.runtime.now()));
        Ok(self.0.get::<CountedCalls>(&key, Consistency::Eventual).await?.map_or(0, |counted| counted.model_calls))
    }

    /// Counts one call for today, unless `budget` calls are counted already; whether it was counted. One conditional
    /// write of one write unit. A write whose reply is lost may count twice.
    ///
    /// # Errors
    /// 503 if the table does not answer.
    pub(super) async fn count(&self, scope: &Scope, budget: u32) -> Result<bool> {
        let today = Day::of(self.0.runtime.now());
        let key = model_calls_key(scope, today);
        let counted = self
            .0
            .client
            .update_item()
            .table_name(&*self.0.table)
            .key("pk", text(key.pk))
            .key("sk", text(key.sk))
            .update_expression("SET kind = :kind, #ttl = :ttl ADD modelCalls :one")
            .condition_expression("attribute_not_exists(modelCalls) OR modelCalls < :budget")
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":kind", ItemKind::ModelCalls.attribute())
            .expression_attribute_values(":ttl", number(today.plus(KEPT_DAYS).start().as_seconds()))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":budget", number(budget))
            .send()
            .await;
        match counted {
            Ok(_) => Ok(true),
            Err(error) => match error.as_service_error() {
                Some(UpdateItemError::ConditionalCheckFailedException(_)) => Ok(false),
                _ => Err(unavailable("update", error)),
            },
        }
    }
}

/// A day's calls of the language model.
fn model_calls_key(s: &Scope, day: Day) -> Key {
    Key::new(format!("{}#MODELCALLS#{day}", keys::scope(s)), "CALLS")
}
