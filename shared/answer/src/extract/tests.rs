//! What is quoted of which entry.

use super::*;
use crate::search::CorpusStats;
use domain::models::Language;

fn quote(question: &str, content: &str) -> String {
    quote_near(question, content, None)
}

fn quote_near(question: &str, content: &str, near: Option<&str>) -> String {
    let analyzer = Analyzer::new(Language::English);
    let (query, stats) = (analyzer.query(question), CorpusStats::default());
    let scorer = Scorer::new(&query, &stats);
    extract(&Question { analyzer: &analyzer, text: question, query: &query, scorer: &scorer, near }, content)
}

fn filler(words: usize) -> String {
    "lorem ".repeat(words - 1) + "ipsum."
}

const LONG: &str = "so tell me please what it is that a customer has to do for a card refund";

#[test]
fn an_entry_of_90_words_is_quoted_whole_and_of_a_page_the_sentences_that_hold_the_answer() {
    let short = format!("{}\n\nCards are refunded in five days.", filler(84));
    assert_eq!(quote("card refund", &short), short);
    let page = format!("{}\n\nCards are refunded in five days.\n\n{}", filler(80), filler(85));
    let quoted = quote("card refund", &page);
    assert!(quoted.contains("Cards are refunded in five days.") && word_count(&quoted) <= 90, "{quoted}");
}

#[test]
fn of_a_collection_the_best_paragraph_is_quoted() {
    let content = format!("{}\n\n## Card refund\n\nIt takes five days.\n\n{}", filler(110), filler(250));
    assert_eq!(quote(LONG, &content), "It takes five days.");
    assert_eq!(quote("card refund", &content), "It takes five days.");
}

#[test]
fn a_long_question_gets_a_long_paragraph_and_a_short_one_90_words_of_it() {
    let content = format!("Cards are refunded. {}\n\n{}", filler(110), filler(300));
    assert_eq!(word_count(&quote(LONG, &content)), 113);
    assert_eq!(quote("card refund", &content), "Cards are refunded.");
}

#[test]
fn of_a_very_long_paragraph_the_best_sentence_and_what_follows_is_quoted() {
    let content = format!("{} Cards are refunded. It takes five days. {} {}", filler(100), filler(90), filler(200));
    assert_eq!(quote(LONG, &content), "Cards are refunded. It takes five days.");
}

#[test]
fn a_list_item_brings_what_introduces_its_list_and_its_heading_in_bold() {
    let content = format!(
        "{}\n\n## Fees\n\nWe charge per payment:\n\n- Giro: 1 euro\n- Card: 2 euro\n- Cash: nothing\n\n{}",
        filler(70),
        filler(80)
    );
    let quoted = quote("card fee", &content);
    let begin = "**Fees**\n\nWe charge per payment:\n\n";
    assert!(quoted.contains(begin) && quoted.contains("- Card: 2 euro"), "{quoted}");
    assert!(!quoted.contains('#') && word_count(&quoted) <= 90, "{quoted}");
}

#[test]
fn headings_lose_their_marks_and_code_keeps_its_own() {
    assert_eq!(
        quote("card", "## Card refund ##\nFive days.\n\n```\n# a comment\n```"),
        "**Card refund**\nFive days.\n\n```\n# a comment\n```"
    );
}

#[test]
fn sentences_that_are_far_apart_stand_in_paragraphs_of_their_own() {
    let content = format!("Cards are refunded. {}\n\n{}\n\nCard refunds take days.", filler(50), filler(80));
    assert_eq!(
        quote("card refund", &content),
        format!("Cards are refunded. {}\n\n…\n\nCard refunds take days.", filler(50))
    );
}

#[test]
fn the_passage_that_is_nearest_by_its_vector_is_quoted_where_no_word_matches() {
    let content = format!("{}\n\nCards are refunded in five days.", filler(88));
    assert!(!quote("Rückzahlung", &content).contains("five days"));
    assert_eq!(
        quote_near("Rückzahlung", &content, Some("Cards are refunded in five days.")),
        "Cards are refunded in five days."
    );
}

#[test]
fn text_without_sentences_or_spaces_is_cut() {
    assert_eq!(word_count(&quote("card refund", &"card ".repeat(500))), MAX_WORDS);
    assert!(word_count(&quote("返金", &"返金方法".repeat(500))) <= MAX_WORDS);
    assert!(word_count(&quote("card", &format!("# {}", "card ".repeat(500)))) <= MAX_WORDS);
    assert_eq!(quote("card", ""), "");
}

#[test]
fn quoting_is_linear() {
    let own =
        ["# a\n\n", "card ", "card. ", "card\n\n", "e.g. ", "1. ", "\n- ", "? ", "。", "card refund card. a ", "|a"];
    growth::linear("extract", 50_000, own.into_iter().chain(["9 ", "一", "আসল ", "\u{301}", "\n\n"]), |text| {
        std::hint::black_box(quote("card refund", text));
    });
}
