//! Every route of the local service is for requests that name this machine: a name of another site that leads here is
//! refused.

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::support::TestService;

const PATHS: [&str; 6] =
    ["/api/v1/health", "/api/v1/sessions", "/api/v1/nothing", "/docs", "/widget/1/support-chat.js", "/"];

/// Sends a request as it is written; the status and the body.
async fn send(port: u16, head: &str) -> (u16, String) {
    send_with(port, head, "").await
}

async fn send_with(port: u16, head: &str, body: &str) -> (u16, String) {
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(!head.to_ascii_lowercase().contains("access-control-allow-origin"), "{head}");
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn port_of(service: &TestService) -> u16 {
    service.url().trim_end_matches("/api/v1").rsplit(':').next().unwrap().parse().unwrap()
}

/// Whether the answer is a refusal with this status, in the one shape.
fn assert_refused((status, body): (u16, String), expected: u16, error: &str, of: &str) {
    let body: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{of}: {status} {body}"));
    assert_eq!((status, body["error"].as_str()), (expected, Some(error)), "{of}: {body}");
    assert!(body["requestId"].as_str().is_some_and(|id| id.starts_with("req_")), "{of}: {body}");
    assert!(!body["message"].as_str().unwrap().is_empty() && body["details"].is_array(), "{of}: {body}");
}

#[tokio::test]
async fn every_route_refuses_a_host_that_is_not_this_machines() {
    let service = TestService::start().await;
    let port = port_of(&service);
    for path in PATHS {
        for host in [
            format!("127.0.0.1:{port}"),
            format!("localhost:{port}"),
            format!("LOCALHOST:{port}"),
            format!("[::1]:{port}"),
        ] {
            let (status, body) = send(port, &format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n")).await;
            assert!(status != 403 && status != 400, "{path} of {host}: {status} {body}");
        }
        let foreign = [
            "evil.example".to_owned(),
            format!("evil.example:{port}"),
            format!("localhost.evil.example:{port}"),
            format!("me@127.0.0.1:{port}"),
            "127.0.0.1".to_owned(),
            "localhost:1".to_owned(),
            String::new(),
        ];
        for host in foreign {
            for method in ["GET", "POST", "OPTIONS", "PUT"] {
                let answer =
                    send(port, &format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n")).await;
                assert_refused(answer, 403, "FORBIDDEN", &format!("{method} {path} of {host}"));
            }
        }
    }
}

#[tokio::test]
async fn a_request_names_exactly_one_host_and_its_target_no_other() {
    let service = TestService::start().await;
    let port = port_of(&service);
    let own = format!("host: 127.0.0.1:{port}\r\n");
    for path in PATHS {
        for head in [
            format!("GET {path} HTTP/1.1\r\n"),
            format!("GET {path} HTTP/1.0\r\n"),
            format!("GET {path} HTTP/1.1\r\n{own}{own}"),
        ] {
            assert_refused(send(port, &head).await, 400, "VALIDATION_ERROR", &head);
        }
        let two = format!("GET {path} HTTP/1.1\r\n{own}host: evil.example\r\n");
        assert_refused(send(port, &two).await, 400, "VALIDATION_ERROR", &two);
        let absolute = format!("GET http://evil.example{path} HTTP/1.1\r\n{own}");
        assert_refused(send(port, &absolute).await, 403, "FORBIDDEN", &absolute);
    }
    let absolute = format!("GET http://localhost:{port}/api/v1/openapi.json HTTP/1.1\r\n{own}");
    assert_eq!(send(port, &absolute).await.0, 200);
    let named = "POST /api/v1/sessions HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 5\r\nx-request-id: mine\r\n";
    let refused: Value = serde_json::from_str(&send_with(port, named, "12345").await.1).unwrap();
    assert_eq!(refused["requestId"], "mine");
}

#[tokio::test]
async fn an_option_allows_other_hosts() {
    let service =
        TestService::with(|options| options.start.allow_hosts = vec!["shop.test".into(), "other.test:81".into()]).await;
    let port = port_of(&service);
    let get = async |host: &str| send(port, &format!("GET /api/v1/openapi.json HTTP/1.1\r\nhost: {host}\r\n")).await;
    for allowed in ["shop.test", &format!("shop.test:{port}"), "Other.test:81", &format!("localhost:{port}")] {
        assert_eq!(get(allowed).await.0, 200, "{allowed}");
    }
    for refused in ["other.test", "shop.test:81", &format!("other.test:{port}"), "x.shop.test"] {
        assert_refused(get(refused).await, 403, "FORBIDDEN", refused);
    }
}
