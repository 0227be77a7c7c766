//! The number of items of a list, counted up to a limit.

/// How far a list is counted.
pub const MAX_TOTAL: u64 = 10_000;

/// How many items a list has on all its pages, counted up to [`MAX_TOTAL`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Total {
    /// The number of items; if `capped`, the number of those that were counted.
    pub count: u64,
    /// Counting stopped at its bound: there may be more.
    pub capped: bool,
}

impl Total {
    /// A total of `found` items, of which at most [`MAX_TOTAL`] count. `all` says that nothing was left uncounted.
    #[must_use]
    pub const fn of(found: u64, all: bool) -> Self {
        let over = found > MAX_TOTAL;
        Self { count: if over { MAX_TOTAL } else { found }, capped: over || !all }
    }
}
