//! The correction of typos when the index fails or is slow.

use std::time::Duration;

use tokio::time::timeout;

use super::*;

/// A question with a typo that has its answer without the repair, too.
const QUESTION: &str = "when is a refund paid back to my card, tommorow?";

#[tokio::test]
async fn where_the_search_for_repaired_words_fails_what_was_found_before_answers() {
    let index = wiki().await;
    index.write("news/tomorrow", "Tomorrow", "Closed tomorrow.", Visibility::Public);
    let searches_left = Arc::new(AtomicUsize::new(1));
    let tiring = BrokenIndex::Tires { index, searches_left: searches_left.clone(), near_words_hang: false };
    let answered = ask(&engine(Arc::new(tiring), None), QUESTION, PUBLIC).await;
    assert_eq!(searches_left.load(Ordering::SeqCst), 0);
    assert_eq!((answered.failure, paths(&answered).first()), (None, Some(&"billing/refunds")));
    assert_eq!(answered.disposition, Disposition::Answered, "{}", answered.confidence);
}

#[tokio::test]
async fn near_words_that_do_not_come_are_waited_for_a_moment_only() {
    let searches_left = Arc::new(AtomicUsize::new(2));
    let tiring = BrokenIndex::Tires { index: wiki().await, searches_left, near_words_hang: true };
    let engine = engine(Arc::new(tiring), None);
    let answered = timeout(Duration::from_secs(10), ask(&engine, QUESTION, PUBLIC)).await;
    let answered = answered.expect("the question waits for near words until its own deadline of 20 s");
    assert_eq!((answered.failure, answered.disposition), (None, Disposition::Answered));
}

#[tokio::test]
async fn misspelt_stop_words_cost_no_answer() {
    let engine = engine(wiki().await, None);
    let typed = ask(&engine, "wehn si a refund padi bakc ot my card?", PUBLIC).await;
    let meant = ask(&engine, "when is a refund paid back to my card?", PUBLIC).await;
    assert_eq!((paths(&typed), typed.disposition), (paths(&meant), Disposition::Answered));
    assert!(typed.confidence > meant.confidence - 0.35, "{} and {}", typed.confidence, meant.confidence);
}
