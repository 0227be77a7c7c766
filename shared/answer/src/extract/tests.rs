//! The quotations from entries.

use super::*;
use crate::rank::Scorer;
use crate::search::CorpusStats;
use domain::models::Language;
use text::{Analyzer, Opposites};

fn quote(question: &str, content: &str) -> String {
    quote_near(question, content, None)
}

fn quote_near(question: &str, content: &str, near: Option<&str>) -> String {
    let analyzer = Analyzer::new(Language::English);
    let (query, stats) = (analyzer.query(question), CorpusStats::default());
    let scorer = Scorer::new(&query, &stats);
    let opposites = Opposites::asked(&analyzer, question);
    let question =
        Question { analyzer: &analyzer, text: question, query: &query, scorer: &scorer, opposites: &opposites, near };
    extract(&question, content)
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

const SHOP: &str = "You can rent all year. Bring a photo ID.\n\n## Bikes\n\nPrices with lock and helmet:\n\n\
    - City bike: EUR 14 a day, EUR 60 a week\n- Cargo bike: EUR 30 a day\n  - With a roof: EUR 4 more\n- Tandem: EUR 25 a day\n\n\
    A deposit of EUR 50 is due for each bike. You get it back when you return the bike clean and in one piece.\n\n\
    ## Returns\n\n1. Lock the bike at the station.\n2. Close the rental in the app.\n3. Run this:\n\n   ```\n   bike --end\n   ```\n\n\
    4. Leave. The deposit is back after 3 days.\n\nLate returns cost a fee that depends on how late you are with the bike.";

#[test]
fn one_item_that_is_the_answer_is_quoted_with_its_heading_and_introduction() {
    assert_eq!(
        quote("how much is a city bike for a week", SHOP),
        "**Bikes**\n\nPrices with lock and helmet:\n\n- City bike: EUR 14 a day, EUR 60 a week"
    );
    let roof = quote("how much is a roof on the cargo bike", SHOP);
    assert!(roof.contains("- Cargo bike: EUR 30 a day\n  - With a roof: EUR 4 more"), "{roof}");
    assert!(!roof.contains("deposit"), "{roof}");
}

#[test]
fn steps_keep_their_numbers_their_order_and_their_code() {
    let quoted = quote("how do i return a bike", SHOP);
    let steps = "1. Lock the bike at the station.\n2. Close the rental in the app.\n3. Run this:\n   ```\n   bike --end\n   ```\n4. Leave.";
    assert!(quoted.contains(steps), "{quoted}");
    assert!(quoted.contains("**Returns**\n\n1."), "{quoted}");
}

/// Steps that are all written as the first one, as Markdown allows, with a picture after the second.
fn assembly(steps: usize) -> String {
    let step = |number: usize| {
        let picture = if number == 2 { "\n\n![The frame](frame.png)\n\n" } else { "\n" };
        let mark = if number > 2 { number } else { 1 };
        format!("{mark}. Part {number}: tighten the screw of the frame, and wait until it clicks.{picture}")
    };
    let steps: String = (1..=steps).map(step).collect();
    format!("{}\n\nAssemble the frame so:\n\n{steps}\nThe plate is made of steel.", filler(40))
}

#[test]
fn of_a_procedure_all_steps_are_quoted_or_the_first_ones_and_a_mark() {
    let nine = quote("how do i assemble the frame", &assembly(9));
    for number in 1..=9 {
        assert!(nine.contains(&format!("{number}. Part {number}:")), "{number}: {nine}");
    }
    let many = quote("how do i assemble the frame", &assembly(20));
    assert!(many.contains("1. Part 1:") && many.contains("7. Part 7:") && !many.contains("Part 20"), "{many}");
    assert!(many.ends_with('…') && word_count(&many) <= 2 * MAX_WORDS + 1, "{many}");
}

#[test]
fn steps_do_not_take_the_place_of_what_is_asked() {
    let content = format!("{}\n\nThe frame weighs 12 kg.", assembly(4));
    assert!(quote("how much does the frame weigh", &content).contains("12 kg"));
}

#[test]
fn an_introduction_and_a_table_of_contents_are_no_answer() {
    let intro = "Learn how to delete your account.\n\nIn this article:\n\n- [Delete your account](#delete)\n";
    let content = format!("{intro}\n{}\n\nPress the red button in the danger zone to delete it.", filler(80));
    let quoted = quote("delete account", &content);
    assert!(quoted.contains("red button"), "{quoted}");
    let options = format!("You have two options:\n\nCall us about the refund.\n\n{}", filler(85));
    assert!(quote("two options for a refund", &options).contains("Call us"));
}

#[test]
fn of_opposite_units_the_asked_one_is_quoted() {
    let content = format!(
        "To turn the automatic renewal on, press the green button.\n\n{}\n\nTo turn the automatic renewal off, press \
         the red button.\n\n{}",
        filler(75),
        filler(75)
    );
    let off = quote("how do i turn off the automatic renewal", &content);
    assert!(off.contains("red button"), "{off}");
}

#[test]
fn of_a_long_table_the_head_and_the_rows_that_matter_are_quoted() {
    let rows: String = (0..60).map(|n| format!("| Animal {n} | {n} kg | barn {n} |\n")).collect();
    let content = format!(
        "What our animals eat.\n\nThe giraffe table:\n\n| Name | Hay | Place |\n|---|---|---|\n{rows}| Giraffe | 34 kg | tower |\n"
    );
    for question in [
        "how much hay does the giraffe get",
        "giraffe",
        "please tell me how much hay does the old giraffe get each and every day",
    ] {
        let quoted = quote(question, &content);
        assert!(
            quoted.contains("Name | Hay | Place\n---|---|---\n") && quoted.contains("Giraffe | 34 kg | tower"),
            "{quoted}"
        );
        assert!(word_count(&quoted) <= MAX_WORDS, "{quoted}");
    }
    let two = quote("animal 7 animal 50", &content);
    assert!(two.contains("Animal 7 | 7 kg | barn 7\n"), "{two}");
    assert!(two.contains("\n…\nAnimal 50 | 50 kg | barn 50"), "{two}");
}

#[test]
fn sentences_between_which_others_are_left_out_are_parted_by_a_mark() {
    let content = format!("Refunds are free. {} {} Refunds take days.", filler(88), filler(88));
    assert_eq!(quote("refund", &content), "Refunds are free. … Refunds take days.");
}

#[test]
fn units_are_never_cut_while_one_fits() {
    let content = format!("{}\n\n- card {}\n- {}", filler(80), "x ".repeat(95), "card fee. ".repeat(3));
    let quoted = quote("card fee", &content);
    assert!(quoted.contains("card fee. card fee. card fee.") && !quoted.contains("x x"), "{quoted}");
}

#[test]
fn a_model_gets_the_best_units_in_their_form_and_no_more_than_its_share() {
    let analyzer = Analyzer::new(Language::English);
    let (query, stats) = (analyzer.query("cargo bike roof"), CorpusStats::default());
    let scorer = Scorer::new(&query, &stats);
    let opposites = Opposites::asked(&analyzer, "cargo bike roof");
    let question = Question {
        analyzer: &analyzer,
        text: "cargo bike roof",
        query: &query,
        scorer: &scorer,
        opposites: &opposites,
        near: None,
    };
    assert_eq!(excerpt(&question, SHOP, 2_000), SHOP);
    for chars in [120, 250, 500] {
        let text = excerpt(&question, SHOP, chars);
        assert!(text.contains("- Cargo bike: EUR 30 a day\n  - With a roof: EUR 4 more"), "{text}");
        assert!(text.chars().count() <= chars, "{text}");
    }
    assert_eq!(excerpt(&question, &"word ".repeat(500), 100), "");
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
    let own = [
        "# a\n\n",
        "card ",
        "card. ",
        "card\n\n",
        "e.g. ",
        "1. ",
        "\n1. a",
        "\n- ",
        "? ",
        "。",
        "card refund card. a ",
        "|a",
        "|card|b|\n|-|-|\n",
        "\n|card",
        "```\n",
        "card:\n\n- card\n",
        "  - card\n",
        "> card\n",
        "**a**\n\n",
        "**card?**\n\n- card\n",
    ];
    growth::linear("extract", 50_000, own.into_iter().chain(["9 ", "一", "আসল ", "\u{301}", "\n\n"]), |text| {
        std::hint::black_box(quote("card refund", text));
    });
}

#[test]
fn the_kinds_of_answer_are_looked_for_in_linear_work() {
    let own = [
        "for free ",
        "free plan ",
        "Solo, Free ",
        "Free | ",
        "18 h ",
        "9h",
        "9 % ",
        "9.9-",
        "%",
        "once a ",
        "every 9 ",
        "android ",
        "android 9 ",
    ];
    growth::linear("kinds", 60_000, own, |text| {
        std::hint::black_box((
            shape::is_free(text),
            shape::has_time(text),
            shape::has_frequency(text),
            shape::has_version(text, "android"),
        ));
        std::hint::black_box(shape::numbers_but_shares(text));
    });
}

#[test]
fn every_list_of_words_that_say_where_is_of_a_language() {
    let file = include_str!("words.txt");
    let heads = file.lines().filter_map(|line| line.strip_prefix("[WHERE ")?.strip_suffix(']'));
    let languages: Vec<Language> = heads.map(|code| Language::parse(code).unwrap()).collect();
    assert_eq!(languages.len(), 7);
    for language in languages {
        assert!(!text::section(file, &format!("WHERE {}", language.as_str())).is_empty(), "{language:?}");
    }
}
