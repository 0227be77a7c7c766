//! How the changes function reads the table's stream, and where dead letters are stored.

use serde_json::{Value, json};
use support::table::stream::CONSUMED_KINDS;

use super::document::{functions, resources};

fn event_source() -> Value {
    let changes = &functions()["changes"].properties["Events"];
    let events = changes.as_object().unwrap();
    assert_eq!(events.len(), 1);
    let event = events.values().next().unwrap();
    assert_eq!(event["Type"], "DynamoDB");
    event["Properties"].clone()
}

/// A misspelled property passes every linter, so the whole list is here.
#[test]
fn the_stream_is_read_so_that_one_bad_record_neither_blocks_nor_is_lost() {
    let mut source = event_source();
    let filters = source.as_object_mut().unwrap().remove("FilterCriteria").unwrap();
    assert_eq!(filters["Filters"].as_array().unwrap().len(), 1);
    let expected = json!({
        "Stream": {"Fn::If": ["HasRestoredTable", {"Ref": "RestoredTableStreamArn"}, {"Fn::GetAtt": "Table.StreamArn"}]},
        "StartingPosition": "TRIM_HORIZON",
        "BatchSize": 100,
        "MaximumBatchingWindowInSeconds": 1,
        "ParallelizationFactor": 4,
        "BisectBatchOnFunctionError": true,
        "FunctionResponseTypes": ["ReportBatchItemFailures"],
        "MetricsConfig": {"Metrics": ["EventCount"]},
        "MaximumRetryAttempts": 10,
        "MaximumRecordAgeInSeconds": 21600,
        "DestinationConfig": {"OnFailure": {"Destination": {"Fn::GetAtt": "DeadLetterBucket.Arn"}}},
    });
    assert_eq!(source, expected);
}

/// The least time in which a record that ends its function each time is out of the way, from the template's numbers.
#[test]
fn a_record_that_ends_its_function_is_alone_and_kept_long_before_it_is_too_old() {
    let source = event_source();
    let number = |name: &str| source[name].as_u64().unwrap();
    let function_seconds = functions()["changes"].properties["Timeout"].as_u64().unwrap();
    assert_eq!(source["BisectBatchOnFunctionError"], true);
    // Halves until the record is alone; splitting uses up no retry of the record itself.
    let splits = u64::from(number("BatchSize").next_power_of_two().ilog2());
    let runs = splits + 1 + number("MaximumRetryAttempts");
    assert!(runs <= 20, "{runs} runs of the function for one record");
    // Between tries Lambda waits up to a minute, so count each run twice.
    assert!(2 * runs * function_seconds < number("MaximumRecordAgeInSeconds"), "it would be lost by its age");
    assert!(source["DestinationConfig"]["OnFailure"]["Destination"].is_object(), "it would be dropped");
}

#[test]
fn only_what_something_follows_from_comes_back() {
    let pattern = event_source()["FilterCriteria"]["Filters"][0]["Pattern"].as_str().unwrap().to_owned();
    let pattern: Value = serde_json::from_str(&pattern).unwrap();
    assert_eq!(pattern, json!({"dynamodb": {"NewImage": {"kind": {"S": CONSUMED_KINDS}}}}));
}

#[test]
fn dead_letters_are_private_encrypted_expire_and_raise_an_alarm() {
    let buckets = resources("AWS::S3::Bucket");
    let bucket = &buckets["DeadLetterBucket"];
    let properties = &bucket["Properties"];
    assert!(properties.get("BucketName").is_none());
    assert!(properties["PublicAccessBlockConfiguration"].as_object().unwrap().values().all(|blocked| *blocked == true));
    assert!(properties["BucketEncryption"]["ServerSideEncryptionConfiguration"][0].is_object());
    assert_eq!(properties["LifecycleConfiguration"]["Rules"][0]["ExpirationInDays"], 30);
    let policy = &resources("AWS::S3::BucketPolicy")["DeadLetterPolicy"];
    assert_eq!(
        (&policy["DeletionPolicy"], &policy["UpdateReplacePolicy"]),
        (&bucket["DeletionPolicy"], &bucket["UpdateReplacePolicy"])
    );
    assert_eq!(policy["Properties"]["Bucket"]["Ref"], "DeadLetterBucket");
    let without_tls = json!([{
        "Sid": "RefuseWithoutTls", "Effect": "Deny", "Principal": "*", "Action": "s3:*",
        "Resource": [{"Fn::GetAtt": "DeadLetterBucket.Arn"}, {"Fn::Sub": "${DeadLetterBucket.Arn}/*"}],
        "Condition": {"Bool": {"aws:SecureTransport": "false"}},
    }]);
    assert_eq!(policy["Properties"]["PolicyDocument"]["Statement"], without_tls);
    let watched: String = resources("AWS::CloudWatch::Alarm").values().map(Value::to_string).collect();
    for metric in ["ChangesDeadLettered", "DueItemsDeadLettered", "IteratorAge"] {
        assert!(watched.contains(&format!("\"MetricName\":\"{metric}\"")), "no alarm watches {metric}");
    }
}
