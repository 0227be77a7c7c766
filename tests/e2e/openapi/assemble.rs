//! The document, put together from the declarations of the endpoints.

use std::collections::BTreeSet;

use domain::access::Permission;
use domain::error::Code;
use serde_json::{Map, Value, json};
use support::edge::describe::{Answer, Feature, Identifies, Operation, Parameter, ParameterLocation};
use support::edge::schemars::generate::SchemaSettings;
use support::edge::schemars::{JsonSchema, SchemaGenerator};
use support::edge::{ErrorOut, IdempotencyKey};

use super::front;
use super::links;
use super::samples;
use super::schemas;

/// Every endpoint, in the order of the document.
pub(crate) fn operations() -> Vec<Operation> {
    operations_into(&mut generator())
}

fn generator() -> SchemaGenerator {
    let here = |settings: &mut SchemaSettings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    };
    SchemaSettings::draft2020_12().with(here).for_serialize().into_generator()
}

fn operations_into(generator: &mut SchemaGenerator) -> Vec<Operation> {
    [
        support::functions::sessions::operations(generator),
        support::functions::wiki::operations(generator),
        support::functions::ingest::operations(generator),
        support::functions::inbox::operations(generator),
        support::functions::analytics::operations(generator),
        support::functions::webhooks::operations(generator),
        support::functions::auth::operations(generator),
        support::functions::health::operations(generator),
    ]
    .into_iter()
    .flatten()
    .collect()
}

pub(crate) fn document() -> Value {
    let mut generator = generator();
    let operations = operations_into(&mut generator);
    let described: Vec<_> = operations.iter().map(|operation| (operation, described(operation))).collect();
    generator.subschema_for::<ErrorOut<'static>>();
    let event = generator.subschema_for::<domain::events::Envelope<'static>>();
    let mut schemas = Value::Object(generator.take_definitions(true));
    let mut paths = Map::new();
    for (operation, described) in described {
        let item = paths.entry(path_of(operation)).or_insert_with(|| json!({}));
        item[operation.method.to_lowercase()] = described;
    }
    let mut paths = Value::Object(paths);
    schemas::settle(&mut schemas, &paths);
    links::add(&mut paths, &schemas, &operations);
    let mut document = json!({
        "openapi": "3.1.0",
        "info": front::info(),
        "servers": [{"url": "/api/v1"}],
        "tags": front::tags(&operations),
        "security": [{"apiKey": []}, {"deskToken": []}],
        "paths": paths,
        "webhooks": {"event": {"post": receiving(event.to_value())}},
        "components": {
            "securitySchemes": security_schemes(),
            "parameters": shared_parameters(&mut generator),
            "responses": failures(&operations),
            "schemas": schemas,
        },
    });
    schemas::tidy_prose(&mut document);
    samples::add(&mut document);
    document
}

/// The path as the document has it.
pub(super) fn path_of(operation: &Operation) -> String {
    operation.path.trim_start_matches("/api/v1").replace("{*", "{")
}

/// The name of an operation, in lower camel case.
pub(super) fn id_of(operation: &Operation) -> String {
    let mut letters = operation.name.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

fn security_schemes() -> Value {
    json!({
        "apiKey": {
            "type": "http", "scheme": "bearer", "description": "An API key: `pk_live_…` or `pk_test_…`, on servers only.",
        },
        "deskToken": {
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "A desk token: a member's, for 15 minutes, from `POST /auth/desk-token`; from the desk's own pages alone. The member's roles are those of now.",
        },
        "widgetToken": {
            "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
            "description": "A chat token: short-lived, from `POST /auth/widget-token`; reaches its own visitor's sessions and public entries.",
        },
    })
}

/// An operation, as the document has it.
fn described(operation: &Operation) -> Value {
    let (summary, rest) = operation
        .about
        .trim()
        .split_once("\n\n")
        .or_else(|| operation.about.trim().split_once("\n \n"))
        .unwrap_or((operation.about, ""));
    let mut described = json!({
        "operationId": id_of(operation),
        "tags": [front::tag_of(operation)],
        "summary": summary.trim().trim_end_matches('.'),
        "description": format!("{}\n\n{}", rest.trim(), callers(operation)),
        "security": security(operation),
        "parameters": parameters(operation),
        "responses": responses(operation),
    });
    if let Some(body) = &operation.body {
        let mut content = json!({"schema": body.schema});
        operation.example.iter().for_each(|example| content["example"] = example.clone());
        described["requestBody"] = json!({
            "required": body.required,
            "description": format!("At most {} bytes.", body.limit_bytes),
            "content": {"application/json": content},
        });
    }
    described
}

/// The callers that it admits, in words.
fn callers(operation: &Operation) -> String {
    let roles = operation.permission.roles();
    let keys = match (operation.permission, roles.len() == domain::models::Role::ALL.len()) {
        (Permission::Public, _) => return "For everybody.".into(),
        (_, true) => "every API key and member".into(),
        (_, false) => {
            let roles: Vec<_> = roles.iter().map(|role| format!("`{role}`")).collect();
            format!("API keys and members of the roles {}", roles.join(", "))
        }
    };
    format!("For {keys}{}.", if operation.permission.widget() { ", and for widgets" } else { "" })
}

fn security(operation: &Operation) -> Value {
    match (operation.permission, operation.identifies) {
        (Permission::Public, Identifies::Nobody) => json!([{}]),
        (Permission::Public, Identifies::Members) => json!([{}, {"deskToken": []}]),
        (Permission::Public, Identifies::KeysAndMembers) => json!([{}, {"apiKey": []}, {"deskToken": []}]),
        (permission, _) if permission.widget() => json!([{"apiKey": []}, {"deskToken": []}, {"widgetToken": []}]),
        _ => json!([{"apiKey": []}, {"deskToken": []}]),
    }
}

/// Parameters that several operations have, by their names in the components.
const SHARED: [(&str, &str); 4] = [("cursor", "cursor"), ("limit", "limit"), ("page", "page"), ("If-Match", "ifMatch")];

fn parameters(operation: &Operation) -> Vec<Value> {
    let own = operation.parameters.iter().map(|parameter| match shared_name(parameter) {
        Some(name) => reference("parameters", name),
        None => parameter_of(operation, parameter),
    });
    let key = operation.supports.contains(&Feature::IdempotencyKey).then(|| reference("parameters", "idempotencyKey"));
    own.chain(key).chain([reference("parameters", "requestId")]).collect()
}

fn shared_name(parameter: &Parameter) -> Option<&'static str> {
    let optional_limit = parameter.name == "limit" && parameter.schema.get("default").is_none();
    let ours = parameter.place != ParameterLocation::Path && !optional_limit && parameter.schema.get("$ref").is_none();
    SHARED.iter().find(|(name, _)| ours && *name == parameter.name).map(|(_, shared)| *shared)
}

fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}

fn parameter_of(operation: &Operation, parameter: &Parameter) -> Value {
    let place = match parameter.place {
        ParameterLocation::Path => "path",
        ParameterLocation::Query => "query",
        ParameterLocation::Header => "header",
    };
    let slashes =
        operation.path.contains(&format!("{{*{}}}", parameter.name)).then_some(" Slashes stand plain or as `%2F`.");
    let mut described = json!({
        "name": parameter.name, "in": place, "schema": parameter.schema,
        "description": format!("{}{}", parameter.about.trim(), slashes.unwrap_or_default()),
    });
    if parameter.place == ParameterLocation::Path {
        described["required"] = true.into();
    }
    if let Some(example) = operation.example_query.as_ref().and_then(|query| query.get(&parameter.name)) {
        described["example"] = example.clone();
    }
    described
}

fn shared_parameters(generator: &mut SchemaGenerator) -> Value {
    let operations = operations_into(generator);
    let mut shared = json!({
        "idempotencyKey": {
            "name": "Idempotency-Key", "in": "header", "schema": IdempotencyKey::json_schema(generator),
            "description": "The same request again, by the same caller, gets the first answer, for 24 hours, while what \
                            it shows is there and the caller may read it. The body has to be the same, byte for byte.",
        },
        "requestId": {
            "name": "X-Request-Id", "in": "header", "schema": {"type": "string"},
            "description": "Echoed where it has 1-128 printable ASCII characters; otherwise one is made.",
        },
    });
    for operation in &operations {
        for parameter in &operation.parameters {
            if let Some(name) = shared_name(parameter) {
                shared[name] = parameter_of(operation, parameter);
            }
        }
    }
    shared
}

fn responses(operation: &Operation) -> Value {
    let mut responses = Map::new();
    for answer in &operation.answers {
        responses.insert(answer.status.as_str().into(), success(operation, answer));
    }
    for code in operation.errors.iter().filter(|code| code.status() != 500) {
        let status = code.status().to_string();
        if operation.answers.iter().any(|answer| answer.status.as_str() == status) {
            continue;
        }
        let told = responses.entry(status).or_insert_with(|| reference("responses", failure_name(*code)));
        let before =
            told["description"].as_str().map(|codes| format!("{} ", codes.replace('.', ","))).unwrap_or_default();
        told["description"] = format!("{before}`{}`.", code.name()).into();
    }
    responses.insert("default".into(), reference("responses", "Error"));
    Value::Object(responses)
}

fn success(operation: &Operation, answer: &Answer) -> Value {
    let description = match answer.status.as_u16() {
        201 => "Made.",
        202 => "Accepted; it happens soon.",
        204 => "Gone.",
        304 => "Nothing is new.",
        503 => "Down; the body is the same report.",
        _ => "Done.",
    };
    let mut response = json!({"description": description});
    let limits = [("RateLimit", "What is left."), ("RateLimit-Policy", "What there is.")];
    let limits = limits.into_iter().filter(|_| operation.errors.contains(&Code::RateLimited));
    let headers: Map<String, Value> = answer.headers.iter().copied().chain(limits).map(header).collect();
    if !headers.is_empty() {
        response["headers"] = Value::Object(headers);
    }
    if let Some(schema) = &answer.schema {
        response["content"] = json!({"application/json": {"schema": schema}});
    }
    response
}

fn header((name, about): (&'static str, &'static str)) -> (String, Value) {
    (name.to_owned(), json!({"description": about, "schema": {"type": "string"}}))
}

fn failure_name(code: Code) -> &'static str {
    match code.status() {
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        405 => "MethodNotAllowed",
        409 => "Conflict",
        410 => "Gone",
        412 => "PreconditionFailed",
        413 => "PayloadTooLarge",
        415 => "UnsupportedMediaType",
        422 => "UnprocessableContent",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        _ => "Error",
    }
}

/// Every failure that an operation names, and any other.
fn failures(operations: &[Operation]) -> Value {
    let named: BTreeSet<Code> = operations.iter().flat_map(|operation| operation.errors.iter().copied()).collect();
    let mut failures = Map::new();
    for code in named {
        let (description, headers) = match code.status() {
            400 => ("Badly formed: all problems are in `details`.", json!({})),
            401 => ("No valid credential.", json!({"WWW-Authenticate": "`Bearer`."})),
            403 => ("The caller may not do this.", json!({})),
            404 => ("It does not exist, or not for this caller.", json!({})),
            409 => (
                "Not possible now; `error` says why.",
                json!({"Retry-After": "With `IDEMPOTENCY_IN_PROGRESS`: seconds until the first attempt has ended."}),
            ),
            410 => ("Too late.", json!({})),
            412 => ("`If-Match` differs.", json!({})),
            413 => ("The body is too large.", json!({})),
            415 => ("The body is not JSON.", json!({})),
            422 => ("The `Idempotency-Key` was used for another request.", json!({})),
            429 => (
                "Too many requests.",
                json!({
                    "Retry-After": "Seconds to wait.",
                    "RateLimit": "What is left.",
                    "RateLimit-Policy": "What there is.",
                }),
            ),
            503 => ("A service behind does not answer; try again shortly.", json!({"Retry-After": "Seconds to wait."})),
            _ => ("Any other error, in the same shape.", json!({})),
        };
        let mut response = json!({
            "description": description,
            "content": {"application/json": {"schema": reference("schemas", "Error")}},
        });
        for (name, about) in headers.as_object().unwrap() {
            response["headers"][name] = json!({"description": about, "schema": {"type": "string"}});
        }
        failures.insert(failure_name(code).into(), response);
    }
    Value::Object(failures)
}

/// The delivery of an event to its receiver.
fn receiving(event: Value) -> Value {
    let header = |name: &str, about: &str| json!({"name": name, "in": "header", "required": true, "description": about, "schema": {"type": "string"}});
    json!({
        "operationId": "receiveEvent",
        "summary": "What a registered receiver gets",
        "description": "Signed by Standard Webhooks 1.0.0. At least once, in no order; tried again unless it is taken.",
        "parameters": [
            header("webhook-id", "The event, the same on every attempt."),
            header("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
            header("webhook-signature", "`v1,` and the signature in base64; several, apart by spaces, while a secret is replaced."),
        ],
        "requestBody": {"required": true, "content": {"application/json": {"schema": event}}},
        "responses": {
            "2XX": {"description": "Taken. Anything else is tried again."},
            "410": {"description": "Disables the receiver."},
        },
    })
}
