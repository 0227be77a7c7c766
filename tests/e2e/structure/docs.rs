//! Tests that the documents agree with the code.

use crate::template::document::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_configuration_document_explains_every_variable_that_is_read() {
    let document = read("docs/CONFIGURATION.md");
    for (variable, _) in aws::config::VARIABLES {
        assert!(document.contains(&format!("`{variable}`")), "{variable} is not in docs/CONFIGURATION.md");
    }
}

#[test]
fn the_script_of_a_change_runs_the_readmes_test_command_last() {
    let readme = read("README.md");
    let command = readme.split("## Test it").nth(1).unwrap().split("```").nth(1).unwrap().trim();
    // The script keeps a copy of what the command prints.
    let last = format!("{command} | tee \"$work/tests\"");
    assert_eq!(read(".ci/run").trim_end().lines().last(), Some(last.as_str()));
}

/// Every document, by its path from the workspace's folder.
fn documents() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "docs/", "docs/adr/", "examples/"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") {
                found.push(format!("{folder}{name}"));
            }
        }
    }
    assert!(found.len() > 15, "only {} documents were found", found.len());
    found
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut links = 0;
    for document in documents() {
        let folder = root().join(&document).parent().unwrap().to_owned();
        for target in read(&document).split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()) {
            links += 1;
            let local = !target.contains("://");
            assert!(!local || folder.join(&target).exists(), "{document} links to {target}");
        }
    }
    assert!(links > 20, "only {links} links were found");
}

#[test]
fn every_path_that_a_document_names_exists() {
    let mut paths = 0;
    for document in documents() {
        for line in read(&document).lines() {
            for code in line.split('`').skip(1).step_by(2) {
                let path = code.split([' ', ':', ',']).next().unwrap();
                let ours = ["shared/", "functions/", "infra/", "tests/", "docs/", "examples/"]
                    .iter()
                    .any(|f| path.starts_with(f));
                let pattern = path.contains(['*', '{', '…']) || path.contains("XX") || path.contains("NAME");
                if ours && !pattern {
                    paths += 1;
                    assert!(root().join(path).exists(), "{document} names {path}");
                }
            }
        }
    }
    assert!(paths > 100, "only {paths} paths were found");
}
