//! How thorough a run is: short by default, thorough if the environment says so (`tests/soak/run.sh`).

use std::str::FromStr;

fn setting<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is no number: {text}")))
}

/// `SUPPORT_TEST_OPERATIONS`: how many things are done in a run that does many.
pub(crate) fn operations() -> Option<usize> {
    setting("SUPPORT_TEST_OPERATIONS")
}

/// `SUPPORT_TEST_SEEDS`: how many seeds a thorough run has; those of them that are of this part.
pub(crate) fn seeds() -> Option<Vec<u64>> {
    let seeds: u64 = setting("SUPPORT_TEST_SEEDS")?;
    Some(of_this_part((0..seeds).collect()))
}

/// Of the pieces of a thorough run those that `SUPPORT_TEST_PART` names: `2/5` is every fifth from the second on.
pub(crate) fn of_this_part<T>(pieces: Vec<T>) -> Vec<T> {
    let Ok(part) = std::env::var("SUPPORT_TEST_PART") else { return pieces };
    let (part, parts) = part.split_once('/').expect("SUPPORT_TEST_PART is N/M");
    let (part, parts): (usize, usize) = (part.parse().unwrap(), parts.parse().unwrap());
    assert!((1..=parts).contains(&part), "SUPPORT_TEST_PART is N/M with N from 1 to M");
    let of_part = |number: usize| number % parts == part - 1;
    pieces.into_iter().enumerate().filter(|(number, _)| of_part(*number)).map(|(_, piece)| piece).collect()
}
