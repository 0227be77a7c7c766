//! Lists of jobs, newest first, from the cards in gsi1, which lag by up to a second.

use super::IngestJobRepository;
use crate::store::cursor_page::CursorPage;
use crate::store::expression::Expression;
use crate::store::keys;
use crate::store::table::{Item, PartitionQuery, SortCondition, text};
use domain::models::{IngestCard, IngestId, IngestStatus, Scope, Timestamp};
use domain::{Error, Result};

/// The place of a job in the list: when it was made, and its id.
pub type IngestPlace = (Timestamp, IngestId);

impl IngestJobRepository<'_> {
    /// Jobs of one status or of all, below `below`. One call reads 1 MiB at the most: a page of one status may be short, or
    /// empty, and have a `next`.
    pub async fn list(
        &self,
        scope: &Scope,
        status: Option<IngestStatus>,
        below: Option<&IngestPlace>,
        limit: usize,
    ) -> Result<CursorPage<IngestCard, IngestPlace>> {
        let mut query = PartitionQuery::of_index("gsi1", keys::ingest_jobs(scope));
        query.forward = false;
        query.condition = below.map_or(SortCondition::Any, |(created_at, id)| {
            SortCondition::Below(keys::ingest_by_creation(scope, id, *created_at).sk)
        });
        query.filter =
            status.map(|status| Expression::new("card.jobStatus = :status").with(":status", text(status.as_str())));
        self.0.cursor_page(query, limit).await?.try_map(card, |sk| keys::ingest_place(&sk))
    }
}

fn card(mut item: Item) -> Result<IngestCard> {
    let card = item.remove("card").ok_or_else(|| Error::internal("an ingest job in gsi1 has no card"))?;
    serde_dynamo::aws_sdk_dynamodb_1::from_attribute_value(card)
        .map_err(|_| Error::internal("a stored card does not read"))
}
