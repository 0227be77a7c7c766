//! The CPU time of the slowest message and the slowest `q`: `cargo bench -p local --bench text`. Pure functions on
//! texts that repeat one unit up to the API's limit. Each figure is the minimum of several runs.

use std::hint::black_box;
use std::time::{Duration, Instant};

use domain::gaps;
use domain::models::Language;
use text::dialogue::{MatchContext, analyse, without_human_requests};
use text::privacy;
use text::sanitise;
use text::{Analyzer, highlight, sentences};

/// The most characters of a message, of `q`, of what one list looks through for matches, and of what it shows of an
/// entry (title, path and the surroundings of a match).
const MESSAGE_CHARS: usize = 8_000;
const Q_CHARS: usize = 500;
const LOOKED_THROUGH_BYTES: usize = 100_000;
const EXCERPT_CHARS: usize = 1_000;
/// Each function runs so often on each text.
const RUNS: usize = 5;
/// Ordinary messages of customers. They measure the cost of telling what kind of turn a message is.
const ORDINARY: [&str; 8] = [
    "hi, how wide is the gate?",
    "can i bring the bike back on a sunday, and can i pay by card?",
    "many thanks, that was all",
    "i want to speak with one of your people",
    "The parcel should have come on Tuesday. The tracking page has said the same since then, so where is it now?",
    "was kostet das rad pro woche",
    "¿puedo cambiar la fecha de la reserva?",
    "ok and if i cancel?",
];
/// How often these are read in one run.
const ROUNDS: u32 = 1_000;
/// The texts that are repeated: those that readers of numbers, words, phrases and markup stumble over.
const UNITS: [&str; 27] = [
    "9 ",
    "9.9.99 ",
    "4111 1111 1111 1111 ",
    "a@b.co ",
    "DE89 ",
    "a ",
    "word ",
    "running away ",
    "get human s ",
    "talk to a person. ",
    "一",
    "转人工",
    "আসল ",
    "e\u{301}",
    "\u{301}",
    "[",
    "![a](",
    "[a](x:y)",
    "<",
    "<b>",
    "&lt;",
    "`",
    "*a ",
    "> ",
    "- ",
    "https://",
    "\n\n",
];

fn main() {
    let analyzer = Analyzer::new(Language::English);
    let query = analyzer.query("word running 9");
    println!("dearest of {} texts, ms of one core", UNITS.len());
    measure_ordinary();
    measure("message: what kind of turn it is", MESSAGE_CHARS, |text| {
        black_box((analyse(text, &MatchContext::default()), without_human_requests(text)));
    });
    measure("message: terms", MESSAGE_CHARS, |text| {
        black_box(analyzer.query(text));
    });
    measure("message: sentences", MESSAGE_CHARS, |text| {
        black_box(sentences(text));
    });
    measure("message: knowledge gap, masked", MESSAGE_CHARS, |text| {
        black_box((gaps::gap_id_for(Language::English, text), privacy::mask_prefix(text, 500)));
    });
    measure("answer of 8,000 characters, cleaned", MESSAGE_CHARS, |text| {
        black_box(sanitise::shown(text));
    });
    measure("q: terms", Q_CHARS, |text| {
        black_box(analyzer.query(text));
    });
    measure("q: content of a list looked through", LOOKED_THROUGH_BYTES, |text| {
        let looked_through = text.get(..text.floor_char_boundary(LOOKED_THROUGH_BYTES)).unwrap_or(text);
        black_box(highlight(&analyzer, &query, looked_through));
    });
    measure("q: a list of 100 excerpts, highlighted and cleaned", EXCERPT_CHARS, |text| {
        for _ in 0..100 {
            black_box(sanitise::fragments(text, |text| highlight(&analyzer, &query, text), |segment| &segment.text));
        }
    });
}

/// Prints the text that costs most and what it costs.
fn measure(name: &str, chars: usize, run: impl Fn(&str)) {
    run("a");
    let cost = |unit: &&str| {
        let text = unit.repeat(chars / unit.chars().count());
        let least = (0..RUNS).map(|_| timed(|| run(&text))).min().unwrap_or_default();
        (least, (*unit).to_owned())
    };
    let (most, unit) = UNITS.iter().map(cost).max().unwrap_or_default();
    println!("{name}: {:.2} ({unit:?})", most.as_secs_f64() * 1_000.0);
}

/// Prints what it costs to tell what kind of turn an ordinary message is, phrases and model together.
fn measure_ordinary() {
    let read_all = || ORDINARY.iter().for_each(|text| drop(black_box(analyse(text, &MatchContext::default()))));
    read_all();
    let least = (0..RUNS).map(|_| timed(|| (0..ROUNDS).for_each(|_| read_all()))).min().unwrap_or_default();
    let each = least / (ROUNDS * u32::try_from(ORDINARY.len()).unwrap_or(1));
    println!("message, ordinary: what kind of turn it is, us: {:.1}", each.as_secs_f64() * 1_000_000.0);
}

fn timed(run: impl Fn()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}
