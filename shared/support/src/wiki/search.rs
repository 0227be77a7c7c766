//! `GET /wiki?q=`: full-text search, best first, and the highlights of each hit. 503 if the index does not answer.

use answer::search::{EntryFilter, EntryHit, EntryQuery, VisibilityFilter};
use domain::Result;
use domain::access::Principal;
use domain::models::{EntryCard, Language, Scope, Total, WikiEntry};
use domain::wire::Viewer;
use schemars::JsonSchema;
use serde::Serialize;
use text::{Analyzer, MAX_REPAIRS, QueryTerms, Repair, Segment, can_be_repaired, highlight, images, sanitise};

use crate::edge::App;
use crate::wiki::api::{EntryItemOut, EntryVisibility};
use crate::wiki::input::ListWikiQuery;

/// The weight of a corrected word. No other is asked for beside it, so it changes no order.
const CORRECTED_WEIGHT: f64 = 0.9;

/// The page of entries that match `q`, and how many match in all. A question of stop words alone matches none. If no entry
/// matches, typos are corrected.
pub(crate) async fn search_entries(
    app: &App,
    caller: &Principal,
    entry_visibility: EntryVisibility,
    q: &str,
    query: &ListWikiQuery,
) -> Result<(Vec<EntryItemOut>, Total)> {
    let scope = caller.scope();
    let Some(filter) = index_filter(entry_visibility, query) else { return Ok((Vec::new(), Total::of(0, true))) };
    let visibility = filter.visibility;
    let language = app.store.settings().get(scope).await?.language;
    let analyzer = Analyzer::new(language);
    let terms = analyzer.query(q);
    let typed = terms.clone();
    let asked = terms.distinct.len();
    let terms = terms.with_spellings(&analyzer.spellings(q), asked);
    if terms.distinct.is_empty() {
        return Ok((Vec::new(), Total::of(0, true)));
    }
    let mut wanted = EntryQuery { terms, filter, offset: query.offset(), limit: query.limit };
    let mut hits = app.index()?.search(scope, &wanted).await?;
    if hits.total == 0
        && let Some(corrected) = corrected(app, scope, language, &typed, visibility).await?
    {
        wanted.terms = corrected;
        hits = app.index()?.search(scope, &wanted).await?;
    }
    // The index filters; a hit that it should not have given is still never shown.
    let visible = hits.items.into_iter().filter(|hit| visibility.admits(hit.entry.visibility));
    Ok((visible_hits(&analyzer, &wanted.terms, Viewer::of(caller), visible), Total::of(hits.total, true)))
}

/// The terms with each word replaced by the nearest of an entry that may be seen, as in a question of a customer; none if
/// no word is near.
async fn corrected(
    app: &App,
    scope: &Scope,
    language: Language,
    terms: &QueryTerms,
    visibility: VisibilityFilter,
) -> Result<Option<QueryTerms>> {
    let words = terms.distinct.iter().filter(|word| can_be_repaired(word)).take(MAX_REPAIRS);
    let words: Vec<String> = words.cloned().collect();
    let near = app.index()?.nearest_words(scope, &words, visibility).await?;
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

/// How much of the content is shown before its first match, and in all, in characters.
const EXCERPT_LEAD_CHARS: usize = 80;
const EXCERPT_CHARS: usize = 320;
/// A longer word is cut at the end of an excerpt.
const LONGEST_WORD_BYTES: usize = 100;
/// The content is searched in chunks of about this many bytes, until one matches.
const CHUNK_BYTES: usize = 4_096;
/// How many bytes of content one answer looks through, over all of its hits: half of what a query may cost
/// (docs/PERFORMANCE.md).
const HIGHLIGHT_BUDGET_BYTES: usize = 100_000;

/// Where an entry matches a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Highlight")]
pub(crate) struct HighlightOut {
    /// The field: `title`, `content`, `path` or `tags`.
    field: &'static str,
    /// Its text in parts, as clean as an answer: they hold no tag, no image and no link of another scheme than
    /// `https:`, `http:`, `mailto:` and `tel:`.
    segments: Vec<Segment>,
}

/// Makes the highlights of one answer.
///
/// They are the title, the path and each matching tag whole, and the content around its first match. Each segment is
/// sanitised by itself, because people wrote the entries.
pub(crate) struct Highlighter<'a> {
    analyzer: &'a Analyzer,
    terms: &'a QueryTerms,
    budget_bytes: usize,
}

impl<'a> Highlighter<'a> {
    pub(crate) const fn new(analyzer: &'a Analyzer, terms: &'a QueryTerms) -> Self {
        Self { analyzer, terms, budget_bytes: HIGHLIGHT_BUDGET_BYTES }
    }

    /// The fields of `entry` that match.
    pub(crate) fn highlights(&mut self, entry: &WikiEntry) -> Vec<HighlightOut> {
        let mut found = Vec::new();
        found.extend(self.full_text("title", &entry.title));
        found.extend(self.content(&entry.content));
        found.extend(self.full_text("path", entry.path.as_str()));
        found.extend(entry.tags.iter().filter_map(|tag| self.full_text("tags", tag)));
        found
    }

    fn full_text(&self, field: &'static str, text: &str) -> Option<HighlightOut> {
        let segments = self.sanitised(text);
        segments.iter().any(|segment| segment.matched).then_some(HighlightOut { field, segments })
    }

    fn sanitised(&self, text: &str) -> Vec<Segment> {
        sanitise::fragments(text, |text| highlight(self.analyzer, self.terms, text), |segment| &segment.text)
    }

    fn content(&mut self, content: &str) -> Option<HighlightOut> {
        for chunk in chunks(&images::without(content)) {
            self.budget_bytes = self.budget_bytes.checked_sub(chunk.len())?;
            let found = highlight(self.analyzer, self.terms, chunk);
            if found.iter().any(|segment| segment.matched) {
                let shown: String = excerpt_window(found).into_iter().map(|segment| segment.text).collect();
                return Some(HighlightOut { field: "content", segments: self.sanitised(&shown) });
            }
        }
        None
    }
}

/// Splits a text after white space into chunks of at least [`CHUNK_BYTES`].
fn chunks(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let cut = rest.char_indices().find(|(at, c)| *at >= CHUNK_BYTES && c.is_whitespace());
        let (chunk, after) = rest.split_at(cut.map_or(rest.len(), |(at, _)| at));
        rest = after;
        Some(chunk)
    })
}

/// The excerpt of a chunk: from shortly before its first match, [`EXCERPT_CHARS`] in all.
fn excerpt_window(segments: Vec<Segment>) -> Vec<Segment> {
    let mut left = EXCERPT_CHARS;
    let mut shown: Vec<Segment> = Vec::new();
    for (position, segment) in segments.into_iter().enumerate() {
        let leads = position == 0 && !segment.matched;
        let text = if leads { suffix(&segment.text, EXCERPT_LEAD_CHARS) } else { prefix(&segment.text, left) };
        if text.is_empty() {
            continue;
        }
        let is_cut = !leads && text.len() < segment.text.len();
        left = left.saturating_sub(text.chars().count());
        shown.push(Segment { text: text.to_owned(), matched: segment.matched });
        if is_cut || left == 0 {
            break;
        }
    }
    shown
}

/// The last `max` characters, from a word's beginning if there is one.
fn suffix(text: &str, max: usize) -> &str {
    let skipped = text.chars().count().saturating_sub(max);
    let Some((at, _)) = text.char_indices().nth(skipped) else { return "" };
    let (before, tail) = text.split_at(at);
    if before.is_empty() {
        return tail;
    }
    tail.find(char::is_whitespace).map_or(tail, |space| tail.split_at(space).1.trim_start())
}

/// The first `max` characters, to a word's end if there is one near.
fn prefix(text: &str, max: usize) -> &str {
    let Some((at, next)) = text.char_indices().nth(max) else { return text };
    let head = text.split_at(at).0;
    if next.is_whitespace() {
        return head;
    }
    let end = head.rfind(char::is_whitespace).filter(|end| head.len() - end <= LONGEST_WORD_BYTES);
    end.map_or(head, |end| head.split_at(end).0)
}

#[cfg(test)]
mod tests {
    use domain::models::{EntrySource, Language, Timestamp, Visibility, WikiPath};

    use super::*;

    fn entry(content: &str) -> WikiEntry {
        let at = Timestamp::from_millis(1);
        WikiEntry {
            path: WikiPath::parse("billing/refunds").unwrap(),
            title: "How refunds work".into(),
            content: content.into(),
            visibility: Visibility::Internal,
            tags: vec!["money".into(), "refund".into()],
            version: 1,
            created_at: at,
            updated_at: at,
            created_by: "k".into(),
            updated_by: "k".into(),
            source: EntrySource::MANUAL,
            action: None,
        }
    }

    fn of(entry: &WikiEntry, q: &str) -> Vec<HighlightOut> {
        let analyzer = Analyzer::new(Language::English);
        let terms = analyzer.query(q);
        Highlighter::new(&analyzer, &terms).highlights(entry)
    }

    fn text(highlight: &HighlightOut, matched: bool) -> Vec<&str> {
        highlight.segments.iter().filter(|s| s.matched == matched).map(|s| s.text.as_str()).collect()
    }

    #[test]
    fn every_matching_field_is_shown_with_its_matches() {
        let found = of(&entry("We refund within a day."), "refunds");
        let fields: Vec<_> = found.iter().map(|h| h.field).collect();
        assert_eq!(fields, ["title", "content", "path", "tags"]);
        assert_eq!(text(&found[0], true), ["refunds"]);
        assert_eq!(text(&found[1], true), ["refund"]);
        assert_eq!(text(&found[1], false), ["We ", " within a day."]);
    }

    #[test]
    fn the_content_is_shown_around_its_first_match_wherever_it_is() {
        let content = format!("{}a voucher helps. {}", "lorem ipsum dolor ".repeat(5_000), "amet ".repeat(200));
        let found = of(&entry(&content), "voucher");
        let [shown] = found.as_slice() else { panic!("{found:?}") };
        let chars: usize = shown.segments.iter().map(|s| s.text.chars().count()).sum();
        assert_eq!(text(shown, true), ["voucher"]);
        assert!(chars <= EXCERPT_CHARS, "{chars}");
        assert!(content.contains(&shown.segments.iter().map(|s| s.text.as_str()).collect::<String>()));
    }

    #[test]
    fn an_excerpt_ends_with_a_whole_word() {
        for lead in ["refund ", "a refund ", "refund of refunds, ", "ab refund "] {
            let content = format!("{lead}{}", "voucher helps amet ".repeat(100));
            let found = of(&entry(&content), "refund");
            let shown = found.iter().find(|h| h.field == "content").unwrap();
            let shown: String = shown.segments.iter().map(|s| s.text.as_str()).collect();
            assert!(content.starts_with(&format!("{shown} ")), "{shown}");
            assert!((EXCERPT_CHARS - 8..=EXCERPT_CHARS).contains(&shown.chars().count()), "{shown}");
        }
    }

    #[test]
    fn a_text_without_white_space_is_cut_between_characters() {
        let found = of(&entry(&format!("refund {}", "é".repeat(3_000))), "refund");
        let content = found.iter().find(|h| h.field == "content").unwrap();
        assert_eq!(content.segments.iter().map(|s| s.text.chars().count()).sum::<usize>(), EXCERPT_CHARS);
    }

    #[test]
    fn highlights_of_an_entry_are_sanitised() {
        let found = of(&entry("refund `a <img src=x>` [b](javascript:c) <script> refund"), "refund img c");
        let all: Vec<&str> = found.iter().flat_map(|h| &h.segments).map(|s| s.text.as_str()).collect();
        assert!(
            all.iter().all(|text| !text.contains("<img") && !text.contains("<script") && !text.contains("](")),
            "{all:?}"
        );
    }

    #[test]
    fn highlighting_is_linear() {
        let own = ["refund ", "lorem ", "<b>", "`a", "[a](b:c)", "refund<b>"];
        growth::linear("highlights", 200_000, own.into_iter().chain(["9 ", "a", "一", "[", "<", "\u{301}"]), |text| {
            std::hint::black_box(of(&entry(text), "refunds 9 a"));
        });
    }
}
