//! Runs sets of questions through the real analysis, index, ranking and extraction, and writes one line for each
//! question: what was found, the answer, and the inputs of the confidence. `fit.py` fits the constants to these lines
//! and prints the figures. The sets are arguments; they are not part of the project.

mod help_centres;
mod player;
mod sets;
mod vectors;

use std::io::Write;
use std::path::PathBuf;

use clap::Parser;

use player::Player;
use vectors::Vectors;

/// The sets to play.
#[derive(Debug, Parser)]
struct Args {
    /// A folder with `entries.jsonl` and `questions.jsonl`; may be given more than once.
    #[arg(long)]
    questions: Vec<PathBuf>,
    /// A folder with `entries.jsonl` and `conversations.jsonl`.
    #[arg(long)]
    turns: Vec<PathBuf>,
    /// A folder with `entries.jsonl` and `chats.jsonl`.
    #[arg(long)]
    chats: Vec<PathBuf>,
    /// A folder with `sources.jsonl` and `questions.jsonl` about real help centres.
    #[arg(long, requires = "mirror")]
    sites: Vec<PathBuf>,
    /// The folder with the clones of these help centres, each as `owner+name/repo`.
    #[arg(long)]
    mirror: Option<PathBuf>,
    /// Other wordings of the questions of the first `--questions`: JSON lines with `id` and one text per field.
    #[arg(long)]
    variants: Vec<PathBuf>,
    /// Vectors by the SHA-256 of `query` or `passage`, a line feed and the text: JSON lines with `key` and `vector`
    /// (base64 of little-endian f32). An entry without all of its vectors is found by its words.
    #[arg(long)]
    vectors: Vec<PathBuf>,
    /// Writes the texts that have no vector to this file, for `vectors.py`.
    #[arg(long)]
    missing: Option<PathBuf>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let embedder = Vectors::read(&args.vectors, args.missing.as_deref())?.embedder();
    let embedder = embedder.as_ref();
    let mut out = std::io::stdout().lock();
    for folder in &args.questions {
        let player = Player::load(&folder.join("entries.jsonl"), embedder).await?;
        sets::questions(&player, folder, &args.variants, &mut out).await?;
    }
    for folder in &args.turns {
        let player = Player::load(&folder.join("entries.jsonl"), embedder).await?;
        sets::turns(&player, folder, &mut out).await?;
    }
    for folder in &args.chats {
        let player = Player::load(&folder.join("entries.jsonl"), embedder).await?;
        sets::chats(&player, folder, &mut out).await?;
    }
    for (folder, mirror) in args.sites.iter().zip(args.mirror.iter().cycle()) {
        help_centres::help_centres(folder, mirror, embedder, &mut out).await?;
    }
    out.flush()?;
    Ok(())
}
