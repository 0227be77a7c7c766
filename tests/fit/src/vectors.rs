//! Cached vectors, by the SHA-256 of their text: making them takes longer than everything else. `vectors.py` makes those
//! of the texts that are written as missing.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use answer::embedding::EmbeddingSettings;
use answer::embedding::{Embedder, EmbeddingError, EmbeddingModel, TextKind, passage_text};
use answer::search::{IndexedEntry, PassageVectors};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::models::Embedding;
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};

/// The vectors of one model.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    by_key: HashMap<String, Vec<f32>>,
    /// Where texts without a vector are written.
    missing: Option<Mutex<File>>,
}

#[derive(Deserialize)]
struct Line {
    key: String,
    vector: String,
}

impl Vectors {
    /// Reads files of JSON lines; a last line that is being written is left out. Texts without a vector are written to
    /// `missing`.
    pub(crate) fn read(files: &[PathBuf], missing: Option<&Path>) -> io::Result<Self> {
        let mut by_key = HashMap::new();
        for file in files {
            for line in BufReader::new(File::open(file)?).lines() {
                let Ok(line) = serde_json::from_str::<Line>(&line?) else { continue };
                let Ok(bytes) = STANDARD.decode(line.vector) else { continue };
                let (components, _) = bytes.as_chunks::<4>();
                by_key.insert(line.key, components.iter().map(|c| f32::from_le_bytes(*c)).collect());
            }
        }
        Ok(Self { by_key, missing: missing.map(File::create).transpose()?.map(Mutex::new) })
    }

    /// The model that gives these vectors; none if there are none.
    pub(crate) fn embedder(self) -> Option<Embedder> {
        let settings = EmbeddingSettings::default_for("");
        let is_asked = !self.by_key.is_empty() || self.missing.is_some();
        is_asked.then(|| Embedder::new(Arc::new(self), settings))
    }

    fn get(&self, kind: &str, text: &str) -> Option<&Vec<f32>> {
        let digest = Sha256::digest(format!("{kind}\n{text}"));
        let key: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        let found = self.by_key.get(&key);
        if found.is_none() {
            self.write_missing(&key, kind, text);
        }
        found
    }

    fn write_missing(&self, key: &str, kind: &str, text: &str) {
        let Some(Ok(mut missing)) = self.missing.as_ref().map(Mutex::lock) else { return };
        if let Err(why) = writeln!(missing, "{}", json!({"key": key, "input_type": kind, "input": text})) {
            eprintln!("a missing text is not written: {why}");
        }
    }
}

#[async_trait]
impl EmbeddingModel for Vectors {
    fn id(&self) -> &str {
        "vectors that were made before"
    }

    fn batch(&self) -> usize {
        1_000
    }

    async fn embed(&self, kind: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let kind = if kind == TextKind::Query { "query" } else { "passage" };
        let found: Vec<_> = texts.iter().map(|text| self.get(kind, text).cloned()).collect();
        found
            .into_iter()
            .collect::<Option<_>>()
            .ok_or_else(|| EmbeddingError::Failed("a text without a vector".to_owned()))
    }
}

/// Gives an entry the vectors of its passages, if all are known.
pub(crate) async fn with_vectors(embedder: Option<&Embedder>, entry: IndexedEntry) -> IndexedEntry {
    let Some(embedder) = embedder else { return entry };
    let texts: Vec<String> = entry.passages.iter().map(|p| passage_text(&entry.entry.title, &p.text)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let made: Result<Vec<Embedding>, _> = embedder.passages(&texts, Duration::from_secs(1)).await;
    let vectors = made.ok().and_then(|embeddings| {
        let space = embedder.space_of(embeddings.first()?.dimensions());
        Some(PassageVectors { space, embeddings: embeddings.into_iter().map(Some).collect() })
    });
    IndexedEntry { vectors, ..entry }
}
