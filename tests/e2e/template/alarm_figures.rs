//! The figures of the alarms in docs/RUNBOOK.md are made of template.yaml, and the log lines exist.

use serde_json::Value;

use super::document::{resources, root};
use super::runbook::{runbook, sections};
use crate::structure::sources::shipped;

/// The heading of the table in the runbook.
const TABLE: &str = "\n## Figures of the alarms\n\n| alarm | fires | for |\n|---|---|---|\n";

/// The row of an alarm: what its metric must be, and for how long.
fn row(name: &str, alarm: &Value) -> String {
    let properties = &alarm["Properties"];
    let mut metrics = properties["Metrics"].as_array().into_iter().flatten();
    let period = properties["Period"].as_u64().or_else(|| metrics.find_map(|m| m["MetricStat"]["Period"].as_u64()));
    let seconds = period.unwrap() * properties["EvaluationPeriods"].as_u64().unwrap();
    let comparison = match properties["ComparisonOperator"].as_str().unwrap() {
        "GreaterThanThreshold" => "above",
        "GreaterThanOrEqualToThreshold" => "at least",
        "LessThanThreshold" => "below",
        "LessThanOrEqualToThreshold" => "at most",
        other => panic!("{other}"),
    };
    let threshold = &properties["Threshold"];
    let threshold = threshold["Ref"].as_str().map_or_else(|| threshold.to_string(), |name| format!("`{name}`"));
    format!("| `{name}` | {comparison} {threshold} | {seconds} s |\n")
}

/// With `UPDATE_RUNBOOK=1` it writes the table.
#[test]
fn the_figures_of_every_alarm_are_those_of_the_template() {
    let rows: String = resources("AWS::CloudWatch::Alarm").iter().map(|(name, alarm)| row(name, alarm)).collect();
    let runbook = runbook();
    let (before, table) = runbook.split_once(TABLE).unwrap();
    let (table, after) = table.split_once("\n## ").unwrap();
    if std::env::var_os("UPDATE_RUNBOOK").is_some() {
        std::fs::write(root().join("docs/RUNBOOK.md"), format!("{before}{TABLE}{rows}\n## {after}")).unwrap();
        return;
    }
    assert_eq!(table, rows, "run UPDATE_RUNBOOK=1 cargo test --workspace --test e2e -- the_figures_of_every_alarm");
}

#[test]
fn every_log_line_that_the_runbook_names_is_logged() {
    let code: String = shipped().map(|source| source.text).collect();
    let mut named = 0;
    for (_, text) in sections(&runbook()) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let first_look = text.split(" Commands: ").next().unwrap();
        for sentence in first_look.split("lines `").skip(1) {
            // Names of fields have no blanks. The one message of Lambda's own is left out.
            let quoted = sentence.split('`').step_by(2);
            for line in quoted.filter(|quoted| quoted.contains(' ') && *quoted != "Task timed out") {
                assert!(code.contains(&format!("\"{line}")), "nothing logs {line:?}");
                named += 1;
            }
        }
    }
    assert!(named >= 9, "only {named} lines were found");
}
