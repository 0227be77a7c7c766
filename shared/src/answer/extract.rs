//! Quoting an answer from an entry: as much as a person wants to read, and the part that is about the question.
//!
//! A short entry is quoted whole, otherwise its best short paragraph, otherwise the best part of a long one. A heading
//! says what the paragraph after it is about: it counts for that paragraph and is not quoted.

use super::rank::Scorer;
use crate::text::{Analyzer, paragraphs, sentences, word_count};

/// An entry, or a paragraph, of at most so many words is quoted whole.
const WHOLE_WORDS: usize = 120;
/// Of a longer paragraph, its best sentence and those after it up to so many words.
const SENTENCES_WORDS: usize = 90;
/// A long paragraph has to be this much better than the best short one: a whole thought reads better than a piece.
const LONG_PARAGRAPH_WEIGHT: f64 = 0.3;

/// The text that answers the question best; empty where the entry has none.
pub(super) fn extract(analyzer: &Analyzer, scorer: &Scorer<'_>, content: &str) -> String {
    let content = content.trim();
    if word_count(content) <= WHOLE_WORDS {
        return content.to_owned();
    }
    let Some(best) = best_paragraph(analyzer, scorer, content) else { return cut(content) };
    if word_count(best) <= WHOLE_WORDS { best.to_owned() } else { best_sentences(analyzer, scorer, best) }
}

fn best_paragraph<'a>(analyzer: &Analyzer, scorer: &Scorer<'_>, content: &'a str) -> Option<&'a str> {
    let mut terms = Vec::new();
    let mut best: Option<(f64, &str)> = None;
    for paragraph in paragraphs(content) {
        terms.append(&mut analyzer.terms(paragraph));
        if is_heading(paragraph) {
            continue;
        }
        let long = word_count(paragraph) > WHOLE_WORDS;
        let score = scorer.text_score(&terms) * if long { LONG_PARAGRAPH_WEIGHT } else { 1.0 };
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, paragraph));
        }
        terms.clear();
    }
    best.map(|(_, paragraph)| paragraph)
}

fn is_heading(paragraph: &str) -> bool {
    paragraph.starts_with('#') && !paragraph.contains('\n')
}

fn best_sentences(analyzer: &Analyzer, scorer: &Scorer<'_>, paragraph: &str) -> String {
    let sentences = sentences(paragraph);
    let mut best = (0.0, 0);
    for (at, sentence) in sentences.iter().enumerate() {
        let score = scorer.text_score(&analyzer.terms(sentence));
        if score > best.0 {
            best = (score, at);
        }
    }
    let mut words = 0;
    let quoted = sentences.iter().skip(best.1).take_while(|sentence| {
        let first = words == 0;
        words += word_count(sentence);
        first || words <= SENTENCES_WORDS
    });
    cut(&quoted.copied().collect::<Vec<_>>().join(" "))
}

/// The first words of a text that has no sentences.
fn cut(text: &str) -> String {
    let mut words = 0;
    let kept = text.split_inclusive(char::is_whitespace).take_while(|token| {
        words += word_count(token);
        words <= WHOLE_WORDS
    });
    let kept: String = kept.collect();
    if kept.is_empty() { text.chars().take(WHOLE_WORDS * 2).collect() } else { kept.trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Language;
    use crate::search::CorpusStats;

    fn quote(question: &str, content: &str) -> String {
        let analyzer = Analyzer::new(Language::English);
        let (query, stats) = (analyzer.query(question), CorpusStats::default());
        extract(&analyzer, &Scorer::new(&query, &stats), content)
    }

    fn filler(words: usize) -> String {
        "lorem ".repeat(words - 1) + "ipsum."
    }

    #[test]
    fn an_entry_of_120_words_is_quoted_whole_and_one_more_is_not() {
        let short = format!("{}\n\nCards are refunded in five days.", filler(114));
        assert_eq!(quote("card refund", &short), short);
        let long = format!("{}\n\nCards are refunded in five days.", filler(115));
        assert_eq!(quote("card refund", &long), "Cards are refunded in five days.");
    }

    #[test]
    fn a_heading_counts_for_its_paragraph_and_is_not_quoted() {
        let content = format!("Cards are made of plastic.\n\n## Card refund\n\nIt takes five days.\n\n{}", filler(120));
        assert_eq!(quote("card refund", &content), "It takes five days.");
    }

    #[test]
    fn of_a_long_paragraph_the_best_sentence_and_what_follows_is_quoted() {
        let content = format!("{} Cards are refunded. It takes five days. {}", filler(100), filler(90));
        assert_eq!(quote("card refund", &content), "Cards are refunded. It takes five days.");
    }

    #[test]
    fn text_without_sentences_or_spaces_is_cut() {
        assert_eq!(word_count(&quote("card refund", &"card ".repeat(500))), WHOLE_WORDS);
        assert!(word_count(&quote("返金", &"返金方法".repeat(500))) <= WHOLE_WORDS);
        assert!(word_count(&quote("card", &format!("# {}", "card ".repeat(500)))) <= WHOLE_WORDS);
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
            "\n- ",
            "? ",
            "。",
            "card refund card. a ",
            "|a",
        ];
        growth::linear(
            "extract",
            200_000,
            own.into_iter().chain(["9 ", "一", "আসল ", "\u{301}", "\n\n"]),
            |text| {
                std::hint::black_box(quote("card refund", text));
            },
        );
    }
}
