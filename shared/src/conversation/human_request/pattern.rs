//! The small language that phrases are written in, and how a clause is compared with them.
//!
//! A phrase is elements with spaces between: `talk|speak` is one of these words, `real_person` a word of two, `agent~`
//! whatever begins so, `please?` may be left out, `the|a*` may stand any number of times, `..3` is up to three other
//! words, `<who>` a set of the language, and `$` the end of the clause or a word that leads on to something else.

use super::speech::Speech;
use super::tokens::words;

/// A word of a phrase.
#[derive(Debug)]
struct Word {
    text: String,
    begins: bool,
}

impl Word {
    fn is(&self, token: &str) -> bool {
        if self.begins { token.starts_with(&self.text) } else { token == self.text }
    }
}

/// One of several expressions, each of one word or more.
#[derive(Debug, Default)]
struct Choice(Vec<Vec<Word>>);

#[derive(Debug)]
enum Element {
    One { of: Choice, may_lack: bool, may_repeat: bool },
    Others(usize),
    End,
}

/// One language, ready to compare.
#[derive(Debug)]
pub(super) struct Reader {
    speech: &'static Speech,
    phrases: Vec<Vec<Element>>,
    who: Choice,
    /// One of these is in every request.
    mentions: Choice,
    alone: Choice,
    leads_on: Choice,
    not: Choice,
    not_after: Choice,
    links: Choice,
    others: Choice,
    not_followed: Choice,
}

impl Choice {
    fn new(text: &str) -> Self {
        let expression = |text: &str| {
            let begins = text.ends_with('~');
            let mut all: Vec<Word> = words(&text.trim_end_matches('~').replace('_', " "))
                .into_iter()
                .map(|text| Word { text, begins: false })
                .collect();
            if let Some(last) = all.last_mut() {
                last.begins = begins;
            }
            all
        };
        Self(text.split('|').map(expression).filter(|words| !words.is_empty()).collect())
    }

    /// Where each expression that stands at `at` ends.
    fn ends<'a>(&'a self, clause: &'a [String], at: usize) -> impl Iterator<Item = usize> + 'a {
        let stands = move |words: &&Vec<Word>| {
            let there = clause.get(at..at + words.len());
            there.is_some_and(|there| words.iter().zip(there).all(|(word, token)| word.is(token)))
        };
        self.0.iter().filter(stands).map(move |words| at + words.len())
    }

    fn stands_at(&self, clause: &[String], at: usize) -> bool {
        self.ends(clause, at).next().is_some()
    }

    /// Whether an expression ends just before `end`.
    fn ends_before(&self, clause: &[String], end: usize) -> bool {
        self.0.iter().any(|words| {
            let there = end.checked_sub(words.len()).and_then(|start| clause.get(start..end));
            there.is_some_and(|there| words.iter().zip(there).all(|(word, token)| word.is(token)))
        })
    }
}

impl Reader {
    pub(super) fn new(speech: &'static Speech) -> Self {
        Self {
            speech,
            phrases: speech.phrases.iter().map(|phrase| elements(speech, phrase)).collect(),
            who: Choice::new(speech.who),
            mentions: Choice::new(&[speech.who, speech.some, speech.other_words].join("|")),
            alone: Choice::new(&format!("{}|{}", speech.alone, speech.a)),
            leads_on: Choice::new(speech.leads_on),
            not: Choice::new(speech.not),
            not_after: Choice::new(speech.not_after),
            links: Choice::new(speech.links),
            others: Choice::new(speech.others),
            not_followed: Choice::new(speech.not_followed),
        }
    }

    /// What is said to somebody who asks in this language.
    pub(super) const fn reply(&self) -> &'static str {
        self.speech.reply
    }

    /// Whether a clause asks for a human: by a phrase that is not denied, or by naming one and nothing else.
    pub(super) fn asks(&self, clause: &[String]) -> bool {
        let mentions = (0..clause.len()).any(|at| self.mentions.stands_at(clause, at));
        mentions && (self.names_only(clause) || (0..clause.len()).any(|start| self.asks_from(clause, start)))
    }

    fn names_only(&self, clause: &[String]) -> bool {
        let (mut at, mut named) = (0, false);
        while at < clause.len() {
            let who = self.who.ends(clause, at).max();
            let Some(next) = who.or_else(|| self.alone.ends(clause, at).max()) else { return false };
            named |= who.is_some();
            at = next;
        }
        named
    }

    fn asks_from(&self, clause: &[String], start: usize) -> bool {
        self.phrases.iter().any(|phrase| {
            let mut ends = Vec::new();
            self.all_ends(phrase, clause, start, &mut ends);
            ends.into_iter().any(|end| !self.not_meant(clause, start, end))
        })
    }

    /// Denied before or after, said of somebody else, or the beginning of something else.
    fn not_meant(&self, clause: &[String], start: usize, end: usize) -> bool {
        let mut at = start;
        while !self.not.ends_before(clause, at) && at > 0 && self.links.ends_before(clause, at) {
            at -= 1;
        }
        let mut behind = end;
        while !self.not_after.stands_at(clause, behind) && self.links.stands_at(clause, behind) {
            behind += 1;
        }
        self.not.ends_before(clause, at)
            || self.not_after.stands_at(clause, behind)
            || self.not_followed.stands_at(clause, end)
            || (0..start).any(|at| self.others.stands_at(clause, at))
    }

    /// Every place where a phrase can end that begins at `at`.
    fn all_ends(&self, phrase: &[Element], clause: &[String], at: usize, found: &mut Vec<usize>) {
        let Some((first, rest)) = phrase.split_first() else {
            found.push(at);
            return;
        };
        match first {
            Element::End if at >= clause.len() || self.leads_on.stands_at(clause, at) => {
                self.all_ends(rest, clause, at, found);
            }
            Element::End => {}
            Element::Others(most) => {
                for skipped in 0..=*most {
                    if at + skipped > clause.len() {
                        break;
                    }
                    self.all_ends(rest, clause, at + skipped, found);
                    if self.not.stands_at(clause, at + skipped) || self.not_after.stands_at(clause, at + skipped) {
                        break;
                    }
                }
            }
            Element::One { of, may_lack, may_repeat } => {
                if *may_lack {
                    self.all_ends(rest, clause, at, found);
                }
                for end in of.ends(clause, at) {
                    self.all_ends(if *may_repeat { phrase } else { rest }, clause, end, found);
                }
            }
        }
    }
}

fn elements(speech: &Speech, phrase: &str) -> Vec<Element> {
    phrase.split_whitespace().map(|text| element(speech, text)).collect()
}

fn element(speech: &Speech, text: &str) -> Element {
    if text == "$" {
        return Element::End;
    }
    if let Some(most) = text.strip_prefix("..").and_then(|number| number.parse().ok()) {
        return Element::Others(most);
    }
    let (may_lack, may_repeat) = (text.ends_with(['?', '*']), text.ends_with('*'));
    let text = text.trim_end_matches(['?', '*']);
    let text = text.replace("<who>", speech.who).replace("<some>", speech.some).replace("<a>", speech.a);
    Element::One { of: Choice::new(&text), may_lack, may_repeat }
}
