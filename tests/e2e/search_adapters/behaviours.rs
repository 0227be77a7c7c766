//! The behaviours, one function each.

use answer::rank;
use answer::search::IndexedEntry;
use answer::search::{EntryFilter, EntryQuery, VisibilityFilter};
use domain::models::{Mode, Scope, Timestamp, Visibility, WikiEntry, WikiPath};

use super::corpus::{entry, indexed, reference_wiki, shuffled, vectors, version};
pub(super) use super::spellings::parts_and_other_spellings_are_found_with_the_same_counts;
pub(super) use super::vectors::{
    a_question_without_words_is_answered_by_its_vector,
    an_entry_is_embedded_also_where_the_model_gave_no_vector_of_a_passage,
    entries_without_vectors_are_listed_and_counted, questions_that_are_asked_together_have_the_results_of_each,
    the_nearest_passage_is_among_those_of_every_candidate, the_ten_nearest_by_vector_join_the_ten_best_by_words,
    vectors_of_another_space_or_dimension_are_not_compared, vectors_reach_no_other_tenant_and_nothing_invisible,
};
pub(super) use super::viewers::{
    a_hit_has_the_score_of_the_formula, a_word_of_an_entry_that_was_hidden_is_no_correction,
    an_invisible_entry_changes_no_figure,
};
use super::{Adapter, EVERYTHING, english, listed, listing, new_scope, paths};

pub(super) async fn the_reference_wiki_gives_the_reference_figures(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &reference_wiki()).await;
    for question in vectors()["questions"].as_array().unwrap() {
        let text = question["question"].as_str().unwrap();
        let found = on.ask(&scope, text).await;
        let ranked = rank(&english().query(text), &found);
        let expected = question["ranked"].as_array().unwrap();
        assert_eq!(ranked.len(), expected.len(), "{text}");
        for (ranked, expected) in ranked.iter().zip(expected) {
            assert_eq!(found.candidates[ranked.candidate].path.as_str(), expected["path"], "{text}");
            let reference = 1.0 / (1.0 + (4.877 - 6.453 * ranked.evidence.x).exp());
            for (name, figure) in [("S", ranked.s), ("cov", ranked.cov), ("confidence", reference)] {
                let wanted = expected[name].as_f64().unwrap();
                assert!((figure - wanted).abs() < 1e-6, "{text}: {name} is {figure}, not {wanted}");
            }
        }
    }
}

/// Texts that an attacker writes into a search box.
fn hostile_questions() -> Vec<String> {
    let tenant_terms = ["tenantId:t2", "scope:*", "_exists_:scope", "title:secret OR secret", "secret#live#a"];
    let syntax =
        ["*:*", "*", "/.*/", "secret~", "secret* OR b~2", "\"secret", "\\secret", "[a TO z]", "secret\u{1f}secret"];
    let json = [r#"{"match_all":{}}"#, r#"secret"}},{"match_all":{}}"#, "${secret}", "secret' --"];
    let long = ["secret ".repeat(1_500), "(".repeat(10_000), "secret AND ".repeat(900)];
    let short = tenant_terms.iter().chain(&syntax).chain(&json).map(|text| (*text).to_owned());
    short.chain(long).collect()
}

pub(super) async fn no_question_reaches_another_tenant_or_mode(on: &Adapter) {
    let (mine, theirs) = (new_scope(), new_scope());
    let my_test_data = Scope { mode: Mode::Test, ..mine.clone() };
    on.put_all(&mine, &[indexed("a/own", "Own title", "A secret of mine.")]).await;
    for other in [&theirs, &my_test_data] {
        on.put_all(
            other,
            &[indexed("a/other", "Other", "A secret of others."), indexed("a/own", "Other", "A secret.")],
        )
        .await;
    }
    for question in hostile_questions() {
        for candidate in on.ask(&mine, &question).await.candidates {
            assert_eq!(candidate.content, "A secret of mine.", "{question:.40}");
        }
        let whole = on.list(&mine, &listing(&question)).await;
        let by_tag = EntryFilter { tag: Some(question.clone()), ..EVERYTHING };
        let by_prefix = EntryFilter { path_prefix: Some(question.clone()), ..EVERYTHING };
        for filter in [by_tag, by_prefix] {
            assert_eq!(on.count(&mine, &filter).await, 0, "{question:.40}");
            assert_eq!(on.list(&mine, &EntryQuery { filter, ..listing("secret") }).await.total, 0, "{question:.40}");
        }
        assert!(whole.items.iter().all(|hit| hit.entry.content == "A secret of mine."), "{question:.40}");
    }
    assert_eq!(paths(&on.ask(&mine, "secret").await), ["a/own"]);
    assert_eq!((on.count(&mine, &EVERYTHING).await, on.count(&new_scope(), &EVERYTHING).await), (1, 0));
    assert_eq!(paths(&on.ask(&new_scope(), "secret").await), [""; 0]);
}

pub(super) async fn counts_are_the_tenants_own(on: &Adapter) {
    let (mine, theirs) = (new_scope(), new_scope());
    on.put_all(
        &mine,
        &[indexed("a/one", "Refunds", "Refunds take five days."), indexed("a/two", "Cards", "Gift cards.")],
    )
    .await;
    let before = on.ask(&mine, "refund gift cards").await;
    assert_eq!((before.stats.words.count, before.stats.titles.count), (2, 2));
    assert_eq!(before.stats.word_df, [1, 1, 1]);
    assert_eq!(before.stats.title_df, [1, 0, 1]);
    assert_eq!(before.stats.bigram_df, [0, 1]);
    let many: Vec<_> = (0..20).map(|n| indexed(&format!("b/{n}"), "Refunds", "Refunds of gift cards.")).collect();
    on.put_all(&theirs, &many).await;
    assert_eq!(on.ask(&mine, "refund gift cards").await, before);
}

pub(super) async fn only_what_is_visible_is_found_and_counted(on: &Adapter) {
    let scope = new_scope();
    let public = WikiEntry { visibility: Visibility::Public, ..entry("a/public", "Refunds", "Public refunds.") };
    let entries = [indexed("a/internal", "Refunds", "Internal refunds."), IndexedEntry::new(&english(), &public)];
    on.put_all(&scope, &entries).await;
    let all = on.ask(&scope, "refunds").await;
    assert_eq!((all.candidates.len(), all.stats.word_df), (2, vec![2]));
    for (visibility, expected) in [(Visibility::Public, "a/public"), (Visibility::Internal, "a/internal")] {
        let only = VisibilityFilter::Only(visibility);
        let found = on.ask_within(&scope, "refunds", only).await;
        assert_eq!(paths(&found), [expected]);
        assert_eq!((found.stats.words.count, found.stats.titles.count), (1, 1));
        assert_eq!((&found.stats.word_df, &found.stats.title_df), (&vec![1], &vec![1]));
        let filter = EntryFilter { visibility: only, ..EVERYTHING };
        assert_eq!(on.count(&scope, &filter).await, 1);
        let hits = on.list(&scope, &EntryQuery { filter, ..listing("refunds") }).await;
        assert_eq!((listed(&hits), hits.total), (vec![expected], 1));
    }
}

pub(super) async fn the_newest_version_stands_whatever_order_they_arrive_in(on: &Adapter) {
    for seed in 1..=5 {
        let scope = new_scope();
        // Twelve changes of three paths, every one twice: odd versions write, even ones delete, the last writes.
        let writes = shuffled(72, seed).into_iter().map(|number| {
            let (path, number) = (["a/x", "a/y", "a/z"][number % 3], u64::try_from(number / 3 % 12).unwrap() + 2);
            let scope = &scope;
            async move {
                if number % 2 == 0 && number < 13 {
                    on.delete(scope, path, number).await;
                } else {
                    on.put(scope, &version(path, &format!("Parcel number{number}."), number)).await;
                }
            }
        });
        futures::future::join_all(writes).await;
        on.settle().await;
        let found = on.ask(&scope, "parcel").await;
        assert_eq!(found.stats.titles.count, 3, "seed {seed}");
        let versions: Vec<_> = found.candidates.iter().map(|c| (c.version, c.content.as_str())).collect();
        assert_eq!(versions, [(13, "Parcel number13."); 3], "seed {seed}");
    }
}

pub(super) async fn a_deleted_entry_is_gone_and_counts_no_more(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[version("a/stays", "Customs and duty.", 1), version("a/goes", "Customs and tax.", 4)]).await;
    on.delete(&scope, "a/goes", 5).await;
    on.delete(&scope, "a/never", 2).await;
    on.put(&scope, &version("a/goes", "Customs once more.", 3)).await;
    on.settle().await;
    let found = on.ask(&scope, "customs").await;
    assert_eq!(paths(&found), ["a/stays"]);
    assert_eq!((found.stats.words.count, found.stats.titles.count, found.stats.word_df[0]), (1, 1, 1));
    assert_eq!(on.list(&scope, &listing("customs tax")).await.total, 1);
    on.put_all(&scope, &[version("a/goes", "Customs are back.", 6)]).await;
    assert_eq!(on.ask(&scope, "customs").await.stats.word_df, [2]);
}

pub(super) async fn a_passage_of_an_older_version_is_never_found(on: &Adapter) {
    let scope = new_scope();
    let long = "A walrus sleeps on the ice all day long. ".repeat(60);
    on.put_all(&scope, &[version("a/b", &long, 1)]).await;
    assert!(on.ask(&scope, "walrus").await.stats.words.count > 3);
    on.put_all(&scope, &[version("a/b", "A seal swims.", 2)]).await;
    let found = on.ask(&scope, "walrus seal").await;
    assert_eq!((found.stats.words.count, found.stats.word_df), (1, vec![0, 1]));
    assert_eq!(found.candidates[0].passages.len(), 1);
}

pub(super) async fn a_replacement_takes_the_place_of_its_own_version_and_of_no_newer_one(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[version("a/b", "A walrus.", 2)]).await;
    on.put_all(&scope, &[version("a/b", "A seal.", 2)]).await;
    assert_eq!(on.ask(&scope, "walrus seal").await.stats.word_df, [1, 0], "a put of the same version changes nothing");
    on.index.replace(&scope, &version("a/b", "A seal.", 2)).await.unwrap();
    on.settle().await;
    assert_eq!(on.ask(&scope, "walrus seal").await.stats.word_df, [0, 1]);
    on.index.replace(&scope, &version("a/b", "A walrus.", 1)).await.unwrap();
    on.settle().await;
    assert_eq!(on.ask(&scope, "walrus seal").await.stats.word_df, [0, 1]);
    on.delete(&scope, "a/b", 3).await;
    on.index.replace(&scope, &version("a/b", "A seal.", 2)).await.unwrap();
    on.settle().await;
    assert_eq!(on.list(&scope, &listing("seal")).await.total, 0);
}

pub(super) async fn an_old_deletion_is_forgotten_and_nothing_else(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[version("a/kept", "A walrus.", 1), version("a/old", "A walrus.", 1)]).await;
    let path = |text: &str| WikiPath::parse(text).unwrap();
    // Moments that no other test's tombstones have: they share the index.
    for (at, deleted) in [("a/old", 1_000), ("a/late", 3_000)] {
        on.index.delete(&scope, &path(at), 5, Timestamp::from_millis(deleted)).await.unwrap();
    }
    on.settle().await;
    assert_eq!(on.index.purge_deleted(Timestamp::from_millis(2_000)).await.unwrap(), 1);
    assert_eq!(on.index.purge_deleted(Timestamp::from_millis(2_000)).await.unwrap(), 0);
    on.settle().await;
    assert_eq!(on.list(&scope, &listing("walrus")).await.total, 1);
    on.put_all(&scope, &[version("a/late", "A walrus.", 4)]).await;
    assert_eq!(on.list(&scope, &listing("walrus")).await.total, 1, "a younger tombstone still holds");
}

pub(super) async fn the_ten_nearest_entries_are_candidates_with_three_passages_each(on: &Adapter) {
    let scope = new_scope();
    let filler = "Nothing in this sentence matters to anybody who reads it today. ".repeat(20);
    let mut entries: Vec<_> =
        (0..30).map(|n| indexed(&format!("a/far-{n}"), "Other", &format!("A zebra. {filler}"))).collect();
    let stripes = format!("{filler} Zebra stripes. ").repeat(6);
    entries.extend((0..10).map(|n| indexed(&format!("a/near-{n}"), "Zebra stripes", &stripes)));
    on.put_all(&scope, &entries).await;
    let found = on.ask(&scope, "zebra stripes").await;
    assert_eq!(found.candidates.len(), 10);
    for candidate in &found.candidates {
        assert!(candidate.path.as_str().starts_with("a/near-"), "{}", candidate.path);
        assert_eq!(candidate.passages.len(), 3);
        assert!(candidate.passages.iter().all(|passage| passage.text.contains("Zebra stripes")));
        assert_eq!(candidate.title_terms, ["zebra", "stripe"]);
    }
}

pub(super) async fn a_list_is_paged_and_narrowed_by_tag_and_prefix(on: &Adapter) {
    let scope = new_scope();
    let entries: Vec<_> = (0..25)
        .map(|n| {
            let folder = if n % 5 == 0 { "faq" } else { "manual" };
            let tags = if n % 2 == 0 { vec!["Even".to_owned(), "all of them".to_owned()] } else { Vec::new() };
            let content = format!("Parcels {}", "travel far. ".repeat(n + 1));
            IndexedEntry::new(&english(), &WikiEntry { tags, ..entry(&format!("{folder}/n{n}"), "Shipping", &content) })
        })
        .collect();
    on.put_all(&scope, &entries).await;
    let mut seen = Vec::new();
    for offset in [0, 10, 20, 30] {
        let page = on.list(&scope, &EntryQuery { offset, limit: 10, ..listing("parcels") }).await;
        assert_eq!(page.total, 25);
        assert!(page.items.windows(2).all(|pair| pair[0].score >= pair[1].score));
        seen.extend(page.items.into_iter().map(|hit| hit.entry.path));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 25);
    let total = async |tag: Option<&str>, prefix: Option<&str>| {
        let (tag, path_prefix) = (tag.map(str::to_owned), prefix.map(str::to_owned));
        let filter = EntryFilter { tag, path_prefix, ..EVERYTHING };
        let counted = on.count(&scope, &filter).await;
        let listed = on.list(&scope, &EntryQuery { filter, limit: 1, ..listing("parcels") }).await.total;
        assert_eq!(counted, listed);
        listed
    };
    assert_eq!(total(None, None).await, 25);
    assert_eq!(total(Some("Even"), None).await, 13);
    assert_eq!(total(Some("all of them"), None).await, 13);
    assert_eq!(total(Some("even"), None).await, 0);
    assert_eq!(total(None, Some("faq/")).await, 5);
    assert_eq!(total(None, Some("manual/n1")).await, 9);
    assert_eq!(total(Some("Even"), Some("faq/")).await, 3);
    let tagged = on.list(&scope, &listing("manual")).await;
    assert_eq!(tagged.total, 20, "the path's words count");
    on.delete(&scope, "faq/n0", 2).await;
    on.settle().await;
    assert_eq!(on.count(&scope, &EVERYTHING).await, 24);
}

pub(super) async fn a_question_of_8000_characters_of_distinct_words_is_answered(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[indexed("a/b", "Words", "Here is word3x and word90x, and nothing else.")]).await;
    let question: String = (0..1_000).map(|n| format!("word{n}x ")).collect();
    assert!(question.len() > 8_000);
    assert_eq!(paths(&on.ask(&scope, &question).await), ["a/b"]);
    assert_eq!(on.list(&scope, &listing(&question)).await.total, 1);
}

pub(super) async fn the_nearest_word_is_one_of_a_visible_entry_of_the_tenant(on: &Adapter) {
    let (mine, theirs) = (new_scope(), new_scope());
    let public =
        |entry: WikiEntry| IndexedEntry::new(&english(), &WikiEntry { visibility: Visibility::Public, ..entry });
    on.put_all(
        &mine,
        &[
            public(entry("a/one", "Invoices", "Invoices are numbered. Take a seat, take another seat.")),
            public(entry("a/two", "Sets", "Every set of tools is a set.")),
            public(entry("a/six", "Größen", "Die Größe der Rechnung.")),
            indexed("a/in", "Staff", "A kangaroo for invoicers."),
        ],
    )
    .await;
    on.put_all(&theirs, &[public(entry("b/one", "Receipts", "Receipts, invoicing, subscriptions."))]).await;
    let words = ["invoci", "saet", "reciept", "kangroo", "subscripton", "zzzz", "grosen", "invoic"].map(str::to_owned);
    let near = |visibility| on.index.nearest_words(&mine, &words, visibility);
    let some = |words: &[(usize, &str)]| {
        let mut all = vec![None; 8];
        words.iter().for_each(|(at, word)| all[*at] = Some((*word).to_owned()));
        all
    };
    let public = near(VisibilityFilter::Only(Visibility::Public)).await.unwrap();
    assert_eq!(public, some(&[(0, "invoic"), (1, "seat"), (6, "grossen")]));
    let all = near(VisibilityFilter::All).await.unwrap();
    assert_eq!(all[3].as_deref(), Some("kangaroo"));
    assert_eq!(on.index.nearest_words(&new_scope(), &words, VisibilityFilter::All).await.unwrap(), vec![None; 8]);
}

pub(super) async fn many_misspelt_words_cost_bounded_work(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[indexed("a/b", "Words", "Parcels arrive tomorrow.")]).await;
    let words: Vec<String> = (0..128).map(|n| format!("parcl{}", "abcdefgh".repeat(n % 4))).collect();
    let near = on.index.nearest_words(&scope, &words, VisibilityFilter::All).await.unwrap();
    assert_eq!((near.len(), near[0].as_deref()), (128, Some("parcel")));
    assert!(near[16..].iter().all(Option::is_none));
    let hostile = ["", "\u{1f}", "*", "live#public#parcel", "\u{0}", &"x".repeat(8_000)].map(str::to_owned);
    assert_eq!(on.index.nearest_words(&scope, &hostile, VisibilityFilter::All).await.unwrap(), vec![None; 6]);
}

pub(super) async fn words_of_every_script_are_found(on: &Adapter) {
    let scope = new_scope();
    let entries = [
        ("ru/vozvrat", "Возврат", "Мы вернём деньги на карту."),
        ("de/gruesse", "Größe", "Die Straße ist naß."),
        ("el/epistrofi", "Επιστροφή", "Τα χρήματα επιστρέφονται."),
        ("ar/radd", "استرداد", "نعيد المال إلى البطاقة"),
        ("ja/henkin", "返金", "返金 は 五日 かかります。"),
        ("emoji/smile", "Smile 😀", "Grinning faces 😀 are welcome, 👩‍👩‍👧 too."),
    ];
    on.put_all(&scope, &entries.map(|(path, title, content)| indexed(path, title, content))).await;
    for (question, path) in [
        ("вернём деньги", "ru/vozvrat"),
        ("STRASSE straße", "de/gruesse"),
        ("χρήματα", "el/epistrofi"),
        ("البطاقة", "ar/radd"),
        ("返金", "ja/henkin"),
        ("grinning 😀", "emoji/smile"),
    ] {
        assert_eq!(paths(&on.ask(&scope, question).await), [path], "{question}");
        assert_eq!(listed(&on.list(&scope, &listing(question)).await), [path], "{question}");
    }
}

pub(super) async fn a_long_path_and_a_long_word_are_accepted(on: &Adapter) {
    let scope = new_scope();
    let segment = "s".repeat(100);
    let path = [segment.as_str(); 5].join("/");
    let word = "ab".repeat(40_000);
    on.put_all(&scope, &[indexed(&path, "Long", &format!("A walrus, {word}, and a seal."))]).await;
    assert_eq!(paths(&on.ask(&scope, "walrus").await), [path.as_str()]);
    let found = on.ask(&scope, &word).await;
    assert_eq!(paths(&found), [path.as_str()]);
    assert_eq!(found.stats.word_df, [1]);
    on.delete(&scope, &path, 2).await;
    on.settle().await;
    assert_eq!(on.ask(&scope, "walrus").await.candidates, []);
}

pub(super) async fn a_question_without_words_finds_nothing(on: &Adapter) {
    let scope = new_scope();
    on.put_all(&scope, &[indexed("a/b", "The and of", "The and of.")]).await;
    for question in ["", "the and of", "?!", "\u{200b}"] {
        assert_eq!(on.ask(&scope, question).await.candidates, [], "{question}");
        assert_eq!(on.list(&scope, &listing(question)).await.total, 0, "{question}");
    }
    assert_eq!(on.ask(&scope, "walrus").await.candidates, []);
    on.index.ping().await.unwrap();
}

pub(super) async fn an_entry_comes_back_as_it_was(on: &Adapter) {
    let scope = new_scope();
    let whole = WikiEntry {
        tags: vec!["b".into(), "a \"quoted\" tag".into()],
        visibility: Visibility::Public,
        version: 7,
        ..entry("a/b", "Title \\ \"quoted\"", "First line.\n\n- a list\n\tand a tab \u{0007}\u{2028} walrus")
    };
    on.put_all(&scope, &[IndexedEntry::new(&english(), &whole)]).await;
    let hits = on.list(&scope, &listing("walrus")).await;
    assert_eq!(hits.items[0].entry, whole);
    let found = on.ask(&scope, "walrus").await;
    let candidate = &found.candidates[0];
    assert_eq!((candidate.content.as_str(), candidate.version), (whole.content.as_str(), 7));
    assert_eq!(candidate.passages, english().passages(&whole.title, &whole.content));
}
