//! One message from start to end: terms, candidates, ranking, threshold, and the model's text or quotations.
//!
//! The confidence of the ranking decides whether there is an answer. A model can withhold an answer ("not in the
//! passages"). If it fails, or says what no passage says, the answer is quoted. Below the threshold it may only quote
//! the passages.

use domain::models::{Disposition, Source, WikiPath};
use domain::{Error, Result};

use super::engine::{AnswerEngine, AnswerFailure, Answered, Found, Question};
use super::extract;
use super::grounded::{self, ModelDecision};
use super::images::{self, EntryImage};
use super::parts::{Outcome, RankedPart, merged};
use super::prompt::MAX_ANSWER_BYTES;
use super::rank::{Ranked, Scorer, nearest_passage, rank_in_conversation};
use super::verbatim::Held;
use crate::search::{Candidate, Retrieval};
use text::{Analyzer, Opposites, QueryTerms, sanitise};

/// The most sources of an answer.
const MAX_SOURCES: usize = 3;

impl AnswerEngine {
    /// Answers `question`. Never fails: a failure is in [`Answered::failure`].
    pub async fn answer(&self, question: &Question<'_>) -> Answered {
        let found = self.retrieve(question).await;
        self.answer_from(question, found).await
    }

    /// The entries nearest to `question` as one, at most 3, nearest first; asks no model.
    ///
    /// # Errors
    /// 503 when the index does not answer.
    pub async fn nearest(&self, question: &Question<'_>) -> Result<Vec<Source>> {
        let found = self.retrieve_whole(question).await;
        let retrieval = found.retrieval.ok_or_else(|| Error::unavailable("the index did not answer a question"))?;
        let (_, ranked) = rank_in_conversation(&found.conversation, &retrieval);
        Ok(sources(&retrieval, &ranked, &[]))
    }

    /// Answers `question` from what was found for it. Asks language models, so the question must be stored before.
    pub async fn answer_from(&self, question: &Question<'_>, found: Found) -> Answered {
        let Found { parts, left_out } = self.rewrite_if_unclear(question, found).await;
        let Some(parts) = RankedPart::all(parts, question.language) else { return failed(AnswerFailure::Search) };
        let shares = parts.len() + usize::from(!left_out.is_empty());
        let internal = parts.iter().any(RankedPart::is_internal);
        Answered { internal, left_out, ..self.decide(question, &parts, shares).await }
    }

    /// `shares`: among how many the length of an answer is divided.
    async fn decide(&self, question: &Question<'_>, parts: &[RankedPart], shares: usize) -> Answered {
        let several;
        let (retrieval, ranked) = match parts {
            [part] => (&part.retrieval, part.ranked.as_slice()),
            _ => {
                several = merged(parts);
                (&several.0, several.1.as_slice())
            }
        };
        if ranked.is_empty() {
            return Outcome::default().of(parts, retrieval, ranked, question.threshold);
        }
        let decision = grounded::ask_model(self, question, parts, retrieval, ranked).await;
        let model_failed = decision == ModelDecision::Failed;
        let outcome = match decision {
            ModelDecision::NotInPassages => Outcome::default(),
            ModelDecision::Answer { text, cited, held } => {
                let cited: Vec<&Candidate> = cited.iter().filter_map(|at| retrieval.candidates.get(*at)).collect();
                let outcome = by_model(question, parts, &text, &cited, held);
                outcome.unwrap_or_else(|| quotations(question, parts, shares))
            }
            ModelDecision::NoModel | ModelDecision::Failed => quotations(question, parts, shares),
        };
        if model_failed && outcome.answered.is_empty() {
            let sources = sources(retrieval, ranked, &[]);
            let confidence = greatest_confidence(parts);
            return Answered { sources, confidence, ..failed(AnswerFailure::Model) };
        }
        outcome.of(parts, retrieval, ranked, question.threshold)
    }
}

impl Outcome {
    fn of(self, parts: &[RankedPart], retrieval: &Retrieval, ranked: &[Ranked], threshold: f64) -> Answered {
        let Self { text, answered, used, at_most } = self;
        let of_answered = answered.iter().filter_map(|at| parts.get(*at)).map(RankedPart::confidence);
        let disposition = if answered.is_empty() { Disposition::NoAnswer } else { Disposition::Answered };
        let open = parts.iter().enumerate().filter(|(at, _)| !answered.contains(at));
        let missing: Vec<String> = open.map(|(_, part)| part.text.clone()).collect();
        Answered {
            text,
            images: images_of(retrieval, &used),
            sources: sources(retrieval, ranked, &used),
            // Below the threshold the confidence of an answer is the threshold: a lower one would mean that there is no
            // answer, and the ranking justifies no higher one.
            confidence: of_answered
                .chain(at_most)
                .map(|confidence| confidence.max(threshold))
                .reduce(f64::min)
                .unwrap_or_else(|| greatest_confidence(parts)),
            disposition,
            unanswered: !missing.is_empty(),
            missing: if parts.len() > 1 { missing } else { Vec::new() },
            left_out: Vec::new(),
            internal: false,
            failure: None,
        }
    }
}

/// The outcome of a model's answer. It answers the questions that the wiki answers by the ranking, and, if it only
/// quotes, those whose nearest entries it cites. None if it answers none, a sentence is not held by what it cites, it
/// cannot be the answer to a question that the wiki answers, or it says more than it quotes and cites an entry that is
/// near to none of the answered questions.
fn by_model(
    question: &Question<'_>,
    parts: &[RankedPart],
    text: &str,
    cited: &[&Candidate],
    held: Held,
) -> Option<Outcome> {
    let quotes = held == Held::Quoted;
    let is_sure = |part: &RankedPart| part.confidence() >= question.threshold;
    let is_allowed = |entry: &&Candidate| quotes || parts.iter().any(|part| is_sure(part) && part.is_near(&entry.path));
    if held == Held::Not || !cited.iter().all(is_allowed) {
        return None;
    }
    let titles: Vec<&str> = cited.iter().map(|entry| entry.title.as_str()).collect();
    let language = question.language;
    if parts.iter().any(|part| is_sure(part) && part.is_missed_by(language, &titles, text)) {
        return None;
    }
    let is_quoted = |part: &RankedPart| quotes && cited.iter().any(|entry| part.is_near(&entry.path));
    let is_answered =
        |part: &RankedPart| is_sure(part) || (is_quoted(part) && !part.is_missed_by(language, &titles, text));
    let answered: Vec<usize> =
        parts.iter().enumerate().filter(|(_, part)| is_answered(part)).map(|(at, _)| at).collect();
    let used: Vec<WikiPath> = cited.iter().map(|entry| entry.path.clone()).collect();
    // The text may be from an entry that is less sure than the nearest one.
    let at_most =
        answered.iter().filter_map(|at| parts.get(*at)).map(|part| part.confidence_in(&used)).reduce(f64::min);
    (!answered.is_empty()).then(|| Outcome { text: text.to_owned(), answered, used, at_most })
}

fn greatest_confidence(parts: &[RankedPart]) -> f64 {
    parts.iter().map(RankedPart::confidence).fold(0.0, f64::max)
}

/// The images of the entries that the answer was made from, in their order.
fn images_of(retrieval: &Retrieval, used: &[WikiPath]) -> Vec<EntryImage> {
    let entry = |path: &WikiPath| retrieval.candidates.iter().find(|entry| entry.path == *path);
    used.iter().filter_map(entry).flat_map(|entry| images::of_entry(&entry.content)).collect()
}

/// The entries that the answer was made from and then the nearest others, each set nearest first.
fn sources(retrieval: &Retrieval, ranked: &[Ranked], used: &[WikiPath]) -> Vec<Source> {
    let all = ranked.iter().filter_map(|r| Some((retrieval.candidates.get(r.candidate)?, r)));
    let (first, then): (Vec<_>, Vec<_>) = all.partition(|(entry, _)| used.contains(&entry.path));
    let (first, then) = (first.into_iter().map(|it| (it, true)), then.into_iter().map(|it| (it, false)));
    first.chain(then).take(MAX_SOURCES).map(|((entry, r), used)| source(entry, r, used)).collect()
}

fn source(entry: &Candidate, ranked: &Ranked, used: bool) -> Source {
    Source {
        path: entry.path.clone(),
        confidence: ranked.confidence,
        title: entry.title.clone(),
        version: entry.version,
        used,
        visibility: Some(entry.visibility),
    }
}

/// A failure says nothing about the wiki, so it is not a knowledge gap.
fn failed(failure: AnswerFailure) -> Answered {
    Answered {
        text: String::new(),
        images: Vec::new(),
        sources: Vec::new(),
        confidence: 0.0,
        disposition: Disposition::NoAnswer,
        unanswered: false,
        missing: Vec::new(),
        left_out: Vec::new(),
        internal: false,
        failure: Some(failure),
    }
}

/// The most words of the answers to several questions together.
const MAX_WORDS: usize = 140;

/// Quotes the nearest entry of each question that it is sure enough of. Questions with the same entry get one quotation;
/// of several entries, each is at most its share of 140 words long.
pub(super) fn quotations(question: &Question<'_>, parts: &[RankedPart], shares: usize) -> Outcome {
    let analyzer = Analyzer::new(question.language);
    let limit = if shares > 1 { MAX_WORDS / shares } else { usize::MAX };
    let sure = parts.iter().enumerate().filter(|(_, part)| part.confidence() >= question.threshold);
    let mut asked: Vec<(WikiPath, QueryTerms, Vec<usize>)> = Vec::new();
    for (at, part) in sure {
        let Some((entry, _)) = part.best() else { continue };
        match asked.iter_mut().find(|(path, ..)| *path == entry.path) {
            Some((_, query, of)) => {
                query.add(&part.query, 1.0);
                of.push(at);
            }
            None => asked.push((entry.path.clone(), part.query.clone(), vec![at])),
        }
    }
    let mut outcome = Outcome::default();
    for (path, query, of) in asked {
        let Some(part) = of.first().and_then(|at| parts.get(*at)) else { continue };
        let texts: Vec<&str> = of.iter().filter_map(|at| parts.get(*at)).map(|part| part.text.as_str()).collect();
        let (text, used) = match of.as_slice() {
            [_] if shares == 1 => (part.quote.clone(), part.quoted().map(|entry| entry.path.clone()).collect()),
            _ => (quote(&analyzer, &texts.join(" "), &query, part, limit.saturating_mul(of.len())), vec![path]),
        };
        let text = shown(&text);
        if text.is_empty() {
            continue;
        }
        if !outcome.text.is_empty() {
            outcome.text.push_str("\n\n");
        }
        outcome.text.push_str(&text);
        outcome.answered.extend(of);
        outcome.used.extend(used);
    }
    outcome.answered.sort_unstable();
    outcome
}

fn quote(analyzer: &Analyzer, text: &str, query: &QueryTerms, part: &RankedPart, most_words: usize) -> String {
    let scorer = Scorer::new(query, &part.retrieval.stats);
    let Some((candidate, _)) = part.best() else { return String::new() };
    let near = nearest_passage(candidate).map(|passage| passage.text.as_str());
    let opposites = Opposites::asked(analyzer, text);
    let question = extract::Question { analyzer, text, query, scorer: &scorer, opposites: &opposites, near };
    extract::extract_within(&question, &text::images::without(&candidate.content), most_words)
}

/// A quotation as a customer sees it.
fn shown(text: &str) -> String {
    let mut text = sanitise::visible(text);
    text.truncate(text.floor_char_boundary(MAX_ANSWER_BYTES));
    text.trim().to_owned()
}
