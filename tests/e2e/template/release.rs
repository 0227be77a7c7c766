//! Releases: a change of code or of any parameter publishes new versions, and no change loses a stateful resource.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::IntoResponse;
use serde_json::{Value, json};

use super::document::{root, template, texts};
use super::transformed::{ids, run_python, transform, transformed};
use crate::services;
use crate::widget::script_element;

const FUNCTIONS: usize = 13;

/// Each function's version and what its alias points to.
fn versions(release: char) -> Option<BTreeSet<String>> {
    let transformed = transform(&json!({"Release": release.to_string().repeat(64)}))?;
    let versions: BTreeSet<String> = ids(&transformed, "AWS::Lambda::Version").into_iter().collect();
    let aliases = ids(&transformed, "AWS::Lambda::Alias");
    assert_eq!((versions.len(), aliases.len()), (FUNCTIONS, FUNCTIONS));
    for alias in aliases {
        let version = &transformed["Resources"][&alias]["Properties"]["FunctionVersion"]["Fn::GetAtt"][0];
        assert!(versions.contains(version.as_str().unwrap()), "{alias} points to {version}");
    }
    // Lambda publishes no version of an unchanged function: the release is part of each.
    for function in ids(&transformed, "AWS::Lambda::Function") {
        let description = transformed["Resources"][&function]["Properties"]["Description"].as_str().unwrap();
        assert!(description.ends_with(&release.to_string().repeat(64)), "{function}: {description}");
    }
    Some(versions)
}

#[test]
fn another_release_publishes_a_new_version_of_every_function_and_the_same_one_none() {
    let (Some(first), Some(again), Some(second)) = (versions('a'), versions('a'), versions('b')) else { return };
    assert_eq!(first, again);
    assert_eq!(first.intersection(&second).count(), 0);
}

/// A copy of what the deploy command reads, with a `sam` that builds two files, a check for replacements that finds what
/// the test says, and both write down what they are told.
struct Workshop {
    folder: tempfile::TempDir,
}

const SAM: &str = r#"#!/bin/sh
echo "sam $*" >> calls
[ "$1" = deploy ] && [ -e sam-fails ] && exit 1
[ "$1" = build ] || exit 0
mkdir -p .aws-sam/build/SessionsFunction
cp template.yaml .aws-sam/build/template.yaml
cp code .aws-sam/build/SessionsFunction/bootstrap
"#;

const REPLACEMENTS: &str = r#"
import os, sys
open("calls", "a").write(" ".join(["replacements", *sys.argv[1:]]) + "\n")
sys.exit(os.path.exists("is-replaced"))
"#;

impl Workshop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("infra/aws")).unwrap();
        std::fs::create_dir_all(at("bin")).unwrap();
        std::fs::create_dir_all(at("web/widget/dist")).unwrap();
        for (file, content) in [("version.txt", "1.2.3-abc\n"), ("support-chat.js", "chat"), ("de.js", "Deutsch")] {
            std::fs::write(at("web/widget/dist").join(file), content).unwrap();
        }
        for file in ["deploy", "template.yaml", "samconfig.toml", "infra/aws/stack-policy.json"] {
            std::fs::copy(root().join(file), at(file)).unwrap();
        }
        std::fs::write(at("infra/aws/replacements.py"), REPLACEMENTS).unwrap();
        std::fs::write(at("code"), "first").unwrap();
        std::fs::write(at("bin/sam"), SAM).unwrap();
        std::fs::set_permissions(at("bin/sam"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        Self { folder }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn replace(&self, file: &str, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.at(file)).unwrap();
        assert!(text.contains(old), "{file} holds no {old}");
        std::fs::write(self.at(file), text.replace(old, new)).unwrap();
    }

    /// Runs the deploy command; `None` where SAM's libraries are missing.
    fn deploy(&self, arguments: &[&str], aws: &str) -> Option<Output> {
        let path = format!("{}:{}", self.at("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(services::python("sam")?);
        command.arg(self.at("deploy")).args(arguments).env("PATH", path);
        command.env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE").env("AWS_SECRET_ACCESS_KEY", "local");
        command.env("AWS_ENDPOINT_URL", aws);
        Some(command.output().unwrap())
    }

    /// The parameters that would be deployed.
    fn parameters(&self, environment: &str) -> Option<BTreeMap<String, String>> {
        let output = self.deploy(&[environment, "--check"], "http://127.0.0.1:1")?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }

    fn calls(&self) -> Vec<String> {
        let calls = std::fs::read_to_string(self.at("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }
}

#[test]
fn code_and_every_property_of_a_function_make_another_release() {
    let workshop = Workshop::new();
    let Some(first) = workshop.parameters("dev") else { return };
    assert_eq!(workshop.parameters("dev").unwrap(), first);
    std::fs::write(workshop.at("code"), "second").unwrap();
    let code = workshop.parameters("dev").unwrap();
    workshop.replace("template.yaml", "    Timeout: 28", "    Timeout: 27");
    let timeout = workshop.parameters("dev").unwrap();
    workshop.replace("samconfig.toml", "LogRetentionDays = 7", "LogRetentionDays = 14");
    let parameter = workshop.parameters("dev").unwrap();
    let releases: BTreeSet<_> = [&first, &code, &timeout, &parameter].map(|of| of["Release"].clone()).into();
    assert_eq!(releases.len(), 4);
    assert_eq!((&first["LogRetentionDays"], &parameter["LogRetentionDays"]), (&"7".into(), &"14".into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_check_option_prints_the_parameters_and_deploys_nothing() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev", "--check", "AlarmEmail=ops@example.com"], &url) else { return };
    let parameters: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(parameters["AlarmEmail"], "ops@example.com");
    assert!(workshop.calls().iter().all(|call| !call.starts_with("sam deploy")), "{:?}", workshop.calls());
    assert!(sent.lock().unwrap().policies.is_empty() && sent.lock().unwrap().files.is_empty());
}

/// Asks the deploy command's own function for the release of each single change.
const OF_EACH_PARAMETER: &str = r"
import importlib.machinery, importlib.util, json, sys
loader = importlib.machinery.SourceFileLoader('deploy', sys.argv[1])
deploy = importlib.util.module_from_spec(importlib.util.spec_from_loader('deploy', loader))
loader.exec_module(deploy)
before = deploy.all_parameters({}, {})
releases = {name: deploy.release({**before, name: before[name] + '1'}) for name in before}
json.dump({**releases, '': deploy.release(before)}, sys.stdout)
";

#[test]
fn every_parameter_makes_another_release() {
    let workshop = Workshop::new();
    if workshop.parameters("prod").is_none() {
        return;
    }
    std::fs::write(workshop.at("each.py"), OF_EACH_PARAMETER).unwrap();
    let output = run_python(&workshop.at("each.py"), &[workshop.at("deploy").to_str().unwrap()], "").unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let releases: BTreeMap<String, String> = serde_json::from_slice(&output.stdout).unwrap();
    let declared = template()["Parameters"].as_object().unwrap().len();
    assert_eq!(releases.len(), declared, "a parameter besides the release is left out");
    assert_eq!(releases.values().collect::<BTreeSet<_>>().len(), releases.len());
}

const STACK: &str = "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>\
    <member><OutputKey>WidgetFilesBucket</OutputKey><OutputValue>widget-files</OutputValue></member>\
    <member><OutputKey>WidgetUrl</OutputKey><OutputValue>https://cdn.example/widget</OutputValue></member>\
    </Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>";

/// The requests to the stand-in of AWS: the stack policies, and the uploaded files as path, content type and body.
#[derive(Debug, Default)]
struct Sent {
    policies: Vec<String>,
    files: BTreeSet<(String, String, String)>,
}

/// A CloudFormation that knows no stack until one is deployed, and an S3.
async fn aws(calls: PathBuf) -> (String, Arc<Mutex<Sent>>) {
    let sent = Arc::new(Mutex::new(Sent::default()));
    let seen = Arc::clone(&sent);
    let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: String| {
        let deployed = std::fs::read_to_string(&calls).unwrap_or_default().contains("sam deploy");
        let mut sent = seen.lock().unwrap();
        let is_file = method == Method::PUT;
        let is_question = body.contains("Action=DescribeStacks");
        if is_file {
            let kind = headers["content-type"].to_str().unwrap().to_owned();
            sent.files.insert((uri.path().to_owned(), kind, body));
        } else if !is_question {
            sent.policies.push(body);
        }
        async move {
            if is_file {
                return StatusCode::OK.into_response();
            }
            if is_question {
                return STACK.into_response();
            }
            if deployed {
                return "<SetStackPolicyResponse/>".into_response();
            }
            let error = "<ErrorResponse><Error><Code>ValidationError</Code>\
                <Message>Stack [support-assistant-dev] does not exist</Message></Error></ErrorResponse>";
            (StatusCode::BAD_REQUEST, error).into_response()
        }
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async { axum::serve(listener, Router::new().fallback(answer)).await });
    (url, sent)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_asks_nothing_passes_every_parameter_and_protects_the_stack() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev", "AlarmEmail=ops@example.com"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = workshop.at(".aws-sam/parameters-dev.yaml");
    let expected = [
        "sam validate --lint --region eu-central-1".to_owned(),
        "replacements check".to_owned(),
        "sam build --config-env dev".to_owned(),
        format!("sam deploy --config-env dev --parameter-overrides file://{}", file.display()),
    ];
    let expected = expected.map(|line| line.replace(workshop.folder.path().to_str().unwrap(), ""));
    let calls = workshop.calls().into_iter().map(|line| line.replace(workshop.folder.path().to_str().unwrap(), ""));
    assert_eq!(calls.collect::<Vec<_>>(), expected);
    let passed: BTreeMap<String, String> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let declared: BTreeSet<String> = template()["Parameters"].as_object().unwrap().keys().cloned().collect();
    assert_eq!(passed.keys().cloned().collect::<BTreeSet<_>>(), declared);
    assert_eq!(passed["AlarmEmail"], "ops@example.com");
    // Before the first deployment there is no stack; then the policy is set.
    assert_eq!(sent.lock().unwrap().policies.len(), 2);
    // An existing stack is protected before it changes.
    assert!(workshop.deploy(&["dev"], &url).unwrap().status.success());
    let policies = sent.lock().unwrap().policies.clone();
    assert!(policies.len() == 3 && policies[2].contains("Update%3AReplace"), "{policies:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_ends_before_the_build_where_a_resource_would_be_replaced() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    std::fs::write(workshop.at("is-replaced"), "").unwrap();
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(!output.status.success());
    assert_eq!(workshop.calls(), ["sam validate --lint --region eu-central-1", "replacements check"]);
    assert!(sent.lock().unwrap().policies.is_empty() && sent.lock().unwrap().files.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stack_gives_up_its_search_domain_only_when_the_deploy_command_is_told_to() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let name = "ExistingSearchDomainName=shared";
    let protected = || {
        let policies = std::mem::take(&mut sent.lock().unwrap().policies);
        policies.iter().map(|policy| policy.contains("OpenSearchService")).collect::<Vec<_>>()
    };
    protected();
    assert!(workshop.deploy(&["dev", name], &url).unwrap().status.success());
    assert_eq!(protected(), [true]);
    let refused = workshop.deploy(&["dev", "--detach-search-domain"], &url).unwrap();
    assert!(String::from_utf8_lossy(&refused.stderr).contains("needs ExistingSearchDomainName"), "{refused:?}");
    assert!(protected().is_empty());
    // The domain is protected again afterwards, also when the deployment fails.
    assert!(workshop.deploy(&["dev", name, "--detach-search-domain"], &url).unwrap().status.success());
    assert_eq!(protected(), [false, true]);
    std::fs::write(workshop.at("sam-fails"), "").unwrap();
    assert!(!workshop.deploy(&["dev", name, "--detach-search-domain"], &url).unwrap().status.success());
    assert_eq!(protected(), [false, true]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deploy_command_uploads_the_widget_under_its_version() {
    let workshop = Workshop::new();
    let (url, sent) = aws(workshop.at("calls")).await;
    let Some(output) = workshop.deploy(&["dev"], &url) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files: Vec<(String, String)> =
        sent.lock().unwrap().files.iter().map(|(path, kind, _)| (path.clone(), kind.clone())).collect();
    let file =
        |name: &str| (format!("/widget-files/widget/1.2.3-abc/{name}"), "text/javascript; charset=utf-8".to_owned());
    assert_eq!(files, [file("de.js"), file("support-chat.js")]);
    // Nothing else was sent: older versions stay.
    let others = sent.lock().unwrap().policies.clone();
    assert!(others.iter().all(|body| body.contains("Action=SetStackPolicy")), "{others:?}");
    assert!(sent.lock().unwrap().files.iter().any(|(_, _, body)| body.contains("Deutsch")));
    let told = String::from_utf8_lossy(&output.stdout);
    let line = script_element("https://cdn.example/widget/1.2.3-abc", b"chat");
    assert!(told.lines().any(|told| told == line), "{told}");
}

#[test]
fn the_deploy_command_says_which_python_it_needs() {
    let older = "import runpy, sys; sys.version_info = (3, 10, 14); runpy.run_path(sys.argv[1], run_name='__main__')";
    let file = Workshop::new();
    std::fs::write(file.at("older.py"), older).unwrap();
    let Some(output) = run_python(&file.at("older.py"), &[file.at("deploy").to_str().unwrap()], "") else { return };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.starts_with("deploy needs Python 3.11 or newer"), "{error}");
}

#[test]
fn a_parameter_that_the_template_does_not_have_is_refused() {
    let workshop = Workshop::new();
    for (arguments, reason) in [
        (["dev", "Tabel=x"], "not a parameter to set: Tabel"),
        (["dev", "Release=x"], "not a parameter to set: Release"),
        (["test", "A=x"], "samconfig.toml has no environment test"),
    ] {
        let Some(output) = workshop.deploy(&arguments, "http://127.0.0.1:1") else { return };
        assert!(!output.status.success());
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains(reason), "{error}");
        assert!(!workshop.calls().iter().any(|call| call.starts_with("sam deploy")), "{arguments:?}");
    }
}

#[test]
fn the_stack_policy_denies_the_replacement_and_deletion_of_every_retained_resource() {
    let policy: Value =
        serde_json::from_slice(&std::fs::read(root().join("infra/aws/stack-policy.json")).unwrap()).unwrap();
    let deny = policy["Statement"].as_array().unwrap().iter().find(|statement| statement["Effect"] == "Deny").unwrap();
    assert_eq!(deny["Action"], json!(["Update:Replace", "Update:Delete"]));
    let denied: BTreeSet<String> = texts(&deny["Condition"]["StringEquals"]["ResourceType"]).into_iter().collect();
    let template = template();
    let resources = template["Resources"].as_object().unwrap().values();
    let kept =
        |resource: &&Value| resource["DeletionPolicy"].as_str().is_some_and(|policy| policy.starts_with("Retain"));
    let retained: BTreeSet<String> = resources.filter(kept).map(|r| r["Type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(denied, retained);
    assert_eq!(template["Resources"]["Search"]["UpdatePolicy"], json!({"EnableVersionUpgrade": true}));
}

#[test]
fn build_output_and_local_files_stay_out_of_the_repository() {
    let ignored = std::fs::read_to_string(root().join(".gitignore")).unwrap();
    for path in [".aws-sam/", ".env"] {
        assert!(ignored.lines().any(|line| line == path), "{path} is not ignored");
    }
}

/// CloudFormation's limit is 500 resources.
#[test]
fn the_stack_has_room_for_more_resources() {
    let Some(template) = transformed() else { return };
    let count = template["Resources"].as_object().unwrap().len();
    assert!((200..450).contains(&count), "{count} resources");
}
