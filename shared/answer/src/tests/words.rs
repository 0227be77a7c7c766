//! Entries that say what the question says in other words or another language, and the correction of typos when the index
//! fails or is slow.

use std::time::Duration;

use tokio::time::timeout;

use super::follow_ups::asked;
use super::*;
use crate::rank::{Ranked, rank_in_conversation};

async fn index(entries: &[(&str, &str, &str)]) -> Arc<MemoryIndex> {
    let index = MemoryIndex::default();
    for (path, title, content) in entries {
        index.write(path, title, content, Visibility::Public);
    }
    Arc::new(index)
}

/// The ranking of a first question, with the tenant's `own` synonyms.
async fn ranked(index: &Arc<MemoryIndex>, question: &str, own: &[Vec<String>]) -> Vec<(String, Ranked)> {
    let conversation = ConversationQuery::new(&Analyzer::new(Language::English), own, question, &[]);
    let retrieval = retrieved(&**index, &scope(), &conversation.query(1.0), None, PUBLIC).await;
    let (_, ranked) = rank_in_conversation(&conversation, &retrieval);
    ranked.into_iter().map(|r| (retrieval.candidates[r.candidate].path.to_string(), r)).collect()
}

const SHOP: &[(&str, &str, &str)] = &[
    ("pay/refunds", "Refunds", "You get a refund within five days."),
    ("pay/back", "Money back", "You get your money back within nine days."),
    ("ship/times", "Shipping", "Parcels arrive in two days."),
    ("app/mobile", "Mobile app", "The mobile app shows all bookings."),
];

#[tokio::test]
async fn the_word_itself_comes_before_its_synonym_and_a_synonym_before_nothing() {
    let index = index(SHOP).await;
    for (question, first, second) in
        [("refund", "pay/refunds", "pay/back"), ("is my money coming back", "pay/back", "pay/refunds")]
    {
        let ranked = ranked(&index, question, &[]).await;
        let paths: Vec<&str> = ranked.iter().map(|(path, _)| path.as_str()).take(2).collect();
        assert!(paths.starts_with(&[first]), "{question}: {paths:?}");
        if question == "refund" {
            assert_eq!(paths, [first, second]);
            assert!(ranked[0].1.cov > ranked[1].1.cov && ranked[1].1.cov > 0.0, "{ranked:?}");
        }
    }
}

#[tokio::test]
async fn a_word_that_the_wiki_calls_otherwise_is_no_unknown_word() {
    let index = index(SHOP).await;
    let known = ranked(&index, "reimbursement within days", &[]).await;
    let unknown = ranked(&index, "zoological within days", &[]).await;
    assert_eq!(known[0].0, "pay/refunds");
    assert!(known[0].1.evidence.missing < unknown[0].1.evidence.missing / 2.0, "{known:?} {unknown:?}");
    assert!(known[0].1.confidence > unknown[0].1.confidence);
}

#[tokio::test]
async fn a_tenants_own_synonym_counts_almost_as_the_word() {
    let index = index(SHOP).await;
    let own = [vec!["zonk".to_owned(), "refund".to_owned(), "money back".to_owned()]];
    let itself = ranked(&index, "refund days", &own).await;
    let synonym = ranked(&index, "zonk days", &own).await;
    assert_eq!((itself[0].0.as_str(), ranked(&index, "zonk days", &[]).await[0].1.cov < 0.5), ("pay/refunds", true));
    assert!(synonym[0].1.cov < itself[0].1.cov && synonym[0].1.cov > 0.85, "{synonym:?}");
}

#[tokio::test]
async fn a_group_counts_once_however_many_of_it_an_entry_says() {
    let text = "Bill, invoice, receipt, proof of payment.";
    let index = index(&[("pay/all", "All", text), ("pay/one", "One", "The bill comes by post on Mondays.")]).await;
    let ranked = ranked(&index, "bill", &[]).await;
    let of = |path: &str| ranked.iter().find(|(found, _)| found == path).unwrap().1.cov;
    assert!((of("pay/all") - of("pay/one")).abs() < 1e-9, "{ranked:?}");
}

#[tokio::test]
async fn a_misspelt_word_is_corrected_before_synonyms_are_looked_up() {
    let index = index(&[("pay/refunds", "Refunds", "You get a refund or an invoice within five days.")]).await;
    let answered = ask(&engine(index.clone(), None), "when do I get a refnd", PUBLIC).await;
    assert_eq!(paths(&answered), ["pay/refunds"]);
    // "bill" is near "will" and "ball", and the wiki has a synonym of it.
    let conversation = ConversationQuery::new(&Analyzer::new(Language::English), &[], "bill days", &[]);
    let retrieval = retrieved(&*index, &scope(), &conversation.query(1.0), None, PUBLIC).await;
    assert!(rank_in_conversation(&conversation, &retrieval).1[0].cov > 0.6);
}

async fn ranked_in(language: Language, entries: &[(&str, &str, &str)], question: &str) -> Vec<(String, Ranked)> {
    let (index, analyzer) = (MemoryIndex::default(), Analyzer::new(language));
    for (path, title, content) in entries {
        index.put(&scope(), &IndexedEntry::new(&analyzer, &entry(path, title, content, Visibility::Public)));
    }
    let conversation = ConversationQuery::new(&analyzer, &[], question, &[]);
    let retrieval = retrieved(&index, &scope(), &conversation.query(1.0), None, PUBLIC).await;
    let (_, ranked) = rank_in_conversation(&conversation, &retrieval);
    ranked.into_iter().map(|r| (retrieval.candidates[r.candidate].path.to_string(), r)).collect()
}

const OFFICE: &[(&str, &str, &str)] = &[
    ("pay/refunds", "Refunds", "You get a refund within five days."),
    ("pay/invoices", "Invoices", "You find your invoices in your account."),
    ("ship/times", "Shipping with Parcelino", "Parcels arrive in two days."),
];

#[tokio::test]
async fn a_question_in_another_language_finds_the_entry_and_is_answered() {
    for (question, path) in [
        ("Wann bekomme ich meine Rückerstattung?", "pay/refunds"),
        ("¿Cuánto tarda el reembolso?", "pay/refunds"),
        ("Où sont mes factures ?", "pay/invoices"),
        ("dove trovo le mie fatture", "pay/invoices"),
        ("wanneer krijg ik mijn terugbetaling", "pay/refunds"),
        ("onde encontro as minhas faturas", "pay/invoices"),
        ("Rechnungen", "pay/invoices"),
        ("reembolso", "pay/refunds"),
        ("wie lange braucht ein Paket mit Parcelino", "ship/times"),
    ] {
        let ranked = ranked_in(Language::English, OFFICE, question).await;
        let (found, first) = ranked.first().unwrap();
        assert!(found == path && first.confidence >= 0.4, "{question} {found} {}", first.confidence);
    }
    let german =
        &[("a/a", "Rechnungen", "Rechnungen stehen im Konto."), ("a/b", "Versand", "Pakete kommen in zwei Tagen.")];
    assert_eq!(ranked_in(Language::German, german, "where do I find my invoices?").await[0].0, "a/a");
}

#[tokio::test]
async fn a_word_of_another_language_that_the_wiki_does_not_have_stays_unknown() {
    let known = ranked_in(Language::English, OFFICE, "Wo finde ich meine Rechnungen?").await;
    let unknown = ranked_in(Language::English, OFFICE, "Wo finde ich meine Zebras und Rechnungen?").await;
    assert!(unknown[0].1.confidence < known[0].1.confidence, "{known:?} {unknown:?}");
    assert!(ranked_in(Language::English, OFFICE, "Wo schlafen die Zebras?").await.is_empty());
}

#[tokio::test]
async fn a_follow_up_is_in_the_language_of_the_questions_before_where_it_tells_none() {
    let analyzer = Analyzer::new(Language::English);
    let of =
        |history: &[domain::models::Turn]| ConversationQuery::new(&analyzer, &[], "Rechnungen?", history).query(0.0);
    let before = asked("Wann bekomme ich meine Rückerstattung?", "pay/refunds");
    assert!(of(&before).distinct.contains(&"invoic".to_owned()));
    assert!(!of(&asked("when do I get my refund", "pay/refunds")).distinct.contains(&"invoic".to_owned()));
}

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
