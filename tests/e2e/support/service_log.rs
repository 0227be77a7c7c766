//! The log of a test service, searched for credentials and for what people wrote when the service stops.
//!
//! Every line of this process is kept, at the level `trace`. Tests run at the same time, each in a thread that has its
//! name: the lines of a service are those of its test's thread and of threads that no test has.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

use log_check::Confidential;
use tracing_subscriber::layer::SubscriberExt;

/// A line with the name of the thread that logged it.
type Line = (String, String);

/// The lines that this process has logged since the first of the running services started.
static PROCESS_LOG: Mutex<ProcessLog> = Mutex::new(ProcessLog { lines: Vec::new(), services: 0 });

struct ProcessLog {
    lines: Vec<Line>,
    services: usize,
}

/// The log of one service. Dropping it fails the test if the log holds anything confidential.
#[derive(Debug)]
pub(crate) struct ServiceLog {
    /// The texts that it must not hold.
    pub(crate) confidential: Confidential,
    thread: String,
    begin: usize,
}

impl ServiceLog {
    /// The log from now on of a service that this thread starts.
    pub(crate) fn start() -> Self {
        static SUBSCRIBED: Once = Once::new();
        SUBSCRIBED.call_once(|| {
            let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(ThreadWriter::of_this_thread);
            let filter = support::edge::telemetry::filter("trace", &["dynoxide"]);
            let subscriber = tracing_subscriber::registry().with(filter).with(lines);
            tracing::subscriber::set_global_default(subscriber).unwrap();
        });
        let mut log = PROCESS_LOG.lock().unwrap_or_else(PoisonError::into_inner);
        log.services += 1;
        Self { confidential: Confidential::default(), thread: thread_name(), begin: log.lines.len() }
    }

    /// Its lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        let log = PROCESS_LOG.lock().unwrap_or_else(PoisonError::into_inner);
        let is_own = |(thread, _): &&Line| *thread == self.thread || !thread.contains("::");
        log.lines[self.begin..].iter().filter(is_own).map(|(_, line)| line.clone()).collect()
    }
}

impl Drop for ServiceLog {
    fn drop(&mut self) {
        let lines = self.lines();
        let mut log = PROCESS_LOG.lock().unwrap_or_else(PoisonError::into_inner);
        log.services -= 1;
        if log.services == 0 {
            log.lines.clear();
        }
        drop(log);
        self.confidential.assert_not_in(lines.iter().map(String::as_str));
    }
}

fn thread_name() -> String {
    std::thread::current().name().unwrap_or_default().to_owned()
}

/// Writes lines of one thread.
struct ThreadWriter(String);

impl ThreadWriter {
    fn of_this_thread() -> Self {
        Self(thread_name())
    }
}

impl Write for ThreadWriter {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(line).into_owned();
        let mut log = PROCESS_LOG.lock().unwrap_or_else(PoisonError::into_inner);
        if log.services > 0 {
            log.lines.push((self.0.clone(), text));
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
