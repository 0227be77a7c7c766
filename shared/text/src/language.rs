//! The languages of wikis, and those in which customers are understood and answered.

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

impl From<Language> for CustomerLanguage {
    fn from(language: Language) -> Self {
        match language {
            Language::Arabic => Self::Arabic,
            Language::Danish => Self::Danish,
            Language::Dutch => Self::Dutch,
            Language::English => Self::English,
            Language::Finnish => Self::Finnish,
            Language::French => Self::French,
            Language::German => Self::German,
            Language::Greek => Self::Greek,
            Language::Hungarian => Self::Hungarian,
            Language::Italian => Self::Italian,
            Language::Norwegian => Self::Norwegian,
            Language::Portuguese => Self::Portuguese,
            Language::Romanian => Self::Romanian,
            Language::Russian => Self::Russian,
            Language::Spanish => Self::Spanish,
            Language::Swedish => Self::Swedish,
            Language::Tamil => Self::Tamil,
            Language::Turkish => Self::Turkish,
        }
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
}
