//! Compares a sentence with the requests for a human of one language.
//!
//! Expressions are compiled when a sentence first mentions a human in their language. Every repetition in them has an
//! upper bound, so a match looks at a bounded number of words.

use std::collections::HashMap;

use regex::{Captures, Regex};

use crate::CustomerLanguage;
use crate::dialogue::expression::{CLAUSE_END, Vocabulary, compile};
use crate::dialogue::phrasebook::HumanRequestPhrases;
use crate::dialogue::words::Clause;

/// How many words of `links` may stand between a denial and a request.
const MAX_LINKS: usize = 12;
/// The most words before and after a refusal in a clause that only refuses.
const NEAR_NEGATION_WORDS: usize = 3;

/// Matches no word.
const NOTHING: &str = "\\z[^\\n]";

/// The classification of a sentence by what it says about a human.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::dialogue) enum Classification {
    /// It asks for one, in this language.
    Asks(CustomerLanguage),
    /// The clauses of these numbers want none and say nothing else.
    Refuses(Vec<usize>),
    /// It names a request and denies it, asks whether one is needed, or says it of others.
    Denies,
    /// Nothing.
    Neither,
}

/// The expressions of one language, ready to compare; one is none if its table is empty.
#[derive(Debug)]
pub(super) struct HumanRequestMatcher {
    vocabulary: Vocabulary,
    /// A clause that names a human and says nothing else.
    alone: Option<Regex>,
    /// Phrases that are a request as a whole sentence, with greetings and courtesies around it.
    whole: Option<Regex>,
    /// Phrases that may be followed by anything.
    open: Option<Regex>,
    /// Phrases that only a clause's end or a word of `leads_on` may follow; that is part of the match.
    closed: Option<Regex>,
    denied_before: Option<Regex>,
    denied_after: Option<Regex>,
    others: Option<Regex>,
    not_followed: Option<Regex>,
}

/// A stretch of an encoded sentence, in bytes.
struct Span {
    from: usize,
    /// The part in which a request is denied.
    links: (usize, usize),
    to: usize,
    /// It is said that no human is wanted, rather than asked whether one is needed.
    refuses: bool,
}

/// Spans in order and without overlaps.
struct Spans(Vec<Span>);

/// The spans of a sentence that cancel a request, and the ends of its clauses.
struct Negations {
    clause_ends: Vec<usize>,
    before: Spans,
    after: Spans,
    /// The beginnings of what is said of others.
    others: Vec<usize>,
}

impl Classification {
    /// The classification of a sentence without a request. `refused` has the clauses that refuse; it is none if
    /// nothing is denied.
    pub(super) fn without_request(refused: Option<Vec<usize>>) -> Self {
        match refused {
            None => Self::Neither,
            Some(clauses) if clauses.is_empty() => Self::Denies,
            Some(clauses) => Self::Refuses(clauses),
        }
    }
}

impl HumanRequestMatcher {
    pub(super) fn new(tables: &HumanRequestPhrases) -> Self {
        let HumanRequestPhrases {
            who,
            some,
            a,
            alone,
            whole,
            leads_on,
            not,
            whether,
            not_after,
            links,
            others,
            not_followed,
            ..
        } = *tables;
        let lists = [who, some, a, alone, leads_on, not, whether, not_after, links, others, not_followed];
        let vocabulary = Vocabulary::of(lists.into_iter().chain(tables.phrases.lines()).chain(whole.lines()));
        let list = |alternatives: &str| vocabulary.list(alternatives);
        let named: HashMap<&str, String> = HashMap::from([
            ("who", list(who).unwrap_or_default()),
            ("some", list(some).unwrap_or_default()),
            ("a", list(a).unwrap_or_default()),
            ("other", format!("[^{CLAUSE_END}{}{}]", vocabulary.symbols(not), vocabulary.symbols(not_after))),
            ("end", list(leads_on).map_or_else(|| CLAUSE_END.to_string(), |leads| format!("(?:{leads}|{CLAUSE_END})"))),
        ]);
        let (closed, open): (Vec<&str>, Vec<&str>) =
            tables.phrases.lines().partition(|phrase| phrase.ends_with("<end>"));
        let alternatives = |phrases: &[&str]| {
            let all: Vec<String> = phrases.iter().map(|phrase| vocabulary.expression(phrase, &named)).collect();
            (!all.is_empty()).then(|| all.join("|"))
        };
        let any_of = |phrases: &[&str]| alternatives(phrases).and_then(|all| compile(&all));
        let around = list(alone).unwrap_or_else(|| NOTHING.to_owned());
        let whole = alternatives(&whole.lines().collect::<Vec<_>>()).and_then(|all| {
            compile(&format!("\\A(?:{around}+{CLAUSE_END})*(?:{all}){CLAUSE_END}(?:{around}+{CLAUSE_END})*\\z"))
        });
        let links = list(links).map_or_else(String::new, |links| format!("{links}{{0,{MAX_LINKS}}}"));
        let denial = match (list(not), list(whether)) {
            (None, None) => None,
            (not, whether) => {
                Some(format!("(?:({})|({}))", not.as_deref().unwrap_or(NOTHING), whether.as_deref().unwrap_or(NOTHING)))
            }
        };
        Self {
            alone: list(who)
                .zip(list(&format!("{alone}|{a}|{who}")))
                .and_then(|(who, beside)| compile(&format!("(?m)^{beside}*{who}{beside}*$"))),
            whole,
            open: any_of(&open),
            closed: any_of(&closed),
            denied_before: denial.and_then(|denial| compile(&format!("{denial}{links}"))),
            denied_after: list(not_after).and_then(|denial| compile(&format!("{links}({denial})"))),
            others: list(others).and_then(|others| compile(&others)),
            not_followed: list(not_followed).and_then(|words| compile(&format!("^{words}"))),
            vocabulary,
        }
    }

    /// The classification of a sentence that mentions a human in this language. It asks for one by a phrase that is not
    /// denied, or by naming one and nothing else.
    pub(super) fn classify(&self, clauses: &[Clause], language: CustomerLanguage) -> Classification {
        let text = self.vocabulary.encode(clauses);
        if [&self.alone, &self.whole].into_iter().flatten().any(|request| request.is_match(&text)) {
            return Classification::Asks(language);
        }
        let denials = Negations {
            clause_ends: text.match_indices(CLAUSE_END).map(|(at, _)| at).collect(),
            before: Spans::of(self.denied_before.as_ref(), &text, |found| {
                let (all, refusal) = (found.get(0)?, found.get(1));
                let links = (refusal.or_else(|| found.get(2))?.end(), all.end());
                Some(Span { from: all.start(), links, to: all.end(), refuses: refusal.is_some() })
            }),
            after: Spans::of(self.denied_after.as_ref(), &text, |found| {
                let (all, denial) = (found.get(0)?, found.get(1)?);
                Some(Span { from: all.start(), links: (all.start(), denial.start()), to: all.end(), refuses: true })
            }),
            others: self.others.iter().flat_map(|others| others.find_iter(&text)).map(|found| found.start()).collect(),
        };
        let mut refused = None;
        for (phrases, last_is_behind) in [(&self.open, false), (&self.closed, true)] {
            if self.finds(phrases.as_ref(), last_is_behind, &text, &denials, &mut refused) {
                return Classification::Asks(language);
            }
        }
        Classification::without_request(refused)
    }

    /// Whether one match of `phrases` is not denied; clauses that are nothing but a denied one become `refused`, which
    /// is none if no match is denied.
    fn finds(
        &self,
        phrases: Option<&Regex>,
        last_is_behind: bool,
        text: &str,
        denials: &Negations,
        refused: &mut Option<Vec<usize>>,
    ) -> bool {
        let Some(phrases) = phrases else { return false };
        let mut from = 0;
        while let Some(found) = phrases.find_at(text, from) {
            let behind = if last_is_behind { found.as_str().chars().next_back().map_or(0, char::len_utf8) } else { 0 };
            let end = found.end() - behind;
            if !denials.negate(found.start(), end) {
                if !self.is_other_request(text, end) {
                    return true;
                }
                refused.get_or_insert_default();
            } else {
                let refused = refused.get_or_insert_default();
                let clause = denials.refused_clause(text, found.start(), end);
                refused.extend(clause.filter(|number| !refused.contains(number)));
            }
            from = found.start() + found.as_str().chars().next().map_or(1, char::len_utf8);
        }
        false
    }

    /// Whether what follows makes the word for a human one for something else.
    fn is_other_request(&self, text: &str, end: usize) -> bool {
        let behind = text.get(end..).unwrap_or_default();
        self.not_followed.as_ref().is_some_and(|words| words.is_match(behind))
    }
}

impl Negations {
    /// Negated before or after, or about another person.
    fn negate(&self, start: usize, end: usize) -> bool {
        let (clause_start, _, _) = self.clause(start);
        self.before.overlaps(start).is_some()
            || self.after.overlaps(end).is_some()
            || self.others.get(self.others.partition_point(|at| *at < clause_start)).is_some_and(|at| *at < start)
    }

    /// The number of the clause if it holds a refusal and next to nothing else.
    fn refused_clause(&self, text: &str, start: usize, end: usize) -> Option<usize> {
        let (clause_start, clause_end, number) = self.clause(start);
        let before = self.before.overlaps(start).filter(|span| span.refuses).map(|span| span.from);
        let after = self.after.overlaps(end).map(|span| span.to);
        let words = |from: usize, to: usize| text.get(from..to).map_or(0, |text| text.chars().count());
        let first = before.or(after.map(|_| start))?;
        let last = after.unwrap_or(end);
        (words(clause_start, first) <= NEAR_NEGATION_WORDS && words(last, clause_end) <= NEAR_NEGATION_WORDS)
            .then_some(number)
    }

    /// Start, end and number of the clause around `at`.
    fn clause(&self, at: usize) -> (usize, usize, usize) {
        let number = self.clause_ends.partition_point(|end| *end < at);
        let start = number.checked_sub(1).and_then(|before| self.clause_ends.get(before)).map_or(0, |end| end + 1);
        (start, self.clause_ends.get(number).copied().unwrap_or(usize::MAX), number)
    }
}

impl Spans {
    fn of(expression: Option<&Regex>, text: &str, span: impl Fn(Captures<'_>) -> Option<Span>) -> Self {
        Self(expression.into_iter().flat_map(|expression| expression.captures_iter(text)).filter_map(span).collect())
    }

    /// The span whose links `at` is in, or at either end of.
    fn overlaps(&self, at: usize) -> Option<&Span> {
        let before = self.0.partition_point(|span| span.links.0 <= at);
        before.checked_sub(1).and_then(|last| self.0.get(last)).filter(|span| at <= span.links.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialogue::tables::HUMAN;

    #[test]
    fn every_table_compiles() {
        for (language, tables) in HUMAN {
            let compiled = HumanRequestMatcher::new(tables);
            let closed = tables.phrases.lines().filter(|phrase| phrase.ends_with("<end>")).count();
            for (empty, expression) in [
                (closed == tables.phrases.lines().count(), &compiled.open),
                (closed == 0, &compiled.closed),
                (tables.who.is_empty(), &compiled.alone),
                (tables.whole.is_empty(), &compiled.whole),
                (tables.not.is_empty() && tables.whether.is_empty(), &compiled.denied_before),
                (tables.not_after.is_empty(), &compiled.denied_after),
                (tables.others.is_empty(), &compiled.others),
                (tables.not_followed.is_empty(), &compiled.not_followed),
            ] {
                assert!(empty || expression.is_some(), "{language}");
            }
        }
    }
}
