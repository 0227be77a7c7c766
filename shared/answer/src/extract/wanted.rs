//! The kinds of answer that a question asks for, and the texts that have them: an amount, a time, a number, a way to
//! reach somebody, steps.
//!
//! Questions are read by the question words of several languages, texts mostly by their shapes, which need no language.

use std::collections::HashSet;

use super::question::Question;
use text::{Unit, UnitKind, privacy};

/// In place of a telephone number in a masked text.
const PHONE_MASK: &str = "[phone]";

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
const STEPS: &str = "how do i|how do you|how do we|how can i|how can we|how to|how does one|how would i|how should i|\
    wie kann ich|wie mache|wie bekomme|wie ändere|wie gebe|comment|cómo|como|come|hoe";
/// Asks where something is done.
const WHERE: &str = "where do i|where can i|wo kann ich|wo finde|où puis|dónde puedo|dove posso|waar kan|onde posso";
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
    jahr|uhr|workday|weekday|weekend|noon|midnight|werktag|wochentag|heure|jour|semaine|mois|ans|hora|minuto|día|dia|\
    días|dias|semana|mes|meses|año|años|ano|anos|ora|ore|\
    giorn|settiman|mese|mesi|anni|uur|minuten|dag|dagen|weken|maand|jaar|mês|monday|tuesday|wednesday|thursday|\
    friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag";

/// After a number, how often.
const OCCASIONS: &str = "times|mal|fois|veces|volte|keer|vezes";

/// The kinds of answer that a question asks for; none is any.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a question can ask for several kinds")]
pub(super) struct Wanted {
    amount: bool,
    time: bool,
    number: bool,
    contact: bool,
    steps: bool,
    /// Steps, and not only a place where something is done.
    way: bool,
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
            steps: asks(STEPS) || asks(WHERE) || (asks(WISHES) && !asks(KNOW)),
            way: asks(STEPS),
            list: asks(LIST),
        }
    }

    /// Whether a way to do something is asked for.
    pub(super) const fn is_way(self) -> bool {
        self.way && !(self.amount || self.time || self.number || self.contact)
    }

    /// Whether a unit has it.
    pub(super) fn is_met_by(self, unit: &Unit<'_>) -> bool {
        let text = unit.text.as_ref();
        (self.amount && (has_money(text) || has_percent(text)))
            || (self.time && has_time(text))
            || (self.number && has_number(unit))
            || (self.contact && has_contact(text))
            || (self.steps && is_instruction(unit))
            || (self.list && matches!(unit.kind, UnitKind::Item | UnitKind::Row))
    }
}

/// Ask for an amount of money, and for nothing else.
const HOW_MUCH: &str = "how much is|how much are|how much does|how much do|how much for|how much would|how much will|how much to|\
    how expensive|what does it cost|price of|prices for|price|cost|costs|is it free|free of charge|wie viel kostet|\
    wieviel kostet|was kostet|was kosten|wie teuer|combien coûte|combien ça coûte|quel prix|cuánto cuesta|\
    cuanto cuesta|qué precio|quanto costa|hoeveel kost|wat kost|quanto custa";
/// Name what may be a share of an amount.
const SHARES: &str = "fee|fees|commission|surcharge|discount|interest|percent|tax|taxes|vat|gebühr|gebühren|provision|rabatt|zinsen|\
    prozent|mehrwertsteuer|frais|commission|remise|taxe|tva|comisión|descuento|impuesto|iva|commissione|sconto|\
    imposta|korting|btw|taxa|comissão|desconto|imposto";
/// Ask for a duration, a date or a time of day, and for nothing else.
const HOW_LONG: &str = "how long|how soon|how quickly|how often|how many days|how many hours|how many weeks|how many months|\
    how many minutes|what time|which day|what day|until when|deadline|wie lange|bis wann|ab wann|wie oft|\
    combien de temps|combien de jours|à quelle heure|cuánto tiempo|cuanto tiempo|a qué hora|quanto tempo|a che ora|\
    hoe lang|hoe laat";
/// Ask for a time at the beginning of a sentence; elsewhere they join two sentences.
const WHEN: &str = "when|wann|quand|cuándo|cuando|quando|wanneer";
/// Ask for a number of what they name next.
const HOW_MANY: &str =
    "how many|wie viele|wieviele|combien de|cuántos|cuántas|cuantos|cuantas|quanti|quante|hoeveel|quantos|quantas";
/// Ask for a size, an age or a distance.
const HOW_BIG: &str = "how big|how large|how far|how tall|how high|how old|how heavy|how wide|wie hoch|wie groß|wie weit|wie schwer|\
    wie alt|wie breit|quelle taille|quelle hauteur|qué tamaño|qué altura|quanto è grande|quanto è alto|hoe groot|\
    hoe hoog|hoe ver|hoe zwaar|qual o tamanho|qual a altura";
/// Ask for a telephone number, and for nothing else.
const PHONE: &str = "phone number|telephone number|call you|can i call|could i call|by phone|your phone|telefonnummer|telefonisch|\
    anrufen|numéro de téléphone|par téléphone|número de teléfono|por teléfono|numero di telefono|telefoonnummer|\
    número de telefone";
/// Ask for an address, and for nothing else.
const ADDRESS: &str =
    "email address|mail address|your email|your address|support email|mailadresse|adresse mail|adresse e mail";
/// Ask for somebody, at the beginning of a sentence.
const WHO: &str = "who|wer|qui|quién|quien|chi|quem";
/// Name somebody at the beginning of a sentence.
const PEOPLE: &str = "we|you|they|wir|sie|du|ihr|nous|vous|nosotros|usted|ustedes|noi|voi|wij|jij|nós|você";
/// Numbers as words, from two on.
const NUMBERS: &str = "two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|deux|\
    trois|quatre|cinq|huit|neuf|dix|dos|tres|cuatro|cinco|siete|ocho|nueve|diez|due|tre|quattro|cinque|sette|\
    otto|nove|dieci|twee|drie|vijf|zes|zeven|negen|tien|dois|três|quatro|sete|oito|dez|unlimited|unbegrenzt";
/// Words of these phrases that are typed with swapped letters.
const QUESTION_WORDS: [&str; 9] = ["how", "much", "many", "long", "when", "what", "cost", "wann", "wie"];
/// How many words after the phrase name what is counted.
const COUNTED_WORDS: usize = 2;
/// How many terms a number may be from what it counts.
const NUMBER_DISTANCE: usize = 3;

/// The kinds of answer that a question can only mean, known by their shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked {
    amount: bool,
    /// The amount may be a share.
    share: bool,
    time: bool,
    size: bool,
    phone: bool,
    address: bool,
    who: bool,
    /// The terms of what is to be counted.
    counted: Vec<String>,
    /// The terms that ask: a text says "5 €" and not "how much", "cost" or "price".
    pub(super) terms: Vec<String>,
}

impl Asked {
    /// The kinds that `question` asks for.
    pub(super) fn of(question: &Question<'_>) -> Self {
        let all = words(question.text);
        let all = format!(" {} ", all.split(' ').map(without_swap).collect::<Vec<_>>().join(" "));
        let has = |phrase: &&str| all.contains(&format!(" {phrase} "));
        let asks = |phrases: &str| phrases.split('|').any(|phrase| has(&phrase));
        let first = all.split_whitespace().next().unwrap_or_default();
        let begins = |words: &str| is_one_of(words, first);
        let after = |phrase: &str| all.split_once(&format!(" {phrase} ")).map(|(_, after)| after);
        let time = asks(HOW_LONG) || begins(WHEN);
        let counted = HOW_MANY.split('|').find_map(after).filter(|_| !time).unwrap_or_default();
        let counted: Vec<&str> = counted.split_whitespace().take(COUNTED_WORDS).collect();
        let (amount, size) = (asks(HOW_MUCH), asks(HOW_BIG));
        let asking = [HOW_MUCH, HOW_LONG, HOW_BIG, HOW_MANY].into_iter().flat_map(|phrases| phrases.split('|'));
        let terms = question.analyzer.terms(&asking.filter(has).collect::<Vec<_>>().join(" "));
        let counted = question.analyzer.terms(&counted.join(" "));
        let (phone, address) = (asks(PHONE), asks(ADDRESS));
        Self { amount, share: asks(SHARES), time, size, phone, address, who: begins(WHO), counted, terms }
    }

    /// Whether it asks for any.
    pub(super) const fn is_any(&self) -> bool {
        self.amount || self.time || self.size || self.phone || self.address || self.who || !self.counted.is_empty()
    }

    /// Whether a unit, with its `terms`, has one of them.
    pub(super) fn is_met_by(&self, unit: &Unit<'_>, terms: &[String]) -> bool {
        let text = unit.text.as_ref();
        (self.amount && (has_money(text) || self.share && has_percent(text)))
            || (self.time && has_time(text))
            || (self.size && has_number(unit))
            || (self.phone && has_phone(text))
            || (self.address && has_contact(text))
            || (self.who && has_name(text))
            || self.counts(text, terms)
    }

    /// Whether a number, which is no share, stands next to what is to be counted.
    fn counts(&self, text: &str, terms: &[String]) -> bool {
        let is_counted = |term: &String| self.counted.contains(term);
        let shares: HashSet<&str> =
            text.match_indices('%').filter_map(|(end, _)| digits_before(text.get(..end)?)).collect();
        let is_number = |term: &String| {
            let is_digits = term.starts_with(|c: char| c.is_ascii_digit()) && !shares.contains(term.as_str());
            is_digits || is_one_of(NUMBERS, term)
        };
        let numbers = terms.iter().enumerate().filter(|(_, term)| is_number(term)).map(|(at, _)| at);
        let near =
            |at: usize| terms.get(at.saturating_sub(NUMBER_DISTANCE)..(at + NUMBER_DISTANCE + 1).min(terms.len()));
        numbers.filter_map(near).any(|near| near.iter().any(is_counted))
    }
}

/// The digits at the end of a text: `100` of `about 100 %`.
fn digits_before(text: &str) -> Option<&str> {
    let text = text.trim_end();
    let begin = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    text.get(begin..).filter(|digits| !digits.is_empty())
}

/// A question word of which letters are swapped ("wehn") as it is meant, any other word as it is.
fn without_swap(word: &str) -> &str {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let is_meant = |meant: &&&str| meant.len() == word.len() && letters(meant) == letters(word);
    // "who" has the letters of "how".
    if is_one_of(WHO, word) {
        return word;
    }
    QUESTION_WORDS.iter().find(is_meant).copied().unwrap_or(word)
}

/// A word with a capital that does not begin the text, or one of [`PEOPLE`] that does.
fn has_name(text: &str) -> bool {
    let all = words(text);
    let first = all.split_whitespace().next().unwrap_or_default();
    is_one_of(PEOPLE, first) || text.split_whitespace().skip(1).any(|word| word.starts_with(char::is_uppercase))
}

/// A share in percent.
fn has_percent(text: &str) -> bool {
    text.contains('%') && text.chars().any(char::is_numeric)
}

/// A sign or name of a currency next to a number, or that something is free.
fn has_money(text: &str) -> bool {
    let has_digit = |text: &str| text.chars().any(char::is_numeric);
    let money = text.contains(['€', '$', '£', '¥', '₹', '₺', '₽', '₴', '₩']) && has_digit(text);
    let mut before = "";
    let mut code = false;
    for word in text.split_whitespace() {
        code |= is_currency(before) && has_digit(word) || is_currency(word) && has_digit(before);
        before = word;
    }
    money || code || words(text).split(' ').any(|word| is_one_of(FREE, word))
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

fn is_one_of(words: &str, word: &str) -> bool {
    words.split('|').any(|one| one == word)
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

/// A telephone number.
fn has_phone(text: &str) -> bool {
    privacy::mask(text).matches(PHONE_MASK).count() > text.matches(PHONE_MASK).count()
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
