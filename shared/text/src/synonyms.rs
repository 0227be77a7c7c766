//! Other words for the same thing: "log in" and "sign in", "refund" and "money back"; and the words of another language,
//! in which a customer may write.
//!
//! A [`Synonyms`] is a table of groups. The groups of each wiki language are data in `synonyms/`; a tenant has groups of
//! its own. Questions are looked up by their words with the stop words, as stems, because these tell "call off" from
//! "call". Entries are searched by terms: a member of one term is that term, one of two is their bigram. A longer
//! member, or one after `?` in the data, is only recognised in questions.
//!
//! `translations.txt` has one meaning a line. The questions of a customer are looked up by the stems of their own
//! language, and what is found are terms and bigrams of the wiki's.

use std::collections::HashMap;

use crate::accents::fold_accents;
use crate::parts::{has_compounds, part};
use crate::query::Form;
use crate::spelling::MIN_PART_CHARS;
use crate::{Analyzer, ByLanguage, Language};

include!(concat!(env!("OUT_DIR"), "/synonyms.rs"));

/// Groups of words and phrases with the same meaning, in one language.
#[derive(Debug, Default)]
pub struct Synonyms {
    /// The forms of each group in entries.
    groups: Vec<Vec<Form>>,
    /// The members by their stems in a question, as a trie: a text is read in linear time. The first is its root.
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    next: HashMap<String, usize>,
    /// The groups of the member that ends here.
    groups: Vec<usize>,
}

/// A term of a question with a group that it, or the phrase around it, belongs to.
pub type Meaning = (String, usize);

impl Synonyms {
    /// The groups that every wiki of a language has.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        static TABLES: ByLanguage<Synonyms> = ByLanguage::new();
        TABLES.get(language, || {
            Self::new(&Analyzer::new(language), said(list(language)).map(|line| line.split(',').map(str::trim)))
        })
    }

    /// The groups of some words and phrases.
    pub fn new<'a>(analyzer: &Analyzer, groups: impl IntoIterator<Item = impl IntoIterator<Item = &'a str>>) -> Self {
        let groups = groups.into_iter().map(|members| {
            let members: Vec<&str> = members.into_iter().collect();
            let written: Vec<&str> = members.iter().copied().filter(|member| !member.starts_with('?')).collect();
            (members.into_iter().map(|member| member.trim_start_matches('?')), written)
        });
        Self::between(analyzer, analyzer, groups)
    }

    /// Groups of what is `asked` in one language and `written` in entries in another.
    pub(crate) fn between<'a>(
        asked: &Analyzer,
        written: &Analyzer,
        groups: impl IntoIterator<Item = (impl IntoIterator<Item = &'a str>, impl IntoIterator<Item = &'a str>)>,
    ) -> Self {
        let mut table = Self { groups: Vec::new(), nodes: vec![Node::default()] };
        for (group, (members, names)) in groups.into_iter().enumerate() {
            for member in members {
                table.add(asked, group, member);
                table.add(asked, group, &fold_accents(member));
            }
            let mut forms = Vec::new();
            for name in names {
                let terms = written.terms(name);
                let found = form(&terms).into_iter().chain(form_in_compounds(written, &terms));
                found.for_each(|form| {
                    if !forms.contains(&form) {
                        forms.push(form)
                    }
                });
            }
            table.groups.push(forms);
        }
        table
    }

    fn add(&mut self, analyzer: &Analyzer, group: usize, member: &str) {
        let mut at = 0;
        for (stem, _) in analyzer.spoken(member) {
            let new = self.nodes.len();
            let Some(node) = self.nodes.get_mut(at) else { return };
            at = *node.next.entry(stem).or_insert(new);
            if at == new {
                self.nodes.push(Node::default());
            }
        }
        let end = self.nodes.get_mut(at).filter(|node| at > 0 && node.groups.last() != Some(&group));
        end.into_iter().for_each(|node| node.groups.push(group));
    }

    fn next(&self, at: usize, stem: &str) -> Option<usize> {
        self.nodes.get(at)?.next.get(stem).copied()
    }

    fn groups_at(&self, at: usize) -> &[usize] {
        self.nodes.get(at).map_or(&[], |node| node.groups.as_slice())
    }

    /// The terms of `text` that belong to a phrase of several words, with its groups.
    #[must_use]
    pub fn phrases_in(&self, analyzer: &Analyzer, text: &str) -> Vec<Meaning> {
        let spoken = analyzer.spoken(text);
        let mut found = Vec::new();
        for from in 0..spoken.len() {
            let mut at = 0;
            for (place, (stem, _)) in spoken.iter().enumerate().skip(from) {
                let Some(next) = self.next(at, stem) else { break };
                at = next;
                let groups = if place > from { self.groups_at(at) } else { &[] };
                let terms = spoken.get(from..=place).into_iter().flatten().filter(|(_, is_term)| *is_term);
                found.extend(terms.flat_map(|(term, _)| groups.iter().map(|group| (term.clone(), *group))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The groups of a single term.
    #[must_use]
    pub fn groups_of(&self, term: &str) -> &[usize] {
        self.next(0, term).map_or(&[], |at| self.groups_at(at))
    }

    /// The forms of a group in entries.
    #[must_use]
    pub fn forms(&self, group: usize) -> &[Form] {
        self.groups.get(group).map_or(&[], Vec::as_slice)
    }
}

fn form(terms: &[String]) -> Option<Form> {
    match terms {
        [word] => Some(Form::Word(word.clone())),
        [first, second] => Some(Form::Bigram(format!("{first} {second}"))),
        _ => None,
    }
}

/// The form of one term in a compound: "Rückgabe" in "Rückgabefrist".
fn form_in_compounds(written: &Analyzer, terms: &[String]) -> Option<Form> {
    let [word] = terms else { return None };
    let is_part = has_compounds(written.language()) && word.chars().count() >= MIN_PART_CHARS;
    is_part.then(|| Form::Word(part(word)))
}

static TRANSLATIONS: &str = include_str!("translations.txt");

/// The group of words that questions are made with and that name nothing.
const NOTHING: [usize; 1] = [0];

/// The words of entries in `to` for the words of questions in `from`; none if one of the two has no column.
#[must_use]
pub fn translations(from: Language, to: Language) -> Option<&'static Synonyms> {
    static TABLES: ByLanguage<ByLanguage<Synonyms>> = ByLanguage::new();
    let mut lines = said(TRANSLATIONS);
    let columns: Vec<&str> = lines.next()?.split('|').map(str::trim).collect();
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

/// The lines of a file without blank ones and comments.
fn said(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(groups: &[&[&str]]) -> Synonyms {
        Synonyms::new(&Analyzer::new(Language::English), groups.iter().map(|group| group.iter().copied()))
    }

    fn meant(table: &Synonyms, question: &str) -> Vec<Meaning> {
        table.phrases_in(&Analyzer::new(Language::English), question)
    }

    #[test]
    fn a_member_is_found_in_any_of_its_inflections() {
        let table = table(&[&["refund", "money back"], &["cancel", "call off"]]);
        assert_eq!(table.groups_of("refund"), [0]);
        assert_eq!(meant(&table, "I want my money back!"), [("back".to_owned(), 0), ("money".to_owned(), 0)]);
        assert_eq!(meant(&table, "we are calling off the trip"), [("call".to_owned(), 1)]);
        assert_eq!(meant(&table, "can I call you"), []);
        assert_eq!(table.groups_of("call"), [0; 0], "a word of a phrase is not the phrase");
    }

    #[test]
    fn entries_are_searched_for_words_and_bigrams() {
        let table = table(&[&["refund", "money back", "?call off", "get all of my money back", "Refunds"]]);
        assert_eq!(table.forms(0), [Form::Word("refund".into()), Form::Bigram("money back".into())]);
    }

    #[test]
    fn every_member_of_the_built_in_tables_says_something_and_no_group_is_of_one() {
        for language in Language::ALL {
            let analyzer = Analyzer::new(*language);
            for line in said(list(*language)) {
                let members: Vec<&str> = line.split(',').map(str::trim).collect();
                assert!(members.len() > 1, "{language}: {line}");
                for member in &members {
                    let terms = analyzer.terms(member.trim_start_matches('?'));
                    assert!(!terms.is_empty(), "{language}: {member} has no term");
                }
                let mut once = members.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), members.len(), "{language}: {line}");
            }
        }
    }

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
        let columns = said(TRANSLATIONS).next().unwrap().split('|').count();
        for line in said(TRANSLATIONS) {
            assert_eq!(line.split('|').count(), columns, "{line}");
            assert!(line.split(['|', ',']).all(|member| !member.trim().is_empty()), "{line}");
        }
    }
}
