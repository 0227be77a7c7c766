//! Logs: JSON in Lambda, readable locally; never keys, tokens, secrets or what people wrote.
//!
//! Our own lines follow `LOG_LEVEL`. Libraries are held to warnings: at `debug` an SDK prints requests with their
//! bodies, and those hold what people wrote.

use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object a line, fields at the top, for CloudWatch.
    Json,
    /// For a person at a terminal.
    Readable,
}

/// The crates whose lines are ours.
const OURS: [&str; 7] = ["shared", "sessions", "wiki", "auth", "analytics", "health", "local"];

/// Starts logging to standard error at `level` (`error` to `trace`); a second call changes nothing.
pub fn init(format: LogFormat, level: &str) {
    init_without(format, level, &[]);
}

/// The same, with only the errors of the crates named in `quiet`: an embedded server warns of every refused condition.
pub fn init_without(format: LogFormat, level: &str, quiet: &[&str]) {
    let registry = tracing_subscriber::registry().with(filter(level, quiet));
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    // Only a second call fails, and then the first one's subscriber goes on.
    let _already_started = match format {
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_current_span(true)).try_init(),
        LogFormat::Readable => registry.with(lines.compact()).try_init(),
    };
}

fn filter(level: &str, quiet: &[&str]) -> EnvFilter {
    let ours = OURS.iter().map(|name| format!("{name}={level}"));
    let quiet = quiet.iter().map(|name| format!("{name}=error"));
    let directives: Vec<String> = std::iter::once("warn".to_owned()).chain(ours).chain(quiet).collect();
    EnvFilter::new(directives.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_lines_follow_the_level_and_libraries_stay_at_warnings() {
        let shown = filter("debug", &["loud"]).to_string();
        for part in ["warn", "shared=debug", "sessions=debug", "local=debug", "loud=error"] {
            assert!(shown.split(',').any(|directive| directive == part), "{part} in {shown}");
        }
        assert!(!shown.contains("aws"), "{shown}");
    }
}
