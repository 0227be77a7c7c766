//! The texts that have a kind of answer: an amount, a time, a number, a way to reach somebody, steps. Mostly they are known
//! by their shape, which needs no language. Units that say nothing by themselves: an introduction of a page, a line of a
//! table of contents.

use std::collections::HashSet;

use text::{ByLanguage, Language, Unit, UnitKind, privacy};

text::lists! { "words.txt":
    CURRENCIES EVERY FREE FREQUENCIES INTRODUCTIONS NEWEST NO_PLACE NOT_FREE_AFTER NUMBERS OCCASIONS ONCE ONCE_IN
    OPENERS PEOPLE TIMES
}

/// In place of a telephone number in a masked text.
const PHONE_MASK: &str = "[phone]";
/// How many words after one of `WHERE` say what it is before.
const PLACE_WORDS: usize = 3;
/// How many words a version may stand behind and before the name of its system.
const VERSION_BEHIND: usize = 6;
const VERSION_BEFORE: usize = 4;
/// How many terms a number may be from what it counts.
pub(super) const NUMBER_DISTANCE: usize = 3;

/// The name of a system near a number or a word for the newest ones: "Android 8.1", "iOS15", "the last two versions of
/// Chrome".
pub(super) fn has_version(text: &str, system: &str) -> bool {
    let all = words(text);
    let all: Vec<&str> = all.split(' ').collect();
    let says = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || NEWEST.contains(word);
    let around = |at: usize| all.get(at.saturating_sub(VERSION_BEFORE)..(at + 1 + VERSION_BEHIND).min(all.len()));
    let is_at = |at: usize, word: &str| match word.strip_prefix(system) {
        Some("") => around(at).is_some_and(|around| around.iter().any(says)),
        Some(version) => version.starts_with(|c: char| c.is_ascii_digit()),
        None => false,
    };
    all.iter().enumerate().any(|(at, word)| is_at(at, word))
}

/// The runs of digits of a text that are no shares: `10` and not `99` and `9` of `10 of 99.9 %`.
pub(super) fn numbers_but_shares(text: &str) -> HashSet<&str> {
    let is_run = |c: char| c.is_ascii_digit() || ".,-–".contains(c);
    let mut numbers = HashSet::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = rest.get(begin..).unwrap_or_default();
        let end = from.find(|c: char| !is_run(c)).unwrap_or(from.len());
        let (run, after) = from.split_at(end);
        if !after.trim_start_matches([' ', '\u{a0}', '\u{202f}']).starts_with('%') {
            numbers.extend(run.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()));
            numbers.insert(run.trim_end_matches(|c: char| !c.is_ascii_digit()));
        }
        rest = after;
    }
    numbers
}

/// Whether a text says that something is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Free {
    No,
    /// "for free"
    Given,
    Said,
}

/// Whether a text says that something is free: "feel free", "the free plan" and a plan called "Free" do not.
pub(super) fn is_free(text: &str) -> Free {
    let mut found = Free::No;
    for clause in text.split(['.', '!', '?', ':', ';', '(', '\n']) {
        let all: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let word =
            |at: Option<usize>| at.and_then(|at| all.get(at)).map(|word| word.to_lowercase()).unwrap_or_default();
        for (at, spelled) in all.iter().enumerate() {
            let this = spelled.to_lowercase();
            if !FREE.contains(&&*this) {
                continue;
            }
            match word(at.checked_sub(1)).as_str() {
                _ if this != "free" => return Free::Said,
                "feel" => {}
                "is" | "are" | "shipping" | "delivery" => return Free::Said,
                // "Solo, Free or Pro", "| Free | Pro |"
                _ if *spelled == "Free" && (at > 0 || clause.contains('|')) => {}
                _ if NOT_FREE_AFTER.contains(&&*word(at.checked_add(1))) => {}
                "for" => found = Free::Given,
                _ => return Free::Said,
            }
        }
    }
    found
}

/// How often something happens: "3 times", "once a year", "every two weeks".
pub(super) fn has_frequency(text: &str) -> bool {
    let all = words(text);
    let all: Vec<&str> = all.split(' ').collect();
    let word = |at: usize| all.get(at).copied().unwrap_or_default();
    let is_number = |word: &str| word.starts_with(char::is_numeric) || NUMBERS.contains(&word);
    (0..all.len()).any(|at| {
        let (this, next) = (word(at), word(at + 1));
        let two = format!("{this} {next}");
        let once = if ONCE.contains(&this) { Some(next) } else { ONCE.contains(&&*two).then(|| word(at + 2)) };
        FREQUENCIES.contains(&this)
            || is_number(this) && OCCASIONS.contains(&next)
            || once.is_some_and(|after| after.is_empty() || ONCE_IN.contains(&after))
            || EVERY.contains(&this) && (is_time(next) || is_number(next) && is_time(word(at + 2)))
    })
}

/// A word with a capital that does not begin the text, or one of [`PEOPLE`] that does.
pub(super) fn has_name(text: &str) -> bool {
    let all = words(text);
    let first = all.split_whitespace().next().unwrap_or_default();
    PEOPLE.contains(&first) || has_capital(text)
}

/// A word with a capital that does not begin the text.
pub(super) fn has_capital(text: &str) -> bool {
    text.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase))
}

/// Where something is: an address, a path of a menu, a word in bold, or a noun behind "in", "under" and the like, in the wiki's `language`.
pub(super) fn has_place(unit: &Unit<'_>, language: Language) -> bool {
    let text = unit.text.as_ref();
    if is_instruction(unit) || has_contact(text) || ["→", "›", "**"].iter().any(|mark| text.contains(mark)) {
        return true;
    }
    static WHERE: ByLanguage<Vec<&str>> = ByLanguage::new();
    let all = words(text);
    let all: Vec<&str> = all.split(' ').collect();
    let is_other = |word: &&str| is_time(word) || NUMBERS.contains(word);
    let is_place = |at: usize| {
        let named = all.get(at + 1..(at + 1 + PLACE_WORDS).min(all.len())).unwrap_or_default();
        let first = named.first().copied().unwrap_or_default();
        first.starts_with(char::is_alphabetic) && !NO_PLACE.contains(&first) && !named.iter().any(is_other)
    };
    let before =
        WHERE.get(language, || text::section(include_str!("words.txt"), &format!("WHERE {}", language.as_str())));
    // Of other languages nobody knows.
    before.is_empty() || all.iter().enumerate().any(|(at, word)| before.contains(word) && is_place(at))
}

/// A share in percent.
pub(super) fn has_percent(text: &str) -> bool {
    text.contains('%') && text.chars().any(char::is_numeric)
}

/// A sum of money, or that something is free.
pub(super) fn has_money(text: &str) -> bool {
    has_sum(text) || words(text).split(' ').any(|word| FREE.contains(&word))
}

/// A sign or name of a currency next to a number.
pub(super) fn has_sum(text: &str) -> bool {
    let has_digit = |text: &str| text.chars().any(char::is_numeric);
    let money = text.contains(['€', '$', '£', '¥', '₹', '₺', '₽', '₴', '₩']) && has_digit(text);
    let mut before = "";
    let mut code = false;
    for word in text.split_whitespace() {
        code |= is_currency(before) && has_digit(word) || is_currency(word) && has_digit(before);
        before = word;
    }
    money || code
}

/// Three capital letters, as ISO 4217 has them, or the name of a currency.
fn is_currency(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    let code = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    code || CURRENCIES.contains(&&*word.to_lowercase())
}

/// A time of day, a unit of time, or a day of the week.
pub(super) fn has_time(text: &str) -> bool {
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |part: &str| is_digits(part) && part.len() <= 2;
    let is_clock = |word: &str| word.split_once(':').is_some_and(|(hour, minute)| is_number(hour) && is_number(minute));
    let is_hour = |word: &str| {
        word.split_once('h').is_some_and(|(hour, rest)| is_digits(hour) && (rest.is_empty() || is_digits(rest)))
    };
    let mut trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut before = "";
    trimmed.any(|word| {
        // "18 h", "18h30"
        let hour = is_hour(word) || word == "h" && is_digits(before);
        before = word;
        // "a 7-day trial"
        hour || is_clock(word) || word.to_lowercase().split('-').any(is_time)
    })
}

/// Whether a word in lower case is one of [`TIMES`].
fn is_time(word: &str) -> bool {
    TIMES
        .iter()
        .any(|time| word == *time || (time.len() > 3 && word.strip_prefix(time).is_some_and(|end| end.len() <= 3)))
}

/// A number that is not the number of a step.
pub(super) fn has_number(unit: &Unit<'_>) -> bool {
    let text = unit.text.as_ref();
    let text = if unit.kind == UnitKind::Step { text.split_once(' ').map_or("", |(_, text)| text) } else { text };
    text.chars().any(char::is_numeric)
}

/// A mail address, an address of the web, or a telephone number.
pub(super) fn has_contact(text: &str) -> bool {
    let is_address =
        |word: &str| word.split_once('@').is_some_and(|(_, host)| host.contains('.')) || word.contains("://");
    text.split_whitespace().any(is_address) || text.chars().filter(char::is_ascii_digit).count() >= 7
}

/// A telephone number.
pub(super) fn has_phone(text: &str) -> bool {
    privacy::mask(text).matches(PHONE_MASK).count() > text.matches(PHONE_MASK).count()
}

/// A step, or a text that names what to press or where to go.
pub(super) fn is_instruction(unit: &Unit<'_>) -> bool {
    matches!(unit.kind, UnitKind::Step | UnitKind::Code) || unit.text.contains('`') || unit.text.contains(" > ")
}

/// The words of a text in lower case, parted by one space.
pub(super) fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// Characters of a question that hold its opener.
const MAX_OPENER_CHARS: usize = 24;

/// Whether a unit says nothing by itself.
pub(super) fn is_empty(unit: &Unit<'_>) -> bool {
    let text = bare(unit);
    is_listed_question(unit) || is_link(text) || is_introduction(text)
}

/// Whether it is an item that asks what a customer may ask, as in a list of related questions: it has the words of the question,
/// and no answer. A checklist ("Is it switched on?") is none.
pub(super) fn is_listed_question(unit: &Unit<'_>) -> bool {
    if unit.kind != UnitKind::Item {
        return false;
    }
    let text = bare(unit);
    let asked = text.rsplit_once("](").filter(|_| is_link(text)).map_or(text, |(asked, _)| asked);
    let is_mark = |c: char| "?？؟;".contains(c);
    let asks = asked.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_mark(c)).ends_with(is_mark);
    let begin = format!("{} ", words(&asked.chars().take(MAX_OPENER_CHARS).collect::<String>()));
    asks && OPENERS.iter().any(|opener| begin.starts_with(&format!("{opener} ")))
}

/// The text of a unit behind its mark.
fn bare<'a>(unit: &'a Unit<'_>) -> &'a str {
    unit.text.trim_start_matches(|c: char| !c.is_alphabetic() && c != '[' && c != '<')
}

/// Whether it is a link and nothing else; an address that is written out is none, it may be the answer.
fn is_link(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('[') else { return false };
    let Some((_, address)) = rest.split_once("](") else { return false };
    let after = address.split_once(')').map_or("", |(_, after)| after);
    let after = after.trim_start_matches('{').split_once('}').map_or(after, |(_, after)| after);
    !after.chars().any(char::is_alphanumeric)
}

fn is_introduction(text: &str) -> bool {
    let start: String = text.chars().take(24).flat_map(char::to_lowercase).collect();
    INTRODUCTIONS.iter().any(|begin| start.starts_with(begin))
}
