//! The entries of fixtures and of generated pages show what Chromium shows of them.

use std::process::Command;

/// The exit code of the script if Node, its modules or Chromium cannot be had.
const NOT_FETCHED: i32 = 75;

#[test]
fn entries_show_the_words_numbers_lists_tables_and_links_of_their_sources() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/run.sh");
    let output = Command::new(script).arg("property").env("FIDELITY", env!("CARGO_BIN_EXE_fidelity")).output().unwrap();
    let told = [&output.stdout, &output.stderr].map(|told| String::from_utf8_lossy(told).into_owned());
    if output.status.code() == Some(NOT_FETCHED) && std::env::var("CI").as_deref() != Ok("true") {
        eprintln!("skipped: entries beside Chromium, because {}", told[1].lines().last().unwrap_or_default());
        return;
    }
    assert!(output.status.success(), "{}", told.concat());
}
