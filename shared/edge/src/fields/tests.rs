//! Every kind of field, valid and invalid.

use super::*;

fn fields(json: &str) -> Fields {
    Fields::new(crate::strict_json::object(json.as_bytes()).unwrap())
}

fn codes(fields: &Fields) -> Vec<(String, String)> {
    fields.problems().into_iter().map(|d| (d.field.unwrap_or_default(), d.code.into_owned())).collect()
}

fn problem_of(json: &str, read: impl FnOnce(&Fields)) -> Vec<(String, String)> {
    let f = fields(json);
    read(&f);
    codes(&f)
}

#[test]
fn a_text_is_judged_at_its_limits() {
    for (length, code) in [(0, Some("TOO_SHORT")), (1, None), (7, None), (8, None), (9, Some("TOO_LONG"))] {
        let f = fields(&format!(r#"{{"t":"{}"}}"#, "é".repeat(length)));
        assert_eq!(f.required_text("t", 1, 8).is_some(), code.is_none(), "{length}");
        assert_eq!(codes(&f).first().map(|(_, c)| c.as_str()), code, "{length}");
    }
}

#[test]
fn wrong_types_are_problems_and_null_is_absence() {
    for wrong in ["1", "1.5", "{}", "[]", "true"] {
        let found = problem_of(&format!(r#"{{"t":{wrong}}}"#), |f| assert_eq!(f.text("t", 1, 9), None));
        assert_eq!(found, [("t".into(), "WRONG_TYPE".into())], "{wrong}");
    }
    assert!(problem_of(r#"{"t":null}"#, |f| assert_eq!(f.text("t", 1, 9), None)).is_empty());
    let found = problem_of(r#"{"T":"x"}"#, |f| assert_eq!(f.required_text("t", 1, 9), None));
    assert_eq!(found, [("t".into(), "REQUIRED".into())], "names are case-sensitive");
}

#[test]
fn blank_and_poisoned_texts_are_refused() {
    for (json, code) in [(r#"{"t":"  \t\n "}"#, "BLANK"), (r#"{"t":"a\u0000b"}"#, "INVALID_CHARACTER")] {
        let found = problem_of(json, |f| assert_eq!(f.text("t", 1, 99), None));
        assert_eq!(found, [("t".into(), code.into())], "{json}");
    }
    for poison in ["\\u202a", "\\u202e", "\\u2066", "\\u2069", "\\n", "\\u0007", "\\u0085", "\\u2028"] {
        let json = format!(r#"{{"t":"a{poison}b"}}"#);
        assert!(problem_of(&json, |f| assert!(f.text("t", 1, 99).is_some())).is_empty(), "{poison}");
        assert_eq!(problem_of(&json, |f| assert_eq!(f.line("t", 1, 99), None)).len(), 1, "{poison}");
    }
}

#[test]
fn names_of_languages_that_run_from_right_to_left_keep_their_marks() {
    for mark in ["\\u061c", "\\u200e", "\\u200f"] {
        let json = format!(r#"{{"t":"\u05d3\u05e0\u05d9 (ACME){mark}"}}"#);
        assert!(problem_of(&json, |f| assert!(f.line("t", 1, 99).is_some())).is_empty(), "{mark}");
    }
}

#[test]
fn a_number_that_could_not_come_back_as_it_was_sent_is_refused() {
    let digits = "1".repeat(40);
    for (text, good) in [
        ("0", true),
        ("-0.0", true),
        ("0.1", true),
        ("1e-130", true),
        ("1e-131", false),
        ("5e-324", false),
        ("1e200", false),
        ("-1e200", false),
        (digits.as_str(), false),
        ("18446744073709551615", true),
        ("-9223372036854775808", true),
        ("18446744073709551616", false),
        ("1e19", true),
        ("-1.5e19", true),
    ] {
        let f = fields(&format!(r#"{{"m":{{"k":{text}}},"n":{text}}}"#));
        assert_eq!(f.flat_map("m", 50, 4096).is_some(), good, "{text}");
        assert_eq!(f.number("n", -1e300, 1e300).is_some(), good, "{text}");
    }
}

#[test]
fn an_integer_is_written_as_one_and_never_clamped() {
    for (text, code) in [
        ("1", None),
        ("100", None),
        ("0", Some("OUT_OF_RANGE")),
        ("101", Some("OUT_OF_RANGE")),
        ("-1", Some("OUT_OF_RANGE")),
        ("4294967296", Some("OUT_OF_RANGE")),
        ("9999999999999999999", Some("OUT_OF_RANGE")),
        ("1.0", Some("WRONG_TYPE")),
        ("1e2", Some("WRONG_TYPE")),
        ("-0", Some("WRONG_TYPE")),
        ("\"5\"", Some("WRONG_TYPE")),
        ("99999999999999999999999", Some("WRONG_TYPE")),
    ] {
        let f = fields(&format!(r#"{{"n":{text}}}"#));
        assert_eq!(f.integer("n", 1, 100).is_some(), code.is_none(), "{text}");
        assert_eq!(codes(&f).first().map(|(_, c)| c.as_str()), code, "{text}");
    }
}

#[test]
fn nested_fields_are_named_by_their_way() {
    let found = problem_of(r#"{"user":{"name":7,"email":""}}"#, |f| {
        let user = f.object("user").unwrap();
        assert_eq!(user.line("name", 1, 100), None);
        assert_eq!(user.line("email", 1, 254), None);
    });
    assert_eq!(found, [("user.name".into(), "WRONG_TYPE".into()), ("user.email".into(), "TOO_SHORT".into())]);
    assert_eq!(problem_of(r#"{"user":[]}"#, |f| assert!(f.object("user").is_none())).len(), 1);
}

#[test]
fn metadata_is_flat_and_bounded() {
    let keys = |n: usize| (0..n).map(|i| format!(r#""k{i}":1"#)).collect::<Vec<_>>().join(",");
    assert!(
        problem_of(&format!(r#"{{"m":{{{}}}}}"#, keys(50)), |f| assert!(f.flat_map("m", 50, 4096).is_some()))
            .is_empty()
    );
    assert_eq!(
        problem_of(&format!(r#"{{"m":{{{}}}}}"#, keys(51)), |f| assert!(f.flat_map("m", 50, 4096).is_none())).len(),
        1
    );
    for size in [4095, 4096, 4097] {
        let json = format!(r#"{{"m":{{"k":"{}"}}}}"#, "x".repeat(size - r#"{"k":""}"#.len()));
        assert_eq!(fields(&json).flat_map("m", 50, 4096).is_some(), size <= 4096, "{size}");
    }
    for bad in [r#"{"a":[]}"#, r#"{"a":{}}"#, r#"{"a":null}"#, r#"{"a":"\u0000"}"#, r#"{"":1}"#, "[]", "7"] {
        assert!(fields(&format!(r#"{{"m":{bad}}}"#)).flat_map("m", 50, 4096).is_none(), "{bad}");
    }
}

#[test]
fn reading_metadata_is_linear() {
    growth::linear("metadata", 4_096, ["9 ", "a", "一", "[", "<", "&", "\u{301}", "আসল "], |text| {
        let value = serde_json::to_string(text).unwrap();
        for map in [format!(r#"{{"k":{value}}}"#), format!(r#"{{{value}:1}}"#)] {
            std::hint::black_box(fields(&format!(r#"{{"m":{map}}}"#)).flat_map("m", 50, 4_096));
        }
    });
    for nested in ["[", r#"{"a":"#] {
        let text = format!(r#"{{"m":{}"#, nested.repeat(100_000));
        assert!(crate::strict_json::object(text.as_bytes()).is_err(), "no recursion by input");
    }
}

#[test]
fn lists_choices_flags_and_times_are_read_strictly() {
    assert_eq!(problem_of(r#"{"l":["a","b","c"]}"#, |f| assert!(f.text_list("l", 2, 1, 9).is_none())).len(), 1);
    let found = problem_of(r#"{"l":["a",1,""]}"#, |f| assert!(f.text_list("l", 3, 1, 9).is_none()));
    assert_eq!(found, [("l[1]".into(), "WRONG_TYPE".into()), ("l[2]".into(), "TOO_SHORT".into())]);
    let parse = |text: &str| (text == "up").then_some(());
    assert_eq!(problem_of(r#"{"c":"Up"}"#, |f| assert!(f.choice("c", parse, &["up"]).is_none())).len(), 1);
    assert_eq!(problem_of(r#"{"b":1}"#, |f| assert!(f.flag("b").is_none())).len(), 1);
    assert_eq!(problem_of(r#"{"t":"2026-01-02"}"#, |f| assert!(f.timestamp("t").is_none())).len(), 1);
    assert!(fields(r#"{"t":"2026-01-02T03:04:05Z"}"#).timestamp("t").is_some());
}
