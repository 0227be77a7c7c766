//! The kinds of answer that a question asks for, and the texts that have them: an amount, a time, a number, a way to
//! reach somebody, steps.
//!
//! Questions are read by the question words of several languages, texts mostly by their shapes, which need no language.

use text::{Unit, UnitKind};

/// Asks for money.
const AMOUNT: &str = "how much|price|prices|pricing|cost|costs|fee|fees|charge|charged|expensive|surcharge|wie viel|wieviel|\
    kostet|kosten|preis|preise|gebühr|teuer|combien|coûte|coute|prix|tarif|frais|cuánto|cuanto|cuesta|precio|\
    precios|tarifa|quanto|costa|costo|prezzo|prezzi|hoeveel|kost|prijs|prijzen|tarief|custa|preço|preco|preços|\
    taxa";
/// Asks for a duration, a date or a time of day.
const TIME: &str = "how long|when|what time|how soon|how quickly|how quick|how fast|how often|how late|how many days|\
    how many hours|how many weeks|how many months|how many minutes|deadline|hours|open|which day|which days|\
    what day|what days|valid|expire|expires|wie lange|wann|wie schnell|wie oft|frist|öffnungszeiten|geöffnet|\
    offen|uhr|combien de temps|combien de jours|quand|délai|horaires|quelle heure|ouvert|ouverts|cuánto tiempo|\
    cuanto tiempo|cuándo|cuando|plazo|horario|horarios|qué hora|abierto|abren|quanto tempo|orari|orario|che ora|\
    aperto|aperti|quando|hoe lang|wanneer|hoe snel|openingstijden|hoe laat|prazo|horário|horas|aberto";
/// Asks for a number of something else.
const NUMBER: &str = "how many|how big|how large|how far|how tall|how high|how old|what size|maximum|minimum|max|min|limit|\
    percent|percentage|discount|wie viele|wie groß|wie hoch|wie weit|höchstens|mindestens|rabatt|combien|\
    quelle taille|remise|cuántos|cuántas|cuantos|cuantas|máximo|mínimo|descuento|quanti|quante|massimo|minimo|\
    sconto|hoeveel|hoe groot|korting|quantos|quantas|desconto";
/// Asks how to reach somebody.
const CONTACT: &str = "phone|telephone|email|mail|address|contact|reach|telefon|telefonnummer|adresse|kontakt|erreichen|téléphone|\
    courriel|joindre|contacter|teléfono|correo|dirección|contactar|telefono|indirizzo|contattare|telefoon|adres|\
    bereiken|telefone|endereço|morada|contacto";
/// Asks for a way to do something.
const STEPS: &str = "how do i|how do you|how do we|how can i|how can we|how to|how does one|where do i|where can i|how would i|\
    how should i|wie kann ich|wie mache|wie bekomme|wie ändere|wie gebe|wo kann ich|wo finde|comment|où puis|\
    cómo|como|dónde puedo|come|dove posso|hoe|waar kan|onde posso";
/// Wishes to do something, and to know something.
const WISHES: &str = "i want to|i wanna|i d like to|id like to|i would like to|ich möchte|ich will|je voudrais|je veux|quiero|\
    quisiera|vorrei|voglio|ik wil|quero|gostaria de";
const KNOW: &str = "know|wissen|savoir|saber|sapere|weten";
/// Asks for several things.
const LIST: &str =
    "which|what kind|what kinds|what types|what sort|welche|welchen|quels|quelles|cuáles|cuales|quali|welke|quais";
/// Free of charge.
const FREE: &str = "free|kostenlos|kostenfrei|gratis|gratuit|gratuite|gratuito|gratuita|grátis";
/// Units of time and days of the week. Those of four letters or more are known by how they begin.
const TIMES: &str = "seconds|minute|hour|day|days|week|month|year|once|twice|daily|sekunde|stunde|tag|tage|tagen|woche|monat|\
    jahr|uhr|heure|jour|semaine|mois|ans|hora|minuto|día|dia|días|dias|semana|mes|meses|año|años|ano|anos|ora|ore|\
    giorn|settiman|mese|mesi|anni|uur|minuten|dag|dagen|weken|maand|jaar|mês|monday|tuesday|wednesday|thursday|\
    friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";

/// The kinds of answer that a question asks for; none is any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a question can ask for several kinds")]
pub(super) struct Wanted {
    amount: bool,
    time: bool,
    number: bool,
    contact: bool,
    steps: bool,
    list: bool,
}

impl Wanted {
    /// The kinds of answer that `question` asks for.
    pub(super) fn of(question: &str) -> Self {
        let question = format!(" {} ", words(question));
        let asks = |phrases: &str| phrases.split('|').any(|phrase| question.contains(&format!(" {phrase} ")));
        Self {
            amount: asks(AMOUNT),
            time: asks(TIME),
            number: asks(NUMBER),
            contact: asks(CONTACT),
            steps: asks(STEPS) || (asks(WISHES) && !asks(KNOW)),
            list: asks(LIST),
        }
    }

    /// Whether a unit has it.
    pub(super) fn is_met_by(self, unit: &Unit<'_>) -> bool {
        let text = unit.text.as_ref();
        (self.amount && has_amount(text))
            || (self.time && has_time(text))
            || (self.number && has_number(unit))
            || (self.contact && has_contact(text))
            || (self.steps && is_instruction(unit))
            || (self.list && matches!(unit.kind, UnitKind::Item | UnitKind::Row))
    }
}

/// A sign of a currency next to a number, a share in percent, or that something is free.
fn has_amount(text: &str) -> bool {
    let has_digit = |text: &str| text.chars().any(char::is_numeric);
    let money = text.contains(['€', '$', '£', '¥', '₹', '%', '₺', '₽', '₴', '₩']) && has_digit(text);
    let mut before = "";
    let mut code = false;
    for word in text.split_whitespace() {
        code |= is_currency(before) && has_digit(word) || is_currency(word) && has_digit(before);
        before = word;
    }
    money || code || words(text).split(' ').any(|word| FREE.split('|').any(|free| free == word))
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
fn has_time(text: &str) -> bool {
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
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()))
        .any(|word| is_clock(word) || is_unit(word))
}

/// A number that is not the number of a step.
fn has_number(unit: &Unit<'_>) -> bool {
    let text = unit.text.as_ref();
    let text = if unit.kind == UnitKind::Step { text.split_once(' ').map_or("", |(_, text)| text) } else { text };
    text.chars().any(char::is_numeric)
}

/// A mail address, an address of the web, or a telephone number.
fn has_contact(text: &str) -> bool {
    let is_address =
        |word: &str| word.split_once('@').is_some_and(|(_, host)| host.contains('.')) || word.contains("://");
    text.split_whitespace().any(is_address) || text.chars().filter(char::is_ascii_digit).count() >= 7
}

/// A step, or a text that names what to press or where to go.
fn is_instruction(unit: &Unit<'_>) -> bool {
    matches!(unit.kind, UnitKind::Step | UnitKind::Code) || unit.text.contains('`') || unit.text.contains(" > ")
}

/// The words of a text in lower case, parted by one space.
fn words(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}
