//! The token route of the README in Node, Python and PHP, as it stands there: the visitor is that of its own cookie,
//! whatever the request says.

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use domain::models::{Mode, Role};
use serde_json::Value;

use crate::services::installed;
use crate::support::TestService;
use crate::template::document::root;

#[tokio::test(flavor = "multi_thread")]
async fn the_readmes_server_in_node_gives_each_visitor_their_own_token() {
    gives_each_visitor_their_own_token("js", "server.mjs", |file, _| ("node", vec![file])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readmes_server_in_python_gives_each_visitor_their_own_token() {
    gives_each_visitor_their_own_token("python", "server.py", |file, _| ("python3", vec![file])).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_readmes_server_in_php_gives_each_visitor_their_own_token() {
    let served = |file, port| ("php", vec!["-S".to_owned(), format!("127.0.0.1:{port}"), file]);
    gives_each_visitor_their_own_token("php", "token.php", served).await;
}

/// Ends with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The README's block of a language.
fn block(language: &str) -> String {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, rest) = readme.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

async fn gives_each_visitor_their_own_token(
    language: &str,
    name: &str,
    command: impl FnOnce(String, u16) -> (&'static str, Vec<String>),
) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    let (program, arguments) = command(file.display().to_string(), port);
    if let Err(reason) = installed(&[program]) {
        eprintln!("skipped: the README's server in {language}, because {reason}");
        return;
    }
    std::fs::write(&file, block(language)).unwrap();
    let service = TestService::start().await;
    let mut server = Command::new(program);
    server.args(arguments).env("PORT", port.to_string()).env("SUPPORT_API_URL", service.url());
    server.env("SUPPORT_API_KEY", service.tenant.key(Mode::Live, Role::Integration));
    let _server = Server(server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let url = format!("http://127.0.0.1:{port}/support-chat/token");

    let (first, cookie) = ask(&url, "").await;
    let attributes = cookie.to_lowercase();
    assert!(["httponly", "secure", "samesite=lax"].iter().all(|one| attributes.contains(one)), "{cookie}");
    let own = cookie.split(';').next().unwrap().to_owned();
    let (again, _) = ask(&url, &own).await;
    assert_eq!(again["externalUserId"], first["externalUserId"]);
    let (other, _) = ask(&url, "").await;
    assert_ne!(other["externalUserId"], first["externalUserId"]);
    // What the visitor says of themselves makes them nobody else: not in the body, not in the address, not in a cookie.
    for forged in ["chat_visitor=ann", "chat_visitor=", "chat_visitor=ann; user=ann"] {
        let (told, _) = ask(&url, forged).await;
        let id = told["externalUserId"].as_str().unwrap();
        assert!(id != "ann" && id.starts_with("web_") && id.len() > 30, "{forged}: {id}");
    }
    service.bearer(first["token"].as_str().unwrap()).get("/wiki").await.expect(200);
    assert!(first["latestSessionId"].is_null() && first["texts"].is_object());
}

/// Asks for a token as `ann`, who is somebody else; the answer, and the cookie that it sets.
async fn ask(url: &str, cookie: &str) -> (Value, String) {
    let client = reqwest::Client::new();
    for _ in 0..200 {
        let request = client.post(format!("{url}?externalUserId=ann")).header("content-type", "application/json");
        let request = request.header("cookie", cookie).body(r#"{"externalUserId":"ann","user":{"name":"Ann"}}"#);
        let Ok(reply) = request.send().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        assert_eq!(reply.status(), 200);
        let cookie = reply.headers()["set-cookie"].to_str().unwrap().to_owned();
        return (reply.json().await.unwrap(), cookie);
    }
    panic!("the server does not listen");
}
