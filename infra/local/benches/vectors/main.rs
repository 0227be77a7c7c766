//! Vectors in the embedded index: the additional memory of 10,000 entries of three passages with vectors of 384
//! dimensions, and the time of a search by vector only, which scans all 30,000.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark")]

use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use answer::search::{CandidateIndex, IndexedEntry, Lookup, PassageVectors, SearchIndex, VisibilityFilter};
use aws::search::opensearch::OpenSearchIndex;
use domain::models::{
    Embedding, EmbeddingSpace, EntrySource, Language, Mode, QueryVector, Scope, TenantId, Timestamp, Visibility,
    WikiEntry, WikiPath,
};
use local::opensearch::OpenSearchSubset;
use text::{Analyzer, QueryTerms};

const ENTRIES: usize = 10_000;
const PASSAGES: usize = 3;
const DIMENSIONS: usize = 384;
/// Entries that are written at a time.
const BATCH_SIZE: usize = 256;
const SEARCHES: usize = 200;

fn main() {
    let scale: f64 = std::env::var("BENCH_SCALE").ok().and_then(|scale| scale.parse().ok()).unwrap_or(1.0);
    let entries = (ENTRIES as f64 * scale) as usize;
    match std::env::var("BENCH_VECTORS").as_deref() {
        Ok(which) => tokio::runtime::Runtime::new().unwrap().block_on(fill(entries, which == "with")),
        Err(_) => {
            let [without, with] = ["without", "with"].map(|which| {
                let program = std::env::current_exe().unwrap();
                let output = Command::new(program).env("BENCH_VECTORS", which).output().unwrap();
                let said = String::from_utf8(output.stdout).unwrap();
                print!("{said}");
                said.lines().find_map(|line| line.strip_prefix("resident MiB: ")?.parse::<f64>().ok()).unwrap()
            });
            println!("{entries} entries of {PASSAGES} passages: {:.1} MiB more with vectors", with - without);
        }
    }
}

async fn fill(entries: usize, with_vectors: bool) {
    let index = OpenSearchIndex::direct(Arc::new(OpenSearchSubset::default()));
    let scope = Scope { tenant: TenantId::from_parts(Timestamp::from_millis(1), 1), mode: Mode::Live };
    let space = EmbeddingSpace::of("bench", DIMENSIONS, "");
    let mut dice = Dice(7);
    for from in (0..entries).step_by(BATCH_SIZE) {
        let batch: Vec<IndexedEntry> = (from..entries.min(from + BATCH_SIZE))
            .map(|number| entry(number, with_vectors.then_some(&space), &mut dice))
            .collect();
        let written = batch.iter().map(|entry| index.replace(&scope, entry));
        futures::future::join_all(written).await.into_iter().collect::<domain::Result<Vec<_>>>().unwrap();
    }
    println!("resident MiB: {:.1}", resident_mib());
    if with_vectors {
        let mut times: Vec<f64> = Vec::new();
        for _ in 0..SEARCHES {
            let vector = QueryVector { space: space.clone(), embedding: dice.embedding() };
            let began = Instant::now();
            let lookup = Lookup { terms: &QueryTerms::default(), vector: Some(&vector), misspelt: &[] };
            let found = index.retrieve(&scope, &[lookup], VisibilityFilter::All).await.unwrap();
            times.push(began.elapsed().as_secs_f64() * 1_000.0);
            assert_eq!(found[0].candidates.len(), 10);
        }
        times.sort_by(f64::total_cmp);
        println!("search by vector alone, ms: p50 {:.2}, p99 {:.2}", times[SEARCHES / 2], times[SEARCHES * 99 / 100]);
    }
}

fn entry(number: usize, space: Option<&EmbeddingSpace>, dice: &mut Dice) -> IndexedEntry {
    let sentence =
        |dice: &mut Dice| (0..15).map(|_| format!("w{} ", dice.roll() % 4_000)).collect::<String>() + "end. ";
    let content: String = (0..PASSAGES * 5).map(|_| sentence(dice)).collect();
    let at = Timestamp::from_millis(1_767_225_600_000);
    let mut indexed = IndexedEntry::new(
        &Analyzer::new(Language::English),
        &WikiEntry {
            path: WikiPath::parse(&format!("bench/{number}")).unwrap(),
            title: format!("Entry {number}"),
            content,
            visibility: Visibility::Public,
            tags: Vec::new(),
            version: 1,
            created_at: at,
            updated_at: at,
            created_by: "bench".into(),
            updated_by: "bench".into(),
            source: EntrySource::MANUAL,
            action: None,
        },
    );
    indexed.passages.truncate(PASSAGES);
    let embeddings = indexed.passages.iter().map(|_| Some(dice.embedding())).collect();
    indexed.vectors = space.map(|space| PassageVectors { space: space.clone(), embeddings });
    indexed
}

/// Resident memory of this process.
fn resident_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().unwrap_or(0.0) / 1024.0
}

/// A repeatable sequence (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn embedding(&mut self) -> Embedding {
        let values: Vec<f32> = (0..DIMENSIONS).map(|_| (self.roll() % 2_000) as f32 / 1_000.0 - 1.0).collect();
        Embedding::of(&values).unwrap()
    }
}
