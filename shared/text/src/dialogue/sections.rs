//! Reads the files of `languages` and the lists, for `build.rs` and for tests.

#![allow(dead_code, reason = "parts of `build.rs`")]

use std::collections::BTreeMap;

use super::phrasebook::{Form, HumanRequestPhrases, Phrasebook, Sentences, SmallTalkPhrases};
use crate::CustomerLanguage;

impl Phrasebook {
    /// Reads the `text` of a file; an error names the file, and the line if one is wrong.
    pub(crate) fn read(language: CustomerLanguage, file: &str, text: &str) -> Result<Self, String> {
        let mut sections = Sections::parse(file, text)?;
        let book = Self {
            language,
            function_words: sections.read("function_words", Form::Lines)?,
            letters: sections.read("letters", Form::Lines)?,
            pronouns: sections.read("pronouns", Form::Lines)?,
            generic_words: sections.read("generic_words", Form::Lines)?,
            small_talk: SmallTalkPhrases::read(|name, form| sections.read(name, form))?,
            human: HumanRequestPhrases::read(|name, form| sections.read(name, form))?,
            sentences: Sentences::read(|name, form| sections.read(name, form))?,
        };
        sections.end()?;
        Ok(book)
    }
}

/// The sections of one file that nothing has read yet.
#[derive(Debug)]
pub(crate) struct Sections<'a> {
    file: &'a str,
    unread: BTreeMap<&'a str, Section<'a>>,
}

#[derive(Debug)]
struct Section<'a> {
    /// The line of its head, from 1.
    head: usize,
    /// The lines after it, with their numbers.
    lines: Vec<(usize, &'a str)>,
}

impl<'a> Sections<'a> {
    /// Cuts `text` into sections; an error if a line is in none, and for the second section of a name.
    pub(crate) fn parse(file: &'a str, text: &'a str) -> Result<Self, String> {
        let mut unread = BTreeMap::<&str, Section<'_>>::new();
        let mut last = None;
        for (before, line) in text.lines().enumerate() {
            let number = before + 1;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if line.trim() != line {
                return Err(format!("{file}:{number}: blanks before or after {line:?}"));
            }
            if let Some(head) = line.strip_prefix('[') {
                let name = head.strip_suffix(']').ok_or_else(|| format!("{file}:{number}: no ] behind {line:?}"))?;
                if unread.insert(name, Section { head: number, lines: Vec::new() }).is_some() {
                    return Err(format!("{file}:{number}: a second section [{name}]"));
                }
                last = Some(name);
            } else {
                let section = last.and_then(|name| unread.get_mut(name));
                section
                    .ok_or_else(|| format!("{file}:{number}: {line:?} is in no section"))?
                    .lines
                    .push((number, line));
            }
        }
        Ok(Self { file, unread })
    }

    /// The text of a section.
    pub(crate) fn read(&mut self, name: &str, form: Form) -> Result<&'static str, String> {
        let Section { head, lines } =
            self.unread.remove(name).ok_or_else(|| format!("{}: no section [{name}]", self.file))?;
        let between = match form {
            Form::List => match lines.iter().find(|(_, line)| line.contains('|')) {
                Some((number, line)) => {
                    return Err(format!("{}:{number}: a | in {line:?}, a list has no expressions", self.file));
                }
                None => "|",
            },
            Form::Lines => "\n",
            Form::Sentence if lines.len() == 1 => "",
            Form::Sentence => {
                return Err(format!("{}:{head}: [{name}] has {} lines and needs one", self.file, lines.len()));
            }
        };
        Ok(lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(between).leak())
    }

    /// An error if a section was not read: nothing knows its name.
    pub(crate) fn end(self) -> Result<(), String> {
        match self.unread.iter().next() {
            Some((name, Section { head, .. })) => Err(format!("{}:{head}: unknown section [{name}]", self.file)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lines_and_sentences_are_read_without_comments() {
        let text = "# English.\n\n[list]\nhi\n# short\n\ngood day\n[lines]\n(a|b) c\nd\n[none]\n[said]\nYes | no\n";
        let mut sections = Sections::parse("en.txt", text).unwrap();
        assert_eq!(sections.read("list", Form::List), Ok("hi|good day"));
        assert_eq!(sections.read("lines", Form::Lines), Ok("(a|b) c\nd"));
        assert_eq!(sections.read("none", Form::List), Ok(""));
        assert_eq!(sections.read("said", Form::Sentence), Ok("Yes | no"));
        assert_eq!(sections.end(), Ok(()));
    }

    #[test]
    fn an_error_names_the_file_and_the_line() {
        for (text, error) in [
            ("# English.\nhi\n[list]\n", "en.txt:2: \"hi\" is in no section"),
            ("[list\nhi\n", "en.txt:1: no ] behind \"[list\""),
            ("[list]\nhi \n", "en.txt:2: blanks before or after \"hi \""),
            ("[list]\nhi\n[list]\n", "en.txt:3: a second section [list]"),
            ("[list]\nhi|hello\n", "en.txt:2: a | in \"hi|hello\", a list has no expressions"),
            ("\n[greeting]\nhi\n", "en.txt: no section [list]"),
            ("[list]\nhi\n[lsit]\n", "en.txt:3: unknown section [lsit]"),
        ] {
            let read = Sections::parse("en.txt", text).and_then(|mut sections| {
                sections.read("list", Form::List)?;
                sections.end()
            });
            assert_eq!(read, Err(error.to_owned()), "{text}");
        }
        for (text, error) in [
            ("[said]\n", "en.txt:1: [said] has 0 lines and needs one"),
            ("[said]\nYes.\nNo.\n", "en.txt:1: [said] has 2 lines and needs one"),
        ] {
            let read = Sections::parse("en.txt", text).and_then(|mut sections| sections.read("said", Form::Sentence));
            assert_eq!(read, Err(error.to_owned()), "{text}");
        }
    }
}
