//! One route as data.

use domain::access::Permission;

/// One route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteSpec {
    /// The function that serves it.
    pub function: &'static str,
    /// The method.
    pub method: &'static str,
    /// The path as axum writes it; `{*path}` takes the rest.
    pub path: &'static str,
    /// Who may call it.
    pub permission: Permission,
}

impl RouteSpec {
    /// Whether `path`, as received (percent-encoded), matches this route: equal literals, `{id}` any one
    /// segment, `{*path}` the rest.
    pub(super) fn matches(&self, path: &str) -> bool {
        let mut wanted = self.path.split('/');
        let mut given = path.split('/');
        loop {
            match (wanted.next(), given.next()) {
                (None, None) => return true,
                (Some(w), Some(g)) if w.starts_with("{*") => return !g.is_empty() || given.next().is_some(),
                (Some(w), Some(g)) if w.starts_with('{') && !g.is_empty() => {}
                (Some(w), Some(g)) if w == g => {}
                _ => return false,
            }
        }
    }

    /// How many of its segments are literal_segments.
    pub(super) fn literal_segments(&self) -> usize {
        self.path.split('/').filter(|segment| !segment.starts_with('{')).count()
    }
}
