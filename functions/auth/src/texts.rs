//! A tenant's own texts in place of the fixed sentences.

use domain::models::Texts;
use edge::Fields;
use serde::Serialize;

/// The most characters of one text.
const MAX_CHARS: usize = 500;

/// The texts as their tenant sees them; `null` where the service's own sentence is said.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TextsOut {
    greeting: Option<String>,
    thanks: Option<String>,
    farewell: Option<String>,
    about_me: Option<String>,
    no_answer: Option<String>,
    handover: Option<String>,
    failure: Option<String>,
}

impl From<Texts> for TextsOut {
    fn from(texts: Texts) -> Self {
        let Texts { greeting, thanks, farewell, about_me, no_answer, handover, failure } = texts;
        Self { greeting, thanks, farewell, about_me, no_answer, handover, failure }
    }
}

/// What to do with one text.
#[derive(Debug, Clone, Default)]
enum Change {
    #[default]
    Keep,
    /// Use the service's own sentence again.
    Clear,
    Set(String),
}

/// The change of the texts: an absent text stays, `null` restores the service's own sentence.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextsPatch {
    greeting: Change,
    thanks: Change,
    farewell: Change,
    about_me: Change,
    no_answer: Change,
    handover: Change,
    failure: Change,
}

impl Change {
    fn read(f: &Fields, name: &str) -> Self {
        if f.is_null(name) {
            return Self::Clear;
        }
        f.text(name, 1, MAX_CHARS).map_or(Self::Keep, Self::Set)
    }

    fn apply(&self, old: Option<String>) -> Option<String> {
        match self {
            Self::Keep => old,
            Self::Clear => None,
            Self::Set(text) => Some(text.clone()),
        }
    }
}

impl TextsPatch {
    /// Reads `texts`; none where it is absent.
    pub(crate) fn read(f: &Fields) -> Option<Self> {
        let f = f.object("texts")?;
        let read = |name| Change::read(&f, name);
        Some(Self {
            greeting: read("greeting"),
            thanks: read("thanks"),
            farewell: read("farewell"),
            about_me: read("aboutMe"),
            no_answer: read("noAnswer"),
            handover: read("handover"),
            failure: read("failure"),
        })
    }

    pub(crate) fn apply(&self, old: Texts) -> Texts {
        Texts {
            greeting: self.greeting.apply(old.greeting),
            thanks: self.thanks.apply(old.thanks),
            farewell: self.farewell.apply(old.farewell),
            about_me: self.about_me.apply(old.about_me),
            no_answer: self.no_answer.apply(old.no_answer),
            handover: self.handover.apply(old.handover),
            failure: self.failure.apply(old.failure),
        }
    }
}
