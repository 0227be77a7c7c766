//! Selects the units of a text that contain the answer, up to a limit, in the text's order: by a score of each unit. The
//! steps of a procedure are quoted together: one of nine says little.

use std::collections::{HashMap, HashSet};

use super::question::{Question, Wanted};
use super::render::{GAP, cut, plain, render};
use super::shape::is_empty;
use text::{Unit, UnitKind, units, word_count};

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
struct Scores {
    /// Of each unit.
    of: Vec<f64>,
    /// Whether each unit has the kind of answer that is asked for, and enough of the question's words.
    sure: Vec<bool>,
    /// Whether each unit is a row without a word of the question in a table that has such a row.
    other_row: Vec<bool>,
}

/// The score of each unit: of its words, of those that it needs, and of its neighbours, and of what is asked for.
fn scores(question: &Question<'_>, units: &[Unit<'_>]) -> Scores {
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

/// Which units are part of which procedure.
struct Procedures {
    /// Of each unit.
    of: Vec<Option<usize>>,
    /// The units of each procedure, in order.
    units: Vec<Vec<usize>>,
}

impl Procedures {
    /// The numbered lists of a text, each with what is part of its steps. A list that counts on from another one of its
    /// section is the same procedure: a picture or a note between them parts them.
    fn of(units: &[Unit<'_>]) -> Self {
        let mut all = Self { of: Vec::with_capacity(units.len()), units: Vec::new() };
        // The number of the last step at each indentation, and its procedure.
        let mut last: HashMap<usize, (u64, usize)> = HashMap::new();
        for (at, unit) in units.iter().enumerate() {
            if unit.kind == UnitKind::Heading {
                last.clear();
            }
            let around = unit.needs.and_then(|needs| all.of.get(needs).copied().flatten());
            let own = || {
                let number = number(unit).filter(|_| unit.kind == UnitKind::Step)?;
                let before = last.get(&unit.indent).filter(|(before, _)| before + 1 == number);
                let procedure = before.map_or(all.units.len(), |(_, procedure)| *procedure);
                last.insert(unit.indent, (number, procedure));
                Some(procedure)
            };
            let procedure = around.or_else(own);
            if let Some(procedure) = procedure {
                all.units.resize_with(all.units.len().max(procedure + 1), Vec::new);
                all.units.get_mut(procedure).into_iter().for_each(|units| units.push(at));
            }
            all.of.push(procedure);
        }
        all
    }

    /// The units that are quoted with one: those of its procedure, or it alone.
    fn together_with<'a>(&'a self, at: &'a usize) -> &'a [usize] {
        let procedure = self.of.get(*at).copied().flatten().and_then(|procedure| self.units.get(procedure));
        procedure.map_or(std::slice::from_ref(at), Vec::as_slice)
    }

    /// Whether a unit is part of one.
    fn has(&self, at: usize) -> bool {
        self.of.get(at).is_some_and(Option::is_some)
    }
}

fn number(step: &Unit<'_>) -> Option<u64> {
    step.text.split(['.', ')']).next()?.parse().ok()
}
