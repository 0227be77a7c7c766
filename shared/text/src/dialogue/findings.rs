//! Finds in the sentences of a message what phrases and the model take for small talk or a request for a human, and keeps
//! what else they say.

use super::complaint;
use super::human_request::{Classification, classify};
use super::questions::{asks, questions_beside};
use super::small_talk::{Kind, Kinds, cover, has, leading, trailing};
use super::turn_model::{Turn, asks_whether_anyone_is_there, is_said, judge};
use super::words::{Token, tokens, without_quotations};
use crate::CustomerLanguage;

/// The findings in the sentences of a message.
#[derive(Default)]
pub(super) struct PhraseMatch {
    pub(super) asks_for_human: bool,
    /// A phrase does, or a sentence that does not read like a question.
    pub(super) surely_asks_for_human: bool,
    /// Phrases say that no human is wanted, or ask whether one is needed.
    denies_human: bool,
    /// The language of the phrase that asks for a human.
    pub(super) human_in: Option<CustomerLanguage>,
    /// The kinds of the small talk, and the language of most of it.
    pub(super) small_talk: Kinds,
    pub(super) small_talk_in: Option<CustomerLanguage>,
    /// No other language says it so.
    is_unshared: bool,
    pub(super) kept: Vec<String>,
    /// Sentences that only the model takes for small talk or a request, and that read like questions or have no word of it.
    pub(super) possible_questions: Vec<String>,
    /// How many of the kept sentences only doubt: they belong to a question, and are none by themselves.
    pub(super) doubting: usize,
    /// A sentence is not kept as it was written.
    pub(super) changed: bool,
}

impl PhraseMatch {
    pub(super) fn add(&mut self, sentence: &str, expected: &[CustomerLanguage]) {
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
    pub(super) fn is_greeting(&self, text: &str, expected: &[CustomerLanguage]) -> bool {
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
    pub(super) fn judge_whole(&mut self, text: &str, expected: &[CustomerLanguage]) {
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
