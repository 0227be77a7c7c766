//! The synonyms of a question: those of the wiki's language and the tenant's own.
//!
//! An entry that says a word in another way than the question counts for less than one that says the word itself, and
//! for more than one that says neither (docs/ANSWER-QUALITY.md).

use std::sync::Arc;

use text::{Analyzer, Meaning, QueryTerms, Synonyms};

/// What a synonym of the language counts for, where the word itself counts 1 (docs/ANSWER-QUALITY.md).
const SYNONYM_WEIGHT: f64 = 0.5;
/// The same of a tenant's own: the tenant says that both mean the same in its wiki. The word itself still comes first.
const OWN_SYNONYM_WEIGHT: f64 = 0.9;

/// The tables that a question is looked up in, and its phrases that they have.
#[derive(Debug, Clone, Default)]
pub(crate) struct QuestionSynonyms {
    own: Arc<Synonyms>,
    own_phrases: Vec<Meaning>,
    /// None for an empty question.
    of_language: Option<&'static Synonyms>,
    phrases: Vec<Meaning>,
}

impl QuestionSynonyms {
    /// The synonyms for `question`; `own` are the tenant's groups.
    pub(crate) fn new(analyzer: &Analyzer, own: &[Vec<String>], question: &str) -> Self {
        let of_language = Synonyms::of(analyzer.language());
        // In a tenant's groups "?" has no meaning.
        let own = own.iter().map(|group| group.iter().map(|member| member.trim_start_matches('?')));
        let own = Synonyms::new(analyzer, own);
        let (own_phrases, phrases) = (own.phrases_in(analyzer, question), of_language.phrases_in(analyzer, question));
        Self { own: Arc::new(own), own_phrases, of_language: Some(of_language), phrases }
    }

    /// The query with synonyms of its first `terms` distinct terms, the tenant's own first.
    pub(crate) fn expand(&self, mut query: QueryTerms, terms: usize) -> QueryTerms {
        let asked: Vec<String> = query.distinct.iter().take(terms).cloned().collect();
        let own = (Some(&*self.own), &self.own_phrases, OWN_SYNONYM_WEIGHT);
        for (table, phrases, weight) in [own, (self.of_language, &self.phrases, SYNONYM_WEIGHT)] {
            let Some(table) = table else { continue };
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
