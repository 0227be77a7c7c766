//! The signs of a dialect in the whole text, which decide about what a line alone does not say.

use std::collections::HashSet;

use super::line::tail;
use super::script;
use super::tag::{self, Directive, Form, Syntax};

/// Tags that only Jekyll has.
const JEKYLL: &[&str] = &[
    "assign",
    "capture",
    "include",
    "include_relative",
    "link",
    "post_url",
    "raw",
    "highlight",
    "comment",
    "for",
    "if",
];

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
            let directive = if rest.starts_with("</") {
                tag::element(rest)
            } else if rest.starts_with("{%") {
                tag::liquid(rest)
            } else if rest.starts_with("{{") {
                tag::shortcode(rest)
            } else {
                None
            };
            directive.into_iter().for_each(|directive| marks.add(directive));
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
        let component = tag::element(line.trim_start())
            .is_some_and(|tag| tag.syntax == Syntax::Component && tag.form != Form::Close && self.is_component(&tag));
        component || line.trim_start().starts_with("{/*") || script::statement(rest).is_some()
    }
}
