//! Detects the language of a text.

use whatlang::Lang;

use crate::CustomerLanguage;

/// Fewer letters are not enough for a detection.
const MIN_LETTERS: usize = 20;
/// More letters do not improve it.
const MAX_CHARS: usize = 1_000;

/// The language of a text of at least 20 letters; none where it is not clear, or not spoken here.
pub(super) fn detect(text: &str) -> Option<CustomerLanguage> {
    let text: String = text.chars().take(MAX_CHARS).collect();
    if text.chars().filter(|c| c.is_alphabetic()).count() < MIN_LETTERS {
        return None;
    }
    let found = whatlang::detect(&text)?;
    if found.is_reliable() { spoken(found.lang()) } else { None }
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
