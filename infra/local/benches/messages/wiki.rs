//! Generated entries: 120 of 4,000 words, with a skewed distribution; each entry has a subject of its own.

use futures::StreamExt;
use reqwest::Method;
use serde_json::json;

use crate::process::Process;

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

    /// A word; the square makes low numbers frequent, as in natural text.
    fn word(&mut self) -> String {
        let part = (self.roll() % 1_000) as f64 / 1_000.0;
        name((part * part * 4_000.0) as u64)
    }
}

/// A pronounceable word for a number.
fn name(mut number: u64) -> String {
    let mut word = String::new();
    for _ in 0..3 {
        word.push(char::from(b"bdfgklmnprstvz"[(number % 14) as usize]));
        number /= 14;
        word.push(char::from(b"aeiou"[(number % 5) as usize]));
        number /= 5;
    }
    word + "k"
}

/// The subject of entry `number`.
fn subject(number: usize) -> String {
    format!("{} {}", name(100_000 + number as u64), name(7_000 + number as u64 * 3))
}

/// A question that entry `number` answers.
pub(crate) fn question(number: usize) -> String {
    format!("How do I change the {} of my order?", subject(number))
}

/// Makes `count` entries and lifts the limits that would ask for a human.
pub(crate) async fn fill(service: &Process, count: usize) {
    service.send(Method::PATCH, "/settings", json!({"maxAiTurns": 1000, "noMatchThreshold": 0})).await;
    let entry = |number: usize| async move {
        let mut dice = Dice(number as u64);
        let mut content = format!("Change the {} in your account.", subject(number));
        for sentence in 0..12 {
            let words: Vec<String> = (0..10).map(|_| dice.word()).collect();
            let end = if sentence % 4 == 3 { ".\n\n" } else { ". " };
            content = format!("{content} {}{end}", words.join(" "));
        }
        let path = format!("bench/e{number}");
        let body = json!({"path": path, "title": format!("The {}", subject(number)), "content": content});
        service.post("/wiki", body).await;
    };
    futures::stream::iter(0..count).for_each_concurrent(16, entry).await;
}
