//! Opening hours: what callers are told, and what customers are, while nobody of the team is there.

use domain::models::Timestamp;
use serde_json::{Value, json};

use crate::support::{Reply, TestService};

/// The text that customers read after the time when somebody is there again.
const LATER: &str = "The team will read what you wrote and answer here.";

/// From nine to five from Monday to Friday in Berlin.
fn office() -> Value {
    let day = json!([{"from": "09:00", "to": "17:00"}]);
    json!({
        "timezone": "Europe/Berlin", "closed": [],
        "week": {"mon": day, "tue": day, "wed": day, "thu": day, "fri": day, "sat": [], "sun": []},
    })
}

async fn with_hours(hours: &Value) -> TestService {
    let service = TestService::start().await;
    let changed = service.admin().patch("/settings", json!({"hours": hours})).await;
    assert_eq!(&changed.expect(200)["hours"], hours);
    service
}

/// Moves the clock to `at`.
async fn move_to(service: &TestService, at: &str) {
    let now = Timestamp::parse(service.anonymous().get("/health").await.text_at("time")).unwrap();
    service.clock.advance(Timestamp::parse(at).unwrap().millis_since(now));
}

/// `peopleAvailable` and `nextOpenAt` of an answer.
fn presence(reply: &Reply) -> (Value, Value) {
    let body = reply.expect(200);
    (body["peopleAvailable"].clone(), body["nextOpenAt"].clone())
}

#[tokio::test]
async fn hours_are_null_at_first_and_then_somebody_is_always_there() {
    let service = TestService::start().await;
    assert_eq!(service.admin().get("/settings").await.at("hours"), &json!(null));
    let caller = service.integration();
    let session = caller.session().await;
    let escalated = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    assert_eq!(presence(&escalated), (json!(true), json!(null)));
    assert_eq!(presence(&caller.ask(&session, "Hello?").await), (json!(true), json!(null)));
    assert_eq!(presence(&caller.post_empty("/auth/widget-token").await), (json!(true), json!(null)));
    let other = caller.session().await;
    let said = caller.ask(&other, "I want to talk to a human").await;
    assert_eq!((presence(&said), said.at("disposition")), ((json!(true), json!(null)), &json!("escalated")));
    assert!(said.text_at("answer").starts_with("I am passing you on"), "{}", said.text_at("answer"));
    // An answer that neither escalates nor waits says nothing of people.
    let greeted = caller.ask(&caller.session().await, "hello").await;
    assert!(greeted.expect(200).get("peopleAvailable").is_none() && greeted.json.get("nextOpenAt").is_none());
}

#[tokio::test]
async fn outside_the_hours_every_answer_says_when_they_begin_and_escalating_works() {
    let service = with_hours(&office()).await;
    let caller = service.integration();
    // Saturday evening, and Monday nine o'clock in Berlin.
    move_to(&service, "2026-06-20T18:00:00Z").await;
    let closed = (json!(false), json!("2026-06-22T07:00:00.000Z"));
    let session = caller.session().await;
    let said = caller.ask(&session, "I want to talk to a human").await;
    assert_eq!((presence(&said), said.at("ownership")), (closed.clone(), &json!("pending_handover")));
    assert_eq!(said.text_at("answer"), format!("Our team is back on Monday at 9:00. {LATER}"));
    let (path, message) =
        (format!("/sessions/{session}/messages"), json!({"content": "Please.", "clientMessageId": "a"}));
    let queued = caller.post(&path, message.clone()).await;
    assert_eq!((presence(&queued), queued.at("disposition")), (closed.clone(), &json!("queued_for_human")));
    let escalated = caller.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await;
    assert_eq!((presence(&escalated), escalated.at("status")), (closed.clone(), &json!("pending")));
    assert_eq!(presence(&caller.post_empty("/auth/widget-token").await), closed);
    // An agent may come all the same.
    service.agent().post_empty("/inbox/takeover").await.expect(200);
    // A message sent again tells what it told first, whatever the hour.
    move_to(&service, "2026-06-22T07:00:00Z").await;
    assert_eq!(caller.post(&path, message).await.expect(200), &queued.json);
    assert_eq!(presence(&caller.post_empty("/auth/widget-token").await), (json!(true), json!(null)));
    let other = caller.session().await;
    assert!(caller.ask(&other, "I want to talk to a human").await.text_at("answer").starts_with("I am passing you on"));
}

#[tokio::test]
async fn customers_read_it_in_their_language_and_by_the_tenants_clock() {
    let service = with_hours(&office()).await;
    // Saturday evening in New York, where the customer is; early on Sunday in Berlin.
    move_to(&service, "2026-06-21T01:00:00Z").await;
    let caller = service.integration();
    for (locale, expected) in [
        ("de", "Unser Team ist am Montag um 9:00 Uhr wieder da."),
        ("fr-CA", "Notre équipe sera de retour lundi à 9:00."),
        ("ja", "担当チームは月曜日 9:00 に対応を再開します。"),
        ("en-US", "Our team is back on Monday at 9:00."),
    ] {
        let session = caller.session_with(json!({"locale": locale})).await;
        let said = caller.ask(&session, "I want to talk to a human").await;
        assert!(said.text_at("answer").starts_with(expected), "{locale}: {}", said.text_at("answer"));
    }
    // In New York it is nine o'clock at another moment, and in Paris at the same.
    for (locale, timezone, expected) in [
        ("en-US", "America/New_York", "Our team is back on Monday at 9:00 (Berlin). "),
        ("de", "Asia/Tokyo", "Unser Team ist am Montag um 9:00 Uhr (Berlin) wieder da. "),
        ("en", "Europe/Paris", "Our team is back on Monday at 9:00. "),
        ("en", "Etc/Unknown", "Our team is back on Monday at 9:00 (Berlin). "),
        ("en", "+00:00", "Our team is back on Monday at 9:00 (Berlin). "),
    ] {
        let widget = service.widget(timezone).await;
        for customer in [&caller, &widget] {
            let session = customer.session_with(json!({"locale": locale, "timezone": timezone})).await;
            assert_eq!(customer.get(&format!("/sessions/{session}")).await.at("timezone"), timezone);
            let said = customer.ask(&session, "I want to talk to a human").await;
            assert!(said.text_at("answer").starts_with(expected), "{timezone}: {}", said.text_at("answer"));
        }
    }
    for timezone in [json!(""), json!("x".repeat(65)), json!("a\nb"), json!(1)] {
        let refused = caller.post("/sessions", json!({"timezone": timezone})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
    }
    // Early on Monday it is today, and what is more than a week away has its date.
    move_to(&service, "2026-06-22T06:59:00Z").await;
    let said = caller.ask(&caller.session().await, "I want to talk to a human").await;
    assert_eq!(said.text_at("answer"), format!("Our team is back today at 9:00. {LATER}"));
    let closed: Vec<String> = (22..=30).map(|day| format!("2026-06-{day}")).collect();
    let mut hours = office();
    hours["closed"] = json!(closed);
    service.admin().patch("/settings", json!({"hours": hours})).await.expect(200);
    let said = caller.ask(&caller.session().await, "I want to talk to a human").await;
    assert_eq!(said.text_at("answer"), format!("Our team is back on Wednesday (2026-07-01) at 9:00. {LATER}"));
}

#[tokio::test]
async fn hours_are_tested_before_they_are_saved() {
    let service = TestService::start().await;
    let admin = service.admin();
    let test =
        async |hours: Value, at: &str| admin.post("/settings/hours/preview", json!({"hours": hours, "at": at})).await;
    let mut christmas = office();
    christmas["closed"] = json!(["2026-12-24", "2026-12-25"]);
    let night = |timezone: &str| json!({"timezone": timezone, "week": {"sun": [{"from": "02:30", "to": "02:45"}]}});
    for (hours, at, moment, next, said) in [
        // The zone's clock has an offset of two hours in summer and of one in winter.
        (office(), "2026-06-22T08:59", "2026-06-22T06:59:00.000Z", "2026-06-22T07:00:00.000Z", "today at 9:00"),
        (office(), "2026-12-12T12:00", "2026-12-12T11:00:00.000Z", "2026-12-14T08:00:00.000Z", "on Monday at 9:00"),
        // From Friday evening in winter to Monday morning in summer.
        (office(), "2026-03-27T17:00", "2026-03-27T16:00:00.000Z", "2026-03-30T07:00:00.000Z", "on Monday at 9:00"),
        (
            christmas.clone(),
            "2026-12-24T10:00",
            "2026-12-24T09:00:00.000Z",
            "2026-12-28T08:00:00.000Z",
            "on Monday at 9:00",
        ),
        // The clock goes from two to three: half past two is half past three, and takes place a week later.
        (
            night("Europe/Berlin"),
            "2026-03-29T02:30",
            "2026-03-29T01:30:00.000Z",
            "2026-04-05T00:30:00.000Z",
            "on Sunday (2026-04-05) at 2:30",
        ),
        // The clock goes from three to two: half past two takes place twice.
        (
            night("Europe/Berlin"),
            "2026-10-25T02:50",
            "2026-10-25T00:50:00.000Z",
            "2026-10-25T01:30:00.000Z",
            "today at 2:30",
        ),
    ] {
        let told = test(hours, at).await;
        assert_eq!(presence(&told), (json!(false), json!(next)), "{at}");
        assert_eq!((told.text_at("at"), told.text_at("text")), (moment, &*format!("Our team is back {said}. {LATER}")));
    }
    // While people are there, in the tenant's words and its wiki's language.
    let open = test(office(), "2026-06-22T09:00").await;
    assert_eq!(presence(&open), (json!(true), json!(null)));
    assert!(open.text_at("text").starts_with("I am passing you on"), "{}", open.text);
    admin.patch("/settings", json!({"language": "de", "texts": {"handover": "Ann kommt gleich."}})).await.expect(200);
    assert_eq!(test(office(), "2026-06-22T16:59").await.text_at("text"), "Ann kommt gleich.");
    let shut = test(office(), "2026-06-22T17:00").await;
    assert!(shut.text_at("text").starts_with("Unser Team ist am Dienstag um 9:00 Uhr wieder da."), "{}", shut.text);
    let never = test(json!({"timezone": "UTC", "week": {}}), "2026-06-22T17:00").await;
    assert_eq!(presence(&never), (json!(false), json!(null)));
    assert_eq!(admin.get("/settings").await.at("hours"), &json!(null), "nothing is saved");
    // It is what a customer reads at that time.
    service.admin().patch("/settings", json!({"hours": christmas, "language": "en"})).await.expect(200);
    move_to(&service, "2026-12-24T09:00:00Z").await;
    let caller = service.integration();
    let said = caller.ask(&caller.session().await, "I want to talk to a human").await;
    assert_eq!(
        said.text_at("answer"),
        service
            .admin()
            .post("/settings/hours/preview", json!({"hours": christmas, "at": "2026-12-24T10:00"}))
            .await
            .text_at("text")
    );
}

#[tokio::test]
async fn a_test_of_hours_is_refused_as_the_hours_are() {
    let service = TestService::start().await;
    let admin = service.admin();
    let day = |from: &str, to: &str| json!({"timezone": "UTC", "week": {"mon": [{"from": from, "to": to}]}});
    for (body, problem) in [
        (json!({"at": "2026-06-22T08:59"}), "hours REQUIRED"),
        (json!({"hours": null, "at": "2026-06-22T08:59"}), "hours REQUIRED"),
        (json!({"hours": office()}), "at REQUIRED"),
        (json!({"hours": day("17:00", "09:00"), "at": "2026-06-22T08:59"}), "hours.week.mon[0] INVALID_RANGE"),
        (
            json!({"hours": {"timezone": "Mars", "week": {}}, "at": "2026-06-22T08:59"}),
            "hours.timezone INVALID_TIMEZONE",
        ),
        (
            json!({"hours": {"timezone": "UTC", "week": {"monday": []}}, "at": "2026-06-22T08:59"}),
            "hours.week.monday UNKNOWN_FIELD",
        ),
        (json!({"hours": office(), "at": "2026-06-22T24:00"}), "at INVALID_FORMAT"),
        (json!({"hours": office(), "at": "2026-02-30T08:00"}), "at INVALID_FORMAT"),
        (json!({"hours": office(), "at": "2026-06-22 08:00"}), "at INVALID_FORMAT"),
        (json!({"hours": office(), "at": "2026-06-22T08:00Z"}), "at TOO_LONG"),
        (json!({"hours": office(), "at": "9999-12-31T23:59"}), "at OUT_OF_RANGE"),
        (json!({"hours": office(), "at": 7}), "at WRONG_TYPE"),
    ] {
        let refused = admin.post("/settings/hours/preview", body.clone()).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [problem], "{body}");
    }
    for caller in [service.agent(), service.integration()] {
        let body = json!({"hours": office(), "at": "2026-06-22T08:59"});
        caller.post("/settings/hours/preview", body).await.expect_error(403, "FORBIDDEN");
    }
}

#[tokio::test]
async fn no_text_of_the_tenant_promises_a_person_while_nobody_is_there() {
    let service = with_hours(&json!({"timezone": "UTC", "week": {
        "mon": [], "tue": [], "wed": [], "thu": [], "fri": [], "sat": [], "sun": [],
    }, "closed": []}))
    .await;
    let texts = json!({"texts": {"handover": "Ann is with you in a minute."}});
    service.admin().patch("/settings", texts).await.expect(200);
    let caller = service.integration();
    let said = caller.ask(&caller.session().await, "I want to talk to a human").await;
    assert_eq!(said.text_at("answer"), format!("Nobody of our team is here right now. {LATER}"));
    assert_eq!(presence(&said), (json!(false), json!(null)), "nothing opens within 30 days");
    service.admin().patch("/settings", json!({"hours": null})).await.expect(200);
    let said = caller.ask(&caller.session().await, "I want to talk to a human").await;
    assert_eq!(said.text_at("answer"), "Ann is with you in a minute.");
}

#[tokio::test]
async fn where_the_tenant_has_members_one_of_them_must_be_there() {
    let service = with_hours(&office()).await;
    let caller = service.integration();
    for (members, available, expected) in [(0, 0, true), (2, 1, true), (2, 0, false)] {
        service
            .rewrite_items("tenant", "TENANT", |mut tenant| {
                let number = |n: u32| aws_sdk_dynamodb::types::AttributeValue::N(n.to_string());
                tenant.insert("inboxMembers".into(), number(members));
                tenant.insert("inboxAvailable".into(), number(available));
                Some(tenant)
            })
            .await;
        let session = caller.session().await;
        let said = caller.ask(&session, "I want to talk to a human").await;
        assert_eq!(presence(&said), (json!(expected), json!(null)), "{available} of {members}");
        let nobody = said.text_at("answer").starts_with("Nobody of our team is here right now.");
        assert_eq!(nobody, !expected, "{}", said.text_at("answer"));
    }
}

#[tokio::test]
async fn hours_have_limits_and_what_is_refused_changes_nothing() {
    let service = with_hours(&office()).await;
    let admin = service.admin();
    let day = |ranges: Value| json!({"timezone": "UTC", "week": {"mon": ranges}});
    let range = |from: &str, to: &str| json!({"from": from, "to": to});
    let dates: Vec<String> = (0..61).map(|n| format!("20{:02}-01-01", 30 + n)).collect();
    for (bad, details) in [
        (json!({"timezone": "europe/berlin", "week": {}}), vec!["hours.timezone INVALID_TIMEZONE"]),
        (json!({"timezone": "Mars/Olympus", "week": {}}), vec!["hours.timezone INVALID_TIMEZONE"]),
        (json!({"timezone": "UTC"}), vec!["hours.week REQUIRED"]),
        (json!({"week": {}}), vec!["hours.timezone REQUIRED"]),
        (json!("always"), vec!["hours WRONG_TYPE"]),
        (day(json!([range("09:00", "09:00")])), vec!["hours.week.mon[0] INVALID_RANGE"]),
        (day(json!([range("22:00", "06:00")])), vec!["hours.week.mon[0] INVALID_RANGE"]),
        (day(json!([range("23:59", "23:59")])), vec!["hours.week.mon[0] INVALID_RANGE"]),
        (day(json!([range("09:00", "23:59"), range("23:59", "24:00")])), vec!["hours.week.mon[1] INVALID_RANGE"]),
        (json!({"timezone": "Etc/Unknown", "week": {}}), vec!["hours.timezone INVALID_TIMEZONE"]),
        (json!({"timezone": "+00:00", "week": {}}), vec!["hours.timezone INVALID_TIMEZONE"]),
        (day(json!([range("09:00", "12:00"), range("11:59", "13:00")])), vec!["hours.week.mon[1] INVALID_RANGE"]),
        (day(json!([range("9:00", "12:00")])), vec!["hours.week.mon[0].from INVALID_FORMAT"]),
        (day(json!([range("09:00", "24:01")])), vec!["hours.week.mon[0].to INVALID_FORMAT"]),
        (day(json!([{"from": "09:00"}])), vec!["hours.week.mon[0].to REQUIRED"]),
        (day(json!(["09:00-17:00"])), vec!["hours.week.mon[0] WRONG_TYPE"]),
        (day(json!("09:00")), vec!["hours.week.mon WRONG_TYPE"]),
        (
            json!({"timezone": "UTC", "week": {"monday": [], "Mon": null, "tue": [{"from": "09:00", "to": "10:00", "till": 1}]},
                "closedOn": []}),
            vec![
                "hours.closedOn UNKNOWN_FIELD",
                "hours.week.Mon UNKNOWN_FIELD",
                "hours.week.monday UNKNOWN_FIELD",
                "hours.week.tue[0].till UNKNOWN_FIELD",
            ],
        ),
        (day(json!(vec![range("09:00", "10:00"); 6])), vec!["hours.week.mon TOO_MANY"]),
        (json!({"timezone": "UTC", "week": {}, "closed": ["2026-02-30"]}), vec!["hours.closed[0] INVALID_FORMAT"]),
        (json!({"timezone": "UTC", "week": {}, "closed": dates}), vec!["hours.closed TOO_MANY"]),
    ] {
        let refused = admin.patch("/settings", json!({"hours": bad, "name": "changed"})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), details, "{bad}");
    }
    assert_eq!(admin.get("/settings").await.at("hours"), &office());
    assert_eq!(admin.get("/settings").await.text_at("name"), "acme");
    // At the limits; a day that is not named has none, and a date is kept once.
    let five: Vec<Value> =
        (0..5).map(|n| range(&format!("{:02}:00", n * 4), &format!("{:02}:00", n * 4 + 4))).collect();
    let good = json!({"timezone": "Asia/Kathmandu", "week": {"sun": [range("20:00", "24:00")], "mon": five},
        "closed": ["2026-12-25", "2026-12-25"]});
    let kept = admin.patch("/settings", json!({"hours": good})).await;
    assert_eq!(kept.expect(200)["hours"]["week"]["tue"], json!([]));
    assert_eq!(kept.json["hours"]["closed"], json!(["2026-12-25"]));
    assert_eq!(admin.patch("/settings", json!({"hours": null})).await.expect(200)["hours"], json!(null));
}

#[tokio::test]
async fn a_day_that_ends_at_23_59_ends_at_24_00_and_one_across_midnight_is_told_how_it_is_written() {
    let day = |from: &str, to: &str| json!([{"from": from, "to": to}]);
    let mut hours = office();
    hours["week"]["sat"] = day("00:00", "23:59");
    let service = TestService::start().await;
    let kept = service.admin().patch("/settings", json!({"hours": hours})).await;
    assert_eq!(kept.expect(200)["hours"]["week"]["sat"], day("00:00", "24:00"));
    // The last minute of Saturday in Berlin.
    move_to(&service, "2026-06-20T21:59:30Z").await;
    assert_eq!(presence(&service.integration().post_empty("/auth/widget-token").await), (json!(true), json!(null)));
    hours["week"]["sat"] = day("22:00", "02:00");
    let refused = service.admin().patch("/settings", json!({"hours": hours})).await;
    assert_eq!(refused.details(), ["hours.week.sat[0] INVALID_RANGE"]);
    assert!(refused.text.contains("until 24:00, and from 00:00 of the next day"), "{}", refused.text);
}
