//! The token of a preview names its member, and no other token names one.

use super::*;

fn member_claim() -> Value {
    json!({"id": MemberId::from_parts(now(), 4), "gen": 2, "sin": SignInId::from_parts(now(), 5)})
}

/// The claims of a preview, whose member is `member`.
fn preview(member: Option<Value>) -> String {
    let claims: Value = serde_json::from_str(&with(claims(), "sub", Some(json!("preview_1")))).unwrap();
    with(claims, "mem", member)
}

#[test]
fn a_preview_names_its_member_and_nobody_else_does() {
    let text = header().to_string();
    let owner = verify(&config(), now(), &signed(&text, preview(Some(member_claim())), KEY)).unwrap().preview_of;
    let (member_id, sign_in) = (MemberId::from_parts(now(), 4), SignInId::from_parts(now(), 5));
    assert_eq!(owner, Some(PreviewOwner { member_id, generation: 2, sign_in }));
    refused("a preview of nobody", &signed(&text, preview(None), KEY));
    refused("a customer with a member", &signed(&text, with(claims(), "mem", Some(member_claim())), KEY));
    for (name, value) in [("id", json!("mem_x")), ("gen", json!(-1)), ("sin", json!("")), ("roles", json!([]))] {
        let mut wrong = member_claim();
        wrong[name] = value;
        refused(name, &signed(&text, preview(Some(wrong)), KEY));
    }
    for name in ["id", "gen", "sin"] {
        let mut less = member_claim();
        less.as_object_mut().unwrap().remove(name);
        refused(&format!("no {name}"), &signed(&text, preview(Some(less)), KEY));
    }
}
