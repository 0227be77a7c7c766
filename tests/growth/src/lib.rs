//! Checks that a pure text function does linear work: its time may not triple when its text doubles. The other doubling
//! must grow by more than [`BESIDE`], too: work that is not linear grows at both, and a text that outgrows a cache at one.
//!
//! [`linear`] runs a function on a quarter, a half and all of the longest text, made of one repeated unit, on a thread
//! with a small stack. It compares CPU times of that thread, so other processes hardly matter. Each time is the minimum
//! of several runs, and a failure needs [`ROUNDS`] of them. Work that takes less than [`FLOOR`] on the longest text is
//! not checked.

use std::time::Duration;

use cpu_time::ThreadTime;

/// The stack of the thread: a quarter of what threads of the service have.
const STACK_BYTES: usize = 512 * 1024;
/// The most times that the work may grow when the text doubles.
const MOST: f64 = 3.0;
/// By how much the work grows at the other doubling, where it triples at one: an² + bn that triples from a half to the
/// whole grows 2.67 times from a quarter to a half.
const BESIDE: f64 = 2.4;
/// Measurements below this in total are not checked.
const FLOOR: Duration = Duration::from_millis(4);
/// The number of rounds in which the growth is too fast before it counts as a failure.
const ROUNDS: usize = 40;
/// One measurement repeats its run until it took so long, at most [`REPEATS`] times.
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

/// Panics when the work of `run` grows faster than its text, or when it needs more than a small stack.
///
/// `longest` is the most characters that `run` is ever given; each of `units` is repeated to make a text of it.
pub fn linear<'u>(name: &str, longest: usize, units: impl IntoIterator<Item = &'u str>, run: impl Fn(&str) + Sync) {
    let units: Vec<&str> = units.into_iter().collect();
    std::thread::scope(|scope| {
        let check_all = || units.iter().filter_map(|unit| check_unit(unit, longest, &run)).collect::<Vec<String>>();
        let thread = std::thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
        let faults = thread.spawn_scoped(scope, check_all).map(|running| running.join());
        match faults {
            Ok(Ok(faults)) => assert!(faults.is_empty(), "{name} is not linear:\n{}", faults.join("\n")),
            Ok(Err(panicked)) => std::panic::resume_unwind(panicked),
            #[allow(clippy::panic, reason = "for tests alone, whose verdict is a panic")]
            Err(error) => panic!("no thread for {name}: {error}"),
        }
    });
}

/// What is wrong with the growth of `run` on one unit.
fn check_unit(unit: &str, longest: usize, run: &impl Fn(&str)) -> Option<String> {
    let text = |part: usize| unit.repeat((longest / part / unit.chars().count()).max(1));
    let texts = [text(4), text(2), text(1)];
    let mut least = [Duration::MAX; 3];
    // Tables that are made once are not the text's work.
    run(unit);
    for _ in 0..ROUNDS {
        for (least, text) in least.iter_mut().zip(&texts) {
            *least = (*least).min(measured(|| run(text)));
        }
        if is_linear(least) {
            return None;
        }
    }
    Some(format!("  {:?}: {:?}", unit.chars().take(40).collect::<String>(), least))
}

/// The least CPU time of some runs.
fn measured(run: impl Fn()) -> Duration {
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

fn is_linear([quarter, half, whole]: [Duration; 3]) -> bool {
    let growth = |from: Duration, to: Duration| to.as_secs_f64() / from.as_secs_f64().max(f64::MIN_POSITIVE);
    let (first, second) = (growth(quarter, half), growth(half, whole));
    whole < FLOOR || first.max(second) < MOST || first.min(second) < BESIDE
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str, every: usize) -> usize {
        let bytes = text.as_bytes();
        bytes.iter().map(|a| bytes.iter().step_by(every).filter(|b| *a == **b).count()).sum()
    }

    #[test]
    fn a_step_at_one_doubling_is_linear_and_growth_at_both_is_not() {
        let is_linear = |ms: [u64; 3]| is_linear(ms.map(Duration::from_millis));
        assert!(is_linear([10, 20, 40]) && is_linear([10, 20, 63]) && is_linear([10, 31, 62]));
        assert!(!is_linear([10, 40, 160]) && !is_linear([10, 27, 81]) && !is_linear([10, 31, 80]));
    }

    #[test]
    fn linear_work_passes() {
        linear("bytes", 4_000_000, ["a "], |text| {
            std::hint::black_box(text.bytes().filter(|b| *b == b'a').count());
        });
    }

    #[test]
    #[should_panic(expected = "is not linear")]
    fn square_work_fails() {
        linear("pairs", 20_000, ["a"], |text| {
            std::hint::black_box(pairs(text, 8));
        });
    }
}
