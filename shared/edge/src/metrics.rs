//! Metrics in CloudWatch's embedded metric format: a JSON line on standard output that CloudWatch reads as metrics.
//!
//! Any layer counts with a field of a log event: `tracing::warn!(metric.ModelFailures = 1, …)`. [`EmbeddedMetrics`] turns
//! such fields into a line of the format, once for the stack and once for the function and its version, so that an alarm
//! can watch the version that is being deployed. The names are in docs/RUNBOOK.md.
//!
//! Source: Amazon CloudWatch User Guide, "Specification: Embedded metric format".

use std::collections::BTreeMap;
use std::io::Write;

use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::Context;

use aws::config::MetricsConfig;
use domain::clock::Runtime;

/// The prefix of the name of a field that counts.
const PREFIX: &str = "metric.";

/// Writes the metrics of log events.
pub struct EmbeddedMetrics<W> {
    config: MetricsConfig,
    runtime: Runtime,
    writer: W,
}

impl<W> EmbeddedMetrics<W> {
    /// Lines go to `writer`, one call for each.
    pub fn new(config: MetricsConfig, runtime: Runtime, writer: W) -> Self {
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
pub(crate) fn counts(metadata: &Metadata<'_>) -> bool {
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

    use tracing_subscriber::filter::FilterFn;
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

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
