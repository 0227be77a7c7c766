//! Phrases of small talk, as the tables hold them, and their kinds.

use crate::CustomerLanguage;

/// A shorter word is not corrected; in bytes.
pub(crate) const MIN_CORRECTED_BYTES: usize = 6;

/// A phrase in one language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Phrase {
    pub(crate) language: CustomerLanguage,
    pub(crate) kinds: Kinds,
    pub(crate) ambiguous: bool,
    /// A list has it with an accent.
    pub(crate) accented: bool,
}

/// The kind of a phrase; a message may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Greeting = 1,
    Opening = 1 << 1,
    Thanks = 1 << 2,
    Farewell = 1 << 3,
    Okay = 1 << 4,
    Acknowledgement = 1 << 5,
    AboutUs = 1 << 6,
    Anger = 1 << 7,
    Unhelped = 1 << 8,
    Yes = 1 << 9,
    No = 1 << 10,
    Filler = 1 << 11,
    Addition = 1 << 12,
    Cancel = 1 << 13,
    Doubt = 1 << 14,
    Praise = 1 << 15,
    Apology = 1 << 16,
    Repeat = 1 << 17,
}

/// A set of [`Kind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Kinds(pub(super) u32);

impl Kinds {
    pub(crate) const fn of(kind: Kind) -> Self {
        Self(kind as u32)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has(self, kind: Kind) -> bool {
        self.0 & kind as u32 != 0
    }

    pub(crate) fn has_any(self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.has(*kind))
    }

    pub(crate) fn is_only(self, kinds: &[Kind]) -> bool {
        self.0 != 0 && kinds.iter().fold(self.0, |left, kind| left & !(*kind as u32)) == 0
    }

    /// Whether people say this in languages that are not theirs, too.
    pub(crate) fn is_known_abroad(self) -> bool {
        self.has_any(&[Kind::Greeting, Kind::Thanks, Kind::Farewell, Kind::Yes, Kind::No])
    }

    /// Whether these make a whole message small talk.
    pub(crate) fn suffice(self) -> bool {
        use Kind as K;
        let rest = [K::Yes, K::No, K::Cancel, K::Doubt, K::Filler, K::Addition];
        // "no team" and "no bot" are about something, "hi team" and "bad bot" are not.
        let replies = !self.has(K::Addition) && self.has_any(&[K::Yes, K::No, K::Cancel]);
        // "really?" doubts, "really good" does not.
        let doubts = self.has(K::Doubt) && self.is_only(&[K::Doubt, K::Filler]);
        (self.0 != 0 && !self.is_only(&rest)) || replies || doubts
    }
}
