//! The languages of wikis, and those in which customers are understood and answered; values that are made for each wiki
//! language when they are first needed.

use std::sync::OnceLock;

wire_enum! {
    /// The language a wiki is written in (ISO 639-1): those with a Snowball stemmer.
    pub enum Language {
        /// Arabic.
        Arabic => "ar",
        /// Danish.
        Danish => "da",
        /// Dutch.
        Dutch => "nl",
        /// English.
        English => "en",
        /// Finnish.
        Finnish => "fi",
        /// French.
        French => "fr",
        /// German.
        German => "de",
        /// Greek.
        Greek => "el",
        /// Hungarian.
        Hungarian => "hu",
        /// Italian.
        Italian => "it",
        /// Norwegian.
        Norwegian => "no",
        /// Portuguese.
        Portuguese => "pt",
        /// Romanian.
        Romanian => "ro",
        /// Russian.
        Russian => "ru",
        /// Spanish.
        Spanish => "es",
        /// Swedish.
        Swedish => "sv",
        /// Tamil.
        Tamil => "ta",
        /// Turkish.
        Turkish => "tr",
    }
}

wire_enum! {
    /// A language that the service understands and speaks (ISO 639-1): those of a wiki, and the most used others.
    pub enum CustomerLanguage {
        /// Arabic.
        Arabic => "ar",
        /// Bengali.
        Bengali => "bn",
        /// Danish.
        Danish => "da",
        /// German.
        German => "de",
        /// Greek.
        Greek => "el",
        /// English.
        English => "en",
        /// Spanish.
        Spanish => "es",
        /// Finnish.
        Finnish => "fi",
        /// French.
        French => "fr",
        /// Hindi.
        Hindi => "hi",
        /// Hungarian.
        Hungarian => "hu",
        /// Indonesian.
        Indonesian => "id",
        /// Italian.
        Italian => "it",
        /// Japanese.
        Japanese => "ja",
        /// Dutch.
        Dutch => "nl",
        /// Norwegian.
        Norwegian => "no",
        /// Portuguese.
        Portuguese => "pt",
        /// Romanian.
        Romanian => "ro",
        /// Russian.
        Russian => "ru",
        /// Swedish.
        Swedish => "sv",
        /// Tamil.
        Tamil => "ta",
        /// Turkish.
        Turkish => "tr",
        /// Urdu.
        Urdu => "ur",
        /// Chinese.
        Chinese => "zh",
    }
}

impl CustomerLanguage {
    /// The language of a BCP 47 tag, by its first subtag; none for one that is not spoken here.
    #[must_use]
    pub fn of_locale(locale: &str) -> Option<Self> {
        let primary = locale.split(['-', '_']).next()?.to_ascii_lowercase();
        match primary.as_str() {
            "nb" | "nn" => Some(Self::Norwegian),
            "in" => Some(Self::Indonesian),
            code => Self::parse(code),
        }
    }
}

/// The variant of another enum that has the name of a wiki's language.
macro_rules! by_name {
    ($language:expr => $other:ident) => {
        by_name!($language => $other: Arabic Danish Dutch English Finnish French German Greek Hungarian Italian Norwegian
            Portuguese Romanian Russian Spanish Swedish Tamil Turkish)
    };
    ($language:expr => $other:ident: $($name:ident)+) => { match $language { $(Language::$name => $other::$name),+ } };
}

impl From<Language> for CustomerLanguage {
    fn from(language: Language) -> Self {
        by_name!(language => CustomerLanguage)
    }
}

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
    fn a_locale_names_its_language_by_the_first_subtag() {
        for (locale, language) in [
            ("de", Some(CustomerLanguage::German)),
            ("pt-BR", Some(CustomerLanguage::Portuguese)),
            ("zh_Hant_TW", Some(CustomerLanguage::Chinese)),
            ("nb-NO", Some(CustomerLanguage::Norwegian)),
            ("EN", Some(CustomerLanguage::English)),
            ("pl", None),
            ("", None),
        ] {
            assert_eq!(CustomerLanguage::of_locale(locale), language, "{locale}");
        }
    }

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
