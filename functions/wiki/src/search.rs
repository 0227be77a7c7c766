//! `GET /wiki?q=`: full-text search, best first. 503 if the index does not answer.

use crate::state::Wiki;
use answer::search::{EntryFilter, EntryHit, EntryQuery, VisibilityFilter};
use domain::Result;
use domain::access::Principal;
use domain::models::{EntryCard, Language, Scope, Total};
use domain::wire::Viewer;
use text::{Analyzer, MAX_REPAIRS, QueryTerms, Repair, can_be_repaired};

use crate::highlights::Highlighter;
use crate::input::ListWikiQuery;
use crate::output::EntryItemOut;
use crate::visibility::EntryVisibility;

/// The weight of a corrected word. No other is asked for beside it, so it changes no order.
const CORRECTED_WEIGHT: f64 = 0.9;

/// The page of entries that match `q`, and how many match in all. A question of stop words alone matches none. If no entry
/// matches, typos are corrected.
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
    let language = state.store.settings().get(scope).await?.language;
    let analyzer = Analyzer::new(language);
    let terms = analyzer.query(q);
    let typed = terms.clone();
    let asked = terms.distinct.len();
    let terms = terms.with_spellings(&analyzer.spellings(q), asked);
    if terms.distinct.is_empty() {
        return Ok((Vec::new(), Total::of(0, true)));
    }
    let mut wanted = EntryQuery { terms, filter, offset: query.offset(), limit: query.limit };
    let mut hits = state.index.search(scope, &wanted).await?;
    if hits.total == 0
        && let Some(corrected) = corrected(state, scope, language, &typed, visibility).await?
    {
        wanted.terms = corrected;
        hits = state.index.search(scope, &wanted).await?;
    }
    // The index filters; a hit that it should not have given is still never shown.
    let visible = hits.items.into_iter().filter(|hit| visibility.admits(hit.entry.visibility));
    Ok((visible_hits(&analyzer, &wanted.terms, Viewer::of(caller), visible), Total::of(hits.total, true)))
}

/// The terms with each word replaced by the nearest of an entry that may be seen, as in a question of a customer; none if
/// no word is near.
async fn corrected(
    state: &Wiki,
    scope: &Scope,
    language: Language,
    terms: &QueryTerms,
    visibility: VisibilityFilter,
) -> Result<Option<QueryTerms>> {
    let words = terms.distinct.iter().filter(|word| can_be_repaired(word)).take(MAX_REPAIRS);
    let words: Vec<String> = words.cloned().collect();
    let near = state.index.nearest_words(scope, &words, visibility).await?;
    let meant = words.into_iter().zip(near);
    let meant = meant.filter_map(|(word, near)| Repair::of(language, &word, near).map(|meant| (word, meant))).collect();
    let repaired = terms.repaired(&meant, CORRECTED_WEIGHT);
    let has_changed = !repaired.distinct.is_empty() && repaired.distinct != terms.distinct;
    Ok(has_changed.then_some(repaired))
}

/// The entries that the index is asked for; nothing if none may be seen.
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
