//! The committed files of the widget are what its sources give.

use std::process::Command;

use super::run_script;
use crate::template::document::root;

#[tokio::test(flavor = "multi_thread")]
async fn the_committed_files_are_those_of_the_sources_and_small() {
    let script = Command::new(root().join("web/widget/check.sh"));
    run_script("the build of the widget", &["bash", "node", "npm", "gzip"], script).await;
}

#[test]
fn every_language_of_the_services_sentences_has_a_file() {
    let dist = root().join("web/widget/languages");
    for language in text::CustomerLanguage::ALL {
        let file = dist.join(format!("{}.json", language.as_str()));
        let texts: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let greeting = text::dialogue::sentence(*language, text::dialogue::Sentence::Greeting);
        assert_eq!(texts["greeting"], greeting, "the widget greets as the service does");
    }
    assert_eq!(std::fs::read_dir(dist).unwrap().count(), text::CustomerLanguage::ALL.len());
}
