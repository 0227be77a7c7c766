//! The table's schema, for local runs and tests; on AWS the template creates it.

use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
    ScalarAttributeType, StreamSpecification, StreamViewType, TimeToLiveSpecification,
};

use super::client::Store;
use super::table::unavailable;
use domain::{Error, Result};

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
