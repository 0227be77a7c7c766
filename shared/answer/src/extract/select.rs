//! Selects the units of a text that contain the answer, up to the length of a short answer, in the text's order.

use super::limit::{MAX_WORDS, cut};
use super::render::{plain, render};
use super::{Question, weigh};
use text::{Unit, units, word_count};

/// The best units of `content`, at most 90 words together; all of it where it has no more.
pub(super) fn select(question: &Question<'_>, content: &str) -> String {
    if word_count(content) <= MAX_WORDS {
        return plain(content);
    }
    let units = units(content);
    let scores = weigh::scores(question, &units);
    let score = |at: usize| scores.get(at).copied().unwrap_or(0.0);
    let mut order: Vec<usize> = (0..units.len()).filter(|at| units.get(*at).is_some_and(|u| !u.is_context())).collect();
    order.sort_by(|a, b| score(*b).total_cmp(&score(*a)).then(a.cmp(b)));
    let mut chosen = vec![false; units.len()];
    let mut words = 0;
    for at in &order {
        let with = with_needed(&units, &chosen, *at);
        let more: usize = with.iter().filter_map(|at| units.get(*at)).map(|unit| unit.words).sum();
        let is_chosen = |at: Option<usize>| at.and_then(|at| chosen.get(at)) == Some(&true);
        let gap = usize::from(words > 0 && !is_chosen(at.checked_sub(1)) && !is_chosen(Some(at + 1)));
        if words + more + gap <= MAX_WORDS {
            words += more + gap;
            with.iter().for_each(|at| chosen.get_mut(*at).into_iter().for_each(|chosen| *chosen = true));
        }
    }
    if words == 0 {
        return cut(order.first().and_then(|at| units.get(*at)).map_or(content, |unit| &unit.text));
    }
    render(&units, &chosen)
}

/// A unit with those it needs that are not chosen yet.
fn with_needed(units: &[Unit<'_>], chosen: &[bool], at: usize) -> Vec<usize> {
    let needed = std::iter::successors(Some(at), |at| units.get(*at).and_then(|unit| unit.needs));
    needed.filter(|at| chosen.get(*at) == Some(&false)).collect()
}
