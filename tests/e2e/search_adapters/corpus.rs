//! Entries for the tests of an index.

use answer::search::IndexedEntry;
use domain::models::{EntrySource, Timestamp, Visibility, WikiEntry, WikiPath};

use super::english;

/// An internal entry without tags, version 1.
pub(super) fn entry(path: &str, title: &str, content: &str) -> WikiEntry {
    let at = Timestamp::parse("2026-01-02T03:04:05.678Z").unwrap();
    WikiEntry {
        path: WikiPath::parse(path).unwrap(),
        title: title.to_owned(),
        content: content.to_owned(),
        visibility: Visibility::Internal,
        tags: Vec::new(),
        version: 1,
        created_at: at,
        updated_at: at,
        created_by: "key_a".to_owned(),
        updated_by: "key_b".to_owned(),
        source: EntrySource::MANUAL,
        action: None,
    }
}

/// The same, as an index keeps it.
pub(crate) fn indexed(path: &str, title: &str, content: &str) -> IndexedEntry {
    IndexedEntry::new(&english(), &entry(path, title, content))
}

/// The same, under a version.
pub(super) fn version(path: &str, content: &str, version: u64) -> IndexedEntry {
    IndexedEntry::new(&english(), &WikiEntry { version, ..entry(path, "Title", content) })
}

/// The reference wiki and what the formula gives for its questions.
pub(super) fn vectors() -> serde_json::Value {
    serde_json::from_str(include_str!("../../fixtures/vectors.json")).unwrap()
}

/// Its entries.
pub(super) fn reference_wiki() -> Vec<IndexedEntry> {
    let vectors = vectors();
    let text = |entry: &serde_json::Value, field: &str| entry[field].as_str().unwrap().to_owned();
    let entries = vectors["entries"].as_array().unwrap();
    entries.iter().map(|e| indexed(&text(e, "path"), &text(e, "title"), &text(e, "content"))).collect()
}

/// The numbers below `count`, in an order that only looks random.
pub(super) fn shuffled(count: usize, seed: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for at in (1..count).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(at, (state >> 33) % (at + 1));
    }
    order
}
