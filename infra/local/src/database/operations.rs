//! The DynamoDB operations by name: the JSON of a request in, the JSON of its response out.

use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::transactions::Transactions;

#[derive(Debug)]
pub(crate) struct OperationOutput {
    /// The HTTP status.
    pub(crate) status: u16,
    /// The JSON body.
    pub(crate) body: String,
}

impl OperationOutput {
    /// A failure that a repetition may overcome.
    pub(super) fn internal_error() -> Self {
        Self { status: 500, body: r#"{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}"#.into() }
    }
}

/// Executes `operation` on `database`.
pub(super) fn execute(
    database: &Database,
    transactions: &mut Transactions,
    operation: &str,
    body: &[u8],
) -> OperationOutput {
    let answer = match operation {
        "TransactWriteItems" => parse(body).and_then(|request| {
            transactions.once(request, body, |request| render(&database.transact_write_items(request)?))
        }),
        _ => answer(database, operation, body),
    };
    match answer {
        Ok(body) => OperationOutput { status: 200, body },
        Err(error) => OperationOutput { status: error.status_code(), body: error.to_json() },
    }
}

/// Whether `operation` changes nothing.
pub(super) fn is_read(operation: &str) -> bool {
    ["Get", "Query", "Scan", "BatchGet", "TransactGet", "List", "Describe"]
        .iter()
        .any(|read| operation.starts_with(read))
}

fn answer(database: &Database, operation: &str, body: &[u8]) -> Result<String, DynoxideError> {
    match operation {
        "PutItem" => call(body, |request| database.put_item(request)),
        "GetItem" => call(body, |request| database.get_item(request)),
        "UpdateItem" => call(body, |request| database.update_item(request)),
        "DeleteItem" => call(body, |request| database.delete_item(request)),
        "Query" => call(body, |request| database.query(request)),
        "Scan" => call(body, |request| database.scan(request)),
        "BatchGetItem" => call(body, |request| database.batch_get_item(request)),
        "BatchWriteItem" => call(body, |request| database.batch_write_item(request)),
        "TransactGetItems" => call(body, |request| database.transact_get_items(request)),
        "ListStreams" => call(body, |request| database.list_streams(request)),
        "DescribeStream" => call(body, |request| database.describe_stream(request)),
        "GetShardIterator" => call(body, |request| database.get_shard_iterator(request)),
        "GetRecords" => call(body, |request| database.get_records(request)),
        "CreateTable" => call(body, |request| database.create_table(request)),
        "DescribeTable" => call(body, |request| database.describe_table(request)),
        "ListTables" => call(body, |request| database.list_tables(request)),
        "UpdateTimeToLive" => call(body, |request| database.update_time_to_live(request)),
        "DescribeTimeToLive" => call(body, |request| database.describe_time_to_live(request)),
        unknown => Err(DynoxideError::ValidationException(format!("{unknown} is not an operation of this database"))),
    }
}

fn call<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    run: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Result<String, DynoxideError> {
    render(&run(parse(body)?)?)
}

/// The request in a body.
fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, DynoxideError> {
    serde_json::from_slice(body).map_err(|e| DynoxideError::ValidationException(e.to_string()))
}

/// The body of a response.
fn render<A: Serialize>(answer: &A) -> Result<String, DynoxideError> {
    serde_json::to_string(answer).map_err(|e| DynoxideError::InternalServerError(e.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn call_operation(database: &Database, operation: &str, body: &Value) -> (u16, Value) {
        let answer = execute(database, &mut Transactions::new(), operation, body.to_string().as_bytes());
        (answer.status, serde_json::from_str(&answer.body).unwrap())
    }

    #[test]
    fn an_item_that_is_put_is_found_and_a_condition_that_does_not_hold_shows_it() {
        let database = Database::memory().unwrap();
        let table = json!({
            "TableName": "table", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        assert_eq!(call_operation(&database, "CreateTable", &table).0, 200);
        let item = json!({"pk": {"S": "a"}, "n": {"N": "1"}});
        assert_eq!(
            call_operation(&database, "PutItem", &json!({"TableName": "table", "Item": item})),
            (200, json!({}))
        );
        let found = call_operation(&database, "GetItem", &json!({"TableName": "table", "Key": {"pk": {"S": "a"}}}));
        assert_eq!(found, (200, json!({"Item": item})));
        let again = json!({
            "TableName": "table", "Item": item, "ConditionExpression": "attribute_not_exists(pk)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        });
        let (status, refused) = call_operation(&database, "PutItem", &again);
        assert_eq!((status, &refused["Item"]), (400, &item), "{refused}");
        assert!(refused["__type"].as_str().unwrap().ends_with("#ConditionalCheckFailedException"), "{refused}");
    }

    #[test]
    fn an_invalid_request_to_the_table_is_refused() {
        let database = Database::memory().unwrap();
        for (operation, body) in [("PutItem", "{"), ("PutItem", "{}"), ("GetItem", "[]"), ("Format", "{}"), ("", "")] {
            let answer = execute(&database, &mut Transactions::new(), operation, body.as_bytes());
            assert_eq!(answer.status, 400, "{operation} {body}: {}", answer.body);
        }
    }
}
