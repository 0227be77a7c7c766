//! The analysis of texts, and the phrases of customers' messages.

use text::dialogue::{Intent, MatchContext, analyse, without_human_requests};
use text::{Analyzer, Language, MAX_BIGRAMS, MAX_DISTINCT_TERMS, highlight, paragraphs, sentences};

const WORDS: &[&str] = &[
    "refund",
    "refunds",
    "Rückerstattung",
    "geld zurück",
    "où",
    "l'eau",
    "don't",
    "naïve",
    "İ",
    "ß",
    "ﬁ",
    "返金",
    "の",
    "方法",
    "환불",
    "كيف",
    "คืนเงิน",
    "हिन्दी",
    "🙂",
    "👍",
    "e\u{301}",
    "\u{200D}",
    "\u{AD}",
    "-",
    "_",
    "'",
    "’",
    ".",
    ". ",
    "? ",
    "\n",
    "\n\n",
    " ",
    ",",
    "the ",
    "of ",
    "1",
    "3.5",
    "a1b2",
    "A",
    "ABC",
    "http://x.example/a?b=c",
    "hi ",
    "thanks ",
    "bye ",
    "no ",
    "yes ",
    "human ",
    "talk to a human",
    "real person please",
    "je veux parler à un humain",
    "bitte einen Menschen",
    "¿",
    "人工",
    "不要",
    "!!!",
    ":)",
    "who are you",
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen",
];

#[test]
fn analysis() {
    fuzz::texts!(WORDS, |text| {
        for language in [Language::English, Language::German, Language::Turkish, Language::Arabic] {
            let analyzer = Analyzer::new(language);
            let terms = analyzer.terms(text);
            let mut placed = Vec::new();
            let mut end = 0;
            analyzer.each_term(text, |range, term| {
                assert!(range.start >= end && text.get(range.clone()).is_some_and(|word| !word.is_empty()), "{text:?}");
                end = range.start;
                placed.push(term);
            });
            assert_eq!(placed, terms, "{text:?}");
            assert!(terms.iter().all(|term| !term.is_empty() && !term.contains(char::is_whitespace)), "{text:?}");
            let query = analyzer.query(text);
            assert!(query.distinct.len() <= MAX_DISTINCT_TERMS && query.bigrams.len() <= MAX_BIGRAMS, "{text:?}");
            let segments = highlight(&analyzer, &query, text);
            assert_eq!(segments.iter().map(|segment| segment.text.as_str()).collect::<String>(), text);
            // An entry without text has one passage, for its title.
            let passages = analyzer.passages("title", text);
            let empty = passages.iter().filter(|passage| passage.text.trim().is_empty()).count();
            assert!(empty == 0 || passages.len() == 1, "{text:?}");
        }
        for paragraph in paragraphs(text) {
            assert!(
                text.contains(paragraph) && sentences(paragraph).iter().all(|one| paragraph.contains(one)),
                "{text:?}"
            );
        }
    });
}

#[test]
fn phrases() {
    fuzz::texts!(WORDS, |text| {
        for was_offered_human in [false, true] {
            let setting = MatchContext { was_offered_human, expected: Vec::new() };
            let read = analyse(text, &setting);
            assert_eq!(analyse(text, &setting), read, "{text:?}");
            let is_question = read.intent == Intent::Question;
            assert!(!is_question || !read.question.trim().is_empty(), "{text:?}");
            assert!(read.question.len() <= 2 * text.len(), "{text:?}: {}", read.question);
        }
        assert!(without_human_requests(text).len() <= 2 * text.len(), "{text:?}");
    });
}
