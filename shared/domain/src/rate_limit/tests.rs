//! What the meters of several processes let through together.

use super::*;

const MINUTE: Quota = Quota::per_minute("key", 600);
const HOUR: Quota = Quota::per_hour("sessions", 10);

fn draw(quota: Quota, tokens: u32) -> Draw {
    Draw { quota, subject: "s".into(), tokens, is_reported: true }
}

/// A stored bucket that carries out charges as the table does.
#[derive(Default)]
struct Stored(Option<i64>);

impl Stored {
    fn charge(&mut self, charge: &Charge) -> Charged {
        let seen = self.0.unwrap_or(charge.now_us);
        let after = if charge.supposed_full { charge.now_us } else { seen } + charge.move_us;
        let moves = self.0.is_none_or(|seen| seen > charge.now_us);
        let holds = if charge.supposed_full { seen <= charge.now_us } else { moves };
        if !holds || after > charge.latest_us {
            return Charged::Differs(self.0);
        }
        self.0 = Some(after);
        Charged::Stored(after)
    }
}

/// One call; whether it was stored.
fn call(meter: &mut Meter, stored: &mut Stored, draw: &Draw, now_us: i64) -> Result<bool, Exhausted> {
    meter.take(draw, now_us)?;
    let is_due = meter.urgency(&draw.quota, now_us).is_some();
    if is_due {
        let charge = meter.charge(&draw.quota, now_us);
        let outcome = stored.charge(&charge);
        meter.learn(draw, &charge, outcome, now_us)?;
    }
    Ok(is_due)
}

#[test]
fn a_quota_is_let_through_and_comes_back_evenly() {
    let (mut meter, mut stored) = (Meter::default(), Stored::default());
    for quota in [MINUTE, HOUR] {
        let now = 1_000_000_000_000_000 + i64::from(quota.limit);
        let one = draw(quota, 1);
        (meter, stored) = (Meter::default(), Stored::default());
        for left in (0..quota.limit).rev() {
            call(&mut meter, &mut stored, &one, now).unwrap();
            assert_eq!(meter.standing(&one, now).remaining, left);
        }
        let refused = call(&mut meter, &mut stored, &one, now).unwrap_err();
        assert_eq!(refused.retry_after_seconds, u64::from(quota.window_seconds.div_ceil(quota.limit)));
        assert_eq!(refused.standing.remaining, 0);
        assert_eq!(refused.standing.reset_seconds, u64::from(quota.window_seconds));
        let later = now + quota.refill_us(1);
        call(&mut meter, &mut stored, &one, later).unwrap();
        assert!(call(&mut meter, &mut stored, &one, later).is_err());
    }
    assert!(stored.0.is_some() && !meter.is_full(0));
}

#[test]
fn a_busy_process_stores_a_fiftieth_at_a_time_and_a_small_quota_each_call() {
    let count = |quota: Quota, calls: usize| {
        let (mut meter, mut stored) = (Meter::default(), Stored::default());
        let one = draw(quota, 1);
        (0..calls).filter(|_| call(&mut meter, &mut stored, &one, 1_000_000).unwrap()).count()
    };
    assert_eq!(count(MINUTE, 600), 1 + 599 / 12);
    assert_eq!(count(Quota::per_minute("messages", 20), 20), 20);
    assert_eq!(count(HOUR, 10), 10);
}

#[test]
fn processes_share_a_quota_but_for_a_fiftieth_each() {
    let mut stored = Stored::default();
    for (quota, most) in [(HOUR, 10), (MINUTE, 600 + 4 * 12)] {
        stored.0 = None;
        let mut meters: Vec<Meter> = vec![Meter::default(); 4];
        let mut passed = 0;
        for i in 0..4_000_usize {
            let meter = meters.get_mut(i % 4).unwrap();
            passed += u32::from(call(meter, &mut stored, &draw(quota, 1), 7_000_000).is_ok());
        }
        assert!((quota.limit..=most).contains(&passed), "{passed} of {}", quota.limit);
    }
}

/// How many calls of `processes` pass in `seconds`, where each calls every `every_ms`.
fn passed(quota: Quota, processes: i64, every_ms: i64, seconds: i64) -> i64 {
    let (mut stored, one) = (Stored::default(), draw(quota, 1));
    let mut meters: Vec<Meter> = vec![Meter::default(); usize::try_from(processes).unwrap()];
    let mut passed = 0;
    for round in 0..seconds * 1_000 / every_ms {
        for (position, meter) in (0..).zip(&mut meters) {
            let now = 1_000_000_000 + round * every_ms * 1_000 + position * every_ms * 1_000 / processes;
            passed += i64::from(call(meter, &mut stored, &one, now).is_ok());
        }
    }
    passed
}

#[test]
fn processes_that_call_seldom_share_a_quota_too() {
    let tenant = Quota::per_minute("tenant-widgets", 30_000);
    for (quota, processes, every_ms) in
        [(MINUTE, 10, 200), (MINUTE, 30, 400), (MINUTE, 20, 2_000), (tenant, 100, 20), (tenant, 300, 100)]
    {
        let seconds = 180;
        let passed = passed(quota, processes, every_ms, seconds);
        let limit = i64::from(quota.limit);
        // A full bucket, and what comes back.
        let allowed = limit + limit * seconds / 60;
        let asked = processes * seconds * 1_000 / every_ms;
        let unseen = processes * (limit / 50).max(5_000 / every_ms);
        let expected = allowed.min(asked) - unseen..=allowed + unseen;
        assert!(expected.contains(&passed), "{passed} of {allowed}: {processes} every {every_ms} ms");
    }
}

#[test]
fn who_stays_below_the_quota_is_never_refused() {
    for (processes, every_ms) in [(1, 101), (10, 1_010), (40, 4_100), (1, 30_000)] {
        let asked = processes * (600_000 / every_ms);
        assert_eq!(passed(MINUTE, processes, every_ms, 600), asked, "{processes} every {every_ms} ms");
    }
}

#[test]
fn many_tokens_that_are_owed_for_long_are_stored_before_a_larger_share() {
    let tenant = Quota::per_minute("tenant-widgets", 30_000);
    let messages = Quota::per_minute("visitor-messages", 20);
    let (mut meter, mut visitor) = (Meter::default(), Meter::default());
    visitor.take(&draw(messages, 1), 6_000_000).unwrap();
    for (calls, comes_first) in [(49, false), (1, true)] {
        (0..calls).for_each(|_| meter.take(&draw(tenant, 1), 1_000_000).unwrap());
        let urgency = |meter: &Meter, quota| meter.urgency(&quota, 6_000_000).unwrap();
        assert_eq!(urgency(&meter, tenant) > urgency(&visitor, messages), comes_first);
    }
}

#[test]
fn a_call_that_another_bucket_refuses_takes_nothing_and_a_failing_store_lets_through() {
    let mut meter = Meter::default();
    let three = draw(MINUTE, 3);
    meter.take(&three, 5).unwrap();
    meter.give_back(&three);
    assert_eq!(meter.standing(&three, 5).remaining, 600);
    assert_eq!(meter.urgency(&MINUTE, 5), None);
    meter.take(&three, 5).unwrap();
    let charge = meter.charge(&MINUTE, 5);
    meter.restore(&charge);
    assert_eq!(meter.standing(&three, 5).remaining, 597);
    assert_eq!(meter.charge(&MINUTE, 5), charge);
}

/// One call of a process that tries again where others changed the bucket, as the store does for an exact quota.
fn exact_call(meter: &mut Meter, stored: &mut Stored, draw: &Draw, now_us: i64) -> Result<usize, Exhausted> {
    meter.take(draw, now_us)?;
    let mut writes = 0;
    while meter.urgency(&draw.quota, now_us).is_some() && writes < 3 {
        let charge = meter.charge(&draw.quota, now_us);
        let outcome = stored.charge(&charge);
        writes += 1;
        meter.learn(draw, &charge, outcome, now_us)?;
    }
    Ok(writes)
}

#[test]
fn a_quota_of_up_to_fifty_is_exact_also_where_each_call_finds_an_idle_bucket_in_another_process() {
    for quota in [Quota::per_hour("escalations", 6), HOUR, Quota::per_minute("messages", 20), MINUTE] {
        assert_eq!(quota.is_exact(), quota != MINUTE);
    }
    for quota in [Quota::per_hour("escalations", 6), HOUR, Quota::per_minute("messages", 20)] {
        let (now, one) = (1_000_000_000_000, draw(quota, 1));
        // It was used, and is full again.
        let mut stored = Stored(Some(now - 1));
        let mut meters: Vec<Meter> = vec![Meter::default(); 40];
        let mut passed = 0;
        for i in 0..200_usize {
            let meter = meters.get_mut(i % 40).unwrap();
            passed += u32::from(exact_call(meter, &mut stored, &one, now).is_ok());
        }
        assert_eq!(passed, quota.limit, "{}", quota.name);
        assert_eq!(stored.0, Some(now + quota.window_us()));
    }
}

#[test]
fn who_comes_seldom_costs_one_write_a_call_whichever_process_it_comes_to() {
    let (one, mut stored) = (draw(Quota::per_minute("messages", 20), 1), Stored::default());
    let mut meters: Vec<Meter> = vec![Meter::default(); 5];
    for i in 0..50_i64 {
        let meter = meters.get_mut(usize::try_from(i * i % 5).unwrap()).unwrap();
        assert_eq!(exact_call(meter, &mut stored, &one, 1_000_000_000 + i * 4_000_000).unwrap(), 1);
    }
}

#[test]
fn what_was_not_done_is_given_back_wherever_it_is_counted() {
    let (one, mut meter, mut stored) = (draw(HOUR, 1), Meter::default(), Stored::default());
    let now = 1_000_000_000;
    for _ in 0..30 {
        exact_call(&mut meter, &mut stored, &one, now).unwrap();
        let back = meter.refund(&one).expect("it was stored");
        stored.0 = stored.0.map(|at| at - back);
        meter.refunded(&HOUR, stored.0.unwrap(), now);
        assert_eq!(meter.standing(&one, now).remaining, 10);
    }
    // Where the table did not take it, nothing is to be moved there.
    meter.take(&one, now).unwrap();
    assert_eq!((meter.refund(&one), meter.standing(&one, now).remaining), (None, 10));
}

#[test]
fn an_idle_bucket_forgets_what_was_not_stored() {
    let mut meter = Meter::default();
    let one = draw(MINUTE, 1);
    meter.take(&one, 0).unwrap();
    meter.take(&one, 60_000_000).unwrap();
    assert_eq!(meter.unstored, 1);
}

#[test]
fn a_bucket_stored_under_a_clock_that_was_ahead_refuses_nothing() {
    let (mut meter, one, now) = (Meter::default(), draw(MINUTE, 1), 1_000_000_000);
    let mut stored = Stored(Some(now + MINUTE.window_us() + 300 * US_PER_SECOND));
    let passed = (0..700).filter(|_| call(&mut meter, &mut stored, &one, now).is_ok()).count();
    assert_eq!(passed, 600, "the process counts by itself");
    let later = now + 600 * US_PER_SECOND;
    assert!(call(&mut meter, &mut stored, &one, later).unwrap());
    assert_eq!(stored.0, Some(later + MINUTE.refill_us(1)));
}
