//! How each operation is called in curl, TypeScript and Python: `x-codeSamples`, which tools that show the document read.
//! Each is run as it stands, but for the ids and addresses that a service made.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use domain::models::{Mode, Role};
use serde_json::{Value, json};

use super::path_of;
use super::schema::Document;
use crate::cases::{Case, Ids, SIGN_IN, cases};
use crate::services;
use crate::support::TestService;
use crate::template::document::root;

/// Adds them to a document that is complete.
pub(super) fn add(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let paths = document["paths"].as_object_mut().unwrap();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().unwrap() {
            // What only a page with a cookie calls has no sample.
            if SIGN_IN.contains(&format!("/api/v1{path}").as_str()) {
                continue;
            }
            let call = Call::of(path, method, operation, &schemas);
            operation["x-codeSamples"] = json!([
                {"lang": "Shell", "label": "curl", "source": call.curl()},
                {"lang": "TypeScript", "label": "TypeScript", "source": call.typescript()},
                {"lang": "Python", "label": "Python", "source": call.python()},
            ]);
        }
    }
}

struct Call {
    method: String,
    name: String,
    /// The path with examples in it.
    path: String,
    path_parameters: Vec<(String, String)>,
    query: Vec<(String, Value)>,
    body: Option<(String, Value)>,
}

impl Call {
    fn of(path: &str, method: &str, operation: &Value, schemas: &Value) -> Self {
        let parameters = operation["parameters"].as_array().unwrap();
        let named = |place: &'static str| parameters.iter().filter(move |parameter| parameter["in"] == place);
        let name = |parameter: &Value| parameter["name"].as_str().unwrap().to_owned();
        let of_path = named("path").map(|parameter| {
            let kind = parameter["schema"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
            (name(parameter), schemas[kind]["examples"][0].as_str().unwrap().to_owned())
        });
        let path_parameters: Vec<_> = of_path.collect();
        let fill = |path: String, (name, value): &(String, String)| path.replace(&format!("{{{name}}}"), value);
        let query = named("query").filter_map(|parameter| Some((name(parameter), parameter.get("example")?.clone())));
        let content = &operation["requestBody"]["content"]["application/json"];
        let body = content.get("example").map(|example| {
            let kind = content["schema"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
            (alternative(kind, example, schemas), example.clone())
        });
        Self {
            method: method.to_uppercase(),
            name: operation["operationId"].as_str().unwrap().to_owned(),
            path: path_parameters.iter().fold(path.to_owned(), fill),
            query: query.collect(),
            path_parameters,
            body,
        }
    }

    fn curl(&self) -> String {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let query = self.query.iter().map(|(name, value)| (name, text(value)));
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        let query = if query.is_empty() { query } else { format!("?{query}") };
        let mut lines = vec![format!("curl -X {} \"$SUPPORT_API_URL{}{query}\"", self.method, self.path)];
        lines.push("-H \"Authorization: Bearer $SUPPORT_API_KEY\"".to_owned());
        if let Some((_, body)) = &self.body {
            lines.push("-H \"Content-Type: application/json\"".to_owned());
            lines.push(format!("-d '{}'", body.to_string().replace('\'', "'\\''")));
        }
        lines.join(" \\\n  ")
    }

    fn typescript(&self) -> String {
        let path = self.path_parameters.iter().map(|(name, value)| (name.clone(), json!(value)));
        let body = self.body.iter().map(|(_, body)| ("body".to_owned(), body.clone()));
        let arguments: Vec<_> =
            path.chain(self.query.clone()).chain(body).map(|(name, value)| format!("{name}: {value}")).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("{{ {} }}", arguments.join(", ")) };
        format!(
            "import {{ SupportAssistant }} from \"@support-assistant/client\";\n\n\
             const {{ SUPPORT_API_URL: url = \"\", SUPPORT_API_KEY: key = \"\" }} = process.env;\n\
             const client = new SupportAssistant({{ url, key }});\n\n\
             console.log(await client.{}({arguments}));",
            self.name
        )
    }

    fn python(&self) -> String {
        let path = self.path_parameters.iter().map(|(_, value)| json!(value).to_string());
        let body = self.body.iter().map(|(kind, body)| format!("models.{kind}.model_validate({})", python(body)));
        let query = self.query.iter().map(|(name, value)| {
            let reserved = if name == "from" { "_" } else { "" };
            format!("{}{reserved}={}", snake_case(name), python(value))
        });
        let arguments: Vec<_> = path.chain(body).chain(query).collect();
        let imported = if self.body.is_some() { "Client, models" } else { "Client" };
        format!(
            "from support_assistant import {imported}\n\nclient = Client()  # SUPPORT_API_URL, SUPPORT_API_KEY\n\n\
             print(client.{}({}))",
            snake_case(&self.name),
            arguments.join(", ")
        )
    }
}

/// The name of a schema, or of that of its alternatives of which an example is.
fn alternative(kind: &str, example: &Value, schemas: &Value) -> String {
    let alternatives = schemas[kind]["oneOf"].as_array().into_iter().flatten();
    let mut names = alternatives.map(|one| one["$ref"].as_str().unwrap().rsplit('/').next().unwrap());
    let has = |field: &Value| example.get(field.as_str().unwrap()).is_some();
    let fits = |name: &&str| schemas[*name]["required"].as_array().unwrap().iter().all(has);
    names.find(fits).unwrap_or(kind).to_owned()
}

fn snake_case(name: &str) -> String {
    name.chars().flat_map(|c| c.is_uppercase().then_some('_').into_iter().chain(c.to_lowercase())).collect()
}

/// A JSON value as Python writes it.
fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(items) => format!("[{}]", items.iter().map(python).collect::<Vec<_>>().join(", ")),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| format!("{}: {}", json!(name), python(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Runs the file that each line names, and says in a line what came of it.
const IN_NODE: &str = r#"
import { createInterface } from "node:readline";
console.log = () => {};
for await (const file of createInterface({ input: process.stdin })) {
  const told = await import(file).then(() => "done", (error) => `${error}`.replaceAll("\n", " "));
  process.stdout.write(`${told}\n`);
}
"#;
const IN_PYTHON: &str = r#"
import contextlib, io, sys
for line in sys.stdin:
    told = "done"
    try:
        with contextlib.redirect_stdout(io.StringIO()), open(line.strip()) as file:
            exec(file.read(), {})
    except Exception as error:
        told = f"{type(error).__name__}: {error}".replace("\n", " ")
    print(told, flush=True)
"#;
const IN_SHELL: &str = r#"
curl() { status=$(command curl -sS -o reply -w '%{http_code}' "$@") && [ "$status" -lt 400 ] || told="$status $(cat reply)"; }
while read -r file; do told=done; . "$file"; echo "$told" | tr -d '\n'; echo; done
"#;

/// A program that runs samples of a language.
struct Runner {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Runner {
    fn start(mut program: Command, folder: &Path, service: &TestService) -> Self {
        program.env("SUPPORT_API_URL", service.url());
        program.env("SUPPORT_API_KEY", service.tenant.key(Mode::Live, Role::Admin));
        // Node makes the pipe that it writes errors to one that does not block, also for whoever shares it.
        program.current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = program.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output }
    }

    fn run(&mut self, file: &Path) -> String {
        writeln!(self.input, "{}", file.display()).unwrap();
        let mut told = String::new();
        self.output.read_line(&mut told).unwrap();
        told.trim().to_owned()
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn program(lang: &str, folder: &Path) -> Option<Command> {
    let started = |program: &str, arguments: [&str; 3]| {
        let mut command = Command::new(program);
        command.args(arguments.into_iter().filter(|argument| !argument.is_empty()));
        command
    };
    match lang {
        "Shell" => Some(started("bash", ["-c", IN_SHELL, ""])),
        "TypeScript" => {
            let libraries = services::npm("webhooks-npm")?;
            let client = folder.join("node_modules/@support-assistant/client");
            fs::create_dir_all(client.join("dist")).unwrap();
            std::os::unix::fs::symlink(
                libraries.join("node_modules/standardwebhooks"),
                folder.join("node_modules/standardwebhooks"),
            )
            .unwrap();
            for file in fs::read_dir(root().join("clients/typescript/dist")).unwrap().map(|file| file.unwrap()) {
                fs::copy(file.path(), client.join("dist").join(file.file_name())).unwrap();
            }
            fs::copy(root().join("clients/typescript/package.json"), client.join("package.json")).unwrap();
            Some(started("node", ["--input-type=module", "-e", IN_NODE]))
        }
        _ => {
            let (python, webhooks) = (services::python("token-pypi")?, services::python("webhooks-pypi")?);
            let installed = fs::read_dir(webhooks.parent().unwrap().parent().unwrap().join("lib")).unwrap();
            let packages = installed.map(|python| python.unwrap().path().join("site-packages"));
            // As an installed package has it.
            let about = folder.join("support_assistant-0.1.0.dist-info");
            fs::create_dir_all(&about).unwrap();
            fs::write(about.join("METADATA"), "Metadata-Version: 2.1\nName: support-assistant\nVersion: 0.1.0\n")
                .unwrap();
            let folders = [folder.to_owned(), root().join("clients/python/src")].into_iter().chain(packages);
            let mut command = started(python.to_str().unwrap(), ["-c", IN_PYTHON, ""]);
            command.env("PYTHONPATH", std::env::join_paths(folders).unwrap());
            Some(command)
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_sample_runs() {
    let service = TestService::start().await;
    let document = Document::committed();
    let mut wrong = Vec::new();
    for (number, lang) in ["Shell", "TypeScript", "Python"].into_iter().enumerate() {
        let folder = tempfile::tempdir().unwrap();
        let Some(program) = program(lang, folder.path()) else { continue };
        let mut runner = Runner::start(program, folder.path(), &service);
        let has_sample = |case: &&Case| !SIGN_IN.contains(&case.operation.path);
        for (at, case) in cases().iter().filter(has_sample).enumerate() {
            let name = format!("samples/l{number}-{at}");
            let ids = case.make(&service, &name).await;
            case.prepare(&service, &ids).await;
            let operation = document.operation(&case.operation.method.to_lowercase(), &path_of(&case.operation));
            let file = folder.path().join(format!("sample-{at}.mjs"));
            fs::write(&file, filled(case, &ids, &name, operation["x-codeSamples"][number]["source"].as_str().unwrap()))
                .unwrap();
            let told = tokio::task::block_in_place(|| runner.run(&file));
            if told != "done" {
                wrong.push(format!("{lang} {} {}: {told}", case.operation.method, case.operation.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A sample about what was made for it.
fn filled(case: &Case, ids: &Ids, name: &str, sample: &str) -> String {
    let sample = ids.fill_example(sample, name);
    if case.operation.path.contains("{*path}") { sample.replace("billing/refunds", name) } else { sample }
}
