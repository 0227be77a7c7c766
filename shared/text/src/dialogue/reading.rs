//! Reads a whole message: its kind, its language, and the question in it.

use super::human_request::{Classification, classify};
use super::questions::{asks, questions_beside};
use super::small_talk::{Kind, Kinds, cover, has, leading, signs, trailing, without_emoticons};
use super::turn_model::{Turn, apologises, asks_whether_anyone_is_there, is_said, judge, praises};
use super::words::{Token, tokens, without_quotations, words};
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

/// The findings in the sentences of a message.
#[derive(Default)]
struct PhraseMatch {
    asks_for_human: bool,
    /// A phrase does, or a sentence that does not read like a question.
    surely_asks_for_human: bool,
    /// Phrases say that no human is wanted, or ask whether one is needed.
    denies_human: bool,
    /// The language of the phrase that asks for a human.
    human_in: Option<CustomerLanguage>,
    /// The kinds of the small talk, and the language of most of it.
    small_talk: Kinds,
    small_talk_in: Option<CustomerLanguage>,
    /// No other language says it so.
    is_unshared: bool,
    kept: Vec<String>,
    /// Sentences that only the model takes for small talk or a request, and that read like questions or have no word of it.
    possible_questions: Vec<String>,
    /// How many of the kept sentences only doubt: they belong to a question, and are none by themselves.
    doubting: usize,
    /// A sentence is not kept as it was written.
    changed: bool,
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

/// The kind of turn that the model takes a text for. Thanks and the like do not complain.
fn judged(text: &str, expected: &[CustomerLanguage]) -> Turn {
    let says = |turn| kind_of(turn).is_some_and(|kind| tokens(text).iter().any(|clause| has(clause, kind, expected)));
    match judge(text, says) {
        Turn::Greeting | Turn::Thanks | Turn::Farewell | Turn::Praise if complaint::fails(text) => Turn::Question,
        turn => turn,
    }
}

/// The kind of the model's small talk; none if the turn is no small talk.
const fn kind_of(turn: Turn) -> Option<Kind> {
    Some(match turn {
        Turn::Question | Turn::Human => return None,
        Turn::Greeting => Kind::Greeting,
        Turn::Thanks => Kind::Thanks,
        Turn::Farewell => Kind::Farewell,
        Turn::Praise => Kind::Acknowledgement,
        Turn::AboutUs => Kind::AboutUs,
        Turn::Apology => Kind::Apology,
        Turn::Repeat => Kind::Repeat,
        Turn::Insult => Kind::Anger,
    })
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

impl PhraseMatch {
    fn add(&mut self, sentence: &str, expected: &[CustomerLanguage]) {
        match classify(sentence, expected) {
            Classification::Asks(language) => {
                self.surely_asks_for_human = true;
                self.add_request(sentence, expected, Some(language));
            }
            Classification::Refuses(clauses) => {
                self.denies_human = true;
                self.add_clauses(sentence, expected, &clauses);
            }
            Classification::Denies => {
                self.denies_human = true;
                self.add_clauses(sentence, expected, &[]);
            }
            Classification::Neither => self.add_judged(sentence, expected),
        }
    }

    /// Keeps what a sentence that asks for a human asks besides.
    fn add_request(&mut self, sentence: &str, expected: &[CustomerLanguage], language: Option<CustomerLanguage>) {
        self.asks_for_human = true;
        self.human_in = self.human_in.or(language);
        self.changed = true;
        let asks = |part: &str| match classify(part, expected) {
            Classification::Asks(_) => true,
            Classification::Refuses(_) | Classification::Denies => false,
            Classification::Neither => judged(part, expected) == Turn::Human,
        };
        for question in questions_beside(sentence, asks) {
            self.add_clauses(question, expected, &[]);
        }
    }

    /// Whether a message with a request only greets: "hello, is anyone there?" opens a conversation, "is anyone there?" alone
    /// calls for somebody.
    fn is_greeting(&self, text: &str, expected: &[CustomerLanguage]) -> bool {
        let greets = || tokens(text).iter().any(|clause| has(clause, Kind::Greeting, expected));
        self.kept.is_empty() && !self.denies_human && asks_whether_anyone_is_there(text) && greets()
    }

    /// If phrases leave something of a sentence, the model judges it.
    fn add_judged(&mut self, sentence: &str, expected: &[CustomerLanguage]) {
        let (kept, doubting) = (self.kept.len(), self.doubting);
        self.add_clauses(sentence, expected, &[]);
        if self.kept.len() == kept || self.doubting > doubting {
            return;
        }
        match judged(&without_quotations(sentence), expected) {
            Turn::Human => {
                self.surely_asks_for_human |= !self.take_possible_questions(kept, asks);
                self.add_request(sentence, expected, None);
            }
            turn => self.changed |= self.add_small_talk(sentence, kept, turn),
        }
    }

    /// Takes what was kept from `first` on of a text for the model's small talk, if it is some.
    fn add_small_talk(&mut self, text: &str, first: usize, turn: Turn) -> bool {
        let Some(kind) = kind_of(turn) else { return false };
        let is_unsaid = !is_said(turn, text);
        self.take_possible_questions(first, |part| turn == Turn::AboutUs || asks(part) || is_unsaid);
        self.small_talk = self.small_talk.and(Kinds::of(kind));
        true
    }

    /// Removes what was kept from `first` on, and remembers what of it may be a question; whether all of it may be.
    fn take_possible_questions(&mut self, first: usize, may_ask: impl Fn(&str) -> bool) -> bool {
        let taken = self.kept.len() - first;
        let before = self.possible_questions.len();
        self.possible_questions.extend(self.kept.drain(first..).filter(|said| may_ask(said)));
        self.possible_questions.len() - before == taken
    }

    /// Judges the sentences of a message together, if each alone may ask something.
    fn judge_whole(&mut self, text: &str, expected: &[CustomerLanguage]) {
        if self.kept.is_empty() || self.asks_for_human || self.denies_human {
            return;
        }
        match judged(&without_quotations(text), expected) {
            Turn::Human => (self.asks_for_human, self.surely_asks_for_human) = (true, true),
            turn => {
                self.add_small_talk(text, 0, turn);
            }
        }
    }

    /// Keeps what is between small talk at either end of a sentence; `refusals` are clauses that want no human.
    fn add_clauses(&mut self, sentence: &str, expected: &[CustomerLanguage], refusals: &[usize]) {
        let clauses = tokens(sentence);
        let (mut open, mut doubts) = (Vec::new(), Vec::new());
        for (number, clause) in clauses.iter().enumerate() {
            if refusals.contains(&number) {
                self.small_talk = self.small_talk.and(Kinds::of(Kind::No));
            } else if let Some(covered) = cover(clause, expected) {
                let is_clearer = covered.unshared && !self.is_unshared;
                if self.small_talk_in.is_none() || !self.small_talk.suffice() || is_clearer {
                    self.small_talk_in = covered.language.or(self.small_talk_in);
                    self.is_unshared |= covered.unshared;
                }
                self.small_talk = self.small_talk.and(covered.kinds);
                let doubts_alone =
                    covered.kinds.has(Kind::Doubt) && covered.kinds.is_only(&[Kind::Doubt, Kind::Filler]);
                doubts.extend(doubts_alone.then_some(number));
            } else {
                open.push(number);
            }
        }
        // "What now?" belongs to the question that it follows.
        if !open.is_empty() {
            open.extend(&doubts);
            open.sort_unstable();
        }
        match (open.first(), open.last()) {
            (Some(first), Some(last)) => self.retain_sentences(sentence, &clauses, (*first, *last), expected),
            _ if !doubts.is_empty() && doubts.len() == clauses.len() => {
                self.kept.push(sentence.trim().to_owned());
                self.doubting += 1;
            }
            _ => self.changed |= !clauses.is_empty(),
        }
    }

    /// Keeps the clauses from the first to the last that are not small talk, without a greeting before and thanks
    /// after.
    fn retain_sentences(
        &mut self,
        sentence: &str,
        clauses: &[Vec<Token>],
        (first, last): (usize, usize),
        expected: &[CustomerLanguage],
    ) {
        let clause = |number: usize| clauses.get(number).map_or(&[] as &[Token], Vec::as_slice);
        let greeted = leading(clause(first), expected);
        let behind_greeting = clause(last).get(if first == last { greeted } else { 0 }..).unwrap_or_default();
        let thanked = trailing(behind_greeting, expected);
        let start = match (first, greeted) {
            (0, 0) => 0,
            _ => clause(first).get(greeted).map_or(0, |token| token.at.start),
        };
        let said = behind_greeting.len().saturating_sub(thanked);
        let end = match said.checked_sub(1).and_then(|at| behind_greeting.get(at)) {
            Some(token) if thanked > 0 || last + 1 < clauses.len() => token.at.end,
            _ => sentence.len(),
        };
        self.changed |= start > 0 || end < sentence.len();
        self.kept.extend(sentence.get(start..end).map(|kept| kept.trim().to_owned()));
    }
}
