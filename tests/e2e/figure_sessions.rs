//! The conversations behind the figures: `GET /sessions` by day and by who dealt with them.

use std::collections::BTreeSet;

use domain::models::Day;
use serde_json::{Value, json};

use crate::support::{Actor, CapacityMeter, TestService};

const DAY_MS: i64 = 86_400_000;

async fn ids(caller: &Actor, filters: &str) -> BTreeSet<String> {
    let all = caller.list_all(&format!("/sessions?limit=3&{filters}")).await;
    let ids: Vec<String> = all.iter().map(|one| one["sessionId"].as_str().unwrap().to_owned()).collect();
    let distinct: BTreeSet<String> = ids.iter().cloned().collect();
    assert_eq!(ids.len(), distinct.len(), "each once");
    distinct
}

fn days_before(service: &TestService, days: i64) -> Day {
    Day::of(service.resources().runtime.now()).plus(-days)
}

#[tokio::test]
async fn the_conversations_of_a_figure_are_as_many_as_it_counts_by_day_and_in_all() {
    let service = TestService::start().await;
    let customer = service.integration();
    for number in 0..14 {
        let session = customer.session_with(json!({"externalUserId": format!("visitor{}", number % 2)})).await;
        match number % 4 {
            0 => customer.ask(&session, "Which zebra sings on Jupiter?").await,
            1 => customer.ask(&session, "I want to talk to a human.").await,
            2 => customer.ask(&session, "Hello!").await,
            _ => customer.get(&format!("/sessions/{session}")).await,
        }
        .expect(200);
        if number % 5 == 4 {
            service.clock.advance(2 * DAY_MS);
        }
    }
    // A conversation of the other mode is in no figure of this one.
    service.test_admin().session().await;
    service.drain().await;
    let figures = service.agent().get("/analytics?days=7").await.json;
    let agent = service.agent();
    let compare = async |from: &Value, to: &Value, counts: &Value| {
        let of = |name: &str| usize::try_from(counts[name].as_i64().unwrap()).unwrap();
        let range = format!("from={}&to={}", from.as_str().unwrap(), to.as_str().unwrap());
        assert_eq!(ids(&agent, &range).await.len(), of("sessions"), "{range}");
        let escalated = ids(&agent, &format!("{range}&escalated=true")).await;
        let contained = ids(&agent, &format!("{range}&escalated=false")).await;
        assert_eq!((escalated.len(), contained.len()), (of("sessionsEscalated"), of("sessionsContained")), "{range}");
        assert!(escalated.is_disjoint(&contained));
    };
    compare(&figures["from"], &figures["to"], &figures["counts"]).await;
    assert!(figures["counts"]["sessionsContained"].as_i64() > Some(2), "{figures}");
    for day in figures["daily"].as_array().unwrap() {
        compare(&day["date"], &day["date"], &day["counts"]).await;
    }
    let today = days_before(&service, 0);
    let (before, since) =
        (ids(&agent, &format!("to={}", today.plus(-1))).await, ids(&agent, &format!("from={today}")).await);
    assert_eq!((before.len(), since.len(), before.is_disjoint(&since)), (10, 4, true));
    let visitors = ids(&agent, &format!("externalUserId=visitor1&from={today}")).await;
    assert!(visitors.len() == 2 && visitors.is_subset(&since), "{visitors:?}");
    assert_eq!(ids(&agent, &format!("from={today}&to={}", today.plus(-1))).await, BTreeSet::new());
    for (query, problem) in [
        ("from=2026-02-30", "from INVALID_FORMAT"),
        ("to=today", "to INVALID_FORMAT"),
        ("escalated=yes", "escalated NOT_ALLOWED"),
    ] {
        let refused = agent.get(&format!("/sessions?{query}")).await;
        assert_eq!((refused.status, refused.details()), (400, vec![problem.to_owned()]), "{query}");
    }
}

#[tokio::test]
async fn the_conversations_of_a_day_cost_the_same_whatever_came_before_and_after() {
    let meter = CapacityMeter::default();
    let store = meter.clone();
    let service = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |inner| store.wrap(inner)));
    })
    .await;
    let agent = service.agent();
    let some = async |many: usize| {
        for _ in 0..many {
            service.integration().session().await;
        }
    };
    some(4).await;
    let day = days_before(&service, 0);
    let reads = async || {
        meter.take();
        assert_eq!(agent.get(&format!("/sessions?from={day}&to={day}&limit=50")).await.items().len(), 4);
        meter.take().reads
    };
    let few = reads().await;
    for _ in 0..3 {
        service.clock.advance(DAY_MS);
        some(12).await;
    }
    let many = reads().await;
    assert!(many <= few + 1.0, "{few} and {many} units");
}
