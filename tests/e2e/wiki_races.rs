//! Many concurrent writers of one path: no change is lost, and no deleted entry is restored.

use std::collections::BTreeSet;

use futures::future::join_all;
use serde_json::json;

use crate::support::TestService;

#[tokio::test]
async fn of_64_creations_of_one_path_one_succeeds() {
    let world = TestService::start().await;
    let admin = world.admin();
    for round in 0..3 {
        let answers =
            join_all((0..64).map(|n| {
                admin.post("/wiki", json!({"path": "race/one", "title": format!("Writer {n}"), "content": "C"}))
            }))
            .await;
        let created: Vec<_> = answers.iter().filter(|a| a.status == 201).collect();
        let refused = answers.iter().filter(|a| a.status == 409 && a.text_at("error") == "CONFLICT").count();
        assert_eq!((created.len(), refused), (1, 63), "round {round}");
        assert_eq!(admin.get("/wiki/race/one").await.json, created[0].json);
        assert_eq!(admin.get("/wiki?q=writer").await.json["total"], 1);
        assert_eq!(admin.delete("/wiki/race/one").await.status, 204);
    }
}

#[tokio::test]
async fn of_64_deletions_one_succeeds() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", json!({"path": "race/gone", "title": "T", "content": "C"})).await;
    let answers = join_all((0..64).map(|_| admin.delete("/wiki/race/gone"))).await;
    assert_eq!(answers.iter().filter(|a| a.status == 204).count(), 1);
    assert_eq!(answers.iter().filter(|a| a.status == 404).count(), 63);
    let again = admin.post("/wiki", json!({"path": "race/gone", "title": "T", "content": "C"})).await;
    assert_eq!(again.json["version"], 3);
}

#[tokio::test]
async fn concurrent_patches_of_different_fields_lose_none() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", json!({"path": "race/fields", "title": "T", "content": "C"})).await;
    for round in 0..16 {
        let visibility = if round % 2 == 0 { "public" } else { "internal" };
        let patches = [
            json!({"title": format!("Title {round}")}),
            json!({"content": format!("Content {round}")}),
            json!({"visibility": visibility}),
            json!({"tags": [format!("tag {round}")]}),
        ];
        let answers = join_all(patches.iter().map(|patch| admin.patch("/wiki/race/fields", patch.clone()))).await;
        assert!(answers.iter().all(|a| a.status == 200), "{answers:?}");
        let now = admin.get("/wiki/race/fields").await.json;
        for patch in &patches {
            for (field, value) in patch.as_object().unwrap() {
                assert_eq!(&now[field], value, "round {round}");
            }
        }
        assert_eq!(now["version"], 5 + 4 * round);
    }
}

#[tokio::test]
async fn of_64_concurrent_patches_each_has_a_version_of_its_own() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", json!({"path": "race/many", "title": "T", "content": "C"})).await;
    let answers =
        join_all((0..64).map(|n| admin.patch("/wiki/race/many", json!({"title": format!("Title {n}")})))).await;
    assert!(answers.iter().all(|a| a.status == 200), "{:?}", answers.iter().find(|a| a.status != 200));
    let versions: BTreeSet<_> = answers.iter().map(|a| a.json["version"].as_u64().unwrap()).collect();
    assert_eq!(versions, (2..=65).collect());
    let last = answers.iter().find(|a| a.json["version"] == 65).unwrap();
    assert_eq!(admin.get("/wiki/race/many").await.json, last.json);
    let hit = &admin.get("/wiki?q=title").await.json["items"][0];
    assert_eq!(
        (&hit["version"], &hit["title"]),
        (&last.json["version"], &last.json["title"]),
        "the index ends at the last version too"
    );
}

#[tokio::test]
async fn of_64_changes_to_one_known_version_one_succeeds() {
    let world = TestService::start().await;
    let admin = world.admin();
    admin.post("/wiki", json!({"path": "race/match", "title": "T", "content": "C"})).await;
    let matching = admin.with_header("if-match", "\"1\"");
    let answers =
        join_all((0..64).map(|n| matching.patch("/wiki/race/match", json!({"title": format!("Title {n}")})))).await;
    assert_eq!(answers.iter().filter(|a| a.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|a| a.status == 412).count(), 63);
    assert_eq!(admin.get("/wiki/race/match").await.json["version"], 2);
}

#[tokio::test]
async fn a_change_beside_a_deletion_never_brings_the_entry_back() {
    let world = TestService::start().await;
    let admin = world.admin();
    for round in 0..12 {
        let path = format!("/wiki/race/dead{round}");
        admin.post("/wiki", json!({"path": format!("race/dead{round}"), "title": "Undead", "content": "C"})).await;
        let patches = join_all((0..8).map(|n| admin.patch(&path, json!({"title": format!("Undead {n}")}))));
        let (patched, deleted) = tokio::join!(patches, admin.delete(&path));
        assert_eq!(deleted.status, 204);
        assert!(patched.iter().all(|a| [200, 404].contains(&a.status)), "{patched:?}");
        assert_eq!(admin.get(&path).await.status, 404);
    }
    assert_eq!(admin.get("/wiki").await.json["total"], 0);
    assert_eq!(admin.get("/wiki?q=undead").await.json["total"], 0, "nor in the index");
}
