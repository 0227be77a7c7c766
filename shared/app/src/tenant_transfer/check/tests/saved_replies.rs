//! The checks that only saved replies have: owner and shortcut.

use super::*;

#[test]
fn a_saved_reply_of_a_key_and_one_with_another_shortcut_than_the_api_takes_are_refused() {
    let lines = export();
    let place = places(&lines, "saved_reply")[0];
    for (field, value) in [
        ("owner", json!("key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG")),
        ("shortcut", json!("Upper Case")),
        ("updatedAt", json!("2031-01-01T00:00:00.000Z")),
    ] {
        let with = move |line: &mut Value| line["item"]["saved_reply"][field] = value.clone();
        assert_refused(&lines, place, with, field);
    }
}
