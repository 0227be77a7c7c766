//! The question that a quotation is to answer, and the kinds of answer that it asks for, by the question words of several
//! languages: an amount, a time, a number, a way to reach somebody, steps.

use std::collections::HashSet;

use super::shape::{
    Free, NUMBER_DISTANCE, NUMBERS, has_capital, has_contact, has_frequency, has_money, has_name, has_number,
    has_percent, has_phone, has_place, has_sum, has_time, has_version, is_free, is_instruction, is_one_of,
    numbers_but_shares, words,
};
use crate::rank::Scorer;
use text::{Analyzer, Language, Opposites, Place, QueryTerms, Unit, UnitKind};

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
    prozent|mehrwertsteuer|frais|commission|remise|réduction|taxe|tva|comisión|descuento|impuesto|iva|commissione|sconto|\
    imposta|korting|btw|procent|taxa|comissão|desconto|imposto";
/// Ask for an amount or a share if they name a [`DISCOUNT`] next.
const WHAT_IS: &str =
    "how much|what is the|what s the|whats the|wie viel|wieviel|combien de|cuánto|cuanto|quanto|hoeveel|qual é o";
const DISCOUNT: &str = "discount|rebate|commission|fee|fees|rabatt|provision|gebühr|remise|réduction|descuento|comisión|sconto|\
    commissione|korting|desconto|comissão";
/// Ask for a share if they name a [`RATE`] next.
const WHICH_RATE: &str = "what|which|welcher|welchen|welches|quel|quels|qué|cuál es|che|welk|welke|que|qual é";
const RATE: &str =
    "rate|rates|percentage|prozentsatz|zinssatz|steuersatz|taux|tasa|tasso|aliquota|rentepercentage|taxa|alíquota";
/// Ask for the name of a place.
const WHICH_PLACE: &str = "which country|what country|which countries|what countries|which region|which city|which part of the world|\
    where in the world|welchem land|welchen ländern|welcher stadt|quel pays|quels pays|quelle ville|qué país|qué países|qué ciudad|\
    quale paese|quali paesi|quale città|welk land|welke landen|que país|que países|qual país|qual cidade";
/// Make a [`DISCOUNT`] before them something else.
const NO_DISCOUNT: &str = "code|codes|policy|for";
/// The words after [`WHAT_IS`] among which a [`DISCOUNT`] is named.
const DISCOUNT_WORDS: usize = 3;
/// Ask for a duration, a date or a time of day, and for nothing else.
const HOW_LONG: &str = "how long|how soon|how quickly|how many days|how many hours|how many weeks|how many months|\
    how many minutes|what time|which day|what day|until when|deadline|wie lange|bis wann|ab wann|\
    combien de temps|combien de jours|à quelle heure|cuánto tiempo|cuanto tiempo|a qué hora|quanto tempo|a che ora|\
    hoe lang|hoe laat";
const HOW_OFTEN: &str = "how often|how many times|how frequently|wie oft|wie häufig|à quelle fréquence|combien de fois|con qué frecuencia|\
    cuántas veces|ogni quanto|quante volte|hoe vaak|hoeveel keer|quantas vezes|com que frequência";
/// Ask for a time at the beginning of a sentence; elsewhere they join two sentences.
const WHEN: &str = "when|wann|quand|cuándo|cuando|quando|wanneer";
/// Ask for a number of what they name next.
const HOW_MANY: &str =
    "how many|wie viele|wieviele|combien de|cuántos|cuántas|cuantos|cuantas|quanti|quante|hoeveel|quantos|quantas";
/// Ask for a size, an age or a distance.
const HOW_BIG: &str = "how big|how large|how far|how tall|how high|how old|how heavy|how wide|wie hoch|wie groß|wie weit|wie schwer|\
    wie alt|wie breit|quelle taille|quelle hauteur|qué tamaño|qué altura|quanto è grande|quanto è alto|hoe groot|\
    hoe hoog|hoe ver|hoe zwaar|qual o tamanho|qual a altura";
/// Systems and programs that have versions.
const SYSTEMS: &str = "android|ios|ipados|macos|osx|windows|linux|ubuntu|debian|chrome|chromium|safari|firefox|java|php|python|ruby|\
    docker|postgres|postgresql|mysql|wordpress";
const VERSION: &str = "version|versions|versionen|versión|versiones|versão|versões|versione|versioni|versie|versies";
/// Ask for the version of the system that they name: "which Safari do I need".
const WHICH: &str =
    "which|what|oldest|minimum|lowest|earliest|welche|welches|welchen|mindestens|quelle|quel|qué|cuál|quale|welke|qual";
/// Follow the name of a system of which the version is asked for.
const NEEDED: &str = "do i need|do you support|do i have to have|is required|is needed|is supported|are supported|you support|brauche ich|\
    benötige ich|faut il|necesito|mi serve|heb ik nodig|preciso";
/// Ask for a telephone number, and for nothing else.
const PHONE: &str = "phone number|telephone number|call you|can i call|could i call|by phone|your phone|telefonnummer|telefonisch|\
    anrufen|numéro de téléphone|par téléphone|número de teléfono|por teléfono|numero di telefono|telefoonnummer|\
    número de telefone";
/// Ask for an address, and for nothing else.
const ADDRESS: &str =
    "email address|mail address|your email|your address|support email|mailadresse|adresse mail|adresse e mail";
/// Ask for somebody, at the beginning of a sentence.
const WHO: &str = "who|wer|qui|quién|quien|chi|quem";
/// Ask for a place. "Where is my parcel" asks what happened to it.
const WHERE_IS: &str = "where is|where are|where s|wo ist|wo sind|wo befindet sich|wo liegt|wo steht|où est|où sont|où se trouve|\
    dónde está|dónde están|donde esta|donde estan|dov è|dove si trova|dove sono|waar is|waar zijn|waar staat|onde está|onde estão|\
    onde fica";
/// Ask for a place also of what is one's own: "where do I find my invoice".
const WHERE_TO_FIND: &str = "where do i find|where can i find|where would i find|where to find|where can i see|where do i see|\
    wo finde ich|wo finde|où trouver|où puis je trouver|dónde encuentro|donde encuentro|dove trovo|waar vind ik|onde encontro";
const MINE: &str = "my|mein|meine|meiner|mon|ma|mes|mi|mis|il mio|la mia|i miei|le mie|mijn|meu|minha";
/// Begin a question whether something is so. The language of a question is not known here, so words that begin others, such
/// as "was" (German "what") and "es" (German "it"), are in [`WHETHER_PHRASES`].
const WHETHER: &str = "is|are|do|does|did|can|could|will|would|has|have|may|am|should|must|ist|sind|war|kann|können|kannst|könnt|\
    darf|gibt|hat|habt|muss|soll|est|peut|peux|avez|acceptez|puedo|puede|pueden|hay|tienen|posso|può|avete|è|kan|\
    kunnen|heeft|hebben|mag|zijn|há|tem|têm|é|são|pode";
const WHETHER_PHRASES: &str = "was it|was my|was the|was there|was this|puis je|es posible|es necesario|es obligatorio|es gratis|\
    es seguro|es compatible|es un|es una|es el|es la|es mi|son compatibles|son gratis|son los|son las|y a t il|se puede|si può|c è|ci sono|está|vous livrez";
/// May stand before it.
const GREETINGS: &str = "hi|hello|hey|so|and|ok|but|also|please|hallo|und|bonjour|et|hola|y|ciao|e|olá";
/// Words of these phrases that are typed with swapped letters.
const QUESTION_WORDS: [&str; 9] = ["how", "much", "many", "long", "when", "what", "cost", "wann", "wie"];
/// How many words after the phrase name what is counted.
const COUNTED_WORDS: usize = 2;

/// The kinds of answer that a question can only mean, known by their shape.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Asked {
    amount: bool,
    /// The amount may be a share.
    share: bool,
    time: bool,
    often: bool,
    size: bool,
    /// The system of which a version is asked for.
    system: Option<String>,
    phone: bool,
    address: bool,
    who: bool,
    /// A place, in the wiki's language.
    place: Option<Language>,
    /// The name of a place.
    named_place: bool,
    /// Whether something is so.
    pub(super) yes_no: bool,
    /// The terms of what is to be counted.
    counted: Vec<String>,
    /// The terms of the question but "free".
    about: HashSet<String>,
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
        let (time, often) = (asks(HOW_LONG) || begins(WHEN), asks(HOW_OFTEN));
        let counted = HOW_MANY.split('|').find_map(after).filter(|_| !time && !often).unwrap_or_default();
        let counted: Vec<&str> = counted.split_whitespace().take(COUNTED_WORDS).collect();
        let is_discount = |rest: &str| {
            let mut next = rest.split_whitespace();
            next.by_ref().take(DISCOUNT_WORDS).any(|word| is_one_of(DISCOUNT, word))
                && !next.next().is_some_and(|word| is_one_of(NO_DISCOUNT, word))
        };
        let discount = !time && WHAT_IS.split('|').filter_map(after).any(is_discount);
        let rate = WHICH_RATE
            .split('|')
            .filter_map(after)
            .any(|rest| rest.split_whitespace().take(DISCOUNT_WORDS).any(|word| is_one_of(RATE, word)));
        let (amount, size) = (asks(HOW_MUCH) || discount || rate, asks(HOW_BIG));
        let is_needed = |system: &str| {
            let before = |verb: &str| WHICH.split('|').any(|which| has(&format!("{which} {system} {verb}").as_str()));
            asks(VERSION) && asks(WHICH) || NEEDED.split('|').any(before)
        };
        let system = all.split_whitespace().find(|word| is_one_of(SYSTEMS, word) && is_needed(word)).map(str::to_owned);
        let versions = if system.is_some() { [VERSION, NEEDED] } else { [""; 2] };
        let asking =
            [HOW_MUCH, HOW_LONG, HOW_OFTEN, HOW_BIG, HOW_MANY, WHERE_IS, WHERE_TO_FIND].into_iter().chain(versions);
        let asking = asking.flat_map(|phrases| phrases.split('|'));
        let terms = question.analyzer.terms(&asking.filter(has).collect::<Vec<_>>().join(" "));
        let mut counted = question.analyzer.terms(&counted.join(" "));
        counted.extend(synonyms(question.query, &counted));
        let (phone, address) = (asks(PHONE), asks(ADDRESS));
        let begins_with =
            |text: &str, phrase: &str| text.strip_prefix(phrase).is_some_and(|rest| rest.starts_with(' '));
        let is_mine = |rest: &str| MINE.split('|').any(|mine| begins_with(rest, mine));
        let place = asks(WHERE_TO_FIND) || WHERE_IS.split('|').filter_map(after).any(|rest| !is_mine(rest));
        let mut asked = all.trim_start();
        while let Some((_, rest)) = asked.split_once(' ').filter(|(word, _)| is_one_of(GREETINGS, word)) {
            asked = rest;
        }
        let opener = asked.split(' ').next().unwrap_or_default();
        let about = question.query.distinct.iter().filter(|term| *term != "free").cloned().collect();
        Self {
            about,
            amount,
            share: rate || asks(SHARES),
            named_place: asks(WHICH_PLACE),
            time,
            often,
            size,
            system,
            phone,
            address,
            who: begins(WHO),
            place: place.then(|| question.analyzer.language()),
            yes_no: is_one_of(WHETHER, opener) || WHETHER_PHRASES.split('|').any(|phrase| begins_with(asked, phrase)),
            counted,
            terms,
        }
    }

    /// Whether it asks for any.
    pub(super) const fn is_any(&self) -> bool {
        self.amount
            || self.time
            || self.often
            || self.size
            || self.system.is_some()
            || self.phone
            || self.address
            || self.who
            || self.place.is_some()
            || self.named_place
            || !self.counted.is_empty()
    }

    /// Whether a unit, with its `terms`, has one of them.
    pub(super) fn is_met_by(&self, unit: &Unit<'_>, terms: &[String]) -> bool {
        let text = unit.text.as_ref();
        (self.amount && (has_sum(text) || self.says_free(text, terms) || self.share && has_percent(text)))
            || (self.time && has_time(text))
            || (self.often && has_frequency(text))
            || (self.size && has_number(unit))
            || self.system.as_deref().is_some_and(|system| has_version(text, system))
            || (self.phone && has_phone(text))
            || (self.address && has_contact(text))
            || (self.who && has_name(text))
            || self.place.is_some_and(|language| has_place(unit, language))
            || (self.named_place && has_capital(text))
            || self.counts(text, terms)
    }

    /// Whether a text says that something is free; "for free" may be said of anything, so it has to name what is asked for.
    fn says_free(&self, text: &str, terms: &[String]) -> bool {
        match is_free(text) {
            Free::No => false,
            Free::Given => terms.iter().any(|term| self.about.contains(term)),
            Free::Said => true,
        }
    }

    /// Whether a number stands next to what is to be counted: no share, unless one is asked for.
    fn counts(&self, text: &str, terms: &[String]) -> bool {
        if self.counted.is_empty() {
            return false;
        }
        let is_counted = |term: &String| self.counted.contains(term);
        let numbers = if self.share || !text.contains('%') { None } else { Some(numbers_but_shares(text)) };
        let is_number = |term: &String| {
            let is_digits = term.starts_with(|c: char| c.is_ascii_digit());
            is_digits && numbers.as_ref().is_none_or(|numbers| numbers.contains(term.as_str()))
                || is_one_of(NUMBERS, term)
        };
        let numbers = terms.iter().enumerate().filter(|(_, term)| is_number(term)).map(|(at, _)| at);
        let near =
            |at: usize| terms.get(at.saturating_sub(NUMBER_DISTANCE)..(at + NUMBER_DISTANCE + 1).min(terms.len()));
        numbers.filter_map(near).any(|near| near.iter().any(is_counted))
    }
}

/// The single words that mean what one of `terms` does ("pics": "photos").
fn synonyms(query: &QueryTerms, terms: &[String]) -> Vec<String> {
    let is_of = |place: usize| query.distinct.get(place).is_some_and(|term| terms.contains(term));
    let word = |place: Place| match place {
        Place::Word(at) => query.distinct.get(at).cloned(),
        Place::Bigram(_) => None,
    };
    query.others.iter().filter(|other| is_of(other.of)).filter_map(|other| word(other.place)).collect()
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

/// The most words of a short question.
pub(super) const SHORT_QUESTION_WORDS: usize = 8;

/// The question that a quotation is to answer.
#[derive(Clone, Copy)]
pub(crate) struct Question<'a> {
    /// The analysis of the wiki's language.
    pub(crate) analyzer: &'a Analyzer,
    /// As written.
    pub(crate) text: &'a str,
    /// Its terms, with those of earlier questions.
    pub(crate) query: &'a QueryTerms,
    /// The sides of opposites that it is on.
    pub(crate) opposites: &'a Opposites,
    /// The weights of the terms in the wiki.
    pub(crate) scorer: &'a Scorer<'a>,
    /// The passage that is nearest to the question by its vector, if there is one.
    pub(crate) near: Option<&'a str>,
}

impl Question<'_> {
    pub(super) const fn is_short(&self) -> bool {
        self.query.words <= SHORT_QUESTION_WORDS
    }
}
