//! How many things a list has, counted within bounds.

/// How far a list is counted (contract, section 1).
pub const COUNTED_AT_MOST: u64 = 10_000;

/// How many items a list has on all its pages, counted up to [`COUNTED_AT_MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// The number of items; where `capped`, the number of those that were counted.
    pub count: u64,
    /// Counting stopped at its bound: there may be more.
    pub capped: bool,
}

impl Total {
    /// A total of `found` items, of which at most [`COUNTED_AT_MOST`] count. `all` says that nothing was left uncounted.
    #[must_use]
    pub const fn of(found: u64, all: bool) -> Self {
        let over = found > COUNTED_AT_MOST;
        Self { count: if over { COUNTED_AT_MOST } else { found }, capped: over || !all }
    }
}
