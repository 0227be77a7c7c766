//! The content of a file in `languages`: phrases of customers, and the service's sentences, in one language.

#![expect(dead_code, reason = "`build.rs` reads the files, and makes tables of some lists")]

mod sections;

use crate::CustomerLanguage;
use sections::Sections;

/// One language.
#[derive(Debug)]
pub(crate) struct Phrasebook {
    pub(crate) language: CustomerLanguage,
    /// Articles, pronouns, prepositions, question words and the commonest verbs of questions, in a language with Latin
    /// letters. Words of another language that are also words of this one count for both.
    pub(super) function_words: &'static str,
    /// Pronouns that stand for what was said before, in a language of wikis.
    pub(crate) pronouns: &'static str,
    /// Words that name no topic and are no stop words, in a language of wikis.
    pub(crate) generic_words: &'static str,
    /// Greetings, thanks, and what else asks nothing.
    pub(super) small_talk: SmallTalkPhrases,
    /// How a human is asked for.
    pub(crate) human: HumanRequestPhrases,
    /// The fixed sentences of the service.
    pub(crate) sentences: Sentences,
}

impl Phrasebook {
    /// Reads the `text` of a file; an error names the file, and the line if one is wrong.
    pub(crate) fn read(language: CustomerLanguage, file: &str, text: &str) -> Result<Self, String> {
        let mut sections = Sections::parse(file, text)?;
        let book = Self {
            language,
            function_words: sections.lines("function_words")?,
            pronouns: sections.lines("pronouns")?,
            generic_words: sections.lines("generic_words")?,
            small_talk: SmallTalkPhrases::read(&mut sections)?,
            human: HumanRequestPhrases::read(&mut sections)?,
            sentences: Sentences::read(&mut sections)?,
        };
        sections.end()?;
        Ok(book)
    }
}

/// A part of a phrasebook: each field is the section `[group.field]`, read as a `list`, as `lines` or as a `sentence`.
macro_rules! part {
    ($(#[$about:meta])+ $name:ident in $group:literal { $($(#[$meaning:meta])* $field:ident: $read:ident),+ $(,)? }) => {
        $(#[$about])+
        #[derive(Debug)]
        pub(crate) struct $name { $($(#[$meaning])* pub(super) $field: &'static str),+ }

        impl $name {
            fn read(sections: &mut Sections<'_>) -> Result<Self, String> {
                Ok(Self { $($field: sections.$read(concat!($group, ".", stringify!($field)))?),+ })
            }
        }
    };
}

part! {
    /// Small talk of one language.
    SmallTalkPhrases in "small_talk" {
        /// Greetings; may precede a question.
        greeting: list,
        /// Says that a question follows, but not which.
        opening: list,
        /// May precede or follow a question.
        thanks: list,
        /// Goodbye.
        farewell: list,
        /// Agrees; a yes to an offer.
        okay: list,
        /// Takes note, praises, apologises.
        acknowledgement: list,
        /// Asks who or what we are.
        about_us: list,
        /// Anger without a question.
        anger: list,
        /// Says that the answer did not help.
        unhelped: list,
        /// A yes to an offer.
        yes: list,
        /// A no to an offer.
        no: list,
        /// Ends something: a no to an offer, and a question if nothing was offered.
        cancel: list,
        /// Doubts what was said or asks for it again. It may stand next to fillers alone, and be one itself.
        doubt: list,
        /// Without meaning next to any of these.
        filler: list,
        /// Without meaning next to greetings, thanks, farewells, praise and anger: to whom, and for what.
        addition: list,
        /// Of all phrases, those that are a matter of their own in another language: alone they are small talk only if
        /// this language is expected.
        ambiguous: list,
    }
}

part! {
    /// How people ask for a human in one language. Lists hold words or expressions of several words; phrases are written as
    /// [`super::expression`] reads them.
    HumanRequestPhrases in "human" {
        /// Words for a human in a team; alone they are a request.
        who: list,
        /// Words that are also used for others.
        some: list,
        /// Words without either that a request may contain; a sentence without any of the three asks for nobody.
        mentions: list,
        /// Expressions that may precede such a word.
        a: list,
        /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
        phrases: lines,
        /// Expressions that may accompany a word for a human that is a request by itself.
        alone: list,
        /// Phrases that are a request only as a whole sentence.
        whole: lines,
        /// Single words that may follow a request: its subject, courtesies.
        leads_on: list,
        /// Expressions that cancel a request when they precede it: the customer wants no human.
        not: list,
        /// Expressions that make it a question whether a human is needed.
        whether: list,
        /// Expressions that cancel a request when they follow it.
        not_after: list,
        /// Expressions that may stand between a denial and the request.
        links: list,
        /// Others of whom it is said than the customer.
        others: list,
        /// Expressions that make a word for a human one for something else.
        not_followed: list,
    }
}

part! {
    /// The sentences of one language.
    Sentences in "sentences" {
        greeting: sentence,
        thanks: sentence,
        farewell: sentence,
        acknowledgement: sentence,
        about_us: sentence,
        no_problem: sentence,
        praised: sentence,
        unclear: sentence,
        apology: sentence,
        no_answer: sentence,
        handover: sentence,
        failure: sentence,
        /// Says that the team is back `{day}` at `{time}`, a time such as 9:00; `{zone}` is empty, or a space and the
        /// zone's name in brackets.
        back: sentence,
        /// Says that nobody is there, and not when that changes.
        nobody: sentence,
        /// Says that the team will read what the customer wrote, and answer here.
        later: sentence,
        /// The `{day}` that is today.
        today: sentence,
        /// The `{day}`s from Monday to Sunday.
        days: lines,
        /// Says that a person cannot be called again yet, and that this is possible in `{minutes}` minutes, 2 to 10.
        human_later: sentence,
        /// Says that an automatic assistant answers.
        notice: sentence,
        /// Says that at most three questions are answered at a time, and asks for the other `{questions}` again.
        too_many: sentence,
    }
}
