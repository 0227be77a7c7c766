//! The rows of a table as they are quoted: bars between the cells only, because each bar counts as a word.

/// The cells of a row.
#[derive(Debug, Default)]
pub(super) struct Cells<'a>(Vec<&'a str>);

impl<'a> Cells<'a> {
    pub(super) fn push(&mut self, cell: &'a str) {
        self.0.push(cell.trim());
    }

    pub(super) fn are_empty(&self) -> bool {
        self.0.iter().all(|cell| cell.is_empty())
    }

    /// The head of a table, and the line that separates it from the rows.
    pub(super) fn head(&self) -> String {
        let line = vec!["---"; self.0.len()].join("|");
        if self.needs_outer_bars() || self.0.len() == 1 {
            return format!("| {} |\n|{line}|", self.0.join(" | "));
        }
        format!("{}\n{line}", self.0.join(" | "))
    }

    /// A row under the head.
    pub(super) fn row(&self) -> String {
        let cells = self.0.join(" | ");
        if self.needs_outer_bars() { format!("| {cells} |") } else { cells }
    }

    /// Whether the row would be something else without a bar before it: an item of a list, a heading, or a row whose
    /// first cell is missing.
    fn needs_outer_bars(&self) -> bool {
        let first = self.0.first().copied().unwrap_or_default();
        let after_number = first.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = after_number.len() < first.len() && after_number.starts_with(['.', ')']);
        first.is_empty() || numbered || first.starts_with(['-', '+', '*', '#', '>', '`', '~', '=', '|', '<', '_', '['])
    }
}
