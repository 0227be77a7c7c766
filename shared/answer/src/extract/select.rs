//! Selects the units of a text that contain the answer, up to a limit, in the text's order.

use std::collections::HashSet;

use super::limit::cut;
use super::procedure::Procedures;
use super::question::Question;
use super::render::{GAP, plain, render};
use super::wanted::Wanted;
use super::weigh::{Scores, scores};
use text::{Unit, units, word_count};

/// The share of the best unit's score that another needs to be quoted beside it, if that one is the answer.
const BESIDE_ANSWER: f64 = 0.7;
/// An entry of no more words is quoted whole, even if one unit is the answer.
const BRIEF_WORDS: usize = 40;
/// How much longer than another answer a procedure may be.
const STEPS_FACTOR: usize = 2;
/// Characters around a unit: the line feeds and marks of what is left out.
const MARK_CHARS: usize = 5;

/// The best units of `content`, at most `most_words` words together; all of it if it has no more. If the best unit is
/// the answer, only units that are about as good are quoted beside it, but for a very short text. Of a table with rows
/// that have words of the question, only those are quoted.
pub(super) fn select(question: &Question<'_>, content: &str, most_words: usize) -> String {
    select_of(question, content, &units(content), most_words)
}

/// The same of the `units` of `content`.
pub(super) fn select_of(question: &Question<'_>, content: &str, units: &[Unit<'_>], most_words: usize) -> String {
    let scores = scores(question, units);
    let mut order = order(units, &scores);
    let sure = order.first().filter(|best| scores.sure.get(**best) == Some(&true));
    let way = Wanted::of(question.text).is_way();
    let whole = if sure.is_some() && !way { BRIEF_WORDS.min(most_words) } else { most_words };
    if word_count(content) <= whole {
        return plain(content);
    }
    let least = if way { None } else { sure.map(|best| BESIDE_ANSWER * score(&scores, *best)) }.unwrap_or(f64::MIN);
    order.retain(|at| score(&scores, *at) >= least && scores.other_row.get(*at) != Some(&true));
    let procedures = Procedures::of(units);
    let mut longest = most_words;
    if way && let Some(place) = order.iter().position(|at| procedures.has(*at)) {
        // The way that is asked for, before what is said about it.
        order.get_mut(..=place).into_iter().for_each(|up_to_it| up_to_it.rotate_right(1));
        longest = STEPS_FACTOR * most_words;
    }
    let costs = Costs { procedures: &procedures, first: longest, most: most_words, gap: 1 };
    let (chosen, complete) = choose(units, order.iter().copied(), &costs, |unit| unit.words);
    if !chosen.contains(&true) {
        return cut(order.first().and_then(|at| units.get(*at)).map_or(content, |unit| &unit.text), most_words);
    }
    let text = render(units, &chosen);
    if complete { text } else { format!("{text}\n\n{GAP}") }
}

/// The best units of `content` in at most `chars` characters; all of it if it has no more. Empty if no unit fits.
pub(crate) fn excerpt(question: &Question<'_>, content: &str, chars: usize) -> String {
    let content = content.trim();
    if content.chars().count() <= chars {
        return content.to_owned();
    }
    let units = units(content);
    let order = order(&units, &scores(question, &units));
    let cost = |unit: &Unit<'_>| unit.text.chars().count() + unit.text.lines().count() * unit.indent + MARK_CHARS;
    let costs = Costs { procedures: &Procedures::of(&units), first: chars, most: chars, gap: MARK_CHARS };
    render(&units, &choose(&units, order.into_iter(), &costs, cost).0)
}

/// The places of the units that can be quoted alone, the best first.
fn order(units: &[Unit<'_>], scores: &Scores) -> Vec<usize> {
    let mut order: Vec<usize> = (0..units.len()).filter(|at| units.get(*at).is_some_and(|u| !u.is_context())).collect();
    order.sort_by(|a, b| score(scores, *b).total_cmp(&score(scores, *a)).then(a.cmp(b)));
    order
}

fn score(scores: &Scores, at: usize) -> f64 {
    scores.of.get(at).copied().unwrap_or(0.0)
}

/// The limits of what a quotation costs.
struct Costs<'a> {
    procedures: &'a Procedures,
    /// Up to how much if it begins with a procedure.
    first: usize,
    most: usize,
    /// The mark of what is left out.
    gap: usize,
}

/// Which units are quoted, and whether every procedure among them is complete: those of `order` that fit with what they
/// need, each step with its whole procedure. Of a procedure that comes first and does not fit, the first steps are quoted.
fn choose(
    units: &[Unit<'_>],
    order: impl Iterator<Item = usize>,
    costs: &Costs<'_>,
    cost: impl Fn(&Unit<'_>) -> usize,
) -> (Vec<bool>, bool) {
    let mut chosen = vec![false; units.len()];
    let (mut used, mut complete) = (0, true);
    let mut tried: HashSet<usize> = HashSet::new();
    for at in order {
        let together = costs.procedures.together_with(&at);
        if chosen.get(at) == Some(&true) || !tried.insert(together.first().copied().unwrap_or(at)) {
            continue;
        }
        let is_first = used == 0;
        let is_chosen = |at: Option<usize>| at.and_then(|at| chosen.get(at)) == Some(&true);
        let is_apart = !is_first && !is_chosen(at.checked_sub(1)) && !is_chosen(Some(at + 1));
        let before = used;
        used += if is_apart { costs.gap } else { 0 };
        let most = if is_first { costs.first } else { costs.most };
        let mut added: Vec<usize> = Vec::new();
        let mut fits = true;
        for at in together {
            let with = with_needed(units, &chosen, *at);
            let more: usize = with.iter().filter_map(|at| units.get(*at)).map(&cost).sum();
            fits &= used + more <= most;
            if !fits {
                break;
            }
            used += more;
            with.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = true));
            added.extend(with);
        }
        if fits || (is_first && !added.is_empty()) {
            complete &= fits;
        } else {
            added.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = false));
            used = before;
        }
    }
    fill_small_gaps(units, &mut chosen, costs.most.saturating_sub(used), cost);
    (chosen, complete)
}

/// Chooses each unit that alone is missing between two chosen ones of text, while at most `left` is added: it is
/// read sooner than its absence is understood.
fn fill_small_gaps(units: &[Unit<'_>], chosen: &mut [bool], mut left: usize, cost: impl Fn(&Unit<'_>) -> usize) {
    for at in 1..units.len() {
        let is_chosen = |at: usize| chosen.get(at) == Some(&true);
        let (true, false, true) = (is_chosen(at - 1), is_chosen(at), is_chosen(at + 1)) else { continue };
        let Some(unit) = units.get(at).filter(|unit| unit.is_text() && cost(unit) <= left) else { continue };
        if units.get(at - 1).is_some_and(|before| before.is_text()) {
            left -= cost(unit);
            chosen.get_mut(at).into_iter().for_each(|chosen| *chosen = true);
        }
    }
}

/// A unit with those it needs that are not chosen yet.
fn with_needed(units: &[Unit<'_>], chosen: &[bool], at: usize) -> Vec<usize> {
    let needed = std::iter::successors(Some(at), |at| units.get(*at).and_then(|unit| unit.needs));
    needed.filter(|at| chosen.get(*at) == Some(&false)).collect()
}
