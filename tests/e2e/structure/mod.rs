//! The structure of the repository: forbidden dependencies, file sizes, where time and randomness are read.

mod circles;
mod cited_tests;
mod docs;
mod linked_crates;
mod manifests;
mod pinned_tools;
pub(crate) mod sources;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use sources::{Source, rust_sources, shipped};

use crate::template::document::root;

/// What Cargo says of our packages.
fn metadata() -> Value {
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    serde_json::from_slice(&cargo.stdout).unwrap()
}

/// Each of our crates with the folder it is in and our crates that its shipped code depends on.
fn crates() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap().clone();
    let ours: BTreeSet<String> = packages.iter().map(|p| p["name"].as_str().unwrap().to_owned()).collect();
    let of = |package: &Value| {
        let shipped = package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"] != "dev");
        let names: BTreeSet<String> = shipped.map(|d| d["name"].as_str().unwrap().to_owned()).collect();
        let manifest = package["manifest_path"].as_str().unwrap();
        let folder = manifest.trim_start_matches(root().to_str().unwrap()).trim_matches('/').to_owned();
        (folder, names.intersection(&ours).cloned().collect())
    };
    packages.iter().map(|package| (package["name"].as_str().unwrap().to_owned(), of(package))).collect()
}

/// The layers of docs/ARCHITECTURE.md, in their order: each crate under `shared/` with those that it stands on.
fn layers() -> Vec<(String, BTreeSet<String>)> {
    let document = std::fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let table = document.split_once("| crate | what it holds | depends on |\n|---|---|---|\n").unwrap().1;
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let layer = |row: &str| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        (quoted(cells[0]).remove(0), quoted(cells[2]).into_iter().collect())
    };
    rows.map(layer).collect()
}

/// Cargo refuses every arrow that no manifest declares; the document's table keeps one from being added without a word.
#[test]
fn each_layer_stands_on_those_below_it_alone() {
    let crates = crates();
    let mut above = BTreeSet::new();
    for (name, below) in layers() {
        let (folder, uses) = &crates[&name];
        assert_eq!(folder, &format!("shared/{name}/Cargo.toml"));
        assert_eq!(uses, &below, "docs/ARCHITECTURE.md says otherwise of {name}");
        assert!(below.is_subset(&above), "docs/ARCHITECTURE.md: {name} stands before a crate that it depends on");
        above.insert(name);
    }
    let under_shared = crates.values().filter(|(folder, _)| folder.starts_with("shared/")).count();
    assert_eq!(under_shared, above.len(), "a crate under shared/ that is no layer");
}

#[test]
fn a_function_knows_no_other_function() {
    let layers: BTreeSet<String> = layers().into_iter().map(|(name, _)| name).collect();
    for (name, (folder, uses)) in crates() {
        assert!(!folder.starts_with("functions/") || uses.is_subset(&layers), "{name} depends on {uses:?}");
    }
}

#[test]
fn the_lines_of_every_shipped_crate_follow_the_log_level() {
    let shipped = crates().into_iter().filter(|(_, (folder, _))| !folder.starts_with("tests/"));
    let shipped: BTreeSet<String> = shipped.map(|(name, _)| name.replace('-', "_")).collect();
    assert_eq!(BTreeSet::from(edge::telemetry::OWN_CRATES.map(str::to_owned)), shipped);
}

#[test]
fn nothing_but_the_operators_command_line_depends_on_the_local_service() {
    for (name, (folder, uses)) in crates() {
        let allowed = folder.starts_with("tests/") || name == "ops";
        assert!(allowed || !uses.contains("local"), "{name} depends on local");
        assert!(!uses.contains("ops"), "{name} depends on ops");
    }
}

#[test]
fn no_handler_can_build_a_key_or_an_expression() {
    for (name, (folder, _)) in crates() {
        if !folder.starts_with("functions/") {
            continue;
        }
        let manifest = std::fs::read_to_string(root().join(&folder)).unwrap();
        let shipped = manifest.split("[dev-dependencies]").next().unwrap();
        for client in ["aws-sdk", "serde_dynamo", "opensearch", "reqwest"] {
            assert!(!shipped.contains(client), "{name} depends on {client}");
        }
    }
    let outside: Vec<Source> = shipped().filter(|source| !source.path.starts_with("shared/aws/src/store/")).collect();
    for source in outside.iter().filter(|source| !source.path.starts_with("infra/local/")) {
        for expression in ["store::keys", "key_condition_expression", "condition_expression", "update_expression"] {
            assert!(!source.text.contains(expression), "{} builds a {expression}", source.path);
        }
    }
}

#[test]
fn what_is_pure_links_no_client() {
    for name in ["text", "domain", "page", "answer"] {
        let manifest = std::fs::read_to_string(root().join(format!("shared/{name}/Cargo.toml"))).unwrap();
        let shipped = manifest.split("[dev-dependencies]").next().unwrap();
        for client in ["aws", "axum", "http.", "opensearch", "reqwest", "lambda", "serde_dynamo"] {
            let line = format!("\n{client}");
            assert!(!shipped.contains(&line), "{name} depends on {client}");
        }
    }
}

#[test]
fn environment_time_and_chance_come_in_at_one_door_each() {
    let doors = ["shared/aws/src/config/", "shared/domain/src/clock.rs"];
    let asks = [
        "std::env",
        "env::var",
        "SystemTime::now",
        "OffsetDateTime::now",
        "Instant::now",
        "getrandom::",
        "rand::",
        "Ulid::new",
        "Ulid::generate",
        "Uuid::new",
    ];
    for source in shipped() {
        let door = doors.iter().any(|door| source.path.starts_with(door))
            || ["/main.rs", "/build.rs"].iter().any(|file| source.path.ends_with(file));
        for ask in asks.iter().filter(|_| !door && !source.path.starts_with("infra/local/")) {
            assert!(!source.text.contains(ask), "{} asks {ask}", source.path);
        }
    }
}

#[test]
fn a_repository_method_takes_the_tenant_first() {
    // The table as a whole, what makes a tenant, a key by its hash (that is how a request finds its tenant), what
    // an index is rebuilt from, what is due of every tenant or lacks vectors, how many dimensions a model gives, the keys of
    // widget tokens, and how the service itself is and runs.
    let named = [
        "schema.rs: create_table",
        "table.rs: ping",
        "table.rs: probe_writes",
        "tenants.rs: create",
        "tenants.rs: list",
        "api_keys.rs: create",
        "api_keys.rs: find_by_hash",
        "api_keys.rs: record_use",
        "scan.rs: scan",
        "due.rs: list",
        "due.rs: list_newest",
        "due.rs: put_back",
        "sweep_runs.rs: begin",
        "sweep_runs.rs: list_unfinished",
        "sweep_runs.rs: end",
        "vectors.rs: get_cursor",
        "vectors.rs: put_cursor",
        "vectors.rs: get_dimensions",
        "vectors.rs: put_dimensions",
        "revoked_widget_keys.rs: list",
        "revoked_widget_keys.rs: add",
        "agent_runs.rs: record",
        "agent_runs.rs: list",
    ];
    let mut methods = 0;
    for source in shipped().filter(|source| source.path.starts_with("shared/aws/src/store/")) {
        for method in source.text.split("pub async fn ").skip(1) {
            methods += 1;
            let name: String = method.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let parameters = method.split(") ->").next().unwrap();
            let first =
                parameters.split_once("&self").map_or("", |(_, rest)| rest.trim_start_matches([',', ' ', '\n']));
            let first = first.split(',').next().unwrap();
            let tenant = first.ends_with(": &Scope") || first.ends_with(": &TenantId");
            let place = format!("{}: {name}", source.path.rsplit('/').next().unwrap());
            assert!(tenant || named.contains(&place.as_str()), "{place}({first})");
        }
    }
    assert!(methods > 10, "only {methods} methods were found");
}

#[test]
fn no_function_reads_the_whole_table() {
    let shipped: Vec<Source> = shipped().filter(|source| !source.path.starts_with("infra/")).collect();
    let scans = |source: &&Source| source.text.contains(".scan()") || source.text.contains("wiki().scan(");
    let scanning: Vec<&str> = shipped.iter().filter(scans).map(|source| source.path.as_str()).collect();
    assert_eq!(
        scanning,
        [
            "shared/app/src/jobs/indexing/from_table.rs",
            "shared/aws/src/store/tenant_items.rs",
            "shared/aws/src/store/wiki/scan.rs",
        ],
        "the scans are for rebuilding an index and for operators, and for no request"
    );
    let calls = shipped.iter().filter(|source| source.text.contains("from_table::"));
    let calling: Vec<&str> = calls.map(|source| source.path.as_str()).collect();
    assert_eq!(calling, ["shared/app/src/jobs/indexing/rebuild.rs"], "a function indexes the whole table");
}

#[test]
fn a_log_line_names_its_error_in_the_field_error() {
    // `%error` alone, another field, or another name of the variable.
    let other_names =
        regex::Regex::new(r"\berror\.causes\b|[(,]\s*[%?](?:e|err|error)\b|\b(?:e|err|cause|reason) = [%?]e").unwrap();
    for source in shipped() {
        for call in source.text.split("tracing::").skip(1).filter(|call| call.contains("!(")) {
            let call = call.split(';').next().unwrap_or_default();
            assert!(!other_names.is_match(call), "{}: {call}", source.path);
        }
    }
}

#[test]
fn no_error_prints_the_response_of_a_service() {
    for source in shipped().filter(|source| source.path != "shared/aws/src/sdk_error.rs") {
        assert!(!source.text.contains("DisplayErrorContext"), "{}: use aws::sdk_error::describe", source.path);
    }
}

#[test]
fn no_file_is_a_giant() {
    for source in rust_sources() {
        let lines = source.text.lines().count();
        assert!(lines <= 400, "{} has {lines} lines", source.path);
    }
}

#[test]
fn every_file_starts_with_a_module_comment() {
    let told = |source: &Source| !source.path.ends_with("/tests.rs");
    for source in rust_sources().into_iter().filter(told) {
        assert!(source.text.starts_with("//!"), "{} does not say what it is", source.path);
    }
}
