//! The steps of a procedure, which are quoted together: one of nine says little.

use super::weigh::Scores;
use text::{Unit, UnitKind};

/// Which units are the procedure that the unit at `best` is a step of or, if `way` is asked for, the one with the best
/// step. None if there is none.
pub(super) fn procedure(units: &[Unit<'_>], scores: &Scores, best: usize, way: bool) -> Option<Vec<bool>> {
    let of_step = |step: usize| Some(members(units, outermost_step(units, step)?));
    if let Some(of_best) = of_step(best) {
        return Some(of_best);
    }
    let score = |at: &usize| scores.of.get(*at).copied().unwrap_or(0.0);
    let is_step = |at: &usize| units.get(*at).is_some_and(|unit| unit.kind == UnitKind::Step);
    let steps = (0..units.len()).filter(|at| way && is_step(at));
    // The first of equal ones.
    let step = steps.reduce(|best, at| if score(&at) > score(&best) { at } else { best })?;
    of_step(step)
}

/// The step that is part of no other, of which a unit is part.
fn outermost_step(units: &[Unit<'_>], at: usize) -> Option<usize> {
    let around = std::iter::successors(Some(at), |at| units.get(*at).and_then(|unit| unit.needs));
    around.filter(|at| units.get(*at).is_some_and(|unit| unit.kind == UnitKind::Step)).last()
}

/// The steps of the list of `step`, with what is part of them, and those of lists before and after it that count on in the
/// same section.
fn members(units: &[Unit<'_>], step: usize) -> Vec<bool> {
    let mut members = vec![false; units.len()];
    let Some(of) = units.get(step) else { return members };
    let is_step = |unit: &Unit<'_>| unit.kind == UnitKind::Step && unit.indent == of.indent;
    let mut from = step;
    let mut first = number(of);
    // Backwards: a step of a lower number is of the same procedure, and its first step ends the search.
    for (at, unit) in units.iter().enumerate().take(step).rev() {
        if unit.kind == UnitKind::Heading || first.is_none_or(|first| first <= 1) {
            break;
        }
        if is_step(unit) && number(unit).is_some_and(|number| first == Some(number + 1)) {
            (from, first) = (at, number(unit));
        }
    }
    let mut next = first;
    for (at, unit) in units.iter().enumerate().skip(from) {
        if unit.kind == UnitKind::Heading {
            break;
        }
        let counts_on = is_step(unit) && next.is_some() && number(unit) == next;
        let is_part = unit.needs.is_some_and(|needs| members.get(needs) == Some(&true));
        if counts_on {
            next = next.map(|next| next + 1);
        }
        members.get_mut(at).into_iter().for_each(|member| *member = counts_on || is_part);
    }
    members
}

fn number(step: &Unit<'_>) -> Option<u64> {
    step.text.split(['.', ')']).next()?.parse().ok()
}
