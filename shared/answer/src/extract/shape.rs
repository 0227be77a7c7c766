//! The texts that have a kind of answer: an amount, a time, a number, a way to reach somebody, steps. Mostly they are known
//! by their shape, which needs no language. Units that say nothing by themselves: an introduction of a page, a line of a
//! table of contents.

use std::collections::HashSet;

use text::{Language, Unit, UnitKind, privacy};

/// In place of a telephone number in a masked text.
const PHONE_MASK: &str = "[phone]";
/// Free of charge.
const FREE: &str = "free|kostenlos|kostenfrei|gratis|gratuit|gratuite|gratuito|gratuita|grátis";
/// Units of time and days of the week. Those of four letters or more are known by how they begin.
const TIMES: &str = "seconds|minute|hour|day|days|week|month|year|once|twice|daily|sekunde|stunde|tag|tage|tagen|woche|monat|\
    jahr|uhr|workday|weekday|weekend|noon|midnight|werktag|wochentag|heure|jour|semaine|mois|ans|hora|minuto|día|dia|\
    días|dias|semana|mes|meses|año|años|ano|anos|ora|ore|\
    giorn|settiman|mese|mesi|anni|uur|minuten|dag|dagen|weken|maand|jaar|mês|monday|tuesday|wednesday|thursday|\
    friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|\
    lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|\
    mercoledì|giovedì|venerdì|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|segunda|terça|quarta|\
    quinta|sexta|måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|tirsdag|lørdag|søndag|dygn|timm|timer|minut|vecka|\
    veckor|månad|uger|uke|måned|år|klockan|kl";
/// After a number, how often.
const OCCASIONS: &str = "times|mal|fois|veces|volte|keer|vezes";
/// How often, by themselves.
const FREQUENCIES: &str = "twice|hourly|daily|weekly|monthly|yearly|annually|unlimited|always|stündlich|täglich|wöchentlich|monatlich|\
    jährlich|einmal|zweimal|dreimal|mehrmals|beliebig|immer|quotidien|mensuel|annuel|toujours|siempre|sempre|dagelijks|wekelijks|\
    maandelijks|jaarlijks|altijd|diario|mensual|anual|mensile|annuale|mensal";
/// Before a unit of time, how often.
const EVERY: &str =
    "every|each|per|a|an|alle|jede|jeden|jedes|pro|im|am|chaque|par|tous|toutes|cada|por|al|ogni|elke|iedere";
const ONCE: &str = "once|une fois|una vez|uma vez|una volta|één keer|eén keer|one time";
/// Follow "once" if it says how often, as in "once a year"; in "once you are in" it begins another clause.
const ONCE_IN: &str = "a|an|per|every|in|only|each|par|al|cada|por|pro|ogni|all";
/// Follow "free" if it is part of a name ("the free plan") and no price.
const NOT_FREE_AFTER: &str = "plan|plans|trial|trials|account|accounts|version|tier|space|time|up";
/// Name versions without a number.
const NEWEST: &str = "last|latest|newest|newer|later|above|current|neueste|neuesten|neuer|aktuelle|aktuellen|dernière|dernières|\
    última|últimas|ultima|ultime|nieuwste";
/// Name somebody at the beginning of a sentence.
const PEOPLE: &str = "we|you|they|wir|sie|du|ihr|nous|vous|nosotros|usted|ustedes|noi|voi|wij|jij|nós|você";
/// Numbers as words, from two on.
pub(super) const NUMBERS: &str = "two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|\
    trois|quatre|cinq|huit|neuf|dix|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|due|tre|quattro|cinque|sette|\
    otto|nove|dieci|twee|drie|vijf|zes|zeven|negen|tien|dois|três|quatro|sete|oito|dez|unlimited|unbegrenzt";
/// Before what they name, say where something is, unless it is a time or a number. Some have no place behind them
/// ([`NO_PLACE`]).
const WHERE: [(Language, &str); 7] = [
    (Language::English, "in|on|at|under|behind|beside|near|above|below|inside|opposite|between|outside"),
    (Language::German, "in|im|am|an|auf|unter|hinter|neben|über|bei|beim|zwischen|gegenüber"),
    (Language::French, "dans|sur|sous|à|au|aux|chez|derrière|en"),
    (Language::Spanish, "en|sobre|bajo|detrás|junto"),
    (Language::Italian, "in|nel|nella|nei|su|sul|sulla|sotto|dietro|presso"),
    (Language::Dutch, "in|op|onder|achter|naast|bij|aan"),
    (Language::Portuguese, "em|no|na|nos|nas|sob|ao"),
];
const NO_PLACE: &str = "order|case|full|advance|time|least|most|all|addition|general|request|once|any|total|fact|stock|voraus|fall|de|plus";
/// How many words after one of [`WHERE`] say what it is before.
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
    let says = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || is_one_of(NEWEST, word);
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
    for clause in text.split(|c: char| c.is_ascii_punctuation() && !"'*_`-".contains(c) || c == '\n') {
        let all: Vec<&str> = clause.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let word =
            |at: Option<usize>| at.and_then(|at| all.get(at)).map(|word| word.to_lowercase()).unwrap_or_default();
        for (at, spelled) in all.iter().enumerate() {
            let this = spelled.to_lowercase();
            if !is_one_of(FREE, &this) {
                continue;
            }
            match word(at.checked_sub(1)).as_str() {
                _ if this != "free" => return Free::Said,
                "feel" => {}
                _ if at > 0 && spelled.starts_with('F') && !spelled.ends_with('E') => {}
                _ if is_one_of(NOT_FREE_AFTER, &word(at.checked_add(1))) => {}
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
    let is_number = |word: &str| word.starts_with(char::is_numeric) || is_one_of(NUMBERS, word);
    (0..all.len()).any(|at| {
        let (this, next) = (word(at), word(at + 1));
        let two = format!("{this} {next}");
        let once = if is_one_of(ONCE, this) { Some(next) } else { is_one_of(ONCE, &two).then(|| word(at + 2)) };
        is_one_of(FREQUENCIES, this)
            || is_number(this) && is_one_of(OCCASIONS, next)
            || once.is_some_and(|after| after.is_empty() || is_one_of(ONCE_IN, after))
            || is_one_of(EVERY, this) && (is_time(next) || is_number(next) && is_time(word(at + 2)))
    })
}

/// A word with a capital that does not begin the text, or one of [`PEOPLE`] that does.
pub(super) fn has_name(text: &str) -> bool {
    let all = words(text);
    let first = all.split_whitespace().next().unwrap_or_default();
    is_one_of(PEOPLE, first) || has_capital(text)
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
    let all = words(text);
    let all: Vec<&str> = all.split(' ').collect();
    let is_other = |word: &&str| is_time(word) || is_one_of(NUMBERS, word);
    let is_place = |at: usize| {
        let named = all.get(at + 1..(at + 1 + PLACE_WORDS).min(all.len())).unwrap_or_default();
        let first = named.first().copied().unwrap_or_default();
        first.starts_with(char::is_alphabetic) && !is_one_of(NO_PLACE, first) && !named.iter().any(is_other)
    };
    let before = WHERE.iter().find(|(of, _)| *of == language).map(|(_, words)| *words);
    // Of other languages nobody knows.
    before.is_none_or(|before| all.iter().enumerate().any(|(at, word)| is_one_of(before, word) && is_place(at)))
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
    let mut trimmed = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    // "a 7-day trial"
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_hour = |word: &str| {
        word.split_once('h').is_some_and(|(hour, rest)| is_digits(hour) && (rest.is_empty() || is_digits(rest)))
    };
    let mut before = "";
    trimmed.any(|word| {
        // "18 h", "18h30"
        let hour = is_hour(word) || word == "h" && is_digits(before);
        before = word;
        hour || is_clock(word) || word.to_lowercase().split('-').any(is_time)
    })
}

/// Whether a word in lower case is one of [`TIMES`].
fn is_time(word: &str) -> bool {
    TIMES
        .split('|')
        .any(|time| word == time || (time.len() > 3 && word.strip_prefix(time).is_some_and(|end| end.len() <= 3)))
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

/// How questions of customers begin.
const OPENERS: &str = "how|why|what|when|where|which|who|can i|can we|do i|may i|should i|will i|wie|warum|was|wann|wo|welche|wer|\
    kann ich|muss ich|comment|pourquoi|que|quand|où|quel|quelle|qui|puis je|cómo|por qué|qué|cuándo|dónde|cuál|quién|puedo|come|\
    perché|cosa|quando|dove|quale|chi|posso|hoe|waarom|wat|wanneer|waar|welke|kan ik|como|por que|o que|onde|qual|quem";
/// Characters of a question that hold its opener.
const MAX_OPENER_CHARS: usize = 24;

/// How the introductions of pages begin.
const INTRODUCTIONS: [&str; 41] = [
    "this article",
    "this page",
    "this section",
    "this guide",
    "this help",
    "this document",
    "in this article",
    "in this section",
    "in this guide",
    "on this page",
    "learn how",
    "learn what",
    "learn more",
    "learn about",
    "find out how",
    "read on",
    "here you will find",
    "here you'll find",
    "follow the steps below",
    "follow these steps",
    "the following",
    "in diesem artikel",
    "dieser artikel",
    "diese seite",
    "auf dieser seite",
    "hier erfahren sie",
    "hier erfährst du",
    "erfahren sie",
    "erfahre",
    "dans cet article",
    "cet article",
    "cette page",
    "découvrez",
    "en este artículo",
    "este artículo",
    "descubre",
    "in questo articolo",
    "questo articolo",
    "in dit artikel",
    "dit artikel",
    "neste artigo",
];

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
    asks && OPENERS.split('|').any(|opener| begin.starts_with(&format!("{opener} ")))
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
