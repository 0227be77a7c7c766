//! The limits of texts and numbers that callers store, by the API or by an import.

pub mod appearance;
pub mod email;
pub mod hours;
pub mod locale;
pub mod member_email;
pub mod metadata;
pub mod origin;
mod problem;
pub mod saved_reply;
pub mod settings;
pub mod source_url;
mod text;

pub use text::{TextKind, TextLimit};

/// The title of a wiki entry.
pub const ENTRY_TITLE: TextLimit = TextLimit::line(1, 200);
/// The text of a wiki entry.
pub const ENTRY_CONTENT: TextLimit = TextLimit::prose(1, 200_000);
/// The text of a wiki entry in bytes of UTF-8: leaves room for the rest of an item, of which DynamoDB takes 400 KB.
pub const ENTRY_CONTENT_BYTES: usize = 300 * 1024;
/// A tag of an entry or a session.
pub const TAG: TextLimit = TextLimit::line(1, 50);
/// The most tags. The specification does not limit them: enough for any classification, small enough for lists.
pub const MAX_TAGS: usize = 20;
/// The visitor, as the tenant names it (a limit of ours).
pub const EXTERNAL_USER_ID: TextLimit = TextLimit::line(1, 200);
/// The name of a person.
pub const PERSON_NAME: TextLimit = TextLimit::line(1, 100);
/// The e-mail address of a person; its shape is that of [`email::parse`].
pub const PERSON_EMAIL: TextLimit = TextLimit::line(1, 254);
/// The address of a member; its shape is that of [`member_email::parse`].
pub const MEMBER_EMAIL: TextLimit = TextLimit::line(3, 254);
/// The most API keys of a tenant and mode.
pub const MAX_API_KEYS: usize = 100;
/// The most members of a tenant.
pub const MAX_MEMBERS: u32 = 500;
/// The language of fixed sentences; its shape is that of [`locale::parse`].
pub const LOCALE: TextLimit = TextLimit::line(2, 35);
/// A message of a customer or an agent.
pub const MESSAGE: TextLimit = TextLimit::prose(1, 8_000);
/// A question that every change of the wiki is tried on.
pub const PIN_QUESTION: TextLimit = TextLimit::prose(1, 500);
/// Why a human is asked for, a note at a handback, or a resolution.
pub const REMARK: TextLimit = TextLimit::prose(1, 1_000);
/// The score of a rating, from bad to good.
pub const SCORE: std::ops::RangeInclusive<u32> = 1..=5;
/// An agent, as the tenant names it.
pub const AGENT_ID: TextLimit = TextLimit::line(1, 200);
/// The description of a receiver (a limit of ours).
pub const WEBHOOK_DESCRIPTION: TextLimit = TextLimit::line(0, 500);
/// A text that is handed in.
pub const INGEST_TEXT: TextLimit = TextLimit::prose(1, 500_000);
