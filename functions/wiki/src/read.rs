//! Reads one entry, or a page of entries by their last change, without the index.

use crate::Wiki;
use aws::store::EntryFilter;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::access::Principal;
use domain::models::{Total, WikiPath};
use domain::wire::{EntryOut, Viewer};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Json, PageOut, PathIn, QueryIn, WikiReader};
use http::header;

use crate::if_match::etag;
use crate::input::ListWikiQuery;
use crate::output::{EntryItemOut, EntryListOut};
use crate::search;
use crate::sight::Sight;

/// Answers `GET /wiki/:path`; what a caller may not see is answered like what never existed.
pub(crate) async fn get_entry(
    State(ctx): State<Wiki>,
    caller: WikiReader,
    PathIn(path): PathIn<WikiPath>,
) -> ApiResult<impl IntoResponse> {
    let sight = Sight::of(&caller, None);
    let found = ctx.store.wiki().get(caller.scope(), &path).await?;
    let entry = found.filter(|entry| sight.shows(entry.visibility)).ok_or_else(|| Error::not_found("entry"))?;
    Ok(([(header::ETAG, etag(entry.version))], Json(EntryOut::new(entry, Viewer::of(&caller)))))
}

/// Answers `GET /wiki`, with `q` by the index and without it by the table.
pub(crate) async fn list_entries(
    State(ctx): State<Wiki>,
    caller: WikiReader,
    QueryIn(query): QueryIn<ListWikiQuery>,
) -> ApiResult<Json<EntryListOut>> {
    let sight = Sight::of(&caller, query.visibility);
    let (items, total) = match &query.q {
        _ if sight == Sight::Nothing => (Vec::new(), Total::of(0, true)),
        Some(q) => search::find(&ctx, &caller, sight, q, &query).await?,
        None => newest(&ctx, &caller, sight, &query).await?,
    };
    let items = items.into_iter().map(|item| item.for_caller(&caller)).collect();
    Ok(Json(EntryListOut { page: PageOut::new(items, query.page, query.limit, total), query: query.q }))
}

async fn newest(
    ctx: &Wiki,
    caller: &Principal,
    sight: Sight,
    query: &ListWikiQuery,
) -> Result<(Vec<EntryItemOut>, Total)> {
    let visibility = match sight {
        Sight::Only(visibility) => Some(visibility),
        Sight::Everything | Sight::Nothing => None,
    };
    let filter = EntryFilter { visibility, tag: query.tag.clone(), path_prefix: query.path_prefix.clone() };
    let page = ctx.store.wiki().list(caller.scope(), &filter, query.offset(), query.limit).await?;
    Ok((page.cards.into_iter().map(|card| EntryItemOut::new(card, Viewer::of(caller))).collect(), page.total))
}
