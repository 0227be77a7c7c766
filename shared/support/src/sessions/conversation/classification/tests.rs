//! Several turns with one answer.

use domain::models::{Channel, Mode, Scope, SessionId, SessionState, TenantId, Timestamp};

use crate::edge::allowance::Allowance;
use crate::sessions::conversation::classification::*;

const AT: Timestamp = Timestamp::from_millis(1_767_323_045_678);
const QUESTION: &str = "How long does a refund take?";

fn session() -> Session {
    Session {
        state: SessionState::Ai { answer_due: true },
        has_customer_message: true,
        ever_escalated: true,
        ..Session::new(SessionId::from_parts(AT, 1), Mode::Live, Channel::Api)
    }
}

/// The classification of turns that waited for a person, oldest first.
fn understood(written: &[&str]) -> TurnClassification {
    understood_where(false, written)
}

/// The same if a request for a human counts, or not.
fn understood_where(allows_human_request: bool, written: &[&str]) -> TurnClassification {
    let attempt = AnswerAttempt {
        scope: Scope { tenant: TenantId::from_parts(AT, 1), mode: Mode::Live },
        deadline: AT,
        received_at: AT,
        settings: Settings::default(),
        recent: Vec::new(),
        redacts: false,
        allows_human_request,
        allowance: Allowance::unlimited(),
    };
    TurnClassification::of(&attempt, &session(), written)
}

#[test]
fn of_many_turns_the_newest_are_read_and_the_others_count_as_asking() {
    let mut written = vec!["thanks"; 70];
    written.push(QUESTION);
    let of_many = understood(&written);
    let unread: Vec<usize> = (0..written.len() - MAX_TURNS).collect();
    assert_eq!(of_many.asking, [unread, vec![70]].concat());
    assert_eq!(of_many.question, QUESTION);

    let long = "thanks! ".repeat(875);
    let of_long = understood(&[long.as_str(); 10]);
    assert_eq!(of_long.asking, [0, 1, 2, 3, 4, 5], "four texts of 7,000 characters are read");
}

#[test]
fn a_question_is_kept_where_small_talk_of_the_greatest_length_follows_it() {
    let long = "thanks! ".repeat(999);
    for written in [vec![QUESTION, &long], vec![QUESTION, &long, &long, &long]] {
        let kept = understood(&written);
        assert_eq!((kept.question.as_str(), kept.asking), (QUESTION, vec![0]));
    }
}

#[test]
fn where_what_is_read_asks_nothing_what_is_not_read_is_asked_as_it_is_written() {
    let unread = understood(&[vec![QUESTION], vec!["hello?"; MAX_TURNS]].concat());
    assert_eq!((unread.question.as_str(), unread.small_talk, unread.asking), (QUESTION, None, vec![0]));
    let nothing = understood(&vec!["hello?"; MAX_TURNS]);
    assert_eq!((nothing.question.as_str(), nothing.small_talk), ("", Some(SmallTalk::Greeting)));
}

#[test]
fn of_questions_the_newest_are_asked_as_much_as_one_message_may_hold() {
    let (old, new) = (format!("What is {}?", "old ".repeat(1_000)), format!("What is {}?", "new ".repeat(1_500)));
    let both = understood(&[&old, "thanks", &new]);
    assert!(both.question.contains("new") && !both.question.contains("old"));
    assert_eq!(both.asking, [0, 2]);
    assert_eq!(understood(&["Where is it?", "ok", "What is new?"]).question, "Where is it?\n\nWhat is new?");
}

#[test]
fn a_request_for_a_human_is_unsure_where_every_message_may_be_a_question() {
    const POSSIBLE: &str = "when can i reach support?";
    let unsure = understood_where(true, &[POSSIBLE]);
    assert!(unsure.wants_human && unsure.is_unsure_request);
    assert_eq!((unsure.question.as_str(), &unsure.asking), (POSSIBLE, &vec![0]));
    for sure in [&[POSSIBLE, "i need a human"], &["i need a human", POSSIBLE], &["hello", POSSIBLE]] {
        let sure = understood_where(true, sure);
        assert!(sure.wants_human && !sure.is_unsure_request && sure.question.is_empty());
    }
    let unanswered = unsure.clone().settled(false);
    assert!(unanswered.wants_human && unanswered.question.is_empty());
    assert!(!unsure.settled(true).wants_human);
    let not_allowed = understood(&[POSSIBLE]);
    assert!(!not_allowed.wants_human && !not_allowed.is_unsure_request && not_allowed.question == POSSIBLE);
}
