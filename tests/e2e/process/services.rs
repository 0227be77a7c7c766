//! Access to the services of the process: none over the network, and with `--services-only` only with its secret.

use std::collections::{BTreeMap, BTreeSet};

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::json;

use super::service_process::{ServiceProcess, binary};
use crate::support::http_client;

const MADE_UP: &str = "AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/dynamodb/aws4_request, \
                       SignedHeaders=host;x-amz-date;x-amz-target, Signature=00";

/// The TCP ports that the process listens on.
#[cfg(target_os = "linux")]
fn listening(process: u32) -> BTreeSet<u16> {
    let sockets: Vec<String> = std::fs::read_dir(format!("/proc/{process}/fd"))
        .unwrap()
        .filter_map(|entry| std::fs::read_link(entry.unwrap().path()).ok())
        .filter_map(|target| Some(target.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let mut ports = BTreeSet::new();
    for table in ["tcp", "tcp6"] {
        let text = std::fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap_or_default();
        for line in text.lines().skip(1) {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let listens = columns[3] == "0A" && sockets.iter().any(|inode| inode == columns[9]);
            if listens {
                ports.insert(u16::from_str_radix(columns[1].rsplit(':').next().unwrap(), 16).unwrap());
            }
        }
    }
    ports
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_but_the_api_and_the_desk_is_on_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start(folder.path());
    let desk =
        service.banner.lines().find_map(|line| line.trim_start().strip_prefix("desk")?.split_whitespace().next());
    let desk: reqwest::Url = desk.unwrap_or_else(|| panic!("no desk in {}", service.banner)).parse().unwrap();
    let ports = BTreeSet::from([service.address().port(), desk.port().unwrap()]);
    assert_eq!(ports.len(), 2);
    assert_eq!(listening(service.id()), ports);
    assert!(!service.data().join("functions.env").exists());
}

fn variables(service: &ServiceProcess) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(service.data().join("functions.env")).unwrap();
    let pair = |line: &str| {
        let (name, value) = line.split_once('=')?;
        Some((name.to_owned(), value.strip_prefix('"')?.strip_suffix('"')?.to_owned()))
    };
    text.lines().filter_map(pair).collect()
}

fn scan(url: &str, table: &str) -> RequestBuilder {
    let request = http_client().request(Method::POST, url);
    let request = request.header("x-amz-target", "DynamoDB_20120810.Scan").header("authorization", MADE_UP);
    request.header("x-amz-date", "20260101T000000Z").body(json!({"TableName": table}).to_string())
}

#[tokio::test]
async fn functions_may_start_with_the_environment_of_the_opened_services_and_reach_their_queues() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--services-only"]);
    let variables = variables(&service);
    let config = aws::config::Config::from_vars(|name| variables.get(name).cloned());
    config.unwrap_or_else(|error| panic!("no function would start: {error}"));
    for name in ["WEBHOOK_QUEUE_URL", "INGEST_QUEUE_URL", "EMBEDDING_QUEUE_URL"] {
        let queue = &variables[name];
        assert!(queue.starts_with(&variables["AWS_ENDPOINT_URL"]), "{name}: {queue}");
        let request = http_client().post(&variables["AWS_ENDPOINT_URL"]);
        let request = request.header("x-amz-target", "AmazonSQS.SendMessage").header("authorization", MADE_UP);
        let request = request.header("x-amz-date", "20260101T000000Z");
        let request = request.header("x-amz-security-token", &variables["AWS_SESSION_TOKEN"]);
        let sent = request.body(json!({"QueueUrl": queue, "MessageBody": "{}"}).to_string()).send().await.unwrap();
        assert_eq!(sent.status(), StatusCode::OK, "{name}: {}", sent.text().await.unwrap());
    }
    assert!(!service.banner.contains("demo shop"), "functions serve no page: {}", service.banner);
}

#[tokio::test]
async fn opened_services_refuse_a_host_that_is_not_this_machines_also_with_their_secret() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--services-only", "--allow-host", "shop.test"]);
    let variables = variables(&service);
    let (url, table) = (&variables["AWS_ENDPOINT_URL"], &variables["TABLE_NAME"]);
    let secret = &variables["AWS_SESSION_TOKEN"];
    for (host, status) in [("evil.example", 403), ("shop.test", 200)] {
        let sent = scan(url, table).header("host", host).header("x-amz-security-token", secret).send().await.unwrap();
        assert_eq!(sent.status(), status, "{host}");
        let body = sent.text().await.unwrap();
        assert_eq!(body.contains("FORBIDDEN"), status == 403, "{host}: {body:.300}");
    }
}

#[tokio::test]
async fn opened_services_hand_out_the_dead_letters_in_pages() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--services-only"]);
    let variables = variables(&service);
    let letters = service.data().join("dead-letters/changes");
    std::fs::create_dir_all(&letters).unwrap();
    for name in ["a.json", "b.json", "c.json"] {
        std::fs::write(letters.join(name), name).unwrap();
    }
    let get = async |path: &str| {
        let request = http_client().get(format!("{}/dead-letters/{path}", variables["AWS_ENDPOINT_URL"]));
        let sent = request.header("x-amz-security-token", &variables["AWS_SESSION_TOKEN"]).send().await.unwrap();
        (sent.status().as_u16(), sent.text().await.unwrap())
    };
    let (_, first) = get("?list-type=2&max-keys=2&prefix=changes%2F").await;
    let token = first.split("NextContinuationToken>").nth(1).unwrap().trim_end_matches("</");
    let (_, second) = get(&format!("?continuation-token={token}&list-type=2&max-keys=2&prefix=changes%2F")).await;
    assert!(
        first.contains("changes/a.json") && first.contains("changes/b.json") && !first.contains("c.json"),
        "{first}"
    );
    assert!(second.contains("changes/c.json") && !second.contains("NextContinuationToken"), "{second}");
    assert_eq!(get("changes/a.json").await, (200, "a.json".to_owned()));
    assert_eq!(get("changes/none.json").await.0, 404);
}

#[tokio::test]
async fn opened_services_answer_who_knows_their_secret_and_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let service = ServiceProcess::start_with(folder.path(), &["--services-only"]);
    let variables = variables(&service);
    let (url, table) = (&variables["AWS_ENDPOINT_URL"], &variables["TABLE_NAME"]);
    let secret = &variables["AWS_SESSION_TOKEN"];
    assert!(url.starts_with("http://127.0.0.1:") && secret.len() == 64, "{variables:?}");
    assert!(service.banner.contains("functions.env") && !service.banner.contains(secret.as_str()));

    let known = scan(url, table).header("x-amz-security-token", secret).send().await.unwrap();
    assert_eq!(known.status(), StatusCode::OK);
    let rows = known.text().await.unwrap();
    assert!(rows.contains("demo/orders/refunds"), "{rows:.300}");

    let page = "https://page.example";
    let preflight = http_client()
        .request(Method::OPTIONS, url)
        .header("origin", page)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "x-amz-target,x-amz-security-token,authorization");
    let refused = [
        preflight,
        scan(url, table),
        scan(url, table).header("x-amz-security-token", "made-up"),
        scan(url, table).header("x-amz-security-token", &secret[..63]),
        scan(url, table).header("x-amz-security-token", secret).header("x-amz-security-token", "two"),
        scan(url, table).header("x-amz-security-token", secret).header("origin", page),
        scan(url, table).header("x-amz-security-token", secret).header("origin", "null"),
        http_client().get(url).header("x-amz-security-token", secret),
    ];
    for (number, request) in refused.into_iter().enumerate() {
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_client_error(), "{number}: {}", answer.status());
        let has_cors_header = answer.headers().keys().any(|name| name.as_str().starts_with("access-control"));
        assert!(!has_cors_header, "{number}: {:?}", answer.headers());
        let body = answer.text().await.unwrap();
        assert!(!body.contains("demo") && !body.contains("Items"), "{number}: {body:.300}");
    }
    let (data, first) = (service.data(), secret.clone());
    service.interrupt();
    assert!(!data.join("functions.env").exists(), "its credentials outlive the process");
    let service = ServiceProcess::start_with(folder.path(), &["--services-only"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(data.join("functions.env")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_ne!(self::variables(&service)["AWS_SESSION_TOKEN"], first, "the secret is of one process");
}

/// An OpenSearch that accepts everything and finds nothing.
async fn accepting_search() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = || async { axum::Json(json!({"result": "created", "errors": false, "hits": {"hits": []}})) };
    tokio::spawn(async move { axum::serve(listener, axum::Router::new().fallback(answer)).await });
    url
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_use_the_given_opensearch_and_the_opened_services_for_everything_else() {
    let folder = tempfile::tempdir().unwrap();
    let search = accepting_search().await;
    let service = ServiceProcess::start_with(folder.path(), &["--services-only", "--opensearch", &search]);
    let variables = variables(&service);
    let named = ["SEARCH_ENDPOINT", "SEARCH_SIGNED", "SEARCH_INDEX"].map(|name| variables[name].as_str());
    assert_eq!(named, [search.as_str(), "false", "wiki"]);
    let services = &variables["AWS_ENDPOINT_URL"];
    assert!(*services != search && services.starts_with("http://127.0.0.1:"), "{variables:?}");
    let elsewhere = variables.iter().filter(|(name, value)| *name != "SEARCH_ENDPOINT" && value.contains(&search));
    assert_eq!(elsewhere.count(), 0, "{variables:?}");
    let config = aws::config::Config::from_vars(|name| variables.get(name).cloned());
    config.unwrap_or_else(|error| panic!("no function would start: {error}"));
}

#[tokio::test]
async fn a_command_for_a_running_service_has_its_rules_for_outgoing_requests() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut command = binary();
    command.args(["--port", "0", "--data"]).arg(&data).env("OUTBOUND_ALLOW_LOOPBACK", "false");
    let _service = ServiceProcess::of(command, data.clone()).unwrap();
    let attached = local::DataFolder::attach(&data).await.unwrap();
    let outbound = attached.resources().config.outbound;
    assert!(!outbound.allow_loopback && outbound.allow_http, "{outbound:?}");
}
