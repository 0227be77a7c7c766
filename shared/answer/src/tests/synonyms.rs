//! Entries that say what the question says in other words.

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
    let retrieval = index.retrieve(&scope(), &conversation.query(1.0), None, PUBLIC).await.unwrap();
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
    let retrieval = index.retrieve(&scope(), &conversation.query(1.0), None, PUBLIC).await.unwrap();
    assert!(rank_in_conversation(&conversation, &retrieval).1[0].cov > 0.6);
}
