//! `GET /wiki-answers`: which customers were told what an entry says.

use axum::extract::State;
use domain::error::DetailCode;
use domain::gaps::masked_question;
use domain::models::{MessageId, Ownership, Scope, Session, SessionId, Timestamp, WikiPath};
use domain::{Error, Result};
use futures::future::try_join_all;
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::words;
use crate::edge::{self, ApiResult, App, CursorPageOut, Json, KnowledgeReader, QueryIn};
use crate::sessions::conversation::classification::combined_question as as_one_question;
use crate::table::pages::CursorPage;
use crate::wiki::input::wiki_path;
use crate::wiki::table::answers::{AnswerFilter, AnswerPointer};

/// How often pointers are read for one page.
const MAX_ROUNDS: usize = 5;

/// Where the sessions of a list stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Open,
    Closed,
}

impl Standing {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

edge::query! {
    /// The filter of the answers.
    #[derive(Debug)]
    pub(crate) struct ListAnswersQuery {
        /// The entry; required.
        path: Option<WikiPath> = "path" => edge::query::parsed(wiki_path),
        /// Only answers made from this version of it.
        version: Option<u32> = "version" => edge::query::integer(1, u32::MAX),
        /// Only answers of sessions that are `open`, whoever answers them, or `closed`.
        standing: Option<Standing> = "ownership" => words(&[("open", Standing::Open), ("closed", Standing::Closed)]),
    }
    cursor: from: MessageId, list = (path.as_ref().map(WikiPath::as_str), version.map(|it| it.to_string()).as_deref(), standing.map(Standing::as_str));
    limit: limit;
}

/// A customer as the tenant knows them.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ToldCustomer")]
struct CustomerOut {
    /// The visitor, as the tenant names them; null for one without a name.
    external_user_id: Option<String>,
    /// The person's name; null where it is not known.
    name: Option<String>,
}

/// An answer that was made from an entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WikiAnswer")]
pub(crate) struct AnswerOut {
    /// Its session.
    session_id: SessionId,
    /// The message of the answer.
    message_id: MessageId,
    /// The customer's question, on one line, personal data masked, at most 500 characters.
    question: String,
    /// The answer to the customer; Markdown.
    answer: String,
    /// The version of the entry that the answer was made from.
    version: u64,
    /// How sure the answer was.
    #[schemars(range(min = 0, max = 1))]
    confidence: f64,
    /// When.
    created_at: Timestamp,
    /// Who answers the customer now.
    ownership: Ownership,
    /// The customer.
    customer: CustomerOut,
}

edge::endpoint! {
    /// List the answers that were made from an entry.
    ///
    /// Newest first, while their session is kept, also of an entry that is gone by now. An answer is there within two
    /// seconds. A page may be short, or empty, with `hasMore: true`.
    pub(crate) ListAnswers = GET "/api/v1/wiki-answers" => list_answers;
    rate_class: List,
    example_query: {"path": "billing/refunds", "ownership": "open", "limit": 10},
}

async fn list_answers(
    State(app): State<App>,
    caller: KnowledgeReader,
    QueryIn(query): QueryIn<ListAnswersQuery>,
) -> ApiResult<Json<CursorPageOut<AnswerOut>>> {
    let ListAnswersQuery { path, version, standing, from, list, limit } = query;
    let path = path.ok_or_else(|| Error::invalid("path", DetailCode::Required, "must be given"))?;
    let (wiki, scope) = (app.store.wiki(), caller.scope());
    let filter = AnswerFilter { path, version: version.map(u64::from) };
    let mut found = CursorPage { items: Vec::new(), next: from };
    for _ in 0..MAX_ROUNDS {
        let wanted = limit - found.items.len();
        let page = wiki.list_answer_pointers(scope, &filter, found.next.as_ref(), wanted).await?;
        found.next = page.next;
        let told = try_join_all(page.items.into_iter().map(|pointer| told(&app, scope, pointer, standing))).await?;
        found.items.extend(told.into_iter().flatten());
        if found.next.is_none() || found.items.len() == limit {
            break;
        }
    }
    Ok(Json(CursorPageOut::new(found, &list, std::convert::identity)?))
}

/// The answer that a customer got; none if the session is gone, or stands elsewhere.
async fn told(
    app: &App,
    scope: &Scope,
    pointer: AnswerPointer,
    standing: Option<Standing>,
) -> Result<Option<AnswerOut>> {
    let AnswerPointer { session_id, message_id, entry_version: version } = pointer;
    let (sessions, number) = (app.store.sessions(), message_id.turn_number());
    let (session, turn) =
        futures::try_join!(sessions.get(scope, &session_id), sessions.get_turn(scope, &session_id, number))?;
    let session = session.filter(|session| standing.is_none_or(|wanted| wanted == standing_of(session)));
    let (Some(session), Some(turn)) = (session, turn.filter(|turn| turn.message_id == message_id)) else {
        return Ok(None);
    };
    let asked = sessions.list_answered_by(scope, &session_id, &turn).await?;
    Ok(Some(AnswerOut {
        session_id,
        message_id,
        question: masked_question(&as_one_question(&asked)),
        confidence: turn.ai().map_or(0.0, |ai| ai.confidence),
        answer: turn.content,
        version,
        created_at: turn.created_at,
        ownership: session.ownership(),
        customer: CustomerOut {
            external_user_id: session.external_user_id,
            name: session.user.and_then(|user| user.name),
        },
    }))
}

fn standing_of(session: &Session) -> Standing {
    if session.closing().is_some() { Standing::Closed } else { Standing::Open }
}
