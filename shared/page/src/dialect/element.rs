//! Tags of directives and elements: what they open, close, and hold.

use super::directive::{self, Arguments, Directive, Form, Role, Syntax, role};
use super::line::{head, tail};
use super::state::{Reader, bold};
use crate::tree::Tag;

/// Elements whose content is copied.
const COPIED: [(&str, &str); 5] = [
    ("pre", "</pre>"),
    ("code", "</code>"),
    ("script", "</script>"),
    ("style", "</style>"),
    ("textarea", "</textarea>"),
];
/// Elements that hold Markdown in MDX, also without blank lines.
const HOLDERS: &[&str] = &["div", "details", "section", "center", "article", "aside", "main", "blockquote", "figure"];
/// How much of the labels of tabs is read for each tab, in bytes.
const MAX_LABELS_BYTES: usize = 2_000;

impl<'t> Reader<'t> {
    /// Reads what begins with `<`: a comment, a tag, or an address.
    pub(super) fn angle(&mut self, rest: &'t str) -> bool {
        if rest.starts_with("<!--") {
            return self.find_end("-->").is_some_and(|end| self.copy_all(end));
        }
        if self.marks.is_mdx && (rest.starts_with("<>") || rest.starts_with("</>")) {
            return self.replace(if rest.starts_with("<>") { 2 } else { 3 }, "");
        }
        let Some(directive) = directive::element(rest) else { return self.address(rest) };
        if directive.syntax == Syntax::Component {
            let is_component = self.marks.is_component(&directive);
            return if is_component { self.directive(directive) } else { self.copy_all(directive.len) };
        }
        let copied = COPIED.iter().find(|(name, _)| *name == directive.name && directive.form == Form::Open);
        if let Some(end) = copied.and_then(|(_, close)| self.find_end(close)) {
            return self.copy_all(end);
        }
        (self.marks.is_mdx && self.holder(&directive)) || self.as_html(&directive)
    }

    /// An element of MDX alone in its line, or the end of one.
    fn holder(&mut self, directive: &Directive<'t>) -> bool {
        let Directive { name, form, len, .. } = *directive;
        let rest = tail(self.text, self.at);
        if !(HOLDERS.contains(&name) || name == "summary") || self.is_inline {
            return false;
        }
        if name == "summary" && form == Form::Close {
            self.copy_all(len);
            self.flush();
            self.separate();
            return true;
        }
        if form == Form::Close {
            let Some(depth) = self.innermost(directive) else { return false };
            self.at += len;
            self.close_to(depth);
            return true;
        }
        let after = tail(rest, len);
        let ends = head(after, after.find('\n').unwrap_or(after.len())).trim().is_empty();
        if form != Form::Open
            || name == "summary"
            || !ends
            || !self.line.trim().is_empty()
            || !self.marks.is_closed(directive)
        {
            return false;
        }
        self.at += len;
        let start = plain_tag(head(rest, len), directive);
        self.open(directive, &start, format!("</{name}>"));
        true
    }

    /// A tag that means something else in HTML: one with attributes whose values are expressions, which hold `>`, and
    /// `<video … />`, which Vue and JSX close and HTML does not (13.1.2.1, start tags).
    fn as_html(&mut self, directive: &Directive<'t>) -> bool {
        let tag = head(tail(self.text, self.at), directive.len);
        let is_void = Tag::of(&directive.name.to_ascii_lowercase()).is_void();
        if let Some(open) = tag.strip_suffix("/>").filter(|_| directive.form == Form::Void && !is_void) {
            let last = open.rsplit(char::is_whitespace).next().unwrap_or_default();
            // The slash of `<a href=/b/>` belongs to the address.
            if !last.contains('=') || last.ends_with(['"', '\'', '}']) {
                let open = plain_tag(tag, directive);
                let open = open.strip_suffix("/>").unwrap_or(&open).trim_end();
                return self.replace(tag.len(), &format!("{open}></{}>", directive.name));
            }
        }
        tag.contains("={") && self.replace(tag.len(), &plain_tag(tag, directive))
    }

    /// Reads a tag of a directive.
    pub(super) fn directive(&mut self, directive: Directive<'t>) -> bool {
        let start = tail(self.text, self.at);
        self.at += directive.len;
        self.marks.note(&directive);
        if directive.form == Form::Close {
            self.close_tag(&directive);
        } else {
            let role = role(&directive);
            self.open_tag(&directive, role, start);
        }
        true
    }

    /// The place of the innermost directive that a tag may end.
    fn innermost(&self, tag: &Directive<'t>) -> Option<usize> {
        self.stack.iter().rposition(|open| (open.syntax, open.name) == (tag.syntax, tag.name))
    }

    fn close_tag(&mut self, directive: &Directive<'t>) {
        match self.innermost(directive).filter(|_| !self.is_inline) {
            Some(depth) => self.close_to(depth),
            None => self.drop_space(),
        }
    }

    fn open_tag(&mut self, directive: &Directive<'t>, role: Role, start: &'t str) {
        let is_block = !self.is_inline && self.line.trim().is_empty() && !self.in_target;
        match role {
            Role::Target(path) => self.line.push_str(&path),
            Role::Literal => self.is_literal = self.marks.is_closed(directive),
            Role::Comment => {
                let length = self.content(directive).map_or(0, |(_, end)| end);
                self.replace(length, "");
            }
            Role::Code(language) => self.code_content(directive, &language),
            Role::Text(text) => self.text(&text, is_block),
            role if is_block && directive.form == Form::Open && self.marks.is_closed(directive) => {
                self.open_block(directive, role, start);
            }
            Role::Panel(title) | Role::Note(title) | Role::Fold(title) | Role::Group(title) if is_block => {
                self.title(&title);
                self.drop_space();
            }
            Role::Panel(title) | Role::Note(title) | Role::Fold(title) => {
                let title = bold(&title);
                self.line.push_str(&title);
                self.line.push_str(if title.is_empty() { "" } else { " " });
            }
            Role::Group(_) => self.drop_space(),
        }
    }

    /// Opens a directive; a tab of Docsy holds code without fences.
    fn open_block(&mut self, directive: &Directive<'t>, role: Role, start: &'t str) {
        let pane = self.stack.last().filter(|open| open.name == "tabpane" && start.starts_with("{{<"));
        let pane = pane.map(|open| Arguments::of(open.arguments)).filter(|pane| pane.get(&["text"]) != Some("true"));
        let pane = pane.filter(|_| matches!(role, Role::Panel(_)));
        let role = self.labelled(directive).map_or(role, Role::Panel);
        self.open_role(directive, role);
        let Some(pane) = pane else { return };
        let arguments = Arguments::of(directive.arguments);
        let language = arguments.get(&["lang"]).or_else(|| pane.get(&["lang"])).unwrap_or_default();
        let code = self.content(directive).map(|(code, _)| code);
        if let Some(code) = code.filter(|code| !code.contains("```") && !code.trim().is_empty()) {
            self.push_code(code, language);
            self.at += code.len();
        }
    }

    /// The label of a tab that the tabs around it say: `values={[{label: 'Windows', value: 'win'}]}`.
    fn labelled(&self, directive: &Directive<'t>) -> Option<String> {
        let arguments = Arguments::of(directive.arguments);
        let value = arguments.get(&["value"]).filter(|_| arguments.get(&["label", "title"]).is_none())?;
        let tabs = self.stack.last().filter(|open| open.name == "Tabs")?;
        head(tabs.arguments, MAX_LABELS_BYTES).split('{').find_map(|object| {
            let object = Arguments::of(object.split('}').next()?);
            object.get(&["label"]).filter(|_| object.get(&["value"]) == Some(value)).map(str::to_owned)
        })
    }

    /// The text of a directive: a paragraph if it stands alone.
    fn text(&mut self, text: &str, is_block: bool) {
        let line = self.line_at(self.at);
        if is_block && line.trim().is_empty() && !text.is_empty() {
            self.push_block(text);
        } else {
            self.replace(0, &text.replace("\n\n", " "));
        }
    }

    fn code_content(&mut self, directive: &Directive<'t>, language: &str) {
        if let Some((code, end)) = self.content(directive).filter(|(code, _)| !code.contains("```")) {
            self.flush();
            self.push_code(code, language);
            self.at += end;
        }
    }

    /// The content of the directive that begins before this place, and the length with its end tag.
    fn content(&mut self, directive: &Directive<'t>) -> Option<(&'t str, usize)> {
        if !self.marks.is_closed(directive) {
            return None;
        }
        let rest = tail(self.text, self.at);
        let tags = rest.match_indices(['{', '<']).filter_map(|(at, _)| {
            let rest = tail(rest, at);
            let read = match directive.syntax {
                Syntax::Liquid => directive::liquid(rest),
                Syntax::Shortcode => directive::shortcode(rest),
                _ => directive::element(rest),
            };
            read.filter(|end| end.form == Form::Close && end.name == directive.name).map(|end| (at, end.len))
        });
        let found = tags.into_iter().next();
        if found.is_none() {
            self.marks.forget(directive);
        }
        found.map(|(at, length)| (head(rest, at), at + length))
    }
}

/// A tag without the attributes that are expressions.
fn plain_tag(tag: &str, directive: &Directive<'_>) -> String {
    if !tag.contains('{') {
        return tag.to_owned();
    }
    let mut out = format!("<{}", directive.name);
    let arguments = Arguments::of(directive.arguments);
    for name in
        ["id", "class", "className", "href", "src", "alt", "title", "colspan", "rowspan", "colSpan", "rowSpan", "start"]
    {
        if let Some(value) = arguments.get(&[name]) {
            let name = if name == "className" { "class" } else { name };
            out.push_str(&format!(" {name}=\"{}\"", value.replace('"', "&quot;")));
        }
    }
    out.push_str(if directive.form == Form::Void { " />" } else { ">" });
    out
}
