//! Every rule, on an export of a tenant with everything in it: those of the whole export, and those that only drafts,
//! saved replies or sessions have.

use std::io::Cursor;

use outbound::OutboundPolicy;
use serde_json::{Value, json};

use crate::table::item::ItemKind;
use crate::transfer::check::*;
use crate::transfer::{Lines, preview};

const OTHER_TENANT: &str = "ten_01JDB8Q7XKZ3T5V9W2Y4A6C8EG";

fn rules() -> Rules {
    let now = Timestamp::parse("2030-01-01T00:00:00Z").unwrap();
    Rules { now, outbound: OutboundPolicy { allow_loopback: true, allow_http: true } }
}

fn export() -> Vec<Value> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/tenant-export.jsonl");
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn imported(lines: &[Value]) -> Result<Summary> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    preview(rules(), Lines::new(Cursor::new(text)))
}

/// The name of the lines of an item kind, and the places where they hold texts that people wrote; none if an export
/// has no lines of the kind.
fn lines_of(kind: ItemKind) -> Option<(&'static str, &'static [&'static str])> {
    use ItemKind as K;
    match kind {
        K::Entry => Some(("entry", &["/title", "/content", "/tags/0"])),
        K::Revision => Some(("revision", &["/title", "/content", "/tags/0"])),
        K::RevisionsEnd => Some(("revisions_end", &[])),
        K::Webhook => Some(("webhook", &["/description"])),
        K::Draft => Some(("draft", &["/title", "/content", "/tags/0"])),
        K::SavedReply => Some(("saved_reply", &["/title", "/content"])),
        K::IngestJob => Some(("ingest_job", &["/pathPrefix", "/error/message", "/entries/0/section"])),
        K::IngestText => Some(("ingest_text", &["/text"])),
        K::Statistics => Some(("statistics", &[])),
        K::Session => Some((
            "session",
            &["/externalUserId", "/user/name", "/user/email", "/tags/0", "/handoverNote", "/widgetSent/tags/0"],
        )),
        K::Turn => Some((
            "turn",
            &["/turn/content", "/turn/agent/id", "/turn/agent/name", "/turn/sources/0/title", "/turn/sources/1/title"],
        )),
        K::Escalation => Some((
            "escalation",
            &[
                "/reason",
                "/resolution",
                "/summary",
                "/claimedBy/id",
                "/claimedBy/name",
                "/customerExternalUserId",
                "/customerName",
                "/tags/0",
            ],
        )),
        K::GapQuestion => Some(("gap_question", &["/text"])),
        K::Gap => Some(("gap", &["/query/text"])),
        K::Pin => Some(("pin", &["/question"])),
        // Made of the lines of others.
        K::AnswerPointer
        | K::DislikedAnswer
        | K::DraftCount
        | K::EmailSession
        | K::GapByLastSeen
        | K::IngestCount
        | K::PinCount
        | K::ReplyShortcuts
        | K::SessionEscalation
        | K::VisitorSession
        | K::WebhookRegistry => None,
        // Left out.
        K::AgentRun
        | K::ApiKey
        | K::ApiKeyPointer
        | K::ClaimsRelease
        | K::Counted
        | K::DeadLetters
        | K::Delivery
        | K::DeliveryPointer
        | K::DraftPointer
        | K::DryRunPermits
        | K::EndedDrafts
        | K::EmbeddingAttempts
        | K::EmbeddingCursor
        | K::EmbeddingDimensions
        | K::GapReview
        | K::Idempotency
        | K::InboxRevision
        | K::AuditEntry
        | K::DeskKeys
        | K::Identity
        | K::Invitation
        | K::Member
        | K::MemberEmail
        | K::SignIn
        | K::ModelCalls
        | K::OwnSavedReply
        | K::RateBucket
        | K::Reindexing
        | K::Replay
        | K::RevokedWidgetKeys
        | K::SessionTombstone
        | K::Settings
        | K::SweepRun
        | K::Tenant
        | K::TenantImport
        | K::Vector
        | K::WebhookHealth
        | K::WebhookPermits
        | K::WriteProbe => None,
    }
}

fn kinds() -> Vec<(&'static str, &'static [&'static str])> {
    // A deletion is an item of the kind of entries, too.
    ItemKind::ALL.iter().filter_map(|kind| lines_of(*kind)).chain([("deleted_entry", &[][..])]).collect()
}

/// The places of the texts within a value.
fn texts(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
        Value::String(_) => return vec![at.to_owned()],
        _ => Vec::new(),
    };
    below.into_iter().flat_map(|(name, value)| texts(value, &format!("{at}/{name}"))).collect()
}

/// The export with a change of what the line at `place` says, which must be refused with the number of that line, or of
/// one after it that no longer fits.
fn assert_refused(lines: &[Value], place: usize, change: impl FnOnce(&mut Value), what: &str) {
    let mut lines = lines.to_vec();
    change(&mut lines[place]);
    let refused = match imported(&lines) {
        Err(error) => error,
        Ok(_) => panic!("{what} passed"),
    };
    assert_eq!(refused.code(), Code::ValidationError, "{what}: {refused}");
    let number = refused.message().split(' ').nth(1).and_then(|number| number.parse::<usize>().ok());
    assert!(number.is_some_and(|number| number > place), "{what} on line {}: {refused}", place + 1);
}

fn places(lines: &[Value], kind: &str) -> Vec<usize> {
    (0..lines.len()).filter(|at| lines[*at]["item"].get(kind).is_some()).collect()
}

#[test]
fn an_export_of_this_version_passes_and_has_every_kind() {
    let lines = export();
    assert_eq!(imported(&lines).unwrap().items, lines.len() as u64 - 4);
    for (kind, _) in kinds() {
        assert!(!places(&lines, kind).is_empty(), "the fixture has no {kind}");
    }
}

#[test]
fn a_line_of_any_kind_that_names_another_tenant_is_refused() {
    let lines = export();
    let key = format!("{OTHER_TENANT}#live#WIKI");
    let check = |kind: &str, said_by_people: &[&str]| {
        for (nth, place) in places(&lines, kind).into_iter().enumerate() {
            let item = &lines[place]["item"][kind];
            for text in texts(item, "").iter().filter(|text| !said_by_people.contains(&text.as_str())) {
                for other in [OTHER_TENANT, &key] {
                    let change = |line: &mut Value| *line["item"][kind].pointer_mut(text).unwrap() = other.into();
                    assert_refused(&lines, place, change, &format!("{other} as {text} of {kind}"));
                }
            }
            let names =
                ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "ttl", "kind", "card", "tenantId", "imported"];
            for name in names.into_iter().filter(|_| nth == 0) {
                let is_its_own = item.get(name).is_some();
                let change = |line: &mut Value| line["item"][kind][name] = key.clone().into();
                assert_refused(&lines, place, change, &format!("{name} of {kind} ({is_its_own})"));
                assert_refused(&lines, place, |line| line[name] = key.clone().into(), &format!("{name} of a line"));
            }
        }
    };
    // Each change checks a whole export, on all cores.
    let kinds = kinds();
    std::thread::scope(|scope| {
        for some in kinds.chunks(4) {
            let check = &check;
            scope.spawn(move || some.iter().for_each(|(kind, said_by_people)| check(kind, said_by_people)));
        }
    });
}

/// A value that no caller of the API can have stored: kind, place, value. `null` takes the field away.
fn attacks() -> Vec<(&'static str, &'static str, Value)> {
    let long = |length: usize| json!("x".repeat(length));
    let (max, future) = (json!(u64::MAX), json!("9999-12-31T23:59:59.999Z"));
    vec![
        ("entry", "/title", long(201)),
        ("entry", "/title", json!("a\u{202e}b")),
        ("entry", "/content", long(200_001)),
        ("entry", "/content", json!("\u{4e00}".repeat(110_000))),
        ("entry", "/content", json!(" ")),
        ("entry", "/tags", json!(["a", "a"])),
        ("entry", "/tags", json!(vec!["x"; 21])),
        ("entry", "/version", max.clone()),
        ("entry", "/version", json!(0)),
        ("entry", "/path", json!("a")),
        (
            "entry",
            "/source",
            json!({"type": "ingest", "ingestId": "ing_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "url": "http://169.254.169.254/"}),
        ),
        ("revision", "/version", max.clone()),
        ("revision", "/path", json!("another/path")),
        ("deleted_entry", "/version", max.clone()),
        ("revisions_end", "/version", max.clone()),
        ("revisions_end", "/deletedAt", future.clone()),
        ("webhook", "/url", json!("http://169.254.169.254/latest")),
        ("webhook", "/url", json!("file:///etc/passwd")),
        ("webhook", "/events", json!(["no.such.kind"])),
        ("webhook", "/events", json!([])),
        ("webhook", "/secret", json!("whsec_x")),
        ("webhook", "/status", json!("active")),
        ("webhook", "/version", max.clone()),
        ("ingest_job", "/url", json!("http://10.0.0.1/")),
        ("ingest_job", "/status", json!("running")),
        ("ingest_job", "/attempts", json!(u32::MAX)),
        ("ingest_job", "/textChunks", json!(u32::MAX)),
        ("ingest_job", "/lease", json!({"token": "t", "until": future})),
        ("ingest_job", "/writeToken", json!("x")),
        ("ingest_text", "/number", json!(7)),
        ("ingest_text", "/text", long(300 * 1024 + 1)),
        ("statistics", "/counts", json!({"totalSessions": i64::MAX})),
        ("statistics", "/counts", json!({"totalSessions": -1})),
        ("statistics", "/counts", json!({"unknown": 1})),
        ("statistics", "/day", json!("9999-12-31")),
        ("session", "/version", max.clone()),
        ("session", "/epoch", max.clone()),
        ("session", "/turnCount", json!(u32::MAX)),
        ("session", "/turnCount", json!(1)),
        ("session", "/mode", json!("test")),
        ("session", "/createdAt", future.clone()),
        ("session", "/lastActivityAt", future.clone()),
        ("session", "/resumableUntil", future.clone()),
        ("session", "/ownership", json!("pending_handover")),
        ("session", "/ownership", json!("human")),
        ("session", "/escalationId", json!("esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("session", "/lastHumanPart", json!("esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("session", "/snoozed", json!(true)),
        ("session", "/lastMessageId", json!("msg_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("session", "/metadata", json!("{\"a\":{\"b\":1}}")),
        ("session", "/metadata", json!("{\"a\": 1}")),
        ("session", "/metadata", json!(format!("{{\"a\":\"{}\"}}", "x".repeat(4_096)))),
        ("session", "/tags", json!(["\n"])),
        ("session", "/locale", json!("../..")),
        ("session", "/externalUserId", long(201)),
        ("session", "/user", json!({"verified": true})),
        ("session", "/widgetSent", json!({"tags": ["a"], "metadata": "{}", "user": {}})),
        ("session", "/widgetSent", json!({"tags": vec!["x"; 21], "metadata": "{}"})),
        ("turn", "/turn/number", json!(9)),
        ("turn", "/turn/content", long(65_537)),
        ("turn", "/turn/messageId", json!("msg_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("turn", "/turn/createdAt", future.clone()),
        ("turn", "/turn/role", json!("system")),
        ("turn", "/turn/queries", json!(u32::MAX)),
        ("turn", "/turn/latencyMs", max.clone()),
        ("turn", "/turn/confidence", json!(1e200)),
        ("turn", "/turn/escalationId", json!("esc_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("turn", "/sessionId", json!("ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("escalation", "/sessionId", json!("ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("escalation", "/version", max.clone()),
        ("escalation", "/reason", long(1_001)),
        ("escalation", "/createdAt", future.clone()),
        ("escalation", "/leaseExpiresAt", future.clone()),
        ("escalation", "/formerAgent", json!({"id": "a", "name": "x".repeat(101)})),
        ("escalation", "/outcome", json!("expired_long_ago")),
        ("escalation", "/snoozedUntil", future.clone()),
        ("escalation", "/snoozedUntil", json!("2030-01-02T00:00:00.000Z")),
        ("escalation", "/earlierParts", json!(u32::MAX)),
        ("escalation", "/earlierPartsMs", json!(-1)),
        ("escalation", "/tags", json!(vec!["x"; 21])),
        ("gap_question", "/turn", json!(u32::MAX)),
        ("gap_question", "/turn", json!(2)),
        ("gap_question", "/turn", json!(0)),
        ("gap_question", "/sessionId", json!("ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("gap", "/count", max.clone()),
        ("gap", "/sessions", max.clone()),
        ("gap", "/version", max),
        ("gap", "/lastSeenAt", future),
        ("gap", "/query/sessionId", json!("ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("gap", "/query/text", long(501)),
    ]
}

#[test]
fn a_value_that_the_api_would_refuse_is_refused_by_its_line() {
    let lines = export();
    for (kind, place, value) in attacks() {
        let (object, field) = place.rsplit_once('/').unwrap();
        for line in places(&lines, kind) {
            if lines[line]["item"][kind].pointer(place) == Some(&value) {
                continue;
            }
            let set = |changed: &mut Value| {
                let fields = changed["item"][kind].pointer_mut(object).and_then(Value::as_object_mut).unwrap();
                fields.insert(field.to_owned(), value.clone());
            };
            let shown = value.to_string();
            let shown: String = shown.chars().take(60).collect();
            assert_refused(&lines, line, set, &format!("{place} of {kind} as {shown}"));
        }
    }
}

/// DynamoDB counts more for an item than the bytes of its names and values; an import that it refused would end halfway.
#[test]
fn an_item_that_is_too_large_for_the_table_is_refused() {
    let lines = export();
    let is_completed = |at: &&usize| lines[**at]["item"]["ingest_job"]["status"] == "completed";
    let jobs = places(&lines, "ingest_job");
    let place = *jobs.iter().find(is_completed).unwrap();
    let with = |entries: usize| {
        let entry = json!({"path": "a/b", "action": "created", "section": ""});
        move |line: &mut Value| line["item"]["ingest_job"]["entries"] = vec![entry; entries].into()
    };
    let mut small = lines.clone();
    with(8_000)(&mut small[place]);
    imported(&small).unwrap();
    assert_refused(&lines, place, with(13_000), "a job of 13,000 entries");
}

#[test]
fn nothing_is_there_twice_or_missing_and_nothing_stands_where_it_does_not_belong() {
    let lines = export();
    let with_end = |mut lines: Vec<Value>| {
        let items = lines.len() - 4;
        *lines.last_mut().unwrap() = json!({"type": "end", "items": items});
        lines
    };
    for (kind, _) in kinds() {
        let place = places(&lines, kind)[0];
        let mut twice = lines.clone();
        twice.insert(place, lines[place].clone());
        assert!(imported(&with_end(twice)).is_err(), "{kind} twice");
        let mut elsewhere = lines.clone();
        elsewhere.insert(lines.len() - 1, lines[place].clone());
        assert!(imported(&with_end(elsewhere)).is_err(), "{kind} at the end");
        let mut other_mode = lines.clone();
        let other = if lines[place]["mode"] == "live" { "test" } else { "live" };
        other_mode[place]["mode"] = other.into();
        let stands_alone =
            ["webhook", "saved_reply", "draft", "pin", "statistics", "deleted_entry", "entry", "ingest_job"]
                .contains(&kind);
        let has_parts = lines[place + 1]["item"].as_object().is_some_and(|item| {
            item.keys().any(|part| ["revision", "revisions_end", "ingest_text"].contains(&part.as_str()))
        });
        if !stands_alone || has_parts {
            assert!(imported(&other_mode).is_err(), "{kind} in the other mode");
        }
    }
    for part in ["turn", "ingest_text"] {
        for place in places(&lines, part) {
            let mut missing = lines.clone();
            missing.remove(place);
            assert!(imported(&with_end(missing)).is_err(), "without the {part} of line {}", place + 1);
        }
    }
    let open = |status: &str| {
        let is_it = |at: &usize| lines[*at]["item"]["escalation"]["status"] == status;
        (0..lines.len()).find(is_it).unwrap_or_else(|| panic!("no escalation is {status}"))
    };
    for status in ["pending", "claimed"] {
        let mut missing = lines.clone();
        missing.remove(open(status));
        assert!(imported(&with_end(missing)).is_err(), "a session without the {status} request that it waits for");
    }
}

#[test]
fn a_closed_draft_and_one_that_quotes_or_lacks_what_its_action_needs_are_refused() {
    let lines = export();
    let place = places(&lines, "draft")[0];
    for (field, value) in [
        ("status", json!("published")),
        ("quotes", json!([{"sessionId": "ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "text": "Hello."}])),
        ("action", json!("create")),
        ("action", json!("delete")),
        ("baseVersion", json!(null)),
        ("baseVersion", json!(0)),
        ("content", json!(null)),
        ("content", json!(" \n")),
        ("title", json!(" ".repeat(500))),
        ("createdBy", json!("Nobody")),
    ] {
        let with = move |line: &mut Value| line["item"]["draft"][field] = value.clone();
        assert_refused(&lines, place, with, field);
    }
}

#[test]
fn a_draft_and_an_entry_of_a_member_are_imported() {
    let lines = export();
    for (kind, field) in [("draft", "createdBy"), ("entry", "updatedBy")] {
        let place = places(&lines, kind)[0];
        let mut written = lines.clone();
        written[place]["item"][kind][field] = json!("mem_01JDB8Q7XKZ3T5V9W2Y4A6C8EG");
        assert!(imported(&written).is_ok(), "{kind}");
    }
}

#[test]
fn a_saved_reply_of_a_key_and_one_with_another_shortcut_than_the_api_takes_are_refused() {
    let lines = export();
    let place = places(&lines, "saved_reply")[0];
    for (field, value) in [("owner", json!("key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")), ("shortcut", json!("Upper Case"))] {
        let with = move |line: &mut Value| line["item"]["saved_reply"][field] = value.clone();
        assert_refused(&lines, place, with, field);
    }
}

#[test]
fn an_open_request_for_a_human_shows_the_customer_of_its_session() {
    let lines = export();
    for place in places(&lines, "escalation") {
        let escalation = &lines[place]["item"]["escalation"];
        if !["pending", "claimed"].contains(&escalation["status"].as_str().unwrap()) {
            continue;
        }
        let is_verified = escalation["customerVerified"] == true;
        for (field, value) in
            [("customerName", json!("Eve")), ("customerName", Value::Null), ("customerVerified", json!(!is_verified))]
        {
            let set = |line: &mut Value| match (value.clone(), line["item"]["escalation"].as_object_mut().unwrap()) {
                (Value::Null | Value::Bool(false), fields) => drop(fields.remove(field)),
                (value, fields) => drop(fields.insert(field.to_owned(), value)),
            };
            assert_refused(&lines, place, set, &format!("{field} as {value}"));
        }
    }
}

#[test]
fn a_long_answer_of_the_ai_comes_in() {
    let mut lines = export();
    let is_answer = |line: &Value| line["item"]["turn"]["turn"]["role"] == "ai";
    let place = (0..lines.len()).find(|at| is_answer(&lines[*at])).unwrap();
    lines[place]["item"]["turn"]["turn"]["content"] = "x".repeat(30_000).into();
    imported(&lines).unwrap();
}

#[test]
fn an_answer_that_the_ai_may_not_show_is_not_imported() {
    let lines = export();
    let answer = |line: &Value| line["item"]["turn"]["turn"]["role"] == "ai";
    let place = (0..lines.len()).find(|at| answer(&lines[*at])).unwrap();
    for shown in ["<img src=x onerror=alert(1)>", "[pay here](javascript:alert(1))"] {
        let say = |line: &mut Value| line["item"]["turn"]["turn"]["content"] = shown.into();
        assert_refused(&lines, place, say, shown);
    }
}

#[test]
fn only_a_whole_export_of_this_format_is_taken() {
    let begin = json!({"type": "export", "format": FORMAT, "exportId": "0".repeat(32),
        "exportedAt": "2026-01-02T03:04:05.678Z", "tenantName": "Shop"});
    let settings = |mode: &str| json!({"type": "settings", "mode": mode, "settings": Settings::default()});
    let end = |items: u64| json!({"type": "end", "items": items});
    let whole = vec![begin.clone(), settings("live"), settings("test"), end(0)];
    assert_eq!(imported(&whole).unwrap().items, 0);
    let mut other = whole.clone();
    other[0]["format"] = json!(FORMAT - 1);
    let broken = [
        vec![],
        vec![begin.clone()],
        vec![end(0)],
        vec![begin.clone(), end(0)],
        vec![begin.clone(), settings("live"), settings("live"), settings("test"), end(0)],
        vec![begin.clone(), settings("live"), settings("test"), end(1)],
        vec![begin, settings("live"), settings("test"), end(0), end(0)],
        other,
    ];
    for lines in broken {
        assert_eq!(imported(&lines).unwrap_err().code(), Code::ValidationError, "{lines:?}");
    }
}
