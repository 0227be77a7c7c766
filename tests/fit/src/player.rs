//! One wiki in an index in memory, and the engine over it.

use answer::search::IndexedEntry;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use answer::embedding::Embedder;
use answer::search::{SearchIndex, VisibilityFilter};
use answer::{AnswerEngine, Answered, Found, Question, Reading};
use aws::search::opensearch::OpenSearchIndex;
use domain::clock::Runtime;
use domain::models::{
    AiTurn, CustomerTurn, EntrySource, Language, MessageId, Mode, Scope, TenantId, Timestamp, Turn, TurnBody,
    Visibility, WikiEntry, WikiPath,
};
use local::opensearch::OpenSearchSubset;
use serde::Deserialize;
use serde_json::{Value, json};
use text::Analyzer;

use crate::vectors::with_vectors;

/// An answer comes in milliseconds; this only has to be longer.
const DEADLINE_MS: i64 = 600_000;

/// A wiki that can be asked.
#[derive(Debug)]
pub(crate) struct Player {
    engine: AnswerEngine,
    runtime: Runtime,
    scope: Scope,
    language: Language,
}

/// An entry of a set.
#[derive(Debug, Deserialize)]
pub(crate) struct EntryLine {
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) content: String,
    #[serde(default)]
    pub(crate) visibility: Option<Visibility>,
}

/// The result of one question.
#[derive(Debug)]
pub(crate) struct Played {
    pub(crate) answered: Answered,
    /// The quotation of the first source, whatever the confidence.
    pub(crate) quote: String,
    pub(crate) evidence: Value,
    /// The entries that were read, in the order of the ranking.
    pub(crate) readings: Value,
}

impl Player {
    /// Indexes the entries of a file.
    pub(crate) async fn load(file: &Path, embedder: Option<&Embedder>) -> Result<Self, Box<dyn Error>> {
        Self::new(crate::sets::lines::<EntryLine>(file)?, Language::English, embedder).await
    }

    /// Indexes `lines`, a wiki in `language`.
    pub(crate) async fn new(
        lines: Vec<EntryLine>,
        language: Language,
        embedder: Option<&Embedder>,
    ) -> Result<Self, Box<dyn Error>> {
        let runtime = Runtime::system();
        let scope = Scope { tenant: TenantId::generate(&runtime)?, mode: Mode::Test };
        let index = Arc::new(OpenSearchIndex::direct(Arc::new(OpenSearchSubset::default())));
        let entries =
            lines.into_iter().map(|line| entry(line).map(|entry| IndexedEntry::new(&Analyzer::new(language), &entry)));
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        let writes = entries.into_iter().map(|entry| async {
            let entry = with_vectors(embedder, entry).await;
            index.put(&scope, &entry).await
        });
        futures::future::join_all(writes).await.into_iter().collect::<Result<(), _>>()?;
        let engine = AnswerEngine {
            index,
            model: None,
            embedder: embedder.cloned(),
            runtime: runtime.clone(),
            model_timeout_ms: 0,
        };
        Ok(Self { engine, runtime, scope, language })
    }

    /// Asks as a widget or as anybody, after what was said before.
    pub(crate) async fn ask(&self, text: &str, history: &[Turn], widget: bool) -> Played {
        let question = Question {
            scope: &self.scope,
            text,
            history,
            language: self.language,
            synonyms: &[],
            visibility: if widget { VisibilityFilter::Only(Visibility::Public) } else { VisibilityFilter::All },
            threshold: 0.4,
            handover_note: None,
            deadline: self.runtime.now().plus_millis(DEADLINE_MS),
        };
        let found = self.engine.retrieve(&question).await;
        let evidence = evidence(&found);
        let any = Question { threshold: 0.0, ..question };
        let quote = self.engine.answer_from(&any, found.clone()).await.text;
        let readings = answer::read_nearest(&found, self.language).iter().map(reading).collect();
        Played { answered: self.engine.answer_from(&question, found).await, quote, evidence, readings }
    }
}

/// The turns of a question and its answer, as a session keeps them.
pub(crate) fn said(history: &mut Vec<Turn>, text: &str, answered: &Answered) {
    let number = u32::try_from(history.len()).unwrap_or(0) + 1;
    history.push(turn(number, text, TurnBody::Customer(CustomerTurn::default())));
    let answer = AiTurn { sources: answered.sources.clone(), ..AiTurn::new(answered.disposition, number) };
    history.push(turn(number + 1, &answered.text, TurnBody::Ai(Box::new(answer))));
}

fn turn(number: u32, content: &str, body: TurnBody) -> Turn {
    let message_id = MessageId::from_parts(Timestamp::default(), u128::from(number));
    Turn { message_id, number, content: content.to_owned(), created_at: Timestamp::default(), body }
}

fn evidence(found: &Found) -> Value {
    let Some((query, ranked)) = found.ranked() else { return Value::Null };
    let first = ranked.first().map(|first| {
        let e = first.evidence;
        json!({"x": e.x, "coverage": e.coverage, "missing": e.missing, "margin": e.margin, "nearness": e.nearness, "unknown_share": e.unknown_share,
            "words": e.words, "s": first.s, "cov": first.cov, "follow_up": first.follow_up.map(|f| json!({"alone": f.alone, "together": f.together,
                "topics": f.topics, "unknown": f.unknown}))})
    });
    json!({"terms": query.distinct, "first": first})
}

fn reading(reading: &Reading) -> Value {
    let s = reading.support;
    json!({"path": reading.path.as_str(), "name": reading.title, "quote": reading.quote, "page": reading.ranked.confidence, "lead": reading.lead, "unit": s.unit,
        "nearness": reading.ranked.evidence.nearness, "s": reading.ranked.s, "x": reading.ranked.evidence.x, "coverage": reading.ranked.evidence.coverage,
        "title": s.title, "own": s.own, "missing": s.missing, "unknown": s.unknown, "code": s.code, "unknown_code": s.unknown_code, "granted": s.granted, "yes_no": s.yes_no, "met": s.met, "unmet": s.unmet,
        "side": s.side, "precise": s.precise, "steps": s.steps, "no_steps": s.no_steps, "empty": s.empty, "words": reading.ranked.evidence.words, "follows": reading.ranked.follow_up.is_some()})
}

fn entry(line: EntryLine) -> Result<WikiEntry, Box<dyn Error>> {
    Ok(WikiEntry {
        path: WikiPath::parse(&line.path).map_err(|why| format!("{}: {why:?}", line.path))?,
        title: line.title,
        content: line.content,
        visibility: line.visibility.unwrap_or(Visibility::Public),
        tags: Vec::new(),
        version: 1,
        created_at: Timestamp::default(),
        updated_at: Timestamp::default(),
        created_by: String::new(),
        updated_by: String::new(),
        source: EntrySource::MANUAL,
        action: None,
    })
}
