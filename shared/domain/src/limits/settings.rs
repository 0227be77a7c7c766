//! The rules of a tenant's settings.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::problem::problem;
use super::{TextLimit, appearance, hours, origin, source_url};
use crate::error::{Detail, DetailCode};
use crate::models::{Settings, Texts};

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
pub const ORIGIN: TextLimit = TextLimit::line(1, origin::MAX_CHARS);
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
        problems.extend(refused.map(|(code, message)| problem(field, code, message)));
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
    if let Some(Err(message)) = settings.source_url_template.as_deref().map(source_url::parse) {
        problems.push(problem("sourceUrlTemplate", DetailCode::InvalidUrl, message));
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
        (!range.contains(&number)).then(|| problem(field, DetailCode::OutOfRange, message))
    };
    let mut problems: Vec<Detail> = whole.into_iter().filter_map(wrong).collect();
    if !NO_MATCH_THRESHOLD.contains(&settings.no_match_threshold) {
        problems.push(problem("noMatchThreshold", DetailCode::OutOfRange, "must be between 0 and 1"));
    }
    problems
}

fn origins_problems(origins: &[String]) -> Vec<Detail> {
    let place = |i: usize| format!("widgetOrigins[{i}]");
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, text) in origins.iter().enumerate().take(MAX_ORIGINS) {
        if let Err((code, message)) = ORIGIN.validate(text) {
            problems.push(problem(place(i), code, message));
        } else if let Err(message) = origin::parse(text) {
            problems.push(problem(place(i), DetailCode::InvalidOrigin, message));
        } else if !seen.insert(text) {
            problems.push(problem(place(i), DetailCode::InvalidOrigin, "is there twice"));
        }
    }
    if origins.len() > MAX_ORIGINS {
        problems.push(problem("widgetOrigins", DetailCode::TooMany, format!("must have at most {MAX_ORIGINS} items")));
    }
    problems
}

/// The `widgetOrigins` that are `http` pages of this machine, unless the operator allows them.
#[must_use]
pub fn loopback_problems(origins: &[String], allow_loopback: bool) -> Vec<Detail> {
    let refused = |(_, text): &(usize, &String)| !allow_loopback && origin::is_loopback(text);
    let problem =
        |(i, _)| problem(format!("widgetOrigins[{i}]"), DetailCode::InvalidOrigin, "must begin with https://");
    origins.iter().enumerate().filter(refused).map(problem).collect()
}

/// The problems of the groups of `synonyms`.
#[must_use]
pub fn synonyms_problems(groups: &[Vec<String>]) -> Vec<Detail> {
    let mut problems = Vec::new();
    for (i, group) in groups.iter().enumerate().take(MAX_SYNONYM_GROUPS) {
        let place = format!("synonyms[{i}]");
        if group.len() < *SYNONYMS.start() {
            problems.push(problem(place, DetailCode::TooFew, format!("must have at least {} items", SYNONYMS.start())));
        } else if group.len() > *SYNONYMS.end() {
            problems.push(problem(place, DetailCode::TooMany, format!("must have at most {} items", SYNONYMS.end())));
        } else {
            let refused = |(j, member): (usize, &String)| Some((j, SYNONYM.validate(member).err()?));
            let refused = group.iter().enumerate().filter_map(refused);
            problems.extend(refused.map(|(j, (code, message))| problem(format!("{place}[{j}]"), code, message)));
        }
    }
    if groups.len() > MAX_SYNONYM_GROUPS {
        let message = format!("must have at most {MAX_SYNONYM_GROUPS} items");
        problems.push(problem("synonyms", DetailCode::TooMany, message));
    }
    if groups.iter().flatten().map(|member| member.chars().count()).sum::<usize>() > MAX_SYNONYM_CHARS {
        let message = format!("must have at most {MAX_SYNONYM_CHARS} characters in all");
        problems.push(problem("synonyms", DetailCode::TooLong, message));
    }
    problems
}

fn suggestions_problems(suggestions: &[String]) -> Vec<Detail> {
    let refused = |(i, text): (usize, &String)| Some((i, SUGGESTION.validate(text).err()?));
    let refused = suggestions.iter().take(MAX_SUGGESTIONS).enumerate().filter_map(refused);
    let mut problems: Vec<Detail> =
        refused.map(|(i, (code, message))| problem(format!("suggestions[{i}]"), code, message)).collect();
    if suggestions.len() > MAX_SUGGESTIONS {
        let message = format!("must have at most {MAX_SUGGESTIONS} items");
        problems.push(problem("suggestions", DetailCode::TooMany, message));
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::Appearance;

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
