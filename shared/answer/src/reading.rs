//! Reads the nearest entries: which of their texts says best what was asked, and how sure that is.
//!
//! The ranking knows how likely an entry is about the question. It does not know whether the text that would be quoted
//! says what was asked. Two linear models over [`Support`] do: one chooses among the entries, one is the confidence.
//! docs/ANSWER-QUALITY.md says what they were fitted on.

use super::engine::{Found, FoundPart};
use super::extract::{self, Support, Topic};
use super::rank::{Ranked, Scorer, logit, nearest_passage};
use domain::models::{Language, WikiPath};
use text::{Analyzer, Opposites, QueryTerms, TITLE_SEPARATOR, markdown, word_count};

/// How many of the nearest entries are read.
const READ: usize = 5;
/// The least share of the first entry's score that an entry needs to be read.
const READ_SHARE: f64 = 0.4;
/// A lower score counts as this one.
const LEAST_SCORE: f64 = 0.01;
/// The greatest lead that counts, up or down.
const MAX_LEAD: f64 = 1.0;
/// The greatest distance from the second choice that counts.
const MAX_BEATS: f64 = 3.0;
/// The distance of an only choice from the second.
const ALONE_BEATS: f64 = 1.0;
/// How much worse a second section of the same page may fit to be quoted, too.
const BESIDE_FIT: f64 = 2.0;
/// The least share of the first section's words of the question that the second has itself: the page's title has them, too.
const BESIDE_SHARE: f64 = 0.5;
/// The most words of two sections that are quoted together.
const BESIDE_WORDS: usize = 200;
/// More words that a text lacks say nothing more.
const MOST_MISSING: f64 = 8.0;
/// A greater share of unknown words says nothing more: beside the question stands something of the customer's own.
const MOST_UNKNOWN: f64 = 0.5;
/// The factor of unknown words if the text has the kind of answer that is asked for.
const UNKNOWN_IF_MET: f64 = 0.5;
/// How many words a question has where it is half long, and in how many words that changes.
const HALF_LONG_WORDS: f64 = 12.0;
const LONG_SLOPE_WORDS: f64 = 2.0;

/// An entry that may have the answer, as far as its text is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Its path.
    pub path: WikiPath,
    /// Its title: of a section "Page › Section".
    pub title: String,
    /// The figures by which it was found.
    pub ranked: Ranked,
    /// The text that would be quoted.
    pub quote: String,
    /// What the text says of what was asked.
    pub support: Support,
    /// How much nearer it is than the nearest other entry, as the logarithm of the ratio of their scores.
    pub lead: f64,
}

/// The quotation for a question.
#[derive(Debug)]
pub(super) struct Chosen {
    /// The place of its entry among the readings.
    pub(super) place: usize,
    /// The place of another section of the same page that is quoted after it.
    pub(super) beside: Option<usize>,
    /// The text.
    pub(super) quote: String,
    /// The probability that the text says what was asked: 0-1.
    pub(super) confidence: f64,
}

/// What chooses among the entries. Fitted by `tests/fit` on pairs of a text that answers a question and one that does not.
mod choice {
    pub(super) const PAGE: f64 = 0.194;
    pub(super) const LEAD: f64 = 1.877;
    pub(super) const FIRST: f64 = 0.363;
    pub(super) const UNIT: f64 = 2.069;
    pub(super) const MISSING: f64 = -2.93;
    pub(super) const MET: f64 = 4.383;
    pub(super) const SIDE: f64 = 0.874;
    pub(super) const PRECISE: f64 = 1.472;
    pub(super) const STEPS: f64 = 0.528;
    pub(super) const EMPTY: f64 = -1.344;
    pub(super) const TITLE: f64 = 0.739;
}

/// The confidence in the chosen entry, a logistic regression. Fitted by `tests/fit`, but for the sides, which few of the
/// questions have.
mod sure {
    pub(super) const OFFSET: f64 = -1.135;
    pub(super) const PAGE: f64 = 0.024;
    pub(super) const SHORT: f64 = 0.214;
    pub(super) const SHORT_PAGE: f64 = 0.834;
    pub(super) const LONG: f64 = 0.331;
    pub(super) const LONG_PAGE: f64 = 0.32;
    /// By the fit −.49. A question of two words of which no entry has one ("is the glue vegan") gets less than .5.
    pub(super) const UNKNOWN: f64 = -0.9;
    /// Not fitted: hardly any question of the sets has one. Nothing that the wiki says is about it.
    pub(super) const UNKNOWN_CODE: f64 = -3.0;
    pub(super) const MET: f64 = 0.239;
    pub(super) const UNMET: f64 = -2.496;
    pub(super) const SIDE: f64 = 0.6;
    /// Of five chosen texts on the other side none is right.
    pub(super) const OTHER_SIDE: f64 = -3.5;
    pub(super) const BEATS: f64 = 0.298;
    pub(super) const FOLLOWS: f64 = 0.668;
    pub(super) const TITLE: f64 = 1.62;
}

/// The nearest entries to the first question of a message, read for their answers, in the order of the ranking.
#[must_use]
pub fn read_nearest(found: &Found, language: Language) -> Vec<Reading> {
    let read = found.parts.first().and_then(|part| readings(part, language));
    read.map(|(_, _, readings)| readings).unwrap_or_default()
}

/// The nearest entries to a question, read for their answers, in the order of the ranking; none where the index did not
/// answer.
pub(super) fn readings(part: &FoundPart, language: Language) -> Option<(QueryTerms, Vec<Ranked>, Vec<Reading>)> {
    let (query, ranked) = part.ranked()?;
    let retrieval = part.retrieval.as_ref()?;
    let (analyzer, scorer) = (Analyzer::new(language), Scorer::new(&query, &retrieval.stats));
    let opposites = Opposites::asked(&analyzer, &part.text);
    let asked = extract::Question {
        analyzer: &analyzer,
        text: &part.text,
        query: &query,
        scorer: &scorer,
        opposites: &opposites,
        near: None,
    };
    let topic = Topic::of(&asked, |term| !part.conversation.has_topic(term));
    let score = |r: &Ranked, of: &Ranked| if of.evidence.nearness.is_some() { r.score } else { r.s };
    let lead = |place: usize, of: &Ranked| {
        let others = ranked.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, r)| score(r, of));
        (score(of, of).max(LEAST_SCORE) / others.fold(LEAST_SCORE, f64::max)).ln()
    };
    let least = READ_SHARE * ranked.first().map_or(0.0, |first| first.score);
    let read = |(place, ranked): (usize, &Ranked)| {
        let candidate = retrieval.candidates.get(ranked.candidate)?;
        let near = nearest_passage(candidate).map(|passage| passage.text.as_str());
        let quote = extract::extract(&extract::Question { near, ..asked }, &candidate.content);
        let support = topic.support(&candidate.title, &candidate.title_terms, &quote);
        let (path, title) = (candidate.path.clone(), candidate.title.clone());
        Some(Reading { path, title, ranked: *ranked, quote, support, lead: lead(place, ranked) })
    };
    let near = ranked.iter().enumerate().take(READ).filter(|(_, r)| r.score >= least);
    let readings = near.filter_map(read).collect();
    Some((query, ranked, readings))
}

/// The entry of which the text says best what was asked. If another section of its page says it about as well, both are
/// quoted: the ways on two systems are two sections.
///
/// The models were fitted without vectors. An entry that was found by them may have no word of the question, as in another
/// language: it stays first, with its own confidence.
pub(super) fn choose(mut readings: Vec<Reading>) -> Option<Chosen> {
    let first = readings.first()?;
    if first.ranked.evidence.nearness.is_some() {
        let confidence = first.ranked.confidence;
        return Some(Chosen { place: 0, beside: None, quote: readings.swap_remove(0).quote, confidence });
    }
    // The ranking in a conversation knows which words are earlier ones; a text does not.
    let follows = first.ranked.follow_up.is_some();
    let fits: Vec<f64> = readings.iter().enumerate().map(|(place, reading)| reading.fit(place == 0)).collect();
    let best = |places: &mut dyn Iterator<Item = usize>| {
        let fits = places.filter_map(|place| Some((place, *fits.get(place)?)));
        fits.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))
    };
    let (place, fit) = if follows { (0, *fits.first()?) } else { best(&mut (0..fits.len()))? };
    let chosen = readings.get(place)?;
    let is_near = |other: &usize| readings.get(*other).is_some_and(|it| it.is_beside(chosen));
    let others = || (0..fits.len()).filter(|other| *other != place);
    let beside = best(&mut others().filter(is_near)).filter(|(_, other)| fit - other <= BESIDE_FIT);
    let beside = beside.map(|(beside, _)| beside);
    // An entry that is found by its vectors alone is no match for one that has none yet.
    let is_rival = |other: &usize| readings.get(*other).is_some_and(|it| it.ranked.s > 0.0) && Some(*other) != beside;
    let second = best(&mut others().filter(is_rival));
    let beats = second.map_or(ALONE_BEATS, |(_, second)| (fit - second).clamp(0.0, MAX_BEATS));
    let quote = match beside.and_then(|beside| readings.get(beside)) {
        Some(beside) => chosen.quoted_with(beside),
        None => chosen.quote.clone(),
    };
    Some(Chosen { place, beside, quote, confidence: chosen.confidence(beats) })
}

impl Reading {
    /// Whether it is another section of the same page that has words of the question itself and is not on its other side,
    /// and both are short enough to be quoted together.
    fn is_beside(&self, other: &Self) -> bool {
        let is_section = self.title.contains(TITLE_SEPARATOR) || other.title.contains(TITLE_SEPARATOR);
        let words = word_count(&self.quote) + word_count(&other.quote);
        let says = self.support.side >= 0.0 && self.support.own >= BESIDE_SHARE * other.support.own;
        is_section && says && self.page() == other.page() && words <= BESIDE_WORDS
    }

    /// The folder of its path and the title of its page, which its sections share.
    fn page(&self) -> (Option<&str>, Option<&str>) {
        let folder = self.path.as_str().rsplit_once('/').map(|(folder, _)| folder);
        (folder, self.title.split(TITLE_SEPARATOR).next())
    }

    /// Its text and that of another section of the page, each under its heading; parts of one section in their order.
    fn quoted_with(&self, other: &Self) -> String {
        let ((heading, part), (second, second_part)) = (self.section(), other.section());
        let under = |heading: &str, text: &str| format!("**{}**\n\n{text}", markdown::escape(heading));
        if heading == second {
            let (first, then) = if second_part < part { (other, self) } else { (self, other) };
            return under(heading, &format!("{}\n\n{}", first.quote, then.quote));
        }
        format!("{}\n\n{}", under(heading, &self.quote), under(second, &other.quote))
    }

    /// What its title says behind the page's, and the number of its part: 1 of "Page › Section (1/2)".
    fn section(&self) -> (&str, usize) {
        let title = self.title.split_once(TITLE_SEPARATOR).map_or(self.title.as_str(), |(_, section)| section);
        let numbered = || {
            let (heading, part) = title.strip_suffix(')')?.rsplit_once(" (")?;
            let (at, of) = part.split_once('/')?;
            of.parse::<usize>().ok()?;
            Some((heading, at.parse().ok()?))
        };
        numbered().unwrap_or((title, 0))
    }

    /// How well the entry fits the question, as the logit of its odds against the others. `first`: whether it is the
    /// nearest.
    fn fit(&self, first: bool) -> f64 {
        let Support { unit, title, missing, met, side, precise, steps, no_steps, empty, .. } = self.support;
        choice::PAGE * logit(self.ranked.confidence)
            + choice::LEAD * self.lead.clamp(-MAX_LEAD, MAX_LEAD)
            + choice::FIRST * f64::from(first)
            + choice::UNIT * unit
            + choice::MISSING * missing.min(MOST_MISSING).ln_1p()
            + choice::MET * f64::from(met)
            + choice::SIDE * side
            + choice::PRECISE * precise
            + choice::STEPS * (f64::from(steps) - f64::from(no_steps))
            + choice::EMPTY * empty
            + choice::TITLE * title
    }

    /// The probability that the text says what was asked, if it fits `beats` better than the second: 0-1.
    fn confidence(&self, beats: f64) -> f64 {
        let Support { title, unknown, unknown_code, met, unmet, side, .. } = self.support;
        let page = logit(self.ranked.confidence);
        let (short, long) = (self.ranked.evidence.shortness(), self.longness());
        let sum = sure::OFFSET
            + (sure::PAGE + short * sure::SHORT_PAGE + long * sure::LONG_PAGE) * page
            + short * sure::SHORT
            + long * sure::LONG
            + sure::UNKNOWN * unknown.min(MOST_UNKNOWN) * if met { UNKNOWN_IF_MET } else { 1.0 }
            + sure::UNKNOWN_CODE * f64::from(unknown_code)
            + sure::MET * f64::from(met)
            + sure::UNMET * f64::from(unmet)
            + sure::SIDE * side.max(0.0)
            + sure::OTHER_SIDE * (-side).max(0.0)
            + sure::BEATS * beats
            + sure::FOLLOWS * f64::from(self.ranked.follow_up.is_some())
            + sure::TITLE * title;
        1.0 / (1.0 + (-sum).exp())
    }

    /// 1 for a question of many words, 0 for one of few.
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    fn longness(&self) -> f64 {
        1.0 / (1.0 + ((HALF_LONG_WORDS - self.ranked.evidence.words as f64) / LONG_SLOPE_WORDS).exp())
    }
}
