//! The deploy command in a folder of its own, and a stand-in of the AWS that it deploys to.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::IntoResponse;

use super::document::root;
use crate::services;

/// A copy of what the deploy command reads, with a `sam` that builds two files, and checks of the template that find what
/// the test says. All write down what they are told.
pub(super) struct Workshop {
    pub(super) folder: tempfile::TempDir,
}

const SAM: &str = r#"#!/bin/sh
echo "sam $*" >> calls
[ "$1" = deploy ] && [ -e sam-fails ] && exit 1
[ "$1" = build ] || exit 0
mkdir -p .aws-sam/build/SessionsFunction
cp template.yaml .aws-sam/build/template.yaml
cp code .aws-sam/build/SessionsFunction/bootstrap
"#;

const LINT: &str = r#"
import os, sys
open("calls", "a").write(" ".join(["lint", *sys.argv[1:]]) + "\n")
sys.exit(os.path.exists("is-odd"))
"#;

const REPLACEMENTS: &str = r#"
import os, sys
open("calls", "a").write(" ".join(["replacements", *sys.argv[1:]]) + "\n")
sys.exit(os.path.exists("is-replaced"))
"#;

impl Workshop {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        std::fs::create_dir_all(at("infra/aws")).unwrap();
        std::fs::create_dir_all(at("bin")).unwrap();
        std::fs::create_dir_all(at("web/widget/dist")).unwrap();
        for (file, content) in [("version.txt", "1.2.3-abc\n"), ("support-chat.js", "chat"), ("de.js", "Deutsch")] {
            std::fs::write(at("web/widget/dist").join(file), content).unwrap();
        }
        std::fs::create_dir_all(at("web/desk/dist/assets")).unwrap();
        for (file, content) in [("index.html", "page"), ("icon.svg", "icon"), ("assets/index-B9.js", "code")] {
            std::fs::write(at("web/desk/dist").join(file), content).unwrap();
        }
        for file in ["deploy", "template.yaml", "samconfig.toml", "infra/aws/stack-policy.json"] {
            std::fs::copy(root().join(file), at(file)).unwrap();
        }
        std::fs::write(at("infra/aws/lint.py"), LINT).unwrap();
        std::fs::write(at("infra/aws/replacements.py"), REPLACEMENTS).unwrap();
        std::fs::write(at("code"), "first").unwrap();
        std::fs::write(at("bin/sam"), SAM).unwrap();
        std::fs::set_permissions(at("bin/sam"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        Self { folder }
    }

    pub(super) fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(super) fn replace(&self, file: &str, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.at(file)).unwrap();
        assert!(text.contains(old), "{file} holds no {old}");
        std::fs::write(self.at(file), text.replace(old, new)).unwrap();
    }

    /// Runs the deploy command; `None` if SAM's libraries are missing.
    pub(super) fn deploy(&self, arguments: &[&str], aws: &str) -> Option<Output> {
        let path = format!("{}:{}", self.at("bin").display(), std::env::var("PATH").unwrap());
        let mut command = Command::new(services::python("sam")?);
        command.arg(self.at("deploy")).args(arguments).env("PATH", path);
        command.env("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE").env("AWS_SECRET_ACCESS_KEY", "local");
        command.env("AWS_ENDPOINT_URL", aws);
        Some(services::output_of(command))
    }

    /// The parameters that would be deployed.
    pub(super) fn parameters(&self, environment: &str) -> Option<BTreeMap<String, String>> {
        let output = self.deploy(&[environment, "--check"], "http://127.0.0.1:1")?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(serde_json::from_slice(&output.stdout).unwrap())
    }

    pub(super) fn calls(&self) -> Vec<String> {
        let calls = std::fs::read_to_string(self.at("calls")).unwrap_or_default();
        calls.lines().map(str::to_owned).collect()
    }
}

const STACK: &str = "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>\
    <member><OutputKey>WidgetFilesBucket</OutputKey><OutputValue>widget-files</OutputValue></member>\
    <member><OutputKey>WidgetUrl</OutputKey><OutputValue>https://cdn.example/widget</OutputValue></member>\
    </Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>";

/// An uploaded file.
#[derive(Debug, Clone)]
pub(super) struct Upload {
    pub(super) path: String,
    pub(super) kind: String,
    /// `Cache-Control`; empty if there is none.
    pub(super) lasting: String,
    pub(super) content: String,
}

/// The requests to the stand-in of AWS, in their order: the stack policies, and the uploaded files.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) policies: Vec<String>,
    pub(super) files: Vec<Upload>,
}

/// A CloudFormation that knows no stack until one is deployed, and an S3.
pub(super) async fn aws(calls: PathBuf) -> (String, Arc<Mutex<Sent>>) {
    let sent = Arc::new(Mutex::new(Sent::default()));
    let seen = Arc::clone(&sent);
    let answer = move |method: Method, uri: Uri, headers: HeaderMap, body: String| {
        let deployed = std::fs::read_to_string(&calls).unwrap_or_default().contains("sam deploy");
        let mut sent = seen.lock().unwrap();
        let is_file = method == Method::PUT;
        let is_question = body.contains("Action=DescribeStacks");
        if is_file {
            let header = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
            let (kind, lasting) = (header("content-type"), header("cache-control"));
            sent.files.push(Upload { path: uri.path().to_owned(), kind, lasting, content: body });
        } else if !is_question {
            sent.policies.push(body);
        }
        async move {
            if is_file {
                return StatusCode::OK.into_response();
            }
            if is_question && deployed {
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
