//! Transactions that come again under their `ClientRequestToken`: carried out once, answered as the first time.
//!
//! dynoxide keeps tokens, too, but looks through those of the last ten minutes at every transaction, so that each one
//! costs more the more there were. Here a transaction costs the same however many were before.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use dynoxide::DynoxideError;
use dynoxide::actions::transact_write_items::TransactWriteItemsRequest;
use lru::LruCache;

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
    pub(super) fn once(
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
    use dynoxide::Database;
    use serde_json::{Value, json};

    use super::*;

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
