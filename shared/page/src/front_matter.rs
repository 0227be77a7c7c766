//! The metadata at the start of a Markdown file.

/// The `title` and the rest: `---`, lines of `name: value`, and `---` at the very beginning.
pub(super) fn split(text: &str) -> (Option<String>, &str) {
    let Some(rest) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else { return (None, text) };
    let mut at = 0;
    let mut title = None;
    for line in rest.split_inclusive('\n') {
        at += line.len();
        let line = line.trim_end();
        if line == "---" || line == "..." {
            return (title, rest.get(at..).unwrap_or_default());
        }
        if let Some(value) = line.strip_prefix("title:") {
            title = Some(value.trim().trim_matches(['"', '\'']).trim().to_owned()).filter(|title| !title.is_empty());
        }
    }
    (None, text)
}
