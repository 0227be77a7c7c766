//! Every dependency of a manifest is used by its crate, and shipped ones by shipped code; none is built twice for tests.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::{metadata, sources};
use crate::template::document::root;

/// Crates whose library has another name than the package.
const RENAMED: [(&str, &str); 1] = [("dynoxide-rs", "dynoxide")];

/// Dependencies that only enable a feature of a crate further down.
const FEATURES_ONLY: [(&str, &str); 1] = [("local", "serde_dynamo")];

#[test]
fn every_dependency_is_used() {
    let shipped: Vec<sources::Source> = sources::shipped().collect();
    let mut unused = Vec::new();
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        let inside = format!("{}/", folder.strip_prefix(root()).unwrap().to_str().unwrap());
        let all: String = with_included(folder).iter().map(|file| code(&read(file))).collect();
        let own: String =
            shipped.iter().filter(|source| source.path.starts_with(&inside)).map(|s| code(&s.text)).collect();
        for dependency in package["dependencies"].as_array().unwrap() {
            let wanted = dependency["name"].as_str().unwrap();
            let ships = dependency["kind"] != "dev" && !inside.starts_with("tests/");
            let used = mentions(if ships { &own } else { &all }, wanted);
            if !used && !FEATURES_ONLY.contains(&(name, wanted)) {
                unused.push(format!("{name}: {wanted}"));
            }
        }
    }
    assert_eq!(unused, Vec::<String>::new(), "remove them, or move those of tests to [dev-dependencies]");
}

#[test]
fn every_dependency_of_the_workspace_has_a_member_that_names_it() {
    let manifest = read(&root().join("Cargo.toml"));
    let section = manifest.split("[workspace.dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
    let listed = section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.to_owned());
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    let named: BTreeSet<&str> = packages
        .iter()
        .flat_map(|package| package["dependencies"].as_array().unwrap())
        .filter_map(|dependency| dependency["name"].as_str())
        .collect();
    let unused: Vec<String> = listed.filter(|name| !named.contains(name.as_str())).collect();
    assert_eq!(unused, Vec::<String>::new());
}

/// The packages of a build of the whole workspace, each with its features; those for tests too, or without.
fn built(edges: &str) -> BTreeSet<String> {
    let mut tree = Command::new(env!("CARGO"));
    tree.args(["tree", "--workspace", "--offline", "--prefix", "none", "--format", "{p} {f}", "--edges", edges]);
    let output = tree.current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8(output.stdout).unwrap();
    told.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

/// A feature that only a test asks for would be missing in the binaries that tests build, so that cargo would build its
/// crate and all that depend on it a second time.
#[test]
fn the_binaries_that_tests_start_are_built_from_what_the_tests_are_built_from() {
    let (binaries, tests) = (built("normal,build"), built("normal,build,dev"));
    let twice: Vec<&String> = binaries.difference(&tests).collect();
    assert_eq!(twice, Vec::<&String>::new(), "a dev-dependency enables a feature of these");
}

/// A target that cargo does not test is one binary less to link, as long as nothing in it is a test.
#[test]
fn a_target_is_tested_exactly_if_it_holds_a_test() {
    let (mut left_out, mut empty) = (Vec::new(), Vec::new());
    for package in metadata()["packages"].as_array().unwrap() {
        for target in package["targets"].as_array().unwrap() {
            let source = Path::new(target["src_path"].as_str().unwrap());
            let is_library = target["kind"][0] == "lib";
            if !is_library && target["kind"][0] != "bin" {
                continue;
            }
            // A binary beside a library is its main file.
            let is_main_file = !is_library && source.with_file_name("lib.rs").exists();
            let files = if is_main_file { vec![source.to_owned()] } else { rust_files(source.parent().unwrap()) };
            if target["test"] == true && !files.iter().any(|file| holds_tests(&read(file))) {
                empty.push(source.to_owned());
            }
            for file in files {
                let text = read(&file);
                let is_left_out = |tested: &str, holds: bool| target[tested] == false && holds;
                if is_left_out("test", holds_tests(&text)) || is_left_out("doctest", is_library && shows_code(&text)) {
                    left_out.push(file);
                }
            }
        }
    }
    assert_eq!(left_out, Vec::<PathBuf>::new(), "remove `test = false` or `doctest = false` from the manifest");
    assert_eq!(empty, Vec::<PathBuf>::new(), "add `test = false` to the manifest");
}

fn holds_tests(text: &str) -> bool {
    text.lines()
        .any(|line| ["#[test]", "#[tokio::test", "proptest! {"].iter().any(|test| line.trim().starts_with(test)))
}

/// Whether a comment shows code that cargo would run: a block without a language, or of Rust.
fn shows_code(text: &str) -> bool {
    let comments = text.lines().filter_map(|line| line.trim().strip_prefix("///").or(line.trim().strip_prefix("//!")));
    let mut fences = comments.filter_map(|line| line.trim().strip_prefix("```"));
    fences.by_ref().step_by(2).any(|language| ["", "rust", "no_run", "should_panic"].contains(&language))
}

#[test]
fn a_test_is_told_from_other_code() {
    assert!(
        holds_tests("    #[test]\n    fn it_works() {}") && holds_tests("#[tokio::test(flavor = \"multi_thread\")]")
    );
    assert!(!holds_tests("// #[test]\nfn main() {}"));
    assert!(shows_code("/// ```\n/// f();\n/// ```") && shows_code("//! ```text\n//! ```\n//! ```no_run\n//! ```"));
    assert!(!shows_code("/// ```ignore\n/// f();\n/// ```\nlet fence = \"```\";"));
}

/// Whether code uses the crate `name`: a path that begins with it, or an import of it.
fn mentions(code: &str, name: &str) -> bool {
    let renamed = RENAMED.iter().find(|(package, _)| *package == name).map_or(name, |(_, library)| library);
    let library = renamed.replace('-', "_");
    code.match_indices(&library).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let begins = before.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != ':');
        let after = &code[at + library.len()..];
        begins && ["::", ";", " as "].iter().any(|next| after.starts_with(next))
    })
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap()
}

/// A file without its comment lines.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// The Rust files of a crate, and those elsewhere that it includes by `#[path]`.
fn with_included(folder: &Path) -> BTreeSet<PathBuf> {
    let (mut open, mut found) = (rust_files(folder), BTreeSet::new());
    while let Some(file) = open.pop() {
        if found.insert(file.clone()) {
            let text = read(&file);
            let included = text.split("#[path = \"").skip(1).map(|rest| rest.split('"').next().unwrap());
            let included = included.map(|path| normal(&file.parent().unwrap().join(path)));
            // A folder of modules is one of this crate's own.
            open.extend(included.filter(|path| path.is_file()));
        }
    }
    found
}

/// The Rust files under a folder, without those of crates and build results in it.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.join("Cargo.toml").exists() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// A path without its `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            normal.pop();
        } else {
            normal.push(component);
        }
    }
    normal
}

#[test]
fn a_use_of_a_crate_is_told_from_another_word() {
    assert!(mentions("use time::Date;", "time") && mentions("extern crate aws_lc_rs;", "aws-lc-rs"));
    assert!(mentions("let x = dynoxide::Database::memory();", "dynoxide-rs"));
    assert!(!mentions("use std::time::Duration; let runtime::x = 1; // time", "time"));
}
