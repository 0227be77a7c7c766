//! Reads a whole message: its kind, its language, and the question in it.

use super::findings::PhraseMatch;
use super::small_talk::{Kind, Kinds, signs, without_emoticons};
use super::turn_model::{Turn, apologises, judge, praises};
use super::words::words;
use super::{Sentence, complaint, detection};
use crate::CustomerLanguage;
use crate::{paragraphs, sentences};

/// Where a message is read.
#[derive(Debug, Clone, Default)]
pub struct MatchContext {
    /// The last thing that was said offers a human.
    pub was_offered_human: bool,
    /// The languages that the customer most likely writes, the likeliest first.
    pub expected: Vec<CustomerLanguage>,
}

/// The kind of turn that a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// It asks nothing.
    SmallTalk(SmallTalk),
    /// It asks for a human, perhaps besides something else.
    HumanRequest,
    /// It asks something.
    Question,
}

/// The kind of small talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SmallTalk {
    /// Greets, or says nothing at all.
    Greeting,
    /// Thanks.
    Thanks,
    /// Says goodbye.
    Farewell,
    /// Takes note.
    Acknowledgement,
    /// Praises.
    Praise,
    /// Apologises.
    Apology,
    /// Wants the last answer said again, or did not understand it.
    Repeat,
    /// Asks who or what we are.
    AboutUs,
    /// Insults or is angry, doubts an answer, or says that it did not help.
    Complaint,
    /// Wants no human: the answer to an offer, or said by itself.
    Declined,
}

impl SmallTalk {
    /// The reply to it.
    #[must_use]
    pub const fn reply(self) -> Sentence {
        match self {
            Self::Greeting => Sentence::Greeting,
            Self::Thanks => Sentence::Thanks,
            Self::Farewell => Sentence::Farewell,
            Self::Acknowledgement | Self::Declined => Sentence::Acknowledgement,
            Self::Praise => Sentence::Praised,
            Self::Apology => Sentence::NoProblem,
            Self::Repeat => Sentence::Unclear,
            Self::AboutUs => Sentence::AboutUs,
            Self::Complaint => Sentence::Apology,
        }
    }
}

/// A message as it is understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageAnalysis {
    /// The kind of turn.
    pub intent: Intent,
    /// Its language, if it can be detected.
    pub language: Option<CustomerLanguage>,
    /// The question to the wiki, without greetings, thanks and requests for a human around it; empty if there is
    /// none.
    pub question: String,
    /// A text that only the model takes for small talk or a request for a human, and that reads like a question ("which
    /// wines do you like?"), or that it takes for small talk without a word of it; empty if there is a question, and of a
    /// request with a phrase for it or a complaint.
    pub possible_question: String,
    /// It complains, or calls for somebody ("hello??").
    pub complains: bool,
}

/// Reads a message.
#[must_use]
pub fn analyse(text: &str, setting: &MatchContext) -> MessageAnalysis {
    let plain = without_emoticons(text);
    let mut found = PhraseMatch::default();
    let said: Vec<&str> = paragraphs(&plain).into_iter().flat_map(sentences).collect();
    for sentence in &said {
        found.add(sentence, &setting.expected);
    }
    if found.doubting == found.kept.len() {
        found.kept.clear();
    }
    // A single sentence has been judged.
    if said.len() > 1 {
        found.judge_whole(&plain, &setting.expected);
    }
    let kinds = refined(found.small_talk.and(signs(text)), &plain);
    // "Cancel" is a matter of the wiki if the service offered nothing.
    let cancels = kinds.has(Kind::Cancel) && kinds.is_only(&[Kind::Cancel, Kind::Yes, Kind::Okay, Kind::Filler]);
    // "It does not work" is said of what the wiki is about, or of an answer that did not help.
    let is_failure = kinds.has_any(&[Kind::Unhelped, Kind::Anger])
        && kinds.is_only(&[Kind::Unhelped, Kind::Anger, Kind::Filler, Kind::Addition])
        && complaint::fails(&plain);
    let is_topic = (cancels && !setting.was_offered_human) || is_failure;
    let is_small_talk = found.kept.is_empty() && !is_topic && (kinds.suffice() || words(&plain).is_empty());
    let intent = match found.asks_for_human {
        true if found.is_greeting(&plain, &setting.expected) => Intent::SmallTalk(SmallTalk::Greeting),
        true => Intent::HumanRequest,
        false if is_small_talk && setting.was_offered_human && accepts(kinds) => Intent::HumanRequest,
        false if is_small_talk => Intent::SmallTalk(small_talk(kinds, setting.was_offered_human)),
        false => Intent::Question,
    };
    let question = match intent {
        Intent::SmallTalk(_) => String::new(),
        Intent::HumanRequest => is_worth_asking(&found.kept),
        Intent::Question if found.changed && !found.kept.is_empty() => found.kept.join(" "),
        Intent::Question => text.trim().to_owned(),
    };
    let language = match intent {
        Intent::Question => detection::detect(&question, &setting.expected).or(found.small_talk_in),
        _ => found.human_in.or(found.small_talk_in).or_else(|| detection::detect(text, &setting.expected)),
    };
    // Whoever complains and seems to ask for a human does.
    let is_upset = kinds.has_any(&[Kind::Anger, Kind::Unhelped, Kind::Doubt]);
    let is_sure = found.surely_asks_for_human || (found.asks_for_human && is_upset) || !question.is_empty();
    let possible_question = if is_sure { String::new() } else { found.possible_questions.join(" ") };
    let complains = match intent {
        Intent::SmallTalk(SmallTalk::Complaint) => true,
        Intent::SmallTalk(_) => complaint::calls(kinds, text),
        Intent::Question | Intent::HumanRequest => complaint::complains(&plain),
    };
    MessageAnalysis { intent, language, question, possible_question, complains }
}

/// The question in a message besides a request for a human; the whole message if it has no such request.
#[must_use]
pub fn without_human_requests(text: &str) -> String {
    let reading = analyse(text, &MatchContext::default());
    if reading.intent == Intent::HumanRequest { reading.question } else { text.to_owned() }
}

/// Sentences joined, if one of them says something.
fn is_worth_asking(kept: &[String]) -> String {
    let says_something = kept.iter().any(|sentence| crate::word_count(sentence) > 2);
    if says_something { kept.join(" ") } else { String::new() }
}

/// Adds the kind that phrases leave open: an acknowledgement may be praise or an apology, and a doubt may ask for a
/// repetition.
fn refined(kinds: Kinds, text: &str) -> Kinds {
    let also = match (kinds.has(Kind::Acknowledgement), kinds.has(Kind::Doubt)) {
        (false, false) => return kinds,
        (true, _) if apologises(text) || judge(text, |_| true) == Turn::Apology => Kind::Apology,
        (true, _) if praises(text) => Kind::Praise,
        (_, true) if judge(text, |_| true) == Turn::Repeat => Kind::Repeat,
        _ => return kinds,
    };
    kinds.and(Kinds::of(also))
}

/// The first one in this order decides the reply.
fn small_talk(kinds: Kinds, was_offered_human: bool) -> SmallTalk {
    let order = [
        (Kind::AboutUs, SmallTalk::AboutUs),
        (Kind::Anger, SmallTalk::Complaint),
        (Kind::Unhelped, SmallTalk::Complaint),
        (Kind::Farewell, SmallTalk::Farewell),
        (Kind::Thanks, SmallTalk::Thanks),
        (Kind::Praise, SmallTalk::Praise),
        (Kind::Apology, SmallTalk::Apology),
        (Kind::Repeat, SmallTalk::Repeat),
        (Kind::Acknowledgement, SmallTalk::Acknowledgement),
        (Kind::Okay, SmallTalk::Acknowledgement),
        (Kind::No, SmallTalk::Declined),
        (Kind::Cancel, SmallTalk::Declined),
        (Kind::Yes, SmallTalk::Acknowledgement),
        (Kind::Doubt, SmallTalk::Complaint),
    ];
    // "No, that did not help" says no to nothing that was offered.
    if was_offered_human
        && kinds.has_any(&[Kind::No, Kind::Cancel])
        && !kinds.has_any(&[Kind::Anger, Kind::Unhelped, Kind::AboutUs])
    {
        return SmallTalk::Declined;
    }
    let found = order.iter().find(|(kind, _)| kinds.has(*kind));
    found.map_or(SmallTalk::Greeting, |(_, small_talk)| *small_talk)
}

/// Whether an offer of a human is accepted by these.
fn accepts(kinds: Kinds) -> bool {
    use Kind as K;
    let declines = kinds.has_any(&[K::No, K::Cancel, K::Farewell, K::Unhelped, K::AboutUs]);
    let agrees = kinds.has(K::Okay) && !kinds.has_any(&[K::Thanks, K::Acknowledgement, K::Anger, K::Greeting]);
    !declines && (kinds.has(K::Yes) || agrees)
}
