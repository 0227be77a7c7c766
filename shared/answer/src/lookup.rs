//! Searches the index: for the question, for the question with those before it, and again with typos corrected.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::conversation::ConversationQuery;
use super::engine::{AnswerEngine, FoundPart, Question};
use crate::embedding;
use crate::rank::{Scorer, nearest_cosine};
use crate::search::{Candidate, Lookup, Retrieval, nearest_word};
use domain::models::{QueryVector, Timestamp};
use text::{Analyzer, MAX_REPAIRS, Repair};

/// The longest that a customer waits for near words: without them typos stay, and the answer has the time.
const SIMILAR_WORDS_TIMEOUT: Duration = Duration::from_millis(300);

impl AnswerEngine {
    /// The index's results for `question` as one.
    pub(super) async fn retrieve_whole(&self, question: &Question<'_>) -> FoundPart {
        let analyzer = Analyzer::new(question.language);
        let conversation = ConversationQuery::new(&analyzer, question.synonyms, question.text, question.history);
        self.retrieve_part(question, question.text.to_owned(), conversation).await
    }

    /// The index's results for `text`, the question of `conversation`.
    pub(super) async fn retrieve_part(
        &self,
        question: &Question<'_>,
        text: String,
        conversation: ConversationQuery,
    ) -> FoundPart {
        let vectors = self.vectors(&text, &conversation, question.deadline).await;
        let (conversation, retrieval) = self.find_candidates(question, conversation, &vectors).await;
        FoundPart { text, conversation, retrieval }
    }

    /// The vector of `text`, and if it follows another question that of both, if a model makes them in time.
    async fn vectors(&self, text: &str, conversation: &ConversationQuery, deadline: Timestamp) -> Vec<QueryVector> {
        let in_context = conversation.in_context(text);
        let texts: Vec<&str> = std::iter::once(text).chain(in_context.as_deref()).collect();
        embedding::query_vectors(self.embedder.as_ref(), &self.runtime, &texts, deadline).await
    }

    /// Looks up a question with those before it, and again if words of it were typos. None if the index did not
    /// answer.
    async fn find_candidates(
        &self,
        question: &Question<'_>,
        conversation: ConversationQuery,
        vectors: &[QueryVector],
    ) -> (ConversationQuery, Option<Retrieval>) {
        let mut words = conversation.misspelt(|_| true);
        words.truncate(MAX_REPAIRS);
        let Some(retrieval) = self.candidates(question, &conversation, vectors, &words).await else {
            return (conversation, None);
        };
        let repairs = self.repairs(question, &conversation, &retrieval, &words).await;
        let repaired = self.find_repaired(question, &conversation, repairs, vectors).await;
        let (conversation, retrieval) = repaired.unwrap_or((conversation, retrieval));
        (conversation, Some(retrieval))
    }

    /// Looks up a question again with its typos corrected; none if no correction is left, or the search failed.
    ///
    /// An index may still know the words of an entry's earlier versions, which others may have read. A word that no
    /// entry has that this question may be answered from is no correction.
    async fn find_repaired(
        &self,
        question: &Question<'_>,
        conversation: &ConversationQuery,
        mut repairs: HashMap<String, Repair>,
        vectors: &[QueryVector],
    ) -> Option<(ConversationQuery, Retrieval)> {
        while !repairs.is_empty() {
            let repaired = conversation.repaired(&repairs);
            let Some(retrieval) = self.candidates(question, &repaired, vectors, &[]).await else {
                tracing::warn!("the search with corrected words failed; the question is answered as written");
                return None;
            };
            let unknown = unknown_words(&repaired, &retrieval);
            let before = repairs.len();
            repairs.retain(|_, meant| !matches!(meant, Repair::Word(word) if unknown.contains(word)));
            if repairs.len() == before {
                return Some((repaired, retrieval));
            }
        }
        None
    }

    /// The candidates for the question alone and, if it follows others, for all together, each once, with the counts
    /// of all words and the near words of `misspelt`. `vectors` are those of the question alone and in its context.
    async fn candidates(
        &self,
        question: &Question<'_>,
        conversation: &ConversationQuery,
        vectors: &[QueryVector],
        misspelt: &[String],
    ) -> Option<Retrieval> {
        let alone = conversation.alone();
        let all = (!conversation.is_first()).then(|| conversation.query(1.0));
        let own = vectors.first();
        let of_last = |is_last: bool| if is_last { misspelt } else { &[] };
        let alone = Lookup { terms: &alone, vector: own, misspelt: of_last(all.is_none()) };
        let all = all.as_ref().map(|terms| Lookup { terms, vector: vectors.get(1).or(own), misspelt });
        let lookups: Vec<Lookup<'_>> = std::iter::once(alone).chain(all).collect();
        self.query_index(question, &lookups).await?.into_iter().reduce(merged)
    }

    /// For words that no entry has, the words that they were meant to be.
    async fn repairs(
        &self,
        question: &Question<'_>,
        conversation: &ConversationQuery,
        retrieval: &Retrieval,
        looked_up: &[String],
    ) -> HashMap<String, Repair> {
        let unknown = unknown_words(conversation, retrieval);
        let mut misspelt = conversation.misspelt(|word| unknown.contains(word));
        misspelt.truncate(MAX_REPAIRS);
        if misspelt.is_empty() {
            return HashMap::new();
        }
        let near = |word: &String| retrieval.near_words.get(looked_up.iter().position(|it| it == word)?);
        let near = misspelt.iter().map(|word| Some(nearest_word(word, near(word)?)));
        let near = match near.collect::<Option<Vec<_>>>() {
            Some(near) => near,
            // Words of a long message after the first ones were not looked up.
            None => self.near_words(question, &misspelt).await,
        };
        let repaired = misspelt.into_iter().zip(near);
        repaired.filter_map(|(word, near)| conversation.repair(&word, near).map(|meant| (word, meant))).collect()
    }

    /// For each of some words the nearest one of an entry; none if the index does not answer in time.
    async fn near_words(&self, question: &Question<'_>, words: &[String]) -> Vec<Option<String>> {
        let near = self.index.nearest_words(question.scope, words, question.visibility);
        match tokio::time::timeout(self.time_left(question).min(SIMILAR_WORDS_TIMEOUT), near).await {
            Ok(Ok(near)) => return near,
            Ok(Err(error)) => {
                tracing::warn!(error = %error, "failed to look up similar words in the index; only misspelt stop words are corrected");
            }
            Err(_) => tracing::warn!("the lookup of similar words timed out; only misspelt stop words are corrected"),
        }
        vec![None; words.len()]
    }

    /// The candidates of each lookup that the session may see; none when the index fails or takes longer than the
    /// deadline.
    async fn query_index(&self, question: &Question<'_>, lookups: &[Lookup<'_>]) -> Option<Vec<Retrieval>> {
        if lookups.iter().all(Lookup::is_empty) {
            return Some(vec![Retrieval::default()]);
        }
        let search = self.index.retrieve(question.scope, lookups, question.visibility);
        let mut found = match tokio::time::timeout(self.time_left(question), search).await {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => {
                tracing::error!(metric.SearchFailures = 1, error = %error, "the search failed; the question is escalated to a human");
                return None;
            }
            Err(_) => {
                tracing::error!(
                    metric.SearchFailures = 1,
                    "the search timed out; the question is escalated to a human"
                );
                return None;
            }
        };
        let count = |found: &[Retrieval]| found.iter().map(|retrieval| retrieval.candidates.len()).sum::<usize>();
        let before = count(&found);
        for retrieval in &mut found {
            retrieval.candidates.retain(|candidate| question.visibility.admits(candidate.visibility));
        }
        let foreign = before - count(&found);
        if foreign > 0 {
            tracing::error!(
                search.foreign_hits = foreign,
                "the index returned entries that the session may not see; they are dropped; check the visibility filter"
            );
        }
        Some(found)
    }

    fn time_left(&self, question: &Question<'_>) -> Duration {
        let left = question.deadline.millis_since(self.runtime.now());
        Duration::from_millis(u64::try_from(left).unwrap_or(0))
    }
}

/// The words of a conversation that no entry has which its answer may stand on, and no synonym of which it has.
fn unknown_words(conversation: &ConversationQuery, retrieval: &Retrieval) -> HashSet<String> {
    let query = conversation.query(1.0);
    let scorer = Scorer::new(&query, &retrieval.stats);
    let words = query.distinct.iter().enumerate().filter(|(place, _)| !scorer.is_known(*place));
    words.map(|(_, word)| word.clone()).collect()
}

/// The candidates of all questions together and of the question alone, each once. [`Candidate::cosines`] are those of the
/// question alone, [`Retrieval::in_context`] has the others. Of an entry that one of the searches did not find, the cosine
/// is at most that of the farthest entry which it found.
fn merged(alone: Retrieval, mut all: Retrieval) -> Retrieval {
    let farthest = |of: &Retrieval| of.candidates.iter().filter_map(nearest_cosine).reduce(f64::min);
    let (farthest_alone, farthest_of_all) = (farthest(&alone), farthest(&all));
    all.in_context = all.candidates.iter().map(nearest_cosine).collect();
    let mut own = alone.candidates;
    for known in &mut all.candidates {
        match own.iter().position(|candidate| candidate.path == known.path) {
            Some(at) => use_passages(known, own.remove(at)),
            None => {
                let lower = nearest_cosine(known).zip(farthest_alone).map_or(0.0, |(nearest, least)| nearest - least);
                known.cosines.iter_mut().flatten().for_each(|cosine| *cosine -= lower);
            }
        }
    }
    for candidate in own {
        all.in_context.push(nearest_cosine(&candidate).and(farthest_of_all));
        all.candidates.push(candidate);
    }
    all
}

/// Adds the passages that the search for the question alone found of the same entry, and takes its cosines.
fn use_passages(known: &mut Candidate, own: Candidate) {
    known.cosines.iter_mut().for_each(|cosine| *cosine = None);
    for (passage, cosine) in own.passages.into_iter().zip(own.cosines) {
        match known.passages.iter().position(|known| *known == passage) {
            Some(at) => known.cosines.get_mut(at).into_iter().for_each(|known| *known = cosine),
            None => {
                known.passages.push(passage);
                known.cosines.push(cosine);
            }
        }
    }
}
