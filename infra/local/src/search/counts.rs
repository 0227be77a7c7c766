//! The counts of documents, passages and words of an entry, and of all entries of a tenant that a viewer may see.

use answer::search::{FieldStats, IndexedEntry, VisibilityFilter};
use domain::models::Visibility;
use text::{bigrams, without_parts};

/// The counts that an entry adds to those of its tenant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) entries: u64,
    pub(super) title_terms: u64,
    pub(super) passages: u64,
    pub(super) words: u64,
    pub(super) bigrams: u64,
}

impl Counts {
    /// The counts of one entry.
    pub(super) fn of(indexed: &IndexedEntry) -> Self {
        let passages = &indexed.passages;
        Self {
            entries: 1,
            title_terms: count(without_parts(&indexed.title_terms).len()),
            passages: count(passages.len()),
            words: passages.iter().map(|p| count(without_parts(&p.terms).len())).sum(),
            bigrams: passages.iter().map(|p| count(bigrams(&p.terms).count())).sum(),
        }
    }

    /// Both, field by field.
    pub(super) fn combine(self, other: Self, each: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            entries: each(self.entries, other.entries),
            title_terms: each(self.title_terms, other.title_terms),
            passages: each(self.passages, other.passages),
            words: each(self.words, other.words),
            bigrams: each(self.bigrams, other.bigrams),
        }
    }

    /// Passages and their mean length in words.
    pub(super) fn words(&self) -> FieldStats {
        stats(self.passages, self.words)
    }

    /// Passages and their mean length in bigrams.
    pub(super) fn bigrams(&self) -> FieldStats {
        stats(self.passages, self.bigrams)
    }

    /// Entries and the mean length of their titles.
    pub(super) fn titles(&self) -> FieldStats {
        stats(self.entries, self.title_terms)
    }
}

/// The sum over all entries of a tenant, for each visibility: a viewer's counts tell nothing of entries that it may not
/// see.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Totals {
    internal: Counts,
    public: Counts,
}

impl Totals {
    /// The counts of the entries that `filter` admits.
    pub(super) fn within(&self, filter: VisibilityFilter) -> Counts {
        let both = [(Visibility::Internal, self.internal), (Visibility::Public, self.public)];
        let admitted = both.into_iter().filter(|(visibility, _)| filter.admits(*visibility));
        admitted.fold(Counts::default(), |sum, (_, counts)| sum.combine(counts, u64::saturating_add))
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, visibility: Visibility, counts: Counts) {
        let total = self.of(visibility);
        *total = total.combine(counts, u64::saturating_add);
    }

    /// Takes an entry away.
    pub(super) fn subtract(&mut self, visibility: Visibility, counts: Counts) {
        let total = self.of(visibility);
        *total = total.combine(counts, u64::saturating_sub);
    }

    const fn of(&mut self, visibility: Visibility) -> &mut Counts {
        match visibility {
            Visibility::Internal => &mut self.internal,
            Visibility::Public => &mut self.public,
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "no wiki has 2^52 words")]
fn stats(count: u64, terms: u64) -> FieldStats {
    FieldStats { count, mean_length: if count == 0 { 0.0 } else { terms as f64 / count as f64 } }
}

/// A length as a column holds it.
pub(super) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
