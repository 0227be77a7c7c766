//! The checks that only drafts have: status, quotes, base version.

use super::*;

#[test]
fn a_closed_draft_and_one_that_quotes_are_refused() {
    let lines = export();
    let place = places(&lines, "draft")[0];
    for (field, value) in [
        ("draftStatus", json!("published")),
        ("quotes", json!([{"sessionId": "ses_01JDB8Q7XKZ3T5V9W2Y4A6C8EG", "text": "Hello."}])),
        ("baseVersion", json!(0)),
        ("content", json!(" \n")),
        ("title", json!(" ".repeat(500))),
        ("createdBy", json!("Nobody")),
        ("updatedAt", json!("2031-01-01T00:00:00.000Z")),
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
