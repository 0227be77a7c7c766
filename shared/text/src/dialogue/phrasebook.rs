//! The content of a file in `languages`: phrases of customers, and the service's sentences, in one language.
//!
//! The file has sections: a `[head]`, and a phrase on each line after it. Blank lines and lines that begin with `#` say
//! nothing. Errors name the file and the line. The syntax of phrases is that of the `regex` crate over words: white space
//! separates words, `<name>` is a list of the language, and `agent\w*` is every word that begins with `agent`.

#![expect(dead_code, reason = "`build.rs` reads the files, and makes tables of some lists")]

use std::collections::BTreeMap;

use crate::CustomerLanguage;

/// One language.
#[derive(Debug)]
pub(crate) struct Phrasebook {
    pub(crate) language: CustomerLanguage,
    /// Articles, pronouns, prepositions, question words and the commonest verbs of questions, in a language with Latin
    /// letters. Words of another language that are also words of this one count for both.
    pub(super) function_words: &'static str,
    /// Pronouns that stand for what was said before, in a language of wikis.
    pub(crate) pronouns: &'static str,
    /// Letters that point to the language: no English word has one.
    pub(crate) letters: &'static str,
    /// Words that name no topic and are no stop words, in a language of wikis.
    pub(crate) generic_words: &'static str,
    /// Greetings, thanks, and what else asks nothing.
    pub(super) small_talk: SmallTalkPhrases,
    /// How a human is asked for.
    pub(crate) human: HumanRequestPhrases,
    /// The fixed sentences of the service.
    pub(crate) sentences: Sentences,
}

impl Phrasebook {
    /// Reads the `text` of a file; an error names the file, and the line if one is wrong.
    pub(crate) fn read(language: CustomerLanguage, file: &str, text: &str) -> Result<Self, String> {
        let mut sections = Sections::parse(file, text)?;
        let book = Self {
            language,
            function_words: sections.lines("function_words")?,
            letters: sections.lines("letters")?,
            pronouns: sections.lines("pronouns")?,
            generic_words: sections.lines("generic_words")?,
            small_talk: SmallTalkPhrases::read(&mut sections)?,
            human: HumanRequestPhrases::read(&mut sections)?,
            sentences: Sentences::read(&mut sections)?,
        };
        sections.end()?;
        Ok(book)
    }
}

/// A part of a phrasebook: each field is the section `[group.field]`, read as a `list`, as `lines` or as a `sentence`.
macro_rules! part {
    ($(#[$about:meta])+ $name:ident in $group:literal { $($(#[$meaning:meta])* $field:ident: $read:ident),+ $(,)? }) => {
        $(#[$about])+
        #[derive(Debug)]
        pub(crate) struct $name { $($(#[$meaning])* pub(super) $field: &'static str),+ }

        impl $name {
            fn read(sections: &mut Sections<'_>) -> Result<Self, String> {
                Ok(Self { $($field: sections.$read(concat!($group, ".", stringify!($field)))?),+ })
            }
        }
    };
}

part! {
    /// Small talk of one language.
    SmallTalkPhrases in "small_talk" {
        /// Greetings; may precede a question.
        greeting: list,
        /// Says that a question follows, but not which.
        opening: list,
        /// May precede or follow a question.
        thanks: list,
        /// Goodbye.
        farewell: list,
        /// Agrees; a yes to an offer.
        okay: list,
        /// Takes note, praises, apologises.
        acknowledgement: list,
        /// Asks who or what we are.
        about_us: list,
        /// Anger without a question.
        anger: list,
        /// Says that the answer did not help.
        unhelped: list,
        /// A yes to an offer.
        yes: list,
        /// A no to an offer.
        no: list,
        /// Ends something: a no to an offer, and a question if nothing was offered.
        cancel: list,
        /// Doubts what was said or asks for it again. It may stand next to fillers alone, and be one itself.
        doubt: list,
        /// Without meaning next to any of these.
        filler: list,
        /// Without meaning next to greetings, thanks, farewells, praise and anger: to whom, and for what.
        addition: list,
        /// Of all phrases, those that are a matter of their own in another language: alone they are small talk only if
        /// this language is expected.
        ambiguous: list,
    }
}

part! {
    /// How people ask for a human in one language. Lists hold words or expressions of several words; phrases are written as
    /// [`super::expression`] reads them.
    HumanRequestPhrases in "human" {
        /// Words for a human in a team; alone they are a request.
        who: list,
        /// Words that are also used for others.
        some: list,
        /// Words without either that a request may contain; a sentence without any of the three asks for nobody.
        mentions: list,
        /// Expressions that may precede such a word.
        a: list,
        /// The requests. `<other>` is any word but a denial, `<end>` the end of the clause or a word of `leads_on`.
        phrases: lines,
        /// Expressions that may accompany a word for a human that is a request by itself.
        alone: list,
        /// Phrases that are a request only as a whole sentence.
        whole: lines,
        /// Single words that may follow a request: its subject, courtesies.
        leads_on: list,
        /// Expressions that cancel a request when they precede it: the customer wants no human.
        not: list,
        /// Expressions that make it a question whether a human is needed.
        whether: list,
        /// Expressions that cancel a request when they follow it.
        not_after: list,
        /// Expressions that may stand between a denial and the request.
        links: list,
        /// Others of whom it is said than the customer.
        others: list,
        /// Expressions that make a word for a human one for something else.
        not_followed: list,
        /// Words that a typo is corrected to, if that makes a request. Those of four letters are found if two of their
        /// letters changed places.
        corrected: list,
    }
}

part! {
    /// The sentences of one language.
    Sentences in "sentences" {
        greeting: sentence,
        thanks: sentence,
        farewell: sentence,
        acknowledgement: sentence,
        about_us: sentence,
        no_problem: sentence,
        praised: sentence,
        unclear: sentence,
        apology: sentence,
        no_answer: sentence,
        handover: sentence,
        failure: sentence,
        /// Says that the team is back `{day}` at `{time}`, a time such as 9:00; `{zone}` is empty, or a space and the
        /// zone's name in brackets.
        back: sentence,
        /// Says that nobody is there, and not when that changes.
        nobody: sentence,
        /// Says that the team will read what the customer wrote, and answer here.
        later: sentence,
        /// The `{day}` that is today.
        today: sentence,
        /// The `{day}`s from Monday to Sunday.
        days: lines,
        /// Says that a person cannot be called again yet, and that this is possible in `{minutes}` minutes, 2 to 10.
        human_later: sentence,
        /// Says that an automatic assistant answers.
        notice: sentence,
        /// Says that at most three questions are answered at a time, and asks for the other `{questions}` again.
        too_many: sentence,
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

    /// Words or phrases, parted by `|`.
    pub(crate) fn list(&mut self, name: &str) -> Result<&'static str, String> {
        let Section { lines, .. } = self.take(name)?;
        match lines.iter().find(|(_, line)| line.contains('|')) {
            Some((number, line)) => Err(format!("{}:{number}: a | in {line:?}, a list has no expressions", self.file)),
            None => Ok(joined(&lines, "|")),
        }
    }

    /// The lines as they are.
    pub(crate) fn lines(&mut self, name: &str) -> Result<&'static str, String> {
        Ok(joined(&self.take(name)?.lines, "\n"))
    }

    /// One sentence.
    pub(crate) fn sentence(&mut self, name: &str) -> Result<&'static str, String> {
        match self.take(name)? {
            Section { lines, .. } if lines.len() == 1 => Ok(joined(&lines, "")),
            Section { head, lines } => {
                Err(format!("{}:{head}: [{name}] has {} lines and needs one", self.file, lines.len()))
            }
        }
    }

    /// An error if a section was not read: nothing knows its name.
    pub(crate) fn end(self) -> Result<(), String> {
        match self.unread.iter().next() {
            Some((name, Section { head, .. })) => Err(format!("{}:{head}: unknown section [{name}]", self.file)),
            None => Ok(()),
        }
    }

    fn take(&mut self, name: &str) -> Result<Section<'a>, String> {
        self.unread.remove(name).ok_or_else(|| format!("{}: no section [{name}]", self.file))
    }
}

fn joined(lines: &[(usize, &str)], between: &str) -> &'static str {
    lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(between).leak()
}

/// How a table writes that a word only has to begin so.
const ANY_ENDING: &str = "\\w*";

/// A piece of a phrase.
pub(crate) enum Piece<'a> {
    /// One word or, in scripts without spaces, several.
    Words {
        /// As written.
        text: &'a str,
        /// Other words that begin so count too.
        any_ending: bool,
    },
    /// The name of a list.
    List(&'a str),
    /// Syntax of `regex`.
    Syntax(&'a str),
}

/// Cuts a phrase into words, names of lists and syntax.
pub(crate) fn pieces(phrase: &str) -> Vec<Piece<'_>> {
    let mut all = Vec::new();
    let mut rest = phrase.trim_start();
    while let Some(first) = rest.chars().next() {
        let closing = match first {
            '<' => Some('>'),
            '{' => Some('}'),
            _ => None,
        };
        let end = match closing {
            Some(closing) => rest.find(closing).map_or(rest.len(), |at| at + 1),
            None if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            None => first.len_utf8(),
        };
        let (piece, then) = rest.split_at(end);
        let any_ending = then.starts_with(ANY_ENDING);
        all.push(match first {
            '<' => Piece::List(piece.trim_matches(['<', '>'])),
            c if is_word(c) => Piece::Words { text: piece, any_ending },
            _ => Piece::Syntax(piece),
        });
        rest = then.strip_prefix(ANY_ENDING).filter(|_| any_ending).unwrap_or(then).trim_start();
    }
    all
}

/// Characters outside the syntax of `regex`.
fn is_word(c: char) -> bool {
    !c.is_whitespace() && !matches!(c, '(' | ')' | '|' | '?' | '*' | '+' | '{' | '}' | '<' | '>' | '\\' | '[' | ']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lines_and_sentences_are_read_without_comments() {
        let text = "# English.\n\n[list]\nhi\n# short\n\ngood day\n[lines]\n(a|b) c\nd\n[none]\n[said]\nYes | no\n";
        let mut sections = Sections::parse("en.txt", text).unwrap();
        assert_eq!(sections.list("list"), Ok("hi|good day"));
        assert_eq!(sections.lines("lines"), Ok("(a|b) c\nd"));
        assert_eq!(sections.list("none"), Ok(""));
        assert_eq!(sections.sentence("said"), Ok("Yes | no"));
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
                sections.list("list")?;
                sections.end()
            });
            assert_eq!(read, Err(error.to_owned()), "{text}");
        }
        for (text, error) in [
            ("[said]\n", "en.txt:1: [said] has 0 lines and needs one"),
            ("[said]\nYes.\nNo.\n", "en.txt:1: [said] has 2 lines and needs one"),
        ] {
            let read = Sections::parse("en.txt", text).and_then(|mut sections| sections.sentence("said"));
            assert_eq!(read, Err(error.to_owned()), "{text}");
        }
    }
}
