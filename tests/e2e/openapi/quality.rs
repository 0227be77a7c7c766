//! The rules that clients and their generators need of the document.

use std::collections::BTreeSet;

use serde_json::Value;

use super::schema::Document;
use crate::template::document::walk;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[test]
fn every_schema_field_operation_and_parameter_is_described_in_words_for_callers() {
    let document = Document::committed();
    let mut silent = Vec::new();
    for (name, schema) in document.0["components"]["schemas"].as_object().unwrap() {
        if text(&schema["description"]).is_empty() {
            silent.push(name.clone());
        }
        for (field, described) in schema["properties"].as_object().into_iter().flatten() {
            if text(&described["description"]).is_empty() {
                silent.push(format!("{name}.{field}"));
            }
        }
    }
    for (method, path, operation) in document.operations() {
        let parameters = document.parameters(&operation).into_iter().any(|it| text(&it["description"]).is_empty());
        if text(&operation["summary"]).is_empty() || text(&operation["description"]).is_empty() || parameters {
            silent.push(format!("{method} {path}"));
        }
    }
    assert!(silent.is_empty(), "not described: {silent:#?}");
    walk(&document.0, "", &mut |at, value| {
        let words = text(&value["description"]);
        let inner = ["[`", "(contract", "crate::"].iter().find(|inner| words.contains(**inner));
        assert!(inner.is_none(), "{at} speaks to who reads the code: {words}");
    });
}

#[test]
fn every_problem_has_a_code_of_one_list_with_a_sentence_each() {
    let document = Document::committed();
    let schemas = &document.0["components"]["schemas"];
    assert_eq!(schemas["ErrorDetail"]["properties"]["code"]["anyOf"][0]["$ref"], "#/components/schemas/DetailCode");
    let codes = &schemas["DetailCode"];
    let listed: Vec<_> = codes["enum"].as_array().unwrap().iter().map(text).collect();
    let known: Vec<_> = domain::error::DetailCode::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(listed, known);
    for code in known {
        let said = text(&codes["description"]).lines().find(|line| line.starts_with(&format!("- `{code}`: ")));
        assert!(said.is_some_and(|line| line.ends_with('.') && line.len() > 30), "{code} has no sentence");
    }
}

#[test]
fn every_body_has_a_named_schema() {
    let document = Document::committed();
    for (method, path, operation) in document.operations() {
        walk(&operation, "", &mut |at, value| {
            if let Some(content) = value["content"].as_object() {
                let schema = &content["application/json"]["schema"];
                assert!(schema["$ref"].is_string(), "{method} {path}{at}: {schema}");
            }
        });
    }
    for name in document.0["components"]["schemas"].as_object().unwrap().keys() {
        assert!(!name.ends_with(|c: char| c.is_ascii_digit()), "two types are called {name}");
    }
}

/// The names of the schemas that are reached from a part of every operation.
fn reached(document: &Document, part: &str) -> BTreeSet<String> {
    let operations = document.operations();
    let mut open: Vec<&Value> = operations.iter().map(|(_, _, operation)| &operation[part]).collect();
    let mut found = BTreeSet::new();
    while let Some(value) = open.pop() {
        walk(value, "", &mut |_, value| {
            let name = text(&value["$ref"]).strip_prefix("#/components/schemas/").map(str::to_owned);
            if let Some(name) = name {
                found.insert(name);
            }
        });
        for name in found.clone() {
            let schema = &document.0["components"]["schemas"][&name];
            walk(schema, "", &mut |_, value| {
                if let Some(name) = text(&value["$ref"]).strip_prefix("#/components/schemas/") {
                    found.insert(name.to_owned());
                }
            });
        }
    }
    found
}

#[test]
fn enums_are_named_open_in_answers_and_closed_in_requests() {
    let document = Document::committed();
    let schemas = document.0["components"]["schemas"].as_object().unwrap();
    let enums: BTreeSet<_> = schemas.iter().filter(|(_, schema)| schema.get("enum").is_some()).map(|it| it.0).collect();
    let is_enum =
        |value: &Value| text(&value["$ref"]).rsplit('/').next().is_some_and(|it| enums.iter().any(|e| *e == it));
    assert!(enums.len() > 20);
    for (name, schema) in schemas {
        walk(schema, "", &mut |at, value| {
            let words = value["enum"].as_array();
            assert!(!words.is_some_and(|words| words.contains(&Value::Null)), "{name}{at}: null is no word");
        });
    }
    let open = |value: &Value| {
        let choices = value["anyOf"].as_array();
        choices.is_some_and(|it| is_enum(&it[0]) && it.iter().any(|one| *one == serde_json::json!({"type": "string"})))
    };
    for name in reached(&document, "responses").iter().filter(|name| !enums.contains(name)) {
        for (field, schema) in schemas[name]["properties"].as_object().into_iter().flatten() {
            assert!(!is_enum(schema) && !is_enum(&schema["items"]), "{name}.{field} is closed");
        }
    }
    for name in reached(&document, "requestBody") {
        walk(&schemas[&name], "", &mut |at, value| assert!(!open(value), "{name}{at} is open"));
    }
    assert!(open(&schemas["Session"]["properties"]["ownership"]));
}

#[test]
fn an_omitted_field_of_an_answer_is_never_null() {
    let document = Document::committed();
    let schemas = &document.0["components"]["schemas"];
    for name in reached(&document, "responses") {
        let required = schemas[&name]["required"].as_array().cloned().unwrap_or_default();
        for (field, schema) in schemas[&name]["properties"].as_object().into_iter().flatten() {
            let null = schema.to_string().contains("\"null\"");
            // Left out with the field beside it; if that is there, it may be null.
            let in_group = field == "nextOpenAt";
            assert!(!null || in_group || required.contains(&field.as_str().into()), "{name}.{field}");
        }
    }
}

#[test]
fn the_pattern_of_an_id_lets_through_what_is_an_id() {
    let document = Document::committed();
    let session = &document.0["components"]["schemas"]["SessionId"];
    for (id, good) in [("ses_7ZZZZZZZZZZZZZZZZZZZZZZZZZ", true), ("ses_8ZZZZZZZZZZZZZZZZZZZZZZZZZ", false)] {
        assert_eq!(document.problems(session, &id.into(), "$").is_empty(), good, "{id}");
    }
}

#[test]
fn answers_lead_to_what_they_are_about() {
    let document = Document::committed();
    let links = &document.operation("post", "/sessions/{id}/escalate")["responses"]["200"]["links"];
    assert_eq!(links["getEscalationByEscalationId"]["parameters"]["id"], "$response.body#/escalationId");
    let ids: BTreeSet<_> = document.operations().iter().map(|it| text(&it.2["operationId"]).to_owned()).collect();
    walk(&document.0["paths"], "", &mut |at, value| {
        for link in value["links"].as_object().into_iter().flat_map(|links| links.values()) {
            assert!(ids.contains(text(&link["operationId"])), "{at}");
        }
    });
}

/// The document describes keys and limits where they apply, and nowhere else.
#[test]
fn idempotency_keys_and_rate_limits_are_described_where_they_are_honoured() {
    let document = Document::committed();
    for case in crate::cases::cases() {
        let operation = &case.operation;
        let described = document.operation(&operation.method.to_lowercase(), &super::path_of(operation));
        let key = document.parameters(described).iter().any(|parameter| parameter["name"] == "Idempotency-Key");
        assert_eq!(
            key,
            operation.supports.contains(&support::edge::describe::Feature::IdempotencyKey),
            "{}",
            operation.name
        );
        let limited = described["responses"].get("429").is_some();
        assert_eq!(limited, case.is_limited(), "{}", operation.name);
    }
}
