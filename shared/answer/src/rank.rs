//! The rank of entries for a question, and the confidence.
//!
//! Everything is computed from the tenant's own counts and the candidates' terms, so every index gives the same
//! figures. `scorer` scores texts, `confidence` weighs the evidence. [`rank`] orders the candidates of one question,
//! [`rank_in_conversation`] those of a question with the questions before it.

mod confidence;
mod scorer;

use std::cmp::Ordering;

pub use confidence::{Evidence, FollowUp};
pub(crate) use confidence::{logit, weights};
pub(crate) use scorer::Scorer;

use super::conversation::ConversationQuery;
use crate::search::{Candidate, Retrieval};
use confidence::OwnWords;
use text::{Passage, QueryTerms};

/// The weight of a standard deviation of the cosines in the ranking, in words that no passage has
/// (docs/ANSWER-QUALITY.md).
const VECTOR_WEIGHT: f64 = 0.5;

/// The most standard deviations that count in the ranking: a cosine counts at most as much as one word that no passage
/// has, such as a name that one entry alone contains.
const MAX_NEARNESS: f64 = 2.0;

/// The most confidence in an entry that has no word of the question and is near by its vectors alone: a model of few
/// languages finds the same entry for many short questions in others.
const MAX_BY_VECTORS_ALONE: f64 = 0.6;

/// With every word but one that the wiki lacks, a question is likelier to be about something new than to follow
/// another.
const NEW_TOPIC_FACTOR: f64 = 0.5;

/// How much the score counts beside the odds of an answer in the order of a conversation, as its exponent. Earlier
/// questions count more in the score than in the odds (docs/ANSWER-QUALITY.md).
const SCORE_EXPONENT: f64 = 0.2;

/// The same for a question with a pronoun, which seldom leaves the topic.
const SCORE_EXPONENT_WITH_PRONOUN: f64 = 2.0;

/// A lower score counts as this one.
const LEAST_SCORE: f64 = 0.01;

/// A candidate with its figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its place in [`Retrieval::candidates`].
    pub candidate: usize,
    /// How near it is by its words.
    pub s: f64,
    /// How near it is by its words and its vectors; the order of a first question.
    pub score: f64,
    /// The share of the question's words, by weight, that its best passage has: 0-1.
    pub cov: f64,
    /// The evidence for its confidence.
    pub evidence: Evidence,
    /// The evidence for its confidence in a conversation; none for a first question.
    pub follow_up: Option<FollowUp>,
    /// The probability that it has the answer: 0-1.
    pub confidence: f64,
    /// The place of its best passage in [`Candidate::passages`].
    pub best_passage: usize,
}

/// Ranks the candidates of a question, nearest first; those with neither a word nor a cosine are left out.
#[must_use]
pub fn rank(query: &QueryTerms, retrieval: &Retrieval) -> Vec<Ranked> {
    rank_with(query, retrieval, &own_nearness(retrieval), |_, _| 0.0)
}

/// Ranks the candidates of a question that follows others, and returns the query by which it ranked them.
///
/// The lower the confidence of the question alone, the more the earlier questions count, and the entries that answered
/// them. [`FollowUp`] computes the confidence. A question that names topics that the wiki has may have left that of the
/// earlier ones: the odds of an answer order its entries, and the score, which counts more if it has a pronoun.
#[must_use]
pub fn rank_in_conversation(conversation: &ConversationQuery, retrieval: &Retrieval) -> (QueryTerms, Vec<Ranked>) {
    let alone = conversation.query(0.0);
    let ranked_alone = rank(&alone, retrieval);
    if conversation.is_first() {
        return (alone, ranked_alone);
    }
    let own = OwnWords::of(conversation, &alone, retrieval);
    let unsure = 1.0 - ranked_alone.first().map_or(0.0, |best| best.confidence);
    let doubt = unsure * NEW_TOPIC_FACTOR.powi(own.unknown().saturating_sub(1));
    let query = conversation.query(doubt);
    let own_nearness = own_nearness(retrieval);
    let in_context = nearness(&retrieval.in_context);
    let in_context = if in_context.is_empty() { &own_nearness } else { &in_context };
    let mixed: Vec<Option<f64>> =
        own_nearness.iter().zip(in_context).map(|(own, in_context)| mix(*own, *in_context, doubt)).collect();
    let mut ranked = rank_with(&query, retrieval, &mixed, |candidate, idf_max| {
        doubt * conversation.answered_from(&candidate.path) * idf_max
    });
    for r in &mut ranked {
        let by_itself = ranked_alone.iter().find(|alone| alone.candidate == r.candidate);
        let near = |all: &[Option<f64>]| all.get(r.candidate).copied().flatten();
        let together = Evidence { nearness: near(in_context), ..r.evidence };
        let follow_up = own.follow_up(by_itself.map(|alone| alone.evidence), near(&own_nearness), together);
        r.confidence = follow_up.confidence();
        r.follow_up = Some(follow_up);
    }
    if own.names_known_topics() {
        let exponent = if conversation.refers_back() { SCORE_EXPONENT_WITH_PRONOUN } else { SCORE_EXPONENT };
        order_by_odds_and_score(&mut ranked, exponent);
    }
    (query, ranked)
}

/// How near the candidates are to the question alone by their vectors.
fn own_nearness(retrieval: &Retrieval) -> Vec<Option<f64>> {
    nearness(&retrieval.candidates.iter().map(nearest_cosine).collect::<Vec<_>>())
}

/// The nearness by which a follow-up is ranked: the greater the doubt, the more its context counts.
fn mix(own: Option<f64>, in_context: Option<f64>, doubt: f64) -> Option<f64> {
    own.zip(in_context).map(|(own, in_context)| own + doubt * (in_context - own)).or(own).or(in_context)
}

/// Orders by the product of the odds of an answer and the score to the power of `exponent`.
fn order_by_odds_and_score(ranked: &mut [Ranked], exponent: f64) {
    let weight = |r: &Ranked| logit(r.confidence) + exponent * r.score.max(LEAST_SCORE).ln();
    ranked.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    rank_entries_without_vectors_first(ranked);
}

/// Ranks by the query, the cosines, and what `bonus` adds to a candidate (given the weight of an unknown word).
fn rank_with(
    query: &QueryTerms,
    retrieval: &Retrieval,
    nearness: &[Option<f64>],
    bonus: impl Fn(&Candidate, f64) -> f64,
) -> Vec<Ranked> {
    let scorer = Scorer::new(query, &retrieval.stats);
    let (unknown_word, unknown_share) = (scorer.unknown_word(), scorer.unknown_share());
    let measured = retrieval.candidates.iter().enumerate();
    let mut ranked: Vec<Ranked> = measured
        .filter_map(|(at, candidate)| {
            let mut ranked = measure(&scorer, query, at, candidate)?;
            ranked.s += bonus(candidate, unknown_word);
            ranked.evidence.nearness = nearness.get(at).copied().flatten();
            ranked.evidence.unknown_share = unknown_share;
            let near = ranked.evidence.nearness.unwrap_or(0.0).min(MAX_NEARNESS);
            ranked.score = ranked.s + VECTOR_WEIGHT * unknown_word * near;
            Some(ranked)
        })
        .collect();
    let by_words = TopTwo::of(ranked.iter().map(|r| r.s));
    for r in &mut ranked {
        r.evidence.x = r.cov.sqrt() * (r.s / unknown_word).ln_1p();
        r.evidence.margin = ((r.s - by_words.other_than(r.s)) / unknown_word).max(0.0);
        let most = if r.s > 0.0 { 1.0 } else { MAX_BY_VECTORS_ALONE };
        r.confidence = r.evidence.confidence().min(most);
    }
    ranked.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal));
    rank_entries_without_vectors_first(&mut ranked);
    ranked
}

/// Moves the best entry by words to the front if it has no vectors yet and is as likely to answer by its words as the
/// first entry is by both. Scores with and without cosines are not comparable; probabilities are.
fn rank_entries_without_vectors_first(ranked: &mut [Ranked]) {
    if ranked.iter().all(|r| r.evidence.nearness.is_none()) {
        return;
    }
    let probability = |r: &Ranked| r.confidence;
    let best = ranked.iter().enumerate().max_by(|(i, a), (j, b)| a.s.total_cmp(&b.s).then(j.cmp(i)));
    let Some((place, best)) = best.filter(|(_, best)| best.evidence.nearness.is_none()) else { return };
    if ranked.first().is_some_and(|first| probability(best) >= probability(first)) {
        ranked.get_mut(..=place).into_iter().for_each(|up_to_it| up_to_it.rotate_right(1));
    }
}

/// The two greatest of some figures.
struct TopTwo {
    first: f64,
    second: f64,
}

impl TopTwo {
    fn of(figures: impl Iterator<Item = f64>) -> Self {
        figures.fold(Self { first: 0.0, second: 0.0 }, |top, figure| match figure {
            figure if figure > top.first => Self { first: figure, second: top.first },
            figure if figure > top.second => Self { second: figure, ..top },
            _ => top,
        })
    }

    /// The greatest, except one that is `figure`.
    const fn other_than(&self, figure: f64) -> f64 {
        if figure < self.first { self.first } else { self.second }
    }
}

fn measure(scorer: &Scorer<'_>, query: &QueryTerms, at: usize, candidate: &Candidate) -> Option<Ranked> {
    let cosine = |at: usize| candidate.cosines.get(at).copied().flatten();
    let scores = candidate.passages.iter().map(|passage| scorer.passage_score(passage)).enumerate();
    let (best_passage, passage_score) = scores.max_by(|(i, a), (j, b)| {
        let by_words = a.total_cmp(b);
        by_words.then_with(|| cosine(*i).unwrap_or(-1.0).total_cmp(&cosine(*j).unwrap_or(-1.0))).then(j.cmp(i))
    })?;
    let s = passage_score + scorer.title_score(&candidate.title_terms);
    if !s.is_finite() || (s <= 0.0 && nearest_cosine(candidate).is_none()) {
        return None;
    }
    let best = candidate.passages.get(best_passage);
    let cov = best.map_or(0.0, |passage| scorer.coverage([passage.terms.as_slice()]));
    let coverage = scorer.coverage(candidate.passages.iter().map(|passage| passage.terms.as_slice()));
    let missing = (1.0 - coverage) * scorer.weight() / scorer.unknown_word();
    let evidence = Evidence { coverage, missing, words: query.words, ..Evidence::default() };
    Some(Ranked { candidate: at, s, score: s, cov, evidence, follow_up: None, confidence: 0.0, best_passage })
}

/// Cosines that are nearer together than this are as good as equal.
const LEAST_DEVIATION: f64 = 0.012;
/// Cosines that are further apart than this still leave the words a say.
const GREATEST_DEVIATION: f64 = 0.2;

/// By how much each cosine exceeds the mean of all, in standard deviations; none if there is no cosine, or none to
/// compare it with. Models differ in what a cosine means, and much less in how far the nearest passages stand out among
/// the candidates.
#[allow(clippy::cast_precision_loss, reason = "there are at most some dozens of candidates")]
pub(super) fn nearness(cosines: &[Option<f64>]) -> Vec<Option<f64>> {
    let known: Vec<f64> = cosines.iter().flatten().copied().collect();
    if known.len() < 2 {
        return vec![None; cosines.len()];
    }
    let count = known.len() as f64;
    let mean = known.iter().sum::<f64>() / count;
    let variance = known.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f64>() / count;
    let deviation = variance.sqrt().clamp(LEAST_DEVIATION, GREATEST_DEVIATION);
    cosines.iter().map(|cosine| cosine.map(|cosine| (cosine - mean) / deviation)).collect()
}

/// The cosine of the passage that is nearest to the question; none if no passage has one.
pub(crate) fn nearest_cosine(candidate: &Candidate) -> Option<f64> {
    candidate.cosines.iter().flatten().copied().filter(|cosine| cosine.is_finite()).max_by(f64::total_cmp)
}

/// The passage that is nearest to the question by its vector.
pub(crate) fn nearest_passage(candidate: &Candidate) -> Option<&Passage> {
    let known =
        candidate.passages.iter().zip(&candidate.cosines).filter_map(|(passage, cosine)| Some((passage, (*cosine)?)));
    known.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(passage, _)| passage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::memory::{MemoryIndex, retrieved, scope};
    use crate::search::{CorpusStats, VisibilityFilter};
    use domain::models::{Language, Visibility};
    use text::{Analyzer, Passage};

    async fn reference_index(vectors: &serde_json::Value) -> MemoryIndex {
        let index = MemoryIndex::default();
        for each in vectors["entries"].as_array().unwrap() {
            let [path, title, content] = ["path", "title", "content"].map(|field| each[field].as_str().unwrap());
            index.write(path, title, content, Visibility::Public);
        }
        index
    }

    #[test]
    fn vectors_alone_give_no_high_confidence() {
        let query = Analyzer::new(Language::English).query("zonk glorp");
        let candidate = |at: usize| Candidate {
            path: domain::models::WikiPath::parse(&format!("a/{at}")).unwrap(),
            version: 1,
            title: String::new(),
            content: String::new(),
            visibility: Visibility::Public,
            title_terms: Vec::new(),
            passages: vec![Passage::default()],
            cosines: vec![Some(if at == 0 { 0.95 } else { 0.8 })],
        };
        let stats = CorpusStats { word_df: vec![0, 0], ..CorpusStats::default() };
        let retrieval = Retrieval { stats, candidates: (0..20).map(candidate).collect(), ..Retrieval::default() };
        let best = rank(&query, &retrieval)[0];
        assert!(best.candidate == 0 && best.evidence.confidence() > 0.7, "{best:?}");
        assert!(best.confidence <= MAX_BY_VECTORS_ALONE, "{best:?}");
    }

    /// The confidence that the reference formula gives to an x; ours uses more evidence.
    fn reference_confidence(x: f64) -> f64 {
        1.0 / (1.0 + (4.877 - 6.453 * x).exp())
    }

    #[tokio::test]
    async fn the_reference_figures_come_out_to_six_digits() {
        let vectors: serde_json::Value =
            serde_json::from_str(include_str!("../../../tests/fixtures/vectors.json")).unwrap();
        let index = reference_index(&vectors).await;
        for question in vectors["questions"].as_array().unwrap() {
            let query = Analyzer::new(Language::English).query(question["question"].as_str().unwrap());
            let retrieval = retrieved(&index, &scope(), &query, None, VisibilityFilter::All).await;
            let ranked = rank(&query, &retrieval);
            let expected = question["ranked"].as_array().unwrap();
            assert_eq!(ranked.len(), expected.len(), "{question}");
            for (got, want) in ranked.iter().zip(expected) {
                assert_eq!(retrieval.candidates[got.candidate].path.as_str(), want["path"], "{question}");
                for (got, field) in
                    [(got.s, "S"), (got.cov, "cov"), (reference_confidence(got.evidence.x), "confidence")]
                {
                    let want = want[field].as_f64().unwrap();
                    assert!((got - want).abs() < 1e-6, "{field} {got} {want} {question}");
                }
            }
        }
    }

    #[test]
    fn a_just_edited_entry_stays_first_in_a_conversation_where_it_is_likelier() {
        let ranked = |candidate, s, score, nearness, confidence| {
            let evidence = Evidence { nearness, ..Evidence::default() };
            Ranked { candidate, s, score, cov: 0.0, evidence, follow_up: None, confidence, best_passage: 0 }
        };
        let mut all = [ranked(0, 5.0, 13.0, Some(2.0), 0.7), ranked(1, 8.0, 8.0, None, 0.75)];
        order_by_odds_and_score(&mut all, SCORE_EXPONENT_WITH_PRONOUN);
        assert_eq!(all.map(|r| r.candidate), [1, 0]);
    }

    #[test]
    fn counts_that_contradict_each_other_still_give_finite_figures() {
        let query = Analyzer::new(Language::English).query("refund card");
        let stats = CorpusStats { word_df: vec![5_000, 7], bigram_df: vec![9], ..CorpusStats::default() };
        let passage = Passage { text: String::new(), terms: query.terms.clone() };
        let candidate = Candidate {
            path: domain::models::WikiPath::parse("a/b").unwrap(),
            version: 1,
            title: String::new(),
            content: String::new(),
            visibility: Visibility::Public,
            title_terms: Vec::new(),
            passages: vec![passage],
            cosines: vec![None],
        };
        let ranked = rank(&query, &Retrieval { stats, candidates: vec![candidate], ..Retrieval::default() });
        assert!(ranked.iter().all(|r| r.s.is_finite() && (0.0..=1.0).contains(&r.confidence)));
    }
}
