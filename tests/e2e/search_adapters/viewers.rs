//! The figures for a viewer come from the entries that it may see.

use std::sync::Arc;

use answer::AnswerEngine;
use answer::search::{Bm25, CandidateIndex, EntryFilter, EntryQuery, FieldStats, IndexedEntry, VisibilityFilter};
use domain::clock::Runtime;
use domain::models::{Scope, Visibility, WikiEntry};

use super::agreement::confidence;
use super::corpus::{entry, indexed, reference_wiki, vectors};
use super::{Adapter, english, listing, new_scope};

const PUBLIC: VisibilityFilter = VisibilityFilter::Only(Visibility::Public);

fn public(entry: WikiEntry) -> IndexedEntry {
    IndexedEntry::new(&english(), &WikiEntry { visibility: Visibility::Public, ..entry })
}

/// A visitor's query for a list.
fn public_list(words: &str) -> EntryQuery {
    EntryQuery { filter: EntryFilter { visibility: PUBLIC, tag: None, path_prefix: None }, ..listing(words) }
}

/// The same public entries for two tenants; the second has internal ones beside them: with the same words, titles,
/// bigrams and tags, and with words of their own.
async fn alone_and_beside_internal_entries(on: &Adapter) -> (Scope, Scope) {
    let (alone, beside) = (new_scope(), new_scope());
    let shown: Vec<_> = reference_wiki().into_iter().map(|indexed| public(indexed.entry)).collect();
    on.put_all(&alone, &shown).await;
    on.put_all(&beside, &shown).await;
    let text = "Our quokka margin on a refund of gift cards is forty percent. ".repeat(30);
    let internal = (0..12).map(|n| {
        let tags = vec!["refund".to_owned(), "quokka".to_owned()];
        IndexedEntry::new(&english(), &WikiEntry { tags, ..entry(&format!("quokka/{n}"), "Refund quokkas", &text) })
    });
    on.put_all(&beside, &internal.collect::<Vec<_>>()).await;
    (alone, beside)
}

pub(super) async fn an_invisible_entry_changes_no_figure(on: &Adapter) {
    let (alone, beside) = alone_and_beside_internal_entries(on).await;
    let mut questions: Vec<String> =
        vectors()["questions"].as_array().unwrap().iter().map(|q| q["question"].as_str().unwrap().to_owned()).collect();
    questions.extend(
        ["quokka margin", "How long does a refund take quokka", "gift card quokkas", "forty percent"]
            .map(str::to_owned),
    );
    for question in &questions {
        let found = on.ask_within(&beside, question, PUBLIC).await;
        assert_eq!(found, on.ask_within(&alone, question, PUBLIC).await, "{question}");
        let listed = on.list(&beside, &public_list(question)).await;
        assert_eq!(listed, on.list(&alone, &public_list(question)).await, "{question}");
    }
    let words = ["quoka", "margn", "forti", "refudn", "percnt"].map(str::to_owned);
    let near = on.index.nearest_words(&beside, &words, PUBLIC).await.unwrap();
    assert_eq!(near, on.index.nearest_words(&alone, &words, PUBLIC).await.unwrap());
    assert_eq!(near[..2], [None, None]);
    let all = on.ask(&beside, "quokka refund").await;
    assert_eq!(all.stats.titles.count, 15, "who may see them all has the counts of all");
    assert_eq!(all.stats.title_df[0], 12);
}

pub(super) async fn a_word_of_an_entry_that_was_hidden_is_no_correction(on: &Adapter) {
    let scope = new_scope();
    let shown = [
        public(entry("help/refunds", "Refunds", "A refund takes five working days after approval.")),
        public(entry("help/animals", "Animals", "The kangaroo margin.")),
    ];
    on.put_all(&scope, &shown).await;
    // It stays in OpenSearch's list of words until the segment of its first version is merged.
    let hidden = WikiEntry { version: 2, ..entry("help/animals", "Animals", "The kangaroo margin.") };
    on.put_all(&scope, &[IndexedEntry::new(&english(), &hidden)]).await;
    let index: Arc<dyn CandidateIndex> = on.index.clone();
    let engine = AnswerEngine { index, model: None, embedder: None, runtime: Runtime::system(), model_timeout_ms: 0 };
    let told = async |text: &str, sees| confidence(&engine, &scope, text, sees).await;
    let nobodys = told("How long does a refund take zebraroo", PUBLIC).await;
    assert_eq!(told("How long does a refund take kangaro", PUBLIC).await, nobodys);
    assert_eq!(
        told("How long does a refnud take kangaro", PUBLIC).await,
        told("How long does a refnud take zebraroo", PUBLIC).await
    );
    assert_ne!(
        told("How long does a refund take kangaro", VisibilityFilter::All).await,
        nobodys,
        "staff's is corrected"
    );
}

pub(super) async fn a_hit_has_the_score_of_the_formula(on: &Adapter) {
    let scope = new_scope();
    let entries = [
        indexed("a/one", "Refund", "Refund, refund: a refund of cards."),
        indexed("a/two", "Something else", "It says refund once, among many other words."),
        public(entry("a/three", "Cards and more", "Cards.")),
    ];
    on.put_all(&scope, &entries).await;
    let scores = async |words: &str, visibility| {
        let filter = EntryFilter { visibility, tag: None, path_prefix: None };
        let hits = on.list(&scope, &EntryQuery { filter, ..listing(words) }).await.items;
        hits.into_iter().map(|hit| (hit.entry.path.to_string(), hit.score)).collect::<Vec<_>>()
    };
    let titles = Bm25::new(FieldStats { count: 3, mean_length: 5.0 / 3.0 });
    let whole = |tf, df| titles.idf(df) * Bm25::frequency(tf, titles.without_length().norm(0));
    let title = |length, df| 0.25 * titles.idf(df) * Bm25::frequency(1.0, titles.norm(length));
    let expected = [
        ("a/one", whole(4.0, 2) + title(1, 1) + whole(1.0, 2)),
        ("a/three", whole(2.0, 2) + title(2, 1)),
        ("a/two", whole(1.0, 2)),
    ];
    let hits = scores("refund card", VisibilityFilter::All).await;
    assert_eq!(hits.len(), expected.len());
    for ((path, score), (wanted, figure)) in hits.iter().zip(expected) {
        assert!(path == wanted && (score / figure - 1.0).abs() < 1e-6, "{hits:?} {expected:?}");
    }
    let only = scores("card", PUBLIC).await;
    let own = Bm25::new(FieldStats { count: 1, mean_length: 2.0 });
    let figure = own.idf(1) * (Bm25::frequency(2.0, 0.9) + 0.25 * Bm25::frequency(1.0, own.norm(2)));
    assert!(only.len() == 1 && (only[0].1 / figure - 1.0).abs() < 1e-6, "{only:?} {figure}");
}
