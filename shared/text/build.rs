//! Makes the phrase tables of `src/dialogue` from its lists, so that a process that starts has nothing to build.
//!
//! `languages.rs` has the phrasebooks, which the files of `languages` hold, and the lists of `lists.txt`. `small_talk.fst` maps the letters of each phrase of
//! small talk to its place in `PHRASES` of `small_talk.rs`, and each other word of a phrase to 0. `mentions.fst` maps words to
//! the languages in which a request for a human mentions them, and `function_words.fst` to those in which they are function
//! words: bits in the order of `LANGUAGES`. `concepts.fst` maps words to their concepts in `turn_model/concepts.txt`, and
//! `concepts.rs` has their numbers. `stop_words.rs` and `synonyms.rs` have the files of these folders.

// The modules that the library and this script share have parts that only the library uses.
#![allow(dead_code, unreachable_pub, reason = "parts of the library")]

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dialogue::phrasebook::{Form, Phrasebook};
use dialogue::sections::Sections;
use dialogue::small_talk::collect::PhraseCollection;
use dialogue::small_talk::phrase::Phrase;
use dialogue::turn_model::tokens::tokens;
use language::{CustomerLanguage, Language};

/// The enums of `language.rs` without what the wire needs.
macro_rules! wire_enum {
    ($(#[$about:meta])+ pub enum $name:ident { $($(#[$meaning:meta])+ $variant:ident => $text:literal),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($variant),+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some(Self::$variant),)+ _ => None }
            }
        }
    };
}

#[path = "src/language.rs"]
mod language;

#[path = "src/dialogue"]
mod dialogue {
    pub(crate) mod phrasebook;
    pub(crate) mod sections;
    mod words;

    pub(crate) mod turn_model {
        pub(crate) mod tokens;
    }

    pub(crate) mod small_talk {
        pub(crate) mod collect;
        pub(crate) mod phrase;
    }

    use std::collections::BTreeMap;

    use phrasebook::{Phrasebook, Piece, pieces};
    use words::words;

    /// For each function word a set of languages.
    pub(crate) fn function_words(books: &[Phrasebook]) -> BTreeMap<String, u64> {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for (number, book) in books.iter().enumerate() {
            words(book.function_words).into_iter().for_each(|word| *all.entry(word).or_default() |= 1 << number);
        }
        all
    }

    /// For each word of a request two sets of languages: the lower half for the word itself, the upper half for every
    /// word that begins so.
    pub(crate) fn mentions(books: &[Phrasebook]) -> BTreeMap<String, u64> {
        let mut all: BTreeMap<String, u64> = BTreeMap::new();
        for (number, book) in books.iter().enumerate() {
            for list in [book.human.who, book.human.some, book.human.mentions] {
                for piece in pieces(list) {
                    let Piece::Words { text, any_ending } = piece else { continue };
                    for word in words(text) {
                        *all.entry(word).or_default() |= 1 << (number + if any_ending { 32 } else { 0 });
                    }
                }
            }
        }
        all
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo runs the script again when it or a module that it shares has changed.
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed={CONCEPTS}");
    println!("cargo:rerun-if-changed={FILES}");
    println!("cargo:rerun-if-changed={LISTS}");
    #[expect(clippy::disallowed_methods, reason = "Cargo names the folder by a variable")]
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).ok_or("OUT_DIR is not set")?;
    let books = LANGUAGES.into_iter().map(phrasebook).collect::<Result<Vec<_>, _>>()?;
    languages(&folder, &books)?;
    small_talk(&folder, &books)?;
    write_map(&folder.join("function_words.fst"), dialogue::function_words(&books))?;
    write_map(&folder.join("mentions.fst"), dialogue::mentions(&books))?;
    for files in ["stop_words", "synonyms"] {
        println!("cargo:rerun-if-changed=src/{files}");
        fs::write(folder.join(format!("{files}.rs")), of_wikis(files))?;
    }
    concepts(&folder)
}

/// The files of the languages, and their order: a phrase of several languages is read as of the first of them.
const FILES: &str = "src/dialogue/languages";
const LANGUAGES: [&str; 24] = [
    "en", "de", "es", "fr", "pt", "it", "nl", "da", "sv", "no", "fi", "hu", "ro", "ru", "el", "tr", "ar", "ta", "hi",
    "bn", "ur", "id", "ja", "zh",
];

/// The lists that are not told apart by language, and their sections: of phrases, and of words.
const LISTS: &str = "src/dialogue/lists.txt";
const PHRASES: [&str; 6] = ["still", "not", "work", "failed", "problem", "waits"];
const WORDS: [&str; 6] = ["joiners", "courtesies", "openers", "verbs", "ambiguous", "prepositions"];

/// A constant for each list.
fn lists() -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(LISTS)?;
    let mut sections = Sections::parse(LISTS, &text)?;
    let phrases = PHRASES.map(|name| (name, sections.read(name, Form::List)));
    let words = WORDS.map(|name| (name, sections.read(name, Form::Lines)));
    sections.end()?;
    let constants = phrases.into_iter().chain(words).map(|(name, list)| {
        let name = name.to_uppercase();
        Ok(format!("\npub(super) const {name}: &str = {:?};", list?))
    });
    constants.collect()
}

/// A function from a language of wikis to its file in a folder; some languages have no synonyms.
fn of_wikis(folder: &str) -> String {
    let arms = Language::ALL.iter().map(|language| {
        let text = fs::read_to_string(format!("src/{folder}/{}.txt", language.as_str())).unwrap_or_default();
        format!("Language::{language:?} => {text:?},")
    });
    let arms: String = arms.collect();
    format!("const fn list(language: Language) -> &'static str {{ match language {{ {arms} }} }}")
}

fn phrasebook(code: &str) -> Result<Phrasebook, Box<dyn Error>> {
    let language = CustomerLanguage::parse(code).ok_or_else(|| format!("{code} is no language of customers"))?;
    let file = format!("{FILES}/{code}.txt");
    let text = fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
    Ok(Phrasebook::read(language, &format!("shared/text/{file}"), &text)?)
}

/// Writes what the library keeps of the phrasebooks. The names that `Debug` prints are those of the types.
fn languages(folder: &Path, books: &[Phrasebook]) -> Result<(), Box<dyn Error>> {
    let human: Vec<_> = books.iter().map(|book| (book.language, &book.human)).collect();
    let mut source = format!(
        "/// Every language.
        #[cfg(test)]
        pub(crate) static ALL: &[Phrasebook] = &{books:?};
        /// How a human is asked for, in the order of `LANGUAGES` of `build.rs`.
        pub(crate) static HUMAN: &[(CustomerLanguage, HumanRequestPhrases)] = &{human:?};"
    );
    source += &by_language(books, "sentences", "Sentences", |book| format!("&{:?}", book.sentences));
    source += &by_language(books, "pronouns", "str", |book| format!("{:?}", book.pronouns));
    source += &by_language(books, "generic_words", "str", |book| format!("{:?}", book.generic_words));
    source += &by_language(books, "letters", "str", |book| format!("{:?}", book.letters));
    source += &lists()?;
    Ok(fs::write(folder.join("languages.rs"), source)?)
}

/// A function from a language to a part of its phrasebook.
fn by_language(books: &[Phrasebook], part: &str, of_type: &str, value: fn(&Phrasebook) -> String) -> String {
    let arms: String = books.iter().map(|book| format!("{:?} => {},", book.language, value(book))).collect();
    format!(
        "
        /// The {part} of a language.
        pub(crate) const fn {part}(language: CustomerLanguage) -> &'static {of_type} {{
            match language {{ {arms} }}
        }}"
    )
}

/// The words of each concept, and the first number of a concept: those before it are of tokens in no list.
const CONCEPTS: &str = "src/dialogue/turn_model/concepts.txt";
const FIRST_CONCEPT: u64 = 4;

fn concepts(folder: &Path) -> Result<(), Box<dyn Error>> {
    let text = fs::read_to_string(CONCEPTS)?;
    let (mut words, mut names) = (BTreeMap::new(), Vec::new());
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut entries = line.split_whitespace();
        if !line.starts_with(' ') {
            names.extend(entries.next());
        }
        let concept = FIRST_CONCEPT - 1 + u64::try_from(names.len())?;
        for entry in entries {
            let shift = if entry.ends_with('*') { 8 } else { 0 };
            let [word] = tokens(entry).try_into().map_err(|words| format!("{words:?} is not one word"))?;
            let value = words.entry(word).or_insert(0);
            if *value >> shift & 0xFF == 0 {
                *value |= concept << shift;
            }
        }
    }
    let mut numbers = String::new();
    for (place, named) in names.iter().enumerate() {
        let number = FIRST_CONCEPT + u64::try_from(place)?;
        numbers +=
            &format!("#[allow(dead_code, reason = \"few are named\")]\npub(super) const {named}: u8 = {number};\n");
    }
    fs::write(folder.join("concepts.rs"), numbers)?;
    write_map(&folder.join("concepts.fst"), words)
}

fn small_talk(folder: &Path, books: &[Phrasebook]) -> Result<(), Box<dyn Error>> {
    let collection = PhraseCollection::new(books);
    let mut keys: BTreeMap<String, u64> = collection.words.into_iter().map(|word| (word, 0)).collect();
    let (mut all, mut places) = (Vec::new(), HashMap::new());
    let sorted: BTreeMap<String, Vec<Phrase>> = collection.phrases.into_iter().collect();
    for (letters, phrases) in sorted {
        let place = *places.entry(phrases.clone()).or_insert_with(|| {
            let start = all.len();
            all.extend(phrases.iter().copied());
            start
        });
        keys.insert(letters, u64::try_from(place << 8 | phrases.len())?);
    }
    let mut long_words: BTreeMap<char, Vec<String>> = BTreeMap::new();
    for word in collection.long_words {
        long_words.entry(word.chars().next().unwrap_or_default()).or_default().push(word);
    }
    let long_words: Vec<(char, String)> =
        long_words.into_iter().map(|(first, words)| (first, words.join("|"))).collect();
    let phrases = format!("static PHRASES: &[Phrase] = &{all:?};\n");
    let long_words = format!("static LONG_WORDS: &[(char, &str)] = &{long_words:?};\n");
    fs::write(folder.join("small_talk.rs"), phrases + &long_words)?;
    write_map(&folder.join("small_talk.fst"), keys)
}

fn write_map(file: &Path, values: BTreeMap<String, u64>) -> Result<(), Box<dyn Error>> {
    let map = fst::Map::from_iter(values)?;
    Ok(fs::write(file, map.as_fst().as_bytes())?)
}
