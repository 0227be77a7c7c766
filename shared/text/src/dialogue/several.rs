//! Finds the questions of a message that asks several things: "Can I bring it back on Sunday, and can I pay by card?".

use std::ops::Range;

use super::question_in_request::{Opening, is_question_mark, opening, parts};
use super::words::words;
use crate::{paragraphs, sentences, word_count};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
