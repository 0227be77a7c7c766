//! Checks of a deployed stack only: what AWS says of it.

use aws::config::Config;
use domain::Result;

use super::outcome::{Check, Outcome};
use super::rights;
use crate::clients::Stack;

/// How far the stream's reader may be behind, in milliseconds.
const MAX_LAG_MS: f64 = 60_000.0;
/// How many executions at a time an account should allow.
const MIN_CONCURRENCY: u64 = 100;

pub(super) async fn all(stack: &Stack, config: &Config) -> Vec<Check> {
    vec![
        Check {
            name: "rights",
            outcome: checked(rights::check(stack, config).await, "allow iam:SimulatePrincipalPolicy"),
        },
        Check { name: "scheduler", outcome: checked(scheduler(stack).await, "allow scheduler:GetSchedule") },
        Check { name: "stream", outcome: checked(stream(stack).await, "allow cloudwatch:GetMetricStatistics") },
        Check { name: "quota", outcome: checked(quota(stack).await, "allow lambda:GetAccountSettings") },
        Check { name: "alarms", outcome: checked(alarms(stack).await, "allow sns:ListSubscriptionsByTopic") },
    ]
}

fn checked(outcome: Result<Outcome>, advice: &str) -> Outcome {
    outcome.unwrap_or_else(|error| Outcome::unanswered(&error, advice))
}

async fn scheduler(stack: &Stack) -> Result<Outcome> {
    let path = format!("/schedules/{}", stack.resource("SweeperFunctionEveryMinute")?);
    let schedule = stack.query().get_json("scheduler", &path).await?;
    Ok(match schedule.get("State").and_then(serde_json::Value::as_str) {
        Some("ENABLED") => Outcome::Fine("the sweeper's schedule is enabled".into()),
        state => Outcome::problem(
            format!("the sweeper's schedule is {}", state.unwrap_or("of no state")),
            "enable it in EventBridge Scheduler",
        ),
    })
}

async fn stream(stack: &Stack) -> Result<Outcome> {
    let now = stack.now();
    let (start, end) = (now.plus_millis(-15 * 60_000).to_string(), now.to_string());
    let parameters = [
        ("Namespace", "AWS/Lambda"),
        ("MetricName", "IteratorAge"),
        ("Dimensions.member.1.Name", "FunctionName"),
        ("Dimensions.member.1.Value", stack.resource("ChangesFunction")?),
        ("StartTime", &start),
        ("EndTime", &end),
        ("Period", "60"),
        ("Statistics.member.1", "Maximum"),
    ];
    let answer = stack.query().call("cloudwatch", "2010-08-01", "GetMetricStatistics", &parameters).await?;
    let mut points = answer.elements("Datapoints");
    points.sort_by(|a, b| a.get("Timestamp").cmp(&b.get("Timestamp")));
    let latest = points.last().and_then(|point| point.get("Maximum")?.parse::<f64>().ok());
    Ok(match latest {
        None => Outcome::Fine("no change in the last 15 minutes".into()),
        Some(age) if age > MAX_LAG_MS => Outcome::problem(
            format!("changes are handled {:.0} seconds late", age / 1_000.0),
            "look at the errors and throttles of the changes function: index, events and figures are as old",
        ),
        Some(age) => Outcome::Fine(format!("changes are handled after {age:.0} ms")),
    })
}

async fn quota(stack: &Stack) -> Result<Outcome> {
    let settings = stack.query().get_json("lambda", "/2016-08-19/account-settings").await?;
    let limit = settings.pointer("/AccountLimit/ConcurrentExecutions").and_then(serde_json::Value::as_u64);
    Ok(match limit {
        Some(limit) if limit < MIN_CONCURRENCY => Outcome::problem(
            format!("the account allows {limit} executions at a time"),
            "ask AWS for a higher quota of concurrent executions (Service Quotas, AWS Lambda)",
        ),
        Some(limit) => Outcome::Fine(format!("the account allows {limit} executions at a time")),
        None => Outcome::problem("AWS did not say the account's limit", "repeat it later"),
    })
}

async fn alarms(stack: &Stack) -> Result<Outcome> {
    let topic = stack.resource("AlarmTopic")?;
    let answer = stack.query().call("sns", "2010-03-31", "ListSubscriptionsByTopic", &[("TopicArn", topic)]).await?;
    let subscriptions = answer.elements("Subscriptions");
    let pending = |subscription: &&std::collections::BTreeMap<String, String>| {
        subscription.get("SubscriptionArn").is_some_and(|arn| arn == "PendingConfirmation")
    };
    let waiting: Vec<_> =
        subscriptions.iter().filter(pending).filter_map(|subscription| subscription.get("Endpoint").cloned()).collect();
    Ok(match (subscriptions.is_empty(), waiting.is_empty()) {
        (true, _) => Outcome::problem("nobody gets the alarms", "set AlarmEmail, or subscribe to the alarm topic"),
        (false, false) => Outcome::problem(
            format!("{} has not confirmed the subscription", waiting.join(", ")),
            "open AWS's e-mail at that address and confirm it; without it no alarm arrives",
        ),
        (false, true) => Outcome::Fine(format!("{} addresses get them", subscriptions.len())),
    })
}
