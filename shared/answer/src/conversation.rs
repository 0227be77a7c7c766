//! A question together with the questions before it, as terms for the index: in the language that it is in, with other
//! words for the same.
//!
//! Synonyms are those of the wiki's language and the tenant's own. A question in another language has its words in the
//! wiki's language instead. An entry that says a word in another way than the question counts for less than one that
//! says the word itself, and for more than one that says neither (docs/ANSWER-QUALITY.md).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::models::{Disposition, Turn, TurnRole, WikiPath};
use text::dialogue::{self, refers_back};
use text::{
    Analyzer, ByLanguage, Form, Language, Meaning, QueryTerms, Repair, Spelling, Synonyms, can_be_repaired,
    names_nothing, translations, word_count,
};

/// The weight of the words of earlier questions if the question alone says nothing (docs/ANSWER-QUALITY.md).
const PREVIOUS_WEIGHT: f64 = 0.7;
/// The bonus of the entry that answered an earlier question then, in words that no passage has.
const ANSWERED_FROM_WEIGHT: f64 = 0.6;
/// The factor of both for every question between.
const DECAY: f64 = 0.5;
/// Earlier questions that count, the latest ones.
const MAX_PREVIOUS: usize = 6;
/// Characters of an earlier question that count.
const MAX_EARLIER_CHARS: usize = 1_000;
/// The weight of a corrected word relative to a word that is written as in the wiki (docs/ANSWER-QUALITY.md).
const REPAIRED_WEIGHT: f64 = 0.9;

/// Words of more letters are not tried with swapped letters.
const MAX_SWAPPED_CHARS: usize = 20;
/// A shorter stem may be that of many words.
const MIN_STEM_CHARS: usize = 4;

/// A question and the questions before it.
#[derive(Debug, Clone)]
pub struct ConversationQuery {
    question: QueryTerms,
    /// The language that the question is in.
    language: Language,
    /// See [`ConversationQuery::refers_back`].
    refers_back: bool,
    /// Terms of all questions that name no topic.
    generic: HashSet<String>,
    /// The latest first.
    earlier: Vec<QueryTerms>,
    /// The text of the latest one; empty if there is none.
    previous: String,
    /// The entries that answered earlier questions, with what each counts for.
    answered_from: Vec<(WikiPath, f64)>,
    synonyms: QuestionSynonyms,
}

impl ConversationQuery {
    /// The terms of `question` and of what customer and service said before it, oldest first, with the synonyms of the
    /// language and the tenant's `own`.
    #[must_use]
    pub fn new(analyzer: &Analyzer, own: &[Vec<String>], question: &str, history: &[Turn]) -> Self {
        let asked = history.iter().rev().filter(|turn| is_question(turn, history)).take(MAX_PREVIOUS);
        let asked = asked.map(|turn| first_chars(&turn.content));
        let language = QuestionLanguage::of(analyzer, std::iter::once(question).chain(asked.clone()));
        let synonyms = QuestionSynonyms::new(analyzer, &language, own, question);
        let previous = asked.clone().next().unwrap_or_default().to_owned();
        let answers =
            history.iter().rev().filter(|turn| turn.disposition() == Some(Disposition::Answered)).take(MAX_PREVIOUS);
        let weights = std::iter::successors(Some(ANSWERED_FROM_WEIGHT), |weight| Some(weight * DECAY));
        let answered_from =
            answers.zip(weights).filter_map(|(turn, weight)| Some((turn.sources().first()?.path.clone(), weight)));
        let spoken = language.analyzer().language();
        let refers_back = refers_back(spoken, question);
        let question = language.query(question);
        let generic = generic_terms(spoken);
        let is_generic = |term: &&String| generic.contains(*term) || term.chars().all(char::is_numeric);
        let earlier: Vec<QueryTerms> = asked.map(|asked| language.query(asked)).collect();
        let terms = std::iter::once(&question).chain(&earlier).flat_map(|query| &query.distinct);
        let generic = terms.filter(is_generic).cloned().collect();
        let answered_from = answered_from.collect();
        Self { question, language: spoken, refers_back, generic, earlier, previous, answered_from, synonyms }
    }

    /// The same question after others of its message, oldest first.
    #[must_use]
    pub(super) fn following(mut self, analyzer: &Analyzer, before: &[String]) -> Self {
        let of_message = before.iter().rev().map(|question| analyzer.query(first_chars(question)));
        self.earlier = of_message.chain(self.earlier).take(MAX_PREVIOUS).collect();
        before.last().into_iter().for_each(|question| first_chars(question).clone_into(&mut self.previous));
        let between = before.iter().fold(1.0, |weight, _| weight * DECAY);
        self.answered_from.iter_mut().for_each(|(_, weight)| *weight *= between);
        self
    }

    /// `text`, the question, after the latest one before it, as it is embedded; none for a first question.
    pub(super) fn in_context(&self, text: &str) -> Option<String> {
        (!self.previous.trim().is_empty()).then(|| format!("{}\n{text}", self.previous))
    }

    /// How many terms of the question name what it is about.
    pub(super) fn topics(&self) -> usize {
        self.question.distinct.iter().filter(|term| self.has_topic(term)).count()
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.question.distinct.is_empty() && self.earlier.iter().all(|earlier| earlier.distinct.is_empty())
    }

    /// The terms of the question alone.
    #[must_use]
    pub const fn question(&self) -> &QueryTerms {
        &self.question
    }

    /// Whether a term of the question names what it is about; "how much" and "is there a minimum" name nothing.
    #[must_use]
    pub fn has_topic(&self, term: &str) -> bool {
        !self.generic.contains(term)
    }

    /// Whether the question has a pronoun that may stand for what was said before.
    #[must_use]
    pub const fn refers_back(&self) -> bool {
        self.refers_back
    }

    /// Whether there is no earlier question.
    #[must_use]
    pub fn is_first(&self) -> bool {
        self.earlier.is_empty() && self.answered_from.is_empty()
    }

    /// The question's terms, then those of earlier questions, which count the more the greater the `doubt` is: 0-1; then
    /// synonyms of the question's. At any doubt the terms are the same and in the same order, so that one set of counts serves all.
    #[must_use]
    pub fn query(&self, doubt: f64) -> QueryTerms {
        self.synonyms.expand(self.asked(doubt), self.question.distinct.len())
    }

    /// The question's terms and their synonyms.
    #[must_use]
    pub fn alone(&self) -> QueryTerms {
        self.synonyms.expand(self.question.clone(), self.question.distinct.len())
    }

    /// The terms of [`ConversationQuery::query`] that are asked for themselves.
    fn asked(&self, doubt: f64) -> QueryTerms {
        let mut query = self.question.clone();
        let mut factor = PREVIOUS_WEIGHT * doubt;
        for earlier in &self.earlier {
            query.add(earlier, factor);
            factor *= DECAY;
        }
        query
    }

    /// The bonus of an entry that answered earlier questions, in words that no passage has.
    #[must_use]
    pub fn answered_from(&self, path: &WikiPath) -> f64 {
        self.answered_from.iter().filter(|(answered, _)| answered == path).map(|(_, weight)| weight).sum()
    }

    /// The words that may be typos, if `unknown` says that no entry has them. A word that has synonyms is none: "offen" is not
    /// a misspelt "offer".
    pub fn misspelt(&self, unknown: impl Fn(&str) -> bool) -> Vec<String> {
        let words = self.asked(0.0).distinct;
        let may_be_typo = |word: &String| unknown(word) && can_be_repaired(word) && !self.synonyms.know(word);
        words.into_iter().filter(may_be_typo).collect()
    }

    /// The correction of a word that no entry has and to which `near` of an entry is the nearest.
    pub(super) fn repair(&self, word: &str, near: Option<String>) -> Option<Repair> {
        Repair::of(self.language, word, near)
    }

    /// The same conversation with words replaced by those that they were meant to be.
    #[must_use]
    pub fn repaired(&self, repairs: &HashMap<String, Repair>) -> Self {
        let repaired = |query: &QueryTerms| query.repaired(repairs, REPAIRED_WEIGHT);
        Self {
            question: repaired(&self.question),
            earlier: self.earlier.iter().map(repaired).collect(),
            ..self.clone()
        }
    }
}

/// A customer's turn that was not small talk.
fn is_question(turn: &Turn, history: &[Turn]) -> bool {
    let answer = |number: u32| history.iter().find(|turn| turn.number == number);
    let small_talk =
        turn.answered_by().and_then(answer).is_some_and(|answer| answer.disposition() == Some(Disposition::SmallTalk));
    turn.role() == TurnRole::Customer && !small_talk
}

fn first_chars(text: &str) -> &str {
    text.char_indices().nth(MAX_EARLIER_CHARS).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}

/// The weight of a synonym of the language relative to the word itself (docs/ANSWER-QUALITY.md).
const SYNONYM_WEIGHT: f64 = 0.7;
/// The same of a tenant's own: the tenant says that both mean the same in its wiki. The word itself still comes first.
const OWN_SYNONYM_WEIGHT: f64 = 0.9;

/// The weight of a translation into the wiki's language relative to the word itself.
const TRANSLATION_WEIGHT: f64 = 0.8;

/// The tables that a question is looked up in, and its phrases that they have.
#[derive(Debug, Clone)]
struct QuestionSynonyms {
    own: Arc<Synonyms>,
    own_phrases: Vec<Meaning>,
    /// Other spellings of the words themselves.
    spellings: Vec<Spelling>,
    /// Of the language, and what its forms count for.
    of_language: (&'static Synonyms, f64),
    phrases: Vec<Meaning>,
}

impl QuestionSynonyms {
    /// The synonyms for `question`; `own` are the tenant's groups.
    fn new(analyzer: &Analyzer, language: &QuestionLanguage, own: &[Vec<String>], question: &str) -> Self {
        let (table, weight) = match language.other {
            Some((_, table)) => (table, TRANSLATION_WEIGHT),
            None => (Synonyms::of(analyzer.language()), SYNONYM_WEIGHT),
        };
        // In a tenant's groups "?" has no meaning.
        let own = own.iter().map(|group| group.iter().map(|member| member.trim_start_matches('?')));
        let own = Synonyms::new(analyzer, own);
        Self {
            own_phrases: own.phrases_in(analyzer, question),
            own: Arc::new(own),
            spellings: language.spellings(question),
            of_language: (table, weight),
            phrases: table.phrases_in(language.analyzer(), question),
        }
    }

    /// Whether a term has synonyms.
    fn know(&self, term: &str) -> bool {
        [&*self.own, self.of_language.0].into_iter().any(|table| !table.groups_of(term).is_empty())
    }

    /// The query with synonyms of its first `terms` distinct terms, the tenant's own first.
    fn expand(&self, mut query: QueryTerms, terms: usize) -> QueryTerms {
        let asked: Vec<String> = query.distinct.iter().take(terms).cloned().collect();
        let (of_language, weight) = self.of_language;
        let own = (&*self.own, &self.own_phrases, OWN_SYNONYM_WEIGHT);
        let tables = [own, (of_language, &self.phrases, weight)];
        for (table, phrases, weight) in tables {
            for (place, term) in asked.iter().enumerate() {
                let in_phrase = phrases.iter().filter(|(phrased, _)| phrased == term).map(|(_, group)| group);
                for form in table.groups_of(term).iter().chain(in_phrase).flat_map(|group| table.forms(*group)) {
                    query.add_synonym(place, form, weight);
                }
            }
        }
        // Last, because they are many: words of the question keep their room.
        query = query.with_spellings(&self.spellings, terms);
        for Spelling { term, form, weight: share } in &self.spellings {
            let (Form::Word(word), Some(place)) = (form, asked.iter().position(|asked| asked == term)) else {
                continue;
            };
            for (table, _, weight) in tables {
                let forms = table.groups_of(word).iter().flat_map(|group| table.forms(*group));
                forms.for_each(|form| query.add_synonym(place, form, weight * share));
            }
        }
        query
    }
}

/// How a question is read.
#[derive(Debug, Clone, Copy)]
struct QuestionLanguage {
    wiki: Analyzer,
    /// The question's language and its words in the wiki's; none if it is the wiki's, not clear, or without a table.
    other: Option<(Analyzer, &'static Synonyms)>,
}

impl QuestionLanguage {
    /// The language of the first of some `texts` whose language is clear; of keywords, the one whose words they are.
    fn of<'a>(wiki: &Analyzer, mut texts: impl Iterator<Item = &'a str> + Clone) -> Self {
        let question = texts.clone().next().unwrap_or_default();
        let language = texts.find_map(dialogue::language).map(|found| Language::parse(found.as_str()));
        let language = language.unwrap_or_else(|| of_keywords(wiki, question));
        let table = language.and_then(|language| translations(language, wiki.language()));
        Self { wiki: *wiki, other: language.map(Analyzer::new).zip(table) }
    }

    /// The analysis of its words.
    fn analyzer(&self) -> &Analyzer {
        self.other.as_ref().map_or(&self.wiki, |(analyzer, _)| analyzer)
    }

    /// The terms of a question.
    fn query(&self, text: &str) -> QueryTerms {
        let Some((analyzer, table)) = self.other else { return self.wiki.query(text) };
        let named = analyzer.terms(text).into_iter().filter(|term| !names_nothing(table, term));
        QueryTerms { words: word_count(text), ..QueryTerms::new(named) }
    }

    /// The other spellings of a question's terms in the wiki: of a question in another language also what the same word
    /// would be there.
    fn spellings(&self, text: &str) -> Vec<Spelling> {
        let (mut seen, mut written) = (HashSet::new(), self.analyzer().spellings(text));
        self.analyzer().each_term(text, |word, term| {
            let word = text.get(word).unwrap_or_default();
            let hidden = self.hidden_endings(word, &term);
            written.extend(hidden.map(|stem| Spelling {
                term: term.clone(),
                form: Form::Repaired(stem),
                weight: REPAIRED_WEIGHT,
            }));
        });
        if let Some((analyzer, _)) = self.other {
            analyzer.each_term(text, |word, term| {
                let same = self.wiki.terms(text.get(word).unwrap_or_default()).pop();
                let same = same.filter(|same| *same != term && seen.insert(term.clone()));
                written.extend(same.map(|same| Spelling { term, form: Form::Word(same), weight: 1.0 }));
            });
        }
        written
    }

    /// The stems of a word with two neighbouring letters swapped if that gives it an ending: "chnage" has the ending of
    /// "change" only so, and its own stem is too far from that word's to be taken for a typo of it.
    fn hidden_endings(&self, word: &str, term: &str) -> impl Iterator<Item = String> {
        let letters: Vec<char> = word.to_lowercase().chars().take(MAX_SWAPPED_CHARS + 1).collect();
        let is_word = letters.len() <= MAX_SWAPPED_CHARS && letters.iter().all(|letter| letter.is_alphabetic());
        let (analyzer, length) = (*self.analyzer(), term.chars().count());
        let places = if is_word { 1..letters.len().saturating_sub(1) } else { 0..0 };
        places.filter_map(move |at| {
            let mut swapped = letters.clone();
            swapped.swap(at, at + 1);
            let stem = analyzer.terms(&swapped.into_iter().collect::<String>()).pop()?;
            let chars = stem.chars().count();
            (chars < length && chars >= MIN_STEM_CHARS).then_some(stem)
        })
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

/// The terms of the generic words of a language.
pub(super) fn generic_terms(language: Language) -> &'static HashSet<String> {
    static TERMS: ByLanguage<HashSet<String>> = ByLanguage::new();
    TERMS.get(language, || Analyzer::new(language).terms(text::dialogue::generic_words(language)).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_generic_words_of_its_own() {
        for language in Language::ALL {
            assert!(generic_terms(*language).len() >= 12, "{language}");
        }
        let english = generic_terms(Language::English);
        let terms = |text: &str| Analyzer::new(Language::English).terms(text);
        for text in ["how much?", "is there a minimum", "and if it still won't work?", "and mine isn't?"] {
            assert!(terms(text).iter().all(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
        for text in ["do you have parking?", "where does the zebra sleep?", "do you sell kubernetes operators?"] {
            assert!(!terms(text).iter().any(|term| english.contains(term)), "{text}: {:?}", terms(text));
        }
    }
}
