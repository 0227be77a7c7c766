//! A tenant's own texts in place of the fixed sentences.

use domain::limits::settings as limits;
use domain::models::Texts;
use edge::input::{Change, Closed, Text, clearable, within};
use schemars::JsonSchema;
use serde::Serialize;

const TEXT: Text = within(limits::TEXT);

/// The texts as their tenant sees them; `null` where the service's own sentence is said.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Texts")]
pub(crate) struct TextsOut {
    /// To a greeting.
    greeting: Option<String>,
    /// To thanks.
    thanks: Option<String>,
    /// To a goodbye.
    farewell: Option<String>,
    /// To "who are you?".
    about_me: Option<String>,
    /// Where the wiki has no answer.
    no_answer: Option<String>,
    /// Where a person takes over.
    handover: Option<String>,
    /// Where something behind the service failed.
    failure: Option<String>,
}

impl From<Texts> for TextsOut {
    fn from(texts: Texts) -> Self {
        let Texts { greeting, thanks, farewell, about_me, no_answer, handover, failure } = texts;
        Self { greeting, thanks, farewell, about_me, no_answer, handover, failure }
    }
}

edge::body! {
    /// The tenant's texts instead of the service's own sentences: an absent one stays, `null` is the service's own
    /// again.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct TextsPatch as "TextsPatch" {
        /// To a greeting.
        greeting: Change<String> = "greeting" => clearable(TEXT),
        /// To thanks.
        thanks: Change<String> = "thanks" => clearable(TEXT),
        /// To a goodbye.
        farewell: Change<String> = "farewell" => clearable(TEXT),
        /// To "who are you?".
        about_me: Change<String> = "aboutMe" => clearable(TEXT),
        /// Where the wiki has no answer.
        no_answer: Change<String> = "noAnswer" => clearable(TEXT),
        /// Where a person takes over.
        handover: Change<String> = "handover" => clearable(TEXT),
        /// Where something behind the service failed.
        failure: Change<String> = "failure" => clearable(TEXT),
    }
    rules: [Closed]
}

impl TextsPatch {
    pub(crate) fn apply(&self, old: Texts) -> Texts {
        Texts {
            greeting: self.greeting.clone().of(old.greeting),
            thanks: self.thanks.clone().of(old.thanks),
            farewell: self.farewell.clone().of(old.farewell),
            about_me: self.about_me.clone().of(old.about_me),
            no_answer: self.no_answer.clone().of(old.no_answer),
            handover: self.handover.clone().of(old.handover),
            failure: self.failure.clone().of(old.failure),
        }
    }
}
