//! Checks that a pure text function does linear work: what it takes may not triple when its text doubles. The other
//! doubling must grow by more than [`BESIDE`], too: work that is not linear grows at both doublings, a step (a cache that
//! is full, a table that is made larger) at one.
//!
//! [`linear`] runs a function on a quarter, a half and all of the longest text, made of one repeated unit, on a thread
//! with a small stack. It counts the allocations of that thread and their bytes, which are the same in every run. A scan
//! that does not allocate is seen by its processor time alone: [`VARIABLE`]`=time` measures that instead, as
//! `tests/soak/run.sh` does.

use std::time::Duration;

use cpu_time::ThreadTime;

/// The environment variable that chooses the measure: `time`, or allocations if it is not set.
pub const VARIABLE: &str = "SUPPORT_TEST_GROWTH";

/// The stack of the thread: a quarter of what threads of the service have.
const STACK_BYTES: usize = 512 * 1024;
/// The most times that the work may grow when the text doubles.
const MOST: f64 = 3.0;
/// By how much the work grows at the other doubling, if it triples at one: an² + bn that triples from a half to the
/// whole grows 2.67 times from a quarter to a half.
const BESIDE: f64 = 2.4;
/// One measurement of time repeats its run until it took so long, at most [`REPEATS`] times.
const ENOUGH: Duration = Duration::from_millis(20);
const REPEATS: usize = 5;

/// Repetitions that any text function may meet: digits, words, scripts without spaces, marks, the start of every
/// markup.
pub const UNITS: [&str; 24] = [
    "9 ",
    "9",
    "9.9.99 ",
    "a ",
    "a",
    "A\n",
    "一",
    "আসল ",
    "[",
    "]",
    "<",
    "&",
    "\u{301}",
    "e\u{301}",
    "\u{200D}",
    "\u{1F468}\u{200D}",
    "(",
    "*a ",
    "`",
    "\\",
    ". ",
    "\"",
    "\n\n",
    "\t",
];

/// The figures of one run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    /// The number of allocations, and their bytes.
    Allocations,
    /// Seconds.
    Time,
}

impl Measure {
    /// The amounts on the longest text from which on their growth is checked.
    fn floors(self) -> [f64; 2] {
        match self {
            Self::Allocations => [1_000.0, 65_536.0],
            Self::Time => [0.004, f64::MAX],
        }
    }

    /// The number of rounds in which the least amounts grow too fast before it counts as a failure. Allocations have
    /// several because tables are made once, and another thread may keep a regular expression's cache.
    fn rounds(self) -> usize {
        match self {
            Self::Allocations => 3,
            Self::Time => 40,
        }
    }

    fn of(self, run: impl Fn()) -> [f64; 2] {
        match self {
            Self::Allocations => {
                let counted = allocation_counter::measure(run);
                [counted.count_total as f64, counted.bytes_total as f64]
            }
            Self::Time => [least_time(run).as_secs_f64(), 0.0],
        }
    }
}

/// Panics when the work of `run` grows faster than its text, or when it needs more than a small stack.
///
/// `longest` is the most characters that `run` is given here; each of `units` is repeated to make a text of it.
pub fn linear<'u>(name: &str, longest: usize, units: impl IntoIterator<Item = &'u str>, run: impl Fn(&str) + Sync) {
    let measures_time = std::env::var(VARIABLE).is_ok_and(|measure| measure == "time");
    let faults = faults(if measures_time { Measure::Time } else { Measure::Allocations }, longest, units, run);
    assert!(faults.is_empty(), "{name} is not linear:\n{}", faults.join("\n"));
}

/// The units on which the work grows too fast, each with what it took.
fn faults<'u>(
    measure: Measure,
    longest: usize,
    units: impl IntoIterator<Item = &'u str>,
    run: impl Fn(&str) + Sync,
) -> Vec<String> {
    let units: Vec<&str> = units.into_iter().collect();
    let check_all = || units.iter().filter_map(|unit| check(measure, unit, longest, &run)).collect();
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        match thread.spawn_scoped(scope, check_all).map(|running| running.join()) {
            Ok(Ok(faults)) => faults,
            Ok(Err(panicked)) => std::panic::resume_unwind(panicked),
            Err(error) => vec![format!("no thread: {error}")],
        }
    })
}

/// The fault in the growth of `run` on one unit, or nothing.
fn check(measure: Measure, unit: &str, longest: usize, run: &impl Fn(&str)) -> Option<String> {
    let texts = [4, 2, 1].map(|part| unit.repeat((longest / part / unit.chars().count()).max(1)));
    let mut least = [[f64::MAX; 3]; 2];
    for _ in 0..measure.rounds() {
        let taken = texts.each_ref().map(|text| measure.of(|| run(text)));
        let taken = [taken.map(|[first, _]| first), taken.map(|[_, second]| second)];
        for (least, taken) in least.iter_mut().flatten().zip(taken.into_iter().flatten()) {
            *least = least.min(taken);
        }
        if least.iter().zip(measure.floors()).all(|(least, floor)| is_linear(*least, floor)) {
            return None;
        }
    }
    Some(format!("  {:?}: {measure:?} {least:?}", unit.chars().take(40).collect::<String>()))
}

/// The least processor time of some runs.
fn least_time(run: impl Fn()) -> Duration {
    let (mut least, mut all) = (Duration::MAX, Duration::ZERO);
    for _ in 0..REPEATS {
        let start = ThreadTime::now();
        run();
        let took = start.elapsed();
        least = least.min(took);
        all += took;
        if all >= ENOUGH {
            break;
        }
    }
    least
}

fn is_linear([quarter, half, whole]: [f64; 3], floor: f64) -> bool {
    let growth = |from: f64, to: f64| to / from.max(f64::MIN_POSITIVE);
    let (first, second) = (growth(quarter, half), growth(half, whole));
    whole < floor || first.max(second) < MOST || first.min(second) < BESIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> usize {
        let bytes = text.as_bytes();
        bytes.iter().map(|a| bytes.iter().step_by(8).filter(|b| *a == **b).count()).sum()
    }

    #[test]
    fn a_step_at_one_doubling_is_linear_and_growth_at_both_is_not() {
        let is_linear = |amounts: [f64; 3]| is_linear(amounts, 10.0);
        assert!(is_linear([10.0, 20.0, 40.0]) && is_linear([10.0, 20.0, 63.0]) && is_linear([10.0, 31.0, 62.0]));
        assert!(!is_linear([10.0, 40.0, 160.0]) && !is_linear([10.0, 27.0, 81.0]) && !is_linear([10.0, 31.0, 80.0]));
        assert!(is_linear([0.0, 3.0, 9.0]), "too little to be checked");
    }

    #[test]
    fn linear_work_passes() {
        linear("words", 400_000, ["a "], |text| {
            std::hint::black_box(text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        });
    }

    #[test]
    fn a_copy_of_the_rest_at_every_character_is_not_linear() {
        let run = |text: &str| (0..text.len()).for_each(|at| drop(std::hint::black_box(text[at..].to_owned())));
        assert_eq!(faults(Measure::Allocations, 2_000, ["a"], run).len(), 1);
    }

    #[test]
    fn a_piece_for_each_pair_of_characters_is_not_linear() {
        let run = |text: &str| (0..pairs(text)).for_each(|_| drop(std::hint::black_box(Box::new(0_u8))));
        assert_eq!(faults(Measure::Allocations, 400, ["a"], run).len(), 1);
    }

    #[test]
    fn a_scan_of_the_rest_at_every_character_is_not_linear_where_time_is_measured() {
        let run = |text: &str| {
            std::hint::black_box(pairs(text));
        };
        assert_eq!(faults(Measure::Allocations, 4_000, ["a"], run), Vec::<String>::new());
        let fails = std::panic::catch_unwind(|| linear("pairs", 4_000, ["a"], run)).is_err();
        assert_eq!(fails, std::env::var(VARIABLE).is_ok_and(|measure| measure == "time"));
    }
}
