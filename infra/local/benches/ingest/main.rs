//! The time of a page and a text from the request until they are searchable, and the memory: `cargo bench -p local
//! --bench ingest`. The service runs as a process of its own, the site in this one. `BENCH_SCALE=0.1` ingests each only
//! a few times.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a benchmark that cannot go on says where"
)]

#[path = "../messages/process.rs"]
#[allow(dead_code, reason = "it serves two benchmarks")]
mod process;

use std::io::Write as _;
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::header;
use axum::routing::get;
use process::Process;
use reqwest::Method;
use serde_json::{Value, json};

/// How often each is handed in, every time under another prefix, at scale 1.
const ROUNDS: usize = 11;

#[tokio::main]
async fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|text| text.parse().ok()).unwrap_or(1.0);
    let rounds = ((ROUNDS as f64 * scale) as usize).max(3);
    let page = page(200 * 1024);
    let site = site(page.clone()).await;
    let text = text(500_000);
    println!("handed in, bytes, entries, ms to completed at the median and at most");
    let service = Process::start();
    let idle = service.peak_mib();
    let body = |round: usize| json!({"url": format!("{site}/page"), "pathPrefix": format!("page/{round}")});
    measure(&service, ("page", page.len()), rounds, body).await;
    let body = |round: usize| json!({"text": text, "pathPrefix": format!("text/{round}")});
    measure(&service, ("text", text.len()), rounds, body).await;
    println!("peak resident MiB before and after: {idle:.0}, {:.0}", service.peak_mib());
    let service = Process::start();
    let idle = service.peak_mib();
    for path in ["large", "bomb"] {
        let job = service.post("/ingest", json!({"url": format!("{site}/{path}"), "pathPrefix": path})).await;
        let job = ended(&service, &job).await;
        let said = format!("{} {}", job["status"], job["error"]["code"]);
        println!("{path}: {said}, peak resident MiB before and after: {idle:.0}, {:.0}", service.peak_mib());
    }
}

async fn measure(service: &Process, (what, bytes): (&str, usize), rounds: usize, body: impl Fn(usize) -> Value) {
    let mut took = Vec::new();
    let mut entries = 0;
    for round in 0..rounds {
        let body = body(round);
        let started = Instant::now();
        let job = service.post("/ingest", body).await;
        let job = ended(service, &job).await;
        took.push(started.elapsed());
        assert_eq!(job["status"], "completed", "{job}");
        entries = job["entries"].as_array().unwrap().len();
    }
    took.sort();
    let ms = |at: usize| took[at].as_secs_f64() * 1_000.0;
    println!("{what}, {bytes}, {entries}, {:.0}, {:.0}", ms(rounds / 2), ms(rounds - 1));
}

async fn ended(service: &Process, job: &Value) -> Value {
    let path = format!("/ingest/{}", job["ingestId"].as_str().unwrap());
    loop {
        let job = service.send(Method::GET, &path, Value::Null).await;
        if ["completed", "failed"].contains(&job["status"].as_str().unwrap()) {
            return job;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn sentence(n: usize) -> String {
    format!("Setting {n} decides how often report {} is sent, and whether {} people are told of it. ", n * 7, n % 13)
}

/// A help page of this many bytes, a third of it around the main text.
fn page(bytes: usize) -> String {
    let around = "<li class=\"menu__item\"><a class=\"menu__link\" href=\"/docs/settings\">Settings</a></li>";
    let mut html =
        format!("<html><body><nav><ul>{}</ul></nav><main><h1>Settings</h1>", around.repeat(bytes / 3 / around.len()));
    let mut n = 0;
    while html.len() < bytes {
        n += 1;
        let sentences: String = (0..12).map(|more| sentence(n * 12 + more)).collect();
        html.push_str(&format!("<h2 id=\"s{n}\">Setting {n}</h2><p>{sentences}</p><ul><li>On</li><li>Off</li></ul>"));
    }
    html + "</main></body></html>"
}

fn text(chars: usize) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < chars {
        n += 1;
        let sentences: String = (0..20).map(|more| sentence(n * 20 + more)).collect();
        text.push_str(&format!("## Setting {n}\n\n{sentences}\n\n"));
    }
    text.truncate(chars);
    text
}

async fn site(page: String) -> String {
    let html = || [(header::CONTENT_TYPE, "text/html")];
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    for _ in 0..256 {
        packed.write_all(&[b'a'; 1024 * 1024]).unwrap();
    }
    let packed = packed.finish().unwrap();
    let large = self::page(5 * 1024 * 1024 - 4_096);
    let zipped = move || {
        let packed = packed.clone();
        async move { ([(header::CONTENT_TYPE, "text/html"), (header::CONTENT_ENCODING, "gzip")], packed) }
    };
    let app = Router::new()
        .route("/page", get(move || async move { (html(), page.clone()) }))
        .route("/large", get(move || async move { (html(), large.clone()) }))
        .route("/bomb", get(zipped));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}
