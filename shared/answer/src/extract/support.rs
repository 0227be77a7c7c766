//! How far a quoted text says what was asked: the evidence of a confidence that is about the text, not the entry.
//!
//! A text is the answer if one of its units has the words of the question that name its topic, and the kind of answer
//! that is asked for. An entry about the topic often has neither.

use std::borrow::Cow;

use super::question::{Asked, Question, Wanted};
use super::shape::{is_empty, is_listed_question};
use text::{QueryTerms, Unit, UnitKind, in_bold, units, without_parts};

/// The weight of a word that names no topic, relative to one that does.
const GENERIC_WEIGHT: f64 = 0.1;
/// The share of the best unit's words that a unit needs for the kind of answer that it has to count.
const BESIDE_BEST: f64 = 0.5;
/// A code that more passages have tells none of them apart.
const RARE_PASSAGES: u64 = 3;
/// From how many digits on a number names something.
const LONG_NUMBER_DIGITS: usize = 4;

/// The evidence that a quoted text is the answer.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Support {
    /// The share of the question's words, by weight, that the best unit has with what introduces it and the title: 0-1.
    pub unit: f64,
    /// The same of the title alone: 0-1.
    pub title: f64,
    /// The same of the whole text without the title: 0-1.
    pub own: f64,
    /// The weight of the words that the text and its title lack, in words that no passage has.
    pub missing: f64,
    /// The share of the question's words that no entry has: 0-1.
    pub unknown: f64,
    /// The share of the question's words that only ask and are no words of the text, which has what they ask for: 0-1.
    pub granted: f64,
    /// The question names something by letters and digits (`PPR9087`) that no entry names.
    pub unknown_code: bool,
    /// The question names something by a code or a number that few passages have, and the text is one of them.
    pub code: bool,
    /// The question asks whether something is so.
    pub yes_no: bool,
    /// A unit has the kind of answer that is asked for.
    pub met: bool,
    /// No unit has it.
    pub unmet: bool,
    /// Whether title and best unit are on the question's side of two opposites (1) or on the other (−1).
    pub side: f64,
    /// The share of the title's words that the question has: 0-1.
    pub precise: f64,
    /// A way is asked for, and the text has steps.
    pub steps: bool,
    /// A way is asked for, and the text has none.
    pub no_steps: bool,
    /// The share of the units that say nothing by themselves: 0-1.
    pub empty: f64,
    /// The text is a list of questions, as of related ones.
    pub only_asks: bool,
}

/// A question: the kind of answer that it asks for, and the weights of its words.
pub(crate) struct Topic<'a> {
    question: &'a Question<'a>,
    asked: Asked,
    weights: Vec<f64>,
    all: f64,
    unknown_code: bool,
    /// The places of codes and long numbers that few passages have.
    codes: Vec<usize>,
    way: bool,
}

impl<'a> Topic<'a> {
    /// `is_generic` knows the terms that name no topic.
    pub(crate) fn of(question: &'a Question<'a>, is_generic: impl Fn(&str) -> bool) -> Self {
        let QueryTerms { distinct, .. } = question.query;
        let weigh = |(term, weight): (&String, f64)| if is_generic(term) { GENERIC_WEIGHT * weight } else { weight };
        let weights: Vec<f64> = distinct.iter().zip(question.scorer.weights_of_asked()).map(weigh).collect();
        let all: f64 = weights.iter().sum();
        let is_unknown = |place: usize| !question.scorer.is_known(place);
        let is_asked = |place: usize| question.query.weights.get(place).is_some_and(|asked| *asked > 0.0);
        let named = || distinct.iter().enumerate().filter(|(place, _)| is_asked(*place));
        let unknown_code = named().any(|(place, term)| is_code(term) && is_unknown(place));
        let is_rare = |place: usize| !is_unknown(place) && question.scorer.passages_with(place) <= RARE_PASSAGES;
        let codes = named().filter(|(place, term)| (is_code(term) || is_long_number(term)) && is_rare(*place));
        let codes = codes.map(|(place, _)| place).collect();
        let (asked, way) = (Asked::of(question), Wanted::of(question.text).is_way());
        Self { question, asked, weights, all, unknown_code, codes, way }
    }

    /// The evidence that `quoted`, of an entry with a title of these terms, is the answer.
    pub(crate) fn support(&self, title_text: &str, title: &[String], quoted: &str) -> Support {
        let Question { analyzer, scorer, .. } = self.question;
        let units = units(quoted);
        // The answer of a listed question is below it.
        let is_answered = |at: usize| {
            let next = units.get(at + 1);
            next.is_some_and(|next| next.needs == Some(at) || !matches!(next.kind, UnitKind::Heading | UnitKind::Item))
        };
        let is_unanswered = |at: usize, unit: &Unit<'_>| is_listed_question(unit) && !is_answered(at);
        let terms = |(at, unit): (usize, &Unit<'_>)| {
            if is_unanswered(at, unit) { Vec::new() } else { analyzer.indexed_terms(&unit.text) }
        };
        let terms: Vec<Vec<String>> = units.iter().enumerate().map(terms).collect();
        let mut context: Vec<&[String]> = vec![title];
        let (mut shares, mut grants) = (Vec::with_capacity(units.len()), Vec::with_capacity(units.len()));
        for (unit, own) in units.iter().zip(&terms) {
            if is_heading(unit) {
                context.truncate(1);
            }
            if is_heading(unit) || unit.introduces {
                context.push(own);
                shares.push(0.0);
                grants.push(None);
                continue;
            }
            let found = scorer.found(context.iter().copied().chain([own.as_slice()]));
            let granted = self.asked.is_met_by(unit, own).then(|| self.granted(&found));
            grants.push(granted);
            shares.push(self.share(&found) + granted.unwrap_or(0.0));
        }
        let best = shares.iter().copied().fold(0.0, f64::max);
        let opposites = self.question.opposites;
        // Of units that say as much, the one on the question's side is meant.
        let best_units = || units.iter().zip(&shares).filter(|(_, share)| **share >= best).map(|(unit, _)| &unit.text);
        let names_another = |text: &Cow<'_, str>| opposites.names_another(&format!("{title_text} {text}"));
        let of_title = opposites.agreement(title_text);
        let of_units =
            || best_units().map(|text| opposites.agreement(text)).reduce(f64::max).filter(|side| *side != 0.0);
        let side = if !units.is_empty() && best_units().all(names_another) {
            -1.0
        } else if of_title.abs() >= 1.0 {
            of_title
        } else {
            // A word that only decides, such as "still", says less than the side of a unit.
            of_units().unwrap_or(of_title)
        };
        let is_instruction = |unit: &Unit<'_>| {
            unit.kind == UnitKind::Step
                || unit.text.contains('`')
                || unit.text.contains(" > ")
                || unit.text.contains("**")
        };
        let has_steps = units.iter().any(|unit| !is_heading(unit) && is_instruction(unit));
        let says = |unit: &&Unit<'_>| !is_heading(unit) && !unit.introduces && !is_empty(unit);
        let in_question = |term: &&String| self.question.query.distinct.contains(term);
        let found = scorer.found(std::iter::once(title).chain(terms.iter().map(Vec::as_slice)));
        let is_near = |share: f64| share > 0.0 && share >= BESIDE_BEST * best;
        let met_near =
            || shares.iter().zip(&grants).filter(|(share, _)| is_near(**share)).filter_map(|(_, granted)| *granted);
        let met = met_near().next().is_some();
        let granted = met_near().fold(0.0, f64::max);
        let title_words = without_parts(title);
        Support {
            unit: best,
            title: self.share(&scorer.found([title])),
            own: (self.share(&scorer.found(terms.iter().map(Vec::as_slice))) + granted).min(1.0),
            missing: (1.0 - self.share(&found) - granted).max(0.0) * self.all / scorer.unknown_word(),
            unknown: (self.share_of(|place| !scorer.is_known(place)) - granted).max(0.0),
            granted,
            unknown_code: self.unknown_code,
            code: self.codes.iter().any(|place| found.get(*place).is_some_and(|share| *share > 0.0)),
            // A list of others says no.
            yes_no: self.asked.yes_no && !best_units().any(|text| opposites.lists_others(text)),
            met,
            unmet: self.asked.is_any() && !met,
            side,
            precise: count(title_words.iter().filter(in_question).count()) / count(title_words.len().max(1)),
            steps: self.way && has_steps,
            no_steps: self.way && !has_steps,
            empty: 1.0 - count(units.iter().filter(says).count()) / count(units.len().max(1)),
            only_asks: units.iter().any(is_listed_question)
                && units.iter().all(|unit| is_heading(unit) || is_listed_question(unit)),
        }
    }

    /// The share of the question's words, by weight, that a text has.
    fn share(&self, found: &[f64]) -> f64 {
        let here: f64 = self.weights.iter().zip(found).map(|(weight, share)| weight * share).sum();
        if self.all > 0.0 { here / self.all } else { 0.0 }
    }

    /// The share of the words that only ask, of which a text with the kind of answer has none: "30 days" says how long. It
    /// is no more than that of the other words that the text has: an amount alone is not the price of what is asked for.
    fn granted(&self, found: &[f64]) -> f64 {
        let says = |place: usize| found.get(place).copied().unwrap_or_default();
        let lacking = self.share_of(|place| self.asks(place) && says(place) <= 0.0);
        lacking.min(self.share_of(|place| !self.asks(place) && says(place) > 0.0))
    }

    fn share_of(&self, is_counted: impl Fn(usize) -> bool) -> f64 {
        let counted: f64 =
            self.weights.iter().enumerate().filter(|(at, _)| is_counted(*at)).map(|(_, weight)| weight).sum();
        if self.all > 0.0 { counted / self.all } else { 0.0 }
    }

    /// Whether a word of the question only asks for the kind of answer.
    fn asks(&self, place: usize) -> bool {
        self.question.query.distinct.get(place).is_some_and(|term| self.asked.terms.contains(term))
    }
}

/// Whether a term has letters, and digits or signs ("C#").
fn is_code(term: &str) -> bool {
    term.contains(char::is_alphabetic) && term.contains(|c: char| c.is_ascii_digit() || "+#.".contains(c))
}

/// Whether a term is a number that names something, as of an article or an error: neither a quantity nor a year.
fn is_long_number(term: &str) -> bool {
    let is_year = term.len() == 4 && (term.starts_with("19") || term.starts_with("20"));
    term.len() >= LONG_NUMBER_DIGITS && !is_year && term.bytes().all(|byte| byte.is_ascii_digit())
}

/// A heading as it is quoted: a line in bold.
fn is_heading(unit: &Unit<'_>) -> bool {
    unit.kind == UnitKind::Heading || in_bold(&unit.text).is_some_and(|text| !text.ends_with(['.', '!']))
}

#[allow(clippy::cast_precision_loss, reason = "a text has few units")]
fn count(of: usize) -> f64 {
    of as f64
}
