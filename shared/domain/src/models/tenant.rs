//! Tenants, their settings and their keys.

use serde::{Deserialize, Serialize};

use super::{ApiKeyId, Appearance, Hours, Language, TenantId, Timestamp, wire_enum};

wire_enum! {
    /// The plan of a tenant.
    pub enum Plan {
        /// The basic figures.
        Free => "free",
        /// All figures.
        Pro => "pro",
    }
}

wire_enum! {
    /// Whether a tenant is served.
    pub enum TenantStatus {
        /// It is served.
        Active => "active",
        /// Its keys and widget tokens are refused; its data is kept.
        Suspended => "suspended",
        /// Its data is being erased, and its keys and widget tokens are refused for good.
        Deleting => "deleting",
    }
}

wire_enum! {
    /// Which half of a tenant's data a key sees; neither ever sees the other's.
    pub enum Mode {
        /// Production data.
        Live => "live",
        /// Data to try things on.
        Test => "test",
    }
}

wire_enum! {
    /// The role of a key.
    pub enum Role {
        /// Everything.
        Admin => "admin",
        /// Knowledge: wiki, ingest, webhooks, analytics.
        Trainer => "trainer",
        /// People in the inbox.
        Agent => "agent",
        /// Servers that relay customers.
        Integration => "integration",
    }
}

wire_enum! {
    /// The entries that may ground an answer.
    pub enum AnswerVisibility {
        /// Every entry.
        All => "all",
        /// Public entries only.
        Public => "public",
    }
}

/// The tenant and mode that every piece of data belongs to: the first argument of every repository method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Scope {
    /// The tenant.
    pub tenant: TenantId,
    /// The mode.
    pub mode: Mode,
}

/// A tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Its id.
    pub tenant_id: TenantId,
    /// Its name.
    pub name: String,
    /// Its plan.
    pub plan: Plan,
    /// Whether it is served.
    pub status: TenantStatus,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The settings of a tenant, one record per mode, as the table keeps it: a field that was never set is the default.
/// Callers read and send other types.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The name of this half of the tenant; by default the tenant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The wiki's language.
    pub language: Language,
    /// Hours after closing in which a session may be resumed, and of inactivity after which it closes: 1-336.
    pub resume_window_hours: u32,
    /// The confidence below which there is no answer: 0-1.
    pub no_match_threshold: f64,
    /// The service's own sentences.
    pub texts: Texts,
    /// AI turns since the session last became `ai` after which it escalates: 1-1000.
    pub max_ai_turns: u32,
    /// The entries that may ground an answer in sessions of other channels than the widget.
    pub answer_visibility: AnswerVisibility,
    /// The entries that may ground an answer in widget sessions.
    pub widget_answer_visibility: AnswerVisibility,
    /// Origins a widget may call from; empty means any.
    pub widget_origins: Vec<String>,
    /// The address of an entry on the tenant's site, with `{path}` in place of the entry's path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_url_template: Option<String>,
    /// Days after the last activity after which a session is erased: 7-3650.
    pub retention_days: u32,
    /// How many calls of the language model a day (UTC) may make: 0-1,000,000; none: any number, which is stored, because
    /// the default is another.
    pub model_calls_per_day: Option<u32>,
    /// Words and short phrases that mean the same in this wiki: at most 200 groups of 2-10.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<Vec<String>>,
    /// Minutes after which the tenant is told that a customer still waits for a person: 1-120; none: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notice_after_minutes: Option<u32>,
    /// When people are there; none: always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hours: Option<Hours>,
    /// The AI goes on answering what the wiki knows while a customer waits for a person.
    #[serde(skip_serializing_if = "is_true")]
    pub answers_while_waiting: bool,
    /// Customers are shown the images of entries, which are loaded from where they are.
    #[serde(skip_serializing_if = "is_true")]
    pub shows_images: bool,
    /// Questions that the chat offers before the first message: at most 4.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// The look of the chat.
    #[serde(skip_serializing_if = "Appearance::is_own")]
    pub appearance: Appearance,
    /// How many requests a minute all widgets of the tenant may make together; set by the operator.
    pub widget_requests_per_minute: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_true(value: &bool) -> bool {
    *value
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

/// A tenant's own texts in place of the fixed sentences; each at most 500 characters, none for the service's own in the
/// customer's language.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Texts {
    /// To a greeting.
    pub greeting: Option<String>,
    /// To thanks.
    pub thanks: Option<String>,
    /// To a goodbye.
    pub farewell: Option<String>,
    /// To "who are you?".
    pub about_me: Option<String>,
    /// If the wiki has no answer.
    pub no_answer: Option<String>,
    /// If a person takes over.
    pub handover: Option<String>,
    /// If something behind the service failed.
    pub failure: Option<String>,
}

/// The stored form of an API key; the raw key is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKeyRecord {
    /// Its public name.
    pub key_id: ApiKeyId,
    /// The tenant that it opens, and the mode.
    pub scope: Scope,
    /// For people.
    pub name: String,
    /// The role of the key.
    pub role: Role,
    /// `pk_live_` and the first four characters after it.
    pub prefix: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The maker: a key, a member, or `operator`; none if an earlier release did not store it.
    pub created_by: Option<String>,
    /// From this moment on it is refused.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
}
