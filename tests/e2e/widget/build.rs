//! The committed files of widget and desk are what their sources give.

use std::process::Command;

use text::dialogue::{Sentence, sentence};

use super::{run_script, script_element};
use crate::template::document::root;

#[tokio::test(flavor = "multi_thread")]
async fn the_committed_files_are_those_of_the_sources_and_small() {
    let script = Command::new(root().join("web/widget/check.sh"));
    run_script("the build of the widget", &["bash", "node", "npm", "gzip"], script).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_committed_files_of_the_desk_are_those_of_its_sources_and_small() {
    let script = Command::new(root().join("web/desk/check.sh"));
    run_script("the build of the desk", &["bash", "node", "npm", "gzip"], script).await;
}

#[test]
fn the_lines_that_pages_copy_load_the_built_version_by_its_hash() {
    let dist = root().join("web/widget/dist");
    let version = std::fs::read_to_string(dist.join("version.txt")).unwrap();
    let main = std::fs::read(dist.join("support-chat.js")).unwrap();
    let line = script_element(&format!("https://WIDGET-ADDRESS/widget/{}", version.trim()), &main);
    for page in ["README.md", "web/widget/README.md", "examples/plain/index.html"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("/support-chat.js\"")).collect();
        assert_eq!(lines, [line.as_str()], "{page}: run npm ci && npm run build in web/widget");
    }
}

#[test]
fn every_language_of_the_services_sentences_has_a_file() {
    let dist = root().join("web/widget/languages");
    for language in text::CustomerLanguage::ALL {
        let file = dist.join(format!("{}.json", language.as_str()));
        let texts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        for (name, which) in [("greeting", Sentence::Greeting), ("automatic", Sentence::Notice)] {
            assert_eq!(texts[name], sentence(*language, which), "the widget says it as the service does");
        }
    }
    assert_eq!(std::fs::read_dir(dist).unwrap().count(), text::CustomerLanguage::ALL.len());
}
