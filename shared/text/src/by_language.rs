//! A lazily made value for each wiki language.

use std::sync::OnceLock;

use crate::Language;

/// Values that are made when their language is first asked for, and then kept: a process meets few languages.
#[derive(Debug)]
pub struct ByLanguage<T>([OnceLock<T>; Language::ALL.len()]);

impl<T> ByLanguage<T> {
    /// None is made yet.
    #[must_use]
    #[allow(clippy::new_without_default, reason = "it is for statics, which take no `default`")]
    pub const fn new() -> Self {
        Self([const { OnceLock::new() }; Language::ALL.len()])
    }

    /// The value of `language`, made by `make` if it is not there yet.
    #[allow(clippy::indexing_slicing, reason = "there is a place for each language")]
    pub fn get(&self, language: Language, make: impl FnOnce() -> T) -> &T {
        self.0[language as usize].get_or_init(make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_a_value_of_its_own_that_is_made_once() {
        let values = ByLanguage::new();
        for language in Language::ALL {
            assert_eq!(values.get(*language, || language.as_str()), &language.as_str());
        }
        for language in Language::ALL {
            assert_eq!(values.get(*language, || "made again"), &language.as_str());
        }
    }
}
