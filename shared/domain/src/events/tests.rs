use super::*;
use crate::change::EntryState;
use crate::models::{
    AgentRef, AgentTurn, AiTurn, Channel, ClosedReason, Closing, CustomerTurn, DisabledReason, Disposition,
    EncryptedSecret, EntrySource, Escalation, EscalationId, EscalationOutcome, EscalationStatus, MessageId, Mode,
    Priority, Reaction, ReasonCategory, RequestedBy, Session, SessionId, SessionState, Settings, Subscription,
    SystemEvent, SystemTurn, TenantId, Turn, TurnBody, Visibility, Webhook, WebhookFormat, WebhookHealth, WebhookId,
    WebhookStatus, WikiEntry, WikiPath,
};

const AT: Timestamp = Timestamp::from_millis(1_767_323_045_678);

fn scope() -> Scope {
    Scope { tenant: TenantId::from_parts(AT, 1), mode: Mode::Live }
}

fn change(subject: Subject) -> Change {
    Change { record_id: "record-1".into(), at: AT.plus_millis(900), scope: scope(), subject }
}

fn kinds(subject: Subject) -> Vec<&'static str> {
    events_of(&change(subject)).iter().map(|event| event.kind.as_str()).collect()
}

fn session(state: SessionState) -> Session {
    Session {
        state,
        turn_count: 3,
        last_message_id: Some(MessageId::from_parts(AT, 3)),
        last_public_message_id: Some(MessageId::from_parts(AT, 2)),
        has_customer_message: true,
        version: 4,
        ..Session::new(SessionId::from_parts(AT, 7), Mode::Live, Channel::Api)
    }
}

fn states() -> [SessionState; 4] {
    let escalation_id = EscalationId::from_parts(AT, 9);
    [
        SessionState::AI,
        SessionState::PendingHandover { escalation_id: escalation_id.clone() },
        SessionState::Human { escalation_id, snoozed: false },
        SessionState::Closed(Closing { at: AT.plus_millis(5), reason: ClosedReason::Resolved, resumable_until: AT }),
    ]
}

fn turn(body: TurnBody) -> Turn {
    Turn { message_id: MessageId::from_parts(AT, 2), number: 2, content: "Hello".into(), created_at: AT, body }
}

fn asked() -> Turn {
    turn(TurnBody::Customer(CustomerTurn::default()))
}

fn answer(ai: AiTurn) -> Turn {
    turn(TurnBody::Ai(Box::new(ai)))
}

fn answered() -> AiTurn {
    AiTurn::new(Disposition::Answered, 1)
}

fn turn_change(old: Option<Turn>, new: Option<Turn>) -> Subject {
    Subject::Turn { session_id: SessionId::from_parts(AT, 7), old, new }
}

fn escalation(status: EscalationStatus) -> Escalation {
    Escalation {
        escalation_id: EscalationId::from_parts(AT, 9),
        session_id: SessionId::from_parts(AT, 7),
        status,
        reason: "wants a person".into(),
        reason_category: ReasonCategory::Manual,
        requested_by: RequestedBy::Api,
        priority: Priority::Normal,
        created_at: AT,
        claimed_at: None,
        claimed_by: None,
        claim_token: None,
        claimed_generation: None,
        lease_expires_at: None,
        answered: false,
        former_agent: None,
        release_reason: None,
        snoozed_until: None,
        was_snoozed_until: None,
        notice_due_at: None,
        noticed_at: None,
        first_response_at: None,
        rating: None,
        resolved_at: None,
        closed_at: None,
        outcome: None,
        resolution: None,
        summary: None,
        last_words: None,
        last_customer_message_at: None,
        customer_external_user_id: None,
        customer_name: None,
        customer_verified: false,
        tags: Vec::new(),
        earlier_parts: 0,
        earlier_parts_ms: 0,
        version: 1,
    }
}

fn entry(version: u64, content: &str) -> EntryState {
    let entry = WikiEntry {
        path: WikiPath::parse("billing/refunds").unwrap(),
        title: "Refunds".into(),
        content: content.into(),
        visibility: Visibility::Public,
        tags: vec!["money".into()],
        version,
        created_at: AT,
        updated_at: AT,
        created_by: "key_1".into(),
        updated_by: "key_1".into(),
        source: EntrySource::MANUAL,
        action: None,
    };
    EntryState { entry: Some(entry), version, deleted_at: None, deleted_by: None }
}

fn entry_change(old: EntryState, new: EntryState) -> Subject {
    Subject::Entry { path: WikiPath::parse("billing/refunds").unwrap(), old, new }
}

#[test]
fn a_session_tells_of_its_beginning_its_end_and_its_going_on() {
    let subject = |old: Option<&SessionState>, new: Option<&SessionState>| Subject::Session {
        old: old.cloned().map(session),
        new: new.cloned().map(session),
    };
    let is_closed = |state: &SessionState| matches!(state, SessionState::Closed(_));
    for to in &states() {
        assert_eq!(kinds(subject(None, Some(to))), ["session.created"]);
        assert!(kinds(subject(Some(to), None)).is_empty(), "a session erased is no event");
        for from in &states() {
            let expected: &[&str] = match (is_closed(from), is_closed(to)) {
                (false, true) => &["session.closed"],
                (true, false) => &["session.resumed"],
                _ => &[],
            };
            assert_eq!(kinds(subject(Some(from), Some(to))), expected, "{from:?} -> {to:?}");
        }
    }
}

#[test]
fn a_session_event_carries_the_session_and_its_previous_values() {
    let [_, _, human, closed] = states().map(session);
    let events = events_of(&change(Subject::Session { old: Some(human), new: Some(closed) }));
    let event = &events[0];
    assert_eq!(event.at, AT.plus_millis(5));
    assert_eq!(event.data["sessionId"], SessionId::from_parts(AT, 7).as_str());
    assert_eq!(event.data["lastMessageId"], MessageId::from_parts(AT, 2).as_str(), "an internal note does not show");
    let previous = Value::Object(event.previous.clone().unwrap());
    let escalation = EscalationId::from_parts(AT, 9);
    let before = serde_json::json!({
        "ownership": "human", "escalationId": escalation, "closedAt": null, "closedReason": null, "resumableUntil": null,
    });
    assert_eq!(previous, before);
}

#[test]
fn a_turn_is_told_when_it_is_said_unless_it_is_internal_or_of_the_system() {
    let agent = AgentRef { id: "a1".into(), name: Some("Ann".into()) };
    let of_agent = |internal| turn(TurnBody::Agent(AgentTurn { agent: agent.clone(), internal }));
    let joined = SystemTurn { event: SystemEvent::AgentJoined, agent: Some(agent.clone()) };
    for told in [asked(), answer(answered()), of_agent(false)] {
        assert_eq!(kinds(turn_change(None, Some(told.clone()))), ["message.created"], "{told:?}");
    }
    for silent in [turn(TurnBody::System(joined)), of_agent(true)] {
        assert!(kinds(turn_change(None, Some(silent.clone()))).is_empty(), "{silent:?}");
    }
}

#[test]
fn an_unanswered_question_is_an_event_of_its_own() {
    let gap = AiTurn { unanswered: true, ..answered() };
    let events = events_of(&change(turn_change(None, Some(answer(gap)))));
    assert_eq!(
        events.iter().map(|e| e.kind).collect::<Vec<_>>(),
        [EventKind::MessageCreated, EventKind::AnswerUnanswered]
    );
    assert_ne!(events[0].id, events[1].id);
    // The question is another turn: whoever sends the event reads it.
    let mut answer = events[1].data.clone();
    assert_eq!(answer.remove("question"), Some(serde_json::Value::Null));
    assert_eq!(events[0].data, answer);
    assert_eq!(events[0].data["sessionId"], SessionId::from_parts(AT, 7).as_str());
}

#[test]
fn a_reaction_is_told_once_and_its_taking_back_is_not() {
    let reacted = |reaction| answer(AiTurn { reactions: vec![Reaction::Flag, reaction], ..answered() });
    let (up, down) = (reacted(Reaction::ThumbsUp), reacted(Reaction::ThumbsDown));
    let events = events_of(&change(turn_change(Some(up.clone()), Some(down))));
    assert_eq!(events.len(), 1);
    assert_eq!((events[0].kind, events[0].at), (EventKind::ReactionCreated, AT.plus_millis(900)));
    assert_eq!(events[0].data["reaction"], "thumbs_down");
    assert_eq!(events[0].previous.clone().unwrap()["reactions"], serde_json::json!(["flag", "thumbs_up"]));
    assert!(kinds(turn_change(Some(up), Some(answer(answered())))).is_empty());
    let now = turn(TurnBody::Customer(CustomerTurn { answered_by: Some(3), silence: None }));
    assert!(kinds(turn_change(Some(asked()), Some(now))).is_empty());
}

#[test]
fn an_escalation_tells_of_every_move_and_of_nothing_else() {
    use EscalationStatus as S;
    let subject = |old: Option<S>, new: S, outcome: Option<EscalationOutcome>| Subject::Escalation {
        old: old.map(escalation),
        new: Some(Escalation { outcome, ..escalation(new) }),
    };
    assert_eq!(kinds(subject(None, S::Pending, None)), ["handover.requested"]);
    assert_eq!(kinds(subject(None, S::Claimed, None)), ["handover.claimed"], "an agent stepped in");
    assert_eq!(kinds(subject(Some(S::Resolved), S::Claimed, None)), ["handover.reopened"]);
    assert_eq!(kinds(subject(Some(S::Pending), S::Claimed, None)), ["handover.claimed"]);
    assert_eq!(kinds(subject(Some(S::Claimed), S::Pending, None)), ["handover.released"]);
    assert_eq!(kinds(subject(Some(S::Claimed), S::Resolved, Some(EscalationOutcome::Resolved))), ["handover.resolved"]);
    for (outcome, expected) in [
        (Some(EscalationOutcome::HandedBack), "handover.returned"),
        (Some(EscalationOutcome::Cancelled), "handover.cancelled"),
        (Some(EscalationOutcome::Expired), "handover.cancelled"),
        (None, "handover.cancelled"),
    ] {
        assert_eq!(kinds(subject(Some(S::Pending), S::Closed, outcome)), [expected], "{outcome:?}");
    }
    for &status in S::ALL {
        let mut renewed = escalation(status);
        renewed.lease_expires_at = Some(AT);
        renewed.first_response_at = Some(AT);
        renewed.snoozed_until = Some(AT);
        let renewal = Subject::Escalation { old: Some(escalation(status)), new: Some(renewed) };
        assert!(kinds(renewal).is_empty(), "{status}");
    }
    let of = |agent: &str| Escalation {
        claimed_by: Some(AgentRef { id: agent.into(), name: None }),
        ..escalation(S::Claimed)
    };
    let subject = |old, new| Subject::Escalation { old: Some(of(old)), new: Some(of(new)) };
    assert_eq!(kinds(subject("anna", "bob")), ["handover.transferred"]);
    assert!(kinds(subject("anna", "anna")).is_empty());
}

#[test]
fn an_entry_is_made_changed_deleted_and_made_again() {
    let tombstone = EntryState { entry: None, version: 3, deleted_at: Some(AT.plus_millis(3)), deleted_by: None };
    assert_eq!(kinds(entry_change(EntryState::default(), entry(1, "x"))), ["entry.created"]);
    assert_eq!(kinds(entry_change(entry(1, "x"), entry(2, "y"))), ["entry.updated"]);
    assert!(kinds(entry_change(entry(2, "y"), entry(2, "y"))).is_empty(), "only bookkeeping changed");
    assert_eq!(kinds(entry_change(entry(2, "y"), tombstone.clone())), ["entry.deleted"]);
    assert!(kinds(entry_change(tombstone.clone(), tombstone.clone())).is_empty());
    assert_eq!(kinds(entry_change(tombstone, entry(4, "z"))), ["entry.created"]);
}

#[test]
fn a_deleted_entry_leaves_its_path_and_version_and_says_what_it_was() {
    let tombstone = EntryState { entry: None, version: 3, deleted_at: Some(AT.plus_millis(3)), deleted_by: None };
    let events = events_of(&change(entry_change(entry(2, "y"), tombstone)));
    let left = serde_json::json!({"path": "billing/refunds", "version": 3, "deletedAt": AT.plus_millis(3)});
    assert_eq!(Value::Object(events[0].data.clone()), left);
    let previous = events[0].previous.clone().unwrap();
    assert_eq!(
        (&previous["title"], &previous["version"], &previous["deletedAt"]),
        (&"Refunds".into(), &2.into(), &Value::Null)
    );
    assert!(!previous.contains_key("path"));
}

#[test]
fn a_receiver_that_is_disabled_is_told_and_its_secret_is_not() {
    let webhook = Webhook {
        webhook_id: WebhookId::from_parts(AT, 5),
        url: "https://user:pass@receiver.example/hook?token=s3cret".into(),
        events: Subscription::All,
        description: None,
        status: WebhookStatus::Active,
        disabled_reason: None,
        disabled_at: None,
        secret: EncryptedSecret("c2VhbGVk".into()),
        secret_hint: Some("9abc".into()),
        retired_secrets: Vec::new(),
        format: WebhookFormat::Events,
        created_at: AT,
        updated_at: AT,
        health: WebhookHealth::default(),
        version: 1,
    };
    let subject = |old: &Webhook, new: &Webhook| Subject::Webhook { old: Some(old.clone()), new: Some(new.clone()) };
    for &reason in DisabledReason::ALL {
        let disabled = webhook.clone().disabled(reason, AT.plus_millis(7));
        let events = events_of(&change(subject(&webhook, &disabled)));
        assert_eq!((events[0].kind, events[0].at), (EventKind::WebhookDisabled, AT.plus_millis(7)));
        assert_eq!(events[0].data["disabledReason"], reason.as_str());
        let payload: serde_json::Value = serde_json::from_str(&events[0].payload()).unwrap();
        assert_eq!(payload["data"]["url"], "https://receiver.example/hook");
        assert!(payload["data"].get("secretHint").is_none());
        for secret in ["c2VhbGVk", "9abc", "s3cret", "pass"] {
            assert!(!payload.to_string().contains(secret), "{secret} is told: {payload}");
        }
        assert!(kinds(subject(&disabled, &webhook)).is_empty() && kinds(subject(&disabled, &disabled)).is_empty());
    }
    assert!(kinds(Subject::Webhook { old: None, new: Some(webhook.clone()) }).is_empty());
    assert!(kinds(Subject::Webhook { old: Some(webhook), new: None }).is_empty());
}

#[test]
fn settings_are_no_events_and_neither_is_a_change_that_changes_nothing() {
    assert!(kinds(Subject::Settings { old: Settings::default(), new: Settings::default() }).is_empty());
    let same = |s: &Session| Subject::Session { old: Some(s.clone()), new: Some(s.clone()) };
    for state in states() {
        assert!(kinds(same(&session(state))).is_empty());
    }
    let ai = answer(answered());
    assert!(kinds(turn_change(Some(ai.clone()), Some(ai))).is_empty());
}

#[test]
fn the_same_change_tells_the_same_events_and_another_record_others() {
    let mut read_again = change(turn_change(None, Some(answer(answered()))));
    let first = events_of(&read_again);
    assert_eq!(first, events_of(&read_again));
    assert_eq!(first[0].id.ulid().timestamp_ms(), 1_767_323_045_678);
    read_again.record_id = "record-2".into();
    assert_ne!(first[0].id, events_of(&read_again)[0].id);
}

#[test]
fn the_envelope_has_the_fields_of_the_contract() {
    let events = events_of(&change(entry_change(entry(1, "x"), entry(2, "y"))));
    let payload: Value = serde_json::from_str(&events[0].payload()).unwrap();
    let names: Vec<&String> = payload.as_object().unwrap().keys().collect();
    assert_eq!(names, ["data", "id", "mode", "previous", "tenantId", "timestamp", "type"]);
    assert_eq!(payload["type"], "entry.updated");
    assert_eq!(payload["timestamp"], "2026-01-02T03:04:05.678Z");
    assert_eq!((&payload["mode"], &payload["tenantId"]), (&"live".into(), &scope().tenant.as_str().into()));
    assert_eq!(payload["data"]["content"], "y");
    assert_eq!(payload["previous"], serde_json::json!({"content": "x", "version": 1}));
}

#[test]
fn a_large_event_is_cut_at_its_longest_texts_and_says_so() {
    for content in ["é".repeat(200_000), "\u{1}\"\\".repeat(60_000), "x".repeat(20_000)] {
        let events = events_of(&change(entry_change(entry(1, &content), entry(2, &content.replace('x', "y")))));
        let payload = events[0].payload();
        assert!(payload.len() <= MAX_BYTES && payload.len() > MAX_BYTES - 200, "{} bytes", payload.len());
        let read: Value = serde_json::from_str(&payload).unwrap();
        assert_eq!(read["truncated"], true);
        assert_eq!((&read["data"]["title"], &read["data"]["path"]), (&"Refunds".into(), &"billing/refunds".into()));
        let cut = read["data"]["content"].as_str().unwrap();
        assert!(content.replace('x', "y").starts_with(cut) && !cut.is_empty());
    }
}

#[test]
fn lists_and_maps_that_do_not_fit_are_cut_too() {
    let mut long = session(SessionState::AI);
    long.tags = (0..5_000).map(|i| format!("tag number {i}")).collect();
    let hostile = std::iter::repeat_n('\u{1}', 4_000).collect::<String>();
    let mut wide = session(SessionState::AI);
    wide.metadata = (0..50).map(|i| (format!("{i}{hostile}"), Value::from(hostile.clone()))).collect();
    for session in [long, wide] {
        let id = session.session_id.clone();
        let payload = events_of(&change(Subject::Session { old: None, new: Some(session) }))[0].payload();
        assert!(payload.len() <= MAX_BYTES, "{} bytes", payload.len());
        let read: Value = serde_json::from_str(&payload).unwrap();
        assert_eq!((&read["truncated"], &read["data"]["sessionId"]), (&true.into(), &id.as_str().into()));
    }
}
