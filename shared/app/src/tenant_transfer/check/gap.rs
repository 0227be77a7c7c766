//! Knowledge gaps and counters.

use aws::store::DayCounts;
use domain::gaps::EXAMPLE_CHARS;
use domain::limits::TextLimit;
use domain::models::{Day, EntryVersion, Gap, GapExample, Timestamp};

use super::Rules;
use super::values::{self, Check};

/// The highest counter of a day: milliseconds are added up, too.
const MAX_AMOUNT: i64 = 1_000_000_000_000_000;
/// The most entries that were found for a question.
const MAX_KNOWN: usize = 20;
/// How a customer put a question.
const EXAMPLE: TextLimit = TextLimit::line(0, EXAMPLE_CHARS);

/// A gap. `is_session` says whether a session is there: what is quoted of others nothing would erase.
pub(super) fn gap(rules: Rules, gap: &Gap, is_session: impl Fn(&str) -> bool) -> Check {
    values::version("version", gap.version)?;
    values::version("count", gap.count)?;
    values::holds((1..=gap.count).contains(&gap.sessions), "sessions must be 1 to count")?;
    values::past("lastSeenAt", gap.last_seen_at, rules)?;
    values::past("firstSeenAt", gap.first_seen_at, rules)?;
    if let Some(said) = &gap.query {
        example(rules, said)?;
        values::holds(is_session(said.session_id.as_str()), "it quotes a session that is not there")?;
    }
    if let Some(nearest) = &gap.nearest {
        values::share("confidence", nearest.confidence)?;
    }
    values::at_most("the number of known entries", gap.known.len(), MAX_KNOWN)?;
    gap.known.iter().chain(&gap.resolved_by).try_for_each(entry_version)?;
    values::past_if("resolvedAt", gap.resolved_at, rules)
}

pub(super) fn example(rules: Rules, example: &GapExample) -> Check {
    values::text("the text of an example", EXAMPLE, &example.text)?;
    values::past("askedAt", example.asked_at, rules)
}

fn entry_version(entry: &EntryVersion) -> Check {
    values::version("version", entry.version)
}

/// A day's counters.
pub(super) fn day(rules: Rules, DayCounts { day, counts }: &DayCounts) -> Check {
    let possible = Day::of(Timestamp::default())..=Day::of(rules.now).plus(1);
    values::holds(possible.contains(day), "the day is before 1970 or yet to come")?;
    let sound = counts.iter().all(|(_, amount)| (1..=MAX_AMOUNT).contains(&amount));
    values::holds(sound, "a counter must be 1 to 1000000000000000")
}
