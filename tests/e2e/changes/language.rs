//! A wiki whose language changes is found by its new terms.

use answer::search::IndexedEntry;
use domain::models::WikiPath;
use serde_json::json;

use crate::support::{IndexSwitch, TestService};

async fn hits(service: &TestService, query: &str) -> u64 {
    service.trainer().get(&format!("/wiki?q={query}")).await.json["total"].as_u64().unwrap()
}

/// Lets the sweeper go on until there is nothing more to do.
async fn finish(service: &TestService) {
    for _ in 0..100 {
        if service.resources().store.wiki().get_reindexing(&service.scope()).await.unwrap().is_none() {
            return;
        }
        service.clock.advance(61_000);
        service.sweep().await;
    }
    panic!("it comes to no end");
}

#[tokio::test]
async fn a_wiki_is_found_in_its_new_language_without_being_written_again() {
    let service = TestService::start().await;
    let (admin, trainer) = (service.admin(), service.trainer());
    for number in 0..150 {
        let content = "Häuser werden monatlich verschickt.";
        trainer.wiki_entry(&format!("hilfe/n{number}"), "Zahlung", content).await;
    }
    trainer.delete("/wiki/hilfe/n7").await.expect(204);
    assert_eq!(hits(&service, "Haus").await, 0, "English knows no German stems");
    admin.patch("/settings", json!({"language": "de"})).await.expect(200);
    service.drain().await;
    assert!(hits(&service, "Haus").await > 0, "it begins at once");
    finish(&service).await;
    assert_eq!(hits(&service, "Haus").await, 149);
    let entry = trainer.get("/wiki/hilfe/n3").await;
    assert_eq!(entry.json["version"], 1, "no version is used up");
}

#[tokio::test]
async fn an_index_that_is_down_learns_a_wikis_new_language_later() {
    let index = IndexSwitch::default();
    let switch = index.wrap();
    let service = TestService::with(|options| options.wrap_index = Some(switch)).await;
    let (admin, trainer) = (service.admin(), service.trainer());
    trainer.wiki_entry("hilfe/zahlung", "Zahlung", "Häuser werden monatlich verschickt.").await;
    index.off();
    admin.patch("/settings", json!({"language": "de"})).await.expect(200);
    service.drain().await;
    index.on();
    assert_eq!(hits(&service, "Haus").await, 0);
    finish(&service).await;
    assert_eq!(hits(&service, "Haus").await, 1);
}

/// Somebody who read the settings just before the change may index an entry in the old language just after.
#[tokio::test]
async fn an_entry_indexed_in_the_old_language_meanwhile_is_corrected_by_the_second_pass() {
    let service = TestService::start().await;
    let (resources, scope) = (service.resources(), service.scope());
    service.trainer().wiki_entry("hilfe/zahlung", "Zahlung", "Häuser werden monatlich verschickt.").await;
    service.admin().patch("/settings", json!({"language": "de"})).await.expect(200);
    service.drain().await;
    let path = WikiPath::parse("hilfe/zahlung").unwrap();
    let entry = resources.store.wiki().get(&scope, &path).await.unwrap().unwrap();
    let late = IndexedEntry::new(&text::Analyzer::new(domain::models::Language::English), &entry);
    resources.index.put(&scope, &late).await.unwrap();
    assert_eq!(hits(&service, "Haus").await, 1, "a put of the same version comes too late");
    resources.index.replace(&scope, &late).await.unwrap();
    assert_eq!(hits(&service, "Haus").await, 0);
    let is_second = async || resources.store.wiki().get_reindexing(&scope).await.unwrap().unwrap().second;
    // On a slow server the sweeper ends the first time through.
    while service.has_remote_table() && !is_second().await {
        service.sweep().await;
    }
    assert!(is_second().await, "the first time through ends at once");
    finish(&service).await;
    assert_eq!(hits(&service, "Haus").await, 1);
}
