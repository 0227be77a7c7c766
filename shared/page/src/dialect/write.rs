//! Writes what a directive stands for.

use super::attributes;
use super::line::spaces;
use super::role::Role;
use super::state::Reader;
use super::tag::Directive;

impl<'t> Reader<'t> {
    /// Opens what a directive stands for.
    pub(super) fn open_role(&mut self, directive: &Directive<'t>, role: Role) {
        match role {
            Role::Panel(label) => {
                let start = format!("<section role=\"tabpanel\" aria-label=\"{}\">", attributes::escaped(&label));
                self.open(directive, &start, "</section>");
            }
            Role::Note(title) => {
                self.open(directive, "<div class=\"admonition\">", "</div>");
                self.title(&title);
            }
            Role::Fold(title) if title.is_empty() => self.open(directive, "<details>", "</details>"),
            Role::Fold(title) => {
                let start = format!("<details>\n<summary>{}</summary>", attributes::escaped(&title));
                self.open(directive, &start, "</details>");
            }
            Role::Group(title) => {
                self.open(directive, "", "");
                self.title(&title);
            }
            Role::Text(_) | Role::Target(_) | Role::Code(_) | Role::Comment | Role::Literal => {}
        }
    }

    /// Writes a title in bold, if there is one.
    pub(super) fn title(&mut self, title: &str) {
        let title = bold(title);
        if !title.is_empty() {
            self.push_block(&title);
        }
    }

    /// Writes code between fences.
    pub(super) fn push_code(&mut self, code: &str, language: &str) {
        let mut fence = "```".to_owned();
        while code.contains(&fence) && fence.len() < 16 {
            fence.push('`');
        }
        let code = code.trim_matches(['\n', '\r']).trim_end();
        let indent = spaces(self.place);
        let lines: Vec<String> = code.lines().map(|line| format!("\n{indent}{line}")).collect();
        self.separate();
        self.push(&format!("{fence}{language}{}\n{indent}{fence}", lines.concat()));
        self.separate();
    }
}

/// A label in bold, or nothing.
pub(super) fn bold(label: &str) -> String {
    let label = attributes::without_icons(label).replace("**", "");
    let label = label.trim();
    if label.is_empty() { String::new() } else { format!("**{label}**") }
}
