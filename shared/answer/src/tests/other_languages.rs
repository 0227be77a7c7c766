//! Questions in another language than the wiki's, without an embedding model.

use super::follow_ups::asked;
use super::*;
use crate::rank::{Ranked, rank_in_conversation};

async fn ranked(language: Language, entries: &[(&str, &str, &str)], question: &str) -> Vec<(String, Ranked)> {
    let (index, analyzer) = (MemoryIndex::default(), Analyzer::new(language));
    for (path, title, content) in entries {
        index.put(&scope(), &IndexedEntry::new(&analyzer, &entry(path, title, content, Visibility::Public)));
    }
    let conversation = ConversationQuery::new(&analyzer, &[], question, &[]);
    let retrieval = index.retrieve(&scope(), &conversation.query(1.0), None, PUBLIC).await.unwrap();
    let (_, ranked) = rank_in_conversation(&conversation, &retrieval);
    ranked.into_iter().map(|r| (retrieval.candidates[r.candidate].path.to_string(), r)).collect()
}

const SHOP: &[(&str, &str, &str)] = &[
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
        let ranked = ranked(Language::English, SHOP, question).await;
        let (found, first) = ranked.first().unwrap();
        assert!(found == path && first.confidence >= 0.4, "{question} {found} {}", first.confidence);
    }
    let german =
        &[("a/a", "Rechnungen", "Rechnungen stehen im Konto."), ("a/b", "Versand", "Pakete kommen in zwei Tagen.")];
    assert_eq!(ranked(Language::German, german, "where do I find my invoices?").await[0].0, "a/a");
}

#[tokio::test]
async fn a_word_of_another_language_that_the_wiki_does_not_have_stays_unknown() {
    let known = ranked(Language::English, SHOP, "Wo finde ich meine Rechnungen?").await;
    let unknown = ranked(Language::English, SHOP, "Wo finde ich meine Zebras und Rechnungen?").await;
    assert!(unknown[0].1.confidence < known[0].1.confidence, "{known:?} {unknown:?}");
    assert!(ranked(Language::English, SHOP, "Wo schlafen die Zebras?").await.is_empty());
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
