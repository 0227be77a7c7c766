//! The services that functions talk to, behind TLS, in a process of its own: its CPU time is on the path of every
//! request, so it is measured and subtracted.

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair, PKCS_RSA_SHA256};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::canned;

/// The argument that makes this program serve instead of measure.
pub(crate) const SERVE: &str = "serve-stand-ins";

/// The running process, and where its services are.
pub(crate) struct StandIns {
    process: Child,
    /// The table, without TLS: for what the measurement itself writes.
    pub(crate) table_plain: String,
    pub(crate) table: String,
    pub(crate) index: String,
    /// SQS, KMS, S3 and Secrets Manager.
    pub(crate) others: String,
    /// The certificate that the services show.
    pub(crate) certificate: PathBuf,
}

impl StandIns {
    /// Starts the process; its certificate is written into `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut process = Command::new(program).arg(SERVE).arg(folder).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        std::io::BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let addresses: Value = serde_json::from_str(&line).unwrap();
        let address = |name: &str| addresses[name].as_str().unwrap().to_owned();
        Self {
            process,
            table_plain: address("tablePlain"),
            table: address("table"),
            index: address("index"),
            others: address("others"),
            certificate: folder.join("certificate.pem"),
        }
    }

    /// The CPU time of all its threads.
    pub(crate) fn cpu(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
        let of_task = |task: std::io::Result<std::fs::DirEntry>| {
            let schedule = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            schedule.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
        };
        tasks.filter_map(of_task).sum()
    }
}

impl Drop for StandIns {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves the services until the process is killed, after a line of JSON with their addresses.
pub(crate) async fn serve(folder: &Path) {
    let acceptor = certificate(folder);
    let table = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let table_address = table.local_addr().unwrap();
    let database = dynoxide::Database::memory().unwrap();
    tokio::spawn(dynoxide::server::serve_with_shutdown(table, database, std::future::pending()));
    let index = plain(axum::Router::new().fallback(canned::search)).await;
    let others = plain(axum::Router::new().fallback(canned::other)).await;
    let addresses = json!({
        "tablePlain": format!("http://{table_address}"),
        "table": behind_tls(&acceptor, table_address).await,
        "index": behind_tls(&acceptor, index).await,
        "others": behind_tls(&acceptor, others).await,
    });
    println!("{addresses}");
    std::io::stdout().flush().unwrap();
    std::future::pending().await
}

/// A certificate of `localhost` with an RSA key of 2,048 bits, as the services of AWS have.
fn certificate(folder: &Path) -> TlsAcceptor {
    let key = KeyPair::generate_for(&PKCS_RSA_SHA256).unwrap();
    let certificate = CertificateParams::new(["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
    std::fs::write(folder.join("certificate.pem"), certificate.pem()).unwrap();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap()))
}

async fn plain(router: axum::Router) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

async fn behind_tls(acceptor: &TlsAcceptor, service: std::net::SocketAddr) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let acceptor = acceptor.clone();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                client.set_nodelay(true).ok();
                let Ok(mut client) = acceptor.accept(client).await else { return };
                let Ok(mut server) = TcpStream::connect(service).await else { return };
                server.set_nodelay(true).ok();
                tokio::io::copy_bidirectional(&mut client, &mut server).await.ok();
            });
        }
    });
    address
}
