//! What a manager reads: every figure over HTTP, the plan rules, and counters that equal a recount whatever is
//! delivered twice.

use serde_json::json;
use shared::models::{Day, Mode};
use shared::statistics::{Counter, Increment};

use crate::support::TestService;

#[tokio::test]
async fn days_are_a_whole_number_from_1_to_90() {
    let service = TestService::start().await;
    let manager = service.agent();
    for (query, days) in [("", 30), ("?days=1", 1), ("?days=90", 90)] {
        let reply = manager.get(&format!("/analytics{query}")).await;
        let body = reply.expect(200);
        let (from, to) = (Day::parse(reply.text_at("from")).unwrap(), Day::parse(reply.text_at("to")).unwrap());
        assert_eq!((body["days"].as_i64(), from.plus(days - 1)), (Some(days), to), "{query}");
        assert_eq!(to, Day::of(service.ctx().ambient.now()));
        assert_eq!(body["daily"].as_array().unwrap().len(), usize::try_from(days).unwrap(), "{query}");
        assert_eq!((&body["daily"][0]["date"], &body["totalSessions"]), (&body["from"], &json!(0)));
    }
    for bad in ["0", "91", "-1", "1.5", "30d", "", "1e1", "99999999999999999999"] {
        let reply = manager.get(&format!("/analytics?days={bad}")).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert!(reply.details()[0].starts_with("days "), "{bad}: {:?}", reply.details());
    }
}

#[tokio::test]
async fn what_a_record_adds_is_added_once() {
    let service = TestService::start().await;
    let scope = service.tenant.scope(Mode::Live);
    let statistics = service.ctx().store.statistics();
    let today = Day::of(service.ctx().ambient.now());
    let one = |day| Increment { day, counter: Counter::Sessions, amount: 1 };
    for round in 0..3 {
        for record in 0..40 {
            let added = statistics.add(&scope, &format!("record {record}"), &[one(today), one(today.plus(-1))]).await;
            assert_eq!(added.unwrap(), round == 0, "record {record}");
        }
    }
    let counted = service.agent().get("/analytics?days=2").await;
    let daily: Vec<_> =
        counted.json["daily"].as_array().unwrap().iter().map(|day| day["totalSessions"].clone()).collect();
    assert_eq!((&counted.json["totalSessions"], daily), (&json!(80), vec![json!(40), json!(40)]));
    let other = service.other_admin().get("/analytics?days=2").await;
    assert_eq!(other.expect(200)["totalSessions"], 0, "another tenant's counters moved");
    let test_mode = service.test_admin().get("/analytics?days=2").await;
    assert_eq!(test_mode.expect(200)["totalSessions"], 0, "the other mode's counters moved");
}
