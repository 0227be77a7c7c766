//! `/drafts`: proposed changes of the wiki. An agent proposes; trainers and admins change every draft. `POST
//! /drafts/:draftId/publish` makes one so, and `POST /analytics/kb-gaps/:gapId/draft` makes one of what people answered
//! by hand.

pub mod table;

use axum::extract::State;
use domain::access::{Permission, Principal};
use domain::error::{Code, DetailCode};
use domain::models::{ChangeAction, Draft, DraftId, DraftStatus, GapId, Timestamp, Visibility, WikiEntry, WikiPath};
use domain::wire::{DraftOut, EntryOut, Viewer};
use domain::{Error, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::edge::input::{
    AtLeastOne, Change, choice, clearable, id, integer, optional, or, parsed, replaceable, required,
};
use crate::edge::query::Parameter;
use crate::edge::{
    self, ApiResult, App, Created, CursorPageOut, IfMatch, Json, JsonIn, KnowledgeReader, NoBody, NoContent, OnceIn,
    PathIn, Proposer, QueryIn, Replayed, Tagged, WikiWriter, etag, lacks,
};
use crate::knowledge::drafts::table::{DraftFilter, Publication, PublishedDraft, draft_closed};
use crate::knowledge::gaps::{free_path, material};
use crate::requester::Requester;
use crate::wiki::api;
use crate::wiki::input::{CONTENT, TAG_LIST, TITLE, wiki_path};
use crate::wiki::revisions::replayed;
use crate::wiki::table::WikiRecord;

/// The largest content that is kept with the record of a request, in bytes.
const MAX_KEPT_BYTES: usize = 200 * 1024;

edge::query! {
    /// The filter of the drafts.
    #[derive(Debug)]
    pub(crate) struct ListDraftsQuery {
        /// Their status.
        status: DraftStatus = "status" => choice::<DraftStatus>().or(DraftStatus::Open),
        /// Only those of this path.
        path: Option<WikiPath> = "path" => edge::query::parsed(wiki_path),
    }
    cursor: from: DraftId, list = (Some(status.as_str()), path.as_ref().map(WikiPath::as_str));
    limit: limit;
}

edge::endpoint! {
    /// List drafts.
    ///
    /// Newest first. Published and discarded ones are kept for 30 days. A page may be short, or empty, with
    /// `hasMore: true`.
    pub(crate) ListDrafts = GET "/api/v1/drafts" => list_drafts;
    rate_class: List,
    example_query: {"status": "open", "limit": 10},
}

async fn list_drafts(
    State(app): State<App>,
    caller: KnowledgeReader,
    QueryIn(query): QueryIn<ListDraftsQuery>,
) -> ApiResult<Json<CursorPageOut<DraftOut>>> {
    let ListDraftsQuery { status, path, from, list, limit } = query;
    let filter = DraftFilter { status, path };
    let page = app.store.drafts().list(caller.scope(), &filter, from.as_ref(), limit).await?;
    Ok(Json(CursorPageOut::new(page, &list, DraftOut::from)?))
}

edge::endpoint! {
    /// Read a draft.
    pub(crate) GetDraft = GET "/api/v1/drafts/{id}" => get_draft;
}

async fn get_draft(
    State(app): State<App>,
    caller: KnowledgeReader,
    PathIn(id): PathIn<DraftId>,
) -> ApiResult<Tagged<Json<DraftOut>>> {
    Ok(tagged(find(&app, &caller, &id).await?))
}

pub(crate) async fn find(app: &App, caller: &Principal, id: &DraftId) -> Result<Draft> {
    app.store.drafts().get(caller.scope(), id).await?.ok_or_else(|| Error::not_found("draft"))
}

fn tagged(draft: Draft) -> Tagged<Json<DraftOut>> {
    Tagged { etag: etag(draft.version), answer: Json(draft.into()) }
}

edge::body! {
    /// A proposed change of the wiki.
    #[derive(Debug, Clone)]
    pub(crate) struct NewDraftIn as "NewDraft" {
        /// The entry's path.
        path: WikiPath = "path" => required(parsed(wiki_path)),
        /// The proposed kind of change. `create` needs a title and a content; what `update` leaves out is as in
        /// the entry.
        action: ChangeAction = "action" => or(choice::<ChangeAction>(), ChangeAction::Update),
        /// The entry's title.
        title: Option<String> = "title" => optional(TITLE),
        /// The entry's text, Markdown or plain.
        content: Option<String> = "content" => optional(CONTENT),
        /// Who may read the entry; `internal` for a new one.
        visibility: Option<Visibility> = "visibility" => optional(choice::<Visibility>()),
        /// Words to find the entry by; each is kept once.
        tags: Option<Vec<String>> = "tags" => optional(TAG_LIST),
        /// The version of the entry that is changed: at most the present one, which it is without this.
        base_version: Option<u32> = "baseVersion" => optional(integer(1, u32::MAX)),
        /// The gap that it closes.
        gap_id: Option<GapId> = "gapId" => optional(id::<GapId>()),
    }
}

/// The stored result of a request that made a draft: the draft, and the answer if it is small and quotes nobody.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MadeDraft {
    draft_id: DraftId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<DraftOut>,
}

impl MadeDraft {
    pub(crate) fn of(draft: &Draft) -> Self {
        let is_small = draft.content.as_ref().is_none_or(|content| content.len() <= MAX_KEPT_BYTES);
        let answer = (is_small && draft.quotes.is_empty()).then(|| DraftOut::from(draft.clone()));
        Self { draft_id: draft.draft_id.clone(), answer }
    }

    /// The answer to the request when it comes again.
    pub(crate) async fn replay(self, app: &App, caller: &Principal) -> Result<DraftOut> {
        let there = find(app, caller, &self.draft_id).await?;
        Ok(self.answer.unwrap_or_else(|| there.into()))
    }
}

/// The answer to a request that made a draft.
pub(crate) fn made(draft: DraftOut, replayed: bool) -> Replayed<Tagged<Created<DraftOut>>> {
    let Draft { draft_id, version, .. } = draft.draft();
    let (location, etag) = (format!("/api/v1/drafts/{draft_id}"), etag(*version));
    Replayed(replayed, Tagged { etag, answer: Created(location, draft) })
}

edge::endpoint! {
    /// Propose a change of the wiki.
    ///
    /// A draft grounds no answer, and no search finds it. A tenant has at most 1,000 open ones in each mode. `create` for
    /// a path that has an entry is 409 `CONFLICT`, as is a `baseVersion` that is still to come; the others need an entry.
    /// 409 `INVALID_STATE` for a field that a draft of its action does not have.
    pub(crate) CreateDraft = POST "/api/v1/drafts" => create_draft;
    supports: [IdempotencyKey],
    errors: [NotFound, Conflict, InvalidState],
    example: {"path": "billing/invoices", "action": "create", "title": "Invoices", "content": "Invoices come on the first."},
}

async fn create_draft(
    State(app): State<App>,
    caller: Proposer,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<NewDraftIn>>,
) -> ApiResult<Replayed<Tagged<Created<DraftOut>>>> {
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let work = async {
        let held = app.store.wiki().get(scope, &body.path).await?;
        if let Some(gap) = &body.gap_id {
            app.store.gaps().get(scope, gap).await?.ok_or_else(|| Error::not_found("knowledge gap"))?;
        }
        let (id, now) = (DraftId::generate(&app.runtime)?, app.runtime.now());
        let draft = body.proposed(held.as_ref(), (id, now), caller.name())?;
        let record = requests.completed(scope, request.as_ref(), MadeDraft::of(&draft))?;
        app.store.drafts().create(scope, &draft, record).await?;
        Ok(DraftOut::from(draft))
    };
    let replay = async |before: MadeDraft| before.replay(&app, &caller).await;
    let (draft, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    Ok(made(draft, replayed))
}

impl NewDraftIn {
    /// Whether it names only what a draft of its action has.
    fn fits_action(&self) -> bool {
        let names_text = self.title.is_some() || self.content.is_some();
        match self.action {
            ChangeAction::Create => self.base_version.is_none(),
            ChangeAction::Update => true,
            ChangeAction::Delete => !(names_text || self.visibility.is_some() || self.tags.is_some()),
        }
    }

    /// The draft for a path that holds `entry`.
    fn proposed(&self, entry: Option<&WikiEntry>, (draft_id, now): (DraftId, Timestamp), by: String) -> Result<Draft> {
        if !self.fits_action() {
            return Err(foreign_field());
        }
        let mut draft =
            Draft { gap_id: self.gap_id.clone(), ..Draft::new(draft_id, self.path.clone(), self.action, by, now) };
        match (self.action, entry) {
            (ChangeAction::Create, Some(entry)) => return Err(current_version(entry.version)),
            (ChangeAction::Create, None) => self.fill_new(&mut draft)?,
            (ChangeAction::Update | ChangeAction::Delete, None) => return Err(Error::not_found("entry")),
            (ChangeAction::Update, Some(entry)) => {
                draft.base_version = Some(base(self.base_version, entry.version)?);
                draft.title = Some(self.title.clone().unwrap_or_else(|| entry.title.clone()));
                draft.content = Some(self.content.clone().unwrap_or_else(|| entry.content.clone()));
                draft.visibility = Some(self.visibility.unwrap_or(entry.visibility));
                draft.tags = self.tags.clone().unwrap_or_else(|| entry.tags.clone());
            }
            (ChangeAction::Delete, Some(entry)) => draft.base_version = Some(base(self.base_version, entry.version)?),
        }
        Ok(draft)
    }

    /// A new entry has a text.
    fn fill_new(&self, draft: &mut Draft) -> Result<()> {
        let missing = [("title", &self.title), ("content", &self.content)].into_iter().find(|(_, text)| text.is_none());
        if let Some((field, _)) = missing {
            return Err(Error::invalid(field, DetailCode::Required, "must be given for a new entry"));
        }
        draft.title.clone_from(&self.title);
        draft.content.clone_from(&self.content);
        draft.visibility = Some(self.visibility.unwrap_or(Visibility::Internal));
        draft.tags = self.tags.clone().unwrap_or_default();
        Ok(())
    }
}

/// The version that a draft changes, by what its author names.
fn base(named: Option<u32>, current: u64) -> Result<u64> {
    let named = named.map_or(current, u64::from);
    if named <= current { Ok(named) } else { Err(current_version(current)) }
}

/// 409 if the entry is at another version than a draft needs.
fn current_version(version: u64) -> Error {
    crate::wiki::table::revisions::entry_moved_on("baseVersion", version)
}

edge::body! {
    /// A change of a draft: at least one field; what is absent stays, and `null` clears the tags.
    #[derive(Debug)]
    pub(crate) struct DraftPatch as "DraftPatch" {
        /// The path, of a new entry alone.
        path: Option<WikiPath> = "path" => replaceable(parsed(wiki_path)),
        /// The entry's title.
        title: Option<String> = "title" => replaceable(TITLE),
        /// The entry's text, Markdown or plain.
        content: Option<String> = "content" => replaceable(CONTENT),
        /// Who may read the entry.
        visibility: Option<Visibility> = "visibility" => replaceable(choice::<Visibility>()),
        /// Words to find the entry by, in the place of the old ones; each is kept once.
        tags: Change<Vec<String>> = "tags" => clearable(TAG_LIST),
        /// The version of the entry that it changes now, after its author looked at what others changed.
        base_version: Option<u32> = "baseVersion" => replaceable(integer(1, u32::MAX)),
    }
    rules: [AtLeastOne]
}

impl DraftPatch {
    /// The draft after the change, while its path is at version `current`; none if that is the same.
    fn apply(&self, old: &Draft, current: u64, now: Timestamp) -> Result<Option<Draft>> {
        let is_new = old.action == ChangeAction::Create;
        let has_text = old.action != ChangeAction::Delete;
        let names_text = self.title.is_some() || self.content.is_some() || self.visibility.is_some();
        let is_allowed = (is_new || self.path.is_none())
            && (has_text || !(names_text || self.tags != Change::Keep))
            && (!is_new || self.base_version.is_none());
        if !is_allowed {
            return Err(foreign_field());
        }
        let new = Draft {
            path: self.path.clone().unwrap_or_else(|| old.path.clone()),
            title: self.title.clone().or_else(|| old.title.clone()),
            content: self.content.clone().or_else(|| old.content.clone()),
            visibility: self.visibility.or(old.visibility),
            tags: self.tags.clone().of(Some(old.tags.clone())).unwrap_or_default(),
            base_version: self
                .base_version
                .map_or(Ok(old.base_version), |named| base(Some(named), current).map(Some))?,
            ..old.clone()
        };
        let new = new.with_present_quotes();
        Ok((new != *old).then_some(Draft { updated_at: now, ..new }))
    }
}

/// Refuses who may not change a draft, and a draft that cannot be changed any more.
fn check(caller: &Principal, draft: &Draft, if_match: &IfMatch) -> Result<()> {
    if draft.created_by != caller.name() && !Permission::WriteWiki.allows(caller) {
        return Err(lacks(Permission::WriteWiki));
    }
    if_match.check(draft.version)
}

fn foreign_field() -> Error {
    Error::new(Code::InvalidState, "A draft of this action does not have one of these fields.")
}

edge::endpoint! {
    /// Change a draft.
    ///
    /// An agent changes its own ones. A change to the current values changes nothing. 409 `INVALID_STATE` for one that is
    /// not open, and for a field that a draft of its action does not have; 409 `CONFLICT` for a `baseVersion` that is
    /// still to come. One with a `gapId` needs `If-Match` with the version that was read, so that nobody writes back what
    /// was erased from it: 400 without it.
    pub(crate) UpdateDraft = PATCH "/api/v1/drafts/{id}" => update_draft;
    errors: [Conflict, InvalidState],
    example: {"title": "Invoices and receipts"},
}

async fn update_draft(
    State(app): State<App>,
    caller: Proposer,
    PathIn(id): PathIn<DraftId>,
    if_match: IfMatch,
    JsonIn(patch): JsonIn<DraftPatch>,
) -> ApiResult<Tagged<Json<DraftOut>>> {
    let (now, mut current) = (app.runtime.now(), 0);
    if patch.base_version.is_some() {
        // Only the path of a new entry changes, which has no base version. A deletion counts as a version.
        let path = find(&app, &caller, &id).await?.path;
        let held = app.store.wiki().get_record(caller.scope(), &path).await?;
        current = held.map_or(0, |held| held.version());
    }
    let decide = |old: &Draft| {
        check(&caller, old, &if_match)?;
        if old.status != DraftStatus::Open {
            return Err(draft_closed());
        }
        if old.gap_id.is_some() && !matches!(if_match, IfMatch::OneOf(_)) {
            return Err(Error::invalid("If-Match", DetailCode::Required, "must name the version that was read"));
        }
        patch.apply(old, current, now)
    };
    Ok(tagged(app.store.drafts().update(caller.scope(), &id, decide).await?))
}

edge::endpoint! {
    /// Discard a draft.
    ///
    /// It is kept for 30 days. An agent discards its own ones. Again, nothing changes; one that is published is 409
    /// `INVALID_STATE`.
    pub(crate) DiscardDraft = DELETE "/api/v1/drafts/{id}" => discard_draft;
    errors: [InvalidState],
}

async fn discard_draft(
    State(app): State<App>,
    caller: Proposer,
    PathIn(id): PathIn<DraftId>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let now = app.runtime.now();
    let decide = |old: &Draft| {
        check(&caller, old, &if_match)?;
        match old.status {
            DraftStatus::Open => Ok(Some(Draft { status: DraftStatus::Discarded, updated_at: now, ..old.clone() })),
            DraftStatus::Discarded => Ok(None),
            DraftStatus::Published => Err(draft_closed()),
        }
    };
    app.store.drafts().update(caller.scope(), &id, decide).await?;
    Ok(NoContent)
}

edge::endpoint! {
    /// Make a draft of a gap.
    ///
    /// It proposes a new internal entry beside the nearest one. It quotes what people wrote to the customers who asked,
    /// and their questions, all masked, and never notes. What it quotes of a session goes with the session.
    pub(crate) DraftGap = POST "/api/v1/analytics/kb-gaps/{id}/draft" => draft_gap;
    supports: [IdempotencyKey],
    errors: [Conflict],
}

async fn draft_gap(
    State(app): State<App>,
    caller: Proposer,
    PathIn(id): PathIn<GapId>,
    OnceIn(request, NoBody): OnceIn<NoBody>,
) -> ApiResult<Replayed<Tagged<Created<DraftOut>>>> {
    let (scope, store) = (caller.scope(), &app.store);
    let work = async {
        let known = material(store, scope, &id).await?.ok_or_else(|| Error::not_found("knowledge gap"))?;
        let path = free_path(store, scope, &known.gap).await?;
        let draft = known.draft(path, DraftId::generate(&app.runtime)?, caller.name(), app.runtime.now());
        let record = store.idempotency().completed(scope, request.as_ref(), MadeDraft::of(&draft))?;
        store.drafts().create(scope, &draft, record).await?;
        Result::Ok(DraftOut::from(draft))
    };
    let replay = async |before: MadeDraft| before.replay(&app, &caller).await;
    let (draft, replayed) = store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(made(draft, replayed))
}

edge::body! {
    /// Which draft is published: as its publisher read it.
    #[derive(Debug)]
    pub(crate) struct PublicationIn as "Publication" {
        /// The version of the draft; 412 where it is another one by now.
        version: u32 = "version" => required(integer(1, u32::MAX)),
        /// Who may read the entry. It must be named where that changes: 400 without it.
        visibility: Option<Visibility> = "visibility" => optional(choice::<Visibility>()),
    }
}

/// A published draft, and its entry.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PublishedDraft")]
pub(crate) struct PublishedDraftOut {
    /// The draft.
    draft: DraftOut,
    /// The entry as it is now; null after a deletion.
    entry: Option<EntryOut>,
}

impl PublishedDraftOut {
    fn new(draft: Draft, entry: Option<WikiEntry>, caller: &WikiWriter) -> Self {
        Self { draft: draft.into(), entry: entry.map(|entry| EntryOut::new(entry, Viewer::of(caller))) }
    }
}

edge::endpoint! {
    /// Publish a draft.
    ///
    /// The entry becomes what it proposes, in one step with the draft. 409 `CONFLICT` with the current version where the
    /// entry has another version than `baseVersion`, is gone, or is there already: then a PATCH of the draft names the
    /// version that was looked at. 409 `INVALID_STATE` for a draft that is not open or has no text.
    pub(crate) PublishDraft = POST "/api/v1/drafts/{id}/publish" => publish_draft;
    supports: [IdempotencyKey],
    errors: [Conflict, InvalidState, PreconditionFailed],
    example: {"version": 1},
}

async fn publish_draft(
    State(app): State<App>,
    caller: WikiWriter,
    PathIn(id): PathIn<DraftId>,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<PublicationIn>>,
) -> ApiResult<Replayed<Json<PublishedDraftOut>>> {
    let (scope, by) = (caller.scope(), caller.name());
    let work = async {
        let store = Requester::Caller(&caller).acting(&app.store);
        let publication = Publication { version: body.version.into(), visibility: body.visibility, by: &by };
        let (drafts, settings) = (store.drafts(), app.store.settings());
        let publishing = drafts.publish(scope, &id, publication, request.as_ref());
        let (published, settings) = tokio::join!(publishing, settings.get(scope));
        Ok(match published? {
            (draft, WikiRecord::Entry(entry)) => {
                api::entry_written(&app, scope, &entry, settings).await;
                PublishedDraftOut::new(draft, Some(entry), &caller)
            }
            (draft, WikiRecord::Deleted(path, deleted)) => {
                api::entry_deleted(&app, scope, &path, &deleted).await;
                PublishedDraftOut::new(draft, None, &caller)
            }
        })
    };
    let replay = async |before: PublishedDraft| {
        let draft = find(&app, &caller, &id).await?;
        if draft.action == ChangeAction::Delete {
            return Ok(PublishedDraftOut::new(draft, None, &caller));
        }
        let entry = replayed(&app, &caller, &draft.path, before.entry_version).await?;
        Ok(PublishedDraftOut::new(draft, Some(entry), &caller))
    };
    let (published, replayed) = app.store.idempotency().once(scope, request.as_ref(), work, replay).await?;
    Ok(Replayed(replayed, Json(published)))
}
