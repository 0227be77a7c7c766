//! The settings of a tenant, their rules, and which of them decide who reads what.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::wire_enum;

use crate::error::{Detail, DetailCode};
use crate::limits::{MAX_ORIGIN_CHARS, TextLimit, appearance, hours, is_loopback, parse_origin, parse_source_url};
use crate::models::{Appearance, AuditChange, Hours, Language, Timestamp};

wire_enum! {
    /// The entries that may ground an answer.
    pub enum AnswerVisibility {
        /// Every entry.
        All => "all",
        /// Public entries only.
        Public => "public",
    }
}

/// The settings of a tenant, one record per mode: a field that was never set is the default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(!default)]
pub struct Settings {
    /// The name of this half of the tenant; by default the tenant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub name: Option<String>,
    /// The wiki's language.
    pub language: Language,
    /// Hours after closing in which a session may be resumed, and of inactivity after which it closes.
    pub resume_window_hours: u32,
    /// The confidence below which there is no answer.
    #[schemars(range(min = 0, max = 1))]
    pub no_match_threshold: f64,
    /// The tenant's texts instead of the service's own sentences; null: its own, in the customer's language.
    pub texts: Texts,
    /// AI turns since the session last became `ai` after which it escalates.
    pub max_ai_turns: u32,
    /// The entries that may ground answers in sessions of other channels than `widget`.
    pub answer_visibility: AnswerVisibility,
    /// The entries that may ground answers in sessions of channel `widget`.
    pub widget_answer_visibility: AnswerVisibility,
    /// The origins a widget may call from; none means any.
    pub widget_origins: Vec<String>,
    /// The address of an entry on the tenant's site, with `{path}` in place of the entry's path; the widget links
    /// sources by it.
    pub source_url_template: Option<String>,
    /// Days after the last activity after which a session is erased.
    pub retention_days: u32,
    /// How many calls of the language model may be made in a UTC day; null: any number.
    pub model_calls_per_day: Option<u32>,
    /// Groups of words and short phrases that mean the same in this wiki.
    pub synonyms: Vec<Vec<String>>,
    /// Minutes after which `handover.waiting` tells that a customer still waits for a person; null: never.
    pub notice_after_minutes: Option<u32>,
    /// When people are there; null: always.
    pub hours: Option<Hours>,
    /// The AI goes on answering what the wiki knows while a customer waits for a person.
    pub answers_while_waiting: bool,
    /// Customers are shown the images of entries, in articles and under what answers quote. The browser loads them from
    /// where they are.
    pub shows_images: bool,
    /// Questions that the chat offers before the first message, in this order.
    pub suggestions: Vec<String>,
    /// The look of the chat.
    pub appearance: Appearance,
    /// How many requests a minute all widgets may make together; the operator sets it.
    pub widget_requests_per_minute: u32,
}

impl Settings {
    /// When the tenant is told of a customer who waits for a person from `since` on; none: never.
    #[must_use]
    pub fn notice_due_at(&self, since: Timestamp) -> Option<Timestamp> {
        self.notice_after_minutes.map(|minutes| since.plus_millis(i64::from(minutes) * 60_000))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            name: None,
            language: Language::English,
            resume_window_hours: 24,
            no_match_threshold: 0.4,
            texts: Texts::default(),
            max_ai_turns: 20,
            answer_visibility: AnswerVisibility::All,
            widget_answer_visibility: AnswerVisibility::Public,
            widget_origins: Vec::new(),
            source_url_template: None,
            retention_days: 365,
            model_calls_per_day: Some(10_000),
            synonyms: Vec::new(),
            notice_after_minutes: None,
            hours: None,
            answers_while_waiting: true,
            shows_images: true,
            suggestions: Vec::new(),
            appearance: Appearance::default(),
            widget_requests_per_minute: 30_000,
        }
    }
}

/// The texts as their tenant sees them; `null` where the service's own sentence is said.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(!default)]
pub struct Texts {
    /// To a greeting.
    pub greeting: Option<String>,
    /// To thanks.
    pub thanks: Option<String>,
    /// To a goodbye.
    pub farewell: Option<String>,
    /// To "who are you?".
    pub about_me: Option<String>,
    /// Where the wiki has no answer.
    pub no_answer: Option<String>,
    /// Where a person takes over.
    pub handover: Option<String>,
    /// Where something behind the service failed.
    pub failure: Option<String>,
}

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

/// `name`.
pub const NAME: TextLimit = TextLimit::line(1, 100);
/// `resumeWindowHours`.
pub const RESUME_WINDOW_HOURS: RangeInclusive<u32> = 1..=336;
/// `noMatchThreshold`.
pub const NO_MATCH_THRESHOLD: RangeInclusive<f64> = 0.0..=1.0;
/// One of `texts`.
pub const TEXT: TextLimit = TextLimit::prose(1, 500);
/// `maxAiTurns`.
pub const MAX_AI_TURNS: RangeInclusive<u32> = 1..=1_000;
/// The most `widgetOrigins` (our limit).
pub const MAX_ORIGINS: usize = 50;
/// One of `widgetOrigins`.
pub const ORIGIN: TextLimit = TextLimit::line(1, MAX_ORIGIN_CHARS);
/// `sourceUrlTemplate`.
pub const SOURCE_URL_TEMPLATE: TextLimit = TextLimit::line(1, 500);
/// `retentionDays`.
pub const RETENTION_DAYS: RangeInclusive<u32> = 7..=3_650;
/// `modelCallsPerDay`.
pub const MODEL_CALLS_PER_DAY: RangeInclusive<u32> = 0..=1_000_000;
/// `noticeAfterMinutes`.
pub const NOTICE_AFTER_MINUTES: RangeInclusive<u32> = 1..=120;
/// The most groups of `synonyms`.
pub const MAX_SYNONYM_GROUPS: usize = 200;
/// How many members a group has.
pub const SYNONYMS: RangeInclusive<usize> = 2..=10;
/// A member of a group (our limit).
pub const SYNONYM: TextLimit = TextLimit::line(1, 60);
/// The most characters of all `synonyms` together (our limit): they are read with every message.
pub const MAX_SYNONYM_CHARS: usize = 10_000;

/// The most `suggestions`.
pub const MAX_SUGGESTIONS: usize = 4;
/// One of `suggestions` (our limit).
pub const SUGGESTION: TextLimit = TextLimit::line(1, 100);

/// The problems of whole settings; none if a change could have made them. `allow_loopback` allows `http` pages of
/// this machine. What the operator sets is not looked at.
#[must_use]
pub fn problems(settings: &Settings, allow_loopback: bool) -> Vec<Detail> {
    let mut problems = Vec::new();
    let mut text = |field: &str, limit: TextLimit, text: &Option<String>| {
        let refused = text.as_deref().and_then(|text| limit.validate(text).err());
        problems.extend(refused.map(|(code, message)| Detail::new(field, code, message)));
    };
    text("name", NAME, &settings.name);
    text("sourceUrlTemplate", SOURCE_URL_TEMPLATE, &settings.source_url_template);
    let Texts { greeting, thanks, farewell, about_me, no_answer, handover, failure } = &settings.texts;
    for (name, value) in [
        ("texts.greeting", greeting),
        ("texts.thanks", thanks),
        ("texts.farewell", farewell),
        ("texts.aboutMe", about_me),
        ("texts.noAnswer", no_answer),
        ("texts.handover", handover),
        ("texts.failure", failure),
    ] {
        text(name, TEXT, value);
    }
    if let Some(Err(message)) = settings.source_url_template.as_deref().map(parse_source_url) {
        problems.push(Detail::new("sourceUrlTemplate", DetailCode::InvalidUrl, message));
    }
    problems.extend(number_problems(settings));
    problems.extend(origins_problems(&settings.widget_origins));
    problems.extend(loopback_problems(&settings.widget_origins, allow_loopback));
    problems.extend(synonyms_problems(&settings.synonyms));
    problems.extend(settings.hours.iter().flat_map(hours::problems));
    problems.extend(suggestions_problems(&settings.suggestions));
    problems.extend(appearance::problems(&settings.appearance));
    problems
}

fn number_problems(settings: &Settings) -> Vec<Detail> {
    let whole = [
        ("resumeWindowHours", RESUME_WINDOW_HOURS, settings.resume_window_hours),
        ("maxAiTurns", MAX_AI_TURNS, settings.max_ai_turns),
        ("retentionDays", RETENTION_DAYS, settings.retention_days),
        ("noticeAfterMinutes", NOTICE_AFTER_MINUTES, settings.notice_after_minutes.unwrap_or(1)),
        ("modelCallsPerDay", MODEL_CALLS_PER_DAY, settings.model_calls_per_day.unwrap_or_default()),
    ];
    let wrong = |(field, range, number): (&str, RangeInclusive<u32>, u32)| {
        let message = format!("must be between {} and {}", range.start(), range.end());
        (!range.contains(&number)).then(|| Detail::new(field, DetailCode::OutOfRange, message))
    };
    let mut problems: Vec<Detail> = whole.into_iter().filter_map(wrong).collect();
    if !NO_MATCH_THRESHOLD.contains(&settings.no_match_threshold) {
        problems.push(Detail::new("noMatchThreshold", DetailCode::OutOfRange, "must be between 0 and 1"));
    }
    problems
}

fn origins_problems(origins: &[String]) -> Vec<Detail> {
    let place = |i: usize| format!("widgetOrigins[{i}]");
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, text) in origins.iter().enumerate().take(MAX_ORIGINS) {
        if let Err((code, message)) = ORIGIN.validate(text) {
            problems.push(Detail::new(place(i), code, message));
        } else if let Err(message) = parse_origin(text) {
            problems.push(Detail::new(place(i), DetailCode::InvalidOrigin, message));
        } else if !seen.insert(text) {
            problems.push(Detail::new(place(i), DetailCode::InvalidOrigin, "is there twice"));
        }
    }
    problems.extend(Detail::too_many("widgetOrigins", origins.len(), MAX_ORIGINS));
    problems
}

/// The `widgetOrigins` that are `http` pages of this machine, unless the operator allows them.
#[must_use]
pub fn loopback_problems(origins: &[String], allow_loopback: bool) -> Vec<Detail> {
    let refused = |(_, text): &(usize, &String)| !allow_loopback && is_loopback(text);
    let problem =
        |(i, _)| Detail::new(format!("widgetOrigins[{i}]"), DetailCode::InvalidOrigin, "must begin with https://");
    origins.iter().enumerate().filter(refused).map(problem).collect()
}

/// The problems of the groups of `synonyms`.
#[must_use]
pub fn synonyms_problems(groups: &[Vec<String>]) -> Vec<Detail> {
    let mut problems = Vec::new();
    for (i, group) in groups.iter().enumerate().take(MAX_SYNONYM_GROUPS) {
        let place = format!("synonyms[{i}]");
        if group.len() < *SYNONYMS.start() {
            problems.push(Detail::new(
                place,
                DetailCode::TooFew,
                format!("must have at least {} items", SYNONYMS.start()),
            ));
        } else if group.len() > *SYNONYMS.end() {
            problems.push(Detail::new(
                place,
                DetailCode::TooMany,
                format!("must have at most {} items", SYNONYMS.end()),
            ));
        } else {
            let refused = |(j, member): (usize, &String)| Some((j, SYNONYM.validate(member).err()?));
            let refused = group.iter().enumerate().filter_map(refused);
            problems.extend(refused.map(|(j, (code, message))| Detail::new(format!("{place}[{j}]"), code, message)));
        }
    }
    problems.extend(Detail::too_many("synonyms", groups.len(), MAX_SYNONYM_GROUPS));
    if groups.iter().flatten().map(|member| member.chars().count()).sum::<usize>() > MAX_SYNONYM_CHARS {
        let message = format!("must have at most {MAX_SYNONYM_CHARS} characters in all");
        problems.push(Detail::new("synonyms", DetailCode::TooLong, message));
    }
    problems
}

fn suggestions_problems(suggestions: &[String]) -> Vec<Detail> {
    let refused = |(i, text): (usize, &String)| Some((i, SUGGESTION.validate(text).err()?));
    let refused = suggestions.iter().take(MAX_SUGGESTIONS).enumerate().filter_map(refused);
    let mut problems: Vec<Detail> =
        refused.map(|(i, (code, message))| Detail::new(format!("suggestions[{i}]"), code, message)).collect();
    problems.extend(Detail::too_many("suggestions", suggestions.len(), MAX_SUGGESTIONS));
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(settings: &Settings, allow_loopback: bool) -> Vec<String> {
        problems(settings, allow_loopback).into_iter().filter_map(|detail| detail.field).collect()
    }

    #[test]
    fn pages_of_this_machine_are_refused_by_their_places_unless_the_operator_allows_them() {
        let origins = ["https://a.example", "http://localhost:3000", "https://b.example", "http://127.0.0.1:5173"];
        let settings = Settings { widget_origins: origins.map(str::to_owned).to_vec(), ..Settings::default() };
        assert_eq!(fields(&settings, true), Vec::<String>::new());
        assert_eq!(fields(&settings, false), ["widgetOrigins[1]", "widgetOrigins[3]"]);
    }

    #[test]
    fn the_defaults_are_sound_and_every_field_has_its_limits() {
        assert_eq!(fields(&Settings::default(), false), Vec::<String>::new());
        let long = Some("x".repeat(501));
        let wrong = Settings {
            name: Some("a\nb".into()),
            resume_window_hours: 0,
            no_match_threshold: f64::NAN,
            texts: Texts { greeting: long.clone(), failure: Some(" ".into()), ..Texts::default() },
            max_ai_turns: 1_001,
            widget_origins: vec!["null".into(), "https://a.example".into(), "https://a.example".into()],
            source_url_template: Some("javascript:alert({path})".into()),
            retention_days: 6,
            model_calls_per_day: Some(u32::MAX),
            suggestions: vec!["\u{202e}ehT".into(), "x".repeat(101), "Why?".into(), "How?".into(), "Who?".into()],
            appearance: Appearance {
                color: Some("red;x:url(//a.example)".into()),
                name: Some("n".repeat(10_000)),
                position: None,
                logo_url: Some("javascript:alert(1)//".into()),
            },
            synonyms: vec![vec!["alone".into()], vec!["a".into(), " ".into()], vec!["a".into(); 11]],
            ..Settings::default()
        };
        let expected = [
            "name",
            "texts.greeting",
            "texts.failure",
            "sourceUrlTemplate",
            "resumeWindowHours",
            "maxAiTurns",
            "retentionDays",
            "modelCallsPerDay",
            "noMatchThreshold",
            "widgetOrigins[0]",
            "widgetOrigins[2]",
            "synonyms[0]",
            "synonyms[1][1]",
            "synonyms[2]",
            "suggestions[0]",
            "suggestions[1]",
            "suggestions",
            "appearance.color",
            "appearance.name",
            "appearance.logoUrl",
        ];
        assert_eq!(fields(&wrong, false), expected);
        let many = (0..=MAX_ORIGINS).map(|i| format!("https://{i}.example")).collect();
        assert_eq!(fields(&Settings { widget_origins: many, ..Settings::default() }, false), ["widgetOrigins"]);
        let group = |chars: usize| vec!["x".repeat(chars), "y".to_owned()];
        for (synonyms, expected) in [
            (vec![group(49); 200], vec![]),
            (vec![group(50); 200], vec!["synonyms"]),
            (vec![group(1); 201], vec!["synonyms"]),
        ] {
            assert_eq!(fields(&Settings { synonyms, ..Settings::default() }, false), expected);
        }
    }
}
