//! Checks that a text says only what a section says. Strict: what is not certain counts as not said.

use std::collections::HashSet;

use super::section::Section;
use text::{Analyzer, paragraphs, sentences};

/// So much of what the section says must still be said, in percent of its distinct terms.
const KEPT_PERCENT: usize = 85;

/// Words that turn a sentence into its opposite or restrict it, in the languages that are most written.
const NEGATIONS: &[&str] = &[
    "not",
    "no",
    "never",
    "cannot",
    "without",
    "none",
    "nobody",
    "nothing",
    "neither",
    "nor",
    "unless",
    "except",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "keiner",
    "nie",
    "ohne",
    "ne",
    "pas",
    "jamais",
    "sans",
    "aucun",
    "aucune",
    "sin",
    "nunca",
    "ningun",
    "ninguna",
    "non",
    "mai",
    "senza",
    "nao",
    "não",
    "nem",
    "sem",
    "niet",
    "geen",
    "nooit",
    "zonder",
    "не",
    "нет",
    "без",
    "никогда",
    "ikke",
    "ingen",
    "inte",
    "aldrig",
    "ei",
    "nem",
    "nincs",
    "değil",
    "hayır",
    "only",
    "nur",
    "seulement",
    "uniquement",
    "solo",
    "sólo",
    "solamente",
    "soltanto",
    "apenas",
    "somente",
    "só",
    "alleen",
    "kun",
    "endast",
    "bara",
    "vain",
    "только",
    "sadece",
];

/// Whether a title consists of words of the section and its heading.
pub(super) fn title(section: &Section<'_>, title: &str) -> bool {
    let said = Facts::of(section);
    said.covers(title) && said.numbers(title) && !said.analyzer.terms(title).is_empty()
}

/// Whether a text says what the section says: every sentence is supported, and nothing is lost.
pub(super) fn content(section: &Section<'_>, content: &str) -> bool {
    let said = Facts::of(section);
    let every = paragraphs(content).into_iter().flat_map(sentences).all(|sentence| said.is_grounded(sentence));
    every && said.is_preserved_by(content)
}

/// The facts of a section.
struct Facts {
    analyzer: Analyzer,
    /// All of it, in lower case.
    text: String,
    terms: HashSet<String>,
    own_terms: HashSet<String>,
    numbers: HashSet<String>,
    own_numbers: HashSet<String>,
    sentences: Vec<(HashSet<String>, usize)>,
}

impl Facts {
    fn of(section: &Section<'_>) -> Self {
        let analyzer = Analyzer::new(section.language);
        let own_terms: HashSet<String> = analyzer.terms(section.content).into_iter().collect();
        let mut terms: HashSet<String> = analyzer.terms(section.title).into_iter().collect();
        terms.extend(own_terms.iter().cloned());
        let own_numbers = numbers(section.content);
        let all_numbers = own_numbers.union(&numbers(section.title)).cloned().collect();
        let of = |text: &str| (analyzer.terms(text).into_iter().collect(), negations(text));
        let sentences = paragraphs(section.content).into_iter().flat_map(sentences).chain([section.title]).map(of);
        let sentences = sentences.collect();
        let text = section.content.to_lowercase();
        Self { analyzer, text, terms, own_terms, numbers: all_numbers, own_numbers, sentences }
    }

    fn covers(&self, text: &str) -> bool {
        self.analyzer.terms(text).iter().all(|term| self.terms.contains(term))
    }

    fn numbers(&self, text: &str) -> bool {
        numbers(text).is_subset(&self.numbers)
    }

    /// One sentence of the section, or two neighbours in which no number can change its place, contains the words of
    /// `sentence` and the same negations.
    fn is_grounded(&self, sentence: &str) -> bool {
        if !self.covers(sentence) || !self.numbers(sentence) {
            return false;
        }
        let terms: HashSet<String> = self.analyzer.terms(sentence).into_iter().collect();
        if terms.is_empty() {
            // Stop words alone can carry meaning, too: they must be contained as they are.
            let bare = sentence.trim_matches(|c: char| !c.is_alphanumeric());
            return self.text.contains(&bare.to_lowercase());
        }
        let denied = negations(sentence);
        let alone = self.sentences.iter().any(|(said, no)| terms.is_subset(said) && *no == denied);
        let pairs = self.sentences.windows(2).any(|pair| {
            let both: HashSet<&String> = pair.iter().flat_map(|(said, _)| said).collect();
            terms.iter().all(|term| both.contains(term)) && pair.iter().map(|(_, no)| no).sum::<usize>() == denied
        });
        alone || (pairs && numbers(sentence).is_empty())
    }

    /// Whether `text` keeps most of the section's terms, and all of its numbers.
    fn is_preserved_by(&self, text: &str) -> bool {
        let left: HashSet<String> = self.analyzer.terms(text).into_iter().collect();
        let kept = self.own_terms.intersection(&left).count();
        kept * 100 >= self.own_terms.len() * KEPT_PERCENT && self.own_numbers.is_subset(&numbers(text))
    }
}

/// Words with a digit in them, without the marks around them.
fn numbers(text: &str) -> HashSet<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // The number of a list item is not a fact.
    let item = |word: &&str| !(word.ends_with(['.', ')']) && word.len() <= 3);
    let words = text.lines().flat_map(|line| {
        let mut words = line.split_whitespace().peekable();
        words.next_if(|first| !item(first));
        words
    });
    words.filter(|word| word.chars().any(char::is_numeric)).map(bare).collect()
}

/// How many words of a text turn it into its opposite or restrict it.
pub(crate) fn negations(text: &str) -> usize {
    let lower = text.to_lowercase().replace('’', "'");
    lower
        .split(|c: char| !(c.is_alphanumeric() || c == '\''))
        .filter(|word| NEGATIONS.contains(word) || word.ends_with("n't"))
        .count()
}
