//! The DynamoDB operations by name: the JSON of a request in, the JSON of its response out.
//!
//! Transactions that come again under their `ClientRequestToken` are carried out once, and answered as the first time.
//! dynoxide keeps tokens, too, but looks through those of the last ten minutes at every transaction, so that each one
//! costs more the more there were. Here a transaction costs the same however many were before.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use dynoxide::actions::transact_write_items::TransactWriteItemsRequest;
use dynoxide::{Database, DynoxideError};
use lru::LruCache;
use serde::Serialize;
use serde::de::DeserializeOwned;

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

/// How long a token means the same transaction (the DynamoDB developer guide, "Idempotency" of `TransactWriteItems`).
const KEPT: Duration = Duration::from_secs(10 * 60);
/// How many tokens are kept at most. The SDK repeats a call within seconds.
const MAX_TOKENS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(9_999);
/// The most bytes of a token; the database refuses a longer one.
const MAX_TOKEN_LENGTH: usize = 36;

/// A transaction that was carried out.
#[derive(Debug)]
struct Completed {
    at: Instant,
    /// Of the request.
    hash: u64,
    /// The JSON of the response.
    response: String,
}

/// The transactions of the last minutes by their token.
#[derive(Debug)]
pub(super) struct Transactions(LruCache<String, Completed>);

impl Transactions {
    /// None yet.
    pub(super) fn new() -> Self {
        Self(LruCache::new(MAX_TOKENS))
    }

    /// The response to `request`, whose JSON is `body`: that of the first time if it was carried out under its token,
    /// else that of `run`.
    ///
    /// # Errors
    /// Those of `run`; `IdempotentParameterMismatchException` if the token was used for another transaction.
    fn once(
        &mut self,
        mut request: TransactWriteItemsRequest,
        body: &[u8],
        run: impl FnOnce(TransactWriteItemsRequest) -> Result<String, DynoxideError>,
    ) -> Result<String, DynoxideError> {
        let kept = request.client_request_token.take_if(|token| token.len() <= MAX_TOKEN_LENGTH);
        let Some(token) = kept else { return run(request) };
        let hash = hash(body);
        match self.0.get(&token).filter(|before| before.at.elapsed() < KEPT) {
            Some(before) if before.hash == hash => return Ok(before.response.clone()),
            Some(_) => {
                let message = "The ClientRequestToken was used for another transaction.".to_owned();
                return Err(DynoxideError::IdempotentParameterMismatchException(message));
            }
            None => {}
        }
        let response = run(request)?;
        self.0.put(token, Completed { at: Instant::now(), hash, response: response.clone() });
        Ok(response)
    }
}

fn hash(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
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

    impl Transactions {
        fn write(&mut self, database: &Database, body: &[u8]) -> Result<String, DynoxideError> {
            let request = serde_json::from_slice(body).unwrap();
            self.once(request, body, |request| {
                database.transact_write_items(request).map(|done| serde_json::to_string(&done).unwrap())
            })
        }
    }

    fn table(database: &Database) {
        let request = json!({
            "TableName": "table", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        });
        database.create_table(serde_json::from_value(request).unwrap()).unwrap();
    }

    fn add_one(token: &str, by: u8) -> Vec<u8> {
        let update = json!({
            "TableName": "table", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "ADD n :by",
            "ExpressionAttributeValues": {":by": {"N": by.to_string()}},
        });
        json!({"TransactItems": [{"Update": update}], "ClientRequestToken": token}).to_string().into_bytes()
    }

    fn count(database: &Database) -> Value {
        let request = json!({"TableName": "table", "Key": {"pk": {"S": "a"}}});
        let found = database.get_item(serde_json::from_value(request).unwrap()).unwrap();
        serde_json::to_value(found).unwrap()["Item"]["n"]["N"].clone()
    }

    #[test]
    fn a_transaction_that_comes_again_is_carried_out_once_and_another_under_its_token_is_refused() {
        let database = Database::memory().unwrap();
        table(&database);
        let mut transactions = Transactions::new();
        let first = transactions.write(&database, &add_one("t1", 1)).unwrap();
        assert_eq!(transactions.write(&database, &add_one("t1", 1)).unwrap(), first);
        assert_eq!(count(&database), "1");
        let refused = transactions.write(&database, &add_one("t1", 2)).unwrap_err();
        assert!(refused.to_json().contains("IdempotentParameterMismatchException"), "{}", refused.to_json());
        transactions.write(&database, &add_one("t2", 2)).unwrap();
        assert_eq!(count(&database), "3");
    }

    #[test]
    fn a_token_that_is_too_long_is_refused() {
        let database = Database::memory().unwrap();
        table(&database);
        let refused = Transactions::new().write(&database, &add_one(&"t".repeat(37), 1)).unwrap_err();
        assert!(refused.to_json().contains("ValidationException"), "{}", refused.to_json());
        assert_eq!(count(&database), Value::Null);
    }

    #[test]
    fn a_transaction_that_failed_is_tried_again() {
        let database = Database::memory().unwrap();
        let mut transactions = Transactions::new();
        transactions.write(&database, &add_one("t1", 1)).unwrap_err();
        table(&database);
        transactions.write(&database, &add_one("t1", 1)).unwrap();
        assert_eq!(count(&database), "1");
    }
}
