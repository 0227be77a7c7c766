//! BM25 of words, bigrams and titles over one tenant's own counts, and of the synonyms of words.

use std::collections::HashMap;

use crate::search::{BIGRAM_WEIGHT, Bm25, CorpusStats, FieldStats, TITLE_WEIGHT};
use text::{OtherWord, Passage, Place, QueryTerms, without_parts};

/// The weights of one question's words in one tenant's wiki.
pub(crate) struct Scorer<'a> {
    /// The places of the question's words, and after them those of words that stand in its bigrams alone.
    words: HashMap<&'a str, usize>,
    /// The weight of each word in the question.
    asked: &'a [f64],
    word_idf: Vec<f64>,
    title_idf: Vec<f64>,
    bigrams: HashMap<(usize, usize), usize>,
    bigram_weights: Vec<f64>,
    synonyms: Vec<Synonym>,
    stats: &'a CorpusStats,
    /// The idf of a word that no passage has.
    idf_max: f64,
}

/// A synonym of a word of the question, and its weight in a passage.
struct Synonym {
    of: usize,
    place: Place,
    /// Its weight relative to the word itself.
    weight: f64,
    /// The least idf of the two: a word is no rarer than its synonym.
    idf: f64,
}

/// How often a text has each word and each bigram of the question.
struct Counts {
    words: Vec<f64>,
    bigrams: Vec<f64>,
}

impl<'a> Scorer<'a> {
    pub(crate) fn new(query: &'a QueryTerms, stats: &'a CorpusStats) -> Self {
        let mut words: HashMap<&str, usize> =
            query.distinct.iter().enumerate().map(|(place, term)| (term.as_str(), place)).collect();
        let mut bigrams = HashMap::new();
        for (place, bigram) in query.bigrams.iter().enumerate() {
            let Some((first, second)) = bigram.split_once(' ') else { continue };
            let next = words.len();
            let first = *words.entry(first).or_insert(next);
            let next = words.len();
            bigrams.insert((first, *words.entry(second).or_insert(next)), place);
        }
        let places = 0..query.distinct.len();
        let bigram_idf = |place| Bm25::new(stats.bigrams).idf(df(&stats.bigram_df, place));
        let mut scorer = Self {
            word_idf: places.clone().map(|place| Bm25::new(stats.words).idf(df(&stats.word_df, place))).collect(),
            title_idf: places.map(|place| Bm25::new(stats.titles).idf(df(&stats.title_df, place))).collect(),
            bigrams,
            bigram_weights: query.bigram_weights.iter().enumerate().map(|(at, asked)| asked * bigram_idf(at)).collect(),
            synonyms: Vec::new(),
            words,
            asked: &query.weights,
            stats,
            idf_max: Bm25::new(stats.words).idf(0),
        };
        scorer.weigh_synonyms(query);
        scorer
    }

    /// Adds the synonyms that some passage has. A word that no passage has weighs no more than its most frequent one:
    /// the wiki has what it means.
    fn weigh_synonyms(&mut self, query: &QueryTerms) {
        for OtherWord { of, place, weight, is_repair } in query.others.iter().copied() {
            let is_unknown = self::df(&self.stats.word_df, of) == 0;
            if is_repair && !is_unknown {
                continue;
            }
            let (field, df) = match place {
                Place::Word(place) => (self.stats.words, df(&self.stats.word_df, place)),
                Place::Bigram(place) => (self.stats.bigrams, df(&self.stats.bigram_df, place)),
            };
            let Some(own) = self.word_idf.get_mut(of).filter(|_| df > 0) else { continue };
            let idf = Bm25::new(field).idf(df).min(*own);
            if is_unknown {
                *own = idf;
            }
            self.synonyms.push(Synonym { of, place, weight, idf });
        }
    }

    /// The weight of a word that no passage has.
    pub(crate) const fn unknown_word(&self) -> f64 {
        self.idf_max
    }

    /// Whether a passage has the word at a place of [`QueryTerms::distinct`], or a synonym of it.
    pub(crate) fn is_known(&self, place: usize) -> bool {
        let has_it = self.stats.word_df.get(place).is_none_or(|passages| *passages > 0);
        has_it || self.synonyms.iter().any(|synonym| synonym.of == place)
    }

    /// How many passages have the word at a place of [`QueryTerms::distinct`].
    pub(crate) fn passages_with(&self, place: usize) -> u64 {
        df(&self.stats.word_df, place)
    }

    /// How near a passage is: BM25 of its words and, for less, of its bigrams.
    pub(crate) fn passage_score(&self, passage: &Passage) -> f64 {
        self.text_score(&passage.terms)
    }

    /// How near any text's terms are, measured as a passage.
    pub(crate) fn text_score(&self, terms: &[String]) -> f64 {
        let mut counts = self.no_counts();
        self.count(terms, &mut counts);
        let length = without_parts(terms).len();
        let words = self.sum(&self.word_idf, &counts, length, &self.stats.words);
        let norm = norm(length.saturating_sub(1), &self.stats.bigrams);
        let bigrams = self.bigram_weights.iter().zip(&counts.bigrams);
        words + BIGRAM_WEIGHT * bigrams.map(|(weight, tf)| weight * Bm25::frequency(*tf, norm)).sum::<f64>()
    }

    /// BM25 of the title, at its weight.
    pub(crate) fn title_score(&self, title_terms: &[String]) -> f64 {
        let mut counts = self.no_counts();
        self.count(title_terms, &mut counts);
        TITLE_WEIGHT * self.sum(&self.title_idf, &counts, without_parts(title_terms).len(), &self.stats.titles)
    }

    fn no_counts(&self) -> Counts {
        Counts { words: vec![0.0; self.words.len()], bigrams: vec![0.0; self.bigram_weights.len()] }
    }

    fn count(&self, terms: &[String], counts: &mut Counts) {
        let mut before = None;
        for term in terms {
            let place = self.words.get(term.as_str()).copied();
            count(&mut counts.words, place);
            let bigram = before.zip(place).and_then(|pair| self.bigrams.get(&pair));
            count(&mut counts.bigrams, bigram.copied());
            before = place;
        }
    }

    /// The BM25 of words in one field. A word counts by itself or by a synonym, whichever is more.
    fn sum(&self, idf: &[f64], counts: &Counts, length: usize, field: &FieldStats) -> f64 {
        let norm = norm(length, field);
        let by_itself = idf.iter().zip(&counts.words).map(|(idf, tf)| idf * Bm25::frequency(*tf, norm));
        let mut each: Vec<f64> = by_itself.collect();
        for synonym in &self.synonyms {
            let idf = idf.get(synonym.of).map_or(synonym.idf, |own| own.min(synonym.idf));
            let score = synonym.weight * idf * Bm25::frequency(counts.of(synonym.place), norm);
            each.get_mut(synonym.of).into_iter().for_each(|known| *known = known.max(score));
        }
        each.iter().zip(self.asked).map(|(score, asked)| asked * score).sum()
    }

    /// The share of the question's words, by weight, that some texts contain together: 0-1. Unknown words count in the
    /// denominator; a word counts once, however often it occurs in the question, and for less if a text has only a
    /// synonym of it.
    pub(super) fn coverage<'t>(&self, texts: impl IntoIterator<Item = &'t [String]>) -> f64 {
        let found = self.found(texts);
        let here: f64 = self.weights_of_asked().zip(&found).map(|(weight, share)| weight * share).sum();
        let all = self.weight();
        if all > 0.0 { here / all } else { 0.0 }
    }

    /// Of each word of [`QueryTerms::distinct`] whether some texts contain it: 1, less for a synonym, or 0.
    pub(crate) fn found<'t>(&self, texts: impl IntoIterator<Item = &'t [String]>) -> Vec<f64> {
        let mut counts = self.no_counts();
        for terms in texts {
            self.count(terms, &mut counts);
        }
        let mut found: Vec<f64> = counts.words.iter().map(|tf| f64::from(*tf > 0.0)).collect();
        for synonym in self.synonyms.iter().filter(|synonym| counts.of(synonym.place) > 0.0) {
            found.get_mut(synonym.of).into_iter().for_each(|share| *share = share.max(synonym.weight));
        }
        found.truncate(self.asked.len());
        found
    }

    /// The weight of all words of the question together, each once.
    pub(super) fn weight(&self) -> f64 {
        self.weights_of_asked().sum()
    }

    /// The share of the question's words that no passage has, whether or not it has a synonym: 0-1.
    pub(super) fn unknown_share(&self) -> f64 {
        let has_none = |place: usize| self.stats.word_df.get(place) == Some(&0);
        let (mut all, mut unknown) = (0.0, 0.0);
        for (place, asked) in self.asked.iter().map(|asked| asked.min(1.0)).enumerate() {
            all += asked;
            unknown += if has_none(place) { asked } else { 0.0 };
        }
        if all > 0.0 { unknown / all } else { 0.0 }
    }

    /// The weight of each word of [`QueryTerms::distinct`].
    pub(crate) fn weights_of_asked(&self) -> impl Iterator<Item = f64> {
        self.word_idf.iter().zip(self.asked).map(|(idf, asked)| idf * asked.min(1.0))
    }
}

impl Counts {
    fn of(&self, place: Place) -> f64 {
        let count = match place {
            Place::Word(place) => self.words.get(place),
            Place::Bigram(place) => self.bigrams.get(place),
        };
        count.copied().unwrap_or_default()
    }
}

fn norm(length: usize, field: &FieldStats) -> f64 {
    Bm25::new(*field).norm(u64::try_from(length).unwrap_or(u64::MAX))
}

fn df(counts: &[u64], place: usize) -> u64 {
    counts.get(place).copied().unwrap_or(0)
}

fn count(counts: &mut [f64], place: Option<usize>) {
    if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
        *count += 1.0;
    }
}
