//! Typos and follow-up questions, through the engine.

use std::sync::Mutex;

use super::*;
use domain::models::{AiTurn, CustomerTurn, MessageId, Source, Turn, TurnBody};

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
async fn a_word_that_the_wiki_has_is_never_repaired() {
    let index = plans().await;
    index.write("teas/green", "Teas", "Green teas are sold in tins.", Visibility::Public);
    assert_eq!(paths(&ask(&engine(index, None), "teas", PUBLIC).await), ["teas/green"]);
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
