//! The texts that have a kind of answer: an amount, a time, a number, a way to reach somebody, steps. Mostly they are known
//! by their shape, which needs no language.

use text::{Unit, UnitKind, privacy};

/// In place of a telephone number in a masked text.
const PHONE_MASK: &str = "[phone]";
/// Free of charge.
pub(super) const FREE: &str = "free|kostenlos|kostenfrei|gratis|gratuit|gratuite|gratuito|gratuita|grátis";
/// Units of time and days of the week. Those of four letters or more are known by how they begin.
const TIMES: &str = "seconds|minute|hour|day|days|week|month|year|once|twice|daily|sekunde|stunde|tag|tage|tagen|woche|monat|\
    jahr|uhr|workday|weekday|weekend|noon|midnight|werktag|wochentag|heure|jour|semaine|mois|ans|hora|minuto|día|dia|\
    días|dias|semana|mes|meses|año|años|ano|anos|ora|ore|\
    giorn|settiman|mese|mesi|anni|uur|minuten|dag|dagen|weken|maand|jaar|mês|monday|tuesday|wednesday|thursday|\
    friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";
/// After a number, how often.
const OCCASIONS: &str = "times|mal|fois|veces|volte|keer|vezes";
/// Name somebody at the beginning of a sentence.
const PEOPLE: &str = "we|you|they|wir|sie|du|ihr|nous|vous|nosotros|usted|ustedes|noi|voi|wij|jij|nós|você";
/// Numbers as words, from two on.
pub(super) const NUMBERS: &str = "two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|\
    trois|quatre|cinq|huit|neuf|dix|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|due|tre|quattro|cinque|sette|\
    otto|nove|dieci|twee|drie|vijf|zes|zeven|negen|tien|dois|três|quatro|sete|oito|dez|unlimited|unbegrenzt";
/// How many words behind the name of a system its version may stand.
const VERSION_DISTANCE: usize = 2;
/// How many terms a number may be from what it counts.
pub(super) const NUMBER_DISTANCE: usize = 3;

/// The name of a system with a number just behind it: "Android 8.1", "macOS Monterey (12.0)".
pub(super) fn has_version(text: &str, system: &str) -> bool {
    let all = words(text);
    let all: Vec<&str> = all.split(' ').collect();
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let near = |at: usize| all.get(at + 1..(at + 1 + VERSION_DISTANCE).min(all.len())).unwrap_or_default();
    all.iter().enumerate().any(|(at, word)| *word == system && near(at).iter().any(is_number))
}

/// The digits at the end of a text: `100` of `about 100 %`.
pub(super) fn digits_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let begin = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    text.get(begin..).filter(|digits| !digits.is_empty())
}

/// A word with a capital that does not begin the text, or one of [`PEOPLE`] that does.
pub(super) fn has_name(text: &str) -> bool {
    let all = words(text);
    let first = all.split_whitespace().next().unwrap_or_default();
    is_one_of(PEOPLE, first) || text.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase))
}

/// A share in percent.
pub(super) fn has_percent(text: &str) -> bool {
    text.contains('%') && text.chars().any(char::is_numeric)
}

/// A sum of money, or that something is free.
pub(super) fn has_money(text: &str) -> bool {
    has_sum(text) || words(text).split(' ').any(|word| is_one_of(FREE, word))
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
    code || matches!(
        word.to_lowercase().as_str(),
        "euro" | "euros" | "dollar" | "dollars" | "cent" | "cents" | "pounds"
    )
}

/// A time of day, a unit of time, or a day of the week.
pub(super) fn has_time(text: &str) -> bool {
    let is_clock = |word: &str| {
        let is_number = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        word.split_once(':').is_some_and(|(hour, minute)| is_number(hour) && is_number(minute))
    };
    let is_unit = |word: &str| {
        let word = word.to_lowercase();
        TIMES
            .split('|')
            .any(|time| word == time || (time.len() > 3 && word.strip_prefix(time).is_some_and(|end| end.len() <= 3)))
    };
    let all = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut before = "";
    all.into_iter().any(|word| {
        let is_count = || before.starts_with(char::is_numeric) || is_one_of(NUMBERS, &before.to_lowercase());
        // "Once you are there" names no time, "3 times" says how often; "a 7-day trial".
        let has = match word {
            "Once" => false,
            _ if is_one_of(OCCASIONS, &word.to_lowercase()) => is_count(),
            _ => is_clock(word) || word.split('-').any(is_unit),
        };
        before = word;
        has
    })
}

pub(super) fn is_one_of(words: &str, word: &str) -> bool {
    words.split('|').any(|one| one == word)
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
