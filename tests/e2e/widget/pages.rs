//! The widget's files and the demo shop, as the local service serves them.

use std::io::Read;
use std::process::Command;

use flate2::read::GzDecoder;
use http::header;
use reqwest::{Method, Response};
use serde_json::json;

use super::script_element;
use crate::services::{installed, output_of};
use crate::support::{TestService, http_client};

/// A service with the demo shop, and its address without a path.
async fn shop() -> (TestService, String) {
    let service = TestService::with(|options| options.start.demo = true).await;
    let origin = service.url().trim_end_matches("/api/v1").to_owned();
    (service, origin)
}

async fn send(method: Method, url: String, headers: &[(&str, &str)]) -> Response {
    let request = http_client().request(method, url);
    headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)).send().await.unwrap()
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

#[tokio::test]
async fn the_widgets_files_are_for_every_origin_and_kept_for_ever() {
    let (_service, origin) = shop().await;
    let page = send(Method::GET, format!("{origin}/"), &[]).await.text().await.unwrap();
    let path = page.split('"').find(|text| text.starts_with("/widget/")).unwrap();
    let main = send(Method::GET, format!("{origin}{path}"), &[]).await.bytes().await.unwrap();
    let folder = path.strip_suffix("/support-chat.js").unwrap();
    assert!(page.lines().any(|line| line == script_element(folder, &main)), "{page}");
    for path in [path.to_owned(), path.replace("support-chat.js", "de.js")] {
        let file = send(Method::GET, format!("{origin}{path}"), &[("origin", "https://site.example")]).await;
        assert_eq!(file.status(), 200, "{path}");
        assert_eq!(header(&file, "content-type"), "text/javascript; charset=utf-8");
        assert_eq!(header(&file, "cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(header(&file, "access-control-allow-origin"), "*");
        assert_eq!(header(&file, "cross-origin-resource-policy"), "cross-origin");
        assert_eq!(header(&file, "x-content-type-options"), "nosniff");
    }
    for missing in [path.replace("support-chat.js", "xx.js"), path.replace("0.", "9."), "/widget/".into()] {
        assert_eq!(send(Method::GET, format!("{origin}{missing}"), &[]).await.status(), 404, "{missing}");
    }
    // Without the demo tenant there are the files, and no shop.
    let service = TestService::start().await;
    let origin = service.url().trim_end_matches("/api/v1").to_owned();
    assert_eq!(send(Method::GET, format!("{origin}{path}"), &[]).await.status(), 200);
    assert_eq!(send(Method::GET, format!("{origin}/"), &[]).await.status(), 404);
}

#[tokio::test]
async fn files_are_compressed_for_whoever_takes_gzip_and_answers_of_the_api_are_not() {
    let (_service, origin) = shop().await;
    // Nothing is asked for, and nothing unpacked, but by this test.
    let client = reqwest::Client::builder().no_gzip().no_deflate().no_brotli().no_zstd().build().unwrap();
    let ask = async |method: Method, path: &str, takes: &str| {
        client.request(method, format!("{origin}{path}")).header("accept-encoding", takes).send().await.unwrap()
    };
    let shop = ask(Method::GET, "/", "identity").await.text().await.unwrap();
    let main = shop.split('"').find(|text| text.starts_with("/widget/")).unwrap().to_owned();
    for path in ["/", "/demo/shop.js", &main, "/docs", "/docs/openapi-explorer.js"] {
        let [whole, packed] = [ask(Method::GET, path, "gzip;q=0").await, ask(Method::GET, path, "br, gzip").await];
        let head = ask(Method::HEAD, path, "gzip").await;
        let encodings = [&whole, &packed, &head].map(|response| header(response, "content-encoding").to_owned());
        assert_eq!(encodings, ["", "gzip", "gzip"], "{path}");
        for name in ["content-type", "cache-control", "content-security-policy", "vary"] {
            assert_eq!(header(&packed, name), header(&whole, name), "{name} of {path}");
            assert_eq!(header(&head, name), header(&whole, name), "{name} of HEAD {path}");
        }
        assert_eq!(header(&packed, "vary"), "accept-encoding", "{path}");
        let [whole, packed] = [whole.bytes().await.unwrap(), packed.bytes().await.unwrap()];
        let mut unpacked = Vec::new();
        GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == whole && packed.len() < whole.len(), "{path}: {} of {}", packed.len(), whole.len());
        assert!(head.bytes().await.unwrap().is_empty(), "{path}");
    }
    let document = ask(Method::GET, "/api/v1/openapi.json", "gzip").await;
    assert_eq!((document.status().as_u16(), header(&document, "content-encoding")), (200, ""));
}

#[tokio::test]
async fn the_document_is_shown_by_an_embedded_viewer_under_a_strict_policy() {
    let service = TestService::start().await;
    let origin = service.url().trim_end_matches("/api/v1").to_owned();
    let page = send(Method::GET, format!("{origin}/docs"), &[]).await;
    assert_eq!((page.status().as_u16(), header(&page, "content-type")), (200, "text/html; charset=utf-8"));
    let policy = header(&page, "content-security-policy").to_owned();
    for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("http") && !policy.contains('*') && !policy.contains("eval"), "{policy}");
    assert_eq!(header(&page, "x-content-type-options"), "nosniff");
    let text = page.text().await.unwrap();
    assert!(text.contains("spec-url=\"/api/v1/openapi.json\"") && !text.contains("//"), "{text}");
    let files: Vec<_> = text.split('"').filter(|part| part.starts_with("/docs/")).collect();
    assert_eq!(files, ["/docs/page.js", "/docs/openapi-explorer.js", "/docs/page.css"]);
    for file in files {
        let kind = if file.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        let reply = send(Method::GET, format!("{origin}{file}"), &[]).await;
        assert_eq!((reply.status().as_u16(), header(&reply, "content-type")), (200, kind), "{file}");
        assert!(reply.text().await.unwrap().contains("openapi-explorer"), "{file}");
    }
}

#[tokio::test]
async fn the_documents_are_there_to_read_and_nothing_beside_them() {
    let service = TestService::start().await;
    let origin = service.url().trim_end_matches("/api/v1").to_owned();
    for (path, text) in [("README.md", "# Support Assistant Service"), ("docs/OPERATIONS.md", "# ")] {
        let document = send(Method::GET, format!("{origin}/documents/{path}"), &[]).await;
        assert_eq!((document.status().as_u16(), header(&document, "content-type")), (200, "text/plain; charset=utf-8"));
        assert!(document.text().await.unwrap().starts_with(text), "{path}");
    }
    for path in ["Cargo.toml", "docs/../Cargo.toml", "docs/nothing.md", ""] {
        assert_eq!(send(Method::GET, format!("{origin}/documents/{path}"), &[]).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn the_shop_has_the_strict_policy_and_holds_no_key() {
    let (service, origin) = shop().await;
    let page = send(Method::GET, format!("{origin}/"), &[]).await;
    let policy = header(&page, "content-security-policy").to_owned();
    for part in ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "require-trusted-types-for 'script'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("style-src") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(header(&page, "x-content-type-options"), "nosniff");
    assert_eq!(header(&page, "cache-control"), "no-store");
    let text = page.text().await.unwrap();
    assert!(!text.contains("pk_") && !text.contains("{{") && !text.contains("style="), "{text}");
    for link in ["/docs", "/api/v1/openapi.json", "/documents/README.md"] {
        assert!(text.contains(&format!("href=\"{link}\"")), "{link}");
    }
    let demo_env = service.data().join("demo.env");
    assert_eq!(text.matches("curl ").count(), 3);
    assert_eq!(text.matches(&format!("<code>. '{}'; ", demo_env.display())).count(), 3);
}

#[tokio::test]
async fn the_shop_answers_to_this_machines_names_and_its_own_page_alone() {
    let (_service, origin) = shop().await;
    let port = origin.rsplit(':').next().unwrap();
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")];
    let foreign = ["evil.example".into(), format!("evil.example:{port}"), "localhost".into()];
    for (method, path) in [(Method::GET, "/"), (Method::GET, "/demo/shop.js"), (Method::POST, "/demo/token")] {
        for (hosts, status) in [(&own[..], 200), (&foreign[..], 403)] {
            for host in hosts {
                let headers = [("host", host.as_str()), ("origin", &format!("http://{host}"))];
                let reply = send(method.clone(), format!("{origin}{path}"), &headers).await;
                assert_eq!(reply.status(), status, "{method} {path} of {host}");
            }
        }
    }
    let token = format!("{origin}/demo/token");
    for foreign in ["http://evil.example", "null", &format!("https://{}", own[0]), &format!("http://{}", own[1])] {
        assert_eq!(send(Method::POST, token.clone(), &[("origin", foreign)]).await.status(), 403, "{foreign}");
    }
    assert_eq!(send(Method::POST, token, &[]).await.status(), 403, "every browser names the origin of a POST");
}

#[tokio::test]
async fn the_shops_token_is_for_the_visitor_of_its_own_cookie() {
    let (_service, origin) = shop().await;
    let ask = async |cookie: &str| {
        let client = http_client().post(format!("{origin}/demo/token?externalUserId=ann"));
        let request = client.header("origin", &origin).header("cookie", cookie).body(r#"{"externalUserId":"ann"}"#);
        let reply = request.send().await.unwrap();
        assert_eq!(reply.status(), 200);
        let cookie = reply.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
        let told: serde_json::Value = reply.json().await.unwrap();
        (told["externalUserId"].as_str().unwrap().to_owned(), cookie)
    };
    let (first, cookie) = ask("").await;
    assert!(
        first.starts_with("demo_") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let (again, _) = ask(cookie.split(';').next().unwrap()).await;
    assert_eq!(again, first);
    for forged in ["demo_visitor=ann", "demo_visitor=demo_a\"b", "demo_visitor=", "visitor=demo_x"] {
        let (other, _) = ask(forged).await;
        assert!(other.starts_with("demo_") && other.len() > 30 && other != first, "{forged}: {other}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shops_lines_answer_a_customer_as_an_agent() {
    if let Err(reason) = installed(&["bash", "curl"]) {
        eprintln!("skipped: the shop's lines for agents, because {reason}");
        return;
    }
    let (service, origin) = shop().await;
    let env = std::fs::read_to_string(service.data().join("demo.env")).unwrap();
    let key = env.lines().find_map(|line| line.strip_prefix("SUPPORT_API_KEY=")).unwrap();
    let customer = service.bearer(key);
    let session = customer.session_with(json!({"channel": "widget", "externalUserId": "ann"})).await;
    customer.post(&format!("/sessions/{session}/escalate"), json!({"reason": "help"})).await.expect(200);
    let page = send(Method::GET, format!("{origin}/"), &[]).await.text().await.unwrap();
    let lines = page.split("<code>").skip(1).map(|rest| rest.split("</code>").next().unwrap());
    let lines: Vec<&str> = lines.filter(|line| line.contains("curl ")).collect();
    let script =
        lines.join("\n").replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    let mut run = Command::new("bash");
    run.args(["-c", &script]);
    let output = tokio::task::spawn_blocking(move || output_of(run)).await.unwrap();
    assert!(output.status.success(), "{output:?}");
    let turns = customer.turns(&session).await;
    let events: Vec<&str> = turns.iter().filter_map(|turn| turn["event"].as_str()).collect();
    assert_eq!(events, ["handover_requested", "agent_joined", "handover_ended"], "{output:?}");
    let said = turns.iter().find(|turn| turn["role"] == "agent").unwrap();
    assert_eq!((&said["content"], &said["agent"]["name"]), (&json!("Hello, this is Bob."), &json!("Bob")));
}
