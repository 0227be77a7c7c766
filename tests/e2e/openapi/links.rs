//! Links: from an answer that has the id of something to the operations on that thing.

use serde_json::{Value, json};
use support::edge::describe::{Operation, ParameterLocation};

use super::assemble::{id_of, path_of};

/// Adds the links to the answers of everything that is not a plain read.
pub(super) fn add(paths: &mut Value, schemas: &Value, operations: &[Operation]) {
    for operation in operations.iter().filter(|operation| operation.method != "GET") {
        let responses = &mut paths[path_of(operation)][operation.method.to_lowercase()]["responses"];
        for answer in &operation.answers {
            let reference = answer.schema.as_ref().and_then(|schema| schema.get("$ref")?.as_str());
            let Some(name) = reference.and_then(|it| it.strip_prefix("#/components/schemas/")) else { continue };
            for (field, id) in ids(&schemas[name]) {
                for target in operations.iter().filter(|target| takes(target, &id)) {
                    let parameter =
                        &target.parameters.iter().find(|it| it.place == ParameterLocation::Path).unwrap().name;
                    let by_field = format!("{}By{}{}", id_of(target), field[..1].to_uppercase(), &field[1..]);
                    responses[answer.status.as_str()]["links"][by_field] = json!({
                        "operationId": id_of(target),
                        "parameters": {parameter: format!("$response.body#/{field}")},
                        "description": format!("`{field}` names what it is about."),
                    });
                }
            }
        }
    }
}

/// The fields of an answer that always have an id, and whose.
fn ids(schema: &Value) -> Vec<(String, String)> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let reference = |name: &str| Some((name.to_owned(), schema["properties"][name]["$ref"].as_str()?.to_owned()));
    required.filter_map(reference).collect()
}

/// Whether the one thing in the path of `target` goes by that id.
fn takes(target: &Operation, id: &str) -> bool {
    let mut path = target.parameters.iter().filter(|parameter| parameter.place == ParameterLocation::Path);
    let only = path.next().filter(|_| path.next().is_none());
    only.is_some_and(|parameter| parameter.schema.get("$ref").and_then(Value::as_str) == Some(id))
}
