//! Every endpoint is called as its declaration's example says, and answers as its schemas say.

use serde_json::Value;

use super::schema::Document;
use super::{path_of, undeclared};
use crate::cases::{Case, SIGN_IN, cases};
use crate::support::TestService;

#[tokio::test]
async fn every_example_is_taken_and_answered_as_described() {
    let service = TestService::start().await;
    let document = Document::committed();
    let mut wrong = Vec::new();
    // Signing in takes a provider and what it vouches for: `sign_in` does it, and no example can.
    let without_provider = |case: &&Case| !SIGN_IN.contains(&case.operation.path);
    for (i, case) in cases().iter().filter(without_provider).enumerate() {
        let name = format!("examples/e{i}");
        let ids = case.make(&service, &name).await;
        case.prepare(&service, &ids).await;
        let reply = case.send(&service.admin(), &ids, &name).await;
        let operation = document.operation(&case.operation.method.to_lowercase(), &path_of(&case.operation));
        let problems = document.answer(operation, reply.status, &reply.text);
        wrong.extend(problems.into_iter().chain(undeclared(operation, &reply)));
        if reply.status >= 300 {
            wrong.push(format!("{}: {} {}", reply.asked, reply.status, reply.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_example_is_as_its_own_schema_says() {
    let document = Document::committed();
    let mut bodies = 0;
    for (method, path, operation) in document.operations() {
        let content = &operation["requestBody"]["content"]["application/json"];
        if !content.is_null() {
            bodies += 1;
            let problems = document.problems(&content["schema"], &content["example"], "$");
            assert!(problems.is_empty(), "{method} {path}: {problems:?}");
        }
        for parameter in document.parameters(&operation) {
            if let Some(example) = parameter.get("example") {
                let problems = document.problems(&parameter["schema"], example, parameter["name"].as_str().unwrap());
                assert!(problems.is_empty(), "{method} {path}: {problems:?}");
            }
        }
    }
    assert!(bodies > 20);
}

#[test]
fn every_operation_that_takes_something_has_an_example() {
    for case in cases() {
        let operation = &case.operation;
        assert!(operation.body.is_none() || operation.example.is_some(), "{} has no example", operation.name);
        let queries = operation
            .parameters
            .iter()
            .any(|parameter| parameter.place == support::edge::describe::ParameterLocation::Query);
        // Old versions are for fewer callers than the entry, whom the tests of access hold by the example.
        let queries = queries && operation.name != "GetEntry";
        assert!(!queries || operation.example_query.as_ref().is_some_and(Value::is_object), "{}", operation.name);
    }
}
