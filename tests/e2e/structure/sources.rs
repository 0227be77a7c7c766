//! The workspace's Rust files.

use std::path::Path;

use crate::template::document::root;

/// A file, its path from the workspace's folder.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// Every Rust file of ours.
pub(crate) fn rust_sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["shared", "functions", "infra", "tests"] {
        collect(&root().join(folder), &mut found);
    }
    assert!(found.len() > 40, "only {} files were found", found.len());
    found
}

/// What is shipped of them: no tests, no test modules, no comments.
pub(crate) fn shipped() -> impl Iterator<Item = Source> {
    let is_test = |path: &str| path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("/tests.rs");
    rust_sources().into_iter().filter(move |source| !is_test(&source.path)).map(|source| {
        let code = source.text.split("#[cfg(test)]\nmod ").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        Source { text: lines.collect::<Vec<_>>().join("\n"), path: source.path }
    })
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Source { text: std::fs::read_to_string(&path).unwrap(), path: name });
        }
    }
}
