//! How likely each unit of an entry contains the answer.

use std::collections::{HashMap, HashSet};

use super::empty::is_empty;
use super::question::Question;
use super::wanted::Wanted;
use text::{Unit, UnitKind};

/// The weight of a word that a unit has only through the units that it needs, relative to a word of its own.
const CONTEXT_WEIGHT: f64 = 0.5;
/// The weight of the nearest neighbour in the same block: a fact is often next to the sentence that names its subject.
const NEIGHBOUR_WEIGHT: f64 = 0.5;
/// The weight of having the kind of answer that is asked for, in words that no passage has.
const WANTED_WEIGHT: f64 = 0.4;
/// The weight of being in the passage that is nearest by its vector, in words that no passage has.
const NEAR_PASSAGE_WEIGHT: f64 = 0.4;
/// The share of the question's words, by weight and of those that the entry has, that a unit needs to be the answer.
const SURE_SHARE: f64 = 0.6;

/// The weight of a unit that is on the question's side of two opposites, and against one on the other, in words that no
/// passage has.
const OPPOSITE_WEIGHT: f64 = 0.6;
/// The factor of a unit that only says what the text is about, only asks, or is only a link.
const EMPTY_FACTOR: f64 = 0.25;

/// How near the units are to the answer.
pub(super) struct Scores {
    /// Of each unit.
    pub(super) of: Vec<f64>,
    /// Whether each unit has the kind of answer that is asked for, and enough of the question's words.
    pub(super) sure: Vec<bool>,
    /// Whether each unit is a row without a word of the question in a table that has such a row.
    pub(super) other_row: Vec<bool>,
}

/// The score of each unit: of its words, of those that it needs, and of its neighbours, and of what is asked for.
pub(super) fn scores(question: &Question<'_>, units: &[Unit<'_>]) -> Scores {
    let words = Words::of(question, units);
    let neighbour = |unit: &Unit<'_>, at: Option<usize>| match at.and_then(|at| units.get(at).map(|near| (at, near))) {
        Some((at, near)) if near.block == unit.block && near.is_text() && unit.is_text() => words.own(at),
        _ => 0.0,
    };
    let wanted = Wanted::of(question.text);
    let meets: Vec<bool> = units.iter().map(|unit| wanted.is_met_by(unit)).collect();
    let near_text = question.near.map(bare);
    let side = |unit: &Unit<'_>| {
        let Question { opposites, .. } = question;
        if opposites.names_another(&unit.text) { -1.0 } else { opposites.agreement(&unit.text) }
    };
    let sides: Vec<f64> = units.iter().map(side).collect();
    let side = |at: usize, unit: &Unit<'_>| {
        let of = |at: usize| sides.get(at).copied().unwrap_or(0.0);
        let own = of(at);
        if own == 0.0 { unit.needs.map_or(0.0, of) } else { own }
    };
    let score = |(at, unit): (usize, &Unit<'_>)| {
        let near = near_text.as_ref().is_some_and(|near| near.contains(&bare(&unit.text)));
        let besides = if meets.get(at) == Some(&true) { WANTED_WEIGHT } else { 0.0 }
            + if near { NEAR_PASSAGE_WEIGHT } else { 0.0 };
        let score = words.with_context(at)
            + NEIGHBOUR_WEIGHT * neighbour(unit, at.checked_sub(1)).max(neighbour(unit, Some(at + 1)))
            + question.scorer.unknown_word() * (besides + OPPOSITE_WEIGHT * side(at, unit));
        if is_empty(unit) { EMPTY_FACTOR * score } else { score }
    };
    let of = units.iter().enumerate().map(score).collect();
    let enough = SURE_SHARE * words.all();
    let sure = meets.iter().enumerate().map(|(at, meets)| *meets && words.with_context(at) >= enough).collect();
    Scores { of, sure, other_row: other_rows(units, &words) }
}

fn other_rows(units: &[Unit<'_>], words: &Words) -> Vec<bool> {
    let rows = || units.iter().enumerate().filter(|(_, unit)| unit.kind == UnitKind::Row);
    let has_words = |at: usize| words.own.get(at).is_some_and(|words| !words.is_empty());
    let asked: HashSet<usize> = rows().filter(|(at, _)| has_words(*at)).map(|(_, unit)| unit.block).collect();
    let is_other =
        |(at, unit): (usize, &Unit<'_>)| unit.kind == UnitKind::Row && !has_words(at) && asked.contains(&unit.block);
    units.iter().enumerate().map(is_other).collect()
}

/// Which words of the question stand in which unit, and what each weighs.
struct Words {
    weights: Vec<f64>,
    /// The places of the words in each unit, each once, in order.
    own: Vec<Vec<usize>>,
    /// Those in it and in the units that it needs.
    with_context: Vec<Vec<usize>>,
}

impl Words {
    /// A word weighs what it weighs in the wiki, and the less the more of the units have it.
    #[allow(clippy::cast_precision_loss, reason = "an entry has far fewer than 2^52 units")]
    fn of(question: &Question<'_>, units: &[Unit<'_>]) -> Self {
        let distinct = &question.query.distinct;
        let places: HashMap<&str, usize> = distinct.iter().enumerate().map(|(at, term)| (term.as_str(), at)).collect();
        let mut own: Vec<Vec<usize>> = Vec::with_capacity(units.len());
        let mut with_context: Vec<Vec<usize>> = Vec::with_capacity(units.len());
        let mut counts = vec![0_usize; distinct.len()];
        for unit in units {
            let mut found = Vec::new();
            question.analyzer.each_indexed_term(&unit.text, |_, term| found.extend(places.get(term.as_str())));
            sort(&mut found);
            let mut all = unit.needs.and_then(|at| with_context.get(at)).cloned().unwrap_or_default();
            all.extend(&found);
            sort(&mut all);
            for word in &found {
                counts.get_mut(*word).into_iter().for_each(|count| *count += 1);
            }
            own.push(found);
            with_context.push(all);
        }
        let n = units.len() as f64;
        let idf = |count: usize| (1.0 + (n - count as f64 + 0.5) / (count as f64 + 0.5)).ln();
        let weigh = |(term, count): (&String, usize)| {
            question.scorer.text_score(std::slice::from_ref(term)) * idf(count) / idf(0)
        };
        Self { weights: distinct.iter().zip(counts).map(weigh).collect(), own, with_context }
    }

    fn weight(&self, words: Option<&Vec<usize>>) -> f64 {
        words.into_iter().flatten().filter_map(|word| self.weights.get(*word)).sum()
    }

    /// The weight of a unit's own words.
    fn own(&self, at: usize) -> f64 {
        self.weight(self.own.get(at))
    }

    /// The weight of a unit's own words, and a smaller weight of the words of the units that it needs.
    fn with_context(&self, at: usize) -> f64 {
        let own = self.own(at);
        own + CONTEXT_WEIGHT * (self.weight(self.with_context.get(at)) - own)
    }

    /// The weight of all words of the question that any unit has.
    fn all(&self) -> f64 {
        let mut all: Vec<usize> = self.own.iter().flatten().copied().collect();
        sort(&mut all);
        self.weight(Some(&all))
    }
}

fn sort(words: &mut Vec<usize>) {
    words.sort_unstable();
    words.dedup();
}

/// The words of a text without marks: passages hold a text in one line.
fn bare(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
