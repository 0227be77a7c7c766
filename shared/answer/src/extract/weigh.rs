//! How likely each unit of an entry contains the answer.

use std::collections::HashMap;

use super::{Question, Wanted};
use text::{Unit, UnitKind};

/// What a word of the question counts for that only the unit's heading, introduction or table head has.
const CONTEXT_WEIGHT: f64 = 0.5;
/// The weight of the nearest neighbour: a fact is often next to the sentence that names its subject.
const NEIGHBOUR_WEIGHT: f64 = 0.5;
/// The weight of a neighbour in another block, relative to one in the same.
const OTHER_BLOCK_WEIGHT: f64 = 0.2;
/// What the best unit of its block counts for.
const BLOCK_WEIGHT: f64 = 0.25;
/// What a unit counts for that has the kind of answer asked for, in words that no passage has.
const WANTED_WEIGHT: f64 = 0.4;
/// What standing in the passage that is nearest by its vector counts for, in words that no passage has.
const NEAR_PASSAGE_WEIGHT: f64 = 0.4;
/// How much the first unit is ahead of the last, in words that no passage has: an entry begins with what it is about.
const POSITION_WEIGHT: f64 = 0.15;

/// The score of each unit.
#[allow(clippy::cast_precision_loss, reason = "an entry has far fewer than 2^52 units")]
pub(super) fn scores(question: &Question<'_>, units: &[Unit<'_>]) -> Vec<f64> {
    let words = Words::of(question, units);
    let own: Vec<f64> = (0..units.len()).map(|at| words.own(at)).collect();
    let own_of = |at: Option<usize>| at.and_then(|at| own.get(at)).copied().unwrap_or(0.0);
    let mut best_of_block = vec![0.0_f64; units.last().map_or(0, |last| last.block + 1)];
    for (unit, own) in units.iter().zip(&own).filter(|(unit, _)| !unit.is_context()) {
        best_of_block.get_mut(unit.block).into_iter().for_each(|best| *best = best.max(*own));
    }
    let neighbour = |unit: &Unit<'_>, at: Option<usize>| {
        let Some(near) = at.and_then(|at| units.get(at)).filter(|near| !near.is_context()) else { return 0.0 };
        let rows = near.kind == UnitKind::Row || unit.kind == UnitKind::Row;
        let weight = if rows { 0.0 } else if unit.block == near.block { 1.0 } else { OTHER_BLOCK_WEIGHT };
        weight * own_of(at)
    };
    let wanted = Wanted::of(question.text);
    let near_text = question.near.map(bare);
    let is_near = |unit: &Unit<'_>| near_text.as_ref().is_some_and(|near| near.contains(&bare(&unit.text)));
    let score = |(at, unit): (usize, &Unit<'_>)| {
        let near = neighbour(unit, at.checked_sub(1)).max(neighbour(unit, Some(at + 1)));
        let early = 1.0 - at as f64 / units.len() as f64;
        let block = best_of_block.get(unit.block).copied().unwrap_or(0.0);
        let constant = POSITION_WEIGHT * early
            + if wanted.is_met_by(unit) { WANTED_WEIGHT } else { 0.0 }
            + if is_near(unit) { NEAR_PASSAGE_WEIGHT } else { 0.0 };
        own_of(Some(at)) + CONTEXT_WEIGHT * words.context(units, at) + NEIGHBOUR_WEIGHT * near
            + BLOCK_WEIGHT * block
            + question.scorer.unknown_word() * constant
    };
    units.iter().enumerate().map(score).collect()
}

/// Which words of the question stand in which unit, and what each weighs.
struct Words {
    weights: Vec<f64>,
    /// The places of the words in each unit, each once, in order.
    of_unit: Vec<Vec<usize>>,
}

impl Words {
    /// A word weighs what it weighs in the wiki, and the less the more of the units have it.
    #[allow(clippy::cast_precision_loss, reason = "an entry has far fewer than 2^52 units")]
    fn of(question: &Question<'_>, units: &[Unit<'_>]) -> Self {
        let distinct = &question.query.distinct;
        let places: HashMap<&str, usize> = distinct.iter().enumerate().map(|(at, term)| (term.as_str(), at)).collect();
        let of_unit: Vec<Vec<usize>> = units
            .iter()
            .map(|unit| {
                let mut found = Vec::new();
                question.analyzer.each_term(&unit.text, |_, term| found.extend(places.get(term.as_str())));
                found.sort_unstable();
                found.dedup();
                found
            })
            .collect();
        let mut counts = vec![0_usize; distinct.len()];
        for at in of_unit.iter().flatten() {
            counts.get_mut(*at).into_iter().for_each(|count| *count += 1);
        }
        let n = units.len() as f64;
        let idf = |count: usize| (1.0 + (n - count as f64 + 0.5) / (count as f64 + 0.5)).ln();
        let weigh = |(term, count): (&String, usize)| {
            question.scorer.text_score(std::slice::from_ref(term)) * idf(count) / idf(0)
        };
        Self { weights: distinct.iter().zip(counts).map(weigh).collect(), of_unit }
    }

    fn weight(&self, word: usize) -> f64 {
        self.weights.get(word).copied().unwrap_or(0.0)
    }

    fn words(&self, at: usize) -> &[usize] {
        self.of_unit.get(at).map_or(&[], Vec::as_slice)
    }

    /// What the unit's own words weigh.
    fn own(&self, at: usize) -> f64 {
        self.words(at).iter().map(|word| self.weight(*word)).sum()
    }

    /// What the words weigh that only those units have which this one needs.
    fn context(&self, units: &[Unit<'_>], at: usize) -> f64 {
        let needed = std::iter::successors(units.get(at).and_then(|unit| unit.needs), |at| units.get(*at)?.needs);
        let mut others: Vec<usize> = needed.flat_map(|at| self.words(at)).copied().collect();
        others.sort_unstable();
        others.dedup();
        let own = self.words(at);
        others.into_iter().filter(|word| own.binary_search(word).is_err()).map(|word| self.weight(word)).sum()
    }
}

/// The words of a text without marks: passages hold a text in one line.
fn bare(text: &str) -> String {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
