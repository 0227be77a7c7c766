//! `import` of files that somebody crafted.

use std::cell::Cell;
use std::collections::BTreeSet;

use domain::error::Code;
use domain::models::TenantId;
use serde_json::{Value, json};
use support::transfer::{Lines, Rules, import, preview};

use super::support::Folder;

/// An export of a tenant with an entry, a session and figures.
async fn exported(folder: &Folder) -> Vec<Value> {
    exported_after(folder, async |_: &str, _: &str| {}).await
}

/// The same after an agent stepped in.
async fn exported_with_agent(folder: &Folder) -> Vec<Value> {
    let step_in = async |key: &str, session: &str| {
        let agent = json!({"agentId": "bob", "agentName": "Bob"});
        let claimed = folder.post(key, &format!("/sessions/{session}/takeover"), &agent).await.1;
        let said = json!({"agentId": "bob", "agentName": "Bob", "content": "I am Bob."});
        let reply = format!("/inbox/{}/message", claimed["escalationId"].as_str().unwrap());
        assert_eq!(folder.post(key, &reply, &said).await.0, 200);
        let draft = json!({"path": "help/new", "action": "create", "title": "T", "content": "C"});
        assert_eq!(folder.post(key, "/drafts", &draft).await.0, 201);
    };
    exported_after(folder, step_in).await
}

async fn exported_after(folder: &Folder, then: impl AsyncFnOnce(&str, &str)) -> Vec<Value> {
    let (_, key) = folder.tenant("Shop").await;
    let entry = json!({"path": "help/refunds", "title": "Refunds", "content": "A refund takes five days."});
    assert_eq!(folder.post(&key, "/wiki", &entry).await.0, 201);
    let session = folder.post(&key, "/sessions", &json!({})).await.1;
    let session = session["sessionId"].as_str().unwrap();
    let messages = format!("/sessions/{session}/messages");
    assert_eq!(folder.post(&key, &messages, &json!({"content": "How long does a refund take?"})).await.0, 200);
    then(&key, session).await;
    folder.service.as_ref().unwrap().drain().await.unwrap();
    let file = folder.path().join("shop.jsonl");
    folder.json(&["export", "Shop", file.to_str().unwrap()]).await;
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(folder: &Folder, lines: &[Value]) -> String {
    let file = folder.path().join("crafted.jsonl");
    std::fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Where the first item of a kind is.
fn place(lines: &[Value], kind: &str) -> usize {
    lines.iter().position(|line| line["item"].get(kind).is_some()).unwrap_or_else(|| panic!("no {kind}"))
}

/// The resources of a tenant: its entries, sessions, inbox and settings.
async fn state(folder: &Folder, key: &str) -> Vec<(u16, Value)> {
    let mut state = Vec::new();
    for path in ["/wiki", "/sessions", "/inbox", "/settings", "/webhooks", "/ingest"] {
        state.push(folder.get(key, path).await);
    }
    state
}

/// Crafted files that put an entry into another tenant's list, broke its inbox, or changed its plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_crafted_file_is_refused_by_its_line_and_changes_nothing() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let honest = exported(&folder).await;
    let (victim, victim_key) = folder.tenant("Victim").await;
    let (_, key) = folder.tenant("Target").await;
    let card = json!({"path": "news/security", "title": "Security notice", "excerpt": "https://evil.example"});
    let mut forged: Vec<Value> = [
        json!({"pk": "live#STATS#0", "sk": "DAY#2026-01-01", "listed": [format!("{victim}#live#WIKI"), "1"],
            "attributes": {"kind": {"S": "statistics"}, "card": {"M": {}}}}),
        json!({"statistics": {"day": "2026-01-01", "counts": {}, "gsi1pk": format!("{victim}#live#WIKI"),
            "gsi1sk": "9", "card": card}}),
        json!({"statistics": {"day": "2026-01-01", "counts": {}, "gsi1pk": format!("{victim}#live#INBOX#pending"),
            "gsi1sk": "0#0"}}),
        json!({"statistics": {"day": "2026-01-01", "counts": {}, "gsi1pk": "TENANTS", "gsi1sk": "0",
            "card": {"tenantId": victim, "plan": "pro"}}}),
        json!({"api_key": {"sha256": "0".repeat(64)}}),
        json!({"idempotency": {"hash": "0"}}),
        json!({"delivery": {"webhookId": "whk_01JDB8Q7XKZ3T5V9W2Y4A6C8EG"}}),
        json!({"tenant": {"tenantId": victim, "plan": "pro"}}),
    ]
    .map(|item| json!({"type": "item", "mode": "live", "item": item}))
    .into();
    let mut strange = honest[place(&honest, "session")].clone();
    strange["item"]["session"]["ttl"] = json!(1);
    forged.push(strange);
    let before =
        (state(&folder, &victim_key).await, state(&folder, &key).await, folder.json(&["tenant", "list"]).await);
    for item in forged {
        let mut lines = honest.clone();
        lines.insert(3, item.clone());
        let items = lines.len() - 4;
        *lines.last_mut().unwrap() = json!({"type": "end", "items": items});
        let file = write(&folder, &lines);
        for yes in [&["--yes"][..], &[]] {
            let refused = folder.ops(&[&["import", "Target", file.as_str()], yes].concat()).await;
            assert!(refused.expect(4).stderr.contains("Line 4 is no line of an export"), "{item}: {refused:?}");
        }
    }
    // The last line but one is wrong: nothing before it was written.
    let mut lines = honest.clone();
    let last = lines.len() - 2;
    lines[last]["item"]["unknown"] = json!({});
    let file = write(&folder, &lines);
    let refused = folder.ops(&["import", "Target", file.as_str(), "--yes"]).await;
    assert!(refused.expect(4).stderr.contains(&format!("Line {} is no line", last + 1)), "{refused:?}");
    let after = (state(&folder, &victim_key).await, state(&folder, &key).await, folder.json(&["tenant", "list"]).await);
    assert_eq!(after, before);
    // The tenant is as empty as before: the honest file goes in.
    let file = write(&folder, &honest);
    assert!(folder.json(&["import", "Target", file.as_str(), "--yes"]).await["written"].as_u64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_changes_while_it_is_imported_ends_the_import() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let honest = exported(&folder).await;
    let mut other = honest.clone();
    let entry = place(&other, "entry");
    other[entry]["item"]["entry"]["title"] = json!("Changed");
    let files = [&honest, &other].map(|lines| lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    let resources = folder.service.as_ref().unwrap().resources();
    let (store, runtime) = (&resources.store, &resources.runtime);
    let rules = Rules { now: runtime.now(), outbound: resources.config.outbound };
    let found = preview(rules, Lines::new(files[0].as_bytes())).unwrap();
    // The first reading writes, the second one makes due.
    for changed in [0, 1] {
        let tenant = TenantId::parse(&folder.tenant(&format!("Target {changed}")).await.0).unwrap();
        let reading = Cell::new(0);
        let open = || Ok(Lines::new(files[usize::from(reading.replace(reading.get() + 1) == changed)].as_bytes()));
        let refused =
            import(store, runtime, rules, &tenant, (&found, &BTreeSet::new()), open, |_, _| {}).await.unwrap_err();
        assert_eq!(refused.code(), Code::Conflict, "{refused}");
        let left = store.tenant_items().get_import(&tenant).await.unwrap().unwrap();
        assert!(!left.done, "{left:?}");
        let open = || Ok(Lines::new(files[0].as_bytes()));
        let again =
            import(store, runtime, rules, &tenant, (&found, &BTreeSet::new()), open, |_, _| {}).await.unwrap_err();
        assert_eq!(again.code(), Code::Conflict, "the rest of another file is not continued: {again}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operators_settings_stay_and_those_about_pages_are_shown_first() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let mut lines = exported(&folder).await;
    let (_, key) = folder.tenant("Target").await;
    folder.ops(&["tenant", "plan", "Target", "free"]).await.expect(0);
    folder.ops(&["tenant", "limits", "Target", "--widget-requests", "77"]).await.expect(0);
    let live = lines.iter().position(|line| line["type"] == "settings" && line["mode"] == "live").unwrap();
    let look = |part: &str, value: &str| {
        let mut look = json!({"color": null, "name": null, "position": null, "logoUrl": null});
        look[part] = value.into();
        look
    };
    for (name, value) in [
        ("sourceUrlTemplate", json!("javascript:alert('{path}')")),
        ("widgetOrigins", json!(["null"])),
        ("modelCallsPerDay", json!(u32::MAX)),
        ("retentionDays", json!(0)),
        ("suggestions", json!(["1", "2", "3", "4", "5"])),
        ("suggestions[0]", json!(["\u{202e}yhW"])),
        ("appearance.color", look("color", "red;x:url(//a.example)")),
        ("appearance.logoUrl", look("logoUrl", "javascript:alert(1)")),
        ("appearance.name", look("name", &"n".repeat(10_000))),
    ] {
        let mut bad = lines.clone();
        bad[live]["settings"][name.split(['.', '[']).next().unwrap()] = value;
        let file = write(&folder, &bad);
        let refused = folder.ops(&["import", "Target", file.as_str(), "--yes"]).await;
        let line = format!("Line {} is no line of an export: {name}", live + 1);
        assert!(refused.expect(4).stderr.contains(&line), "{refused:?}");
    }
    let session = place(&lines, "session");
    lines[session]["item"]["session"]["user"] = json!({"name": "Ann", "verified": true});
    lines[live]["settings"]["widgetRequestsPerMinute"] = json!(u32::MAX);
    lines[live]["settings"]["widgetOrigins"] = json!(["https://shop.example"]);
    lines[live]["settings"]["sourceUrlTemplate"] = json!("https://help.example/{path}");
    lines[live]["settings"]["appearance"] = look("logoUrl", "https://help.example/logo.svg");
    lines[live]["settings"]["suggestions"] = json!(["Why?"]);
    let file = write(&folder, &lines);
    let shown = |text: &str| {
        text.contains("live  widgetOrigins           [\"https://shop.example\"]\n")
            && text.contains("live  sourceUrlTemplate       \"https://help.example/{path}\"\n")
            && text.contains("live  appearance.logoUrl      \"https://help.example/logo.svg\"\n")
            && text.contains("live  suggestions             [\"Why?\"]\n")
            && text.contains("sessions whose user is verified: 1")
    };
    let before = state(&folder, &key).await;
    let dry = folder.ops(&["import", "Target", file.as_str()]).await;
    assert!(shown(&dry.expect(0).stdout) && dry.stdout.contains("Nothing was changed"), "{dry:?}");
    assert_eq!(state(&folder, &key).await, before);
    let done = folder.ops(&["import", "Target", file.as_str(), "--yes"]).await;
    assert!(shown(&done.expect(0).stderr), "{done:?}");
    let settings = folder.get(&key, "/settings").await.1;
    assert_eq!((&settings["plan"], &settings["widgetRequestsPerMinute"]), (&json!("free"), &json!(77)));
    assert_eq!(settings["widgetOrigins"], json!(["https://shop.example"]));
}

/// Lines with one more item.
fn with_item(lines: &[Value], item: &Value) -> Vec<Value> {
    let mut lines = lines.to_vec();
    let end = lines.len() - 1;
    lines.insert(end, json!({"type": "item", "mode": "live", "item": item}));
    lines[end + 1] = json!({"type": "end", "items": end - 2});
    lines
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_opens_no_entry_and_shortens_no_retention_unless_the_operator_names_the_setting() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let mut lines = exported(&folder).await;
    let live = lines.iter().position(|line| line["type"] == "settings" && line["mode"] == "live").unwrap();
    for (name, value) in [
        ("widgetAnswerVisibility", json!("all")),
        ("answerVisibility", json!("public")),
        ("retentionDays", json!(7)),
        (
            "texts",
            json!({"greeting": "Call 0900 1234", "thanks": null, "farewell": null, "aboutMe": null,
            "noAnswer": null, "handover": null, "failure": null}),
        ),
    ] {
        lines[live]["settings"][name] = value;
    }
    let file = write(&folder, &lines);
    let (_, key) = folder.tenant("Cautious").await;
    let dry = folder.ops(&["import", "Cautious", file.as_str()]).await;
    for shown in [
        "live  answerVisibility        \"all\" (stays; --take answerVisibility for \"public\")",
        "live  widgetAnswerVisibility  \"public\" (stays; --take widgetAnswerVisibility for \"all\")",
        "live  retentionDays           365 (stays; --take retentionDays for 7)",
        "live  texts.greeting          \"Call 0900 1234\"",
    ] {
        assert!(dry.expect(0).stdout.contains(shown), "{shown}: {}", dry.stdout);
    }
    folder.ops(&["import", "Cautious", file.as_str(), "--yes"]).await.expect(0);
    let settings = folder.get(&key, "/settings").await.1;
    let kept = ["answerVisibility", "widgetAnswerVisibility", "retentionDays"].map(|name| settings[name].clone());
    assert_eq!(kept, [json!("all"), json!("public"), json!(365)]);
    folder.service.as_ref().unwrap().drain().await.unwrap();
    let token = folder.post(&key, "/auth/widget-token", &json!({})).await.1;
    let visitor = token["token"].as_str().unwrap();
    let session = folder.post(visitor, "/sessions", &json!({})).await.1;
    let messages = format!("/sessions/{}/messages", session["sessionId"].as_str().unwrap());
    let asked = folder.post(visitor, &messages, &json!({"content": "How long does a refund take?"})).await;
    assert_eq!((asked.0, &asked.1["disposition"]), (200, &json!("no_answer")), "{asked:?}");

    let (_, key) = folder.tenant("Trusting").await;
    let take = ["--take", "widgetAnswerVisibility", "--take", "retentionDays"];
    folder.ops(&[&["import", "Trusting", file.as_str(), "--yes"][..], &take].concat()).await.expect(0);
    let settings = folder.get(&key, "/settings").await.1;
    let taken = ["answerVisibility", "widgetAnswerVisibility", "retentionDays"].map(|name| settings[name].clone());
    assert_eq!(taken, [json!("all"), json!("all"), json!(7)]);
    folder.ops(&["import", "Trusting", file.as_str(), "--take", "widgetOrigins"]).await.expect(2);
    // A repetition continues the import as it began.
    let repeat =
        async |take: &[&str]| folder.ops(&[&["import", "Trusting", file.as_str(), "--yes"], take].concat()).await;
    repeat(&take).await.expect(0);
    for other in [&[][..], &take[..2]] {
        let refused = repeat(other).await;
        assert!(refused.expect(4).stderr.contains("--take"), "{refused:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_import_brings_passed_the_constructors_of_the_api() {
    let folder = Folder::with(|options| options.sweep_every = None).await;
    let honest = exported_with_agent(&folder).await;
    let (_, key) = folder.tenant("Target").await;
    let pin = |path: &str| {
        json!({"pin": {
            "pinId": "pin_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "entryPath": path, "question": "Did ann@example.com\u{202e} pay?",
            "createdBy": "key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "createdAt": "2026-01-02T03:04:05.000Z",
        }})
    };
    let missing = with_item(&honest, &pin("help/missing"));
    let mut preview = honest.clone();
    let session = place(&honest, "session");
    preview[session]["item"]["session"]["channel"] = json!("widget");
    preview[session]["item"]["session"]["externalUserId"] = json!("preview_1");
    for (lines, line, why) in [
        (missing, honest.len(), "a question is pinned to an entry that is not there"),
        (preview, session + 1, "an export has no previews of the chat"),
    ] {
        let file = write(&folder, &lines);
        let refused = folder.ops(&["import", "Target", file.as_str(), "--yes"]).await;
        let told = format!("Line {line} is no line of an export: {why}");
        assert!(refused.expect(4).stderr.contains(&told), "{told}: {refused:?}");
    }
    // A member of the tenant speaks by its own sign-in.
    let member = "mem_01JDB8Q7XKZ3T5V9W2Y4A6C8EG";
    let mut lines = with_item(&honest, &pin("help/refunds"));
    for item in lines.iter_mut().filter_map(|line| line.get_mut("item")?.as_object_mut()?.values_mut().next()) {
        for author in ["createdBy", "updatedBy", "deletedBy"] {
            if let Some(author) = item.get_mut(author) {
                *author = json!(member);
            }
        }
    }
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let file = folder.path().join("crafted.jsonl");
    std::fs::write(&file, text.replace("\"bob\"", &format!("\"{member}\""))).unwrap();
    folder.ops(&["import", "Target", file.to_str().unwrap(), "--yes"]).await.expect(0);
    let pins = folder.get(&key, "/pins").await.1;
    let question = pins["items"][0]["question"].as_str().unwrap();
    assert!(!question.contains("ann@example.com") && !question.contains('\u{202e}'), "{question}");
    let id = honest[session]["item"]["session"]["sessionId"].as_str().unwrap();
    let turns = folder.get(&key, &format!("/sessions/{id}/messages")).await.1;
    let agents: Vec<&Value> = turns["items"].as_array().unwrap().iter().filter_map(|turn| turn.get("agent")).collect();
    let imported = json!({"id": format!("imported_{member}"), "name": "Bob"});
    let entry = folder.get(&key, "/wiki/help/refunds").await.1;
    let draft = folder.get(&key, "/drafts").await.1["items"][0].clone();
    for author in [&entry["createdBy"], &entry["updatedBy"], &draft["createdBy"], &pins["items"][0]["createdBy"]] {
        assert_eq!(*author, imported["id"], "{entry} {draft} {pins}");
    }
    assert!(!agents.is_empty() && agents.iter().all(|agent| **agent == imported), "{turns}");
    let claimed = folder.get(&key, "/inbox?status=claimed").await.1;
    assert_eq!(claimed["items"][0]["claimedBy"]["agentId"], imported["id"], "{claimed}");
    let audit = folder.json(&["audit", "Target"]).await;
    assert_eq!(audit["items"].as_array().unwrap().iter().filter(|it| it["action"] == "tenant.imported").count(), 1);
    // It is exported and imported again, and speaks for no member then either.
    let file = folder.path().join("again.jsonl");
    folder.json(&["export", "Target", file.to_str().unwrap()]).await;
    let again = std::fs::read_to_string(&file).unwrap();
    assert!(again.contains(&format!("\"imported_{member}\"")) && !again.contains(&format!("\"{member}\"")), "{again}");
    let (_, key) = folder.tenant("Third").await;
    folder.ops(&["import", "Third", file.to_str().unwrap(), "--yes"]).await.expect(0);
    assert_eq!(folder.get(&key, "/wiki/help/refunds").await.1["updatedBy"], imported["id"]);
}
