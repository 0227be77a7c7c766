//! The documents show commands that exist, with the options they have; and docs/OPERATIONS.md shows every command.

use std::collections::BTreeSet;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use crate::cli::Cli;

const OPERATIONS: &str = include_str!("../../../docs/OPERATIONS.md");
const DOCUMENTS: [(&str, &str); 5] = [
    ("docs/OPERATIONS.md", OPERATIONS),
    ("docs/RUNBOOK.md", include_str!("../../../docs/RUNBOOK.md")),
    ("docs/DEPLOY.md", include_str!("../../../docs/DEPLOY.md")),
    ("README.md", include_str!("../../../README.md")),
    ("SECURITY.md", include_str!("../../../SECURITY.md")),
];

/// The commands of a document: the lines of its code blocks, and its code in sentences, each from `ops` on. The flag
/// tells a line of a block, which must be complete.
fn commands(document: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (index, part) in document.split("```").enumerate() {
        let is_block = index % 2 == 1;
        let codes: Vec<String> = match is_block {
            true => part.lines().map(str::to_owned).collect(),
            false => part.split('`').skip(1).step_by(2).map(|code| code.replace('\n', " ")).collect(),
        };
        for code in codes {
            let code = code.split(" #").next().unwrap().trim().to_owned();
            let command = code.strip_prefix("cargo run -p ops -- ").map(|rest| format!("ops {rest}")).unwrap_or(code);
            if command.starts_with("ops ") && !command.contains("COMMAND") {
                found.push((is_block, command));
            }
        }
    }
    found
}

/// The words of a command as a shell splits them, with an example in the place of the id of a key.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    let example = |word: String| if word == "KEY" { "key_01JDB8Q7XKZ3T5V9W2Y4A6C8EG".to_owned() } else { word };
    words.into_iter().map(example).collect()
}

#[test]
fn every_command_of_the_documents_is_accepted() {
    let mut seen = 0;
    for (name, document) in DOCUMENTS {
        for (is_line, command) in commands(document) {
            seen += 1;
            match Cli::try_parse_from(words(&command)) {
                Ok(_) => {}
                Err(e) if e.kind() == ErrorKind::DisplayHelp => {}
                // A sentence may name a command without what it takes.
                Err(e) if !is_line && e.kind() == ErrorKind::MissingRequiredArgument => {}
                Err(e) => panic!("{name}: {command}\n{e}"),
            }
        }
    }
    assert!(seen > 60, "only {seen} commands were found");
}

#[test]
fn the_operators_document_shows_every_command_and_every_option() {
    let shown: Vec<Vec<String>> = commands(OPERATIONS).iter().map(|(_, command)| words(command)).collect();
    let mut open = vec![(Vec::new(), Cli::command())];
    while let Some((path, command)) = open.pop() {
        let below: Vec<_> = command.get_subcommands().filter(|child| child.get_name() != "help").cloned().collect();
        for child in &below {
            let name = child.get_name().to_owned();
            open.push(([&path[..], &[name]].concat(), child.clone()));
        }
        if !below.is_empty() {
            continue;
        }
        let of_this = shown.iter().filter(|words| path.iter().all(|name| words.contains(name)));
        let used: BTreeSet<&String> = of_this.flatten().collect();
        assert!(!used.is_empty(), "docs/OPERATIONS.md does not show ops {}", path.join(" "));
        for option in command.get_arguments().filter_map(clap::Arg::get_long) {
            let option = format!("--{option}");
            assert!(option == "--help" || used.contains(&option), "docs/OPERATIONS.md does not show {path:?} {option}");
        }
    }
}
