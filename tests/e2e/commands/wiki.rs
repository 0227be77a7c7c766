//! `wiki pull` and `wiki push`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::support::{Folder, Printed, binary, printed};

/// What an entry may hold that a file might not give back.
const CONTENTS: [&str; 8] = [
    "Plain.",
    "---\ntitle: no front matter\n---\n",
    "ends with line feeds\n\n\n",
    "\n\nbegins with them",
    "carriage\r\nreturns\r\n",
    "  spaces at both ends  ",
    "[link](../a/b.md) ![image](https://example.com/x.png) `code`\n\n| a | b |\n|---|---|\n| 1 | 2 |",
    "---",
];

const TITLES: [&str; 8] = ["yes", "1.0", "a: b # c", "'quoted' \"twice\"", "- dash", "@at", "Füße 東京", "null"];

fn put(path: &str, title: &str, content: &str) -> (String, Value) {
    (path.to_owned(), json!({"title": title, "content": content, "visibility": "public", "tags": ["a", "no", "1"]}))
}

pub(super) async fn wiki(folder: &Folder, key: &str, arguments: &[&str]) -> Printed {
    let mut command = binary();
    command.env("SUPPORT_API_URL", folder.url("")).env("SUPPORT_API_KEY", key).arg("wiki").args(arguments);
    tokio::task::spawn_blocking(move || printed(command.output().unwrap())).await.unwrap()
}

async fn store(folder: &Folder, key: &str, entries: &[(String, Value)]) {
    for (path, entry) in entries {
        let call = folder.http.put(folder.url(&format!("/wiki/{path}"))).bearer_auth(key).json(entry);
        assert!(call.send().await.unwrap().status().is_success(), "{path}");
    }
}

/// Title, content, visibility and tags of every entry.
pub(super) async fn stored(folder: &Folder, key: &str) -> BTreeMap<String, Value> {
    let (status, exported) = folder.get(key, "/wiki-export").await;
    assert_eq!(status, 200, "{exported}");
    let said = |item: &Value| json!([item["title"], item["content"], item["visibility"], item["tags"]]);
    let items = exported["items"].as_array().unwrap().iter();
    items.map(|item| (item["path"].as_str().unwrap().to_owned(), said(item))).collect()
}

pub(super) fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut folders) = (BTreeMap::new(), vec![dir.to_owned()]);
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
            if file.is_dir() {
                folders.push(file);
            } else if file.extension().is_some_and(|kind| kind == "md") {
                found.insert(file.strip_prefix(dir).unwrap().display().to_string(), std::fs::read(&file).unwrap());
            }
        }
    }
    found
}

/// A folder with the files of an entry each that two tenants have, and their keys.
async fn pulled(folder: &Folder, entries: &[(String, Value)]) -> (tempfile::TempDir, String) {
    let (_, key) = folder.tenant("From").await;
    store(folder, &key, entries).await;
    let dir = tempfile::tempdir().unwrap();
    wiki(folder, &key, &["pull", dir.path().to_str().unwrap(), "--yes"]).await.expect(0);
    (dir, key)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_pulled_pushed_into_an_empty_tenant_and_pulled_again_is_identical() {
    let folder = Folder::running().await;
    let entry = |(n, (content, title)): (usize, (&&str, &&str))| put(&format!("odd/e{n}/Deep.x_y-z"), title, content);
    let entries: Vec<_> = CONTENTS.iter().zip(&TITLES).enumerate().map(entry).collect();
    let (dir, from) = pulled(&folder, &entries).await;
    let (_, to) = folder.tenant("To").await;
    let path = dir.path().to_str().unwrap().to_owned();
    let plan = wiki(&folder, &to, &["push", &path]).await;
    plan.expect(0);
    assert!(plan.stdout.contains("+ odd/e0/Deep.x_y-z") && plan.stdout.contains("--yes"), "{}", plan.stdout);
    assert!(stored(&folder, &to).await.is_empty(), "a dry run writes nothing");
    wiki(&folder, &to, &["push", &path, "--yes"]).await.expect(0);
    assert_eq!(stored(&folder, &to).await, stored(&folder, &from).await);
    let again = tempfile::tempdir().unwrap();
    wiki(&folder, &to, &["pull", again.path().to_str().unwrap(), "--yes"]).await.expect(0);
    assert_eq!(files(again.path()), files(dir.path()));
    assert_eq!(files(dir.path()).len(), CONTENTS.len());
    for command in ["push", "pull"] {
        assert!(wiki(&folder, &to, &[command, &path]).await.stdout.contains("the same"), "{command}");
    }
    // Of a tenant that never had the entries, none was deleted.
    let (_, empty) = folder.tenant("Empty").await;
    wiki(&folder, &empty, &["pull", &path, "--delete", "--yes"]).await.expect(0);
    assert_eq!(files(dir.path()), files(again.path()));
    // Line ends of the whole file are no change.
    let file = dir.path().join("odd/e0/Deep.x_y-z.md");
    std::fs::write(&file, std::fs::read_to_string(&file).unwrap().replace('\n', "\r\n")).unwrap();
    assert!(wiki(&folder, &from, &["push", &path]).await.stdout.contains("the same"));
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_go_the_way_they_are_sent_and_conflicts_are_named_and_left() {
    let folder = Folder::running().await;
    let all = ["here/edited", "there/edited", "both/edited", "here/gone", "there/gone", "gone/edited"];
    let entries: Vec<_> = all.iter().map(|path| put(path, "T", "First line\nSecond line")).collect();
    let (dir, key) = pulled(&folder, &entries).await;
    let path = dir.path().to_str().unwrap().to_owned();
    let edit = |name: &str| {
        let file = dir.path().join(format!("{name}.md"));
        std::fs::write(&file, std::fs::read_to_string(&file).unwrap().replace("Second", "My second")).unwrap();
    };
    edit("here/edited");
    edit("both/edited");
    let theirs = ["there/edited", "both/edited", "gone/edited"].map(|path| put(path, "T", "Their line"));
    store(&folder, &key, &theirs).await;
    for name in ["here/gone", "gone/edited"] {
        std::fs::remove_file(dir.path().join(format!("{name}.md"))).unwrap();
    }
    let delete = folder.http.delete(folder.url("/wiki/there/gone")).bearer_auth(&key);
    assert!(delete.send().await.unwrap().status().is_success());
    std::fs::create_dir_all(dir.path().join("new")).unwrap();
    std::fs::write(dir.path().join("new/one.md"), "---\ntitle: New\nvisibility: internal\n---\nText").unwrap();

    let plan = wiki(&folder, &key, &["push", &path, "--json"]).await;
    let told: Value = serde_json::from_str(&plan.expect(6).stdout).unwrap();
    let actions: BTreeMap<_, _> = told["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["path"].as_str().unwrap(), item["action"].as_str().unwrap()))
        .collect();
    let expected = [
        ("here/edited", "update"),
        ("there/edited", "keep"),
        ("both/edited", "conflict"),
        ("here/gone", "keep"),
        ("there/gone", "keep"),
        ("gone/edited", "conflict"),
        ("new/one", "create"),
    ];
    assert_eq!(actions, expected.into_iter().collect());
    let pushed = wiki(&folder, &key, &["push", &path, "--yes"]).await;
    pushed.expect(6);
    assert!(pushed.stdout.contains("-Second line\n+My second line"), "{}", pushed.stdout);
    assert!(pushed.stdout.contains("! both/edited: conflict"), "{}", pushed.stdout);
    let now = stored(&folder, &key).await;
    assert_eq!(now["here/edited"][1], "First line\nMy second line");
    assert_eq!((&now["there/edited"][1], &now["both/edited"][1]), (&json!("Their line"), &json!("Their line")));
    assert_eq!(now["new/one"], json!(["New", "Text", "internal", []]));
    assert!(now.contains_key("here/gone") && !now.contains_key("there/gone"), "deletions only with --delete");

    wiki(&folder, &key, &["push", &path, "--delete", "--yes"]).await.expect(6);
    let now = stored(&folder, &key).await;
    assert!(!now.contains_key("here/gone") && now.contains_key("gone/edited"), "{now:?}");
    wiki(&folder, &key, &["pull", &path, "--delete", "--yes"]).await.expect(6);
    assert!(std::fs::read_to_string(dir.path().join("there/edited.md")).unwrap().contains("Their line"));
    assert!(std::fs::read_to_string(dir.path().join("both/edited.md")).unwrap().contains("My second"));
    assert!(dir.path().join("gone/edited.md").exists() && !dir.path().join("there/gone.md").exists());
    wiki(&folder, &key, &["push", &path, "--overwrite", "--yes"]).await.expect(0);
    assert_eq!(stored(&folder, &key).await["both/edited"][1], "First line\nMy second line");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_entries_are_named_and_nothing_is_pushed() {
    let folder = Folder::running().await;
    let (dir, key) = pulled(&folder, &[put("a/good", "T", "C")]).await;
    let path = dir.path().to_str().unwrap().to_owned();
    let bad = [
        ("a/none.md", "no front matter"),
        ("a/open.md", "---\ntitle: T\nvisibility: public\n"),
        ("a/yaml.md", "---\ntitle: [T\n---\nC"),
        ("a/typo.md", "---\ntitle: T\nvisiblity: public\n---\nC"),
        ("a/list.md", "---\n- title\n---\nC"),
        ("a/no name.md", "---\ntitle: T\nvisibility: public\n---\nC"),
        ("top.md", "---\ntitle: T\nvisibility: public\n---\nC"),
    ];
    for (name, text) in bad {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    std::fs::write(dir.path().join("a/bytes.md"), b"---\ntitle: \xff\n---\n").unwrap();
    std::fs::write(dir.path().join("a/large.md"), vec![b'x'; 2_000_000]).unwrap();
    std::os::unix::fs::symlink("good.md", dir.path().join("a/link.md")).unwrap();
    std::fs::write(dir.path().join("a/good.md"), "---\ntitle: Changed\nvisibility: public\n---\nC\n").unwrap();
    for command in ["push", "pull"] {
        let refused = wiki(&folder, &key, &[command, &path, "--yes"]).await;
        refused.expect(4);
        for name in bad.map(|(name, _)| name).iter().chain(&["a/bytes.md", "a/large.md", "a/link.md"]) {
            assert!(refused.stderr.contains(name), "{name}: {}", refused.stderr);
        }
    }
    assert_eq!(stored(&folder, &key).await["a/good"][0], "T");
    for (name, _) in bad {
        std::fs::remove_file(dir.path().join(name)).unwrap();
    }
    std::fs::remove_file(dir.path().join("a/bytes.md")).unwrap();
    std::fs::remove_file(dir.path().join("a/large.md")).unwrap();
    std::fs::remove_file(dir.path().join("a/link.md")).unwrap();
    // What the service refuses stops no other.
    std::fs::write(dir.path().join("a/refused.md"), "---\ntitle: T\nvisibility: secret\n---\nC\n").unwrap();
    let refused = wiki(&folder, &key, &["push", &path, "--yes"]).await;
    refused.expect(4);
    assert!(refused.stderr.contains("a/refused") && refused.stderr.contains("visibility"), "{}", refused.stderr);
    assert_eq!(stored(&folder, &key).await["a/good"][0], "Changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pushes_of_one_folder_at_once_write_each_entry_once() {
    let folder = Folder::running().await;
    let entries: Vec<_> = (0..300).map(|n| put(&format!("many/e{n}"), "T", &format!("Content {n}"))).collect();
    let (dir, _) = pulled(&folder, &entries).await;
    let (_, to) = folder.tenant("To").await;
    let path = dir.path().to_str().unwrap().to_owned();
    let push = ["push", &path, "--yes"];
    let (one, other) = tokio::join!(wiki(&folder, &to, &push), wiki(&folder, &to, &push));
    one.expect(0);
    other.expect(0);
    let (_, exported) = folder.get(&to, "/wiki-export").await;
    let versions = exported["items"].as_array().unwrap().iter().map(|item| item["version"].as_u64().unwrap());
    assert_eq!(versions.collect::<Vec<_>>(), [1; 300]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_api_a_key_or_its_address_a_command_says_so() {
    let folder = Folder::running().await;
    let (_, key) = folder.tenant("Shop").await;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_str().unwrap();
    let mut command = binary();
    command.env_remove("SUPPORT_API_URL").env_remove("SUPPORT_API_KEY").args(["wiki", "pull", path]);
    assert!(printed(command.output().unwrap()).expect(2).stderr.contains("SUPPORT_API_KEY"));
    let refused = wiki(&folder, "pk_live_wrong", &["pull", path]).await;
    assert!(!refused.expect(4).stderr.contains("pk_live_wrong"), "{}", refused.stderr);
    for arguments in [["pull", path, "--prefix", "billing/#"], ["pull", path, "--data", "/no/such/folder"]] {
        let refused = wiki(&folder, &key, &arguments).await;
        assert!(matches!(refused.exit_code, 1 | 4), "{refused:?}");
    }
    // A wrong address is no empty wiki, whose files a pull would delete.
    let mut command = binary();
    let page = folder.url("").replace("/api/v1", "");
    command.env("SUPPORT_API_URL", page).env("SUPPORT_API_KEY", &key).args(["wiki", "pull", path]);
    let output = tokio::task::spawn_blocking(move || printed(command.output().unwrap())).await.unwrap();
    assert!(output.expect(4).stderr.contains("not found"), "{}", output.stderr);
}
