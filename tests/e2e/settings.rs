//! Settings: read, changed field by field, validated at their limits, separate by mode.

use serde_json::{Value, json};

use crate::support::TestService;

#[tokio::test]
async fn settings_begin_with_the_contracts_defaults() {
    let service = TestService::start().await;
    let expected = json!({
        "name": "acme", "plan": "pro", "language": "en", "resumeWindowHours": 24, "noMatchThreshold": 0.4,
        "maxAiTurns": 20,
        "texts": {
            "greeting": null, "thanks": null, "farewell": null, "aboutMe": null, "noAnswer": null, "handover": null,
            "failure": null,
        },
        "answerVisibility": "all", "widgetAnswerVisibility": "public", "widgetOrigins": [],
        "sourceUrlTemplate": null, "retentionDays": 365, "modelCallsPerDay": 10_000, "synonyms": [],
        "noticeAfterMinutes": null, "hours": null, "answersWhileWaiting": true, "showsImages": true, "suggestions": [],
        "appearance": {"color": null, "name": null, "position": null, "logoUrl": null},
        "widgetRequestsPerMinute": 30_000,
        "usage": {"modelCallsToday": 0},
    });
    assert_eq!(service.admin().get("/settings").await.expect(200), &expected);
}

#[tokio::test]
async fn a_change_touches_what_it_names_in_its_own_mode_alone() {
    let service = TestService::start().await;
    let patch = json!({
        "name": "Acme GmbH", "language": "de", "noMatchThreshold": 0, "widgetOrigins": ["https://a.example:8443"],
        "plan": "free", "version": 99, "unknown": {"deep": []},
    });
    let changed = service.admin().patch("/settings", patch).await;
    let body = changed.expect(200);
    assert_eq!((&body["name"], &body["language"], &body["plan"]), (&json!("Acme GmbH"), &json!("de"), &json!("pro")));
    assert_eq!(body["noMatchThreshold"], json!(0.0));
    assert_eq!(body.as_object().unwrap().len(), 22, "{body}");
    assert_eq!(service.admin().get("/settings").await.expect(200), body);
    assert_eq!(service.test_admin().get("/settings").await.text_at("name"), "acme");
    assert_eq!(service.other_admin().get("/settings").await.text_at("language"), "en");
}

#[tokio::test]
async fn every_field_is_validated_at_its_limits() {
    let service = TestService::start().await;
    let admin = service.admin();
    let cases: [(&str, Vec<Value>, Vec<Value>); 14] = [
        (
            "name",
            vec![json!("n"), json!("n".repeat(100))],
            vec![json!(""), json!("n".repeat(101)), json!(" "), json!("a\u{202E}b"), json!(7)],
        ),
        ("language", vec![json!("de"), json!("tr")], vec![json!("EN"), json!("xx"), json!("")]),
        (
            "resumeWindowHours",
            vec![json!(1), json!(336)],
            vec![json!(0), json!(337), json!(1.5), json!(24.0), json!("24"), json!(-1)],
        ),
        (
            "noMatchThreshold",
            vec![json!(0), json!(1), json!(0.55)],
            vec![json!(-0.01), json!(1.01), json!("0.4"), json!(true)],
        ),
        ("maxAiTurns", vec![json!(1), json!(1000)], vec![json!(0), json!(1001), json!(4_294_967_296_i64)]),
        ("answerVisibility", vec![json!("all"), json!("public")], vec![json!("internal"), json!("Public")]),
        ("widgetAnswerVisibility", vec![json!("all"), json!("public")], vec![json!(""), json!([])]),
        ("retentionDays", vec![json!(7), json!(3650)], vec![json!(6), json!(3651)]),
        (
            "modelCallsPerDay",
            vec![json!(0), json!(1_000_000), json!(null)],
            vec![json!(-1), json!(1_000_001), json!("7"), json!(1.5)],
        ),
        (
            "noticeAfterMinutes",
            vec![json!(1), json!(120), json!(null)],
            vec![json!(0), json!(121), json!("5"), json!(1.5)],
        ),
        (
            "sourceUrlTemplate",
            vec![json!("https://help.example/{path}"), json!("https://help.example:8443?page={path}#top")],
            vec![
                json!(""),
                json!("http://help.example/{path}"),
                json!("https://help.example/"),
                json!("https://{path}"),
                json!("https://help.example/{path}/{path}"),
                json!(format!("https://help.example/{}{{path}}", "a".repeat(500))),
                json!(7),
            ],
        ),
        (
            "widgetOrigins",
            vec![json!([]), json!(["https://a.example", "https://b.example:8443"])],
            vec![
                json!("https://a.example"),
                json!(["http://a.example"]),
                json!(["https://a.example/"]),
                json!(["*"]),
                json!(["https://A.example"]),
                json!(["null"]),
                json!([7]),
                json!(vec!["https://a.example"; 51]),
            ],
        ),
        (
            "synonyms",
            vec![json!([]), json!([["seat", "licence"]]), json!(vec![["a".repeat(49), "b".to_owned()]; 200])],
            vec![
                json!("seat"),
                json!(["seat", "licence"]),
                json!([["alone"]]),
                json!([vec!["a"; 11]]),
                json!([["seat", ""]]),
                json!([["seat", "\n"]]),
                json!([["seat", "a".repeat(61)]]),
                json!([["seat", 7]]),
                json!(vec![["a", "b"]; 201]),
                json!(vec![["a".repeat(50), "b".to_owned()]; 200]),
            ],
        ),
        (
            "suggestions",
            vec![json!([]), json!(["é".repeat(100), "Why?", "How?", "Wie viel kostet das? 🌱"])],
            vec![
                json!("Why?"),
                json!([""]),
                json!([" \u{200b}"]),
                json!(["a".repeat(101)]),
                json!(["a".repeat(10_000)]),
                json!(["a\nb"]),
                json!(["\u{202e}yhW"]),
                json!(["a\u{0}b"]),
                json!([7]),
                json!([null]),
                json!(["1", "2", "3", "4", "5"]),
            ],
        ),
    ];
    for (field, good, bad) in cases {
        for value in good {
            let reply = admin.patch("/settings", json!({field: value})).await;
            assert_eq!(reply.expect(200)[field].as_f64(), value.as_f64(), "{field}");
            assert!(value.is_number() || reply.json[field] == value, "{field}");
        }
        let before = admin.get("/settings").await.json;
        for value in bad {
            // A valid field beside it changes nothing either.
            let beside = if field == "maxAiTurns" { "retentionDays" } else { "maxAiTurns" };
            let reply = admin.patch("/settings", json!({field: value, beside: 99})).await;
            reply.expect_error(400, "VALIDATION_ERROR");
            assert!(reply.details().iter().any(|detail| detail.starts_with(field)), "{field} {value}: {}", reply.text);
        }
        assert_eq!(admin.get("/settings").await.json, before, "{field}");
    }
}

#[tokio::test]
async fn each_text_is_at_most_500_characters() {
    let service = TestService::start().await;
    let admin = service.admin();
    let longest = "é".repeat(500);
    for field in ["greeting", "thanks", "farewell", "aboutMe", "noAnswer", "handover", "failure"] {
        let reply = admin.patch("/settings", json!({"texts": {field: longest}})).await;
        assert_eq!(reply.expect(200)["texts"][field], json!(longest), "{field}");
        for bad in [json!("é".repeat(501)), json!(""), json!("  "), json!(7), json!(["x"])] {
            let reply = admin.patch("/settings", json!({"texts": {field: bad}, "maxAiTurns": 99})).await;
            reply.expect_error(400, "VALIDATION_ERROR");
            assert!(reply.details().iter().any(|d| d.starts_with(&format!("texts.{field}"))), "{}", reply.text);
        }
        assert_eq!(admin.get("/settings").await.json["texts"][field], json!(longest), "{field}");
    }
    admin.patch("/settings", json!({"texts": "hello"})).await.expect_error(400, "VALIDATION_ERROR");
    let unknown = admin.patch("/settings", json!({"texts": {"about_me": "I am Ada.", "x".repeat(200): null}})).await;
    unknown.expect_error(400, "VALIDATION_ERROR");
    assert_eq!(
        unknown.details(),
        ["texts.about_me UNKNOWN_FIELD", &format!("texts.{} UNKNOWN_FIELD", "x".repeat(100))]
    );
    assert_eq!(admin.get("/settings").await.json["maxAiTurns"], 20);
}

#[tokio::test]
async fn the_look_of_the_chat_takes_no_hostile_value() {
    let service = TestService::start().await;
    let admin = service.admin();
    let none = json!({"color": null, "name": null, "position": null, "logoUrl": null});
    let good = json!({
        "color": "#1A7f5a", "name": "é".repeat(60), "position": "left",
        "logoUrl": format!("https://cdn.example:8443/{}", "a".repeat(475)),
    });
    assert_eq!(admin.patch("/settings", json!({"appearance": good})).await.expect(200)["appearance"], good);
    let long = "x".repeat(10_000);
    for (field, values) in [
        (
            "color",
            vec![
                "",
                "red",
                "#fff",
                "#1a7f5",
                "#1a7f5a1",
                "1a7f5aa",
                "#1a7f5a;}",
                "url(//a.example)",
                "#１a7f5a",
                &long,
            ],
        ),
        ("name", vec!["", " \u{200b}", "a\nb", "\u{202e}oga", "\u{2066}a", "\0", &"n".repeat(61), &long]),
        ("position", vec!["", "end", "Left", "left;top:0", &long]),
        (
            "logoUrl",
            vec![
                "",
                "http://cdn.example/a.png",
                "//cdn.example/a.png",
                "javascript:alert(1)",
                "data:image/svg+xml,<svg/>",
                "https://user@cdn.example/a.png",
                "https://cdn.example",
                "https://cdn.example/\");x:url(a",
                "https://cdn.example/\u{202e}gnp.a",
                &format!("https://cdn.example/{}", "a".repeat(481)),
                &long,
            ],
        ),
    ] {
        for value in values.into_iter().map(Value::from).chain([json!(7), json!(["left"]), json!({})]) {
            let reply = admin.patch("/settings", json!({"appearance": {field: value}, "maxAiTurns": 99})).await;
            reply.expect_error(400, "VALIDATION_ERROR");
            let place = format!("appearance.{field} ");
            assert!(reply.details().iter().all(|detail| detail.starts_with(&place)), "{field} {value}: {}", reply.text);
        }
    }
    for (value, problem) in
        [(json!({"colour": "#ffffff"}), "appearance.colour UNKNOWN_FIELD"), (json!("#ffffff"), "appearance WRONG_TYPE")]
    {
        let refused = admin.patch("/settings", json!({"appearance": value, "maxAiTurns": 99})).await;
        refused.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(refused.details(), [problem]);
    }
    let settings = admin.get("/settings").await.json;
    assert_eq!((&settings["appearance"], &settings["maxAiTurns"]), (&good, &json!(20)));
    // A part that is not named stays, and one that is null is the chat's own.
    let parts = json!({"appearance": {"name": null, "position": "right"}});
    let changed = admin.patch("/settings", parts).await;
    let expected = json!({"color": "#1A7f5a", "name": null, "position": "right", "logoUrl": good["logoUrl"]});
    assert_eq!(changed.expect(200)["appearance"], expected);
    assert_eq!(service.test_admin().get("/settings").await.json["appearance"], none, "of the other mode");
}

#[tokio::test]
async fn a_patch_that_names_nothing_known_is_refused() {
    let service = TestService::start().await;
    for body in [json!({}), json!({"plan": "pro"}), json!({"Name": "x"})] {
        let reply = service.admin().patch("/settings", body).await;
        reply.expect_error(400, "VALIDATION_ERROR");
        assert_eq!(reply.details(), ["NOTHING_TO_CHANGE"]);
    }
}

#[tokio::test]
async fn changes_at_once_lose_nothing_of_each_other() {
    let service = TestService::start().await;
    let admin = service.admin();
    let patches = [
        json!({"name": "both"}),
        json!({"language": "fr"}),
        json!({"maxAiTurns": 7}),
        json!({"retentionDays": 30}),
        json!({"resumeWindowHours": 5}),
    ];
    let all = futures::future::join_all(patches.iter().map(|patch| admin.patch("/settings", patch.clone()))).await;
    assert!(all.iter().all(|reply| reply.status == 200));
    let settings = admin.get("/settings").await.json;
    for patch in patches {
        for (field, value) in patch.as_object().unwrap() {
            assert_eq!(&settings[field], value, "{settings}");
        }
    }
}

#[tokio::test]
async fn pages_of_this_machine_may_be_http_where_the_operator_allows_it() {
    let service = TestService::start().await;
    let admin = service.admin();
    let origins = json!(["http://localhost:3000", "http://127.0.0.1:5173", "https://a.example"]);
    let kept = admin.patch("/settings", json!({"widgetOrigins": origins})).await;
    assert_eq!(kept.expect(200)["widgetOrigins"], origins);
    let widget = service.widget("ann").await;
    widget.with_header("origin", "http://localhost:3000").get("/wiki").await.expect(200);
    widget.with_header("origin", "http://localhost:3001").get("/wiki").await.expect_error(403, "FORBIDDEN");
}
