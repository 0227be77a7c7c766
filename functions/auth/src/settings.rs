//! The settings of a tenant, one record per mode.

use crate::Auth;
use axum::extract::State;
use domain::error::Detail;
use domain::models::{AnswerVisibility, Language, Plan, Scope, Settings, Tenant};
use domain::{Error, Result};
use edge::ApiResult;
use edge::{Administrator, Fields, FromFields, Json, JsonIn};
use outbound::OutboundPolicy;
use serde::Serialize;

use crate::origin;
use crate::texts::{TextsOut, TextsPatch};

/// The most origins that a tenant may name (our limit).
const MAX_ORIGINS: usize = 50;

/// The settings as their tenant sees them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettingsOut {
    name: String,
    plan: Plan,
    language: Language,
    resume_window_hours: u32,
    no_match_threshold: f64,
    texts: TextsOut,
    max_ai_turns: u32,
    answer_visibility: AnswerVisibility,
    widget_answer_visibility: AnswerVisibility,
    widget_origins: Vec<String>,
    retention_days: u32,
}

impl SettingsOut {
    fn of(tenant: Tenant, settings: Settings) -> Self {
        Self {
            name: settings.name.unwrap_or(tenant.name),
            plan: tenant.plan,
            language: settings.language,
            resume_window_hours: settings.resume_window_hours,
            no_match_threshold: settings.no_match_threshold,
            texts: settings.texts.into(),
            max_ai_turns: settings.max_ai_turns,
            answer_visibility: settings.answer_visibility,
            widget_answer_visibility: settings.widget_answer_visibility,
            widget_origins: settings.widget_origins,
            retention_days: settings.retention_days,
        }
    }
}

/// What to change; every field that is there replaces the old one.
#[derive(Debug, Default)]
pub(crate) struct SettingsPatch {
    name: Option<String>,
    language: Option<Language>,
    resume_window_hours: Option<u32>,
    no_match_threshold: Option<f64>,
    texts: Option<TextsPatch>,
    max_ai_turns: Option<u32>,
    answer_visibility: Option<AnswerVisibility>,
    widget_answer_visibility: Option<AnswerVisibility>,
    widget_origins: Option<Vec<String>>,
    retention_days: Option<u32>,
}

/// Every field of a patch.
const PATCHABLE: [&str; 10] = [
    "name",
    "language",
    "resumeWindowHours",
    "noMatchThreshold",
    "texts",
    "maxAiTurns",
    "answerVisibility",
    "widgetAnswerVisibility",
    "widgetOrigins",
    "retentionDays",
];

impl FromFields for SettingsPatch {
    fn from_fields(f: &mut Fields) -> Option<Self> {
        if !PATCHABLE.iter().any(|name| f.has(name)) {
            f.problem("", "NOTHING_TO_CHANGE", format!("name at least one of {}", PATCHABLE.join(", ")));
        }
        let languages: Vec<_> = Language::ALL.iter().map(|language| language.as_str()).collect();
        let whole = |name: &str, min, max| f.integer(name, min, max).and_then(|number| u32::try_from(number).ok());
        let seen = |name: &str| f.choice(name, AnswerVisibility::parse, &["all", "public"]);
        Some(Self {
            name: f.line("name", 1, 100),
            language: f.choice("language", Language::parse, &languages),
            resume_window_hours: whole("resumeWindowHours", 1, 336),
            no_match_threshold: f.number("noMatchThreshold", 0.0, 1.0),
            texts: TextsPatch::read(f),
            max_ai_turns: whole("maxAiTurns", 1, 1_000),
            answer_visibility: seen("answerVisibility"),
            widget_answer_visibility: seen("widgetAnswerVisibility"),
            widget_origins: origins(f),
            retention_days: whole("retentionDays", 7, 3_650),
        })
    }
}

fn origins(f: &Fields) -> Option<Vec<String>> {
    let given = f.text_list("widgetOrigins", MAX_ORIGINS, 1, 300)?;
    for (i, text) in given.iter().enumerate() {
        if let Err(message) = origin::parse(text) {
            f.problem(&format!("widgetOrigins[{i}]"), "INVALID_ORIGIN", message);
        }
    }
    Some(given)
}

impl SettingsPatch {
    /// Refuses `http` pages of this machine, unless the operator allows them.
    fn judged(self, policy: &OutboundPolicy) -> Result<Self> {
        let origins = self.widget_origins.iter().flatten().enumerate();
        let problem = |(i, _)| Detail {
            field: Some(format!("widgetOrigins[{i}]")),
            code: "INVALID_ORIGIN".into(),
            message: "must begin with https://".into(),
        };
        let refused = |(_, text): &(usize, &String)| !policy.allow_loopback && origin::is_loopback(text);
        let problems: Vec<_> = origins.filter(refused).map(problem).collect();
        if problems.is_empty() { Ok(self) } else { Err(Error::validation(problems)) }
    }

    fn apply(&self, old: Settings) -> Settings {
        Settings {
            name: self.name.clone().or(old.name),
            language: self.language.unwrap_or(old.language),
            resume_window_hours: self.resume_window_hours.unwrap_or(old.resume_window_hours),
            no_match_threshold: self.no_match_threshold.unwrap_or(old.no_match_threshold),
            texts: match &self.texts {
                Some(texts) => texts.apply(old.texts),
                None => old.texts,
            },
            max_ai_turns: self.max_ai_turns.unwrap_or(old.max_ai_turns),
            answer_visibility: self.answer_visibility.unwrap_or(old.answer_visibility),
            widget_answer_visibility: self.widget_answer_visibility.unwrap_or(old.widget_answer_visibility),
            widget_origins: self.widget_origins.clone().unwrap_or(old.widget_origins),
            retention_days: self.retention_days.unwrap_or(old.retention_days),
        }
    }
}

/// Reads the settings of the caller's mode.
pub(crate) async fn read_settings(State(ctx): State<Auth>, caller: Administrator) -> ApiResult<Json<SettingsOut>> {
    let tenant = tenant(&ctx, caller.scope()).await?;
    let settings = ctx.store.settings().get(caller.scope()).await?;
    Ok(Json(SettingsOut::of(tenant, settings)))
}

/// Changes the settings of the caller's mode.
pub(crate) async fn change_settings(
    State(ctx): State<Auth>,
    caller: Administrator,
    JsonIn(patch): JsonIn<SettingsPatch>,
) -> ApiResult<Json<SettingsOut>> {
    let patch = patch.judged(&ctx.outbound)?;
    let tenant = tenant(&ctx, caller.scope()).await?;
    let settings = ctx.store.settings().change(caller.scope(), |old| patch.apply(old)).await?;
    Ok(Json(SettingsOut::of(tenant, settings)))
}

async fn tenant(ctx: &Auth, scope: &Scope) -> Result<Tenant> {
    let found = ctx.store.tenants().get(&scope.tenant).await?;
    found.ok_or_else(|| Error::internal("a key of a tenant that does not exist"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_this_machine_are_refused_by_their_places_unless_the_operator_allows_them() {
        let origins = ["https://a.example", "http://localhost:3000", "https://b.example", "http://127.0.0.1:5173"];
        let patch =
            || SettingsPatch { widget_origins: Some(origins.map(str::to_owned).to_vec()), ..SettingsPatch::default() };
        let here = OutboundPolicy { allow_loopback: true, ..OutboundPolicy::default() };
        assert!(patch().judged(&here).is_ok());
        let refused = patch().judged(&OutboundPolicy::default()).unwrap_err();
        let fields: Vec<_> = refused.details().iter().map(|detail| detail.field.clone().unwrap_or_default()).collect();
        assert_eq!(fields, ["widgetOrigins[1]", "widgetOrigins[3]"]);
    }
}
