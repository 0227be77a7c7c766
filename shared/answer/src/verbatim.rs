//! Checks whether an answer says only what it cites. What is not certain counts as not said.
//!
//! Answers and cited texts are compared by their units ([`text::units()`]). A unit of an answer is held if its words
//! stand in the same order, without gaps, in one unit of one cited text, or are all the words of two neighbouring
//! units, or of an introduction and a unit under it. Stop words count: "before" and "after", "more than" and "up to" are
//! among them. Case, punctuation, marks of Markdown, lists and tables, and `…` for what is left out do not count. Of a
//! reworded unit the endings of words and the words of [`light_words`] do not count either.

use super::tidy::grounding::negations;
use domain::models::Language;
use std::borrow::Cow;
use text::{Analyzer, Unit, UnitKind, units};

/// Marks around a word that say nothing; signs such as `€`, `%`, `+` and `<` do.
const MARKS: &[char] = &[
    '|', '.', ',', ';', ':', '!', '?', '…', '"', '\'', '“', '”', '„', '‘', '«', '»', '(', ')', '[', ']', '*', '_', '`',
    '~', '#', '。', '，', '、', '！', '？', '；', '：', '「', '」', '『', '』', '（', '）', '¿', '¡', '؟', '،', '।',
];

/// How the cited texts hold an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    /// Every sentence is a quotation.
    Quoted,
    /// Every sentence is held, some with other endings or [`light_words`].
    Reworded,
    /// A sentence is not held, or none has content: stop words alone say nothing.
    Not,
}

/// How the `cited` texts hold `text`.
pub(super) fn held(text: &str, cited: &[&str], language: Language) -> Held {
    let analyzer = Analyzer::new(language);
    let light = light_words(language);
    let stem = |word: &str| {
        if light.contains(&word) {
            return String::new();
        }
        // A sign, a digit or an apostrophe in a word is part of what it says.
        let terms = if word.chars().all(char::is_alphabetic) { analyzer.terms(word) } else { Vec::new() };
        <[String; 1]>::try_from(terms).map_or_else(|_| word.to_owned(), |[term]| term)
    };
    if every_sentence_occurs(&analyzer, text, cited, &str::to_owned) {
        Held::Quoted
    } else if every_sentence_occurs(&analyzer, text, cited, &stem) {
        Held::Reworded
    } else {
        Held::Not
    }
}

/// `form` is the form in which a word is compared; an empty one is left out.
fn every_sentence_occurs(analyzer: &Analyzer, text: &str, cited: &[&str], form: &dyn Fn(&str) -> String) -> bool {
    let cited: Vec<Vec<Sentence<'_>>> = cited.iter().map(|text| all_sentences(text, form)).collect();
    let said: Vec<Sentence<'_>> = all_sentences(text, form).into_iter().filter(|said| !said.is_mark()).collect();
    !said.is_empty()
        && said.iter().all(|sentence| {
            let says_something = !sentence.words.is_empty() && !analyzer.terms(&sentence.text).is_empty();
            says_something && cited.iter().any(|source| sentence.occurs_in(source))
        })
}

/// Articles, "it", and the present forms of "to be": a sentence says the same with and without them. Other pronouns do
/// not belong here: "you pay" and "we pay" differ. Empty for the languages without a list.
const fn light_words(language: Language) -> &'static [&'static str] {
    match language {
        Language::Danish | Language::Norwegian => &["en", "et", "den", "det", "er"],
        Language::Dutch => &["de", "het", "een", "is"],
        Language::English => &["a", "an", "the", "it", "is", "are"],
        Language::French => &["le", "la", "les", "un", "une", "il", "elle", "est", "sont"],
        Language::German => {
            &["der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "es", "ist", "sind"]
        }
        Language::Italian => &["il", "lo", "la", "gli", "le", "un", "uno", "una", "è", "sono"],
        Language::Portuguese => &["o", "os", "as", "um", "uma", "é", "são"],
        Language::Spanish => &["el", "la", "los", "las", "un", "una", "es", "son"],
        Language::Swedish => &["en", "ett", "den", "det", "är"],
        _ => &[],
    }
}

/// A unit as it is compared.
struct Sentence<'a> {
    text: Cow<'a, str>,
    /// The place of the unit that it needs, if that is an introduction.
    introduction: Option<usize>,
    /// The words of a text between spaces in the form that is compared, in lower case, without the marks around them and
    /// without list markers. Empty if there are none.
    words: String,
    /// How often it denies or restricts something.
    negations: usize,
}

fn all_sentences<'a>(text: &'a str, form: &dyn Fn(&str) -> String) -> Vec<Sentence<'a>> {
    let all = units(text);
    let introduction = |unit: &Unit<'_>| unit.needs.filter(|at| all.get(*at).is_some_and(|needed| needed.introduces));
    let introductions: Vec<Option<usize>> = all.iter().map(introduction).collect();
    all.into_iter().zip(introductions).map(|(unit, introduction)| Sentence::of(unit, introduction, form)).collect()
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
    let mut words = String::new();
    for word in formed.filter(|word| !word.is_empty()) {
        if words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word);
        words.push(' ');
    }
    words
}

impl<'a> Sentence<'a> {
    fn of(unit: Unit<'a>, introduction: Option<usize>, form: &dyn Fn(&str) -> String) -> Self {
        let text = match unit.kind {
            UnitKind::Code | UnitKind::TableHead => Cow::Owned(without_fences(&unit.text)),
            _ => unit.text,
        };
        let (words, negations) = (words(&text, form), negations(&text));
        Self { text, introduction, words, negations }
    }

    /// Whether it stands for what is left out.
    fn is_mark(&self) -> bool {
        self.text.trim() == "…"
    }

    /// Whether one sentence of a text contains this one, or two neighbours equal it.
    fn occurs_in(&self, source: &[Sentence<'_>]) -> bool {
        // The words before and after the quoted ones must not negate them.
        let in_one = |other: &Sentence<'_>| other.negations == self.negations && other.words.contains(&self.words);
        let mut pairs = source.iter().zip(source.iter().skip(1));
        let mut introduced = source.iter().filter_map(|then| Some((source.get(then.introduction?)?, then)));
        source.iter().any(in_one)
            || pairs.any(|(first, then)| self.joins(first, then))
            || introduced.any(|(first, then)| self.joins(first, then))
    }

    /// Whether this equals two whole sentences, and no number has the same neighbours in both.
    fn joins(&self, first: &Sentence<'_>, then: &Sentence<'_>) -> bool {
        let meeting = [first.words.split_whitespace().next_back(), then.words.split_whitespace().next()];
        let has_number = |word: &str| word.chars().any(char::is_numeric);
        !meeting.into_iter().flatten().any(has_number)
            && self.words.strip_prefix(&first.words) == Some(then.words.trim_start())
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
        held(text, cited, Language::English) == Held::Quoted
    }

    #[test]
    fn words_that_stand_in_one_sentence_in_their_order_are_a_quotation() {
        for text in [
            "Studio costs 23 euros.",
            "**Studio** costs 23 Euros!",
            "it costs 226 euros",
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
            ("4 to 5", true),
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
    fn other_endings_and_light_words_reword_a_sentence() {
        use Language::{English, French, German, Hungarian};
        const GERMAN: &str =
            "Die Rückgabe ist 30 Tage möglich. Nur Mitglieder zahlen nichts. Ab 50 Euro ist der Versand frei.";
        const FRENCH: &str = "Le retour est possible sous 30 jours. Vous payez les frais.";
        for (language, cited, text, held_as) in [
            (English, PARCELS, "A parcel arrives in two days.", Held::Reworded),
            (English, PARCELS, "It is insured up to $500.", Held::Reworded),
            (English, PARCELS, "It is insured up to €500.", Held::Not),
            (English, PARCELS, "They are insured up to $500. The parcel arrives in two days.", Held::Reworded),
            (English, PARCELS, "The parcel arrives in three days.", Held::Not),
            (English, PARCELS, "The parcel arrives in 2 days.", Held::Not),
            (English, PARCELS, "It is the.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "The plan has ten users.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "Plans have ten users.", Held::Not),
            (English, "Plan A has ten users. Ask IT.", "A plan A has ten users.", Held::Reworded),
            (English, "The plan has ten users.", "Plan A has ten users.", Held::Not),
            (English, "You pay the fee.", "We pay the fee.", Held::Not),
            (English, "You pay the fee.", "You paid the fee.", Held::Not),
            (English, "Refunds take up to 5 days.", "The refund takes 5 days.", Held::Not),
            (English, "Only members can return gifts.", "The members can return gifts.", Held::Not),
            (German, GERMAN, "Eine Rückgabe ist 30 Tage möglich.", Held::Reworded),
            (German, GERMAN, "Eine Rückgabe ist 30 Tage nicht möglich.", Held::Not),
            (German, GERMAN, "Die Mitglieder zahlen nichts.", Held::Not),
            (German, GERMAN, "Bis 50 Euro ist der Versand frei.", Held::Not),
            (French, FRENCH, "Les retours sont possibles sous 30 jours.", Held::Reworded),
            (French, FRENCH, "Nous payons les frais.", Held::Not),
            (Hungarian, "A csomag két nap alatt megérkezik.", "A csomag öt nap alatt megérkezik.", Held::Not),
        ] {
            assert_eq!(held(text, &[cited], language), held_as, "{text}");
        }
    }

    #[test]
    fn texts_without_blanks_are_quoted_by_the_sentence() {
        let source = "返金は5日以内に行います。開封品は対象外です。";
        assert!(is_quotation("返金は5日以内に行います。", &[source]));
        assert!(!is_quotation("返金は3日以内に行います。", &[source]));
    }

    #[test]
    fn comparing_is_linear() {
        let own = ["a ", "two days ", "a. ", "- ", "1. ", "not ", "。"];
        growth::linear("verbatim", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(held(&text.replace("two", "2"), &[text], Language::English));
        });
    }
}
