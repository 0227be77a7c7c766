//! Finds the questions of a message: several that it asks ("Can I bring it back on Sunday, and can I pay by card?"), the
//! one in a sentence that asks for a human, too ("I want a human, how do I cancel?"), and whether a question refers to what was
//! said before ("how much does **it** cost", "do **they** deliver").

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::tables;
use super::words::{Token, tokens, words};
use crate::{ByLanguage, Language, paragraphs, sentences, word_count};

/// A longer message is one question: it tells a story, whose sentences need each other (docs/ANSWER-QUALITY.md).
const MAX_WORDS: usize = 60;
/// A sentence of fewer words that does not begin as a question does ("Really?") is none by itself. In Chinese and Japanese
/// each character is a word.
const MIN_WORDS: usize = 3;

/// The questions of `text`, in order, in its own words; one, the whole text, if it does not ask several things.
///
/// A question ends with its sentence, and before a word such as "and" if what precedes it and what follows it both
/// begin as questions do. What asks nothing belongs to the question after it, at the end of the text to the one before.
#[must_use]
pub fn questions(text: &str) -> Vec<String> {
    let whole = || vec![text.to_owned()];
    if word_count(text) > MAX_WORDS {
        return whole();
    }
    let mut questions: Vec<String> = Vec::new();
    let mut statement = String::new();
    for sentence in paragraphs(text).into_iter().flat_map(sentences) {
        for (said, asks) in runs(sentence) {
            join(&mut statement, said);
            if asks {
                questions.push(std::mem::take(&mut statement));
            }
        }
    }
    if questions.len() < 2 {
        return whole();
    }
    if let Some(last) = questions.last_mut() {
        join(last, &statement);
    }
    questions
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

/// The successive parts of a sentence, and whether each asks something.
fn runs(sentence: &str) -> Vec<(&str, bool)> {
    let asked = sentence.trim_end().ends_with(is_question_mark);
    let stated = sentence.trim_end().ends_with(['.', '!', '…', '。', '！', '۔', '।']);
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut opened: Option<Opening> = None;
    for part in parts(sentence) {
        let (Some(first), Some(last)) = (part.first(), part.last()) else { continue };
        let opens = opening(&part).filter(|opening| asked || *opening != Opening::Ambiguous);
        let is_next = opened.is_some() && opens.is_some();
        match runs.last_mut() {
            // A comma divides nothing: "can my friend go instead, until when do I say so?" is one question.
            Some(run) if !is_next || !is_word(sentence.get(run.end..first.at.start)) => run.end = last.at.end,
            _ => {
                runs.push(first.at.start..last.at.end);
                opened = None;
            }
        }
        opened = opened.or(opens);
    }
    if let Some(last) = runs.last_mut() {
        last.end = sentence.len();
    }
    let is_one = runs.len() == 1;
    let asks = |said: &str| match opened {
        Some(_) => asked || !stated,
        None => asked && words(said).len() >= MIN_WORDS,
    };
    let said = runs.into_iter().filter_map(|run| sentence.get(run));
    said.map(|said| (said, !is_one || asks(said))).collect()
}

/// Whether a word is between two parts of a sentence, such as "and".
fn is_word(between: Option<&str>) -> bool {
    between.is_some_and(|between| between.contains(char::is_alphanumeric))
}

/// A sentence of more parts is not taken apart.
const MAX_PARTS: usize = 8;

/// The lists of words that join and begin questions.
static LISTS: LazyLock<[HashSet<String>; 6]> = LazyLock::new(|| {
    use tables::{AMBIGUOUS, COURTESIES, JOINERS, OPENERS, PREPOSITIONS, VERBS};
    [JOINERS, COURTESIES, OPENERS, VERBS, AMBIGUOUS, PREPOSITIONS].map(|list| words(list).into_iter().collect())
});

/// How a question may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// As only a question or a wish to know does.
    Question,
    /// With a verb before its subject.
    Verb,
    /// As a clause that asks nothing may, too.
    Ambiguous,
}

/// The questions of a sentence of which another part asks for a human, as `asks` tells: parts end at commas and at words
/// such as "and".
pub(super) fn questions_beside(sentence: &str, asks: impl Fn(&str) -> bool) -> Vec<&str> {
    let parts = parts(sentence);
    if parts.len() < 2 || parts.len() > MAX_PARTS {
        return Vec::new();
    }
    let text = |from: &[Token], to: &[Token]| {
        let start = from.first().map_or(sentence.len(), |token| token.at.start);
        let is_last = parts.last().is_some_and(|last| last.as_slice() == to);
        let end = if is_last { sentence.len() } else { to.last().map_or(start, |token| token.at.end) };
        sentence.get(start..end).unwrap_or_default()
    };
    let asked = sentence.trim_end().ends_with(is_question_mark);
    let asking: Vec<bool> = parts.iter().map(|part| asks(text(part, part))).collect();
    if !asking.contains(&true) {
        return Vec::new();
    }
    let numbered: Vec<(&Vec<Token>, bool)> = parts.iter().zip(asking).collect();
    // A question may have several parts; what precedes its first words is none.
    let runs = numbered.split(|(_, asks)| *asks);
    let questions = runs.filter_map(|run| {
        let opens = |part: &[Token]| opening(part).is_some_and(|opening| asked || opening == Opening::Question);
        let first = run.iter().position(|(part, _)| opens(part))?;
        Some(text(run.get(first)?.0, run.last()?.0))
    });
    questions.collect()
}

/// Whether a sentence ends or begins as a question does.
pub(super) fn asks(sentence: &str) -> bool {
    sentence.trim_end().ends_with(is_question_mark)
        || parts(sentence).first().is_some_and(|part| opening(part).is_some())
}

/// The parts of a sentence, without the words that join them, none empty.
fn parts(sentence: &str) -> Vec<Vec<Token>> {
    let [joiners, ..] = &*LISTS;
    let mut parts: Vec<Vec<Token>> = vec![Vec::new()];
    let mut before = 0;
    for token in tokens(sentence).into_iter().flatten() {
        let between = sentence.get(before..token.at.start).unwrap_or_default();
        before = token.at.end;
        let joins = joiners.contains(&token.word);
        if (joins || between.contains([',', ';', ':', '–', '—', '،', '，', '、', '؛', '(', ')', '\n']))
            && !is_empty(parts.last())
        {
            parts.push(Vec::new());
        }
        if let (false, Some(part)) = (joins, parts.last_mut()) {
            part.push(token);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_empty(part: Option<&Vec<Token>>) -> bool {
    part.is_none_or(Vec::is_empty)
}

/// How a question begins with these words; none if it does not.
fn opening(part: &[Token]) -> Option<Opening> {
    let [_, courtesies, openers, verbs, ambiguous, prepositions] = &*LISTS;
    let is_in = |list: &HashSet<String>, token: Option<&Token>| token.is_some_and(|token| list.contains(&token.word));
    let mut rest = part.iter().skip_while(|token| courtesies.contains(&token.word));
    let (first, second) = (rest.next(), rest.next());
    let asks = |token| is_in(openers, token) || is_in(ambiguous, token);
    match first {
        _ if is_in(openers, first) || (is_in(prepositions, first) && asks(second)) => Some(Opening::Question),
        _ if is_in(verbs, first) => Some(Opening::Verb),
        _ if is_in(ambiguous, first) => Some(Opening::Ambiguous),
        _ => None,
    }
}

/// Whether it ends a question.
pub(super) const fn is_question_mark(c: char) -> bool {
    matches!(c, '?' | '？' | '؟' | ';')
}

/// Words behind an "it" and its next word that stands for nothing: "is it possible to", "is it true that".
const AFTER_EMPTY_IT: [&str; 4] = ["to", "that", "if", "when"];

/// Whether a question has a pronoun that may stand for what was said before.
#[must_use]
pub fn refers_back(language: Language, question: &str) -> bool {
    static PRONOUNS: ByLanguage<HashSet<String>> = ByLanguage::new();
    let pronouns = PRONOUNS.get(language, || words(tables::pronouns(language.into())).into_iter().collect());
    let is_in_capitals = !question.chars().any(char::is_lowercase);
    let stands_for_nothing = |clause: &[Token], at: usize, token: &Token| {
        let is_abbreviation = !is_in_capitals && question.get(token.at.clone()) == Some("IT");
        let then = clause.get(at + 2).map(|token| token.word.as_str());
        token.word == "it" && (is_abbreviation || then.is_some_and(|then| AFTER_EMPTY_IT.contains(&then)))
    };
    tokens(question).iter().any(|clause| {
        let mut words = clause.iter().enumerate();
        words.any(|(at, token)| pronouns.contains(&token.word) && !stands_for_nothing(clause, at, token))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language as L;

    #[test]
    fn a_message_with_several_questions_is_split() {
        for (text, expected) in [
            (
                "can i bring it back on sunday, and can i pay by card?",
                vec!["can i bring it back on sunday", "can i pay by card?"],
            ),
            ("How much is it? And how do I check the balance", vec!["How much is it?", "how do I check the balance"]),
            (
                "how often do i water a fern in winter, and how many lux does it need",
                vec!["how often do i water a fern in winter", "how many lux does it need"],
            ),
            (
                "what does the course cost and until how many days before do i get a refund",
                vec!["what does the course cost", "until how many days before do i get a refund"],
            ),
            (
                "My kettle is broken. Can I return it? I also lost the bill. Do I need it?",
                vec!["My kettle is broken. Can I return it?", "I also lost the bill. Do I need it?"],
            ),
            (
                "Was kostet der Versand und kann ich mit Karte bezahlen?",
                vec!["Was kostet der Versand", "kann ich mit Karte bezahlen?"],
            ),
            (
                "Combien coûte la livraison et est-ce que je peux payer par carte ?",
                vec!["Combien coûte la livraison", "est-ce que je peux payer par carte ?"],
            ),
            (
                "¿Cuánto cuesta el envío y puedo pagar con tarjeta?",
                vec!["Cuánto cuesta el envío", "puedo pagar con tarjeta?"],
            ),
            ("运费是多少？我可以用信用卡付款吗？", vec!["运费是多少？", "我可以用信用卡付款吗？"]),
            ("كم تكلفة الشحن؟ هل يمكنني الدفع بالبطاقة؟", vec!["كم تكلفة الشحن؟", "هل يمكنني الدفع بالبطاقة؟"]),
        ] {
            assert_eq!(questions(text), expected, "{text}");
        }
    }

    #[test]
    fn a_message_with_one_question_stays_as_it_is_written() {
        for text in [
            "shoes and socks",
            "and on saturday?",
            "do you sell shoes and socks?",
            "what is the difference between basic and pro?",
            "When I open the app, is there a way to mute it?",
            "can my friend go instead of me, until when do i change the name",
            "I need to know how long delivery takes and what it costs",
            "Really? How much is it?",
            "Can I return it? I bought it in May.",
            "What size do men wear?",
            "",
        ] {
            assert_eq!(questions(text), [text], "{text}");
        }
        let story = "How do I pay? ".repeat(30);
        assert_eq!(questions(&story), [story.as_str()], "a long message is not parted");
    }

    #[test]
    fn parting_is_linear() {
        let own = ["how? ", "and how ", "can i, ", "? ", "。", "and "];
        growth::linear("questions", 8_000, growth::UNITS.into_iter().chain(own), |text| {
            std::hint::black_box(questions(text));
        });
    }

    #[test]
    fn a_pronoun_refers_back_and_other_words_do_not() {
        for (language, question) in [
            (L::English, "How do you apply for it?"),
            (L::English, "CAN I GIVE IT BACK"),
            (L::English, "are these open to all"),
            (L::German, "Wie viel davon?"),
            (L::French, "combien coûtent-ils"),
            (L::Spanish, "¿esto caduca?"),
            (L::Russian, "как отменить эту подписку"),
            (L::Hungarian, "mennyi ideig tart ennek az ára"),
            (L::Romanian, "cat costa acestia"),
            (L::Tamil, "அதன் விலை என்ன?"),
            (L::Turkish, "bunları iade edebilir miyim"),
        ] {
            assert!(refers_back(language, question), "{question}");
        }
        for (language, question) in [
            (L::English, "what is the limit of my plan"),
            (L::English, "is it possible to change plan"),
            (L::English, "how long does it take to pay"),
            (L::English, "do you offer IT support"),
            (L::English, "can I host a workshop this evening"),
            (L::German, "Gibt es die Karte auch für Sie, und was kostet sie diese Woche?"),
            (L::French, "il y a un parking cette semaine ?"),
            (L::Norwegian, "hva er åpningstidene deres"),
            (L::Turkish, "saat ona kadar açık mısınız"),
            (L::Spanish, "la zona este"),
            (L::Swedish, ""),
        ] {
            assert!(!refers_back(language, question), "{question}");
        }
    }
}
