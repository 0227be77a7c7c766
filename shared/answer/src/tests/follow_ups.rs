//! Typos and follow-up questions, through the engine. Earlier questions decide what a follow-up means, but not whether a new
//! question has an answer.

use std::sync::Mutex;
use std::time::Duration;

use super::*;
use crate::embedding::{Embedder, EmbeddingError, EmbeddingModel, EmbeddingSettings, TextKind, passage_text};
use crate::search::PassageVectors;
use domain::models::{AiTurn, CustomerTurn, MessageId, Source, Turn, TurnBody, TurnRole};

/// A wiki with the prices of plans, an entry on parcels, and an internal entry for staff.
async fn plans() -> Arc<MemoryIndex> {
    let index = MemoryIndex::default();
    for (path, title, content, visibility) in [
        ("plans/studio", "Studio plan", "Studio costs 23 euros. Paid yearly it costs 226 euros.", Visibility::Public),
        ("plans/team", "Team plan", "Team costs 47 euros. Paid yearly it costs 462 euros.", Visibility::Public),
        ("parcels/abroad", "Parcels abroad", "Parcels to Norway take nine days.", Visibility::Public),
        ("staff/goodwill", "Goodwill", "Grant a subvention to angry customers.", Visibility::Internal),
    ] {
        index.write(path, title, content, visibility);
    }
    Arc::new(index)
}

fn turn(number: u32, content: &str, body: TurnBody) -> Turn {
    let message_id = MessageId::from_parts(Timestamp::default(), u128::from(number));
    Turn { message_id, number, content: content.to_owned(), created_at: Timestamp::default(), body }
}

fn question(number: u32, content: &str, answered_by: Option<u32>) -> Turn {
    turn(number, content, TurnBody::Customer(CustomerTurn { answered_by, silence: None }))
}

/// A question and its answer from an entry.
pub(super) fn asked(text: &str, path: &str) -> Vec<Turn> {
    let source = Source {
        path: WikiPath::parse(path).unwrap(),
        confidence: 0.9,
        title: String::new(),
        version: 1,
        used: true,
        visibility: None,
    };
    let answer = AiTurn { sources: vec![source], ..AiTurn::new(Disposition::Answered, 1) };
    vec![question(1, text, Some(2)), turn(2, "An answer.", TurnBody::Ai(Box::new(answer)))]
}

pub(super) async fn ask_after(
    engine: &AnswerEngine,
    history: &[Turn],
    text: &str,
    visibility: VisibilityFilter,
) -> Answered {
    let question = Question {
        scope: &scope(),
        text,
        history,
        language: Language::English,
        synonyms: &[],
        visibility,
        threshold: 0.4,
        handover_note: None,
        deadline: engine.runtime.now().plus_millis(20_000),
    };
    engine.answer(&question).await
}

#[tokio::test]
async fn a_word_with_a_typo_finds_what_was_meant() {
    let engine = engine(plans().await, None);
    for text in ["how long do parcles to norwya take", "parcels to norwaay"] {
        let answered = ask(&engine, text, PUBLIC).await;
        assert_eq!(paths(&answered).first(), Some(&"parcels/abroad"), "{text}");
        assert_eq!(answered.disposition, Disposition::Answered, "{text}: {}", answered.confidence);
    }
}

#[tokio::test]
async fn a_word_of_an_internal_entry_repairs_no_typo_of_a_customer() {
    let engine = engine(plans().await, None);
    assert_eq!(paths(&ask(&engine, "godwill", VisibilityFilter::All).await), ["staff/goodwill"]);
    let answered = ask(&engine, "godwill", PUBLIC).await;
    assert!(answered.sources.is_empty() && answered.disposition == Disposition::NoAnswer, "{answered:?}");
}

#[tokio::test]
async fn a_typo_that_hides_the_ending_of_a_word_is_corrected() {
    let index = MemoryIndex::default();
    index.write("a/change", "Changing your address", "Change your address under Settings.", Visibility::Public);
    index.write("a/ship", "Shipping", "We ship within two days.", Visibility::Public);
    let engine = engine(Arc::new(index), None);
    for (question, path) in [("how do i chnage my address", "a/change"), ("chnage", "a/change"), ("shippign", "a/ship")]
    {
        let answered = ask(&engine, question, PUBLIC).await;
        assert_eq!(answered.sources.first().map(|source| source.path.as_str()), Some(path), "{question}");
        assert_eq!(answered.disposition, Disposition::Answered, "{question}: {}", answered.confidence);
    }
}

#[tokio::test]
async fn a_word_that_the_wiki_has_is_never_repaired() {
    let index = plans().await;
    index.write("teas/green", "Teas", "Green teas are sold in tins.", Visibility::Public);
    // With two letters swapped, "field" has the stem of "file".
    index.write("forms/field", "A form", "Each form has a field for the name.", Visibility::Public);
    index.write("forms/file", "Upload", "A file is uploaded with the button.", Visibility::Public);
    let engine = engine(index, None);
    assert_eq!(paths(&ask(&engine, "teas", PUBLIC).await), ["teas/green"]);
    assert_eq!(paths(&ask(&engine, "field", PUBLIC).await), ["forms/field"]);
}

#[tokio::test]
async fn a_word_that_has_synonyms_is_never_repaired() {
    let index = MemoryIndex::default();
    index.write("shop/coat", "Coats", "The coat is made of wool.", Visibility::Public);
    let engine = engine(Arc::new(index), None);
    assert_eq!(paths(&ask(&engine, "the coet", PUBLIC).await), ["shop/coat"]);
    let answered = ask(&engine, "the cost", PUBLIC).await;
    assert!(answered.sources.is_empty() && answered.disposition == Disposition::NoAnswer, "{answered:?}");
}

#[tokio::test]
async fn a_follow_up_is_understood_from_what_was_asked_before() {
    let engine = engine(plans().await, None);
    for (path, question) in [("plans/studio", "what does studio cost"), ("plans/team", "what does team cost")] {
        let answered = ask_after(&engine, &asked(question, path), "and paid yearly?", PUBLIC).await;
        assert_eq!(paths(&answered).first(), Some(&path));
        assert_eq!(answered.disposition, Disposition::Answered, "{}", answered.confidence);
    }
}

#[tokio::test]
async fn a_question_that_speaks_for_itself_leaves_the_topic_before_it() {
    let history = asked("what does studio cost", "plans/studio");
    let answered =
        ask_after(&engine(plans().await, None), &history, "how long do parcels to norway take", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"parcels/abroad"));
    assert!(answered.text.contains("nine days"), "{}", answered.text);
}

#[tokio::test]
async fn a_pronoun_keeps_the_topic_where_another_entry_has_the_words() {
    let index = plans().await;
    for (path, title, content) in [
        (
            "care/plan",
            "Care plan",
            "The care plan pays a doctor and a nurse at your home. The county has a simple process.",
        ),
        (
            "permits/rules",
            "Rules",
            "We process each permit in the order of the day on which it came. The usual rules of the town apply.",
        ),
    ] {
        index.write(path, title, content, Visibility::Public);
    }
    let engine = engine(index, None);
    let mut history = asked("what does the care plan pay", "care/plan");
    history.extend(asked("is a nurse in the care plan", "care/plan"));
    for (text, path) in
        [("What is the process to apply for it?", "care/plan"), ("What is the process to apply?", "permits/rules")]
    {
        let answered = ask_after(&engine, &history, text, PUBLIC).await;
        assert_eq!(paths(&answered).first(), Some(&path), "{text}");
    }
}

#[tokio::test]
async fn a_question_of_words_that_the_wiki_lacks_is_not_answered_from_the_topic_before_it() {
    let history = asked("what does studio cost", "plans/studio");
    let answered = ask_after(&engine(plans().await, None), &history, "Do you sell kubernetes operators?", PUBLIC).await;
    assert_eq!(answered.disposition, Disposition::NoAnswer, "{}", answered.confidence);
}

#[tokio::test]
async fn an_earlier_answer_from_an_internal_entry_grounds_no_answer_to_a_customer() {
    let history = asked("which subvention do angry customers get", "staff/goodwill");
    let answered = ask_after(&engine(plans().await, None), &history, "and the subvention?", PUBLIC).await;
    assert!(!paths(&answered).contains(&"staff/goodwill") && !answered.text.contains("Grant"), "{answered:?}");
}

#[tokio::test]
async fn an_endless_history_of_endless_questions_is_bounded() {
    let words = |from: usize| (from..from + 900).map(|n| format!("word{n}x ")).collect::<String>();
    let history: Vec<Turn> = (1..60).map(|n| question(n, &words(n as usize * 900), None)).collect();
    let query = ConversationQuery::new(&Analyzer::new(Language::English), &[], &words(0), &history).query(1.0);
    assert!(query.distinct.len() <= 128 && query.bigrams.len() <= 256);
    let answered = ask_after(&engine(plans().await, None), &history, &words(0), PUBLIC).await;
    assert_eq!(answered.disposition, Disposition::NoAnswer);
}

/// A model that rewrites, and quotes nothing.
#[derive(Debug)]
struct RewritingModel {
    reply: &'static str,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl LanguageModel for RewritingModel {
    fn name(&self) -> &str {
        "rewrites"
    }

    async fn complete(&self, request: &ModelRequest) -> Result<String, ModelError> {
        let rewriting = request.system.contains("You rewrite");
        self.asked.lock().unwrap().push(if rewriting { "rewrite".into() } else { request.user.clone() });
        if rewriting { Ok(self.reply.to_owned()) } else { Err(ModelError::Failed("down".to_owned())) }
    }
}

async fn rewritten(reply: &'static str, text: &str) -> (Answered, Vec<String>) {
    let model = Arc::new(RewritingModel { reply, asked: Mutex::default() });
    let engine = engine(plans().await, Some(model.clone()));
    let answered = ask_after(&engine, &asked("what does studio cost", "plans/studio"), text, PUBLIC).await;
    let asked = model.asked.lock().unwrap().clone();
    (answered, asked)
}

#[tokio::test]
async fn a_model_rewrites_a_follow_up_into_what_is_looked_up() {
    let (answered, asked) =
        rewritten(r#"{"question": "How many days do parcels to Norway take?"}"#, "and the other thing?").await;
    assert_eq!(paths(&answered).first(), Some(&"parcels/abroad"));
    assert_eq!(asked[0], "rewrite");
    assert!(asked[1].contains("and the other thing?") && !asked[1].contains("How many days"), "{asked:?}");
}

#[tokio::test]
async fn a_rewriting_that_fails_is_markup_or_finds_less_leaves_the_formula() {
    for reply in [
        "no JSON",
        r#"{"question": "<b>parcels to Norway</b>"}"#,
        r#"{"question": "the salaries of another company's directors"}"#,
        r#"{"question": "subvention for angry customers"}"#,
    ] {
        let (answered, _) = rewritten(reply, "and paid yearly?").await;
        assert_eq!(paths(&answered).first(), Some(&"plans/studio"), "{reply}");
        assert!(!paths(&answered).contains(&"staff/goodwill"), "{reply}");
    }
}

const OFFICE: [(&str, &str, &str); 6] = [
    ("billing/refunds", "Refunds", "A refund takes five days. We pay it back to the card that you paid with."),
    ("billing/links", "Payment links", "Clients pay online by a payment link. One link takes 8,000 euros at most."),
    ("billing/retries", "Failed payments", "We try a failed payment again after two days. After that we call you."),
    ("account/login", "Password", "Choose a new password under Settings. The link is valid for an hour."),
    ("plans/seats", "Extra seats", "Add extra seats to your team under Settings. A seat is 4 euros a month."),
    ("parcels/abroad", "Parcels abroad", "Parcels to Norway take nine days."),
];

/// Words that mean the same to [`MeaningModel`].
const MEANINGS: [&[&str]; 6] = [
    &["refund", "money back"],
    &["payment", "pay "],
    &["fail", "try"],
    &["password", "login"],
    &["seat", "team"],
    &["parcel"],
];

/// An embedding model that knows some meanings.
#[derive(Debug)]
struct MeaningModel;

#[async_trait]
impl EmbeddingModel for MeaningModel {
    fn id(&self) -> &str {
        "meanings"
    }

    fn batch(&self) -> usize {
        100
    }

    async fn embed(&self, _: TextKind, texts: &[String], _: Duration) -> Result<Vec<Vec<f32>>, EmbeddingError> {
        let meant = |text: &str, words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
        let vector = |text: &String| {
            let text = text.to_lowercase();
            std::iter::once(1.0).chain(MEANINGS.iter().map(|words| meant(&text, words))).collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn embedder() -> Embedder {
    Embedder::new(Arc::new(MeaningModel), EmbeddingSettings::default_for(""))
}

/// The index with the vectors of all entries but those of `without`.
async fn index(embedder: &Embedder, without: &[&str]) -> Arc<MemoryIndex> {
    let index = MemoryIndex::default();
    for (path, title, content) in OFFICE {
        let mut entry =
            IndexedEntry::new(&Analyzer::new(Language::English), &entry(path, title, content, Visibility::Public));
        if !without.contains(&path) {
            let texts: Vec<String> = entry.passages.iter().map(|p| passage_text(title, &p.text)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let embeddings = embedder.passages(&texts, Duration::from_secs(1)).await.unwrap();
            let space = embedder.space_of(embeddings[0].dimensions());
            let embeddings = embeddings.into_iter().map(Some).collect();
            entry.vectors = Some(PassageVectors { space, embeddings });
        }
        index.put(&scope(), &entry);
    }
    Arc::new(index)
}

/// The service without and with an embedding model.
async fn services() -> [AnswerEngine; 2] {
    let embedder = embedder();
    let index = index(&embedder, &[]).await;
    let with_vectors = AnswerEngine { embedder: Some(embedder), ..engine(index.clone(), None) };
    [engine(index, None), with_vectors]
}

/// Asks a question that is answered, and gives what was said.
async fn answered_first(engine: &AnswerEngine, question: &str, path: &str) -> Vec<Turn> {
    let answered = ask(engine, question, PUBLIC).await;
    assert_eq!(answered.disposition, Disposition::Answered, "{question}: {}", answered.confidence);
    assert_eq!(paths(&answered).first(), Some(&path), "{question}");
    asked(question, path)
}

/// A question that got no answer.
fn asked_in_vain(question: &str) -> Vec<Turn> {
    let mut turns = asked(question, "no/entry");
    turns.retain(|turn| turn.role() == TurnRole::Customer);
    turns
}

#[tokio::test]
async fn a_new_question_of_unknown_words_gets_no_confidence_from_what_was_answered_before() {
    for engine in services().await {
        let with_vectors = engine.embedder.is_some();
        let history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        for text in [
            "do you have parking?",
            "where does the zebra sleep?",
            "is there a sauna?",
            "Do you sell kubernetes operators?",
            "and what about giraffes?",
        ] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert!(answered.confidence < 0.35, "{text} with vectors {with_vectors}: {}", answered.confidence);
            assert_eq!(answered.disposition, Disposition::NoAnswer, "{text}");
        }
    }
}

#[tokio::test]
async fn two_answers_before_do_not_make_a_new_question_surer() {
    for engine in services().await {
        let mut history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        history.extend(answered_first(&engine, "Which card is a refund paid back to?", "billing/refunds").await);
        for text in ["do you have parking?", "where does the zebra sleep?"] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert!(answered.confidence < 0.35, "{text}: {}", answered.confidence);
        }
    }
}

#[tokio::test]
async fn a_question_about_another_entry_is_answered_from_it() {
    for engine in services().await {
        let with_vectors = engine.embedder.is_some();
        let history = answered_first(&engine, "How long does a refund take?", "billing/refunds").await;
        for (text, path) in [
            ("how long is the link for a password valid?", "account/login"),
            ("how long does a parcel to Norway take?", "parcels/abroad"),
            ("how much is an extra seat?", "plans/seats"),
            ("and extra seats?", "plans/seats"),
        ] {
            let answered = ask_after(&engine, &history, text, PUBLIC).await;
            assert_eq!(paths(&answered).first(), Some(&path), "{text} with vectors {with_vectors}: {answered:?}");
            assert_eq!(answered.disposition, Disposition::Answered, "{text}: {}", answered.confidence);
            let likeliest = answered.sources.iter().map(|source| source.confidence).fold(0.0, f64::max);
            assert!((answered.confidence - likeliest).abs() < 1e-9, "{text}: the answer's confidence is its source's");
        }
    }
}

#[tokio::test]
async fn a_follow_up_that_names_no_topic_is_about_what_was_asked_before() {
    for (question, path, follow_ups) in [
        ("can my clients pay online with a link?", "billing/links", ["what is the maximum", "how much?"]),
        ("do you try a failed payment again?", "billing/retries", ["and if it still doesn't work?", "and after that?"]),
        ("can i add extra seats to my team?", "plans/seats", ["how much?", "how many at most?"]),
    ] {
        for engine in services().await {
            let history = answered_first(&engine, question, path).await;
            for text in follow_ups {
                let answered = ask_after(&engine, &history, text, PUBLIC).await;
                assert_eq!(paths(&answered).first(), Some(&path), "{text}");
                assert_eq!(answered.disposition, Disposition::Answered, "{text}: {}", answered.confidence);
            }
        }
    }
}

#[tokio::test]
async fn the_vector_of_a_follow_up_means_what_was_asked_before_in_other_words() {
    let [by_words, with_vectors] = services().await;
    let history = asked_in_vain("I lost my login");
    assert!(paths(&ask_after(&by_words, &history, "how long?", PUBLIC).await).is_empty());
    let answered = ask_after(&with_vectors, &history, "how long?", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"account/login"), "{answered:?}");
    let answered = ask_after(&with_vectors, &history, "Is my parcel late?", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"parcels/abroad"), "{answered:?}");
}

#[tokio::test]
async fn an_entry_without_vectors_answers_as_if_there_were_no_model() {
    let embedder = embedder();
    let question = "How long does a refund take?";
    let by_words = ask(&engine(index(&embedder, &[]).await, None), question, PUBLIC).await;
    let edited = index(&embedder, &["billing/refunds"]).await;
    let mixed = ask(&AnswerEngine { embedder: Some(embedder), ..engine(edited, None) }, question, PUBLIC).await;
    assert_eq!(paths(&mixed).first(), Some(&"billing/refunds"));
    assert_eq!((&mixed.text, mixed.disposition), (&by_words.text, by_words.disposition));
    // The entries that it is compared with have vectors.
    assert!((mixed.confidence - by_words.confidence).abs() < 0.1, "{} {}", mixed.confidence, by_words.confidence);
}

#[tokio::test]
async fn an_entry_without_vectors_stays_behind_one_that_is_likelier_by_both() {
    let embedder = embedder();
    let edited = index(&embedder, &["parcels/abroad"]).await;
    let engine = AnswerEngine { embedder: Some(embedder), ..engine(edited, None) };
    let answered = ask(&engine, "within how many days can i get my money back abroad", PUBLIC).await;
    assert_eq!(paths(&answered).first(), Some(&"billing/refunds"), "{answered:?}");
}
