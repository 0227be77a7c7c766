//! Finds the question in a sentence that asks for a human, too: "I want a human, how do I cancel?".

use std::collections::HashSet;
use std::sync::LazyLock;

use super::words::{Token, tokens, words};

/// A sentence of more parts is not taken apart.
const MAX_PARTS: usize = 8;

/// Words that join a question to a request.
const JOINERS: &str = "and also but plus then und aber auch ausserdem y e tambien pero et mais aussi ma anche mas tambem en \
                       maar ook og men och samt og sa ve ama и а но также και αλλά dan tapi juga";
/// Courtesies before a question.
const COURTESIES: &str = "please pls bitte por favor svp per favore aub";
/// Words with which a question or a wish to know begins.
const OPENERS: &str = "what whats how hows why tell explain was wieviel warum wieso wie sagen combien comment pourquoi quel \
                       quelle quels quelles dites cuanto cuanta cuantos cuantas cual cuales dime digame diga quanto quanta \
                       quantos quanti quante qual quais quale quali dimmi hoe hoeveel wat waarom hoelang hvad hvordan hvorfor \
                       hvornår vad hur varfor hva сколько как почему kac ne nasil berapa bagaimana";
/// Verbs before the subject. Next to a request, only a sentence with a question mark begins a question with them.
const VERBS: &str = "can could do does did is are will would should may was were am has kann konnen konnte gibt ist sind habt \
                     haben hat darf durfen muss mussen soll sollte wird werden bekomme puedo puede hay est peut puis faut \
                     posso puo kan kunnen mag moet är har får er kun onko voinko saako можно есть هل";
/// Words that may begin a clause that asks nothing, too.
const AMBIGUOUS: &str = "when where which who wann wo wer welche welcher welches que como cuando donde quand ou quando dove \
                         perche come onde wanneer waar welke nar når где когда какой какая какие mika mitä";
/// Words before those of a question: "until when", "at what time".
const PREPOSITIONS: &str = "until till for at in from by on to with since bis ab seit mit fur um von zu a de en pour avec depuis \
                            por para con desde da di per om met voor tot med till fra fran til с до в на по";

static LISTS: LazyLock<[HashSet<String>; 6]> = LazyLock::new(|| {
    [JOINERS, COURTESIES, OPENERS, VERBS, AMBIGUOUS, PREPOSITIONS].map(|list| words(list).into_iter().collect())
});

/// How a question may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
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
pub(super) fn parts(sentence: &str) -> Vec<Vec<Token>> {
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
pub(super) fn opening(part: &[Token]) -> Option<Opening> {
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
