//! `doctor`: looks for known faults, and says what to do about each.

mod outcome;
mod rights;
mod service_checks;
mod sign_in;
mod stack_checks;

use edge::ClientProvider;
use serde_json::json;

use crate::clients::Target;
use crate::report::{Report, table};
use outcome::{Check, Outcome};

pub(super) async fn run(target: &Target) -> Report {
    let mut checks = service_checks::all(target).await;
    checks.push(Check { name: "widget keys", outcome: service_checks::widget_keys(target).await });
    if let Target::Stack(stack) = target {
        checks.extend(stack_checks::all(stack, target.config()).await);
    }
    let (mut rows, mut items, mut problems) = (Vec::new(), Vec::new(), 0);
    for Check { name, outcome } in &checks {
        let (status, found, advice) = match outcome {
            Outcome::Fine(found) => ("ok", found.as_str(), None),
            Outcome::Problem { found, advice } => ("problem", found.as_str(), Some(advice.as_str())),
            Outcome::Skipped(why) => ("skipped", *why, None),
        };
        problems += usize::from(advice.is_some());
        rows.push(vec![(*name).to_owned(), status.to_owned(), found.to_owned()]);
        rows.extend(advice.map(|advice| vec![String::new(), "do".to_owned(), advice.to_owned()]));
        items.push(json!({"check": name, "status": status, "found": found, "advice": advice}));
    }
    let text = format!("{}\n{problems} problems", table(&["check", "status", "found"], &rows));
    Report::new(text, json!({"checks": items, "problems": problems})).found(problems > 0)
}
