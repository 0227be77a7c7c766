//! The signs of a dialect in the whole text, which decide about what a line alone does not say; and JavaScript in MDX:
//! statements and expressions.

use std::collections::HashSet;

use super::directive::{self, Directive, Form, Syntax, string};
use super::line::{head, tail};

/// Tags that only Jekyll has.
const JEKYLL: &[&str] = words![assign capture include include_relative link post_url raw highlight comment for if];

/// The signs of a text.
#[derive(Debug, Default)]
pub(super) struct Marks<'t> {
    /// Directives that have an end tag.
    closed: HashSet<(Syntax, &'t str)>,
    /// MDX, in which braces are expressions and no indented text is code.
    pub(super) is_mdx: bool,
    /// Braces in pairs are variables: a tag of Jekyll was read.
    pub(super) is_liquid: bool,
}

impl<'t> Marks<'t> {
    /// Reads the signs of a text.
    pub(super) fn of(text: &'t str) -> Self {
        let mut marks = Self::default();
        for (at, _) in text.match_indices(['<', '{']) {
            let rest = tail(text, at);
            let found = if rest.starts_with("</") {
                directive::element(rest)
            } else if rest.starts_with("{%") {
                directive::liquid(rest)
            } else if rest.starts_with("{{") {
                directive::shortcode(rest)
            } else {
                None
            };
            found.into_iter().for_each(|directive| marks.add(directive));
        }
        marks.is_mdx = marks.finds_mdx(text);
        marks
    }

    fn add(&mut self, directive: Directive<'t>) {
        if directive.form == Form::Close {
            self.closed.insert((directive.syntax, directive.name));
        }
    }

    /// Takes note of a directive outside of code.
    pub(super) fn note(&mut self, directive: &Directive<'t>) {
        self.is_liquid |= directive.syntax == Syntax::Liquid && JEKYLL.contains(&directive.name);
    }

    /// Whether the directive has an end tag somewhere.
    pub(super) fn is_closed(&self, directive: &Directive<'t>) -> bool {
        self.closed.contains(&(directive.syntax, directive.name))
    }

    /// Takes it that no end tag of the directive follows.
    pub(super) fn forget(&mut self, directive: &Directive<'t>) {
        self.closed.remove(&(directive.syntax, directive.name));
    }

    /// Whether a tag of a component is one, and no placeholder in angle brackets.
    pub(super) fn is_component(&self, directive: &Directive<'t>) -> bool {
        directive.form != Form::Open || self.is_closed(directive)
    }

    fn finds_mdx(&self, text: &'t str) -> bool {
        let mut fence = None;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
            match (fence, mark) {
                (None, Some(mark)) => fence = Some(mark),
                (Some(open), Some(mark)) if open == mark => fence = None,
                (None, None) if self.is_mdx_line(tail(text, at), line) => return true,
                _ => {}
            }
            at += line.len();
        }
        false
    }

    fn is_mdx_line(&self, rest: &'t str, line: &'t str) -> bool {
        let component = directive::element(line.trim_start())
            .is_some_and(|tag| tag.syntax == Syntax::Component && tag.form != Form::Close && self.is_component(&tag));
        component || line.trim_start().starts_with("{/*") || statement(rest).is_some()
    }
}

/// A longer import is text, in bytes.
const MAX_IMPORT_BYTES: usize = 2_000;
/// The most brackets around a place of a statement.
const MAX_BRACKETS: usize = 50;

/// The length of an `import` or `export` statement at the start of the text, up to the end of its last line.
pub(super) fn statement(text: &str) -> Option<usize> {
    let rest = text.strip_prefix("import").or_else(|| text.strip_prefix("export"))?;
    if text.starts_with("import") {
        let length = import(rest)?;
        return Some("import".len() + length);
    }
    let words =
        ["default ", "const ", "let ", "var ", "function", "async ", "class ", "type ", "interface ", "{", "* "];
    let rest = rest.strip_prefix(' ')?.trim_start();
    let keyword = words.iter().find(|word| rest.starts_with(**word))?;
    let after = tail(rest, keyword.len()).trim_start();
    if *keyword == "default " && !after.starts_with(['(', '{', '[', '<']) && !after.contains(['(', ';', '=']) {
        return None;
    }
    statement_end(text)
}

/// The names that are imported, `from`, and a quoted source that ends the line.
fn import(text: &str) -> Option<usize> {
    let text = head(text, MAX_IMPORT_BYTES);
    let clause = head(text, text.find(['"', '\''])?);
    let is_name = |c: char| c.is_alphanumeric() || c.is_whitespace() || "_$*{},".contains(c);
    let names = clause.trim_end().strip_suffix("from");
    let named = names.is_some_and(|names| {
        names.starts_with([' ', '{', '*']) && names.ends_with([' ', '\n', '}']) && !names.trim().is_empty()
    });
    if !(named || clause == " ") || !clause.chars().all(is_name) || clause.contains("\n\n") {
        return None;
    }
    let source = tail(text, clause.len());
    let quote = source.chars().next()?;
    let line = head(source, source.find('\n').unwrap_or(source.len()));
    let after = tail(line, tail(line, 1).find(quote)? + 2).trim();
    (after.is_empty() || after.starts_with([';', '/'])).then_some(clause.len() + line.len())
}

/// The end of the line at which no bracket is open and no operator waits for more.
fn statement_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0_usize);
    let mut last = b' ';
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'(' | b'[' | b'{' if depth == MAX_BRACKETS => return None,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' | b'`' => at += string(bytes, at, byte),
            b'\n' if depth == 0 && (!b"=,(&|+?:".contains(&last) && last != b'>' || is_blank_next(text, at)) => {
                return Some(at);
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            last = if byte == b'>' && last != b'=' { b' ' } else { byte };
        }
        at += 1;
    }
    (depth == 0).then_some(text.len())
}

fn is_blank_next(text: &str, at: usize) -> bool {
    tail(text, at + 1).starts_with(['\n', '\r'])
}

/// Whether the content of braces is an expression for sure: a name alone or a number may be text.
pub(super) fn is_expression(inner: &str) -> bool {
    let inner = inner.trim();
    let operator = ["=>", "&&", "||", "(", "<", "`", " ? ", "...", "\"", "'"].iter().any(|mark| inner.contains(mark));
    let member = || {
        inner.contains('.')
            && inner.split('.').all(|part| part.starts_with(|c: char| c.is_alphabetic() || "_$".contains(c)))
            && inner.chars().all(|c| c.is_alphanumeric() || "._$[]?".contains(c))
    };
    operator || member()
}
