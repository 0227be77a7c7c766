//! The workspace's Rust files.

use std::collections::BTreeSet;
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
    let sources = rust_sources();
    let of_tests: BTreeSet<String> =
        sources.iter().flat_map(|source| test_modules(&source.path, &source.text)).collect();
    let is_test = move |path: &str| {
        let in_folder = |module: &String| path.starts_with(&format!("{}/", module.trim_end_matches(".rs")));
        path.starts_with("tests/")
            || path.contains("/tests/")
            || of_tests.contains(path)
            || of_tests.iter().any(in_folder)
    };
    sources.into_iter().filter(move |source| !is_test(&source.path)).map(|source| {
        let code = without_test_modules(&source.text);
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        Source { text: lines.collect::<Vec<_>>().join("\n"), path: source.path }
    })
}

/// What stands before a module of tests.
const TEST_MARK: &str = "#[cfg(test)]";

/// The name of the module that a line begins, with whether its content stands there too.
fn module(line: &str) -> Option<(&str, bool)> {
    let (_, declared) = line.trim_start().split_once("mod ").filter(|(before, _)| {
        before.is_empty() || (before.starts_with("pub") && before.ends_with(' ') && !before.contains("fn"))
    })?;
    match declared.strip_suffix(';') {
        Some(name) => Some((name, false)),
        None => declared.strip_suffix(" {").map(|name| (name, true)),
    }
}

/// The files of the modules of tests that the file `path` declares.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap();
    let inner = match file {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        other => format!("{folder}/{}", other.trim_end_matches(".rs")),
    };
    let (mut files, mut lines) = (Vec::new(), text.lines());
    while lines.any(|line| line.trim() == TEST_MARK) {
        let line = lines.next().unwrap_or_default();
        if let Some(named) = line.trim().strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")) {
            files.push(format!("{folder}/{named}"));
        } else if let Some((name, false)) = module(line) {
            files.push(format!("{inner}/{name}.rs"));
            files.push(format!("{inner}/{name}/mod.rs"));
        }
    }
    files
}

/// A file without its modules of tests, and with all that stands behind them. Formatted code is expected: a module ends
/// at the first line that is a brace under its first letter.
fn without_test_modules(text: &str) -> String {
    let (mut kept, mut lines) = (Vec::new(), text.lines().peekable());
    while let Some(line) = lines.next() {
        let attributed = line.trim() == TEST_MARK;
        if attributed && lines.peek().is_some_and(|next| next.trim_start().starts_with("#[path")) {
            lines.next();
        }
        let Some((_, whole)) = lines.peek().filter(|_| attributed).and_then(|next| module(next)) else {
            kept.push(line);
            continue;
        };
        let end = format!("{}}}", line.split('#').next().unwrap());
        lines.next();
        if whole {
            assert!(lines.any(|line| line == end), "a module of tests without an end");
        }
    }
    kept.join("\n")
}

#[test]
fn what_stands_behind_a_module_of_tests_is_shipped() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\nfn one() {}\n#[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod x_tests;\n\
                #[cfg(test)]\npub(crate) mod inner {\n    fn test() {\n    }\n}\nfn two() {}\n\
                #[cfg(test)]\nfn for_tests() {}\n";
    let kept = "use a;\nfn one() {}\nfn two() {}\n#[cfg(test)]\nfn for_tests() {}";
    assert_eq!(without_test_modules(text), kept);
    assert_eq!(test_modules("shared/src/a.rs", text)[0], "shared/src/a/tests.rs");
    assert_eq!(
        test_modules("shared/src/a/mod.rs", text)[1..3],
        ["shared/src/a/tests/mod.rs", "shared/src/a/x_tests.rs"]
    );
}

#[test]
fn every_line_of_ours_is_shipped_or_of_tests() {
    let shipped: BTreeSet<String> = shipped().map(|source| source.path).collect();
    for expected in ["shared/app/src/lib.rs", "shared/edge/src/auth/widget_token.rs", "functions/changes/src/lib.rs"] {
        assert!(shipped.contains(expected), "{expected}");
    }
    for tests in ["shared/edge/src/auth/widget_token_tests.rs", "shared/answer/src/prompt/hostile_tests.rs"] {
        assert!(!shipped.contains(tests), "{tests}");
    }
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/");
            found.push(Source { text: std::fs::read_to_string(&path).unwrap(), path: name });
        }
    }
}
