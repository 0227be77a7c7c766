//! A receiver on loopback that sends exactly the given bytes.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::{Outbound, OutboundPolicy, OutboundSettings, OutboundUrl, Resolver};

/// The behaviour after a request has been read.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// Nothing, ever.
    Hang,
    /// These bytes, then nothing more and no end.
    Stall(Vec<u8>),
    /// These bytes, then this one again and again without end, one at a time if it is slow.
    Endless { head: Vec<u8>, byte: u8, slow: bool },
}

impl Reply {
    /// A whole answer with these header lines and this body.
    pub(crate) fn answer(status: &str, headers: &[&str], body: &[u8]) -> Self {
        let mut lines = vec![format!("HTTP/1.1 {status}"), format!("content-length: {}", body.len())];
        lines.extend(headers.iter().map(|&line| line.to_owned()));
        let mut bytes = format!("{}\r\n\r\n", lines.join("\r\n")).into_bytes();
        bytes.extend_from_slice(body);
        Self::Bytes(bytes)
    }
}

/// The receiver; it stops with the runtime of its test.
pub(crate) struct Receiver {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    /// One that says the same to everybody.
    pub(crate) async fn replying(say: Reply) -> Self {
        Self::by(move |_| say.clone()).await
    }

    /// One that answers by the request's first line.
    pub(crate) async fn by(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                tokio::spawn(async move { serve_connection(stream, &seen, answer.as_ref()).await });
            }
        });
        Self { address, requests }
    }

    /// Every request so far, whole.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// An address of it by its number.
    pub(crate) fn url(&self, path: &str) -> OutboundUrl {
        self.named("127.0.0.1", path)
    }

    /// An address of it under a name.
    pub(crate) fn named(&self, host: &str, path: &str) -> OutboundUrl {
        let text = format!("http://{host}:{}{path}", self.address.port());
        OutboundUrl::parse(&text, &LOCAL).unwrap()
    }
}

async fn serve_connection(
    mut stream: TcpStream,
    seen: &Mutex<Vec<String>>,
    answer: &(dyn Fn(&str) -> Reply + Send + Sync),
) {
    let Some(request) = read(&mut stream).await else { return };
    let first = request.lines().next().unwrap_or_default().to_owned();
    seen.lock().unwrap().push(request);
    match answer(&first) {
        Reply::Bytes(bytes) => drop(stream.write_all(&bytes).await),
        Reply::Hang => std::future::pending().await,
        Reply::Stall(bytes) => {
            stream.write_all(&bytes).await.unwrap();
            std::future::pending().await
        }
        Reply::Endless { head, byte, slow } => {
            let chunk = vec![byte; if slow { 1 } else { 65_536 }];
            let mut continue_reindex = stream.write_all(&head).await.is_ok();
            while continue_reindex {
                continue_reindex = stream.write_all(&chunk).await.is_ok();
                if slow {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    }
}

/// A request to its last byte.
async fn read(stream: &mut TcpStream) -> Option<String> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return Some(text);
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&buffer[..n]),
        }
    }
}

/// Loopback and http are allowed.
pub(crate) const LOCAL: OutboundPolicy = OutboundPolicy { allow_loopback: true, allow_http: true };

/// A resolver with fixed answers, one for each question, the last one repeated.
#[derive(Debug)]
pub(crate) struct StubResolver {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl StubResolver {
    /// One with these answers.
    pub(crate) fn answering(answers: &[&[&str]]) -> Arc<Self> {
        let parse = |answer: &&[&str]| answer.iter().map(|ip| ip.parse().unwrap()).collect();
        Arc::new(Self { answers: answers.iter().map(parse).collect(), asked: AtomicUsize::new(0) })
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Resolver for StubResolver {
    async fn addresses(&self, _: &str) -> std::io::Result<Vec<IpAddr>> {
        let at = self.asked.fetch_add(1, Ordering::SeqCst).min(self.answers.len() - 1);
        Ok(self.answers[at].clone())
    }
}

/// The contract's client under another policy.
pub(crate) fn outbound(policy: OutboundPolicy, resolver: Arc<dyn Resolver>) -> Outbound {
    Outbound::new(OutboundSettings { resolver, ..OutboundSettings::new(policy) })
}

/// The same with a short timeout, for receivers that never answer.
pub(crate) fn outbound_with_short_timeouts(resolver: Arc<dyn Resolver>) -> Outbound {
    let (connect_timeout, rest) = (Duration::from_millis(200), Duration::from_millis(600));
    let settings = OutboundSettings::new(LOCAL);
    Outbound::new(OutboundSettings { resolver, connect_timeout, post_timeout: rest, fetch_timeout: rest, ..settings })
}
