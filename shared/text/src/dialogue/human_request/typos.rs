//! Corrects a typo in the words that name or ask for a human. What is corrected counts only if it makes a request.

use crate::dialogue::words::Clause;

/// The words that are corrected to. Those of four letters are found if two of their letters changed places.
const WORDS: &[&str] = &[
    "human",
    "person",
    "agent",
    "operator",
    "representative",
    "supervisor",
    "manager",
    "technician",
    "someone",
    "somebody",
    "support",
    "talk",
    "speak",
    "chat",
    "connect",
    "transfer",
    "mensch",
    "menschen",
    "mitarbeiter",
    "mitarbeiterin",
    "berater",
    "sprechen",
    "verbinden",
    "persona",
    "agente",
    "humano",
    "operador",
    "representante",
    "hablar",
    "personne",
    "conseiller",
    "humain",
    "parler",
    "pessoa",
    "atendente",
    "falar",
    "operatore",
    "parlare",
    "medewerker",
    "spreken",
];
/// Shorter words have other words one letter away.
const MIN_CHARS_OF_ANY_TYPO: usize = 5;

/// The clauses with their typos corrected; none if there are none. A single word is too little to correct it.
pub(super) fn corrected(clauses: &[Clause]) -> Option<Vec<Clause>> {
    if clauses.iter().map(Vec::len).sum::<usize>() < 2 {
        return None;
    }
    let mut changed = false;
    let all: Vec<Clause> = clauses
        .iter()
        .map(|clause| {
            let correct =
                |word: &String| near(word).inspect(|_| changed = true).map_or_else(|| word.clone(), str::to_owned);
            clause.iter().map(correct).collect()
        })
        .collect();
    changed.then_some(all)
}

/// The word of the list that is one typo away.
fn near(word: &str) -> Option<&'static str> {
    let one_typo = |known: &&&str| {
        known.as_bytes().first() == word.as_bytes().first()
            && known.len().abs_diff(word.len()) <= 1
            && (known.len() >= MIN_CHARS_OF_ANY_TYPO || known.len() == word.len() && letters(known) == letters(word))
            && strsim::osa_distance(known, word) == 1
    };
    if WORDS.contains(&word) { None } else { WORDS.iter().find(one_typo).copied() }
}

fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}
