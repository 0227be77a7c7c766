//! The queues of the stack, and how their workers get messages.

use std::collections::BTreeMap;

use local::queues::MAX_RECEIVES;
use serde_json::{Value, json};

use super::document::{Function, functions, resources};

/// The logical id that a value refers to, by `Ref` or by an attribute.
fn referred(value: &Value) -> String {
    let text = value["Ref"].as_str().or(value["Fn::GetAtt"].as_str()).unwrap_or_default();
    text.split('.').next().unwrap_or_default().to_owned()
}

/// The queues that work is taken from, each with its dead letters.
fn queues() -> BTreeMap<String, (Value, Value)> {
    let all = resources("AWS::SQS::Queue");
    let with_dead = |(id, queue): (&String, &Value)| {
        let redrive = queue["Properties"].get("RedrivePolicy")?;
        let dead = all[&referred(&redrive["deadLetterTargetArn"])]["Properties"].clone();
        Some((id.clone(), (queue["Properties"].clone(), dead)))
    };
    all.iter().filter_map(with_dead).collect()
}

/// The functions that take from a queue, each with the event source and the queue's id.
fn takers() -> Vec<(Function, Value, String)> {
    let mut takers = Vec::new();
    for function in functions().into_values() {
        let sources: Vec<Value> = function.properties["Events"].as_object().unwrap().values().cloned().collect();
        for source in sources.into_iter().filter(|source| source["Type"] == "SQS") {
            let queue = referred(&source["Properties"]["Queue"]);
            let function = functions().remove(&function.name).unwrap();
            takers.push((function, source["Properties"].clone(), queue));
        }
    }
    takers
}

#[test]
fn a_message_received_five_times_is_kept_for_two_weeks() {
    let queues = queues();
    assert_eq!(queues.keys().collect::<Vec<_>>(), ["EmbeddingQueue", "IngestQueue", "WebhookQueue"]);
    assert_eq!(resources("AWS::SQS::Queue").len(), queues.len() * 2, "a queue without dead letters");
    for (id, (queue, dead)) in queues {
        assert_eq!(queue["RedrivePolicy"]["maxReceiveCount"], MAX_RECEIVES, "{id}");
        assert_eq!(queue["MessageRetentionPeriod"], 4 * 24 * 60 * 60, "{id}");
        assert_eq!(dead["MessageRetentionPeriod"], 14 * 24 * 60 * 60, "{id}");
        assert_eq!(
            (&queue["SqsManagedSseEnabled"], &dead["SqsManagedSseEnabled"]),
            (&json!(true), &json!(true)),
            "{id}"
        );
        assert!(queue.get("QueueName").is_none() && queue.get("FifoQueue").is_none(), "{id}");
    }
}

/// A misspelled property passes every linter, so the whole list is here.
#[test]
fn a_worker_has_six_times_its_own_time_and_names_what_failed() {
    for (function, mut source, queue) in takers() {
        let name = &function.name;
        let hidden = queues()[&queue].0["VisibilityTimeout"].as_u64().unwrap();
        assert!(hidden >= 6 * function.properties["Timeout"].as_u64().unwrap(), "{name}");
        let source = source.as_object_mut().unwrap();
        source.remove("Queue");
        let at_once = source.remove("ScalingConfig").unwrap()["MaximumConcurrency"].as_u64().unwrap();
        assert!((2..=1_000).contains(&at_once), "{name}");
        // An ingest job may take all of the function's time and memory, so it comes alone.
        let batch = if name == "ingest-worker" { 1 } else { 10 };
        let expected = json!({"BatchSize": batch, "FunctionResponseTypes": ["ReportBatchItemFailures"]});
        assert_eq!(Value::Object(source.clone()), expected, "{name}");
    }
}

/// A message that ends its worker each time is out of the way while the queue still keeps it.
#[test]
fn a_message_that_ends_its_worker_lies_among_the_dead_letters_within_a_day() {
    for (function, _, queue) in takers() {
        let (queue, _) = &queues()[&queue];
        let receives = queue["RedrivePolicy"]["maxReceiveCount"].as_u64().unwrap();
        let seconds = receives * queue["VisibilityTimeout"].as_u64().unwrap();
        assert!(seconds <= 24 * 60 * 60, "{}: {seconds} s", function.name);
        assert!(queue["MessageRetentionPeriod"].as_u64().unwrap() > seconds, "{}", function.name);
        // Whoever takes a job that many times gives it up; a message must not come more often than that for nothing.
        assert!(receives <= u64::from(domain::models::IngestJob::MAX_ATTEMPTS), "{}", function.name);
    }
}

#[test]
fn alarms_exist_for_dead_letters_and_stalled_queues() {
    let alarms = resources("AWS::CloudWatch::Alarm");
    let watches = |metric: &str, queue: &str| {
        alarms.values().map(|alarm| &alarm["Properties"]).any(|alarm| {
            alarm["Namespace"] == "AWS/SQS"
                && alarm["MetricName"] == metric
                && alarm["Dimensions"][0]["Name"] == "QueueName"
                && referred(&alarm["Dimensions"][0]["Value"]) == queue
        })
    };
    for (id, (queue, _)) in queues() {
        let dead = referred(&queue["RedrivePolicy"]["deadLetterTargetArn"]);
        assert!(watches("ApproximateNumberOfMessagesVisible", &dead), "{id}");
        assert!(watches("ApproximateAgeOfOldestMessage", &id), "{id}");
    }
}
