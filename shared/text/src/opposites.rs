//! Words of opposite meaning, which stop words and stems do not tell apart: on and off, with and without, before and
//! after; names of which one is meant, such as those of systems; and things that a number tells apart: zone 4, error 1618,
//! Android 17. A text that has another one than the question answers another question.

use crate::words::each_word;
use crate::{Analyzer, ByLanguage, Language};

crate::lists! { "lists.txt": JOINING OPEN TO UNITS }

/// Words that may stand between two words of a phrase.
const MAX_BETWEEN: usize = 3;
/// Words in which a word such as "without" is followed by the word that it is about.
const MAX_TO_OBJECT: usize = 4;
/// What a word counts that decides among texts which share the others ("still", "again"), as a side of two counts 1.
const DECIDING_WORD: f64 = 0.25;
/// The end of a text, as a word.
const END: &str = ".";

/// How a line of `opposites.txt` begins that holds in every language.
const EVERY_LANGUAGE: &str = "any";

/// Sides of which a text has one.
#[derive(Debug)]
struct Sides {
    /// Whether it counts together with the word that it is about.
    has_object: bool,
    /// Whether the sides are names of systems.
    is_name: bool,
    of: Vec<Vec<Vec<&'static str>>>,
}

/// The sides that a question is on.
#[derive(Debug, Clone)]
pub struct Opposites {
    language: Language,
    asked: Vec<Asked>,
    /// The systems that it names.
    names: Vec<Asked>,
    numbered: Vec<Numbered>,
}

#[derive(Debug, Clone)]
struct Asked {
    among: &'static Sides,
    side: usize,
    /// The term that it is about.
    object: Option<String>,
}

/// A text, in words.
struct Words {
    spelled: Vec<String>,
    /// The term of each word; none of a stop word.
    terms: Vec<Option<String>>,
}

impl Opposites {
    /// The sides that `question`, in the wiki's language, is on.
    #[must_use]
    pub fn asked(analyzer: &Analyzer, question: &str) -> Self {
        let words = Words::of(analyzer, question);
        let asked = opposites(analyzer.language()).iter().flat_map(|among| {
            let on = |side: usize| words.places(among, side).into_iter().map(move |place| (side, place));
            let mut found = (0..among.of.len()).flat_map(on);
            // A question that has several asks for none.
            let first = found.next().filter(|(side, _)| found.all(|(other, _)| other == *side));
            first.and_then(|(side, place)| {
                let object = if among.has_object { Some(words.object(place)?) } else { None };
                Some(Asked { among, side, object })
            })
        });
        let (names, asked) = asked.partition(|asked| asked.among.is_name);
        Self { language: analyzer.language(), asked, names, numbered: numbered(&words.spelled, &words.terms) }
    }

    /// Whether `text` is on the question's sides: −1 if it is on another one, else 1 if it is on one, 0 if it is on none or on
    /// both. The work is linear.
    #[must_use]
    pub fn agreement(&self, text: &str) -> f64 {
        if self.asked.is_empty() && self.numbered.is_empty() {
            return 0.0;
        }
        let words = Words::of(&Analyzer::new(self.language), text);
        let of = |asked: &Asked| match words.sides(asked) {
            (true, 0) if asked.among.of.len() == 1 => DECIDING_WORD,
            (true, 0) => 1.0,
            (false, 1..) => -1.0,
            _ => 0.0,
        };
        let of_number = |numbered: &Numbered| {
            let (same, other) = numbered.is_in(&words.spelled, &words.terms);
            f64::from(same) - f64::from(other)
        };
        let sides: Vec<f64> = self.asked.iter().map(of).chain(self.numbered.iter().map(of_number)).collect();
        let [least, most] = [f64::min, f64::max].map(|of| sides.iter().copied().fold(0.0, of));
        if least < 0.0 { least } else { most }
    }

    /// Whether `text` names one other system, and not that of the question. The work is linear.
    #[must_use]
    pub fn names_another(&self, text: &str) -> bool {
        self.names_others(text, |others| others == 1)
    }

    /// Whether `text` lists several other systems, and not that of the question: so that one is none of them. The work is
    /// linear.
    #[must_use]
    pub fn lists_others(&self, text: &str) -> bool {
        self.names_others(text, |others| others > 1)
    }

    fn names_others(&self, text: &str, are_enough: impl Fn(usize) -> bool) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let words = Words::of(&Analyzer::new(self.language), text);
        let others = |name| Some(words.sides(name)).filter(|(is_named, _)| !is_named).map(|(_, others)| others);
        self.names.iter().filter_map(others).any(are_enough)
    }
}

impl Words {
    /// Whether the side that is asked for is there, and how many others are.
    fn sides(&self, asked: &Asked) -> (bool, usize) {
        let is_on = |side: &usize| self.is_on(asked.among, *side, asked.object.as_deref());
        let others = (0..asked.among.of.len()).filter(|side| *side != asked.side);
        (is_on(&asked.side), others.filter(is_on).count())
    }

    fn of(analyzer: &Analyzer, text: &str) -> Self {
        let mut spelled = Vec::new();
        each_word(analyzer.language(), text, |_, word| spelled.push(word.to_owned()));
        let terms = analyzer.spoken(text).into_iter().map(|(term, is_term)| is_term.then_some(term)).collect();
        spelled.push(END.to_owned());
        Self { spelled, terms }
    }

    /// The places after each alternative of a side.
    fn places(&self, among: &Sides, side: usize) -> Vec<usize> {
        let Some(phrases) = among.of.get(side) else { return Vec::new() };
        let others =
            || among.of.iter().enumerate().filter(|(other, _)| *other != side).flat_map(|(_, phrases)| phrases);
        // "turn off" has no "turn … on" in it.
        let is_other = |word: &str| others().any(|phrase| matches!(phrase.as_slice(), [part] if is_word(part, word)));
        let most_between = if among.is_name { 0 } else { MAX_BETWEEN };
        let ends = |at: usize| phrases.iter().find_map(|phrase| self.end_of(phrase, at, most_between, is_other));
        (0..self.spelled.len()).filter_map(ends).collect()
    }

    /// The place after a phrase that begins at a word.
    fn end_of(&self, phrase: &[&str], at: usize, most: usize, is_other: impl Fn(&str) -> bool) -> Option<usize> {
        let mut at = at;
        for (place, part) in phrase.iter().enumerate() {
            let gap = if place == 0 || *part == END { 0 } else { most };
            let near = self.spelled.get(at..(at + gap + 1).min(self.spelled.len()))?;
            let before = near.iter().position(|word| is_word(part, word))?;
            if near.iter().take(before).any(|word| is_other(word)) {
                return None;
            }
            at += before + 1;
        }
        Some(at)
    }

    /// The first term after a place.
    fn object(&self, place: usize) -> Option<String> {
        self.terms.iter().skip(place).take(MAX_TO_OBJECT).flatten().next().cloned()
    }

    fn is_on(&self, among: &Sides, side: usize, object: Option<&str>) -> bool {
        let places = self.places(among, side);
        match object {
            None => !places.is_empty(),
            Some(object) => places.into_iter().any(|place| self.object(place).as_deref() == Some(object)),
        }
    }
}

fn is_word(part: &str, word: &str) -> bool {
    part.strip_suffix('*').map_or(part == word, |begin| word.starts_with(begin))
}

fn opposites(language: Language) -> &'static [Sides] {
    static OPPOSITES: ByLanguage<Vec<Sides>> = ByLanguage::new();
    OPPOSITES.get(language, || include_str!("opposites.txt").lines().filter_map(|line| sides(language, line)).collect())
}

fn sides(language: Language, line: &'static str) -> Option<Sides> {
    let of_language = line.strip_prefix(language.as_str()).or_else(|| line.strip_prefix(EVERY_LANGUAGE))?;
    let (name, sides) = of_language.strip_prefix(' ')?.split_once(": ")?;
    let side = |text: &'static str| text.split(", ").map(|phrase| phrase.split(' ').collect()).collect();
    Some(Sides { has_object: name == "of", is_name: name == "name", of: sides.split(" | ").map(side).collect() })
}

/// More names with a number are no question about one of them.
const MAX_NAMES: usize = 8;
/// The most characters of a number.
const MAX_NUMBER_CHARS: usize = 5;
/// The most words behind a name that may be its numbers.
const MAX_NUMBER_WORDS: usize = 12;

/// A name and its number.
#[derive(Debug, Clone)]
struct Numbered {
    name: String,
    number: String,
}

/// The names with a number in a question; one with several numbers asks for none of them.
fn numbered(spelled: &[String], terms: &[Option<String>]) -> Vec<Numbered> {
    let named = |at: usize| {
        let name = terms.get(at)?.clone().filter(|name| !is_number(name))?;
        let [number] = numbers_behind(spelled, at)?.ok()?[..] else { return None };
        Some(Numbered { name, number: spelled.get(number)?.clone() })
    };
    let all: Vec<Numbered> = (0..terms.len()).filter_map(named).take(MAX_NAMES).collect();
    let is_alone = |one: &&Numbered| all.iter().filter(|other| other.name == one.name).count() == 1;
    all.iter().filter(is_alone).cloned().collect()
}

impl Numbered {
    /// Whether a text names it, and whether it names another one of the same name.
    fn is_in(&self, spelled: &[String], terms: &[Option<String>]) -> (bool, bool) {
        let (mut same, mut other) = (false, false);
        for at in (0..terms.len()).filter(|at| terms.get(*at).and_then(Option::as_deref) == Some(&*self.name)) {
            match numbers_behind(spelled, at) {
                Some(Ok(numbers)) => {
                    let is_it = numbers.iter().any(|number| spelled.get(*number) == Some(&self.number));
                    same |= is_it;
                    other |= !is_it;
                }
                // The range may have it.
                Some(Err(())) => same |= spelled.get(at + 1) == Some(&self.number),
                None => {}
            }
        }
        (same, other)
    }
}

/// The places of the numbers behind the name at a place; none if there is none, an error if they are ends of a range.
fn numbers_behind(spelled: &[String], name: usize) -> Option<Result<Vec<usize>, ()>> {
    let word = |at: usize| spelled.get(at).map_or("", String::as_str);
    let is_number_at = |at: usize| is_number(word(at));
    if !is_number_at(name + 1) {
        return None;
    }
    let mut numbers = vec![name + 1];
    let mut at = name + 2;
    let mut is_range = name > 0 && OPEN.contains(&word(name - 1));
    while at < name + MAX_NUMBER_WORDS {
        let is_to = TO.contains(&word(at));
        if is_number_at(at) {
            is_range = true;
            at += 1;
        } else if (is_to || JOINING.contains(&word(at))) && is_number_at(at + 1) {
            is_range |= is_to;
            numbers.push(at + 1);
            at += 2;
        } else {
            break;
        }
    }
    if UNITS.iter().any(|unit| word(at) == *unit || unit.chars().count() > 3 && word(at).starts_with(unit)) {
        return None;
    }
    is_range |= OPEN.contains(&word(at)) || JOINING.contains(&word(at)) && OPEN.contains(&word(at + 1));
    Some(if is_range { Err(()) } else { Ok(numbers) })
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= MAX_NUMBER_CHARS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agreement(language: Language, question: &str, text: &str) -> f64 {
        Opposites::asked(&Analyzer::new(language), question).agreement(text)
    }

    #[test]
    fn a_text_on_the_other_side_disagrees() {
        use Language::{Dutch, English, French, German, Spanish};
        for (language, question, same, other) in [
            (English, "How do I turn off automatic renewal", "Turn off automatic renewal", "Turn on automatic renewal"),
            (English, "renewal off", "Turn it off in the settings", "Activate the renewal"),
            (English, "turn the sync on", "Enable sync", "How to disable sync"),
            (English, "turn on sync, i have no second device", "Turn sync on", "Turn off sync on one of my devices"),
            (English, "cancel before arrival", "Free until the day before arrival", "Fees after your arrival"),
            (English, "is the bike out of stock", "if it is out of stock", "while it is in stock"),
            (English, "return without a receipt", "Without the receipt", "with your receipt"),
            (English, "show the tray icon", "Unhiding the icon", "Hiding the tray icon"),
            (German, "Umtausch ohne Kassenbon", "Umtausch ohne Kassenbon", "Umtausch mit Kassenbon"),
            (German, "Storno vor der Anreise", "bis 7 Tage vor der Anreise", "Storno nach der Anreise"),
            (German, "Wie schalte ich die Verlängerung aus?", "Verlängerung deaktivieren", "Verlängerung einschalten"),
            (French, "retour sans ticket", "sans le ticket", "avec le ticket"),
            (Spanish, "desactivar la renovación", "Desactiva la renovación", "Activar la renovación"),
            (Dutch, "hoe zet ik het uit", "Uitschakelen", "zet het aan in het menu"),
            (English, "what does zone 4 cost", "Zone 4 costs 5 €", "Zone 1 costs 2 €"),
            (English, "parking in zone 2", "Zones 1 and 2 are free", "Zones 3 and 4 are free"),
            (English, "why is there no sound", "No sound", "A video with sound"),
            (German, "ich habe keine Rechnung", "Rückgabe ohne Rechnung", "Rückgabe mit Rechnung"),
            (English, "error 1618", "What error 1618 means", "Error 1603 has other causes"),
            (English, "what does error 12 message mean", "Error 12: paper jam", "Error 13: no toner"),
            (German, "Was bedeutet Fehler 12?", "Fehler 12: Papierstau", "Fehler 13: Toner leer"),
            (French, "prix de la zone 3", "La zone 3 coûte 4 €", "La zone 1 coûte 2 €"),
        ] {
            assert!(agreement(language, question, same) > 0.5, "{question}: {same}");
            assert!(agreement(language, question, other) < -0.5, "{question}: {other}");
        }
    }

    #[test]
    fn what_a_text_says_of_something_else_says_nothing() {
        use Language::{English, German};
        for (language, question, text) in [
            (English, "return without a receipt", "Pay with a card"),
            (English, "how do I turn it off", "Click on the button on your device"),
            (English, "what is the difference between on and off", "Turn it off or on."),
            (English, "how do I turn it off", "Turn it on, and off again"),
            (German, "Storno vor der Anreise", "nach der Buchung"),
            (English, "opening hours", "Open before noon"),
            (English, "does it run on android 17", "Needs Android 12 or newer"),
            (English, "parking in zone 2", "Zones 1 to 3 are free"),
            (English, "parking in zone 2", "Zones 1-3 are free"),
            (English, "zone 2 or zone 3", "Zone 1 costs 2 €"),
            (English, "can I return it after 30 days", "within 14 days"),
            (English, "please wait 5 minutes", "wait 2 minutes"),
            (German, "geht es mit Version 5", "ab Version 3"),
        ] {
            assert!(agreement(language, question, text).abs() < 0.5, "{question}: {text}");
        }
    }

    #[test]
    fn a_word_that_decides_counts_a_little_and_its_absence_nothing() {
        use Language::{Dutch, English, French, German, Portuguese, Spanish};
        for (language, question, with, without) in [
            (English, "it still leaks", "If it still leaks", "If it leaks"),
            (English, "it leaks again", "If it leaks again", "If it leaks"),
            (English, "the app does not sync", "The sync doesn't start", "The sync starts"),
            (German, "es tropft immer noch", "wenn es noch tropft", "wenn es tropft"),
            (German, "es tropft wieder", "wenn es erneut tropft", "wenn es tropft"),
            (French, "ça fuit de nouveau", "si ça fuit à nouveau", "si ça fuit"),
            (Spanish, "gotea otra vez", "si gotea de nuevo", "si gotea"),
            (Dutch, "het lekt weer", "als het opnieuw lekt", "als het lekt"),
            (Portuguese, "ainda vaza", "se ainda vaza", "se vaza"),
        ] {
            assert!((agreement(language, question, with) - DECIDING_WORD).abs() < 1e-9, "{question}: {with}");
            assert!(agreement(language, question, without).abs() < 1e-9, "{question}: {without}");
        }
    }

    #[test]
    fn a_text_about_one_other_system_names_another() {
        use Language::{English, German};
        for (language, question, others) in [
            (English, "does it work on linux", &["On Windows, run the file", "My Mac shows it"][..]),
            (English, "is there a windows app", &["Install it from the App Store of your iPhone"]),
            (German, "App auf dem iPhone", &["Unter Android: Play Store öffnen"]),
        ] {
            let asked = Opposites::asked(&Analyzer::new(language), question);
            others.iter().for_each(|text| assert!(asked.names_another(text), "{question}: {text}"));
        }
        for (question, text) in [
            ("is there a windows app", "The app is available for iPhone, iPad and Android."),
            ("which delivery windows can I choose", "Change your slot in the iPhone app"),
            ("where is the mac address", "On Android, open the settings"),
            ("does it work on linux", "On Linux and on Windows"),
            ("move from android to my mac", "On Windows, open the settings"),
            ("opening hours", "On Windows, open the settings"),
        ] {
            assert!(!Opposites::asked(&Analyzer::new(English), question).names_another(text), "{question}: {text}");
        }
    }

    #[test]
    fn every_line_is_read() {
        let lines = || include_str!("opposites.txt").lines().filter(|line| !line.starts_with('#'));
        let everywhere = lines().filter(|line| line.starts_with(EVERY_LANGUAGE)).count();
        let read = Language::ALL.iter().map(|language| opposites(*language).len()).sum::<usize>();
        assert_eq!(read, lines().count() + (Language::ALL.len() - 1) * everywhere);
    }

    #[test]
    fn comparing_is_linear() {
        let names = ('a'..='z').flat_map(|a| ('a'..='z').map(move |b| format!("zo{a}{b} 4 "))).collect::<String>();
        let asked = format!("turn it off without a receipt before noon in zone 4 {names}");
        let asked = Opposites::asked(&Analyzer::new(Language::English), &asked);
        assert!(asked.numbered.len() < 10, "each is looked for in the whole text");
        growth::linear(
            "opposites",
            50_000,
            ["turn ", "on ", "without ", "turn on ", "before a ", "zone 1 ", "zone 1 and 2 "],
            |text| {
                std::hint::black_box(asked.agreement(text));
            },
        );
    }
}
