//! The question that a quotation is to answer, and the kinds of answer that it asks for, by the question words of several
//! languages: an amount, a time, a number, a way to reach somebody, steps.

use std::collections::HashSet;

use super::shape::{
    Free, NUMBER_DISTANCE, has_capital, has_contact, has_frequency, has_money, has_name, has_number, has_percent,
    has_phone, has_place, has_sum, has_time, has_version, is_free, is_instruction, numbers_but_shares, words,
};
use crate::rank::Scorer;
use text::{Analyzer, Language, Opposites, Place, QueryTerms, Unit, UnitKind};

text::lists! { "words.txt":
    ADDRESS AMOUNT CONTACT DISCOUNT GREETINGS HOW_BIG HOW_LONG HOW_MANY HOW_MUCH HOW_OFTEN KNOW LIST MINE NEEDED
    NO_DISCOUNT NUMBER NUMBERS PHONE QUESTION_WORDS RATE SHARES STEPS SYSTEMS TIME VERSION WHAT_IS WHEN WHERE_IS
    WHERE_TO WHERE_TO_FIND WHETHER WHETHER_PHRASES WHICH WHICH_PLACE WHICH_RATE WHO WISHES
}

/// The kinds of answer that a question asks for; none is any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a question can ask for several kinds")]
pub(super) struct Wanted {
    amount: bool,
    time: bool,
    number: bool,
    contact: bool,
    steps: bool,
    /// Steps, and not only a place where something is done.
    way: bool,
    list: bool,
}

impl Wanted {
    /// The kinds of answer that `question` asks for.
    pub(super) fn of(question: &str) -> Self {
        let question = format!(" {} ", words(question));
        let asks = |phrases: &[&str]| phrases.iter().any(|phrase| question.contains(&format!(" {phrase} ")));
        Self {
            amount: asks(&AMOUNT),
            time: asks(&TIME),
            number: asks(&NUMBER),
            contact: asks(&CONTACT),
            steps: asks(&STEPS) || asks(&WHERE_TO) || (asks(&WISHES) && !asks(&KNOW)),
            way: asks(&STEPS),
            list: asks(&LIST),
        }
    }

    /// Whether a way to do something is asked for.
    pub(super) const fn is_way(self) -> bool {
        self.way && !(self.amount || self.time || self.number || self.contact)
    }

    /// Whether a unit has it.
    pub(super) fn is_met_by(self, unit: &Unit<'_>) -> bool {
        let text = unit.text.as_ref();
        (self.amount && (has_money(text) || has_percent(text)))
            || (self.time && has_time(text))
            || (self.number && has_number(unit))
            || (self.contact && has_contact(text))
            || (self.steps && is_instruction(unit))
            || (self.list && matches!(unit.kind, UnitKind::Item | UnitKind::Row))
    }
}

/// The words after [`WHAT_IS`] among which a [`DISCOUNT`] is named.
const DISCOUNT_WORDS: usize = 3;
/// How many words after the phrase name what is counted.
const COUNTED_WORDS: usize = 2;

/// The kinds of answer that a question can only mean, known by their shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked {
    amount: bool,
    /// The amount may be a share.
    share: bool,
    time: bool,
    often: bool,
    size: bool,
    /// The system of which a version is asked for.
    system: Option<String>,
    phone: bool,
    address: bool,
    who: bool,
    /// A place, in the wiki's language.
    place: Option<Language>,
    /// The name of a place.
    named_place: bool,
    /// Whether something is so.
    pub(super) yes_no: bool,
    /// The terms of what is to be counted.
    counted: Vec<String>,
    /// The terms of the question but "free".
    about: HashSet<String>,
    /// The terms that ask: a text says "5 €" and not "how much", "cost" or "price".
    pub(super) terms: Vec<String>,
}

impl Asked {
    /// The kinds that `question` asks for.
    pub(super) fn of(question: &Question<'_>) -> Self {
        let all = words(question.text);
        let all = format!(" {} ", all.split(' ').map(without_swap).collect::<Vec<_>>().join(" "));
        let has = |phrase: &&str| all.contains(&format!(" {phrase} "));
        let asks = |phrases: &[&str]| phrases.iter().any(has);
        let first = all.split_whitespace().next().unwrap_or_default();
        let begins = |words: &[&str]| words.contains(&first);
        let after = |phrase: &&str| all.split_once(&format!(" {phrase} ")).map(|(_, after)| after);
        let (time, often) = (asks(&HOW_LONG) || begins(&WHEN), asks(&HOW_OFTEN));
        let counted = HOW_MANY.iter().find_map(after).filter(|_| !time && !often).unwrap_or_default();
        let counted: Vec<&str> = counted.split_whitespace().take(COUNTED_WORDS).collect();
        let is_discount = |rest: &str| {
            let mut next = rest.split_whitespace();
            next.by_ref().take(DISCOUNT_WORDS).any(|word| DISCOUNT.contains(&word))
                && !next.next().is_some_and(|word| NO_DISCOUNT.contains(&word))
        };
        let discount = !time && WHAT_IS.iter().filter_map(after).any(is_discount);
        let rate = WHICH_RATE
            .iter()
            .filter_map(after)
            .any(|rest| rest.split_whitespace().take(DISCOUNT_WORDS).any(|word| RATE.contains(&word)));
        let (amount, size) = (asks(&HOW_MUCH) || discount, asks(&HOW_BIG) || rate);
        let is_needed = |system: &str| {
            let before = |verb: &&str| WHICH.iter().any(|which| has(&format!("{which} {system} {verb}").as_str()));
            asks(&VERSION) && asks(&WHICH) || NEEDED.iter().any(before)
        };
        let system = all.split_whitespace().find(|word| SYSTEMS.contains(word) && is_needed(word)).map(str::to_owned);
        let mut asking = vec![&HOW_MUCH, &HOW_LONG, &HOW_OFTEN, &HOW_BIG, &HOW_MANY, &WHERE_IS, &WHERE_TO_FIND];
        if system.is_some() {
            asking.extend([&VERSION, &NEEDED]);
        }
        let asking = asking.into_iter().flat_map(|phrases| phrases.iter().copied());
        let terms = question.analyzer.terms(&asking.filter(has).collect::<Vec<_>>().join(" "));
        let mut counted = question.analyzer.terms(&counted.join(" "));
        counted.extend(synonyms(question.query, &counted));
        let (phone, address) = (asks(&PHONE), asks(&ADDRESS));
        let begins_with =
            |text: &str, phrase: &str| text.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '));
        let is_mine = |rest: &str| MINE.iter().any(|mine| begins_with(rest, mine));
        let place = asks(&WHERE_TO_FIND) || WHERE_IS.iter().filter_map(after).any(|rest| !is_mine(rest));
        let mut asked = all.trim_start();
        while let Some((_, rest)) = asked.split_once(' ').filter(|(word, _)| GREETINGS.contains(word)) {
            asked = rest;
        }
        let opener = asked.split(' ').next().unwrap_or_default();
        let about = question.query.distinct.iter().filter(|term| *term != "free").cloned().collect();
        Self {
            about,
            amount,
            share: asks(&SHARES),
            named_place: asks(&WHICH_PLACE),
            time,
            often,
            size,
            system,
            phone,
            address,
            who: begins(&WHO),
            place: place.then(|| question.analyzer.language()),
            yes_no: WHETHER.contains(&opener) || WHETHER_PHRASES.iter().any(|phrase| begins_with(asked, phrase)),
            counted,
            terms,
        }
    }

    /// Whether it asks for any.
    pub(super) const fn is_any(&self) -> bool {
        self.amount
            || self.time
            || self.often
            || self.size
            || self.system.is_some()
            || self.phone
            || self.address
            || self.who
            || self.place.is_some()
            || self.named_place
            || !self.counted.is_empty()
    }

    /// Whether a unit, with its `terms`, has one of them.
    pub(super) fn is_met_by(&self, unit: &Unit<'_>, terms: &[String]) -> bool {
        let text = unit.text.as_ref();
        (self.amount && (has_sum(text) || self.says_free(text, terms) || self.share && has_percent(text)))
            || (self.time && has_time(text))
            || (self.often && has_frequency(text))
            || (self.size && has_number(unit))
            || self.system.as_deref().is_some_and(|system| has_version(text, system))
            || (self.phone && has_phone(text))
            || (self.address && has_contact(text))
            || (self.who && has_name(text))
            || self.place.is_some_and(|language| has_place(unit, language))
            || (self.named_place && has_capital(text))
            || self.counts(text, terms)
    }

    /// Whether a text says that something is free; "for free" may be said of anything, so it has to name what is asked for.
    fn says_free(&self, text: &str, terms: &[String]) -> bool {
        match is_free(text) {
            Free::No => false,
            Free::Given => terms.iter().any(|term| self.about.contains(term)),
            Free::Said => true,
        }
    }

    /// Whether a number stands next to what is to be counted: no share, unless one is asked for.
    fn counts(&self, text: &str, terms: &[String]) -> bool {
        if self.counted.is_empty() {
            return false;
        }
        let is_counted = |term: &String| self.counted.contains(term);
        let numbers = if self.share || !text.contains('%') { None } else { Some(numbers_but_shares(text)) };
        let is_number = |term: &String| {
            let is_digits = term.starts_with(|c: char| c.is_ascii_digit());
            is_digits && numbers.as_ref().is_none_or(|numbers| numbers.contains(term.as_str()))
                || NUMBERS.contains(&term.as_str())
        };
        let numbers = terms.iter().enumerate().filter(|(_, term)| is_number(term)).map(|(at, _)| at);
        let near =
            |at: usize| terms.get(at.saturating_sub(NUMBER_DISTANCE)..(at + NUMBER_DISTANCE + 1).min(terms.len()));
        numbers.filter_map(near).any(|near| near.iter().any(is_counted))
    }
}

/// The single words that mean what one of `terms` does ("pics": "photos").
fn synonyms(query: &QueryTerms, terms: &[String]) -> Vec<String> {
    let is_of = |place: usize| query.distinct.get(place).is_some_and(|term| terms.contains(term));
    let word = |place: Place| match place {
        Place::Word(at) => query.distinct.get(at).cloned(),
        Place::Bigram(_) => None,
    };
    query.others.iter().filter(|other| is_of(other.of)).filter_map(|other| word(other.place)).collect()
}

/// A question word of which letters are swapped ("wehn") as it is meant, any other word as it is.
fn without_swap(word: &str) -> &str {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_meant = |meant: &&&str| meant.len() == word.len() && letters(meant) == letters(word);
    // "who" has the letters of "how".
    if WHO.contains(&word) {
        return word;
    }
    QUESTION_WORDS.iter().find(is_meant).copied().unwrap_or(word)
}

/// The most words of a short question.
pub(super) const SHORT_QUESTION_WORDS: usize = 8;

/// The question that a quotation is to answer.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The analysis of the wiki's language.
    pub(crate) analyzer: &'a Analyzer,
    /// As written.
    pub(crate) text: &'a str,
    /// Its terms, with those of earlier questions.
    pub(crate) query: &'a QueryTerms,
    /// The sides of opposites that it is on.
    pub(crate) opposites: &'a Opposites,
    /// The weights of the terms in the wiki.
    pub(crate) scorer: &'a Scorer<'a>,
    /// The passage that is nearest to the question by its vector, if there is one.
    pub(crate) near: Option<&'a str>,
}

impl Question<'_> {
    pub(super) const fn is_short(&self) -> bool {
        self.query.words <= SHORT_QUESTION_WORDS
    }
}
