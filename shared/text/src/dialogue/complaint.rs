//! Detects complaints: something does not work, or still does not, in the languages of customers. What complains says more
//! than thanks do, and after a person's part it goes back to people.

use std::sync::LazyLock;

use regex::Regex;

use super::expression::{Vocabulary, compile};
use super::questions::{asks, is_question_mark};
use super::small_talk::{Kind, Kinds};
use super::tables;
use super::words::{clauses, words};
use crate::{paragraphs, sentences};

/// A greeting of more words is none that calls for somebody.
const MOST_WORDS_OF_A_CALL: usize = 2;

/// The lists of what is still so, denials, work, failures, problems and waiting, ready to compare.
static LISTS: LazyLock<(Vocabulary, [Option<Regex>; 6])> = LazyLock::new(|| {
    let lists = [tables::STILL, tables::NOT, tables::WORK, tables::FAILED, tables::PROBLEM, tables::WAITS];
    let vocabulary = Vocabulary::of(lists.into_iter());
    let compiled = lists.map(|list| vocabulary.list(list).and_then(|list| compile(&list)));
    (vocabulary, compiled)
});

/// The statement of a sentence about something that should work.
struct Found {
    still: bool,
    not: bool,
    /// It failed, does not work, is a problem, or is waited for.
    fails: bool,
}

impl Found {
    fn of(sentence: &str) -> Self {
        let (vocabulary, lists) = &*LISTS;
        let text = vocabulary.encode(&clauses(sentence));
        let has = |list: &Option<Regex>| list.as_ref().is_some_and(|list| list.is_match(&text));
        let [still, not, works, failed, problem, waits] = lists.each_ref().map(has);
        let is_problem = problem && ((!not && !works) || still);
        let fails = failed || is_problem || (not && works) || (still && waits);
        Self { still, not, fails }
    }
}

/// Whether a sentence says that something does not work.
pub(super) fn fails(sentence: &str) -> bool {
    let found = Found::of(sentence);
    found.fails || (found.still && found.not)
}

/// Whether a message that is no small talk complains: something still does not work or came back, or it does not work and
/// nothing is asked.
pub(super) fn complains(text: &str) -> bool {
    paragraphs(text).into_iter().flat_map(sentences).any(|sentence| {
        let found = Found::of(sentence);
        match found.still {
            true => found.fails || found.not || !asks(sentence),
            false => found.fails && !asks(sentence),
        }
    })
}

/// Whether a greeting asks whether somebody is there.
pub(super) fn calls(kinds: Kinds, text: &str) -> bool {
    let greets = kinds.is_only(&[Kind::Greeting, Kind::Opening, Kind::Filler, Kind::Addition, Kind::Yes]);
    let is_short = kinds.has(Kind::Opening) || words(text).len() <= MOST_WORDS_OF_A_CALL;
    (greets || kinds == Kinds::default()) && is_short && text.contains(is_question_mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_work_complains_and_what_asks_or_thanks_does_not() {
        for text in [
            "it still does not work",
            "not solved",
            "It leaks again",
            "Why is it still not working?",
            "das geht immer noch nicht",
            "Das Problem ist wieder da",
            "nicht gelöst",
            "ça ne marche toujours pas",
            "ce n'est pas résolu",
            "sigue sin funcionar",
            "no está solucionado",
            "ainda não funciona",
            "o problema voltou",
            "non funziona ancora",
            "het werkt nog steeds niet",
            "det fungerar fortfarande inte",
            "det virker stadig ikke",
            "ei toimi vieläkään",
            "все еще не работает",
            "hâlâ çalışmıyor",
            "ακόμα δεν λειτουργεί",
            "még mindig nem működik",
            "tot nu funcționează",
            "masih tidak bisa",
            "لا يزال لا يعمل",
            "अभी भी काम नहीं कर रहा",
            "এখনও কাজ করছে না",
            "ابھی بھی کام نہیں کر رہا",
            "இன்னும் வேலை செய்யவில்லை",
            "まだ動きません",
            "还是不行",
        ] {
            assert!(complains(text), "{text}");
        }
        for text in [
            "What does Studio cost?",
            "How do I replace a broken zip?",
            "Can I pay without a card?",
            "thank you, that solved my problem",
            "no problem",
            "keine Fehler mehr",
            "Wie lange dauert die Lieferung?",
            "Où est mon colis ?",
            "¿Cuánto cuesta?",
            "quanto custa",
            "いくらですか",
            "多少钱",
        ] {
            assert!(!complains(text), "{text}");
        }
    }
}
