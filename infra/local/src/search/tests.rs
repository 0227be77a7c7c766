use answer::search::IndexedEntry;
use domain::models::{EntrySource, Language, Mode, TenantId, Visibility, WikiEntry};
use text::Analyzer;

use super::*;

fn scope() -> Scope {
    Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live }
}

fn path(text: &str) -> WikiPath {
    WikiPath::parse(text).unwrap()
}

fn entry(at: &str, content: &str, version: u64) -> IndexedEntry {
    let now = Timestamp::from_millis(1_767_225_600_000);
    IndexedEntry::new(
        &Analyzer::new(Language::English),
        &WikiEntry {
            path: path(at),
            title: "Parcels".into(),
            content: content.into(),
            visibility: Visibility::Internal,
            tags: vec!["shipping".into()],
            version,
            created_at: now,
            updated_at: now,
            created_by: "key".into(),
            updated_by: "key".into(),
            source: EntrySource::MANUAL,
            action: None,
        },
    )
}

async fn ask(index: &TantivyIndex, question: &str) -> Retrieval {
    let query = Analyzer::new(Language::English).query(question);
    index.retrieve(&scope(), &query, None, VisibilityFilter::All).await.unwrap()
}

#[tokio::test]
async fn an_index_opened_again_knows_its_versions_and_counts() {
    let folder = tempfile::tempdir().unwrap();
    let before = {
        let index = TantivyIndex::open(folder.path()).unwrap();
        index.put(&scope(), &entry("a/one", "A customs officer holds parcels.", 3)).await.unwrap();
        index.put(&scope(), &entry("a/two", "Lost parcels are sent again.", 1)).await.unwrap();
        index.put(&scope(), &entry("a/two", "Lost parcels are paid for.", 2)).await.unwrap();
        index.put(&scope(), &entry("a/three", "Gone soon.", 1)).await.unwrap();
        index.delete(&scope(), &path("a/three"), 2, Timestamp::from_millis(0)).await.unwrap();
        ask(&index, "customs parcels").await
    };
    let index = TantivyIndex::open(folder.path()).unwrap();
    assert_eq!(ask(&index, "customs parcels").await, before);
    assert_eq!(before.stats.titles.count, 2);
    assert_eq!(before.candidates.len(), 2);
    let versions = ["a/one", "a/two", "a/three", "a/four"].map(|at| index.indexed_version(&scope(), &path(at)));
    assert_eq!(versions, [Some(3), Some(2), Some(2), None]);
    index.put(&scope(), &entry("a/three", "Back again.", 1)).await.unwrap();
    assert_eq!(ask(&index, "back").await.candidates, []);
}

#[tokio::test]
async fn an_index_that_cannot_be_read_is_rebuilt() {
    let folder = tempfile::tempdir().unwrap();
    {
        let index = TantivyIndex::open(folder.path()).unwrap();
        index.put(&scope(), &entry("a/one", "Text.", 1)).await.unwrap();
    }
    std::fs::write(folder.path().join(FORMAT).join("meta.json"), "{").unwrap();
    let index = TantivyIndex::open(folder.path()).unwrap();
    assert_eq!(index.indexed_version(&scope(), &path("a/one")), None);
    index.put(&scope(), &entry("a/one", "Text.", 1)).await.unwrap();
    assert_eq!(index.indexed_version(&scope(), &path("a/one")), Some(1));
}

#[tokio::test]
async fn an_index_in_use_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let index = TantivyIndex::open(folder.path()).unwrap();
    index.put(&scope(), &entry("a/one", "Text about parcels.", 1)).await.unwrap();
    assert!(TantivyIndex::open(folder.path()).is_err());
    assert_eq!(ask(&index, "parcels").await.candidates.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_stay_exact_while_many_write_at_once() {
    let index = Arc::new(TantivyIndex::in_memory().unwrap());
    let writers = (0..8).map(|writer| {
        let index = Arc::clone(&index);
        tokio::spawn(async move {
            for number in 0..20 {
                let at = format!("a/{}", number % 10);
                let text = format!("Customs hold parcel {writer}.");
                index.put(&scope(), &entry(&at, &text, writer * 100 + number)).await.unwrap();
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let found = ask(&index, "customs").await;
    assert_eq!(found.stats.titles.count, 10);
    assert_eq!((found.stats.words.count, found.stats.word_df), (10, vec![10]));
    assert!((found.stats.words.mean_length - 5.0).abs() < 1e-9, "{:?}", found.stats.words);
    assert!(found.candidates.iter().all(|candidate| candidate.content == "Customs hold parcel 7."));
}

#[tokio::test]
async fn tombstones_are_still_forgotten_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    {
        let index = TantivyIndex::open(folder.path()).unwrap();
        index.delete(&scope(), &path("a/old"), 2, Timestamp::from_millis(10)).await.unwrap();
        index.delete(&scope(), &path("a/new"), 2, Timestamp::from_millis(20)).await.unwrap();
    }
    let index = TantivyIndex::open(folder.path()).unwrap();
    assert_eq!(index.purge_deleted(Timestamp::from_millis(20)).await.unwrap(), 1);
    let versions = ["a/old", "a/new"].map(|at| index.indexed_version(&scope(), &path(at)));
    assert_eq!(versions, [None, Some(2)]);
}
