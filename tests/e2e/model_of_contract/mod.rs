//! Random actions of every role in two tenants, compared with a model of the API: the same responses, the same states.
//! `SUPPORT_TEST_CASES` is the number of sequences; 24 by default.

mod action;
mod claims;
mod model;
mod world;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::support::TestService;
use action::{Act, Caller, step};
use world::World;

/// The longest sequence of actions.
const STEPS: usize = 60;

fn cases() -> u32 {
    std::env::var("SUPPORT_TEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(24)
}

async fn play(service: &TestService, steps: &[(Caller, Act)]) -> Result<(), String> {
    let mut world = World::new(service).await;
    for (number, (caller, act)) in steps.iter().enumerate() {
        world.act(*caller, act).await.map_err(|wrong| format!("step {number}, {act:?} by {caller:?}: {wrong}"))?;
    }
    Ok(())
}

#[test]
fn whatever_happens_the_service_says_and_does_what_the_contract_says() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let service = runtime.block_on(TestService::start());
    let config = Config { cases: cases(), failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(step(), 1..STEPS), |steps| {
        runtime.block_on(play(&service, &steps)).map_err(TestCaseError::fail)
    });
    if let Err(wrong) = outcome {
        panic!("{wrong}");
    }
}
