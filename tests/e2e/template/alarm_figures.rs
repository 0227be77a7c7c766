//! The figures of an alarm in docs/RUNBOOK.md are those of template.yaml, and the log lines exist.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::document::resources;
use super::runbook::{runbook, sections};
use crate::structure::sources::shipped;

/// A sentence of the section of an alarm; the alarm's threshold, and the seconds that it must be passed. The other alarms
/// of a section have the figures of its first one.
const FIGURES: [(&str, &str, f64, u64); 20] = [
    ("ServerErrors", "More than 1 % of all answers in five minutes", 1.0, 300),
    ("SlowAnswers", "took more than 15 seconds for 15 minutes", 15_000.0, 900),
    ("AuthFailures", "More than 200 requests in five minutes", 200.0, 300),
    ("SignInsFailing", "More than 600 sign-ins failed in a minute", 600.0, 60),
    ("SignInProviderFailing", "failed more than five times in five minutes", 5.0, 300),
    ("SessionsServerErrors", "answered 5xx three times in a minute", 3.0, 60),
    ("ChangesLate", "more than a minute behind for five minutes", 60_000.0, 300),
    ("SweeperErrors", "More than one run of the sweeper in five minutes", 1.0, 300),
    ("SweeperStopped", "No run of the sweeper completed in ten minutes", 1.0, 600),
    ("WebhookQueueOld", "A message was older than 15 minutes for five minutes", 900.0, 300),
    ("DeliveriesFailing", "More than half of at least 20 attempts in five minutes failed, for 15 minutes", 50.0, 900),
    ("ModelFailing", "failed more than five times in five minutes", 5.0, 300),
    ("EmbeddingsFailing", "failed more than five times in five minutes", 5.0, 300),
    ("TableThrottles", "for two minutes", 0.0, 120),
    ("TableSystemErrors", "for two minutes", 0.0, 120),
    ("RateLimitsNotStored", "more than five times in five minutes", 5.0, 300),
    ("SearchFailing", "More than three questions in five minutes", 3.0, 300),
    ("SearchStorage", "less than 4 GiB", 4_096.0, 300),
    ("SearchMemory", "95 % of its Java heap for three minutes", 95.0, 180),
    ("SearchCpu", "80 % of its CPU for 45 minutes", 80.0, 2_700),
];

/// Threshold and seconds of an alarm.
fn fires_at(alarm: &Value) -> (Value, u64) {
    let properties = &alarm["Properties"];
    let mut metrics = properties["Metrics"].as_array().into_iter().flatten();
    let period = properties["Period"].as_u64().or_else(|| metrics.find_map(|m| m["MetricStat"]["Period"].as_u64()));
    (properties["Threshold"].clone(), period.unwrap() * properties["EvaluationPeriods"].as_u64().unwrap())
}

#[test]
fn the_figures_of_every_alarm_are_those_of_its_section() {
    let (runbook, alarms) = (runbook(), resources("AWS::CloudWatch::Alarm"));
    let figures: BTreeMap<&str, _> = FIGURES.into_iter().map(|(alarm, text, at, s)| (alarm, (text, at, s))).collect();
    let mut stated = 0;
    for (names, text) in sections(&runbook) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for name in &names {
            let (threshold, seconds) = fires_at(&alarms[*name]);
            match figures.get(name).or_else(|| names.iter().find_map(|first| figures.get(first))) {
                Some((sentence, at, its_seconds)) => {
                    assert!(text.contains(sentence), "{name}: {text}");
                    assert_eq!((threshold.as_f64(), seconds), (Some(*at), *its_seconds), "{name}");
                    stated += 1;
                }
                None if *name == "ConcurrentExecutions" => {
                    assert!(text.contains("for five minutes") && text.contains("`ConcurrencyAlarm` is the threshold"));
                    assert_eq!((threshold, seconds), (json!({"Ref": "ConcurrencyAlarm"}), 300));
                }
                None => assert!(threshold.as_u64() <= Some(1) && seconds <= 300, "{name} has figures: {threshold}"),
            }
        }
    }
    assert!(stated > FIGURES.len(), "{stated}");
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
