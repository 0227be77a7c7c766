use super::*;

#[test]
fn the_table_of_deliveries_is_the_one_written_here() {
    use DeliveryAction as A;
    use DeliveryStatus as S;
    let allowed = [
        (S::Pending, A::Succeed, S::Succeeded),
        (S::Pending, A::Retry, S::Pending),
        (S::Pending, A::GiveUp, S::Failed),
        (S::Pending, A::Hold, S::Held),
        (S::Pending, A::Resend, S::Pending),
        (S::Pending, A::Erase, S::Erased),
        (S::Held, A::Release, S::Pending),
        (S::Held, A::Resend, S::Pending),
        (S::Held, A::Erase, S::Erased),
        (S::Succeeded, A::Resend, S::Pending),
        (S::Succeeded, A::Erase, S::Erased),
        (S::Failed, A::Resend, S::Pending),
        (S::Failed, A::Erase, S::Erased),
    ];
    for &from in S::ALL {
        for action in A::ALL {
            let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
            assert_eq!(from.after(action), expected, "{from} {action:?}");
        }
    }
}

#[test]
fn a_delivery_whose_workers_record_nothing_is_given_up_and_a_recorded_attempt_clears_that() {
    let at = Timestamp::from_millis;
    let event = OutgoingEvent {
        event_id: EventId::from_parts(at(0), 1),
        kind: EventKind::WebhookTest,
        at: at(0),
        session_id: None,
        body: "{}".into(),
    };
    let lease = || DeliveryLease { holder: "h".into(), until: at(1) };
    let mut delivery = Delivery::new(event, WebhookId::from_parts(at(0), 2), false, at(0));
    for _ in 0..MAX_INTERRUPTIONS {
        assert!(!delivery.has_too_many_interruptions());
        delivery = delivery.leased(lease());
    }
    assert!(delivery.has_too_many_interruptions());
    let failure = Attempt { at: at(2), status: Some(500), error: None, redirects_to: None, duration_ms: 1 };
    let recorded = delivery.clone().failed(failure, None, Some(at(3)), false).unwrap();
    assert!(!recorded.has_too_many_interruptions() && !recorded.leased(lease()).has_too_many_interruptions());
    let given_up = delivery.interrupted(at(2)).unwrap();
    assert_eq!((given_up.status, given_up.due_at), (DeliveryStatus::Failed, None));
    assert_eq!(given_up.attempts[0].error, Some(AttemptError::Interrupted));
}

#[test]
fn only_2xx_is_success() {
    for (status, success) in [(199, false), (200, true), (204, true), (299, true), (300, false), (308, false)] {
        let attempt = Attempt {
            at: Timestamp::from_millis(0),
            status: Some(status),
            error: None,
            redirects_to: None,
            duration_ms: 1,
        };
        assert_eq!(attempt.is_success(), success, "{status}");
    }
}
