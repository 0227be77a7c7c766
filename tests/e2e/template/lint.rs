//! The check of the template that runs before a deployment, over what CloudFormation gets.

use std::process::Output;

use super::document::root;
use super::transformed::run_python;

/// Values as the template has them, odd ones in their place, and what the check says of those.
const ODD: [(&str, &str, &str); 9] = [
    (
        "ParallelizationFactor: 4",
        "ParallelizationFactor: 11",
        "ChangesFunctionChanges/Properties/ParallelizationFactor: 11",
    ),
    ("BatchSize: 100\n", "BatchSize: 10001\n", "ChangesFunctionChanges/Properties/BatchSize: 10001"),
    ("TRIM_HORIZON", "TRIM_HORIZN", "StartingPosition: 'TRIM_HORIZN'"),
    ("MaximumRetryAttempts: 10\n", "MaximumRetryAttempts: 10001\n", "MaximumRetryAttempts: 10001"),
    ("MaximumRecordAgeInSeconds: 21600", "MaximumRecordAgeInSeconds: 604801", "MaximumRecordAgeInSeconds: 604801"),
    ("[ReportBatchItemFailures]", "[ReportBatchItemFailure]", "FunctionResponseTypes/0: 'ReportBatchItemFailure'"),
    (
        "{MaximumConcurrency: 2}",
        "{MaximumConcurrency: 1}",
        "EmbeddingWorkerFunctionEntries/Properties/ScalingConfig/MaximumConcurrency: 1",
    ),
    ("Timeout: 60\n", "Timeout: 901\n", "Properties/Timeout: 901"),
    ("MemorySize: 512", "MemorySize: 64", "Properties/MemorySize: 64"),
];

/// Misspelt names of properties, which the transform refuses.
const MISSPELT: [(&str, &str); 2] =
    [("BisectBatchOnFunctionError:", "BisectBatchOnFunctionErorr"), ("ScalingConfig:", "ScalingConfigs")];

/// The check of the template with these changes.
fn lint(changes: &[(&str, &str)]) -> Option<Output> {
    let mut text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    for (old, new) in changes {
        assert!(text.contains(old), "the template holds no {old}");
        text = text.replacen(old, new, 1);
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    run_python(&root().join("infra/aws/lint.py"), &["eu-central-1", "--template", file.path().to_str().unwrap()], "")
}

#[test]
fn the_template_as_cloudformation_gets_it_has_no_odd_value() {
    let Some(checked) = lint(&[]) else { return };
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn an_odd_value_or_name_of_a_property_of_a_function_or_an_event_source_is_named() {
    let Some(checked) = lint(&ODD.map(|(old, new, _)| (old, new))) else { return };
    assert!(!checked.status.success());
    let told = String::from_utf8_lossy(&checked.stderr).into_owned();
    for (_, _, expected) in ODD {
        assert!(told.contains(expected), "{expected} is not in\n{told}");
    }
    for (name, misspelt) in MISSPELT {
        let checked = lint(&[(name, &format!("{misspelt}:"))]).unwrap();
        assert!(!checked.status.success());
        assert!(String::from_utf8_lossy(&checked.stderr).contains(misspelt), "{checked:?}");
    }
}
