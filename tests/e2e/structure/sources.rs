//! The workspace's Rust files.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta, MetaNameValue};

use super::circles::is_test;
use crate::template::document::root;

/// A file, its path from the workspace's folder.
#[derive(Clone)]
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

/// The shipped code of them: no tests, no test modules, no comments. Parsed once, which takes seconds.
pub(crate) fn shipped() -> impl Iterator<Item = Source> {
    static SHIPPED: LazyLock<Vec<Source>> = LazyLock::new(read_shipped);
    SHIPPED.iter().cloned()
}

fn read_shipped() -> Vec<Source> {
    let sources = rust_sources();
    let of_tests: BTreeSet<String> =
        sources.iter().flat_map(|source| test_modules(&source.path, &source.text)).collect();
    let is_test = |path: &str| {
        let in_folder = |module: &String| path.starts_with(&format!("{}/", module.trim_end_matches(".rs")));
        path.starts_with("tests/")
            || path.contains("/tests/")
            || of_tests.contains(path)
            || of_tests.iter().any(in_folder)
    };
    let shipped = sources.into_iter().filter(|source| !is_test(&source.path)).map(|source| {
        let code = without_test_modules(&source.text);
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        Source { text: lines.collect::<Vec<_>>().join("\n"), path: source.path }
    });
    shipped.collect()
}

/// The modules of tests that a file declares, also those inside other modules.
fn modules_of_tests(text: &str) -> Vec<ItemMod> {
    let mut open = syn::parse_file(text).unwrap().items;
    let mut found = Vec::new();
    while let Some(item) = open.pop() {
        match item {
            Item::Mod(module) if is_test(&module.attrs) => found.push(module),
            Item::Mod(ItemMod { content: Some((_, items)), .. }) => open.extend(items),
            _ => {}
        }
    }
    found
}

/// The files of the modules of tests that the file `path` declares.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let (folder, file) = path.rsplit_once('/').unwrap();
    let inner = match file {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        other => format!("{folder}/{}", other.trim_end_matches(".rs")),
    };
    let declared = modules_of_tests(text).into_iter().filter(|module| module.content.is_none());
    let files = |module: ItemMod| match module.attrs.iter().find_map(path_of) {
        Some(named) => vec![format!("{folder}/{named}")],
        None => vec![format!("{inner}/{}.rs", module.ident), format!("{inner}/{}/mod.rs", module.ident)],
    };
    declared.flat_map(files).collect()
}

/// The file that an attribute `#[path = "…"]` names.
fn path_of(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(MetaNameValue { path, value: Expr::Lit(ExprLit { lit: Lit::Str(named), .. }), .. }) => {
            path.is_ident("path").then(|| named.value())
        }
        _ => None,
    }
}

/// A file without the lines of its modules of tests.
fn without_test_modules(text: &str) -> String {
    let tests: Vec<_> = modules_of_tests(text).iter().map(|m| m.span().start().line..=m.span().end().line).collect();
    let kept = text.lines().zip(1..).filter(|(_, line)| !tests.iter().any(|lines| lines.contains(line)));
    kept.map(|(text, _)| text).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_line_behind_a_module_of_tests_is_shipped() {
    let text = "use a;\n#[cfg(test)]\nmod tests;\nfn one() {}\n#[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod x_tests;\n\
                #[cfg(test)]\npub(crate) mod inner {\n    fn test() {\n    }\n}\nfn two() {}\n\
                #[cfg(test)]\nfn for_tests() {}\n";
    let kept = "use a;\nfn one() {}\nfn two() {}\n#[cfg(test)]\nfn for_tests() {}";
    assert_eq!(without_test_modules(text), kept);
    let of = |path| test_modules(path, text);
    assert!(of("shared/src/a.rs").contains(&"shared/src/a/tests.rs".to_owned()));
    for file in ["shared/src/a/tests/mod.rs", "shared/src/a/x_tests.rs"] {
        assert!(of("shared/src/a/mod.rs").contains(&file.to_owned()), "{file}");
    }
}

#[test]
fn every_line_of_ours_is_shipped_or_of_tests() {
    let shipped: BTreeSet<String> = shipped().map(|source| source.path).collect();
    for expected in
        ["shared/support/src/lib.rs", "shared/support/src/edge/auth/widget_token.rs", "functions/changes/src/main.rs"]
    {
        assert!(shipped.contains(expected), "{expected}");
    }
    for tests in ["shared/support/src/edge/auth/widget_token_tests.rs", "shared/answer/src/prompt/hostile_tests.rs"] {
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
