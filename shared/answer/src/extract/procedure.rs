//! The steps of a procedure, which are quoted together: one of nine says little.

use std::collections::HashMap;

use text::{Unit, UnitKind};

/// Which units are part of which procedure.
pub(super) struct Procedures {
    /// Of each unit.
    of: Vec<Option<usize>>,
    /// The units of each procedure, in order.
    units: Vec<Vec<usize>>,
}

impl Procedures {
    /// The numbered lists of a text, each with what is part of its steps. A list that counts on from another one of its
    /// section is the same procedure: a picture or a note between them parts them.
    pub(super) fn of(units: &[Unit<'_>]) -> Self {
        let mut all = Self { of: Vec::with_capacity(units.len()), units: Vec::new() };
        // The number of the last step at each indentation, and its procedure.
        let mut last: HashMap<usize, (u64, usize)> = HashMap::new();
        for (at, unit) in units.iter().enumerate() {
            if unit.kind == UnitKind::Heading {
                last.clear();
            }
            let around = unit.needs.and_then(|needs| all.of.get(needs).copied().flatten());
            let own = || {
                let number = number(unit).filter(|_| unit.kind == UnitKind::Step)?;
                let before = last.get(&unit.indent).filter(|(before, _)| before + 1 == number);
                let procedure = before.map_or(all.units.len(), |(_, procedure)| *procedure);
                last.insert(unit.indent, (number, procedure));
                Some(procedure)
            };
            let procedure = around.or_else(own);
            if let Some(procedure) = procedure {
                all.units.resize_with(all.units.len().max(procedure + 1), Vec::new);
                all.units.get_mut(procedure).into_iter().for_each(|units| units.push(at));
            }
            all.of.push(procedure);
        }
        all
    }

    /// The units that are quoted with one: those of its procedure, or it alone.
    pub(super) fn together_with<'a>(&'a self, at: &'a usize) -> &'a [usize] {
        let procedure = self.of.get(*at).copied().flatten().and_then(|procedure| self.units.get(procedure));
        procedure.map_or(std::slice::from_ref(at), Vec::as_slice)
    }

    /// Whether a unit is part of one.
    pub(super) fn has(&self, at: usize) -> bool {
        self.of.get(at).is_some_and(Option::is_some)
    }
}

fn number(step: &Unit<'_>) -> Option<u64> {
    step.text.split(['.', ')']).next()?.parse().ok()
}
