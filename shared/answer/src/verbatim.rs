//! Checks whether an answer says only what it cites. An unclear case counts as not said.
//!
//! Answers and cited texts are compared by their units ([`text::units()`]). A unit of an answer is held if its words are
//! all the words of one unit of one cited text in the same order, or those of two neighbouring units, or of an introduction
//! and a unit under it: a part of a unit may lack the condition under which the rest holds. Stop words count: "before" and
//! "after", "more than" and "up to" are among them. Case, punctuation, marks of Markdown, lists and tables, and `…` for what
//! is left out do not count. Of a reworded unit [`articles`] and the number of a word ([`singular`]) do not count either.
//! The units of one cited text are said in its order, and no step is left out between two.

use domain::models::Language;
use std::borrow::Cow;
use std::collections::HashMap;
use text::{Analyzer, Unit, UnitKind, units};

/// Marks around a word that say nothing; signs such as `€`, `%`, `+` and `<` do.
const MARKS: &[char] = &[
    '|', '.', ',', ';', ':', '!', '?', '…', '"', '\'', '“', '”', '„', '‘', '«', '»', '(', ')', '[', ']', '*', '_', '`',
    '~', '#', '。', '，', '、', '！', '？', '；', '：', '「', '」', '『', '』', '（', '）', '¿', '¡', '؟', '،', '।',
];
/// A longer introduction is not joined with a unit under it: it says enough by itself, and may have many of them.
const MAX_INTRODUCTION_WORDS: usize = 60;
/// The least characters of the singular of a word.
const MIN_SINGULAR: usize = 3;

/// How the cited texts hold an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Every sentence is a quotation.
    Quoted,
    /// Every sentence is held, some in the other number or with other [`articles`].
    Reworded,
    /// A sentence is not held, or none has content: stop words alone say nothing.
    Not,
}

/// How the `cited` texts hold `text`, and the places of those that do.
pub(super) fn held(text: &str, cited: &[&str], language: Language) -> (Held, Vec<usize>) {
    let analyzer = Analyzer::new(language);
    let reworded =
        |word: &str| if articles(language).contains(&word) { String::new() } else { singular(word, language) };
    if let Some(holders) = holders(&analyzer, text, cited, &str::to_owned) {
        (Held::Quoted, holders)
    } else if let Some(holders) = holders(&analyzer, text, cited, &reworded) {
        (Held::Reworded, holders)
    } else {
        (Held::Not, Vec::new())
    }
}

/// The places of the texts that hold every sentence of `text`. `form` is the form in which a word is compared; an empty one
/// is left out.
fn holders(analyzer: &Analyzer, text: &str, cited: &[&str], form: &dyn Fn(&str) -> String) -> Option<Vec<usize>> {
    let said: Vec<Sentence<'_>> = all_sentences(text, form).into_iter().filter(|said| !said.is_mark()).collect();
    let mut cited: Vec<Source> = cited.iter().map(|text| Source::of(text, form)).collect();
    for sentence in &said {
        if sentence.words.is_empty() || analyzer.terms(&sentence.text).is_empty() {
            return None;
        }
        cited.iter_mut().find_map(|source| source.say(&sentence.words))?;
    }
    let holders = cited.iter().enumerate().filter(|(_, source)| source.said.is_some());
    let holders: Vec<usize> = holders.map(|(at, _)| at).collect();
    (!holders.is_empty()).then_some(holders)
}

/// Words without which a sentence says the same. Pronouns and verbs do not belong here: "you pay" and "we pay", "you are
/// refunded" and "you refund" differ. Empty for the languages without a list.
const fn articles(language: Language) -> &'static [&'static str] {
    match language {
        Language::Danish | Language::Norwegian => &["en", "et", "den", "det"],
        Language::Dutch => &["de", "het", "een"],
        Language::English => &["a", "an", "the"],
        Language::French => &["le", "la", "les", "un", "une"],
        Language::German => &["der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer"],
        Language::Italian => &["il", "lo", "la", "gli", "le", "un", "uno", "una"],
        Language::Portuguese => &["o", "os", "as", "um", "uma"],
        Language::Spanish => &["el", "la", "los", "las", "un", "una"],
        Language::Swedish => &["en", "ett", "den", "det"],
        _ => &[],
    }
}

/// A form that a word shares with its plural if the language has endings that show no tense or voice. Otherwise the word.
fn singular(word: &str, language: Language) -> String {
    let singular = match (language, word) {
        (Language::English, "are") => Some("is"),
        // "ask IT" is a name, so "it" is no form.
        (Language::English, "it") => Some("they"),
        (Language::French, "sont") => Some("est"),
        (Language::German, "sind") => Some("ist"),
        (Language::Italian, "sono") => Some("è"),
        (Language::Portuguese, "são") => Some("é"),
        (Language::Spanish, "son") => Some("es"),
        _ => None,
    };
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    let without = |ending: &str| word.strip_suffix(ending).filter(|rest| rest.chars().count() >= MIN_SINGULAR);
    let singular = singular.or_else(|| match language {
        Language::English if ends(&["sses", "xes", "ches", "shes"]) => without("es"),
        Language::English if ends(&["ss", "us", "is"]) => None,
        Language::French if ends(&["ss"]) => None,
        Language::English | Language::French => without("s"),
        _ => None,
    });
    match (language, without("ies")) {
        (Language::English, Some(rest)) => format!("{rest}y"),
        _ => singular.unwrap_or(word).to_owned(),
    }
}

/// A unit as it is compared.
struct Sentence<'a> {
    text: Cow<'a, str>,
    /// The place of the unit that it needs, if that is an introduction.
    introduction: Option<usize>,
    /// The number of the step that it is, in its text.
    step: Option<usize>,
    /// The words of a text between spaces in the form that is compared, in lower case, without the marks around them and
    /// without list markers. Empty if there are none.
    words: String,
}

fn all_sentences<'a>(text: &'a str, form: &dyn Fn(&str) -> String) -> Vec<Sentence<'a>> {
    let all = units(text);
    let introduces = |unit: &Unit<'_>| unit.introduces && unit.words <= MAX_INTRODUCTION_WORDS;
    let introduction = |unit: &Unit<'_>| unit.needs.filter(|at| all.get(*at).is_some_and(introduces));
    let introductions: Vec<Option<usize>> = all.iter().map(introduction).collect();
    let mut steps = 0..;
    let all = all.into_iter().zip(introductions).map(|(unit, introduction)| {
        let step = if unit.kind == UnitKind::Step { steps.next() } else { None };
        let text = match unit.kind {
            UnitKind::Code | UnitKind::TableHead => Cow::Owned(without_fences(&unit.text)),
            _ => unit.text,
        };
        let words = words(&text, form);
        Sentence { text, introduction, step, words }
    });
    all.collect()
}

/// The lines of code, or the cells of a head, without the lines that only mark them.
fn without_fences(text: &str) -> String {
    let is_mark = |line: &&str| line.starts_with("```") || line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    text.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n")
}

fn words(sentence: &str, form: &dyn Fn(&str) -> String) -> String {
    let mut all = sentence.split_whitespace().peekable();
    while all.next_if(|first| is_item_mark(first)).is_some() {}
    let bare = all.map(|word| word.trim_matches(MARKS)).filter(|word| !word.is_empty());
    let formed = bare.enumerate().map(|(place, word)| {
        let lower = word.replace('’', "'").to_lowercase();
        // Past the beginning a capital makes a name of a word: "plan A", "ask IT".
        if place > 0 && word.starts_with(char::is_uppercase) && word == word.to_uppercase() {
            lower
        } else {
            form(&lower)
        }
    });
    formed.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

impl Sentence<'_> {
    /// Whether it stands for what is left out.
    fn is_mark(&self) -> bool {
        self.text.trim() == "…"
    }

    /// The words of this and the next sentence; none if a number would get other neighbours.
    fn joined(&self, then: &Self) -> Option<String> {
        let meeting = [self.words.split(' ').next_back(), then.words.split(' ').next()];
        let has_number = |word: &str| word.chars().any(char::is_numeric);
        (!meeting.into_iter().flatten().any(has_number)).then(|| format!("{} {}", self.words, then.words))
    }
}

/// A cited text, as far as an answer has said it.
struct Source {
    /// For the words of its units and of two that are joined, where they end, in order.
    places: HashMap<String, Vec<Place>>,
    /// The place that was said last.
    said: Option<usize>,
    /// The last of its steps that was said.
    step: Option<usize>,
}

#[derive(Clone, Copy)]
struct Place {
    at: usize,
    /// The first and the last step of a unit, or of two.
    steps: Option<(usize, usize)>,
}

impl Source {
    fn of(text: &str, form: &dyn Fn(&str) -> String) -> Self {
        let all = all_sentences(text, form);
        let mut places: HashMap<String, Vec<Place>> = HashMap::new();
        for (at, then) in all.iter().enumerate() {
            let mut add = |words: String, first: Option<usize>| {
                let steps = first.or(then.step).zip(then.step.or(first));
                places.entry(words).or_default().push(Place { at, steps });
            };
            add(then.words.clone(), then.step);
            let before = [at.checked_sub(1), then.introduction.filter(|place| place + 1 < at)];
            for first in before.into_iter().flatten().filter_map(|place| all.get(place)) {
                first.joined(then).into_iter().for_each(|words| add(words, first.step));
            }
        }
        Self { places, said: None, step: None }
    }

    /// Goes on to the next unit, or two, of these words; none if there is none, or a step is left out before it.
    fn say(&mut self, words: &str) -> Option<()> {
        let places = self.places.get(words)?;
        let next = places.partition_point(|place| self.said.is_some_and(|said| place.at <= said));
        let place = *places.get(next)?;
        if let Some((first, last)) = place.steps {
            if self.step.is_some_and(|said| first > said + 1) {
                return None;
            }
            self.step = Some(last);
        }
        self.said = Some(place.at);
        Some(())
    }
}

/// `-`, `•`, `>` and the like, or a number as in `1.` and `2)`.
fn is_item_mark(word: &str) -> bool {
    let numbered = word.strip_suffix(['.', ')']).is_some_and(|number| {
        !number.is_empty() && number.len() <= 3 && number.bytes().all(|byte| byte.is_ascii_digit())
    });
    numbered || matches!(word, "-" | "+" | "*" | "•" | ">")
}

#[cfg(test)]
mod tests;
