//! The language that a question is in, which need not be the wiki's.

use std::collections::HashSet;

use text::{Analyzer, Form, Language, QueryTerms, Synonyms, dialogue, names_nothing, translations, word_count};

/// How a question is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuestionLanguage {
    wiki: Analyzer,
    /// The question's language and its words in the wiki's; none where it is the wiki's, not clear, or without a table.
    other: Option<(Analyzer, &'static Synonyms)>,
}

impl QuestionLanguage {
    /// The language of the first of some `texts` whose language is clear.
    pub(crate) fn of<'a>(wiki: &Analyzer, mut texts: impl Iterator<Item = &'a str>) -> Self {
        let language = texts.find_map(dialogue::language).and_then(|found| Language::parse(found.as_str()));
        let table = language.and_then(|language| translations(language, wiki.language()));
        Self { wiki: *wiki, other: language.map(Analyzer::new).zip(table) }
    }

    /// The analysis of its words.
    pub(crate) fn analyzer(&self) -> &Analyzer {
        self.other.as_ref().map_or(&self.wiki, |(analyzer, _)| analyzer)
    }

    /// Its words in the wiki's language; none where it is the wiki's.
    pub(crate) fn translations(&self) -> Option<&'static Synonyms> {
        self.other.map(|(_, table)| table)
    }

    /// The terms of a question.
    pub(crate) fn query(&self, text: &str) -> QueryTerms {
        let Some((analyzer, table)) = self.other else { return self.wiki.query(text) };
        let named = analyzer.terms(text).into_iter().filter(|term| !names_nothing(table, term));
        QueryTerms { words: word_count(text), ..QueryTerms::new(named) }
    }

    /// The terms of a question in another language than the wiki's, each once with what the same word would be in the
    /// wiki.
    pub(crate) fn as_written(&self, text: &str) -> Vec<(String, Form)> {
        let (mut seen, mut written) = (HashSet::new(), Vec::new());
        if let Some((analyzer, _)) = self.other {
            analyzer.each_term(text, |word, term| {
                let same = self.wiki.terms(text.get(word).unwrap_or_default()).pop();
                let same = same.filter(|same| *same != term && seen.insert(term.clone()));
                written.extend(same.map(|same| (term, Form::Word(same))));
            });
        }
        written
    }
}
