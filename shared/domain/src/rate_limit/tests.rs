//! The calls that the meters of several processes let through together.

use super::*;

const MINUTE: Quota = Quota::per_minute("key", 600);
const HOUR: Quota = Quota::per_hour("sessions", 10);
const NOW: i64 = 1_000_000_000_000_000;

fn draw(quota: Quota, tokens: u32) -> Draw {
    Draw { quota, subject: "s".into(), tokens }
}

/// A stored bucket that carries out charges as the table does.
#[derive(Default)]
struct Stored(Option<i64>);

impl Stored {
    fn write(&mut self, meter: &mut Meter, charge: &Charge) {
        let holds = match self.0 {
            Some(at) if charge.is_idle => at <= charge.now_us || at > charge.wrong_us,
            Some(at) => at > charge.now_us && at <= charge.latest_us,
            None => charge.is_idle,
        };
        if holds {
            let from = self.0.filter(|_| !charge.is_idle).unwrap_or(charge.now_us);
            self.0 = Some(from + charge.move_us);
        }
        meter.learn(charge, self.0, if holds { charge.move_us } else { 0 });
    }

    /// One call of a process; how many writes it made.
    fn call(&mut self, meter: &mut Meter, draw: &Draw, now_us: i64) -> Result<usize, Exhausted> {
        let mut writes = 0;
        while let Some(charge) = meter.spend(draw, now_us)? {
            self.write(meter, &charge);
            writes += 1;
            assert!(writes <= 5, "the store would let it through");
        }
        Ok(writes)
    }
}

fn meters(processes: usize) -> Vec<Meter> {
    vec![Meter::default(); processes]
}

#[test]
fn a_quota_is_let_through_and_comes_back_evenly() {
    for quota in [MINUTE, HOUR] {
        let (mut meter, mut stored, one) = (Meter::default(), Stored::default(), draw(quota, 1));
        for left in (0..quota.limit).rev() {
            stored.call(&mut meter, &one, NOW).unwrap();
            assert_eq!(meter.standing(&one, NOW).remaining, left);
        }
        let refused = stored.call(&mut meter, &one, NOW).unwrap_err();
        assert_eq!(refused.retry_after_seconds, u64::from(quota.window_seconds.div_ceil(quota.limit)));
        assert_eq!(refused.standing.remaining, 0);
        assert_eq!(refused.standing.reset_seconds, u64::from(quota.window_seconds));
        let later = NOW + quota.refill_us(1);
        stored.call(&mut meter, &one, later).unwrap();
        assert!(stored.call(&mut meter, &one, later).is_err());
        let full = later + quota.window_us();
        stored.call(&mut meter, &one, full).unwrap();
        assert_eq!(meter.standing(&one, full).remaining, quota.limit - 1);
    }
}

#[test]
fn a_busy_process_stores_a_fiftieth_at_a_time_and_a_small_quota_each_call() {
    let writes = |quota: Quota, calls: i64, every_ms: i64| {
        let (mut meter, mut stored, one) = (Meter::default(), Stored::default(), draw(quota, 1));
        (0..calls).map(|i| stored.call(&mut meter, &one, NOW + i * every_ms * 1_000).unwrap()).sum::<usize>()
    };
    // At its quota for ten minutes, seldom, and half of it at once.
    assert_eq!((writes(MINUTE, 6_000, 100), writes(MINUTE, 24, 30_000), writes(MINUTE, 300, 0)), (500, 2, 234));
    assert_eq!(writes(Quota::per_minute("visitor", 120), 300, 2_000), 100);
    assert_eq!((writes(Quota::per_minute("messages", 20), 20, 0), writes(HOUR, 10, 0)), (20, 10));
}

#[test]
fn processes_that_call_at_once_share_a_quota_exactly() {
    for quota in [HOUR, Quota::per_minute("messages", 20), Quota::per_minute("visitor", 120), MINUTE] {
        let (mut stored, mut meters) = (Stored::default(), meters(40));
        let calls = (0..4_000_usize).filter(|i| {
            let meter = meters.get_mut(i % 40).unwrap();
            stored.call(meter, &draw(quota, 1), NOW).is_ok()
        });
        assert_eq!(u32::try_from(calls.count()).unwrap(), quota.limit, "{}", quota.name);
    }
}

#[test]
fn a_process_that_comes_back_has_a_fiftieth_more_and_of_a_quota_of_up_to_fifty_nothing() {
    for (quota, more) in [(Quota::per_minute("most", 50), 0), (HOUR, 0), (MINUTE, 11)] {
        let (mut stored, mut meter, one) = (Stored::default(), Meter::default(), draw(quota, 1));
        stored.call(&mut meter, &one, NOW).unwrap();
        let later = NOW + 2 * quota.window_us();
        let passed = (0..2 * quota.limit).filter(|_| stored.call(&mut meter, &one, later).is_ok()).count();
        assert_eq!(u32::try_from(passed).unwrap(), quota.limit + more, "{}", quota.limit);
    }
}

#[test]
fn tokens_that_many_processes_keep_refuse_nobody_who_uses_seven_eighths_of_the_quota() {
    let (mut stored, one) = (Stored::default(), draw(MINUTE, 1));
    for mut meter in meters(525) {
        stored.call(&mut meter, &one, NOW).unwrap();
    }
}

/// How many calls of `processes` pass in `seconds`, if each calls every `every_ms`.
fn passed(quota: Quota, processes: i64, every_ms: i64, seconds: i64) -> i64 {
    let (mut stored, one) = (Stored::default(), draw(quota, 1));
    let mut meters = meters(usize::try_from(processes).unwrap());
    let mut passed = 0;
    for round in 0..seconds * 1_000 / every_ms {
        for (position, meter) in (0..).zip(&mut meters) {
            let now = NOW + round * every_ms * 1_000 + position * every_ms * 1_000 / processes;
            passed += i64::from(stored.call(meter, &one, now).is_ok());
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
        let allowed = (limit + limit * seconds / 60).min(processes * seconds * 1_000 / every_ms);
        let kept = processes * limit / 50;
        let expected = allowed - kept..=allowed + kept;
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
fn a_quota_of_up_to_fifty_is_exact_also_where_each_call_finds_an_idle_bucket_in_another_process() {
    for quota in [Quota::per_hour("escalations", 6), HOUR, Quota::per_minute("messages", 20)] {
        // It was used, and is full again.
        let (mut stored, mut meters, one) = (Stored(Some(NOW - 1)), meters(40), draw(quota, 1));
        let passed = (0..200_usize).filter(|i| stored.call(meters.get_mut(i % 40).unwrap(), &one, NOW).is_ok());
        assert_eq!(u32::try_from(passed.count()).unwrap(), quota.limit, "{}", quota.name);
        assert_eq!(stored.0, Some(NOW + quota.window_us()));
    }
}

#[test]
fn who_comes_seldom_costs_one_write_a_call_whichever_process_it_comes_to() {
    let (one, mut stored, mut meters) = (draw(Quota::per_minute("messages", 20), 1), Stored::default(), meters(5));
    for i in 0..50_i64 {
        let meter = meters.get_mut(usize::try_from(i * i % 5).unwrap()).unwrap();
        assert_eq!(stored.call(meter, &one, NOW + i * 4_000_000).unwrap(), 1);
    }
}

#[test]
fn a_bucket_stored_under_a_clock_that_was_ahead_refuses_nothing() {
    let (mut meter, one) = (Meter::default(), draw(MINUTE, 1));
    let mut stored = Stored(Some(NOW + MINUTE.window_us() + 300 * US_PER_SECOND));
    let passed = (0..700).filter(|_| stored.call(&mut meter, &one, NOW).is_ok()).count();
    assert_eq!(passed, 600);
    assert_eq!(stored.0, Some(NOW + MINUTE.window_us()));
}

#[test]
fn a_draw_that_counts_a_tenth_lets_ten_times_as_many_through() {
    for (quota, most) in [(MINUTE, 2_000), (Quota::per_minute("visitor", 120), 400)] {
        let (list, mut meter, mut stored) = (draw(quota, 3), Meter::default(), Stored::default());
        let mut passed = 0;
        while stored.call(&mut meter, &list, NOW).is_ok() {
            passed += 1;
            meter.count_a_tenth(&list);
        }
        assert!((most - 20..=most).contains(&passed), "{passed}");
    }
}

#[test]
fn what_was_not_stored_is_neither_given_back_nor_a_tenth() {
    let (mut meter, hour, minute) = (Meter::default(), draw(HOUR, 1), draw(MINUTE, 1));
    meter.let_through(&hour);
    assert!(meter.forgive(&hour) && !meter.forgive(&hour), "once");
    let mut meter = Meter::default();
    meter.let_through(&minute);
    meter.count_a_tenth(&minute);
    assert!(matches!(meter.spend(&minute, NOW), Ok(Some(_))), "nothing is kept");
    meter.pause(NOW);
    assert!(meter.is_paused(NOW + PAUSE_US - 1) && !meter.is_paused(NOW + PAUSE_US));
}
