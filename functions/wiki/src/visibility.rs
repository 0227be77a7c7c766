//! The entries of a wiki that a caller may see.

use answer::search::VisibilityFilter;
use domain::access::Principal;
use domain::models::Visibility;

/// The entries that a caller may see, of those it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryVisibility {
    Everything,
    /// Those of one visibility.
    Only(Visibility),
    /// None: a widget asked for internal entries, of which it learns nothing.
    Nothing,
}

impl EntryVisibility {
    /// The visibilities that `caller` sees when it asks for entries of the visibility `asked`, or of any.
    pub(crate) fn for_caller(caller: &Principal, asked: Option<Visibility>) -> Self {
        match (caller.widget(), asked) {
            (Some(_), Some(Visibility::Internal)) => Self::Nothing,
            (Some(_), _) => Self::Only(Visibility::Public),
            (None, Some(visibility)) => Self::Only(visibility),
            (None, None) => Self::Everything,
        }
    }

    /// The same for the index; nothing if none may be seen.
    pub(crate) const fn index_filter(self) -> Option<VisibilityFilter> {
        match self {
            Self::Everything => Some(VisibilityFilter::All),
            Self::Only(visibility) => Some(VisibilityFilter::Only(visibility)),
            Self::Nothing => None,
        }
    }

    /// Whether an entry of this visibility is one of them.
    pub(crate) fn allows(self, visibility: Visibility) -> bool {
        match self {
            Self::Everything => true,
            Self::Only(only) => only == visibility,
            Self::Nothing => false,
        }
    }
}
