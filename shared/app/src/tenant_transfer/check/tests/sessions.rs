//! The checks that only sessions have: verification of the user, and the AI's turns.

use super::*;

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
