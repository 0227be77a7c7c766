//! `POST /dry-runs`: what changes of the wiki would do to customers' questions. `/pins`: questions that every change of
//! the wiki is tried on.

use axum::extract::State;
use domain::error::{Detail, DetailCode};
use domain::models::{
    ChangeAction, Channel, DryRunChange, DryRunViewer, GapId, Pin, PinId, Scope, Timestamp, Visibility, WikiPath,
};
use domain::{Error, Result, limits};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::cursor::{self, CursorKeys, ListId};
use crate::edge::input::{
    choice, flag, id, integer, list_between, object, optional, or, parsed, required, text, within,
};
use crate::edge::{
    self, AllowanceIn, ApiResult, App, Created, CursorPageOut, Json, JsonIn, KnowledgeReader, NoContent, OnceIn,
    PathIn, QueryIn, Replayed, Waiting, WikiWriter,
};
use crate::knowledge::dry_run::{self, DryRun, DryRunItem, DryRunPage, DryRunPlace, QuestionSource};
use crate::sessions::conversation::ConversationService;
use crate::wiki::input::{CONTENT, TITLE, wiki_path};

const MAX_CHANGES: usize = 20;
const MAX_TEXTS: usize = 100;
const MAX_QUESTIONS: u32 = 100;
const MAX_DAYS: u32 = 90;
const ONE_SOURCE: &str = "name gapId, texts, pins, days, or path with days";
const CURSOR_CHARS: usize = 2_048;

edge::body! {
    /// A change of an entry, as it would be published.
    #[derive(Debug, Clone)]
    pub(crate) struct ProposedChange as "ProposedChange" {
        /// The entry.
        pub(crate) path: WikiPath = "path" => required(parsed(wiki_path)),
        /// The kind of change. An `update` names at least one of the other fields, a `create` title and content.
        pub(crate) action: ChangeAction = "action" => or(choice::<ChangeAction>(), ChangeAction::Update),
        /// The new title.
        pub(crate) title: Option<String> = "title" => optional(TITLE),
        /// The new text.
        pub(crate) content: Option<String> = "content" => optional(CONTENT),
        /// The new visibility; `internal` of a new entry without one.
        pub(crate) visibility: Option<Visibility> = "visibility" => optional(choice::<Visibility>()),
    }
}

edge::body! {
    /// Which questions are asked: `gapId`, `texts`, `pins`, `days`, or `path` with `days`.
    #[derive(Debug)]
    pub(crate) struct DryRunQuestionsIn as "DryRunQuestions" {
        /// The questions of a knowledge gap.
        gap_id: Option<GapId> = "gapId" => optional(id::<GapId>()),
        /// Those whose answer was made from this entry, newest answer first.
        path: Option<WikiPath> = "path" => optional(parsed(wiki_path)),
        /// Those of sessions that were opened in so many days, newest first.
        days: Option<u32> = "days" => optional(integer(1, MAX_DAYS)),
        /// These, each as the first message of a conversation.
        texts: Option<Vec<String>> = "texts" => optional(list_between(1, MAX_TEXTS, within(limits::MESSAGE))),
        /// The pinned ones, if true, oldest first.
        pins: bool = "pins" => or(flag(), false),
    }
}

edge::body! {
    /// Changes, and the questions that they are tried on.
    #[derive(Debug)]
    pub(crate) struct DryRunIn as "DryRunRequest" {
        /// Each of another entry.
        changes: Vec<ProposedChange> = "changes" => required(list_between(1, MAX_CHANGES, object::<ProposedChange>())),
        /// The questions to ask.
        questions: DryRunQuestionsIn = "questions" => required(object::<DryRunQuestionsIn>()),
        /// Where questions without a session are asked.
        viewer: DryRunViewer = "viewer" => or(choice::<DryRunViewer>(), DryRunViewer::Other),
        /// How many questions at most; without it 100, or as many as so large changes are tried on at once.
        limit: Option<u32> = "limit" => optional(integer(1, MAX_QUESTIONS)),
        /// `nextCursor` of the answer before, of the same changes and questions; empty for the first page.
        cursor: Option<String> = "cursor" => optional(text(0, CURSOR_CHARS)),
    }
}

impl DryRunIn {
    /// The run, and what its cursors are of.
    fn into_run(self, scope: &Scope, keys: CursorKeys) -> Result<(DryRun, ListId)> {
        let mut problems = change_problems(&self.changes);
        let questions = self.questions.into_source().unwrap_or_else(|problem| {
            problems.push(problem);
            QuestionSource::Texts(Vec::new())
        });
        let list = list_id(scope, &self.changes, &questions, self.viewer, keys);
        let from = self.cursor.filter(|text| !text.is_empty()).and_then(|text| {
            let place = cursor::decode::<DryRunPlace>(&list, &text);
            if place.is_none() {
                let wanted = "must be the nextCursor of an earlier response to the same changes and questions";
                problems.push(problem("cursor", DetailCode::InvalidFormat, wanted));
            }
            place
        });
        if !problems.is_empty() {
            return Err(Error::validation(problems));
        }
        let limit = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let channel = match self.viewer {
            DryRunViewer::Widget => Channel::Widget,
            DryRunViewer::Other => Channel::Other,
        };
        Ok((DryRun { changes: self.changes, questions, channel, limit, from }, list))
    }
}

/// The id of the list of a run: its changes, questions and viewer.
fn list_id(
    scope: &Scope,
    changes: &[ProposedChange],
    questions: &QuestionSource,
    viewer: DryRunViewer,
    keys: CursorKeys,
) -> ListId {
    let name = format!("{} {} /api/v1/dry-runs", scope.tenant, scope.mode);
    let filters = [Some(&*format!("{changes:?}")), Some(&*format!("{questions:?}")), Some(viewer.as_str())];
    ListId::new(&name, &filters, keys)
}

impl DryRunQuestionsIn {
    fn into_source(self) -> std::result::Result<QuestionSource, Detail> {
        match (self.gap_id, self.path, self.days, self.texts) {
            (None, None, None, None) if self.pins => Ok(QuestionSource::Pins),
            _ if self.pins => Err(problem("questions", DetailCode::ExactlyOne, ONE_SOURCE)),
            (Some(gap), None, None, None) => Ok(QuestionSource::Gap(gap)),
            (None, Some(path), Some(days), None) => Ok(QuestionSource::Entry { path, days }),
            (None, Some(_), None, None) => Err(problem("questions.days", DetailCode::Required, "is required")),
            (None, None, Some(days), None) => Ok(QuestionSource::Days(days)),
            (None, None, None, Some(texts)) => Ok(QuestionSource::Texts(texts)),
            _ => Err(problem("questions", DetailCode::ExactlyOne, ONE_SOURCE)),
        }
    }
}

/// The problems of changes beside the formats of their fields.
fn change_problems(changes: &[ProposedChange]) -> Vec<Detail> {
    let mut problems = Vec::new();
    for (at, change) in changes.iter().enumerate() {
        let field = |name: &str| format!("changes[{at}].{name}");
        if changes.iter().take(at).any(|earlier| earlier.path == change.path) {
            problems.push(problem(&field("path"), DetailCode::InvalidFormat, "must be of no earlier change"));
        }
        let has_nothing = change.title.is_none() && change.content.is_none() && change.visibility.is_none();
        match change.action {
            ChangeAction::Update if has_nothing => problems.push(problem(
                &format!("changes[{at}]"),
                DetailCode::NothingToChange,
                "name at least one of title, content, visibility",
            )),
            ChangeAction::Create => {
                let missing = [("title", change.title.is_none()), ("content", change.content.is_none())];
                let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing);
                problems.extend(missing.map(|(name, _)| problem(&field(name), DetailCode::Required, "is required")));
            }
            ChangeAction::Update | ChangeAction::Delete => {}
        }
    }
    problems
}

fn problem(field: &str, code: DetailCode, message: &'static str) -> Detail {
    Detail { field: Some(field.to_owned()), code, message: message.into() }
}

/// The effect of changes on questions.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DryRun")]
pub(crate) struct DryRunOut {
    /// The questions, those of sessions newest first.
    items: Vec<DryRunItem>,
    /// How many of `items` there are of each kind.
    counts: DryRunCounts,
    /// Where the next questions begin.
    next_cursor: Option<String>,
    /// There are more questions. A page may be short, or empty, and have more.
    has_more: bool,
    /// A language model answers customers: `disposition` is what the ranking says.
    relies_on_model: bool,
}

/// How many questions there are of each kind.
#[derive(Debug, Default, Serialize, JsonSchema)]
struct DryRunCounts {
    /// As before.
    same: usize,
    /// With an answer that they did not have.
    gained: usize,
    /// Without the answer that they had.
    lost: usize,
    /// Of which something else becomes.
    other: usize,
}

impl DryRunOut {
    fn new(page: DryRunPage, list: &ListId) -> Result<Self> {
        let next_cursor = page.next.map(|next| cursor::encode(list, &next)).transpose()?;
        let count = |change| page.items.iter().filter(|item| item.change == change).count();
        let counts = DryRunCounts {
            same: count(DryRunChange::Same),
            gained: count(DryRunChange::Gained),
            lost: count(DryRunChange::Lost),
            other: count(DryRunChange::Other),
        };
        let (has_more, relies_on_model) = (next_cursor.is_some(), page.relies_on_model);
        Ok(Self { items: page.items, counts, next_cursor, has_more, relies_on_model })
    }
}

edge::endpoint! {
    /// Try changes of the wiki on customers' questions.
    ///
    /// Each question is asked in its conversation as it stood, with and without the changes, by what answers customers; no
    /// language model is asked. Nothing is written, counted or told of; an `Idempotency-Key` is ignored. Those of sessions
    /// come newest first, as far as one call reads: a page may be short, or empty, with `hasMore: true`. All changes
    /// together fit into one body of 1 MiB. A run costs its questions × the KiB of the changed entries: at most 16,384 (413),
    /// and a token of the quota for each 64. A caller runs one at a time, and a tenant two (429).
    pub(crate) TryChanges = POST "/api/v1/dry-runs" => try_changes;
    rate_class: DryRun,
    errors: [NotFound, Conflict, PayloadTooLarge],
    example: {
        "changes": [{"path": "billing/refunds-abroad", "action": "create", "title": "Refunds abroad", "content": "A refund to a bank abroad takes ten days.", "visibility": "public"}],
        "questions": {"texts": ["How long does a refund to a bank abroad take?"]},
        "viewer": "widget",
    },
}

async fn try_changes(
    conversation: ConversationService,
    caller: KnowledgeReader,
    AllowanceIn(allowance): AllowanceIn,
    keys: CursorKeys,
    waiting: Waiting,
    JsonIn(body): JsonIn<DryRunIn>,
) -> ApiResult<Json<DryRunOut>> {
    let (run, list) = body.into_run(caller.scope(), keys)?;
    let page = dry_run::run(&conversation, &caller, &allowance, run, waiting.end()).await?;
    Ok(Json(DryRunOut::new(page, &list)?))
}

edge::query! {
    /// The filter of the pins.
    #[derive(Debug)]
    pub(crate) struct ListPinsQuery {
        /// Only those of this entry.
        path: Option<WikiPath> = "path" => edge::query::parsed(wiki_path),
    }
    cursor: from: PinId, list = (path.as_ref().map(WikiPath::as_str));
    limit: limit;
}

/// A question that an entry is to answer.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Pin")]
pub(crate) struct PinOut {
    /// Its id.
    pin_id: PinId,
    /// The entry.
    path: WikiPath,
    /// On one line, with personal data masked.
    question: String,
    /// The key or member that made it.
    created_by: String,
    /// When.
    created_at: Timestamp,
}

impl From<Pin> for PinOut {
    fn from(pin: Pin) -> Self {
        let Pin { pin_id, path, question, created_by, created_at } = pin;
        Self { pin_id, path, question, created_by, created_at }
    }
}

edge::endpoint! {
    /// List pinned questions.
    ///
    /// Oldest first. A page may be short, or empty, with `hasMore: true`.
    pub(crate) ListPins = GET "/api/v1/pins" => list_pins;
    rate_class: List,
    example_query: {"path": "billing/refunds", "limit": 10},
}

async fn list_pins(
    State(app): State<App>,
    caller: KnowledgeReader,
    QueryIn(query): QueryIn<ListPinsQuery>,
) -> ApiResult<Json<CursorPageOut<PinOut>>> {
    let ListPinsQuery { path, from, list, limit } = query;
    let page = app.store.pins().list(caller.scope(), path.as_ref(), from.as_ref(), limit).await?;
    Ok(Json(CursorPageOut::new(page, &list, PinOut::from)?))
}

edge::body! {
    /// A question to pin.
    #[derive(Debug)]
    pub(crate) struct NewPinIn as "NewPin" {
        /// The entry that is to answer it.
        path: WikiPath = "path" => required(parsed(wiki_path)),
        /// The question. It is kept on one line, with personal data masked.
        question: String = "question" => required(within(limits::PIN_QUESTION)),
    }
}

/// The stored result of a request that pinned a question.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MadePin {
    pin_id: PinId,
}

edge::endpoint! {
    /// Pin a question to an entry.
    ///
    /// `POST /dry-runs` tries changes on all pinned questions. They go with the revisions of a deleted entry. A tenant
    /// has at most 200 in each mode: 409 `CONFLICT`.
    pub(crate) CreatePin = POST "/api/v1/pins" => create_pin;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict],
    example: {"path": "billing/invoices", "question": "How long does a refund take?"},
}

async fn create_pin(
    State(app): State<App>,
    caller: WikiWriter,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewPinIn>>,
) -> ApiResult<Replayed<Created<PinOut>>> {
    let (scope, store) = (caller.scope(), &app.store);
    let work = async {
        store.wiki().get(scope, &body.path).await?.ok_or_else(|| Error::not_found("entry"))?;
        let (id, now) = (PinId::generate(&app.runtime)?, app.runtime.now());
        let pin = Pin::new(id, body.path.clone(), &body.question, caller.name(), now);
        let record = store.idempotency().completed(scope, request.as_ref(), MadePin { pin_id: pin.pin_id.clone() })?;
        store.pins().create(scope, &pin, record).await?;
        Result::Ok(pin)
    };
    let replay = async |before: MadePin| {
        store.pins().get(scope, &before.pin_id).await?.ok_or_else(|| Error::not_found("pinned question"))
    };
    let (pin, replayed) = store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Created(format!("/api/v1/pins/{}", pin.pin_id), pin.into())))
}

edge::endpoint! {
    /// Delete a pinned question.
    pub(crate) DeletePin = DELETE "/api/v1/pins/{id}" => delete_pin;
}

async fn delete_pin(State(app): State<App>, caller: WikiWriter, PathIn(id): PathIn<PinId>) -> ApiResult<NoContent> {
    if app.store.pins().delete(caller.scope(), &id).await? {
        return Ok(NoContent);
    }
    Err(Error::not_found("pinned question").into())
}
