//! Checks whether an answer only quotes what it cites. What is not certain counts as not quoted.
//!
//! Answers and cited texts are compared by their units ([`text::units()`]). A unit of an answer is a quotation if its
//! words stand in the same order, without gaps, in one unit of one cited text, or are all the words of two neighbouring
//! units, or of an introduction and a unit under it. Stop words count: "before" and "after", "more than" and "up to" are
//! among them. Case, punctuation, marks of Markdown, lists and tables, and `…` for what is left out do not count.

use super::tidy::grounding::negations;
use domain::models::Language;
use std::borrow::Cow;
use text::{Analyzer, Unit, UnitKind, units};

/// Marks around a word that say nothing; signs such as `€`, `%`, `+` and `<` do.
const MARKS: &[char] = &[
    '|', '.', ',', ';', ':', '!', '?', '…', '"', '\'', '“', '”', '„', '‘', '«', '»', '(', ')', '[', ']', '*', '_', '`',
    '~', '#', '。', '，', '、', '！', '？', '；', '：', '「', '」', '『', '』', '（', '）', '¿', '¡', '؟', '،', '।',
];

/// Whether every sentence of `text` is a quotation of one of the `cited` texts and has content: stop words alone are
/// not a quotation, and neither is an empty text.
pub(super) fn is_verbatim(text: &str, cited: &[&str], language: Language) -> bool {
    let analyzer = Analyzer::new(language);
    let cited: Vec<Vec<Sentence>> = cited.iter().map(|text| all_sentences(text)).collect();
    let said: Vec<Sentence<'_>> = all_sentences(text).into_iter().filter(|said| !said.is_mark()).collect();
    !said.is_empty()
        && said.iter().all(|sentence| {
            let says_something = !sentence.words.is_empty() && !analyzer.terms(&sentence.text).is_empty();
            says_something && cited.iter().any(|source| sentence.occurs_in(source))
        })
}

/// A unit as it is compared.
struct Sentence<'a> {
    text: Cow<'a, str>,
    /// The place of the unit that it needs, if that is an introduction.
    introduction: Option<usize>,
    /// The words of a text between spaces, in lower case, without the marks around them and without list markers. Empty
    /// if there are none.
    words: String,
    /// How often it denies something.
    negations: usize,
}

fn all_sentences(text: &str) -> Vec<Sentence<'_>> {
    let all = units(text);
    let introduction = |unit: &Unit<'_>| unit.needs.filter(|at| all.get(*at).is_some_and(|needed| needed.introduces));
    let introductions: Vec<Option<usize>> = all.iter().map(introduction).collect();
    all.into_iter().zip(introductions).map(|(unit, introduction)| Sentence::of(unit, introduction)).collect()
}

/// The lines of code, or the cells of a head, without the lines that only mark them.
fn without_fences(text: &str) -> String {
    let is_mark = |line: &&str| line.starts_with("```") || line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    text.lines().filter(|line| !is_mark(line)).collect::<Vec<_>>().join("\n")
}

fn words(sentence: &str) -> String {
    let mut all = sentence.split_whitespace().peekable();
    while all.next_if(|first| is_item_mark(first)).is_some() {}
    let bare = all.map(|word| word.trim_matches(MARKS).replace('’', "'").to_lowercase());
    let mut words = String::new();
    for word in bare.filter(|word| !word.is_empty()) {
        if words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word);
        words.push(' ');
    }
    words
}

impl<'a> Sentence<'a> {
    fn of(unit: Unit<'a>, introduction: Option<usize>) -> Self {
        let text = match unit.kind {
            UnitKind::Code | UnitKind::TableHead => Cow::Owned(without_fences(&unit.text)),
            _ => unit.text,
        };
        let (words, negations) = (words(&text), negations(&text));
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
        is_verbatim(text, &[PLANS, PARCELS], Language::English)
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
        assert!(!is_verbatim("Call us on 7 days a week.", &["Call us on 7. Days a week."], Language::English));
    }

    #[test]
    fn sentences_of_different_entries_are_no_neighbours() {
        let (first, then) = ("Refunds take a while.", "Studio is cheap.");
        assert!(is_verbatim(
            "Refunds take a while; Studio is cheap.",
            &[&format!("{first} {then}")],
            Language::English
        ));
        assert!(!is_verbatim("Refunds take a while; Studio is cheap.", &[first, then], Language::English));
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
            assert_eq!(is_verbatim(text, &[source], Language::English), quotes, "{text}");
        }
    }

    #[test]
    fn stop_words_and_marks_alone_are_no_quotation() {
        for text in ["", "You can.", "It is.", "Parcels arrive in two days. You can.", "…", "- ", "**"] {
            assert!(!is_verbatim(text, &[PARCELS, "You can. It is."], Language::English), "{text}");
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
        assert!(!is_verbatim("boxes are refunded.", &["It is not true that boxes are refunded."], Language::English));
    }

    #[test]
    fn texts_without_blanks_are_quoted_by_the_sentence() {
        let source = "返金は5日以内に行います。開封品は対象外です。";
        assert!(is_verbatim("返金は5日以内に行います。", &[source], Language::English));
        assert!(!is_verbatim("返金は3日以内に行います。", &[source], Language::English));
    }

    #[test]
    fn comparing_is_linear() {
        let own = ["a ", "two days ", "a. ", "- ", "1. ", "not ", "。"];
        growth::linear("verbatim", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(is_verbatim(text, &[text], Language::English));
        });
    }
}
