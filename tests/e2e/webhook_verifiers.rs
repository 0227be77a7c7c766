//! Deliveries verified by the code in `examples`, which uses independent implementations of Standard Webhooks.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::services;
use crate::support::{Caught, SECRET, TestService};
use crate::template::document::root;

/// Reads `[{body, headers}]`; prints the status of each by the example's route, then what svix returns for the first.
const IN_NODE: &str = r#"
import { readFileSync } from "node:fs";
import { Webhook } from "svix";
import { POST } from "./events.mjs";
const requests = JSON.parse(readFileSync(0, "utf8"));
console.log = () => {};
const statuses = [];
for (const { body, headers } of requests) {
  statuses.push((await POST(new Request("http://127.0.0.1/", { method: "POST", body, headers }))).status);
}
const [{ body, headers }] = requests;
const returned = new Webhook(process.env.WEBHOOK_SECRET).verify(body, headers) ?? null;
process.stdout.write(JSON.stringify([statuses, returned]));
"#;

/// The same in Python, with the status that a receiver answers.
const IN_PYTHON: &str = r#"
import json, os, sys
from svix.webhooks import Webhook
from events import read_event
requests = json.load(sys.stdin)
statuses = [204 if read_event(each["body"].encode(), each["headers"]) else 400 for each in requests]
returned = Webhook(os.environ["WEBHOOK_SECRET"]).verify(requests[0]["body"], requests[0]["headers"])
print(json.dumps([statuses, returned]))
"#;

/// The same in Go, by the example's route alone.
const IN_GO: &str = r#"
package main

import (
    "encoding/json"
    "net/http"
    "net/http/httptest"
    "os"
    "strings"
)

func main() {
    var requests []struct {
        Body    string
        Headers map[string]string
    }
    if err := json.NewDecoder(os.Stdin).Decode(&requests); err != nil {
        panic(err)
    }
    statuses := []int{}
    for _, each := range requests {
        request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(each.Body))
        for name, value := range each.Headers {
            request.Header.Set(name, value)
        }
        answer := httptest.NewRecorder()
        events(answer, request)
        statuses = append(statuses, answer.Code)
    }
    json.NewEncoder(os.Stdout).Encode([]any{statuses, nil})
}
"#;

/// The same in PHP, by the example's page on PHP's own server.
const IN_PHP: &str = r#"<?php
ini_set('display_errors', 'stderr');
$requests = json_decode(stream_get_contents(STDIN), true);
$address = '127.0.0.1:' . getenv('PORT');
$server = proc_open([PHP_BINARY, '-S', $address, 'events.php'], [2 => ['file', '/dev/null', 'w']], $pipes);
for ($tries = 0; !@fsockopen("tcp://$address") && $tries < 500; $tries++) usleep(20_000);
$statuses = array_map(function (array $each) use ($address): int {
    $headers = array_map(fn ($name, $value) => "$name: $value", array_keys($each['headers']), $each['headers']);
    file_get_contents("http://$address/", false, stream_context_create(['http' => [
        'method' => 'POST', 'header' => ['Content-Type: application/json', ...$headers], 'content' => $each['body'], 'ignore_errors' => true,
    ]]));
    return (int) substr($http_response_header[0], 9, 3);
}, $requests);
proc_terminate($server);
echo json_encode([$statuses, null]);
"#;

/// The same in Ruby, by the example's Rack application.
const IN_RUBY: &str = r#"
require "json"
require "stringio"
require "./events"
requests = JSON.parse($stdin.read)
output, $stdout = $stdout, $stderr
statuses = requests.map do |each|
  headers = each["headers"].to_h { |name, value| ["HTTP_#{name.upcase.tr("-", "_")}", value] }
  EVENTS.call(headers.merge("rack.input" => StringIO.new(each["body"].b)))[0]
end
output.puts JSON.generate([statuses, nil])
"#;

/// A delivery as it came, the same with the signature of another secret before its own, then requests that are none.
fn requests(caught: &Caught) -> Value {
    let names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    let headers: serde_json::Map<_, _> =
        names.iter().map(|name| ((*name).to_owned(), caught.header(name).into())).collect();
    let body = std::str::from_utf8(&caught.body).unwrap();
    let with = |name: &str, value: &str| {
        let mut headers = headers.clone();
        headers.insert(name.to_owned(), value.into());
        json!({"body": body, "headers": headers})
    };
    let both = format!("v1,{} {}", "A".repeat(43) + "=", caught.header("webhook-signature"));
    let mut all = vec![json!({"body": body, "headers": headers}), with("webhook-signature", &both)];
    all.push(json!({"body": format!("{body} "), "headers": headers}));
    all.push(json!({"body": body, "headers": {}}));
    all.extend(
        ["v1", "v1,a,b", "v1,a", "v1,", "v2,QUJD", "", ","].map(|signature| with("webhook-signature", signature)),
    );
    all.extend(["0", "now", "-1", "", "1e99", "nan"].map(|timestamp| with("webhook-timestamp", timestamp)));
    all.push(with("webhook-id", "evt_of_another"));
    all.into()
}

async fn a_delivery() -> Value {
    let (service, receiver, _) = TestService::in_real_time(|_| {}).await.and_receiver().await;
    service.trainer().wiki_entry("a/b", "Café 😀", "Ünïcode \u{2028} text").await;
    service.drain().await;
    requests(&receiver.wait_for(1).await.remove(0))
}

/// Runs the script beside the example, and asserts that the first two requests alone are taken.
fn verify(mut script: Command, folder: &Path, requests: &Value) {
    let mut running = script
        .current_dir(folder)
        .env("WEBHOOK_SECRET", SECRET)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    running.stdin.take().unwrap().write_all(requests.to_string().as_bytes()).unwrap();
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut statuses = vec![400; requests.as_array().unwrap().len()];
    statuses[..2].fill(204);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), json!([statuses, null]), "{requests}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_receiver_in_node_takes_deliveries_and_nothing_else() {
    let Some(libraries) = tokio::task::spawn_blocking(|| services::npm("webhooks-npm")).await.unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(libraries.join("node_modules"), folder.path().join("node_modules")).unwrap();
    std::fs::copy(root().join("examples/node/events.mjs"), folder.path().join("events.mjs")).unwrap();
    std::fs::write(folder.path().join("script.mjs"), IN_NODE).unwrap();
    let mut script = Command::new("node");
    script.arg("script.mjs");
    verify(script, folder.path(), &a_delivery().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_receiver_in_python_takes_deliveries_and_nothing_else() {
    let Some(python) = tokio::task::spawn_blocking(|| services::python("webhooks-pypi")).await.unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("examples/python/events.py"), folder.path().join("events.py")).unwrap();
    std::fs::write(folder.path().join("script.py"), IN_PYTHON).unwrap();
    let mut script = Command::new(python);
    script.arg("script.py");
    verify(script, folder.path(), &a_delivery().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_receiver_in_go_takes_deliveries_and_nothing_else() {
    let Some(libraries) = tokio::task::spawn_blocking(|| services::go("webhooks-go")).await.unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    for file in ["go.mod", "go.sum"] {
        std::fs::copy(libraries.join(file), folder.path().join(file)).unwrap();
    }
    std::fs::copy(root().join("examples/go/events.go"), folder.path().join("events.go")).unwrap();
    std::fs::write(folder.path().join("script.go"), IN_GO).unwrap();
    let mut script = Command::new("go");
    script.args(["run", "."]).env("GOMODCACHE", libraries.join("modules")).env("GOPROXY", "off");
    verify(script, folder.path(), &a_delivery().await);
}

/// The library of Standard Webhooks for another language: the Go module holds that of each.
fn official(language: &str) -> Option<PathBuf> {
    let modules = services::go("webhooks-go")?.join("modules/github.com/standard-webhooks/standard-webhooks");
    Some(modules.join("libraries@v0.0.1").join(language))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_receiver_in_php_takes_deliveries_and_nothing_else() {
    let found = || Some((services::interpreter("php", &["-v"])?, official("php")?));
    let Some((php, library)) = tokio::task::spawn_blocking(found).await.unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("vendor")).unwrap();
    let autoload = format!("<?php require '{}/init.php';", library.display());
    std::fs::write(folder.path().join("vendor/autoload.php"), autoload).unwrap();
    std::fs::copy(root().join("examples/php/events.php"), folder.path().join("events.php")).unwrap();
    std::fs::write(folder.path().join("script.php"), IN_PHP).unwrap();
    let mut script = Command::new(php);
    script.arg("script.php").env("PORT", services::unused_port().to_string());
    verify(script, folder.path(), &a_delivery().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_receiver_in_ruby_takes_deliveries_and_nothing_else() {
    let found = || Some((services::interpreter("ruby", &["-v"])?, official("ruby")?));
    let Some((ruby, library)) = tokio::task::spawn_blocking(found).await.unwrap() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(root().join("examples/ruby/events.rb"), folder.path().join("events.rb")).unwrap();
    std::fs::write(folder.path().join("script.rb"), IN_RUBY).unwrap();
    let mut script = Command::new(ruby);
    script.arg("-I").arg(library.join("lib")).arg("script.rb");
    verify(script, folder.path(), &a_delivery().await);
}
