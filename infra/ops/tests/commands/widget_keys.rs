//! `widget-key`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::json;

use crate::support::Folder;

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_under_traffic_refuses_no_token() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let before = folder.json(&["widget-key", "show"]).await;
    let old = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();

    let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let callers: Vec<_> = (0..4)
        .map(|_| {
            let (stop, asked, http) = (Arc::clone(&stop), Arc::clone(&asked), folder.http.clone());
            let (tokens, wiki) = (folder.url("/auth/widget-token"), folder.url("/wiki"));
            let (key, old) = (key.clone(), old.clone());
            tokio::spawn(async move {
                while !stop.load(Ordering::SeqCst) {
                    let issued = http.post(&tokens).bearer_auth(&key).json(&json!({})).send().await.unwrap();
                    let issued: serde_json::Value = issued.json().await.unwrap();
                    for token in [issued["token"].as_str().unwrap(), &old] {
                        let answer = http.get(&wiki).bearer_auth(token).send().await.unwrap();
                        assert_eq!(answer.status(), 200, "{}", answer.text().await.unwrap());
                    }
                    asked.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    let until_asked = async |times: usize| {
        let wanted = asked.load(Ordering::SeqCst) + times;
        while asked.load(Ordering::SeqCst) < wanted {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    until_asked(4).await;
    let rotated = folder.json(&["widget-key", "rotate"]).await;
    until_asked(20).await;
    stop.store(true, Ordering::SeqCst);
    for caller in callers {
        caller.await.unwrap();
    }
    assert_eq!((&rotated["previous"], &rotated["next"]), (&before["signing"], &json!(null)));
    assert_ne!(rotated["signing"], before["signing"]);
    let again = folder.ops(&["widget-key", "rotate"]).await;
    assert!(again.expect(4).stderr.contains("previous key may be valid until"), "{again:?}");
    assert!(!again.stderr.contains("pk_") && !rotated.to_string().contains("secret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_without_a_service_holds_at_its_start() {
    let mut folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let old = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();
    folder.stop().await;
    let rotated = folder.json(&["widget-key", "rotate"]).await;
    folder.start().await;
    assert_eq!(folder.json(&["widget-key", "show"]).await["signing"], rotated["signing"]);
    let new = folder.post(&key, "/auth/widget-token", &json!({})).await.1["token"].as_str().unwrap().to_owned();
    for token in [old, new] {
        assert_eq!(folder.get(&token, "/wiki").await.0, 200);
    }
}
