//! Reads the nearest entries: which of their texts says best what was asked, and how sure that is.
//!
//! The ranking knows how likely an entry is about the question. It does not know whether the text that would be quoted
//! says what was asked. Two linear models over [`Support`] do: one chooses among the entries, one is the confidence.
//! docs/ANSWER-QUALITY.md says what they were fitted on.

use super::engine::{Found, FoundPart};
use super::extract::{self, Support, Topic};
use super::rank::{Ranked, Scorer, logit, nearest_passage, weights};
use domain::models::{Language, WikiPath};
use text::{Analyzer, Opposites, QueryTerms, TITLE_SEPARATOR, dialogue, images, markdown, word_count};

/// How many of the nearest entries are read.
const READ: usize = 5;
/// The least share of the first entry's score that an entry needs to be read.
const READ_SHARE: f64 = 0.4;
/// A lower score counts as this one.
const LEAST_SCORE: f64 = 0.01;
/// The least and the greatest nearness that count.
const LEAST_NEAR: f64 = -1.0;
const MOST_NEAR: f64 = 5.0;
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
/// How many words a question has if it is half long, and in how many words that changes.
const HALF_LONG_WORDS: f64 = 12.0;
const LONG_SLOPE_WORDS: f64 = 2.0;

/// An entry that may have the answer, as far as its text is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub path: WikiPath,
    /// Its title: of a section "Page › Section".
    pub title: String,
    /// The figures by which it was found.
    pub ranked: Ranked,
    /// The text that would be quoted.
    pub quote: String,
    /// How far the text answers what was asked.
    pub support: Support,
    /// How much nearer it is than the nearest other entry, as the logarithm of the ratio of their scores.
    pub lead: f64,
    /// 1 if the text has words of the question and is in its language, and that is not the wiki's; else 0.
    pub in_customers_language: f64,
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

weights! {
    /// The choice among the entries: the weights of [`Reading::fit`].
    ///
    /// They were fitted by `tests/fit` on pairs of a text that answers a question and one that does not, but for the side of
    /// opposites without vectors (.88 and .48 by the fit): between "Sound" and "No sound" nothing else decides.
    Choice:
    page 0.22 0.154,
    lead 1.796 0.484,
    first 0.342 0.273,
    unit 2.4 0.666,
    missing -2.804 -2.962,
    met 4.053 2.156,
    side 1.3 1.3,
    precise 1.464 1.094,
    steps 0.669 0.69,
    empty -1.281 -0.477,
    title 0.778 0.0,
    near 0.0 0.853,
}

weights! {
    /// The confidence in the chosen entry, a logistic regression: the weights of [`Reading::confidence`].
    ///
    /// Without vectors they were fitted by `tests/fit`, then .15 less steep around the threshold, so that fewer wrong answers
    /// are sure; the unknown words' by the fit −.37: a question of two words of which no entry has one ("is the glue vegan")
    /// gets less than .5. The offset is .1 higher and the weights of a question whether something is so were fitted beside the
    /// others. With vectors they were fitted likewise, then .1 less steep; the offset is .12 higher.
    Sure:
    offset -0.739 -0.831,
    page 0.051 0.175,
    short_page 0.712 0.387,
    long 0.075 0.049,
    long_page 0.235 0.0,
    unknown -0.9 -0.61,
    yes_no -0.25 -0.27,
    yes_no_unknown -2.95 -3.4,
    met 0.025 0.108,
    unmet -2.273 -2.01,
    side 0.6 0.6,
    beats 0.241 0.345,
    follows 0.706 0.165,
    title 1.296 0.838,
    near 0.0 0.279,
}

/// These are not fitted: hardly any question of the sets has what they weigh. Nothing that the wiki says is about a code
/// that it has not; few passages have a code that it has; of five texts on the other side none is right. Who writes in
/// another language than the wiki's reads a page in that language, if it has the answer: that decides the choice alone.
const UNKNOWN_CODE: f64 = -3.0;
const CODE: f64 = 2.0;
const OTHER_SIDE: f64 = -3.5;
const CUSTOMERS_LANGUAGE: f64 = 4.0;
/// The least share of the question's words that a text in the customer's language needs to be preferred.
const CUSTOMERS_LANGUAGE_UNIT: f64 = 0.4;
/// The characters of a text that tell its language: the rest of a translated page is often not translated yet.
const LANGUAGE_CHARS: usize = 200;

/// The nearest entries to the first question of a message, read for their answers, in the order of the ranking.
#[must_use]
pub fn read_nearest(found: &Found, language: Language) -> Vec<Reading> {
    let read = found.parts.first().and_then(|part| readings(part, language));
    read.map(|(_, _, readings)| readings).unwrap_or_default()
}

/// The nearest entries to a question, read for their answers, in the order of the ranking; none if the index did not
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
    let spoken = dialogue::language(&part.text).filter(|spoken| *spoken != language.into());
    let least = READ_SHARE * ranked.first().map_or(0.0, |first| first.score);
    let read = |(place, ranked): (usize, &Ranked)| {
        let candidate = retrieval.candidates.get(ranked.candidate)?;
        let near = nearest_passage(candidate).map(|passage| passage.text.as_str());
        let quote = extract::extract(&extract::Question { near, ..asked }, &images::without(&candidate.content));
        let support = topic.support(&candidate.title, &candidate.title_terms, &quote);
        let (path, title, lead) = (candidate.path.clone(), candidate.title.clone(), lead(place, ranked));
        let mut ranked = *ranked;
        if support.granted > 0.0 && ranked.follow_up.is_none() && ranked.s > 0.0 {
            ranked.confidence = ranked.confidence.max(ranked.evidence.with_words(support.granted).confidence());
        }
        let begins_in = || dialogue::language(&quote.chars().take(LANGUAGE_CHARS).collect::<String>());
        let has_words = spoken.is_some() && support.unit >= CUSTOMERS_LANGUAGE_UNIT;
        let in_customers_language = f64::from(has_words && begins_in() == spoken);
        Some(Reading { path, title, ranked, quote, support, lead, in_customers_language })
    };
    let near = ranked.iter().enumerate().take(READ).filter(|(_, r)| r.score >= least);
    let readings = near.filter_map(read).collect();
    Some((query, ranked, readings))
}

/// The entry of which the text says best what was asked. If another section of its page says it about as well, both are
/// quoted: the ways on two systems are two sections.
///
/// An entry that is found by its vectors alone has no word of the question, as in another language: it stays first, with its
/// own confidence.
pub(super) fn choose(mut readings: Vec<Reading>) -> Option<Chosen> {
    let first = readings.first()?;
    if first.ranked.s <= 0.0 {
        let confidence = if first.support.only_asks { 0.0 } else { first.ranked.confidence };
        return Some(Chosen { place: 0, beside: None, quote: readings.swap_remove(0).quote, confidence });
    }
    // An entry that was just written has no vectors yet: what the first entry has decides about all.
    let has_vectors = first.ranked.evidence.nearness.is_some();
    let (choice, sure) = (Choice::of(has_vectors), Sure::of(has_vectors));
    // The ranking in a conversation knows which words are earlier ones; a text does not.
    let follows = first.ranked.follow_up.is_some();
    let fits: Vec<f64> = readings.iter().enumerate().map(|(place, reading)| reading.fit(&choice, place == 0)).collect();
    let best = |places: &mut dyn Iterator<Item = usize>, own: f64| {
        let fits = places.filter_map(|at| Some((at, fits.get(at)? + own * readings.get(at)?.in_customers_language)));
        fits.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)))
    };
    let place = if follows { 0 } else { best(&mut (0..fits.len()), CUSTOMERS_LANGUAGE)?.0 };
    let (chosen, fit) = (readings.get(place)?, *fits.get(place)?);
    let is_near = |other: &usize| readings.get(*other).is_some_and(|it| it.is_beside(chosen));
    let others = || (0..fits.len()).filter(|other| *other != place);
    let beside = best(&mut others().filter(is_near), 0.0).filter(|(_, other)| fit - other <= BESIDE_FIT);
    let beside = beside.map(|(beside, _)| beside);
    // An entry that is found by its vectors alone is no match for one that has none yet, nor a page that may be the same one in
    // another language, if there is one in the customer's.
    let is_rival = |other: &usize| readings.get(*other).is_some_and(|it| it.ranked.s > 0.0) && Some(*other) != beside;
    let second = best(&mut others().filter(is_rival), CUSTOMERS_LANGUAGE).and_then(|(place, _)| fits.get(place));
    let beats = second.map_or(ALONE_BEATS, |second| (fit - second).clamp(0.0, MAX_BEATS));
    let quote = match beside.and_then(|beside| readings.get(beside)) {
        Some(beside) => chosen.quoted_with(beside),
        None => chosen.quote.clone(),
    };
    Some(Chosen { place, beside, quote, confidence: chosen.confidence(&sure, beats) })
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

    /// Its title behind the page's, and the number of its part: 1 of "Page › Section (1/2)".
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
    fn fit(&self, c: &Choice, first: bool) -> f64 {
        let Support { unit, title, missing, met, side, precise, steps, no_steps, empty, only_asks, .. } = self.support;
        if only_asks {
            return f64::MIN;
        }
        c.page * logit(self.ranked.confidence)
            + c.lead * self.lead.clamp(-MAX_LEAD, MAX_LEAD)
            + c.first * f64::from(first)
            + c.unit * unit
            + c.missing * missing.min(MOST_MISSING).ln_1p()
            + c.met * f64::from(met)
            + c.side * side
            + c.precise * precise
            + c.steps * (f64::from(steps) - f64::from(no_steps))
            + c.empty * empty
            + c.title * title
            + c.near * self.near()
    }

    /// The probability that the text says what was asked, if it fits `beats` better than the second: 0-1.
    fn confidence(&self, c: &Sure, beats: f64) -> f64 {
        let Support { title, unknown, yes_no, unknown_code, code, met, unmet, side, only_asks, .. } = self.support;
        if only_asks {
            return 0.0;
        }
        let page = logit(self.ranked.confidence);
        let (short, long) = (self.ranked.evidence.shortness(), self.longness());
        let sum = c.offset
            + (c.page + short * c.short_page + long * c.long_page) * page
            + long * c.long
            + c.unknown * unknown.min(MOST_UNKNOWN) * if met { UNKNOWN_IF_MET } else { 1.0 }
            + f64::from(yes_no) * (c.yes_no + c.yes_no_unknown * unknown.min(MOST_UNKNOWN))
            + UNKNOWN_CODE * f64::from(unknown_code)
            + CODE * f64::from(code)
            + c.met * f64::from(met)
            + c.unmet * f64::from(unmet)
            + c.side * side.max(0.0)
            + OTHER_SIDE * (-side).max(0.0)
            + c.beats * beats
            + c.follows * f64::from(self.ranked.follow_up.is_some())
            + c.title * title
            + c.near * self.near();
        1.0 / (1.0 + (-sum).exp())
    }

    /// How near it is by its vectors, in standard deviations.
    fn near(&self) -> f64 {
        self.ranked.evidence.nearness.unwrap_or(0.0).clamp(LEAST_NEAR, MOST_NEAR)
    }

    /// 1 for a question of many words, 0 for one of few.
    #[allow(clippy::cast_precision_loss, reason = "a question has few words")]
    fn longness(&self) -> f64 {
        1.0 / (1.0 + ((HALF_LONG_WORDS - self.ranked.evidence.words as f64) / LONG_SLOPE_WORDS).exp())
    }
}
