//! No change of the template replaces a stateful resource unnoticed.

use serde_json::json;

use super::document::root;
use super::transformed::run_python;

/// Changes of the template, and the report of the check.
const REPLACING: [(&str, &str, &str); 11] = [
    (
        "DomainName: !If [HasSearchDomainName, !Ref SearchDomainName, !Ref AWS::NoValue]",
        "DomainName: wiki",
        "Search: DomainName changes",
    ),
    ("BillingMode: PAY_PER_REQUEST", "TableName: t", "Table: TableName changes"),
    ("{AttributeName: sk, KeyType: RANGE}", "{AttributeName: sk2, KeyType: RANGE}", "Table: KeySchema changes"),
    ("  DeadLetterBucket:\n    Type", "  LetterBucket:\n    Type", "DeadLetterBucket is gone"),
    (
        "Type: AWS::S3::Bucket\n    DeletionPolicy: RetainExceptOnCreate\n    UpdateReplacePolicy: Retain\n    Properties:\n",
        "Type: AWS::S3::Bucket\n    Properties:\n      BucketName: letters\n",
        "DeadLetterBucket: BucketName changes",
    ),
    ("  SecretsKey:\n    Type", "  NewKey:\n    Type", "SecretsKey is gone"),
    ("  SecretsKey:\n    Type: AWS::KMS::Key", "  SecretsKey:\n    Type: AWS::KMS::ReplicaKey", "SecretsKey is gone"),
    ("Description: Signs and verifies", "Name: s\n      Description: Signs", "WidgetTokenSecret: Name changes"),
    ("  Table:\n    Type: AWS::Dyn", "  Table:\n    Condition: HasAlarmEmail\n    Type: AWS::Dyn", "Table: its cond"),
    // The condition of a new parameter holds for existing stacks, and no other does.
    (
        r#"OwnsSearchDomain: !Equals [!Ref ExistingSearchDomainName, ""]"#,
        r#"OwnsSearchDomain: !Equals [!Ref SearchDomainName, ""]"#,
        "Search: its condition",
    ),
    (
        r#"OwnsSearchDomain: !Equals [!Ref ExistingSearchDomainName, ""]"#,
        r#"OwnsSearchDomain: !Equals [!Ref ExistingSearchDomainName, "none"]"#,
        "Search: its condition",
    ),
];

/// Changes that replace nothing.
const HARMLESS: [(&str, &str); 2] =
    [("MinValue: 10", "MinValue: 20"), ("ExpirationInDays: 30", "ExpirationInDays: 31")];

/// Runs the script of the check for each template that its input names, in one process: its libraries take a second to
/// load. Prints what each run ended with.
const EACH: &str = r"
import json, runpy, sys
script, told = sys.argv[1], []
for template in json.load(sys.stdin):
    sys.argv = [script, 'check', '--template', template]
    try:
        runpy.run_path(script, run_name='__main__')
        told.append('')
    except SystemExit as ended:
        told.append(str(ended.code or ''))
json.dump(told, sys.stdout)
";

#[test]
fn a_change_that_would_replace_a_stateful_resource_fails_and_any_other_passes() {
    let folder = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("template.yaml")).unwrap();
    let changes: Vec<(&str, &str)> = REPLACING.iter().map(|(old, new, _)| (*old, *new)).chain(HARMLESS).collect();
    let mut files = Vec::new();
    for (number, (old, new)) in changes.iter().enumerate() {
        assert!(text.contains(old), "the template holds no {old}");
        let file = folder.path().join(format!("{number}.yaml"));
        std::fs::write(&file, text.replacen(old, new, 1)).unwrap();
        files.push(file.to_str().unwrap().to_owned());
    }
    let script = root().join("infra/aws/replacements.py");
    let each = folder.path().join("each.py");
    std::fs::write(&each, EACH).unwrap();
    let Some(output) = run_python(&each, &[script.to_str().unwrap()], &json!(files).to_string()) else { return };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Vec<String> = serde_json::from_slice(&output.stdout).unwrap();
    let (lost, none) = told.split_at(REPLACING.len());
    for ((_, new, expected), told) in REPLACING.iter().zip(lost) {
        assert!(told.contains(expected), "{new}: {told}");
    }
    assert_eq!(none, [""; HARMLESS.len()]);
    // As `deploy` runs it: the exit status says it.
    for (file, passes) in [(&files[0], false), (&files[REPLACING.len()], true)] {
        let checked = run_python(&script, &["check", "--template", file], "").unwrap();
        assert_eq!(checked.status.success(), passes, "{checked:?}");
    }
}
