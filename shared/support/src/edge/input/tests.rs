//! Every kind of field, right and wrong.

use std::cell::RefCell;

use domain::error::DetailCode;
use serde_json::json;

use super::*;
use crate::edge::FromFields;

/// The value that `member` reads as the field `f` of an object, and the problems' fields and codes.
fn read<M: Member>(member: M, json: &str) -> (Option<M::Value>, Vec<(String, String)>) {
    let map = crate::edge::strict_json::object(json.as_bytes()).unwrap();
    let problems = RefCell::default();
    let read = member.read(&Fields::new(&map, FieldPath::whole(&problems)), "f");
    let reported =
        problems.take().into_iter().map(|d| (d.field.unwrap_or_default(), d.code.as_str().to_owned())).collect();
    (read, reported)
}

/// The code of the one problem with `value`; none if it is read.
fn code<F: Format>(format: F, value: &str) -> Option<String> {
    let (read, reported) = read(required(format), &format!(r#"{{"f":{value}}}"#));
    assert!(reported.len() <= 1 && read.is_some() == reported.is_empty(), "{value}: {reported:?}");
    reported.into_iter().next().map(|(_, code)| code)
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

#[test]
fn a_text_has_exact_length_limits() {
    for (length, wanted) in [(0, Some("TOO_SHORT")), (1, None), (7, None), (8, None), (9, Some("TOO_LONG"))] {
        assert_eq!(code(text(1, 8), &quoted(&"é".repeat(length))).as_deref(), wanted, "{length}");
    }
}

#[test]
fn wrong_types_are_problems_and_null_is_absence() {
    for wrong in ["1", "1.5", "{}", "[]", "true"] {
        assert_eq!(code(text(1, 9), wrong).as_deref(), Some("WRONG_TYPE"), "{wrong}");
    }
    for absent in [r#"{"f":null}"#, r#"{"F":"x"}"#] {
        assert_eq!(read(optional(text(1, 9)), absent), (Some(None), vec![]), "{absent}");
        assert_eq!(read(or(flag(), true), absent), (Some(true), vec![]), "{absent}");
        assert_eq!(read(required(text(1, 9)), absent), (None, vec![("f".into(), "REQUIRED".into())]), "{absent}");
    }
    assert_eq!(read(clearable(text(1, 9)), "{}").0, Some(Change::Keep));
    assert_eq!(read(clearable(text(1, 9)), r#"{"f":null}"#).0, Some(Change::Clear));
    assert_eq!(read(clearable(text(1, 9)), r#"{"f":"x"}"#).0, Some(Change::Set("x".to_owned())));
}

#[test]
fn blank_texts_and_forbidden_characters_are_refused() {
    assert_eq!(code(text(1, 99), r#""  \t\n ""#).as_deref(), Some("BLANK"));
    assert_eq!(code(text(1, 99), r#""a\u0000b""#).as_deref(), Some("INVALID_CHARACTER"));
    for poison in ["\\u202a", "\\u202e", "\\u2066", "\\u2069", "\\n", "\\u0007", "\\u0085", "\\u2028"] {
        let poisoned = format!(r#""a{poison}b""#);
        assert_eq!(code(text(1, 99), &poisoned), None, "{poison}");
        assert_eq!(code(line(1, 99), &poisoned).as_deref(), Some("INVALID_CHARACTER"), "{poison}");
    }
}

#[test]
fn names_of_languages_that_run_from_right_to_left_keep_their_marks() {
    for mark in ["\\u061c", "\\u200e", "\\u200f"] {
        assert_eq!(code(line(1, 99), &format!(r#""\u05d3\u05e0\u05d9 (ACME){mark}""#)), None, "{mark}");
    }
}

/// The patterns in the schemas of texts accept the same characters of the basic plane as the parser.
#[test]
fn the_pattern_of_a_text_accepts_the_same_texts_as_its_parser() {
    for format in [text(0, 9), text(1, 9), line(0, 9), line(1, 9)] {
        let schema = format.schema(&mut SchemaGenerator::default());
        let pattern = regex::Regex::new(schema.get("pattern").unwrap().as_str().unwrap()).unwrap();
        for text in ('\0'..='\u{FFFF}').flat_map(|c| [format!("{c}"), format!("a{c}")]) {
            assert_eq!(pattern.is_match(&text), format.0.validate(&text).is_ok(), "{format:?} {text:?}");
        }
        assert_eq!(schema.get("minLength").is_some(), format.0.validate("").is_err());
    }
}

#[test]
fn a_number_that_would_not_round_trip_is_refused() {
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
        assert_eq!(code(flat_map(50, 4096), &format!(r#"{{"k":{text}}}"#)).is_none(), good, "{text}");
        assert_eq!(code(number(-1e300, 1e300), text).is_none(), good, "{text}");
    }
}

#[test]
fn an_integer_is_written_as_one_and_never_clamped() {
    for (text, wanted) in [
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
        assert_eq!(code(integer(1, 100), text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn nested_fields_are_named_by_their_path() {
    let (_, reported) = read(optional(visitor()), r#"{"f":{"name":7,"email":""}}"#);
    assert_eq!(reported, [("f.name".into(), "WRONG_TYPE".into()), ("f.email".into(), "TOO_SHORT".into())]);
    assert_eq!(code(visitor(), "[]").as_deref(), Some("WRONG_TYPE"));
    assert_eq!(read(required(visitor()), r#"{"f":{}}"#), (Some(None), vec![]), "nobody, and no problem");
}

#[test]
fn metadata_is_flat_and_bounded() {
    let keys = |n: usize| format!("{{{}}}", (0..n).map(|i| format!(r#""k{i}":1"#)).collect::<Vec<_>>().join(","));
    assert_eq!(code(flat_map(50, 4096), &keys(50)), None);
    assert_eq!(code(flat_map(50, 4096), &keys(51)).as_deref(), Some("TOO_MANY"));
    for size in [4095, 4096, 4097] {
        let json = format!(r#"{{"k":"{}"}}"#, "x".repeat(size - r#"{"k":""}"#.len()));
        assert_eq!(code(flat_map(50, 4096), &json).is_none(), size <= 4096, "{size}");
    }
    for bad in [r#"{"a":[]}"#, r#"{"a":{}}"#, r#"{"a":null}"#, r#"{"a":"\u0000"}"#, r#"{"":1}"#, "[]", "7"] {
        assert!(code(flat_map(50, 4096), bad).is_some(), "{bad}");
    }
}

#[test]
fn reading_metadata_is_linear() {
    growth::linear("metadata", 4_096, ["9 ", "a", "一", "[", "<", "&", "\u{301}", "আসল "], |text| {
        let value = quoted(text);
        for map in [format!(r#"{{"k":{value}}}"#), format!(r#"{{{value}:1}}"#)] {
            std::hint::black_box(read(optional(flat_map(50, 4_096)), &format!(r#"{{"f":{map}}}"#)));
        }
    });
    for nested in ["[", r#"{"a":"#] {
        let text = format!(r#"{{"m":{}"#, nested.repeat(100_000));
        assert!(crate::edge::strict_json::object(text.as_bytes()).is_err(), "no recursion by input");
    }
}

#[test]
fn lists_choices_flags_and_times_are_read_strictly() {
    assert_eq!(code(list(2, line(1, 9)), r#"["a","b","c"]"#).as_deref(), Some("TOO_MANY"));
    let (found, reported) = read(required(list(3, line(1, 9))), r#"{"f":["a",1,""]}"#);
    assert_eq!(found, None);
    assert_eq!(reported, [("f[1]".into(), "WRONG_TYPE".into()), ("f[2]".into(), "TOO_SHORT".into())]);
    assert_eq!(code(words(&[("up", ())]), r#""Up""#).as_deref(), Some("NOT_ALLOWED"));
    assert_eq!(code(choice::<domain::models::Mode>(), r#""live""#), None);
    assert_eq!(code(choice::<domain::models::Mode>(), r#""Live""#).as_deref(), Some("NOT_ALLOWED"));
    assert_eq!(code(flag(), "1").as_deref(), Some("WRONG_TYPE"));
    assert_eq!(code(timestamp(), r#""2026-01-02""#).as_deref(), Some("INVALID_FORMAT"));
}

crate::edge::body! {
    /// A change of something.
    #[derive(Debug, PartialEq)]
    struct SomePatch as "SomePatch" {
        /// Its name.
        name: Option<String> = "name" => replaceable(line(1, 9)),
        /// Its note.
        note: Change<String> = "note" => clearable(text(1, 9)),
    }
    rules: [AtLeastOne]
}

crate::edge::body! {
    /// One of two.
    #[derive(Debug, PartialEq)]
    struct OneOfTwo as "OneOfTwo" {
        a: Option<String> = "a" => optional(line(1, 9)),
        b: Option<String> = "b" => optional(line(1, 9)),
        c: Option<String> = "c" => optional(line(1, 9)),
    }
    rules: [ExactlyOne {
        of: &[
            Alternative { field: "a", schema: "WithA", needs: &[], owns: &[] },
            Alternative { field: "b", schema: "WithB", needs: &["c"], owns: &[] },
        ],
        code: DetailCode::ExactlyOne,
        at: "",
        none: Some("send a or b"),
        several: "send a or b, not both",
    }]
}

fn problems<T: FromFields>(body: &Value) -> Vec<(String, String)> {
    let refused = crate::edge::body::from_object::<T>(body.as_object().unwrap()).err();
    let details = refused.iter().flat_map(|error| error.details());
    details.map(|d| (d.field.clone().unwrap_or_default(), d.code.as_str().to_owned())).collect()
}

#[test]
fn every_problem_of_a_body_is_told_at_once() {
    let reported = problems::<SomePatch>(&json!({"name": "", "note": 7}));
    assert_eq!(reported, [("name".into(), "TOO_SHORT".into()), ("note".into(), "WRONG_TYPE".into())]);
}

#[test]
fn a_change_names_something() {
    for nothing in [json!({}), json!({"other": 1})] {
        assert_eq!(problems::<SomePatch>(&nothing), [(String::new(), "NOTHING_TO_CHANGE".into())], "{nothing}");
    }
    for null in [json!({"name": null}), json!({"name": null, "note": "n"})] {
        assert_eq!(problems::<SomePatch>(&null), [("name".into(), "REQUIRED".into())], "{null}");
    }
    for change in [json!({"name": "n"}), json!({"note": null})] {
        assert_eq!(problems::<SomePatch>(&change), [], "{change}");
    }
}

#[test]
fn exactly_one_of_a_few_is_sent_with_what_it_needs() {
    assert_eq!(problems::<OneOfTwo>(&json!({"a": "x", "b": null})), []);
    assert_eq!(problems::<OneOfTwo>(&json!({"b": "x", "c": "y"})), []);
    assert_eq!(problems::<OneOfTwo>(&json!({"b": "x"})), [("c".into(), "REQUIRED".into())]);
    for wrong in [json!({}), json!({"a": "x", "b": "y", "c": "z"})] {
        assert_eq!(problems::<OneOfTwo>(&wrong), [(String::new(), "EXACTLY_ONE".into())], "{wrong}");
    }
}

#[test]
fn the_schema_of_a_body_says_what_is_required_and_where_null_is_taken() {
    let schema = schemars::schema_for!(SomePatch).to_value();
    assert_eq!(schema["properties"]["name"]["type"], "string");
    assert_eq!(schema["properties"]["note"]["type"], json!(["string", "null"]));
    assert_eq!(schema["properties"]["name"]["description"], "Its name.");
    assert_eq!(schema["allOf"][0]["anyOf"][1], json!({"required": ["note"]}));
    let mut generator = SchemaGenerator::default();
    let whole = <OneOfTwo as schemars::JsonSchema>::json_schema(&mut generator).to_value();
    assert_eq!(whole["oneOf"].as_array().unwrap().len(), 2);
    let with_b = &generator.definitions()["WithB"];
    assert_eq!(with_b["required"], json!(["b", "c"]));
    assert_eq!(
        (&with_b["properties"]["a"]["type"], &with_b["properties"]["c"]["type"]),
        (&json!("null"), &json!("string"))
    );
}
