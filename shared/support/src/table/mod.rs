//! The table: its client, the DynamoDB calls of the repositories with their errors classified, and its schema for local
//! runs and tests. On AWS the template creates it.
//!
//! Each thing has its repositories, keys, stored forms and conditions in its own `table`. A method of [`Store`] returns
//! each repository, whose methods take the tenant first.
//!
//! - [`item`]: items, their kinds, and expressions over them. [`keys`]: key formats that several things use.
//! - [`transaction`] and [`update`]: how items are written. [`pages`]: how lists are read.
//! - [`process`]: what this process remembers of its own writes.
//! - [`stream`]: a record of the table's stream.

pub mod item;
pub mod keys;
pub mod pages;
pub mod process;
pub mod stream;
pub mod transaction;
pub mod update;

use std::sync::Arc;
use std::time::Duration;

use aws::sdk_error;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, KeysAndAttributes, Projection,
    ProjectionType, ReturnValuesOnConditionCheckFailure, ScalarAttributeType, StreamSpecification, StreamViewType,
    TimeToLiveSpecification,
};
use domain::clock::Runtime;
use domain::models::{Actor, AuditEntry, Mode, TenantId};
use domain::{Error, Result};
use serde::de::DeserializeOwned;

use crate::table::item::{Expression, Item, ItemKind, record, text, value};
use crate::table::keys::Key;
use crate::table::process::{BUCKET_TIMEOUT, KeyedMutex, Meters, RecordedRuns};

/// The database, cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) client: aws_sdk_dynamodb::Client,
    pub(crate) table: Arc<str>,
    pub(crate) runtime: Runtime,
    /// Writers of an item that other writers of this process were faster at.
    pub(crate) contended: KeyedMutex,
    pub(crate) recorded: RecordedRuns,
    /// This process's knowledge of the buckets of rate limits.
    pub(crate) meters: Meters,
    /// How long a call waits for a bucket of a rate limit to be stored.
    pub(crate) bucket_timeout: Duration,
    /// The name of this process, if no other one uses the table.
    pub(crate) only_process: Option<Arc<str>>,
    /// The author of the changes of this client, and their mode, for the audit of their effects; the operator by default.
    pub(crate) author: Arc<(Actor, Option<Mode>)>,
    /// The entry that each transaction of this client adds to the audit of a tenant.
    pub(crate) audited: Option<Arc<(TenantId, AuditEntry)>>,
}

impl Store {
    /// The table `table` behind `client`.
    #[must_use]
    pub fn new(client: aws_sdk_dynamodb::Client, table: &str, runtime: Runtime) -> Self {
        Self {
            client,
            table: table.into(),
            runtime,
            contended: KeyedMutex::default(),
            recorded: RecordedRuns::default(),
            meters: Meters::default(),
            bucket_timeout: BUCKET_TIMEOUT,
            only_process: None,
            author: Arc::new((Actor::operator(), None)),
            audited: None,
        }
    }

    /// The same for the only process that uses the table, under a name that no earlier one had: what requests of another
    /// process held ended with it.
    #[must_use]
    pub fn of_the_only_process(self, name: &str) -> Self {
        Self { only_process: Some(name.into()), ..self }
    }

    /// The same for changes of `author`, in whose name the audit tells of effects that follow from what is written: of
    /// settings, and of entries that become public.
    #[must_use]
    pub fn acting(&self, author: Actor, mode: Option<Mode>) -> Self {
        Self { author: Arc::new((author, mode)), ..self.clone() }
    }

    /// The same for one change that is audited: `entry` is stored in the transaction of the change. What changes nothing
    /// is not in the audit.
    #[must_use]
    pub fn audited(&self, tenant: &TenantId, entry: AuditEntry) -> Self {
        Self { audited: Some(Arc::new((tenant.clone(), entry))), ..self.clone() }
    }

    /// The same, but a call waits so long for a bucket of a rate limit to be stored instead of 250 milliseconds.
    #[must_use]
    pub fn with_bucket_timeout(self, bucket_timeout: Duration) -> Self {
        Self { bucket_timeout, ..self }
    }
}

/// Declares a repository and the method of [`Store`] that returns it.
macro_rules! repository {
    ($(#[$doc:meta])* $field:vis $name:ident: $repository:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $repository<'a>($field &'a $crate::table::Store);

        impl $crate::table::Store {
            #[must_use]
            pub const fn $name(&self) -> $repository<'_> {
                $repository(self)
            }
        }
    };
}

pub(crate) use repository;

/// How fresh a read must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consistency {
    /// Sees every write that was acknowledged before; one read unit per 4 KB.
    Strong,
    /// Eventually consistent; half the units.
    Eventual,
}

impl Consistency {
    const fn is_consistent(self) -> bool {
        matches!(self, Self::Strong)
    }
}

#[derive(Debug)]
pub(crate) struct QueryPage {
    pub(crate) items: Vec<Item>,
    /// How many items were looked at, with those that did not pass the filter.
    pub(crate) looked_at: u64,
    /// Where the next page starts; `None` at the end.
    pub(crate) next: Option<Item>,
}

/// A query over one partition of the table or of an index.
#[derive(Debug, Clone)]
pub(crate) struct PartitionQuery {
    pub(crate) index: Option<&'static str>,
    pub(crate) pk: String,
    pub(crate) condition: SortCondition,
    pub(crate) forward: bool,
    pub(crate) limit: Option<i32>,
    pub(crate) consistency: Consistency,
    pub(crate) start: Option<Item>,
    /// The filter that is applied after reading; `limit` counts the items that were read.
    pub(crate) filter: Option<Expression>,
    /// The attributes that are sent back; nothing for all of them.
    pub(crate) projection: Option<&'static str>,
}

/// The condition of a query on the sort key.
#[derive(Debug, Clone)]
pub(crate) enum SortCondition {
    Any,
    Prefix(String),
    /// Both ends included.
    Between(String, String),
    Below(String),
    Above(String),
}

impl PartitionQuery {
    /// All items of a partition in ascending order.
    pub(crate) fn new(pk: String) -> Self {
        Self {
            index: None,
            pk,
            condition: SortCondition::Any,
            forward: true,
            limit: None,
            consistency: Consistency::Strong,
            start: None,
            filter: None,
            projection: None,
        }
    }

    /// The same over an index, which is never consistent.
    pub(crate) fn of_index(index: &'static str, pk: String) -> Self {
        Self { index: Some(index), consistency: Consistency::Eventual, ..Self::new(pk) }
    }

    /// The attribute that the query's items are sorted by.
    pub(crate) fn sort_key(&self) -> &'static str {
        self.names().1
    }

    fn names(&self) -> (&'static str, &'static str) {
        match self.index {
            Some("gsi1") => ("gsi1pk", "gsi1sk"),
            Some(_) => ("gsi2pk", "gsi2sk"),
            None => ("pk", "sk"),
        }
    }
}

/// Keys in one BatchGetItem, DynamoDB's limit.
const MAX_BATCH_KEYS: usize = 100;

impl Store {
    /// One item, or none.
    pub(crate) async fn get<R: DeserializeOwned>(&self, key: &Key, consistency: Consistency) -> Result<Option<R>> {
        self.get_item(key, consistency).await?.map(record).transpose()
    }

    /// One item as it is, or none.
    pub(crate) async fn get_item(&self, key: &Key, consistency: Consistency) -> Result<Option<Item>> {
        let answer = self
            .client
            .get_item()
            .table_name(&*self.table)
            .key("pk", text(&key.pk))
            .key("sk", text(&key.sk))
            .consistent_read(consistency.is_consistent())
            .send()
            .await
            .map_err(|e| unavailable("get", e))?;
        Ok(answer.item)
    }

    /// Items by key, in no order; missing ones are left out.
    pub(crate) async fn get_many<R: DeserializeOwned>(&self, keys: &[Key], consistency: Consistency) -> Result<Vec<R>> {
        self.get_many_items(keys, consistency).await?.into_iter().map(record).collect()
    }

    /// The same as they are.
    pub(crate) async fn get_many_items(&self, keys: &[Key], consistency: Consistency) -> Result<Vec<Item>> {
        let hundreds = keys.chunks(MAX_BATCH_KEYS).map(|keys| self.get_batch(keys, consistency));
        Ok(futures::future::try_join_all(hundreds).await?.into_iter().flatten().collect())
    }

    async fn get_batch(&self, keys: &[Key], consistency: Consistency) -> Result<Vec<Item>> {
        let mut wanted = keys_and_attributes(keys, consistency)?;
        let mut found = Vec::new();
        for _ in 0..10 {
            let answer = self
                .client
                .batch_get_item()
                .request_items(&*self.table, wanted)
                .send()
                .await
                .map_err(|e| unavailable("batch get", e))?;
            found.extend(answer.responses.unwrap_or_default().into_values().flatten());
            match answer.unprocessed_keys.and_then(|mut left| left.remove(&*self.table)) {
                Some(left) if !left.keys.is_empty() => wanted = left,
                _ => return Ok(found),
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        Err(Error::unavailable("batch get left keys unprocessed ten times"))
    }

    /// Everything that a query finds. Only for what is bounded: keys, members, receivers.
    pub(crate) async fn query_all<R: DeserializeOwned>(&self, query: PartitionQuery) -> Result<Vec<R>> {
        self.query_all_items(query).await?.into_iter().map(record).collect()
    }

    /// The same as it is.
    pub(crate) async fn query_all_items(&self, mut query: PartitionQuery) -> Result<Vec<Item>> {
        let mut found = Vec::new();
        loop {
            let page = self.query(query.clone()).await?;
            found.extend(page.items);
            match page.next {
                Some(next) => query.start = Some(next),
                None => return Ok(found),
            }
        }
    }

    /// One page of a query.
    pub(crate) async fn query(&self, query: PartitionQuery) -> Result<QueryPage> {
        let answer = self.query_request(&query).send().await.map_err(|e| unavailable("query", e))?;
        let looked_at = u64::try_from(answer.scanned_count).unwrap_or(0);
        Ok(QueryPage { items: answer.items.unwrap_or_default(), looked_at, next: answer.last_evaluated_key })
    }

    /// Counts a query's items, up to `cap`.
    pub(crate) async fn count(&self, mut query: PartitionQuery, cap: u32) -> Result<u32> {
        let mut counted = 0;
        loop {
            query.limit = i32::try_from(cap.saturating_sub(counted)).ok();
            let request = self.query_request(&query).select(aws_sdk_dynamodb::types::Select::Count);
            let answer = request.send().await.map_err(|e| unavailable("count", e))?;
            counted += u32::try_from(answer.count).unwrap_or(0);
            match answer.last_evaluated_key {
                Some(next) if counted < cap => query.start = Some(next),
                _ => return Ok(counted.min(cap)),
            }
        }
    }

    /// Counts the items of one page of a query, as far as `limit` or 1 MB reaches: how many pass its filter, how many
    /// were looked at, and where the next page starts.
    pub(crate) async fn count_page(&self, query: &PartitionQuery) -> Result<(u64, u64, Option<Item>)> {
        let request = self.query_request(query).select(aws_sdk_dynamodb::types::Select::Count);
        let answer = request.send().await.map_err(|e| unavailable("count", e))?;
        let number = |count: i32| u64::try_from(count).unwrap_or(0);
        Ok((number(answer.count), number(answer.scanned_count), answer.last_evaluated_key))
    }

    fn query_request(
        &self,
        query: &PartitionQuery,
    ) -> aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder {
        let (pk, sk) = query.names();
        let mut request = self
            .client
            .query()
            .table_name(&*self.table)
            .set_index_name(query.index.map(str::to_owned))
            .expression_attribute_names("#pk", pk)
            .expression_attribute_values(":pk", text(&query.pk))
            .scan_index_forward(query.forward)
            .set_limit(query.limit)
            .set_exclusive_start_key(query.start.clone())
            .set_projection_expression(query.projection.map(str::to_owned))
            .consistent_read(query.index.is_none() && query.consistency.is_consistent());
        if let Some(filter) = &query.filter {
            request = request.filter_expression(&filter.text);
            for (name, value) in &filter.values {
                request = request.expression_attribute_values(*name, value.clone());
            }
        }
        let (condition, bounds) = match &query.condition {
            SortCondition::Any => ("#pk = :pk", Vec::new()),
            SortCondition::Prefix(prefix) => ("#pk = :pk AND begins_with(#sk, :a)", vec![prefix]),
            SortCondition::Between(a, b) => ("#pk = :pk AND #sk BETWEEN :a AND :b", vec![a, b]),
            SortCondition::Above(a) => ("#pk = :pk AND #sk > :a", vec![a]),
            SortCondition::Below(a) => ("#pk = :pk AND #sk < :a", vec![a]),
        };
        if !bounds.is_empty() {
            request = request.expression_attribute_names("#sk", sk);
        }
        for (name, bound) in [":a", ":b"].into_iter().zip(bounds) {
            request = request.expression_attribute_values(name, text(bound));
        }
        request.key_condition_expression(condition)
    }

    /// Puts an item, whatever is in its place: half the write units of a transaction.
    pub(crate) async fn put(&self, item: Item) -> Result<()> {
        let request = self.client.put_item().table_name(&*self.table).set_item(Some(item));
        request.send().await.map_err(|e| unavailable("put", e)).map(drop)
    }

    /// Answers when the table does.
    pub async fn ping(&self) -> Result<()> {
        let nothing = Key { pk: "PING".into(), sk: "PING".into() };
        self.get::<serde_json::Value>(&nothing, Consistency::Eventual).await.map(drop)
    }

    /// Answers when the table takes a write: a small item that says when it was last written.
    pub async fn probe_writes(&self) -> Result<()> {
        let key = write_probe_key();
        self.client
            .update_item()
            .table_name(&*self.table)
            .key("pk", text(key.pk))
            .key("sk", text(key.sk))
            .update_expression("SET kind = :kind, writtenAt = :now")
            .expression_attribute_values(":kind", ItemKind::WriteProbe.attribute())
            .expression_attribute_values(":now", value(&self.runtime.now())?)
            .send()
            .await
            .map_err(|e| unavailable("update", e))
            .map(drop)
    }
}

fn keys_and_attributes(keys: &[Key], consistency: Consistency) -> Result<KeysAndAttributes> {
    let keys =
        keys.iter().map(|key| Item::from([("pk".into(), text(&key.pk)), ("sk".into(), text(&key.sk))])).collect();
    KeysAndAttributes::builder()
        .set_keys(Some(keys))
        .consistent_read(consistency.is_consistent())
        .build()
        .map_err(|e| Error::internal(format!("batch get: {e}")))
}

/// The error of a failed call: a service that does not answer. Its text goes to the log only.
pub(crate) fn unavailable<E, R>(call: &'static str, error: SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    let context = format!("DynamoDB {call}: {}", sdk_error::describe(&error));
    match error.code() {
        Some("ValidationException" | "AccessDeniedException") => Error::internal(context),
        _ => Error::unavailable(context),
    }
}

/// How a write whose condition does not hold shows the item as it is.
pub(crate) const RETURN_OLD_ITEM: ReturnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure::AllOld;

/// The attributes for lists, besides the keys.
const PROJECTED_ATTRIBUTES: [&str; 2] = ["kind", "card"];

impl Store {
    /// Makes the table with both indexes, stream and time to live; one that exists is left as it is.
    pub async fn create_table(&self) -> Result<()> {
        let broken = |e: aws_sdk_dynamodb::error::BuildError| Error::internal(format!("table: {e}"));
        let mut request = self.client.create_table().table_name(&*self.table).billing_mode(BillingMode::PayPerRequest);
        for name in ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk"] {
            let attribute = AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S);
            request = request.attribute_definitions(attribute.build().map_err(broken)?);
        }
        for element in key_schema("pk", "sk").map_err(broken)? {
            request = request.key_schema(element);
        }
        let card = Projection::builder()
            .projection_type(ProjectionType::Include)
            .set_non_key_attributes(Some(PROJECTED_ATTRIBUTES.map(String::from).to_vec()));
        let keys = Projection::builder().projection_type(ProjectionType::KeysOnly);
        for (name, pk, sk, projection) in
            [("gsi1", "gsi1pk", "gsi1sk", card.build()), ("gsi2", "gsi2pk", "gsi2sk", keys.build())]
        {
            let index = GlobalSecondaryIndex::builder()
                .index_name(name)
                .set_key_schema(Some(key_schema(pk, sk).map_err(broken)?))
                .projection(projection);
            request = request.global_secondary_indexes(index.build().map_err(broken)?);
        }
        let stream = StreamSpecification::builder()
            .stream_enabled(true)
            .stream_view_type(StreamViewType::NewAndOldImages)
            .build()
            .map_err(broken)?;
        match request.stream_specification(stream).send().await {
            Ok(_) => self.enable_time_to_live().await,
            Err(e) if e.as_service_error().is_some_and(|e| e.is_resource_in_use_exception()) => Ok(()),
            Err(e) => Err(unavailable("create table", e)),
        }
    }

    async fn enable_time_to_live(&self) -> Result<()> {
        let spec = TimeToLiveSpecification::builder()
            .attribute_name("ttl")
            .enabled(true)
            .build()
            .map_err(|e| Error::internal(format!("time to live: {e}")))?;
        let request = self.client.update_time_to_live().table_name(&*self.table).time_to_live_specification(spec);
        request.send().await.map(drop).map_err(|e| unavailable("time to live", e))
    }
}

fn key_schema(pk: &str, sk: &str) -> Result<Vec<KeySchemaElement>, aws_sdk_dynamodb::error::BuildError> {
    Ok(vec![
        KeySchemaElement::builder().attribute_name(pk).key_type(KeyType::Hash).build()?,
        KeySchemaElement::builder().attribute_name(sk).key_type(KeyType::Range).build()?,
    ])
}

/// The item that health writes to find out whether the table takes writes.
fn write_probe_key() -> Key {
    Key::new("HEALTH".to_owned(), "WRITE")
}
