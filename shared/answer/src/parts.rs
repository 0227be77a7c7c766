//! A message that asks several things: each question is looked up by itself, and answered from its own entry.
//!
//! [`text::dialogue::questions`] parts the message. It is one question after all if its parts do not stand alone: all
//! lead to the same entry, a vague one has no answer, only vague ones have one, or none has an answer but the whole
//! message has one. After earlier questions also if one has no answer but the whole message has one.

use futures::future::join_all;

use super::conversation::{ConversationQuery, generic_terms};
use super::engine::{AnswerEngine, Found, FoundPart, Question};
use super::extract::{self, Support, Topic};
use super::rank::{Ranked, Scorer};
use super::reading::{self, Chosen};
use super::tidy::negations;
use crate::search::{Candidate, Retrieval};
use domain::models::{Language, Visibility, WikiPath};
use text::{Analyzer, Opposites, QueryTerms, dialogue};

/// The most questions of a message that are answered.
const MAX_PARTS: usize = 3;
/// How many of its nearest entries are taken for its own if a model cites them.
const NEAR: usize = 5;
/// The share of the question's words, by weight, of a unit that answers it by a denial: "we do not deliver to Norway".
const DENIED_SHARE: f64 = 0.5;
/// The share of the words of the question, by weight, that the quotation has, of another text that answers it.
const BESIDE_QUOTED: f64 = 0.5;
/// A question with fewer words that name a topic is looked up with those before it: "how long does it take?".
const MIN_TOPICS: usize = 2;

impl AnswerEngine {
    /// The index's results for `question`, which may consist of several. It asks no language model, so it may run while
    /// the question itself is being stored.
    pub async fn retrieve(&self, question: &Question<'_>) -> Found {
        let questions = dialogue::questions(question.text);
        match questions.len() {
            0 | 1 => Found::from(self.retrieve_whole(question).await),
            _ => self.retrieve_parts(question, questions).await,
        }
    }

    /// The index's results for each of `questions`, of which `question` consists.
    async fn retrieve_parts(&self, question: &Question<'_>, mut questions: Vec<String>) -> Found {
        let left_out = questions.split_off(questions.len().min(MAX_PARTS));
        let analyzer = Analyzer::new(question.language);
        let part = |(at, text): (usize, &String)| {
            let alone = ConversationQuery::new(&analyzer, question.synonyms, text, question.history);
            let conversation = match questions.get(..at) {
                Some(before) if alone.topics() < MIN_TOPICS || alone.refers_back() => {
                    alone.following(&analyzer, before)
                }
                _ => alone,
            };
            self.retrieve_part(question, text.clone(), conversation)
        };
        let parts = join_all(questions.iter().enumerate().map(part)).await;
        let found = Found { parts, left_out };
        let is_answered = |part: &FoundPart| part.confidence() >= question.threshold;
        let stands_alone = found.stands_alone(is_answered);
        // A question that follows earlier ones depends on its own message, too: "what about children? Is it also a big
        // problem?".
        let follows = found.parts.first().is_some_and(|part| !part.conversation.is_first());
        let is_enough = |part: &FoundPart| !follows || is_answered(part);
        if stands_alone && found.parts.iter().any(is_answered) && found.parts.iter().all(is_enough) {
            return found;
        }
        let whole = self.retrieve_whole(question).await;
        if stands_alone && !is_answered(&whole) { found } else { Found::from(whole) }
    }
}

impl Found {
    /// Whether its parts are questions of their own, as far as their answers tell.
    fn stands_alone(&self, is_answered: impl Fn(&FoundPart) -> bool) -> bool {
        let bests: Vec<Option<WikiPath>> = self.parts.iter().map(FoundPart::best_path).collect();
        let is_same = self.left_out.is_empty() && bests.windows(2).all(|two| matches!(two, [a, b] if a == b));
        let is_clear = |part: &FoundPart| part.conversation.topics() >= MIN_TOPICS;
        let is_vague_missing = self.parts.iter().any(|part| !is_clear(part) && !is_answered(part));
        let is_clear_answered = self.parts.iter().any(|part| is_clear(part) && is_answered(part));
        let is_none_answered = !self.parts.iter().any(&is_answered);
        !is_vague_missing && (is_none_answered || (is_clear_answered && !is_same))
    }
}

impl FoundPart {
    fn best_path(&self) -> Option<WikiPath> {
        let (_, ranked) = self.ranked()?;
        let best = self.retrieval.as_ref()?.candidates.get(ranked.first()?.candidate)?;
        Some(best.path.clone())
    }
}

/// A question of a message, ranked.
#[derive(Debug)]
pub(super) struct RankedPart {
    /// The question.
    pub(super) text: String,
    /// The terms by which it is ranked.
    pub(super) query: QueryTerms,
    /// The index's results for it.
    pub(super) retrieval: Retrieval,
    /// Its candidates: those of which the text says best what was asked, then the others, nearest first.
    pub(super) ranked: Vec<Ranked>,
    /// How many of them are quoted.
    pub(super) quoted: usize,
    pub(super) quote: String,
}

impl RankedPart {
    /// The parts of a message; none if the index did not answer one of them.
    pub(super) fn all(found: Vec<FoundPart>, language: Language) -> Option<Vec<Self>> {
        found.into_iter().map(|part| Self::read(part, language)).collect()
    }

    /// Reads the nearest entries, and puts the one first of which the text says best what was asked.
    fn read(part: FoundPart, language: Language) -> Option<Self> {
        let (query, mut ranked, readings) = reading::readings(&part, language)?;
        let FoundPart { text, retrieval, .. } = part;
        let Some(Chosen { place, beside, quote, confidence }) = reading::choose(readings) else {
            return Some(Self { text, query, retrieval: retrieval?, ranked, quoted: 0, quote: String::new() });
        };
        let second = beside.map(|beside| if beside < place { beside + 1 } else { beside });
        for (to, from) in std::iter::once(place).chain(second).enumerate() {
            ranked.get_mut(to..=from).into_iter().for_each(|up_to_it| up_to_it.rotate_right(1));
        }
        ranked.first_mut().into_iter().for_each(|first| first.confidence = confidence);
        ranked.iter_mut().for_each(|r| r.confidence = r.confidence.min(confidence));
        Some(Self { text, query, retrieval: retrieval?, ranked, quoted: 1 + usize::from(beside.is_some()), quote })
    }

    /// How sure the nearest entry makes us: 0-1.
    pub(super) fn confidence(&self) -> f64 {
        self.ranked.first().map_or(0.0, |best| best.confidence)
    }

    /// How sure the surest of the entries `paths` makes us: 0-1.
    pub(super) fn confidence_in(&self, paths: &[WikiPath]) -> f64 {
        let is_in = |r: &&Ranked| self.retrieval.candidates.get(r.candidate).is_some_and(|it| paths.contains(&it.path));
        self.ranked.iter().filter(is_in).map(|r| r.confidence).fold(0.0, f64::max)
    }

    /// The nearest entry, with its figures.
    pub(super) fn best(&self) -> Option<(&Candidate, &Ranked)> {
        let best = self.ranked.first()?;
        Some((self.retrieval.candidates.get(best.candidate)?, best))
    }

    pub(super) fn quoted(&self) -> impl Iterator<Item = &Candidate> {
        self.ranked.iter().take(self.quoted).filter_map(|r| self.retrieval.candidates.get(r.candidate))
    }

    /// Whether one of its nearest entries is `path`.
    pub(super) fn is_near(&self, path: &WikiPath) -> bool {
        let mut near = self.ranked.iter().take(NEAR).filter_map(|r| self.retrieval.candidates.get(r.candidate));
        near.any(|candidate| candidate.path == *path)
    }

    /// Whether `text`, of entries with these titles, cannot be the answer: it or a title is on the other side of two
    /// opposites, no unit of it has half as many words of the question as the quotation has, it lacks the kind of answer that
    /// the question can only mean and does not deny it, or the question names a code that no entry has. Only the first counts after a search with vectors, because a text in another language has no
    /// word of the question.
    pub(super) fn is_missed_by(&self, language: Language, titles: &[&str], text: &str) -> bool {
        let by_words = self.best().is_some_and(|(_, best)| best.evidence.nearness.is_none());
        let opposites = Opposites::asked(&Analyzer::new(language), &self.text);
        if titles.iter().chain([&text]).any(|said| opposites.agreement(said) < 0.0) {
            return true;
        }
        let support = self.support(language, &titles.join(". "), text);
        let quoted: Vec<&str> = self.quoted().map(|entry| entry.title.as_str()).collect();
        let quoted = self.support(language, &quoted.join(". "), &self.quote);
        let denies = support.unit >= DENIED_SHARE && negations(text) > 0;
        let is_beside = support.unit < BESIDE_QUOTED * quoted.unit;
        by_words && (support.unknown_code || is_beside || (support.unmet && !denies))
    }

    fn support(&self, language: Language, titles: &str, text: &str) -> Support {
        let analyzer = Analyzer::new(language);
        let (scorer, opposites) =
            (Scorer::new(&self.query, &self.retrieval.stats), Opposites::asked(&analyzer, &self.text));
        let asked = extract::Question {
            analyzer: &analyzer,
            text: &self.text,
            query: &self.query,
            scorer: &scorer,
            opposites: &opposites,
            near: None,
        };
        Topic::of(&asked, |term| generic_terms(language).contains(term)).support(titles, &analyzer.terms(titles), text)
    }

    /// Whether an internal entry is among its candidates.
    pub(super) fn is_internal(&self) -> bool {
        self.retrieval.candidates.iter().any(|entry| entry.visibility == Visibility::Internal)
    }
}

/// The outcome for the questions of a message.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The answer to all that are answered.
    pub(super) text: String,
    /// The places of those that are answered, in order.
    pub(super) answered: Vec<usize>,
    /// The entries that the answer was made from.
    pub(super) used: Vec<WikiPath>,
    /// The most that its confidence can be, if the text is another one than the quotation: 0-1.
    pub(super) at_most: Option<f64>,
}

/// The candidates of several parts as those of one question: the nearest of each part in the order of the parts, then the
/// second ones, and so on, each entry once.
pub(super) fn merged(parts: &[RankedPart]) -> (Retrieval, Vec<Ranked>) {
    let mut retrieval = Retrieval::default();
    let mut all: Vec<Ranked> = Vec::new();
    let longest = parts.iter().map(|part| part.ranked.len()).max().unwrap_or(0);
    for (part, place) in (0..longest).flat_map(|place| parts.iter().map(move |part| (part, place))) {
        let Some(ranked) = part.ranked.get(place) else { continue };
        let Some(candidate) = part.retrieval.candidates.get(ranked.candidate) else { continue };
        match retrieval.candidates.iter().position(|known| known.path == candidate.path) {
            Some(known) => {
                let same = all.iter_mut().find(|r| r.candidate == known);
                same.into_iter().for_each(|r| r.confidence = r.confidence.max(ranked.confidence));
            }
            None => {
                all.push(Ranked { candidate: retrieval.candidates.len(), ..*ranked });
                retrieval.candidates.push(candidate.clone());
            }
        }
    }
    (retrieval, all)
}
