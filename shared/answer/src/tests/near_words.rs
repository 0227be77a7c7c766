//! Looking up the words that typos were meant to be, when the index fails or is slow on the way.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::*;

/// An index that answers only the first search, or looks up near words without end.
#[derive(Debug)]
struct Tiring {
    index: Arc<MemoryIndex>,
    searches_left: AtomicUsize,
    near_words_hang: bool,
}

#[async_trait]
impl SearchIndex for Tiring {
    async fn put(&self, _: &Scope, _: &IndexedEntry) -> domain::Result<()> {
        Ok(())
    }

    async fn replace(&self, _: &Scope, _: &IndexedEntry) -> domain::Result<()> {
        Ok(())
    }

    async fn delete(&self, _: &Scope, _: &WikiPath, _: u64, _: Timestamp) -> domain::Result<()> {
        Ok(())
    }

    async fn purge_deleted(&self, _: Timestamp) -> domain::Result<u64> {
        Ok(0)
    }

    async fn retrieve(
        &self,
        scope: &Scope,
        query: &QueryTerms,
        vector: Option<&QueryVector>,
        visibility: VisibilityFilter,
    ) -> domain::Result<Retrieval> {
        let left = self.searches_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        left.map_err(|_| domain::Error::unavailable("index down"))?;
        self.index.retrieve(scope, query, vector, visibility).await
    }

    async fn nearest_words(
        &self,
        scope: &Scope,
        words: &[String],
        visibility: VisibilityFilter,
    ) -> domain::Result<Vec<Option<String>>> {
        match self.near_words_hang {
            true => futures::future::pending().await,
            false => self.index.nearest_words(scope, words, visibility).await,
        }
    }

    async fn search(&self, _: &Scope, _: &EntryQuery) -> domain::Result<EntryHits> {
        Ok(EntryHits::default())
    }

    async fn without_vectors(
        &self,
        _: &EmbeddingSpace,
        _: Option<&EntryAddress>,
        _: usize,
    ) -> domain::Result<Vec<EntryAddress>> {
        Ok(Vec::new())
    }

    async fn count_without_vectors(&self, _: &EmbeddingSpace) -> domain::Result<u64> {
        Ok(0)
    }

    async fn ping(&self) -> domain::Result<()> {
        Ok(())
    }
}

/// A question with a typo that has its answer without the repair, too.
const QUESTION: &str = "when is a refund paid back to my card, tommorow?";

#[tokio::test]
async fn where_the_search_for_repaired_words_fails_what_was_found_before_answers() {
    let index = wiki().await;
    let extra = entry("news/tomorrow", "Tomorrow", "Closed tomorrow.", Visibility::Public);
    index.put(&scope(), &IndexedEntry::new(&Analyzer::new(Language::English), &extra)).await.unwrap();
    let tiring = Tiring { index, searches_left: AtomicUsize::new(1), near_words_hang: false };
    let tiring = Arc::new(tiring);
    let answered = ask(&engine(tiring.clone(), None), QUESTION, PUBLIC).await;
    assert_eq!(tiring.searches_left.load(Ordering::SeqCst), 0);
    assert_eq!((answered.failure, paths(&answered).first()), (None, Some(&"billing/refunds")));
    assert_eq!(answered.disposition, Disposition::Answered, "{}", answered.confidence);
}

#[tokio::test]
async fn near_words_that_do_not_come_are_waited_for_a_moment_only() {
    let tiring = Tiring { index: wiki().await, searches_left: AtomicUsize::new(2), near_words_hang: true };
    let started = Instant::now();
    let answered = ask(&engine(Arc::new(tiring), None), QUESTION, PUBLIC).await;
    assert_eq!((answered.failure, answered.disposition), (None, Disposition::Answered));
    assert!(started.elapsed() < Duration::from_secs(10), "of a deadline of 20 s: {:?}", started.elapsed());
}
