use super::*;

fn job() -> IngestJob {
    IngestJob {
        ingest_id: IngestId::from_parts(Timestamp::from_millis(1), 1),
        status: IngestStatus::Queued,
        url: None,
        text_chunks: 1,
        path_prefix: PathPrefix::parse("docs").unwrap(),
        visibility: Visibility::Internal,
        entries: Vec::new(),
        error: None,
        attempts: 0,
        earlier_attempts: 0,
        created_at: Timestamp::from_millis(1_000),
        created_by: "key_1".into(),
        finished_at: None,
        every: None,
        repeated_at: None,
        page: None,
        lease: None,
        version: 1,
    }
}

#[test]
fn the_table_of_jobs_allows_exactly_what_it_lists() {
    use IngestAction as A;
    use IngestStatus as S;
    let allowed = [
        (S::Queued, A::Claim, S::Running),
        (S::Running, A::Claim, S::Running),
        (S::Running, A::Release, S::Queued),
        (S::Running, A::Complete, S::Completed),
        (S::Running, A::Fail, S::Failed),
        (S::Failed, A::Retry, S::Queued),
        (S::Failed, A::Repeat, S::Queued),
        (S::Completed, A::Repeat, S::Queued),
    ];
    for &from in S::ALL {
        for action in [A::Claim, A::Release, A::Complete, A::Fail, A::Retry, A::Repeat] {
            let expected = allowed.iter().find(|(f, a, _)| *f == from && *a == action).map(|(_, _, to)| *to);
            assert_eq!(from.after(action), expected, "{from} {action:?}");
        }
    }
}

#[test]
fn a_job_is_of_one_worker_until_its_lease_ends() {
    let now = Timestamp::from_millis(2_000);
    let claimed = job().claimed("a", now).unwrap();
    assert_eq!((claimed.attempts, claimed.version, claimed.due_at()), (1, 2, Some(now.plus_millis(INGEST_LEASE_MS))));
    assert_eq!(claimed.claimed("b", now.plus_millis(INGEST_LEASE_MS - 1)), None);
    let taken = claimed.claimed("b", now.plus_millis(INGEST_LEASE_MS)).unwrap();
    assert_eq!((taken.attempts, taken.lease.unwrap().token.as_str()), (2, "b"));
}

#[test]
fn a_job_that_waits_is_looked_at_and_one_that_is_done_is_not() {
    let now = Timestamp::from_millis(9_000);
    assert_eq!(job().due_at(), Some(Timestamp::from_millis(1_000 + INGEST_QUEUE_GRACE_MS)));
    let running = job().claimed("a", now).unwrap();
    assert_eq!(running.released(now).unwrap().due_at(), Some(now.plus_millis(INGEST_QUEUE_GRACE_MS)));
    assert_eq!(running.completed(Vec::new(), None, now).unwrap().due_at(), None);
    let error = IngestError { code: IngestErrorCode::Timeout, message: "m".into() };
    let failed = running.failed(error, now).unwrap();
    assert_eq!(failed.due_at(), None);
    let again = failed.retried(now).unwrap();
    assert_eq!(
        (again.status, again.attempts, again.error.as_ref(), again.finished_at),
        (IngestStatus::Queued, 1, None, None)
    );
    let mut worn = again;
    for _ in 0..IngestJob::MAX_ATTEMPTS {
        assert!(!worn.has_no_attempts_left());
        worn = worn.claimed("b", now).unwrap().released(now).unwrap();
    }
    assert!(worn.has_no_attempts_left() && worn.attempts == 1 + IngestJob::MAX_ATTEMPTS);
}

#[test]
fn a_job_with_an_interval_is_done_again_on_its_day_however_late_a_run_was() {
    const DAY: i64 = 86_400_000;
    let at = |days: i64, more: i64| Timestamp::from_millis(1_000 + days * DAY + more);
    let daily = IngestJob { every: Some(IngestInterval::Day), ..job() };
    let done = |job: &IngestJob, now| job.claimed("a", now).unwrap().completed(Vec::new(), None, now).unwrap();
    let first = done(&daily, at(0, 5_000));
    assert_eq!((first.next_run_at(), first.due_at()), (Some(at(1, 0)), Some(at(1, 0))));
    let second = first.repeated(at(1, 30_000)).unwrap();
    assert_eq!(
        (second.status, second.next_run_at(), second.has_no_attempts_left()),
        (IngestStatus::Queued, None, false)
    );
    assert!(second.is_of_this_run(at(1, 30_000)) && !second.is_of_this_run(at(0, 5_000)));
    assert_eq!(done(&second, at(4, 7)).due_at(), Some(at(5, 0)), "the days that were missed are not made up for");
    let weekly = IngestJob { every: Some(IngestInterval::Week), ..job() };
    assert_eq!(done(&weekly, at(7, 0)).due_at(), Some(at(14, 0)));
    assert_eq!(first.unscheduled().due_at(), None);
    assert_eq!((done(&job(), at(0, 0)).repeated(at(9, 0)), second.repeated(at(2, 0))), (None, None));
}

#[test]
fn a_later_run_knows_the_sections_that_are_written_and_no_other() {
    let now = Timestamp::from_millis(9_000);
    let prefix = PathPrefix::parse("docs").unwrap();
    let actions = EntryAction::ALL.iter().map(|&action| IngestedEntry {
        path: prefix.path(action.as_str()).unwrap(),
        action,
        section: "h".into(),
        draft_id: None,
    });
    let planned = IngestJob { every: Some(IngestInterval::Day), ..job() }.claimed("a", now).unwrap();
    let planned = planned.planned(actions.collect());
    let known = |job: Option<IngestJob>| {
        let entries = job.unwrap().entries.into_iter();
        entries.map(|entry| format!("{} {}", entry.path, entry.action)).collect::<Vec<_>>()
    };
    let completed = planned.completed(planned.entries.clone(), None, now).unwrap();
    assert_eq!(
        known(completed.repeated(now)),
        ["docs/created unchanged", "docs/updated unchanged", "docs/unchanged unchanged", "docs/conflict conflict"]
    );
    let error = IngestError { code: IngestErrorCode::InternalError, message: "m".into() };
    let failed = planned.failed(error, now).unwrap();
    let left = ["docs/created unchanged", "docs/unchanged unchanged", "docs/conflict conflict"];
    assert_eq!(
        (known(failed.repeated(now)), known(failed.retried(now))),
        (left.map(str::to_owned).into(), left.map(str::to_owned).into())
    );
}
