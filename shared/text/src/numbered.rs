//! Things that a number tells apart: zone 4, error 1618, Android 17. A text about zone 1 says nothing about zone 4.

/// Words between two numbers of one name: "zones 1 and 2", "zones 1 to 3".
const JOINING: [&str; 13] = ["and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "of", "og", "och"];
const TO: [&str; 9] = ["to", "through", "until", "bis", "à", "a", "tot", "até", "til"];
/// Words that make a number one end of a range, before its name or after it: "since version 3", "Android 12 or newer".
const OPEN: &str = "from|since|until|above|below|than|least|ab|seit|bis|über|unter|mindestens|desde|hasta|depuis|jusqu|da|fino|vanaf|\
    newer|higher|later|up|older|lower|earlier|neuer|neuere|höher|höhere|später|älter|niedriger|plus|supérieur|\
    ultérieur|ultérieure|superior|posterior|superiore|successiva|nieuwer|hoger";
/// Words behind a number that make it a quantity. Those of four letters or more are known by how they begin: "message" is no
/// "mes".
const UNITS: &str = "second|minute|hour|day|week|month|year|euro|dollar|pound|cent|percent|sekunde|stunde|tag|woche|monat|jahr|prozent|\
    jour|heure|semaine|mois|día|días|hora|mes|meses|año|años|giorn|ora|ore|settiman|mese|mesi|anno|anni|dag|dagen|\
    uur|maand|jaar|dia|dias|mês|ano|anos|km|kg|mb|gb|cm|mm";
/// More names with a number are no question about one of them.
const MAX_NAMES: usize = 8;
/// The most characters of a number.
const MAX_NUMBER_CHARS: usize = 5;
/// The most words behind a name that may be its numbers.
const MAX_NUMBER_WORDS: usize = 12;

/// A name and its number.
#[derive(Debug, Clone)]
pub(super) struct Numbered {
    name: String,
    number: String,
}

/// The names with a number in a question; one with several numbers asks for none of them.
pub(super) fn numbered(spelled: &[String], terms: &[Option<String>]) -> Vec<Numbered> {
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
    pub(super) fn is_in(&self, spelled: &[String], terms: &[Option<String>]) -> (bool, bool) {
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
    let mut is_range = name > 0 && is_open(word(name - 1));
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
    if UNITS.split('|').any(|unit| word(at) == unit || unit.chars().count() > 3 && word(at).starts_with(unit)) {
        return None;
    }
    is_range |= is_open(word(at)) || JOINING.contains(&word(at)) && is_open(word(at + 1));
    Some(if is_range { Err(()) } else { Ok(numbers) })
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) && word.len() <= MAX_NUMBER_CHARS
}

fn is_open(word: &str) -> bool {
    OPEN.split('|').any(|open| open == word)
}
