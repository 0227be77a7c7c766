//! The language that a question is in, which need not be the wiki's.

use std::collections::HashSet;

use text::{
    Analyzer, Form, Language, QueryTerms, Spelling, Synonyms, dialogue, names_nothing, translations, word_count,
};

/// How a question is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuestionLanguage {
    wiki: Analyzer,
    /// The question's language and its words in the wiki's; none if it is the wiki's, not clear, or without a table.
    other: Option<(Analyzer, &'static Synonyms)>,
}

impl QuestionLanguage {
    /// The language of the first of some `texts` whose language is clear; of keywords, the one whose words they are.
    pub(crate) fn of<'a>(wiki: &Analyzer, mut texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let question = texts.clone().next().unwrap_or_default();
        let language = texts.find_map(dialogue::language).map(|found| Language::parse(found.as_str()));
        let language = language.unwrap_or_else(|| of_keywords(wiki, question));
        let table = language.and_then(|language| translations(language, wiki.language()));
        Self { wiki: *wiki, other: language.map(Analyzer::new).zip(table) }
    }

    /// The analysis of its words.
    pub(crate) fn analyzer(&self) -> &Analyzer {
        self.other.as_ref().map_or(&self.wiki, |(analyzer, _)| analyzer)
    }

    /// Its words in the wiki's language; none if it is the wiki's.
    pub(crate) fn translations(&self) -> Option<&'static Synonyms> {
        self.other.map(|(_, table)| table)
    }

    /// The terms of a question.
    pub(crate) fn query(&self, text: &str) -> QueryTerms {
        let Some((analyzer, table)) = self.other else { return self.wiki.query(text) };
        let named = analyzer.terms(text).into_iter().filter(|term| !names_nothing(table, term));
        QueryTerms { words: word_count(text), ..QueryTerms::new(named) }
    }

    /// The other spellings of a question's terms in the wiki: of a question in another language also what the same word
    /// would be there.
    pub(crate) fn spellings(&self, text: &str) -> Vec<Spelling> {
        let (mut seen, mut written) = (HashSet::new(), self.analyzer().spellings(text));
        if let Some((analyzer, _)) = self.other {
            analyzer.each_term(text, |word, term| {
                let same = self.wiki.terms(text.get(word).unwrap_or_default()).pop();
                let same = same.filter(|same| *same != term && seen.insert(term.clone()));
                written.extend(same.map(|same| Spelling { term, form: Form::Word(same), weight: 1.0 }));
            });
        }
        written
    }
}

/// The language whose table of translations has most words of a text, at least half of them; none if the wiki's own
/// words are among them.
fn of_keywords(wiki: &Analyzer, text: &str) -> Option<Language> {
    let named = |language: Language, table: &Synonyms| {
        let terms = Analyzer::new(language).terms(text);
        let named = |term: &&String| !table.groups_of(term).is_empty() && !names_nothing(table, term);
        (terms.iter().filter(named).count(), terms.len())
    };
    let others = || Language::ALL.iter().copied().filter(|language| *language != wiki.language());
    let tables = others().filter_map(|language| Some((language, translations(language, wiki.language())?)));
    let found = tables.map(|(language, table)| (language, named(language, table)));
    let enough = found.filter(|(_, (named, terms))| *named > 0 && 2 * named >= *terms);
    // The first of those with equally many: most words of two languages mean the same in both.
    let (language, _) = enough.reduce(|best, next| if next.1.0 > best.1.0 { next } else { best })?;
    let own = translations(wiki.language(), language).map_or(0, |table| named(wiki.language(), table).0);
    (own == 0).then_some(language)
}
