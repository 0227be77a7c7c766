//! Reads one entry, or a page of entries by their last change, without the index.

use crate::state::Wiki;
use answer::search::EntryFilter as IndexFilter;
use aws::store::EntryFilter;
use axum::extract::State;
use domain::access::{Permission, Principal};
use domain::models::{Total, WikiEntry, WikiPath};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Json, PageOut, PathIn, QueryIn, Tagged, WikiReader, etag, lacks, query};

use crate::input::ListWikiQuery;
use crate::output::{EntryItemOut, EntryListOut, EntryVersionOut, for_caller};
use crate::search;
use crate::visibility::EntryVisibility;

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
pub(crate) async fn get_entry(
    State(state): State<Wiki>,
    caller: WikiReader,
    PathIn(path): PathIn<WikiPath>,
    QueryIn(GetEntryQuery { version }): QueryIn<GetEntryQuery>,
) -> ApiResult<Tagged<Json<EntryVersionOut>>> {
    if let Some(version) = version {
        return get_version(&state, &caller, &path, version.into()).await;
    }
    let entry_visibility = EntryVisibility::for_caller(&caller, None);
    let found = state.store.wiki().get(caller.scope(), &path).await?;
    let entry =
        found.filter(|entry| entry_visibility.allows(entry.visibility)).ok_or_else(|| Error::not_found("entry"))?;
    Ok(version_answer(entry, None, &caller))
}

async fn get_version(
    state: &Wiki,
    caller: &Principal,
    path: &WikiPath,
    version: u64,
) -> ApiResult<Tagged<Json<EntryVersionOut>>> {
    if !Permission::ReadKnowledge.allows(caller) {
        return Err(lacks(Permission::ReadKnowledge).into());
    }
    let found = state.store.wiki().get_version(caller.scope(), path, version).await?;
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
pub(crate) async fn list_entries(
    State(state): State<Wiki>,
    caller: WikiReader,
    QueryIn(query): QueryIn<ListWikiQuery>,
) -> ApiResult<Json<EntryListOut>> {
    let entry_visibility = EntryVisibility::for_caller(&caller, query.visibility);
    let (items, total) = match &query.q {
        _ if entry_visibility == EntryVisibility::Nothing => (Vec::new(), Total::of(0, true)),
        Some(q) => search::search_entries(&state, &caller, entry_visibility, q, &query).await?,
        None => newest(&state, &caller, entry_visibility, &query).await?,
    };
    let items = items.into_iter().map(|item| item.for_caller(&caller)).collect();
    Ok(Json(EntryListOut { page: PageOut::new(items, query.page, query.limit, total), query: query.q }))
}

async fn newest(
    state: &Wiki,
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
    let page = state.store.wiki().list(caller.scope(), &filter, query.offset(), query.limit).await?;
    let total = match search::index_filter(entry_visibility, query) {
        Some(filter) if !page.is_counted => total_of_index(state, caller, &filter, page.total).await,
        _ => page.total,
    };
    Ok((page.cards.into_iter().map(|card| EntryItemOut::new(card, Viewer::of(caller))).collect(), total))
}

/// The total as the index knows it, which is a second behind; what the table counted if the index does not answer, or
/// knows of fewer.
async fn total_of_index(state: &Wiki, caller: &Principal, filter: &IndexFilter, counted: Total) -> Total {
    match state.index.count(caller.scope(), filter).await {
        Ok(count) if count > counted.count => Total::of(count, true),
        Ok(_) => counted,
        Err(error) => {
            tracing::warn!(error = %error, "the index did not count the entries of a list; its total is capped");
            counted
        }
    }
}
