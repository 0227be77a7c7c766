//! `doctor`: looks for known faults, and says what to do about each. [`service`] has the checks of every service; those of a
//! deployed stack, which are what AWS says of it, are here.

mod service;

use aws::config::{Config, ModelChoice};
use domain::Result;
use serde_json::json;
use support::edge::ClientProvider;

use crate::output::{Report, table};
use crate::stack::Stack;
use crate::target::Target;
use service::Outcome;

pub(crate) async fn run(target: &Target) -> Report {
    let mut checks = service::checks(target).await;
    if let Target::Stack(stack) = target {
        checks.extend(stack_checks(stack, target.config()).await);
    }
    let (mut rows, mut items, mut problems) = (Vec::new(), Vec::new(), 0);
    for (name, outcome) in &checks {
        let (status, found, advice) = match outcome {
            Outcome::Fine(found) => ("ok", found.as_str(), None),
            Outcome::Problem { found, advice } => ("problem", found.as_str(), Some(advice.as_str())),
            Outcome::Skipped(why) => ("skipped", *why, None),
        };
        problems += usize::from(advice.is_some());
        rows.push(vec![(*name).to_owned(), status.to_owned(), found.to_owned()]);
        rows.extend(advice.map(|advice| vec![String::new(), "do".to_owned(), advice.to_owned()]));
        items.push(json!({"check": name, "status": status, "found": found, "advice": advice}));
    }
    let text = format!("{}\n{problems} problems", table(&["check", "status", "found"], &rows));
    Report::new(text, json!({"checks": items, "problems": problems})).found(problems > 0)
}

/// How far the stream's reader may be behind, in milliseconds.
const MAX_LAG_MS: f64 = 60_000.0;
/// How many executions at a time an account should allow.
const MIN_CONCURRENCY: u64 = 100;

async fn stack_checks(stack: &Stack, config: &Config) -> [(&'static str, Outcome); 5] {
    [
        ("rights", checked(rights(stack, config).await, "allow iam:SimulatePrincipalPolicy")),
        ("scheduler", checked(scheduler(stack).await, "allow scheduler:GetSchedule")),
        ("stream", checked(stream(stack).await, "allow cloudwatch:GetMetricStatistics")),
        ("quota", checked(quota(stack).await, "allow lambda:GetAccountSettings")),
        ("alarms", checked(alarms(stack).await, "allow sns:ListSubscriptionsByTopic")),
    ]
}

fn checked(outcome: Result<Outcome>, advice: &str) -> Outcome {
    outcome.unwrap_or_else(|error| Outcome::unanswered(&error, advice))
}

async fn scheduler(stack: &Stack) -> Result<Outcome> {
    let path = format!("/schedules/{}", stack.resource("SweeperFunctionEveryMinute")?);
    let schedule = stack.query.get_json("scheduler", &path).await?;
    Ok(match schedule.get("State").and_then(serde_json::Value::as_str) {
        Some("ENABLED") => Outcome::Fine("the sweeper's schedule is enabled".into()),
        state => Outcome::problem(
            format!("the sweeper's schedule is {}", state.unwrap_or("of no state")),
            "enable it in EventBridge Scheduler",
        ),
    })
}

async fn stream(stack: &Stack) -> Result<Outcome> {
    let now = stack.clients.runtime().now();
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
    let answer = stack.query.call("cloudwatch", "2010-08-01", "GetMetricStatistics", &parameters).await?;
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
    let settings = stack.query.get_json("lambda", "/2016-08-19/account-settings").await?;
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
    let answer = stack.query.call("sns", "2010-03-31", "ListSubscriptionsByTopic", &[("TopicArn", topic)]).await?;
    let subscriptions = answer.elements("Subscriptions");
    let is_pending = |arn: &String| arn == "PendingConfirmation";
    let pending = subscriptions.iter().filter(|it| it.get("SubscriptionArn").is_some_and(is_pending));
    let waiting: Vec<_> = pending.filter_map(|subscription| subscription.get("Endpoint").cloned()).collect();
    Ok(match (subscriptions.is_empty(), waiting.is_empty()) {
        (true, _) => Outcome::problem("nobody gets the alarms", "set AlarmEmail, or subscribe to the alarm topic"),
        (false, false) => Outcome::problem(
            format!("{} has not confirmed the subscription", waiting.join(", ")),
            "open AWS's e-mail at that address and confirm it; without it no alarm arrives",
        ),
        (false, true) => Outcome::Fine(format!("{} addresses get them", subscriptions.len())),
    })
}

/// Functions that only read the table, but for items of some keys.
const READERS: [&str; 2] = ["AnalyticsFunction", "HealthFunction"];
/// The function that makes and deletes API keys.
const WRITER_OF_KEYS: &str = "AuthFunction";
/// The secret that this function alone may read.
const DESK_KEY: &str = "DeskKeySecret";
const SEARCHING: [&str; 3] = ["SessionsFunction", "InboxFunction", "WikiFunction"];
const INDEXING: [&str; 5] =
    ["WikiFunction", "ChangesFunction", "IngestWorkerFunction", "EmbeddingWorkerFunction", "SweeperFunction"];
const OF_MODEL: [&str; 4] = ["SessionsFunction", "InboxFunction", "IngestWorkerFunction", "SweeperFunction"];
const OF_EMBEDDINGS: [&str; 5] =
    ["SessionsFunction", "InboxFunction", "HealthFunction", "EmbeddingWorkerFunction", "SweeperFunction"];
/// The functions that send, each with its queue.
const SENDING: [(&str, &str); 5] = [
    ("IngestFunction", "IngestQueue"),
    ("ChangesFunction", "WebhookQueue"),
    ("ChangesFunction", "EmbeddingQueue"),
    ("WebhooksFunction", "WebhookQueue"),
    ("SweeperFunction", "WebhookQueue"),
];
/// The functions that use the key of webhook secrets, and how.
const OF_SECRETS: [(&str, &str); 3] = [
    ("WebhooksFunction", "kms:GenerateDataKey"),
    ("WebhooksFunction", "kms:Decrypt"),
    ("WebhookWorkerFunction", "kms:Decrypt"),
];
/// The functions that write to folders of the dead-letter bucket. Lambda writes to `aws/lambda` with the role of `changes`.
const OF_DEAD_LETTERS: [(&str, &str); 6] = [
    ("ChangesFunction", "changes"),
    ("ChangesFunction", "aws/lambda"),
    ("SweeperFunction", "changes"),
    ("SweeperFunction", "due"),
    ("SweeperFunction", "replay"),
    ("SweeperFunction", "unreadable"),
];

/// Function, action and resource.
type Need = (String, &'static str, String);

/// Whether the functions' roles allow what each needs first, and deny what none but `auth` may, as IAM simulates it. A
/// boundary or a policy of the organization can deny what the template allows; a role that was changed by hand, or is of
/// an earlier version, can allow what it denies.
async fn rights(stack: &Stack, config: &Config) -> Result<Outcome> {
    let mut wrong = Vec::new();
    for (function, action, resource) in needs(stack, config)? {
        if decision(stack, &function, action, &resource, None).await?.is_some_and(|decision| decision != "allowed") {
            wrong.push(format!("{function} may not {action} on {resource}"));
        }
    }
    let table = stack.arn("dynamodb", &format!("table/{}", config.table_name));
    for (function, _) in stack.functions().filter(|(function, _)| *function != WRITER_OF_KEYS) {
        let made = decision(stack, function, "dynamodb:PutItem", &table, Some("KEY#doctor")).await?;
        if made.is_some_and(|decision| decision == "allowed") {
            wrong.push(format!("{function} may write API keys"));
        }
        let secret = stack.resource(DESK_KEY)?;
        let read = decision(stack, function, "secretsmanager:GetSecretValue", secret, None).await?;
        if read.is_some_and(|decision| decision == "allowed") {
            wrong.push(format!("{function} may read the key of desk tokens"));
        }
    }
    Ok(match wrong.is_empty() {
        true => Outcome::Fine("the roles allow what each function needs first, and only auth writes API keys and reads the key of desk tokens".into()),
        false => Outcome::problem(
            wrong.join("; "),
            "deploy the template again; if a boundary or a policy of the organization denies it, allow it there",
        ),
    })
}

/// IAM's decision about a call of a function, with the partition key of the item if it asks for one. None for a
/// function of another version of the template, which has no role of this name.
async fn decision(
    stack: &Stack,
    function: &str,
    action: &str,
    resource: &str,
    leading_key: Option<&str>,
) -> Result<Option<String>> {
    let Ok(role) = stack.resource(&format!("{function}Role")) else { return Ok(None) };
    let role = stack.global_arn("iam", &format!("role/{role}"));
    let mut parameters =
        vec![("PolicySourceArn", role.as_str()), ("ActionNames.member.1", action), ("ResourceArns.member.1", resource)];
    if let Some(key) = leading_key {
        parameters.extend([
            ("ContextEntries.member.1.ContextKeyName", "dynamodb:LeadingKeys"),
            ("ContextEntries.member.1.ContextKeyType", "stringList"),
            ("ContextEntries.member.1.ContextKeyValues.member.1", key),
        ]);
    }
    let answer = stack.query.call("iam", "2010-05-08", "SimulatePrincipalPolicy", &parameters).await?;
    Ok(Some(answer.text("EvalDecision").unwrap_or_default()))
}

fn needs(stack: &Stack, config: &Config) -> Result<Vec<Need>> {
    let functions: Vec<&str> = stack.functions().map(|(function, _)| function).collect();
    let table = stack.arn("dynamodb", &format!("table/{}", config.table_name));
    let queue =
        |name: &str| stack.resource(name).map(|url| stack.arn("sqs", url.rsplit('/').next().unwrap_or_default()));
    let mut needs = Vec::new();
    let mut need = |function: &str, action: &'static str, resource: &str| {
        needs.push((function.to_owned(), action, resource.to_owned()));
    };
    for function in &functions {
        need(function, "dynamodb:GetItem", &table);
        if !READERS.contains(function) {
            need(function, "dynamodb:PutItem", &table);
        }
    }
    for secret in ["WidgetTokenSecret", DESK_KEY] {
        need("AuthFunction", "secretsmanager:GetSecretValue", stack.resource(secret)?);
    }
    // Without an address the desk has no client, and `auth` invites nobody.
    if let (Ok(pool), Ok(_)) = (stack.resource("UserPool"), stack.resource("DeskClient")) {
        for action in ["cognito-idp:AdminCreateUser", "cognito-idp:AdminDeleteUser"] {
            need("AuthFunction", action, &stack.arn("cognito-idp", &format!("userpool/{pool}")));
        }
    }
    for (function, name) in SENDING {
        need(function, "sqs:SendMessage", &queue(name)?);
    }
    let key = stack.arn("kms", &format!("key/{}", stack.resource("SecretsKey")?));
    for (function, action) in OF_SECRETS {
        need(function, action, &key);
    }
    let bucket = stack.resource("DeadLetterBucket")?;
    for (function, folder) in OF_DEAD_LETTERS {
        need(function, "s3:PutObject", &stack.bucket_arn(&format!("{bucket}/{folder}/doctor.json")));
    }
    if let Some(domain) = &config.search_domain {
        let index = stack.arn("es", &format!("domain/{domain}/{}", config.search_index));
        for function in SEARCHING {
            need(function, "es:ESHttpPost", &format!("{index}/_msearch"));
        }
        for function in INDEXING {
            need(function, "es:ESHttpPost", &format!("{index}/_doc/doctor"));
        }
    }
    if matches!(config.model, ModelChoice::Bedrock { .. }) {
        for model in stack.parameter("ModelArns").split(',').filter(|arn| !arn.is_empty()) {
            for function in OF_MODEL {
                need(function, "bedrock:InvokeModel", model);
            }
        }
    }
    if let ModelChoice::Bedrock { id } = &config.embedding {
        for function in OF_EMBEDDINGS {
            need(function, "bedrock:InvokeModel", &stack.public_arn("bedrock", &format!("foundation-model/{id}")));
        }
    }
    Ok(needs)
}
