//! The words of one language in another: a customer may write in another language than the wiki's.
//!
//! `translations.txt` has one meaning a line. The questions of a customer are looked up by the stems of their own
//! language, and what is found are terms and bigrams of the wiki's.

use crate::{Analyzer, ByLanguage, Language, Synonyms};

/// The group of words that questions are made with and that name nothing.
const NOTHING: [usize; 1] = [0];

/// The words of entries in `to` for the words of questions in `from`; none if one of the two has no column.
#[must_use]
pub fn translations(from: Language, to: Language) -> Option<&'static Synonyms> {
    static TABLES: ByLanguage<ByLanguage<Synonyms>> = ByLanguage::new();
    let mut lines = lines();
    let mut columns = lines.next()?.split('|').map(str::trim);
    let columns: Vec<&str> = columns.by_ref().collect();
    let column = |language: Language| columns.iter().position(|column| *column == language.as_str());
    let (asked, written) = column(from).zip(column(to)).filter(|(asked, written)| asked != written)?;
    Some(TABLES.get(from, ByLanguage::new).get(to, || {
        let cell = |line: &'static str, column| line.split('|').nth(column).unwrap_or_default();
        let members = |cell: &'static str| cell.split(',').map(str::trim);
        let groups = lines.map(|line| (members(cell(line, asked)), members(cell(line, written))));
        Synonyms::between(&Analyzer::new(from), &Analyzer::new(to), groups)
    }))
}

/// Whether a term of a question names nothing by a table of [`translations`].
#[must_use]
pub fn names_nothing(table: &Synonyms, term: &str) -> bool {
    table.groups_of(term) == NOTHING
}

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("translations.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    #[test]
    fn a_word_is_found_by_its_own_language_and_means_words_of_the_other() {
        for (from, term, to, means) in [
            (Language::German, "rechnung", Language::English, "invoic"),
            (Language::Spanish, "factur", Language::English, "invoic"),
            (Language::English, "invoic", Language::German, "rechnung"),
        ] {
            let table = translations(from, to).unwrap();
            let forms: Vec<&Form> = table.groups_of(term).iter().flat_map(|group| table.forms(*group)).collect();
            assert!(forms.contains(&&Form::Word(means.to_owned())), "{from} {term} {to}: {forms:?}");
        }
        assert!(translations(Language::English, Language::English).is_none());
        assert!(translations(Language::Tamil, Language::English).is_none());
    }

    #[test]
    fn words_that_questions_are_made_with_name_nothing() {
        let table = translations(Language::German, Language::English).unwrap();
        for (term, nothing) in [("gibt", true), ("mocht", true), ("rechnung", false), ("zebra", false)] {
            assert_eq!(names_nothing(table, term), nothing, "{term}");
        }
    }

    #[test]
    fn every_line_has_words_of_all_languages() {
        let columns = lines().next().unwrap().split('|').count();
        for line in lines() {
            assert_eq!(line.split('|').count(), columns, "{line}");
            assert!(line.split(['|', ',']).all(|member| !member.trim().is_empty()), "{line}");
        }
    }
}
