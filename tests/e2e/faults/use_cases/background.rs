//! Use cases of the sweeper.

use std::sync::Arc;

use serde_json::json;

use super::super::run::Run;
use super::conversation::roles;
use super::inbox::waiting;
use crate::changes::outage::{CrashingFunction, batch_of_lambda, of_event};

const HOUR_MS: i64 = 3_600_000;

pub(super) async fn changes_that_lambda_gave_up_on_are_replayed(run: &Run<'_>) {
    let (service, bucket) = (&run.world.service, &run.world.bucket);
    let mut sessions = Vec::new();
    for _ in 0..3 {
        sessions.push(run.customer().session().await);
    }
    service.drain().await;
    let (killer, scope) = (sessions[1].clone(), run.scope());
    let records = service.stream_records().await;
    let of_sessions = |record: &&support::table::stream::Record| {
        record.kind() == "session" && sessions.iter().any(|id| format!("{:?}", record.keys).contains(id.as_str()))
    };
    let batch: Vec<_> = records.iter().filter(of_sessions).map(of_event).collect();
    assert_eq!(batch.len(), 3);
    bucket.put(&format!("aws/lambda/u/s/{}", scope.tenant), batch_of_lambda(&batch));
    let function = Arc::new(CrashingFunction { state: service.changes().await, killer: killer.clone() });
    let sweeper = service.sweeper().await.with_changes_function(function);
    run.sweep_during_faults(&sweeper).await;
    for _ in 0..6 {
        service.clock.advance(HOUR_MS);
        support::sweeper::sweep(&sweeper).await.unwrap();
    }
    service.drain().await;
    let objects = bucket.objects();
    let of_run: Vec<&String> = objects
        .iter()
        .filter(|(_, content)| sessions.iter().any(|id| String::from_utf8_lossy(content).contains(id.as_str())))
        .map(|(name, _)| name)
        .collect();
    assert!(of_run.len() == 1 && of_run[0].starts_with("changes/"), "{of_run:?}");
    assert!(String::from_utf8_lossy(&objects[of_run[0]]).contains(&killer));
    run.expect_told(&[("session.created", 3)]);
}

pub(super) async fn an_idle_session_is_closed(run: &Run<'_>) {
    let session = run.customer().session().await;
    run.world.service.drain().await;
    run.world.service.clock.advance(15 * 24 * HOUR_MS);
    run.sweep_during_faults(&run.world.service.sweeper().await).await;
    run.settle().await;
    let now = run.customer().get(&format!("/sessions/{session}")).await;
    assert_eq!(now.expect(200)["closedReason"], "idle");
    assert_eq!(roles(run, &session).await, ["closed"]);
    run.expect_told(&[("session.created", 1), ("session.closed", 1)]);
}

pub(super) async fn a_customer_still_waits(run: &Run<'_>) {
    run.admin().patch("/settings", json!({"noticeAfterMinutes": 5})).await.expect(200);
    let (_, escalation) = waiting(run).await;
    run.world.service.clock.advance(5 * 60_000);
    run.sweep_during_faults(&run.world.service.sweeper().await).await;
    run.settle().await;
    assert_eq!(run.agent().get(&format!("/inbox/{escalation}")).await.expect(200)["status"], "pending");
    run.expect_told(&[("session.created", 1), ("handover.requested", 1), ("handover.waiting", 1)]);
}
