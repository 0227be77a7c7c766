//! Logs: JSON in Lambda, readable locally; never keys, tokens, secrets or what people wrote. And metrics of log events.
//!
//! Lines of this service follow `LOG_LEVEL`. Libraries are limited to warnings: at `debug` an SDK prints requests with
//! their bodies, which contain what people wrote. If an error's text contains an address or a number of a person, it is
//! masked ([`text::privacy`]).
//!
//! Any layer counts with a field of a log event: `tracing::warn!(metric.ModelFailures = 1, …)`. [`EmbeddedMetrics`] turns
//! such fields into a JSON line on standard output that CloudWatch reads as metrics, once for the stack and once for the
//! function and its version, so that an alarm can watch the version that is being deployed (Amazon CloudWatch User Guide,
//! "Specification: Embedded metric format"). The names are in docs/RUNBOOK.md.

use std::collections::BTreeMap;
use std::io::{self, Write};

use aws::config::MetricsConfig;
use domain::clock::Runtime;
use serde_json::{Value, json};
use text::privacy;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// One JSON object a line, fields at the top, for CloudWatch.
    Json,
    /// For a person at a terminal.
    Readable,
}

/// The maximum length of a line, or of one string of a JSON line.
const MAX_STRING_CHARS: usize = 16 * 1024;

/// The prefix of the name of a field that counts.
const PREFIX: &str = "metric.";

/// The crates of this workspace.
pub const OWN_CRATES: [&str; 24] = [
    "text",
    "outbound",
    "page",
    "domain",
    "answer",
    "aws",
    "support",
    "lambda",
    "sessions",
    "wiki",
    "auth",
    "analytics",
    "health",
    "inbox",
    "changes",
    "sweeper",
    "webhooks",
    "webhook_worker",
    "ingest",
    "ingest_worker",
    "embedding_worker",
    "local",
    "openid",
    "ops",
];

/// Starts logging to standard error at `level` (`error` to `trace`); a second call changes nothing.
pub fn init(format: LogFormat, level: &str) {
    start(format, level, &[], None);
}

/// Starts logging on Lambda: JSON lines at `level`, and metrics on standard output if they are configured.
pub fn init_on_lambda(level: &str, metrics: Option<MetricsConfig>) {
    start(LogFormat::Json, level, &[], metrics);
}

/// The same, with only the errors of the crates named in `quiet`: an embedded server warns of every refused condition.
pub fn init_with_quiet_crates(format: LogFormat, level: &str, quiet: &[&str]) {
    start(format, level, quiet, None);
}

/// Metrics are counted at every `level`.
fn start(format: LogFormat, level: &str, quiet: &[&str], metrics: Option<MetricsConfig>) {
    let metrics = metrics.map(|config| {
        let counting = FilterFn::new(counts).with_max_level_hint(LevelFilter::INFO);
        EmbeddedMetrics::new(config, Runtime::system(), io::stdout).with_filter(counting)
    });
    let registry = tracing_subscriber::registry().with(metrics);
    let filter = filter(level, quiet);
    let lines = tracing_subscriber::fmt::layer().with_writer(move || MaskingWriter { inner: io::stderr(), format });
    // Only a second call fails, and then the first subscriber stays.
    let _already_started = match format {
        LogFormat::Json => {
            registry.with(lines.json().flatten_event(true).with_current_span(true).with_filter(filter)).try_init()
        }
        LogFormat::Readable => registry.with(lines.compact().with_filter(filter)).try_init(),
    };
}

/// Writes lines with personal data masked. A whole line comes in one call.
struct MaskingWriter<W> {
    inner: W,
    format: LogFormat,
}

impl<W: Write> Write for MaskingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let masked = match self.format {
            LogFormat::Json => mask_strings(&text),
            LogFormat::Readable => format!("{}\n", privacy::mask_prefix(text.trim_end_matches('\n'), MAX_STRING_CHARS)),
        };
        self.inner.write_all(masked.as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Masks the strings of a JSON line; its own numbers stay numbers.
fn mask_strings(line: &str) -> String {
    let mut masked = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('"') {
        let mut escaped = false;
        let end = after.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let (inside, behind) = after.split_at(end.unwrap_or(after.len()));
        masked.extend([before, "\"", &privacy::mask(truncate(inside))]);
        masked.push_str(behind.get(..1).unwrap_or_default());
        rest = behind.get(1..).unwrap_or_default();
    }
    masked + rest
}

/// The logged part of the inside of a JSON string: [`MAX_STRING_CHARS`] bytes, and no part of an escape (RFC 8259,
/// section 7).
fn truncate(inside: &str) -> &str {
    if inside.len() <= MAX_STRING_CHARS {
        return inside;
    }
    let mut end = 0;
    let mut chars = inside.char_indices();
    while let Some((at, c)) = chars.next() {
        if at > MAX_STRING_CHARS {
            break;
        }
        end = at;
        // The escaped character is passed over; the digits of `\u` cannot be mistaken for anything.
        if c == '\\' && chars.next().is_some_and(|(_, escaped)| escaped == 'u') {
            chars.nth(3);
        }
    }
    inside.get(..end).unwrap_or_default()
}

/// Passes lines of our crates from `level` on, warnings of libraries, and only errors of the crates in `quiet`. A crate
/// is matched by its whole name, because names of libraries begin like ours (`aws_config`).
pub fn filter(level: &str, quiet: &[&str]) -> FilterFn<impl Fn(&Metadata<'_>) -> bool + use<>> {
    let ours: LevelFilter = level.parse().unwrap_or(LevelFilter::INFO);
    let quiet: Vec<String> = quiet.iter().map(|name| (*name).to_owned()).collect();
    let passes = move |line: &Metadata<'_>| *line.level() <= max_level(line.target(), ours, &quiet);
    FilterFn::new(passes).with_max_level_hint(ours.max(LevelFilter::WARN))
}

/// The most verbose level of a target, which is a path that begins with its crate.
fn max_level(target: &str, ours: LevelFilter, quiet: &[String]) -> LevelFilter {
    let krate = target.split("::").next().unwrap_or_default();
    if quiet.iter().any(|name| name == krate) {
        LevelFilter::ERROR
    } else if OWN_CRATES.contains(&krate) {
        ours
    } else {
        LevelFilter::WARN
    }
}

/// Writes the metrics of log events.
struct EmbeddedMetrics<W> {
    config: MetricsConfig,
    runtime: Runtime,
    writer: W,
}

impl<W> EmbeddedMetrics<W> {
    /// Lines go to `writer`, one call for each.
    fn new(config: MetricsConfig, runtime: Runtime, writer: W) -> Self {
        Self { config, runtime, writer }
    }

    fn line(&self, counts: &BTreeMap<&'static str, u64>) -> String {
        let metrics: Vec<Value> = counts.keys().map(|name| json!({"Name": name, "Unit": "Count"})).collect();
        let directive = json!({
            "Namespace": self.config.namespace,
            "Dimensions": [[], ["FunctionName", "FunctionVersion"]],
            "Metrics": metrics,
        });
        let mut line = json!({
            "_aws": {"Timestamp": self.runtime.now().as_millis(), "CloudWatchMetrics": [directive]},
            "FunctionName": self.config.function_name,
            "FunctionVersion": self.config.function_version,
        });
        for (name, count) in counts {
            if let Some(members) = line.as_object_mut() {
                members.insert((*name).to_owned(), (*count).into());
            }
        }
        format!("{line}\n")
    }
}

impl<S: Subscriber, W: for<'a> MakeWriter<'a> + 'static> Layer<S> for EmbeddedMetrics<W> {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut counts = Counts::default();
        event.record(&mut counts);
        if !counts.0.is_empty() {
            // Nobody is left to tell if standard output is gone.
            let _ignored = self.writer.make_writer().write_all(self.line(&counts.0).as_bytes());
        }
    }
}

/// Whether an event counts something.
fn counts(metadata: &Metadata<'_>) -> bool {
    metadata.is_event() && metadata.fields().iter().any(|field| field.name().starts_with(PREFIX))
}

/// The counts of an event by metric.
#[derive(Default)]
struct Counts(BTreeMap<&'static str, u64>);

impl Visit for Counts {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if let Some(name) = field.name().strip_prefix(PREFIX) {
            self.0.insert(name, value);
        }
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.record_u64(field, u64::try_from(value).unwrap_or(0));
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    fn written(format: LogFormat, line: &str) -> String {
        let mut out = Vec::new();
        MaskingWriter { inner: &mut out, format }.write_all(line.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn personal_data_in_a_line_is_masked_and_json_stays_json() {
        let line =
            r#"{"level":"ERROR","at":4111111111111111,"error":"said \"a@b.com\", 4111 1111 1111 1111","id":"x"}"#;
        let masked = r#"{"level":"ERROR","at":4111111111111111,"error":"said \"[email]\", [card]","id":"x"}"#;
        assert_eq!(written(LogFormat::Json, line), masked);
        assert!(serde_json::from_str::<serde_json::Value>(masked).is_ok());
        assert_eq!(written(LogFormat::Readable, "ERROR a@b.com\n"), "ERROR [email]\n");
    }

    #[test]
    fn an_endless_string_is_cut_and_json_stays_json() {
        for unit in ["x", "\\\\", "\\\"", "\\u00e9", "é ", "9 "] {
            for shift in 0..12 {
                let line = format!(r#"{{"error":"{}{}","id":"x"}}"#, "a".repeat(shift), unit.repeat(MAX_STRING_CHARS));
                let shown = written(LogFormat::Json, &line);
                let read: serde_json::Value = serde_json::from_str(&shown).unwrap();
                assert!(shown.len() <= MAX_STRING_CHARS + 100 && read["id"] == "x", "{unit} {}", shown.len());
            }
        }
        assert!(
            written(LogFormat::Readable, &format!("{}\n", "word ".repeat(MAX_STRING_CHARS))).len()
                <= MAX_STRING_CHARS + 1
        );
    }

    #[test]
    fn a_line_without_personal_data_is_written_as_it_is() {
        let line = r#"{"timestamp":"2026-11-21T16:43:04.123456Z","request.id":"req_01ARZ3NDEKTSV4RRFFQ69G5FAV","latency_ms":12,"trace":"1-67891233-abcdef012345678912345678","version":"2.19.0","open":""#;
        assert_eq!(written(LogFormat::Json, line), line);
    }

    #[test]
    fn our_lines_follow_the_level_and_libraries_stay_at_warnings() {
        let quiet = ["loud".to_owned()];
        for (target, most_verbose) in [
            ("sessions", LevelFilter::DEBUG),
            ("support::table", LevelFilter::DEBUG),
            ("embedding_worker::entry", LevelFilter::DEBUG),
            ("aws_smithy_runtime::client", LevelFilter::WARN),
            ("lambda_runtime", LevelFilter::WARN),
            ("textwrap", LevelFilter::WARN),
            ("loud::inside", LevelFilter::ERROR),
            ("", LevelFilter::WARN),
        ] {
            assert_eq!(max_level(target, LevelFilter::DEBUG, &quiet), most_verbose, "{target}");
        }
    }

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(line)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_counting_event_is_one_line_of_the_format_and_any_other_none() {
        let config = MetricsConfig {
            namespace: "shop".into(),
            function_name: "shop-sessions".into(),
            function_version: "7".into(),
        };
        let lines = Lines::default();
        let written = lines.clone();
        let layer = EmbeddedMetrics::new(config, Runtime::system(), move || written.clone());
        let subscriber = tracing_subscriber::registry().with(layer.with_filter(FilterFn::new(counts)));
        tracing::subscriber::with_default(subscriber, || {
            tracing::info!(metric.ScheduledRuns = 1, session.id = "secret", "done");
            tracing::error!(error.code = "X", "no metric");
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        let line: Value = serde_json::from_str(text.strip_suffix('\n').unwrap()).unwrap();
        let directive = &line["_aws"]["CloudWatchMetrics"][0];
        assert_eq!(directive["Namespace"], "shop");
        assert_eq!(directive["Dimensions"], json!([[], ["FunctionName", "FunctionVersion"]]));
        assert_eq!(directive["Metrics"], json!([{"Name": "ScheduledRuns", "Unit": "Count"}]));
        assert_eq!((&line["FunctionName"], &line["FunctionVersion"]), (&json!("shop-sessions"), &json!("7")));
        assert_eq!(line["ScheduledRuns"], 1);
        assert!(line["_aws"]["Timestamp"].as_i64().unwrap() > 1_700_000_000_000);
        assert_eq!(text.lines().count(), 1);
        assert!(!text.contains("secret"));
    }
}
