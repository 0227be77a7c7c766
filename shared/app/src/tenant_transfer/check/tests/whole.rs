//! The checks of an export as a whole.

use super::*;

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
    let mut late = whole.clone();
    late[0]["exportedAt"] = json!("2031-01-01T00:00:00.000Z");
    let mut named = whole.clone();
    named[0]["exportId"] = json!("x".repeat(1_000));
    let broken = [
        vec![],
        vec![begin.clone()],
        vec![end(0)],
        vec![begin.clone(), end(0)],
        vec![begin.clone(), settings("live"), settings("live"), settings("test"), end(0)],
        vec![begin.clone(), settings("live"), settings("test"), end(1)],
        vec![begin, settings("live"), settings("test"), end(0), end(0)],
        other,
        late,
        named,
    ];
    for lines in broken {
        assert_eq!(imported(&lines).unwrap_err().code(), Code::ValidationError, "{lines:?}");
    }
}
