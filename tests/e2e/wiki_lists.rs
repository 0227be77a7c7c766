//! Lists of the wiki: by last change without the index, by full text with it.

use serde_json::{Value, json};

use crate::support::{Actor, Faults, TestService};

async fn write(admin: &Actor, path: &str, title: &str, content: &str, visibility: &str, tags: &[&str]) {
    let body = json!({"path": path, "title": title, "content": content, "visibility": visibility, "tags": tags});
    let answer = admin.post("/wiki", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
}

fn paths(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap()).collect()
}

fn figures(list: &Value) -> [Value; 5] {
    ["page", "limit", "total", "totalPages", "hasMore"].map(|name| list[name].clone())
}

#[tokio::test]
async fn a_list_is_paged_newest_change_first_with_exact_figures() {
    let world = TestService::start().await;
    let admin = world.admin();
    let empty = admin.get("/wiki").await;
    assert_eq!(
        empty.json,
        json!({"items": [], "page": 1, "limit": 20, "total": 0, "totalPages": 0, "hasMore": false, "totalCapped": false, "query": null})
    );
    for n in 0..25 {
        write(&admin, &format!("n/e{n:02}"), "T", "C", "internal", &[]).await;
        world.clock.advance(10);
    }
    admin.patch("/wiki/n/e00", json!({"title": "Changed"})).await;
    admin.delete("/wiki/n/e24").await;
    let expected: Vec<String> = std::iter::once(0).chain((1..24).rev()).map(|n| format!("n/e{n:02}")).collect();
    for (query, page, limit, pages) in [
        ("", 1, 20, 2),
        ("?page=2", 2, 20, 2),
        ("?limit=7&page=4", 4, 7, 4),
        ("?limit=24", 1, 24, 1),
        ("?limit=1&page=24", 24, 1, 24),
        ("?page=3", 3, 20, 2),
        ("?page=100&limit=100", 100, 100, 1),
    ] {
        let list = admin.get(&format!("/wiki{query}")).await;
        assert_eq!(list.status, 200, "{query}");
        assert_eq!(
            figures(&list.json),
            [json!(page), json!(limit), json!(24), json!(pages), json!(page < pages)],
            "{query}"
        );
        let wanted: Vec<_> = expected.iter().skip((page - 1) * limit).take(limit).map(String::as_str).collect();
        assert_eq!(paths(&list.json), wanted, "{query}");
    }
    let first = &admin.get("/wiki?limit=1").await.json["items"][0];
    assert_eq!(
        (&first["title"], &first["version"], &first["contentTruncated"]),
        (&json!("Changed"), &json!(2), &json!(false))
    );
    assert!(first.get("score").is_none() && first.get("highlights").is_none());
}

#[tokio::test]
async fn a_list_examines_a_bounded_number_of_entries_and_a_prefix_finds_the_others() {
    let faults = Faults::default();
    let database = faults.clone();
    let world = TestService::with(|options| {
        options.wrap_database = Some(Box::new(move |client| database.wrap(client)));
    })
    .await;
    write(&world.admin(), "public/one", "T", "C", "public", &[]).await;
    write(&world.admin(), "public/gone", "T", "C", "public", &[]).await;
    world.admin().delete("/wiki/public/gone").await.expect(204);
    world.clock.advance(10);
    write(&world.admin(), "n/e00000", "T", &"Much is said of it. ".repeat(25), "internal", &[]).await;
    let list = world.admin().get("/wiki").await.json;
    assert_eq!([&list["total"], &list["totalCapped"]], [&json!(2), &json!(false)]);
    world.multiply_item("entry", "n/e00000", (1..=10_100).map(|n| format!("n/e{n:05}"))).await;
    let list = world.admin().get("/wiki?limit=100&page=100").await.json;
    assert_eq!(figures(&list), [json!(100), json!(100), json!(10_000), json!(100), json!(true)]);
    assert_eq!(list["totalCapped"], true);
    assert_eq!(paths(&list).len(), 100);
    let widget = world.widget("visitor").await;
    let asked = async |actor: &Actor, query: &str| {
        faults.disarm();
        let list = actor.get(&format!("/wiki{query}")).await.json;
        (list, faults.disarm())
    };
    // 10,101 entries of about 1 KB were changed after the public one; the table answers in pages of 1 MB.
    let most = 16;
    for (actor, query) in [(&widget, ""), (&world.admin(), "?visibility=public"), (&world.admin(), "?tag=none&page=7")]
    {
        let (list, calls) = asked(actor, query).await;
        assert!(calls <= most, "{query}: {calls} calls of the table");
        assert_eq!(paths(&list), Vec::<&str>::new(), "{query}");
        assert_eq!([&list["total"], &list["totalCapped"], &list["hasMore"]], [&json!(0), &json!(true), &json!(false)]);
    }
    for actor in [&widget, &world.admin()] {
        for (query, found) in [("?pathPrefix=public", 1), ("?pathPrefix=public/g", 0), ("?pathPrefix=zzz", 0)] {
            let (list, calls) = asked(actor, query).await;
            assert!(calls <= 6, "{query}: {calls} calls of the table");
            assert_eq!([&list["total"], &list["totalCapped"]], [&json!(found), &json!(false)], "{query}");
            assert_eq!(paths(&list).len(), found, "{query}");
        }
        let (list, calls) = asked(actor, "?pathPrefix=n/e&visibility=public").await;
        assert!(calls <= most + 8 && list["totalCapped"] == true, "{calls} calls of the table: {list}");
    }
    let (list, _) = asked(&world.admin(), "?pathPrefix=n/e0000&limit=3&page=2").await;
    assert_eq!(figures(&list), [json!(2), json!(3), json!(10), json!(4), json!(true)]);
    assert_eq!(paths(&list).len(), 3);
}

#[tokio::test]
async fn a_search_that_finds_nothing_is_made_again_with_typos_corrected() {
    let world = TestService::start().await;
    let admin = world.admin();
    write(&admin, "billing/refunds", "Refund rules", "A refund takes five days.", "public", &["money"]).await;
    write(&admin, "billing/vouchers", "Voucher notes", "Vouchers are internal.", "internal", &["money"]).await;
    for (caller, q, expected) in [
        (&admin, "refnud", vec!["billing/refunds"]),
        (&admin, "the%20refnud%20tkaes", vec!["billing/refunds"]),
        (&admin, "vuocher", vec!["billing/vouchers"]),
        (&admin, "refund", vec!["billing/refunds"]),
        (&admin, "elephant", vec![]),
        (&admin, "%F0%9F%A6%93", vec![]),
        // An entry that a visitor may not read corrects nothing.
        (&world.widget("ann").await, "vuocher", vec![]),
        (&world.widget("ann").await, "refnud", vec!["billing/refunds"]),
    ] {
        let list = caller.get(&format!("/wiki?q={q}")).await;
        assert_eq!(paths(list.expect(200)), expected, "{q}");
    }
    let hit = admin.get("/wiki?q=refnud&tag=money").await;
    assert!(hit.items()[0]["highlights"].to_string().contains(r#"{"match":true,"text":"Refund"}"#), "{:?}", hit.json);
    assert_eq!(paths(&admin.get("/wiki?q=refnud&tag=none").await.json), [""; 0]);
}

#[tokio::test]
async fn filters_narrow_list_and_search_alike() {
    let world = TestService::start().await;
    let admin = world.admin();
    write(&admin, "billing/refunds", "Refund rules", "Refund in days.", "public", &["money", "cards"]).await;
    write(&admin, "billing/refunds-internal", "Refund notes", "Refund notes.", "internal", &["money"]).await;
    write(&admin, "bill/other", "Refund other", "Refund else.", "public", &["mon"]).await;
    write(&admin, "shipping/refunds", "Refund parcels", "Refund parcels.", "internal", &["parcels"]).await;
    for q in ["", "q=refund&"] {
        for (filter, expected) in [
            ("", 4),
            ("visibility=public", 2),
            ("visibility=internal", 2),
            ("tag=money", 2),
            ("tag=mon", 1),
            ("tag=Money", 0),
            ("tag=nothing", 0),
            ("pathPrefix=billing/", 2),
            ("pathPrefix=billing%2Frefunds", 2),
            ("pathPrefix=bill", 3),
            ("pathPrefix=illing", 0),
            ("pathPrefix=billing/&tag=money&visibility=public", 1),
        ] {
            let list = admin.get(&format!("/wiki?{q}{filter}")).await;
            assert_eq!((list.status, &list.json["total"]), (200, &json!(expected)), "{q}{filter}: {list:?}");
            assert_eq!(paths(&list.json).len(), expected, "{q}{filter}");
        }
        let paged = admin.get(&format!("/wiki?{q}tag=money&limit=1&page=2")).await;
        assert_eq!(figures(&paged.json), [json!(2), json!(1), json!(2), json!(2), json!(false)]);
        assert_eq!(paths(&paged.json).len(), 1);
    }
}

#[tokio::test]
async fn a_query_out_of_range_is_refused_never_clamped() {
    let world = TestService::start().await;
    let admin = world.admin();
    let q = |n: usize| format!("q={}", "x".repeat(n));
    for good in [
        "limit=1",
        "limit=100",
        "page=1",
        "page=100&limit=100",
        "page=10000&limit=1",
        "page=500",
        &q(1),
        &q(499),
        &q(500),
    ] {
        assert_eq!(admin.get(&format!("/wiki?{good}")).await.status, 200, "{good}");
    }
    for bad in [
        "limit=0",
        "limit=-1",
        "limit=101",
        "limit=1e2",
        "limit=",
        "limit=abc",
        "limit=%EF%BC%99%EF%BC%99",
        "limit=1&limit=2",
        "limit=%2B5",
        "limit=9999999999999999999",
        "page=0",
        "page=-1",
        "page=10001",
        "page=101&limit=100",
        "page=10000&limit=2",
        "page=501",
        "q=",
        &q(501),
        "q=%20",
        "q=a&q=b",
        "q=%ff",
        "visibility=PUBLIC",
        "visibility=",
        "visibility=public&visibility=public",
        "tag=",
        "pathPrefix=a%20b",
        "pathPrefix=",
        "unknown=1",
        "pathPrefix=%C3%A9",
    ] {
        let answer = admin.get(&format!("/wiki?{bad}")).await;
        assert_eq!((answer.status, answer.text_at("error")), (400, "VALIDATION_ERROR"), "{bad}");
    }
}

#[tokio::test]
async fn a_list_carries_the_first_2000_characters() {
    let world = TestService::start().await;
    let admin = world.admin();
    for (path, length, cut) in
        [("x/a", 1_999, false), ("x/b", 2_000, false), ("x/c", 2_001, true), ("x/d", 100_000, true)]
    {
        write(&admin, path, "Zebra", &"é".repeat(length), "internal", &[]).await;
        for query in [format!("pathPrefix={path}"), format!("q=zebra&pathPrefix={path}")] {
            let list = admin.get(&format!("/wiki?{query}")).await;
            let item = &list.json["items"][0];
            assert_eq!(item["contentTruncated"], cut, "{query}");
            assert_eq!(item["content"].as_str().unwrap().chars().count(), length.min(2_000), "{query}");
        }
    }
}

#[tokio::test]
async fn a_write_is_searchable_when_it_is_answered() {
    let world = TestService::start().await;
    let admin = world.admin();
    let found = async |q: &str| paths(&admin.get(&format!("/wiki?q={q}")).await.json).join(" ");
    write(&admin, "a/b", "Walrus", "Content about tusks.", "internal", &["arctic"]).await;
    for q in ["walrus", "tusks", "arctic", "a%2Fb"] {
        assert_eq!(found(q).await, "a/b", "{q}");
    }
    admin.patch("/wiki/a/b", json!({"content": "Content about whiskers."})).await;
    assert_eq!((found("tusks").await.as_str(), found("whiskers").await.as_str()), ("", "a/b"));
    admin.delete("/wiki/a/b").await;
    assert_eq!(found("walrus").await, "");
    write(&admin, "a/b", "Walrus again", "New.", "internal", &[]).await;
    assert_eq!((found("walrus").await.as_str(), found("whiskers").await.as_str()), ("a/b", ""));
}

#[tokio::test]
async fn hits_come_best_first_with_score_and_highlights() {
    let world = TestService::start().await;
    let admin = world.admin();
    write(
        &admin,
        "x/aside",
        "Something else",
        "A long text that says refund once among many other words of no interest.",
        "internal",
        &[],
    )
    .await;
    write(&admin, "x/refund", "Refund", "Refund, refund: how a refund works.", "internal", &["refund"]).await;
    let list = admin.get("/wiki?q=refunds").await;
    assert_eq!(paths(&list.json), ["x/refund", "x/aside"]);
    assert_eq!(list.json["query"], "refunds");
    let items = list.json["items"].as_array().unwrap();
    assert!(items[0]["score"].as_f64() > items[1]["score"].as_f64());
    let fields: Vec<_> =
        items[0]["highlights"].as_array().unwrap().iter().map(|h| h["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["title", "content", "path", "tags"]);
    let aside = &items[1]["highlights"][0];
    assert_eq!(aside["field"], "content");
    let matched: Vec<_> = aside["segments"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|s| s["match"] == true)
        .map(|s| s["text"].as_str().unwrap())
        .collect();
    assert_eq!(matched, ["refund"]);
}

#[tokio::test]
async fn a_hostile_question_is_only_words() {
    let world = TestService::start().await;
    let admin = world.admin();
    let stranger = world.other_admin();
    write(&stranger, "their/secret", "Tenant secret", "t2 x a or b foreign words", "public", &[]).await;
    write(&admin, "our/entry", "Ours", "Our own words", "internal", &[]).await;
    let many = "or ".repeat(166);
    for q in [
        "*:*",
        "tenantId:t2",
        "_exists_:x",
        "/.*/",
        "a OR b~",
        "\"",
        "\\",
        "(",
        ")))",
        "+-&&||!(){}[]^\"~*?:\\/",
        "{\"match_all\":{}}",
        "secret",
        "T#WIKI",
        "%",
        "' OR 1=1 --",
        "<script>",
        "🦭",
        "\u{202e}x",
        "the and of",
        &many,
        &"x".repeat(500),
        &"é ".repeat(250),
    ] {
        let encoded: String = q.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let list = admin.get(&format!("/wiki?q={encoded}")).await;
        assert_eq!(list.status, 200, "{q}: {list:?}");
        assert!(!list.text.contains("their/secret"), "{q}");
        assert_eq!(list.json["query"], q);
    }
}

#[tokio::test]
async fn a_widget_finds_public_entries_only() {
    let world = TestService::start().await;
    let admin = world.admin();
    write(&admin, "help/public", "Zebra crossing", "For everybody.", "public", &["t"]).await;
    write(&admin, "help/internal", "Zebra secrets", "For us.", "internal", &["t"]).await;
    let widget = world.widget("visitor").await;
    for query in ["", "?q=zebra", "?tag=t", "?visibility=public", "?pathPrefix=help", "?q=zebra&tag=t"] {
        let list = widget.get(&format!("/wiki{query}")).await;
        assert_eq!((paths(&list.json), &list.json["total"]), (vec!["help/public"], &json!(1)), "{query}");
    }
    for query in ["?visibility=internal", "?visibility=internal&q=zebra", "?q=secrets"] {
        let list = widget.get(&format!("/wiki{query}")).await;
        assert_eq!((list.status, &list.json["total"], &list.json["items"]), (200, &json!(0), &json!([])), "{query}");
    }
    admin.patch("/wiki/help/public", json!({"visibility": "internal"})).await;
    for query in ["", "?q=zebra"] {
        assert_eq!(widget.get(&format!("/wiki{query}")).await.json["total"], 0, "{query}");
    }
}

#[tokio::test]
async fn lists_and_searches_never_leave_tenant_or_mode() {
    let world = TestService::start().await;
    let (live, test, stranger) = (world.admin(), world.test_admin(), world.other_admin());
    write(&live, "a/live", "Zebra", "One.", "public", &[]).await;
    write(&test, "a/test", "Zebra", "Two.", "public", &[]).await;
    write(&stranger, "a/stranger", "Zebra", "Three.", "public", &[]).await;
    for (caller, own) in [(&live, "a/live"), (&test, "a/test"), (&stranger, "a/stranger")] {
        for query in ["", "?q=zebra", "?visibility=public", "?pathPrefix=a"] {
            assert_eq!(paths(&caller.get(&format!("/wiki{query}")).await.json), [own], "{query}");
        }
    }
}
