//! Detects the language of a text: by its script, by its function words, and by its letters.

mod function_words;
mod script;
#[cfg(test)]
mod tests;

use whatlang::Lang;

use super::words::without_quotations;
use crate::CustomerLanguage;

/// Fewer letters are not enough for a detection by letters.
const MIN_LETTERS: usize = 20;
/// More letters do not improve it.
const MAX_CHARS: usize = 1_000;

/// The language of a text; none if it is not clear, or not spoken here. `expected` decides between languages that
/// share a script, and if a text has letters alone to tell it by: keywords of one language ("faktura nedlasting") have
/// the letters of another.
pub(super) fn detect(text: &str, expected: &[CustomerLanguage]) -> Option<CustomerLanguage> {
    let text: String = text.chars().take(MAX_CHARS).collect();
    let text = without_quotations(&text);
    let letters = script::Letters::of(&text);
    let by_letters = || by_letters(&text, letters.total());
    let is_likely = |found: &CustomerLanguage| expected.contains(found) || function_words::has_one(&text, *found);
    if letters.are_mostly_latin() {
        let by_words = || function_words::language(&text).or_else(|| letters.language(expected));
        by_words().or_else(|| by_letters().flatten().filter(is_likely))
    } else {
        // Of longer texts it is known whether they are in a language of the same script that is not spoken here.
        by_letters().unwrap_or_else(|| letters.language(expected))
    }
}

/// The language by the sequences of letters, if it is clear; `Some(None)` for one that is not spoken here.
fn by_letters(text: &str, letters: usize) -> Option<Option<CustomerLanguage>> {
    let found = if letters < MIN_LETTERS { None } else { whatlang::detect(text) };
    found.filter(whatlang::Info::is_reliable).map(|found| spoken(found.lang()))
}

const fn spoken(language: Lang) -> Option<CustomerLanguage> {
    Some(match language {
        Lang::Ara => CustomerLanguage::Arabic,
        Lang::Ben => CustomerLanguage::Bengali,
        Lang::Dan => CustomerLanguage::Danish,
        Lang::Deu => CustomerLanguage::German,
        Lang::Ell => CustomerLanguage::Greek,
        Lang::Eng => CustomerLanguage::English,
        Lang::Spa => CustomerLanguage::Spanish,
        Lang::Fin => CustomerLanguage::Finnish,
        Lang::Fra => CustomerLanguage::French,
        Lang::Hin => CustomerLanguage::Hindi,
        Lang::Hun => CustomerLanguage::Hungarian,
        Lang::Ind => CustomerLanguage::Indonesian,
        Lang::Ita => CustomerLanguage::Italian,
        Lang::Jpn => CustomerLanguage::Japanese,
        Lang::Nld => CustomerLanguage::Dutch,
        Lang::Nob => CustomerLanguage::Norwegian,
        Lang::Por => CustomerLanguage::Portuguese,
        Lang::Ron => CustomerLanguage::Romanian,
        Lang::Rus => CustomerLanguage::Russian,
        Lang::Swe => CustomerLanguage::Swedish,
        Lang::Tam => CustomerLanguage::Tamil,
        Lang::Tur => CustomerLanguage::Turkish,
        Lang::Urd => CustomerLanguage::Urdu,
        Lang::Cmn => CustomerLanguage::Chinese,
        _ => return None,
    })
}
