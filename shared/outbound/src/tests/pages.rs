//! Fetching pages: which types are read, redirects, and hostile servers.

use std::sync::Arc;

use super::decoding::{brotli_bomb, gzip};
use super::receiver::{LOCAL, Receiver, Reply, StubResolver, outbound, outbound_with_short_timeouts};
use crate::{
    MAX_PAGE_BYTES, Outbound, OutboundPolicy, OutboundUrl, Page, PageError, PageKind, Resolver, SendError,
    SystemResolver, Validators,
};

fn local() -> Outbound {
    outbound(LOCAL, Arc::new(SystemResolver))
}

async fn fetch(say: Reply) -> Result<Page, PageError> {
    fetch_at("/", say).await
}

async fn fetch_at(path: &str, say: Reply) -> Result<Page, PageError> {
    let receiver = Receiver::replying(say).await;
    whole(&local(), &receiver.url(path)).await
}

async fn whole(client: &Outbound, url: &OutboundUrl) -> Result<Page, PageError> {
    client.fetch_page(url, &Validators::default()).await.map(Option::unwrap)
}

fn page(content_type: &str, body: &[u8]) -> Reply {
    Reply::answer("200 OK", &[&format!("content-type: {content_type}")], body)
}

fn redirect(to: &str) -> Reply {
    Reply::answer("302 Found", &[&format!("location: {to}")], b"gone")
}

#[tokio::test]
async fn html_markdown_and_plain_text_are_read() {
    for (path, content_type, kind) in [
        ("/", "text/html", PageKind::Html),
        ("/", "TEXT/HTML; Charset=\"UTF-8\"", PageKind::Html),
        ("/", "application/xhtml+xml", PageKind::Html),
        ("/", "text/markdown; charset=utf-8", PageKind::Markdown),
        ("/", "text/x-markdown", PageKind::Markdown),
        ("/README.md", "text/plain; charset=utf-8", PageKind::Markdown),
        ("/README.md", "text/html", PageKind::Html),
        ("/notes.txt", "text/plain", PageKind::Text),
    ] {
        let page = fetch_at(path, page(content_type, "naïve".as_bytes())).await.unwrap();
        assert_eq!((page.kind, page.text.as_str()), (kind, "naïve"), "{content_type} at {path}");
    }
}

#[tokio::test]
async fn a_page_without_a_type_is_what_it_looks_like() {
    for (path, body, kind) in [
        ("/", &b"  <!DOCTYPE html><p>x"[..], PageKind::Html),
        ("/", b"<!-- c --><HTML lang=en>x", PageKind::Html),
        ("/guide.markdown", b"# Title", PageKind::Markdown),
        ("/guide", b"a < b", PageKind::Text),
    ] {
        assert_eq!(fetch_at(path, Reply::answer("200 OK", &[], body)).await.unwrap().kind, kind, "{path}");
    }
    let binary = fetch(Reply::answer("200 OK", &[], b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")).await;
    assert_eq!(binary, Err(PageError::UnsupportedType));
}

#[tokio::test]
async fn a_type_that_is_not_text_is_refused_before_the_body_is_read() {
    for content_type in
        ["application/pdf", "application/json", "image/png", "application/octet-stream", "text/css", "text"]
    {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}\r\n\r\n").into_bytes();
        let refused = fetch(Reply::Endless { head, byte: b'a', slow: false }).await;
        assert_eq!(refused, Err(PageError::UnsupportedType), "{content_type}");
    }
    assert_eq!(fetch(page("text/plain", b"a\0b")).await, Err(PageError::UnsupportedType));
}

#[tokio::test]
async fn the_charset_is_honoured() {
    for (content_type, body, text) in [
        ("text/html; charset=windows-1252", &b"caf\xe9"[..], "café"),
        ("text/html", b"<meta charset=windows-1251>\xef\xf0", "<meta charset=windows-1251>пр"),
        ("text/plain; format=flowed; charset='shift_jis'", b"\x93\xfa\x96\x7b", "日本"),
        ("text/plain", b"\xff\xfeh\x00i\x00", "hi"),
        ("text/html", b"caf\xe9", "café"),
    ] {
        assert_eq!(fetch(page(content_type, body)).await.unwrap().text, text, "{content_type}");
    }
}

#[tokio::test]
async fn a_status_other_than_success_is_an_error_with_the_status() {
    for status in
        ["304 Not Modified", "401 Unauthorized", "404 Not Found", "410 Gone", "429 Slow", "500 Oops", "503 Busy"]
    {
        let code = status[..3].parse().unwrap();
        let refused = fetch(Reply::answer(status, &["content-type: text/html"], b"<p>sorry")).await.unwrap_err();
        assert_eq!((refused, refused.code()), (PageError::HttpStatus(code), "HTTP_STATUS"));
        assert_eq!(refused.is_retryable(), code == 429 || code >= 500, "{status}");
    }
}

#[tokio::test]
async fn a_blank_page_is_empty() {
    for say in [page("text/html", b""), page("text/plain", b" \n\t "), Reply::answer("204 No Content", &[], b"")] {
        assert_eq!(fetch(say).await, Err(PageError::EmptyContent));
    }
}

#[tokio::test]
async fn three_redirects_are_followed_and_a_fourth_is_not() {
    let hops = |count: usize| {
        Receiver::by(move |line| {
            let at: usize = line.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
            if at == count { page("text/plain", b"here") } else { redirect(&format!("/{}#part", at + 1)) }
        })
    };
    let three = hops(3).await;
    let found = whole(&local(), &three.url("/0")).await.unwrap();
    assert_eq!((found.text.as_str(), &found.url), ("here", &three.url("/3")));
    assert_eq!(three.requests().len(), 4);
    let four = hops(4).await;
    assert_eq!(whole(&local(), &four.url("/0")).await, Err(PageError::FetchFailed(SendError::Redirect)));
    assert_eq!(four.requests().len(), 4);
    let named =
        Receiver::by(
            |line| {
                if line.contains("/old") { redirect("/straße") } else { page("text/plain", line.as_bytes()) }
            },
        );
    let named = named.await;
    let found = whole(&local(), &named.url("/old")).await.unwrap();
    assert_eq!(found.text, "GET /stra%C3%9Fe HTTP/1.1", "a name in UTF-8 is encoded");
    for (status, headers) in [("302 Found", &[][..]), ("301 Moved", &["location: http://"])] {
        let lost = fetch(Reply::answer(status, headers, b"")).await;
        assert_eq!(lost, Err(PageError::FetchFailed(SendError::Redirect)), "{status}");
    }
}

#[tokio::test]
async fn a_redirect_to_a_forbidden_address_is_blocked() {
    for target in [
        "http://169.254.169.254/latest/meta-data/",
        "http://10.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://2852039166/",
        "//192.168.1.1/",
        "http://0.0.0.0/",
        "file:///etc/passwd",
        "ftp://acme.com/",
        "gopher://acme.com/",
        "http://acme.com:22/",
        "http://u:p@acme.com/",
        "http://metadata.google.internal/",
        "http://db/",
        "http:\\\\10.0.0.1\\",
        "data:text/html,hi",
    ] {
        for status in ["301", "302", "303", "307", "308"] {
            let say = Reply::answer(&format!("{status} X"), &[&format!("location: {target}")], b"");
            assert_eq!(fetch(say).await, Err(PageError::BlockedAddress), "{status} to {target}");
        }
    }
}

#[tokio::test]
async fn every_hop_is_resolved_once_and_checked() {
    let receiver = Receiver::by(|line| {
        if line.contains("/first") { redirect("http://second.localhost/x") } else { page("text/plain", b"inside") }
    });
    let receiver = receiver.await;
    let ask = |answers: &[&[&str]]| {
        let names = StubResolver::answering(answers);
        let client = outbound(LOCAL, Arc::clone(&names) as Arc<dyn Resolver>);
        (names, client)
    };
    // The name of the second hop leads inside.
    let (names, client) = ask(&[&["127.0.0.1"], &["10.0.0.1"]]);
    assert_eq!(whole(&client, &receiver.named("first.localhost", "/first")).await, Err(PageError::BlockedAddress));
    assert_eq!((names.asked(), receiver.requests().len()), (2, 1));
    // The answer changes between check and dial: nobody asks between them.
    let (names, client) = ask(&[&["127.0.0.1"], &["169.254.169.254"]]);
    assert_eq!(whole(&client, &receiver.named("other.localhost", "/")).await.unwrap().text, "inside");
    assert_eq!(names.asked(), 1);
}

#[test]
fn no_redirect_leads_from_https_to_http() {
    let client = outbound(OutboundPolicy { allow_loopback: false, allow_http: true }, Arc::new(SystemResolver));
    let url =
        |text: &str| OutboundUrl::parse(text, &OutboundPolicy { allow_loopback: false, allow_http: true }).unwrap();
    let (secure, plain) = (url("https://acme.com/a/b"), url("http://acme.com/a/b"));
    assert_eq!(client.follow_redirect(&secure, "http://acme.com/c"), Err(SendError::Blocked));
    assert_eq!(client.follow_redirect(&secure, "../c?x#y"), Ok(url("https://acme.com/c?x")));
    assert_eq!(client.follow_redirect(&secure, "//www.acme.com/"), Ok(url("https://www.acme.com/")));
    assert_eq!(client.follow_redirect(&plain, "https://acme.com/c"), Ok(url("https://acme.com/c")));
    assert_eq!(client.follow_redirect(&plain, "c"), Ok(url("http://acme.com/a/c")));
}

#[tokio::test]
async fn a_page_has_at_most_five_mebibytes() {
    let exact = vec![b'a'; MAX_PAGE_BYTES];
    assert_eq!(fetch(page("text/plain", &exact)).await.unwrap().text.len(), MAX_PAGE_BYTES);
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n".to_vec();
    let one_more = Reply::Bytes([&head, exact.as_slice(), b"a"].concat());
    assert_eq!(fetch(one_more).await, Err(PageError::TooLarge));
    assert_eq!(fetch(Reply::Endless { head, byte: b'a', slow: false }).await, Err(PageError::TooLarge));
    // Announced, and not waited for.
    let announced = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5242881\r\n\r\n".to_vec();
    assert_eq!(fetch(Reply::Stall(announced)).await, Err(PageError::TooLarge));
}

#[tokio::test]
async fn compressed_pages_are_read_and_bombs_are_not() {
    let compressed = |coding: &str, body: &[u8]| {
        Reply::answer("200 OK", &["content-type: text/plain", &format!("content-encoding: {coding}")], body)
    };
    assert_eq!(fetch(compressed("gzip", &gzip(b"hello"))).await.unwrap().text, "hello");
    let bomb = vec![b'a'; 16 << 20];
    assert_eq!(fetch(compressed("gzip", &gzip(&bomb))).await, Err(PageError::TooLarge));
    assert_eq!(fetch(compressed("br", &brotli_bomb())).await, Err(PageError::TooLarge));
    let broken = Err(PageError::FetchFailed(SendError::InvalidResponse));
    assert_eq!(fetch(compressed("gzip", b"hello")).await, broken);
    assert_eq!(fetch(compressed("gzip", &gzip(b"hello")[..10])).await, broken);
    assert_eq!(fetch(compressed("zstd", b"hello")).await, broken);
    let receiver = Receiver::replying(page("text/plain", b"x")).await;
    whole(&local(), &receiver.url("/")).await.unwrap();
    assert!(receiver.requests()[0].to_lowercase().contains("accept-encoding: gzip, deflate, br\r\n"));
}

#[tokio::test]
async fn a_wrong_content_length_is_an_error() {
    let head =
        |length: u32| format!("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\n\r\nhello");
    let short = fetch(Reply::Bytes(head(100).into_bytes())).await;
    assert_eq!(short, Err(PageError::FetchFailed(SendError::InvalidResponse)));
    // More than announced belongs to no answer.
    assert_eq!(fetch(Reply::Bytes(head(4).into_bytes())).await.unwrap().text, "hell");
}

#[tokio::test]
async fn a_server_that_hangs_or_is_slow_times_out() {
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5000\r\n\r\n".to_vec();
    let drip = |head: &[u8]| Reply::Endless { head: head.to_vec(), byte: b'a', slow: true };
    for say in [Reply::Hang, Reply::Stall(head.clone()), drip(b"HTTP/1.1 200 OK\r\nx: "), drip(&head)] {
        let receiver = Receiver::replying(say.clone()).await;
        let fetched = whole(&outbound_with_short_timeouts(Arc::new(SystemResolver)), &receiver.url("/")).await;
        assert_eq!(fetched, Err(PageError::Timeout), "{say:?}");
    }
}

#[tokio::test]
async fn blocked_closed_and_unknown_look_the_same_to_a_tenant() {
    let url = OutboundUrl::parse("http://help.acme.com/", &LOCAL).unwrap();
    let fetch_error = |answers: &'static [&'static [&'static str]]| {
        let url = url.clone();
        async move { whole(&outbound(LOCAL, StubResolver::answering(answers)), &url).await.unwrap_err() }
    };
    let (blocked, unknown) = (fetch_error(&[&["10.0.0.1"]]).await, fetch_error(&[&[]]).await);
    assert_eq!((blocked.code(), unknown.code()), ("BLOCKED_ADDRESS", "FETCH_FAILED"));
    assert_eq!(blocked.to_string(), unknown.to_string());
    assert!(!blocked.is_retryable() && unknown.is_retryable());
}
