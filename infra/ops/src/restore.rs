//! `restore`: the stack's table as it was at a moment, under a new name.

use std::time::Duration;

use aws::sdk_error;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::primitives::DateTime;
use aws_sdk_dynamodb::types::{
    PointInTimeRecoverySpecification, StreamSpecification, StreamViewType, TableDescription, TableStatus,
    TimeToLiveSpecification,
};
use domain::models::Timestamp;
use domain::{Error, Result};
use serde_json::json;
use support::edge::ClientProvider;

use crate::output::{Failure, Progress, Report};
use crate::stack::Stack;
use crate::target::Target;

/// How often AWS is asked whether the table is there.
const INTERVAL: Duration = Duration::from_secs(2);

pub(crate) async fn run(target: &Target, at: Option<Timestamp>, new_name: &str, yes: bool) -> Result<Report, Failure> {
    let Target::Stack(stack) = target else {
        return Err(Failure::usage("restore needs --stack: copy the data folder of a stopped local service instead"));
    };
    let source = target.config().table_name.clone();
    let moment = at.map_or_else(|| "the latest moment".to_owned(), |at| at.to_string());
    let json = json!({"source": source, "table": new_name, "at": at});
    if !yes {
        return Ok(Report::dry_run(format!("would restore {source} as of {moment} as {new_name}"), json));
    }
    let stream = restore(stack, &source, new_name, at).await?;
    let text = format!(
        "restored {source} as of {moment} as {new_name}, with stream, time to live, point-in-time recovery and deletion \
         protection\nNext: compare it, deploy with RestoredTableStreamArn={stream}, then `ops reindex` each tenant."
    );
    Ok(Report::new(text, json!({"source": source, "table": new_name, "at": at, "streamArn": stream})))
}

/// A restored table has no stream, no time to live, no recovery and no protection: they are switched on again. Returns
/// the ARN of the stream.
async fn restore(stack: &Stack, source: &str, new_name: &str, at: Option<Timestamp>) -> Result<String> {
    let client = Client::new(&stack.sdk);
    let request = client.restore_table_to_point_in_time().source_table_name(source).target_table_name(new_name);
    let request = match at {
        Some(at) => request.restore_date_time(DateTime::from_millis(at.as_millis())),
        None => request.use_latest_restorable_time(true),
    };
    match request.send().await {
        // A repetition continues with the table that it began.
        Err(e) if e.code() == Some("TableAlreadyExistsException") => {}
        other => other.map(drop).map_err(failed("restore"))?,
    }
    wait_until_active(&client, new_name).await?;
    let stream = StreamSpecification::builder().stream_enabled(true).stream_view_type(StreamViewType::NewAndOldImages);
    let stream = stream.build().map_err(|e| Error::internal(e.to_string()))?;
    let request = client.update_table().table_name(new_name).stream_specification(stream);
    match request.send().await {
        Err(e) if e.message().is_some_and(|message| message.contains("already has an enabled stream")) => {}
        other => other.map(drop).map_err(failed("enable the stream"))?,
    }
    let described = wait_until_active(&client, new_name).await?;
    let stream = described.latest_stream_arn.ok_or_else(|| Error::internal("the restored table has no stream"))?;
    let ttl = TimeToLiveSpecification::builder().attribute_name("ttl").enabled(true);
    let ttl = ttl.build().map_err(|e| Error::internal(e.to_string()))?;
    match client.update_time_to_live().table_name(new_name).time_to_live_specification(ttl).send().await {
        Err(e) if e.message().is_some_and(|message| message.contains("already enabled")) => {}
        other => other.map(drop).map_err(failed("enable time to live"))?,
    }
    let recovery = PointInTimeRecoverySpecification::builder().point_in_time_recovery_enabled(true);
    let recovery = recovery.build().map_err(|e| Error::internal(e.to_string()))?;
    let request = client.update_continuous_backups().table_name(new_name);
    let request = request.point_in_time_recovery_specification(recovery).send().await;
    request.map(drop).map_err(failed("enable point-in-time recovery"))?;
    let request = client.update_table().table_name(new_name).deletion_protection_enabled(true).send().await;
    request.map_err(failed("protect the table"))?;
    Ok(stream)
}

async fn wait_until_active(client: &Client, table: &str) -> Result<TableDescription> {
    let progress = Progress::new("checks whether the table is there");
    let mut checks = 0;
    loop {
        let answer = client.describe_table().table_name(table).send().await.map_err(failed("describe"))?;
        match answer.table {
            Some(described) if described.table_status == Some(TableStatus::Active) => return Ok(described),
            _ => checks += 1,
        }
        progress.set(checks);
        tokio::time::sleep(INTERVAL).await;
    }
}

fn failed<E, R>(call: &'static str) -> impl FnOnce(SdkError<E, R>) -> Error
where
    E: ProvideErrorMetadata + std::error::Error + Send + Sync + 'static,
    R: std::fmt::Debug + Send + Sync + 'static,
{
    move |error| Error::unavailable(format!("{call}: {}", sdk_error::describe(&error)))
}
