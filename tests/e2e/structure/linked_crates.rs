//! The clients and parsers in the built binary of each function. All functions depend on the same layers; the linker
//! leaves out what a function never calls. A crate that a function begins to link is added here on purpose.

use std::collections::BTreeSet;
use std::process::Command;

/// The clients of other systems, the parsers of what others write, and what only the local service may contain.
const WATCHED: [&str; 23] = [
    "aws_sdk_bedrockruntime",
    "aws_sdk_dynamodb",
    "aws_sdk_dynamodbstreams",
    "aws_sdk_kms",
    "aws_sdk_opensearch",
    "aws_sdk_secretsmanager",
    "aws_sdk_sqs",
    "brotli_decompressor",
    "dynoxide",
    "html5gum",
    "jiff",
    "jsonwebtoken",
    "local",
    "lambda_http",
    "openid",
    "opensearch",
    "ops",
    "outbound",
    "page",
    "pulldown_cmark",
    "rusqlite",
    "rustack_sqs_core",
    "rustack_sqs_http",
];

/// Table, secrets, HTTP events and widget tokens.
const HTTP: [&str; 4] = ["aws_sdk_dynamodb", "aws_sdk_secretsmanager", "jsonwebtoken", "lambda_http"];
/// The crates that answer questions: the index, a model, and the sanitiser of its text.
const ANSWERS: [&str; 3] = ["aws_sdk_bedrockruntime", "opensearch", "pulldown_cmark"];
/// The time zones of opening hours.
const HOURS: &str = "jiff";

/// Each function with what it links of [`WATCHED`].
fn table() -> Vec<(&'static str, Vec<&'static str>)> {
    let with = |common: &[&'static str], more: &[&'static str]| [common, more].concat();
    vec![
        ("analytics", with(&HTTP, &[])),
        // It asks the operator's provider who signs in.
        ("auth", with(&HTTP, &[HOURS, "openid", "outbound"])),
        // The analysis of entries leaves out their images, which a parser finds.
        ("changes", vec!["aws_sdk_dynamodb", "aws_sdk_sqs", "opensearch", "pulldown_cmark"]),
        ("embedding-worker", with(&ANSWERS, &["aws_sdk_dynamodb", "aws_sdk_secretsmanager", "aws_sdk_sqs"])),
        ("health", with(&HTTP, &["aws_sdk_bedrockruntime", "aws_sdk_opensearch", "aws_sdk_sqs", "opensearch"])),
        ("inbox", with(&HTTP, &[&ANSWERS[..], &[HOURS]].concat())),
        // It checks the address of a page, and does not fetch it.
        ("ingest", with(&HTTP, &["aws_sdk_sqs", "outbound"])),
        (
            "ingest-worker",
            with(
                &ANSWERS,
                &["aws_sdk_dynamodb", "aws_sdk_secretsmanager", "brotli_decompressor", "html5gum", "outbound", "page"],
            ),
        ),
        ("sessions", with(&HTTP, &[&ANSWERS[..], &[HOURS]].concat())),
        ("sweeper", with(&ANSWERS, &["aws_sdk_dynamodb", "aws_sdk_secretsmanager", "aws_sdk_sqs", HOURS])),
        ("webhook-worker", vec!["aws_sdk_dynamodb", "aws_sdk_kms", "aws_sdk_sqs", "outbound"]),
        // It checks the address of a receiver, and does not call it.
        ("webhooks", with(&HTTP, &["aws_sdk_kms", "aws_sdk_sqs", "outbound"])),
        // A dry run answers questions, with the embedding model alone.
        ("wiki", with(&HTTP, &[&ANSWERS[..], &[HOURS]].concat())),
    ]
}

/// The crates of [`WATCHED`] that the binary `name` defines functions of.
fn linked(name: &str) -> BTreeSet<&'static str> {
    let binary = crate::binaries::binary(name);
    let listed = Command::new("nm").args(["--demangle", "--defined-only"]).arg(&binary).output().unwrap();
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    // An address, a letter, a name.
    let names = listed.lines().filter_map(|line| line.splitn(3, ' ').nth(2));
    let crates: BTreeSet<&str> = names.filter_map(|name| Some(name.split_once("::")?.0)).collect();
    assert!(crates.contains("core"), "{} has no symbols of Rust", binary.display());
    WATCHED.into_iter().filter(|name| crates.contains(name)).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn every_function_links_what_it_needs_and_nothing_of_the_local_service() {
    if let Err(reason) = crate::services::installed(&["nm"]) {
        eprintln!("skipped: the crates that functions link, because {reason}");
        return;
    }
    let table = table();
    let functions = crate::template::document::functions();
    assert_eq!(functions.keys().map(String::as_str).collect::<Vec<_>>(), table.iter().map(|f| f.0).collect::<Vec<_>>());
    for (function, expected) in table {
        assert_eq!(linked(function), BTreeSet::from_iter(expected), "{function}");
    }
    let local = linked("local");
    for own in ["local", "dynoxide", "rusqlite", "opensearch", "page", "outbound"] {
        assert!(local.contains(own), "the names of crates are not found: {own}");
    }
}
