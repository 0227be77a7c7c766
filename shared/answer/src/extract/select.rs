//! Selects the units of a text that contain the answer, up to the length of a short answer, in the text's order.

use super::limit::{MAX_WORDS, cut};
use super::units::{Kind, Unit, bold, plain, units};
use crate::rank::Scorer;
use text::{Analyzer, word_count};

/// The weight of the nearest neighbour: a fact is often next to the sentence that names its subject.
const NEIGHBOUR_WEIGHT: f64 = 0.5;
/// The weight of a neighbour in another paragraph, relative to one in the same.
const OTHER_PARAGRAPH_WEIGHT: f64 = 0.2;
/// What the best sentence of its paragraph counts for.
const PARAGRAPH_WEIGHT: f64 = 0.25;
/// What its heading counts for.
const HEADING_WEIGHT: f64 = 0.5;
/// What standing in the passage that is nearest by its vector counts for, in words that no passage has.
const NEAR_PASSAGE_WEIGHT: f64 = 0.4;
/// How much the first unit is ahead of the last, in words that no passage has: an entry begins with what it is about.
const POSITION_WEIGHT: f64 = 0.15;

/// The best units of `content`, at most 90 words together; all of it where it has no more.
pub(super) fn select(analyzer: &Analyzer, scorer: &Scorer<'_>, content: &str, near: Option<&str>) -> String {
    if word_count(content) <= MAX_WORDS {
        return plain(content);
    }
    let units = units(analyzer, content);
    let scores = scores(scorer, &units, near);
    let mut order: Vec<usize> = (0..units.len()).filter(|at| kind(&units, *at) != Some(Kind::Heading)).collect();
    order.sort_by(|a, b| score(&scores, *b).total_cmp(&score(&scores, *a)).then(a.cmp(b)));
    let mut chosen = vec![false; units.len()];
    let mut words = 0;
    for at in &order {
        let with = with_neighbours(&units, &chosen, *at);
        let more: usize = with.iter().filter_map(|at| units.get(*at)).map(|unit| unit.words).sum();
        if words + more <= MAX_WORDS {
            words += more;
            with.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = true));
        }
    }
    if words == 0 {
        return cut(order.first().and_then(|at| units.get(*at)).map_or(content, |unit| unit.text));
    }
    join_units(units.iter().zip(&chosen).filter(|(_, chosen)| **chosen).map(|(unit, _)| unit))
}

/// A unit with those it needs that are not chosen yet.
fn with_neighbours(units: &[Unit<'_>], chosen: &[bool], at: usize) -> Vec<usize> {
    let needed = std::iter::successors(Some(at), |at| units.get(*at).and_then(|unit| unit.needs));
    needed.filter(|at| chosen.get(*at) == Some(&false)).collect()
}

/// How likely each unit contains the answer, by its own words and by those around it.
#[allow(clippy::cast_precision_loss, reason = "an entry has far fewer than 2^52 sentences")]
fn scores(scorer: &Scorer<'_>, units: &[Unit<'_>], near: Option<&str>) -> Vec<f64> {
    let own: Vec<f64> = units.iter().map(|unit| scorer.text_score(&unit.terms)).collect();
    let paragraphs = units.last().map_or(0, |last| last.paragraph + 1);
    let mut best_of = vec![0.0_f64; paragraphs];
    for (unit, own) in units.iter().zip(&own) {
        if let Some(best) = best_of.get_mut(unit.paragraph) {
            *best = best.max(*own);
        }
    }
    let neighbour = |at: usize, other: Option<usize>| {
        let (Some(unit), Some(near)) = (units.get(at), other.and_then(|other| units.get(other))) else { return 0.0 };
        let weight = if unit.paragraph == near.paragraph { 1.0 } else { OTHER_PARAGRAPH_WEIGHT };
        weight * other.map_or(0.0, |other| score(&own, other))
    };
    let heading = |mut at: usize| {
        while let Some(needed) = units.get(at).and_then(|unit| unit.needs) {
            at = needed;
        }
        if kind(units, at) == Some(Kind::Heading) { score(&own, at) } else { 0.0 }
    };
    let in_near = |unit: &Unit<'_>| near.is_some_and(|near| near.contains(&single_spaced(unit.text)));
    let around = |(at, unit): (usize, &Unit<'_>)| {
        let near = neighbour(at, at.checked_sub(1)).max(neighbour(at, Some(at + 1)));
        let late = at as f64 / units.len() as f64;
        score(&own, at)
            + NEIGHBOUR_WEIGHT * near
            + PARAGRAPH_WEIGHT * score(&best_of, unit.paragraph)
            + HEADING_WEIGHT * heading(at)
            + scorer.unknown_word()
                * (POSITION_WEIGHT * (1.0 - late) + if in_near(unit) { NEAR_PASSAGE_WEIGHT } else { 0.0 })
    };
    units.iter().enumerate().map(around).collect()
}

/// Sentences of a paragraph behind each other, list items and headings on lines of their own.
fn join_units<'a>(units: impl Iterator<Item = &'a Unit<'a>>) -> String {
    let mut text = String::new();
    let mut before: Option<&Unit<'_>> = None;
    for unit in units {
        if let Some(before) = before {
            let same = before.paragraph == unit.paragraph;
            let line = before.kind != Kind::Sentence || unit.kind != Kind::Sentence;
            text.push_str(match (same, line) {
                (true, false) => " ",
                (true, true) => "\n",
                (false, _) => "\n\n",
            });
        }
        match unit.kind {
            Kind::Heading => text.push_str(&bold(unit.text)),
            Kind::Item | Kind::Sentence => text.push_str(unit.text),
        }
        before = Some(unit);
    }
    text
}

/// The text as passages hold it.
fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn kind(units: &[Unit<'_>], at: usize) -> Option<Kind> {
    units.get(at).map(|unit| unit.kind)
}

fn score(scores: &[f64], at: usize) -> f64 {
    scores.get(at).copied().unwrap_or(0.0)
}
