//! Checks that a text says only what a section says. Strict: what is not certain counts as not said.

use std::collections::HashSet;

use super::section::Section;
use text::{Analyzer, paragraphs, sentences};

/// So much of what the section says must still be said, in percent of its distinct terms.
const KEPT_PERCENT: usize = 85;

/// Words that turn a sentence into its opposite or restrict it, a line for each language or group of them.
#[rustfmt::skip]
const NEGATIONS: &[&str] = &[
    "not", "no", "never", "cannot", "without", "none", "nobody", "nothing", "neither", "nor", "unless", "except", "only",
    "nicht", "kein", "keine", "keinen", "keiner", "keinem", "keines", "keinesfalls", "keineswegs", "nie", "niemals",
    "niemand", "nichts", "weder", "ohne", "nur",
    "ne", "pas", "jamais", "sans", "aucun", "aucune", "seulement", "uniquement",
    "sin", "nunca", "ningun", "ningún", "ninguna", "solo", "sólo", "solamente",
    "non", "mai", "senza", "soltanto",
    "nao", "não", "nem", "sem", "apenas", "somente", "só",
    "niet", "geen", "nooit", "zonder", "alleen",
    "не", "нет", "без", "никогда", "только",
    "ikke", "ingen", "inte", "aldrig", "kun", "endast", "bara", "ei", "vain",
    "nincs", "csak", "değil", "hayır", "sadece",
    "nu", "niciodată", "fără", "nici", "niciun", "nicio", "nimic", "nimeni", "doar", "numai",
    "δεν", "δε", "μη", "μην", "όχι", "χωρίς", "ποτέ", "ούτε", "κανένας", "καμία", "κανένα", "τίποτα", "εκτός", "μόνο",
    "لا", "ليس", "ليست", "لن", "لم", "غير", "بدون", "دون", "أبدا", "إلا", "فقط",
    "نہیں", "نہ", "مت", "بغیر", "سوائے", "صرف",
    "नहीं", "न", "ना", "मत", "बिना", "सिवाय", "केवल", "सिर्फ",
    "না", "নয়", "নয়", "নেই", "নাই", "ছাড়া", "ছাড়া", "শুধু", "শুধুমাত্র", "কেবল",
    "இல்லை", "அல்ல", "இல்லாமல்", "இல்லாத", "முடியாது", "கூடாது", "மாட்டோம்", "வேண்டாம்", "தவிர", "மட்டும்", "மட்டுமே",
    "tidak", "bukan", "belum", "jangan", "tanpa", "hanya", "kecuali",
];

/// The same in the scripts that have no spaces between words.
const NEGATIONS_WITHOUT_SPACES: &[&str] = &[
    "ない",
    "ません",
    "なく",
    "のみ",
    "だけ",
    "不",
    "没",
    "沒",
    "无",
    "無法",
    "無需",
    "非",
    "未",
    "仅",
    "僅",
    "只",
    "除",
];

/// Marks that are part of a word and no letters: they take the vowel of a letter of India away, or make another one of it.
const MARKS_IN_WORDS: &[char] = &['\'', '\u{93C}', '\u{94D}', '\u{9BC}', '\u{9CD}', '\u{BCD}'];

/// Whether a title consists of words of the section and its heading.
pub(super) fn title(section: &Section<'_>, title: &str) -> bool {
    let said = Facts::of(section);
    said.covers(title) && said.numbers(title) && !said.analyzer.terms(title).is_empty()
}

/// Whether a text says what the section says: every sentence is supported, and nothing is lost.
pub(super) fn content(section: &Section<'_>, content: &str) -> bool {
    let said = Facts::of(section);
    let every = paragraphs(content).into_iter().flat_map(sentences).all(|sentence| said.is_grounded(sentence));
    every && said.is_preserved_by(content)
}

/// The facts of a section.
struct Facts {
    analyzer: Analyzer,
    /// All of it, in lower case.
    text: String,
    terms: HashSet<String>,
    own_terms: HashSet<String>,
    numbers: HashSet<String>,
    own_numbers: HashSet<String>,
    sentences: Vec<(HashSet<String>, usize)>,
}

impl Facts {
    fn of(section: &Section<'_>) -> Self {
        let analyzer = Analyzer::new(section.language);
        let own_terms: HashSet<String> = analyzer.terms(section.content).into_iter().collect();
        let mut terms: HashSet<String> = analyzer.terms(section.title).into_iter().collect();
        terms.extend(own_terms.iter().cloned());
        let own_numbers = numbers(section.content);
        let all_numbers = own_numbers.union(&numbers(section.title)).cloned().collect();
        let of = |text: &str| (analyzer.terms(text).into_iter().collect(), negations(text));
        let sentences = paragraphs(section.content).into_iter().flat_map(sentences).chain([section.title]).map(of);
        let sentences = sentences.collect();
        let text = section.content.to_lowercase();
        Self { analyzer, text, terms, own_terms, numbers: all_numbers, own_numbers, sentences }
    }

    fn covers(&self, text: &str) -> bool {
        self.analyzer.terms(text).iter().all(|term| self.terms.contains(term))
    }

    fn numbers(&self, text: &str) -> bool {
        numbers(text).is_subset(&self.numbers)
    }

    /// One sentence of the section, or two neighbours in which no number can change its place, contains the words of
    /// `sentence` and the same negations.
    fn is_grounded(&self, sentence: &str) -> bool {
        if !self.covers(sentence) || !self.numbers(sentence) {
            return false;
        }
        let terms: HashSet<String> = self.analyzer.terms(sentence).into_iter().collect();
        if terms.is_empty() {
            // Stop words alone can carry meaning, too: they must be contained as they are.
            let bare = sentence.trim_matches(|c: char| !c.is_alphanumeric());
            return self.text.contains(&bare.to_lowercase());
        }
        let denied = negations(sentence);
        let alone = self.sentences.iter().any(|(said, no)| terms.is_subset(said) && *no == denied);
        let pairs = self.sentences.windows(2).any(|pair| {
            let both: HashSet<&String> = pair.iter().flat_map(|(said, _)| said).collect();
            terms.iter().all(|term| both.contains(term)) && pair.iter().map(|(_, no)| no).sum::<usize>() == denied
        });
        alone || (pairs && numbers(sentence).is_empty())
    }

    /// Whether `text` keeps most of the section's terms, and all of its numbers.
    fn is_preserved_by(&self, text: &str) -> bool {
        let left: HashSet<String> = self.analyzer.terms(text).into_iter().collect();
        let kept = self.own_terms.intersection(&left).count();
        kept * 100 >= self.own_terms.len() * KEPT_PERCENT && self.own_numbers.is_subset(&numbers(text))
    }
}

/// Words with a digit in them, without the marks around them.
fn numbers(text: &str) -> HashSet<String> {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    // The number of a list item is not a fact.
    let item = |word: &&str| !(word.ends_with(['.', ')']) && word.len() <= 3);
    let words = text.lines().flat_map(|line| {
        let mut words = line.split_whitespace().peekable();
        words.next_if(|first| !item(first));
        words
    });
    words.filter(|word| word.chars().any(char::is_numeric)).map(bare).collect()
}

/// How many words of a text turn it into its opposite or restrict it.
pub(crate) fn negations(text: &str) -> usize {
    let lower = text.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphanumeric() || MARKS_IN_WORDS.contains(&c)));
    let spaced = words.filter(|word| NEGATIONS.contains(word) || word.ends_with("n't")).count();
    spaced + NEGATIONS_WITHOUT_SPACES.iter().map(|negation| lower.matches(negation).count()).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_denial_or_a_restriction_is_seen_in_every_language_of_the_customers() {
        for (denied, said) in [
            ("Boxes aren't refunded.", "Boxes are refunded."),
            ("Wir erstatten keinesfalls.", "Wir erstatten."),
            ("Wir erstatten niemals.", "Wir erstatten."),
            ("Weder Kisten.", "Kisten."),
            ("Nu rambursăm.", "Rambursăm."),
            ("Δεν επιστρέφεται.", "Επιστρέφεται."),
            ("لا يمكن الإرجاع", "يمكن الإرجاع"),
            ("واپس نہیں ہوتا۔", "واپس ہوتا ہے۔"),
            ("यह वापस नहीं होता।", "यह वापस होता है।"),
            ("सिर्फ सदस्य", "सदस्य"),
            ("ফেরত হয় না।", "ফেরত হয়।"),
            ("இது இல்லை.", "இது உண்டு."),
            ("Tidak dapat dikembalikan.", "Dapat dikembalikan."),
            ("返金できません。", "返金できます。"),
            ("不可退货。", "可以退货。"),
        ] {
            assert_eq!((negations(denied), negations(said)), (1, 0), "{denied}");
        }
    }
}
