//! The settings that decide who reads what, from where, and for how long it is kept: one list for the sign-in that changes
//! them, for imports and for the audit.

use serde_json::{Value, json};

use super::{AuditChange, Settings, wire_enum};

wire_enum! {
    /// A setting that a member changes by a recent sign-in alone, that an import shows, and whose values the audit names.
    pub enum SensitiveSetting {
        /// The origins a widget may call from.
        WidgetOrigins => "widgetOrigins",
        /// Where the widget's links to sources lead.
        SourceUrlTemplate => "sourceUrlTemplate",
        /// The entries that may ground an answer in sessions of other channels than the widget.
        AnswerVisibility => "answerVisibility",
        /// The entries that may ground an answer in widget sessions.
        WidgetAnswerVisibility => "widgetAnswerVisibility",
        /// Days after which a session is erased.
        RetentionDays => "retentionDays",
    }
}

impl SensitiveSetting {
    /// Whether an import leaves it as it is in the tenant, unless the operator names it: with another value, entries would
    /// open to visitors or conversations would go.
    #[must_use]
    pub const fn stays_in_imports(self) -> bool {
        match self {
            Self::AnswerVisibility | Self::WidgetAnswerVisibility | Self::RetentionDays => true,
            Self::WidgetOrigins | Self::SourceUrlTemplate => false,
        }
    }

    /// The value as the API shows it.
    #[must_use]
    pub fn value(self, settings: &Settings) -> Value {
        match self {
            Self::WidgetOrigins => json!(settings.widget_origins),
            Self::SourceUrlTemplate => json!(settings.source_url_template),
            Self::AnswerVisibility => json!(settings.answer_visibility),
            Self::WidgetAnswerVisibility => json!(settings.widget_answer_visibility),
            Self::RetentionDays => json!(settings.retention_days),
        }
    }

    /// The values that differ between two settings.
    #[must_use]
    pub fn changes(before: &Settings, after: &Settings) -> Vec<AuditChange> {
        let change = |setting: &Self| {
            let (from, to) = (setting.value(before), setting.value(after));
            (from != to).then(|| AuditChange { name: setting.to_string(), from, to })
        };
        Self::ALL.iter().filter_map(change).collect()
    }

    /// Settings with the value that it has in `from`.
    #[must_use]
    pub fn taken_from(self, from: &Settings, mut into: Settings) -> Settings {
        match self {
            Self::WidgetOrigins => into.widget_origins.clone_from(&from.widget_origins),
            Self::SourceUrlTemplate => into.source_url_template.clone_from(&from.source_url_template),
            Self::AnswerVisibility => into.answer_visibility = from.answer_visibility,
            Self::WidgetAnswerVisibility => into.widget_answer_visibility = from.widget_answer_visibility,
            Self::RetentionDays => into.retention_days = from.retention_days,
        }
        into
    }
}
