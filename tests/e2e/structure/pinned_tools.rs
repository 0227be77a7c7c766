//! A workflow runs pinned tools: actions by commit, because a tag can be moved, and cargo-deny by version.

use std::collections::BTreeSet;

use crate::template::document::root;

/// Each file under `.github`, by its path, with its text.
fn workflows() -> Vec<(String, String)> {
    let (mut folders, mut files) = (vec![root().join(".github")], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((path.display().to_string(), std::fs::read_to_string(path).unwrap())),
            }
        }
    }
    files
}

/// Whether a step's `uses` names a commit of 40 digits and, in a comment, the release that it is.
fn is_pinned(uses: &str) -> bool {
    let Some((reference, comment)) = uses.split_once(" # v") else { return false };
    let commit = reference.split_once('@').map_or("", |(_, commit)| commit);
    let is_commit = commit.len() == 40 && commit.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    let numbers: Vec<&str> = comment.split('.').collect();
    is_commit && numbers.len() == 3 && numbers.iter().all(|number| number.parse::<u32>().is_ok())
}

#[test]
fn every_action_is_pinned_by_commit_with_its_release_in_a_comment() {
    let mut actions = 0;
    for (file, text) in workflows() {
        for line in text.lines() {
            let Some(uses) = line.trim().trim_start_matches("- ").strip_prefix("uses: ") else { continue };
            actions += 1;
            assert!(uses.starts_with("./") || is_pinned(uses), "{file}: {line}");
        }
    }
    assert!(actions >= 5, "only {actions} actions were found");
    assert!(is_pinned("a/b@0123456789012345678901234567890123456789 # v1.2.3"));
    for floating in ["a/b@v4", "a/b@main", "a/b@0123456 # v1.2.3", "a/b@0123456789012345678901234567890123456789 # v4"]
    {
        assert!(!is_pinned(floating), "{floating}");
    }
}

#[test]
fn cargo_deny_is_installed_by_one_version_everywhere() {
    let read = |name: &str| (name.to_owned(), std::fs::read_to_string(root().join(name)).unwrap());
    let files = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "justfile", ".ci/run", "deny.toml"].map(read);
    let mut versions = BTreeSet::new();
    for (file, text) in workflows().into_iter().chain(files) {
        // A document breaks its lines anywhere.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for arguments in text.split("cargo install cargo-deny").skip(1) {
            let version = arguments.strip_prefix(" --version ").and_then(|rest| rest.split([' ', '`']).next());
            let version = version.unwrap_or_else(|| panic!("{file} installs cargo-deny without a version"));
            versions.insert(version.to_owned());
        }
    }
    assert_eq!(versions.len(), 1, "{versions:?}");
    assert!(versions.iter().all(|version| version.split('.').count() == 3), "{versions:?}");
}
