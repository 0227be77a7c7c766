//! Reads one entry, or a page of entries by their last change, without the index. Creates, changes and deletes entries,
//! and indexes a write before the response, so that its writer can search at once. Also the entries that a caller may
//! see, and an entry as a response.

use std::time::Duration;

use answer::search::{EntryFilter as IndexFilter, IndexedEntry, VisibilityFilter};
use axum::extract::State;
use domain::access::{Permission, Principal};
use domain::models::{EntryCard, Scope, Settings, Timestamp, Total, Visibility, WikiEntry, WikiPath};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::Serialize;
use text::Analyzer;

use crate::edge::table::RequestKey;
use crate::edge::{
    self, ApiResult, App, Created, IfMatch, Json, JsonIn, NoContent, OnceIn, PageOut, PathIn, Put, PutConditions,
    QueryIn, Replayed, Tagged, WikiReader, WikiWriter, etag, lacks, query,
};
use crate::requester::Requester;
use crate::table::Store;
use crate::wiki::indexing;
use crate::wiki::input::{EntryIn, EntryPatchIn, ListWikiQuery, NewEntryIn};
use crate::wiki::search::{self, HighlightOut};
use crate::wiki::table::lists::EntryFilter;
use crate::wiki::table::{CreatedEntry, DeletedEntry, NewEntry, PutOutcome};

edge::endpoint! {
    /// Read an entry.
    ///
    /// A widget reads public entries alone, as clean Markdown: without HTML, images and links of other schemes. With `version` it is that version, also of an entry that was deleted, as
    /// long as it is kept: a version that was replaced is there within two seconds, and is for admins, trainers and
    /// agents.
    pub(crate) GetEntry = GET "/api/v1/wiki/{*path}" => get_entry;
}

edge::query! {
    /// The version to read.
    #[derive(Debug)]
    pub(crate) struct GetEntryQuery {
        /// The version; without it the present one.
        version: Option<u32> = "version" => query::integer(1, u32::MAX),
    }
}

/// Answers `GET /wiki/:path`; what a caller may not see is answered like what never existed.
async fn get_entry(
    State(app): State<App>,
    caller: WikiReader,
    PathIn(path): PathIn<WikiPath>,
    QueryIn(GetEntryQuery { version }): QueryIn<GetEntryQuery>,
) -> ApiResult<Tagged<Json<EntryVersionOut>>> {
    if let Some(version) = version {
        return get_version(&app, &caller, &path, version.into()).await;
    }
    let entry_visibility = EntryVisibility::for_caller(&caller, None);
    let found = app.store.wiki().get(caller.scope(), &path).await?;
    let entry =
        found.filter(|entry| entry_visibility.allows(entry.visibility)).ok_or_else(|| Error::not_found("entry"))?;
    Ok(version_answer(entry, None, &caller))
}

async fn get_version(
    app: &App,
    caller: &Principal,
    path: &WikiPath,
    version: u64,
) -> ApiResult<Tagged<Json<EntryVersionOut>>> {
    if !Permission::ReadKnowledge.allows(caller) {
        return Err(lacks(Permission::ReadKnowledge).into());
    }
    let found = app.store.wiki().get_version(caller.scope(), path, version).await?;
    let (entry, current) = found.ok_or_else(|| Error::not_found("version of the entry"))?;
    Ok(version_answer(entry, Some(current), caller))
}

fn version_answer(entry: WikiEntry, current: Option<bool>, caller: &Principal) -> Tagged<Json<EntryVersionOut>> {
    let etag = etag(entry.version);
    let entry = for_caller(EntryOut::new(entry, Viewer::of(caller)), caller);
    Tagged { etag, answer: Json(EntryVersionOut { entry, current }) }
}

edge::endpoint! {
    /// List or search entries of the wiki.
    ///
    /// With `q` full text over title, content, path and tags. A widget sees public entries alone.
    pub(crate) ListEntries = GET "/api/v1/wiki" => list_entries;
    rate_class: List,
    example_query: {"q": "refund", "visibility": "public", "pathPrefix": "billing/", "limit": 10},
}

/// Answers `GET /wiki`, with `q` by the index and without it by the table.
async fn list_entries(
    State(app): State<App>,
    caller: WikiReader,
    QueryIn(query): QueryIn<ListWikiQuery>,
) -> ApiResult<Json<EntryListOut>> {
    let entry_visibility = EntryVisibility::for_caller(&caller, query.visibility);
    let (items, total) = match &query.q {
        _ if entry_visibility == EntryVisibility::Nothing => (Vec::new(), Total::of(0, true)),
        Some(q) => search::search_entries(&app, &caller, entry_visibility, q, &query).await?,
        None => newest(&app, &caller, entry_visibility, &query).await?,
    };
    let items = items.into_iter().map(|item| item.for_caller(&caller)).collect();
    Ok(Json(EntryListOut { page: PageOut::new(items, query.page, query.limit, total), query: query.q }))
}

async fn newest(
    app: &App,
    caller: &Principal,
    entry_visibility: EntryVisibility,
    query: &ListWikiQuery,
) -> Result<(Vec<EntryItemOut>, Total)> {
    let visibility = match entry_visibility {
        EntryVisibility::Only(visibility) => Some(visibility),
        EntryVisibility::Everything | EntryVisibility::Nothing => None,
    };
    let filter = EntryFilter {
        visibility,
        tag: query.tag.clone(),
        path_prefix: query.path_prefix.clone().map(|beginning| beginning.0),
    };
    let page = app.store.wiki().list(caller.scope(), &filter, query.offset(), query.limit).await?;
    let total = match search::index_filter(entry_visibility, query) {
        Some(filter) if !page.is_counted => total_of_index(app, caller, &filter, page.total).await,
        _ => page.total,
    };
    Ok((page.cards.into_iter().map(|card| EntryItemOut::new(card, Viewer::of(caller))).collect(), total))
}

/// The total as the index knows it, which is a second behind; what the table counted if the index does not answer, or
/// knows of fewer.
async fn total_of_index(app: &App, caller: &Principal, filter: &IndexFilter, counted: Total) -> Total {
    let count = async { app.index()?.count(caller.scope(), filter).await };
    match count.await {
        Ok(count) if count > counted.count => Total::of(count, true),
        Ok(_) => counted,
        Err(error) => {
            tracing::warn!(error = %error, "the index did not count the entries of a list; its total is capped");
            counted
        }
    }
}

edge::endpoint! {
    /// Create an entry.
    ///
    /// It is searchable within two seconds. A path that was deleted may be created again and continues its version.
    pub(crate) CreateEntry = POST "/api/v1/wiki" => create_entry;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"path": "billing/invoices", "title": "Invoices", "content": "Invoices come on the first.", "visibility": "public"},
}

/// Answers `POST /wiki`.
pub(crate) async fn create_entry(
    State(app): State<App>,
    caller: WikiWriter,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewEntryIn>>,
) -> ApiResult<Replayed<Tagged<Created<EntryOut>>>> {
    let (scope, new) = (caller.scope(), body.written_by(caller.name()));
    let store = Requester::Caller(&caller).acting(&app.store);
    let work = create_and_index(&app, &store, scope, new.clone(), request.as_ref());
    let replay = async |created: CreatedEntry| {
        let there = app.store.wiki().get(scope, &new.path).await?;
        let made = new.clone().created(&created);
        // Another entry may have the path by now.
        let is_there = there.is_some_and(|there| there.created_at == made.created_at);
        if is_there { Ok(made) } else { Err(Error::not_found("entry")) }
    };
    let (entry, replayed) = app.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    let location = format!("/api/v1/wiki/{}", entry.path);
    let etag = etag(entry.version);
    let answer = Created(location, EntryOut::new(entry, Viewer::of(&caller)));
    Ok(Replayed(replayed, Tagged { etag, answer }))
}

async fn create_and_index(
    app: &App,
    store: &Store,
    scope: &Scope,
    new: NewEntry,
    request: Option<&RequestKey>,
) -> Result<WikiEntry> {
    let (wiki, settings) = (store.wiki(), store.settings());
    let (created, settings) = tokio::join!(wiki.create_once(scope, new, request), settings.get(scope));
    let entry = created?;
    entry_written(app, scope, &entry, settings).await;
    Ok(entry)
}

edge::endpoint! {
    /// Make or replace an entry.
    ///
    /// The same title, content, visibility and tags change nothing: no new version, and no event. A path that was deleted
    /// continues its version. An entry that is replaced counts as written by hand.
    pub(crate) PutEntry = PUT "/api/v1/wiki/{*path}" => put_entry;
    errors: [Conflict],
    example: {"title": "Invoices", "content": "Invoices come on the first.", "visibility": "public"},
}

/// Answers `PUT /wiki/:path`.
async fn put_entry(
    State(app): State<App>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    conditions: PutConditions,
    JsonIn(body): JsonIn<EntryIn>,
) -> ApiResult<Tagged<Put<EntryOut>>> {
    let scope = caller.scope();
    let store = Requester::Caller(&caller).acting(&app.store);
    let (wiki, settings) = (store.wiki(), store.settings());
    let new = body.at(path, caller.name());
    let putting = wiki.put(scope, &new, |there| conditions.check(there.map(|entry| entry.version)).map(|()| true));
    let (put, settings) = tokio::join!(putting, settings.get(scope));
    let outcome = put?;
    if let PutOutcome::Created(entry) | PutOutcome::Updated(entry) = &outcome {
        entry_written(&app, scope, entry, settings).await;
    }
    let (is_new, entry) = match outcome {
        PutOutcome::Created(entry) => (true, entry),
        PutOutcome::Updated(entry) | PutOutcome::Unchanged(entry) | PutOutcome::Kept(entry) => (false, entry),
    };
    let (etag, location) = (etag(entry.version), format!("/api/v1/wiki/{}", entry.path));
    let entry = EntryOut::new(entry, Viewer::of(&caller));
    let answer = if is_new { Put::Made(Created(location, entry)) } else { Put::There(entry) };
    Ok(Tagged { etag, answer })
}

edge::endpoint! {
    /// Change an entry.
    ///
    /// A change to the current values changes nothing: no new version, and no event.
    pub(crate) UpdateEntry = PATCH "/api/v1/wiki/{*path}" => update_entry;
    errors: [Conflict],
    example: {"title": "Refunds and returns", "tags": ["billing"]},
}

/// Answers `PATCH /wiki/:path`.
async fn update_entry(
    State(app): State<App>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    if_match: IfMatch,
    JsonIn(patch): JsonIn<EntryPatchIn>,
) -> ApiResult<Tagged<Json<EntryOut>>> {
    let (scope, author) = (caller.scope(), caller.name());
    let store = Requester::Caller(&caller).acting(&app.store);
    let (wiki, settings) = (store.wiki(), store.settings());
    let updating = wiki.update(scope, &path, |entry| {
        if_match.check(entry.version)?;
        Ok(patch.apply_to(entry, &author))
    });
    let (updated, settings) = tokio::join!(updating, settings.get(scope));
    let updated = updated?;
    if updated.changed {
        entry_written(&app, scope, &updated.entry, settings).await;
    }
    let etag = etag(updated.entry.version);
    Ok(Tagged { etag, answer: Json(EntryOut::new(updated.entry, Viewer::of(&caller))) })
}

edge::endpoint! {
    /// Delete an entry.
    ///
    /// Again, it is 404.
    pub(crate) DeleteEntry = DELETE "/api/v1/wiki/{*path}" => delete_entry;
    errors: [Conflict],
}

/// Handles `DELETE /wiki/:path`. `If-Match` works as with `PATCH`.
async fn delete_entry(
    State(app): State<App>,
    caller: WikiWriter,
    PathIn(path): PathIn<WikiPath>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let scope = caller.scope();
    let deleted = app.store.wiki().delete(scope, &path, &caller.name(), |entry| if_match.check(entry.version)).await?;
    entry_deleted(&app, scope, &path, &deleted).await;
    Ok(NoContent)
}

/// The entries that a caller may see, of those it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryVisibility {
    Everything,
    /// Those of one visibility.
    Only(Visibility),
    /// None: a widget asked for internal entries, of which it learns nothing.
    Nothing,
}

impl EntryVisibility {
    /// The visibilities that `caller` sees when it asks for entries of the visibility `asked`, or of any.
    fn for_caller(caller: &Principal, asked: Option<Visibility>) -> Self {
        match (caller.widget(), asked) {
            (Some(_), Some(Visibility::Internal)) => Self::Nothing,
            (Some(_), _) => Self::Only(Visibility::Public),
            (None, Some(visibility)) => Self::Only(visibility),
            (None, None) => Self::Everything,
        }
    }

    /// The same for the index; nothing if none may be seen.
    pub(crate) const fn index_filter(self) -> Option<VisibilityFilter> {
        match self {
            Self::Everything => Some(VisibilityFilter::All),
            Self::Only(visibility) => Some(VisibilityFilter::Only(visibility)),
            Self::Nothing => None,
        }
    }

    /// Whether an entry of this visibility is one of them.
    pub(crate) fn allows(self, visibility: Visibility) -> bool {
        match self {
            Self::Everything => true,
            Self::Only(only) => only == visibility,
            Self::Nothing => false,
        }
    }
}

/// An entry in a list: the beginning of its content, and for a search where it matched.
#[serde_with::skip_serializing_none]
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EntryItem")]
pub(crate) struct EntryItemOut {
    #[serde(flatten)]
    entry: EntryOut,
    /// The content goes on.
    content_truncated: bool,
    /// How well it matches, only in a search.
    score: Option<f64>,
    /// Where it matches, only in a search.
    highlights: Option<Vec<HighlightOut>>,
}

impl EntryItemOut {
    /// The item as `caller` may read it.
    fn for_caller(self, caller: &Principal) -> Self {
        let is_widget = caller.widget().is_some();
        Self { entry: if is_widget { self.entry.with_clean_excerpt() } else { self.entry }, ..self }
    }

    /// The item as `viewer` may see it.
    pub(crate) fn new(card: EntryCard, viewer: Viewer) -> Self {
        let content_truncated = card.content_truncated;
        Self { entry: EntryOut::of_list(card, viewer), content_truncated, score: None, highlights: None }
    }

    /// The item of a search's hit.
    pub(crate) fn hit(card: EntryCard, viewer: Viewer, score: f64, highlights: Vec<HighlightOut>) -> Self {
        Self { score: Some(score), highlights: Some(highlights), ..Self::new(card, viewer) }
    }
}

/// An entry as `caller` may read it: a widget shows it to customers, so it gets it clean.
fn for_caller(entry: EntryOut, caller: &Principal) -> EntryOut {
    if caller.widget().is_some() { entry.with_clean_content() } else { entry }
}

/// An entry, or an old version of one.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EntryVersion")]
pub(crate) struct EntryVersionOut {
    #[serde(flatten)]
    pub(crate) entry: EntryOut,
    /// Whether the path holds this version now; only where a version was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) current: Option<bool>,
}

/// A page of entries, and the question it answers.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EntryList")]
pub(crate) struct EntryListOut {
    #[serde(flatten)]
    pub(crate) page: PageOut<EntryItemOut>,
    /// `q`, as it was asked; null without one.
    pub(crate) query: Option<String>,
}

/// How long a write waits for the index, in milliseconds.
const INDEX_TIMEOUT_MS: i64 = 3_000;

/// Indexes an entry that was just written. `settings` say in which language; they are read while the write runs.
pub(crate) async fn entry_written(app: &App, scope: &Scope, entry: &WikiEntry, settings: Result<Settings>) {
    index_until(app, scope, entry, settings, index_end(app)).await;
}

/// The same for one of several entries, which wait for the index until `end` together.
pub(crate) async fn index_until(
    app: &App,
    scope: &Scope,
    entry: &WikiEntry,
    settings: Result<Settings>,
    end: Timestamp,
) {
    let attempt = async {
        let analyzer = Analyzer::new(settings?.language);
        app.index()?.put(scope, &IndexedEntry::new(&analyzer, entry)).await
    };
    schedule_if_failed(app, scope, &entry.path, entry.version, within(app, attempt, end).await).await;
}

/// Takes an entry that was just deleted out of the index.
pub(crate) async fn entry_deleted(app: &App, scope: &Scope, path: &WikiPath, deleted: &DeletedEntry) {
    let attempt = async { app.index()?.delete(scope, path, deleted.version, deleted.at).await };
    schedule_if_failed(app, scope, path, deleted.version, within(app, attempt, index_end(app)).await).await;
}

/// Until when a write that begins now waits for the index.
pub(crate) fn index_end(app: &App) -> Timestamp {
    app.runtime.now().plus_millis(INDEX_TIMEOUT_MS)
}

async fn within(app: &App, attempt: impl Future<Output = Result<()>>, end: Timestamp) -> Result<()> {
    let left = end.as_millis() - app.runtime.now().as_millis();
    tokio::time::timeout(Duration::from_millis(u64::try_from(left).unwrap_or(0)), attempt)
        .await
        .unwrap_or_else(|_| Err(Error::unavailable("the index timed out")))
}

/// Marks a path as pending if indexing failed, so that it is retried.
///
/// The write itself has committed: if the index or the read of the language fails, that is logged, and the response
/// does not change.
async fn schedule_if_failed(app: &App, scope: &Scope, path: &WikiPath, version: u64, outcome: Result<()>) {
    let Err(error) = outcome else { return };
    tracing::warn!(entry.path = %path, entry.version = version, error = %error, "stored an entry but failed to index it; the sweeper retries");
    if let Err(error) = indexing::schedule_indexing(app, scope, path, version).await {
        tracing::error!(entry.path = %path, entry.version = version, error = %error, "failed to schedule the indexing of an entry; the change stream schedules it again");
    }
}
