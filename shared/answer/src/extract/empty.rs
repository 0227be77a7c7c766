//! Units that say nothing by themselves: an introduction of a page, a line of a table of contents.

use text::{Unit, UnitKind};

use super::shape::words;

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
