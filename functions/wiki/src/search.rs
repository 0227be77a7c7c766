//! `GET /wiki?q=`: full-text search, best first. 503 if the index does not answer.

use crate::state::Wiki;
use answer::search::{EntryFilter, EntryHit, EntryQuery};
use domain::Result;
use domain::access::Principal;
use domain::models::{EntryCard, Total};
use domain::wire::Viewer;
use text::{Analyzer, QueryTerms};

use crate::highlights::Highlighter;
use crate::input::ListWikiQuery;
use crate::output::EntryItemOut;
use crate::visibility::EntryVisibility;

/// The page of entries that match `q`, and how many match in all. A question of stop words alone matches none.
pub(crate) async fn search_entries(
    state: &Wiki,
    caller: &Principal,
    entry_visibility: EntryVisibility,
    q: &str,
    query: &ListWikiQuery,
) -> Result<(Vec<EntryItemOut>, Total)> {
    let scope = caller.scope();
    let Some(filter) = index_filter(entry_visibility, query) else { return Ok((Vec::new(), Total::of(0, true))) };
    let visibility = filter.visibility;
    let analyzer = Analyzer::new(state.store.settings().get(scope).await?.language);
    let terms = analyzer.query(q);
    let asked = terms.distinct.len();
    let terms = terms.with_spellings(&analyzer.spellings(q), asked);
    if terms.distinct.is_empty() {
        return Ok((Vec::new(), Total::of(0, true)));
    }
    let wanted = EntryQuery { terms: terms.clone(), filter, offset: query.offset(), limit: query.limit };
    let hits = state.index.search(scope, &wanted).await?;
    // The index filters; a hit that it should not have given is still never shown.
    let visible = hits.items.into_iter().filter(|hit| visibility.admits(hit.entry.visibility));
    Ok((visible_hits(&analyzer, &terms, Viewer::of(caller), visible), Total::of(hits.total, true)))
}

/// Which entries the index is asked for; nothing where none may be seen.
pub(crate) fn index_filter(entry_visibility: EntryVisibility, query: &ListWikiQuery) -> Option<EntryFilter> {
    Some(EntryFilter {
        visibility: entry_visibility.index_filter()?,
        tag: query.tag.clone(),
        path_prefix: query.path_prefix.clone().map(|beginning| beginning.0),
    })
}

fn visible_hits(
    analyzer: &Analyzer,
    terms: &QueryTerms,
    viewer: Viewer,
    hits: impl Iterator<Item = EntryHit>,
) -> Vec<EntryItemOut> {
    let mut highlighter = Highlighter::new(analyzer, terms);
    hits.map(|hit| EntryItemOut::hit(EntryCard::of(&hit.entry), viewer, hit.score, highlighter.highlights(&hit.entry)))
        .collect()
}
