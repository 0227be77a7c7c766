//! The embedded DynamoDB: dynoxide over one SQLite file, behind an HTTP client of the SDK, without a socket.
//!
//! It has a thread of its own, because SQLite blocks its caller and serves one caller at a time anyway. So a write that
//! waits for the disk does not hold up the runtime, and calls are served in the order of arrival. Calls that arrive
//! together wait for the disk together (group commit).

use std::fs::{File, OpenOptions};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use tokio::sync::oneshot;

use super::operations::{OperationOutput, Transactions, execute, is_read};
use crate::StartError;
use crate::data_dir::private_file;

/// Never resolved: [`EmbeddedClient`] handles the requests.
pub(super) const ENDPOINT: &str = "http://dynamodb.invalid";

/// The running database.
#[derive(Debug)]
pub(crate) struct EmbeddedDatabase {
    pub(super) client: EmbeddedClient,
    thread: Option<JoinHandle<()>>,
}

impl EmbeddedDatabase {
    /// Opens the file; creates a missing one.
    pub(crate) fn start(file: &Path) -> Result<Self, StartError> {
        let broken = |reason: String| StartError::Database { path: file.to_owned(), reason };
        let path = file.to_str().ok_or_else(|| broken("its path is not UTF-8".into()))?;
        // SQLite gives the files beside it the same permissions.
        private_file(OpenOptions::new().create(true).truncate(false).write(true))
            .open(file)
            .map_err(|e| broken(e.to_string()))?;
        let database = dynoxide::Database::new(path).map_err(|e| broken(e.to_string()))?;
        // Sets `synchronous = NORMAL`: from here on the thread syncs the log.
        database.disable_bulk_loading().map_err(|e| broken(e.to_string()))?;
        let (sender, receiver) = channel();
        let worker = Worker { database, transactions: Transactions::new(), log: WriteAheadLog::of(file) };
        let thread = std::thread::Builder::new().name("dynamodb".into());
        let thread = thread.spawn(move || worker.serve(&receiver)).map_err(|e| broken(e.to_string()))?;
        Ok(Self { client: EmbeddedClient(sender), thread: Some(thread) })
    }
}

impl Drop for EmbeddedDatabase {
    /// Stops the thread after the pending calls, and closes the file.
    fn drop(&mut self) {
        self.client.0.send(Message::Stop).ok();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the embedded database's thread panicked; restart the service");
        }
    }
}

enum Message {
    Call(Call),
    Stop,
}

struct Call {
    operation: String,
    body: Bytes,
    answer: oneshot::Sender<OperationOutput>,
}

/// How many calls wait for the disk together at most. More would let the first of them wait for the last.
const MAX_BATCH: usize = 32;

/// The state of the database's thread.
struct Worker {
    database: dynoxide::Database,
    transactions: Transactions,
    log: WriteAheadLog,
}

impl Worker {
    fn serve(mut self, messages: &Receiver<Message>) {
        let mut waiting = Vec::with_capacity(MAX_BATCH);
        while let Ok(Message::Call(first)) = messages.recv() {
            let mut next = Some(first);
            let mut stopped = false;
            while let Some(Call { operation, body, answer }) = next.take() {
                let output = self.execute(&operation, &body);
                if waiting.is_empty() && is_read(&operation) {
                    // The caller may have given up; the call was executed all the same.
                    answer.send(output).ok();
                    break;
                }
                // A read after a write may return that write, so it waits for the disk, too.
                waiting.push((answer, output));
                if waiting.len() < MAX_BATCH {
                    match messages.try_recv() {
                        Ok(Message::Call(call)) => next = Some(call),
                        Ok(Message::Stop) => stopped = true,
                        Err(_) => {}
                    }
                }
            }
            self.answer(&mut waiting);
            if stopped {
                return;
            }
        }
    }

    fn execute(&mut self, operation: &str, body: &[u8]) -> OperationOutput {
        let (database, transactions) = (&self.database, &mut self.transactions);
        // A call that panics must not stop the database.
        let output = catch_unwind(AssertUnwindSafe(|| execute(database, transactions, operation, body)));
        output.unwrap_or_else(|_| {
            tracing::error!(operation, "the embedded database panicked in a call; the caller gets an error");
            OperationOutput::internal_error()
        })
    }

    /// Answers calls once what they wrote is on the disk.
    fn answer(&mut self, waiting: &mut Vec<(oneshot::Sender<OperationOutput>, OperationOutput)>) {
        if waiting.is_empty() {
            return;
        }
        let synced = self.log.sync();
        if let Err(error) = &synced {
            tracing::error!(error = %error, "failed to write the embedded database to the disk; the callers get an error");
        }
        for (answer, output) in waiting.drain(..) {
            answer.send(if synced.is_ok() { output } else { OperationOutput::internal_error() }).ok();
        }
    }
}

/// Sends calls to the database; the SDK uses it as its HTTP client. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct EmbeddedClient(Sender<Message>);

impl EmbeddedClient {
    /// The HTTP client for the SDK.
    pub(super) fn http_client(&self) -> SharedHttpClient {
        let connector = SharedHttpConnector::new(self.clone());
        http_client_fn(move |_, _| connector.clone())
    }

    /// Sends a call at once; the future returns none when the database has stopped.
    pub(crate) fn call(
        &self,
        operation: &str,
        body: Bytes,
    ) -> impl Future<Output = Option<OperationOutput>> + Send + 'static {
        let (answer, answered) = oneshot::channel();
        let sent = self.0.send(Message::Call(Call { operation: operation.to_owned(), body, answer }));
        async move {
            sent.ok()?;
            answered.await.ok()
        }
    }
}

impl HttpConnector for EmbeddedClient {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let operation = request.headers().get("x-amz-target").map(operation_of).unwrap_or_default();
        let body = Bytes::copy_from_slice(request.body().bytes().unwrap_or_default());
        let answer = self.call(operation, body);
        HttpConnectorFuture::new(async move {
            let answer = answer.await.ok_or_else(|| ConnectorError::io("the embedded database has stopped".into()))?;
            response(answer).map_err(|error| ConnectorError::other(error, None))
        })
    }
}

/// The operation in `X-Amz-Target`, such as `DynamoDB_20120810.GetItem`.
fn operation_of(target: &str) -> &str {
    target.rsplit('.').next().unwrap_or_default()
}

fn response(answer: OperationOutput) -> Result<HttpResponse, Box<dyn std::error::Error + Send + Sync>> {
    let response = http::Response::builder().status(answer.status).header("content-type", CONTENT_TYPE);
    Ok(HttpResponse::try_from(response.body(SdkBody::from(answer.body))?)?)
}

/// The content type of DynamoDB's responses.
pub(crate) const CONTENT_TYPE: &str = "application/x-amz-json-1.0";

/// The log beside a database file.
#[derive(Debug)]
struct WriteAheadLog {
    path: PathBuf,
    /// None until SQLite has made it. It is never replaced while the database is open.
    file: Option<File>,
}

impl WriteAheadLog {
    /// The log of the database in `file`.
    fn of(file: &Path) -> Self {
        let mut path = file.as_os_str().to_owned();
        path.push("-wal");
        Self { path: path.into(), file: None }
    }

    /// Returns once all that was committed is on the disk.
    ///
    /// # Errors
    /// Those of the disk.
    fn sync(&mut self) -> io::Result<()> {
        match &self.file {
            Some(file) => file.sync_data(),
            None => {
                let file = File::options().read(true).write(true).open(&self.path)?;
                self.file.insert(file).sync_data()
            }
        }
    }
}
