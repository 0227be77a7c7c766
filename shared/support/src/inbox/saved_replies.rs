//! `/saved-replies`: texts that people insert into what they write.

use axum::extract::State;
use domain::access::{Permission, Principal};
use domain::error::DetailCode;
use domain::limits::{MESSAGE, saved_reply as limits};
use domain::models::{SavedReply, SavedReplyId, SavedReplyScope, Timestamp};
use domain::wire::SavedReplyOut;
use domain::{Error, Result};

use crate::edge::input::{AtLeastOne, Checked, Parse, choice, replaceable, required, within};
use crate::edge::table::KeptAnswer;
use crate::edge::{
    self, ApiResult, App, Created, CursorPageOut, IfMatch, Json, JsonIn, NoContent, OnceIn, PathIn, QueryIn, Replayed,
    ReplyUser, Tagged, etag, lacks,
};
use crate::inbox::table::SavedReplyPlace;

/// The text of a reply, with its variables.
const CONTENT: Checked<Parse<()>> =
    within(MESSAGE).checked(DetailCode::UnknownVariable, limits::content as Parse<()>, limits::CONTENT_PATTERN);

edge::query! {
    /// The filter of the saved replies.
    #[derive(Debug)]
    pub(crate) struct ListSavedRepliesQuery {}
    cursor: from: SavedReplyPlace, list = ();
    limit: limit;
}

edge::endpoint! {
    /// List saved replies.
    ///
    /// The caller's own, oldest first, then those of the tenant, oldest first. A page may be short, or empty, with
    /// `hasMore: true`.
    pub(crate) ListSavedReplies = GET "/api/v1/saved-replies" => list_saved_replies;
    rate_class: List,
    example_query: {"limit": 10},
}

async fn list_saved_replies(
    State(app): State<App>,
    caller: ReplyUser,
    QueryIn(query): QueryIn<ListSavedRepliesQuery>,
) -> ApiResult<Json<CursorPageOut<SavedReplyOut>>> {
    let replies = app.store.saved_replies();
    let page = replies.list(caller.scope(), &caller.name(), query.from.as_ref(), query.limit).await?;
    Ok(Json(CursorPageOut::new(page, &query.list, SavedReplyOut::from)?))
}

edge::endpoint! {
    /// Read a saved reply.
    ///
    /// Another's own one is answered like one that does not exist.
    pub(crate) GetSavedReply = GET "/api/v1/saved-replies/{id}" => get_saved_reply;
}

async fn get_saved_reply(
    State(app): State<App>,
    caller: ReplyUser,
    PathIn(id): PathIn<SavedReplyId>,
) -> ApiResult<Tagged<Json<SavedReplyOut>>> {
    let reply = SavedReplyOut::from(find(&app, &caller, &id).await?);
    Ok(Tagged { etag: etag(reply.version), answer: Json(reply) })
}

async fn find(app: &App, caller: &Principal, id: &SavedReplyId) -> Result<SavedReply> {
    let found = app.store.saved_replies().get(caller.scope(), Some(&caller.name()), id).await?;
    found.ok_or_else(|| Error::not_found("saved reply"))
}

/// Refuses a caller who does not write saved replies of the tenant.
fn may_write(caller: &Principal, scope: SavedReplyScope) -> Result<()> {
    let is_open = scope == SavedReplyScope::Own || Permission::WriteTeamReplies.allows(caller);
    if is_open { Ok(()) } else { Err(lacks(Permission::WriteTeamReplies)) }
}

edge::body! {
    /// A new saved reply.
    #[derive(Debug)]
    pub(crate) struct SavedReplyIn as "NewSavedReply" {
        /// Whose it is.
        scope: SavedReplyScope = "scope" => required(choice::<SavedReplyScope>()),
        /// The text that is typed to find it; unique in its scope.
        shortcut: String = "shortcut" => required(within(limits::SHORTCUT).checked(DetailCode::InvalidFormat, limits::shortcut, limits::SHORTCUT_PATTERN)),
        /// Its subject.
        title: String = "title" => required(within(limits::TITLE)),
        /// The text. Whoever inserts it replaces `{{customer.name}}`, `{{customer.firstName}}` and `{{agent.name}}`, as text;
        /// `{{customer.name|there}}` says what stands there without a name. Another variable is refused.
        content: String = "content" => required(CONTENT),
    }
}

edge::endpoint! {
    /// Save a reply.
    ///
    /// Those of scope `team` are written by admins and trainers, at most 500 of a tenant and mode; those of scope `own`
    /// are seen by their key or member alone, at most 100 of each. A shortcut that is taken in its scope is 409.
    pub(crate) CreateSavedReply = POST "/api/v1/saved-replies" => create_saved_reply;
    supports: [IdempotencyKey],
    errors: [Conflict],
    example: {"scope": "own", "shortcut": "refund-time", "title": "How long a refund takes", "content": "Hello {{customer.name}}, a refund takes five working days."},
}

async fn create_saved_reply(
    State(app): State<App>,
    caller: ReplyUser,
    OnceIn(request, JsonIn(body)): OnceIn<JsonIn<SavedReplyIn>>,
) -> ApiResult<Replayed<Tagged<Created<SavedReplyOut>>>> {
    may_write(&caller, body.scope)?;
    let (scope, requests) = (caller.scope(), app.store.idempotency());
    let work = async {
        let reply = SavedReply {
            reply_id: SavedReplyId::generate(&app.runtime)?,
            owner: (body.scope == SavedReplyScope::Own).then(|| caller.name()),
            shortcut: body.shortcut,
            title: body.title,
            content: body.content,
            updated_at: app.runtime.now(),
            version: 1,
        };
        let answer = SavedReplyOut::from(reply.clone());
        let record = requests.completed(scope, request.as_ref(), KeptAnswer { answer: answer.clone() })?;
        app.store.saved_replies().create(scope, &reply, record).await?;
        Ok(answer)
    };
    let replay = async |before: KeptAnswer<SavedReplyOut>| {
        find(&app, &caller, &before.answer.reply_id).await?;
        Ok(before.answer)
    };
    let (reply, replayed) = requests.once(scope, request.as_ref(), work, replay).await?;
    let (location, etag) = (format!("/api/v1/saved-replies/{}", reply.reply_id), etag(reply.version));
    Ok(Replayed(replayed, Tagged { etag, answer: Created(location, reply) }))
}

edge::body! {
    /// A change of a saved reply: at least one field; each replaces the old value.
    #[derive(Debug)]
    pub(crate) struct SavedReplyPatch as "SavedReplyPatch" {
        /// The text that is typed to find it; unique in its scope.
        shortcut: Option<String> = "shortcut" => replaceable(within(limits::SHORTCUT).checked(DetailCode::InvalidFormat, limits::shortcut, limits::SHORTCUT_PATTERN)),
        /// Its subject.
        title: Option<String> = "title" => replaceable(within(limits::TITLE)),
        /// The text.
        content: Option<String> = "content" => replaceable(CONTENT),
    }
    rules: [AtLeastOne]
}

impl SavedReplyPatch {
    /// The reply after the change; none if that is the same.
    fn apply(&self, old: &SavedReply, now: Timestamp) -> Option<SavedReply> {
        let new = SavedReply {
            shortcut: self.shortcut.clone().unwrap_or_else(|| old.shortcut.clone()),
            title: self.title.clone().unwrap_or_else(|| old.title.clone()),
            content: self.content.clone().unwrap_or_else(|| old.content.clone()),
            ..old.clone()
        };
        (new != *old).then_some(SavedReply { updated_at: now, ..new })
    }
}

edge::endpoint! {
    /// Change a saved reply.
    ///
    /// Its scope stays. A change to the current values changes nothing.
    pub(crate) UpdateSavedReply = PATCH "/api/v1/saved-replies/{id}" => update_saved_reply;
    errors: [Conflict],
    example: {"title": "When a refund arrives"},
}

async fn update_saved_reply(
    State(app): State<App>,
    caller: ReplyUser,
    PathIn(id): PathIn<SavedReplyId>,
    if_match: IfMatch,
    JsonIn(patch): JsonIn<SavedReplyPatch>,
) -> ApiResult<Tagged<Json<SavedReplyOut>>> {
    let now = app.runtime.now();
    let decide = |old: &SavedReply| {
        may_write(&caller, old.scope())?;
        if_match.check(old.version)?;
        Ok(patch.apply(old, now))
    };
    let updated = app.store.saved_replies().update(caller.scope(), &caller.name(), &id, decide).await?;
    let reply = SavedReplyOut::from(updated);
    Ok(Tagged { etag: etag(reply.version), answer: Json(reply) })
}

edge::endpoint! {
    /// Delete a saved reply.
    ///
    /// Again, it is 404.
    pub(crate) DeleteSavedReply = DELETE "/api/v1/saved-replies/{id}" => delete_saved_reply;
    errors: [Conflict],
}

async fn delete_saved_reply(
    State(app): State<App>,
    caller: ReplyUser,
    PathIn(id): PathIn<SavedReplyId>,
    if_match: IfMatch,
) -> ApiResult<NoContent> {
    let check = |old: &SavedReply| {
        may_write(&caller, old.scope())?;
        if_match.check(old.version)
    };
    app.store.saved_replies().delete(caller.scope(), &caller.name(), &id, check).await?;
    Ok(NoContent)
}
