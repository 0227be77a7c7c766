//! A block of code as it is quoted: fenced, without the indentation or the quotation marks around it.

/// A block of code that is being read.
#[derive(Debug)]
pub(super) struct Block {
    language: String,
    text: String,
}

impl Block {
    pub(super) fn new(language: &str) -> Self {
        Self { language: language.to_owned(), text: String::new() }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// The block between fences that are longer than any in it; empty if the block is.
    pub(super) fn fenced(&self) -> String {
        if self.text.trim().is_empty() {
            return String::new();
        }
        let fence = "`".repeat(longest_run(&self.text).max(2) + 1);
        format!("{fence}{}\n{}\n{fence}", self.language, self.text.trim_end_matches(['\n', '\r']))
    }
}

/// The most backticks in a row.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
