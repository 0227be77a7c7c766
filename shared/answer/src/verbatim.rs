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
mod tests {
    use super::*;

    const PLANS: &str = "# Prices\n\nStudio costs 23 euros. Paid yearly it costs 226 euros.\n\n\
        1. Open **Settings**.\n2. Choose `Billing`.\n\nOpened boxes are not refunded. Refunds take more than 5 days.";
    const PARCELS: &str = "Parcels arrive in two days. They are insured up to $500. Ask us if it took longer.";

    fn quotes(text: &str) -> bool {
        is_quotation(text, &[PLANS, PARCELS])
    }

    fn is_quotation(text: &str, cited: &[&str]) -> bool {
        held(text, cited, Language::English).0 == Held::Quoted
    }

    #[test]
    fn the_words_of_a_whole_unit_or_of_two_are_a_quotation() {
        for text in [
            "Studio costs 23 euros.",
            "**Studio** costs 23 Euros!",
            "Paid yearly, it costs 226 euros",
            "- Open Settings\n- Choose Billing",
            "Parcels arrive in two days.\n\nStudio costs 23 euros.",
            "Parcels arrive in two days, they are insured up to $500.",
            "Opened boxes are not refunded.",
        ] {
            assert!(quotes(text), "{text}");
        }
    }

    #[test]
    fn words_of_two_sentences_about_different_things_are_no_quotation() {
        for text in [
            "Paid yearly it costs 23 euros.",
            "Studio costs 226 euros.",
            "Studio costs 23 euros paid yearly.",
            "Studio paid yearly costs 226 euros.",
        ] {
            assert!(!quotes(text), "{text}");
        }
        assert!(!is_quotation("Call us on 7 days a week.", &["Call us on 7. Days a week."]));
    }

    #[test]
    fn sentences_of_different_entries_are_no_neighbours() {
        let (first, then) = ("Refunds take a while.", "Studio is cheap.");
        assert!(is_quotation("Refunds take a while; Studio is cheap.", &[&format!("{first} {then}")]));
        assert!(!is_quotation("Refunds take a while; Studio is cheap.", &[first, then]));
    }

    #[test]
    fn rows_code_and_introduced_items_are_quoted_in_their_form_or_without_it() {
        let source = "Prices:\n\n- Giro: free\n- Card: 2 euros\n\n| Zone | Days |\n|---|---|\n| North | 4 to 5 |\n| South | never |\n\n\
            1. Run this:\n\n   ```bash\n   bike --end now\n   ```";
        for (text, quotes) in [
            ("North | 4 to 5", true),
            ("| North | 4 to 5 |", true),
            ("Zone | Days\n---|---\nNorth | 4 to 5", true),
            ("North: 4 to 5", true),
            ("4 to 5", false),
            ("South | 4 to 5", false),
            ("North | never", false),
            ("Prices: Card: 2 euros", true),
            ("Prices: Giro: free\n\n…\n\n- Card: 2 euros", true),
            ("Giro: 2 euros", false),
            ("1. Run this:\n   ```bash\n   bike --end now\n   ```", true),
            ("`bike --end now`", true),
            ("Run this: bike --end later", false),
        ] {
            assert_eq!(is_quotation(text, &[source]), quotes, "{text}");
        }
    }

    #[test]
    fn stop_words_and_marks_alone_are_no_quotation() {
        for text in ["", "You can.", "It is.", "Parcels arrive in two days. You can.", "…", "- ", "**"] {
            assert!(!is_quotation(text, &[PARCELS, "You can. It is."]), "{text}");
        }
    }

    #[test]
    fn a_word_a_sign_or_a_denial_more_or_less_is_no_quotation() {
        for text in [
            "Opened boxes are refunded.",
            "boxes are refunded",
            "Refunds take 5 days.",
            "Refunds take less than 5 days.",
            "They are insured up to €500.",
            "They are insured over $500.",
            "Parcels arrive in three days.",
            "Parcels never arrive in two days.",
            "Parcels arrive in days two.",
        ] {
            assert!(!quotes(text), "{text}");
        }
        assert!(!is_quotation("boxes are refunded.", &["It is not true that boxes are refunded."]));
    }

    #[test]
    fn the_number_of_words_and_articles_reword_a_sentence() {
        use Language::{English, French, German, Hungarian};
        const GERMAN: &str =
            "Die Rückgabe ist 30 Tage möglich. Nur Mitglieder zahlen nichts. Ab 50 Euro ist der Versand frei.";
        const FRENCH: &str = "Le retour est possible sous 30 jours. Vous payez les frais.";
        for (language, cited, text, held_as) in [
            (English, PARCELS, "A parcel arrives in two days.", Held::Reworded),
            (English, PARCELS, "It is insured up to $500.", Held::Reworded),
            (English, PARCELS, "It is insured up to €500.", Held::Not),
            (English, PARCELS, "The parcel arrives in two days. They are insured up to $500.", Held::Reworded),
            (English, PARCELS, "The parcel arrives in three days.", Held::Not),
            (English, PARCELS, "The parcel arrives in 2 days.", Held::Not),
            (English, PARCELS, "It is the.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "The plan has ten users.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "Plans have ten users.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "A plan A has ten users.", Held::Reworded),
            (English, "The plan has ten users.", "Plan A has ten users.", Held::Not),
            (English, "You pay the fee.", "We pay the fee.", Held::Not),
            (English, "You pay the fee.", "You paid the fee.", Held::Not),
            (English, "You refund the fee.", "You are refunded the fee.", Held::Not),
            (English, "The fee is refunded.", "The fee refunds.", Held::Not),
            (English, "The fees are charged monthly.", "The fee is charged monthly.", Held::Reworded),
            (English, "We offer repairs.", "We offered repairs.", Held::Not),
            (
                English,
                "We offer repairs in all cities and on boxes.",
                "We offer repair in all city and on box.",
                Held::Reworded,
            ),
            (English, "Refunds take up to 5 days.", "The refund takes 5 days.", Held::Not),
            (English, "Only members can return gifts.", "The members can return gifts.", Held::Not),
            (German, GERMAN, "Eine Rückgabe ist 30 Tage möglich.", Held::Reworded),
            (German, GERMAN, "Eine Rückgabe ist 30 Tage nicht möglich.", Held::Not),
            (German, GERMAN, "Die Mitglieder zahlen nichts.", Held::Not),
            (German, GERMAN, "Bis 50 Euro ist der Versand frei.", Held::Not),
            (French, FRENCH, "Les retours sont possibles sous 30 jours.", Held::Reworded),
            (French, FRENCH, "Vous payiez les frais.", Held::Not),
            (German, "Die Kunden zahlten nichts.", "Die Kunden zahlen nichts.", Held::Not),
            (Language::Spanish, "Usted pagó la tasa.", "Usted pago la tasa.", Held::Not),
            (French, FRENCH, "Nous payons les frais.", Held::Not),
            (Hungarian, "A csomag két nap alatt megérkezik.", "A csomag öt nap alatt megérkezik.", Held::Not),
        ] {
            assert_eq!(held(text, &[cited], language).0, held_as, "{text}");
        }
    }

    #[test]
    fn texts_without_blanks_are_quoted_by_the_sentence() {
        let source = "返金は5日以内に行います。開封品は対象外です。";
        assert!(is_quotation("返金は5日以内に行います。", &[source]));
        assert!(!is_quotation("返金は3日以内に行います。", &[source]));
    }

    #[test]
    fn a_unit_without_one_of_its_words_is_not_held() {
        use Language::{English, German, Tamil};
        for (language, cited, text) in [
            (English, "Unopened boxes can be returned within 30 days.", "Boxes can be returned within 30 days."),
            (English, "Unopened boxes can be returned within 30 days.", "Unopened boxes can be returned."),
            (English, "Delivery is free on orders over 50 euros.", "Delivery is free."),
            (English, "- Delivery is free on orders over 50 euros", "- Delivery is free"),
            (English, "1. Pay the fee if you are no member.", "1. Pay the fee."),
            (English, "Over 50 euros: delivery is free.", "Delivery is free."),
            (English, "| Parcel | free | over 50 euros |", "Parcel: free"),
            (German, "Geschenke werden keinesfalls erstattet.", "Geschenke werden erstattet."),
            (Tamil, "திறந்த பெட்டிகள் திரும்பப் பெறப்படாது.", "திறந்த பெட்டிகள்."),
            (English, "未開封の箱は返品できます。", "箱は返品できます。"),
        ] {
            assert_eq!(held(text, &[cited], language).0, Held::Not, "{text}");
            assert_eq!(held(cited, &[cited], language).0, Held::Quoted, "{cited}");
        }
    }

    #[test]
    fn units_of_a_text_are_said_in_its_order_and_without_a_gap_between_steps() {
        let source = "Read this first.\n\n1. Open the lid.\n2. Press the button.\n3. Wait.\n4. Press the button.\n\nCall us then.";
        for (text, quotes) in [
            ("1. Open the lid.\n2. Press the button.", true),
            ("2. Press the button.\n3. Wait.\n4. Press the button.\n\nCall us then.", true),
            ("Open the lid, press the button.\n\nWait.", true),
            ("Read this first. Call us then.", true),
            ("Call us then. Read this first.", false),
            ("2. Press the button.\n1. Open the lid.", false),
            ("1. Open the lid.\n2. Wait.", false),
            ("1. Open the lid.\n\n…\n\n3. Wait.", false),
            ("Open the lid.\n\nOpen the lid.", false),
        ] {
            assert_eq!(is_quotation(text, &[source]), quotes, "{text}");
        }
        let two = ["Prices rise. Call us.", "Parcels arrive."];
        assert!(is_quotation("Prices rise. Parcels arrive. Call us.", &two), "each text has its own order");
    }

    #[test]
    fn the_texts_that_hold_an_answer_are_told_from_those_that_are_only_cited() {
        let cited = ["Prices rise.", PARCELS, PLANS];
        let text = "Parcels arrive in two days. Studio costs 23 euros.";
        assert_eq!(held(text, &cited, Language::English), (Held::Quoted, vec![1, 2]));
    }

    #[test]
    fn comparing_is_linear() {
        let own = ["a ", "two days ", "- Open the lid.\n", "1. Open:\n", "Prices are: "];
        growth::linear("verbatim", 16_000, own, |text| {
            // Every unit is another one: none is found at the first place.
            let numbered = text.split_inclusive(' ').enumerate().map(|(at, word)| format!("{word} fee{at}x.\n\n"));
            let text: String = numbered.collect();
            assert_eq!(held(&text, &[&text], Language::English).0, Held::Quoted);
            assert_eq!(held(&text.replace("fee", "a fee"), &[&text], Language::English).0, Held::Reworded);
        });
    }
}
