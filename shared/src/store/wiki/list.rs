//! Pages of entries by their last change, with the number of all of them.

use aws_sdk_dynamodb::types::AttributeValue;

use super::WikiRepository;
use crate::models::{EntryCard, Scope, Total, Visibility};
use crate::store::keys;
use crate::store::table::{Item, PartitionQuery, from_value, text};
use crate::store::transaction::Expression;
use crate::{Error, Result};

/// Which entries a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EntryFilter {
    /// Those of one visibility.
    pub visibility: Option<Visibility>,
    /// Those with this tag.
    pub tag: Option<String>,
    /// Those whose path begins with this text.
    pub path_prefix: Option<String>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EntryPage {
    /// The page, newest change first.
    pub cards: Vec<EntryCard>,
    /// How many entries pass the filter, on all pages.
    pub total: Total,
}

impl WikiRepository<'_> {
    /// The entries after the first `offset`, at most `limit`, newest change first; a write is seen within a second.
    pub async fn list(&self, scope: &Scope, filter: &EntryFilter, offset: usize, limit: usize) -> Result<EntryPage> {
        let mut query = PartitionQuery::of_index("gsi1", keys::wiki(scope));
        query.forward = false;
        query.filter = filter.expression();
        let slice = self.store.slice(query, offset, limit).await?;
        let cards = slice.items.into_iter().map(card).collect::<Result<_>>()?;
        Ok(EntryPage { cards, total: slice.total })
    }
}

impl EntryFilter {
    fn expression(&self) -> Option<Expression> {
        let mut terms = Vec::new();
        let mut values: Vec<(&'static str, AttributeValue)> = Vec::new();
        if let Some(visibility) = self.visibility {
            terms.push("card.visibility = :visibility");
            values.push((":visibility", text(visibility.as_str())));
        }
        if let Some(tag) = &self.tag {
            terms.push("contains(card.tags, :tag)");
            values.push((":tag", text(tag)));
        }
        if let Some(prefix) = &self.path_prefix {
            // The table's sort key is the path; in the index it is an attribute like any other.
            terms.push("begins_with(sk, :prefix)");
            values.push((":prefix", text(prefix)));
        }
        (!terms.is_empty()).then(|| Expression { text: terms.join(" AND "), values })
    }
}

fn card(mut item: Item) -> Result<EntryCard> {
    let card = item.remove("card").ok_or_else(|| Error::internal("an entry in gsi1 has no card"))?;
    from_value(card)
}
