//! Selects the units of a text that contain the answer, up to a limit, in the text's order.

use super::limit::cut;
use super::question::Question;
use super::procedure::procedure;
use super::render::{GAP, plain, render};
use super::wanted::Wanted;
use super::weigh::{Scores, scores};
use text::{Unit, units, word_count};

/// The share of the best unit's score that another needs to be quoted beside it, where that one is the answer.
const BESIDE_ANSWER: f64 = 0.7;
/// An entry of no more words is quoted whole, also where one unit is the answer.
const BRIEF_WORDS: usize = 40;
/// How much longer than another answer a procedure may be.
const STEPS_FACTOR: usize = 2;
/// Characters around a unit: the line feeds and marks of what is left out.
const MARK_CHARS: usize = 5;

/// The best units of `content`, at most `most_words` words together; all of it where it has no more. If the best unit is the
/// answer, only units that are about as good are quoted beside it, but for a very short text. Of a table with rows that
/// have words of the question, only those are quoted.
pub(super) fn select(question: &Question<'_>, content: &str, most_words: usize) -> String {
    select_of(question, content, &units(content), most_words)
}

/// The same of the `units` of `content`.
pub(super) fn select_of(question: &Question<'_>, content: &str, units: &[Unit<'_>], most_words: usize) -> String {
    let scores = scores(question, units);
    let order = order(units, &scores);
    let sure = order.first().filter(|best| scores.sure.get(**best) == Some(&true));
    let way = Wanted::of(question.text).is_way();
    let brief = BRIEF_WORDS.min(most_words);
    if word_count(content) <= if sure.is_some() && !way { brief } else { most_words } {
        return plain(content);
    }
    if let Some(best) = order.first().filter(|_| sure.is_none() || way)
        && let Some(steps) = procedure(units, &scores, *best, way)
    {
        return quote_steps(units, &steps, *best, STEPS_FACTOR * most_words);
    }
    let least = sure.map_or(f64::MIN, |best| BESIDE_ANSWER * score(&scores, *best));
    let good =
        order.iter().copied().filter(|at| score(&scores, *at) >= least && scores.other_row.get(*at) != Some(&true));
    let chosen = choose(units, good, most_words, |unit| unit.words, 1);
    if !chosen.contains(&true) {
        return cut(order.first().and_then(|at| units.get(*at)).map_or(content, |unit| &unit.text), most_words);
    }
    render(units, &chosen)
}

/// The steps of a procedure with what introduces them, and the best unit where that is another and all fit; otherwise the
/// first steps and a mark.
fn quote_steps(units: &[Unit<'_>], steps: &[bool], best: usize, most_words: usize) -> String {
    let mut chosen = vec![false; units.len()];
    let mut left = most_words;
    let mut add = |chosen: &mut Vec<bool>, at: usize| {
        let with = with_needed(units, chosen, at);
        let words: usize = with.iter().filter_map(|at| units.get(*at)).map(|unit| unit.words).sum();
        let fits = words <= left;
        if fits {
            left -= words;
            with.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = true));
        }
        fits
    };
    let all = steps.iter().enumerate().filter(|(_, is_step)| **is_step).all(|(at, _)| add(&mut chosen, at));
    if all {
        add(&mut chosen, best);
    }
    let text = render(units, &chosen);
    if all { text } else { format!("{text}\n\n{GAP}") }
}

/// The best units of `content` in at most `chars` characters; all of it where it has no more. Empty where no unit fits.
pub(crate) fn excerpt(question: &Question<'_>, content: &str, chars: usize) -> String {
    let content = content.trim();
    if content.chars().count() <= chars {
        return content.to_owned();
    }
    let units = units(content);
    let order = order(&units, &scores(question, &units));
    let cost = |unit: &Unit<'_>| unit.text.chars().count() + unit.text.lines().count() * unit.indent + MARK_CHARS;
    render(&units, &choose(&units, order.into_iter(), chars, cost, MARK_CHARS))
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

/// Which units are quoted: those of `order` that fit in `most` with what they need, where a gap costs `gap`.
fn choose(
    units: &[Unit<'_>],
    order: impl Iterator<Item = usize>,
    most: usize,
    cost: impl Fn(&Unit<'_>) -> usize,
    gap: usize,
) -> Vec<bool> {
    let mut chosen = vec![false; units.len()];
    let mut used = 0;
    for at in order {
        let with = with_needed(units, &chosen, at);
        let is_chosen = |at: Option<usize>| at.and_then(|at| chosen.get(at)) == Some(&true);
        let is_apart = used > 0 && !is_chosen(at.checked_sub(1)) && !is_chosen(Some(at + 1));
        let more: usize = with.iter().filter_map(|at| units.get(*at)).map(&cost).sum();
        let more = more + if is_apart { gap } else { 0 };
        if used + more <= most {
            used += more;
            with.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = true));
        }
    }
    fill_small_gaps(units, &mut chosen, most - used, cost);
    chosen
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
