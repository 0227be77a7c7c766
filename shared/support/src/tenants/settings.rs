//! `/settings`: the settings of a tenant, one record per mode. Also their parts: the look of the chat, and the tenant's
//! own texts in place of the fixed sentences.

use axum::extract::State;
use domain::error::DetailCode;
use domain::limits::{appearance, origin, settings as limits, source_url};
use domain::models::{
    AnswerVisibility, Appearance, ChatPosition, Language, Plan, Scope, SensitiveSetting, Settings, Tenant, Texts,
};
use domain::{Error, Result};
use outbound::OutboundPolicy;
use schemars::JsonSchema;
use serde::Serialize;

use crate::edge::input::{
    AtLeastOne, Change, Closed, Text, choice, clearable, distinct, flag, integer_in, list, list_between, number,
    object, replaceable, within,
};
use crate::edge::{self, Administrator, ApiResult, App, IfMatch, Json, JsonIn, Tagged, etag, require_recent_sign_in};
use crate::requester::Requester;
use crate::tenants::hours::HoursIn;

/// The settings as their tenant sees them.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Settings")]
pub(crate) struct SettingsOut {
    /// How this half of the tenant is called.
    name: String,
    /// The plan of the tenant.
    plan: Plan,
    #[serde(flatten)]
    settings: Settings,
    /// The usage of the limits.
    usage: UsageOut,
}

/// The usage of the limits.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SettingsUsage")]
struct UsageOut {
    /// Calls of the language model in this UTC day, as far as `modelCallsPerDay` counts them.
    model_calls_today: u32,
}

impl SettingsOut {
    fn of(tenant: Tenant, mut settings: Settings, model_calls_today: u32) -> Self {
        Self {
            name: settings.name.take().unwrap_or(tenant.name),
            plan: tenant.plan,
            settings,
            usage: UsageOut { model_calls_today },
        }
    }
}

edge::body! {
    /// A change of settings: at least one field; each replaces the old value.
    #[derive(Debug, Default)]
    pub(crate) struct SettingsPatch as "SettingsPatch" {
        /// How this half of the tenant is called.
        name: Option<String> = "name" => replaceable(within(limits::NAME)),
        /// The wiki's language.
        language: Option<Language> = "language" => replaceable(choice::<Language>()),
        /// Hours after closing in which a session may be resumed, and of silence after which it closes.
        resume_window_hours: Option<u32> = "resumeWindowHours" => replaceable(integer_in(&limits::RESUME_WINDOW_HOURS)),
        /// The confidence under which there is no answer.
        no_match_threshold: Option<f64> = "noMatchThreshold" => replaceable(number(*limits::NO_MATCH_THRESHOLD.start(), *limits::NO_MATCH_THRESHOLD.end())),
        /// The tenant's texts instead of the service's own sentences; null: none.
        texts: Change<TextsPatch> = "texts" => clearable(object::<TextsPatch>()),
        /// AI turns in a row after which a human is asked.
        max_ai_turns: Option<u32> = "maxAiTurns" => replaceable(integer_in(&limits::MAX_AI_TURNS)),
        /// The entries that may ground answers in sessions of other channels than `widget`.
        answer_visibility: Option<AnswerVisibility> = "answerVisibility" => replaceable(choice::<AnswerVisibility>()),
        /// The entries that may ground answers in sessions of channel `widget`.
        widget_answer_visibility: Option<AnswerVisibility> = "widgetAnswerVisibility" => replaceable(choice::<AnswerVisibility>()),
        /// The origins a widget may call from, as browsers write them, each kept once; none, or null, means any.
        widget_origins: Change<Vec<String>> = "widgetOrigins" => clearable(distinct(list(
            limits::MAX_ORIGINS,
            within(limits::ORIGIN).checked(DetailCode::InvalidOrigin, origin::parse, origin::PATTERN),
        ))),
        /// The address of an entry on the tenant's site: `https`, with one `{path}` after the host; null: none.
        source_url_template: Change<String> = "sourceUrlTemplate" => clearable(
            within(limits::SOURCE_URL_TEMPLATE).checked(DetailCode::InvalidUrl, source_url::parse, source_url::PATTERN),
        ),
        /// Days after the last activity after which a session is erased.
        retention_days: Option<u32> = "retentionDays" => replaceable(integer_in(&limits::RETENTION_DAYS)),
        /// How many calls of the language model may be made in a UTC day. When they are made, answers quote entries, as
        /// without a model; null: any number.
        model_calls_per_day: Change<u32> = "modelCallsPerDay" => clearable(integer_in(&limits::MODEL_CALLS_PER_DAY)),
        /// Groups of words and short phrases that mean the same in this wiki: a question that says one finds entries that
        /// say another. At most 10,000 characters in all. The list replaces the old one; null: none.
        synonyms: Change<Vec<Vec<String>>> = "synonyms" => clearable(list(
            limits::MAX_SYNONYM_GROUPS,
            list_between(*limits::SYNONYMS.start(), *limits::SYNONYMS.end(), within(limits::SYNONYM)),
        )),
        /// Minutes after which `handover.waiting` tells that a customer still waits for a person; null: never.
        notice_after_minutes: Change<u32> = "noticeAfterMinutes" => clearable(integer_in(&limits::NOTICE_AFTER_MINUTES)),
        /// When people are there, by the clock on the wall of a time zone; null: always. They replace the old ones whole.
        /// Outside them the fixed sentences say when people are back, and escalating works all the same.
        hours: Change<HoursIn> = "hours" => clearable(object::<HoursIn>()),
        /// Whether the AI goes on answering what the wiki knows while a customer waits for a person. Once an agent had the
        /// request it is silent.
        answers_while_waiting: Option<bool> = "answersWhileWaiting" => replaceable(flag()),
        /// Whether customers are shown the images of entries, in articles and under what answers quote. The browser loads
        /// them from where they are, which learns the customer's IP address.
        shows_images: Option<bool> = "showsImages" => replaceable(flag()),
        /// Questions that the chat offers before the first message, in this order, each kept once; pressing one sends it.
        /// The list replaces the old one; null: none.
        suggestions: Change<Vec<String>> = "suggestions" => clearable(distinct(list(
            limits::MAX_SUGGESTIONS,
            within(limits::SUGGESTION),
        ))),
        /// The look of the chat, unless its page sets another; null: its own.
        appearance: Change<AppearancePatch> = "appearance" => clearable(object::<AppearancePatch>()),
    }
    rules: [AtLeastOne]
}

impl SettingsPatch {
    /// Whether it names a setting; for a sensitive one, a member needs a sign-in of the last hour.
    const fn names(&self, setting: SensitiveSetting) -> bool {
        match setting {
            SensitiveSetting::WidgetOrigins => !matches!(self.widget_origins, Change::Keep),
            SensitiveSetting::SourceUrlTemplate => !matches!(self.source_url_template, Change::Keep),
            SensitiveSetting::AnswerVisibility => self.answer_visibility.is_some(),
            SensitiveSetting::WidgetAnswerVisibility => self.widget_answer_visibility.is_some(),
            SensitiveSetting::RetentionDays => self.retention_days.is_some(),
        }
    }

    /// Refuses `http` pages of this machine, unless the operator allows them, too many characters of synonyms, and hours
    /// that overlap.
    fn validated(self, policy: &OutboundPolicy) -> Result<Self> {
        let origins = match &self.widget_origins {
            Change::Set(origins) => origins.as_slice(),
            Change::Keep | Change::Clear => &[],
        };
        let mut problems = limits::loopback_problems(origins, policy.allow_loopback);
        if let Change::Set(groups) = &self.synonyms {
            problems.extend(limits::synonyms_problems(groups));
        }
        if let Change::Set(hours) = &self.hours {
            problems.extend(hours.problems());
        }
        if problems.is_empty() { Ok(self) } else { Err(Error::validation(problems)) }
    }

    fn apply(&self, old: Settings) -> Settings {
        Settings {
            name: self.name.clone().or(old.name),
            language: self.language.unwrap_or(old.language),
            resume_window_hours: self.resume_window_hours.unwrap_or(old.resume_window_hours),
            no_match_threshold: self.no_match_threshold.unwrap_or(old.no_match_threshold),
            texts: match &self.texts {
                Change::Keep => old.texts,
                Change::Clear => Texts::default(),
                Change::Set(texts) => texts.apply(old.texts),
            },
            max_ai_turns: self.max_ai_turns.unwrap_or(old.max_ai_turns),
            answer_visibility: self.answer_visibility.unwrap_or(old.answer_visibility),
            widget_answer_visibility: self.widget_answer_visibility.unwrap_or(old.widget_answer_visibility),
            widget_origins: self.widget_origins.clone().of(Some(old.widget_origins)).unwrap_or_default(),
            source_url_template: self.source_url_template.clone().of(old.source_url_template),
            retention_days: self.retention_days.unwrap_or(old.retention_days),
            model_calls_per_day: self.model_calls_per_day.clone().of(old.model_calls_per_day),
            synonyms: self.synonyms.clone().of(Some(old.synonyms)).unwrap_or_default(),
            notice_after_minutes: self.notice_after_minutes.clone().of(old.notice_after_minutes),
            hours: match &self.hours {
                Change::Keep => old.hours,
                Change::Clear => None,
                Change::Set(hours) => Some(hours.clone().into()),
            },
            answers_while_waiting: self.answers_while_waiting.unwrap_or(old.answers_while_waiting),
            shows_images: self.shows_images.unwrap_or(old.shows_images),
            suggestions: self.suggestions.clone().of(Some(old.suggestions)).unwrap_or_default(),
            appearance: match &self.appearance {
                Change::Keep => old.appearance,
                Change::Clear => Appearance::default(),
                Change::Set(appearance) => appearance.apply(old.appearance),
            },
            widget_requests_per_minute: old.widget_requests_per_minute,
        }
    }
}

edge::endpoint! {
    /// Read the settings.
    ///
    /// There is one record for each mode.
    pub(crate) GetSettings = GET "/api/v1/settings" => get_settings;
}

/// Reads the settings of the caller's mode.
async fn get_settings(State(app): State<App>, caller: Administrator) -> ApiResult<Tagged<Json<SettingsOut>>> {
    let (scope, settings, calls) = (caller.scope(), app.store.settings(), app.store.model_calls());
    let (tenant, (settings, version), used) =
        futures::try_join!(tenant(&app, scope), settings.get_versioned(scope), calls.today(scope))?;
    Ok(Tagged { etag: etag(version), answer: Json(SettingsOut::of(tenant, settings, used)) })
}

edge::endpoint! {
    /// Change settings.
    ///
    /// An absent field stays. `null` clears a field that may be empty; a text that is `null` is the service's own
    /// again. A member needs a sign-in of the last hour for `widgetOrigins`, `answerVisibility`, `widgetAnswerVisibility`,
    /// `sourceUrlTemplate` and `retentionDays`.
    pub(crate) UpdateSettings = PATCH "/api/v1/settings" => update_settings;
    errors: [Conflict, RecentSignInRequired],
    example: {"language": "de", "texts": {"greeting": "Hello, I am Ada."}, "maxAiTurns": 10},
}

/// Changes the settings of the caller's mode.
async fn update_settings(
    State(app): State<App>,
    caller: Administrator,
    if_match: IfMatch,
    JsonIn(patch): JsonIn<SettingsPatch>,
) -> ApiResult<Tagged<Json<SettingsOut>>> {
    let patch = patch.validated(&app.config.outbound)?;
    if SensitiveSetting::ALL.iter().any(|setting| patch.names(*setting)) {
        require_recent_sign_in(&caller, app.runtime.now())?;
    }
    let tenant = tenant(&app, caller.scope()).await?;
    let store = Requester::Caller(&caller).acting(&app.store);
    let check = |version| if_match.check(version);
    let repository = store.settings();
    let (settings, version) = repository.update_version(caller.scope(), check, |old| patch.apply(old)).await?;
    let used = app.store.model_calls().today(caller.scope()).await?;
    Ok(Tagged { etag: etag(version), answer: Json(SettingsOut::of(tenant, settings, used)) })
}

async fn tenant(app: &App, scope: &Scope) -> Result<Tenant> {
    let found = app.store.tenants().get(&scope.tenant).await?;
    found.ok_or_else(|| Error::internal("a key of a tenant that does not exist"))
}

edge::body! {
    /// The look of the chat, unless its page sets another: an absent part stays, `null` is the chat's own again.
    #[derive(Debug, Clone, Default)]
    pub(crate) struct AppearancePatch as "AppearancePatch" {
        /// The colour of launcher, header and buttons, as `#rrggbb`; the text on it is black or white, whichever contrasts
        /// more.
        color: Change<String> = "color" => clearable(
            within(appearance::COLOR).checked(DetailCode::InvalidFormat, appearance::parse_color, appearance::COLOR_PATTERN),
        ),
        /// The title of the chat.
        name: Change<String> = "name" => clearable(within(appearance::NAME)),
        /// The lower corner of the page in which the chat stands, in every language.
        position: Change<ChatPosition> = "position" => clearable(choice::<ChatPosition>()),
        /// The `https` address of a picture, which stands beside the title: a square of 32 pixels.
        logo_url: Change<String> = "logoUrl" => clearable(
            within(appearance::LOGO_URL).checked(DetailCode::InvalidUrl, appearance::parse_logo_url, appearance::LOGO_URL_PATTERN),
        ),
    }
    rules: [Closed]
}

impl AppearancePatch {
    pub(crate) fn apply(&self, old: Appearance) -> Appearance {
        Appearance {
            color: self.color.clone().of(old.color),
            name: self.name.clone().of(old.name),
            position: self.position.clone().of(old.position),
            logo_url: self.logo_url.clone().of(old.logo_url),
        }
    }
}

const TEXT: Text = within(limits::TEXT);

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
