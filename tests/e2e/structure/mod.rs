//! The structure of the repository: forbidden dependencies, file sizes, how repositories and log lines are written. Where
//! time, randomness and the environment are read, and who scans the table, `clippy.toml` says.

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
use syn::{FnArg, ImplItem, Item, Signature, Type, TypeReference, Visibility};

use crate::template::document::root;

/// Cargo's metadata of our packages.
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
    assert_eq!(BTreeSet::from(support::edge::telemetry::OWN_CRATES.map(str::to_owned)), shipped);
}

#[test]
fn nothing_but_the_operators_command_line_depends_on_the_local_service() {
    for (name, (folder, uses)) in crates() {
        let allowed = folder.starts_with("tests/") || name == "ops";
        assert!(allowed || !uses.contains("local"), "{name} depends on local");
        assert!(!uses.contains("ops"), "{name} depends on ops");
    }
}

/// A function reaches the table, the index and other systems through the layers alone, whose keys and expressions are
/// private. What is pure reaches nothing.
#[test]
fn functions_and_pure_crates_ship_no_client() {
    for package in metadata()["packages"].as_array().unwrap() {
        let (name, folder) = (package["name"].as_str().unwrap(), package["manifest_path"].as_str().unwrap());
        let pure = ["text", "domain", "page", "answer"].contains(&name);
        if !pure && !folder.starts_with(root().join("functions").to_str().unwrap()) {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap().iter().filter(|d| d["kind"] != "dev") {
            let dependency = dependency["name"].as_str().unwrap();
            let client = ["aws-", "serde_dynamo", "opensearch", "reqwest"].iter().any(|c| dependency.starts_with(c));
            let of_edges = ["aws", "axum", "http", "lambda"].iter().any(|c| dependency.starts_with(c));
            assert!(!(client || pure && of_edges), "{name} depends on {dependency}");
        }
    }
}

fn method(item: &ImplItem) -> Option<(&Visibility, &Signature)> {
    if let ImplItem::Fn(method) = item { Some((&method.vis, &method.sig)) } else { None }
}

/// Whether a file of the product holds table code: the generic part, or that of a thing.
fn is_table(path: &str) -> bool {
    path.starts_with("shared/support/src/") && (path.ends_with("/table.rs") || path.contains("/table/"))
}

/// Whether other files may call it, those of other crates if `to_others`.
fn is_shown(visible: &Visibility, to_others: bool) -> bool {
    matches!(visible, Visibility::Public(_)) || !to_others && !matches!(visible, Visibility::Inherited)
}

/// Of the generic table code, the rest of the product names what says how far a list, a decision or a request is, and
/// what the stream holds: keys, expressions and writes are made in the tables of things alone.
#[test]
fn only_tables_build_keys_and_expressions() {
    let allowed = ["Store", "CursorPage", "Decision", "RequestRecord", "in_progress_for", "Record", "DUE_SHARDS"];
    let src = root().join("shared/support/src");
    let read = circles::Crate::read(&src.join("lib.rs"));
    let (mut named, mut tables) = (0, 0);
    for (file, other, names) in read.named() {
        let file = file.strip_prefix(root()).unwrap().to_str().unwrap();
        if is_table(file) {
            tables += 1;
        } else if other.starts_with(src.join("table")) {
            named += 1;
            let is_allowed = names.iter().any(|name| allowed.contains(&name.as_str()));
            assert!(is_allowed, "{file} uses {names:?} of {}", other.display());
        }
    }
    assert!(named > 50 && tables > 500, "the product's names are not found: {named}, {tables}");
    let client = regex::Regex::new(r"aws_sdk_dynamodb|serde_dynamo|\bstore(\(\))?\s*\.client\b").unwrap();
    for source in shipped().filter(|s| s.path.starts_with("shared/support/src/") && !is_table(&s.path)) {
        let used = client.find(&source.text).map(|used| used.as_str());
        assert_eq!(used, None, "{}", source.path);
    }
}

/// The table and the index are kept equal by what stands above both.
#[test]
fn tables_and_the_index_do_not_know_each_other() {
    let of_index =
        regex::Regex::new(r"\b(aws|answer)::(search|\{[^;]*\bsearch\b)|\bopensearch\b|\bSearchIndex\b").unwrap();
    let tables: Vec<Source> = shipped().filter(|source| is_table(&source.path)).collect();
    assert!(tables.len() > 30, "only {} files of tables were found", tables.len());
    for table in tables {
        assert!(!of_index.is_match(&table.text), "{} uses the index", table.path);
    }
    assert!(!crates()["aws"].1.contains("support"), "the adapters know the product");
}

#[test]
fn a_repository_method_takes_the_tenant_first() {
    // The table as a whole, what makes a tenant, a key by its hash (that is how a request finds its tenant), what
    // an index is rebuilt from, what is due of every tenant or lacks vectors, how many dimensions a model gives, the keys of
    // widget tokens, and how the service itself is and runs.
    let named = [
        "table/mod.rs: create_table",
        "table/mod.rs: ping",
        "table/mod.rs: probe_writes",
        "tenants/table/mod.rs: create",
        "tenants/table/mod.rs: list",
        "tenants/table/api_keys.rs: create",
        "tenants/table/api_keys.rs: find_by_hash",
        "tenants/table/api_keys.rs: record_use",
        "wiki/table/lists.rs: scan",
        "sweeper/table.rs: list",
        "sweeper/table.rs: list_newest",
        "sweeper/table.rs: put_back",
        "sweeper/table.rs: begin",
        "sweeper/table.rs: list_unfinished",
        "sweeper/table.rs: end",
        "wiki/table/vectors.rs: get_cursor",
        "wiki/table/vectors.rs: put_cursor",
        "wiki/table/vectors.rs: get_dimensions",
        "wiki/table/vectors.rs: put_dimensions",
        // The record of a request was made for its tenant.
        "edge/table/mod.rs: store",
        "edge/table/token_keys.rs: list",
        "edge/table/token_keys.rs: add",
        "edge/table/token_keys.rs: revoke_all_but",
        // Somebody who signs in is found by the hash of an identity, an invitation or a cookie, in several tenants.
        "members/table/mod.rs: find_invited",
        "members/table/mod.rs: find_bound",
        "members/table/mod.rs: find_signed_in",
        // Whether anybody has a member with an address.
        "members/table/mod.rs: is_somewhere",
        "members/table/mod.rs: memberships",
        // The failed sign-ins of an address, whose hash is the name.
        "edge/table/rate_buckets.rs: take_of_address",
        "edge/table/rate_buckets.rs: give_back_of_address",
        "health/table.rs: record",
        "health/table.rs: list",
    ];
    let mut methods = 0;
    for source in shipped().filter(|source| is_table(&source.path)) {
        // The rest of the generic part is what repositories are made of.
        let is_generic = source.path.starts_with("shared/support/src/table/");
        let items = syn::parse_file(&source.text).unwrap().items;
        let public = items.iter().flat_map(|item| match item {
            Item::Fn(function) => vec![(&function.vis, &function.sig)],
            Item::Impl(block) => block.items.iter().filter_map(method).collect(),
            _ => Vec::new(),
        });
        let public =
            public.filter(|(visible, signature)| is_shown(visible, is_generic) && signature.asyncness.is_some());
        for (_, signature) in public {
            methods += 1;
            let first = signature.inputs.iter().find_map(|input| match input {
                FnArg::Typed(parameter) => Some(&*parameter.ty),
                FnArg::Receiver(_) => None,
            });
            let tenant = first.is_some_and(|first| match first {
                Type::Reference(TypeReference { elem, .. }) => match &**elem {
                    Type::Path(named) => named.path.is_ident("Scope") || named.path.is_ident("TenantId"),
                    _ => false,
                },
                _ => false,
            });
            let place = format!("{}: {}", source.path.trim_start_matches("shared/support/src/"), signature.ident);
            assert!(tenant || named.contains(&place.as_str()), "{place} takes something else first");
        }
    }
    assert!(methods > 150, "only {methods} methods were found");
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
fn no_file_is_a_giant() {
    for source in rust_sources() {
        let lines = source.text.lines().count();
        assert!(lines <= 600, "{} has {lines} lines", source.path);
    }
}

#[test]
fn every_file_starts_with_a_module_comment() {
    let told = |source: &Source| !source.path.ends_with("/tests.rs");
    for source in rust_sources().into_iter().filter(told) {
        assert!(source.text.starts_with("//!"), "{} does not say what it is", source.path);
    }
}
