//! The token route of each server in `examples`: the visitor is that of its own cookie, whatever the request says; pages
//! of other hosts, and visitors and strangers' addresses that ask too often, get no token; and a service that refuses,
//! fails or is gone ends no server.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use axum::Router;
use axum::response::IntoResponse;
use domain::models::{Mode, Role};
use http::StatusCode;
use reqwest::Response;
use serde_json::{Value, json};

use super::run_script;
use crate::services::{self, unused_port};
use crate::support::TestService;
use crate::template::document::root;

/// How long a server may take to listen.
const DEADLINE: Duration = Duration::from_secs(120);

/// A server of `examples`.
#[derive(Debug, Clone, Copy)]
enum Example {
    Node,
    Python,
    Php,
    Express,
    FastApi,
    Flask,
    Next,
    Rails,
}

/// A test of each check, in a module of each example.
macro_rules! tests_of {
    ($($module:ident: $example:ident),+ $(,)?) => {$(
        mod $module {
            tests_of! { in $example:
                gives_each_visitor_their_own_token,
                passes_refusals_on_and_outlives_a_service_that_fails,
                answers_its_own_pages_only,
                counts_known_visitors_apart_from_strangers,
                stops_an_address_with_many_visitors,
                counts_the_address_that_the_outermost_proxy_saw,
                counts_a_network_of_ipv6_as_one_address_and_no_port,
            }
        }
    )+};
    (in $example:ident: $($check:ident),+ $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $check() {
            super::$check(super::Example::$example).await;
        }
    )+};
}

tests_of! {
    node: Node, python: Python, php: Php, express: Express, fastapi: FastApi, flask: Flask, next: Next, rails: Rails,
}

impl Example {
    fn file(self) -> &'static str {
        match self {
            Self::Node => "node/server.mjs",
            Self::Python => "python/server.py",
            Self::Php => "php/token.php",
            Self::Express => "express/server.mjs",
            Self::FastApi => "fastapi/server.py",
            Self::Flask => "flask/server.py",
            Self::Next => "next/app/support-chat/token/route.ts",
            Self::Rails => "rails/app/controllers/support_chat_controller.rb",
        }
    }

    /// What runs it on a port from a folder, which gets its files and libraries; none, with a line that says so, if these
    /// are not here.
    fn command(self, folder: &Path, port: u16) -> Option<Command> {
        let address = format!("127.0.0.1:{port}");
        match self {
            Self::Next => {
                let mut command = Command::new("node");
                command.arg("../node_modules/next/dist/bin/next").args(["start", "-H", "127.0.0.1", "-p"]);
                command.arg(port.to_string()).current_dir(next()?);
                Some(command)
            }
            Self::Rails => {
                let loaded = ["-raction_controller/railtie", "-rpuma/cli", "-e", "1"];
                let mut command = Command::new(services::interpreter("ruby", &loaded)?);
                for files in ["examples/rails/.", "tests/services/ruby/config.ru"] {
                    let copied = Command::new("cp").arg("-R").arg(root().join(files)).arg(folder).status().unwrap();
                    assert!(copied.success(), "{files}");
                }
                command.args(&loaded[..3]).args(["Puma::CLI.new(ARGV).run", "--", "-e", "production", "-b"]);
                command.arg(format!("tcp://{address}")).current_dir(folder);
                Some(command)
            }
            _ => {
                let mut command = Command::new(self.program(folder)?);
                let file = folder.join(self.file().rsplit('/').next().unwrap());
                std::fs::copy(root().join("examples").join(self.file()), &file).unwrap();
                if let Self::Php = self {
                    command.args(["-S", &address]);
                }
                command.arg(file).current_dir(folder);
                Some(command)
            }
        }
    }

    /// The program that takes the file.
    fn program(self, folder: &Path) -> Option<PathBuf> {
        let program = match self {
            Self::FastApi | Self::Flask => return services::python("token-pypi"),
            Self::Php => return services::interpreter("php", &["-v"]),
            Self::Express => {
                let libraries = services::npm("token-npm")?;
                std::os::unix::fs::symlink(libraries.join("node_modules"), folder.join("node_modules")).unwrap();
                "node"
            }
            Self::Python => "python3",
            _ => "node",
        };
        if let Err(reason) = services::installed(&[program]) {
            eprintln!("skipped: the server {self:?}, because {reason}");
            return None;
        }
        Some(program.into())
    }
}

/// The folder of an application of Next.js around the example, which is built once.
fn next() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("next");
        let mut script = Command::new(root().join("tests/services/frameworks-npm/build.sh"));
        script.arg("next").arg(&folder);
        let built = run_script("the server Next", &["bash", "node", "npm"], script);
        tokio::runtime::Handle::current().block_on(built)?;
        Some(folder.join("shop"))
    };
    BUILT.get_or_init(build).as_deref()
}

/// A running server of `examples`. It ends with the test.
struct Server {
    process: Child,
    origin: String,
    _folder: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Server {
    /// The server of an example, once it listens; none if what it needs is not here.
    async fn start(example: Example, api: &str, key: &str) -> Option<Self> {
        Self::behind(None, example, api, key).await
    }

    /// The same with so many `PROXY_HOPS`.
    async fn behind(hops: Option<&str>, example: Example, api: &str, key: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let port = unused_port();
        let mut command = tokio::task::block_in_place(|| example.command(folder.path(), port))?;
        command.env("TMPDIR", folder.path()).env("PORT", port.to_string());
        command.env("SUPPORT_API_URL", api).env("SUPPORT_API_KEY", key);
        command.envs(hops.map(|hops| ("PROXY_HOPS", hops)));
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut server = Self { process, origin: format!("http://127.0.0.1:{port}"), _folder: folder };
        let end = Instant::now() + DEADLINE;
        while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
            assert!(server.runs() && Instant::now() < end, "the server {example:?} does not listen");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Some(server)
    }

    fn runs(&mut self) -> bool {
        self.process.try_wait().unwrap().is_none()
    }

    /// Asks for a token as `ann`, who is somebody else, from an address of this machine.
    async fn ask(&self, from: [u8; 4], headers: &[(&str, &str)]) -> Response {
        let client = reqwest::Client::builder().local_address(IpAddr::from(from)).build().unwrap();
        let request = client.post(format!("{}/support-chat/token?externalUserId=ann", self.origin));
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.header("content-type", "application/json");
        request.body(r#"{"externalUserId":"ann","user":{"name":"Ann"}}"#).send().await.unwrap()
    }

    /// As [`Self::ask`], from the server's own page.
    async fn ask_own(&self, cookie: &str) -> Response {
        self.ask([127, 0, 0, 1], &[("origin", &self.origin), ("cookie", cookie)]).await
    }

    /// Asks until a request is refused, each time with the headers of another number; how many were answered.
    async fn fill(&self, headers: impl Fn(usize) -> Vec<(&'static str, String)>) -> usize {
        for passed in 0..1000 {
            let more = headers(passed);
            let own = [("origin", self.origin.as_str())];
            let all: Vec<_> = own.into_iter().chain(more.iter().map(|(name, value)| (*name, value.as_str()))).collect();
            let reply = self.ask([127, 0, 0, 1], &all).await;
            if reply.status() != 200 {
                assert_eq!(reply.status(), 429);
                assert!(header(&reply, "retry-after").parse::<u64>().unwrap() <= 60);
                return passed;
            }
        }
        panic!("no limit");
    }

    /// A token, and the cookie that came with it.
    async fn token(&self, cookie: &str) -> (Value, String) {
        let reply = self.ask_own(cookie).await;
        assert_eq!(reply.status(), 200);
        let cookie = header(&reply, "set-cookie");
        (reply.json().await.unwrap(), cookie)
    }
}

fn header(reply: &Response, name: &str) -> String {
    reply.headers().get(name).map_or_else(String::new, |value| value.to_str().unwrap().to_owned())
}

async fn gives_each_visitor_their_own_token(example: Example) {
    let service = TestService::start().await;
    let key = service.tenant.key(Mode::Live, Role::Integration);
    let Some(server) = Server::start(example, service.url(), key).await else { return };
    let (first, cookie) = server.token("").await;
    let attributes = cookie.to_lowercase();
    assert!(["httponly", "secure", "samesite=lax"].iter().all(|one| attributes.contains(one)), "{cookie}");
    let own = cookie.split(';').next().unwrap().to_owned();
    let (again, _) = server.token(&own).await;
    assert_eq!(again["externalUserId"], first["externalUserId"]);
    // A cookie that was signed with an earlier key, or by none, is the same visitor's.
    let (id, signature) = own.split_once('.').unwrap();
    for kept in [id.to_owned(), format!("{id}.{}", signature.chars().rev().collect::<String>())] {
        let (told, cookie) = server.token(&kept).await;
        assert_eq!(told["externalUserId"], first["externalUserId"], "{kept}");
        assert!(cookie.starts_with(&own), "{cookie}");
    }
    let (other, _) = server.token("").await;
    assert_ne!(other["externalUserId"], first["externalUserId"]);
    // A visitor's own claim in the body, the address or a cookie makes them nobody else.
    for forged in ["chat_visitor=ann", "chat_visitor=", "chat_visitor=ann; user=ann", "chat_visitor[]=ann"] {
        let (told, _) = server.token(forged).await;
        let id = told["externalUserId"].as_str().unwrap();
        assert!(id != "ann" && id.starts_with("web_") && id.len() > 30, "{forged}: {id}");
    }
    service.bearer(first["token"].as_str().unwrap()).get("/wiki").await.expect(200);
    assert!(first["latestSessionId"].is_null() && first["texts"].is_object());
}

/// Stands for the service: it answers what the test says, until it is killed.
async fn api() -> (String, Arc<Mutex<u16>>, tokio::task::JoinHandle<()>) {
    let status = Arc::new(Mutex::new(200));
    let answered = Arc::clone(&status);
    let app = Router::new().fallback(move || {
        let status = StatusCode::from_u16(*answered.lock().unwrap()).unwrap();
        std::future::ready(
            (status, [("retry-after", "7")], axum::Json(json!({"error": status.as_u16()}))).into_response(),
        )
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/api/v1", listener.local_addr().unwrap());
    (url, status, tokio::spawn(async move { axum::serve(listener, app).await.unwrap() }))
}

async fn passes_refusals_on_and_outlives_a_service_that_fails(example: Example) {
    let (url, answers, process) = api().await;
    let Some(mut server) = Server::start(example, &url, "pk_test_x").await else { return };
    for refused in [401, 403, 429] {
        *answers.lock().unwrap() = refused;
        let reply = server.ask_own("").await;
        assert_eq!((reply.status().as_u16(), header(&reply, "retry-after").as_str()), (refused, "7"), "{example:?}");
        assert_eq!(reply.json::<Value>().await.unwrap(), json!({"error": refused}));
    }
    for failed in [500, 503] {
        *answers.lock().unwrap() = failed;
        assert_eq!(server.ask_own("").await.status(), 502, "{example:?}: {failed}");
    }
    process.abort();
    assert!(process.await.unwrap_err().is_cancelled());
    for _ in 0..2 {
        assert_eq!(server.ask_own("").await.status(), 502, "{example:?}: the service is gone");
    }
    assert!(server.runs());
}

async fn answers_its_own_pages_only(example: Example) {
    let (url, _, _process) = api().await;
    let Some(server) = Server::start(example, &url, "pk_test_x").await else { return };
    let host = server.origin.trim_start_matches("http://").to_owned();
    for foreign in ["", "null", "http://evil.example", "http://localhost", &format!("{}.evil.example", server.origin)] {
        let reply = server.ask([127, 0, 0, 3], &[("origin", foreign)]).await;
        assert_eq!(reply.status(), 403, "{example:?}: {foreign}");
    }
    assert_eq!(server.ask([127, 0, 0, 3], &[]).await.status(), 403, "{example:?}: no origin");
    let behind_tls = format!("https://{host}");
    assert_eq!(server.ask([127, 0, 0, 3], &[("origin", &behind_tls)]).await.status(), 200);
}

/// A window may end at any time: then the next one is filled.
async fn counts_known_visitors_apart_from_strangers(example: Example) {
    let (url, _, _process) = api().await;
    let Some(server) = Server::start(example, &url, "pk_test_x").await else { return };
    let cookie_of = async || {
        let (_, cookie) = server.token("").await;
        cookie.split(';').next().unwrap().to_owned()
    };
    let (ann, bob) = (cookie_of().await, cookie_of().await);
    let forged =
        |number: usize| format!("chat_visitor={}.{number:064x}", &ann["chat_visitor=".len()..ann.find('.').unwrap()]);
    // A visitor who makes up a cookie is a stranger.
    assert!(server.fill(|number| vec![("cookie", forged(number))]).await >= 18, "{example:?}");
    for known in [&ann, &bob] {
        assert_eq!(server.ask_own(known).await.status(), 200, "{example:?}: strangers stop a visitor");
    }
    assert!(server.fill(|_| vec![("cookie", ann.clone())]).await >= 19, "{example:?}");
    assert_eq!(server.ask_own(&bob).await.status(), 200, "{example:?}: one visitor stops another");
    let stranger = server.ask([127, 0, 0, 2], &[("origin", &server.origin)]).await;
    assert_eq!(stranger.status(), 200, "{example:?}: another address");
}

/// A visitor costs nothing: an address that makes itself many has not 20 tokens of each.
async fn stops_an_address_with_many_visitors(example: Example) {
    let (url, _, _process) = api().await;
    let Some(server) = Server::start(example, &url, "pk_test_x").await else { return };
    let mut cookies = Vec::new();
    for at in 0..60 {
        let made = server.ask([127, 0, 1, at / 15], &[("origin", &server.origin)]).await;
        cookies.push(header(&made, "set-cookie").split(';').next().unwrap().to_owned());
    }
    let passed = server.fill(|number| vec![("cookie", cookies[number % cookies.len()].clone())]).await;
    assert!(passed >= 200, "{example:?}: {passed}");
    let elsewhere = server.ask([127, 0, 0, 2], &[("origin", &server.origin), ("cookie", &cookies[0])]).await;
    assert_eq!(elsewhere.status(), 200, "{example:?}: another address");
}

async fn counts_the_address_that_the_outermost_proxy_saw(example: Example) {
    let (url, _, _process) = api().await;
    let by_default = if matches!(example, Example::Php) { 0 } else { 1 };
    for (hops, behind) in [(None, by_default), (Some("0"), 0), (Some("1"), 1), (Some("2"), 2)] {
        // A route of Next.js is told no address but in that header.
        if behind == 0 && matches!(example, Example::Next) {
            continue;
        }
        let Some(server) = Server::behind(hops, example, &url, "pk_test_x").await else { return };
        // Of the left: the visitor's claim, then the address that the outermost proxy saw, then that of each further one.
        let seen = |visitor: &str| [visitor, "198.51.100.1"][..behind].join(", ");
        let line = |claim: usize, visitor: &str| {
            let parts = [format!("192.0.2.{}", claim % 250), seen(visitor)];
            ("x-forwarded-for", parts.join(", ").trim_end_matches(", ").to_owned())
        };
        assert!(server.fill(|claim| vec![line(claim, "203.0.113.7")]).await >= 20, "{example:?}, {hops:?}");
        if behind > 0 {
            let (name, other) = line(1, "203.0.113.8");
            let reply = server.ask([127, 0, 0, 1], &[("origin", &server.origin), (name, &other)]).await;
            assert_eq!(reply.status(), 200, "{example:?}, {hops:?}: another visitor");
            // A proxy may add a line of its own.
            let lines = |claim: usize| {
                [format!("192.0.2.{}", claim % 250), seen("203.0.113.9")].map(|line| ("x-forwarded-for", line)).to_vec()
            };
            assert!(server.fill(lines).await >= 20, "{example:?}, {hops:?}: in two lines");
        }
    }
}

/// Whoever has an address of IPv6 has all of its network, and some proxies add the port.
async fn counts_a_network_of_ipv6_as_one_address_and_no_port(example: Example) {
    let (url, _, _process) = api().await;
    let Some(server) = Server::behind(Some("1"), example, &url, "pk_test_x").await else { return };
    let of_one: [fn(usize) -> String; 3] = [
        |number| format!("203.0.113.7:{}", 1024 + number),
        |number| format!("2001:db8:1:100::{:x}", 1 + number),
        |number| format!("[2001:db8:1:200::{:x}]:{}", 1 + number, 1024 + number),
    ];
    for address in of_one {
        let passed = server.fill(|number| vec![("x-forwarded-for", address(number))]).await;
        assert!(passed >= 20, "{example:?}, {}: {passed}", address(0));
    }
    for other in ["203.0.113.8:1024", "2001:db8:1:300::1", "::ffff:203.0.113.9", "::ffff:203.0.113.10", "unknown", ""] {
        let headers = [("origin", server.origin.as_str()), ("x-forwarded-for", other)];
        assert_eq!(server.ask([127, 0, 0, 1], &headers).await.status(), 200, "{example:?}: {other}");
    }
}
