//! The content of a file in `languages`: phrases of customers, and the service's sentences, in one language.

#![cfg_attr(not(test), expect(dead_code, reason = "of some lists `build.rs` makes tables"))]

use crate::CustomerLanguage;

/// One language.
#[derive(Debug)]
pub(super) struct Phrasebook {
    /// Which.
    pub(super) language: CustomerLanguage,
    /// Greetings, thanks, and what else asks nothing.
    pub(super) small_talk: SmallTalkPhrases,
    /// How a human is asked for.
    pub(super) human: HumanRequestPhrases,
    /// The fixed sentences of the service.
    pub(super) sentences: Sentences,
}

/// Small talk of one language: lists of phrases, parted by `|`.
#[derive(Debug)]
pub(super) struct SmallTalkPhrases {
    /// Greetings; may precede a question.
    pub(super) greeting: &'static str,
    /// Says that a question follows, but not which.
    pub(super) opening: &'static str,
    /// May precede or follow a question.
    pub(super) thanks: &'static str,
    /// Goodbye.
    pub(super) farewell: &'static str,
    /// Agrees; a yes to an offer.
    pub(super) okay: &'static str,
    /// Takes note, praises, apologises.
    pub(super) acknowledgement: &'static str,
    /// Asks who or what we are.
    pub(super) about_us: &'static str,
    /// Anger without a question.
    pub(super) anger: &'static str,
    /// Says that the answer did not help.
    pub(super) unhelped: &'static str,
    /// A yes to an offer.
    pub(super) yes: &'static str,
    /// A no to an offer.
    pub(super) no: &'static str,
    /// Ends something: a no to an offer, and a question where nothing was offered.
    pub(super) cancel: &'static str,
    /// Doubts what was said or asks for it again. It may stand next to fillers alone, and be one itself.
    pub(super) doubt: &'static str,
    /// Without meaning next to any of these.
    pub(super) filler: &'static str,
    /// Without meaning next to greetings, thanks, farewells, praise and anger: to whom, and for what.
    pub(super) addition: &'static str,
    /// Of all phrases, those that are a matter of their own in another language: alone they are small talk only where
    /// this language is expected.
    pub(super) ambiguous: &'static str,
}

/// How people ask for a human in one language. Lists hold words or expressions of several words, parted by `|`;
/// phrases are written as [`super::expression`] reads them.
#[derive(Debug)]
pub(super) struct HumanRequestPhrases {
    /// Words for a human in a team; alone they are a request.
    pub(super) who: &'static str,
    /// Words that are also used for others.
    pub(super) some: &'static str,
    /// Words without either that a request may contain; a sentence without any of the three asks for nobody.
    pub(super) mentions: &'static str,
    /// Expressions that may precede such a word.
    pub(super) a: &'static str,
    /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
    pub(super) phrases: &'static [&'static str],
    /// Expressions that may accompany a word for a human that is a request by itself.
    pub(super) alone: &'static str,
    /// Phrases that are a request only as a whole sentence.
    pub(super) whole: &'static [&'static str],
    /// Single words that may follow a request: its subject, courtesies.
    pub(super) leads_on: &'static str,
    /// Expressions that cancel a request when they precede it: the customer wants no human.
    pub(super) not: &'static str,
    /// Expressions that make it a question whether a human is needed.
    pub(super) whether: &'static str,
    /// Expressions that cancel a request when they follow it.
    pub(super) not_after: &'static str,
    /// Expressions that may stand between a denial and the request.
    pub(super) links: &'static str,
    /// Of whom it is said, where not of the customer.
    pub(super) others: &'static str,
    /// Expressions that make a word for a human one for something else.
    pub(super) not_followed: &'static str,
}

/// The sentences of one language.
#[derive(Debug)]
pub(super) struct Sentences {
    pub(super) greeting: &'static str,
    pub(super) thanks: &'static str,
    pub(super) farewell: &'static str,
    pub(super) acknowledgement: &'static str,
    pub(super) about_us: &'static str,
    pub(super) no_problem: &'static str,
    pub(super) praised: &'static str,
    pub(super) unclear: &'static str,
    pub(super) apology: &'static str,
    pub(super) no_answer: &'static str,
    pub(super) handover: &'static str,
    pub(super) failure: &'static str,
    /// The sentences for the time in which nobody of the team is there.
    pub(super) away: Away,
    /// Says that a person cannot be called again yet, and that this is possible in `{minutes}` minutes, 2 to 10.
    pub(super) human_later: &'static str,
    /// Says that an automatic assistant answers.
    pub(super) notice: &'static str,
    /// Says that at most three questions are answered at a time, and asks for the other `{questions}` again.
    pub(super) too_many: &'static str,
}

/// The sentences of one language for the time in which nobody of the team is there.
#[derive(Debug)]
pub(super) struct Away {
    /// Says that the team is back `{day}` at `{time}`, a time such as 9:00; `{zone}` is empty, or a space and the zone's
    /// name in brackets.
    pub(super) back: &'static str,
    /// Says that nobody is there, and not when that changes.
    pub(super) nobody: &'static str,
    /// Says that the team will read what the customer wrote, and answer here.
    pub(super) later: &'static str,
    /// The `{day}` that is today.
    pub(super) today: &'static str,
    /// The `{day}`s from Monday to Sunday.
    pub(super) days: [&'static str; 7],
}
