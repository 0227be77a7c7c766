//! Lists of entries: pages by their last change with the total, those under a prefix, and all wikis of the table.
//!
//! A page reads the index by last change, up to its limit. Entries under a prefix are found by their key instead, in a
//! wiki of any size, unless they are too many themselves. Only the rebuild of an index scans.

use domain::models::{EntryCard, MAX_TOTAL, Scope, Total, Visibility, WikiEntry, WikiPath};
use domain::{Error, Result};

use crate::table::item::{self, Expression, Item, ItemKind, card, text};
use crate::table::pages::CursorPage;
use crate::table::{Consistency, PartitionQuery, SortCondition, unavailable};
use crate::wiki::table::{EntryRecord, WikiRecord, WikiRepository, scope_of_wiki, wiki_partition};

/// Pages of at most 1 MB that are read of the entries under a prefix, before the index by last change is used instead.
const MAX_PREFIX_PAGES: usize = 8;

/// Requests of at most 1 MB that count the entries behind a page: one of them counts at least 400.
const COUNT_REQUESTS: usize = 1;

/// The filter of a list of entries.
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
    /// How many entries pass the filter, on all pages. Capped below [`MAX_TOTAL`] if so few of the entries
    /// that were changed last pass; older ones may pass too.
    pub total: Total,
    /// Whether `total` has all that a list counts. Otherwise counting stopped because the entries are long, and the index
    /// knows how many there are.
    pub is_counted: bool,
}

impl WikiRepository<'_> {
    /// The entries after the first `offset`, at most `limit`, newest change first; a write is seen within a second.
    pub(in crate::wiki) async fn list(
        &self,
        scope: &Scope,
        filter: &EntryFilter,
        offset: usize,
        limit: usize,
    ) -> Result<EntryPage> {
        if let Some(prefix) = &filter.path_prefix
            && let Some(cards) = self.filter_by_prefix(scope, filter, prefix).await?
        {
            let total = Total::of(u64::try_from(cards.len()).unwrap_or(u64::MAX), true);
            let cards = cards.into_iter().skip(offset).take(limit).collect();
            return Ok(EntryPage { cards, total, is_counted: true });
        }
        let mut query = PartitionQuery::of_index("gsi1", wiki_partition(scope));
        query.forward = false;
        query.filter = filter.index_condition();
        let page = self.0.offset_page(query, (offset, limit), COUNT_REQUESTS).await?;
        let cards = page.items.into_iter().map(card).collect::<Result<_>>()?;
        Ok(EntryPage { cards, total: page.total, is_counted: page.is_counted })
    }

    /// All entries under `prefix` that pass, newest change first; nothing if they are too many to be read at once.
    async fn filter_by_prefix(
        &self,
        scope: &Scope,
        filter: &EntryFilter,
        prefix: &str,
    ) -> Result<Option<Vec<EntryCard>>> {
        let mut query = PartitionQuery::new(wiki_partition(scope));
        query.consistency = Consistency::Eventual;
        query.condition = SortCondition::Prefix(prefix.to_owned());
        query.projection = Some("card");
        query.filter = filter.table_condition();
        let mut cards: Vec<EntryCard> = Vec::new();
        let mut to_look_at = MAX_TOTAL;
        for _ in 0..MAX_PREFIX_PAGES {
            query.limit = i32::try_from(to_look_at).ok();
            let page = self.0.query(query.clone()).await?;
            for item in page.items {
                cards.push(card(item)?);
            }
            to_look_at = to_look_at.saturating_sub(page.looked_at);
            match page.next {
                None => {
                    cards.sort_by(|a, b| (b.updated_at, &b.path).cmp(&(a.updated_at, &a.path)));
                    return Ok(Some(cards));
                }
                Some(next) if to_look_at > 0 => query.start = Some(next),
                Some(_) => break,
            }
        }
        Ok(None)
    }
}

impl EntryFilter {
    /// Over the index by last change; nothing if everything passes.
    fn index_condition(&self) -> Option<Expression> {
        // The table's sort key is the path; in the index it is an attribute like any other.
        let prefix = |prefix| Expression::new("begins_with(sk, :prefix)").with(":prefix", text(prefix));
        Expression::all(self.card_conditions().chain(self.path_prefix.as_ref().map(prefix)))
    }

    /// Over the table, where what is left of a deleted entry has no card. The prefix is a condition of the key there.
    fn table_condition(&self) -> Option<Expression> {
        Expression::all(self.card_conditions().chain([Expression::new("attribute_exists(card)")]))
    }

    fn card_conditions(&self) -> impl Iterator<Item = Expression> {
        let visibility = |visibility: Visibility| {
            Expression::new("card.visibility = :visibility").with(":visibility", text(visibility.as_str()))
        };
        let tag = |tag| Expression::new("contains(card.tags, :tag)").with(":tag", text(tag));
        self.visibility.map(visibility).into_iter().chain(self.tag.as_ref().map(tag))
    }
}

impl WikiRepository<'_> {
    /// The entries whose paths begin with `prefix`, whole and by path, as many as one query of 1 MiB reads; consistent.
    /// `from` is the `next` of the page before.
    pub(crate) async fn export(
        &self,
        scope: &Scope,
        prefix: &str,
        from: Option<&WikiPath>,
    ) -> Result<CursorPage<WikiEntry, WikiPath>> {
        let mut query = PartitionQuery::new(wiki_partition(scope));
        if !prefix.is_empty() {
            query.condition = SortCondition::Prefix(prefix.to_owned());
        }
        let key = |path: &WikiPath| Item::from([("pk".into(), text(&query.pk)), ("sk".into(), text(path.as_str()))]);
        query.start = from.map(key);
        let page = self.0.query(query).await?;
        let next = page.next.as_ref().and_then(|key| WikiPath::parse(key.get("sk")?.as_s().ok()?).ok());
        let records = page.items.into_iter().map(item::record::<EntryRecord>);
        let entries = records.filter_map(|record| record.map(EntryRecord::into_entry).transpose());
        Ok(CursorPage { items: entries.collect::<Result<_>>()?, next })
    }

    /// The entries directly under `prefix`, by path and without their texts; sees every acknowledged write.
    pub(crate) async fn list_by_prefix(&self, scope: &Scope, prefix: &str) -> Result<Vec<WikiEntry>> {
        let mut query = PartitionQuery::new(wiki_partition(scope));
        let start = format!("{prefix}/");
        query.condition = SortCondition::Prefix(start.clone());
        let mut heads = Vec::new();
        loop {
            let page = self.0.query(query.clone()).await?;
            for item in page.items {
                let record: EntryRecord = item::record(item)?;
                let direct = record.path.as_str().strip_prefix(&start).is_some_and(|rest| !rest.contains('/'));
                let entry = record.into_entry().filter(|_| direct);
                heads.extend(entry.map(|entry| WikiEntry { content: String::new(), ..entry }));
            }
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(heads),
            }
        }
    }
}

/// Where the next page starts.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiScanPosition(Item);

/// Some of all records, in no order.
#[derive(Debug, Clone, PartialEq)]
pub struct WikiScanPage {
    /// Each with its tenant and mode.
    pub records: Vec<(Scope, WikiRecord)>,
    /// `None` at the end.
    pub next: Option<WikiScanPosition>,
}

impl WikiRepository<'_> {
    /// A page of every tenant's records, entries and deletions: reads the whole table, up to 1 MB a call.
    #[expect(clippy::disallowed_methods, reason = "a reindex reads every entry; no request does")]
    pub(in crate::wiki) async fn scan(&self, from: Option<WikiScanPosition>) -> Result<WikiScanPage> {
        let answer = self
            .0
            .client
            .scan()
            .table_name(&*self.0.table)
            .filter_expression("#kind = :kind")
            .expression_attribute_names("#kind", "kind")
            .expression_attribute_values(":kind", ItemKind::Entry.attribute())
            .consistent_read(true)
            .set_exclusive_start_key(from.map(|position| position.0))
            .send()
            .await
            .map_err(|e| unavailable("scan", e))?;
        let records = answer.items.unwrap_or_default().into_iter().map(with_scope).collect::<Result<_>>()?;
        Ok(WikiScanPage { records, next: answer.last_evaluated_key.map(WikiScanPosition) })
    }
}

fn with_scope(item: Item) -> Result<(Scope, WikiRecord)> {
    let pk = item.get("pk").and_then(|pk| pk.as_s().ok());
    let scope = pk.and_then(|pk| scope_of_wiki(pk)).ok_or_else(|| Error::internal("an entry outside a wiki"))?;
    Ok((scope, item::record::<EntryRecord>(item)?.into()))
}
