//! `wiki import`: exports of other help desks become files, which `wiki push` sends.

use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::support::{Folder, Printed, ops};
use super::wiki::{files, stored, wiki};

/// A folder for an export and its files.
struct Export {
    folder: tempfile::TempDir,
}

impl Export {
    fn of(bytes: impl AsRef<[u8]>) -> Self {
        let export = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(export.file(), bytes).unwrap();
        export
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("export")
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("wiki")
    }

    fn import(&self, format: &str, options: &[&str]) -> Printed {
        let (file, dir) = (self.file(), self.dir());
        ops(&[&["wiki", "import", format, file.to_str().unwrap(), dir.to_str().unwrap(), "--json"], options].concat())
    }

    /// The text of a file that was written.
    fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.dir().join(path)).unwrap_or_else(|e| panic!("{path}: {e}; {:?}", self.names()))
    }

    fn names(&self) -> Vec<String> {
        files(&self.dir()).into_keys().collect()
    }
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn left_out(printed: &Printed) -> Vec<String> {
    let items = printed.json()["leftOut"].as_array().unwrap().clone();
    items
        .iter()
        .map(|item| format!("{}: {}", item["name"].as_str().unwrap(), item["reason"].as_str().unwrap()))
        .collect()
}

fn zendesk() -> String {
    let body = "<p>Send it back within <b>30 days</b>.</p><h2>What it costs</h2><ul><li>Nothing in the EU</li><li>5 &euro; elsewhere</li></ul>\
                <h3>Elsewhere</h3><table><tr><th>Country</th><th>Price</th></tr><tr><td>Norway</td><td>5</td></tr></table>\
                <script>alert(1)</script><p>See <a href=\"/hc/articles/2\">exchanges</a>.</p>";
    let first = json!({
        "articles": [
            {"id": 1, "title": "How to return  a <shoe>", "body": body, "draft": false, "section_id": 20, "locale": "en-us",
             "html_url": "https://shop.zendesk.com/hc/en-us/articles/1", "label_names": ["returns"], "user_segment_id": null,
             "content_tag_ids": [], "of_next_year": {"a": 1}},
            {"id": 2, "title": "Prices for dealers", "body": "<p>Dealers pay less.</p>", "section_id": 20, "user_segment_id": 7, "locale": "en-us"},
            {"id": 3, "title": "Not yet", "body": "<p>Soon.</p>", "draft": true, "section_id": 20, "locale": "en-us"},
            {"id": "4", "body": "<p>No title.</p>"},
            "no article",
        ],
        "sections": [{"id": 20, "name": "Returns", "category_id": 30, "parent_section_id": 21},
                     {"id": 21, "name": "After the purchase", "category_id": 30, "parent_section_id": 20}],
        "categories": [{"id": 30, "name": "Shop & more"}],
        "next_page": "https://shop.zendesk.com/api/v2/help_center/articles.json?page=2",
    });
    let second = json!({"articles": [
        {"id": 5, "title": "Prices for dealers", "body": "<p>The same title again.</p>", "locale": "en-us"},
        {"id": 6, "title": "返品", "body": "<p>返品は三十日以内です。</p>", "locale": "ja"},
        {"id": 7, "title": "Nothing", "body": "<p></p>", "locale": "en-us"},
    ], "next_page": null});
    format!("\u{feff}{first}\n{second}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_help_center_of_zendesk_is_moved_by_an_import_and_a_push() {
    let export = Export::of(zendesk());
    let tried = export.import("zendesk", &["--prefix", "help", "--visibility", "public"]);
    assert!(tried.json()["dryRun"] == true && !export.dir().exists(), "{tried:?}");
    let done = export.import("zendesk", &["--prefix", "help", "--visibility", "public", "--yes"]);
    let left = left_out(&done);
    assert_eq!(left.len(), 4, "{left:?}");
    for (name, reason) in [("Not yet", "draft"), ("article 4", "title"), ("article ", ""), ("Nothing", "text")] {
        assert!(left.iter().any(|line| line.starts_with(name) && line.contains(reason)), "{name}: {left:?}");
    }
    assert_eq!(
        export.names(),
        [
            "help/en-us/prices-for-dealers.md",
            "help/en-us/shop-more/after-the-purchase/returns/how-to-return-a-shoe.md",
            "help/en-us/shop-more/after-the-purchase/returns/prices-for-dealers.md",
            "help/ja/fan-pin.md",
        ]
    );
    let shoe = export.text("help/en-us/shop-more/after-the-purchase/returns/how-to-return-a-shoe.md");
    assert_eq!(
        shoe,
        "---\ntitle: How to return a <shoe>\nvisibility: public\ntags:\n- returns\n---\nSend it back within **30 days**.\n\n\
         ## What it costs\n\n- Nothing in the EU\n- 5 € elsewhere\n\n### Elsewhere\n\n| Country | Price |\n| --- | --- |\n| Norway | 5 |\n\n\
         See [exchanges](https://shop.zendesk.com/hc/articles/2).\n"
    );
    let dealers = export.text("help/en-us/shop-more/after-the-purchase/returns/prices-for-dealers.md");
    assert!(dealers.contains("visibility: internal"), "a segment of users alone may read it: {dealers}");

    let again = export.import("zendesk", &["--prefix", "help", "--visibility", "public"]);
    assert_eq!(again.json()["items"], json!([]), "{again:?}");
    std::fs::write(export.dir().join("help/ja/fan-pin.md"), dealers).unwrap();
    export.import("zendesk", &["--prefix", "help", "--visibility", "public", "--yes"]).expect(6);
    export.import("zendesk", &["--prefix", "help", "--visibility", "public", "--yes", "--overwrite"]).expect(0);
    assert!(export.text("help/ja/fan-pin.md").contains("返品は三十日以内です。"));

    let folder = Folder::running().await;
    let (_, key) = folder.tenant("To").await;
    wiki(&folder, &key, &["push", export.dir().to_str().unwrap(), "--yes"]).await.expect(0);
    let entries = stored(&folder, &key).await;
    assert_eq!(entries.len(), 4);
    assert_eq!(entries["help/ja/fan-pin"], json!(["返品", "返品は三十日以内です。", "public", []]));
}

#[test]
fn articles_of_intercom_go_into_the_folders_of_their_collections() {
    let article = |id: Value, title: &str, state: &str, parent: Value| {
        json!({"type": "article", "id": id, "title": title, "body": format!("<p>About {title}.</p>"), "state": state,
               "parent_id": parent, "parent_type": "collection", "url": null, "author_id": 1})
    };
    let articles = json!({"type": "list", "pages": {"type": "pages"}, "data": [
        article(json!("11"), "Invoices", "published", json!(2)),
        article(json!(12), "Refunds", "published", Value::Null),
        article(json!("13"), "Later", "draft", json!(2)),
    ]});
    let collections = json!({"type": "list", "data": [
        {"id": "1", "name": "Money", "parent_id": null}, {"id": "2", "name": "Paying", "parent_id": "1"},
    ]});
    let export = Export::of(format!("{articles}{collections}"));
    assert_eq!(left_out(&export.import("intercom", &["--yes"])), ["Later: a draft"]);
    assert_eq!(export.names(), ["imported/money/paying/invoices.md", "imported/refunds.md"]);
    assert_eq!(export.text("imported/refunds.md"), "---\ntitle: Refunds\nvisibility: internal\n---\nAbout Refunds.\n");
}

#[test]
fn pages_of_notion_lose_their_ids_and_keep_their_links() {
    const A: &str = "0123456789abcdef0123456789abcdef";
    const B: &str = "fedcba9876543210fedcba9876543210";
    let part = archive(&[
        (&format!("Handbook {A}.md"), format!("# Handbook\n\nRead [Refunds](Handbook%20{A}/Refunds%20&%20more%20{B}.md#costs) first. ![plan](plan.png)").as_bytes()),
        (&format!("Handbook {A}/Refunds & more {B}.md"), format!("# Refunds & more\n\nOwner: Ann\n\nBack to [the handbook](../Handbook%20{A}.md), or [elsewhere](https://example.com/a.md).").as_bytes()),
        (&format!("Handbook {A}/Table {B}.csv"), b"a,b\n"),
        (&format!("Handbook {A}/Empty {B}.md"), b"# Empty\n"),
    ]);
    let export = Export::of(archive(&[("Export-1-Part-1.zip", &part), ("Export-1-Part-2.zip", b"no archive")]));
    let left = left_out(&export.import("notion", &["--yes"]));
    assert!(
        left.len() == 2
            && left[0].starts_with("Export-1-Part-2.zip: is no archive")
            && left[1] == "Empty: it has no text",
        "{left:?}"
    );
    assert_eq!(export.names(), ["imported/handbook.md", "imported/handbook/refunds-more.md"]);
    assert!(export.text("imported/handbook.md").contains("[Refunds](../imported/handbook/refunds-more.md#costs)"));
    assert!(export.text("imported/handbook.md").contains("![plan](plan.png)"));
    let refunds = export.text("imported/handbook/refunds-more.md");
    assert!(
        refunds.contains("[the handbook](../../imported/handbook.md)")
            && refunds.contains("(https://example.com/a.md)"),
        "{refunds}"
    );
}

#[test]
fn an_archive_writes_nowhere_else_and_one_bad_file_stops_no_other() {
    let large = vec![b'a'; 400 * 1024];
    let bomb = vec![0_u8; 64 * 1024 * 1024];
    let export = Export::of(archive(&[
        (
            "docs/with-front-matter.md",
            b"---\ntitle: Opening hours\nvisibility: public\ntags: [hours]\nlayout: page\n---\nNine to five.\n",
        ),
        ("docs/heading.md", b"\xef\xbb\xbf# A heading\r\n\r\nIts text.\r\n"),
        ("docs/plain.markdown", b"Nothing but text."),
        ("docs/bad.md", b"---\ntitle: [\n---\nText.\n"),
        ("docs/latin.md", b"caf\xe9"),
        ("docs/large.md", &large),
        ("docs/bomb.md", &bomb),
        ("../../outside.md", b"# Outside\n\nIt stays inside."),
        ("/etc/absolute.md", b"# Absolute\n\nIt stays inside, too."),
        ("C:\\windows.md", b"# Windows\n\nInside."),
        ("__MACOSX/docs/._plain.md", b"fork"),
        (".git/readme.md", b"hidden"),
        ("docs/picture.png", b"png"),
    ]));
    let left = left_out(&export.import("markdown-zip", &["--yes"]));
    let mut names: Vec<_> = left.iter().map(|line| line.split(':').next().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["docs/bad.md", "docs/bomb.md", "docs/latin.md", "large"], "{left:?}");
    let mut names = export.names();
    names.sort();
    assert_eq!(
        names,
        [
            "imported/docs/a-heading.md",
            "imported/docs/opening-hours.md",
            "imported/docs/plain.md",
            "imported/etc/absolute.md",
            "imported/outside.md",
            "imported/windows.md"
        ]
    );
    assert_eq!(std::fs::read_dir(export.folder.path()).unwrap().count(), 2, "the export and the folder");
    assert_eq!(
        export.text("imported/docs/opening-hours.md"),
        "---\ntitle: Opening hours\nvisibility: public\ntags:\n- hours\n---\nNine to five.\n"
    );
}

#[test]
fn what_is_no_export_is_refused_with_a_sentence() {
    let mut many = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..=100_000 {
        many.start_file(format!("{number}.md"), SimpleFileOptions::default()).unwrap();
    }
    let many = many.finish().unwrap().into_inner();
    let deep = "[".repeat(100_000);
    for (format, bytes, said) in [
        ("zendesk", &b"{\"articles\": ["[..], "EOF"),
        ("zendesk", deep.as_bytes(), "recursion limit"),
        ("zendesk", b"{\"articles\": {}}", "no articles"),
        ("intercom", b"<html>", "expected value"),
        ("notion", b"{}", "no archive"),
        ("markdown-zip", &archive(&[("a.txt", b"a")]), "no articles"),
        ("markdown-zip", &many, "more than 100000 files"),
    ] {
        let export = Export::of(bytes);
        let refused = export.import(format, &["--yes"]);
        assert!(refused.exit_code != 0 && refused.stderr.contains(said), "{format}: {refused:?}");
        assert!(!export.dir().exists());
    }
    let nowhere = Path::new("/nowhere/at-all");
    ops(&["wiki", "import", "notion", nowhere.to_str().unwrap(), "/nowhere/wiki"]).expect(1);
}
