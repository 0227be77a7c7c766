//! The content of a file in `languages`: phrases of customers, and the service's sentences, in one language.
//!
//! The file has sections: a `[head]`, and a phrase on each line after it. Blank lines and lines that begin with `#` say
//! nothing. Errors name the file and the line. The syntax of phrases is that of the `regex` crate over words: white space
//! separates words, `<name>` is a list of the language, and `agent\w*` is every word that begins with `agent`.

#![expect(dead_code, reason = "`sections` reads the files for `build.rs`, which makes tables of some lists")]

use crate::CustomerLanguage;

/// One language.
#[derive(Debug)]
pub(crate) struct Phrasebook {
    pub(crate) language: CustomerLanguage,
    /// Articles, pronouns, prepositions, question words and the commonest verbs of questions, in a language with Latin
    /// letters. Words of another language that are also words of this one count for both.
    pub(super) function_words: &'static str,
    /// Pronouns that stand for what was said before, in a language of wikis.
    pub(crate) pronouns: &'static str,
    /// Letters that point to the language: no English word has one.
    pub(crate) letters: &'static str,
    /// Words that name no topic and are no stop words, in a language of wikis.
    pub(crate) generic_words: &'static str,
    /// Greetings, thanks, and what else asks nothing.
    pub(super) small_talk: SmallTalkPhrases,
    /// How a human is asked for.
    pub(crate) human: HumanRequestPhrases,
    /// The fixed sentences of the service.
    pub(crate) sentences: Sentences,
}

/// How a section is read.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Words or phrases, separated by `|`.
    List,
    /// The lines as they are.
    Lines,
    /// One sentence.
    Sentence,
}

/// A part of a phrasebook: each field is the section `[group.field]`, read in a [`Form`].
macro_rules! part {
    ($(#[$about:meta])+ $name:ident in $group:literal { $($(#[$meaning:meta])* $field:ident: $form:ident),+ $(,)? }) => {
        $(#[$about])+
        #[derive(Debug)]
        pub(crate) struct $name { $($(#[$meaning])* pub(super) $field: &'static str),+ }

        impl $name {
            pub(crate) fn read<E>(mut section: impl FnMut(&str, Form) -> Result<&'static str, E>) -> Result<Self, E> {
                Ok(Self { $($field: section(concat!($group, ".", stringify!($field)), Form::$form)?),+ })
            }
        }
    };
}

part! {
    /// Small talk of one language.
    SmallTalkPhrases in "small_talk" {
        /// Greetings; may precede a question.
        greeting: List,
        /// Says that a question follows, but not which.
        opening: List,
        /// May precede or follow a question.
        thanks: List,
        /// Goodbye.
        farewell: List,
        /// Agrees; a yes to an offer.
        okay: List,
        /// Takes note, praises, apologises.
        acknowledgement: List,
        /// Asks who or what we are.
        about_us: List,
        /// Anger without a question.
        anger: List,
        /// Says that the answer did not help.
        unhelped: List,
        /// A yes to an offer.
        yes: List,
        /// A no to an offer.
        no: List,
        /// Ends something: a no to an offer, and a question if nothing was offered.
        cancel: List,
        /// Doubts what was said or asks for it again. It may stand next to fillers alone, and be one itself.
        doubt: List,
        /// Without meaning next to any of these.
        filler: List,
        /// Without meaning next to greetings, thanks, farewells, praise and anger: to whom, and for what.
        addition: List,
        /// Of all phrases, those that are a matter of their own in another language: alone they are small talk only if
        /// this language is expected.
        ambiguous: List,
    }
}

part! {
    /// How people ask for a human in one language. Lists hold words or expressions of several words; phrases are written as
    /// [`super::expression`] reads them.
    HumanRequestPhrases in "human" {
        /// Words for a human in a team; alone they are a request.
        who: List,
        /// Words that are also used for others.
        some: List,
        /// Words without either that a request may contain; a sentence without any of the three asks for nobody.
        mentions: List,
        /// Expressions that may precede such a word.
        a: List,
        /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
        phrases: Lines,
        /// Expressions that may accompany a word for a human that is a request by itself.
        alone: List,
        /// Phrases that are a request only as a whole sentence.
        whole: Lines,
        /// Single words that may follow a request: its subject, courtesies.
        leads_on: List,
        /// Expressions that cancel a request when they precede it: the customer wants no human.
        not: List,
        /// Expressions that make it a question whether a human is needed.
        whether: List,
        /// Expressions that cancel a request when they follow it.
        not_after: List,
        /// Expressions that may stand between a denial and the request.
        links: List,
        /// Others of whom it is said than the customer.
        others: List,
        /// Expressions that make a word for a human one for something else.
        not_followed: List,
        /// Words that a typo is corrected to, if that makes a request. Those of four letters are found if two of their
        /// letters changed places.
        corrected: List,
    }
}

part! {
    /// The sentences of one language.
    Sentences in "sentences" {
        greeting: Sentence,
        thanks: Sentence,
        farewell: Sentence,
        acknowledgement: Sentence,
        about_us: Sentence,
        no_problem: Sentence,
        praised: Sentence,
        unclear: Sentence,
        apology: Sentence,
        no_answer: Sentence,
        handover: Sentence,
        failure: Sentence,
        /// Says that the team is back `{day}` at `{time}`, a time such as 9:00; `{zone}` is empty, or a space and the
        /// zone's name in brackets.
        back: Sentence,
        /// Says that nobody is there, and not when that changes.
        nobody: Sentence,
        /// Says that the team will read what the customer wrote, and answer here.
        later: Sentence,
        /// The `{day}` that is today.
        today: Sentence,
        /// The `{day}`s from Monday to Sunday.
        days: Lines,
        /// Says that a person cannot be called again yet, and that this is possible in `{minutes}` minutes, 2 to 10.
        human_later: Sentence,
        /// Says that an automatic assistant answers.
        notice: Sentence,
        /// Says that at most three questions are answered at a time, and asks for the other `{questions}` again.
        too_many: Sentence,
    }
}

/// How a table writes that a word only has to begin so.
const ANY_ENDING: &str = "\\w*";

/// A piece of a phrase.
pub(crate) enum Piece<'a> {
    /// One word or, in scripts without spaces, several.
    Words {
        /// As written.
        text: &'a str,
        /// Other words that begin so count too.
        any_ending: bool,
    },
    /// The name of a list.
    List(&'a str),
    /// Syntax of `regex`.
    Syntax(&'a str),
}

/// Cuts a phrase into words, names of lists and syntax.
pub(crate) fn pieces(phrase: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let mut rest = phrase.trim_start();
    while let Some(first) = rest.chars().next() {
        let closing = match first {
            '<' => Some('>'),
            '{' => Some('}'),
            _ => None,
        };
        let end = match closing {
            Some(closing) => rest.find(closing).map_or(rest.len(), |at| at + 1),
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (piece, then) = rest.split_at(end);
        let any_ending = then.starts_with(ANY_ENDING);
        all.push(match first {
            '<' => Piece::List(piece.trim_matches(['<', '>'])),
            c if is_word(c) => Piece::Words { text: piece, any_ending },
            _ => Piece::Syntax(piece),
        });
        rest = then.strip_prefix(ANY_ENDING).filter(|_| any_ending).unwrap_or(then).trim_start();
    }
    all
}

/// Characters outside the syntax of `regex`.
fn is_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | '|' | '?' | '*' | '+' | '{' | '}' | '<' | '>' | '\\' | '[' | ']')
}
