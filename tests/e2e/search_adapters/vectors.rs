//! The behaviour of an index with vectors, one function each.

use answer::search::{EntryAddress, IndexedEntry, Lookup, PassageVectors, Retrieval, VisibilityFilter};
use domain::models::{Embedding, EmbeddingSpace, QueryVector, Scope, Visibility, WikiEntry};
use text::Passage;

use super::corpus::{entry, indexed, version};
use super::{Adapter, english, new_scope, paths};

/// A space that no other test has: all tests of one run share the OpenSearch index.
fn new_space() -> EmbeddingSpace {
    EmbeddingSpace::of(new_scope().tenant.as_str(), 3, "")
}

/// An entry of one passage whose vector has this angle to the question's, in degrees.
fn at_angle(path: &str, content: &str, degrees: f32, space: &EmbeddingSpace) -> IndexedEntry {
    with_angles(indexed(path, "Title", content), &[degrees], space)
}

fn with_angles(mut entry: IndexedEntry, degrees: &[f32], space: &EmbeddingSpace) -> IndexedEntry {
    let embeddings = degrees.iter().map(|degrees| Some(embedding(*degrees))).collect();
    entry.vectors = Some(PassageVectors { space: space.clone(), embeddings });
    entry
}

fn embedding(degrees: f32) -> Embedding {
    Embedding::of(&[degrees.to_radians().cos(), degrees.to_radians().sin(), 0.0]).unwrap()
}

fn query(space: &EmbeddingSpace) -> QueryVector {
    QueryVector { space: space.clone(), embedding: embedding(0.0) }
}

impl Adapter {
    async fn replace_all(&self, scope: &Scope, entries: &[IndexedEntry]) {
        for entry in entries {
            self.index.replace(scope, entry).await.unwrap();
        }
        self.settle().await;
    }

    async fn near(&self, scope: &Scope, question: &str, vector: &QueryVector, sees: VisibilityFilter) -> Retrieval {
        self.retrieve(scope, &english().query(question), Some(vector), sees).await
    }

    async fn near_any(&self, scope: &Scope, question: &str, space: &EmbeddingSpace) -> Retrieval {
        self.near(scope, question, &query(space), VisibilityFilter::All).await
    }
}

fn is_near(cosine: Option<f64>, degrees: f32) -> bool {
    cosine.is_some_and(|cosine| (cosine - f64::from(degrees.to_radians().cos())).abs() < 2e-4)
}

pub(super) async fn the_ten_nearest_by_vector_join_the_ten_best_by_words(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    let by_words = (0..12_u8).map(|n| at_angle(&format!("w/{n}"), "A parcel is late.", 80.0, &space));
    let by_vector = (0..12_u8).map(|n| at_angle(&format!("v/{n:02}"), "Something else.", f32::from(n) * 2.0, &space));
    on.replace_all(&scope, &by_words.chain(by_vector).collect::<Vec<_>>()).await;
    let found = on.near_any(&scope, "parcel", &space).await;
    let paths = paths(&found);
    assert_eq!(paths.len(), 20, "{paths:?}");
    assert!(paths[..10].iter().all(|path| path.starts_with("w/")), "{paths:?}");
    let nearest: Vec<String> = (0..10).map(|n| format!("v/{n:02}")).collect();
    assert_eq!(paths[10..], nearest, "nearest first");
    for (at, candidate) in found.candidates.iter().enumerate() {
        let degrees = if at < 10 { 80.0 } else { (at - 10) as f32 * 2.0 };
        assert_eq!((candidate.cosines.len(), candidate.passages.len()), (1, 1), "{}", candidate.path);
        assert!(is_near(candidate.cosines[0], degrees), "{}: {:?}", candidate.path, candidate.cosines);
    }
    assert_eq!(found.stats.word_df, [12]);
}

pub(super) async fn the_nearest_passage_is_among_those_of_every_candidate(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    let passage = |text: &str| Passage { text: text.to_owned(), terms: english().terms(text) };
    let texts = ["parcel one", "parcel two", "parcel three", "parcel four parcel", "nothing of the kind"];
    let long = IndexedEntry { passages: texts.map(passage).to_vec(), ..indexed("a/long", "Title", "Long.") };
    let mut entries = vec![with_angles(long, &[50.0, 60.0, 70.0, 80.0, 40.0], &space)];
    // Twelve that are nearer, so that the long one is a candidate by its words alone.
    entries.extend((0..12_u8).map(|n| at_angle(&format!("v/{n:02}"), "Else.", f32::from(n), &space)));
    on.replace_all(&scope, &entries).await;
    let found = on.near_any(&scope, "parcel", &space).await;
    let candidate = &found.candidates[0];
    assert_eq!((candidate.path.as_str(), candidate.passages.len(), found.candidates.len()), ("a/long", 4, 11));
    assert_eq!(candidate.passages[0].text, "parcel four parcel", "best by words first");
    assert_eq!(candidate.passages[3].text, "nothing of the kind", "then the nearest");
    assert!(is_near(candidate.cosines[0], 80.0) && is_near(candidate.cosines[3], 40.0), "{:?}", candidate.cosines);
}

pub(super) async fn a_question_without_words_is_answered_by_its_vector(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    on.replace_all(&scope, &[at_angle("a/b", "A parcel is late.", 10.0, &space)]).await;
    let found = on.near_any(&scope, "", &space).await;
    assert_eq!(paths(&found), ["a/b"]);
    assert!(is_near(found.candidates[0].cosines[0], 10.0));
}

pub(super) async fn questions_that_are_asked_together_have_the_results_of_each(on: &Adapter) {
    let (scope, space, unknown) = (new_scope(), new_space(), new_space());
    let by_words = (0..12_u8).map(|n| at_angle(&format!("w/{n}"), "A parcel is late.", 80.0, &space));
    let by_vector = (0..12_u8).map(|n| at_angle(&format!("v/{n:02}"), "A letter.", f32::from(n) * 2.0, &space));
    on.replace_all(&scope, &by_words.chain(by_vector).collect::<Vec<_>>()).await;
    let terms = ["parcel", "late letter", "", "walrus", "parcel"].map(|question| english().query(question));
    let vectors = [Some(query(&space)), None, Some(query(&space)), Some(query(&unknown)), None];
    let misspelt = ["parcl", "leter", "zebra"].map(str::to_owned);
    let asked = terms.iter().zip(&vectors);
    let lookups: Vec<Lookup<'_>> =
        asked.map(|(terms, vector)| Lookup { terms, vector: vector.as_ref(), misspelt: &misspelt }).collect();
    let together = on.index.retrieve(&scope, &lookups, VisibilityFilter::All).await.unwrap();
    let near = on.index.near_words(&scope, &misspelt, VisibilityFilter::All).await.unwrap();
    assert!(near[0].contains_key("parcel") && near[1].contains_key("letter") && near[2].is_empty(), "{near:?}");
    for (mut found, Lookup { terms, vector, .. }) in together.iter().cloned().zip(&lookups) {
        let near_words = std::mem::take(&mut found.near_words);
        assert_eq!(near_words, if terms.distinct.is_empty() { Vec::new() } else { near.clone() });
        assert_eq!(found, on.retrieve(&scope, terms, *vector, VisibilityFilter::All).await);
    }
    let counts: Vec<(usize, usize)> = together.iter().map(|found| (found.candidates.len(), found.by_words)).collect();
    assert_eq!(counts, [(20, 10), (10, 10), (10, 0), (0, 0), (10, 10)]);
    assert_eq!(on.index.retrieve(&scope, &[], VisibilityFilter::All).await.unwrap(), []);
}

pub(super) async fn vectors_reach_no_other_tenant_and_nothing_invisible(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    let internal = WikiEntry { visibility: Visibility::Internal, ..entry("a/in", "Title", "Text.") };
    let public = WikiEntry { visibility: Visibility::Public, ..entry("a/out", "Title", "Text.") };
    let entries = [(internal, 5.0), (public, 30.0)]
        .map(|(entry, degrees)| with_angles(IndexedEntry::new(&english(), &entry), &[degrees], &space));
    on.replace_all(&scope, &entries).await;
    let sees = VisibilityFilter::Only(Visibility::Public);
    assert_eq!(paths(&on.near(&scope, "other", &query(&space), sees).await), ["a/out"]);
    assert_eq!(paths(&on.near_any(&scope, "other", &space).await), ["a/in", "a/out"]);
    assert_eq!(paths(&on.near_any(&new_scope(), "other", &space).await), Vec::<&str>::new());
    let other_mode = Scope { mode: domain::models::Mode::Test, ..scope.clone() };
    assert_eq!(paths(&on.near_any(&other_mode, "other", &space).await), Vec::<&str>::new());
    on.delete(&scope, "a/in", 2).await;
    on.settle().await;
    assert_eq!(paths(&on.near_any(&scope, "other", &space).await), ["a/out"], "deleted");
}

pub(super) async fn vectors_of_another_space_or_dimension_are_not_compared(on: &Adapter) {
    let (scope, space, other) = (new_scope(), new_space(), new_space());
    on.replace_all(&scope, &[at_angle("a/b", "A parcel.", 0.0, &space)]).await;
    let found = on.near_any(&scope, "parcel", &other).await;
    assert_eq!((paths(&found), &found.candidates[0].cosines), (vec!["a/b"], &vec![None]));
    assert_eq!(paths(&on.near_any(&scope, "else", &other).await), Vec::<&str>::new());
    let wider = QueryVector { space: space.clone(), embedding: Embedding::of(&[1.0, 0.0]).unwrap() };
    let found = on.near(&scope, "parcel", &wider, VisibilityFilter::All).await;
    assert_eq!((paths(&found), &found.candidates[0].cosines), (vec!["a/b"], &vec![None]));
    let replaced = at_angle("a/b", "A parcel.", 20.0, &other);
    on.replace_all(&scope, &[replaced]).await;
    assert!(is_near(on.near_any(&scope, "parcel", &other).await.candidates[0].cosines[0], 20.0));
    assert_eq!(on.near_any(&scope, "parcel", &space).await.candidates[0].cosines, [None]);
}

pub(super) async fn an_entry_is_embedded_also_where_the_model_gave_no_vector_of_a_passage(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    let passage = |text: &str| Passage { text: text.to_owned(), terms: english().terms(text) };
    let with = |path: &str, embeddings: Vec<Option<Embedding>>| {
        let passages = vec![passage("parcel one"), passage("letter two")];
        let vectors = Some(PassageVectors { space: space.clone(), embeddings });
        IndexedEntry { passages, vectors, ..indexed(path, "Title", "Long.") }
    };
    on.replace_all(&scope, &[with("a/half", vec![None, Some(embedding(30.0))]), with("a/none", vec![None, None])])
        .await;
    let found = on.near_any(&scope, "parcel", &space).await;
    let of = |path: &str| found.candidates.iter().find(|candidate| candidate.path.as_str() == path).unwrap();
    assert_eq!((of("a/half").cosines.len(), of("a/half").cosines[0], &of("a/none").cosines), (2, None, &vec![None]));
    assert!(is_near(of("a/half").cosines[1], 30.0), "{found:?}");
    let before = EntryAddress::parse(&format!("{}#live#a/0", scope.tenant));
    let lacking = on.index.without_vectors(&space, before.as_ref(), 100).await.unwrap();
    assert!(lacking.iter().all(|address| address.scope != scope), "{lacking:?}");
}

pub(super) async fn entries_without_vectors_are_listed_and_counted(on: &Adapter) {
    let (scope, space) = (new_scope(), new_space());
    on.put_all(&scope, &[indexed("a/1", "T", "One."), indexed("a/2", "T", "Two."), indexed("a/3", "T", "Three.")])
        .await;
    let before = EntryAddress::parse(&format!("{}#live#a/0", scope.tenant));
    let list = async |after: Option<&EntryAddress>, limit| {
        let found = on.index.without_vectors(&space, after, limit).await.unwrap();
        let ours: Vec<_> = found.into_iter().filter(|address| address.scope == scope).collect();
        ours.iter().map(|address| address.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list(before.as_ref(), 2).await, ["a/1", "a/2"]);
    let second = EntryAddress::parse(&format!("{}#live#a/2", scope.tenant));
    assert_eq!(list(second.as_ref(), 1).await, ["a/3"]);
    on.replace_all(&scope, &[at_angle("a/2", "Two.", 1.0, &space)]).await;
    assert_eq!(list(before.as_ref(), 2).await, ["a/1", "a/3"]);
    on.put(&scope, &version("a/2", "Two, changed.", 2)).await;
    on.delete(&scope, "a/1", 2).await;
    on.settle().await;
    assert_eq!(
        list(before.as_ref(), 2).await,
        ["a/2", "a/3"],
        "what was changed lacks vectors, what is deleted does not"
    );
    assert!(on.index.count_without_vectors(&space).await.unwrap() >= 2);
}
