//! Posting: which address is dialled, what is sent, and how much of a response is read.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue};

use super::receiver::{LOCAL, Receiver, Reply, StubResolver, outbound, outbound_with_short_timeouts};
use crate::{
    Outbound, OutboundPolicy, OutboundSettings, OutboundUrl, Resolver, SendError, SystemResolver, WebhookResponse,
};

async fn post(outbound: &Outbound, url: &OutboundUrl) -> Result<WebhookResponse, SendError> {
    let headers = HeaderMap::from_iter([(http::header::CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    outbound.post(url, headers, Bytes::from_static(b"{}")).await
}

async fn post_by(names: &Arc<StubResolver>, url: &OutboundUrl) -> Result<WebhookResponse, SendError> {
    post(&outbound(LOCAL, Arc::clone(names) as Arc<dyn Resolver>), url).await
}

async fn ok() -> Receiver {
    Receiver::replying(Reply::answer("200 OK", &[], b"thanks")).await
}

fn hooks() -> OutboundUrl {
    OutboundUrl::parse("http://hooks.acme.com/x", &LOCAL).unwrap()
}

#[tokio::test]
async fn a_name_with_a_private_address_is_blocked_in_every_form() {
    for private in [
        "10.0.0.1",
        "169.254.169.254",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "fd00:ec2::254",
        "0.0.0.0",
        "fe80::1",
        "::",
        "192.168.0.1",
        "2002:7f00:1::",
    ] {
        let names = StubResolver::answering(&[&[private]]);
        assert_eq!(post_by(&names, &hooks()).await, Err(SendError::Blocked), "{private}");
        assert_eq!(names.asked(), 1);
    }
}

#[tokio::test]
async fn one_private_address_among_public_ones_blocks_them_all() {
    for answer in [&["8.8.8.8", "10.0.0.1"], &["10.0.0.1", "8.8.8.8"], &["2606:4700:4700::1111", "::ffff:10.0.0.1"]] {
        let names = StubResolver::answering(&[answer]);
        assert_eq!(post_by(&names, &hooks()).await, Err(SendError::Blocked), "{answer:?}");
    }
}

#[tokio::test]
async fn loopback_behind_a_name_is_blocked_unless_it_is_allowed() {
    let receiver = ok().await;
    let url = receiver.named("localhost", "/");
    let strict = OutboundPolicy { allow_loopback: false, allow_http: true };
    // A URL that was let through under another policy is checked again.
    let refused = post(&outbound(strict, StubResolver::answering(&[&["127.0.0.1"]])), &url).await;
    assert_eq!(refused, Err(SendError::Blocked));
    let named = post(&outbound(strict, StubResolver::answering(&[&["127.0.0.1"]])), &hooks()).await;
    assert_eq!(named, Err(SendError::Blocked));
    assert!(receiver.requests().is_empty());
    assert_eq!(post(&outbound(LOCAL, Arc::new(SystemResolver)), &url).await.map(|answer| answer.status), Ok(200));
}

#[tokio::test]
async fn the_checked_address_is_the_one_that_is_connected_to() {
    let receiver = ok().await;
    // The second answer would be the rebinding one: nobody asks for it within an attempt.
    let names = StubResolver::answering(&[&["127.0.0.1"], &["169.254.169.254"]]);
    let url = receiver.named("hook.localhost", "/x");
    assert_eq!(post_by(&names, &url).await.unwrap().status, 200);
    assert_eq!((names.asked(), receiver.requests().len()), (1, 1));
    // The next attempt asks again, on a connection of its own, and is blocked.
    assert_eq!(post_by(&names, &url).await, Err(SendError::Blocked));
    assert_eq!((names.asked(), receiver.requests().len()), (2, 1));
}

#[tokio::test]
async fn the_resolver_is_called_once_for_each_attempt() {
    let receiver = ok().await;
    let names = StubResolver::answering(&[&["127.0.0.1"], &["127.0.0.1"], &["10.0.0.1"]]);
    let outbound = outbound(LOCAL, Arc::clone(&names) as Arc<dyn Resolver>);
    let url = receiver.named("hook.localhost", "/");
    assert!(post(&outbound, &url).await.is_ok() && post(&outbound, &url).await.is_ok());
    assert_eq!(post(&outbound, &url).await, Err(SendError::Blocked), "a kept connection was used");
    assert_eq!((names.asked(), receiver.requests().len()), (3, 2));
}

#[tokio::test]
async fn ip_literals_are_checked_without_the_resolver() {
    let receiver = ok().await;
    let names = StubResolver::answering(&[&["8.8.8.8"]]);
    assert_eq!(post_by(&names, &receiver.url("/")).await.unwrap().status, 200);
    let strict = outbound(OutboundPolicy { allow_loopback: false, allow_http: true }, names.clone());
    assert_eq!(post(&strict, &receiver.url("/")).await, Err(SendError::Blocked));
    assert_eq!((names.asked(), receiver.requests().len()), (0, 1));
}

#[tokio::test]
async fn no_redirect_is_followed() {
    for status in ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent"] {
        let target = ok().await;
        let location = format!("location: {}", target.url("/stolen"));
        let receiver = Receiver::replying(Reply::answer(status, &[&location], b"")).await;
        let answer = post(&outbound(LOCAL, Arc::new(SystemResolver)), &receiver.url("/")).await.unwrap();
        assert_eq!(answer.status.to_string(), status[..3]);
        assert!(target.requests().is_empty(), "{status} was followed");
    }
}

#[tokio::test]
async fn a_redirect_is_told_by_its_origin_alone() {
    for (status, location, origin) in [
        ("308 Permanent", "https://user:pass@www.acme.com/x?key=secret#y", Some("https://www.acme.com")),
        ("301 Moved", "//www.acme.com:8443/", Some("http://www.acme.com:8443")),
        ("302 Found", "https://straße.example/", Some("https://xn--strae-oqa.example")),
        ("302 Found", "javascript:alert(1)", None),
        ("302 Found", "http://[", None),
        ("304 Not Modified", "https://www.acme.com/", None),
        ("200 OK", "https://www.acme.com/", None),
    ] {
        let receiver = Receiver::replying(Reply::answer(status, &[&format!("location: {location}")], b"")).await;
        let answer = post(&outbound(LOCAL, Arc::new(SystemResolver)), &receiver.url("/")).await.unwrap();
        assert_eq!(answer.redirects_to.as_deref(), origin, "{status} {location}");
    }
    let receiver = Receiver::replying(Reply::answer("307 Temporary", &["location: ../b?c"], b"")).await;
    let answer = post(&outbound(LOCAL, Arc::new(SystemResolver)), &receiver.url("/a/")).await.unwrap();
    assert_eq!(answer.redirects_to, Some(receiver.url("").as_str().trim_end_matches('/').to_owned()));
}

#[tokio::test]
async fn only_the_given_headers_and_body_are_sent() {
    let cookie = "set-cookie: a=b";
    let receiver = Receiver::replying(Reply::answer("204 No Content", &[cookie, "retry-after: 7"], b"")).await;
    let outbound = outbound(LOCAL, Arc::new(SystemResolver));
    for _ in 0..2 {
        let answer = post(&outbound, &receiver.url("/a?b=1")).await.unwrap();
        assert_eq!((answer.status, answer.retry_after.as_deref()), (204, Some("7")));
    }
    for request in receiver.requests() {
        let request = request.to_lowercase();
        assert!(request.starts_with("post /a?b=1 http/1.1\r\n") && request.ends_with("\r\n\r\n{}"), "{request}");
        assert!(
            request.contains("content-type: application/json") && request.contains("user-agent: supportassistant/")
        );
        for header in ["cookie:", "authorization:", "referer:", "accept-encoding:", "proxy"] {
            assert!(!request.contains(header), "{header} in {request}");
        }
    }
}

#[tokio::test]
async fn at_most_16_kib_of_a_response_are_read_and_not_decoded() {
    let exact = vec![b'a'; 16 * 1024];
    let receiver = Receiver::replying(Reply::answer("200 OK", &["content-encoding: gzip"], &exact)).await;
    let outbound = outbound(LOCAL, Arc::new(SystemResolver));
    assert_eq!(post(&outbound, &receiver.url("/")).await.unwrap().body_start, exact);
    // Ten gigabytes are announced and sent for as long as somebody reads.
    let head = b"HTTP/1.1 500 Oops\r\ncontent-length: 10000000000\r\n\r\n".to_vec();
    let receiver = Receiver::replying(Reply::Endless { head, byte: b'a', slow: false }).await;
    let answer = post(&outbound, &receiver.url("/")).await.unwrap();
    assert_eq!((answer.status, answer.body_start.len()), (500, 16 * 1024));
}

#[tokio::test]
async fn a_status_is_a_response_even_if_the_body_fails() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n".to_vec();
    let drip = Reply::Endless { head: head.clone(), byte: b'a', slow: true };
    let broken = Reply::Bytes([head.as_slice(), b"half"].concat());
    for say in [Reply::Stall(head), drip, broken] {
        let receiver = Receiver::replying(say.clone()).await;
        let answer = post(&outbound_with_short_timeouts(Arc::new(SystemResolver)), &receiver.url("/")).await;
        assert_eq!(answer.map(|answer| answer.status), Ok(200), "{say:?}");
    }
}

#[tokio::test]
async fn a_receiver_that_never_answers_times_out() {
    let drip = Reply::Endless { head: b"HTTP/1.1 200 OK\r\nx: ".to_vec(), byte: b'a', slow: true };
    for say in [Reply::Hang, Reply::Stall(b"HTTP/1.1 200".to_vec()), drip] {
        let receiver = Receiver::replying(say.clone()).await;
        let answer = post(&outbound_with_short_timeouts(Arc::new(SystemResolver)), &receiver.url("/")).await;
        assert_eq!(answer, Err(SendError::Timeout), "{say:?}");
        assert_eq!(receiver.requests().len(), 1, "{say:?} was sent again");
    }
}

#[tokio::test]
async fn an_invalid_http_response_is_an_error_and_not_retried() {
    for bytes in [&b""[..], b"hello\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n"]
    {
        let receiver = Receiver::replying(Reply::Bytes(bytes.to_vec())).await;
        let answer = post(&outbound(LOCAL, Arc::new(SystemResolver)), &receiver.url("/")).await;
        assert_eq!(answer, Err(SendError::InvalidResponse), "{bytes:?}");
        assert_eq!(receiver.requests().len(), 1);
    }
}

/// Never answers.
#[derive(Debug)]
struct HangingResolver;

#[async_trait::async_trait]
impl Resolver for HangingResolver {
    async fn addresses(&self, _: &str) -> std::io::Result<Vec<std::net::IpAddr>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn blocked_closed_filtered_and_unknown_look_the_same_to_a_tenant() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = closed.local_addr().unwrap().port();
    drop(closed);
    let closed_url = OutboundUrl::parse(&format!("http://127.0.0.1:{port}/"), &LOCAL).unwrap();
    let blocked = post_by(&StubResolver::answering(&[&["10.0.0.1"]]), &hooks()).await.unwrap_err();
    let closed = post(&outbound(LOCAL, Arc::new(SystemResolver)), &closed_url).await.unwrap_err();
    let unknown = post_by(&StubResolver::answering(&[&[]]), &hooks()).await.unwrap_err();
    let filtered = post(&outbound_with_short_timeouts(Arc::new(HangingResolver)), &hooks()).await.unwrap_err();
    assert_eq!(blocked, SendError::Blocked);
    assert_eq!((closed, unknown, filtered), (SendError::Unreachable, SendError::Unreachable, SendError::Unreachable));
    assert_eq!(blocked.to_string(), closed.to_string());
}

#[test]
fn the_default_timeouts_are_those_of_the_contract() {
    let settings = OutboundSettings::new(OutboundPolicy::default());
    let seconds = [settings.connect_timeout, settings.post_timeout, settings.fetch_timeout];
    assert_eq!(seconds, [5, 15, 20].map(Duration::from_secs));
}
