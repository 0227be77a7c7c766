//! Failures of whatever the service calls: nothing acknowledged is lost, nothing is done twice, and no caller gets a 500.
//!
//! Every use case is run without a fault first, which tells how often it calls what. Then each of these calls fails in
//! each way that it can, and also ends its caller: the request, or the worker's batch. `SUPPORT_TEST_SEEDS` requests all of these runs, and so many runs in which a fifth of all calls
//! fail; without it there is a part of them.

mod run;
mod use_cases;

use std::sync::Arc;

use futures::future::join_all;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::support::{Fault, IndexSwitch, Target, TestService, scale};
use run::{FaultPlan, Run, World};
use use_cases::{USE_CASES, UseCase};

/// How many use cases are under way at once.
const AT_ONCE: usize = 3;
/// A run without `SUPPORT_TEST_SEEDS` has one of so many faults.
const STRIDE: usize = 53;
/// A service is used for so many runs, so that what earlier ones left behind stays small.
const RUNS_OF_A_WORLD: usize = 60;

/// How calls of a target fail: in which way, and how many in a row. The SDK makes a call three times.
fn failures(target: Target) -> &'static [(Fault, usize)] {
    match target {
        Target::Table | Target::WorkersTable => &[
            (Fault::BeforeSend, 3),
            (Fault::LoseReply, 1),
            (Fault::LoseReply, 3),
            (Fault::Throttled, 3),
            (Fault::Cancelled, 1),
            (Fault::Slow, 1),
            (Fault::DropCallerBefore, 1),
            (Fault::DropCallerAfter, 1),
        ],
        Target::Queues | Target::Kms => &[
            (Fault::BeforeSend, 3),
            (Fault::LoseReply, 3),
            (Fault::Throttled, 3),
            (Fault::Slow, 1),
            (Fault::DropCallerBefore, 1),
            (Fault::DropCallerAfter, 1),
        ],
        // These targets have no retries of their own.
        Target::Bucket | Target::Index | Target::Model | Target::Embeddings => &[
            (Fault::BeforeSend, 2),
            (Fault::LoseReply, 2),
            (Fault::Slow, 1),
            (Fault::DropCallerBefore, 1),
            (Fault::DropCallerAfter, 1),
        ],
    }
}

/// Every fault at every call of a use case.
async fn plans(use_case: UseCase) -> Vec<FaultPlan> {
    let world = World::start().await;
    let run = Run::start(&world, FaultPlan::Recorded).await;
    use_case(&run).await;
    let mut plans = Vec::new();
    for (target, calls) in run.calls() {
        for first in 1..=calls {
            let of_call = failures(target).iter();
            plans.extend(of_call.map(|&(fault, count)| FaultPlan::Calls { target, first, count, fault }));
        }
    }
    plans
}

/// Runs a use case with each plan, each in a tenant of its own.
async fn run_all(name: &'static str, use_case: UseCase, plans: &[FaultPlan]) {
    for some in plans.chunks(RUNS_OF_A_WORLD) {
        let world = World::start().await;
        for &plan in some {
            // Names the run of a failed assertion.
            println!("{name}: {plan:?}");
            use_case(&Run::start(&world, plan).await).await;
        }
    }
}

/// Runs `work` for every use case, a few at once; the sum of what it returns.
async fn for_every_use_case<W>(work: impl Fn(usize, &'static str, UseCase) -> W) -> usize
where
    W: Future<Output = usize> + Send + 'static,
{
    let at_once = Arc::new(Semaphore::new(AT_ONCE));
    let tasks = USE_CASES.iter().enumerate().map(|(number, &(name, use_case))| {
        let (at_once, work) = (Arc::clone(&at_once), work(number, name, use_case));
        tokio::spawn(async move {
            let _permit = at_once.acquire().await.unwrap();
            work.await
        })
    });
    let done = join_all(tasks.collect::<Vec<_>>()).await;
    done.into_iter().map(Result::unwrap).sum()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_use_case_survives_a_fault_at_every_call() {
    let thorough = scale::seeds().is_some();
    let runs = for_every_use_case(move |number, name, use_case| async move {
        let all = plans(use_case).await;
        assert!(all.len() > 6, "{name}: only {} faults", all.len());
        let some = match thorough {
            true => scale::of_this_part(all),
            // Another part of the faults for each use case.
            false => all.into_iter().skip(number % STRIDE).step_by(STRIDE).collect(),
        };
        run_all(name, use_case, &some).await;
        some.len()
    });
    println!("figure: {} use cases, a fault at every call: {} runs", USE_CASES.len(), runs.await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_without_a_model_survives_the_end_of_its_process_at_every_call() {
    let name = "a_message_is_answered_at_once";
    let (_, use_case) = USE_CASES.iter().find(|(found, _)| *found == name).unwrap();
    let mut ends = plans(*use_case).await;
    ends.retain(|plan| plan.ends_requests());
    assert!(ends.len() > 8, "only {} calls", ends.len() / 2);
    run_all(name, *use_case, &ends).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_use_case_survives_the_failure_of_a_fifth_of_all_calls() {
    let seeds = scale::seeds().unwrap_or_else(|| vec![0]);
    let runs = for_every_use_case(move |number, name, use_case| {
        // No two use cases have the same sequence.
        let plans = seeds.iter().map(|seed| FaultPlan::Random { seed: seed * 1_000 + number as u64 });
        let plans: Vec<FaultPlan> = plans.collect();
        async move {
            run_all(name, use_case, &plans).await;
            plans.len()
        }
    });
    println!("figure: {} use cases, a fifth of all calls fail: {} runs", USE_CASES.len(), runs.await);
}

#[tokio::test]
async fn a_search_that_fails_hands_the_customer_to_a_human() {
    let index = IndexSwitch::default();
    index.off();
    let service = TestService::with(|options| options.wrap_index = Some(index.wrap())).await;
    service.trainer().wiki_entry("help/refunds", "Refunds", "A refund takes five working days.").await;
    let session = service.integration().session().await;
    let reply = service.integration().ask(&session, "How long does a refund take?").await;
    assert_eq!((&reply.expect(200)["disposition"], reply.at("unanswered")), (&json!("escalated"), &json!(false)));
    assert_eq!(reply.at("ownership"), "pending_handover");
    service.trainer().get("/wiki/help/refunds").await.expect(200);
    service.trainer().get("/wiki?q=refund").await.expect_error(503, "SERVICE_UNAVAILABLE");
    assert_eq!(service.trainer().get("/wiki").await.items().len(), 1);
}
