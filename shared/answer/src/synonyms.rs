//! The synonyms of a question: those of the wiki's language and the tenant's own. A question in another language has
//! its words in the wiki's language instead of synonyms.
//!
//! An entry that says a word in another way than the question counts for less than one that says the word itself, and
//! for more than one that says neither (docs/ANSWER-QUALITY.md).

use std::sync::Arc;

use super::question_language::QuestionLanguage;
use text::{Analyzer, Meaning, QueryTerms, Spelling, Synonyms};

/// The weight of a synonym of the language relative to the word itself (docs/ANSWER-QUALITY.md).
const SYNONYM_WEIGHT: f64 = 0.7;
/// The same of a tenant's own: the tenant says that both mean the same in its wiki. The word itself still comes first.
const OWN_SYNONYM_WEIGHT: f64 = 0.9;

/// The weight of a translation into the wiki's language relative to the word itself.
const TRANSLATION_WEIGHT: f64 = 0.8;

/// The tables that a question is looked up in, and its phrases that they have.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuestionSynonyms {
    own: Arc<Synonyms>,
    own_phrases: Vec<Meaning>,
    /// Other spellings of the words themselves.
    spellings: Vec<Spelling>,
    /// Of the language, and what its forms count for; none for an empty question.
    of_language: Option<(&'static Synonyms, f64)>,
    phrases: Vec<Meaning>,
}

impl QuestionSynonyms {
    /// The synonyms for `question`; `own` are the tenant's groups.
    pub(crate) fn new(analyzer: &Analyzer, language: &QuestionLanguage, own: &[Vec<String>], question: &str) -> Self {
        let (table, weight) = match language.translations() {
            Some(table) => (table, TRANSLATION_WEIGHT),
            None => (Synonyms::of(analyzer.language()), SYNONYM_WEIGHT),
        };
        // In a tenant's groups "?" has no meaning.
        let own = own.iter().map(|group| group.iter().map(|member| member.trim_start_matches('?')));
        let own = Synonyms::new(analyzer, own);
        Self {
            own_phrases: own.phrases_in(analyzer, question),
            own: Arc::new(own),
            spellings: language.spellings(question),
            of_language: Some((table, weight)),
            phrases: table.phrases_in(language.analyzer(), question),
        }
    }

    /// The query with synonyms of its first `terms` distinct terms, the tenant's own first.
    pub(crate) fn expand(&self, query: QueryTerms, terms: usize) -> QueryTerms {
        let asked: Vec<String> = query.distinct.iter().take(terms).cloned().collect();
        let mut query = query.with_spellings(&self.spellings, terms);
        let own = (&*self.own, &self.own_phrases, OWN_SYNONYM_WEIGHT);
        let of_language = self.of_language.map(|(table, weight)| (table, &self.phrases, weight));
        for (table, phrases, weight) in std::iter::once(own).chain(of_language) {
            for (place, term) in asked.iter().enumerate() {
                let in_phrase = phrases.iter().filter(|(phrased, _)| phrased == term).map(|(_, group)| group);
                for form in table.groups_of(term).iter().chain(in_phrase).flat_map(|group| table.forms(*group)) {
                    query.add_synonym(place, form, weight);
                }
            }
        }
        query
    }
}
