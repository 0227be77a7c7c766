//! The meaning of a question by its words: the stems without stop words and filler, each once, in no order. Two
//! questions with the same meaning are one gap. Only the text decides.

use std::collections::{BTreeSet, HashSet};

use crate::models::{GapId, Language};
use crate::sha256_hex;
use text::privacy;
use text::{Analyzer, ByLanguage};

/// The characters of a question that decide its meaning.
const QUESTION_CHARS: usize = 2_000;

/// The gap that a question belongs to; none for a text without a single word.
#[must_use]
pub fn gap_id_for(language: Language, question: &str) -> Option<GapId> {
    let canonical_terms = canonical_terms(language, question);
    let words: Vec<&str> = canonical_terms.iter().map(String::as_str).collect();
    (!words.is_empty()).then(|| GapId::of_hash(&sha256_hex(words.join(" ").as_bytes())))
}

/// Stems; if nothing is left but filler, that; if nothing is left but stop words, those.
fn canonical_terms(language: Language, question: &str) -> BTreeSet<String> {
    let question = privacy::remove_in_prefix(question, QUESTION_CHARS);
    let all: BTreeSet<String> = Analyzer::new(language).terms(&question).into_iter().collect();
    let filler = filler(language);
    let carrying: BTreeSet<String> = all.iter().filter(|term| !filler.contains(*term)).cloned().collect();
    match (carrying.is_empty(), all.is_empty()) {
        (false, _) => carrying,
        (true, false) => all,
        (true, true) => {
            let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        }
    }
}

/// Stems of the words that greet, thank, hedge and ask, without saying what about; from the lists in `filler/`.
fn filler(language: Language) -> &'static HashSet<String> {
    static TERMS: ByLanguage<HashSet<String>> = ByLanguage::new();
    TERMS.get(language, || Analyzer::new(language).terms(filler_words(language)).into_iter().collect())
}

const fn filler_words(language: Language) -> &'static str {
    match language {
        Language::Arabic => include_str!("filler/ar.txt"),
        Language::Danish => include_str!("filler/da.txt"),
        Language::Dutch => include_str!("filler/nl.txt"),
        Language::English => include_str!("filler/en.txt"),
        Language::Finnish => include_str!("filler/fi.txt"),
        Language::French => include_str!("filler/fr.txt"),
        Language::German => include_str!("filler/de.txt"),
        Language::Greek => include_str!("filler/el.txt"),
        Language::Hungarian => include_str!("filler/hu.txt"),
        Language::Italian => include_str!("filler/it.txt"),
        Language::Norwegian => include_str!("filler/no.txt"),
        Language::Portuguese => include_str!("filler/pt.txt"),
        Language::Romanian => include_str!("filler/ro.txt"),
        Language::Russian => include_str!("filler/ru.txt"),
        Language::Spanish => include_str!("filler/es.txt"),
        Language::Swedish => include_str!("filler/sv.txt"),
        Language::Tamil => include_str!("filler/ta.txt"),
        Language::Turkish => include_str!("filler/tr.txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(language: Language, questions: &[&str]) {
        let gaps: HashSet<_> = questions.iter().map(|question| gap_id_for(language, question)).collect();
        let meanings: Vec<_> = questions.iter().map(|question| canonical_terms(language, question)).collect();
        assert_eq!(gaps.len(), 1, "{meanings:?}");
    }

    #[test]
    fn word_order_inflection_and_filler_do_not_split_a_gap() {
        same(
            Language::English,
            &[
                "How do I export my invoices?",
                "exporting an invoice",
                "Hi there, could you please tell me how I can export the invoices? Thanks!",
                "invoices: export?!",
                "INVOICE EXPORT",
                "I'd like to know what's the way to export invoices",
            ],
        );
        same(
            Language::German,
            &["Wie kann ich Rechnungen exportieren?", "Hallo, bitte: eine Rechnung exportieren", "exportiere Rechnung"],
        );
        same(Language::French, &["Bonjour, comment exporter une facture ?", "exporter les factures svp"]);
        same(Language::Spanish, &["¿Cómo puedo exportar facturas?", "Hola, exportar una factura por favor"]);
        same(Language::Russian, &["Как экспортировать счета?", "Здравствуйте, подскажите, можно экспортировать счета"]);
    }

    #[test]
    fn personal_data_does_not_split_a_gap() {
        same(
            Language::English,
            &["refund to my card 4111 1111 1111 1111", "refund to my card 5500 0000 0000 0004", "refund to my card"],
        );
        // The word that announces it still counts.
        assert_ne!(gap_id_for(Language::English, "refund"), gap_id_for(Language::English, "refund to my card"));
    }

    #[test]
    fn other_questions_are_other_gaps() {
        let questions =
            ["export invoices", "import invoices", "export invoices to excel", "hello", "thanks", "how", "who"];
        let gaps: HashSet<_> = questions.iter().map(|question| gap_id_for(Language::English, question)).collect();
        assert_eq!(gaps.len(), questions.len());
        assert_eq!(gap_id_for(Language::English, "?! …"), None);
    }

    #[test]
    fn every_language_has_filler() {
        for language in Language::ALL {
            assert!(filler(*language).len() > 20, "{language}: {}", filler(*language).len());
        }
    }

    #[test]
    fn the_terms_of_a_question_are_found_in_linear_work() {
        growth::linear("gap_id_for", 8_000, growth::UNITS, |text| {
            std::hint::black_box(gap_id_for(Language::English, text));
            std::hint::black_box(gap_id_for(Language::German, text));
        });
    }
}
