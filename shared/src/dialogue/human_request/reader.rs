//! Compares a sentence with the requests for a human of one language.
//!
//! Expressions are compiled when a sentence first mentions a human in their language. Every repetition in them has an
//! upper bound, so a match and the search after it look at a bounded number of words.

use std::collections::HashMap;
use std::sync::OnceLock;

use regex::{Captures, Regex};

use super::super::expression::{CLAUSE_END, Vocabulary, compile};
use super::super::languages::Phrasebook;
use super::super::words::Clause;
use super::Tables;

/// How many words of `links` may stand between a denial and a request.
const MOST_LINKS: usize = 12;

/// One language, ready to compare.
#[derive(Debug)]
pub(super) struct Reader {
    phrasebook: &'static Phrasebook,
    /// The words of which a sentence that asks for a human has at least one.
    mentions: Vocabulary,
    compiled: OnceLock<Compiled>,
}

/// The expressions of one language; one is none where its table is empty.
#[derive(Debug)]
struct Compiled {
    vocabulary: Vocabulary,
    /// A clause that names a human and says nothing else.
    alone: Option<Regex>,
    /// Phrases that may be followed by anything.
    open: Option<Regex>,
    /// Phrases that only a clause's end or a word of `leads_on` may follow; that is part of the match.
    closed: Option<Regex>,
    denied_before: Option<Regex>,
    denied_after: Option<Regex>,
    others: Option<Regex>,
    not_followed: Option<Regex>,
}

/// Stretches of an encoded sentence, in bytes, in order and without overlaps.
struct Spans(Vec<(usize, usize)>);

/// What a sentence says that makes a request none.
struct Denials {
    clause_ends: Vec<usize>,
    before: Spans,
    after: Spans,
    others: Spans,
}

impl Reader {
    pub(super) fn new(phrasebook: &'static Phrasebook) -> Self {
        let tables = &phrasebook.human;
        let mentions = Vocabulary::of([tables.who, tables.some, tables.mentions].into_iter());
        Self { phrasebook, mentions, compiled: OnceLock::new() }
    }

    pub(super) const fn phrasebook(&self) -> &'static Phrasebook {
        self.phrasebook
    }

    /// Whether a sentence asks for a human: by a phrase that is not denied, or by naming one and nothing else.
    pub(super) fn asks(&self, clauses: &[Clause]) -> bool {
        clauses.iter().flatten().any(|word| self.mentions.has(word)) && self.compiled().asks(clauses)
    }

    /// How many tables with something in them came to no expression.
    #[cfg(test)]
    pub(super) fn tables_that_do_not_compile(&self) -> usize {
        let (tables, compiled) = (&self.phrasebook.human, self.compiled());
        let closed = tables.phrases.iter().filter(|phrase| phrase.ends_with("<end>")).count();
        let expressions = [
            (closed == tables.phrases.len(), &compiled.open),
            (closed == 0, &compiled.closed),
            (tables.who.is_empty(), &compiled.alone),
            (tables.not.is_empty() && tables.whether.is_empty(), &compiled.denied_before),
            (tables.not_after.is_empty(), &compiled.denied_after),
            (tables.others.is_empty(), &compiled.others),
            (tables.not_followed.is_empty(), &compiled.not_followed),
        ];
        expressions.iter().filter(|(empty, expression)| !empty && expression.is_none()).count()
    }

    fn compiled(&self) -> &Compiled {
        self.compiled.get_or_init(|| Compiled::new(&self.phrasebook.human))
    }
}

impl Compiled {
    fn new(tables: &Tables) -> Self {
        let Tables { who, some, a, alone, leads_on, not, whether, not_after, links, others, not_followed, .. } =
            *tables;
        let lists = [who, some, a, alone, leads_on, not, whether, not_after, links, others, not_followed];
        let vocabulary = Vocabulary::of(lists.into_iter().chain(tables.phrases.iter().copied()));
        let list = |alternatives: &str| vocabulary.list(alternatives);
        let named: HashMap<&str, String> = HashMap::from([
            ("who", list(who).unwrap_or_default()),
            ("some", list(some).unwrap_or_default()),
            ("a", list(a).unwrap_or_default()),
            ("other", format!("[^{CLAUSE_END}{}{}]", vocabulary.symbols(not), vocabulary.symbols(not_after))),
            ("end", list(leads_on).map_or_else(|| CLAUSE_END.to_string(), |leads| format!("(?:{leads}|{CLAUSE_END})"))),
        ]);
        let (closed, open): (Vec<&str>, Vec<&str>) =
            tables.phrases.iter().partition(|phrase| phrase.ends_with("<end>"));
        let any_of = |phrases: &[&str]| {
            let all: Vec<String> = phrases.iter().map(|phrase| vocabulary.expression(phrase, &named)).collect();
            if all.is_empty() { None } else { compile(&all.join("|")) }
        };
        let links = list(links).map_or_else(String::new, |links| format!("{links}{{0,{MOST_LINKS}}}"));
        let denials = list(&format!("{not}|{whether}"));
        Self {
            alone: list(who)
                .zip(list(&format!("{alone}|{a}|{who}")))
                .and_then(|(who, beside)| compile(&format!("(?m)^{beside}*{who}{beside}*$"))),
            open: any_of(&open),
            closed: any_of(&closed),
            denied_before: denials.and_then(|denial| compile(&format!("({denial}){links}"))),
            denied_after: list(not_after).and_then(|denial| compile(&format!("{links}({denial})"))),
            others: list(others).and_then(|others| compile(&others)),
            not_followed: list(not_followed).and_then(|words| compile(&format!("^{words}"))),
            vocabulary,
        }
    }

    fn asks(&self, clauses: &[Clause]) -> bool {
        let text = self.vocabulary.encode(clauses);
        if self.alone.as_ref().is_some_and(|alone| alone.is_match(&text)) {
            return true;
        }
        let denials = Denials {
            clause_ends: text.match_indices(CLAUSE_END).map(|(at, _)| at).collect(),
            before: Spans::behind_denials(self.denied_before.as_ref(), &text),
            after: Spans::before_denials(self.denied_after.as_ref(), &text),
            others: Spans::of(self.others.as_ref(), &text),
        };
        self.found(self.open.as_ref(), false, &text, &denials)
            || self.found(self.closed.as_ref(), true, &text, &denials)
    }

    /// Whether one match of `phrases` is not denied.
    fn found(&self, phrases: Option<&Regex>, last_is_behind: bool, text: &str, denials: &Denials) -> bool {
        let Some(phrases) = phrases else { return false };
        let mut from = 0;
        while let Some(found) = phrases.find_at(text, from) {
            let behind = if last_is_behind { found.as_str().chars().next_back().map_or(0, char::len_utf8) } else { 0 };
            let end = found.end() - behind;
            if !denials.deny(found.start(), end) && !self.is_something_else(text, end) {
                return true;
            }
            from = found.start() + found.as_str().chars().next().map_or(1, char::len_utf8);
        }
        false
    }

    /// Whether what follows makes the word for a human one for something else.
    fn is_something_else(&self, text: &str, end: usize) -> bool {
        let behind = text.get(end..).unwrap_or_default();
        self.not_followed.as_ref().is_some_and(|words| words.is_match(behind))
    }
}

impl Denials {
    /// Denied before or after, or said of somebody else.
    fn deny(&self, start: usize, end: usize) -> bool {
        let clause_starts = match self.clause_ends.partition_point(|at| *at < start) {
            0 => 0,
            before => self.clause_ends.get(before - 1).map_or(0, |at| at + 1),
        };
        self.before.touch(start) || self.after.touch(end) || self.others.any_from(clause_starts, start)
    }
}

impl Spans {
    fn of(expression: Option<&Regex>, text: &str) -> Self {
        let found = expression.map(|expression| expression.find_iter(text).map(|found| (found.start(), found.end())));
        Self(found.into_iter().flatten().collect())
    }

    /// From the end of the denial, group 1, to the end of what links it to a request.
    fn behind_denials(expression: Option<&Regex>, text: &str) -> Self {
        let found = expression.map(|expression| expression.captures_iter(text));
        let links = |found: Captures<'_>| Some((found.get(1)?.end(), found.get(0)?.end()));
        Self(found.into_iter().flatten().filter_map(links).collect())
    }

    /// From the start of what links a request to a denial to the start of the denial, group 1.
    fn before_denials(expression: Option<&Regex>, text: &str) -> Self {
        let found = expression.map(|expression| expression.captures_iter(text));
        let links = |found: Captures<'_>| Some((found.get(0)?.start(), found.get(1)?.start()));
        Self(found.into_iter().flatten().filter_map(links).collect())
    }

    /// Whether `at` is in a span or at either end of one.
    fn touch(&self, at: usize) -> bool {
        let before = self.0.partition_point(|(start, _)| *start <= at);
        before.checked_sub(1).and_then(|last| self.0.get(last)).is_some_and(|(_, end)| at <= *end)
    }

    /// Whether a span starts in `from..to`.
    fn any_from(&self, from: usize, to: usize) -> bool {
        let next = self.0.partition_point(|(start, _)| *start < from);
        self.0.get(next).is_some_and(|(start, _)| *start < to)
    }
}
