//! The template as CloudFormation gets it: transformed by the library that does it on AWS.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::document::root;
use crate::services;

/// The transformed template, or nothing, with a line that says so, if there is no Python.
pub(crate) fn transformed() -> Option<&'static Value> {
    static TRANSFORMED: OnceLock<Option<Value>> = OnceLock::new();
    TRANSFORMED.get_or_init(|| transform(&json!({"Release": "0".repeat(64)}))).as_ref()
}

/// The template, transformed with values of its parameters, on the same terms.
pub(crate) fn transform(parameters: &Value) -> Option<Value> {
    let template = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let request = json!({"template": template, "parameters": parameters}).to_string();
    let written = run_python(&root().join("infra/aws/transform.py"), &[], &request)?;
    assert!(
        written.status.success(),
        "the template cannot be transformed: {}",
        String::from_utf8_lossy(&written.stderr)
    );
    Some(serde_json::from_slice(&written.stdout).unwrap())
}

/// Runs a script with the Python that has SAM's transform and cfn-lint, on the same terms.
pub(crate) fn run_python(script: &Path, arguments: &[&str], input: &str) -> Option<Output> {
    let mut process = Command::new(services::python("sam")?)
        .arg(script)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    process.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    Some(process.wait_with_output().unwrap())
}

/// The logical ids of one type in a transformed template.
pub(crate) fn ids(template: &Value, kind: &str) -> Vec<String> {
    let resources = template["Resources"].as_object().unwrap().iter();
    resources.filter(|(_, resource)| resource["Type"] == kind).map(|(id, _)| id.clone()).collect()
}
