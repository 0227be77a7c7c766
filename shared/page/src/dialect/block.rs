//! Directives that take whole lines: `:::note`, `=== "macOS"`, `!!! note`, statements, fences, callouts.

use std::borrow::Cow;

use super::directive::{Arguments, Directive, Form, Role, Syntax, is_kind, literal, role};
use super::line::{capitalised, head, tail};
use super::marks::statement;
use super::state::{Fence, Reader, bold};

impl<'t> Reader<'t> {
    /// Reads a line that is a directive; `rest` is the line without indentation and list marker.
    pub(super) fn directive_line(&mut self, rest: &'t str) -> bool {
        if self.is_literal {
            return false;
        }
        self.fence_line(rest)
            || self.removed_lines(rest)
            || self.fenced_directive(rest)
            || self.indented_directive(rest)
            || self.panel_mark(rest)
            || self.callout(rest)
    }

    /// The first line of fenced code. The title behind the language becomes a line of its own.
    fn fence_line(&mut self, rest: &'t str) -> bool {
        let Some(mark) = rest.chars().next().filter(|c| matches!(c, '`' | '~')) else { return false };
        let run = rest.chars().take_while(|c| *c == mark).count();
        let info = tail(rest, run).trim();
        if run < 3 || (mark == '`' && info.contains('`')) {
            return false;
        }
        let titled = self.stack.last().is_some_and(|container| container.name.eq_ignore_ascii_case("CodeGroup"));
        if let Some(title) = fence_title(info, titled) {
            self.push_block(&bold(&title));
        }
        let language = info.trim_start_matches(['{', ' ', '.']);
        let language = head(language, language.find([' ', '{', '[', ',', '}', '=']).unwrap_or(language.len()));
        let is_plain = !info.contains(['{', '[']);
        let written = if is_plain { Cow::Borrowed(rest) } else { Cow::Owned(format!("{}{language}", head(rest, run))) };
        self.fence = Some(Fence { mark, run, columns: (self.column, self.place), item: self.item() });
        self.push(&written);
        true
    }

    /// Statements, snippets and tables of contents go.
    fn removed_lines(&mut self, rest: &'t str) -> bool {
        let text = rest.trim();
        let lower = text.to_ascii_lowercase();
        let snippet = text.trim_start_matches(';').trim_start_matches('-');
        let is_snippet = text.starts_with('-') && snippet.starts_with("8<-");
        let is_include = text.starts_with("<<< ") || matches!(lower.as_str(), "[toc]" | "[[toc]]" | "[[_toc_]]");
        let statement = self.statement_lines(rest);
        if let Some(end) = statement {
            self.at = end;
        } else if is_snippet && snippet.trim_matches(['8', '<', '-']).is_empty() {
            self.at = self.snippet_end();
        } else if self.is_contents_list() {
            self.at += self.line_at(self.at).len() + 1;
            self.at += self.line_at(self.at).len() + 1;
        } else if !(is_snippet || is_include) {
            return false;
        }
        self.set_prefix(Cow::Borrowed(""), false);
        self.separate();
        true
    }

    /// Where a statement of MDX at the current line ends.
    fn statement_lines(&self, rest: &str) -> Option<usize> {
        if !self.marks.is_mdx || !(rest.starts_with("import") || rest.starts_with("export")) {
            return None;
        }
        let from = self.at + (self.line_at(self.at).len() - rest.len());
        Some(from + statement(tail(self.text, from))? + 1)
    }

    /// The end of a block of snippets, which a second line of scissors ends.
    fn snippet_end(&self) -> usize {
        let rest = tail(self.text, self.at);
        let mut length = 0;
        for (number, line) in rest.split_inclusive('\n').take(50).enumerate() {
            length += line.len();
            if number > 0 && line.contains("--8<--") {
                return self.at + length;
            }
        }
        self.at
    }

    /// A list item that kramdown replaces by a table of contents.
    fn is_contents_list(&self) -> bool {
        let line = self.line_at(self.at);
        let next = self.line_at(self.at + line.len() + 1);
        line.trim_start().starts_with(['*', '-', '+', '1']) && next.trim_start().starts_with("{:toc")
    }

    /// `:::note Title` and `/// note | Title`, and the line that ends them.
    fn fenced_directive(&mut self, rest: &'t str) -> bool {
        let Some(mark) = rest.bytes().next().filter(|b| matches!(b, b':' | b'/')) else { return false };
        let run = rest.bytes().take_while(|b| *b == mark).count();
        if run < 3 {
            return false;
        }
        let syntax = Syntax::Fence(mark, run);
        let text = tail(rest, run).trim();
        let name =
            head(text, text.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).unwrap_or(text.len()));
        let after = tail(text, name.len());
        if text.is_empty() {
            return self.close_fenced(mark, run);
        }
        if name.is_empty() && !after.starts_with('{') || !(after.is_empty() || after.starts_with([' ', '[', '{', '|']))
        {
            return false;
        }
        let Header { class, title, bare } = Header::of(after);
        let name = if name.is_empty() { class.trim_start_matches("callout-") } else { name };
        let directive = Directive { syntax, form: Form::Open, name, arguments: "", len: 0 };
        let role = match (role(&directive), title) {
            (Role::Note(_), None) if bare => Role::Note(String::new()),
            (Role::Note(_), Some(title)) => Role::Note(title),
            (Role::Fold(_), title) => Role::Fold(title.unwrap_or_default()),
            (_, title) if name == "tab" => Role::Panel(title.unwrap_or_default()),
            (role @ Role::Note(_), None) => role,
            (_, title) => Role::Group(title.filter(|_| !matches!(name, "html" | "define")).unwrap_or_default()),
        };
        self.open_role(&directive, role);
        true
    }

    /// Ends the innermost directive with as many characters, or the innermost one of this kind.
    fn close_fenced(&mut self, mark: u8, run: usize) -> bool {
        let same = self.stack.iter().rposition(|container| container.syntax == Syntax::Fence(mark, run));
        let like = || self.stack.iter().rposition(|c| matches!(c.syntax, Syntax::Fence(own, _) if own == mark));
        match same.or_else(like) {
            Some(depth) => self.close_to(depth),
            None if mark == b':' => self.separate(),
            None => return false,
        }
        true
    }

    /// `=== "macOS"`, `!!! note "Title"`, `??? question "Title"`: what is indented behind them belongs to them.
    fn indented_directive(&mut self, rest: &'t str) -> bool {
        let Some(sign) = ["===", "!!!", "???"].into_iter().find(|sign| rest.starts_with(sign)) else { return false };
        let text = tail(rest, 3);
        let text = text.strip_prefix(['+', '!']).unwrap_or(text);
        let Some(text) = text.strip_prefix(' ').map(str::trim) else { return false };
        let quote = text.find('"').or_else(|| text.find('\''));
        let (kinds, title) = text.split_at_checked(quote.unwrap_or(text.len())).unwrap_or((text, ""));
        let title = literal(title);
        let kind = kinds.split_whitespace().next().unwrap_or_default();
        // Without a quoted title, other words are text: `!!! Please call`.
        let mut others = kinds.split_whitespace().skip(1);
        let is_alone = others.all(|word| matches!(word, "inline" | "end" | "left" | "right"));
        let is_kind = !kind.is_empty() && (title.is_some() || (is_kind(kind) && is_alone));
        let role = match (sign, title) {
            ("===", Some(title)) if kinds.is_empty() => Role::Panel(title),
            ("!!!", title) if is_kind => Role::Note(title.unwrap_or_else(|| capitalised(kind))),
            ("???", title) if is_kind => Role::Fold(title.unwrap_or_else(|| capitalised(kind))),
            ("???", Some(title)) => Role::Fold(title),
            _ => return false,
        };
        let directive = Directive { syntax: Syntax::Indented, form: Form::Open, name: kind, arguments: "", len: 0 };
        self.open_role(&directive, role);
        true
    }

    /// `@tab macOS` begins a panel of `::: tabs`.
    fn panel_mark(&mut self, rest: &'t str) -> bool {
        let Some(label) = rest.strip_prefix("@tab") else { return false };
        let label = label.trim_start_matches(":active").trim();
        let is_tabs = |name: &str| matches!(name, "tabs" | "code-tabs" | "code-group");
        let Some(depth) = self.stack.iter().rposition(|container| is_tabs(container.name)) else { return false };
        self.close_to(depth + 1);
        let label = head(label, label.find('#').unwrap_or(label.len()));
        let syntax = Syntax::Fence(b'@', 0);
        let directive = Directive { syntax, form: Form::Open, name: "@tab", arguments: "", len: 0 };
        self.open_role(&directive, Role::Panel(label.to_owned()));
        true
    }

    /// `> [!NOTE] Title`: the title is the first line of the quotation.
    fn callout(&mut self, rest: &'t str) -> bool {
        let quote = head(rest, rest.find(|c| c != '>' && c != ' ').unwrap_or(rest.len()));
        let Some((kind, title)) = tail(rest, quote.len()).strip_prefix("[!").and_then(|text| text.split_once(']'))
        else {
            return false;
        };
        let kind = kind.split('|').next().unwrap_or_default().trim();
        if !quote.starts_with('>')
            || !kind.starts_with(|c: char| c.is_alphabetic())
            || title.starts_with(['(', '[', ':'])
        {
            return false;
        }
        let title = title.strip_prefix(['-', '+']).unwrap_or(title).trim();
        self.line = format!("{quote}**");
        let (start, end) = (self.line.len(), self.at + self.line_at(self.at).len());
        match title {
            "" => self.line.push_str(&capitalised(kind)),
            title => {
                self.at = end
                    - tail(self.text, end - (rest.len() - quote.len()))
                        .find(title)
                        .map_or(0, |at| rest.len() - quote.len() - at);
                self.scan();
            }
        }
        let title = tail(&self.line, start).replace("**", "");
        self.line.clear();
        self.push(&format!("{quote}**{}**", title.trim()));
        self.push(quote.trim_end());
        true
    }
}

/// The title of fenced code: `js [config.js]`, `yaml title="a.yml"`, `bash {{ title: 'cURL' }}`, and in a group of code
/// all behind the language.
fn fence_title(info: &str, in_group: bool) -> Option<String> {
    let named =
        Arguments::of(info.trim_matches(['{', '}', ' '])).get(&["title", "filename", "caption"]).map(str::to_owned);
    let bracket = || info.split_once(" [").or_else(|| info.strip_prefix('[').map(|rest| ("", rest)));
    let bracket = || bracket().and_then(|(_, rest)| rest.split_once(']')).map(|(title, _)| title.to_owned());
    let words = || info.split_once(' ').filter(|_| in_group).map(|(_, title)| title);
    let words = || words().filter(|title| !title.contains(['{', '=', '['])).map(str::to_owned);
    named.or_else(bracket).or_else(words).filter(|title| !title.trim().is_empty())
}

/// The text behind the name of a directive: `[Title]{.class title="Title"} Title`, or `| Title`.
struct Header<'t> {
    class: &'t str,
    title: Option<String>,
    /// It has no title on purpose.
    bare: bool,
}

impl<'t> Header<'t> {
    fn of(text: &'t str) -> Self {
        let (mut rest, mut title) = (text.trim(), None);
        let (mut class, mut bare) = ("", false);
        if let Some((label, after)) = rest.strip_prefix('[').and_then(|rest| rest.rsplit_once(']')) {
            title = Some(label.to_owned());
            rest = after.trim();
        }
        if let Some((inner, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            class = inner.split_whitespace().find_map(|word| word.strip_prefix('.')).unwrap_or(inner);
            bare = inner.contains("no-title");
            title = title.or_else(|| Arguments::of(inner).get(&["title", "label"]).map(str::to_owned));
            rest = after.trim();
        }
        let rest = rest.trim_start_matches('|').trim().trim_end_matches(':').trim_end();
        let class = head(class, class.find(' ').unwrap_or(class.len()));
        Self { class, title: title.or_else(|| Some(rest.to_owned())).filter(|title| !title.is_empty()), bare }
    }
}
