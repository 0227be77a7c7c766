//! Tests that the documents agree with the code.

use crate::template::document::root;

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_readme_explains_every_variable_that_is_read() {
    let readme = read("README.md");
    for (variable, _) in aws::config::VARIABLES {
        assert!(readme.contains(&format!("`{variable}`")), "{variable} is not in the README");
    }
}

#[test]
fn the_script_of_a_change_runs_the_readmes_test_command_last() {
    let readme = read("README.md");
    let command = readme.split("## Test it").nth(1).unwrap().split("```").nth(1).unwrap().trim();
    assert_eq!(read(".ci/run").trim_end().lines().last(), Some(command));
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut links = 0;
    let documents = ["README.md", "docs/ARCHITECTURE.md", "docs/DEPLOY.md", "docs/API-DESIGN.md"];
    for document in documents {
        let folder = root().join(document).parent().unwrap().to_owned();
        for target in read(document).split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned()) {
            links += 1;
            let local = !target.contains("://");
            assert!(!local || folder.join(&target).exists(), "{document} links to {target}");
        }
    }
    assert!(links > 4, "only {links} links were found");
}
