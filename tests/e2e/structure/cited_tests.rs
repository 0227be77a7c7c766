//! The tests that documents cite exist, each in the file or module that it is cited from.
//!
//! A table whose last column is "pinned by" cites. The last cell of a row is a list of `` `place::name` ``, separated by
//! commas. A place is a file or folder, from the workspace's folder or from `tests/e2e`, or a module of a crate under
//! `shared/` (`domain::webhooks`). A name is the test's function, so that a search for it finds both.

use std::collections::BTreeSet;

use super::sources::{Source, rust_sources};
use crate::template::document::root;

#[test]
fn every_test_that_a_document_cites_exists() {
    let sources = rust_sources();
    for (document, rows) in [
        ("docs/API-DESIGN.md", 250),
        ("docs/RELIABILITY.md", 25),
        ("docs/DEPLOY.md", 35),
        ("docs/RUNBOOK.md", 12),
        ("SECURITY.md", 35),
    ] {
        let text = std::fs::read_to_string(root().join(document)).unwrap();
        let cells = cells(&text);
        assert!(cells.len() > rows, "only {} rows of {document} were found", cells.len());
        let problems: Vec<String> = cells.into_iter().flat_map(|cell| problems(cell, &sources)).collect();
        assert!(problems.is_empty(), "{document}: {}", problems.join("\n"));
    }
}

#[test]
fn every_test_that_stands_in_for_what_the_local_aws_lacks_exists() {
    let script = std::fs::read_to_string(root().join("tests/deploy/local_aws.py")).unwrap();
    let table = script.split_once("\nLACKING = {\n").unwrap().1.split_once("\n}").unwrap().0;
    let tests: Vec<&str> = table.lines().map(|line| line.rsplit('"').nth(1).unwrap()).collect();
    assert!(tests.len() > 8, "only {tests:?} were found");
    let sources = rust_sources();
    for test in tests {
        let (module, name) = test.rsplit_once("::").unwrap_or_else(|| panic!("{test} is no test"));
        let place = format!("tests/e2e/{}", module.replace("::", "/"));
        let found = tests_of(&place, &sources).contains(name);
        assert!(found, "tests/deploy/local_aws.py names {test}, which does not exist");
    }
}

/// The last cell of every row of every table that cites.
fn cells(document: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut cites = None;
    for line in document.lines() {
        let Some(row) = line.trim().strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            cites = None;
            continue;
        };
        let cell = row.rsplit(" | ").next().unwrap().trim();
        match cites {
            None => cites = Some(cell == "pinned by"),
            Some(true) if !cell.ends_with("---") => cells.push(cell),
            Some(_) => {}
        }
    }
    cells
}

/// The citations of a cell that lead nowhere.
fn problems(cell: &str, sources: &[Source]) -> Vec<String> {
    let leads = |citation: &&str| {
        let code = citation.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
        let test = code.and_then(|code| code.rsplit_once("::"));
        test.is_some_and(|(place, name)| tests_of(place, sources).contains(name))
    };
    cell.split(", ").filter(|citation| !leads(citation)).map(|citation| format!("no test {citation}")).collect()
}

/// The names of the tests at a place.
fn tests_of(place: &str, sources: &[Source]) -> BTreeSet<String> {
    let path = match place.split_once("::") {
        Some((layer, module)) => format!("shared/{layer}/src/{}", module.replace("::", "/")),
        None if place.contains(['/', '.']) => place.to_owned(),
        None => format!("shared/{place}/src"),
    };
    let stem = path.trim_end_matches(".rs");
    let of_place = |source: &&Source| {
        [&source.path, source.path.trim_start_matches("tests/e2e/")].into_iter().any(|file| {
            file == path
                || !path.ends_with(".rs") && (file == format!("{stem}.rs") || file.starts_with(&format!("{stem}/")))
        })
    };
    sources.iter().filter(of_place).flat_map(|source| test_names(&source.text)).collect()
}

/// The functions behind `#[test]` and `#[tokio::test]`.
fn test_names(text: &str) -> impl Iterator<Item = String> {
    let mut lines = text.lines().map(str::trim);
    std::iter::from_fn(move || {
        lines.find(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"))?;
        let function = lines.find_map(|line| line.trim_start_matches("async ").strip_prefix("fn "));
        function.map(|rest| rest.split('(').next().unwrap().to_owned())
    })
}

#[test]
fn a_citation_of_a_test_that_does_not_exist_is_found() {
    let file = |path: &str, test: &str| Source {
        path: path.into(),
        text: format!(
            "fn of_no_test() {{}}\n#[tokio::test(flavor = \"x\")]\nasync fn {test}() {{\n    fn inner() {{}}\n}}\n"
        ),
    };
    let sources = [file("tests/e2e/wiki.rs", "an_AI_answers"), file("shared/domain/src/events/tests.rs", "it_is_told")];
    let count = |cell: &str| problems(cell, &sources).len();
    for good in [
        "`wiki.rs::an_AI_answers`",
        "`tests/e2e/wiki.rs::an_AI_answers`, `domain::events::it_is_told`",
        "`shared/domain/src/events::it_is_told`",
        "`domain::it_is_told`",
    ] {
        assert_eq!(count(good), 0, "{good}");
    }
    for (bad, problems) in [
        ("`wiki.rs::an_AI_answer`", 1),
        ("`wiki.rs::an_AI_answers_more`", 1),
        ("`wiki.rs::an AI answers`", 1),
        ("`wiki.rs`", 1),
        ("wiki.rs::an_AI_answers", 1),
        ("", 1),
        ("–", 1),
        ("`an_AI_answers`", 1),
        ("`wiki.rs::of_no_test`", 1),
        ("`wiki.rs::inner`", 1),
        ("`iki.rs::an_AI_answers`", 1),
        ("`domain::event::it_is_told`", 1),
        ("`domain::events::an_AI_answers`", 1),
        ("`wiki.rs::an_AI_answers`, it_is_told", 1),
        ("`wiki.rs::one`, `wiki.rs::two`", 2),
    ] {
        assert_eq!(count(bad), problems, "{bad}");
    }
    let table = "| promise | pinned by |\n|---|---|\n| a `|` b | `wiki.rs::d` |\n\ntext | x\n";
    assert_eq!(cells(table), ["`wiki.rs::d`"]);
    assert!(cells("| where | days |\n|---|---|\n| there | 30 |\n").is_empty());
}
